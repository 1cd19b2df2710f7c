"""The cost of guessing: what players win who answer one question at random, and all others as they have learned.

In: a plan, seconds. Out: of the questions on which most hangs what those win who guess there, among those who guess
nowhere, each deal once from each seat. Never: says that a question matters because players value their answers to it:
by that it is only chosen. The seed settles how games go; the time settles only how many there are.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from typing import Literal

from attrs import evolve

from rulebook.classes import frozen
from rulebook.playtest.bots import guess_at
from rulebook.playtest.pieces import Worker, cut
from rulebook.playtest.prompts import Stake
from rulebook.playtest.series.bulk import Bulk, Told
from rulebook.playtest.series.levels import LEARNED, find_even_share, sample_first
from rulebook.playtest.series.plan import Plan
from rulebook.playtest.series.table import Table
from rulebook.playtest.series.tally import Tally
from rulebook.playtest.series.verdicts import GREY
from rulebook.playtest.sharing import in_order
from rulebook.statistics.intervals import LEVEL, find_reach
from rulebook.statistics.verdicts import FACT

__all__ = ["GUESSING", "Guess", "choose_prompts", "measure_guesses"]

GUESSING = 0.35
"""The part of the time that goes into such games."""
_WEIGHED, _MOST = 40, 3
"""Games by which questions are weighed, and the most questions of weight that somebody guesses at."""
_FEW = 20
"""Fewer deals say nothing."""


@frozen
class Guess:
    """The share of wins, or mean payoff, of players who learned and guess at one question, with an interval: all those
    of a page together hold 95 times of 100. Each of them was `asked` it so often in a game, and what hung on it was
    this part (`weight`) of all that hung on answers, as they value them.
    """

    prompt: str
    asked: float
    weight: float
    games: int
    unit: Literal["wins", "payoff"]
    won: float
    low: float
    high: float
    fair: float
    grey: float
    command: str
    value: float = 0.0
    """The difference from what is fair, as other effects have it, and the ends of its range."""
    sure_low: float = 0.0
    sure_high: float = 0.0
    mark: str = FACT
    more: int = 0

    @property
    def costs(self) -> bool:
        """True if guessing certainly costs something."""
        return self.high < self.fair


def choose_prompts(plan: Plan, seconds: float, jobs: int) -> list[Stake]:
    """Choose the questions at which somebody shall guess: some on which most hangs, and of what everybody is asked in a
    game that on which least does. None where there is nobody to beat, the core does not play these games, or so many
    processes would not play enough of them in so many seconds.
    """
    if plan.players < 2 or plan.is_together:
        return []
    table = Table(evolve(plan, bots=(LEARNED,) * plan.players, rotate=False, watched=False))
    began = time.perf_counter()
    stakes = table.find_stakes(range(_WEIGHED))
    a_game = (time.perf_counter() - began) / _WEIGHED
    heavy = [stake for stake in stakes[:_MOST] if stake.share]
    often = [stake for stake in stakes if stake.asked >= plan.players and stake not in heavy]
    chosen = [*heavy, *often[-1:]]
    return chosen if _FEW * plan.players * len(chosen) * a_game < seconds * jobs else []


def measure_guesses(
    plan: Plan, stakes: Sequence[Stake], seconds: float, jobs: int, most: int, tell: Callable[[int, int], None]
) -> list[Guess]:
    """Measure what guessing costs, in so many seconds and so many games of each question at most; those first whom it
    costs most. `tell` is told how many games are played. Raises Killed.
    """
    ends, rest = time.perf_counter() + seconds, (LEARNED,) * (plan.players - 1)
    seated = [(guess_at(LEARNED, stake.prompt), *rest) for stake in stakes]
    plans = [evolve(plan, bots=bots, rotate=True, watched=False) for bots in seated]
    deals = cut(range(most), plan.players)
    played = [list[Told]() for _ in plans]
    for number, deal in enumerate(in_order(make_guessers, plans, deals, jobs) if plans else (), 1):
        for games, told in zip(played, deal, strict=True):
            games.extend(told)
        tell(number, len(deals))
        if time.perf_counter() > ends:
            break
    far = find_reach((1 - LEVEL) / max(1, len(plans)))
    guesses = [_report_guess(*one, far) for one in zip(plans, stakes, played, strict=True)]
    return sorted(guesses, key=lambda guess: guess.won - guess.fair)


def make_guessers(plans: Sequence[Plan]) -> Worker[list[list[Told]]]:
    """Make the worker of another process, which plays a deal by each plan."""
    tables = [Table(plan) for plan in plans]
    return lambda numbers: [_list_told(table, numbers) for table in tables]


def _list_told(table: Table, numbers: range) -> list[Told]:
    games, _ = table.here(numbers)
    return [games] if isinstance(games, Bulk) else [*games]


def _report_guess(plan: Plan, stake: Stake, played: Sequence[Told], far: float) -> Guess:
    tally = Tally.of(plan, played)
    got, fair = sample_first(tally).interval(far), find_even_share(tally)
    return Guess(
        prompt=stake.prompt,
        asked=stake.asked / plan.players,
        weight=stake.share,
        games=tally.games,
        unit="payoff" if tally.is_paid else "wins",
        won=got.value,
        low=got.low,
        high=got.high,
        fair=fair,
        grey=GREY * tally.at_stake,
        command=plan.command(f"--games {tally.games}"),
        value=got.value - fair,
        sure_low=got.low - fair,
        sure_high=got.high - fair,
    )
