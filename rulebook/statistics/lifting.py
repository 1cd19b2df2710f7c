"""Whether those who had something won more than those who had not, in the same seat.

The seats of one game are not independent: what one wins the others do not, and a card that one has got the others have
not. The difference is that of N. Mantel and W. Haenszel, J. Nat. Cancer Inst. 22 (1959), with the seats as strata; its
variance is that of sums over whole games: K.-Y. Liang, S. L. Zeger, Biometrika 73 (1986), with the effect itself left
in, which makes the interval a little too wide where the effect is large.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from math import erfc, sqrt

from attrs import define, field

from rulebook.statistics.intervals import Interval, Z


@define
class Won:
    """What the seats won in some games: how many games, and by seat, and by two seats, the sums (of the products)."""

    seats: int
    games: int = 0
    won: list[float] = field(init=False)
    both: list[float] = field(init=False)

    def __attrs_post_init__(self) -> None:
        self.won, self.both = [0.0] * self.seats, [0.0] * self.seats**2

    def add(self, shares: Sequence[float]) -> None:
        """One more game."""
        self.games += 1
        for one, share in enumerate(shares):
            if share:
                self.won[one] += share
                for other, its in enumerate(shares):
                    self.both[one * self.seats + other] += share * its


@define
class Had:
    """In which of the same games the seats had a thing: sums of products with what was won. Games in which nobody had
    it need not be told.
    """

    seats: int
    had: list[int] = field(init=False)
    had_both: list[int] = field(init=False)
    had_won: list[float] = field(init=False)
    """By who had it, and by who won."""
    own: float = 0.0
    """What those won together who had it, and the sums of its products with itself, with all wins, with all who had
    it."""
    own_own: float = 0.0
    own_won: list[float] = field(init=False)
    own_had: list[float] = field(init=False)

    def __attrs_post_init__(self) -> None:
        self.had, self.had_both = [0] * self.seats, [0] * self.seats**2
        self.had_won = [0.0] * self.seats**2
        self.own_won, self.own_had = [0.0] * self.seats, [0.0] * self.seats

    def add(self, holders: Sequence[int], shares: Sequence[float]) -> None:
        """One more game: which seats had it, and what every seat won."""
        own, size = sum(shares[seat] for seat in holders), self.seats
        self.own += own
        self.own_own += own * own
        for one in holders:
            self.had[one] += 1
            self.own_had[one] += own
            for other in holders:
                self.had_both[one * size + other] += 1
            for other, share in enumerate(shares):
                self.had_won[one * size + other] += share
        if own:
            for other, share in enumerate(shares):
                self.own_won[other] += own * share


def lift(groups: Iterable[tuple[Won, Had]]) -> tuple[Interval, float] | None:
    """The difference of the shares won with and without, and how often chance does as much; None if nothing can be
    compared: everybody had it, or nobody. Groups of games (the rotations of bots over seats, say) are strata too.
    """
    excess = spread = variance = 0.0
    for won, had in groups:
        if won.games:
            more = _group(won, had)
            excess, spread, variance = excess + more[0], spread + more[1], variance + more[2]
    if spread < 1e-9:
        return None
    value, deviation = excess / spread, sqrt(max(0.0, variance)) / spread
    reach = Z * deviation
    p = erfc(abs(value) / deviation / sqrt(2)) if deviation > 0 else 1.0
    return Interval(value, max(-1.0, value - reach), min(1.0, value + reach)), p


def _group(won: Won, had: Had) -> tuple[float, float, float]:
    """The sum over games of (had - its mean) * (won - its mean) over all seats, the sum of (had - its mean) squared,
    and the sum over games of the first one squared, from sums of products alone.
    """
    seats, games = range(won.seats), won.games
    mean_had, mean_won = [one / games for one in had.had], [one / games for one in won.won]
    by_chance = sum(one * other for one, other in zip(mean_had, mean_won, strict=True))
    excess = had.own - games * by_chance
    spread = sum(games * one * (1 - one) for one in mean_had)
    pairs = [(one, other, one * won.seats + other) for one in seats for other in seats]
    squares = had.own_own + games * by_chance**2
    squares += sum(mean_had[one] * mean_had[other] * won.both[at] for one, other, at in pairs)
    squares += sum(mean_won[one] * mean_won[other] * had.had_both[at] for one, other, at in pairs)
    squares += 2 * sum(mean_won[one] * mean_had[other] * had.had_won[at] for one, other, at in pairs)
    squares -= 2 * sum(one * with_won for one, with_won in zip(mean_had, had.own_won, strict=True))
    squares -= 2 * sum(one * with_had for one, with_had in zip(mean_won, had.own_had, strict=True))
    squares += 2 * by_chance * (had.own - 2 * games * by_chance)
    return excess, spread, squares
