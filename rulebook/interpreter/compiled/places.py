"""Where places stand in a state, printed.

In: the `Book`, a place with the expression of its owner. Out: text of its slots and its ordinal, and of how much lies
in it. Never: contents, or what is done to them.
"""

from __future__ import annotations

from abc import abstractmethod
from typing import Any

from rulebook.dsl import ir
from rulebook.dsl import types as t
from rulebook.interpreter.compiled.book import Book
from rulebook.interpreter.compiled.paper import LACKS


class Places:
    """Prints places; `expr` and `sure` print whose they are."""

    def __init__(self, book: Book) -> None:
        self.book, self.paper, self.tables, self.layout = book, book.paper, book.tables, book.layout
        self.constant = book.paper.constant

    @abstractmethod
    def expr(self, expr: ir.Expr) -> str:
        """The value of an expression."""

    @abstractmethod
    def sure(self, expr: ir.Expr) -> str:
        """The value of something that must be there."""

    def place(self, place: ir.PlaceOf) -> tuple[str, str]:
        """How cards are kept in a place, and the text of the slot in which its contents stand."""
        return self.slot_of(place, "slot")

    def slot_of(self, place: ir.PlaceOf, which: str) -> tuple[str, str]:
        """How cards are kept in a place, and the text of one of its slots: "slot", "stream", "settled" or "ordinal"."""
        ordinals = self.layout.place_of[place.name]
        found: list[Any] = [None if one is None else getattr(self.layout.places[one], which) for one in ordinals]
        # Where no card has such a place, nothing ever lies in one.
        kept = next((self.layout.places[one].kept for one in ordinals if one is not None), "loose")
        if place.owner is None:
            return kept, str(found[0])
        owner = self.sure(place.owner)
        if owner.isdigit() and found[int(owner)] is not None:
            return kept, str(found[int(owner)])
        first, step = (found[0], found[1] - found[0]) if None not in found[:2] and len(found) > 1 else (0, 0)
        if found == [first + number * step for number in range(len(found))]:
            return kept, f"{first} + {owner}" if step == 1 else f"{first} + {step} * {owner}"
        if None in found:
            return kept, f"{LACKS}{self.constant(tuple(found))}[{owner}]"
        return kept, f"{self.constant(tuple(found))}[{owner}]"

    def pieces(self, place: ir.Expr) -> str:
        """How many pieces or cards lie in a place."""
        if isinstance(place, ir.PlaceOf) and self.place(place)[0] == "pool":
            return f"s[{self.place(place)[1]}]"
        return f"count_of(r, {self.expr(place)})"

    def ordinal(self, name: str, owner: ir.Expr | None) -> str:
        return f"({self.slot_of(ir.PlaceOf(name, owner, type=t.NOTHING), 'ordinal')[1]})"

    def top_of(self, place: ir.Expr) -> str:
        return f"first(cards_of(r, {self.expr(place)}))"
