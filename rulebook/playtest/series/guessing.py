"""The cost of guessing: what players win who answer one question at random, and all others as they have learned.

In: a plan, seconds. Out: of the questions on which most hangs what those win who guess there, among those who guess
nowhere, each deal once from each seat. Never: says that a question matters because players value their answers to it:
by that it is only chosen.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence

from attrs import evolve

from rulebook.classes import frozen
from rulebook.playtest.bots import guess_at
from rulebook.playtest.prompts import Stake
from rulebook.playtest.series.levels import LEARNED
from rulebook.playtest.series.plan import Plan
from rulebook.playtest.series.table import Table
from rulebook.playtest.series.trials import FEW, Trial, tell_trials, try_bots

__all__ = ["GUESSING", "Guess", "choose_prompts", "measure_guesses"]

GUESSING = 0.25
"""The part of the time that goes into such games."""
_WEIGHED, _FEWEST, _MOST, _ENOUGH = 40, 3, 9, 1000
"""Games by which questions are weighed, the fewest and the most questions of weight that somebody guesses at, and the
games of each that are enough to ask one more."""
_SLOWER = 3
"""The factor on the time of a game in which somebody guesses, with all that is counted of it."""


@frozen(kw_only=True)
class Guess(Trial):
    """A trial of players who learned and guess at one question. Each of them was `asked` it so often in a game, and
    this part (`weight`) of all that hung on answers, as they value them, hung on it.
    """

    prompt: str
    asked: float
    weight: float


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
    many = int(seconds * jobs / (_ENOUGH * _SLOWER * a_game))
    heavy = [stake for stake in stakes[: min(_MOST, max(_FEWEST, many - 1))] if stake.share]
    often = [stake for stake in stakes if stake.asked >= plan.players and stake not in heavy]
    chosen = [*heavy, *often[-1:]]
    return chosen if FEW * plan.players * len(chosen) * a_game < seconds * jobs else []


def measure_guesses(
    plan: Plan, stakes: Sequence[Stake], seconds: float, jobs: int, most: int, tell: Callable[[int, int], None]
) -> list[Guess]:
    """Measure what guessing costs, in so many seconds and so many games of each question at most; those first whom it
    costs most. `tell` is told how many games are played. Raises Killed.
    """
    bots = [(guess_at(LEARNED, stake.prompt),) for stake in stakes]
    rows = tell_trials(try_bots(plan, bots, LEARNED, seconds, jobs, most, tell))
    guesses = [
        Guess(prompt=stake.prompt, asked=stake.asked / plan.players, weight=stake.share, **row)
        for stake, row in zip(stakes, rows, strict=True)
    ]
    return sorted(guesses, key=lambda guess: guess.value)
