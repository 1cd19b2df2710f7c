"""What bots imagine in the core is what they imagine with the machine: tables, what is known, answers, games."""

from __future__ import annotations

from array import array
from collections.abc import Iterator
from itertools import product
from pathlib import Path
from typing import Any

import ir_samples as s
import pytest
from attrs import evolve
from kinds_game import kinds_game
from paths import DATA
from secret_game import secret_game

from rulebook import library
from rulebook.interpreter.core.door import GREEDILY, WHY, Core, Table
from rulebook.interpreter.core.imagining import STREAM, Imagining, Stopped
from rulebook.interpreter.core.library import NoCore
from rulebook.interpreter.core.library import library as find_library
from rulebook.interpreter.determinize import Twins
from rulebook.interpreter.layout import BOX, KNOWN, STACK, WHERE
from rulebook.interpreter.lower import lower
from rulebook.interpreter.machine import Machine
from rulebook.interpreter.program import Program
from rulebook.interpreter.random import Source
from rulebook.interpreter.state import State
from rulebook.interpreter.views import collect_facts
from rulebook.loading import load
from rulebook.playtest.bots import by_core
from rulebook.playtest.bots.by_core import ByCore
from rulebook.playtest.bots.by_machine import ByMachine
from rulebook.playtest.bots.ismcts import PLACES
from rulebook.playtest.knowing import known_to, laid
from rulebook.playtest.series.plan import plan_of
from rulebook.playtest.series.table import Table as SeriesTable

try:
    find_library()
except NoCore as missing:
    pytest.skip(str(missing), allow_module_level=True)

OTHERS = DATA / "tiers"
TABLES = [
    *((path.name, "", number % 2) for number, path in enumerate(library.find_games())),  # few players, or many
    *(("wallet", variant, 0) for variant in ("hard_cash", "blackmail", "rummage", "partners", "second_hand")),
    ("wallet", "interruptions", 0),
    *((name, "", 0) for name in ("small", "secret", "leaving", *sorted(file.stem for file in OTHERS.glob("*.yaml")))),
]


def program_of(name: str, variant: str, most: int, folder: Path) -> Program:
    if name in ("small", "secret", "leaving"):
        return lower(s.small_game() if name == "small" else secret_game(leaving=name == "leaving"), 3)
    other = OTHERS / f"{name}.yaml"
    if other.exists():
        (folder / "rulebook.yaml").write_bytes(other.read_bytes())
        rulebook = load(folder).rulebook
        players = 3
    else:
        path = library.find_game(name)
        rulebook = load(path, [path / "variants" / f"{variant}.yaml"] if variant else []).rulebook
        players = 0
    assert rulebook is not None
    return lower(rulebook, players or min(rulebook.players[-most], 5))


def moments(program: Program, seed: int, most: int, step: int = 3) -> Iterator[tuple[State, int]]:
    """Some of the states of a game at random, each with a seat that is asked, and others."""
    machine, below = Machine(program), Source(seed, "moments").below
    state = machine.new_state(seed)
    for number in range(most * step):
        if machine.advance(state) is None:
            return
        seats = machine.find_waiting(state)
        seat = seats[below(len(seats))]
        if number % step == seed % step:
            yield state, seat
        machine.answer_value(state, seat, machine.random_value(state, seat, below))


@pytest.mark.slow
@pytest.mark.parametrize(("name", "variant", "most"), TABLES)
def test_the_same_numbers_give_the_same_tables(name: str, variant: str, most: int, tmp_path: Path) -> None:
    """State by state; which the seat cannot tell from the true one; and what tells them apart does so on both."""
    program = program_of(name, variant, most, tmp_path)
    core, names = Core(program), [str(seat) for seat in range(program.players)]
    imagining, table = core.imagining, Table(core)
    machine_keys: dict[object, object] = {}
    core_keys: dict[object, object] = {}
    for seed in (0, 1):
        for number, (state, seat) in enumerate(moments(program, seed, 9)):
            twins, truth = Twins(program, state, seat), core.load_state(state)
            seeds = [Source(number, f"{seed}:{again}").below(1 << 62) for again in range(3)]
            imagining.begin(truth, seat, seeds[0], at_random=False)
            for seed_of_twin in seeds:
                told = imagining.draw_number(seed_of_twin)
                imagining.copy_to(table)
                twin = twins.draw_state(Source(seed_of_twin, STREAM).below, answered=False)
                if twin is None:  # a script remembers what this seat cannot know
                    assert told is None
                    continue
                assert table.state(state) == twin
                # Who has answered a sealed decision in truth has not there.
                seen = [{**collect_facts(program, names, one, seat), "waiting": None} for one in (twin, state)]
                assert seen[0] == seen[1]
                code, pc, *_ = twin[STACK][-1]
                keys: list[Any] = [(("laid", laid(program, twin)), ("laid", told))]
                for other in range(program.players):
                    known = core.code.number_of_state(table.at, other)
                    keys.append(((other, code, pc, known_to(program, twin, other)), (other, known)))
                for slow, fast in keys:
                    # Equal there if and only if equal here.
                    assert machine_keys.setdefault(slow, fast) == fast
                    assert core_keys.setdefault(fast, slow) == slow


@pytest.mark.parametrize("holds", ["a ab abc", "ab bc ca", "ab bc cd da", "abc cde efa bdf"])
def test_cards_are_handed_on_as_by_the_machine(holds: str) -> None:
    program = lower(kinds_game({f"place_{number}": kinds for number, kinds in enumerate(holds.split())}), 2)
    machine, core = Machine(program), Core(program)
    state = machine.new_state(1)
    machine.advance(state)
    state[KNOWN] = bytes(3 if place == BOX else 0 for place in state[WHERE])
    twins, table = Twins(program, state, 0), Table(core)
    core.imagining.begin(core.load_state(state), 0, 1, at_random=False)
    for seed in range(200):
        core.imagining.draw_number(seed)
        core.imagining.copy_to(table)
        assert table.state(state) == twins.draw_state(Source(seed, STREAM).below, answered=False)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "most"),
    [*product(("small", "secret", "leaving", "kuhn_poker", "goofspiel"), (0,)), ("wallet", 0), ("wrong_party", 1)],
)
def test_the_same_answers_are_thought_about_and_go_as_well(name: str, most: int, tmp_path: Path) -> None:
    program = program_of(name, "", most, tmp_path)
    machine, core = Machine(program), Core(program)
    for seed in (0, 1):
        for number, (state, seat) in enumerate(moments(program, seed, 5, step=7 if program.cards > 100 else 2)):
            at_random = number % 5 == 4
            fast = ByCore(core.load_state(state), seat, Source(number, "bot").below, at_random)
            slow = ByMachine(machine, state, seat, Source(number, "bot").below, at_random)
            assert len(fast.legal) == len(slow.legal)
            for one in range(len(fast.legal)):
                assert fast.true_answer(one) == slow.true_answer(one)
            there = dict(zip(slow.legal, fast.legal, strict=True))
            here: Any
            may: Any
            for _ in range(2):
                here, may = slow.draw(), fast.draw()
                assert [there[mark] for mark in here] == may
                for one in range(len(may)):
                    assert fast.rate(one) == slow.rate(one)
                for one in range(0, len(may), 3):
                    assert fast.play(one) == slow.play(one)
                for _ in range(4 * bool(may)):
                    told = fast.give_and_look(len(may) // 2), slow.give_and_look(len(may) // 2)
                    if told[0] is None or told[1] is None:
                        assert told == (None, None)
                        break
                    (asked, _, may), (slow_asked, _, here) = told
                    assert (asked, len(may)) == (slow_asked, len(here))
                assert fast.play_on(2, 15) == slow.play_on(2, 15)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "players", "spec"),
    [
        *product(("kuhn_poker",), (2,), ("greedy", "flat:8", "ismcts:12")),
        *product(("leduc_poker", "tic_tac_toe"), (2,), ("greedy", "flat:2", "ismcts:4")),
        ("kuhn_poker", 2, "ismcts:12:epsilon=0.5"),
        ("goofspiel", 2, "flat:2"),
        ("goofspiel", 2, "ismcts:2"),
        ("liars_dice", 2, "flat:1"),
        ("wallet", 2, "greedy:epsilon=0.3"),
        ("wrong_party", 5, "greedy"),
        ("exposed", 2, "greedy"),
        ("cheat", 3, "greedy"),
        ("wallet", 4, "first"),
        ("wallet", 2, "random,greedy"),
    ],
)
def test_bots_answer_the_same_in_the_core_and_with_the_machine(
    name: str, players: int, spec: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """In the core, with the machine whose bots imagine in the core, and with the machine alone."""
    rulebook = load(library.find_game(name)).rulebook
    assert rulebook is not None
    plans = [plan_of(rulebook, players, 5, bots=spec.split(","), tier=tier) for tier in ("core", "machine")]
    table = SeriesTable(plans[0])
    assert table.core is not None and table._in_core(table.core, 0) is not None, "it does not stop there"
    (found,) = table.here(range(1))[0]
    assert found == SeriesTable(plans[1]).game(0) and not found.error
    monkeypatch.setattr(by_core, "_table_of", lambda program: None)
    assert found == SeriesTable(plans[1]).game(0)


def test_games_of_greedy_players_are_played_in_the_core_alone() -> None:
    """Where scripts remember what a seat cannot know, too, as at the verdicts of Wallet."""
    rulebook = load(library.find_game("wallet")).rulebook
    assert rulebook is not None
    program, asked = lower(rulebook, 4), list[int]()
    core = Core(program)

    def answer_outside(table: Table, game: int) -> int:
        asked.append(game)
        return 1

    rows = core.play_seated(array("Q", range(6)), [bytes([GREEDILY] * 4)] * 6, answer_outside)
    assert program.spots_unknown and not asked
    assert not any(rows[WHY :: len(rows) // 6])


@pytest.mark.slow
@pytest.mark.parametrize("name", ["goofspiel", "exposed", "wallet", "hearts"])
def test_the_core_searches_the_tree_that_the_machine_searches(name: str, tmp_path: Path) -> None:
    """Among all answers, and among some."""
    program = program_of(name, "", 0, tmp_path)
    machine, core, found = Machine(program), Core(program), set[int | None]()
    for number, (state, seat) in enumerate(moments(program, 3, 6)):
        for most in (7, 20):
            fast = ByCore(core.load_state(state), seat, Source(number, "bot").below, at_random=False)
            slow = ByMachine(machine, state, seat, Source(number, "bot").below, at_random=False)
            for at in (fast, slow):
                if number % 2 and len(at.legal) > 2:
                    at.keep([0, 2])
            manner = evolve(PLACES, games=1, ahead=3)
            best = slow.search(manner, most, lambda: False)
            assert fast.search(manner, most, lambda: False) == best
            found.add(best)
    assert len(found) > 1


def test_where_the_core_stops_the_machine_thinks(monkeypatch: pytest.MonkeyPatch) -> None:
    rulebook = load(library.find_game("goofspiel")).rulebook
    assert rulebook is not None
    plan = plan_of(rulebook, 2, 5, bots=("greedy",))
    before = SeriesTable(plan).game(0)

    def stop(self: Imagining, number: int) -> None:
        raise Stopped

    monkeypatch.setattr(Imagining, "rate", stop)
    assert SeriesTable(plan).game(0) == before
