"""Games told moment by moment: bundled ones, and those of `tests/data/tiers`, which do what no bundled game does."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from paths import DATA

from rulebook import library
from rulebook.dsl import ir
from rulebook.interpreter.decisions import RuleError
from rulebook.interpreter.layout import STACK
from rulebook.interpreter.lower import lower
from rulebook.interpreter.machine import Machine
from rulebook.interpreter.program import Program
from rulebook.interpreter.random import Source
from rulebook.loading import load

FILES = {file.stem: file for file in sorted((DATA / "tiers").glob("*.yaml"))}
GAMES = [path.name for path in library.find_games()]
ALL = [*GAMES, *FILES]


def rulebook_of(name: str, folder: Path) -> ir.Rulebook:
    """A bundled game, or one of the files with what no bundled game does."""
    if name in FILES:
        folder.mkdir(exist_ok=True)
        (folder / "rulebook.yaml").write_bytes(FILES[name].read_bytes())
    rulebook = load(folder if name in FILES else library.find_game(name)).rulebook
    assert rulebook is not None
    return rulebook


def lower_whole(rulebook: ir.Rulebook, players: int) -> Program:
    """A program all of whose questions are lowered now, and not when they are asked."""
    program = lower(rulebook, players)
    for code in (*program.codes, *program.questions.values()):
        _ = code.steps
    return program


def recorded(program: Program, seed: int, most: int = 150) -> Iterator[Any]:
    """Play at random, and tell of each moment all that stands in the state but for the numbers of steps."""
    machine, below = Machine(program), Source(seed, "kept").below
    state = machine.new_state(seed)
    for _ in range(most):
        try:
            machine.advance(state)
        except RuleError as error:
            yield error.message.partition(";")[0]
            return
        yield [slot for number, slot in enumerate(state) if number != STACK]
        if machine.is_over(state):
            return
        seat = machine.find_waiting(state)[-1]
        choices = machine.find_choices(state, seat)
        yield choices.values, choices.may_pass, choices.least, choices.most
        try:
            machine.answer_value(state, seat, choices.random(below))
        except RuleError as error:
            yield error.message.partition(";")[0]
            return
