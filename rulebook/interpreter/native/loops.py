"""Loops through lists, printed: through what is never made, where that is not needed.

In: an `ir.Expr` that is a list, and what is to be done with each of its members. Out: loops of C. Never: an expression
that is no list.

A list that is only gone through is not made: the loop goes through the cards of a place, through those of another list
that a condition is true of, or through what is asked about each.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager

from rulebook.dsl import ir
from rulebook.dsl import types as t
from rulebook.interpreter.compiled.settled import is_settled, settled
from rulebook.interpreter.native import sets
from rulebook.interpreter.native.paper import CannotPrint
from rulebook.interpreter.native.plan import Plan

Member = Callable[[str], None]
"""What is printed about one member, whose name it is told."""
Loop = Callable[[Member], None]
"""Prints a loop."""

NEAR = {"beside": "BESIDE", "around": "AROUND", "row": "ROW_OF", "column": "COLUMN_OF"}
"""What is asked about a position, which a card may not have."""
MOST_UNROLLED = 4
"""So many settled members are asked one by one."""
MOST_TWICE = 12
"""So many lines about a member may stand there twice."""


class Loops:
    """Prints what stands in one script or question, by its name. `lacks` is what to do where something is asked of
    nothing.
    """

    def __init__(self, plan: Plan, name: str, lacks: str) -> None:
        self.plan, self.name, self.lacks = plan, name, lacks
        self.paper, self.tables, self.layout = plan.paper, plan.tables, plan.layout
        self.constant, self.put = plan.paper.constant, plan.paper.put
        self.names: dict[int, str] = {}
        self.asked_in: tuple[str, ...] = ()
        """The questions that are answered where they are asked, and in which this stands."""
        self.lacking = 0
        """At how many places something was asked that may not be there."""

    @abstractmethod
    def expr(self, expr: ir.Expr) -> str:
        """The value of an expression."""

    @abstractmethod
    def sure(self, expr: ir.Expr) -> str:
        """The value of something that must be there."""

    @abstractmethod
    def simple(self, text: str) -> str:
        """Text that may be read often."""

    @abstractmethod
    def truth(self, expr: ir.Expr) -> str:
        """A condition of C."""

    @abstractmethod
    def either(self, condition: ir.Expr, then: Callable[[], str], otherwise: Callable[[], str]) -> str:
        """One of two values, of which only that is found out."""

    @abstractmethod
    def inside(self, name: str, arguments: tuple[ir.Expr, ...]) -> tuple[Loops, ir.Expr] | None:
        """A question that is answered where it is asked: who prints it, and its expression; None if it is called."""

    @abstractmethod
    def answered_inside(self, name: str, asked: tuple[str, ...]) -> ir.Expr | None:
        """The expression of a question that is answered where it is asked, within others; None if it is called."""

    @abstractmethod
    def place(self, expr: ir.Expr) -> str:
        """The ordinal of a place."""

    def local(self, slot: int) -> str:
        """How the text calls a local."""
        return self.names.get(slot, f"v[{slot}]")

    def may(self, expr: ir.Expr) -> bool:
        """Whether it may be nothing."""
        return self.plan.book.absence.may(self.name, expr)

    def lack(self, condition: str) -> None:
        """Something is asked of nothing if a condition of C is true."""
        self.lacking += 1
        self.put(f"if ({condition}) {self.lacks}")

    def kept(self, text: str) -> str:
        """The name of a value that is found out now."""
        name = f"t{self.paper.fresh()}"
        self.put(f"V {name} = {text};")
        return name

    # ── loops ──

    def through(self, expr: ir.Expr, member: Member) -> None:
        """A loop through a list that must be there."""
        self.begun(expr)(member)

    def begun(self, expr: ir.Expr) -> Loop:
        """The same, after the lines that find out what the loop goes through."""
        if is_settled(self.plan.book, expr) and isinstance(expr.type, t.ListOf):
            values, item = settled(self.plan.book, expr), expr.type.item
            return lambda member: self.settled_members(values, item, member)
        if self.may(expr):
            return self.standing(self.sure(expr))
        if (part := sets.part_of(self, expr)) is not None:
            return lambda member: sets.through(self, part, member)
        match expr:
            case ir.Cards(place):
                return self.cards(place)
            case ir.Filter(list, slot, condition):
                loop = self.begun(list)
                return lambda member: loop(lambda one: self.when(slot, one, condition, member))
            case ir.Each(list, slot, body, flat):
                loop = self.begun(list)
                return lambda member: loop(lambda one: self.about(slot, one, body, flat, member))
            case ir.Span(first, last):
                one, end = self.kept(self.sure(first)), self.kept(self.sure(last))
                self.put(f"if ({end} - {one} >= MOST_LISTED) stop(s, TOO_LONG);")
                self.put(f"if ({end} >= {one}) look(s, {end} - {one} + 1);")
                return lambda member: self.numbers(one, end, member)
            case ir.Chain(first, second):
                return self.both_lists(self.begun(first), self.begun(second))
            case ir.CallValue(name, arguments) if (found := self.inside(name, arguments)) is not None:
                asks, body = found
                return self.printed_by(asks, asks.begun(body))
            case ir.BuiltIn(name, (card,)) if name in NEAR and isinstance(card.type, t.Card):
                return self.near(NEAR[name], self.sure(card))
            case ir.Seats(False):
                return self.playing
        return self.standing(self.expr(expr))

    def printed_by(self, asks: Loops, loop: Loop) -> Loop:
        """A loop that somebody else prints, who may ask something of nothing."""
        self.lacking += asks.lacking

        def lacking(member: Member) -> None:
            before = asks.lacking
            loop(member)
            self.lacking += asks.lacking - before

        return lacking

    def both_lists(self, first: Loop, second: Loop) -> Loop:
        """One list behind another one, which are put together if much is done with each member."""

        def loop(member: Member) -> None:
            if self.is_short(member):
                first(member)
                second(member)
                return
            name = self.new_list()
            for one in (first, second):
                one(lambda each: self.put(f"push(s, &{name}, {each});"))
            self.standing(f"handle(s, {name})")(member)

        return loop

    def playing(self, member: Member) -> None:
        """A loop through the seats that still play."""
        number = self.paper.fresh()
        with self.paper.inside(f"for (int i{number} = 0; i{number} < s->playing; i{number}++)"):
            self.put(f"V x{number} = s->alive[i{number}];")
            member(f"x{number}")

    def numbers(self, first: str, last: str, member: Member) -> None:
        """A loop from one number to another one."""
        name = f"x{self.paper.fresh()}"
        with self.paper.inside(f"for (V {name} = {first}; {name} <= {last}; {name}++)"):
            member(name)

    def near(self, way: str, card: str) -> Loop:
        """A loop through the cards near one that lies in a row or grid."""
        number = self.paper.fresh()
        at, row, column = f"l{number}", f"r{number}", f"i{number}"
        self.put(f"Near {at};")
        self.lack(f"!look_around(s, {card}, {way}, &{at})")

        def loop(member: Member) -> None:
            self.put(f"for (int {row} = {at}.top; {row} <= {at}.bottom; {row}++)")
            with self.paper.inside(f"for (int {column} = {at}.left; {column} <= {at}.right; {column}++)"):
                self.put(f"V x{number} = s->zone[{at}.place][{row} * {at}.columns + {column}];")
                with self.paper.inside(f"if (x{number} != EMPTY && is_near(&{at}, {way}, {row}, {column}))"):
                    member(f"x{number}")

        return loop

    def is_short(self, member: Member) -> bool:
        """Whether what is printed about a member may stand there twice."""
        with self.paper.elsewhere() as lines:
            member("x0")
        return len(lines) <= MOST_TWICE

    def members(self, list: str, member: Member) -> None:
        """A loop through a list that stands somewhere."""
        number = self.paper.fresh()
        self.put(f"const V *l{number} = list_at(s, {list});")
        self.put(f"look(s, l{number}[0]);")
        with self.paper.inside(f"for (V i{number} = 1; i{number} <= l{number}[0]; i{number}++)"):
            self.put(f"V x{number} = l{number}[i{number}];")
            member(f"x{number}")

    def standing(self, list: str) -> Loop:
        """The same, of a list that is found out now."""
        name = self.simple(list)
        return lambda member: self.members(name, member)

    def settled_members(self, values: Sequence[int], item: t.Type, member: Member) -> None:
        if item == t.PLAYER and len(values) > 1 and [*values] == [*range(values[0], values[-1] + 1)]:
            self.numbers(str(values[0]), str(values[-1]), member)
        elif len(values) <= MOST_UNROLLED:
            for value in values:
                with self.paper.inside(""):
                    member(self.constant(value))
        else:
            self.members(self.constant(tuple(values)), member)

    def cards(self, place: ir.Expr) -> Loop:
        """A loop through the cards of a place."""
        number, kept = self.paper.fresh(), self.kept_as(place)
        if kept == "":
            return self.standing(f"cards_in(s, {self.place(place)})")
        self.put(f"int p{number} = (int){self.place(place)};")
        self.put(f"int n{number} = {'0' if kept == 'pool' else f's->n[p{number}]'};")
        self.put(f"look(s, n{number});")

        def loop(member: Member) -> None:
            with self.paper.inside(f"for (int i{number} = 0; i{number} < n{number}; i{number}++)"):
                self.put(f"V x{number} = s->zone[p{number}][i{number}];")
                with self.paper.inside(f"if (x{number} != EMPTY)" if kept == "grid" else ""):
                    member(f"x{number}")

        return loop

    def kept_as(self, place: ir.Expr) -> str:
        """How cards are kept in a place; empty if that is found out only in the game."""
        if not isinstance(place, ir.PlaceOf):
            return ""
        ordinals = self.layout.place_of[place.name]
        return next((self.layout.places[one].kept for one in ordinals if one is not None), "loose")

    @contextmanager
    def calling(self, slot: int, one: str) -> Iterator[None]:
        """The local of whatever a list is asked about is called so within."""
        before = dict(self.names)
        self.names[slot] = one
        yield
        self.names = before

    def when(self, slot: int, one: str, condition: ir.Expr, member: Member) -> None:
        with self.calling(slot, one):
            asked = self.truth(condition)
        if asked == "1":
            member(one)
        elif asked != "0":
            with self.paper.inside(f"if ({asked})"):
                member(one)

    def about(self, slot: int, one: str, body: ir.Expr, flat: bool, member: Member) -> None:
        if flat and isinstance(body.type, t.ListOf) and not self.may(body):
            with self.calling(slot, one):
                self.through(body, member)
            return
        with self.calling(slot, one):
            value = self.simple(self.expr(body))
        if not flat:
            self.unless_nothing(body, value, member)
        elif isinstance(t.surely(body.type), t.ListOf):
            self.unless_nothing(body, value, lambda there: self.members(there, member))
        else:
            raise CannotPrint("a list of lists and of single things", body.at)

    def unless_nothing(self, body: ir.Expr, value: str, member: Member) -> None:
        """What is nothing is left out."""
        if self.may(body):
            with self.paper.inside(f"if ({value} != NOTHING)"):
                member(value)
        else:
            member(value)

    def new_list(self) -> str:
        """The name of an empty list."""
        name = f"m{self.paper.fresh()}"
        self.put(f"V *{name} = fresh(s);")
        return name
