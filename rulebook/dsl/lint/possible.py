"""The possible values, cards and answers of each expression, for the lints, as far as what is written tells them.

They follow from types, printed attributes, declared ranges, options, how many play, and constants. Nothing is followed
from one script into another, or from one moment of a game to the next (docs/decisions/0010).
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import cached_property, reduce
from typing import Any

from rulebook.dsl import ir
from rulebook.dsl import types as t
from rulebook.dsl.lint.book import Book, Home, words
from rulebook.dsl.lint.value_sets import BOTH, FAR, TURNED, Truth, ValueSet, between, compare, join, reckon, values
from rulebook.dsl.settling.options import choices_of
from rulebook.dsl.walk import everything

_PLAIN = (t.Number, t.Amount, t.Symbol, t.YesNo, t.Nothing)
_NOTHING = ir.Const(None, type=t.NOTHING)
_SLOTS = ("slot", "slots", "index")
"""Fields that hold numbers of locals."""


class Possible:
    """The possible values, cards and answers of each expression in one home.

    Cards are sets of definitions, kept as the bits of a number: bit n is the n-th card of the rulebook.
    """

    def __init__(self, book: Book) -> None:
        self.book, self.rulebook = book, book.rulebook
        self.home = book.homes[ir.GAME]
        self.bits = {id: 1 << number for number, id in enumerate(self.rulebook.cards)}
        self._every = (1 << len(self.bits)) - 1
        self._fitting: dict[t.Type, int] = {}
        self._named: dict[str, dict[int, tuple[ir.Expr, ...]]] = {}

    # ── cards ────────────────────────────────────────────────────────────────────────────────────────────────────

    def fitting(self, of: t.Type) -> int:
        """The cards that a type allows."""
        if of not in self._fitting:
            cards = 0
            for member in t.members(of):
                match member:
                    case t.Card(kinds):
                        cards |= self._find_cards_of_kinds(kinds)
                    case t.ListOf(item) | t.PerPlayer(item):
                        cards |= self.fitting(item)
            self._fitting[of] = cards
        return self._fitting[of]

    def _find_cards_of_kinds(self, kinds: frozenset[str]) -> int:
        return sum(self.bits[id] for id, card in self.rulebook.cards.items() if card.kind in kinds)

    def _find_cards_of_names(self, definitions: Iterable[str]) -> int:
        return sum(self.bits.get(id, 0) for id in definitions)

    def cards(self, expr: ir.Expr) -> int:
        """The cards that an expression may mean, one of them or several."""
        limit = self.fitting(expr.type)
        match expr:
            case _ if not limit:
                return 0
            case ir.AllCards(str(only)):
                return limit & self.bits.get(only, limit)
            case ir.Filter(listed, slot, condition):
                return self.select(condition, slot, limit & self.cards(listed))[0]
        inner = self._inner(expr)
        return limit & reduce(int.__or__, map(self.cards, inner)) if inner else limit

    def cards_from_box(self, expr: ir.Expr) -> int:
        """The cards that an expression may take out of the box."""
        match expr:
            case ir.Filter(listed, slot, condition):
                return self.select(condition, slot, self.cards_from_box(listed))[0]
            case ir.Cards(place) | ir.TheCard(place):
                return self.cards_from_box(place) & self.fitting(expr.type)
            case ir.PlaceOf(name):
                return self._every if name == "box" else 0
        inner = self._inner(expr)
        if inner and (self.fitting(expr.type) or not isinstance(expr, ir.Local)):
            return reduce(int.__or__, map(self.cards_from_box, inner))
        return self._every if isinstance(expr.type, t.Place) else self.cards(expr)

    def select(self, condition: ir.Expr, slot: int, cards: int) -> tuple[int, int]:
        """Split cards in a slot: those for which a condition can be yes, and those for which it can be no."""
        match condition:
            case ir.Not(value):
                yes, no = self.select(value, slot, cards)
                return no, yes
            case ir.And(left, right):
                yes, no = self.select(left, slot, cards)
                both, only_left = self.select(right, slot, yes)
                return both, no | only_left
            case ir.Or(left, right):
                yes, no = self.select(left, slot, cards)
                only_right, neither = self.select(right, slot, no)
                return yes | only_right, neither
            case ir.IsKind(ir.Local(local), kinds) if local == slot:
                return cards & self._find_cards_of_kinds(kinds), cards & ~self._find_cards_of_kinds(kinds)
            case ir.IsCard(ir.Local(local), definitions) if local == slot:
                return cards & self._find_cards_of_names(definitions), cards & ~self._find_cards_of_names(definitions)
            case ir.Compare(operator, ir.Attribute(name, ir.Local(local)), other) if local == slot:
                return self._select_printed(operator, name, self.values(other), cards)
            case ir.Compare(operator, other, ir.Attribute(name, ir.Local(local))) if local == slot:
                return self._select_printed(TURNED[operator], name, self.values(other), cards)
            case ir.Attribute(name, ir.Local(local)) if local == slot:
                return self._select_printed("==", name, values(True), cards)
        can, cannot = self.truth(condition)
        return cards if can else 0, cards if cannot else 0

    def _select_printed(self, operator: str, name: str, other: ValueSet | None, cards: int) -> tuple[int, int]:
        yes = no = 0
        for printed, mask in self._printed.get(name, {}).items():
            can, cannot = compare(operator, printed, other)
            yes |= mask if can else 0
            no |= mask if cannot else 0
        return cards & yes, cards & no

    @cached_property
    def _printed(self) -> dict[str, dict[ValueSet | None, int]]:
        """Collect what is printed under each name, and on which cards."""
        tables: dict[str, dict[ValueSet | None, int]] = {}
        for id, card in self.rulebook.cards.items():
            for name in {**card.attributes, **{name: None for _, group in card.copies for name in group}}:
                printed = join(
                    _find_printed({**card.attributes, **group}.get(name, _NOTHING)) for _, group in card.copies
                )
                masks = tables.setdefault(name, {})
                masks[printed] = masks.get(printed, 0) | self.bits[id]
        return tables

    # ── values ───────────────────────────────────────────────────────────────────────────────────────────────────

    def values(self, expr: ir.Expr) -> ValueSet | None:
        """The values that are possible, of a list those of its members; None where that is not known."""
        match expr:
            case ir.Const(value):
                return values(*value) if isinstance(value, tuple) else values(value)
            case ir.OptionValue(name, key=None):
                choices = choices_of(self.rulebook.options[name])
                return values(*choices) if choices else None
            case ir.ByOption(_, cases):
                return join(self.values(value) for _, value in cases)
            case ir.TableMemory(name) | ir.PlayerMemory(name):
                return _find_declared(self.rulebook.memories[name])
            case ir.State(name):
                return _find_declared(self.rulebook.states[name])
            case ir.Attribute(name, card):
                cards = self.cards(card)
                return join(printed for printed, mask in self._printed.get(name, {}).items() if mask & cards)
            case ir.Arithmetic(operator, left, right):
                return reckon(operator, self.values(left), self.values(right))
            case ir.Span(first, last):
                low, high = self.values(first), self.values(last)
                return None if low is None or high is None else between(low.low, high.high)
            case ir.Pieces():
                return between(0, FAR)
            case ir.BuiltIn("count", (listed,)):
                return between(*self._length(listed))
            case ir.BuiltIn("min" | "max" as name, (left, right)) if not isinstance(left.type, t.ListOf):
                pick = min if name == "min" else max
                return between(*map(pick, self._bounds(left), self._bounds(right)))
            case ir.IfElse(condition, then, otherwise):
                yes, no = self.truth(condition)
                return join(map(self.values, [then] * yes + [otherwise] * no))
            case _ if expr.type == t.YES_NO and not isinstance(expr, ir.Local):
                yes, no = self.truth(expr)
                return values(*[True] * yes, *[False] * no)
            case ir.Local() if not _is_plain(expr.type):
                return None
        inner = self._inner(expr)
        return join(map(self.values, inner)) if inner else None

    def _bounds(self, expr: ir.Expr) -> tuple[float, float]:
        limits = self.values(expr)
        return (-FAR, FAR) if limits is None or limits.low > limits.high else (limits.low, limits.high)

    def _length(self, listed: ir.Expr) -> tuple[float, float]:
        """The fewest there may be in a list, and the most."""
        least, most = self.book.players
        match listed:
            case ir.Seats(everyone):
                return (least if everyone or self.book.all_stay else 0), most
            case ir.Clockwise(start, after):
                surely = self.book.all_stay and not t.may_be_nothing(start.type)
                return (max(least - after, 0) if surely else 0), most - after
            case ir.Const(tuple() as members):
                return len(members), len(members)
            case ir.Listed(items):
                return 0, len(items)
            case ir.Span(first, last):
                low, high = self._bounds(first), self._bounds(last)
                return max(high[0] - low[1] + 1, 0), max(high[1] - low[0] + 1, 0)
            case ir.Filter(inner):
                return 0, self._length(inner)[1]
        return 0, FAR

    # ── names ────────────────────────────────────────────────────────────────────────────────────────────────────

    def _inner(self, expr: ir.Expr) -> tuple[ir.Expr, ...]:
        """The expressions one of which, or of whose members, an expression is; none where that is not known."""
        match expr:
            case ir.Local(slot):
                if self.home.name not in self._named:
                    self._named[self.home.name] = _find_names(self.home)
                return self._named[self.home.name].get(slot, ())
            case ir.Filter(listed) | ir.Ordering(listed) | ir.BuiltIn("first" | "last" | "distinct", (listed, *_)):
                return (listed,)
            case ir.Each(_, _, body):
                return (body,)
            case ir.Chain(left, right) | ir.IfElse(_, left, right):
                return left, right
            case ir.Listed(items):
                return items
            case ir.PerPlayerAnswer(answers):
                return (answers,)
        return ()

    # ── answers ──────────────────────────────────────────────────────────────────────────────────────────────────

    def is_constant(self, expr: ir.Expr) -> bool:
        """Return True if one answer remains. To name the kind of what is there is no mistake."""
        yes, no = self.truth(expr)
        return yes != no and not (yes and isinstance(expr, ir.IsKind | ir.IsCard))

    def truth(self, expr: ir.Expr) -> Truth:
        """Return the possible answers of a question: whether yes is one, and whether no is."""
        match expr:
            case ir.Const(bool(value)):
                return value, not value
            case ir.Not(value):
                yes, no = self.truth(value)
                return no, yes
            case ir.And(left, right):
                (yes, no), (too, nor) = self.truth(left), self.truth(right)
                possible = yes and too and not _denies_itself(expr)
                return possible and self._select_members(expr)[0], no or (yes and nor)
            case ir.Or(left, right):
                (yes, no), (too, nor) = self.truth(left), self.truth(right)
                possible = no and nor and not _denies_itself(expr)
                return yes or (no and too), possible and self._select_members(expr)[1]
            case ir.Compare(operator, left, right):
                return self._compare(operator, left, right)
            case ir.IsKind(value, kinds):
                return self._ask_among(value, self._find_cards_of_kinds(kinds))
            case ir.IsCard(value, definitions) if t.ACTION not in t.members(t.surely(value.type)):
                return self._ask_among(value, self._find_cards_of_names(definitions))
            case ir.Within(value, listed) if self.fitting(value.type):
                here, there = self.cards(value), self.cards(listed)
                return bool(here & there) or not (here and there), True
            case ir.Within(value, listed) if _is_plain(value.type):
                return compare("==", self.values(value), self.values(listed))[0], True
            case ir.BuiltIn("any", (ir.Each(_, _, body),)) if body.type == t.YES_NO:
                return self.truth(body)[0], True
            case ir.BuiltIn("all", (ir.Each(_, _, body),)) if body.type == t.YES_NO:
                return True, self.truth(body)[1]
            case ir.IsEmpty(listed) if has_members(listed):
                return False, True
            case ir.IsEmpty(listed):
                return True, not self.is_never_any(listed)
            case ir.BuiltIn("any", (listed,)):
                return not self.is_never_any(listed), True
            case ir.OptionValue() | ir.Attribute() | ir.Local():
                answers = self.values(expr)
                return BOTH if answers is None or answers.empty else (True in answers.others, answers.only != (True,))
        return BOTH

    def _compare(self, operator: str, left: ir.Expr, right: ir.Expr) -> Truth:
        if operator in ("==", "!=") and not (_is_plain(left.type) and _is_plain(right.type)):
            return BOTH
        yes, no = compare(operator, self.values(left), self.values(right))
        if type(left) is type(right) and left == right:
            return yes and operator in ("==", "<=", ">="), no and operator in ("!=", "<", ">")
        return yes, no

    def _ask_among(self, value: ir.Expr, wanted: int) -> Truth:
        """Return whether a card can be one of these, and can be none. Only a member of a list is surely there."""
        there = self.cards(value)
        if not there:
            return BOTH
        loops = self.home.of(ir.Through, ir.ForEach)
        surely = isinstance(value, ir.Local) and any(loop.slot == value.slot for loop in loops)
        return bool(there & wanted), bool(there & ~wanted) or not surely

    def _select_members(self, expr: ir.And | ir.Or) -> Truth:
        """Return the possible answers of a question of several parts, by the members of lists that it asks about."""
        yes = no = True
        loops = {loop.slot for loop in self.home.of(ir.Through, ir.ForEach)}
        for card in everything(expr):
            if isinstance(card, ir.Local) and card.slot in loops and isinstance(card.type, t.Card):
                can, cannot = self.select(expr, card.slot, self.cards(card))
                yes, no = yes and (can > 0 or not cannot), no and (cannot > 0 or not can)
        return yes, no

    def is_never_any(self, listed: ir.Expr) -> bool:
        """Return True if a list is surely empty, though what it is taken from is not."""
        if not isinstance(listed, ir.Filter):
            return False
        if self.cards(listed.list):
            return not self.cards(listed)
        return self.truth(listed.condition) == (False, True)

    def find_empty(self, condition: ir.Expr, holds: bool) -> list[ir.Expr]:
        """The lists that are empty if a condition comes out so."""
        match condition:
            case ir.Not(value):
                return self.find_empty(value, not holds)
            case ir.And(left, right) | ir.Or(left, right) if isinstance(condition, ir.And) == holds:
                return self.find_empty(left, holds) + self.find_empty(right, holds)
            case ir.IsEmpty(listed) if holds:
                return [listed]
            case ir.BuiltIn("any", (listed,)) if not holds and not isinstance(listed, ir.Each):
                return [listed]
            case ir.Compare(operator, ir.BuiltIn("count", (listed,)), other):
                limit, way = self.values(other), 0 if holds else 1
                if compare(operator, values(0), limit)[way] and not compare(operator, between(1, FAR), limit)[way]:
                    return [listed]
        return []


def _sides(expr: ir.And | ir.Or) -> list[ir.Expr]:
    """All that stands in one chain of `and`, or of `or`."""
    sides: list[ir.Expr] = []
    for side in (expr.left, expr.right):
        sides += _sides(side) if isinstance(side, ir.And | ir.Or) and type(side) is type(expr) else [side]
    return sides


def _denies_itself(expr: ir.And | ir.Or) -> bool:
    """Tell whether a question and its denial stand in one chain of `and` or of `or`."""
    sides = _sides(expr)
    # By their words, because equal lists may number their members otherwise.
    denied = {words(side.value) for side in sides if isinstance(side, ir.Not)}
    return bool(denied) and any(words(side) in denied for side in sides if not isinstance(side, ir.Not))


def has_members(listed: ir.Expr) -> bool:
    """Return True if something that is always there is written into a list."""
    match listed:
        case ir.Listed(items):
            return any(not t.may_be_nothing(item.type) for item in items)
        case ir.Chain(left, right):
            return has_members(left) or has_members(right)
    return False


def _find_names(home: Home) -> dict[int, tuple[ir.Expr, ...]]:
    """Map each local of a home to what it stands for, or is a member of, if it is bound once and to that alone."""
    named: dict[int, tuple[ir.Expr, ...]] = {}
    bound: list[int] = list(range(home.parameters))
    for record in home.records:
        match record:
            case ir.Local():
                continue
            case ir.Let(slot, value):
                named[slot] = (value,)
            case ir.Pick():
                named[record.slot] = tuple(source.list for source in record.sources)
            case ir.Repeat(count, int(index)) if count is not None:
                named[index] = (ir.Span(ir.Const(1, type=t.NUMBER), count, type=t.ListOf(t.NUMBER)),)
            case ir.Through() | ir.ForEach():
                named[record.slot] = (record.list,)
        for slots in (getattr(record, name, None) for name in _SLOTS):
            bound += slots if isinstance(slots, tuple) else [slots] if isinstance(slots, int) else []
    return {slot: exprs for slot, exprs in named.items() if bound.count(slot) == 1}


def _find_declared(declared: ir.MemoryDef | ir.StateDef) -> ValueSet | None:
    """The values that a memory or state is declared with, if nothing but them may be kept there."""
    changing = isinstance(declared, ir.StateDef) and declared.printed
    if declared.values is None or changing or isinstance(declared.type, t.ListOf):
        return None
    return values(*declared.values, *[None] * (declared.start is None))


def _find_printed(expr: Any) -> ValueSet | None:
    match ir.as_constant(expr):
        case ir.Const(value) if not isinstance(value, tuple):
            return values(value)
        case ir.ByOption(_, cases):
            return join(_find_printed(case) for _, case in cases)
    return None


def _is_plain(of: t.Type) -> bool:
    """Return True if every value of this type is followed here."""
    return all(isinstance(member, _PLAIN) for member in t.members(of))
