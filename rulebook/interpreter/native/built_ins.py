"""The questions that are built into the language, printed.

In: an `ir.BuiltIn`. Out: text that answers it. Never: a question that a rulebook names.
"""

from __future__ import annotations

from rulebook.dsl import ir
from rulebook.dsl import types as t
from rulebook.dsl.walk import nodes
from rulebook.interpreter.native import words
from rulebook.interpreter.native.loops import NEAR, Member
from rulebook.interpreter.native.paper import CannotPrint
from rulebook.interpreter.native.plan import Asked
from rulebook.interpreter.native.questions import Questions

MOST_PARTS, MOST_WITHIN = 30, 4
"""How large a question may be that is answered where it is asked, and how many may be within each other."""
WHOLE = {"rows": "each_line(s, {}, ROW_OF)", "columns": "each_line(s, {}, COLUMN_OF)", "cells": "cells(s, {})"}
"""What is asked about a whole row or grid."""


def is_small(body: ir.Body) -> bool:
    """Whether a question is answered where it is asked."""
    return len([*nodes(body)]) <= MOST_PARTS


class BuiltIns(Questions):
    """Prints what stands in one script or question."""

    def built_in(self, expr: ir.BuiltIn) -> str:
        """The answer to a question that is built in."""
        match expr.name, expr.arguments:
            case "any", (ir.Each(list, slot, body, False),) if body.type == t.YES_NO:
                return self.decided(list, True, lambda one, decides: self.when(slot, one, body, decides))
            case "all", (ir.Each(list, slot, body, False),) if body.type == t.YES_NO:
                return self.decided(list, False, lambda one, decides: self.unless(slot, one, body, decides))
            case "any", (ir.Filter(list, slot, condition),) if condition.type == t.YES_NO:
                return self.decided(list, True, lambda one, decides: self.when(slot, one, condition, decides))
            case "any", (one,):
                return self.any_of(one)
            case "all", (one,):
                return self.decided(one, False, lambda each, decides: self.unless_true(each, decides))
            case "sum", (one,):
                return self.sum(one)
            case "count", (one,):
                if isinstance(t.surely(one.type), t.PerPlayer):
                    return self.answered(one)
                return self.count(one)
            case ("min" | "max") as which, (first, *rest):
                return self.extreme(which, first, rest)
            case "distinct", (one,):
                name = self.new_list()
                known = f"{name}[MASK] & BIT({{0}})" if words.has_mask(self, one) else f"holds(s, {name}, {{0}})"
                self.through(one, lambda each: self.put(f"if (!({known})) push(s, &{name}, {{0}});".format(each)))
                return self.kept(f"handle(s, {name})")
            case ("first" | "last") as which, (one, *count):
                return self.end_of(which, one, count)
            case "holder", (card,):
                return f"holder(s, {self.sure(card)})"
            case name, (one,) if name in NEAR:
                return self.answer(Asked("near"), [self.sure(one), NEAR[name]])
            case name, (one,) if name in WHOLE:
                return self.kept(WHOLE[name].format(self.place(one)))
            case "lines", (one, size):
                return self.kept(f"lines(s, {self.place(one)}, {self.sure(size)})")
        raise CannotPrint(f"the question `{expr.name}`", expr.at)

    def inside(self, name: str, arguments: tuple[ir.Expr, ...]) -> tuple[BuiltIns, ir.Expr] | None:
        """A question that is answered where it is asked: who prints it, and its expression; None if it is called."""
        body = self.answered_inside(name, self.asked_in)
        if body is None:
            return None
        there = BuiltIns(self.plan, name, self.lacks)
        there.names = {slot: self.simple(self.expr(one)) for slot, one in enumerate(arguments)}
        there.asked_in = (*self.asked_in, name)
        return there, body

    def answered_inside(self, name: str, asked: tuple[str, ...]) -> ir.Expr | None:
        """The expression of a question that is answered where it is asked, within others; None if it is called."""
        body = None if name in asked or len(asked) == MOST_WITHIN else self.plan.body(name)
        return body if isinstance(body, ir.Node) and is_small(body) else None

    def unless(self, slot: int, one: str, body: ir.Expr, decides: Member) -> None:
        """What was answered, and with no, decides."""
        with self.calling(slot, one):
            answer = self.simple(self.expr(body))
        with self.paper.inside(f"if ({answer} == 0)"):
            decides(answer)

    def unless_true(self, one: str, decides: Member) -> None:
        with self.paper.inside(f"if (!is_true(s, {one}))"):
            decides(one)

    def any_of(self, several: ir.Expr) -> str:
        of = several.type
        if not (isinstance(of, t.ListOf) and of.item == t.YES_NO):
            return self.some(several)

        def member(one: str, decides: Member) -> None:
            with self.paper.inside(f"if (is_true(s, {one}))"):
                decides(one)

        return self.decided(several, True, member)

    def sum(self, several: ir.Expr) -> str:
        found = self.kept("0")
        holds_nothing = self.plan.book.absence.holds(self.name, several)

        def member(one: str) -> None:
            if holds_nothing:
                self.lack(f"{one} == NOTHING")
            self.put(f"{found} += {one};")

        self.through(several, member)
        return f"bounded(s, {found})"

    def answered(self, answers: ir.Expr) -> str:
        """How many of several players have answered something."""
        found = self.kept("0")
        self.members(self.sure(answers), lambda one: self.put(f"{found} += {one} != NOTHING;"))
        return found

    def extreme(self, which: str, first: ir.Expr, rest: list[ir.Expr]) -> str:
        better = "<" if which == "min" else ">"
        if not isinstance(t.surely(first.type), t.ListOf):
            found = self.kept(self.sure(first))
            for one in rest:
                other = self.simple(self.expr(one))
                self.put(f"if ({other} == NOTHING || {found} == NOTHING) {found} = NOTHING;")
                self.put(f"else if ({other} {better} {found}) {found} = {other};")
            return found
        found, any_there = self.kept("NOTHING"), rest and self.simple(self.expr(rest[0]))
        self.through(
            first,
            lambda one: self.put(
                f"if ({one} != NOTHING && ({found} == NOTHING || {one} {better} {found})) {found} = {one};"
            ),
        )
        return self.kept(f"{found} == NOTHING ? {any_there} : {found}") if any_there else found

    def end_of(self, which: str, several: ir.Expr, count: list[ir.Expr]) -> str:
        if count:
            list = self.simple(self.sure(several))
            return self.kept(f"{which}_of(s, {list}, {self.sure(count[0])})")
        if which == "first":
            if isinstance(several, ir.Cards):
                return self.first_in(several.place)
            if isinstance(several, ir.Filter | ir.Each | ir.CallValue):
                first = self.kept("NOTHING")

                def is_first(one: str, decides: Member) -> None:
                    self.put(f"{first} = {one};")
                    decides(one)

                self.decided(several, True, is_first)
                return first
        list = self.simple(self.sure(several))
        where = "1" if which == "first" else f"length(s, {list})"
        return self.kept(f"length(s, {list}) ? list_at(s, {list})[{where}] : NOTHING")
