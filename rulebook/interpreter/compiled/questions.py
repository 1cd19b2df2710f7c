"""Questions, printed: an expression becomes an expression of Python, a named question a function.

In: the tables and absences of a rulebook, an `ir.Expr` and the script or question in which it stands. Out: text that
answers what the formula of lowering answers, and raises `NotThere` when that does. Never: a statement that changes
anything; a watch (what is explained is read by its formula).

Locals are `v0`, `v1` …; `r` is the run, `s` its state. `raw` text may answer with any sequence, for whoever only goes
through it; all other lists are tuples.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import Any, assert_never

from rulebook.dsl import ir
from rulebook.dsl import types as t
from rulebook.dsl.walk import nodes
from rulebook.interpreter import lower_builtins
from rulebook.interpreter.compiled.answers import clockwise, neighbour
from rulebook.interpreter.compiled.book import Book
from rulebook.interpreter.compiled.paper import LACKS, without_nots
from rulebook.interpreter.compiled.places import Places
from rulebook.interpreter.compiled.settled import is_settled, settled
from rulebook.interpreter.compiled.sources import is_short
from rulebook.interpreter.layout import ALIVE, FACES
from rulebook.interpreter.lower_expressions import formula
from rulebook.interpreter.ops import Formula

MOST_UNROLLED = 8  # so many values of a list are asked one by one
MOST_PARTS, MOST_WITHIN = 30, 4  # how large a question is that is answered where it is asked, and how deep they are
WORD = re.compile(r"\w+")


class Questions(Places):
    """Prints what stands in one script or question, by its name."""

    def __init__(self, book: Book, name: str) -> None:
        super().__init__(book)
        self.name = name
        self.names: dict[int, str] = {}
        self.within: tuple[str, ...] = ()
        self.root = self
        """Who prints the question in which this one is answered."""
        self.constants: frozenset[str] | None = None
        """What stays the same wherever it stands in the text, so that what is asked about it is asked once."""
        self.once: dict[tuple[str, bool, tuple[str, ...]], str] = {}
        """The name of an answer, if it has one: by question, whether any sequence will do, what it is asked about."""
        self.before: dict[str, str] = {}
        """What is asked before, by the name of the answer."""

    def local(self, slot: int) -> str:
        """How the text calls a local."""
        return self.names.get(slot, f"v{slot}")

    def inside(self, name: str, arguments: Sequence[str]) -> tuple[Questions, ir.Expr] | None:
        """A question that is answered where it is asked: its expression, and who prints it; None if it is called."""
        body = self.tables.rulebook.functions[name].body
        if isinstance(body, tuple | ir.Conditions | ir.Total) or name in self.within or len(self.within) == MOST_WITHIN:
            return None
        if any(not WORD.fullmatch(one) for one in arguments) or len([*nodes(body)]) > MOST_PARTS:
            return None
        there = Questions(self.book, name)
        there.within, there.root = (*self.within, name), self.root
        there.names = dict(enumerate(arguments))
        for node in nodes(body):
            if isinstance(node, ir.Filter | ir.Each | ir.Sorted | ir.Best):
                there.names[node.slot] = self.paper.fresh()
        return there, body

    def asked_once(self, name: str, raw: bool, arguments: Sequence[str]) -> str | None:
        """The name of the answer of a question that goes through a list, if it is the same in the whole text."""
        root = self.root
        if root.constants is None or not all(one in root.constants or one.isdigit() for one in arguments):
            return None
        key = name, raw, tuple(arguments)
        if key not in root.once:
            root.once[key] = ""  # for who asks itself
            if found := self.inside(name, arguments):
                text = found[0].raw(found[1]) if raw else found[0].expr(found[1])
                if " for " in text and not self.paper.can_fail(text):
                    root.once[key] = self.paper.fresh()
                    root.before[root.once[key]] = text
        return root.once[key] or None

    def may(self, expr: ir.Expr) -> bool:
        """Whether it may be nothing."""
        return self.book.absence.may(self.name, expr)

    @staticmethod
    def both(word: str, left: str, right: str) -> str:
        """`and`, or `or`, of two answers, of which the first may be settled."""
        known = {"and": ("True", "False"), "or": ("False", "True")}[word]
        if left in known:
            return right if left == known[0] else left
        return left if right == known[0] else f"({left} {word} {right})"

    def sure(self, expr: ir.Expr) -> str:
        """The value of something that must be there."""
        if isinstance(expr, ir.TheCard) and isinstance(expr.place, ir.PlaceOf):
            return f"{LACKS}s[{self.place(expr.place)[1]}][0]"
        return f"{LACKS}{self.expr(expr)}" if self.may(expr) else self.expr(expr)

    def checked(self, expr: ir.Expr) -> str:
        """The same where Python itself would take nothing for something."""
        return f"there({self.expr(expr)})" if self.may(expr) else self.expr(expr)

    def yes_no(self, expr: ir.Expr) -> str:
        """A yes or no that is one even where nothing counts as no."""
        return self.expr(expr) if expr.type == t.YES_NO and not self.may(expr) else f"bool({self.expr(expr)})"

    def raw(self, expr: ir.Expr) -> str:
        """A list, as any sequence."""
        if isinstance(expr, ir.Filter | ir.Each) and is_settled(self.book, expr):
            return self.constant(settled(self.book, expr))
        match expr:
            case ir.Cards(ir.PlaceOf() as place):
                kept, slot = self.place(place)
                if kept == "pool":
                    return "()"
                if kept == "grid":
                    return f"[one for one in s[{slot}] if one != {self.layout.empty}]"
                return f"s[{slot}]"
            case ir.Filter(list, slot, condition):
                if is_settled(self.book, list) and len(settled(self.book, list)) <= MOST_UNROLLED:
                    return self.unrolled(settled(self.book, list), slot, condition)
                name = self.local(slot)
                return f"[{name} for {name} in {self.sure_raw(list)} if {self.true(condition)}]"
            case ir.Each(list, slot, body, False):
                found = f"[{self.expr(body)} for {self.through(list, slot)}]"
                return f"[one for one in {found} if one is not None]" if self.may(body) else found
            case ir.CallValue(name, arguments):
                given = [self.expr(one) for one in arguments]
                if known := self.asked_once(name, True, given):
                    return known
                if answered := self.inside(name, given):
                    return answered[0].raw(answered[1])
            case ir.Span(first, last):
                return f"range({self.sure(first)}, {self.sure(last)} + 1)"
        return self.expr(expr)

    def unrolled(self, values: Sequence[Any], slot: int, condition: ir.Expr) -> str:
        """Those of a few values, known before the game, for which a condition is true."""
        outer, found = dict(self.names), []
        for value in values:
            self.names[slot] = self.constant(value)
            asked = self.true(condition)
            if asked != "False":
                found.append(self.names[slot] if asked == "True" else f"*(({self.names[slot]},) if {asked} else ())")
        self.names = outer
        return f"[{', '.join(found)}]"

    def through(self, several: ir.Expr, slot: int) -> str:
        """The head of a comprehension: through a list, or through what is left of one."""
        name = self.local(slot)
        printer: Questions = self
        if isinstance(several, ir.CallValue) and not self.may(several):
            given = [self.expr(one) for one in several.arguments]
            if known := self.asked_once(several.function, True, given):
                return f"{name} in {known}"
            found = self.inside(several.function, given)
            if found is not None:
                printer, several = found
        if isinstance(several, ir.Filter) and not is_settled(self.book, several):
            printer.names[several.slot] = name
            return f"{printer.through(several.list, several.slot)} if {printer.true(several.condition)}"
        return f"{name} in {printer.sure_raw(several)}"

    def true(self, expr: ir.Expr) -> str:
        """A condition, where only matters whether it is true."""
        match expr:
            case ir.Not(ir.IsEmpty(list)) if not _is_place(list) and not is_settled(self.book, expr):
                return self.raw(list)
            case ir.Not(value) if not is_settled(self.book, expr):
                return f"(not {self.true(value)})"
        return without_nots(self.expr(expr))

    def sure_raw(self, expr: ir.Expr) -> str:
        """A list that must be there, as any sequence."""
        return f"{LACKS}{self.raw(expr)}" if self.may(expr) else self.raw(expr)

    # ── expressions ──

    def expr(self, expr: ir.Expr) -> str:
        """The value of an expression."""
        if not isinstance(expr, ir.Const | ir.Local) and is_settled(self.book, expr):
            return self.constant(settled(self.book, expr))
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
                return f"s[{self.layout.player_memory[name].slot} + {self.sure(player)}]"
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
                chained = f"(*{self.expr(first)}, *{self.expr(second)})"
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
                return f"({self.pieces(list)} == 0)" if _is_place(list) else f"(not {self.raw(list)})"
            case ir.Not(value):
                return f"(not {self.true(value)})"
            case ir.And(left, right):
                return self.both("and", self.yes_no(left), self.yes_no(right))
            case ir.Or(left, right):
                return self.both("or", self.yes_no(left), self.yes_no(right))
            case ir.IfElse(condition, then, otherwise):
                asked = self.expr(condition)
                if asked in ("True", "False"):
                    return self.expr(then if asked == "True" else otherwise)
                return f"({self.expr(then)} if {asked} else {self.expr(otherwise)})"
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

    def given(self, arguments: tuple[ir.Expr, ...]) -> str:
        """Arguments of a call, behind others."""
        return "".join(f", {self.expr(argument)}" for argument in arguments)

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
        if sign == "*":
            return f"bounded({one} * {other})"
        if sign in "+-":
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

    # ── what is asked ──

    def asked(self, hook: str, target: ir.Expr, arguments: tuple[ir.Expr, ...]) -> str:
        of = self.sure(target)
        if of.isdigit():
            name = self.tables.by_object(hook)[int(of)]
            if name is None:
                return str(int(of) >= self.tables.cards)
            given = [of, *(self.expr(one) for one in arguments)]
            if found := self.inside(name, given):
                return found[0].expr(found[1])
            return f"{self.book.functions[name]}(r, s{''.join(f', {one}' for one in given)})"
        table = self.book.asked(hook)
        if isinstance(target, ir.Local) and not self.may(target):
            return f"{table}[{of}](r, s, {of}{self.given(arguments)})"
        return f"ask({table}, r, s, {of}{self.given(arguments)})"

    def of_all(self, word: str, text: str) -> str:
        """`any` or `all`: of what may fail, only as far as it matters."""
        return f"{word}({text})" if self.paper.can_fail(text) else f"{word}([{text}])"

    def built_in(self, expr: ir.BuiltIn) -> str:
        match expr:
            case ir.BuiltIn("any", (ir.Filter(list, slot, ir.IsKind() | ir.IsCard() as of),)) if _is(of.value, slot):
                return f"(not {self.constant(self.those(of))}.isdisjoint({self.sure_raw(list)}))"
            case ir.BuiltIn("any", (ir.Each(list, slot, body, False),)) if body.type == t.YES_NO:
                return self.of_all("any", f"{self.expr(body)} for {self.through(list, slot)}")
            case ir.BuiltIn("all", (ir.Each(list, slot, body, False),)) if body.type == t.YES_NO:
                test = self.expr(body)
                test = f"{test} is not False" if self.may(body) else test
                return self.of_all("all", f"{test} for {self.through(list, slot)}")
            case ir.BuiltIn("any", (ir.Filter(list, slot, condition),)) if condition.type == t.YES_NO:
                return self.of_all("any", f"{self.true(condition)} for {self.through(list, slot)}")
        several = expr.arguments[0]
        is_list = isinstance(t.surely(several.type), t.ListOf)
        match expr.name, expr.arguments:
            case "sum", (one,):
                return f"{LACKS if self.book.absence.holds(self.name, one) else ''}sum({self.sure_raw(one)})"
            case "count", (one,) if is_list:
                return f"len({self.sure_raw(one)})"
            case "first", (one,):
                return f"first({self.sure_raw(one)})"
            case "distinct", (one,):
                return f"tuple(dict.fromkeys({self.sure_raw(one)}))"
            case "any", (one,) if is_list and not _asks(one.type):
                return f"bool({self.sure_raw(one)})"
        answer = self.constant(lower_builtins.BUILT_INS[expr.name])
        types: Any = tuple(one.type for one in expr.arguments)
        values = "".join(f", {self.checked(one) if not n else self.expr(one)}" for n, one in enumerate(expr.arguments))
        return f"{answer}(r, {self.constant(types)}{values})"


def _is(expr: ir.Expr, slot: int) -> bool:
    """Whether it is this very local."""
    return isinstance(expr, ir.Local) and expr.slot == slot


def _is_place(expr: ir.Expr) -> bool:
    """Whether the value is the ordinal of a place: a pool, which has no list of cards."""
    return isinstance(t.surely(expr.type), t.Place)


def _asks(of: t.Type) -> bool:
    """Whether it is a list of answers."""
    return isinstance(of, t.ListOf) and of.item == t.YES_NO
