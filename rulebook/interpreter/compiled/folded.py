"""Questions of which a part is known before the game: what is left of them in the text.

In: conditions and values, in the script or question in which they stand. Out: text, with constants and tables for what
is known. Never: an expression of its own; `expr` and `raw` print what is not known.
"""

from __future__ import annotations

import re
from abc import abstractmethod
from collections.abc import Callable, Sequence
from typing import Any

from rulebook.dsl import ir
from rulebook.dsl import types as t
from rulebook.interpreter.compiled.book import Book
from rulebook.interpreter.compiled.paper import LACKS, without_nots
from rulebook.interpreter.compiled.places import Places
from rulebook.interpreter.compiled.settled import answers_known, by_object, is_settled, objects_of, settled
from rulebook.interpreter.layout import FACES

MOST_UNROLLED = 8  # so many values of a list are asked one by one
OF_SET = re.compile(r"\((\w+) in (k\d+)\)")
"""Text that says whether something is one of a set that is known before the game."""


class Folded(Places):
    """Prints what stands in one script or question, by its name."""

    def __init__(self, book: Book, name: str) -> None:
        super().__init__(book)
        self.name = name
        self.names: dict[int, str] = {}
        """How locals are called that have a name of their own."""

    @abstractmethod
    def raw(self, expr: ir.Expr) -> str:
        """A list, as any sequence."""

    @abstractmethod
    def inside(self, name: str, arguments: Sequence[str]) -> tuple[Folded, ir.Expr] | None:
        """A question that is answered where it is asked: its expression, and who prints it; None if it is called."""

    def local(self, slot: int) -> str:
        """How the text calls a local."""
        return self.names.get(slot, f"v{slot}")

    def may(self, expr: ir.Expr) -> bool:
        """Whether it may be nothing."""
        return self.book.absence.may(self.name, expr)

    def both(self, word: str, left: str, right: str) -> str:
        """`and`, or `or`, of two answers, of which either may be settled."""
        goes_on, decides = ("True", "False") if word == "and" else ("False", "True")
        if left == goes_on or right == goes_on:
            return right if left == goes_on else left
        if left == decides or (right == decides and not self.paper.can_fail(left)):
            return decides
        return f"({left} {word} {right})"

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

    def true(self, expr: ir.Expr) -> str:
        """A condition, where only matters whether it is true."""
        match expr:
            case ir.Not(ir.IsEmpty(list)) if not is_place(list) and not is_settled(self.book, expr):
                return self.raw(list)
            case ir.And(left, right) | ir.Or(left, right) if self.known(expr) is None:
                return self.both("and" if isinstance(expr, ir.And) else "or", self.true(left), self.true(right))
        return without_nots(self.expr(expr))

    def denied(self, value: ir.Expr) -> str:
        """That something is not so."""
        match value:
            case ir.Compare(("==" | "!=") as sign, left, right):
                return f"({self.expr(left)} {'!=' if sign == '==' else '=='} {self.expr(right)})"
            case ir.IsFaceUp(card):
                return f"(s[{FACES}][{self.sure(card)}] != 1)"
            case ir.IsNothing(one) if t.CELL not in t.members(one.type) and not (text := self.expr(one)).isdigit():
                return f"({text} is not None)"
        text = self.true(value)
        if plain := OF_SET.fullmatch(text):
            return f"({plain[1]} not in {plain[2]})"
        return str(text == "False") if text in ("True", "False") else f"(not {text})"

    def known(self, expr: ir.Expr) -> str | None:
        """A value that is known before the game, or a table of them, by the card or action that is asked about."""
        if isinstance(expr, ir.Const | ir.Local):
            return None
        if is_settled(self.book, expr):
            return self.constant(settled(self.book, expr))
        found = by_object(self.book, self.name, expr)
        return None if found is None else self.table(self.local(found[0]), found[1])

    def table(self, one: str, values: dict[int, Any]) -> str:
        """What is looked up about an object, of which these may stand there."""
        if one.isdigit():
            return self.constant(values[int(one)])
        if len({(type(value), value) for value in values.values()}) == 1:
            return self.constant(next(iter(values.values())))
        if set(map(type, values.values())) == {bool}:
            return f"({one} in {self.constant(frozenset(key for key, value in values.items() if value))})"
        return f"{self.constant(tuple(values.get(key) for key in range(max(values, default=-1) + 1)))}[{one}]"

    def one_of_two(self, condition: ir.Expr, then: ir.Expr, otherwise: ir.Expr, print: Callable[[ir.Expr], str]) -> str:
        asked = self.true(condition)
        if asked in ("True", "False"):
            return print(then if asked == "True" else otherwise)
        return f"({print(then)} if {asked} else {print(otherwise)})"

    def given(self, arguments: tuple[ir.Expr, ...]) -> str:
        """Arguments of a call, behind others."""
        return "".join(f", {self.expr(argument)}" for argument in arguments)

    def is_few(self, several: ir.Expr) -> bool:
        """Whether a list is a few values that are known before the game."""
        return is_settled(self.book, several) and len(settled(self.book, several)) <= MOST_UNROLLED

    def of_each(self, values: Sequence[Any], slot: int, print: Callable[[], str]) -> list[str]:
        """What is printed about each of a few values, which stands in a local."""
        outer, found = dict(self.names), []
        for value in values:
            self.names[slot] = self.constant(value)
            found.append(print())
        self.names = outer
        return found

    def asked(self, hook: str, target: ir.Expr, arguments: tuple[ir.Expr, ...]) -> str:
        of = self.sure(target)
        if of.isdigit():
            name, values = self.tables.by_object(hook)[int(of)], [of, *(self.expr(one) for one in arguments)]
            if name is None and not any(map(self.paper.can_fail, values)):
                return str(int(of) >= self.tables.cards)
            if name is None:
                return f"{self.book.asked(hook)}[{of}](r, s{''.join(f', {one}' for one in values)})"
            if found := self.inside(name, values):
                return found[0].expr(found[1])
            return f"{self.book.functions[name]}(r, s{''.join(f', {one}' for one in values)})"
        table, given = self.book.asked(hook), self.given(arguments)
        if not isinstance(target, ir.Local) or self.may(target):
            return f"ask({table}, r, s, {of}{given})"
        called, objects = f"{table}[{of}](r, s, {of}{given})", objects_of(self.book, target.type)
        if objects is None or self.paper.can_fail(given):
            return called
        known = answers_known(self.book, hook, objects)
        asking = frozenset(objects) - known.keys()
        if not asking:
            return self.table(of, known)
        if not known:
            return called
        if set(map(type, known.values())) != {bool}:
            return f"({called} if {of} in {self.constant(asking)} else {self.table(of, known)})"
        yes = frozenset(one for one, answer in known.items() if answer)
        asked = called if len(yes) == len(known) else f"({of} in {self.constant(asking)} and {called})"
        return f"({of} in {self.constant(yes)} or {asked})" if yes else asked


def is_place(expr: ir.Expr) -> bool:
    """Whether the value is the ordinal of a place: a pool, which has no list of cards."""
    return isinstance(t.surely(expr.type), t.Place)
