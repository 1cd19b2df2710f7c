"""Cards into holes at random, each into one that it fits; there are as many cards as holes.

Where sorts and holes fall into blocks within which everything fits everywhere, or where what holes take are families
within families, every way is equally likely. Otherwise every way may come up, but not all equally often.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable, Sequence
from typing import TypeAlias, TypeVar

Below = Callable[[int], int]
Sort: TypeAlias = Hashable
T = TypeVar("T")


class NoWay(Exception):
    """The cards do not all fit."""


class Matching:
    """The ways to lay cards into holes; both are counted from 0."""

    def __init__(self, sorts: Sequence[Sort], fits: Sequence[frozenset[Sort]]) -> None:
        self._sorts, self._fits = sorts, fits
        # In the order of their first cards: what is drawn must not hang on the order of a set, which differs from one
        # process to the next.
        self._blocks = sorted(
            (
                (
                    [hole for hole, fit in enumerate(fits) if fit & block],
                    [card for card, sort in enumerate(sorts) if sort in block],
                )
                for block in _find_blocks(set(sorts), set(fits))
            ),
            key=lambda block: block[1][0],
        )
        self._may_do = all(fits) and all(len(holes) == len(cards) for holes, cards in self._blocks)
        numbers = Counter(sorts)
        self._room = {fit: sum(numbers[sort] for sort in fit) for fit in set(fits)}

    def draw_matching(self, below: Below) -> list[int]:
        """The card of each hole. Raises NoWay if there is none."""
        laid: dict[int, int] = {}
        if not self._may_do:
            raise NoWay
        for holes, cards in self._blocks:
            if all(self._room[self._fits[hole]] == len(cards) for hole in holes):
                laid.update(zip(holes, shuffled(cards, below), strict=True))
            else:
                self._fill_holes(holes, cards, laid, below)
        return [laid[hole] for hole in range(len(self._fits))]

    def _fill_holes(self, holes: list[int], cards: list[int], laid: dict[int, int], below: Below) -> None:
        """Fill holes that fewest cards fit first; one that finds nothing left is made room for."""
        left: dict[Sort, list[int]] = {}
        for card in shuffled(cards, below):
            left.setdefault(self._sorts[card], []).append(card)
        ours: dict[int, int] = {}
        for hole in sorted(shuffled(holes, below), key=lambda hole: self._room[self._fits[hole]]):
            fitting = [cards for sort, cards in left.items() if cards and sort in self._fits[hole]]
            number = sum(map(len, fitting))
            if not number:
                self._make_room(hole, ours, left)
                continue
            index = below(number)
            for fits in fitting:
                if index < len(fits):
                    break
                index -= len(fits)
            ours[hole] = fits.pop(index)
        laid.update(ours)

    def _make_room(self, hole: int, laid: dict[int, int], left: dict[Sort, list[int]]) -> None:
        """Kuhn's step: along a path of holes that hand their cards on, the last one takes a card that is left."""
        came: dict[int, int] = {}
        front = [hole]
        while front:
            taker = front.pop(0)
            for giver, card in laid.items():
                if giver in came or self._sorts[card] not in self._fits[taker]:
                    continue
                came[giver] = taker
                cards = next((some for sort, some in left.items() if some and sort in self._fits[giver]), None)
                if cards is None:
                    front.append(giver)
                    continue
                free = cards.pop()
                while giver != hole:
                    laid[giver], free, giver = free, laid[giver], came[giver]
                laid[hole] = free
                return
        raise NoWay


def _find_blocks(sorts: set[Sort], fits: set[frozenset[Sort]]) -> list[frozenset[Sort]]:
    """Sorts that have holes in common, directly or through others."""
    blocks = [frozenset([sort]) for sort in sorts]
    for fit in fits:
        touched = [block for block in blocks if block & fit]
        blocks = [block for block in blocks if not block & fit]
        blocks.append(frozenset().union(*touched))
    return [block for block in blocks if block]


def shuffled(items: Sequence[T], below: Below) -> list[T]:
    """The same in a random order."""
    mixed = list(items)
    for last in range(len(mixed) - 1, 0, -1):
        other = below(last + 1)
        mixed[last], mixed[other] = mixed[other], mixed[last]
    return mixed
