"""What lasts as long as a stage: memory, states, and attributes that may change come back when the stage is left."""

from __future__ import annotations

from pathlib import Path

import pytest

from rulebook.interpreter.lower import lower
from rulebook.interpreter.machine import Machine
from rulebook.loading import load

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
