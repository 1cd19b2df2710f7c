"""The core plays the same games as the machine, and takes no program or state that is wrong."""

from __future__ import annotations

import os
import random
import shutil
import subprocess
import sys
from array import array
from pathlib import Path
from typing import Any

import pytest
from cores import answer_nobody, play_both
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from ir_games import game
from ir_scripts import BLOCKS
from ops_table import write_ops
from paths import DATA, ROOT

from rulebook import library
from rulebook.dsl.structuring import leaves
from rulebook.examples import of_its_own
from rulebook.interpreter.core import door, encode
from rulebook.interpreter.core.door import Core, Table, core_of, known_ops
from rulebook.interpreter.core.encode import SECTIONS
from rulebook.interpreter.core.library import NoCore, open_library
from rulebook.interpreter.core.library import library as find_library
from rulebook.interpreter.layout import MOST_PLAYERS
from rulebook.interpreter.lower import lower
from rulebook.interpreter.machine import Machine
from rulebook.interpreter.op_table import MOST_LISTED, MOST_VALUE
from rulebook.interpreter.ops.asking import MOST_ANSWERS
from rulebook.interpreter.program import Program
from rulebook.interpreter.results import find_outcome
from rulebook.interpreter.run import MOST_ASKING, MOST_KEPT, MOST_LOOKED_AT
from rulebook.interpreter.sets import MOST_TRIED
from rulebook.interpreter.totals import MOST_FOLDS
from rulebook.loading import load
from rulebook.playtest.bots import make_bot
from rulebook.playtest.series.bulk import Bulk

try:
    find_library()
except NoCore as missing:
    pytest.skip(str(missing), allow_module_level=True)

GAMES = [path.name for path in library.find_games()]
FILES = DATA / "tiers"
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
@settings(max_examples=40, deadline=None, database=None, derandomize=True, suppress_health_check=list(HealthCheck))
@given(BLOCKS, st.sampled_from([3, 3, 3, 12]))
def test_drawn_scripts(body: Any, players: int) -> None:
    play_both(lower(game(body), players), seed=1, most=60)


@pytest.mark.parametrize("file", sorted(FILES.glob("*.yaml")), ids=lambda file: file.stem)
def test_what_no_bundled_game_does(file: Path, tmp_path: Path) -> None:
    (tmp_path / "rulebook.yaml").write_bytes(file.read_bytes())
    rulebook = load(tmp_path).rulebook
    assert rulebook is not None
    assert play_both(lower(rulebook, 3), seed=2) > 0


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
    """Games of all bundled ones, and some hundred wrong programs and states; `bench/fuzz.py` tries very many."""
    if not shutil.which("gcc") or not has_sanitizers():
        pytest.skip("there is no gcc here with the sanitizers of addresses and undefined behaviour")
    line = [sys.executable, "bench/fuzz.py", "--sanitize", "--minutes", "10", "--cases", "320", "--per-game", "20"]
    done = subprocess.run(line, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "320 cases" in done.stdout


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
