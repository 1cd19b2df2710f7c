"""How many there may be in a list, as far as the rulebook bounds it.

In: an expression, what numbers may be, how many play. Out: a range of whole numbers, both ends included. Never: looks
into a place; how many cards come to lie there is a matter of play.
"""

from __future__ import annotations

from collections.abc import Callable

from rulebook.dsl import ir
from rulebook.dsl import types as t
from rulebook.dsl.spread import Spread
from rulebook.record import Record, record

__all__ = ["Lengths"]

_ANY = (0, float("inf"))

Range = tuple[float, float]


@record
class Lengths(Record):
    """One game: the least and the most players, whether all of them play to the end, and what an expression may be."""

    players: Range
    all_stay: bool
    of: Callable[[ir.Expr], Spread | None]

    def range(self, listed: ir.Expr) -> Range:
        """The fewest there may be in a list, and the most."""
        match listed:
            case ir.Seats(everyone):
                return self._players(0, everyone or self.all_stay)
            case ir.Clockwise(start, after):
                return self._players(int(after), self.all_stay and not t.may_be_nothing(start.type))
            case ir.Const(tuple() as values):
                return len(values), len(values)
            case ir.Listed(items):
                # What is not there is left out.
                surely = [one for one in items if not isinstance(one, ir.TheCard) and not t.may_be_nothing(one.type)]
                return len(surely), len(items)
            case ir.Span(first, last):
                return self._span(self.of(first), self.of(last))
            case ir.Chain(first, second):
                (low, high), (fewest, most) = self.range(first), self.range(second)
                return low + fewest, high + most
            case ir.IfElse(_, then, otherwise):
                (low, high), (fewest, most) = self.range(then), self.range(otherwise)
                return min(low, fewest), max(high, most)
            case ir.Sorted(inner):
                return self.range(inner)
            case ir.Filter(inner) | ir.Best(inner) | ir.Each(inner, flat=False) | ir.BuiltIn("distinct", (inner,)):
                return 0, self.range(inner)[1]
            case ir.BuiltIn("first" | "last", (inner, number)):
                wanted = self.of(number)
                return 0, self.range(inner)[1] if wanted is None else min(self.range(inner)[1], wanted.high)
            case ir.TheCard():
                return 0, 1
        return _ANY

    def _players(self, without: int, surely: bool) -> Range:
        least, most = self.players
        return (max(least - without, 0) if surely else 0), most - without

    @staticmethod
    def _span(first: Spread | None, last: Spread | None) -> Range:
        if first is None or last is None or first.low > first.high or last.low > last.high:
            return _ANY
        return max(last.low - first.high + 1, 0), max(last.high - first.low + 1, 0)
