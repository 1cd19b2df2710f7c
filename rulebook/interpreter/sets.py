"""Sets to choose: which are legal, whether there is more than one, and one at random."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from itertools import combinations, permutations
from typing import Any

Values = tuple[Any, ...]
Allows = Callable[[Values], bool]

MOST_TRIED = 4096
"""The most sets that are tried to find out whether there is more than one that is allowed."""
MOST_WAYS = 2**48
"""Sets of one size beyond which nobody counts."""
_TRIES = 64
PASSED: Values = ("pass",)
"""The answer of a seat that takes no set."""


class Search:
    """Legal sets, size by size, equal ones once. `ran_out` says, once all are given, that there are more sets than were
    tried: what was not found may be there.
    """

    def __init__(
        self,
        values: Sequence[Any],
        alike: Sequence[Any],
        sizes: Sequence[int],
        allows: Allows,
        *,
        is_ordered: bool = False,
        most: int = MOST_TRIED,
    ) -> None:
        self.values, self.before, self.sizes, self.allows = values, find_copies_before(alike), sizes, allows
        self.is_ordered, self.most, self.ran_out = is_ordered, most, False

    def __iter__(self) -> Iterator[Values]:
        tried = 0
        for size in self.sizes:
            for indexes in arrange(self.before, size, self.is_ordered):
                if tried == self.most:
                    self.ran_out = True
                    return
                tried += 1
                chosen = tuple([self.values[index] for index in indexes])
                if self.allows(chosen):
                    yield chosen


def find_copies_before(alike: Sequence[Any]) -> list[int]:
    """For each value, the index of the last one before it that is equal; -1 if it is the first."""
    last: dict[Any, int] = {}
    copies_before = []
    for index, like in enumerate(alike):
        copies_before.append(last.get(like, -1))
        last[like] = index
    return copies_before


def arrange(before: Sequence[int], size: int, is_ordered: bool) -> Iterator[tuple[int, ...]]:
    """The indexes of all sets of a size (in every order, if that is chosen too), as combinations come; of equal values
    the first ones are taken, so that equal sets come once.
    """
    count = len(before)
    if max(before, default=-1) < 0:
        yield from (permutations if is_ordered else combinations)(range(count), size)
        return
    later = [0] * count  # equal ones behind each: who leaves one out leaves these out too
    for index in reversed(range(count)):
        if before[index] >= 0:
            later[before[index]] = later[index] + 1
    taken, is_taken, left_before = list[int](), [False] * count, list[int]()
    at, left = 0, count
    while True:
        while at < count and (is_taken[at] or (before[at] >= 0 and not is_taken[before[at]])):
            at += 1
        if len(taken) == size:
            yield tuple(taken)
        elif at < count and (is_ordered or len(taken) + left >= size):
            taken.append(at)
            left_before.append(left)
            is_taken[at] = True
            left -= 1
            at = 0 if is_ordered else at + 1
            continue
        if not taken:
            return
        at, left = taken.pop(), left_before.pop()
        is_taken[at] = False
        left -= 1 + later[at]
        at += 1


def first_copies(values: Sequence[Any], alike: Sequence[Any], chosen: Values) -> Values:
    """The same values, as keys would name them: of equal ones always the first that is left."""
    if len(set(alike)) == len(values):
        return chosen
    left = list(zip(values, alike, strict=True))
    copies = []
    for value in chosen:
        like = alike[values.index(value)]
        index = next(i for i, (_, other) in enumerate(left) if other == like)
        copies.append(left.pop(index)[0])
    return tuple(copies)


def count_ways(values: Sequence[Any], alike: Sequence[Any], chosen: Values) -> int:
    """In how many ways this set can be taken if equal ones are told apart; very many are `MOST_WAYS`."""
    copies = Counter(alike)
    taken: Counter[Any] = Counter()
    ways = 1
    for value in chosen:
        like = alike[values.index(value)]
        ways = min(MOST_WAYS, ways * (copies[like] - taken[like]) // (taken[like] + 1))
        taken[like] += 1
    return ways


def random_one(
    values: Sequence[Any], least: int, most: int, may_pass: bool, allows: Allows, below: Callable[[int], int]
) -> Values | None:
    """One of all legal sets, each as likely as any other, and as likely as to pass (`PASSED`); equal values
    count one by one. None if so few sets are legal that none was found.
    """
    weights, share_of_pass = _weigh_sizes(len(values), least, most)
    total = sum(weights)
    for _ in range(_TRIES):
        at, size = below(total + (share_of_pass if may_pass else 0)), least
        if at >= total:
            return PASSED
        for weight in weights:
            if at < weight:
                break
            at, size = at - weight, size + 1
        left = list(values)
        chosen = tuple([left.pop(below(len(left))) for _ in range(size)])
        if allows(chosen):
            return chosen
    return None


def _weigh_sizes(count: int, least: int, most: int) -> tuple[list[int], int]:
    """Count the sets of each size, and weigh one way more beside them. Where there are more than
    `MOST_WAYS` of one size, all are made smaller alike, and one way more is nothing.
    """
    middle = min(max(count // 2, least), most)
    ways = 1
    for size in range(min(middle, count - middle)):
        ways = min(MOST_WAYS, ways * (count - size) // (size + 1))
    row = [ways]
    for size in range(middle, least, -1):
        row.insert(0, row[0] * size // (count - size + 1))
    for size in range(middle, most):
        row.append(row[-1] * (count - size) // (size + 1))
    return row, int(ways < MOST_WAYS)
