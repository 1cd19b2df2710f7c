"""Lists, printed, and what is asked about their members.

In: expressions that are lists, or ask about one. Out: text; `raw` text may answer with any sequence, for whoever only
goes through it. Never: goes through a list twice that a question with a name finds once.
"""

from __future__ import annotations

import re
from abc import abstractmethod
from collections.abc import Callable, Sequence
from functools import partial, reduce
from typing import Any

from rulebook.dsl import ir
from rulebook.dsl import types as t
from rulebook.dsl.walk import nodes
from rulebook.interpreter.compiled.book import Book
from rulebook.interpreter.compiled.folded import OF_SET, Folded
from rulebook.interpreter.compiled.paper import LACKS
from rulebook.interpreter.compiled.settled import as_one, is_settled, settled
from rulebook.interpreter.lowering import builtins

MOST_PARTS, MOST_WITHIN = 30, 4  # how large a question is that is answered where it is asked, and how deep they are
WORD = re.compile(r"\w+")


class Lists(Folded):
    """Prints lists, and built-in questions."""

    def __init__(self, book: Book, name: str) -> None:
        super().__init__(book, name)
        self.within: tuple[str, ...] = ()
        self.root: Lists = self
        """Who prints the question in which this one is answered."""
        self.constants: frozenset[str] | None = None
        """What stays the same wherever it stands in the text, so that what is asked about it is asked once."""
        self.once: dict[tuple[str, bool, tuple[str, ...]], str] = {}
        """The name of an answer, if it has one: by question, whether any sequence will do, what it is asked about."""
        self.before: dict[str, str] = {}
        """What is asked before, by the name of the answer."""

    @abstractmethod
    def another(self, name: str) -> Lists:
        """Who prints a question that is answered here."""

    def inside(self, name: str, arguments: Sequence[str]) -> tuple[Lists, ir.Expr] | None:
        """A question that is answered where it is asked: its expression, and who prints it; None if it is called."""
        body = as_one(self.book, name)
        if body is None or name in self.within or len(self.within) == MOST_WITHIN:
            return None
        if name not in self.book.inside:
            parts = nodes(body)
            slots = [one.slot for one in parts if isinstance(one, ir.Filter | ir.Each | ir.Sorted | ir.Best)]
            self.book.inside[name] = slots if len(parts) <= MOST_PARTS else None
        named = self.book.inside[name]
        if named is None or any(not WORD.fullmatch(one) for one in arguments):
            return None
        there = self.another(name)
        there.within, there.root = (*self.within, name), self.root
        there.names = dict(enumerate(arguments))
        there.names |= {slot: self.paper.fresh() for slot in named}
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
                if self.is_few(list):
                    return display(self.unrolled(settled(self.book, list), slot, condition))
                name = self.local(slot)
                return f"[{name} for {self.through(expr, slot)}]"
            case ir.Each(list, slot, body, False):
                found = f"[{self.expr(body)} for {self.through(list, slot)}]"
                return f"[one for one in {found} if one is not None]" if self.may(body) else found
            case ir.CallValue(name, arguments):
                given = [self.expr(one) for one in arguments]
                if known := self.asked_once(name, True, given):
                    return known
                if answered := self.inside(name, given):
                    return answered[0].raw(answered[1])
            case ir.IfElse(condition, then, otherwise):
                return self.one_of_two(condition, then, otherwise, self.raw)
            case ir.Span(first, last):
                return f"range({self.sure(first)}, {self.sure(last)} + 1)"
        return self.expr(expr)

    def sure_raw(self, expr: ir.Expr) -> str:
        """A list that must be there, as any sequence."""
        return f"{LACKS}{self.raw(expr)}" if self.may(expr) else self.raw(expr)

    def members(self, expr: ir.Expr) -> str:
        """The members of a list, as they stand in a longer one."""
        match expr:
            case ir.Listed(items):
                return "".join(f"{self.expr(item)}, " for item in items)
            case ir.Chain(first, second) if not self.may(first) and not self.may(second):
                return self.members(first) + self.members(second)
            case ir.Filter(list, slot, condition) if self.is_few(list) and not is_settled(self.book, expr):
                return self.unrolled(settled(self.book, list), slot, condition)
            case ir.CallValue(name, arguments) if answered := self.inside(name, [self.expr(one) for one in arguments]):
                return answered[0].members(answered[1])
        return f"*{self.sure_raw(expr)}, "

    def unrolled(self, values: Sequence[Any], slot: int, condition: ir.Expr) -> str:
        """Those of a few values for which a condition is true, as they stand in a list."""
        return self.those_of(values, self.of_each(values, slot, partial(self.true, condition)))

    def those_of(self, values: Sequence[Any], asked: Sequence[str]) -> str:
        """Those of a few values for which a condition of their own is true."""
        found = []
        for value, condition in zip(values, asked, strict=True):
            if condition != "False":
                one = self.constant(value)
                found.append(f"{one}, " if condition == "True" else f"*(({one},) if {condition} else ()), ")
        return "".join(found)

    def through(self, several: ir.Expr, slot: int) -> str:
        """The head of a comprehension: through a list, or through what is left of one."""
        name = self.local(slot)
        printer: Lists = self
        if isinstance(several, ir.CallValue) and not self.may(several):
            given = [self.expr(one) for one in several.arguments]
            if known := self.asked_once(several.function, True, given):
                return f"{name} in {known}"
            found = self.inside(several.function, given)
            if found is not None:
                printer, several = found
        if is_settled(self.book, several):
            return f"{name} in {printer.sure_raw(several)}"
        match several:
            case ir.Cards(ir.PlaceOf() as place) if printer.place(place)[0] == "grid":
                return f"{name} in s[{printer.place(place)[1]}] if {name} != {self.layout.empty}"
            case ir.Each(list, inner, body, True) if _is_list(body) and not printer.may(body):
                return f"{printer.through(list, inner)} for {name} in {printer.raw(body)}"
            case ir.BuiltIn("distinct", (list,)):
                return f"{name} in dict.fromkeys({printer.sure_raw(list)})"
            case ir.Filter(list, inner, condition):
                printer.names[inner] = name
                asked = printer.true(condition)
                return printer.through(list, inner) + ("" if asked == "True" else f" if {asked}")
        return f"{name} in {printer.sure_raw(several)}"

    def of_all(self, word: str, print: Callable[[], str], list: ir.Expr, slot: int) -> str:
        """`any` or `all`: of what may fail, only as far as it matters."""
        decides, joined = str(word == "any"), {"any": "or", "all": "and"}[word]
        if self.is_few(list):
            texts = self.of_each(settled(self.book, list), slot, print)
            return reduce(partial(self.both, joined), texts, str(word == "all"))
        test, several = print(), self.through(list, slot)
        text = f"{test} for {several}"
        if test in ("True", "False") and test != decides and not self.paper.can_fail(several):
            return test
        return f"{word}({text})" if self.paper.can_fail(text) else f"{word}([{text}])"

    def not_no(self, expr: ir.Expr) -> str:
        """A yes or no where nothing counts as yes."""
        return f"({self.expr(expr)} is not False)" if self.may(expr) else self.expr(expr)

    def built_in(self, expr: ir.BuiltIn) -> str:
        match expr:
            case ir.BuiltIn("any", (ir.Each(list, slot, body, False) | ir.Filter(list, slot, body),)) if (
                body.type == t.YES_NO and (plain := OF_SET.fullmatch(self.true(body))) and plain[1] == self.local(slot)
            ):
                return f"(not {plain[2]}.isdisjoint({self.sure_raw(list)}))"
            case ir.BuiltIn("any", (ir.Each(list, slot, body, False),)) if body.type == t.YES_NO:
                return self.of_all("any", partial(self.yes_no, body), list, slot)
            case ir.BuiltIn("all", (ir.Each(list, slot, body, False),)) if body.type == t.YES_NO:
                return self.of_all("all", partial(self.not_no, body), list, slot)
            case ir.BuiltIn("any", (ir.Filter(list, slot, condition),)) if condition.type == t.YES_NO:
                return self.of_all("any", partial(self.yes_no, condition), list, slot)
            case ir.BuiltIn("count", (ir.Filter(list, slot, condition),)) if self.is_few(list):
                asked = self.of_each(settled(self.book, list), slot, partial(self.yes_no, condition))
                return f"({' + '.join(asked)} + 0)"
        several = expr.arguments[0]
        is_list = _is_list(several)
        match expr.name, expr.arguments:
            case "sum", (one,):
                return f"{LACKS if self.book.absence.holds(self.name, one) else ''}sum({self.sure_raw(one)})"
            case "count", (ir.BuiltIn("distinct", (one,)),):
                return f"len(dict.fromkeys({self.sure_raw(one)}))"
            case "count", (one,) if is_list:
                return f"len({self.sure_raw(one)})"
            case ("max" | "min") as most, (one, *rest) if is_list and not self.book.absence.holds(self.name, one):
                return f"{most}({self.sure_raw(one)}, default={self.expr(rest[0]) if rest else None})"
            case "first", (one,):
                return f"first({self.sure_raw(one)})"
            case "distinct", (one,):
                return f"tuple(dict.fromkeys({self.sure_raw(one)}))"
            case "any", (one,) if is_list and not _asks(one.type):
                return f"bool({self.sure_raw(one)})"
        answer = self.constant(builtins.BUILT_INS[expr.name])
        types: Any = tuple(one.type for one in expr.arguments)
        values = "".join(f", {self.checked(one) if not n else self.expr(one)}" for n, one in enumerate(expr.arguments))
        return f"{answer}(r, {self.constant(types)}{values})"


def display(members: str) -> str:
    """A list of members, each with a comma behind it."""
    return f"[{members.removesuffix(', ')}]"


def _is_list(expr: ir.Expr) -> bool:
    """Whether its value is a list."""
    return isinstance(t.surely(expr.type), t.ListOf)


def _asks(of: t.Type) -> bool:
    """Whether it is a list of answers."""
    return isinstance(of, t.ListOf) and of.item == t.YES_NO
