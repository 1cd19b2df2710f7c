"""Questions, printed: an expression becomes an expression of Python, a named question a function.

In: the tables and absences of a rulebook, an `ir.Expr` and the script or question in which it stands. Out: text that
answers what the formula of lowering answers, and raises `NotThere` when that does. Never: a statement that changes
anything; a watch (what is explained is read by its formula).

Locals are `v0`, `v1` …; `r` is the run, `s` its state. `raw` text may answer with any sequence, for whoever only goes
through it; all other lists are tuples.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, assert_never

from rulebook.dsl import ir
from rulebook.dsl import types as t
from rulebook.dsl.walk import nodes
from rulebook.interpreter.compiled.answers import clockwise, neighbour
from rulebook.interpreter.compiled.folded import is_place
from rulebook.interpreter.compiled.lists import Lists
from rulebook.interpreter.compiled.sources import is_short
from rulebook.interpreter.layout import ALIVE, FACES
from rulebook.interpreter.lowering.expressions import formula
from rulebook.interpreter.ops import Formula


class Questions(Lists):
    """Prints what stands in one script or question, by its name."""

    def another(self, name: str) -> Questions:
        """Who prints a question that is answered here."""
        return Questions(self.book, name)

    def expr(self, expr: ir.Expr) -> str:
        """The value of an expression."""
        if (known := self.known(expr)) is not None:
            return known
        match expr:
            case ir.Const(value):
                return self.constant(value)
            case ir.Local(slot):
                return self.local(slot)
            case ir.OptionValue() | ir.ByOption():
                return self.option(expr)
            case ir.Joined():
                return self.read(formula(self.tables, expr), expr)
            case ir.TableMemory(name):
                return f"s[{self.layout.memory[name].slot}]"
            case ir.PlayerMemory(name, player):
                slot, seat = self.layout.player_memory[name].slot, self.sure(player)
                return f"s[{slot + int(seat)}]" if seat.isdigit() else f"s[{slot} + {seat}]"
            case ir.State(name, card):
                return f"s[{self.layout.states[name].slot}][{self.sure(card)}]"
            case ir.Attribute(name, card):
                one = self.sure(card)
                if one.isdigit():
                    return self.constant(self.tables.attributes[name][int(one)])
                return f"{self.book.attribute(name)}[{one}]"
            case ir.PlaceOf(name, owner):
                return self.ordinal(name, owner)
            case ir.Cards(place):
                if not isinstance(place, ir.PlaceOf):
                    return f"cards_of(r, {self.expr(place)})"
                return f"tuple({self.raw(expr)})"
            case ir.TheCard(place):
                return f"first(s[{self.place(place)[1]}])" if isinstance(place, ir.PlaceOf) else self.top_of(place)
            case ir.Pieces(place):
                return self.pieces(place)
            case ir.AllCards(only):
                every = range(self.tables.cards) if only is None else sorted(self.tables.called(frozenset([only])))
                return self.constant(tuple(every))
            case ir.AllActions():
                return self.constant(tuple(range(self.tables.cards, self.tables.objects)))
            case ir.TheAction(id):
                return self.constant(self.tables.action(id))
            case ir.Seats(everyone):
                return self.constant(tuple(range(self.tables.players))) if everyone else f"s[{ALIVE}]"
            case ir.Clockwise(start, after):
                if not self.book.eliminates:
                    return f"{self.around_table(clockwise, after)}[{self.sure(start)}]"
                return f"clockwise(s[{ALIVE}], {self.sure(start)}, {after})"
            case ir.Neighbour(player, step) if not self.book.eliminates:
                return f"{self.around_table(neighbour, step, self.tables.players)}[{self.sure(player)}]"
            case ir.Neighbour(player, step):
                return f"neighbour(s[{ALIVE}], {self.sure(player)}, {step}, {self.tables.players})"
            case ir.Listed(items):
                return f"({''.join(f'{self.expr(item)}, ' for item in items)})"
            case ir.Span():
                return f"tuple({self.raw(expr)})"
            case ir.Chain(first, second):
                chained = f"({self.members(first)}{self.members(second)})"
                return chained if is_short(self.book, expr) else f"bounded_list({chained})"
            case ir.Arithmetic(sign, left, right):
                return self.arithmetic(sign, left, right)
            case ir.Compare(sign, left, right):
                read = self.expr if sign in ("==", "!=") else self.sure
                return f"({read(left)} {sign} {read(right)})"
            case ir.SameCards(cards, definitions, ordered):
                wanted = self.constant(tuple(definitions if ordered else sorted(definitions)))
                printed = self.constant(tuple(self.tables.definition))
                return f"same_cards({printed}, {self.expr(cards)}, {wanted}, {ordered})"
            case ir.Within(value, list):
                return f"({self.expr(value)} in {self.expr(list)})"
            case ir.IsKind() | ir.IsCard():
                one, those = self.expr(expr.value), self.those(expr)
                return str(int(one) in those) if one.isdigit() else f"({one} in {self.constant(those)})"
            case ir.IsFaceUp(card):
                return f"(s[{FACES}][{self.sure(card)}] == 1)"
            case ir.IsNothing(value):
                one = self.expr(value)
                if t.CELL in t.members(value.type):
                    return f"is_free(r, {one})"
                return "False" if one.isdigit() else f"({one} is None)"
            case ir.IsEmpty(list):
                return f"({self.pieces(list)} == 0)" if is_place(list) else f"(not {self.raw(list)})"
            case ir.Not(value):
                return self.denied(value)
            case ir.And(left, right):
                return self.both("and", self.yes_no(left), self.yes_no(right))
            case ir.Or(left, right):
                return self.both("or", self.yes_no(left), self.yes_no(right))
            case ir.IfElse(condition, then, otherwise):
                return self.one_of_two(condition, then, otherwise, self.expr)
            case ir.Each(list, slot, body, True):
                return f"listed([{self.expr(body)} for {self.through(list, slot)}])"
            case ir.Filter() | ir.Each():
                return f"tuple({self.raw(expr)})"
            case ir.Sorted(list, slot, keys):
                found = f"sorted({self.sure_raw(list)}, key=lambda {self.local(slot)}: {self.keys(keys)}, reverse=True)"
                return f"tuple({found})"
            case ir.Best(list, slot, keys):
                return f"best({self.sure_raw(list)}, lambda {self.local(slot)}: {self.keys(keys)})"
            case ir.PerPlayerAnswer(answers, player):
                return f"{self.sure(answers)}[{self.sure(player)}]"
            case ir.CallValue(name, arguments):
                given = [self.expr(one) for one in arguments]
                if known := self.asked_once(name, False, given):
                    return known
                if answered := self.inside(name, given):
                    return answered[0].expr(answered[1])
                return f"{self.book.functions[name]}(r, s{''.join(f', {one}' for one in given)})"
            case ir.AskHook(hook, target, arguments):
                return self.asked(hook, target, arguments)
            case ir.BuiltIn():
                return self.built_in(expr)
            case _:
                assert_never(expr)

    def around_table(self, asked: Callable[..., Any], *rest: Any) -> str:
        """What is asked about every player, where nobody leaves, by seat."""
        seats = tuple(range(self.tables.players))
        return self.constant(tuple(asked(seats, seat, *rest) for seat in seats))

    def those_alive(self, several: ir.Expr) -> str:
        """Those of a player or several who still play, each once."""
        if not self.book.eliminates and isinstance(several, ir.Seats):
            return self.expr(several)
        return f"r.alive({self.expr(several)})"

    def read(self, asked: Formula, *exprs: ir.Expr) -> str:
        """What a formula of lowering answers, for what is not worth printing; the expressions are those it reads."""
        slots = {node.slot for node in nodes(exprs) if isinstance(node, ir.Local)}
        within = {node.slot for node in nodes(exprs) if isinstance(node, ir.Filter | ir.Each | ir.Sorted | ir.Best)}
        size = max(slots | within, default=-1) + 1
        env = ", ".join(self.local(slot) if slot in slots - within else "None" for slot in range(size))
        return f"{self.constant(asked)}(r, [{env}])"

    def option(self, expr: ir.OptionValue | ir.ByOption) -> str:
        if isinstance(expr, ir.ByOption):
            chosen = self.tables.options[expr.option]
            return self.expr(next(case for value, case in expr.cases if value == chosen))
        setting = self.tables.options[expr.name]
        if expr.key is None:
            return self.constant(setting)
        steps = tuple(sorted(dict(setting).items(), reverse=True))
        return f"at_step({self.constant(steps)}, {self.expr(expr.key)})"

    def arithmetic(self, sign: str, left: ir.Expr, right: ir.Expr) -> str:
        one, other = self.sure(left), self.sure(right)
        if sign == "*" and not (_is_little(left, right) or _is_little(right, left)):
            return f"bounded({one} * {other})"
        if sign in "+-*":
            return f"({one} {sign} {other})"
        if isinstance(right, ir.Const) and right.value:
            return f"({one} {'//' if sign == '/' else '%'} {other})"
        return f"{'divide' if sign == '/' else 'rest_of'}({one}, {other})"

    def keys(self, keys: tuple[ir.Key, ...]) -> str:
        """What decides an order, so that more is better."""
        each = [f"{'' if key.most else '-'}{self.checked(key.value)}" for key in keys]
        return each[0] if len(each) == 1 else f"({', '.join(each)})"

    def those(self, expr: ir.IsKind | ir.IsCard) -> frozenset[int]:
        """The objects that are of some kinds, or copies of some cards."""
        tables = self.tables
        return tables.of_kinds(expr.kinds) if isinstance(expr, ir.IsKind) else tables.called(expr.definitions)


def _is_little(one: ir.Expr, other: ir.Expr) -> bool:
    """Whether the product of both is far below what may be reckoned: so many times a little number."""
    many = isinstance(other, ir.BuiltIn) and other.name == "count"
    return many and isinstance(one, ir.Const) and one.value in range(1000)
