"""Knowledge: what tables of a game are worth, as somebody has learned it, and how well it plays by it.

In: weights of features, whole numbers all. Out: plain data for the cache, and the same of what is read there. Never:
takes what is not exactly such data for the features of this program.
"""

from __future__ import annotations

from array import array
from collections.abc import Mapping
from math import sqrt
from typing import Any

from attrs import astuple

from rulebook.classes import frozen
from rulebook.interpreter.core.imagining import Ended
from rulebook.statistics.intervals import Interval, Z, wilson

SHIFT = 20
"""Weights are so many bits finer than what they rate."""
HEAVIEST = 1 << 38
"""No weight is heavier, so that no value is too large for the core."""
_HALF = 500
_MOST = 10**15


@frozen
class Scale:
    """The most that a seat got in games at random, and by how much it was ahead there: both are worth the same."""

    payoff: int
    lead: int

    def rate(self, end: Ended) -> int:
        """Say what an end is worth, from about -1000 to 1000."""
        payoff = _HALF * int(end.payoff) // self.payoff if self.payoff else 0
        lead = _HALF * int(end.lead) // self.lead if self.lead else 0
        return max(-4 * _HALF, min(4 * _HALF, payoff)) + max(-_HALF, min(_HALF, lead))


@frozen
class Standing:
    """The share of wins of a bot in so many games, or where payoffs decide, by how much it is ahead of the mean of the
    others: the sum over games in thousandths, that of what is fair, and the sum of squares.

    `against` is who else plays; where all win or lose together nobody does, and it is empty.
    """

    bot: str
    against: str
    games: int
    total: int
    fair: int
    squares: int
    is_paid: bool

    @property
    def rate(self) -> Interval:
        """The mean of a game."""
        return self.between(Z)

    def between(self, z: float) -> Interval:
        """Return the mean of a game, as sure as `z` says."""
        mean = self.total / 1000 / self.games
        if not self.is_paid:
            return wilson(self.total / 1000, self.games, z)
        reach = z * sqrt(max(0.0, self.squares / 1e6 / self.games - mean * mean) / self.games)
        return Interval(mean, mean - reach, mean + reach)

    @property
    def even(self) -> float:
        """The mean of who plays no better than the others."""
        return self.fair / 1000 / self.games

    @property
    def is_better(self) -> bool:
        """True if it certainly plays better than the others."""
        return self.rate.low > self.even


@frozen(eq=False)
class Knowledge:
    """The weights of all features, and one of none; `games` and `answers` are those that it was learned from."""

    games: int
    answers: int
    scale: Scale
    weights: array[int]
    standings: tuple[Standing, ...] = ()

    @property
    def is_better(self) -> bool:
        """True if it certainly plays better than random and greedy players; where all win together, wins more."""
        first, *others = self.standings or (None,)
        if first is None or first.against:
            return bool(self.standings) and all(one.is_better for one in self.standings)
        return all(first.rate.low > other.rate.high for other in others)


def word_standings(knowledge: Knowledge) -> list[str]:
    """Say how well it plays by what it has learned, in sentences."""
    if not knowledge.standings:
        return [f"learned has played {knowledge.games:,} games against itself, and none among others."]
    first = knowledge.standings[0]
    told = [f"learned has played {knowledge.games:,} games against itself."]
    if not first.against:
        others = [f"{one.bot} ones {_word_rate(one)}" for one in knowledge.standings[1:]]
        told.append(f"Players like it win {_word_rate(first)} of 100, {', '.join(others)}: all win or lose together.")
        return told
    whom = ("random players", "greedy ones")
    among = [f"{_word_rate(one)} among {who}" for one, who in zip(knowledge.standings, whom, strict=False)]
    if first.is_paid:
        told.append(f"It is ahead of the others by {' and by '.join(among)} a game.")
    else:
        told.append(f"Of 100 games it wins {' and '.join(among)}; an even share is {100 * first.even:.0f}.")
    worse = [one.against for one in knowledge.standings if not one.is_better]
    if worse:
        told.append(f"It is not shown to play better than {' and '.join(worse)} here.")
    return told


def _word_rate(standing: Standing) -> str:
    rate = standing.rate
    if standing.is_paid:
        return f"{rate.value:.2f} ({rate.low:.2f} to {rate.high:.2f})"
    return f"{100 * rate.value:.0f} ({100 * rate.low:.0f} to {100 * rate.high:.0f})"


def write_knowledge(knowledge: Knowledge) -> dict[str, Any]:
    """Make plain data of it."""
    weights = [[at, weight] for at, weight in enumerate(knowledge.weights) if weight]
    return {
        "games": knowledge.games,
        "answers": knowledge.answers,
        "scale": [knowledge.scale.payoff, knowledge.scale.lead],
        "weights": weights,
        "standings": [list(astuple(one)) for one in knowledge.standings],
    }


def read_knowledge(data: Any, width: int) -> Knowledge | None:
    """Read plain data about so many features; None if it is anything else."""
    if not isinstance(data, Mapping) or {*data} != {"games", "answers", "scale", "weights", "standings"}:
        return None
    scale, weights, standings = data["scale"], data["weights"], data["standings"]
    numbers = [data["games"], data["answers"], *(scale if _is_list(scale, 2) else [None])]
    if not all(_is_number(number, 0, _MOST) for number in numbers):
        return None
    if not isinstance(weights, list) or not isinstance(standings, list) or len(standings) > 4:
        return None
    row = array("q", bytes(8 * (width + 1)))
    for pair in weights:
        if not (_is_list(pair, 2) and _is_number(pair[0], 0, width) and _is_number(pair[1], -HEAVIEST, HEAVIEST)):
            return None
        row[pair[0]] = pair[1]
    for one in standings:
        if not (_is_list(one, 7) and {one[0], one[1]} <= {"learned", "greedy", "random", ""}):
            return None
        if not (_is_number(one[2], 1, _MOST) and all(_is_number(number, -_MOST, _MOST) for number in one[3:6])):
            return None
        if not isinstance(one[6], bool):
            return None
    read = tuple(Standing(*one) for one in standings)
    return Knowledge(data["games"], data["answers"], Scale(*scale), row, read)


def _is_list(value: object, size: int) -> bool:
    return isinstance(value, list) and len(value) == size and all(isinstance(one, int | str) for one in value)


def _is_number(value: object, least: int, most: int) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and least <= value <= most
