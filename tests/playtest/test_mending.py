"""Mends: of the changes of one value the one is found that helps, and what it comes to on other deals is the truth."""

from __future__ import annotations

from itertools import product

import pytest
from attrs import evolve
from click.testing import CliRunner
from cores import has_core
from learning_little import learn_little
from paths import DATA
from shipped import load_game

import rulebook
from rulebook.authoring.knobs import list_knobs, list_option_knobs
from rulebook.authoring.turning import GameFiles, list_changes
from rulebook.cli import main
from rulebook.commands import series
from rulebook.comparing.in_english import find_changed_sentence
from rulebook.interpreter.lower import lower
from rulebook.loading import load
from rulebook.playtest.bots import self_play
from rulebook.playtest.series import levels
from rulebook.playtest.series.about import Had, Option, Order
from rulebook.playtest.series.levels import SEARCH
from rulebook.playtest.series.mending import Change, Mend, Trouble, measure_mends
from rulebook.playtest.series.plan import Plan, plan_of
from rulebook.playtest.series.table import Table
from rulebook.reporting.mends import judge_mends, word_mends
from rulebook.reporting.standing_out import word_wins

HEAD_START = DATA / "mending"
NO_CORE = "there is no core here: a C compiler builds it when rulebook is installed"
NOW = {"head_start": "2", "loud": "no"}


def make_plan() -> Plan:
    rules = load_game(HEAD_START)
    return plan_of(rules, 3, 7, {name: option.default for name, option in rules.options.items()}, watched=True)


def list_all(plan: Plan) -> list[Change]:
    game = load(HEAD_START).game
    assert game is not None
    return [*list_changes(GameFiles(HEAD_START, (), game), plan, [], NOW)]


def find_share(ahead: int) -> float:
    """The share of wins of who begins, over all throws of three dice."""
    won = 0.0
    for throws in product(range(1, 7), repeat=3):
        points = [throws[0] + ahead, *throws[1:]]
        won += (points[0] == max(points)) / points.count(max(points))
    return won / 6**3


def test_each_number_and_house_rule_is_a_change() -> None:
    changes = list_all(make_plan())
    values = [(change.name, change.before, change.value, change.about, change.is_option) for change in changes]
    assert values[:2] == [
        ("head_start", "2", "1", "Points of who begins", True),
        ("head_start", "2", "3", "Points of who begins", True),
    ]
    assert ("loud", "no", "yes", "A wish is said aloud", True) in values and len(values) == 11
    assert ("rules.game.pick luck from 1..6", "6", "5", "", False) in values
    assert changes[0].plan.options["head_start"] == 1 and changes[0].plan.rulebook is not changes[-1].plan.rulebook


def test_numbers_of_cards_have_numbers_beside_them() -> None:
    """Also those in conditions; of large ones those that are a fifth away, and never less than none."""
    game = load(DATA.parent.parent / "cards" / "wallet").game
    assert game is not None
    agent = {knob.name.partition(".secret_agent.")[2]: knob for knob in list_knobs(game, ("cards", "secret_agent"))}
    currencies = agent["innocent.two currencies at most"]
    assert currencies.values == ("1", "2", "3") and currencies.turns[0].before == "count(currencies(me)) <= "
    assert agent["copies.corner.4"].values == ("0", "1", "2")
    assert "innocent.no props" not in agent
    now = {name: "300 CU" if name == "buy_price" else "none" for name in game.rulebook.options}
    rules = {knob.name: knob.values for knob in list_option_knobs(game, now)}
    assert rules["buy_price"] == ("240 CU", "300 CU", "360 CU") and rules["max_specials_per_turn"] == ("none", "1")


@pytest.mark.slow
@pytest.mark.needs(has_core(), NO_CORE)
def test_what_helps_is_found_and_told_as_it_is() -> None:
    """Of eleven changes three make it fairer, most of all a smaller start; the interval holds what dice say."""
    plan = make_plan()
    changes, fair = list_all(plan), 1 / 3
    first = Trouble(Order(1), "who acts first", find_share(2), 0.0, fair, 0.04)
    absent = [Trouble(about, "", 1.0, 0.0, fair, 0.04) for about in (Had("dealt", "dove"), Option("card:dove"))]
    [mend] = measure_mends(plan, changes, [first, *absent], 60.0, 1, 400, lambda done, whole: None)
    assert (mend.change, mend.set_to, mend.tried, mend.games) == ("head_start", "1", 11, 400)
    assert mend.helps and mend.low < find_share(1) < mend.high and mend.was == find_share(2)
    # Too few games, or no time: nothing is said.
    assert measure_mends(plan, changes, [first], 60.0, 1, 60, lambda done, whole: None) == []
    assert measure_mends(plan, changes, [first], 0.0, 1, 400, lambda done, whole: None) == []


def test_only_what_is_certain_and_large_enough_helps() -> None:
    mend = Mend(
        about=Order(1), name="who acts first", change="head_start", before="2", set_to="1", option="", is_option=True,
        tried=3, games=400, was=0.45, error=0.01, value=0.36, low=0.32, high=0.41, target=1 / 3, grey=0.04,
        decisions=3.0,
    )  # fmt: skip
    assert mend.helps
    assert not evolve(mend, high=0.46).helps and not evolve(mend, value=0.42, high=0.44).helps
    assert not evolve(mend, value=0.21, low=0.18, high=0.25).helps and not evolve(mend, error=0.08).helps
    seldom = evolve(mend, was=0.2, value=0.31, low=0.27, high=0.35)
    assert seldom.helps and not evolve(seldom, low=0.19).helps


MEND = Mend(
    about=Order(1), name="who acts first", change="rules.deal.deal 1", before="1", set_to="2", option="",
    is_option=False, rule="Deal", sentence="Deal 2 cards.", tried=9, games=400, was=0.65, error=0.02, value=0.55,
    low=0.5, high=0.6, target=0.5, grey=0.04, decisions=44.0, places=(0.55, 0.45),
)  # fmt: skip


def test_what_a_change_came_to_is_worded() -> None:
    """A number by its sentence, with a command that writes it; the same change again without that; and what did not
    help."""
    command = "rulebook simulate exposed --players 2 --seed 1 --lens 300"
    report = evolve(rulebook.open("exposed").simulate(2, 20).record, command=command)
    said = [*judge_mends([MEND, evolve(MEND, value=0.64)], report, word_wins)]
    assert said == [
        "With “Deal 2 cards.” (Deal, 2 instead of 1) who acts first wins 55.0 of 100 instead of 65.0 (in turn order "
        "55.0 and 45.0).",
        "Of 9 changes of one number or house rule none was seen to make who acts first fairer.",
    ]
    (first, _), (then, typed), (again, _) = word_mends([MEND, MEND], [], report, word_wins)
    assert first == again
    assert first.startswith("Of 9 changes of one number or house rule, “Deal 2 cards.” (Deal, 2 instead of 1) came")
    assert "(50.0 to 60.0; 400 games), where 50.0 would be fair (in turn order 55.0 and 45.0). A game had 44" in first
    assert then.endswith("if who acts first wins 46.0 to 54.0 of 100 (about 5 minutes):")
    begun = "rulebook new variant exposed mended --change 'rules.deal.deal 1=2'"
    assert typed == [f"{begun} && rulebook simulate exposed --players 2 --variant mended --seed 1 --lens 300"]
    assert len([*word_mends([MEND], [MEND], report, word_wins)]) == 1
    used = evolve(MEND, about=Option("action:move"), name="Move", was=0.0, value=0.2, low=0.15, high=0.25, places=())
    unused = evolve(used, value=0.01, low=0.0, high=0.02)
    chosen, none = judge_mends([used, unused], report, word_wins)
    assert chosen.endswith("Move is chosen 20 of 100 times instead of 0.")
    assert none.endswith("none was seen to bring Move into use.")


@pytest.mark.slow
@pytest.mark.needs(has_core(), NO_CORE)
def test_all_know_the_game_as_it_is(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nobody learns the changed rules: that takes far longer than to play them."""
    learn_little(monkeypatch, 40)
    taught = list[str]()
    plan, learn = evolve(make_plan(), bots=("learned",) * 3), self_play.find_knowledge
    monkeypatch.setattr(
        self_play, "find_knowledge", lambda program, *how: (taught.append(program.rules_hash), learn(program, *how))[1]
    )
    change = list_all(plan)[0]
    known = lower(plan.rulebook, 3, plan.options)
    played = Table(change.plan, taught_by=known).play_in_core(0)
    assert played is not None and played.seen is not None and set(taught) == {known.rules_hash}


@pytest.mark.slow
@pytest.mark.needs(has_core(), NO_CORE)
def test_a_page_says_what_was_tried(monkeypatch: pytest.MonkeyPatch) -> None:
    """The answer has the change beside it, and below it how sure that is, and what to type next."""
    monkeypatch.setattr(series, "count_changes", lambda plan, seconds, pace, jobs: 12)
    learn_little(monkeypatch, 40)
    # How many games of search there are is a matter of time.
    shares = {name: share for name, share in levels._SHARES.items() if SEARCH not in name}
    monkeypatch.setattr(levels, "_SHARES", shares)
    words = ["--players", "3", "--lens", "120", "--games", "300", "--seed", "1", "--jobs", "1"]
    run = CliRunner().invoke(main, ["simulate", str(HEAD_START), *words])
    assert run.exit_code == 0
    said = " ".join(run.output.split())
    wins = "who acts first wins 52 of 100 instead of 64 (in turn order 52, "
    assert f"With “Points of who begins” 1 instead of 2 {wins}" in said
    nearest = "“Points of who begins” 1 instead of 2 came nearest: on other deals who acts first won 51.9 of 100"
    assert f"Of 11 changes of one number or house rule, {nearest}" in said
    assert "it has done its work if who acts first wins 29.4 to 37.4 of 100 (about 2 minutes):" in said
    assert "--players 3 --set head_start=1 --seed 1 --lens 120" in said


def test_a_number_is_told_by_its_sentence() -> None:
    plan = make_plan()
    books = {(change.name, change.value): change.plan.rulebook for change in list_all(plan)}
    told = find_changed_sentence(plan.rulebook, books["rules.game.pick luck from 1..6", "5"])
    deed = "picks a number from 1 to 5 at random and adds it to their points."
    assert told is not None and told[0] == "Game" and told[1].endswith(deed)
    assert find_changed_sentence(plan.rulebook, plan.rulebook) is None
