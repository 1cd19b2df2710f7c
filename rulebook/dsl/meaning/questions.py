"""What an expression may be: its values, the cards it may mean, the answers it may have.

In: an expression of the home that is looked at, and what every name, memory and place may hold so far. Out: all that is
possible. Never: changes what they hold; an expression that is not known here may be anything of its type.

Cards are sets of definitions, kept as the bits of a number: bit n is the n-th card of the rulebook.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import cache, lru_cache
from typing import Any

from rulebook.dsl import ir, spread
from rulebook.dsl import types as t
from rulebook.dsl.meaning.book import Book, Home
from rulebook.dsl.meaning.clashes import clash
from rulebook.dsl.meaning.lengths import Lengths
from rulebook.dsl.meaning.noted import Noted, Work, either
from rulebook.dsl.meaning.printed import CardSet
from rulebook.dsl.spread import BOTH, NO_VALUE, Spread, Truth

_FAR = float("inf")
_DEEPEST = 50  # questions that ask one another are followed; of what lies deeper, anything is possible
ALIKE = frozenset({t.PLAYER, t.ACTION})
"""Types of things that are not told apart here: a name for one may be any of them."""
_PLAIN = (t.Number, t.Amount, t.Symbol, t.YesNo, t.Nothing)
_MEMBERS = frozenset({ir.Filter, ir.Each, ir.Sorted, ir.Best, ir.ForEach})
"""What gives a name to one member of a list after the other, in questions."""
Slot = tuple[str, int]
"""A script and a local of it."""


@cache
def _is_plain(of: t.Type) -> bool:
    """Whether whatever is of this type has a value that is followed here."""
    return all(isinstance(one, _PLAIN) for one in t.members(of))


@lru_cache(maxsize=1024)
def _alone(name: str) -> frozenset[str]:
    """One place; games have few, and ask for them all the time."""
    return frozenset([name])


class Questions:
    """What is known of one rulebook, and what follows for an expression."""

    def __init__(self, book: Book, card_set: CardSet | None = None) -> None:
        self.book, self.rulebook = book, book.rulebook
        self.card_set = card_set = card_set or CardSet(self.rulebook)
        self.bits, self.all, self.printed = card_set.bits, card_set.all, card_set.printed
        self.fitting, self.of_kinds = card_set.fitting, card_set.fitting.of_kinds
        self.work = work = Work()
        self.places: Noted[str, int] = Noted(work, 0, either)
        self.places.update(dict.fromkeys(self.rulebook.places, 0))
        self.values: Noted[Slot, Spread | None] = Noted(work, NO_VALUE, spread.join)
        self.cards: Noted[Slot, int] = Noted(work, 0, either)
        self.goals: Noted[Slot, frozenset[str]] = Noted(work, frozenset(), either)
        self.sure: set[Slot] = set()
        """Locals of scripts that are members of lists, so never nothing."""
        self.memories: Noted[str, Spread | None] = Noted(work, NO_VALUE, spread.join)
        self.remembered: Noted[str, int] = Noted(work, 0, either)
        self.states: Noted[str, Spread | None] = Noted(work, NO_VALUE, spread.join)
        self.answers: Noted[str, Spread | None] = Noted(work, NO_VALUE, spread.join)
        self._asked = work.answers
        self._depth = 0
        self.lengths = Lengths(book.players, book.all_stay, self.of)
        self.home = book.homes[ir.GAME]
        self.followed = frozenset(self.rulebook.scripts.keys() & book.reached)
        """Scripts of which it is known who runs them, and with what. Elsewhere a name may be anything of its type."""

    def within(self, home: Home) -> None:
        """What follows is asked in this home."""
        self.home = home

    # ── places ───────────────────────────────────────────────────────────────────────────────────────────────────

    def _held(self, place: str) -> int:
        return self.all if place == "box" else self.of_kinds(self.rulebook.places[place].holds)

    def _goals(self, place: ir.Expr) -> frozenset[str]:
        """The places that an expression may mean."""
        match place:
            case ir.PlaceOf(name):
                return _alone(name)
            case ir.Local(slot):
                if self.home.name in self.followed:
                    return self.goals.known((self.home.name, slot), frozenset())
                return frozenset(self.places)
        if place.type == t.CELL:
            return frozenset(name for name, one in self.rulebook.places.items() if one.kept in ("grid", "row"))
        return frozenset(self.places)

    def _contents(self, place: ir.Expr) -> int:
        found = 0
        for name in self._goals(place):
            found |= self.places.known(name, self.all)
        return found

    def _either(self, expr: ir.Expr) -> int:
        return self._contents(expr) if isinstance(expr.type, t.Place) else self.lying(expr)

    # ── cards ────────────────────────────────────────────────────────────────────────────────────────────────────

    def lying(self, expr: ir.Expr) -> int:
        """The cards that an expression may mean, one of them or several."""
        limit = self.fitting[expr.type]
        if not limit:
            return 0
        found = _LYING.get(type(expr))
        return limit if found is None else found(self, expr) & limit

    def _filtered(self, expr: ir.Filter) -> int:
        lying = self.lying(expr.list)
        return lying & self.select(expr.condition, expr.slot, lying)[0]

    def _some_of(self, expr: ir.BuiltIn) -> int:
        match expr:
            case ir.BuiltIn("first" | "last" | "distinct", (listed, *_)):
                return self.lying(listed)
        return self.all

    def _together(self, exprs: Iterable[ir.Expr]) -> int:
        found = 0
        for one in exprs:
            found |= self.lying(one)
        return found

    def _ask(self, what: str, name: str) -> Any:
        """What a question answers, whoever asks it; remembered as long as that holds."""
        key = what, name
        if key not in self._asked:
            unknown = self.all if what == "cards" else None if what == "of" else BOTH
            if self._depth == _DEEPEST:
                return unknown
            self._asked[key] = unknown
            outer, asker = self.home, self.work.worker
            self.home, self.work.worker = self.book.homes[name], key
            self._depth += 1
            self._asked[key] = self._worked_out(what, self.rulebook.functions[name])
            self._depth -= 1
            self.home, self.work.worker = outer, asker
        return self._asked[key]

    def _worked_out(self, what: str, asked: ir.Function) -> Any:
        match asked.body:
            case ir.Conditions(lines):
                answers = [self.truth(line.value) for line in lines]
                return (all(yes for yes, _ in answers), any(no for _, no in answers)) if what == "truth" else None
            case ir.Total() | tuple():
                return self._asked[what, asked.name]
            case body:
                return self.lying(body) if what == "cards" else self.of(body) if what == "of" else self.truth(body)

    # ── values ───────────────────────────────────────────────────────────────────────────────────────────────────

    def of(self, expr: ir.Expr) -> Spread | None:
        """The values that are possible, of a list those of its members; None where that is not known."""
        found = _VALUES.get(type(expr))
        return self._answered(expr) if found is None else found(self, expr)

    def _answered(self, expr: ir.Expr) -> Spread | None:
        if expr.type != t.YES_NO:
            return None
        yes, no = self.truth(expr)
        return spread.of([True] * yes + [False] * no)

    def _of_built_in(self, expr: ir.BuiltIn) -> Spread | None:
        match expr:
            case ir.BuiltIn("count", (listed,)):
                return spread.between(*self.lengths.range(listed))
            case ir.BuiltIn("distinct", (listed,)):
                return self.of(listed)
        return self._answered(expr)

    def _of_local(self, expr: ir.Local) -> Spread | None:
        if expr.type in ALIKE or self.home.name not in self.followed:
            return None
        return self.values.known((self.home.name, expr.slot), NO_VALUE)

    def _of_span(self, expr: ir.Span) -> Spread | None:
        low, high = self.of(expr.first), self.of(expr.last)
        return None if low is None or high is None else spread.between(low.low, high.high)

    def _joined(self, exprs: Iterable[ir.Expr]) -> Spread | None:
        found: Spread | None = NO_VALUE
        for one in exprs:
            found = spread.join(found, self.of(one))
        return found

    def _most(self, count: ir.Expr) -> float:
        found = self.of(count)
        return _FAR if found is None else found.high

    def _option(self, name: str) -> Spread | None:
        option = self.rulebook.options[name]
        if option.choices is not None:
            return spread.of(option.choices)
        if option.low is not None and option.high is not None:
            return spread.between(option.low, option.high)
        match option.type:
            case t.YesNo():
                return spread.of([True, False])
            case t.Symbol(enumeration):
                return spread.of(self.rulebook.words[enumeration])
        return None

    # ── answers ──────────────────────────────────────────────────────────────────────────────────────────────────

    def truth(self, expr: ir.Expr) -> Truth:
        """Whether a question can be answered with yes, and whether with no."""
        found = _TRUTHS.get(type(expr))
        return BOTH if found is None else found(self, expr)

    def _not(self, expr: ir.Not) -> Truth:
        yes, no = self.truth(expr.value)
        return no, yes

    def _and(self, expr: ir.And) -> Truth:
        (yes, no), (too, nor) = self.truth(expr.left), self.truth(expr.right)
        if yes and too and clash(expr, self.of, holds=True) is not None:
            return False, True
        return yes and too, no or (yes and nor)

    def _or(self, expr: ir.Or) -> Truth:
        (yes, no), (too, nor) = self.truth(expr.left), self.truth(expr.right)
        if no and nor and clash(expr, self.of, holds=False) is not None:
            return True, False
        return yes or (no and too), no and nor

    def _is_card(self, expr: ir.IsCard) -> Truth:
        if t.ACTION in t.members(t.surely(expr.value.type)):
            return BOTH
        return self._among(expr.value, sum(self.bits.get(one, 0) for one in expr.definitions))

    def _built_in(self, expr: ir.BuiltIn) -> Truth:
        match expr:
            case ir.BuiltIn("any", (listed,)) if not self._answers(listed):
                return (False, True) if self.never_any(listed) else BOTH
            case ir.BuiltIn("any", (ir.Each(_, _, body),)):
                return self.truth(body)[0], True
            case ir.BuiltIn("all", (ir.Each(_, _, body),)):
                return True, self.truth(body)[1]
        return BOTH

    def _is_nothing(self, expr: ir.IsNothing) -> Truth:
        found = self.of(expr.value)
        if found is not None and isinstance(expr.value, ir.TableMemory | ir.PlayerMemory | ir.OptionValue):
            # What is never set is told where it is declared.
            return None in found.others, True
        return BOTH

    def _is_yes(self, expr: ir.Expr) -> Truth:
        found = self.of(expr)
        return BOTH if found is None else (True in found.others, bool(found.others - {True}))

    @staticmethod
    def _answers(listed: ir.Expr) -> bool:
        return isinstance(listed.type, t.ListOf) and t.YES_NO in t.members(listed.type.item)

    def _compared(self, operator: str, left: ir.Expr, right: ir.Expr) -> Truth:
        if operator in ("==", "!=") and not (_is_plain(left.type) and _is_plain(right.type)):
            return BOTH
        yes, no = spread.compare(operator, self.of(left), self.of(right))
        if type(left) is type(right) and left == right:
            return yes and operator in ("==", "<=", ">="), no and operator in ("!=", "<", ">")
        return yes, no

    def _among(self, value: ir.Expr, cards: int) -> Truth:
        """Whether a card is one of these. Only a member of a list is surely there."""
        lying = self.lying(value)
        sure = isinstance(value, ir.Local) and self._is_member(value.slot)
        if not lying and sure:
            return False, False
        return bool(lying & cards), bool(lying & ~cards) or not sure or not lying

    def _is_member(self, slot: int) -> bool:
        """Whether a name stands for a member of a list, whatever it is."""
        if isinstance(self.home.root, ir.Function):
            return any(one.slot == slot for one in self.home.of(_MEMBERS))
        return (self.home.name, slot) in self.sure

    def _within(self, value: ir.Expr, listed: ir.Expr) -> Truth:
        if self.fitting[value.type]:
            here, there = self.lying(value), self.lying(listed)
            return (bool(here & there), True) if here and there else BOTH
        if t.PLAYER in t.members(t.surely(value.type)):
            return BOTH
        one, other = self.of(value), self.of(listed)
        if one is None or other is None or one.empty or other.empty:
            return BOTH
        return spread.compare("==", one, other)[0], True

    def never_any(self, listed: ir.Expr) -> bool:
        """Whether a list is surely empty, though what it is taken from is not."""
        if isinstance(listed, ir.Filter):
            whole = self.lying(listed.list)
            if whole:
                return not self.lying(listed)
            yes, no = self.truth(listed.condition)
            return no and not yes
        if isinstance(listed, ir.CallValue):
            asked = self.rulebook.functions[listed.function]
            if isinstance(asked.body, ir.Filter):
                outer, self.home = self.home, self.book.homes[asked.name]
                found = self.never_any(asked.body)
                self.home = outer
                return found
        return False

    # ── a condition about each card ──────────────────────────────────────────────────────────────────────────────

    def select(self, condition: ir.Expr, slot: int, cards: int) -> tuple[int, int]:
        """Of these cards in a slot, those for which the condition can be yes, and those for which it can be no."""
        match condition:
            case ir.Not(value):
                yes, no = self.select(value, slot, cards)
                return no, yes
            case ir.And(left, right):
                yes, no = self.select(left, slot, cards)
                too, nor = self.select(right, slot, yes)
                return too, no | nor
            case ir.Or(left, right):
                yes, no = self.select(left, slot, cards)
                too, nor = self.select(right, slot, no)
                return yes | too, nor
            case ir.IsKind(ir.Local(local), kinds) if local == slot:
                family = self.of_kinds(kinds)
                return cards & family, cards & ~family
            case ir.IsCard(ir.Local(local), definitions) if local == slot:
                named = sum(self.bits.get(one, 0) for one in definitions)
                return cards & named, cards & ~named
            case ir.Compare(operator, ir.Attribute(name, ir.Local(local)), other) if local == slot:
                return self._printed_so(operator, name, self.of(other), cards)
            case ir.Compare(operator, other, ir.Attribute(name, ir.Local(local))) if local == slot:
                return self._printed_so(spread.TURNED[operator], name, self.of(other), cards)
            case ir.Attribute(name, ir.Local(local)) if local == slot:
                return self._printed_so("==", name, spread.of([True]), cards)
        yes, no = self.truth(condition)
        return cards if yes else 0, cards if no else 0

    def _printed_so(self, operator: str, name: str, other: Spread | None, cards: int) -> tuple[int, int]:
        yes = no = 0
        if other == NO_VALUE:
            return cards, cards
        for values, mask in self.printed.under(name):
            can, cannot = spread.compare(operator, values, other)
            yes |= mask if can else 0
            no |= mask if cannot else 0
        return cards & yes, cards & no


# ── by the class of an expression ────────────────────────────────────────────────────────────────────────────────────

_LYING: dict[type[Any], Callable[[Questions, Any], int]] = {
    ir.Local: lambda here, one: (
        here.cards.known((here.home.name, one.slot), 0) if here.home.name in here.followed else here.all
    ),
    ir.AllCards: lambda here, one: here.all if one.only is None else here.bits.get(one.only, here.all),
    ir.Cards: lambda here, one: here._contents(one.place),
    ir.TheCard: lambda here, one: here._contents(one.place),
    ir.TableMemory: lambda here, one: here.remembered[one.name],
    ir.PlayerMemory: lambda here, one: here.remembered[one.name],
    ir.Filter: Questions._filtered,
    ir.Sorted: lambda here, one: here.lying(one.list),
    ir.Best: lambda here, one: here.lying(one.list),
    ir.Each: lambda here, one: here.lying(one.body),
    ir.Chain: lambda here, one: here._together((one.first, one.second)),
    ir.Listed: lambda here, one: here._together(one.items),
    ir.IfElse: lambda here, one: here._together((one.then, one.otherwise)),
    ir.PerPlayerAnswer: lambda here, one: here.lying(one.answers),
    ir.BuiltIn: Questions._some_of,
    ir.CallValue: lambda here, one: int(here._ask("cards", one.function)),
}
"""Expressions that cannot be all cards that their type allows."""
_VALUES: dict[type[Any], Callable[[Questions, Any], Spread | None]] = {
    # What has no value that is followed here: cards, places, actions, players.
    **dict.fromkeys((ir.Cards, ir.TheCard, ir.AllCards, ir.PlaceOf), lambda here, one: None),
    **dict.fromkeys((ir.AllActions, ir.TheAction, ir.Seats, ir.Clockwise, ir.Neighbour), lambda here, one: None),
    ir.Const: lambda here, one: spread.of(one.value) if isinstance(one.value, tuple) else spread.only(one.value),
    ir.Local: Questions._of_local,
    ir.OptionValue: lambda here, one: here._option(one.name) if one.key is None else None,
    ir.ByOption: lambda here, one: here._joined(value for _, value in one.cases),
    ir.TableMemory: lambda here, one: here.memories[one.name],
    ir.PlayerMemory: lambda here, one: here.memories[one.name],
    ir.State: lambda here, one: here.states[one.name],
    ir.Attribute: lambda here, one: here.printed.on(one.name, here.lying(one.card)),
    ir.Arithmetic: lambda here, one: spread.reckon(one.operator, here.of(one.left), here.of(one.right)),
    ir.IfElse: lambda here, one: here._joined((one.then, one.otherwise)),
    ir.Listed: lambda here, one: here._joined(one.items),
    ir.Span: Questions._of_span,
    ir.Chain: lambda here, one: here._joined((one.first, one.second)),
    ir.Filter: lambda here, one: here.of(one.list),
    ir.Sorted: lambda here, one: here.of(one.list),
    ir.Best: lambda here, one: here.of(one.list),
    ir.Each: lambda here, one: here.of(one.body),
    ir.Pieces: lambda here, one: spread.between(0, _FAR),
    ir.BuiltIn: Questions._of_built_in,
    ir.CallValue: lambda here, one: here._ask("of", one.function),
}
_TRUTHS: dict[type[Any], Callable[[Questions, Any], Truth]] = {
    ir.Const: lambda here, one: (one.value, not one.value) if isinstance(one.value, bool) else BOTH,
    ir.Not: Questions._not,
    ir.And: Questions._and,
    ir.Or: Questions._or,
    ir.Compare: lambda here, one: here._compared(one.operator, one.left, one.right),
    ir.IsKind: lambda here, one: here._among(one.value, here.of_kinds(one.kinds)),
    ir.IsCard: Questions._is_card,
    ir.Within: lambda here, one: here._within(one.value, one.list),
    ir.IsEmpty: lambda here, one: (True, False) if here.never_any(one.list) else BOTH,
    ir.BuiltIn: Questions._built_in,
    ir.IsNothing: Questions._is_nothing,
    ir.CallValue: lambda here, one: here._ask("truth", one.function),
    **dict.fromkeys((ir.TableMemory, ir.PlayerMemory, ir.State), Questions._is_yes),
    **dict.fromkeys((ir.OptionValue, ir.Attribute, ir.Local), Questions._is_yes),
}
