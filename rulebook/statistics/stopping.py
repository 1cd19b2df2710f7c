"""A confidence sequence for optional stopping: an interval that may be looked at after every game.

It holds the mean at all times at once with a probability of `LEVEL`, however often somebody looks and whenever they
stop; an ordinary one is right for a number of games that was fixed before, and misleads who stops when it looks good.
"""

from __future__ import annotations

from math import ceil, log, log1p

from attrs import define, field

from rulebook.statistics.intervals import LEVEL, Interval

_BOLDEST = 0.5


@define
class Running:
    """The empirical-Bernstein confidence sequence with predictable bets: I. Waudby-Smith, A. Ramdas, Estimating means
    of bounded random variables by betting, J. Royal Stat. Soc. B 86 (2024), theorem 2.

    Each bet depends on what was seen before it alone, which is all that the proof asks of it; these are the best for an
    interval of `half_width`. Where several means are looked at, each of them may fail with a probability of
    (1 - LEVEL) / `together`.
    """

    half_width: float
    together: int = 1
    games: int = field(default=0, init=False)
    _mean: float = field(default=0.5, init=False)
    _variance: float = field(default=0.25, init=False)
    _bets: float = field(default=0.0, init=False)
    _won: float = field(default=0.0, init=False)
    _paid: float = field(default=0.0, init=False)

    def add(self, value: float) -> None:
        """One more number, from 0 to 1."""
        bet = min(_BOLDEST, self.half_width / self._variance)
        self._bets += bet
        self._won += bet * value
        self._paid += (value - self._mean) ** 2 * (-log1p(-bet) - bet)
        self.games += 1
        # Running estimates, with one pretended number to begin from.
        self._variance += ((value - self._mean) ** 2 - self._variance) / (self.games + 1)
        self._mean += (value - self._mean) / (self.games + 1)

    @property
    def interval(self) -> Interval:
        """The interval that is known now."""
        if not self.games:
            return Interval(0.5, 0.0, 1.0)
        centre = self._won / self._bets
        reach = (log(2 * self.together / (1 - LEVEL)) + self._paid) / self._bets
        return Interval(centre, max(0.0, centre - reach), min(1.0, centre + reach))

    @property
    def is_narrow(self) -> bool:
        return self.interval.half_width <= self.half_width

    @property
    def expected(self) -> int:
        """The number of values it will take in all, if they go on as they began."""
        return ceil(2 * log(2 * self.together / (1 - LEVEL)) * self._variance / self.half_width**2)
