"""How one card gets to a place, printed for each place to which cards are moved or drawn: what `hands` does, where it
is known before the game how cards are kept there.

In: the `Book`, the name of a place, the end and the face with which cards come there. Out: one function of Python for
each of these. Never: what is seldom; that is handed on to `hands`.
"""

from __future__ import annotations

from rulebook.dsl import ir
from rulebook.dsl import types as t
from rulebook.interpreter import random
from rulebook.interpreter.compiled.blind import OTHER, PILE, ROW, SLOT, SORTED, kind_of
from rulebook.interpreter.compiled.book import Book
from rulebook.interpreter.compiled.places import Places
from rulebook.interpreter.compiled.sources import keeps_knowledge, slots_of
from rulebook.interpreter.layout import BOX, FACES, WHERE

Way = tuple[str, str, str, str]
"""Where cards are drawn from ("" if one is moved), where they go, at which end, with which face (as text)."""


class Ways(Places):
    """Prints the functions; whose place it is, they are told as `o`."""

    def __init__(self, book: Book) -> None:
        super().__init__(book)
        self.put = book.paper.put
        kept = [(one.slot, kind_of(book.layout, one)) for one in book.layout.places]
        self.plain_slots = tuple(slot if kind in (SORTED, ROW, SLOT) else None for slot, kind in kept)
        """By place, where its cards stand if one of them is taken from there by simply taking it out."""

    def expr(self, expr: ir.Expr) -> str:
        return "o"

    sure = expr

    def print_all(self) -> None:
        """One function for each way that the text goes."""
        for way, name in self.book.ways.items():
            if way[0]:
                self.draw(name, way)
            else:
                self.move(name, way)

    def goal(self, name: str) -> tuple[int, ir.PlaceOf]:
        """How a place keeps cards, and the place of whoever is `o`."""
        owner = ir.Local(0, "", type=t.PLAYER) if self.layout.place_of[name][1:] else None
        place = ir.PlaceOf(name, owner, type=t.NOTHING)
        return kind_of(self.layout, slots_of(self.book, place)[0]), place

    def move(self, name: str, way: Way) -> None:
        """One card, from wherever it lies."""
        how, goal = self.goal(way[1])
        with self.paper.inside(f"def {name}(r, s, x, o):"):
            self.put("if x is None: return")
            self.put(f"w = s[{WHERE}]")
            self.put(f"c = {self.constant(self.plain_slots)}[w[x]]")
            taken = f" or s[{self.place(goal)[1]}]" if how == SLOT else ""
            with self.paper.inside(f"if c is None{taken}:"):
                self.put(f"move(r, s, x, {self.ordinal(way[1], goal.owner)}, {way[2]}, {way[3]})")
                self.put("return")
            self.hot("e", "c")
            self.put("e.remove(x)")
            self.lay(how, goal, way)

    def draw(self, name: str, way: Way) -> None:
        """One card of a bag or pile, which belongs to the table."""
        (kind, source), (how, goal) = self.goal(way[0]), self.goal(way[1])
        slot, stream, settled = (self.slot_of(source, which)[1] for which in ("slot", "stream", "settled"))
        ends = f"{self.ordinal(way[0], None)}, {self.ordinal(way[1], goal.owner)}, {way[2]}, {way[3]}"
        with self.paper.inside(f"def {name}(r, s, o):"):
            seldom = "not e"
            self.put(f"e = s[{slot}]")
            if kind == PILE:
                self.put(f"c, b = s[{settled}]")
                seldom += " or c or b == len(e)"
            if how == SLOT:
                seldom += f" or s[{self.place(goal)[1]}]"
            self.put(f"if {seldom}: return draw_one(r, s, {ends})")
            self.put(f"if type(e) is bytes: e = r.heat(s, {slot})")
            self.put(f"t, n = s[{stream}] or (1, 0)")
            self.put(f"n = (n or begun(r, s, {stream}, t)) * {random.MULTIPLIER} & {random.MASK}")
            left = "(len(e) - b)" if kind == PILE else "len(e)"
            self.put(f"x = e.pop((n >> 64) * {left} >> 64)")
            if kind == PILE and how != SORTED:
                self.put(f"n = n * {random.MULTIPLIER} & {random.MASK}")  # what goes into an order gets one
            self.put(f"s[{stream}] = t, n")
            self.put(f"w = s[{WHERE}]")
            self.lay(how, goal, way)
            self.put("return x")

    def hot(self, name: str, slot: str) -> None:
        """What stands in a slot, so that it can be changed in place."""
        self.put(f"{name} = s[{slot}]")
        self.put(f"if type({name}) is bytes: {name} = r.heat(s, {slot})")

    def lay(self, how: int, goal: ir.PlaceOf, way: Way) -> None:
        """Lay `x` into the place."""
        self.hot("e", self.place(goal)[1])
        bottom = way[2] == self.constant("bottom")
        if how == SORTED:
            self.put("insort(e, x)")
        elif way[2] == self.constant("top") or (how == PILE and not bottom):
            self.put("e.insert(0, x)")
        else:
            self.put("e.append(x)")
        if how == PILE:
            settled = self.slot_of(goal, "settled")[1]
            self.put(f"c, b = s[{settled}]")
            self.put(f"s[{settled}] = {'c, b + 1' if bottom else 'c + 1, b'}")
        self.put(f"if type(w) is bytes: w = r.heat(s, {WHERE})")
        self.put(f"w[x] = {self.ordinal(way[1], goal.owner)}")
        self.put(f"e = s[{FACES}]")
        with self.paper.inside(f"if e[x] != {way[3]}:"):
            self.put(f"if type(e) is bytes: e = r.heat(s, {FACES})")
            self.put(f"e[x] = {way[3]}")


def way_to(book: Book, source: str, goal: ir.Expr, end: str, face: str) -> str:
    """How the function is called by which one card goes this way; "" if there is none."""
    if not isinstance(goal, ir.PlaceOf) or keeps_knowledge(book):
        return ""
    places = slots_of(book, goal)
    if not places:
        return ""  # no card has such a place
    how = kind_of(book.layout, places[0])
    owned = None in book.layout.place_of[goal.name] or places[0].ordinal == BOX
    if how == OTHER or owned:
        return ""
    if source:
        [first, *others] = book.layout.place_of[source]
        kind = OTHER if others or first is None else kind_of(book.layout, book.layout.places[first])
        if kind not in (SORTED, PILE) or kind == how == PILE:
            return ""
    return book.way((source, goal.name, book.paper.constant(end), face))
