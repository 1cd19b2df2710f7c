"""What every check of an expression shares: reporting, narrowing, and asking for a value of a certain type.

In: a syntax expression and what is wanted of it. Out: an IR expression that is that, or BROKEN and one message.
Never: knows the forms of the language; `meaning` is left to the class that does.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable
from typing import Any

from rulebook.diagnostics import Diagnostic, diagnose
from rulebook.dsl import ir
from rulebook.dsl import syntax as s
from rulebook.dsl import types as t
from rulebook.dsl.checking import advice
from rulebook.dsl.checking.layering import Original, misused
from rulebook.dsl.checking.scope import Scope, bare
from rulebook.dsl.world import World
from rulebook.record import evolve

BROKEN = ir.Const(None, type=t.UNKNOWN)
NUMERIC = (t.NUMBER, t.AMOUNT)


class Wants:
    """Checks the expressions of one script; `value_type` finds what a value answers (checking it first if need be)."""

    def __init__(
        self, world: World, scope: Scope, where: str, found: list[Diagnostic], value_type: Callable[[str], t.Type]
    ) -> None:
        self.world, self.scope, self.where, self.found = world, scope, where, found
        self.value_type = value_type
        self.original: Original | None = None

    @abstractmethod
    def raw(self, tree: s.Expr, expect: t.Type | None = None) -> ir.Expr:
        """The meaning of an expression, a place still being the place."""

    # ── reporting ────────────────────────────────────────────────────────────────────────────────────────────────

    def report(self, code: str, at: s.At | None, help: str | None = None, **values: Any) -> ir.Expr:
        """Says what is wrong, once, and gives back what agrees with everything."""
        self.found.append(diagnose(code, at.span if at else None, where=self.where, help=help or None, **values))
        return BROKEN

    def original_at(self, at: s.At, *, question: bool) -> Original | None:
        """What `original` stands for at a place; None and a message where it stands for nothing, or not in this way."""
        wrong = misused(self.original, at, question=question)
        if wrong is None:
            return self.original
        problem, help = wrong
        self.report("RB309", at, help, problem=problem)
        return None

    def unsure(self, expr: ir.Expr, at: s.At | None) -> ir.Expr:
        """Says that this may be nothing: the thing asked about where that is why, else the answer itself."""
        match expr:
            case ir.PlayerMemory(_, inner) | ir.State(_, inner) | ir.Attribute(_, inner) | ir.Neighbour(inner, _):
                about: tuple[ir.Expr, ...] = (inner,)
            case ir.CallValue(_, about):
                pass
            case ir.AskHook(_, inner, more):
                about = (inner, *more)
            case _:
                about = ()
        for one in about:
            if t.may_be_nothing(one.type) and one.at is not None:
                return self.unsure(one, one.at)
        return self.report("RB404", at, name=words_at(at))

    def given_on(self, slot: int) -> str:
        """Why a parameter cannot be set: what lies beneath this script is given it too; empty if it can."""
        if self.original is None or slot not in self.original.given:
            return ""
        name = self.scope.names[slot]
        return f"`original` is done with it as it was given. Use another name: `let the_{name} = …`."

    def words(self, of: t.Type) -> str:
        """A type for people."""
        return self.world.describe(of)

    # ── what callers ask for ─────────────────────────────────────────────────────────────────────────────────────

    def value(self, tree: s.Expr, expect: t.Type | None = None) -> ir.Expr:
        """Any value. A place means its cards (a slot its card); a pool stays the place it is."""
        expr = self.raw(tree, expect)
        if isinstance(expr.type, t.Place):
            return self.contents(expr)
        return self.narrowed(expr) if self.scope.facts else expr

    def contents(self, expr: ir.Expr) -> ir.Expr:
        """A place read as a value."""
        kind = expr.type
        if not isinstance(kind, t.Place) or kind.kept == "pool":
            return self.narrowed(expr)
        if kind.kept == "slot":
            return self.narrowed(ir.TheCard(expr, type=t.Card(kind.holds), at=expr.at))
        return ir.Cards(expr, type=t.ListOf(t.Card(kind.holds)), at=expr.at)

    def narrowed(self, expr: ir.Expr) -> ir.Expr:
        """The expression with what has been asked of it before."""
        facts = self.scope.facts
        if not facts or type(expr) not in map(type, facts):
            return expr
        known = facts.get(bare(expr))
        return expr if known is None else typed(expr, known)

    def question(self, tree: s.Expr, beside: s.Expr | None = None) -> ir.Expr:
        """A yes or no; `beside` is the question on the other side of an `or` or `and`."""
        expr = self.value(tree)
        if t.fits(expr.type, t.YES_NO):
            return expr
        if t.may_be_nothing(expr.type) and t.fits(t.surely(expr.type), t.YES_NO):
            return self.unsure(expr, tree.at)
        help = None
        if isinstance(expr.type, t.ListOf):
            help = f"To ask whether there is any, write `any({source(tree)})` or `{source(tree)} is not empty`."
        elif t.fits(expr.type, t.NUMBER) or t.fits(expr.type, t.AMOUNT):
            help = f"Compare it, for example `{source(tree)} > 0`."
        if isinstance(beside, s.Compare):
            help = f"Each side is a whole question: say before `{source(tree)}` again what is compared with it."
        return self.report("RB402", tree.at, help, got=self.words(expr.type))

    def number(self, tree: s.Expr, what: str = "This") -> ir.Expr:
        """A number without a unit."""
        if isinstance(tree, s.Number) and tree.unit is not None and tree.unit not in self.world.units:
            help = f"Write only the number: `{tree.value}`."
            return self.report("RB308", tree.at, help, name=tree.unit)
        return self.want(self.value(tree, t.NUMBER), t.NUMBER, tree.at, what)

    def listed(self, tree: s.Expr, what: str = "This") -> ir.Expr:
        """A list; one value alone counts as a list of one."""
        expr = self.value(tree)
        if isinstance(expr.type, t.ListOf) or expr.type == t.UNKNOWN:
            return expr
        if isinstance(expr.type, t.PerPlayer):
            return self.report("RB405", tree.at, name=source(tree))
        if isinstance(t.surely(expr.type), t.ListOf):
            return self.unsure(expr, tree.at)
        return self.report("RB401", tree.at, what=what, wanted="a list", got=self.words(expr.type))

    def players(self, tree: s.Expr) -> ir.Expr:
        """One player or several, as a list."""
        sides = (tree.left, tree.right) if isinstance(tree, s.And) else ()
        if isinstance(tree, s.And) and all(t.surely(self.value(one).type) == t.PLAYER for one in sides):
            help = f"Several players are a list: `[{source(tree.left)}, {source(tree.right)}]`."
            return self.report("RB401", tree.at, help, what="This", wanted="a list of players", got="two of them")
        expr = self.value(tree)
        if t.fits(t.surely(expr.type), t.PLAYER):
            return ir.Listed((expr,), type=t.ListOf(t.PLAYER), at=tree.at)
        return self.want(expr, t.ListOf(t.PLAYER), tree.at, "This")

    def place(self, tree: s.Expr) -> ir.Expr:
        """A place or a cell, as the goal or source of a move."""
        expr = self.raw(tree)
        if isinstance(expr.type, t.Place | t.Cell) or expr.type == t.UNKNOWN:
            return expr
        got = self.contents(expr).type
        help = advice.place_of(self.world, got, source(tree))
        return self.report("RB401", tree.at, help, what="This", wanted="a place", got=self.words(got))

    def want(self, expr: ir.Expr, wanted: t.Type, at: s.At | None, what: str) -> ir.Expr:
        """Reports what does not fit; nothing is told apart from a wrong type."""
        if t.fits(expr.type, wanted) or (is_zero(expr) and t.AMOUNT in t.members(wanted)):
            return expr
        if t.may_be_nothing(expr.type) and t.fits(t.surely(expr.type), wanted):
            return self.unsure(expr, at)
        sure = t.surely(wanted)
        if {expr.type, sure} == {t.NUMBER, t.AMOUNT}:
            return self.unitless(at, expr.type)
        help = advice.about_type(self.world, sure, expr.type, words_at(at))
        return self.report("RB401", at, help, what=what, wanted=self.words(sure), got=self.words(expr.type))

    def unitless(self, at: s.At | None, got: t.Type = t.NUMBER) -> ir.Expr:
        """Says that a number should have been an amount, or an amount a number."""
        written = words_at(at)
        if got == t.NUMBER:
            help = advice.units_for(self.world, written)
            return self.report("RB408", at, help, given=written, got="a bare number", wanted="an amount")
        help = advice.without_unit(self.world, written)
        return self.report("RB408", at, help, given=written, got="an amount", wanted="a bare number")


def typed(expr: ir.Expr, type: t.Type) -> ir.Expr:
    """The same expression of another type."""
    return expr if expr.type is type else evolve(expr, type=type)


def item(of: t.Type) -> t.Type:
    """What a list is a list of."""
    return of.item if isinstance(of, t.ListOf) else t.UNKNOWN


def is_zero(expr: ir.Expr) -> bool:
    """The literal 0, which is a number and an amount."""
    return isinstance(expr, ir.Const) and expr.value == 0 and not isinstance(expr.value, bool)


def words_at(at: s.At | None) -> str:
    """The author's own words at a place."""
    return at.scalar.text[at.start : at.end].strip() if at else "this"


def stands_before_a_dot(at: s.At) -> bool:
    """Whether a place is the first part of a path."""
    return at.scalar.text[at.end : at.end + 1] == "."


def source(tree: s.Expr) -> str:
    """The expression as its author wrote it."""
    return words_at(tree.at)
