"""What a question answers before anybody plays: the part of it that the rules settle by themselves.

In: an expression, the number of players, the house rules, and where cards lie. Out: its value: numbers, words and
players as they are, a card as a `Lot` of one, a list of cards as a `Bunch`, a place as its `Spot`. Never: a value that
play or chance could make another; that is `Unsettled`.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from rulebook.dsl import ir
from rulebook.dsl import types as t
from rulebook.dsl.meaning.book import Book
from rulebook.dsl.meaning.groups import Groups
from rulebook.dsl.meaning.lots import BOX, Bunch, Lot, Places, Spot, part_of, together
from rulebook.dsl.settling.reckoning import KNOWN, Env, Reckoning, Unsettled, compared
from rulebook.dsl.syntax import At
from rulebook.dsl.walk import everything
from rulebook.record import evolve

_PRINTED = (*KNOWN, ir.Local, ir.Attribute, ir.IsKind, ir.IsCard, ir.CallValue)
"""What asks for nothing that changes while a game is set up."""


class Settled(Reckoning):
    """One number of players and one choice of house rules."""

    def __init__(self, book: Book, players: int, options: Mapping[str, Any], groups: Groups | None = None) -> None:
        """`groups`: the cards, where it is known that they are the same as in another game."""
        super().__init__(options, players)
        self.book, self.rulebook = book, book.rulebook
        self.missing: list[tuple[int, int, int, At | None]] = []
        """Cards that `first` looked for: how many, how many there were, among which, and where that stands."""
        self.memories: dict[str, Any] = {}
        for memory in self.rulebook.memories.values():
            start = memory.start
            self.memories[memory.name] = (start,) * players if memory.owner == "player" else start
        if groups is None:
            groups = Groups(self.rulebook, lambda leaf: self.value(leaf, {}))
        self.groups = groups
        pools = frozenset(name for name, place in self.rulebook.places.items() if place.kept == "pool")
        self.places = Places(groups.all, pools)

    # ── values ───────────────────────────────────────────────────────────────────────────────────────────────────

    def spot(self, expr: ir.Expr | None, env: Env) -> Spot:
        """The place that an expression means."""
        match expr:
            case ir.PlaceOf("box"):
                return BOX
            case ir.PlaceOf(name, None):
                return name, None
            case ir.PlaceOf(name, owner) if owner is not None and owner.type == t.PLAYER:
                return name, self.number(owner, env)
            case ir.Local(slot) if slot in env:
                place: Spot = env[slot]
                return place
        raise Unsettled

    def bunch(self, expr: ir.Expr, env: Env) -> Bunch:
        """Cards: a list of them, one, or none."""
        found = self.value(expr, env)
        match found:
            case Bunch():
                return found
            case Lot():
                return Bunch((found,))
            case None | ():
                return Bunch(())
            case tuple():
                return together(found)
        raise Unsettled

    def value(self, expr: ir.Expr, env: Env) -> Any:
        """What it is. Raises Unsettled."""
        match expr:
            case ir.TableMemory(name):
                return self._memory(name)
            case ir.PlayerMemory(name, player):
                return self._memory(name)[self.number(player, env)]
            case ir.Attribute(name, card):
                return self._printed(name, self.value(card, env))
            case ir.PlaceOf():
                return self.spot(expr, env)
            case ir.Cards(place):
                return self.places.lying(self.spot(place, env))
            case ir.TheCard(place):
                lying = self.places.lying(self.spot(place, env))
                return lying.lots[0] if lying.lots else None
            case ir.Pieces(place):
                return self.places.lying(self.spot(place, env)).count
            case ir.AllCards(only):
                return self._all(only)
            case ir.Neighbour(player, step):
                return (self.number(player, env) + step) % self.players
            case ir.Clockwise(start, after):
                first = self.number(start, env)
                return tuple((first + step) % self.players for step in range(after, self.players))
            case ir.Chain(one, other):
                return self._chained(self.value(one, env), self.value(other, env))
            case ir.Sorted(listed):
                return self._unordered(self.value(listed, env))
            case ir.Filter(listed, slot, condition):
                return self._filtered(self.value(listed, env), slot, condition, env)
            case ir.Each(listed, slot, body, flat):
                return self._each(self.value(listed, env), slot, body, flat, env)
            case ir.CallValue(name, arguments):
                return self._called(name, [self.value(one, env) for one in arguments])
            case ir.IsKind(value, kinds):
                return self._all_are(self.value(value, env), self.groups.of_kinds(kinds))
            case ir.IsCard(value, definitions):
                return self._all_are(self.value(value, env), self.groups.of_definitions(definitions))
        return super().value(expr, env)

    def _memory(self, name: str) -> Any:
        if name not in self.memories:
            raise Unsettled
        return self.memories[name]

    # ── cards ────────────────────────────────────────────────────────────────────────────────────────────────────

    def _all(self, only: str | None) -> Bunch:
        everywhere = self.places.everywhere()
        return everywhere if only is None else part_of(everywhere, self.groups.definitions.get(only, 0))

    @staticmethod
    def _all_are(value: Any, wanted: int) -> bool:
        """Whether a card is one of these."""
        if value is None:
            return False
        if not isinstance(value, Lot) or (value.cards & wanted and value.cards & ~wanted):
            raise Unsettled
        return bool(value.cards & wanted)

    def _printed(self, name: str, value: Any) -> Any:
        if not isinstance(value, Lot) or name in self.rulebook.states:
            raise Unsettled
        found = [(printed, cards) for printed, cards in self.groups.printed(name) if cards & value.cards]
        if len(found) != 1 or value.cards & ~found[0][1]:
            raise Unsettled
        return found[0][0]

    def _filtered(self, whole: Any, slot: int, condition: ir.Expr, env: Env) -> Any:
        if isinstance(whole, Bunch):
            return part_of(whole, self._selected(condition, slot, whole.cards, env)) if whole.lots else whole
        if isinstance(whole, tuple):
            self.look_at(len(whole))
            return tuple(one for one in whole if self.truth(condition, env | {slot: one}))
        raise Unsettled

    def _selected(self, condition: ir.Expr, slot: int, cards: int, env: Env) -> int:
        """The same, asked once for all games that have the same cards and the house rules it depends on."""
        known = self.groups.selected.setdefault((id(condition), cards), [])
        for rules, found in known:
            if all(self.options[name] == value for name, value in rules):
                self.asked.update(name for name, _ in rules)
                return found
        outer, self.asked = self.asked, set()
        try:
            found = self._select(condition, slot, cards, env)
            if self._only_asks(condition, slot):
                known.append((tuple((name, self.options[name]) for name in self.asked), found))
        finally:
            self.asked |= outer
        return found

    def _only_asks(self, condition: ir.Expr, slot: int) -> bool:
        """Whether a condition about a card depends on nothing but what is printed on it, players and house rules."""
        key = id(condition), slot
        if key not in self.groups.closed:
            self.groups.closed[key] = all(
                isinstance(one, _PRINTED)
                and (not isinstance(one, ir.Local) or one.slot == slot)
                and (not isinstance(one, ir.CallValue) or self._question_only_asks(one.function))
                for one in everything(condition)
            )
        return self.groups.closed[key]

    def _question_only_asks(self, name: str) -> bool:
        asked = self.rulebook.functions[name]
        return asked.parameters == 1 and isinstance(asked.body, ir.Node) and self._only_asks(asked.body, 0)

    def _select(self, condition: ir.Expr, slot: int, cards: int, env: Env) -> int:
        """Of these cards in a slot, those of which the condition is true. Equal cards have one answer."""
        match condition:
            case ir.Not(value):
                return cards & ~self._select(value, slot, cards, env)
            case ir.And(left, right):
                so = self._select(left, slot, cards, env)
                return self._select(right, slot, so, env) if so else 0
            case ir.Or(left, right):
                so = self._select(left, slot, cards, env)
                rest = cards & ~so
                return so | self._select(right, slot, rest, env) if rest else so
            case ir.IsKind(ir.Local(local), kinds) if local == slot:
                return cards & self.groups.of_kinds(kinds)
            case ir.IsCard(ir.Local(local), definitions) if local == slot:
                return cards & self.groups.of_definitions(definitions)
            case ir.Compare(operator, ir.Attribute(name, ir.Local(local)), other) if local == slot and not self._reads(
                other, slot
            ):
                return self._printed_so(name, operator, self.value(other, env), cards)
            case ir.IsNothing(ir.Attribute(name, ir.Local(local))) if local == slot:
                return self._printed_so(name, "==", None, cards)
            case ir.CallValue(name, (ir.Local(local),)) if local == slot:
                body = self.rulebook.functions[name].body
                if isinstance(body, ir.Node):
                    return self._select(body, 0, cards, {})
        if not self._reads(condition, slot):
            return cards if self.truth(condition, env) else 0
        found = 0
        for mask in self.groups.among(cards):
            if self.truth(condition, env | {slot: Lot(BOX, 1, mask)}):
                found |= mask & cards
        return found

    def _reads(self, expr: ir.Expr, slot: int) -> bool:
        key = id(expr), slot
        if key not in self.groups.reading:
            found = any(isinstance(one, ir.Local) and one.slot == slot for one in everything(expr))
            self.groups.reading[key] = found
        return self.groups.reading[key]

    def _printed_so(self, name: str, operator: str, other: Any, cards: int) -> int:
        if name in self.rulebook.states or isinstance(other, Lot | Bunch | tuple):
            raise Unsettled
        found = 0
        for value, printed in self.groups.printed(name):
            if printed & cards and compared(operator, value, other):
                found |= printed & cards
        return found

    def _each(self, whole: Any, slot: int, body: ir.Expr, flat: bool, env: Env) -> Any:
        if isinstance(whole, Bunch):
            found: list[Any] = []
            for lot in whole.lots:
                for mask in self.groups.among(lot.cards):
                    if not lot.exact:
                        raise Unsettled
                    one = self.value(body, env | {slot: Lot(BOX, 1, mask)})
                    if isinstance(one, Lot | Bunch | tuple):
                        raise Unsettled
                    found += [one] * (mask & lot.cards).bit_count()
            return tuple(one for one in found if one is not None)
        if not isinstance(whole, tuple):
            raise Unsettled
        self.look_at(len(whole))
        values = [self.value(body, env | {slot: one}) for one in whole]
        values = [one for one in values if one is not None]
        if values and all(isinstance(one, Lot | Bunch) for one in values):
            return together(values)
        return tuple(one for listed in values for one in listed) if flat else tuple(values)

    @staticmethod
    def _unordered(value: Any) -> Bunch:
        """An order matters to values only: of cards it is never known which one comes first."""
        if not isinstance(value, Bunch):
            raise Unsettled
        return value

    def _chained(self, one: Any, other: Any) -> Any:
        if isinstance(one, Bunch) or isinstance(other, Bunch):
            return together([value for value in (one, other) if value != ()])
        self.look_at(len(one) + len(other))
        return one + other

    # ── questions with a name ────────────────────────────────────────────────────────────────────────────────────

    def _called(self, name: str, arguments: list[Any]) -> Any:
        self.look_at(1)
        body = self.rulebook.functions[name].body
        env = dict(enumerate(arguments))
        match body:
            case ir.Conditions(lines):
                return all(self.truth(line.value, env) for line in lines)
            case ir.Total(lines):
                return sum(self.number(line.value, env) for line in lines)
            case tuple():
                raise Unsettled
        return self.value(body, env)

    def size(self, value: Any) -> int:
        """How many there are in a list of anything."""
        return value.count if isinstance(value, Bunch) else super().size(value)

    def built_in(self, name: str, first: Any, arguments: tuple[ir.Expr, ...], env: Env, at: At | None) -> Any:
        """A question that is built into the language; `first` is what its first argument is."""
        if isinstance(first, Bunch) and name == "any":
            return first.count > 0
        if isinstance(first, Bunch) and name in ("first", "last"):
            return self._end(first, None if len(arguments) < 2 else self.number(arguments[1], env), at)
        return super().built_in(name, first, arguments, env, at)

    def _end(self, listed: Bunch, count: int | None, at: At | None) -> Any:
        wanted = 1 if count is None else count
        if listed.count < wanted:
            self.missing.append((wanted, listed.count, listed.cards, at))
        if len(listed.lots) > 1 and wanted < listed.count:
            raise Unsettled
        lots = tuple(evolve(lot, count=min(lot.count, max(wanted, 0))) for lot in listed.lots)
        if count is None:
            return lots[0] if lots else None
        return Bunch(tuple(lot for lot in lots if lot.count))
