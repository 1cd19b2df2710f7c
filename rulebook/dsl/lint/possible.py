"""The possible values, cards and answers of each expression, for the lints, as far as what is written tells them.

What an expression may be follows from types, printed attributes, ranges of options, how many play, the values that a
memory is set to, and the constants that a rule or question is handed. Nothing else is followed from one script into
another (docs/decisions/0010).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import cached_property, reduce
from math import gcd
from typing import Any

from rulebook.dsl import ir
from rulebook.dsl import types as t
from rulebook.dsl.lint.book import Book, Home, words
from rulebook.dsl.lint.value_sets import (
    BOTH,
    FAR,
    TURNED,
    Truth,
    ValueSet,
    between,
    compare,
    join,
    narrow,
    reckon,
    values,
)
from rulebook.dsl.settling.options import choices_of

_DEEPEST = 20  # questions that ask one another are followed; of what lies deeper, anything is possible
_PLAIN = (t.Number, t.Amount, t.Symbol, t.YesNo, t.Nothing)
_COMPARED = (t.Number, t.Amount, t.Symbol)
_DENIED = {"==": "!=", "!=": "==", "<": ">=", ">": "<=", "<=": ">", ">=": "<"}
_NONE = (("==", 0), ("<", 1), ("<=", 0))
_MEMBERS = (ir.Through, ir.ForEach)
"""Nodes that bind a name to each member of a list."""
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
        self._named: dict[str, dict[int, Any]] = {}
        self._memories: dict[tuple[type[Any], str], ValueSet | None] = {}
        self._answers: dict[tuple[str, str], Any] = {}
        self._depth = 0
        self._held: dict[tuple[str, int], int] = {}
        """The cards of locals that stand for one card at the moment, by home and slot."""

    # ── cards ────────────────────────────────────────────────────────────────────────────────────────────────────

    def fitting(self, of: t.Type) -> int:
        """The cards that a type allows."""
        if of not in self._fitting:
            found = 0
            for one in t.members(of):
                match one:
                    case t.Card(kinds):
                        found |= self._of_kinds(kinds)
                    case t.ListOf(item) | t.PerPlayer(item):
                        found |= self.fitting(item)
            self._fitting[of] = found
        return self._fitting[of]

    def _of_kinds(self, kinds: frozenset[str]) -> int:
        return sum(self._kinds.get(kind, 0) for kind in kinds)

    @cached_property
    def _kinds(self) -> dict[str, int]:
        found: dict[str, int] = {}
        for id, card in self.rulebook.cards.items():
            found[card.kind] = found.get(card.kind, 0) | self.bits[id]
        return found

    def cards(self, expr: ir.Expr) -> int:
        """The cards that an expression may mean, one of them or several."""
        limit = self.fitting(expr.type)
        match expr:
            case _ if not limit:
                return 0
            case ir.AllCards(str(only)):
                return limit & self.bits.get(only, limit)
            case ir.Filter(listed, slot, condition):
                there = limit & self.cards(listed)
                return self.select(condition, slot, there)[0]
            case ir.Local(slot) if self._held and (self.home.name, slot) in self._held:
                return limit & self._held[self.home.name, slot]
            case ir.Local(slot):
                named = self._name(slot)
                return limit if named is None else limit & self._together(named)
            case _:
                inner = _inner(expr)
                return limit & self._together(inner) if inner else limit

    def _together(self, exprs: Iterable[ir.Expr]) -> int:
        return reduce(int.__or__, map(self.cards, exprs), 0)

    def cards_from_box(self, expr: ir.Expr) -> int:
        """The cards that an expression may take out of the box."""
        match expr:
            case ir.Filter(listed, slot, condition):
                return self.select(condition, slot, self.cards_from_box(listed))[0]
            case ir.Cards(place) | ir.TheCard(place):
                return self.cards_from_box(place) & self.fitting(expr.type)
            case ir.PlaceOf(name):
                return self._every if name == "box" else 0
            case ir.Local(slot) if self.fitting(expr.type) and (named := self._name(slot)) is not None:
                return reduce(int.__or__, map(self.cards_from_box, named), 0)
        inner = _inner(expr)
        if inner:
            return reduce(int.__or__, map(self.cards_from_box, inner), 0)
        return self._every if isinstance(expr.type, t.Place) else self.cards(expr)

    def select(self, condition: ir.Expr, slot: int, cards: int) -> tuple[int, int]:
        """Split cards in a slot: those for which a condition can be yes, and those for which it can be no."""
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
                return self._select_printed(operator, name, self.values(other), cards)
            case ir.Compare(operator, other, ir.Attribute(name, ir.Local(local))) if local == slot:
                return self._select_printed(TURNED[operator], name, self.values(other), cards)
            case ir.Attribute(name, ir.Local(local)) if local == slot:
                return self._select_printed("==", name, values(True), cards)
        yes_, no_ = self.truth(condition)
        return cards if yes_ else 0, cards if no_ else 0

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
        found: dict[str, dict[ValueSet | None, int]] = {}
        for id, card in self.rulebook.cards.items():
            for name in {**card.attributes, **{name: None for _, group in card.copies for name in group}}:
                given = [{**card.attributes, **group}.get(name, _NOTHING) for _, group in card.copies]
                printed = join(map(_printed_values, given))
                table = found.setdefault(name, {})
                table[printed] = table.get(printed, 0) | self.bits[id]
        return found

    # ── names ────────────────────────────────────────────────────────────────────────────────────────────────────

    def _name(self, slot: int) -> tuple[ir.Expr, ...] | None:
        """Find what a name stands for or is a member of; None if that is not known, or more than one thing."""
        if self.home.name not in self._named:
            self._named[self.home.name] = _find_names(self.home, self._handed_over.get(self.home.name, ()))
        return self._named[self.home.name].get(slot)

    @cached_property
    def _handed_over(self) -> dict[str, tuple[tuple[ir.Expr, ...], ...]]:
        """By the names of rules and questions: for each parameter the constants that are handed over; none if any is no
        constant."""
        given: dict[str, list[tuple[ir.Expr, ...]]] = {}
        for one in self.book.all(ir.DoRule, ir.CallValue):
            name = one.script if isinstance(one, ir.DoRule) else one.function
            given.setdefault(name, []).append(tuple(map(ir.as_constant, one.arguments)))
        return {
            name: tuple(
                found if all(isinstance(one, ir.Const) for one in found) else () for found in zip(*calls, strict=True)
            )
            for name, calls in given.items()
        }

    # ── values ───────────────────────────────────────────────────────────────────────────────────────────────────

    def values(self, expr: ir.Expr) -> ValueSet | None:
        """The values that are possible, of a list those of its members; None where that is not known."""
        match expr:
            case ir.Const(value):
                return values(*value) if isinstance(value, tuple) else values(value)
            case ir.Local(slot):
                named = self._name(slot) if _is_plain(expr.type) else None
                return None if named is None else join(map(self.values, named))
            case ir.OptionValue(name, key=None):
                return self._option(name)
            case ir.ByOption(_, cases):
                return join(self.values(value) for _, value in cases)
            case ir.TableMemory(name) | ir.PlayerMemory(name) | ir.State(name):
                return self._kept(type(expr), name, expr.type)
            case ir.Attribute(name, card):
                cards = self.cards(card)
                return join(found for found, mask in self._printed.get(name, {}).items() if mask & cards)
            case ir.Arithmetic(operator, left, right):
                return reckon(operator, self.values(left), self.values(right))
            case ir.Span(first, last):
                low, high = self.values(first), self.values(last)
                return None if low is None or high is None else between(low.low, high.high)
            case ir.Pieces(place):
                holds = place.type.holds if isinstance(place.type, t.Place) else frozenset[str]()
                return between(0, self._copies_of(self._of_kinds(holds)) if holds else FAR)
            case ir.BuiltIn("count", (listed,)):
                return between(*self._length(listed))
            case ir.BuiltIn("sum", (ir.Each(listed, slot, body, flat=False),)):
                return self._sum(listed, slot, body)
            case ir.BuiltIn("min" | "max" as pick, (left, right)) if not isinstance(left.type, t.ListOf):
                (one, other), of_two = (self._bounds(left), self._bounds(right)), min if pick == "min" else max
                return between(of_two(one[0], other[0]), of_two(one[1], other[1]))
            case ir.IfElse(condition, then, otherwise):
                yes, no = self.truth(condition)
                return join(map(self.values, [then] * yes + [otherwise] * no))
            case ir.CallValue(name, arguments):
                held = self._handed(name, arguments)
                if held:
                    return self._answer_about(name, held)
                answer: ValueSet | None = self._find_answer("values", name)
                return answer
            case _ if expr.type == t.YES_NO:
                yes, no = self.truth(expr)
                return values(*[True] * yes, *[False] * no)
        inner = _inner(expr)
        return join(map(self.values, inner)) if inner else None

    def _bounds(self, expr: ir.Expr) -> tuple[float, float]:
        found = self.values(expr)
        return (-FAR, FAR) if found is None or found.low > found.high else (found.low, found.high)

    def _option(self, name: str) -> ValueSet | None:
        found = choices_of(self.rulebook.options[name])
        return values(*found) if found else None

    def _of_type(self, of: t.Type) -> ValueSet | None:
        match of:
            case t.YesNo():
                return values(True, False)
            case t.Symbol(enumeration):
                return values(*self.rulebook.words[enumeration])
        return None

    def _kept(self, kind: type[Any], name: str, of: t.Type) -> ValueSet | None:
        """Find what a memory or state may hold: its start, and the constants that it is set to, if to no more."""
        key = (ir.State if kind is ir.State else ir.TableMemory), name
        if key not in self._memories:
            declared = self.rulebook.states if kind is ir.State else self.rulebook.memories
            self._memories[key] = self._written(kind, name, declared[name])
        return self._memories[key] or self._of_type(of)

    def _written(self, kind: type[Any], name: str, declared: Any) -> ValueSet | None:
        if (
            isinstance(declared.start, tuple)
            or isinstance(declared.type, t.ListOf)
            or getattr(declared, "printed", False)
        ):
            return None
        if getattr(declared, "values", None):
            return values(*declared.values, *([None] if declared.start is None else []))
        found = values(declared.start)
        for one in self.book.all(ir.Assign):
            target = one.target
            if target.name != name or isinstance(target, ir.State) != (kind is ir.State):
                continue
            match one.value:
                case ir.Const(value) if not isinstance(value, tuple):
                    more: ValueSet | None = values(value)
                case ir.Arithmetic("+", left, step) if left == target and found.low <= found.high:
                    match ir.as_constant(step):
                        case ir.Const(int(value)):
                            more = ValueSet(found.low, FAR, None) if value >= 0 else ValueSet(-FAR, found.high, None)
                        case _:
                            more = None
                case _:
                    more = None
            joined = join((found, more))
            if joined is None:
                return None
            found = joined
        return found

    def _length(self, listed: ir.Expr) -> tuple[float, float]:
        """The fewest there may be in a list, and the most."""
        match listed:
            case ir.Seats(everyone):
                return self._players(0, everyone or self.book.all_stay)
            case ir.Clockwise(start, after):
                return self._players(int(after), self.book.all_stay and not t.may_be_nothing(start.type))
            case ir.Const(tuple() as found):
                return len(found), len(found)
            case ir.Listed(items):
                # What is not there is left out.
                surely = [one for one in items if not isinstance(one, ir.TheCard) and not t.may_be_nothing(one.type)]
                return len(surely), len(items)
            case ir.Span(first, last):
                low, high = self.values(first), self.values(last)
                if low is None or high is None or low.low > low.high or high.low > high.high:
                    return 0, FAR
                return max(high.low - low.high + 1, 0), max(high.high - low.low + 1, 0)
            case ir.Chain(first, second):
                (low_, high_), (fewest, most) = self._length(first), self._length(second)
                return low_ + fewest, high_ + most
            case ir.IfElse(_, then, otherwise):
                (low_, high_), (fewest, most) = self._length(then), self._length(otherwise)
                return min(low_, fewest), max(high_, most)
            case ir.Filter(inner):
                return 0, min(self._length(inner)[1], self._copies(listed))
            case ir.BuiltIn("distinct", (inner,)):
                return 0, min(self._length(inner)[1], self._kinds_of_values(inner))
            case ir.Best(inner, keys=keys) if not any(t.may_be_nothing(key.value.type) for key in keys):
                least, most = self._length(inner)
                return min(least, 1), most
            case ir.Best(inner) | ir.Each(inner, flat=False):
                return 0, self._length(inner)[1]
            case ir.Ordering(inner):
                return self._length(inner)
            case ir.BuiltIn("first" | "last", (inner, number)):
                wanted = self.values(number)
                return 0, min(self._length(inner)[1], FAR if wanted is None else wanted.high)
            case ir.TheCard():
                return 0, 1
            case ir.Local(slot):
                named = self._name(slot) or ()
                lists = [one for one in named if one.type == listed.type]
                return (
                    (0, max(self._length(one)[1] for one in lists)) if named and len(lists) == len(named) else (0, FAR)
                )
        return 0, self._copies(listed)

    def _copies(self, listed: ir.Expr) -> float:
        """Count the cards that a list has at most in which no card stands twice, as there are so many copies."""
        return self._copies_of(self.cards(listed)) if _holds_each_once(listed) else FAR

    def _copies_of(self, cards: int) -> float:
        return sum(self._count[id] for id, bit in self.bits.items() if bit & cards)

    @cached_property
    def _count(self) -> dict[str, float]:
        """Count the copies that there are at most of each definition."""
        found: dict[str, float] = {}
        for id, card in self.rulebook.cards.items():
            groups = [self.values(number) for number, _ in card.copies]
            found[id] = sum(FAR if one is None else one.high for one in groups)
        return found

    def _kinds_of_values(self, listed: ir.Expr) -> float:
        """Count the different values that a list has at most; what is nothing is left out of it."""
        found = self.values(listed) if _is_plain(_item(listed.type)) else None
        if found is None:
            return FAR
        words = len(found.others - {None})
        return words + (len(found.few) if found.few is not None else found.high - found.low + 1)

    def _sum(self, listed: ir.Expr, slot: int, body: ir.Expr) -> ValueSet | None:
        """The least and the most that a number of each card may add up to: of a list in which a card may stand
        twice, no end on the side to which one goes.
        """
        cards = self.cards(listed)
        if not cards or (self.home.name, slot) in self._held:
            return None
        times = 1 if _holds_each_once(listed) else FAR
        low = high = 0.0
        for id, bit in self.bits.items():
            if not bit & cards:
                continue
            self._held[self.home.name, slot] = bit
            found = self.values(body)
            del self._held[self.home.name, slot]
            if found is None or found.low > found.high:
                return None
            low += found.low * self._count[id] * times if found.low < 0 and self._count[id] else 0
            high += found.high * self._count[id] * times if found.high > 0 and self._count[id] else 0
        return None if (low, high) == (-FAR, FAR) else between(low, high)

    def _players(self, without: int, surely: bool) -> tuple[float, float]:
        least, most = self.book.players
        return (max(least - without, 0) if surely else 0), most - without

    # ── answers ──────────────────────────────────────────────────────────────────────────────────────────────────

    def is_constant(self, one: ir.Expr) -> bool:
        """Return True if one answer remains. To name the kind of what is there is no mistake."""
        yes, no = self.truth(one)
        return yes != no and not (yes and isinstance(one, ir.IsKind | ir.IsCard))

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
                if yes and too and (_denies_itself(expr) or self.find_clash((expr, True)) is not None):
                    return False, True
                return yes and too, no or (yes and nor)
            case ir.Or(left, right):
                (yes, no), (too, nor) = self.truth(left), self.truth(right)
                if no and nor and (_denies_itself(expr) or self.find_clash((expr, False)) is not None):
                    return True, False
                if no and nor and self.is_any_card(expr):
                    return True, False
                return yes or (no and too), no and nor
            case ir.Compare(operator, left, right):
                return self._compared(operator, left, right)
            case ir.IsKind(value, kinds):
                return self._among(value, self._of_kinds(kinds))
            case ir.IsCard(value, definitions) if t.ACTION not in t.members(t.surely(value.type)):
                return self._among(value, sum(self.bits.get(one, 0) for one in definitions))
            case ir.Within(value, listed):
                return self._within(value, listed)
            case ir.IsEmpty(listed) if has_members(listed):
                return False, True
            case ir.IsEmpty(listed):
                return (True, False) if self.is_never_any(listed) else BOTH
            case ir.BuiltIn("any", (ir.Each(_, _, body),)) if body.type == t.YES_NO:
                return self.truth(body)[0], True
            case ir.BuiltIn("all", (ir.Each(_, _, body),)) if body.type == t.YES_NO:
                return True, self.truth(body)[1]
            case ir.BuiltIn("any", (listed,)):
                return (False, True) if self.is_never_any(listed) else BOTH
            case ir.IsNothing(ir.TableMemory() | ir.PlayerMemory() as kept):
                # What is never set is told where it is declared.
                found = self.values(kept)
                return BOTH if found is None else (None in found.others, True)
            case ir.CallValue(name):
                answer: Truth = self._find_answer("truth", name)
                return answer
            case ir.TableMemory() | ir.PlayerMemory() | ir.State() | ir.OptionValue() | ir.Attribute() | ir.Local():
                found = self.values(expr)
                return BOTH if found is None or found.empty else (True in found.others, bool(found.others - {True}))
        return BOTH

    def is_any_card(self, expr: ir.Or) -> bool:
        """Tell whether `x is not one card or x is not another` asks nothing of x, as no card is both."""
        denied = [one.value for one in _sides(expr) if isinstance(one, ir.Not)]
        asked = [one for one in denied if isinstance(one, ir.IsCard | ir.IsKind)]
        about = {one.value.slot for one in asked if isinstance(one.value, ir.Local)}
        if len(about) != 1 or len(asked) != len(_sides(expr)):
            return False
        return not reduce(
            int.__and__,
            (
                self._of_kinds(one.kinds)
                if isinstance(one, ir.IsKind)
                else sum(self.bits.get(id, 0) for id in one.definitions)
                for one in asked
            ),
        )

    def _handed(self, name: str, arguments: tuple[ir.Expr, ...]) -> dict[tuple[str, int], int]:
        """The one card that each parameter of a question stands for, as far as locals stand for one card now."""
        slots = {one.slot: number for number, one in enumerate(arguments) if isinstance(one, ir.Local)}
        if not self._held or (name, 0) in self._held:
            return {}
        here = self.home.name
        return {(name, slots[slot]): self._held[here, slot] for slot in slots if (here, slot) in self._held}

    def _answer_about(self, name: str, held: dict[tuple[str, int], int]) -> ValueSet | None:
        """Return the values that a question can answer about one card; None where nothing is known."""
        body = self.rulebook.functions[name].body
        if self._depth == _DEEPEST or isinstance(body, ir.Total | ir.Conditions | tuple) or held.keys() & self._held:
            return None
        outer, self.home = self.home, self.book.homes[name]
        self._held |= held
        self._depth += 1
        found = self.values(body)
        self._depth -= 1
        for key in held:
            del self._held[key]
        self.home = outer
        return found

    def _find_answer(self, what: str, name: str) -> Any:
        """Return the possible answers of a question with a name, whoever asks it."""
        key = what, name
        if key not in self._answers:
            unknown = None if what == "values" else BOTH
            body = self.rulebook.functions[name].body
            if self._depth == _DEEPEST or isinstance(body, ir.Total | tuple):
                return unknown
            self._answers[key] = unknown  # while it is asked: questions may go round in a circle
            outer, self.home = self.home, self.book.homes[name]
            self._depth += 1
            if isinstance(body, ir.Conditions):
                lines = [self.truth(line.value) for line in body.lines]
                truth = all(yes for yes, _ in lines), any(no for _, no in lines)
                self._answers[key] = truth if what == "truth" else None
            else:
                self._answers[key] = self.values(body) if what == "values" else self.truth(body)
            self._depth -= 1
            self.home = outer
        return self._answers[key]

    def _compared(self, operator: str, left: ir.Expr, right: ir.Expr) -> Truth:
        if operator in ("==", "!=") and not (_is_plain(left.type) and _is_plain(right.type)):
            return BOTH
        yes, no = compare(operator, self.values(left), self.values(right))
        if operator in ("==", "!=") and (self.steps_over(left, right) or self.steps_over(right, left)):
            return operator == "!=", operator == "=="
        if type(left) is type(right) and left == right:
            return yes and operator in ("==", "<=", ">="), no and operator in ("!=", "<", ">")
        return yes, no

    def steps_over(self, counter: ir.Expr, wanted: ir.Expr) -> bool:
        """Return True if a memory goes in steps from where it starts, none of which comes to a constant."""
        if not isinstance(counter, ir.TableMemory | ir.PlayerMemory) or not isinstance(wanted, ir.Const):
            return False
        starts, steps = self.progressions.get(counter.name, ((), 0))
        value = wanted.value
        return isinstance(value, int) and steps > 0 and all((value - one) % steps for one in starts)

    @cached_property
    def progressions(self) -> dict[str, tuple[list[int], int]]:
        """By the names of memories to which constants are added: where they start, and what divides all their steps."""
        found: dict[str, tuple[list[int], int]] = {}
        for name, memory in self.rulebook.memories.items():
            written = [one for one in self.book.all(ir.Assign) if getattr(one.target, "name", "") == name]
            starts: list[Any] = [memory.start]
            steps = [0]
            for one in written:
                match one.value:
                    case ir.Arithmetic("+" | "-", left, more) if left == one.target:
                        known = ir.as_constant(more)
                        step = known.value if isinstance(known, ir.Const) else 1
                        steps.append(step if isinstance(step, int) else 1)
                    case value:
                        known = ir.as_constant(value)
                        starts.append(known.value if isinstance(known, ir.Const) else None)
            if all(isinstance(one, int) and not isinstance(one, bool) for one in starts):
                found[name] = starts, gcd(*steps)
        return found

    def _among(self, value: ir.Expr, wanted: int) -> Truth:
        """Return whether a card can be one of these, and can be none. Only a member of a list is surely there."""
        there = self.cards(value)
        if not there:
            return BOTH
        sure = isinstance(value, ir.Local) and (
            (self.home.name, value.slot) in self._held or any(one.slot == value.slot for one in self.home.of(*_MEMBERS))
        )
        return bool(there & wanted), bool(there & ~wanted) or not sure

    def _within(self, value: ir.Expr, listed: ir.Expr) -> Truth:
        if self.fitting(value.type):
            here, there = self.cards(value), self.cards(listed)
            return (bool(here & there), True) if here and there else BOTH
        if not _is_plain(value.type):
            return BOTH
        return compare("==", self.values(value), self.values(listed))[0], True

    def is_surely_there(self, expr: ir.Expr) -> bool:
        """Tell whether the first or last of a list that cannot be empty is meant."""
        match expr:
            case ir.Local(slot):
                named = self._name(slot) or ()
                return len(named) == 1 and named[0].type == expr.type and self.is_surely_there(named[0])
            case ir.BuiltIn("first" | "last", (listed,)):
                return self._length(listed)[0] > 0
        return False

    def is_never_any(self, listed: ir.Expr) -> bool:
        """Return True if a list is surely empty, though what it is taken from is not."""
        if not isinstance(listed, ir.Filter):
            return False
        if self.cards(listed.list):
            return not self.cards(listed)
        yes, no = self.truth(listed.condition)
        return no and not yes

    # ── conditions that are possible each alone, and not together ────────────────────────────────────────────────

    def find_clash(self, *wanted: tuple[ir.Expr, bool]) -> ir.Expr | None:
        """The expression that cannot be as conditions want it, if each of them is to hold, or not to hold."""
        subjects: list[tuple[ir.Expr, list[tuple[str, int | str]]]] = []
        for condition, holds in wanted:
            for subject, operator, value in self._tests(condition, holds):
                tests = next((tests for other, tests in subjects if other == subject), None)
                if tests is None:
                    subjects.append((subject, tests := []))
                tests.append((operator, value))
        for subject, tests in subjects:
            if len(tests) < 2:
                continue
            start = self.values(subject) or ValueSet(-FAR, FAR, None)
            # Each by itself may be so: else the test that may not has a message of its own.
            alone = all(not narrow(start, *test).empty for test in tests)
            if alone and reduce(lambda left, test: narrow(left, *test), tests, start).empty:
                return subject
        return None

    def find_empty(self, condition: ir.Expr, holds: bool) -> list[ir.Expr]:
        """The lists that are empty if a condition comes out so."""
        return [
            subject.arguments[0]
            for subject, operator, value in self._tests(condition, holds)
            if isinstance(subject, ir.BuiltIn) and subject.name == "count" and (operator, value) in _NONE
        ]

    def _tests(self, condition: ir.Expr, holds: bool) -> Iterator[tuple[ir.Expr, str, int | str]]:
        """The comparisons with one value that all have to be true, if the condition is to hold (or not)."""
        match condition:
            case ir.Not(value):
                yield from self._tests(value, not holds)
            case ir.And(left, right) | ir.Or(left, right):
                if isinstance(condition, ir.And) == holds:
                    yield from self._tests(left, holds)
                    yield from self._tests(right, holds)
            case ir.IsEmpty(listed):
                yield from _count_tests(listed, "==" if holds else ">", 0)
            case ir.BuiltIn("any", (ir.Each(listed, _, body),)) if body.type == t.YES_NO:
                if holds:
                    yield from _count_tests(listed, ">", 0)
            case ir.BuiltIn("any", (listed,)):
                yield from _count_tests(listed, ">" if holds else "==", 0)
            case ir.Compare(operator, left, right) if all(_is_plain(one.type, _COMPARED) for one in (left, right)):
                for subject, other, way in ((left, right, operator), (right, left, TURNED[operator])):
                    found = self.values(other)
                    wanted = found.only[0] if found is not None and found.only is not None else None
                    if isinstance(wanted, int | str) and not isinstance(wanted, bool):
                        way = way if holds else _DENIED[way]
                        if isinstance(subject, ir.BuiltIn) and subject.name == "count" and isinstance(wanted, int):
                            yield from _count_tests(subject.arguments[0], way, wanted, subject)
                        elif not isinstance(subject, ir.Const):
                            yield subject, way, wanted
                        return


def _sides(expr: ir.And | ir.Or) -> list[ir.Expr]:
    """All that stands in one chain of `and`, or of `or`."""
    parts: list[ir.Expr] = [expr]
    while any(isinstance(one, type(expr)) for one in parts):
        parts = [part for one in parts for part in ((one.left, one.right) if isinstance(one, type(expr)) else (one,))]
    return parts


def _denies_itself(expr: ir.And | ir.Or) -> bool:
    """Tell whether a question and its denial stand in one chain of `and` or of `or`."""
    parts = _sides(expr)
    # By their words, because equal lists may number their members otherwise.
    denied = {words(one.value) for one in parts if isinstance(one, ir.Not)}
    return bool(denied) and any(words(one) in denied for one in parts if not isinstance(one, ir.Not))


def _count_tests(
    listed: ir.Expr, operator: str, wanted: int, count: ir.Expr | None = None
) -> Iterator[tuple[ir.Expr, str, int]]:
    """A test of how many there are in a list, and what follows for the list that this is a part of."""
    yield count or ir.BuiltIn("count", (listed,), type=t.NUMBER, at=listed.at), operator, wanted
    if isinstance(listed, ir.Filter) and operator in ("==", ">", ">=") and wanted + (operator == ">") > 0:
        yield from _count_tests(listed.list, ">=", wanted + (operator == ">"))


def _holds_each_once(listed: ir.Expr) -> bool:
    """Return True if no card can stand twice in a list."""
    match listed:
        case ir.Cards() | ir.AllCards():
            return True
        case ir.Filter(inner) | ir.Ordering(inner):
            return _holds_each_once(inner)
        case ir.Each(ir.Seats(), slot, ir.Cards(ir.PlaceOf(_, ir.Local(owner))), flat=True):
            return owner == slot
    return False


def _item(of: t.Type) -> t.Type:
    return of.item if isinstance(of, t.ListOf) else of


def has_members(listed: ir.Expr) -> bool:
    """Return True if something that is always there is written into a list."""
    match listed:
        case ir.Listed(items):
            return any(not t.may_be_nothing(item.type) for item in items)
        case ir.Chain(left, right):
            return has_members(left) or has_members(right)
    return False


def _inner(expr: ir.Expr) -> tuple[ir.Expr, ...]:
    """The expressions one of which, or of whose members, an expression is."""
    match expr:
        case ir.Filter(listed) | ir.Ordering(listed):
            return (listed,)
        case ir.BuiltIn("first" | "last" | "distinct", (listed, *_)):
            return (listed,)
        case ir.Each(_, _, body):
            return (body,)
        case ir.Chain(first, second):
            return first, second
        case ir.IfElse(_, then, otherwise):
            return then, otherwise
        case ir.Listed(items):
            return items
        case ir.PerPlayerAnswer(answers):
            return (answers,)
    return ()


def _find_names(home: Home, handed: tuple[tuple[ir.Expr, ...], ...]) -> dict[int, tuple[ir.Expr, ...]]:
    """Map each local of a home to what it stands for, or is a member of, if it is bound once and to that alone."""
    found: dict[int, tuple[ir.Expr, ...]] = {slot: given for slot, given in enumerate(handed) if given}
    bound: list[int] = list(range(home.parameters))
    for one in home.records:
        match one:
            case ir.Local():
                continue
            case ir.Let(slot, value):
                found[slot] = (value,)
            case ir.Pick():
                found[one.slot] = tuple(source.list for source in one.sources)
            case ir.Repeat(count, int(index)) if count is not None:
                found[index] = (ir.Span(ir.Const(1, type=t.NUMBER), count, type=t.ListOf(t.NUMBER)),)
            case ir.Through() | ir.ForEach():
                found[one.slot] = (one.list,)
        for slots in (getattr(one, name, None) for name in _SLOTS):
            bound += slots if isinstance(slots, tuple) else [slots] if isinstance(slots, int) else []
    return {slot: exprs for slot, exprs in found.items() if bound.count(slot) == 1}


_NOTHING = ir.Const(None, type=t.NOTHING)


def _printed_values(expr: ir.Expr) -> ValueSet | None:
    match ir.as_constant(expr):
        case ir.Const(value) if not isinstance(value, tuple):
            return values(value)
        case ir.ByOption(_, cases):
            return join(_printed_values(case) for _, case in cases)
    return None


def _is_plain(of: t.Type, kinds: tuple[type[Any], ...] = _PLAIN) -> bool:
    """Return True if every value of this type is followed here."""
    return all(isinstance(one, kinds) for one in t.members(of))
