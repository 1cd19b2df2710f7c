"""Lint: names that each round of a loop binds anew, read behind it, where they mean what the last round made.

Bad: `each p in others:` with `p chooses given from p.hand` in it, and `move given to me.hand` behind it. Good: the move
in the loop.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from rulebook.diagnostics import Diagnostic, Label
from rulebook.dsl import ir
from rulebook.dsl.document import At
from rulebook.dsl.lint.book import Book
from rulebook.dsl.walk import everything, statements


def names_of_the_last_round(book: Book) -> Iterator[Diagnostic]:
    """Find reads behind an `each` or `repeat n` of a name that every round of it gives a value.

    A search is let be: a name that is set below an `if`, or in a loop that something stops; so is a name that has a
    value before the loop.
    """
    for home in book.homes.values():
        bound: set[int] = set(range(home.parameters))
        for number, record in enumerate(home.records):
            if isinstance(record, ir.ForEach | ir.Repeat) and _goes_through(record):
                behind = home.records[number + len(everything(record)) :]
                for slot, at in _find_made(record.body).items():
                    read = None if slot in bound or at is None else _first_read(behind, slot)
                    if read is not None and at is not None:
                        labels = [Label(at.span, "each round gives it another value")]
                        yield from book.report("RB515", home, read, name=home.slots.names[slot], labels=labels)
            bound.update(ir.find_bound(record) if isinstance(record, ir.Sentence) else ())


def _goes_through(loop: ir.ForEach | ir.Repeat) -> bool:
    counted = isinstance(loop, ir.ForEach) or loop.count is not None
    return counted and not any(isinstance(line, ir.Leave) and not line.skip for line in statements(loop.body))


def _find_made(body: ir.Block) -> dict[int, At | None]:
    """Find the slots that every round gives a value, and where it first does."""
    bound: dict[int, At | None] = {}
    for sentence in body:
        for slot in ir.find_bound(sentence):
            bound.setdefault(slot, sentence.at)
        if isinstance(sentence, ir.Stage):
            bound = _find_made(sentence.body) | bound
    return bound


def _first_read(behind: Sequence[Any], slot: int) -> At | None:
    """Find where a slot is read before it gets another value."""
    for record in behind:
        match record:
            case ir.Local(other) if other == slot:
                return record.at
            case ir.Let(other, value) if other == slot and not _mentions(value, slot):
                return None
            case ir.Sentence() if not isinstance(record, ir.Let) and slot in ir.find_bound(record):
                return None
    return None


def _mentions(value: ir.Expr, slot: int) -> bool:
    return any(isinstance(node, ir.Local) and node.slot == slot for node in everything(value))
