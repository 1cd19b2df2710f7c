"""Lists, printed: loops through what is never made, and lists where one is needed.

In: an `ir.Expr` that is a list, and what is to be done with each of its members. Out: loops of C. Never: an expression
that is no list.

A list that is only gone through is not made: the loop goes through the cards of a place, through those of another list
that a condition is true of, or through what is asked about each. Lists that are made stand in the arena of the state.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager

from rulebook.dsl import ir
from rulebook.dsl import types as t
from rulebook.interpreter.compiled.settled import is_settled, settled
from rulebook.interpreter.native import sets, words
from rulebook.interpreter.native.paper import CannotPrint
from rulebook.interpreter.native.plan import Plan

Member = Callable[[str], None]
"""What is printed about one member, whose name it is told."""

NEAR = {"beside": "BESIDE", "around": "AROUND", "row": "ROW_OF", "column": "COLUMN_OF"}
"""What is asked about a position, which a card may not have."""
MOST_UNROLLED = 4
"""So many settled members are asked one by one."""
MOST_TWICE = 12
"""So many lines about a member may stand there twice."""


class Lists:
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
    def inside(self, name: str, arguments: tuple[ir.Expr, ...]) -> tuple[Lists, ir.Expr] | None:
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
        if is_settled(self.plan.book, expr) and isinstance(expr.type, t.ListOf):
            self.settled_members(settled(self.plan.book, expr), expr.type.item, member)
            return
        if self.may(expr):
            self.members(self.sure(expr), member)
            return
        if (part := sets.part_of(self, expr)) is not None:
            sets.through(self, part, member)
            return
        match expr:
            case ir.Cards(place):
                self.cards(place, member)
            case ir.Filter(list, slot, condition):
                self.through(list, lambda one: self.when(slot, one, condition, member))
            case ir.Each(list, slot, body, flat):
                self.through(list, lambda one: self.about(slot, one, body, flat, member))
            case ir.Span(first, last):
                one, end, name = self.kept(self.sure(first)), self.kept(self.sure(last)), f"x{self.paper.fresh()}"
                self.put(f"if ({end} - {one} >= MOST_LISTED) stop(s, TOO_LONG);")
                self.put(f"if ({end} >= {one}) look(s, {end} - {one} + 1);")
                with self.paper.inside(f"for (V {name} = {one}; {name} <= {end}; {name}++)"):
                    member(name)
            case ir.Chain(first, second) if self.is_short(member):
                self.through(first, member)
                self.through(second, member)
            case ir.CallValue(name, arguments) if (found := self.inside(name, arguments)) is not None:
                found[0].through(found[1], member)
                self.lacking += found[0].lacking
            case ir.BuiltIn(name, (card,)) if name in NEAR and isinstance(card.type, t.Card):
                self.near(NEAR[name], self.sure(card), member)
            case ir.Seats(False):
                number = self.paper.fresh()
                with self.paper.inside(f"for (int i{number} = 0; i{number} < s->playing; i{number}++)"):
                    self.put(f"V x{number} = s->alive[i{number}];")
                    member(f"x{number}")
            case _:
                self.members(self.expr(expr), member)

    def near(self, way: str, card: str, member: Member) -> None:
        """A loop through the cards near one that lies in a row or grid."""
        number = self.paper.fresh()
        at, row, column = f"l{number}", f"r{number}", f"i{number}"
        self.put(f"Near {at};")
        self.lack(f"!look_around(s, {card}, {way}, &{at})")
        self.put(f"for (int {row} = {at}.top; {row} <= {at}.bottom; {row}++)")
        with self.paper.inside(f"for (int {column} = {at}.left; {column} <= {at}.right; {column}++)"):
            self.put(f"V x{number} = s->zone[{at}.place][{row} * {at}.columns + {column}];")
            with self.paper.inside(f"if (x{number} != EMPTY && is_near(&{at}, {way}, {row}, {column}))"):
                member(f"x{number}")

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

    def settled_members(self, values: Sequence[int], item: t.Type, member: Member) -> None:
        if item == t.PLAYER and len(values) > 1 and [*values] == [*range(values[0], values[-1] + 1)]:
            name = f"x{self.paper.fresh()}"
            with self.paper.inside(f"for (V {name} = {values[0]}; {name} <= {values[-1]}; {name}++)"):
                member(name)
        elif len(values) <= MOST_UNROLLED:
            for value in values:
                with self.paper.inside(""):
                    member(self.constant(value))
        else:
            self.members(self.constant(tuple(values)), member)

    def cards(self, place: ir.Expr, member: Member) -> None:
        """A loop through the cards of a place."""
        number, kept = self.paper.fresh(), self.kept_as(place)
        if kept == "":
            self.members(f"cards_in(s, {self.place(place)})", member)
            return
        self.put(f"int p{number} = (int){self.place(place)};")
        self.put(f"int n{number} = {'0' if kept == 'pool' else f's->n[p{number}]'};")
        self.put(f"look(s, n{number});")
        with self.paper.inside(f"for (int i{number} = 0; i{number} < n{number}; i{number}++)"):
            self.put(f"V x{number} = s->zone[p{number}][i{number}];")
            if kept == "grid":
                with self.paper.inside(f"if (x{number} != EMPTY)"):
                    member(f"x{number}")
            else:
                member(f"x{number}")

    def kept_as(self, place: ir.Expr) -> str:
        """How cards are kept in a place; empty if that is found out only in the game."""
        if not isinstance(place, ir.PlaceOf):
            return ""
        return next(self.layout.places[one].kept for one in self.layout.place_of[place.name] if one is not None)

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

    def new_list(self) -> str:
        """The name of an empty list."""
        name = f"m{self.paper.fresh()}"
        self.put(f"V *{name} = fresh(s);")
        return name

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
        """`any` and `all`: what comes behind the deciding member is not asked. `member` prints, for the name of one,
        what is put where it decides.
        """
        found, number = self.kept(str(int(not decisive))), self.paper.fresh()
        whole = self.asks_within(list)

        def decides(_: str) -> None:
            self.put(f"{found} = {int(decisive)};")
            if not whole:
                self.put(f"goto D{number};")

        def unless_decided(one: str) -> None:
            with self.paper.inside(f"if ({found} == {int(not decisive)})" if whole else ""):
                member(one, decides)

        self.through(list, unless_decided)
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

    def asks_within(self, list: ir.Expr) -> bool:
        """Whether something may be asked of nothing while a list is gone through, which is then done to its end."""
        if not isinstance(list, ir.Filter | ir.Each | ir.CallValue | ir.Chain) or is_settled(self.plan.book, list):
            return False
        before = self.lacking
        with self.paper.elsewhere():
            self.through(list, lambda one: None)
        return self.lacking > before

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
