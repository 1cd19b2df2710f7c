"""What happens whenever something becomes so: when it is asked, in which order it happens, and what a seat is told."""

from __future__ import annotations

import textwrap
from pathlib import Path
from typing import Any

import pytest
import yaml
from cores import has_core, play_both
from paths import DATA

from rulebook.interpreter import run
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
def test_what_becomes_so_happens(case: dict[str, Any], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(run, "MOST_LOOKED_AT", 20_000)
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


SLIPS = [
    ("is_rihc(p): win p", "RB301", "Did you mean `is_rich`?"),
    ("is_wealthy(p): win p", "RB301", "Say below `values:` what `is_wealthy` is."),
    ("is_rich: win players", "RB307", ""),
    ("is_rich(stone s): win players", "RB307", ""),
    ("is_worth(stone s): win players", "RB401", "about nothing, or about each player"),
    ("wealth(p): win p", "RB402", ""),
    ("p.gold > 4: win p", "RB115", "Say below `values:` when it is so"),
    ("is_cold(): whenever heat > 3", "RB203", "a section of its own, `whenever:`"),
    ("is_cold(): as soon as heat > 3", "RB203", "a section of its own, `whenever:`"),
    ('is_sly(p): say "{p} smiles."', "RB605", ""),
    ("is_cold(): add 1 to heat", "", ""),
]
"""What stands below `whenever:`, and the message about it with a part of its help."""


@pytest.mark.parametrize(("line", "code", "help"), SLIPS, ids=[f"{line}" for line, _, _ in SLIPS])
def test_a_slip_is_told(line: str, code: str, help: str, tmp_path: Path) -> None:
    text = GAME.replace("WHENEVER", f"  {line}").replace("SCRIPT", "    move cards to shelf")
    text = text.replace("number: 0}", "number: 0, slyness: {type: number, default: 0, seen_by: owner}}")
    values = "  wealth(p): p.gold\n  is_worth(stone s): s.worth > 2\n  is_sly(p): p.slyness > 2\nwhenever:"
    text = text.replace("whenever:", values, 1)
    rules = "rules:\n  plot(p): |\n    p secretly chooses n from 1..3\n    set p.slyness = n"
    (tmp_path / "rulebook.yaml").write_text(text.replace("rules:", rules, 1), "utf-8")
    messages = [one for one in load(tmp_path).messages if one.code not in ("RB507", "RB510", "RB511", "RB512")]
    assert [one.code for one in messages] == [code] * bool(code), [(one.code, one.message) for one in messages]
    assert all(help in one.help for one in messages)
