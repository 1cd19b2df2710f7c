"""A pile that was shuffled is put in order before a sentence reads its order, in whatever way it does."""

from __future__ import annotations

import re
from pathlib import Path

import moments
import pytest
from paths import ROOT

from rulebook.examples import of_its_own
from rulebook.interpreter.core import encode
from rulebook.interpreter.layout import ALIVE, FACES, RESULT, WHERE
from rulebook.interpreter.lower import lower
from rulebook.interpreter.machine import Machine

DOCS = ROOT / "docs" / "language.md"
GAME = """format: 1
name: Shuffled
players: 2..2
kinds: {gem: {has: {worth: 1..9}, state: {used: no}}}
places:
  table: {heap: {holds: gem, kept: pile, seen_by: nobody}, line: {holds: gem, kept: row}}
  player: {mine: {holds: gem, kept: pile, seen_by: nobody}}
memory: {table: {found: {type: set of gem, seen_by: nobody}}}
cards:
  {ruby: {kind: gem, worth: 1}, jade: {kind: gem, worth: 2}, opal: {kind: gem, worth: 3}, onyx: {kind: gem, worth: 9}}
values:
  top(): first(heap)
  top_of(p): first(p.mine where worth > 0)
  first_of(set of gem c): first(c)
  by_name(): |
    let all_of_it = heap
    return last(all_of_it)
rules:
  game: |
    move cards where it is not onyx to heap
    move cards where it is onyx to line
    shuffle heap
    do go_on(first(players))
  go_on(me): |
    INDENTED
"""
SENTENCES = [
    "move first(heap) to line",
    "move last(heap) to line",
    "move first(heap where worth > 0) to line",
    "move first(heap with most worth % 1) to line",
    "move first(heap + line) to line",
    "move top() to line",
    "move first_of(heap) to line",
    "move by_name() to line",
    "let some = heap\nmove first(some) to line",
    "set found = heap where worth > 0\nmove first(found) to line",
    "move heap to me.mine\nmove top_of(me) to line",
    "swap first(heap) with first(line)",
    "set first(heap).used = yes",
    "reveal first(heap)",
    "if first(heap) is ruby:\n  move line to me.mine",
    "each c in heap:\n  move c to line\n  stop",
    "win players where first(heap) is ruby",
    "eliminate players where first(heap) is ruby",
]


@pytest.mark.parametrize("sentence", SENTENCES)
def test_what_reads_an_order_finds_one_that_chance_has_made(sentence: str) -> None:
    book, found = of_its_own(GAME.replace("INDENTED", sentence.replace("\n", "\n    ")))
    assert book is not None, found
    machine, ways = Machine(lower(book, 2)), set()
    for seed in range(20):
        state = machine.new_state(seed)
        machine.advance(state)
        used = state[machine.program.layout.states["used"].slot]
        ways.add((state[WHERE], state[FACES], state[ALIVE], state[RESULT], used))
    assert len(ways) > 1


LEFT_OPEN = {"begin_settle", "choose", "move", "swap_cells"}
"""Steps that decide nothing but what was left open before."""


def test_the_reference_names_all_sentences_of_chance(tmp_path: Path) -> None:
    """Those whose steps stop for an outcome; an order that was left open is decided by whatever reads it."""
    loop = (Path(encode.__file__).parent / "engine" / "loop.c").read_text("utf-8")
    by_chance = {*re.findall(r"BY_CHANCE\((\w+)", loop)} - LEFT_OPEN
    code_of = lower(moments.rulebook_of("every_sentence", tmp_path / "game"), 3).codes
    steps = (pair for code in code_of for pair in zip(code.steps, code.ats, strict=True))
    verbs = {at.words.split()[0] for step, at in steps if step.op.name in by_chance}
    [said] = re.findall(r"^Only these sentences are chance: ([^.]*)\.", DOCS.read_text("utf-8"), re.MULTILINE)
    assert verbs == {sentence.split()[0] for sentence in re.findall(r"`([^`]*)`", said)}
