"""Lint: questions whether one of a list is there at all, where it always is.

Bad: `all(c is something for c in column)`, where `column` is a list of cards. Good: `count(column) is 3`.
"""

from __future__ import annotations

from collections.abc import Iterator

from rulebook.diagnostics import Diagnostic
from rulebook.dsl import ir
from rulebook.dsl import types as t
from rulebook.dsl.lint.book import Book
from rulebook.source import Span

_GAPS = (
    "A list of cards holds no gaps: where nothing lies on a grid, it has one card less. To ask whether every position "
    "is taken, count the cards: `count(column) is 3`."
)


def find_always_there(book: Book) -> Iterator[Diagnostic]:
    """Every `is something` and `is nothing` about one of a list, wherever the script is read, that holds no gaps."""
    unsure: set[Span] = set()
    sure: dict[Span, Diagnostic] = {}
    for home in book.homes.values():
        members = {part.slot for part in home.of(ir.Through, ir.ForEach)}
        for question in home.of(ir.IsNothing):
            match question:
                case ir.IsNothing(ir.Local(slot) as member) if slot in members and question.at is not None:
                    if member.type == t.UNKNOWN or t.may_be_nothing(member.type):
                        unsure.add(question.at.span)
                        continue
                    help = _GAPS if t.kinds_of(member.type) else None
                    name = home.slots.names[slot]
                    for message in book.report("RB525", home, question.at, name=name, help=help):
                        sure.setdefault(question.at.span, message)
    yield from (message for span, message in sure.items() if span not in unsure)
