"""What a question answers when nothing is known but the house rules and how many play.

In: an expression, the settled options, the number of players. Out: its value: numbers, words, lists as tuples, players
by their seats. Never: guesses; what the house rules alone do not settle is `Unsettled`.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Mapping
from typing import Any

from rulebook.dsl import ir
from rulebook.dsl.syntax import At

__all__ = ["KNOWN", "SUMS", "Env", "Reckoning", "Unsettled", "compared"]

_MOST_LOOKED_AT = 30_000  # members of lists, and questions with a name

Env = dict[int, Any]
"""The locals of a script that have a value; a local that is not here is not settled."""

KNOWN = (
    *(ir.Const, ir.OptionValue, ir.ByOption, ir.Seats, ir.Listed, ir.Span, ir.Arithmetic, ir.Compare, ir.Within),
    *(ir.IsNothing, ir.IsEmpty, ir.Not, ir.And, ir.Or, ir.IfElse, ir.BuiltIn),
)
"""What can be asked of house rules."""

SUMS: dict[str, Callable[[int, int], int]] = {
    "+": operator.add,
    "-": operator.sub,
    "*": operator.mul,
    "/": operator.floordiv,
    "%": operator.mod,
}
_ORDERED: dict[str, Callable[[Any, Any], bool]] = {
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
}


class Unsettled(Exception):
    """Only play, or more than is known here, decides it."""


class Reckoning:
    """One choice of house rules, and one number of players."""

    def __init__(self, options: Mapping[str, Any], players: int) -> None:
        self.options, self.players = options, players
        self.asked: set[str] = set()
        """The options that anything has asked for."""
        self._left = _MOST_LOOKED_AT

    def look_at(self, many: int) -> None:
        """So many things are gone through; where they are too many, play may settle it."""
        self._left -= many
        if self._left < 0:
            raise Unsettled

    def number(self, expr: ir.Expr, env: Env) -> int:
        """The value of what is a number."""
        found = self.value(expr, env)
        if isinstance(found, bool) or not isinstance(found, int):
            raise Unsettled
        return found

    def truth(self, expr: ir.Expr, env: Env) -> bool:
        """The answer to a question."""
        found = self.value(expr, env)
        if not isinstance(found, bool):
            raise Unsettled
        return found

    def value(self, expr: ir.Expr, env: Env) -> Any:
        """What it is. Raises Unsettled."""
        match expr:
            case ir.Const(value):
                return value
            case ir.Local(slot):
                if slot not in env:
                    raise Unsettled
                return env[slot]
            case ir.OptionValue(name, key):
                return self._option(name, key, env)
            case ir.ByOption(name, cases):
                chosen = self._option(name, None, env)
                return self.value(next(value for case, value in cases if case == chosen), env)
            case ir.Seats():
                return tuple(range(self.players))
            case ir.Listed(items):
                return tuple(self.value(one, env) for one in items)
            case ir.Span(low, high):
                numbers = range(self.number(low, env), self.number(high, env) + 1)
                self.look_at(len(numbers))
                return tuple(numbers)
            case ir.Arithmetic(operator, left, right):
                a, b = self.number(left, env), self.number(right, env)
                if operator in "/%" and not b:
                    raise Unsettled
                found = SUMS[operator](a, b)
                if abs(found) >= ir.MOST_VALUE:
                    raise Unsettled
                return found
            case ir.IfElse(condition, then, otherwise):
                return self.value(then if self.truth(condition, env) else otherwise, env)
            case ir.BuiltIn(name, arguments):
                return self.built_in(name, self.value(arguments[0], env), arguments, env, expr.at)
        return self._answer(expr, env)

    def _answer(self, expr: ir.Expr, env: Env) -> bool:
        match expr:
            case ir.Not(value):
                return not self.truth(value, env)
            case ir.And(left, right):
                return self._either_way(left, right, env, settles=False)
            case ir.Or(left, right):
                return self._either_way(left, right, env, settles=True)
            case ir.Compare(operator, left, right):
                return compared(operator, self.value(left, env), self.value(right, env))
            case ir.Within(value, listed):
                one, among = self.value(value, env), self.value(listed, env)
                if not _is_plain(one) or not isinstance(among, tuple):
                    raise Unsettled
                return one in among
            case ir.IsNothing(value):
                return self.value(value, env) is None
            case ir.IsEmpty(listed):
                return self.size(self.value(listed, env)) == 0
        raise Unsettled

    def _either_way(self, left: ir.Expr, right: ir.Expr, env: Env, *, settles: bool) -> bool:
        """One side that settles it is enough, though the other is not settled."""
        try:
            if self.truth(left, env) is settles:
                return settles
        except Unsettled:
            if self.truth(right, env) is settles:
                return settles
            raise
        return self.truth(right, env)

    def _option(self, name: str, key: ir.Expr | None, env: Env) -> Any:
        self.asked.add(name)
        value = self.options[name]
        if key is None:
            return value
        asked = self.number(key, env)
        return max(((step, entry) for step, entry in value if step <= asked), default=(0, 0))[1]

    def size(self, value: Any) -> int:
        """How many there are in a list."""
        if not isinstance(value, tuple):
            raise Unsettled
        return len(value)

    def built_in(self, name: str, first: Any, arguments: tuple[ir.Expr, ...], env: Env, at: At | None) -> Any:
        """A question that is built into the language; `first` is what its first argument is."""
        if name == "count":
            return self.size(first)
        if name in ("max", "min"):
            most = max if name == "max" else min
            if not isinstance(first, tuple):
                return most(self.number(arguments[0], env), self.number(arguments[1], env))
            return most(first) if first else self.value(arguments[1], env) if len(arguments) > 1 else None
        if not isinstance(first, tuple):
            raise Unsettled
        match name:
            case "any" | "all":
                return any(first) if name == "any" else all(first)
            case "sum":
                return sum(first)
            case "distinct":
                return tuple(dict.fromkeys(first))
            case "first" | "last":
                return _end(first, None if len(arguments) < 2 else self.number(arguments[1], env), name)
        raise Unsettled


def _end(listed: tuple[Any, ...], count: int | None, name: str) -> Any:
    if count is None:
        return (listed[0] if name == "first" else listed[-1]) if listed else None
    return listed[:count] if name == "first" else listed[max(len(listed) - count, 0) :]


def compared(operator: str, one: Any, other: Any) -> bool:
    """The answer to a comparison of two plain values."""
    if not _is_plain(one) or not _is_plain(other):
        raise Unsettled
    if operator in ("==", "!="):
        return bool((one == other) == (operator == "=="))
    if not isinstance(one, int) or not isinstance(other, int):
        raise Unsettled
    return _ORDERED[operator](one, other)


def _is_plain(value: Any) -> bool:
    return value is None or isinstance(value, int | str)
