"""What an expression may be: its values, the cards it may mean, the answers it may have.

In: an expression of the home that is looked at, and what every name, memory and place may hold so far. Out: all that is
possible. Never: changes what they hold; an expression that is not known here may be anything of its type.

Cards are sets of definitions, kept as the bits of a number: bit n is the n-th card of the rulebook.
"""

from __future__ import annotations

from operator import or_
from typing import Any

from rulebook.dsl import ir
from rulebook.dsl import types as t
from rulebook.dsl.meaning import spread
from rulebook.dsl.meaning.book import Book, Home
from rulebook.dsl.meaning.clashes import clash
from rulebook.dsl.meaning.noted import Noted, Work
from rulebook.dsl.meaning.printed import CardSet
from rulebook.dsl.meaning.spread import BOTH, NO_VALUE, Spread, Truth

_FAR = float("inf")
_DEEPEST = 50  # questions that ask one another are followed; of what lies deeper, anything is possible
_THINGS = frozenset(
    {ir.Cards, ir.TheCard, ir.AllCards, ir.PlaceOf, ir.AllActions, ir.TheAction, ir.Seats, ir.Clockwise, ir.Neighbour}
)
"""What has no value that is followed here: cards, places, actions, players."""
Slot = tuple[str, int]
"""A script and a local of it."""


class Questions:
    """What is known of one rulebook, and what follows for an expression."""

    def __init__(self, book: Book, card_set: CardSet | None = None) -> None:
        self.book, self.rulebook = book, book.rulebook
        card_set = card_set or CardSet(self.rulebook)
        self.bits, self.all, self.kinds, self.printed = card_set.bits, card_set.all, card_set.kinds, card_set.printed
        self.work = work = Work()
        self.places: Noted[str, int] = Noted(work, 0, or_)
        self.places.update(dict.fromkeys(self.rulebook.places, 0))
        self.values: Noted[Slot, Spread | None] = Noted(work, NO_VALUE, spread.join)
        self.cards: Noted[Slot, int] = Noted(work, 0, or_)
        self.goals: Noted[Slot, frozenset[str]] = Noted(work, frozenset(), or_)
        self.sure: set[Slot] = set()
        """Locals that are members of lists, so never nothing."""
        self.memories: Noted[str, Spread | None] = Noted(work, NO_VALUE, spread.join)
        self.remembered: Noted[str, int] = Noted(work, 0, or_)
        self.states: Noted[str, Spread | None] = Noted(work, NO_VALUE, spread.join)
        self.answers: Noted[str, Spread | None] = Noted(work, NO_VALUE, spread.join)
        self._limits: dict[int, int] = {}
        self._fitting: dict[t.Type, int] = {}
        self._asked = work.answers
        self._depth = 0
        self.home = book.homes[ir.GAME]

    def within(self, home: Home) -> None:
        """What follows is asked in this home."""
        self.home = home

    # ── places ───────────────────────────────────────────────────────────────────────────────────────────────────

    def _held(self, place: str) -> int:
        return self.all if place == "box" else self._of_kinds(self.rulebook.places[place].holds)

    def _goals(self, place: ir.Expr) -> frozenset[str]:
        """The places that an expression may mean."""
        match place:
            case ir.PlaceOf(name):
                return frozenset([name])
            case ir.Local(slot):
                return self.goals.known((self.home.name, slot), frozenset())
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

    def _of_kinds(self, kinds: frozenset[str]) -> int:
        return sum(self.kinds.get(kind, 0) for kind in kinds)

    def _of_type(self, of: t.Type) -> int:
        """The cards that a type allows. There are few types, but each expression has one of its own."""
        if of not in self._fitting:
            self._fitting[of] = self._of_members(of)
        return self._fitting[of]

    def _of_members(self, of: t.Type) -> int:
        found = 0
        for one in t.members(of):
            match one:
                case t.Card(kinds):
                    found |= self._of_kinds(kinds)
                case t.ListOf(item) | t.PerPlayer(item):
                    found |= self._of_type(item)
        return found

    def lying(self, expr: ir.Expr) -> int:
        """The cards that an expression may mean, one of them or several."""
        # A type lives as long as its expression, and to compare types takes longer than to work this out.
        limit = self._limits.get(id(expr.type), -1)
        if limit < 0:
            limit = self._limits[id(expr.type)] = self._of_type(expr.type)
        return self._cards(expr) & limit if limit else 0

    def _cards(self, expr: ir.Expr) -> int:
        match expr:
            case ir.Local(slot):
                return self.cards.known((self.home.name, slot), 0)
            case ir.AllCards(only):
                return self.all if only is None else self.bits.get(only, self.all)
            case ir.Cards(place) | ir.TheCard(place):
                return self._contents(place)
            case ir.TableMemory(name) | ir.PlayerMemory(name):
                return self.remembered[name]
            case ir.Filter(listed, slot, condition):
                lying = self.lying(listed)
                return lying & self.select(condition, slot, lying)[0]
            case ir.Sorted(listed) | ir.Best(listed):
                return self.lying(listed)
            case ir.Each(_, _, body):
                return self.lying(body)
            case ir.Chain(first, second):
                return self.lying(first) | self.lying(second)
            case ir.Listed(items):
                found = 0
                for one in items:
                    found |= self.lying(one)
                return found
            case ir.IfElse(_, then, otherwise):
                return self.lying(then) | self.lying(otherwise)
            case ir.PerPlayerAnswer(answers):
                return self.lying(answers)
            case ir.BuiltIn("first" | "last" | "distinct", (listed, *_)):
                return self.lying(listed)
            case ir.CallValue(name):
                return int(self._ask("cards", name))
        return self.all

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
        if type(expr) in _THINGS:
            return None
        match expr:
            case ir.Const(value):
                return spread.of(value) if isinstance(value, tuple) else spread.only(value)
            case ir.Local(slot):
                return self.values.known((self.home.name, slot), NO_VALUE)
            case ir.OptionValue(name, key):
                return self._option(name) if key is None else None
            case ir.ByOption(_, cases):
                return self._joined([value for _, value in cases])
            case ir.TableMemory(name) | ir.PlayerMemory(name):
                return self.memories[name]
            case ir.State(name):
                return self.states[name]
            case ir.Attribute(name, card):
                return self.printed.on(name, self.lying(card))
            case ir.Arithmetic(operator, left, right):
                return spread.reckon(operator, self.of(left), self.of(right))
            case ir.IfElse(_, then, otherwise):
                return self._joined([then, otherwise])
            case ir.Listed(items):
                return self._joined(items)
            case ir.Span(first, last):
                low, high = self.of(first), self.of(last)
                return None if low is None or high is None else spread.between(low.low, high.high)
            case ir.Chain(first, second):
                return self._joined([first, second])
            case ir.Filter(listed) | ir.Sorted(listed) | ir.Best(listed):
                return self.of(listed)
            case ir.Each(_, _, body):
                return self.of(body)
            case ir.Pieces() | ir.BuiltIn("count"):
                return spread.between(0, _FAR)
            case ir.BuiltIn("distinct", (listed,)):
                return self.of(listed)
            case ir.CallValue(name):
                found: Spread | None = self._ask("of", name)
                return found
        if expr.type == t.YES_NO:
            yes, no = self.truth(expr)
            return spread.of([True] * yes + [False] * no)
        return None

    def _joined(self, exprs: Any) -> Spread | None:
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
        match expr:
            case ir.Const(bool(value)):
                return value, not value
            case ir.Not(value):
                yes, no = self.truth(value)
                return no, yes
            case ir.And(left, right):
                (yes, no), (too, nor) = self.truth(left), self.truth(right)
                if yes and too and clash(expr, self.of, holds=True) is not None:
                    return False, True
                return yes and too, no or (yes and nor)
            case ir.Or(left, right):
                (yes, no), (too, nor) = self.truth(left), self.truth(right)
                if no and nor and clash(expr, self.of, holds=False) is not None:
                    return True, False
                return yes or (no and too), no and nor
            case ir.Compare(operator, left, right):
                return self._compared(operator, left, right)
            case ir.IsKind(value, kinds):
                return self._among(value, self._of_kinds(kinds))
            case ir.IsCard(value, definitions):
                if t.ACTION in t.members(t.surely(value.type)):
                    return BOTH
                return self._among(value, sum(self.bits.get(one, 0) for one in definitions))
            case ir.Within(value, listed):
                return self._within(value, listed)
            case ir.IsEmpty(listed):
                return (True, False) if self.never_any(listed) else BOTH
            case ir.BuiltIn("any", (listed,)) if not self._answers(listed):
                return (False, True) if self.never_any(listed) else BOTH
            case ir.BuiltIn("any", (ir.Each(_, _, body),)):
                return self.truth(body)[0], True
            case ir.BuiltIn("all", (ir.Each(_, _, body),)):
                return True, self.truth(body)[1]
            case ir.IsNothing(value):
                found = self.of(value)
                if found is not None and isinstance(value, ir.TableMemory | ir.PlayerMemory | ir.OptionValue):
                    # What is never set is told where it is declared.
                    return None in found.others, True
                return BOTH
            case ir.CallValue(name):
                answer: Truth = self._ask("truth", name)
                return answer
            case ir.TableMemory() | ir.PlayerMemory() | ir.State() | ir.OptionValue() | ir.Attribute() | ir.Local():
                found = self.of(expr)
                return BOTH if found is None else (True in found.others, bool(found.others - {True}))
        return BOTH

    @staticmethod
    def _answers(listed: ir.Expr) -> bool:
        return isinstance(listed.type, t.ListOf) and t.YES_NO in t.members(listed.type.item)

    def _compared(self, operator: str, left: ir.Expr, right: ir.Expr) -> Truth:
        if operator in ("==", "!="):
            plain = (t.Number, t.Amount, t.Symbol, t.YesNo, t.Nothing)
            for one in (left, right):
                if not all(isinstance(member, plain) for member in t.members(one.type)):
                    return BOTH
        yes, no = spread.compare(operator, self.of(left), self.of(right))
        if left == right:
            return yes and operator in ("==", "<=", ">="), no and operator in ("!=", "<", ">")
        return yes, no

    def _among(self, value: ir.Expr, cards: int) -> Truth:
        """Whether a card is one of these. Only a member of a list is surely there."""
        lying = self.lying(value)
        sure = isinstance(value, ir.Local) and (self.home.name, value.slot) in self.sure
        if not lying and sure:
            return False, False
        return bool(lying & cards), bool(lying & ~cards) or not sure or not lying

    def _within(self, value: ir.Expr, listed: ir.Expr) -> Truth:
        if self._of_type(value.type):
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
                family = self._of_kinds(kinds)
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
