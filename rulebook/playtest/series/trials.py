"""Trials: one bot among others of another kind, in each seat of the same deals, and what it wins.

In: a plan, the words for bots that are tried, and for those they play among; seconds. Out: a tally of each, with as
many deals of each as the time allows. The seed settles how games go; the time settles only how many there are.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from typing import Any, Literal

from attrs import Factory, evolve, field

from rulebook.classes import frozen
from rulebook.playtest.pieces import Worker, cut
from rulebook.playtest.series.bulk import Bulk, Told
from rulebook.playtest.series.plan import Plan
from rulebook.playtest.series.table import Table
from rulebook.playtest.series.tally import Tally
from rulebook.playtest.series.verdicts import GREY, find_fair_share
from rulebook.playtest.sharing import in_order
from rulebook.statistics.intervals import LEVEL, Sample, find_reach
from rulebook.statistics.verdicts import FACT

__all__ = ["FEW", "Trial", "list_first", "tell_trial", "tell_trials", "try_bots"]

FEW = 20
"""Fewer deals say nothing."""


@frozen(kw_only=True)
class Trial:
    """The share of wins, or mean payoff, of a bot (or of each of several that sit side by side) in so many games, with
    an interval: all those tried together hold 95 times of 100. It gets what is `fair` if it is as good as the others;
    `grey` is the smallest effect of interest."""

    games: int
    unit: Literal["wins", "payoff"]
    won: float
    low: float
    high: float
    fair: float
    grey: float
    command: str
    value: float = field(init=False, default=Factory(lambda self: self.won - self.fair, takes_self=True))
    """The difference from what is fair, as other effects have it, and the ends of its range."""
    sure_low: float = field(init=False, default=Factory(lambda self: self.low - self.fair, takes_self=True))
    sure_high: float = field(init=False, default=Factory(lambda self: self.high - self.fair, takes_self=True))

    mark = FACT
    more = 0

    @property
    def costs(self) -> bool:
        """True if the bot certainly gets less than is fair."""
        return self.high < self.fair

    @property
    def pays(self) -> bool:
        """True if the bot certainly gets more than is fair."""
        return self.low > self.fair


def try_bots(
    plan: Plan,
    tried: Sequence[Sequence[str]],
    among: str,
    seconds: float,
    jobs: int,
    most: int,
    tell: Callable[[int, int], None],
) -> list[Tally]:
    """Play each of these bots, or several that sit side by side, among others, in so many seconds, and so many games of
    each at most. `tell` is told how many games are played. Raises Killed.
    """
    ends = time.perf_counter() + seconds
    seated = [(*bots, *[among] * (plan.players - len(bots))) for bots in tried]
    plans = [evolve(plan, bots=bots, rotate=True, watched=False) for bots in seated]
    deals = cut(range(most), plan.players)
    played = [list[Told]() for _ in plans]
    for number, deal in enumerate(in_order(_make_tables, plans, deals, jobs) if plans else (), 1):
        for games, told in zip(played, deal, strict=True):
            games.extend(told)
        tell(number, len(deals))
        if time.perf_counter() > ends:
            break
    return [Tally.of(*one) for one in zip(plans, played, strict=True)]


def tell_trials(tallies: Sequence[Tally], sizes: Sequence[int] | None = None) -> list[dict[str, Any]]:
    """Tell what came of bots that were tried together, as fields of a `Trial`; `sizes` says how many sat side by side.
    """
    far = find_reach((1 - LEVEL) / max(1, len(tallies)))
    return [tell_trial(tally, far, size) for tally, size in zip(tallies, sizes or [1] * len(tallies), strict=True)]


def tell_trial(tally: Tally, far: float, size: int = 1) -> dict[str, Any]:
    """Tell what came of one bot, or each of so many, as the same fields, with an interval that reaches so many
    deviations."""
    got = _sample_first(tally, size).interval(far)
    return {
        "games": tally.games,
        "unit": "payoff" if tally.is_paid else "wins",
        "won": got.value,
        "low": got.low,
        "high": got.high,
        "fair": _find_even_share(tally),
        "grey": GREY * tally.at_stake,
        "command": tally.plan.command(f"--games {tally.games}"),
    }


def _make_tables(plans: Sequence[Plan]) -> Worker[list[list[Told]]]:
    """Make the worker of another process, which plays a deal by each plan."""
    tables = [Table(plan) for plan in plans]
    return lambda numbers: [_list_told(table, numbers) for table in tables]


def _list_told(table: Table, numbers: range) -> list[Told]:
    games, _ = table.here(numbers)
    return [games] if isinstance(games, Bulk) else [*games]


def _sample_first(tally: Tally, size: int) -> Sample:
    """Sample by deals what each of the first bots of a plan gets that is rotated, so that it sits in each seat."""
    return (Sample() if tally.is_paid else Sample(0.0, 1.0)).add_all(list_first(tally, size))


def list_first(tally: Tally, size: int = 1) -> list[float]:
    """List by deals the same."""
    bots, _ = tally.deal_payoffs() if tally.is_paid else tally.deal_shares()
    return [sum(got) / size for got in zip(*bots[:size], strict=True)]


def _find_even_share(tally: Tally) -> float:
    """Find what a bot that sits in each seat gets if it is as good as the others."""
    return find_fair_share(tally) if tally.is_paid else sum(tally.seats) / tally.games / tally.plan.players
