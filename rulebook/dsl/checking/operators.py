"""The checker of what joins values: arithmetic, comparisons, and everything that goes through a list.

In: the two sides. Out: IR with the type of the answer. Never: lets a list pass for one card, or an amount for a number.
"""

from __future__ import annotations

from collections.abc import Iterable

from rulebook.diagnostics import did_you_mean
from rulebook.dsl import ir
from rulebook.dsl import syntax as s
from rulebook.dsl import types as t
from rulebook.dsl.checking.names import Names
from rulebook.dsl.checking.scope import bare, when_false, when_true
from rulebook.dsl.checking.wants import BROKEN, NUMERIC, is_zero, item, source


class Operators(Names):
    """What stands between values."""

    def _literal(self, value: int, unit: str | None, at: s.At) -> ir.Expr:
        if unit is None:
            return ir.Const(value, type=t.NUMBER, at=at)
        if unit not in self.world.units:
            if unit in ("card", "cards"):
                help = f"A number says how many, not which. Write `draw {value} from …`, or a name chosen before."
                return self.report("RB308", at, help, name=unit)
            help = did_you_mean(unit, self.world.units) or f"A number stands alone here: `{value}`."
            return self.report("RB308", at, help, name=unit)
        return ir.Const(value * self.world.units[unit], type=t.AMOUNT, at=at)

    def text(self, parts: tuple[str | s.Expr, ...], at: s.At | None) -> ir.Expr:
        """A text, with the values that stand in it."""
        if all(isinstance(part, str) for part in parts):
            return ir.Const("".join(part for part in parts if isinstance(part, str)), type=t.TEXT, at=at)
        joined = tuple(part if isinstance(part, str) else self.value(part) for part in parts)
        return ir.Joined(joined, type=t.TEXT, at=at)

    def _every(self, enumeration: str, at: s.At) -> ir.Expr:
        words = self.world.words.get(enumeration)
        if words is None:
            legal = [name for name in self.world.words if not name.startswith("options.")]
            return self.report("RB301", at, did_you_mean(enumeration, legal), wanted="list of words", name=enumeration)
        return ir.Const(tuple(words), type=t.ListOf(t.Symbol(enumeration)), at=at)

    def _listed(self, items: tuple[s.Expr, ...], at: s.At, expect: t.Type | None) -> ir.Expr:
        inner = expect.item if isinstance(expect, t.ListOf) else expect
        values = tuple(self.value(one, inner) for one in items)
        item = t.either(*(one.type for one in values)) if values else t.UNKNOWN
        sorts = {type(one) for one in t.members(item)}
        if t.Card in sorts and sorts & {t.Number, t.Player}:
            return self.report("RB401", at, what="A list", wanted="things of one sort", got=self.words(item))
        return ir.Listed(values, type=t.ListOf(item), at=at)

    def arithmetic(self, operator: str, left: ir.Expr, right: ir.Expr, at: s.At) -> ir.Expr:
        if t.UNKNOWN in (left.type, right.type):
            return BROKEN
        if operator == "+" and isinstance(left.type, t.ListOf) and isinstance(right.type, t.ListOf):
            known = [one for one in (left.type.item, right.type.item) if one != t.UNKNOWN]
            return ir.Chain(left, right, type=t.ListOf(t.either(*known) if known else t.UNKNOWN), at=at)
        for one in (left, right):
            if t.may_be_nothing(one.type):
                return self.unsure(one, one.at or at)
            if one.type not in NUMERIC:
                help = None
                if isinstance(one.type, t.ListOf):
                    help = "Of a list, `sum(value of …)` or `count(…)` is a number."
                return self.report(
                    "RB401",
                    one.at or at,
                    help,
                    what=f"What stands beside `{operator}`",
                    wanted="a number or an amount",
                    got=self.words(one.type),
                )
        amounts = (left.type == t.AMOUNT) + (right.type == t.AMOUNT)
        answer: t.Type = t.AMOUNT if amounts else t.NUMBER
        if operator in "+-" and amounts == 1 and not (is_zero(left) or is_zero(right)):
            return self.unitless((left if left.type == t.NUMBER else right).at or at)
        if operator == "*" and amounts == 2:
            return self.report("RB401", at, what="An amount times", wanted="a number", got="an amount")
        if operator in "/%":
            if amounts == 2:
                answer = t.NUMBER if operator == "/" else t.AMOUNT
            elif amounts and left.type != t.AMOUNT:
                return self.unitless(left.at or at)
        return ir.Arithmetic(operator, left, right, type=answer, at=at)

    def _compare(self, operator: str, left: s.Expr, right: s.Expr, at: s.At) -> ir.Expr:
        if operator in ("in", "not in"):
            return self._negated(self._within(left, right, at), operator == "not in")
        if operator in ("is", "is not"):
            return self._negated(self._is(left, right, at), operator == "is not")
        one, two = self.value(left), self.value(right)
        if t.UNKNOWN in (one.type, two.type):
            return BROKEN
        for expr, tree in ((one, left), (two, right)):
            if t.may_be_nothing(expr.type):
                return self.unsure(expr, tree.at)
            if expr.type not in NUMERIC:
                help = f"`count({source(tree)})` is a number." if isinstance(expr.type, t.ListOf) else None
                return self.report(
                    "RB401",
                    tree.at,
                    help,
                    what=f"What stands beside `{operator}`",
                    wanted="a number or an amount",
                    got=self.words(expr.type),
                )
        if one.type != two.type and not (is_zero(one) or is_zero(two)):
            return self.unitless((left if one.type == t.NUMBER else right).at)
        return ir.Compare(operator, one, two, type=t.YES_NO, at=at)

    def _negated(self, expr: ir.Expr, negated: bool) -> ir.Expr:
        if not negated or expr.type == t.UNKNOWN:
            return expr
        return ir.Not(expr, type=t.YES_NO, at=expr.at)

    def _is(self, left: s.Expr, right: s.Expr, at: s.At) -> ir.Expr:
        one = self.value(left)
        if one.type == t.UNKNOWN:
            return BROKEN
        kind = t.surely(one.type)
        objects = bool(t.members(kind)) and all(isinstance(x, t.Card | t.Action) for x in t.members(kind))
        cards = isinstance(kind, t.ListOf) and isinstance(t.surely(kind.item), t.Card)
        name = right.name if isinstance(right, s.Word) else ""
        symbol = any(word == name for word, _ in self.world.symbols(kind))
        known = name in self.scope.bound
        if objects and not symbol and not known:
            if name in ("face_up", "face_down"):
                return self._negated(ir.IsFaceUp(one, type=t.YES_NO, at=at), name == "face_down")
            if name in self.world.concrete:
                return ir.IsKind(one, self.world.concrete[name], type=t.YES_NO, at=at)
            definitions = self.definition(right) or ((name,) if name in self.world.actions else ())
            if definitions:
                kinds = frozenset(self.world.cards[id].kind for id in definitions if id in self.world.cards)
                return ir.IsCard(one, frozenset(definitions), kinds, type=t.YES_NO, at=at)
        if cards and not known:
            if isinstance(right, s.Listed) and all(self.definition(item) for item in right.items):
                wanted = tuple(self.definition(item)[0] for item in right.items)
                ordered = (
                    isinstance(one, ir.Cards)
                    and isinstance(one.place.type, t.Place)
                    and one.place.type.kept in ("row", "pile", "grid")
                )
                return ir.SameCards(one, wanted, ordered, type=t.YES_NO, at=at)
            if name in self.world.concrete or self.definition(right):
                help = f"Did you mean `any({source(left)} where it is {source(right)})`?"
                return self.report("RB403", at, help, left=source(left), right=source(right))
        two = self.value(right, one.type)
        if t.UNKNOWN in (one.type, two.type):
            return BROKEN
        if two.type == t.NOTHING:
            return ir.IsNothing(one, type=t.YES_NO, at=at)
        if is_zero(two) and one.type == t.AMOUNT:
            return ir.Compare("==", one, two, type=t.YES_NO, at=at)
        if not t.agree(one.type, two.type):
            if isinstance(kind, t.ListOf) != isinstance(t.surely(two.type), t.ListOf):
                help = f"Did you mean `{source(right)} in {source(left)}`, or `count({source(left)})`?"
                return self.report("RB403", at, help, left=source(left), right=source(right))
            if {kind, t.surely(two.type)} == {t.NUMBER, t.AMOUNT}:
                return self.unitless((left if kind == t.NUMBER else right).at)
            return self.report(
                "RB401",
                right.at,
                what=f"What `{source(left)}` is compared with",
                wanted=self.words(kind),
                got=self.words(two.type),
            )
        return ir.Compare("==", one, two, type=t.YES_NO, at=at)

    def _within(self, left: s.Expr, right: s.Expr, at: s.At) -> ir.Expr:
        one = self.value(left)
        listed = self.value(right, t.ListOf(one.type))
        if t.UNKNOWN in (one.type, listed.type):
            return BROKEN
        if not isinstance(listed.type, t.ListOf):
            return self.report(
                "RB401",
                right.at,
                what="What stands after `in`",
                wanted="a list or a place",
                got=self.words(listed.type),
            )
        if not t.agree(one.type, listed.type.item):
            return self.report(
                "RB401",
                left.at,
                what="What may be in that list",
                wanted=self.words(listed.type.item),
                got=self.words(one.type),
            )
        return ir.Within(one, listed, type=t.YES_NO, at=at)

    def _empty(self, tree: s.Expr, at: s.At) -> ir.Expr:
        expr = self.raw(tree)
        if isinstance(expr.type, t.Place):
            if expr.type.kept == "pool":
                count = ir.Pieces(expr, type=t.NUMBER, at=at)
                return ir.Compare("==", count, ir.Const(0, type=t.NUMBER), type=t.YES_NO, at=at)
            if expr.type.kept == "slot":
                return ir.IsNothing(self.contents(expr), type=t.YES_NO, at=at)
        if isinstance(expr.type, t.Cell) or (t.may_be_nothing(expr.type) and not isinstance(expr.type, t.ListOf)):
            return ir.IsNothing(expr, type=t.YES_NO, at=at)
        expr = self.contents(expr)
        if expr.type == t.UNKNOWN:
            return BROKEN
        if isinstance(expr.type, t.ListOf):
            return ir.IsEmpty(expr, type=t.YES_NO, at=at)
        help = f"Of one thing, ask `{source(tree)} is nothing`."
        return self.report(
            "RB401", tree.at, help, what="What may be empty", wanted="a list or a place", got=self.words(expr.type)
        )

    def _something(self, tree: s.Expr, at: s.At) -> ir.Expr:
        expr = self.value(tree)
        if isinstance(expr.type, t.ListOf):
            return self.report(
                "RB403", at, f"Of a list, ask `{source(tree)} is not empty`.", left=source(tree), right="something"
            )
        return ir.Not(ir.IsNothing(expr, type=t.YES_NO, at=at), type=t.YES_NO, at=at)

    # ── lists ────────────────────────────────────────────────────────────────────────────────────────────────────

    def _where(self, listed_tree: s.Expr, condition: s.Expr, at: s.At) -> ir.Expr:
        listed = self.listed(listed_tree, "What stands before `where`")
        with self.scope.element("it", item(listed.type)) as slot:
            asked = self.question(condition)
            here = self.scope.local(slot, None)
            narrowed = when_true(asked).get(bare(here), item(listed.type))
        return ir.Filter(listed, slot, asked, type=t.ListOf(narrowed), at=at)

    def keys(self, keys: Iterable[s.Key]) -> tuple[ir.Key, ...]:
        """The keys of an order, about `it`."""
        found = []
        for key in keys:
            value = self.value(key.value)
            if value.type != t.UNKNOWN and value.type not in NUMERIC:
                if t.may_be_nothing(value.type):
                    value = self.unsure(value, key.value.at)
                else:
                    value = self.report(
                        "RB401",
                        key.value.at,
                        what="What an order goes by",
                        wanted="a number or an amount",
                        got=self.words(value.type),
                    )
            found.append(ir.Key(key.most, value))
        return tuple(found)

    def _ordered(self, listed_tree: s.Expr, keys: tuple[s.Key, ...], at: s.At, *, best: bool) -> ir.Expr:
        listed = self.listed(listed_tree, "What is ordered")
        with self.scope.element("it", item(listed.type)) as slot:
            found = self.keys(keys)
        node = ir.Best if best else ir.Sorted
        return node(listed, slot, found, type=listed.type, at=at)

    def _of(self, name: str, listed_tree: s.Expr, at: s.At) -> ir.Expr:
        listed = self.listed(listed_tree, f"What stands after `{name} of`")
        member = item(listed.type)
        if t.UNKNOWN in (listed.type, member):
            return BROKEN
        with self.scope.element("it", member) as slot:
            body = self.of(self.scope.local(slot, at), name, at)
            if body is None:
                return self._no_such(self.scope.local(slot, at), name, at, "it")
            if isinstance(body.type, t.Place) and body.type.kept == "pool":
                return self.report(
                    "RB401", at, what=f"`{name}`", wanted="something that can be listed", got="a pool of pieces"
                )
            if isinstance(body.type, t.Place):
                body = ir.Cards(body, type=t.ListOf(t.Card(body.type.holds)), at=at)
        if isinstance(body.type, t.ListOf):
            return ir.Each(listed, slot, body, flat=True, type=body.type, at=at)
        return ir.Each(listed, slot, body, type=t.ListOf(t.surely(body.type)), at=at)

    def _if_else(self, condition: s.Expr, then: s.Expr, otherwise: s.Expr, at: s.At, expect: t.Type | None) -> ir.Expr:
        asked = self.question(condition)
        with self.scope.assuming(when_true(asked)):
            one = self.value(then, expect)
        with self.scope.assuming(when_false(asked)):
            two = self.value(otherwise, expect if expect is not None else one.type)
        if t.UNKNOWN in (one.type, two.type):
            return BROKEN
        kind = t.either(one.type, two.type)
        if {one.type, two.type} == {t.NUMBER, t.AMOUNT}:
            if not (is_zero(one) or is_zero(two)):
                return self.unitless((then if one.type == t.NUMBER else otherwise).at)
            kind = t.AMOUNT
        return ir.IfElse(asked, one, two, type=kind, at=at)
