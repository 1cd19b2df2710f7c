"""Imagined games played on at random: the one place where bots play very many.

In: a state, which is left as it was, and a source of numbers. Out: how the games end. Never: looks at anything; a
playout is of an imagined table, never of the true one.

A game that is to be cut is told that nearly all its answers were given already: the machine ends it there as
unfinished, and says how it stands. What a seat gets is `Outcome.payoffs`: the game's own payoff, else how many are
placed behind minus how many ahead.
"""

from __future__ import annotations

from functools import lru_cache

from rulebook.interpreter.core.door import core_of
from rulebook.interpreter.layout import CLOCK
from rulebook.interpreter.machine import Machine
from rulebook.interpreter.matching import Below
from rulebook.interpreter.ops.asking import MOST_ANSWERS
from rulebook.interpreter.program import Program
from rulebook.interpreter.random import Source
from rulebook.interpreter.results import Outcome, outcome
from rulebook.interpreter.state import State

__all__ = ["Playouts", "margin", "playouts", "standing"]

_SEEDS = 1 << 62


class Playouts:
    """Plays many games of one program: in the core, where there is one."""

    def __init__(self, program: Program) -> None:
        self.program, self.machine = program, Machine(program)
        self._core = core_of(program)

    def play(self, state: State, below: Below, games: int = 1, most: int = MOST_ANSWERS) -> list[Outcome]:
        """How so many games end, or stand after so many answers more, that go on from one state at random."""
        begun = state[:]
        begun[CLOCK] = max(begun[CLOCK], MOST_ANSWERS - most)
        seeds = [below(_SEEDS) for _ in range(games)]
        found = [] if isinstance(self._core, str) else list(self._core.rollouts(begun, seeds))
        ended = [one.outcome for one in found if one is not None]
        # What stopped in the core is played by the machine, which says what went wrong.
        return ended if len(ended) == games else [self._played(begun[:], seed) for seed in seeds]

    def _played(self, state: State, seed: int) -> Outcome:
        """With a seed, each seat answers as `random` does in the game with that seed."""
        machine, sources = self.machine, [Source(seed, f"bot:{seat}").below for seat in range(self.program.players)]
        machine.advance(state)
        while waiting := machine.waiting(state):
            seat = waiting[0]
            machine.answer_value(state, seat, machine.random_value(state, seat, sources[seat]))
            machine.advance(state)
        return outcome(self.program, state)


def standing(program: Program, state: State, seat: int) -> tuple[float, float]:
    """How a seat stands now: what it would get, then how far it is ahead of the best of the others (or behind)."""
    found = outcome(program, state)
    return found.payoffs[seat], margin(program, found, seat)


def margin(program: Program, found: Outcome, seat: int) -> int:
    """How far a seat is ahead of the best of the others (or behind), in scores."""
    sign = -1 if program.payoff is None and program.rank and not program.rank[0].most else 1
    others = [sign * score for one, score in enumerate(found.scores) if one != seat]
    return sign * found.scores[seat] - max(others, default=0)


@lru_cache(maxsize=4)
def playouts(program: Program) -> Playouts:
    """The playouts of a program: made once."""
    return Playouts(program)
