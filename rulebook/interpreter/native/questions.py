"""Questions, printed: an expression becomes an expression of C, after the lines that find out its parts.

In: the plan of a program, an `ir.Expr` and the script or question in which it stands. Out: text that answers what the
formula of lowering answers; where that asks something of nothing, the text goes where `lacks` says. Never: a statement
that changes anything.

A text that comes back is pure and may be read twice. Lines that were put before it must run before it, so what is asked
only sometimes is printed aside first.
"""

from __future__ import annotations

import re
from abc import abstractmethod
from collections.abc import Callable, Iterable
from typing import assert_never

from rulebook.dsl import ir
from rulebook.dsl import types as t
from rulebook.interpreter.compiled.settled import is_settled, settled
from rulebook.interpreter.native.lists import Lists, is_flat
from rulebook.interpreter.native.paper import CannotPrint
from rulebook.interpreter.native.plan import Asked
from rulebook.interpreter.native.sets import UNORDERED

SIMPLE = re.compile(r"\w+|v\[\d+\]|\((WORD|LIST) \+ \d+\)")
"""Text that costs nothing to read once more."""


class Questions(Lists):
    """Prints what stands in one script or question."""

    @abstractmethod
    def built_in(self, expr: ir.BuiltIn) -> str:
        """The answer to a question that is built in."""

    def expr(self, expr: ir.Expr) -> str:
        """The value of an expression."""
        if not isinstance(expr, ir.Const | ir.Local) and is_settled(self.plan.book, expr):
            return self.constant(settled(self.plan.book, expr))
        match expr:
            case ir.Const(value):
                return self.constant(value)
            case ir.Local(slot):
                return self.local(slot)
            case ir.OptionValue() | ir.ByOption():
                return self.option(expr)
            case ir.Joined():
                raise CannotPrint("a text with values in it, as a value", expr.at)
            case ir.TableMemory(name):
                return f"s->memory[{self.plan.memory[self.layout.memory[name].slot]}]"
            case ir.PlayerMemory(name, player):
                first = self.plan.memory[self.layout.player_memory[name].slot]
                return f"s->memory[{first} + {self.sure(player)}]"
            case ir.State(name, card):
                return f"s->state[{self.plan.states[name]}][{self.sure(card)}]"
            case ir.Attribute(name, card):
                printed = [self.constant(value) for value in self.tables.attributes[name]]
                return f"{self.paper.table('V', printed)}[{self.sure(card)}]"
            case ir.PlaceOf():
                return self.place(expr)
            case ir.Cards(place):
                return f"cards_in(s, {self.place(place)})"
            case ir.TheCard(place):
                return self.first_in(place)
            case ir.Pieces(place):
                return self.count(place)
            case ir.AllCards(only):
                every = range(self.tables.cards) if only is None else sorted(self.tables.called(frozenset([only])))
                return self.constant(tuple(every))
            case ir.AllActions():
                return self.constant(tuple(range(self.tables.cards, self.tables.objects)))
            case ir.TheAction(id):
                return self.constant(self.tables.action(id))
            case ir.Seats(everyone):
                return self.constant(tuple(range(self.tables.players))) if everyone else "living(s)"
            case ir.Clockwise(start, after):
                return self.kept(f"clockwise(s, {self.sure(start)}, {int(after)})")
            case ir.Neighbour(player, step):
                return self.kept(f"neighbour(s, {self.sure(player)}, {step})")
            case ir.Listed() | ir.Span() | ir.Filter() | ir.Each() | ir.Sorted() | ir.Best():
                return self.list_of(expr)
            case ir.Chain(first, second):
                return self.kept(f"chained(s, {self.sure(first)}, {self.sure(second)})")
            case ir.Arithmetic(sign, left, right):
                return self.arithmetic(sign, left, right)
            case ir.Compare(sign, left, right):
                return self.compare(sign, left, right)
            case ir.SameCards(cards, definitions, ordered):
                ids = [*self.tables.rulebook.cards]
                wanted = [ids.index(one) for one in definitions]
                wanted = wanted if ordered else sorted(wanted)
                return self.kept(f"same_cards(s, {self.expr(cards)}, {self.constant(wanted)}, {int(ordered)})")
            case ir.Within(value, list):
                return self.within(value, list)
            case ir.IsKind(value) | ir.IsCard(value):
                return self.member(self.expr(value), self.those(expr))
            case ir.IsFaceUp(card):
                return f"(s->face[{self.sure(card)}] == 1)"
            case ir.IsNothing(value):
                return self.is_nothing(value)
            case ir.IsEmpty(list):
                return f"(!{self.some(list)})"
            case ir.Not(value):
                return f"(!{self.truth(value)})"
            case ir.And(left, right):
                return self.both(left, right, "&&")
            case ir.Or(left, right):
                return self.both(left, right, "||")
            case ir.IfElse(condition, then, otherwise):
                return self.either(condition, lambda: self.expr(then), lambda: self.expr(otherwise))
            case ir.PerPlayerAnswer(answers, player):
                several = self.kept(self.sure(answers))
                return f"list_at(s, {several})[1 + {self.sure(player)}]"
            case ir.CallValue(name, arguments):
                given = [self.simple(self.expr(one)) for one in arguments]
                return self.answer(self.plan.question(name), given)
            case ir.AskHook(hook, target, arguments):
                of = [self.simple(self.sure(target)), *(self.simple(self.expr(one)) for one in arguments)]
                return self.ask_object(hook, of)
            case ir.BuiltIn():
                return self.built_in(expr)
            case _:
                assert_never(expr)

    # ── ways to read one expression ──

    def sure(self, expr: ir.Expr) -> str:
        """The value of something that must be there."""
        text = self.expr(expr)
        if self.may(expr):
            text = self.simple(text)
            self.lack(f"{text} == NOTHING")
        return text

    def simple(self, text: str) -> str:
        """Text that may be read often, and does not change where its parts do."""
        return text if SIMPLE.fullmatch(text) else self.kept(text)

    def truth(self, expr: ir.Expr) -> str:
        """A condition of C: whether a value counts as yes."""
        text = self.expr(expr)
        if expr.type == t.YES_NO:
            return f"({text} == 1)" if self.may(expr) else text
        return f"is_true(s, {text})"

    def answer(self, asked: Asked, given: list[str]) -> str:
        """The answer of a question."""
        found = self.kept(f"{asked.name}({', '.join(['s', *given])})")
        if asked.lacks:
            self.lack(f"{found} == LACKS")
        return found

    def ask_object(self, hook: str, given: list[str]) -> str:
        """The answer of an object, the first that is given; which one it is may be known by now."""
        if not given[0].isdigit():
            return self.answer(self.plan.hook(hook, len(given)), given)
        name = self.tables.by_object(hook)[int(given[0])]
        if name is None:
            return str(int(int(given[0]) >= self.tables.cards))
        return self.answer(self.plan.question(name), given)

    def either(self, condition: ir.Expr, then: Callable[[], str], otherwise: Callable[[], str]) -> str:
        """One of two values, of which only that is found out."""
        asked = self.truth(condition)
        if asked in ("0", "1"):
            return then() if asked == "1" else otherwise()
        with self.paper.elsewhere() as good:
            one = then()
        with self.paper.elsewhere() as bad:
            other = otherwise()
        if not good and not bad:
            return f"({asked} ? {one} : {other})"
        name = f"t{self.paper.fresh()}"
        self.put(f"V {name};")
        for head, lines, value in ((f"if ({asked})", good, one), ("else", bad, other)):
            with self.paper.inside(head):
                self.paper.lines += ["    " + line for line in lines]
                self.put(f"{name} = {value};")
        return name

    def both(self, left: ir.Expr, right: ir.Expr, sign: str) -> str:
        """`and`, or `or`: the second is asked only where it matters."""
        first, decides = self.truth(left), "0" if sign == "&&" else "1"
        if first in ("0", "1"):
            return first if first == decides else self.truth(right)
        with self.paper.elsewhere() as lines:
            second = self.truth(right)
        if not lines:
            return f"({first} {sign} {second})"
        name = self.kept(first)
        with self.paper.inside(f"if ({'' if sign == '&&' else '!'}{name})"):
            self.paper.lines += ["    " + line for line in lines]
            self.put(f"{name} = {second};")
        return name

    # ── numbers, options, comparisons ──

    def option(self, expr: ir.OptionValue | ir.ByOption) -> str:
        if isinstance(expr, ir.ByOption):
            chosen = self.tables.options[expr.option]
            return self.expr(next(case for value, case in expr.cases if value == chosen))
        setting = self.tables.options[expr.name]
        if expr.key is None:
            return self.constant(setting)
        reached, found = self.simple(self.sure(expr.key)), "0"
        for least, value in sorted(dict(setting).items()):
            found = f"{reached} >= {self.constant(least)} ? {self.constant(value)} : {found}"
        return f"({found})"

    def arithmetic(self, sign: str, left: ir.Expr, right: ir.Expr) -> str:
        one, other = self.sure(left), self.sure(right)
        match sign:
            case "*":
                return self.kept(f"times(s, {one}, {other})")
            case "/":
                return self.kept(f"divided(s, {one}, {other})")
            case "%":
                return self.kept(f"rest_of(s, {one}, {other})")
        return f"bounded(s, {one} {sign} {other})"

    def compare(self, sign: str, left: ir.Expr, right: ir.Expr) -> str:
        if sign not in ("==", "!="):
            return f"({self.sure(left)} {sign} {self.sure(right)})"
        if is_flat(left.type) or is_flat(right.type):
            return f"({self.expr(left)} {sign} {self.expr(right)})"
        return f"({'' if sign == '==' else '!'}same(s, {self.expr(left)}, {self.expr(right)}))"

    def member(self, value: str, objects: frozenset[int]) -> str:
        """Whether an object is one of these."""
        if value.isdigit():
            return str(int(int(value) in objects))
        if not objects:
            return "0"
        low, high = min(objects), max(objects)
        if low == high:
            return f"({value} == {low})"
        if len(objects) == high - low + 1:
            one = self.simple(value)
            return f"({one} >= {low} && {one} <= {high})"
        one = self.simple(value)
        table = self.paper.table("uint8_t", [int(number in objects) for number in range(high + 1)])
        return f"({one} >= 0 && {one} <= {high} && {table}[{one}])"

    def those(self, expr: ir.IsKind | ir.IsCard) -> frozenset[int]:
        """The objects that are of some kinds, or copies of some cards."""
        if isinstance(expr, ir.IsKind):
            return self.tables.of_kinds(expr.kinds)
        return self.tables.called(expr.definitions)

    def is_nothing(self, value: ir.Expr) -> str:
        text = self.expr(value)
        if t.CELL in t.members(value.type):
            one = self.simple(text)
            return f"({one} == NOTHING || card_at(s, {one}) == NOTHING)"
        return f"({text} == NOTHING)"

    # ── places ──

    def first_in(self, place: ir.Expr) -> str:
        """The first card of a place, or nothing."""
        ordinal = self.simple(self.place(place))
        if self.kept_as(place) in UNORDERED:
            return self.kept(f"least(&s->set[{ordinal}])")
        if self.kept_as(place) in ("", "grid", "pool"):
            return self.kept(f"first_in(s, {ordinal})")
        return f"(s->n[{ordinal}] ? s->zone[{ordinal}][0] : NOTHING)"

    def place(self, expr: ir.Expr) -> str:
        """The ordinal of a place."""
        if not isinstance(expr, ir.PlaceOf):
            return self.simple(self.sure(expr))
        ordinals = self.layout.place_of[expr.name]
        if expr.owner is None:
            return str(ordinals[0])
        owner = self.sure(expr.owner)
        first = ordinals[0]
        if first is not None and list(ordinals) == list(range(first, first + len(ordinals))):
            return f"({first} + {owner})"
        table = self.paper.table("int16_t", [-1 if one is None else one for one in ordinals])
        if all(ordinals[one] is not None for one in self.may_be(expr.owner.type, len(ordinals))):
            return f"{table}[{owner}]"
        found = self.kept(f"{table}[{owner}]")
        self.lack(f"{found} < 0")
        return found


    def may_be(self, of: t.Type, most: int) -> Iterable[int]:
        """The numbers that something of a type may have, all of them if the type does not say."""
        kinds = [one.kinds for one in t.members(of) if isinstance(one, t.Card)]
        every = len(kinds) < len(t.members(of)) or frozenset() in kinds
        return range(most) if every else self.tables.of_kinds(frozenset().union(*kinds))
