"""Where cards lie while a game is set up: how many of which, though not always which ones.

In: the cards of a rulebook for one number of players and one choice of house rules. Out: `Lot`s, moved from place to
place. Never: guesses; what the rules do not settle before anybody plays is `Unsettled`.

A lot is so many of a set of cards, kept as the bits of a number: bit n is the n-th card. It is exact when it is all of
them.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from rulebook.dsl.settling.reckoning import Unsettled
from rulebook.record import Record, evolve, record

Spot = tuple[str, int | None]
"""A place: its name, and the seat that has it."""

BOX: Spot = ("box", None)


@record
class Lot(Record):
    """`count` of these `cards`, which lie in a place."""

    spot: Spot
    count: int
    cards: int

    @property
    def exact(self) -> bool:
        """Whether it is known which ones."""
        return self.count == self.cards.bit_count()


@record
class Bunch(Record):
    """A list of cards: lots of which none shares a card with another in the same place."""

    lots: tuple[Lot, ...]

    @property
    def count(self) -> int:
        """How many cards there are."""
        return sum(lot.count for lot in self.lots)

    @property
    def cards(self) -> int:
        """All that may be among them."""
        found = 0
        for lot in self.lots:
            found |= lot.cards
        return found


class Places:
    """All places, with what lies there."""

    def __init__(self, cards: int, pools: frozenset[str]) -> None:
        self.pools = pools
        self._lying: dict[Spot, tuple[Lot, ...] | None] = {}
        self._fill(BOX, [Lot(BOX, cards.bit_count(), cards)])

    def _fill(self, spot: Spot, lots: Iterable[Lot]) -> None:
        self._lying[spot] = tuple(lot for lot in lots if lot.count)

    def lying(self, spot: Spot) -> Bunch:
        """What lies in a place. Raises Unsettled if that is not known."""
        lots = self._lying.get(spot, ())
        if lots is None:
            raise Unsettled
        return Bunch(lots)

    def ever_filled(self, spot: Spot) -> bool:
        """Whether anything has lain there. A place that is never filled is another mistake, and told as that."""
        return spot in self._lying

    def everywhere(self) -> Bunch:
        """All cards that are still cards: in a pool they are pieces. Raises Unsettled if it is not known where."""
        found: list[Lot] = []
        for spot in self._lying:
            if spot[0] not in self.pools:
                found += self.lying(spot).lots
        return Bunch(tuple(found))

    def forget(self, name: str) -> None:
        """What lies in the places of a name is not known from now on."""
        for spot in [one for one in self._lying if one[0] == name]:
            self._lying[spot] = None
        self._lying.setdefault((name, None), None)

    def take(self, bunch: Bunch) -> None:
        """Takes cards from where they lie."""
        for lot in bunch.lots:
            self._lying[lot.spot] = tuple(self._without(self.lying(lot.spot).lots, lot))

    @staticmethod
    def _without(lots: tuple[Lot, ...], gone: Lot) -> list[Lot]:
        rest: list[Lot] = []
        found = False
        for lot in lots:
            if not lot.cards & gone.cards:
                rest.append(lot)
            elif found or gone.cards & ~lot.cards:
                # It lies in several lots, and nobody knows how much of it in which.
                raise Unsettled
            else:
                found = True
                if lot.exact:
                    other = lot.cards & ~gone.cards
                    rest.append(Lot(lot.spot, other.bit_count(), other))
                    left = 0 if gone.exact else gone.cards
                    rest.append(Lot(lot.spot, gone.cards.bit_count() - gone.count, left))
                else:
                    if gone.cards != lot.cards:
                        raise Unsettled
                    rest.append(evolve(lot, count=lot.count - gone.count))
        return [lot for lot in rest if lot.count]

    def put(self, bunch: Bunch, goal: Spot) -> None:
        """Lays cards into a place."""
        there = self._lying.get(goal, ())
        if there is None:
            return
        for lot in bunch.lots:
            mixed = [one for one in there if one.cards & lot.cards]
            cards = lot.cards
            for one in mixed:
                cards |= one.cards
            together = Lot(goal, lot.count + sum(one.count for one in mixed), cards)
            there = (*(one for one in there if one not in mixed), together)
        self._fill(goal, there)

    def draw(self, count: int, source: Spot, goal: Spot) -> Bunch:
        """Moves so many unknown cards, or as many as there are; answers with them, in their goal."""
        there = self.lying(source)
        if not there.lots:
            return there
        if count >= there.count:
            drawn = there
            self._fill(source, ())
        else:
            drawn = Bunch((Lot(source, count, there.cards),) if count > 0 else ())
            self._fill(source, [Lot(source, there.count - max(count, 0), there.cards)])
        self.put(drawn, goal)
        return Bunch(tuple(evolve(lot, spot=goal) for lot in drawn.lots))


def part_of(whole: Bunch, wanted: int) -> Bunch:
    """The cards that are wanted. Where it is not known which ones lie there, all or none."""
    lots = []
    for lot in whole.lots:
        part = lot.cards & wanted
        if part == lot.cards:
            lots.append(lot)
        elif part and not lot.exact:
            raise Unsettled
        elif part:
            lots.append(Lot(lot.spot, part.bit_count(), part))
    return Bunch(tuple(lots))


def together(values: Any) -> Bunch:
    """Cards of several values, which must not be the same ones twice."""
    lots: list[Lot] = []
    for value in values:
        match value:
            case Lot():
                lots.append(value)
            case Bunch(more):
                lots += more
            case None:
                continue
            case _:
                raise Unsettled
    for number, lot in enumerate(lots):
        if any(other.spot == lot.spot and other.cards & lot.cards for other in lots[:number]):
            raise Unsettled
    return Bunch(tuple(lots))
