"""What guessing at a question costs among players who learned: much where much hangs on it, else nothing."""

from __future__ import annotations

import time
from collections.abc import Sequence
from pathlib import Path

import pytest
from attrs import evolve
from click.testing import CliRunner
from cores import has_core
from learning_little import learn_little
from paths import DATA
from shipped import load_game

from rulebook import library
from rulebook.cli import main
from rulebook.interpreter.lower import lower
from rulebook.playtest.bots import BadSpec, check_options, guess_at, ready_bots, split_spec
from rulebook.playtest.options import NoSuchOption
from rulebook.playtest.prompts import Stake, find_prompt, list_prompts
from rulebook.playtest.series import guessing
from rulebook.playtest.series.guessing import Guess, choose_prompts, measure_guesses
from rulebook.playtest.series.plan import Plan, plan_of
from rulebook.playtest.series.table import Table

ASKED = DATA / "learning" / "asked"
GEM, COAT = "Which gem do you take, [a player]?", "Which coat do you wear?"
LEARNED = "learned:40"
"""Has learned from few games, but enough for this small one: 4,000 make it no better there."""
NO_CORE = "there is no core here: a C compiler builds it when rulebook is installed"


@pytest.fixture
def plan(monkeypatch: pytest.MonkeyPatch) -> Plan:
    """Players who learned, in a game in which gems are all that counts, and coats nothing."""
    monkeypatch.setattr(guessing, "LEARNED", LEARNED)
    plan = plan_of(load_game(ASKED), 3, 7, bots=[LEARNED])
    ready_bots(lower(plan.rulebook, 3), [LEARNED])
    return plan


def measure(plan: Plan, most: int, jobs: int = 1) -> list[Guess]:
    return guess(plan, choose_prompts(plan, 60, jobs), most, jobs)


def guess(plan: Plan, stakes: Sequence[Stake], most: int, jobs: int = 1) -> list[Guess]:
    return measure_guesses(plan, stakes, 600, jobs, most, lambda done, most: None)


@pytest.mark.needs(has_core(), NO_CORE)
def test_guessing_costs_what_hangs_on_the_answers(plan: Plan) -> None:
    gem, coat = choose_prompts(plan, 60, 1)
    assert (gem.prompt, coat.prompt) == (GEM, COAT)
    # There is always a gem to take but where all are alike, and always a coat.
    assert gem.share > 0.9 > 0.1 > coat.share and 11 < gem.asked <= coat.asked == 12
    costly, idle = measure(plan, 120)
    assert costly.prompt == GEM and costly.costs and costly.high < 0.2
    assert idle.prompt == COAT and not idle.costs and idle.low < idle.fair < idle.high and not idle.sure_high < 0
    assert idle.games == 120 and idle.asked == 4


@pytest.mark.slow
@pytest.mark.needs(has_core(), NO_CORE)
def test_a_question_without_weight_is_never_said_to_have_some(plan: Plan) -> None:
    """What is true is known: a coat is worth nothing. A deal goes the same with any, from each seat."""
    stakes = choose_prompts(plan, 60, 1)
    told = [row for seed in range(8) for row in guess(evolve(plan, seed=seed), stakes, 60)]
    coats = [row for row in told if row.prompt == COAT]
    assert len(coats) == 8 and all(row.low < row.fair < row.high for row in coats)
    assert [row.won for row in coats] == [pytest.approx(1 / 3)] * 8
    assert all(row.costs for row in told if row.prompt == GEM)


@pytest.mark.slow
@pytest.mark.needs(has_core(), NO_CORE)
def test_processes_change_no_figure(plan: Plan) -> None:
    assert measure(plan, 30, jobs=1) == measure(plan, 30, jobs=2)


@pytest.mark.needs(has_core(), NO_CORE)
def test_time_settles_only_how_many_games_there_are(plan: Plan, monkeypatch: pytest.MonkeyPatch) -> None:
    stakes = choose_prompts(plan, 60, 1)
    assert choose_prompts(plan, 0.0, 1) == [], "too few games would say nothing"
    seconds = iter(range(100))
    with monkeypatch.context() as patch:
        patch.setattr(time, "perf_counter", lambda: next(seconds))
        short = measure_guesses(plan, stakes, 3, 1, 300, lambda done, most: None)
    assert [row.games for row in short] == [12, 12]
    assert short == measure_guesses(plan, stakes, 600, 1, 12, lambda done, most: None)


@pytest.mark.slow
@pytest.mark.needs(has_core(), NO_CORE)
@pytest.mark.parametrize("question", [GEM, COAT])
def test_the_core_and_the_machine_guess_alike(plan: Plan, question: str) -> None:
    bots = (guess_at(LEARNED, question), LEARNED, "greedy:guess=coat", "random")
    bots = bots if question == COAT else (*bots[:2], "greedy")
    plan = plan_of(plan.rulebook, len(bots), 3, bots=bots, rotate=True)
    ready_bots(lower(plan.rulebook, len(bots)), [LEARNED])
    by_core, by_machine = (Table(evolve(plan, tier=tier)) for tier in ("core", "machine"))
    assert [*by_core.here(range(8))[0]] == [*by_machine.here(range(8))[0]]


@pytest.mark.needs(has_core(), NO_CORE)
def test_tables_of_one_game_guess_each_at_their_own_question(plan: Plan) -> None:
    plans = [evolve(plan, bots=(guess_at(LEARNED, question), LEARNED, LEARNED)) for question in (GEM, COAT)]
    alone = [[*Table(one).here(range(4))[0]] for one in plans]
    tables = [Table(one) for one in plans]
    for table in tables:
        table.here(range(1))
    assert [[*table.here(range(4))[0]] for table in tables] == alone


def test_a_question_is_found_by_its_words() -> None:
    program = lower(load_game(ASKED), 2)
    assert [*list_prompts(program)] == [GEM, COAT]
    assert find_prompt(program, "which COAT do you wear?") == find_prompt(program, "coat") == COAT
    with pytest.raises(NoSuchOption, match=r"stands in several questions\. Say which: “Which gem"):
        find_prompt(program, "which")
    with pytest.raises(NoSuchOption, match="Nobody is asked `hat`"):
        find_prompt(program, "hat")
    # What is asked without words is named by what is chosen, or by what there is to choose.
    exposed = lower(load_game(library.find_game("exposed")), 3)
    assert "Use the [item] of [a card]" in list_prompts(exposed)
    with pytest.raises(BadSpec, match=r"A bot shall guess at that\. Nobody is asked `hat`"):
        check_options(program, ["greedy:guess=hat"])


def test_a_bot_that_guesses_is_named() -> None:
    assert guess_at("learned:400", "Pay, now?") == "learned:400:guess=Pay%2C now?"
    assert split_spec("learned:400:guess=Pay%2C now?") == ("learned:400", "guess", "Pay, now?")
    assert split_spec("greedy:never=pass") == ("greedy", "never", "pass")
    for free in ("greedy", "exec:python3 bot.py:guess=x"):
        assert split_spec(free) == (free, "", "")
    run = CliRunner().invoke(main, ["simulate", str(ASKED), "--bots", "greedy:guess="])
    assert run.exit_code == 2 and "does not say at which question it guesses" in " ".join(run.output.split())


@pytest.mark.slow
@pytest.mark.needs(has_core(), NO_CORE)
def test_the_page_says_on_what_most_hangs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    learn_little(monkeypatch, 40)
    page = tmp_path / "page.html"
    words = ["--players", "3", "--lens", "60", "--games", "120", "--seed", "1", "--jobs", "1", "--report", str(page)]
    run = CliRunner().invoke(main, ["simulate", str(ASKED), *words])
    assert run.exit_code == 0
    said = " ".join(run.output.split())
    assert f"Most hangs on “{GEM}”: a player who answers only that at random wins" in said
    assert f"Perhaps boring, as answering at random costs 4 wins in 100 at most: “{COAT}”." in said
    html = page.read_text("utf-8")
    assert f"Most hangs on “{GEM}”" in html and "the line is an even share, 33.3" in html
