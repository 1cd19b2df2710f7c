"""Whether a difference could be chance, and what is left when many were looked for."""

from __future__ import annotations

from collections.abc import Sequence
from math import exp, lgamma, log


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
    """The upper tail of the chi-square distribution, by the series or the continued fraction of the incomplete gamma
    function: Abramowitz and Stegun 6.5.29 and 6.5.31.
    """
    if statistic <= 0 or degrees < 1:
        return 1.0
    shape, at = degrees / 2, statistic / 2
    front = exp(shape * log(at) - at - lgamma(shape))
    if at < shape + 1:
        term = total = 1 / shape
        number = shape
        while term > total * 1e-15:
            number += 1
            term *= at / number
            total += term
        return max(0.0, 1 - front * total)
    return front * _fraction(shape, at)


def _fraction(shape: float, at: float) -> float:
    """The continued fraction, from the front (Lentz)."""
    tiny = 1e-300
    below = at + 1 - shape
    c, d = 1 / tiny, 1 / below
    found = d
    for step in range(1, 1000):
        above = -step * (step - shape)
        below += 2
        d = 1 / (above * d + below or tiny)
        c = below + above / c or tiny
        found *= c * d
        if abs(c * d - 1) < 1e-15:
            break
    return found
