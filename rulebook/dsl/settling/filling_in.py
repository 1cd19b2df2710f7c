"""Partial evaluation of scripts, where the values of some names are known.

In: sentences and questions, and the values of names. Out: the same with the values in place of the names, without what
these settle: `S where currency is wanted` is nothing where an amount is wanted. Never: asks the game anything.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from rulebook.dsl import ir
from rulebook.dsl import types as t
from rulebook.dsl.settling.reckoning import Reckoning, Unsettled
from rulebook.dsl.walk import is_expression, rewrite

_NONE = ir.Listed((), type=t.ListOf(t.UNKNOWN))


def fill_in(what: Any, values: Mapping[int, ir.Const], settled: Callable[[str], Any]) -> Any:
    """Put values in place of names, by slot. `settled` finds the value of an option; it may raise Unsettled.

    What would leave nothing to ask keeps its names.
    """

    def settle(record: Any) -> Any:
        match record:
            case ir.Local(slot) if slot in values:
                return values[slot]
            case ir.Compare("==" | "!=" as sign, left, right) if not t.agree(left.type, right.type):
                return ir.Const(sign == "!=", type=t.YES_NO, at=record.at)
            case ir.Filter(condition=ir.Const(answer)):
                return record.list if answer else _NONE
            case ir.Chain(first, second) if _NONE in (first, second):
                return second if first == _NONE else first
        return _reckon(record, settled) if is_expression(record) and record.type == t.YES_NO else record

    def leave_open(before: Any, after: Any) -> Any:
        is_empty = isinstance(after, ir.Let) and after.value == _NONE
        return before if is_empty else after

    filled = rewrite(what, lambda before, after: leave_open(before, settle(after)))
    return what if isinstance(filled, ir.Const) else filled


def _reckon(question: ir.Expr, settled: Callable[[str], Any]) -> ir.Expr:
    try:
        return ir.Const(Reckoning(settled, None).reckon_truth(question), type=t.YES_NO, at=question.at)
    except Unsettled:
        return question
