"""Intervals that hold the truth 95 times of 100, and how many games a narrow one takes."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import ceil, sqrt
from random import Random
from statistics import NormalDist

from attrs import frozen

LEVEL = 0.95
Z = NormalDist().inv_cdf((1 + LEVEL) / 2)
"""How many standard deviations the interval of a normal estimate reaches to each side."""
_ROUNDS = 1000
_SEED = 20


@frozen
class Interval:
    """An estimate, and between which numbers the truth lies with a probability of `LEVEL`."""

    value: float
    low: float
    high: float

    @property
    def half_width(self) -> float:
        """Half of the distance between its ends."""
        return (self.high - self.low) / 2

    @property
    def tells(self) -> bool:
        """True if it leaves out 0: a difference that is not only chance."""
        return self.low > 0 or self.high < 0


def wilson(wins: float, games: int) -> Interval:
    """The score interval of a rate: E. B. Wilson, Probable inference, JASA 22 (1927).

    `wins` may be shared ones, such as a half: their rate varies less than that of whole ones, so the interval is then a
    little too wide, never too narrow. Of no games nothing is known.
    """
    if not games:
        return Interval(0.0, 0.0, 1.0)
    rate, scale = wins / games, 1 + Z * Z / games
    centre = (rate + Z * Z / (2 * games)) / scale
    reach = Z * sqrt(rate * (1 - rate) / games + Z * Z / (4 * games * games)) / scale
    return Interval(rate, max(0.0, min(rate, centre - reach)), min(1.0, max(rate, centre + reach)))


def bootstrap(columns: Sequence[Sequence[float]], rounds: int = _ROUNDS) -> list[Interval]:
    """The mean of each column with its percentile interval: B. Efron, R. Tibshirani, An introduction to the bootstrap
    (1993), chapters 8 and 13.

    Row after row is one deal, which is drawn as a whole: games on the same deal are no more independent than that. All
    columns are as long, and share the drawn rows. The same numbers give the same interval. A column of equal numbers
    says nothing of what did not happen yet, so its interval reaches as far as the rule of three (3/n of the largest
    step, 1).
    """
    rows = len(columns[0]) if columns else 0
    if not rows:
        return [Interval(0.0, 0.0, 0.0) for _ in columns]
    varied = [number for number, column in enumerate(columns) if min(column) != max(column)]
    means: dict[int, list[float]] = {number: [] for number in varied}
    for indexes in _draws(rows, rounds) if varied else ():
        for number in varied:
            means[number].append(sum(map(columns[number].__getitem__, indexes)) / rows)
    tail = (1 - LEVEL) / 2
    lower, upper = int(tail * rounds), ceil((1 - tail) * rounds) - 1
    found = []
    for number, column in enumerate(columns):
        value = sum(column) / rows
        if number in means:
            ordered = sorted(means[number])
            found.append(Interval(value, ordered[lower], ordered[upper]))
        else:
            found.append(Interval(value, value - 3 / rows, value + 3 / rows))
    return found


def _draws(rows: int, rounds: int) -> Iterator[list[int]]:
    # Of the generators of Python only `random()` is promised to stay as it is.
    draw = Random(_SEED).random
    for _ in range(rounds):
        yield [int(draw() * rows) for _ in range(rows)]


def games_needed(deviation: float, half_width: float) -> int:
    """Return the number of games until the mean of a measure with this deviation is known to the half width."""
    return ceil((Z * deviation / half_width) ** 2)
