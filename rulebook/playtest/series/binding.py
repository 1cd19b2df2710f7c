"""The worth of a habit: what players win who never, or always, answer with one option, and else as they have learned;
and what two win each who sit side by side and play for one another.

In: a plan, options with ways, seconds. Out: what those win who are bound so, among those who are free, each deal once
from each seat. Never: says by itself that an option is too strong or too weak: who is bound answers so where it does
harm, too.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from rulebook.classes import frozen
from rulebook.playtest.bots import HELPS, restrict
from rulebook.playtest.series.levels import LEARNED
from rulebook.playtest.series.plan import Plan
from rulebook.playtest.series.trials import FEW, Trial, tell_trials, try_bots

__all__ = ["BINDING", "HELPING", "Binding", "Habit", "measure_bindings"]

BINDING = 0.18
"""The part of the time that goes into such games."""


@frozen
class Habit:
    """An option by its key and its name, and the way in which somebody shall be bound: `never`, or `always`. Where one
    `helps` another, the option is how many seats further on that one sits."""

    option: str
    name: str
    way: str


HELPING = Habit("1", "one another", HELPS)
"""The habit of two who sit side by side."""


@frozen(kw_only=True)
class Binding(Trial):
    """A trial of players who learned and have a habit."""

    habit: Habit


def measure_bindings(
    plan: Plan, habits: Sequence[Habit], seconds: float, jobs: int, most: int, tell: Callable[[int, int], None]
) -> list[Binding]:
    """Measure what comes of habits, in so many seconds and so many games of each at most; nothing of those of which
    there are too few. `tell` is told how many games are played. Raises Killed.
    """
    bots = [_bind_bots(habit, plan.players) for habit in habits]
    rows = tell_trials(try_bots(plan, bots, LEARNED, seconds, jobs, most, tell), [*map(len, bots)])
    bindings = [Binding(habit=habit, **row) for habit, row in zip(habits, rows, strict=True)]
    return [binding for binding in bindings if binding.games >= FEW * plan.players or binding.games >= most]


def _bind_bots(habit: Habit, players: int) -> tuple[str, ...]:
    """Name the bots that have a habit, as they sit side by side."""
    further = [habit.option, str(players - 1)] if habit == HELPING else [habit.option]
    return tuple(restrict(LEARNED, habit.way, option) for option in further)
