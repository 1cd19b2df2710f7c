"""The lift of a thing: the difference in wins between those who had it and those who had not, in the same seat.

The seats of one game are not independent: what one wins the others do not, and a card that one has got the others have
not. The difference is that of N. Mantel and W. Haenszel, J. Nat. Cancer Inst. 22 (1959), with the seats as strata; its
variance is that of sums over whole games: K.-Y. Liang, S. L. Zeger, Biometrika 73 (1986), and never less than where
nothing is found.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from math import inf, sqrt

from attrs import define, field

from rulebook.classes import frozen
from rulebook.statistics.intervals import Interval, Z, widen, wilson

_PRETENDED = 2


@define
class Won:
    """The wins of some games: the number of games, the sums by seat, and the sums of products by two seats."""

    seats: int
    games: int = 0
    won: list[float] = field(init=False)
    both: list[float] = field(init=False)

    def __attrs_post_init__(self) -> None:
        self.won, self.both = [0.0] * self.seats, [0.0] * self.seats**2

    def add(self, shares: Sequence[float], times: int = 1) -> None:
        """Add `times` games with these shares of the win."""
        self.games += times
        for seat, share in enumerate(shares):
            if share:
                self.won[seat] += times * share
                for other, its in enumerate(shares):
                    self.both[seat * self.seats + other] += times * share * its


@define
class Had:
    """The holders of a thing in the same games: sums of products with the wins. Games in which nobody had it need not
    be told.
    """

    seats: int
    had: list[int] = field(init=False)
    had_both: list[int] = field(init=False)
    had_won: list[float] = field(init=False)
    """Sums by the seat that had it and the seat that won, in one row."""
    own: float = 0.0
    """The wins of the holders together, and the sums of its products with itself, with all wins, with all holders."""
    own_own: float = 0.0
    own_won: list[float] = field(init=False)
    own_had: list[float] = field(init=False)

    def __attrs_post_init__(self) -> None:
        self.had, self.had_both = [0] * self.seats, [0] * self.seats**2
        self.had_won = [0.0] * self.seats**2
        self.own_won, self.own_had = [0.0] * self.seats, [0.0] * self.seats

    def add(self, holders: Sequence[int], shares: Sequence[float], times: int = 1) -> None:
        """Add `times` games in which these seats had it, with every seat's share of the win."""
        own, size = sum(shares[seat] for seat in holders), self.seats
        won = [(seat, share) for seat, share in enumerate(shares) if share]
        self.own += times * own
        self.own_own += times * own * own
        for holder in holders:
            self.had[holder] += times
            self.own_had[holder] += times * own
            for other in holders:
                self.had_both[holder * size + other] += times
            for other, share in won:
                self.had_won[holder * size + other] += times * share
        if own:
            for other, share in won:
                self.own_won[other] += times * own * share


@frozen
class Edge:
    """An estimate: how much more those who had a thing won than the same seats do on average, and what they won.

    It is `lift` times as much more than what those won who had it not. `count` is how often a seat had it. Where
    shares are won, as many whole `games` would say as much; else there are none.
    """

    value: float
    deviation: float
    count: int
    won: float
    lift: float
    games: float | None = None

    def interval(self, z: float = Z) -> Interval:
        if self.games is None:
            reach = widen(z, self.count) * self.deviation
            return Interval(self.value, self.value - reach, self.value + reach)
        share = wilson(min(1.0, max(0.0, self.won)) * self.games, self.games, z)
        return Interval(self.value, min(self.value, share.low - self.fair), max(self.value, share.high - self.fair))

    def deviation_at(self, value: float) -> float:
        """Return what the deviation would be if the edge were this."""
        if self.games is None:
            return self.deviation
        at = self.fair + value
        return sqrt(max(0.0, at * (1 - at)) / self.games) if self.games else inf

    @property
    def fair(self) -> float:
        """The share that the same seats win on average."""
        return self.won - self.value


def measure_edge(groups: Iterable[tuple[Won, Had]], together: int = 1, *, are_shares: bool = True) -> Edge | None:
    """Measure the edge of those who had it; None if nothing can be compared: everybody had it, or nobody. Groups of
    games (the rotations of bots over seats, say) are strata too. So many games of a deal may be no more than one
    `together`.
    """
    excess = spread = varied = alone = own = 0.0
    count = 0
    for won, had in groups:
        if won.games:
            more = _group(won, had)
            excess, spread, varied, alone = excess + more[0], spread + more[1], varied + more[2], alone + more[3]
            own, count = own + had.own, count + sum(had.had)
    if spread < 1e-9:
        return None
    share, fair, games = own / count, (own - excess) / count, None
    if are_shares:
        # As it varied from game to game around what those won who had it, with some that were like all others added,
        # since of few that are alike it is not known that all are; or as it would if all were.
        there = (own + _PRETENDED * fair) / (count + _PRETENDED)
        both = ((there, varied + _PRETENDED * fair * (1 - fair)), (fair, alone))
        games = min((count**2 * at * (1 - at) / (together * p) for at, p in both if p > 1e-9), default=0.0)
    deviation = sqrt(together * max(varied, alone)) / count
    return Edge(excess / count, deviation, count, share, count / spread, games)


def _group(won: Won, had: Had) -> tuple[float, float, float, float]:
    """Return the sum over games of (had - its mean) * (won - its mean) over all seats, the sum of (had - its mean)
    squared, and two variances of the first one, from sums of products alone: as it was from game to game, and as it is
    where who has it and who wins have nothing to do with each other. The first is too small where few had it.
    """
    seats, games = range(won.seats), won.games
    mean_had, mean_won = [count / games for count in had.had], [count / games for count in won.won]
    by_chance = sum(own * other for own, other in zip(mean_had, mean_won, strict=True))
    excess = had.own - games * by_chance
    spread = sum(games * mean * (1 - mean) for mean in mean_had)
    pairs = [(seat, other, seat * won.seats + other) for seat in seats for other in seats]
    squares = had.own_own + games * by_chance**2
    squares += sum(mean_had[seat] * mean_had[other] * won.both[at] for seat, other, at in pairs)
    squares += sum(mean_won[seat] * mean_won[other] * had.had_both[at] for seat, other, at in pairs)
    squares += 2 * sum(mean_won[seat] * mean_had[other] * had.had_won[at] for seat, other, at in pairs)
    squares -= 2 * sum(mean * with_won for mean, with_won in zip(mean_had, had.own_won, strict=True))
    squares -= 2 * sum(mean * with_had for mean, with_had in zip(mean_won, had.own_had, strict=True))
    squares += 2 * by_chance * (had.own - 2 * games * by_chance)
    alone = sum(
        (had.had_both[at] - games * mean_had[seat] * mean_had[other])
        * (won.both[at] / games - mean_won[seat] * mean_won[other])
        for seat, other, at in pairs
    )
    # What those had in common who had it is the edge itself, and no variance.
    squares -= excess**2 / max(1, sum(had.had))
    return excess, spread, max(squares, 0.0), max(alone, 0.0)


@define
class Tried:
    """The effect of an option: sums over games of those who chose it at random.

    Who answers at random chooses an option whatever the game is like, so how much oftener than expected it was chosen,
    times what was won, is nothing on average unless the choice itself does something.
    """

    excess: float = 0.0
    squares: float = 0.0
    alone: float = 0.0
    """The variance of `excess` where the option does nothing: what was won is fixed, and who chose it is drawn."""
    spread: float = 0.0
    games: int = 0
    most: float = inf
    """The most that anybody can gain or lose."""

    def add(self, beyond: Sequence[tuple[float, float, float]]) -> None:
        """Add one more game: for each seat, how much oftener it chose this than expected, the variance of that, and
        what it won more than is usual.
        """
        excess = sum(oftener * won for oftener, _, won in beyond)
        self.excess += excess
        self.squares += excess * excess
        self.alone += sum(variance * won * won for _, variance, won in beyond)
        self.spread += sum(variance for _, variance, _ in beyond)
        self.games += 1

    @property
    def value(self) -> float:
        """The gain of choosing this instead of something else."""
        return self.excess / self.spread if self.spread else 0.0

    @property
    def deviation(self) -> float:
        squares = self.squares - self.excess**2 / max(1, self.games)
        return sqrt(max(squares, self.alone)) / self.spread if self.spread else 0.0

    @property
    def count(self) -> int:
        return self.games

    def deviation_at(self, _: float) -> float:
        """Return the deviation, which hardly depends on what the option does."""
        return self.deviation

    def interval(self, z: float = Z) -> Interval:
        reach = widen(z, self.games) * self.deviation
        low, high = max(-self.most, self.value - reach), min(self.most, self.value + reach)
        return Interval(self.value, min(self.value, low), max(self.value, high))
