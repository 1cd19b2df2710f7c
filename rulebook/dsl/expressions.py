"""The checker of expressions: from what was written to what it means, with its type.

In: a syntax expression, a scope, the world, and what type is expected where that matters (for a bare word).
Out: an IR expression; a broken one has type UNKNOWN and is reported once. Never: binds a name that outlives it.

The parts: `wants` (what callers ask for), `names` (what words mean), `operators` (what joins values).
"""

from __future__ import annotations

from rulebook.dsl import ir
from rulebook.dsl import syntax as s
from rulebook.dsl import types as t
from rulebook.dsl.layering import original_here
from rulebook.dsl.operators import Operators
from rulebook.dsl.ranges import too_many
from rulebook.dsl.scope import when_false, when_true
from rulebook.dsl.wants import BROKEN, item

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
        match tree:  # what is written most comes first
            case s.Word(name):
                return self.word(name, tree.at, expect)
            case s.Number(value, unit):
                return self._literal(value, unit, tree.at)
            case s.Dot():
                return self._dot(tree)
            case s.Compare(operator, left, right):
                return self._compare(operator, left, right, tree.at)
            case s.Call(name, arguments):
                return self._call(name, arguments, tree.at)
            case s.Text(parts):
                return self.text(parts, tree.at)
            case s.YesNo(value):
                return ir.Const(value, type=t.YES_NO, at=tree.at)
            case s.Nothing():
                return ir.Const(None, type=t.NOTHING, at=tree.at)
            case s.OriginalAnswer():
                original = original_here(self, tree.at, question=True)
                return BROKEN if original is None else original.call(self, tree.at)
            case s.Every(enumeration):
                return self._every(enumeration, tree.at)
            case s.Listed(items):
                return self._listed(items, tree.at, expect)
            case s.Method(owner, name, arguments):
                return self._method(owner, name, arguments, tree.at)
            case s.Index(owner, key):
                return self._index(owner, key, tree.at)
            case s.Negative(value):
                inner = self.value(value)
                zero = ir.Const(0, type=inner.type, at=tree.at)
                return self.arithmetic("-", zero, inner, tree.at)
            case s.ClockwiseFrom(start):
                player = self.want(self.value(start), t.maybe(t.PLAYER), start.at, "The start")
                return ir.Clockwise(player, type=t.ListOf(t.PLAYER), at=tree.at)
            case s.Arithmetic(operator, left, right):
                return self.arithmetic(operator, self.value(left), self.value(right), tree.at)
            case s.Range(first, last):
                low, high = self.number(first), self.number(last)
                self.found += too_many(low, high, tree.at, self.where)
                return ir.Span(low, high, type=t.ListOf(t.NUMBER), at=tree.at)
            case s.IsEmpty(value, negated):
                return self._negated(self._empty(value, tree.at), negated)
            case s.IsSomething(value, negated):
                return self._negated(self._something(value, tree.at), negated)
            case s.Not(value):
                return ir.Not(self.question(value), type=t.YES_NO, at=tree.at)
            case s.And(left, right):
                one = self.question(left)
                with self.scope.assuming(when_true(one)):
                    return ir.And(one, self.question(right, left), type=t.YES_NO, at=tree.at)
            case s.Or(left, right):
                one = self.question(left)
                with self.scope.assuming(when_false(one)):
                    return ir.Or(one, self.question(right, left), type=t.YES_NO, at=tree.at)
            case s.Where(list, condition):
                return self._where(list, condition, tree.at)
            case s.Sorted(list, keys):
                return self._ordered(list, keys, tree.at, best=False)
            case s.With(list, keys):
                return self._ordered(list, keys, tree.at, best=True)
            case s.Of(name, list):
                return self._of(name, list, tree.at)
            case s.IfElse(condition, then, otherwise):
                return self._if_else(condition, then, otherwise, tree.at, expect)
            case s.For(body, name, list):
                listed = self.listed(list)
                self.new_name(name, self._walked(tree))
                with self.scope.element(name, item(listed.type)) as slot:
                    inner = self.value(body)
                return ir.Each(listed, slot, inner, type=t.ListOf(t.surely(inner.type)), at=tree.at)
