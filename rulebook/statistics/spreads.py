"""The spread between the best and the worst of several answers that were tried equally often, on common random numbers.

Comparing the best of many with the worst finds a difference where there is none. So the largest difference is tested
against J. W. Tukey's studentized range, each pair with its own deviation (P. A. Games, J. F. Howell, Journal of
Educational Statistics 1, 1976). Its size is cross-validated, not read off the tries that chose the two: the pair is
chosen in one half of the tries and measured in the other, and then the other way round.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from itertools import combinations
from math import sqrt
from operator import mul
from statistics import NormalDist, fmean, median

from rulebook.classes import frozen

WRONG = 0.01
"""The error rate: the share of sets of equal things that seem to differ."""
_NORMAL = NormalDist()
_STEPS, _FAR = 400, 8.0
_FOUND = 1.6
"""The `z` of a power of 90 % (1.28), and a little more, since a larger difference varies more."""


@lru_cache(maxsize=64)
def find_range_reach(count: int, wrong: float = WRONG) -> float:
    """Return how many deviations the largest difference of a pair, among so many things, exceeds with this probability
    by luck."""
    low, high = 0.0, 2 * _FAR
    while high - low > 1e-4:
        middle = (low + high) / 2
        low, high = (middle, high) if 1 - _find_range(count, middle) > wrong else (low, middle)
    # The range is told in deviations of one thing; the difference of two has √2 times as large a one.
    return high / sqrt(2)


def _find_range(count: int, size: float) -> float:
    """Return the probability that so many normal numbers lie within this distance of each other."""
    step = 2 * _FAR / _STEPS
    at = (-_FAR + number * step for number in range(_STEPS + 1))
    return step * sum(count * _NORMAL.pdf(z) * (_NORMAL.cdf(z + size) - _NORMAL.cdf(z)) ** (count - 1) for z in at)


@frozen
class Spread:
    """The spread from best to worst of several things. `seen` is the minimum detectable effect at 90 % power."""

    is_shown: bool
    size: float
    seen: float


def measure_spread(tries: Sequence[Sequence[float]], wrong: float = WRONG) -> Spread:
    """Compare things of which each was tried equally often, the n-th time with the same chance."""
    reach, count = find_range_reach(len(tries), wrong), len(tries[0])
    means, squares = [fmean(tried) for tried in tries], [sum(map(mul, tried, tried)) for tried in tries]
    half = count // 2
    halves = [fmean(tried[:half]) for tried in tries], [fmean(tried[half:]) for tried in tries]
    deviations, is_shown = list[float](), False
    for first, other in combinations(range(len(tries)), 2):
        apart = means[first] - means[other]
        both = squares[first] + squares[other] - 2 * sum(map(mul, tries[first], tries[other]))
        # Two that never differed may still differ once in a while.
        deviation = sqrt(max(0.0, (both - count * apart * apart + 1) / (count + 1)) / count)
        deviations.append(deviation)
        is_shown = is_shown or abs(apart) > reach * deviation
    size = fmean(_measure_size(*some) for some in (halves, halves[::-1]))
    return Spread(is_shown, size, (reach + _FOUND) * median(deviations))


def _measure_size(choosing: Sequence[float], measuring: Sequence[float]) -> float:
    """Return how far the best and the worst of some tries lie apart in other tries."""
    things = range(len(choosing))
    best, worst = max(things, key=choosing.__getitem__), min(things, key=choosing.__getitem__)
    return measuring[best] - measuring[worst]
