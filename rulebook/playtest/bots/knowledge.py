"""Knowledge: what tables of a game are worth, as several have learned it apart, and how well they play by that.

In: weights of features, whole numbers all. Out: plain data for the cache, and the same of what is read there. Never:
takes what is not exactly such data for the features of this program.
"""

from __future__ import annotations

from array import array
from collections.abc import Mapping
from math import sqrt
from typing import Any

from attrs import astuple, field

from rulebook.classes import frozen
from rulebook.interpreter.core.imagining import PLAYS, Ended
from rulebook.interpreter.random import Source
from rulebook.statistics.intervals import Interval, Z, wilson

SHIFT = 20
"""Weights are so many bits finer than what they rate."""
HEAVIEST = 1 << 38
"""No weight is heavier, so that no value is too large for the core."""
_HALF = 500
_MOST, _MOST_MEMBERS = 10**15, 16


@frozen
class Scale:
    """The most that a seat got in games at random, and by how much it was ahead there: both are worth the same."""

    payoff: int
    lead: int
    packed: array[int] = field(init=False, eq=False, repr=False)
    """The same as the core has it."""

    def __attrs_post_init__(self) -> None:
        object.__setattr__(self, "packed", array("q", (self.payoff, self.lead)))

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
class Member:
    """One who has learned: the weights of all features, and one of none; `games` and `answers` are those that it was
    learned from."""

    games: int
    answers: int
    scale: Scale
    weights: array[int]


@frozen(eq=False)
class Knowledge:
    """Members that have learned apart, each from games of its own, and how well they play together."""

    members: tuple[Member, ...]
    standings: tuple[Standing, ...] = ()

    @property
    def games(self) -> int:
        """The number of games that all have learned from."""
        return sum(member.games for member in self.members)

    def choose_member(self, seed: int, seat: int) -> Member:
        """Choose who plays for a seat in the game with that seed, at random."""
        return self.members[Source(seed, f"bot:{seat}:{PLAYS}").below(len(self.members))]

    def is_worse_than(self, other: Knowledge) -> bool:
        """Tell whether others certainly play better among some bots, and not certainly worse among any: so somebody is
        always worse than nobody."""
        pairs = zip(self.standings, other.standings, strict=False)
        rates = [(mine.rate, yours.rate) for mine, yours in pairs if mine.bot == "learned"]
        is_better = any(yours.high < mine.low for mine, yours in rates)
        return not is_better and any(mine.high < yours.low for mine, yours in rates)

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
        return [f"{_word_games(knowledge)}, and none among others."]
    first = knowledge.standings[0]
    told = [f"{_word_games(knowledge)}."]
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


def _word_games(knowledge: Knowledge) -> str:
    members = len(knowledge.members)
    return f"learned is {members} players who have played {knowledge.games:,} games, each against itself"


def _word_rate(standing: Standing) -> str:
    rate = standing.rate
    if standing.is_paid:
        return f"{rate.value:.2f} ({rate.low:.2f} to {rate.high:.2f})"
    return f"{100 * rate.value:.0f} ({100 * rate.low:.0f} to {100 * rate.high:.0f})"


def write_knowledge(knowledge: Knowledge) -> dict[str, Any]:
    """Make plain data of it."""
    return {
        "members": [_write_member(member) for member in knowledge.members],
        "standings": [list(astuple(one)) for one in knowledge.standings],
    }


def _write_member(member: Member) -> dict[str, Any]:
    return {
        "games": member.games,
        "answers": member.answers,
        "scale": [member.scale.payoff, member.scale.lead],
        "weights": [[at, weight] for at, weight in enumerate(member.weights) if weight],
    }


def read_knowledge(data: Any, width: int) -> Knowledge | None:
    """Read plain data about so many features; None if it is anything else."""
    if not isinstance(data, Mapping) or {*data} != {"members", "standings"}:
        return None
    standings = data["standings"]
    if not isinstance(data["members"], list) or not isinstance(standings, list) or len(standings) > 4:
        return None
    members = [_read_member(member, width) for member in data["members"]]
    known = tuple(member for member in members if member is not None)
    if not 1 <= len(known) == len(members) <= _MOST_MEMBERS:
        return None
    for one in standings:
        if not (_is_list(one, 7) and {one[0], one[1]} <= {"learned", "greedy", "random", ""}):
            return None
        if not (_is_number(one[2], 1, _MOST) and all(_is_number(number, -_MOST, _MOST) for number in one[3:6])):
            return None
        if not isinstance(one[6], bool):
            return None
    return Knowledge(known, tuple(Standing(*one) for one in standings))


def _read_member(data: Any, width: int) -> Member | None:
    if not isinstance(data, Mapping) or {*data} != {"games", "answers", "scale", "weights"}:
        return None
    scale, weights = data["scale"], data["weights"]
    numbers = [data["games"], data["answers"], *(scale if _is_list(scale, 2) else [None])]
    if not all(_is_number(number, 0, _MOST) for number in numbers) or not isinstance(weights, list):
        return None
    row = array("q", bytes(8 * (width + 1)))
    for pair in weights:
        if not (_is_list(pair, 2) and _is_number(pair[0], 0, width) and _is_number(pair[1], -HEAVIEST, HEAVIEST)):
            return None
        row[pair[0]] = pair[1]
    return Member(data["games"], data["answers"], Scale(*scale), row)


def _is_list(value: object, size: int) -> bool:
    return isinstance(value, list) and len(value) == size and all(isinstance(one, int | str) for one in value)


def _is_number(value: object, least: int, most: int) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and least <= value <= most
