"""The intraclass correlation: the share of the variance that lies between groups, not within them.

It is that of a one-way layout: R. A. Fisher, Statistical methods for research workers (1925), chapter 7; its interval
is a bootstrap over whole rows.
"""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

from rulebook.statistics.intervals import LEVEL, Interval

_ROUNDS, _SEED = 400, 20

Row = tuple[Sequence[float], float]
"""The sums of one row: for each of its groups the sum of its numbers, and the sum of all squares."""


def between(rows: Sequence[Row], size: int) -> Interval | None:
    """The part of the variance between the groups, each of `size` numbers, from 0 to 1; None where nothing varies.

    A row has one group in each column (say, one for each seat of a deal), which depend on each other; columns have
    means of their own, which are no difference between groups.
    """
    value = _part(rows, size) if size > 1 and len(rows) > 1 else None
    if value is None:
        return None
    draw, parts = Random(_SEED).random, []
    for _ in range(_ROUNDS):
        part = _part([rows[int(draw() * len(rows))] for _ in rows], size)
        parts.append(0.0 if part is None else part)
    parts.sort()
    tail = (1 - LEVEL) / 2
    return Interval(value, parts[int(tail * _ROUNDS)], parts[-1 - int(tail * _ROUNDS)])


def _part(rows: Sequence[Row], size: int) -> float | None:
    columns, count = len(rows[0][0]), len(rows)
    inside = sum(squares - sum(total * total for total in sums) / size for sums, squares in rows)
    outside = 0.0
    for column in range(columns):
        sums = [row[0][column] for row in rows]
        outside += (sum(total * total for total in sums) - sum(sums) ** 2 / count) / size
    mean_inside = inside / (columns * count * (size - 1))
    more = (outside / (columns * (count - 1)) - mean_inside) / size
    whole = more + mean_inside
    return max(0.0, more / whole) if whole > 1e-12 else None
