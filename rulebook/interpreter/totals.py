"""All that sets of some values can come to, where a condition asks them for nothing else.

In: for each kind of value how many equal ones there are and what one of them adds to each total, and how each total is
put together. Out: `Totals`, every combination of totals that a set can have, with one set for each, so that a condition
is asked once for all sets that it cannot tell apart. None where there are too many combinations.

Kinds come one after the other: each layer holds what sets of the kinds so far come to. The core has the same in
`engine/totals.c`, and draws by the same numbers.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from attrs import define

from rulebook.classes import frozen

SUM, LEAST, MOST, MEMBERS, SAME = "sum", "least", "most", "members", "same"
"""The folds of sets, by how the totals of two sets are put together: added; the smaller, the larger; members of either,
as bits; the number of the only thing in them (MIXED if there are several).
"""
FOLDS = (SUM, LEAST, MOST, MEMBERS, SAME)
MIXED = -1

MOST_FOLDS = 8
_MOST_IN_A_LAYER, _MOST_IN_ALL = 1 << 14, 1 << 17
_MOST_WAYS = 1 << 36
"""Ways to take a set, equal values told apart, beyond which nobody counts."""

Total = int | None
Key = tuple[Total, ...]
"""The count of members taken (only whether any were, where that is enough), then the totals; None of nothing."""
Taken = tuple[int, ...]
"""The number taken of each kind."""


@frozen
class Kind:
    """Values that are equal: how many, and what one of them adds to each total."""

    copies: int
    adds: tuple[Total, ...]


@define
class _Node:
    """Sets that come to the same: how many (2 stands for more), in how many ways they can be taken, and from where the
    first of them came.
    """

    sets: int
    ways: int
    before: Key
    taken: int


@define
class Totals:
    """The totals that sets of some kinds can have, layer by layer: a dynamic program over kinds."""

    kinds: tuple[Kind, ...]
    folds: tuple[str, ...]
    least: int
    most: int
    is_counted: bool
    layers: list[dict[Key, _Node]]

    def survey(self, allows: Callable[[Taken], bool]) -> tuple[int, Taken]:
        """Count the sets that are allowed (2 stands for more), and return one of them, too."""
        allowed: list[Taken] = []
        sets = 0
        for key in reversed(self._list_ends()):
            taken = self._find_set(key)
            if sets < 2 and allows(taken):
                allowed.append(taken)
                sets += self.layers[-1][key].sets
        return min(sets, 2), allowed[0] if allowed else ()

    def draw(self, allows: Callable[[Taken], bool], passes: int, below: Callable[[int], int]) -> Taken | None:
        """One of all sets that are allowed, equal values told apart each as likely as any other and as one of so many
        ways to pass (None).
        """
        ends = [key for key in self._list_ends() if allows(self._find_set(key))]
        at = below(sum(self.layers[-1][key].ways for key in ends) + passes)
        for key in ends:
            at -= self.layers[-1][key].ways
            if at < 0:
                return self._draw_back(key, below)
        return None

    def _list_ends(self) -> list[Key]:
        """List what sets of a right size come to."""
        least = self.least if self.is_counted else min(self.least, 1)
        return [key for key in self.layers[-1] if (key[0] or 0) >= least]

    def _find_set(self, key: Key) -> Taken:
        """One set that comes to this."""
        taken = []
        for layer in reversed(self.layers[1:]):
            taken.append(layer[key].taken)
            key = layer[key].before
        return tuple(reversed(taken))

    def _draw_back(self, key: Key, below: Callable[[int], int]) -> Taken:
        """One of the sets that come to this, from the last kind to the first."""
        taken = []
        for kind, layer in zip(reversed(self.kinds), reversed(self.layers[:-1]), strict=True):
            ways = [
                (before, number, _multiply(node.ways, count_ways(kind.copies, number)))
                for before, node in layer.items()
                for number, after in enumerate(self._take_more(before, kind))
                if after == key
            ]
            at = below(sum(way for *_, way in ways))
            for before, number, way in ways:
                at -= way
                if at < 0:
                    taken.append(number)
                    key = before
                    break
        return tuple(reversed(taken))

    def _take_more(self, key: Key, kind: Kind) -> list[Key]:
        """Return the keys when none, one, two … of a kind are taken as well."""
        keys = [key]
        for _ in range(kind.copies):
            count = (key[0] or 0) + 1
            if self.is_counted and count > self.most:
                break
            rest = (_FOLD[fold](old, more) for fold, old, more in zip(self.folds, key[1:], kind.adds, strict=True))
            key = (count if self.is_counted else 1, *rest)
            keys.append(key)
        return keys

    def add_layer(self, kind: Kind) -> None:
        """Take of one more kind."""
        layer: dict[Key, _Node] = {}
        for before, node in self.layers[-1].items():
            for number, key in enumerate(self._take_more(before, kind)):
                ways = _multiply(node.ways, count_ways(kind.copies, number))
                if (known := layer.get(key)) is None:
                    layer[key] = _Node(node.sets, ways, before, number)
                else:
                    known.sets = min(2, known.sets + node.sets)
                    known.ways = min(_MOST_WAYS, known.ways + ways)
        self.layers.append(layer)


def find_totals(kinds: Sequence[Kind], folds: Sequence[str], least: int, most: int) -> Totals | None:
    """All that sets of these kinds and of a size between two bounds can come to; None if that is too much."""
    is_counted = least > 1 or most < sum(kind.copies for kind in kinds)
    start = (0, *(0 if fold in (SUM, MEMBERS) else None for fold in folds))
    totals = Totals(tuple(kinds), tuple(folds), least, most, is_counted, [{start: _Node(1, 1, (), 0)}])
    in_all = 1
    for kind in kinds:
        totals.add_layer(kind)
        in_all += len(totals.layers[-1])
        if len(totals.layers[-1]) > _MOST_IN_A_LAYER or in_all > _MOST_IN_ALL:
            return None
    return totals


def count_ways(copies: int, number: int) -> int:
    """In how many ways so many of equal ones can be taken if they are told apart."""
    ways = 1
    for taken in range(number):
        ways = min(_MOST_WAYS, ways * (copies - taken) // (taken + 1))
    return ways


def _multiply(first: int, other: int) -> int:
    return min(_MOST_WAYS, first * other)


def _sum_up(total: Total, other: Total) -> Total:
    return (total or 0) + (other or 0)


def _unite(total: Total, other: Total) -> Total:
    return (total or 0) | (other or 0)


def _find_least(total: Total, other: Total) -> Total:
    return total if other is None else other if total is None else min(total, other)


def _find_most(total: Total, other: Total) -> Total:
    return total if other is None else other if total is None else max(total, other)


def _find_same(total: Total, other: Total) -> Total:
    return total if other is None or total == other else other if total is None else MIXED


_FOLD: dict[str, Callable[[Total, Total], Total]] = {
    SUM: _sum_up, LEAST: _find_least, MOST: _find_most, MEMBERS: _unite, SAME: _find_same,
}  # fmt: skip
