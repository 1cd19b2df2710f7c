"""Cards of places without an order, printed: such a place is a set, and what is printed on cards picks a part of it.

In: an `ir.Expr` that is a list of cards, and who prints it. Out: its place, the cards that may be in it by what is
printed on them, and the conditions that are left. Never: a list; a condition on what may change that is asked at once.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from attrs import evolve, frozen

from rulebook.dsl import ir
from rulebook.dsl import types as t
from rulebook.interpreter.compiled.settled import is_settled, settled

if TYPE_CHECKING:
    from rulebook.interpreter.native.loops import Loops, Member

UNORDERED = ("bag", "loose")


@frozen
class Part:
    """Part of a place without an order: of its cards, those among `cards` (None: all) that all of `conditions` are true
    of, which are asked one after the other, each by who prints it, with the slot of its local.
    """

    place: str
    there: frozenset[int]
    cards: frozenset[int] | None = None
    conditions: tuple[tuple[Loops, int, ir.Expr], ...] = ()

    def masks(self) -> dict[int, str]:
        """By the number of 64 cards, a mask of those that are wanted; nothing for those of which none is."""
        wanted = self.there if self.cards is None else self.cards
        bits: dict[int, int] = {}
        for card in wanted:
            bits[card // 64] = bits.get(card // 64, 0) | 1 << card % 64
        return {part: f"{mask}u" for part, mask in sorted(bits.items())}

    def of(self, part: int | str, mask: str) -> str:
        """The wanted cards among 64 of the place."""
        lying = f"s->set[{self.place}].part[{part}]"
        return lying if self.cards is None else f"({lying} & {mask})"


def is_part(prints: Loops, name: str, expr: ir.Expr, asked: tuple[str, ...]) -> bool:
    """Whether a list, in the script or question of that name, is part of a place without an order."""
    if prints.plan.book.absence.may(name, expr) or is_settled(prints.plan.book, expr):
        return False
    match expr:
        case ir.Cards(place):
            return isinstance(place, ir.PlaceOf) and prints.kept_as(place) in UNORDERED
        case ir.Filter(list):
            return is_part(prints, name, list, asked)
        case ir.CallValue(other):
            body = prints.answered_inside(other, asked)
            return body is not None and is_part(prints, other, body, (*asked, other))
    return False


def part_of(prints: Loops, expr: ir.Expr) -> Part | None:
    """The part of a place that a list is; None if it is none."""
    return _part(prints, expr) if is_part(prints, prints.name, expr, prints.asked_in) else None


def _part(prints: Loops, expr: ir.Expr) -> Part | None:
    match expr:
        case ir.Cards(ir.PlaceOf(name) as place):
            slot = next(prints.layout.places[one] for one in prints.layout.place_of[name] if one is not None)
            there = prints.tables.of_kinds(slot.holds) or frozenset(range(prints.layout.cards))
            return Part(prints.simple(prints.place(place)), there)
        case ir.Filter(list, slot, condition):
            inner = _part(prints, list)
            return inner and _picked(prints, inner, slot, condition)
        case ir.CallValue(name, arguments) if (found := prints.inside(name, arguments)) is not None:
            part = _part(*found)
            prints.lacking += found[0].lacking
            return part
    return None


def _picked(prints: Loops, part: Part, slot: int, condition: ir.Expr) -> Part:
    """What is printed on cards is asked now, as long as nothing else is asked before."""
    if not part.conditions and isinstance(condition, ir.And):
        return _picked(prints, _picked(prints, part, slot, condition.left), slot, condition.right)
    if not part.conditions:
        every = ir.Const(tuple(sorted(part.there)), type=t.ListOf(t.Card(frozenset())))
        asked = ir.Filter(every, slot, condition, type=every.type)
        if is_settled(prints.plan.book, asked):
            wanted = frozenset(settled(prints.plan.book, asked))
            return evolve(part, cards=wanted if part.cards is None else wanted & part.cards)
    return evolve(part, conditions=(*part.conditions, (prints, slot, condition)))


def through(prints: Loops, part: Part, member: Member) -> None:
    """A loop through the cards of a part."""
    masks, number = part.masks(), prints.paper.fresh()
    if not masks:
        return
    prints.put(f"look(s, s->n[{part.place}]);")
    inner = _asked(prints, part, member)
    if len(masks) == 1:
        [(chunk, mask)] = masks.items()
        here, first = part.of(chunk, mask), str(chunk * 64)
    else:
        every = [masks.get(chunk, "0") for chunk in range(max(masks) + 1)]
        table = prints.paper.table("uint64_t", every)
        here, first = part.of(f"i{number}", f"{table}[i{number}]"), f"i{number} * 64"
        prints.put(f"for (int i{number} = {min(masks)}; i{number} <= {max(masks)}; i{number}++)")
    with prints.paper.inside(f"for (uint64_t b{number} = {here}; b{number}; b{number} &= b{number} - 1)"):
        prints.put(f"V x{number} = {first} + __builtin_ctzll(b{number});")
        inner(f"x{number}")


def _asked(prints: Loops, part: Part, member: Member) -> Member:
    """What is printed about a member of a part, if all conditions are true of it."""

    def inner(one: str, left: tuple[tuple[Loops, int, ir.Expr], ...] = part.conditions) -> None:
        if not left:
            member(one)
            return
        (asks, slot, condition), *others = left
        before = asks.lacking
        asks.when(slot, one, condition, lambda one: inner(one, tuple(others)))
        if asks is not prints:
            prints.lacking += asks.lacking - before

    return inner


def count(prints: Loops, part: Part) -> str:
    """How many cards a part has."""
    if not part.conditions:
        sums = [f"many({part.of(chunk, mask)})" for chunk, mask in part.masks().items()]
        return f"s->n[{part.place}]" if part.cards is None else f"({' + '.join(sums) or '0'})"
    found = prints.kept("0")
    through(prints, part, lambda one: prints.put(f"{found}++;"))
    return found


def some(part: Part) -> str:
    """Whether a part without conditions has any card."""
    here = [part.of(chunk, mask) for chunk, mask in part.masks().items()]
    return f"(({' | '.join(here) or '0'}) != 0)" if part.cards is not None else f"(s->n[{part.place}] > 0)"


def set_of(prints: Loops, expr: ir.Expr) -> str:
    """A pointer to a set of the cards of a list."""
    number = prints.paper.fresh()
    if is_settled(prints.plan.book, expr):
        cards = frozenset(settled(prints.plan.book, expr))
        masks = Part("", cards, cards).masks()
        every = [masks.get(chunk, "0") for chunk in range((prints.layout.cards + 63) // 64)]
        return f"(const Set *){prints.paper.table('uint64_t', every)}"
    prints.put(f"Set c{number} = {{0}};")
    part = part_of(prints, expr)
    if part is None or part.conditions:
        prints.through(expr, lambda one: prints.put(f"add_card(s, &c{number}, {one});"))
    else:
        for chunk, mask in part.masks().items():
            prints.put(f"c{number}.part[{chunk}] = {part.of(chunk, mask)};")
    return f"&c{number}"
