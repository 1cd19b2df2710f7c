"""What has been asked about a value is known of it wherever it is read or added to, however it was asked."""

from __future__ import annotations

from textwrap import indent

import pytest
from checking import alone

GAME = """
kinds: {tile: {state: {n: number}}}
places: {table: {line: {holds: tile, kept: row, seen_by: everyone}}}
cards: {plot: {kind: tile, copies: 2}}
memory: {table: {left: number}, player: {score: number}}
rules:
  game: |
    move cards to line
    let best = max(score of players)
    each p in players:
      each c in line:
"""
TARGETS = ["left", "p.score", "c.n", "best", "p.left.score"]
KNOWN = [
    "if X is something:\n  add 1 to X\n  if X > 3:\n    add 1 to X",
    "if X is nothing:\n  set X = 3\nelse:\n  add 1 to X",
    "if X is nothing:\n  set X = 3\nadd 1 to X",
    "if X is nothing:\n  if count(players) > 2:\n    return\n  else:\n    set X = 1\nelse:\n  add 1 to X\nadd 1 to X",
    "if X is nothing:\n  return\nadd 1 to X\nadd X to X",
    "if X is nothing:\n  skip\nadd 1 to X",
    "if count(players) > 2 and X is something and X > 2:\n  add -X to X",
    "if not (X is nothing or count(players) > 3):\n  add -1 to X",
    "if X is 3:\n  add -1 to X",
    "if 3 is X:\n  add -1 to X",
    "if X in [1, 2]:\n  add 1 to X",
    "set X = 3\nadd 1 to X\nif X > 2:\n  add 1 to X",
    "if X is not nothing:\n  repeat 2:\n    if X is something:\n      add 1 to X",
]
UNKNOWN = [
    "add 1 to X",
    "if X is nothing:\n  add 1 to X",
    "if X is something:\n  set X = nothing\n  add 1 to X",
    "if X is something or count(players) > 2:\n  add 1 to X",
    "if count(players) > 2:\n  set X = 3\nadd 1 to X",
    "if X is nothing:\n  set X = 3\nelse:\n  set X = nothing\nadd 1 to X",
    "if X is something:\n  if count(players) > 2:\n    set X = nothing\n  add 1 to X",
    "if X is something:\n  repeat 2:\n    add 1 to X\n    set X = nothing",
    "if X not in [1, 2]:\n  add 1 to X",
]


def codes(script: str) -> list[str]:
    return [one.code for one in alone(GAME + indent(script, " " * 8)).found]


@pytest.mark.parametrize("target", TARGETS)
def test_what_was_asked_is_known_of_what_is_added_to(target: str) -> None:
    assert {form: found for form in KNOWN if (found := codes(form.replace("X", target)))} == {}


@pytest.mark.parametrize("target", TARGETS)
def test_what_was_not_asked_is_not(target: str) -> None:
    assert {form: found for form in UNKNOWN if (found := codes(form.replace("X", target))) != ["RB404"]} == {}


@pytest.mark.parametrize(
    ("gold", "most", "found"),
    [
        ("{type: 0..99, default: 3}", "p.gold", []),
        ("{type: 1..9, default: 3}", "p.gold + 1", []),
        ("3", "max(p.gold, 0)", []),
        ("{type: 0..99, default: 3}", "min(p.gold, 5)", []),
        ("3", "p.gold", ["RB404", "RB404"]),
        ("3", "min(p.gold, 5)", ["RB404", "RB404"]),
        ("{type: -3..99, default: 3}", "p.gold", ["RB404", "RB404"]),
    ],
)
def test_between_nothing_and_what_one_has_there_is_always_a_number(gold: str, most: str, found: list[str]) -> None:
    text = f"""
memory: {{table: {{best: 0}}, player: {{gold: {gold}}}}}
rules:
  game: |
    each p in players chooses bid from 0..{most}
    each p in players:
      if bid[p] > best:
        set best = bid[p]
      set p.gold = 2
    win players where gold > best
"""
    assert [one.code for one in alone(text).found] == found
