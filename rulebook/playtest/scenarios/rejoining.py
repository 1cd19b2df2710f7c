"""Scenarios that are played again with one thing otherwise, only where that matters.

In: a scenario that passes, and a program of which one mutant may be played. Out: a `Trail`, the course that it took,
and whether it passes in a mutant. Where bots play on, a mutant begins with the first answer after which it matters, and
where it is back in a state in which the scenario was too, it goes on with the next one. Never: another outcome than
that of the whole scenario, but that much more work than that of the scenario as it is counts as failed.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from copy import deepcopy
from functools import partial

from attrs import define, field

from rulebook.classes import frozen
from rulebook.interpreter.events import Sink
from rulebook.interpreter.machine import Machine
from rulebook.interpreter.program import Mutation, Program
from rulebook.interpreter.run import MOST_LOOKED_AT, Run, TooMuch
from rulebook.interpreter.state import State
from rulebook.playtest.bots import Bot, Drawing
from rulebook.playtest.scenarios.reading import Scenario
from rulebook.playtest.scenarios.trial import Course, passes

_TIMES_THE_WORK, _LEAST_WORK = 2, 2_000
"""Bounds of the work of a scenario with a mutant, many of which never end: a multiple of its own, and the least."""
_A_STEP = 10
"""The work of going on from an answer to the next, beside what is looked at there."""
_UNBOUNDED = 10**12
OF_ANOTHER_SORT = (IndexError, KeyError, TypeError, ValueError, AttributeError, AssertionError)
"""Errors of a machine in a mutant that leaves out what the checks of the rules rest upon, as `it is a note and` is."""


@frozen
class _Moment:
    """A decision that a bot answers: the state, how many events each seat had noticed, how many outcomes were named,
    the bots.
    """

    state: State
    noticed: tuple[int, ...]
    outcomes: int
    bots: list[Bot]


@define
class Trail:
    """The course of a scenario by the rules as they are: what the seats noticed, the moments of it, and by mutant the
    moments after which it matters, -1 of what is before the first.
    """

    scenario: Scenario
    events: Sink = field(factory=list)
    moments: list[_Moment] = field(factory=list)
    matters: Mapping[int, set[int]] = field(factory=dict)
    work: int = 0

    def passes_in(self, mutant: int) -> bool:
        """Tell whether the scenario passes in a mutant, which is played."""
        most = max(_LEAST_WORK, _TIMES_THE_WORK * self.work)
        make_course = partial(_Rejoining, trail=self, left={*self.matters[mutant]})
        try:
            return passes(self.scenario, partial(BoundedMachine, most), make_course)
        except OF_ANOTHER_SORT:
            return False


def follow(scenario: Scenario, mutation: Mutation) -> Trail:
    """Play a scenario that passes, and note in which moments which mutant matters."""
    trail, machines = Trail(scenario), list[BoundedMachine]()

    def make_machine(program: Program, names: Sequence[str]) -> Machine:
        machines.append(BoundedMachine(_UNBOUNDED, program, names))
        return machines[-1]

    mutation.mutant, mutation.moment, mutation.met = None, -1, {}
    assert passes(scenario, make_machine, partial(_Followed, trail=trail)), "it passes by the rules as they are"
    trail.matters, trail.work, mutation.met = mutation.met, machines[0].work, None
    return trail


class BoundedMachine(Machine):
    """A machine that counts all that it does, and goes wrong where that is too much."""

    def __init__(self, most: int, program: Program, names: Sequence[str]) -> None:
        super().__init__(program, names)
        self.most, self.work = most, 0

    def _run_steps(self, run: Run) -> None:
        self.work += _A_STEP
        left = self.most - self.work
        if left < 0:
            raise TooMuch("Too much is done")
        run.allow(min(MOST_LOOKED_AT, left))
        begun = run.looked_at
        try:
            super()._run_steps(run)
        finally:
            self.work += run.looked_at - begun


@define
class _Followed(Course):
    """A run by the rules as they are, of which the trail is written."""

    trail: Trail = field(kw_only=True)

    def come_to(self, bots: list[Bot]) -> None:
        noticed = tuple(map(len, self.events))
        self.trail.events, self.machine.program.mutation.moment = self.events, len(self.trail.moments)
        self.trail.moments.append(_Moment(self.state[:], noticed, self.outcomes, deepcopy(bots)))


@define
class _Rejoining(Course):
    """A run with a mutant; `left` are the moments after which it matters, `at` is the next one to come, `shared` are
    how many of the events are those of the trail.
    """

    trail: Trail = field(kw_only=True)
    left: set[int] = field(kw_only=True)
    at: int = 0
    shared: tuple[int, ...] = ()
    is_late: bool = False
    """True if it begins with a moment, and is not there yet."""

    def play_answers(self) -> None:
        self.shared = (0,) * len(self.events)
        first = min(self.left)
        if first < 0:
            self.left.add(0)  # what can be answered first was known before
            Course.play_answers(self)
        else:
            self.is_late, self.decision = True, self.machine.decision(self.trail.moments[first].state)

    def come_to(self, bots: list[Bot]) -> None:
        if self.is_late or self._is_back(bots):
            last = len(self.trail.moments) - 1
            self._play_until(min((moment for moment in self.left if moment >= self.at), default=last), bots)
        self.at += 1

    def _is_back(self, bots: list[Bot]) -> bool:
        """Tell whether all is as it was in the moment of this number."""
        if self.at >= len(self.trail.moments):
            return False
        moment = self.trail.moments[self.at]
        seats = zip(self.events, self.trail.events, self.shared, moment.noticed, strict=True)
        return (
            self.state == moment.state
            and self.outcomes == moment.outcomes
            and _list_streams(bots) == _list_streams(moment.bots)
            and all(
                len(mine) == noticed and mine[shared:] == events[shared:noticed]
                for mine, events, shared, noticed in seats
            )
        )

    def _play_until(self, at: int, bots: list[Bot]) -> None:
        """Go on with a moment of the trail, this one or a later one."""
        moment = self.trail.moments[at]
        if at > self.at or self.is_late:
            self.state[:], self.outcomes, bots[:] = moment.state, moment.outcomes, deepcopy(moment.bots)
            self.decision = self.machine.decision(self.state)
            for mine, events, noticed in zip(self.events, self.trail.events, moment.noticed, strict=True):
                mine[:] = events[:noticed]
        self.at, self.shared, self.is_late = at, moment.noticed, False


def _list_streams(bots: Sequence[Bot]) -> list[tuple[int, int] | None]:
    return [bot.source.halves if isinstance(bot, Drawing) and bot.source else None for bot in bots]
