"""Constant evaluation of questions from nothing but the house rules and the number of players."""

from __future__ import annotations

import operator
from collections.abc import Callable
from typing import Any

from rulebook.dsl import ir

_MOST_LISTED = 30_000  # numbers in ranges

KNOWN = (
    *(ir.Const, ir.OptionValue, ir.ByOption, ir.Seats, ir.Listed, ir.Span, ir.Arithmetic, ir.Compare, ir.Within),
    *(ir.IsNothing, ir.IsEmpty, ir.Not, ir.And, ir.Or, ir.IfElse, ir.BuiltIn),
)
"""The nodes of expressions that can be evaluated so."""

SUMS: dict[str, Callable[[int, int], int]] = {
    "+": operator.add, "-": operator.sub, "*": operator.mul, "/": operator.floordiv, "%": operator.mod,
}  # fmt: skip
_ORDERED: dict[str, Callable[[int, int], bool]] = {
    "<": operator.lt, "<=": operator.le, ">": operator.gt, ">=": operator.ge,
}  # fmt: skip


class Unsettled(Exception):
    """Only play, or more than is known here, decides it."""


class Reckoning:
    """One choice of house rules, and one number of players (None: not known).

    `settled` finds the value of an option; it may raise Unsettled.
    """

    def __init__(self, settled: Callable[[str], Any], players: int | None) -> None:
        self.settled, self.players = settled, players
        self._left = _MOST_LISTED

    def reckon_number(self, expr: ir.Expr) -> int:
        return _require_number(self.reckon(expr))

    def reckon_truth(self, expr: ir.Expr) -> bool:
        truth = self.reckon(expr)
        if not isinstance(truth, bool):
            raise Unsettled
        return truth

    def reckon_list(self, expr: ir.Expr) -> tuple[Any, ...]:
        values = self.reckon(expr)
        if not isinstance(values, tuple):
            raise Unsettled
        return values

    def reckon(self, expr: ir.Expr) -> Any:
        """Return the value. Raises Unsettled."""
        match expr:
            case ir.Const(value):
                return value
            case ir.OptionValue():
                return self._reckon_option(expr.name, expr.key)
            case ir.ByOption(name, cases):
                chosen = self._reckon_option(name, None)
                meant = next((chosen_case for case, chosen_case in cases if case == chosen), None)
                if meant is None:
                    raise Unsettled  # the case is missing, which is a mistake of its own
                return self.reckon(meant)
            case ir.Seats() if self.players is not None:
                return tuple(range(self.players))
            case ir.Listed(items):
                return tuple(self.reckon(item) for item in items)
            case ir.Span():
                numbers = range(self.reckon_number(expr.first), self.reckon_number(expr.last) + 1)
                self._left -= len(numbers)
                if self._left < 0:
                    raise Unsettled
                return tuple(numbers)
            case ir.Arithmetic(sign, left, right):
                a, b = self.reckon_number(left), self.reckon_number(right)
                if (sign in "/%" and not b) or abs(total := SUMS[sign](a, b)) >= ir.MOST_VALUE:
                    raise Unsettled
                return total
            case ir.IfElse():
                return self.reckon(expr.then if self.reckon_truth(expr.condition) else expr.otherwise)
            case ir.BuiltIn():
                return self._reckon_built_in(expr)
            case ir.Not():
                return not self.reckon_truth(expr.value)
            case ir.And():
                return self._either_way(expr.left, expr.right, settles=False)
            case ir.Or():
                return self._either_way(expr.left, expr.right, settles=True)
            case ir.Compare(sign, left, right):
                first, other = _require_plain(self.reckon(left)), _require_plain(self.reckon(right))
                if sign in ("==", "!="):
                    return (first == other) == (sign == "==")
                if not isinstance(first, int) or not isinstance(other, int):
                    raise Unsettled
                return _ORDERED[sign](first, other)
            case ir.Within():
                return _require_plain(self.reckon(expr.value)) in self.reckon_list(expr.list)
            case ir.IsNothing():
                return self.reckon(expr.value) is None
            case ir.IsEmpty():
                return not self.reckon_list(expr.list)
        raise Unsettled

    def _either_way(self, left: ir.Expr, right: ir.Expr, *, settles: bool) -> bool:
        """Ask both sides: one that settles it is enough, though the other is not settled."""
        try:
            if self.reckon_truth(left) is settles:
                return settles
        except Unsettled:
            if self.reckon_truth(right) is settles:
                return settles
            raise
        return self.reckon_truth(right)

    def _reckon_option(self, name: str, key: ir.Expr | None) -> Any:
        value = self.settled(name)
        if key is None:
            return value
        at = self.reckon_number(key)
        return max(((step, entry) for step, entry in value if step <= at), default=(0, 0))[1]

    def _reckon_built_in(self, expr: ir.BuiltIn) -> Any:
        name, first, more = expr.name, self.reckon(expr.arguments[0]), expr.arguments[1:]
        if name in ("max", "min") and not isinstance(first, tuple):
            return (max if name == "max" else min)(_require_number(first), self.reckon_number(more[0]))
        if not isinstance(first, tuple):
            raise Unsettled
        match name:
            case "count":
                return len(first)
            case "max" | "min":
                most = max if name == "max" else min
                return most(first) if first else self.reckon(more[0]) if more else None
            case "any" | "all":
                return any(first) if name == "any" else all(first)
            case "sum":
                return sum(first)
            case "distinct":
                return tuple(dict.fromkeys(first))
            case "first" | "last":
                if not more:
                    return (first[0] if name == "first" else first[-1]) if first else None
                count = self.reckon_number(more[0])
                return first[:count] if name == "first" else first[max(len(first) - count, 0) :]
        raise Unsettled


def _require_number(value: Any) -> int:
    if isinstance(value, bool) or not isinstance(value, int):
        raise Unsettled
    return value


def _require_plain(value: Any) -> int | str | None:
    if value is None or isinstance(value, int | str):
        return value
    raise Unsettled
