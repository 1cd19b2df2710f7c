"""Lists, printed where one is needed, and what is asked about lists.

In: an `ir.Expr` that is a list. Out: a list in the arena of the state, or an answer. Never: makes a list that is only
gone through.
"""

from __future__ import annotations

from collections.abc import Callable

from rulebook.dsl import ir
from rulebook.dsl import types as t
from rulebook.interpreter.compiled.settled import is_settled, settled
from rulebook.interpreter.native import sets, words
from rulebook.interpreter.native.loops import MOST_UNROLLED, NEAR, Loops, Member
from rulebook.interpreter.native.paper import CannotPrint


class Lists(Loops):
    """Prints what stands in one script or question."""

    # ── lists that are made ──

    def list_of(self, expr: ir.Expr) -> str:
        """A list that is made now."""
        match expr:
            case ir.Sorted(list, slot, keys):
                return self.in_order("sorted", list, slot, keys)
            case ir.Best(list, slot, keys):
                return self.in_order("best", list, slot, keys)
            case ir.Listed(items):
                values = [self.simple(self.expr(item)) for item in items]
                name = self.new_list()
                for value in values:
                    self.put(f"push(s, &{name}, {value});")
                return self.kept(f"handle(s, {name})")
        name = self.new_list()
        self.through(expr, lambda one: self.put(f"push(s, &{name}, {one});"))
        return self.kept(f"handle(s, {name})")

    def in_order(self, how: str, several: ir.Expr, slot: int, keys: tuple[ir.Key, ...]) -> str:
        if len(keys) > 8:
            raise CannotPrint("an order by more than eight things", several.at)
        values, known = self.new_list(), self.new_list()

        def member(one: str) -> None:
            with self.calling(slot, one):
                found = [f"{'' if key.most else '-'}{self.simple(self.sure(key.value))}" for key in keys]
            self.put(f"push(s, &{values}, {one});")
            for value in found:
                self.put(f"push(s, &{known}, {value});")

        self.through(several, member)
        return self.kept(f"{how}(s, {values}, {known}, {len(keys)})")

    # ── what is asked about lists ──

    def count(self, list: ir.Expr) -> str:
        """How many there are: members of a list, or pieces of a pool."""
        if isinstance(t.surely(list.type), t.Place):
            return f"{'count_in(s, {})' if self.kept_as(list) in ('grid', '') else 's->n[{}]'}".format(self.place(list))
        if is_settled(self.plan.book, list):
            return str(len(settled(self.plan.book, list)))
        if (part := sets.part_of(self, list)) is not None:
            return sets.count(self, part)
        if not isinstance(list, words.STANDS) and words.has_mask(self, list):
            with self.paper.elsewhere() as lines:
                mask = words.mask_of(self, list)
            if mask.once:
                self.paper.lines += lines
                return f"many({mask.text})"
        if isinstance(list, ir.Cards) and self.kept_as(list.place) not in ("grid", "pool", ""):
            return f"s->n[{self.place(list.place)}]"
        if is_gone_through(list):
            found = self.kept("0")
            self.through(list, lambda one: self.put(f"{found}++;"))
            return found
        return f"length(s, {self.sure(list)})"

    def decided(self, list: ir.Expr, decisive: bool, member: Callable[[str, Member], None]) -> str:
        """`any` and `all`: what comes behind the deciding member is not asked; if the list may ask something of nothing
        on the way, it is gone through to its end. `member` prints, for the name of one, what is put where it decides.
        """
        found, number = self.kept(str(int(not decisive))), self.paper.fresh()
        loop, before = self.begun(list), self.lacking
        with self.paper.elsewhere():
            loop(lambda one: None)
        whole = self.lacking > before

        def decides(_: str) -> None:
            self.put(f"{found} = {int(decisive)};")
            if not whole:
                self.put(f"goto D{number};")

        def unless_decided(one: str) -> None:
            with self.paper.inside(f"if ({found} == {int(not decisive)})" if whole else ""):
                member(one, decides)

        loop(unless_decided)
        self.put(f"D{number}:;")
        return found

    def some(self, list: ir.Expr) -> str:
        """Whether there are any."""
        part = sets.part_of(self, list)
        if part is not None and not part.conditions:
            return sets.some(part)
        if is_gone_through(list) and not is_settled(self.plan.book, list):
            if words.has_mask(self, list):
                return f"({words.mask_of(self, list).text} != 0)"
            return self.decided(list, True, lambda one, decides: decides(one))
        return f"({self.count(list)} > 0)"

    def within(self, value: ir.Expr, list: ir.Expr) -> str:
        """`x in S`."""
        one = self.simple(self.expr(value))
        if is_settled(self.plan.book, list):
            members = [self.constant(other) for other in settled(self.plan.book, list)]
            flat = not any(other.startswith("(LIST") for other in members)
            if flat and len(members) <= 2 * MOST_UNROLLED:
                return f"({' || '.join(f'{one} == {other}' for other in members) or '0'})"
        if words.has_mask(self, list):
            there = f"{words.mask_of(self, list).text} >> ({one} & 63) & 1"
            return f"({one} != NOTHING && ({there}))" if self.may(value) else f"({there})"

        def equal(other: str, decides: Member) -> None:
            equal = f"{one} == {other}" if is_flat(value.type) else f"same(s, {one}, {other})"
            with self.paper.inside(f"if ({equal})"):
                decides(other)

        return self.decided(list, True, equal)


def is_gone_through(list: ir.Expr) -> bool:
    """Whether to go through a list is less than to make it."""
    near = isinstance(list, ir.BuiltIn) and list.name in NEAR and isinstance(list.arguments[0].type, t.Card)
    return near or isinstance(list, ir.Filter | ir.Each | ir.CallValue)


def is_flat(of: t.Type) -> bool:
    """Whether a value of this type is never a list, so that equal ones are the same number."""
    return bool(t.members(of)) and not any(isinstance(one, t.ListOf | t.PerPlayer | t.Cell) for one in t.members(of))
