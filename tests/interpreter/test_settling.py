"""A pile that was shuffled is put in order before a sentence reads its order, in whatever way it does."""

from __future__ import annotations

import pytest

from rulebook.examples import of_its_own
from rulebook.interpreter.layout import ALIVE, FACES, RESULT, WHERE
from rulebook.interpreter.lower import lower
from rulebook.interpreter.machine import Machine

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
