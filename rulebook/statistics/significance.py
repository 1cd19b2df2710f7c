"""Whether a difference could be chance, and what is left when many were looked for."""

from __future__ import annotations

from collections.abc import Sequence
from math import erfc, exp, lgamma, log, sqrt


def discordant(first: int, second: int) -> float:
    """The exact test on pairs that differ: Q. McNemar, Psychometrika 12 (1947), with the binomial distribution.

    `first` pairs went the one way, `second` the other; two-sided.
    """
    pairs, fewer = first + second, min(first, second)
    if not pairs:
        return 1.0
    tail = sum(exp(_log_choose(pairs, number) - pairs * log(2)) for number in range(fewer + 1))
    return min(1.0, 2 * tail)


def _log_choose(total: int, number: int) -> float:
    return lgamma(total + 1) - lgamma(number + 1) - lgamma(total - number + 1)


def adjusted(values: Sequence[float]) -> list[float]:
    """The p-values of many questions, adjusted so that of all that are below 5 % at most 5 % are false alarms:
    Y. Benjamini, Y. Hochberg, J. Royal Stat. Soc. B 57 (1995).
    """
    order = sorted(range(len(values)), key=values.__getitem__, reverse=True)
    found, least = [1.0] * len(values), 1.0
    for place, index in enumerate(order):
        least = min(least, values[index] * len(values) / (len(values) - place))
        found[index] = least
    return found


def chi_square(statistic: float, degrees: int) -> float:
    """The upper tail of the chi-square distribution, a sum of one term for every two degrees of freedom: Abramowitz and
    Stegun 26.4.4 and 26.4.5.
    """
    if statistic <= 0 or degrees < 1:
        return 1.0
    at, least = statistic / 2, degrees % 2 / 2
    tail = erfc(sqrt(at)) if least else 0.0
    for step in range(degrees // 2):
        shape = least + step
        tail += exp(shape * log(at) - at - lgamma(shape + 1))
    return min(1.0, tail)
