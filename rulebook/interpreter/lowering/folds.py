"""Folds of a condition on sets: the sums, counts, least and most that it asks for, if it asks for nothing else.

In: a condition, and the local in which the set stands. Out: *folds*, expressions about a set, each of which is put
together for two sets from what it is for each of them. Sets of which all folds are the same meet the condition alike,
so what sets can come to decides whether there is one (`interpreter/totals`). None where a condition asks for more: for
the order of a set, or for one member about another.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import count

from attrs import evolve

from rulebook.dsl import ir
from rulebook.dsl import types as t
from rulebook.dsl.walk import children, nodes, rewrite
from rulebook.interpreter.lowering.expressions import as_expression, lower_expr, settle_early
from rulebook.interpreter.lowering.writer import Writer
from rulebook.interpreter.totals import LEAST, MEMBERS, MOST, MOST_FOLDS, SAME, SUM

__all__ = ["find_folds"]

_DEEPEST = 8
_MADE_OF_PARTS = (ir.And, ir.Or, ir.Not, ir.Compare, ir.Arithmetic, ir.IfElse, ir.IsNothing)
"""Expressions whose value follows from the values of their parts alone."""
_OF_DISTINCT = ("count", "sum", "min", "max", "any", "all")
"""Built-ins on a list whose answer does not depend on its order."""


class _Unfit(Exception):
    """The condition asks for more than folds."""


def find_folds(w: Writer, condition: ir.Expr, slot: int) -> tuple[tuple[str, Callable[[], int]], ...] | None:
    """Return each fold of a condition, with the function that writes it for the set in a local."""
    finder = _Finder(w, slot)
    try:
        finder.gather(finder.write_out(condition, ()))
    except _Unfit:
        return None
    if len(finder.folds) > MOST_FOLDS:
        return None
    return tuple((fold, finder.writes(expr)) for expr, fold in finder.folds.items())


class _Finder:
    """The folds of one condition. Names within a question that is written out are numbered from `fresh` on, and are
    registers: no state has them.
    """

    def __init__(self, w: Writer, slot: int) -> None:
        self.w, self.slot, self.own, self.fresh = w, slot, w.size, count(w.size)
        self.folds: dict[ir.Expr, str] = {}

    def asks(self, expr: ir.Expr, slot: int | None = None) -> bool:
        """Tell whether an expression names the set, or another local."""
        wanted = self.slot if slot is None else slot
        return any(isinstance(node, ir.Local) and node.slot == wanted for node in nodes(expr))

    def writes(self, expr: ir.Expr) -> Callable[[], int]:
        """Return what writes a fold; nobody counts that it runs."""

        def write() -> int:
            w, outside = self.w, (self.w.inlined, self.w.tables.probes)
            w.inlined, w.tables.probes = {slot: slot for slot in range(self.own)}, None
            register = lower_expr(w, expr)
            w.inlined, w.tables.probes = outside
            return register

        return write

    # ── questions about the set ──

    def write_out(self, expr: ir.Expr, asking: tuple[str, ...]) -> ir.Expr:
        """The same with every question about the set written in place of its call."""

        def change(_: ir.Expr, expr: ir.Expr) -> ir.Expr:
            if not isinstance(expr, ir.CallValue) or not any(map(self.asks, expr.arguments)):
                return expr
            body = as_expression(self.w.tables.rulebook.functions[expr.function])
            if body is None or expr.function in asking or len(asking) == _DEEPEST:
                raise _Unfit
            return self.write_out(self.fill_in(body, expr.arguments), (*asking, expr.function))

        changed: ir.Expr = rewrite(expr, change)
        return changed

    def fill_in(self, body: ir.Expr, arguments: Sequence[ir.Expr]) -> ir.Expr:
        """The body of a question about what it is given."""
        own = {node.slot: next(self.fresh) for node in nodes(body) if isinstance(node, ir.Through)}

        def change(_: ir.Expr, expr: ir.Expr) -> ir.Expr:
            if isinstance(expr, ir.Through):
                return evolve(expr, slot=own[expr.slot])
            if isinstance(expr, ir.Local):
                return evolve(expr, slot=own[expr.slot]) if expr.slot in own else arguments[expr.slot]
            return expr

        filled: ir.Expr = rewrite(body, change)
        return filled

    # ── folds ──

    def gather(self, expr: ir.Expr) -> None:
        """Find the folds that an expression hangs on. Raises _Unfit."""
        if not self.asks(expr) or settle_early(self.w, expr) is not None:
            return
        match expr:
            case ir.BuiltIn("count" | "sum", (listed,)) if self.is_of_each(listed):
                self.folds[expr] = SUM
            case ir.BuiltIn("any", (listed,)) if self.is_of_each(listed):
                self.folds[expr] = MOST
            case (ir.BuiltIn("all", (listed,)) | ir.IsEmpty(listed)) if self.is_of_each(listed):
                self.folds[expr] = LEAST
            case ir.BuiltIn("min" | "max" as name, (listed, *otherwise)) if self.is_of_each(listed):
                self.folds[evolve(expr, arguments=(listed,))] = LEAST if name == "min" else MOST
                self.gather_all(otherwise)
            case (ir.BuiltIn("any", (ir.Filter(listed, it, test),)) | ir.IsEmpty(ir.Filter(listed, it, test))) if (
                self.is_of_each(listed)
            ):
                self.gather_test(listed, it, test)
            case (
                ir.Compare(_, ir.BuiltIn("count", (ir.BuiltIn("distinct", (listed,)),)), ir.Const(number))
                | ir.Compare(_, ir.Const(number), ir.BuiltIn("count", (ir.BuiltIn("distinct", (listed,)),)))
            ) if self.is_of_each(listed) and _tells_few_apart(expr, number):
                self.folds.setdefault(listed, SAME)
            case ir.BuiltIn(name, (ir.BuiltIn("distinct", (listed,)), *otherwise)) if name in _OF_DISTINCT:
                self.gather_members(listed)
                self.gather_all(otherwise)
            case ir.IsEmpty(ir.BuiltIn("distinct", (listed,))):
                self.gather_members(listed)
            case ir.Within() if self.asks(expr.list):
                self.gather_members(expr.list)
                self.gather(expr.value)
            case ir.BuiltIn("min" | "max", (one, other)) if not isinstance(t.surely(one.type), t.ListOf | t.TableOf):
                self.gather_all((one, other))
            case _ if isinstance(expr, _MADE_OF_PARTS):
                self.gather_all(children(expr))
            case _:
                raise _Unfit

    def gather_all(self, exprs: Sequence[ir.Expr]) -> None:
        """The same for several."""
        for expr in exprs:
            self.gather(expr)

    def gather_members(self, expr: ir.Expr) -> None:
        """Note the fold of all members, in whatever order."""
        if not self.is_of_each(expr):
            raise _Unfit
        self.folds[expr] = MEMBERS  # which also says whether there is one alone

    def gather_test(self, expr: ir.Expr, it: int, test: ir.Expr) -> None:
        """Find what tells whether a member is less, or more, than a number that hangs on the whole set: the least of
        them, or the most.
        """
        match test:
            case ir.Compare("<" | "<=" | ">" | ">=", left, right):
                sign = test.operator
                if self.asks(left):
                    left, right, sign = right, left, ir.TURNED[sign]
                if self.asks(left) or self.asks(right, it):
                    raise _Unfit
                name, fold = ("min", LEAST) if sign in ("<", "<=") else ("max", MOST)
                each = ir.Each(expr, it, left, type=t.ListOf(left.type))
                self.folds[ir.BuiltIn(name, (each,), type=left.type)] = fold
                self.gather(right)
            case _:
                raise _Unfit

    def is_of_each(self, expr: ir.Expr) -> bool:
        """Tell whether a list is the set, or made of its members one by one."""
        match expr:
            case ir.Local(slot):
                return slot == self.slot
            case ir.Filter(of, _, body) | ir.Each(of, _, body):
                return self.is_of_each(of) and not self.asks(body)
        return False


def _tells_few_apart(comparison: ir.Compare, number: object) -> bool:
    """Tell whether a comparison of a count tells apart no more than none, one, and more than one."""
    is_turned = isinstance(comparison.left, ir.Const)
    sign = ir.TURNED.get(comparison.operator, comparison.operator) if is_turned else comparison.operator
    return isinstance(number, int) and number <= (2 if sign in ("<", ">=") else 1)
