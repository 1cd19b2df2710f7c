"""Compiled tiers: the same states, options, answers, events and results as the machine, in every bundled game.

`bench/tiers.py` plays many more games of this kind.
"""

from __future__ import annotations

import io
import keyword
import re
import tokenize
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from shipped import list_outer_tables, list_tables, load_game, lower_game
from tiers import compare, held_against_machine

from rulebook.interpreter.compiled import answers, finish, hands, known, offers, steps
from rulebook.interpreter.compiled.tier import TIERS, BlindMachine, CompiledMachine, printed
from rulebook.interpreter.decisions import Decision
from rulebook.interpreter.invariants import check
from rulebook.interpreter.layout import FIRST_FREE
from rulebook.interpreter.lower import lower
from rulebook.interpreter.machine import Machine
from rulebook.interpreter.random import Source
from rulebook.interpreter.results import outcome
from rulebook.interpreter.state import State
from rulebook.library import find, find_variant, games
from rulebook.loading import load

DATA = Path(__file__).parent / "data" / "tiers"
SMALL = sorted(DATA.iterdir())
"""Games that do what no bundled game does."""


@pytest.mark.parametrize("kind", TIERS, ids=lambda kind: kind.__name__)
@pytest.mark.parametrize("table", [*list_tables()])
def test_a_tier_goes_where_the_machine_goes(table: tuple[Path, int], kind: type[CompiledMachine]) -> None:
    program = lower_game(*table)
    decisions, wrong = compare(Machine(program), [kind(program)], program.players, carried=True)
    assert wrong is None, wrong
    assert decisions > 0


@pytest.mark.parametrize("table", [*list_outer_tables()])
def test_who_is_told_nothing_still_knows_the_same(table: tuple[Path, int]) -> None:
    program = lower_game(*table)
    for seed, carried in enumerate((True, False)):
        _, wrong = compare(Machine(program), [CompiledMachine(program)], seed, carried, told=False)
        assert wrong is None, wrong


@pytest.mark.parametrize("table", [*list_outer_tables()])
def test_the_machine_has_nothing_left_to_do(table: tuple[Path, int], monkeypatch: pytest.MonkeyPatch) -> None:
    program = lower_game(*table)
    tier = TIERS[0](program)
    monkeypatch.setattr(tier, "_go", lambda run: pytest.fail(f"there is no function for {run.code.name}, {run.pc}"))
    _, wrong = compare(Machine(program), [tier], 1)
    assert wrong is None, wrong


@pytest.mark.parametrize("table", [*list_outer_tables()])
def test_a_game_ends_as_the_machine_ends_it(table: tuple[Path, int], monkeypatch: pytest.MonkeyPatch) -> None:
    program = lower_game(*table)
    tier = BlindMachine(program)
    monkeypatch.setattr(tier, "_go", lambda run: pytest.fail(f"there is no function for {run.code.name}, {run.pc}"))
    for seed, played_before in enumerate((0, 1, 7, 20, 45)):
        _, wrong = compare(Machine(program), [tier], seed, forks_at=played_before)
        assert wrong is None, wrong


def test_blind_states_keep_knowledge_only_where_options_depend_on_it() -> None:
    for folder in games():
        assert not BlindMachine(lower_game(folder, load_game(folder).players[1])).keeps, folder.name
    # Where places recall what lies hidden in a row, two equal cards are one option for who remembers both.
    program = lower(load_game(find("wrong_party")), 4, {"memory_aid": True, "wrecker_targets": "any"})
    tier = BlindMachine(program)
    assert tier.keeps
    for seed in range(3):
        _, wrong = compare(Machine(program), [tier], seed)
        assert wrong is None, wrong


def test_a_number_times_a_count_is_a_product() -> None:
    folder = find("wrong_party")
    rulebook = load(folder, [find_variant(folder, "talk_of_the_town")]).rulebook
    assert rulebook is not None
    program = lower(rulebook, 3)
    for kind in TIERS:
        _, wrong = compare(Machine(program), [kind(program)], 0, forks_at=0)
        assert wrong is None, wrong


def played(file: Path, folder: Path, seed: int) -> Iterator[tuple[Machine, State, Decision]]:
    """A small game at each of its decisions, answered at random."""
    (folder / "rulebook.yaml").write_bytes(file.read_bytes())
    loaded = load(folder)
    rulebook, found = loaded.rulebook, loaded.messages
    assert rulebook is not None, found
    machine, below = Machine(lower(rulebook, 3), ["Ana", "Ben", "Cleo"]), Source(seed, "test").below
    state = machine.new_state(seed)
    while isinstance(needed := machine.advance(state, [[], [], []]), Decision):
        yield machine, state, needed
        seat = machine.waiting(state)[0]
        machine.answer_value(state, seat, machine.choices(state, seat).random(below))
    assert outcome(machine.program, state).finished


@pytest.mark.parametrize("file", SMALL, ids=lambda file: file.stem)
@pytest.mark.parametrize("seed", range(5))
def test_what_no_bundled_game_does_is_done_alike(file: Path, seed: int, tmp_path: Path) -> None:
    for machine, state, _ in played(file, tmp_path, seed):
        check(machine.program, state, through_json=True)
        program = machine.program
    assert held_against_machine(program, seed) is None


def test_what_people_read_may_be_about_nobody(tmp_path: Path) -> None:
    asked = [ask for _, _, needed in played(DATA / "about_nothing.yaml", tmp_path, 1) for ask in needed.asks]
    assert {"What, with nothing?", "What, with 3?"} <= {ask.prompt for ask in asked}
    keys = {key for ask in asked for key in ask.keys}
    assert {"label:Take nothing", "label:Take 3", "label:Wait for nothing"} <= keys


def test_a_difference_is_told_where_it_is() -> None:
    class Wrong(CompiledMachine):
        def advance(self, state: Any, *rest: Any, **named: Any) -> Any:
            needed = super().advance(state, *rest, **named)
            state[FIRST_FREE] = 77
            return needed

    class Hasty(BlindMachine):
        def play(self, state: Any, below: Any) -> None:
            super().play(state, below)
            state[FIRST_FREE] = 78

    class Stingy(BlindMachine):
        def offered(self, state: Any, seat: int) -> Any:
            values, may_pass = super().offered(state, seat)
            return values[1:], may_pass

    program = lower_game(games()[-1], 2)
    for tier, said in ((Wrong, "against 77"), (Hasty, "against 78"), (Stingy, "is offered, against")):
        _, wrong = compare(Machine(program), [tier(program)], 0, forks_at=1)
        assert wrong is not None and said in wrong and wrong.startswith(("Wrong", "finish", "Stingy"))


ALLOWED = {
    *(
        *answers.NAMES,
        *finish.NAMES,
        *hands.NAMES,
        *known.NAMES,
        *offers.NAMES,
        *steps.NAMES,
        *keyword.kwlist,
        *keyword.softkwlist,
        "no",
        "yes",
    ),
    *("r", "s", "p", "f", "e", "t", "x", "o", "h", "b", "c", "n", "w", "_", "one", "may_end", "N"),
    *("env", "halted", "holds", "spots", "alive", "look_at", "leave_stage", "has_changed", "append", "fromkeys"),
    *("cool", "heat", "insert", "remove", "pop"),
    *("key", "reverse"),
    *("isdisjoint", "len", "tuple", "range", "sorted", "enumerate", "any", "all", "sum", "bool", "dict", "max", "min"),
    *("default", "type", "bytes", "bytearray", "events"),
}
"""Every word of printed text that is no number of a local, constant or function."""


@pytest.mark.parametrize("folder", games(), ids=lambda folder: folder.name)
def test_no_word_of_a_game_stands_in_printed_text(folder: Path) -> None:
    program = lower_game(folder, load_game(folder).players[0])
    for watched, inline in ((True, False), (False, False), (False, True)):
        paper = printed(program, watched, inline).paper
        for token in tokenize.generate_tokens(io.StringIO(paper.text).readline):
            assert token.type not in (tokenize.STRING, tokenize.COMMENT), token.line
            if token.type == tokenize.NAME:
                assert token.string in ALLOWED or re.fullmatch(r"[acfghiklmqtv]\d+(_\d+)?", token.string), token.line
