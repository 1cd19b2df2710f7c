"""Sentences at which something may be said to a few, or be left out: those marked with `#!`, and no others."""

from __future__ import annotations

import textwrap

import pytest

from rulebook.examples import of_its_own
from rulebook.interpreter.lower import lower
from rulebook.table.shared import find_whispers

GAME = """
format: 1
name: Gems
players: 3..3
kinds: {gem: {}}
cards: {ruby: {kind: gem, copies: 3}, opal: {kind: gem, copies: 9}}
places:
  table: {stock: {holds: gem, kept: pile, seen_by: nobody}}
  player: {hand: {holds: gem, kept: loose, seen_by: owner}}
memory: {table: {turns: {type: number, default: 0, seen_by: nobody}}}
rules:
  game: |
    each me in players:
      do trace(me)
  quietly(me): say "psst" to me
  trace(me): |
"""
SCRIPTS = [
    """
    if any(me.hand where it is ruby):  #!
      do quietly(me)
    add 1 to turns
    """,
    """
    let n = sum(count(p.hand) for p in players)
    add n to turns
    say "x" to me  #!
    add 1 to turns
    """,
    """
    repeat count(me.hand where it is ruby):  #!
      say "x" to me  #!
      add 1 to turns
    """,
    """
    offer others in turn as q "Now?":  #!
      "Yes" if any(q.hand where it is opal):
        say "x" to q  #!
      "No"
    """,
    """
    loop:  #!
      add 1 to turns
      if turns > sum(count(p.hand) for p in players):  #!
        stop
      do quietly(me)
    """,
    """
    may choose c from me.hand
    reveal c
    do quietly(me.left)
    move first(me.left.hand where it is c) to stock
    """,
]


@pytest.mark.parametrize("script", SCRIPTS)
def test_what_may_be_whispered_is_found(script: str) -> None:
    script = textwrap.dedent(script).strip("\n")
    text = GAME + textwrap.indent(script, "    ") + "\n"
    rulebook, found = of_its_own(text)
    assert rulebook is not None, [one.message for one in found]
    program = lower(rulebook, 3)
    [(code, steps)] = [
        pair for pair in zip(program.codes, find_whispers(program), strict=True) if pair[0].name == "rules.trace"
    ]
    lines = text.splitlines()
    assert {lines[code.ats[step].span.line - 1].strip() for step in steps} == {
        line.strip() for line in script.splitlines() if line.endswith("#!")
    }
