"""Lint: names that a script gives to something and never reads again.

Parameters, the rounds of a loop, and a choice with a block, which asks whether and not what, are there for another
reason.
"""

from __future__ import annotations

from collections.abc import Iterator

from rulebook.diagnostics import Diagnostic
from rulebook.dsl import ir
from rulebook.dsl.lint.book import Book, Home
from rulebook.dsl.walk import blocks, everything


def unread_names(book: Book) -> Iterator[Diagnostic]:
    for home in book.homes.values():
        known = _read(home)
        for one in home.of(ir.Sentence):
            for slot in ir.find_bound(one) if not any(blocks(one)) else ():
                if slot not in known:
                    known.add(slot)
                    yield from book.report("RB512", home, one.at, name=home.slots.names[slot])


def _read(home: Home) -> set[int]:
    """The slots that something asks for; to reckon a name anew from itself is not to ask for it."""
    own: set[int] = set()
    for let in home.of(ir.Let):
        # Identity, because equal expressions may stand elsewhere.
        own |= {id(part) for part in everything(let.value) if isinstance(part, ir.Local) and part.slot == let.slot}
    return {one.slot for one in home.of(ir.Local) if id(one) not in own}
