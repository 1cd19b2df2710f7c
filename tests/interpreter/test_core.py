"""The core plays the same games as the machine, and takes no program or state that is wrong."""

from __future__ import annotations

import os
import random
import shutil
import subprocess
import sys
from array import array
from collections.abc import Callable
from pathlib import Path
from typing import Any, get_args

import moments
import pytest
from attrs import evolve
from cores import answer_nobody, play_both
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from ir_games import game
from ir_scripts import BLOCKS
from ops_table import write_ops
from paths import ROOT

from rulebook import library
from rulebook.dsl import ir
from rulebook.dsl.structuring import leaves
from rulebook.dsl.walk import nodes
from rulebook.examples import of_its_own
from rulebook.interpreter.core import door, encode
from rulebook.interpreter.core.door import Core, Table, core_of, known_ops
from rulebook.interpreter.core.encode import SECTIONS
from rulebook.interpreter.core.library import NoCore, open_library
from rulebook.interpreter.core.library import library as find_library
from rulebook.interpreter.core.watching import Watching
from rulebook.interpreter.layout import MOST_PLAYERS
from rulebook.interpreter.lower import lower
from rulebook.interpreter.machine import Machine
from rulebook.interpreter.op_table import MOST_LISTED, MOST_VALUE, OPS, Env
from rulebook.interpreter.ops.asking import MOST_ANSWERS
from rulebook.interpreter.program import Code, Mutation, Program
from rulebook.interpreter.results import find_outcome
from rulebook.interpreter.run import MOST_ASKING, MOST_KEPT, MOST_LOOKED_AT, NotThere, Run
from rulebook.interpreter.sets import MOST_TRIED
from rulebook.interpreter.totals import MOST_FOLDS
from rulebook.loading import load
from rulebook.playtest.ablation.wrapping import Wrapped, wrap
from rulebook.playtest.bots import make_bot
from rulebook.playtest.series.bulk import Bulk

try:
    find_library()
except NoCore as missing:
    pytest.skip(str(missing), allow_module_level=True)

GAMES = [path.name for path in library.find_games()]
OPS_OF_CORE = Path(encode.__file__).parent / "engine" / "ops.inc"


def program_of(name: str, most: bool = True) -> Program:
    rulebook = load(library.find_game(name)).rulebook
    assert rulebook is not None
    return lower(rulebook, min(rulebook.players[-most], 5))


def test_the_core_has_the_ops_of_the_machine() -> None:
    """An op that was added or changed is written anew with `UPDATE_OPS=1`; then the core is compiled again."""
    if os.environ.get("UPDATE_OPS"):
        OPS_OF_CORE.write_text(write_ops(), encoding="utf-8")
    assert OPS_OF_CORE.read_text("utf-8") == write_ops()
    assert all(f'X({name}, "{kinds}")' in write_ops() for name, (_, kinds) in known_ops().items())
    assert len(known_ops()) == write_ops().count("X(")


def test_a_library_of_another_version_is_no_core() -> None:
    """Who pulls a newer checkout and builds nothing plays on the machine, and is told why."""
    import _ctypes

    with pytest.raises(NoCore, match="another version"):
        open_library(Path(_ctypes.__file__))


@pytest.mark.parametrize("name", GAMES)
def test_bundled_games(name: str) -> None:
    assert play_both(program_of(name), seed=4) > 0


@pytest.mark.slow
@settings(max_examples=20, deadline=None, database=None, derandomize=True, suppress_health_check=list(HealthCheck))
@given(BLOCKS, st.sampled_from([3, 3, 3, 12]))
def test_drawn_scripts(body: Any, players: int) -> None:
    play_both(lower(game(body), players), seed=1, most=60)


EXCUSED = {
    "hear": "the core alone hears",
    "note_effect": "the core alone notes it",
    "note_value": "the core alone notes it",
    "present": "a sentence about a name that is not there is skipped before",
    "remember": "keeps an answer for `recall`, beside the state",
    "tell": "tells, and nobody's state knows of it",
    "total": "ends a total, which is only looked at once more",
    "unequal": "what people write is `not` of `equal`",
}
"""Ops that no game of `tests/data/tiers` comes by, or that change neither state nor registers there, and why."""


@pytest.mark.slow
def test_small_games_come_by_each_op_and_each_changes_something(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Both play what no bundled game does. A sentence or an op that is new belongs into one of these games."""
    changed: set[str] = set()
    monkeypatch.setattr(Code, "__attrs_post_init__", lambda code: count_changes(code, changed))
    kinds: set[type] = set()
    for name in moments.FILES:
        rulebook = moments.rulebook_of(name, tmp_path / name)
        kinds |= {type(node) for script in rulebook.scripts.values() for node in nodes(script.body)}
        assert play_both(lower(rulebook, 3), seed=2) > 0
        if name == "every_sentence":
            play_mutants(wrap(rulebook), changed)
    assert kinds >= {*get_args(ir.Statement)}
    assert set(OPS) - encode._OF_THE_MACHINE - changed == set(EXCUSED)


def count_changes(code: Code, changed: set[str]) -> None:
    """Let the machine note which ops of a code have changed something."""

    def watched(name: str, do: Callable[..., int | None]) -> Callable[..., int | None]:
        def noting(run: Run, env: Env, *operands: Any) -> int | None:
            if name in changed or not hasattr(run, "pc"):  # without it something is only worked out beforehand
                return do(run, env, *operands)
            before = run.pc, run.env, [*run.state], [*env]
            try:
                to = do(run, env, *operands)
            except NotThere:
                changed.add(name)
                raise
            if to is not None or before[0] != run.pc or before[1] is not run.env or before[2:] != (run.state, env):
                changed.add(name)
            return to

        return noting

    calls = tuple((watched(step.op.name, step.op.do), step.operands) for step in code.steps)
    object.__setattr__(code, "calls", calls)


def play_mutants(wrapped: Wrapped, changed: set[str]) -> None:
    """Play mutants of a game that come by something, until one of each sort has changed what happens."""
    met: dict[int, set[int]] = {}
    program = lower(wrapped.rulebook, 3, marks=wrapped.marks)
    core = Core(program)
    play_both(evolve(program, mutation=Mutation(met=met)), seed=2, core=core)
    watching = Watching(core, len(wrapped.sites), len(wrapped.mutants), 1, 0)
    for mutant in (number for number in met if met[number]):
        if {"jump_if_mutant", "mutate"} <= changed:
            break
        watching.try_mutant(mutant)
        play_both(evolve(program, mutation=Mutation(mutant)), seed=2, core=core)


def test_both_stop_at_the_same_numbers() -> None:
    lines = (Path(door.__file__).parent / "engine" / "core.h").read_text("utf-8").split("\n")
    defined = dict(line.split()[1:3] for line in lines if line.startswith("#define MOST_"))
    budgets = {
        "MOST_ANSWERS": MOST_ANSWERS,
        "MOST_ASKING": MOST_ASKING,
        "MOST_KEPT": MOST_KEPT,
        "MOST_LISTED": MOST_LISTED,
        "MOST_LOOKED_AT": MOST_LOOKED_AT,
        "MOST_PLAYERS": MOST_PLAYERS,
        "MOST_TRIED": MOST_TRIED,
        "MOST_FOLDS": MOST_FOLDS,
        "MOST_VALUE": MOST_VALUE,
    }
    assert {name: int(defined[name]) for name in budgets} == budgets
    assert leaves.MOST_PLAYERS == MOST_PLAYERS


def test_whole_games_are_those_of_bots_that_answer_at_random() -> None:
    program = program_of("wallet")
    machine, core = Machine(program), core_of(program)
    assert isinstance(core, Core)
    seeds = array("Q", [11, 12])
    for seed, found in zip(seeds, Bulk(program.players, 0, seeds, core.play_games(seeds)), strict=True):
        bots = [make_bot("random", seed, seat) for seat in range(program.players)]
        state = machine.new_state(seed)
        while machine.advance(state) is not None:
            seat = machine.find_waiting(state)[0]
            machine.answer_value(state, seat, bots[seat].value(machine, state, seat))
        ended = find_outcome(program, state)
        assert (found.winners, found.places, found.scores) == (ended.winners, ended.places, ended.scores)


def test_a_wrong_program_or_state_is_refused_or_stopped() -> None:
    """Numbers of a program and of a state are changed at random; `bench/fuzz.py` does it under the sanitizers."""
    program = program_of("exposed", most=False)
    core, chance = Core(program), random.Random(1)
    good, row = core.image.numbers, core.pack(Machine(program).new_state(3))
    refused = 0
    for _ in range(300):
        numbers = array("q", good)
        numbers[chance.randrange(len(numbers))] = chance.choice([-1, 0, 1, 2**31, 2**62, chance.randrange(300)])
        wrong = core.code.open_game(door._address(numbers), len(numbers))
        refused += not wrong
        core.code.close_game(wrong)
        state, table = array("q", row), Table(core)
        state[chance.randrange(len(state))] = chance.choice([-1, 2**61, 2**62, chance.randrange(100)])
        if core.code.load_state(core.game, table.at, door._address(state), len(state)) == 0:
            assert table.advance() in range(11)
    assert refused > 100


def test_a_memory_is_of_the_table_or_of_each_player() -> None:
    """A question about a memory of players is asked of one of them, and reads no second one."""
    core = Core(program_of("hearts"))
    good, section = core.image.numbers, 2 * SECTIONS.index("memory")
    first, many = good[section : section + 2]
    wide, owned = 11, 7  # the numbers of a memory, and which of them says whose it is
    assert many and many % wide == 0 and {*good[first + owned : first + many : wide]} == {0, 1}
    for at in range(first + owned, first + many, wide):
        for wrong in {2, 5, -1, 1 - good[at]}:
            numbers = array("q", good)
            numbers[at] = wrong
            opened = core.code.open_game(door._address(numbers), len(numbers))
            # What is of the table may be called a player's where there is as much of it: nobody is asked beyond that.
            assert not opened or wrong in (0, 1)
            core.code.close_game(opened)


def test_a_loop_that_does_nothing_is_stopped() -> None:
    """Jumps back lead to themselves: what is done there is counted nowhere else."""
    core = Core(program_of("wallet"))
    names = {number: (name, 1 + len(operands)) for name, (number, operands) in known_ops().items()}
    numbers, section = array("q", core.image.numbers), 2 * SECTIONS.index("steps")
    first, many = numbers[section : section + 2]
    at, changed = first, 0
    while at < first + many:
        name, length = names[numbers[at]]
        if name == "jump" and numbers[at + 1] < at - first:
            numbers[at + 1], changed = at - first, changed + 1
        at += length
    assert changed
    core.code.close_game(core.game)
    core.game = core.code.open_game(door._address(numbers), len(numbers))
    assert core.game
    way = bytes([door.AT_RANDOM] * core.program.players)
    assert core.watch_game(11, way, answer_nobody) is None, "it stopped"


@pytest.mark.slow
def test_nothing_falls_under_the_sanitizers() -> None:
    """Games of all bundled ones, and a hundred wrong programs and states; `bench/fuzz.py` tries very many."""
    if not shutil.which("gcc") or not has_sanitizers():
        pytest.skip("there is no gcc here with the sanitizers of addresses and undefined behaviour")
    line = [sys.executable, "bench/fuzz.py", "--sanitize", "--minutes", "10", "--cases", "160", "--per-game", "10"]
    done = subprocess.run(line, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "160 cases" in done.stdout


def has_sanitizers() -> bool:
    """Whether gcc finds their libraries: it says the bare name of one that is not there."""
    line = ["gcc", "-print-file-name=libasan.so"]
    return os.path.isabs(subprocess.run(line, capture_output=True, text=True, check=True).stdout.strip())


LARGEST = {
    "an option": ("options: {limit: {type: amount, default: %s}}", "set kept = options.limit"),
    "a memory": ("values: {}", "set kept = %s"),
    "a script": ("values: {much(): %s}", "set kept = much()"),
    "a card": ("kinds: {note: {has: {worth: amount}}}\ncards: {iou: {kind: note, worth: %s}}", "set kept = iou.worth"),
}
"""Places where a number may stand: what is declared, and a sentence that reads it."""


@pytest.mark.parametrize(("declared", "sentence"), LARGEST.values(), ids=list(LARGEST))
def test_the_core_plays_with_the_largest_numbers(declared: str, sentence: str) -> None:
    """What is larger is refused by the check, in whatever unit it is written."""
    for amount in ("999999999999999 cent", "999999999999 pound", "1000000000000 pound", "999999999999999 pound"):
        text = "format: 1\nname: Large\nplayers: 2..2\nunits: {cent: 1, pound: 1000}\n" + declared.replace("%s", amount)
        text += "\nmemory: {table: {kept: {type: amount, default: 0 cent}}}\nrules:\n  game: |\n"
        book, found = of_its_own(text + f"    {sentence.replace('%s', amount)}\n    win players where kept > 0 cent\n")
        if amount.endswith("9999 cent") or amount == "999999999999 pound":
            assert book is not None, found
            assert isinstance(core_of(lower(book, 2)), Core)
        else:
            assert [one.code for one in found if one.severity == "error"] == ["RB411"]
