"""What lasts as long as a stage: memory, states, and attributes that may change come back when the stage is left."""

from __future__ import annotations

import textwrap
from pathlib import Path
from typing import Any

import pytest
import yaml
from cores import play_both
from paths import DATA

from rulebook.interpreter.core.library import NoCore
from rulebook.interpreter.core.library import library as find_library
from rulebook.interpreter.determinize import determinize
from rulebook.interpreter.lower import lower
from rulebook.interpreter.machine import Machine
from rulebook.interpreter.random import Source
from rulebook.interpreter.views import collect_facts
from rulebook.loading import load

CASES = yaml.safe_load((DATA / "lasting.yaml").read_text("utf-8"))
NAMES = ("Ana", "Ben", "Cleo")

GAME = """
format: 1
name: Paint
players: 1..1
words: {color: [red, blue]}
kinds:
  brush: {has: {color: color}, state: {wet: {type: yes_no, default: no, lasts: day}}, may_change: CHANGES}
cards:
  broad_brush: {kind: brush, color: red}
places:
  table: {shelf: {holds: brush, kept: row, seen_by: everyone}}
memory:
  table: {count: {type: number, default: 3, lasts: day}}
rules:
  game: |
    move cards to shelf
    stage day:
      each b in shelf:
        set b.color = blue
        set b.wet = yes
      set count = 7
      END
    each me in players:
      choose one:
        "Look"
        "Look away"
"""


def shelf(tmp_path: Path, changes: str, end: str) -> tuple[object, object, object]:
    """The brush's color, whether it is wet, and the memory, after the stage."""
    text = GAME.replace("CHANGES", changes).replace("END", end)
    (tmp_path / "rulebook.yaml").write_text(text, "utf-8")
    loaded = load(tmp_path)
    rulebook, found = loaded.rulebook, loaded.messages
    assert rulebook is not None, [one.message for one in found]
    program = lower(rulebook, 1, None)
    machine = Machine(program)
    state = machine.new_state(0)
    machine.advance(state)
    layout = program.layout
    color, wet = (state[layout.states[name].slot][0] for name in ("color", "wet"))
    return color, wet, state[layout.memory["count"].slot]


@pytest.mark.parametrize("end", ["let nothing_more = 1", "end day"], ids=["reached", "left"])
def test_the_end_of_a_stage_brings_back_what_lasts_so_long(tmp_path: Path, end: str) -> None:
    assert shelf(tmp_path, "{color: {lasts: day}}", end) == ("red", False, 3)


def test_a_change_lasts_for_ever_unless_it_says_otherwise(tmp_path: Path) -> None:
    assert shelf(tmp_path, "[color]", "end day") == ("blue", False, 3)


def test_an_unknown_stage_is_found(tmp_path: Path) -> None:
    (tmp_path / "rulebook.yaml").write_text(
        GAME.replace("CHANGES", "{color: {lasts: dya}}").replace("END", "end day"), "utf-8"
    )
    loaded = load(tmp_path)
    rulebook, found = loaded.rulebook, loaded.messages
    assert rulebook is None
    assert [(one.code, one.span and one.span.text, one.help) for one in found] == [
        ("RB301", "dya", "Did you mean `day`?")
    ]


NESTED = """
format: 1
name: Turns
players: 3..3
kinds:
  stone:
    has: {worth: 1..9}
    state:
      wet: {type: yes_no, default: no, lasts: turn, seen: with_face}
      mark: {type: number, default: 0, lasts: turn}
    may_change: {worth: {lasts: turn}}
cards:
  flint: {kind: stone, worth: 3}
  slate: {kind: stone, worth: 4}
places:
  table: {shelf: {holds: stone, kept: row, seen_by: everyone}}
memory:
  table:
    noted: set of number
    drawn: {type: number, default: 2, lasts: turn}
    best: {type: stone, lasts: turn}
    taken: {type: set of stone, lasts: turn}
    round_of: {type: number, default: 0, lasts: round}
  player:
    bonus: {type: number, default: 0, lasts: turn}
    spare: {type: number, default: 0, lasts: turn, seen_by: owner}
rules:
  game: |
    move cards to shelf
    do act(first(players))
  note(number what): set noted = noted + [what]
  act(me): |
SCRIPT
  wait(me): |
    choose one "Wait":
      "Here"
      "There"
  short(p): |
    stage turn "Extra":
      do note(p.bonus)
      do note(drawn)
      add 9 to p.bonus
      add 1 to drawn
  deep(number n): |
    stage turn "Deep":
      do note(drawn)
      add n to drawn
      if n > 0:
        do deep(n - 1)
      do note(drawn)
  round: |
    stage round:
      stage fight:
        do note(1)
  leaving(p): |
    stage turn "Left":
      add 7 to p.bonus
      return
result: {rank: most bonus}
"""


@pytest.mark.parametrize("case", CASES, ids=lambda case: str(CASES.index(case) + 1))
def test_a_stage_within_one_of_its_name_has_its_own(tmp_path: Path, case: dict[str, Any]) -> None:
    text = NESTED.replace("SCRIPT", textwrap.indent(case["script"], "    "))
    (tmp_path / "rulebook.yaml").write_text(text, "utf-8")
    loaded = load(tmp_path)
    assert loaded.rulebook is not None, [one.message for one in loaded.messages]
    program = lower(loaded.rulebook, 3)
    machine = Machine(program)
    state = machine.new_state(0)
    while machine.advance(state) is not None:
        for seat in range(3):
            twin = determinize(program, state, seat, Source(1, "twin").below)
            assert collect_facts(program, NAMES, twin, seat) == collect_facts(program, NAMES, state, seat)
        machine.answer(state, machine.find_waiting(state)[0], ["label:Here"])
    assert list(state[program.layout.memory["noted"].slot]) == case["noted"]
    try:
        find_library()
    except NoCore:
        return
    play_both(program, 1)
