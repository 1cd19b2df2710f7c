"""Conditions that are possible each alone, and not together: `x > 3 and x < 2`, `x < 4 or x > 1`.

In: an `and` or `or`, and what is known of values. Out: the expression of which too much is asked at once, or None.
Never: two different expressions held against each other; a question changes nothing, so one expression has one value
in all of a condition.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cache, reduce

from attrs import evolve

from rulebook.dsl import ir
from rulebook.dsl import types as t
from rulebook.dsl.spread import TURNED, Spread, compare

_FAR = float("inf")
_DENIED = {"==": "!=", "!=": "==", "<": ">=", ">": "<=", "<=": ">", ">=": "<"}
_COMPARED = (t.Number, t.Amount, t.Symbol)
_Test = tuple[ir.Expr, str, int | str]

Known = Callable[[ir.Expr], Spread | None]


def clash(condition: ir.Expr, known: Known, *, holds: bool) -> ir.Expr | None:
    """What cannot be as the condition wants it, where the condition is (or is not) to hold."""
    subjects: list[tuple[ir.Expr, list[tuple[str, int | str]]]] = []
    for subject, operator, value in _tests(condition, known, holds):
        for other, asked in subjects:
            if other == subject:
                asked.append((operator, value))
                break
        else:
            subjects.append((subject, [(operator, value)]))
    for subject, asked in subjects:
        if len(asked) > 1:
            start = known(subject) or Spread(-_FAR, _FAR, None)
            if not start.empty and reduce(_narrowed, asked, start).empty and _possible_alone(start, asked):
                return subject
    return None


def _possible_alone(start: Spread, asked: list[tuple[str, int | str]]) -> bool:
    """Each by itself may be so: else the test that may not has a message of its own."""
    return not any(_narrowed(start, one).empty for one in asked)


def _tests(condition: ir.Expr, known: Known, holds: bool) -> Iterator[_Test]:
    """The comparisons with one value that all have to be true, if the condition is to hold (or not)."""
    match condition:
        case ir.Not(value):
            yield from _tests(value, known, not holds)
        case ir.And(left, right) if holds:
            yield from _tests(left, known, holds)
            yield from _tests(right, known, holds)
        case ir.Or(left, right) if not holds:
            yield from _tests(left, known, holds)
            yield from _tests(right, known, holds)
        case ir.Compare(operator, left, right):
            if not (_is_compared(left.type) and _is_compared(right.type)):
                return
            for subject, other, way in ((left, right, operator), (right, left, TURNED[operator])):
                found = known(other)
                only = None if found is None else found.only
                if only is not None and not isinstance(subject, ir.Const):
                    (known_one,) = only
                    if isinstance(known_one, int | str) and not isinstance(known_one, bool):
                        yield subject, way if holds else _DENIED[way], known_one
                    break


@cache
def _is_compared(of: t.Type) -> bool:
    return all(isinstance(one, _COMPARED) for one in t.members(of))


def _narrowed(values: Spread, test: tuple[str, int | str]) -> Spread:
    """Those of the values that pass a test; at least those."""
    operator, value = test
    if isinstance(value, str):
        if operator == "!=":
            return evolve(values, others=values.others - {value})
        # What is not known may be any word, once.
        anything = values.low == -_FAR and values.high == _FAR
        return Spread(others=frozenset([value]) if anything else values.others & {value})
    number = Spread(value, value, frozenset([value]))
    if values.few is not None:
        few = frozenset(one for one in values.few if compare(operator, Spread(one, one, frozenset([one])), number)[0])
        others = values.others if operator == "!=" else frozenset()
        return Spread(min(few, default=_FAR), max(few, default=-_FAR), few, others)
    low, high = values.low, values.high
    if operator in ("==", ">", ">="):
        low = max(low, value + (operator == ">"))
    if operator in ("==", "<", "<="):
        high = min(high, value - (operator == "<"))
    return Spread(low, high, None, values.others if operator == "!=" else frozenset())
