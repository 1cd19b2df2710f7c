"""Sets to choose: which are legal, whether there is more than one, and one at random."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from itertools import chain, combinations, islice
from typing import Any

Values = tuple[Any, ...]
Allows = Callable[[Values], bool]

MOST_TRIED = 4096
"""How many sets are tried to find out whether there is more than one that is allowed."""
MOST_WAYS = 2**48
"""Sets of one size beyond which nobody counts."""
_TRIES = 64
PASSED: Values = ("pass",)
"""What a seat does that takes no set."""


def legal(
    values: Sequence[Any], alike: Sequence[Any], least: int, most: int, allows: Allows
) -> Iterator[tuple[Any, ...]]:
    """Legal sets, the largest one first, then from small to large; equal ones once."""
    kinds: dict[Any, int] = {}
    kind = [kinds.setdefault(like, number) for number, like in enumerate(alike)]
    if len(kinds) == len(values):
        # All differ, and so do all sets.
        arranged = (combinations(values, size) for size in (most, *range(least, most)))
        yield from filter(allows, islice(chain.from_iterable(arranged), MOST_TRIED))
        return
    tried: set[tuple[int, ...]] = set()
    for size in (most, *range(least, most)):
        for indexes in combinations(range(len(values)), size):
            seen = tuple(sorted([kind[index] for index in indexes]))
            if seen in tried:
                continue
            if len(tried) >= MOST_TRIED:
                return
            tried.add(seen)
            chosen = tuple([values[index] for index in indexes])
            if allows(chosen):
                yield chosen


def first_copies(values: Sequence[Any], alike: Sequence[Any], chosen: Values) -> Values:
    """The same values, as keys would name them: of equal ones always the first that is left."""
    if len(set(alike)) == len(values):
        return chosen
    left = list(zip(values, alike, strict=True))
    found = []
    for value in chosen:
        like = alike[values.index(value)]
        index = next(i for i, (_, other) in enumerate(left) if other == like)
        found.append(left.pop(index)[0])
    return tuple(found)


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
    found = [ways]
    for size in range(middle, least, -1):
        found.insert(0, found[0] * size // (count - size + 1))
    for size in range(middle, most):
        found.append(found[-1] * (count - size) // (size + 1))
    return found, int(ways < MOST_WAYS)
