"""Intervals that hold the truth as often as they say, and how many games a narrow one takes.

`z` is everywhere how many standard deviations an interval of a normal estimate would reach to each side.
"""

from __future__ import annotations

from collections.abc import Iterable
from math import exp, hypot, inf, sqrt
from statistics import NormalDist

from attrs import define

from rulebook.classes import frozen

LEVEL = 0.95
Z = NormalDist().inv_cdf((1 + LEVEL) / 2)
_FEWEST = 4
"""The fewest observations from which a variance is estimated."""
_PRETENDED = 2
"""Pseudo-observations of the greatest possible spread, added to each variance: a difference that was never seen is
not known never to come. About the rule of three."""


def find_reach(wrong: float) -> float:
    """Return the `z` with which the truth lies outside, on either side, with this probability."""
    return NormalDist().inv_cdf(1 - wrong / 2)


TOGETHER = find_reach((1 - LEVEL) / 50)
"""The `z` of numbers of which about fifty stand together: as sure as a single one is with `Z`."""


@frozen
class Interval:
    """An estimate, and between which numbers the truth lies."""

    value: float
    low: float
    high: float

    @property
    def half_width(self) -> float:
        """Half of the distance between its ends."""
        return (self.high - self.low) / 2

    def moved(self, by: float, reach: float = 0.0) -> Interval:
        """The interval of a number that is more by so much, which itself reaches so far to each side."""
        value, below, above = self.value + by, self.value - self.low, self.high - self.value
        return Interval(value, value - hypot(below, reach), value + hypot(above, reach))


def wilson(wins: float, games: float, z: float = Z) -> Interval:
    """The score interval of a rate: E. B. Wilson, Probable inference, JASA 22 (1927). Of no games nothing is known."""
    if not games:
        return Interval(0.0, 0.0, 1.0)
    rate, scale = wins / games, 1 + z * z / games
    centre = (rate + z * z / (2 * games)) / scale
    reach = z * sqrt(rate * (1 - rate) / games + z * z / (4 * games * games)) / scale
    return Interval(rate, max(0.0, min(rate, centre - reach)), min(1.0, max(rate, centre + reach)))


def widen(z: float, count: int) -> float:
    """Return what `z` becomes where the deviation itself is an estimate from so many observations: D. P. Gaver,
    K. Kafadar, A retrievable recipe for inverse t, The American Statistician 38 (1984)."""
    freedom = count - 1
    if count < _FEWEST:
        return inf
    # Far beyond what anybody asks for, the recipe leaves the range of numbers.
    return sqrt(freedom * (exp(min(700.0, z * z * (freedom - 1.5) / (freedom - 1) ** 2)) - 1))


@define
class Sample:
    """Numbers that do not depend on each other: one for each game, or one for each deal that is played several times.
    None is below `least` or above `most`.
    """

    least: float = -inf
    most: float = inf
    count: int = 0
    total: float = 0.0
    squares: float = 0.0

    def add(self, value: float, times: int = 1) -> None:
        self.count += times
        self.total += times * value
        self.squares += times * value * value

    def add_all(self, values: Iterable[float]) -> Sample:
        for value in values:
            self.add(value)
        return self

    @property
    def value(self) -> float:
        """The mean."""
        return self.total / self.count if self.count else 0.0

    @property
    def variance(self) -> float:
        return max(0.0, self.squares / self.count - self.value**2) if self.count else 0.0

    @property
    def deviation(self) -> float:
        """The standard deviation of the mean."""
        return sqrt(self.variance / self.count) if self.count else inf

    def deviation_at(self, value: float) -> float:
        """Return what the deviation would be if the mean were this: shares vary most half way between their bounds."""
        size = self.most - self.least
        if size == inf or not self.count:
            return self.deviation
        here, there = (max(0.0, (at - self.least) * (self.most - at)) / size**2 for at in (self.value, value))
        part = (self.variance / size**2 + _PRETENDED / self.count) / (here + _PRETENDED / self.count)
        return size * sqrt(there * min(1.0, part) / self.count)

    def interval(self, z: float = Z) -> Interval:
        """Return the interval of the mean, never beyond the bounds."""
        value, far = self.value, widen(z, self.count)
        if self.most == inf or self.least == -inf:
            reach = far * self.deviation if self.count >= _FEWEST else inf
            return Interval(value, value - reach, value + reach)
        # As many games that are won or lost as say as much: E. L. Korn, B. I. Graubard, Survey Methodology 24 (1998).
        size = self.most - self.least
        rate = min(1.0, max(0.0, (value - self.least) / size))
        spread, largest = self.variance / size**2, rate * (1 - rate)
        spread = (self.count * spread + _PRETENDED * largest) / (self.count + _PRETENDED)
        games = self.count * (largest / spread if spread > 0 else 1.0) * (z / far) ** 2
        interval = wilson(rate * games, games, z)
        low, high = self.least + size * interval.low, self.least + size * interval.high
        return Interval(value, min(value, low), max(value, high))
