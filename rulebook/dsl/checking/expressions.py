"""The checker of expressions: from what was written to what it means, with its type.

In: a syntax expression, a scope, the world, and what type is expected where that matters (for a bare word).
Out: an IR expression; a broken one has type UNKNOWN and is reported once. Never: binds a name that outlives it.

The parts: `wants` (what callers ask for), `names` (what words mean), `operators` (what joins values).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from rulebook.dsl import ir
from rulebook.dsl import syntax as s
from rulebook.dsl import types as t
from rulebook.dsl.checking.operators import Operators
from rulebook.dsl.checking.ranges import too_many
from rulebook.dsl.checking.scope import when_false, when_true
from rulebook.dsl.checking.wants import BROKEN, item

__all__ = ["BROKEN", "Expressions"]


class Expressions(Operators):
    """Every form of expression."""

    @staticmethod
    def _walked(tree: s.For) -> s.At:
        """Where the name of a `for` stands."""
        text = tree.at.scalar.text
        start = text.index(tree.name, text.index("for", tree.body.at.end) + len("for"))
        return s.At(tree.at.scalar, start, start + len(tree.name))

    def raw(self, tree: s.Expr, expect: t.Type | None = None) -> ir.Expr:
        """The meaning of an expression, a place still being the place."""
        return _FORMS[type(tree)](self, tree, expect)

    def _original(self, tree: s.OriginalAnswer) -> ir.Expr:
        original = self.original_at(tree.at, question=True)
        return BROKEN if original is None else original.call(self.scope, tree.at)

    def _negative(self, tree: s.Negative) -> ir.Expr:
        inner = self.value(tree.value)
        return self.arithmetic("-", ir.Const(0, type=inner.type, at=tree.at), inner, tree.at)

    def _clockwise(self, tree: s.ClockwiseFrom) -> ir.Expr:
        player = self.want(self.value(tree.start), t.maybe(t.PLAYER), tree.start.at, "The start")
        return ir.Clockwise(player, type=t.ListOf(t.PLAYER), at=tree.at)

    def _range(self, tree: s.Range) -> ir.Expr:
        low, high = self.number(tree.first), self.number(tree.last)
        self.found += too_many(low, high, tree.at, self.where)
        return ir.Span(low, high, type=t.ListOf(t.NUMBER), at=tree.at)

    def _and(self, tree: s.And) -> ir.Expr:
        one = self.question(tree.left)
        with self.scope.assuming(when_true(one)):
            return ir.And(one, self.question(tree.right, tree.left), type=t.YES_NO, at=tree.at)

    def _or(self, tree: s.Or) -> ir.Expr:
        one = self.question(tree.left)
        with self.scope.assuming(when_false(one)):
            return ir.Or(one, self.question(tree.right, tree.left), type=t.YES_NO, at=tree.at)

    def _for(self, tree: s.For) -> ir.Expr:
        listed = self.listed(tree.list)
        self.new_name(tree.name, self._walked(tree))
        with self.scope.element(tree.name, item(listed.type)) as slot:
            inner = self.value(tree.body)
        return ir.Each(listed, slot, inner, type=t.ListOf(t.surely(inner.type)), at=tree.at)


_FORMS: dict[type, Callable[[Expressions, Any, t.Type | None], ir.Expr]] = {
    s.Word: lambda e, tree, expect: e.word(tree.name, tree.at, expect),
    s.Number: lambda e, tree, _: e._literal(tree.value, tree.unit, tree.at),
    s.Text: lambda e, tree, _: e.text(tree.parts, tree.at),
    s.YesNo: lambda e, tree, _: ir.Const(tree.value, type=t.YES_NO, at=tree.at),
    s.Nothing: lambda e, tree, _: ir.Const(None, type=t.NOTHING, at=tree.at),
    s.OriginalAnswer: lambda e, tree, _: e._original(tree),
    s.Every: lambda e, tree, _: e._every(tree.enumeration, tree.at),
    s.Listed: lambda e, tree, expect: e._listed(tree.items, tree.at, expect),
    s.Dot: lambda e, tree, _: e._dot(tree),
    s.Method: lambda e, tree, _: e._method(tree.owner, tree.name, tree.arguments, tree.at),
    s.Index: lambda e, tree, _: e._index(tree.owner, tree.key, tree.at),
    s.Call: lambda e, tree, _: e._call(tree.name, tree.arguments, tree.at),
    s.Negative: lambda e, tree, _: e._negative(tree),
    s.ClockwiseFrom: lambda e, tree, _: e._clockwise(tree),
    s.Arithmetic: lambda e, tree, _: e.arithmetic(tree.operator, e.value(tree.left), e.value(tree.right), tree.at),
    s.Range: lambda e, tree, _: e._range(tree),
    s.Compare: lambda e, tree, _: e._compare(tree.operator, tree.left, tree.right, tree.at),
    s.IsEmpty: lambda e, tree, _: e._negated(e._empty(tree.value, tree.at), tree.negated),
    s.IsSomething: lambda e, tree, _: e._negated(e._something(tree.value, tree.at), tree.negated),
    s.Not: lambda e, tree, _: ir.Not(e.question(tree.value), type=t.YES_NO, at=tree.at),
    s.And: lambda e, tree, _: e._and(tree),
    s.Or: lambda e, tree, _: e._or(tree),
    s.Where: lambda e, tree, _: e._where(tree.list, tree.condition, tree.at),
    s.Sorted: lambda e, tree, _: e._ordered(tree.list, tree.keys, tree.at, best=False),
    s.With: lambda e, tree, _: e._ordered(tree.list, tree.keys, tree.at, best=True),
    s.Of: lambda e, tree, _: e._of(tree.name, tree.list, tree.at),
    s.IfElse: lambda e, tree, expect: e._if_else(tree.condition, tree.then, tree.otherwise, tree.at, expect),
    s.For: lambda e, tree, _: e._for(tree),
}
"""Of each form of expression what it means. A `match` would ask of it whether it is the first, the second …"""
