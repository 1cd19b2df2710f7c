"""Numbers as they are written, against the range or the choices that a field declares for them.

In: an IR expression and the values that its field may take. Out: one RB411 for each number that is none of them, at
the number itself. Never: works anything out; what only a game can know, the machine refuses when it happens.
"""

from __future__ import annotations

from collections.abc import Iterator

from rulebook.diagnostics import Diagnostic, diagnose
from rulebook.dsl import ir
from rulebook.dsl.document import Node
from rulebook.dsl.syntax import At
from rulebook.dsl.world import Value

__all__ = ["out_of_range", "too_many"]


def out_of_range(expr: ir.Expr, values: tuple[Value, ...] | None, at: At | Node, where: str) -> list[Diagnostic]:
    """What is wrong with the numbers that may stand here; `at` is shown for those that have no place of their own."""
    if values is None:
        return []
    # Words are told apart by their type already, and in Python `yes` would be found among 0 and 1.
    legal = [one for one in values if isinstance(one, int) and not isinstance(one, bool)]
    if not legal:
        return []
    return [
        diagnose("RB411", (one.at or at).span, where=where, value=number, wanted=_wanted(legal))
        for one, number in _numbers(expr)
        if number not in legal
    ]


def too_many(first: ir.Expr, last: ir.Expr, at: At | None, where: str) -> list[Diagnostic]:
    """What is wrong with a range, or with the rounds of a `repeat`, that is longer than any table waits."""
    many = max((high - low + 1 for _, low in _numbers(first) for _, high in _numbers(last)), default=0)
    if many <= ir.MOST_LISTED or at is None:
        return []
    wanted = f"at most {ir.MOST_LISTED}"
    return [diagnose("RB411", at.span, where=where, value=at.span.text, wanted=wanted)]


def _numbers(expr: ir.Expr) -> Iterator[tuple[ir.Expr, int]]:
    """The numbers that an expression may be as it stands: itself, or one for each choice of an option."""
    match expr:
        case ir.Const(bool()):
            pass
        case ir.Const(int(number)):
            yield expr, number
        case ir.Arithmetic("-", ir.Const(0), ir.Const(int(number))):
            yield expr, -number
        case ir.ByOption(_, cases):
            for _, value in cases:
                yield from _numbers(value)


def _wanted(legal: list[int]) -> str:
    low, high = min(legal), max(legal)
    if len(legal) > 2 and len(legal) == high - low + 1:
        return f"a number from {low} to {high}"
    return " or ".join(str(one) for one in sorted(legal))
