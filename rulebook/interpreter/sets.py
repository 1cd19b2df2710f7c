"""Sets to choose: which are legal, whether there is more than one, and one at random."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import chain, combinations, islice
from typing import Any

Values = tuple[Any, ...]
Allows = Callable[[Values], bool]

MOST_TRIED = 4096
"""How many sets are tried to find out whether there is more than one that is allowed."""


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


def random_one(values: Sequence[Any], least: int, most: int, allows: Allows, below: Callable[[int], int]) -> Any:
    """A set at random, first its size; None if none was found that is allowed."""
    for _ in range(64):
        left = list(values)
        size = least + below(most - least + 1)
        chosen = tuple([left.pop(below(len(left))) for _ in range(size)])
        if allows(chosen):
            return chosen
    return None
