"""What happens whenever something becomes so: when it is asked, in which order it happens, and what a seat is told."""

from __future__ import annotations

import textwrap
from pathlib import Path
from typing import Any

import pytest
import yaml
from cores import has_core, play_both
from paths import DATA

from rulebook.interpreter.decisions import Endless
from rulebook.interpreter.determinize import determinize
from rulebook.interpreter.lower import lower
from rulebook.interpreter.machine import Machine
from rulebook.interpreter.program import Program
from rulebook.interpreter.random import Source
from rulebook.interpreter.views import collect_facts
from rulebook.loading import load

CASES = yaml.safe_load((DATA / "whenever.yaml").read_text("utf-8"))
NAMES = ("Ana", "Ben", "Cleo")
GAME = """
format: 1
name: Kettle
players: 3..3
kinds: {stone: {has: {worth: 1..9}}}
cards: {flint: {kind: stone, worth: 3}}
places: {table: {shelf: {holds: stone, kept: row, seen_by: everyone}}}
memory:
  table: {heat: 0, noted: set of number, found: stone}
  player: {gold: 0, number: 0}
values:
  is_cold(): heat is 0
  is_warm(): heat > 1
  is_hot(): heat > 2
  is_boiling(): heat > 99
  is_rich(p): p.gold > 4
  is_found(): found.worth is 3
whenever:
WHENEVER
rules:
  game: |
SCRIPT
  note(number what): set noted = noted + [what]
  note_nothing: let nothing_more = 1
  step(number n): add n to heat
  rise_and_fall: |
    set heat = 5
    set heat = 0
  warm_then_note(number n): |
    do step(3)
    do note(n)
  warm_all: |
    set heat = 3
    each p in players:
      add 5 to p.gold
result: {rank: most gold}
"""
NUMBERED = """each p in players as n:
  set p.number = n - 1
"""


def lower_case(case: dict[str, Any], folder: Path) -> Program:
    text = GAME.replace("WHENEVER", textwrap.indent(case["whenever"], "  "))
    text = text.replace("SCRIPT", textwrap.indent("move cards to shelf\n" + NUMBERED + case["script"], "    "))
    (folder / "rulebook.yaml").write_text(text, "utf-8")
    loaded = load(folder)
    assert loaded.rulebook is not None, [(one.message, one.span) for one in loaded.messages]
    return lower(loaded.rulebook, 3)


@pytest.mark.parametrize("case", CASES, ids=lambda case: str(CASES.index(case) + 1))
def test_what_becomes_so_happens(case: dict[str, Any], tmp_path: Path) -> None:
    program = lower_case(case, tmp_path)
    machine = Machine(program)
    state = machine.new_state(0)
    if "stopped" in case:
        with pytest.raises(Endless):
            machine.advance(state)
        return
    while machine.advance(state) is not None:
        for seat in range(3):
            twin = determinize(program, state, seat, Source(1, "twin").below)
            assert collect_facts(program, NAMES, twin, seat) == collect_facts(program, NAMES, state, seat)
        machine.answer(state, machine.find_waiting(state)[0], ["label:Here"])
    assert list(state[program.layout.memory["noted"].slot]) == case["noted"]
    if has_core():
        play_both(program, 1)
