"""Who is bound never, or always, to answer with an option: the core answers as the machine does, and habits cost what
they are worth."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

import pytest
from attrs import evolve
from cores import has_core
from paths import DATA
from shipped import load_game

from rulebook import library
from rulebook.interpreter.lower import lower
from rulebook.interpreter.random import Source
from rulebook.playtest.bots import (
    ALWAYS,
    HELPS,
    NEVER,
    BadSpec,
    check_options,
    check_spec,
    ready_bots,
    restrict,
    split_spec,
    thinking,
)
from rulebook.playtest.options import list_options
from rulebook.playtest.series import binding
from rulebook.playtest.series.binding import HELPING, Binding, Habit, measure_bindings
from rulebook.playtest.series.plan import Plan, plan_of
from rulebook.playtest.series.table import Table

LEARNING = DATA / "learning"
LEARNED = "learned:40"
"""Has learned from few games, but enough for those small ones: 4,000 make it no better there."""
NO_CORE = "there is no core here: a C compiler builds it when rulebook is installed"


@pytest.fixture(autouse=True)
def _learn_little(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(binding, "LEARNED", LEARNED)


def make_plan(folder: Path, players: int, seed: int, *bots: str) -> Plan:
    """A plan in which bots that learn have learned a little."""
    plan = plan_of(load_game(folder), players, seed, bots=bots, rotate=True)
    free = dict.fromkeys(split_spec(bot)[0] for bot in bots)
    ready_bots(lower(plan.rulebook, players), [bot for bot in free if bot.startswith("learned")])
    return plan


def by_core_and_machine(plan: Plan, games: int) -> None:
    """Compare what both play, game by game."""
    by_core, by_machine = (Table(evolve(plan, tier=tier)) for tier in ("core", "machine"))
    assert [*by_core.here(range(games))[0]] == [*by_machine.here(range(games))[0]]


@pytest.mark.slow
@pytest.mark.needs(has_core(), NO_CORE)
@pytest.mark.parametrize("game", ["exposed", "crazy_eights", "hearts", "goofspiel"])
def test_the_core_and_the_machine_bind_alike(game: str) -> None:
    drawn = random.Random(game)
    folder, players = library.find_game(game), 4 if game == "hearts" else 3
    options = [option.word for option in list_options(lower(load_game(folder), players)).values()]
    for number, option in enumerate(drawn.sample(options, 4)):
        free, way = ("learned:4", "greedy")[number % 2], (NEVER, ALWAYS)[number // 2]
        bots = (restrict(free, way, option), "greedy", *("random",) * (players - 2))
        by_core_and_machine(make_plan(folder, players, number, *bots), 2)


@pytest.mark.needs(has_core(), NO_CORE)
def test_where_no_answer_that_was_thought_of_will_do_any_other_does(monkeypatch: pytest.MonkeyPatch) -> None:
    """Of 84 handfuls 64 are thought of; often one alone has none of the dull ones."""
    streams = list[str]()

    def make_source(seed: int, name: str, *more: Any) -> Source:
        streams.append(name)
        return Source(seed, name, *more)

    plan = make_plan(LEARNING / "handful", 2, 3, restrict("learned:12", NEVER, "dull"), "learned:12")
    monkeypatch.setattr(thinking, "Source", make_source)
    by_core_and_machine(plan, 12)
    assert "bot:0:at random" in streams and "bot:1:at random" in streams and "bot:0:again" in streams


@pytest.mark.needs(has_core(), NO_CORE)
def test_the_core_knows_one_option_at_a_time() -> None:
    bound = [restrict("learned:12", NEVER, word) for word in ("red", "blue")]
    plan = make_plan(LEARNING / "asked", 2, 3, *bound)
    by_core_and_machine(plan, 2)
    table = Table(evolve(plan, tier="core"))
    assert {*table._find_ways(0)} == {0}, "two options at once are left to others"
    # Tables of one program share the core, and each tells it whom it binds.
    tables = [Table(make_plan(LEARNING / "asked", 2, 3, one, "learned:12")) for one in bound]
    alone = [[*table.here(range(4))[0]] for table in tables]
    assert [[*table.here(range(4))[0]] for table in reversed(tables)] == alone[::-1]


@pytest.mark.slow
@pytest.mark.needs(has_core(), NO_CORE)
@pytest.mark.parametrize(("game", "players"), [("gifts", 3), ("gifts", 4), ("exposed", 3), ("hearts", 4)])
def test_the_core_and_the_machine_help_alike(game: str, players: int) -> None:
    folder = LEARNING / game if game == "gifts" else library.find_game(game)
    helping = [restrict("learned:4", HELPS, str(further)) for further in (1, players - 1)]
    by_core_and_machine(make_plan(folder, players, 5, *helping, *["learned:4"] * (players - 2)), 2)


@pytest.mark.slow
@pytest.mark.needs(has_core(), NO_CORE)
def test_helping_one_another_pays_where_there_is_something_to_give() -> None:
    [gifts] = measure(make_plan(LEARNING / "gifts", 4, 3, LEARNED), [HELPING], 200)
    assert gifts.pays and gifts.won > 0.35 and gifts.fair == 0.25
    assert f"--bots {LEARNED}:helps=1,{LEARNED}:helps=3,{LEARNED},{LEARNED} --rotate" in gifts.command
    plan = make_plan(LEARNING / "asked", 3, 3, LEARNED)
    rows = [measure(evolve(plan, seed=seed), [HELPING], 60)[0] for seed in range(20)]
    assert sum(row.costs or row.pays for row in rows) <= 5, "here nobody can do anything for others"


def test_who_helps_must_have_learned_and_somebody_must_sit_there() -> None:
    check_spec("learned:20:helps=2")
    for spec, why in {
        "greedy:helps=1": "Only bots that learned can help somebody: write learned:helps=1.",
        "learned:helps=next": "In `learned:helps=next`, `next` is no number of seats: write learned:helps=1 for who "
        "sits next.",
        "learned:helps=": "`learned:helps=` does not say who is helped. Write it behind the sign, such as helps=1.",
    }.items():
        with pytest.raises(BadSpec) as refused:
            check_spec(spec)
        assert str(refused.value) == why
    program = lower(load_game(LEARNING / "gifts"), 3)
    check_options(program, ["learned:helps=2"])
    with pytest.raises(BadSpec, match=r"A bot shall help whoever sits 3 seats further on, and 3 play\."):
        check_options(program, ["learned:helps=3"])


def measure(plan: Plan, habits: list[Habit], most: int, jobs: int = 1) -> list[Binding]:
    return measure_bindings(plan, habits, 600, jobs, most, lambda done, most: None)


BEST = Habit("card:stone.9", "stone 9", NEVER)
WORST = Habit("card:stone.1", "stone 1", ALWAYS)
COAT = Habit("word:red", "red", ALWAYS)


@pytest.mark.slow
@pytest.mark.needs(has_core(), NO_CORE)
def test_habits_cost_what_they_are_worth() -> None:
    plan = make_plan(LEARNING / "asked", 3, 7, LEARNED)
    best, worst, coat = measure(plan, [BEST, WORST, COAT], 300)
    assert best.habit == BEST and best.costs and best.won < 1 / 3 - 0.1
    assert worst.costs and worst.won < 1 / 3 - 0.1
    assert not coat.costs and not coat.pays and coat.low < 1 / 3 < coat.high
    assert f"--bots {LEARNED}:always=word:red,{LEARNED},{LEARNED} --rotate" in coat.command
    assert coat.value == coat.won - coat.fair and coat.sure_low == coat.low - coat.fair
    assert measure(plan, [], 300) == []
    assert [row.games for row in measure(plan, [COAT], 30)] == [30], "fewer were asked for"


@pytest.mark.slow
@pytest.mark.needs(has_core(), NO_CORE)
def test_a_habit_that_does_nothing_is_never_said_to_do_something() -> None:
    """A deal goes the same with it, from each seat, so that it wins an even share to a hair."""
    plan = make_plan(LEARNING / "asked", 3, 7, LEARNED)
    rows = [row for seed in range(8) for row in measure(evolve(plan, seed=seed), [COAT, WORST], 60)]
    coats = [row for row in rows if row.habit == COAT]
    assert len(coats) == 8 and not any(row.costs or row.pays for row in coats)
    assert [row.won for row in coats] == [pytest.approx(1 / 3)] * 8
    assert all(row.costs for row in rows if row.habit == WORST)


@pytest.mark.slow
@pytest.mark.needs(has_core(), NO_CORE)
def test_processes_change_no_habit() -> None:
    plan = make_plan(LEARNING / "asked", 3, 7, LEARNED)
    assert measure(plan, [BEST, COAT], 30, jobs=1) == measure(plan, [BEST, COAT], 30, jobs=2)
