"""Imagined games played on at random: the one place where bots play very many.

In: states, which are used up, and a source of numbers. Out: what each seat gets. Never: looks at anything; a playout is
of an imagined table, never of the true one.

What a seat gets is `Outcome.payoffs`: the game's own payoff, else how many are placed behind minus how many ahead.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache

from rulebook.interpreter.compiled.tier import BlindMachine
from rulebook.interpreter.layout import PENDING
from rulebook.interpreter.matching import Below
from rulebook.interpreter.program import Program
from rulebook.interpreter.results import outcome
from rulebook.interpreter.state import State

__all__ = ["Payoffs", "Playouts", "playouts", "standing"]

Payoffs = tuple[float, ...]


class Playouts:
    """Plays many games of one program."""

    def __init__(self, program: Program) -> None:
        self.program, self.machine = program, BlindMachine(program)

    def play(self, states: Iterable[State], below: Below) -> list[Payoffs]:
        """What each seat gets, for each state that is played to its end by seats that answer at random."""
        seats = [below] * self.program.players
        found: list[Payoffs] = []
        for state in states:
            if state[PENDING] != ("over",):
                self.machine.play(state, seats)
            found.append(outcome(self.program, state).payoffs)
        return found


def standing(program: Program, state: State, seat: int) -> tuple[float, float]:
    """How a seat stands now: what it would get, then how far it is ahead of the best of the others (or behind)."""
    found = outcome(program, state)
    sign = -1 if program.payoff is None and program.rank and not program.rank[0].most else 1
    others = [sign * score for one, score in enumerate(found.scores) if one != seat]
    return found.payoffs[seat], sign * found.scores[seat] - max(others, default=0)


@lru_cache(maxsize=4)
def playouts(program: Program) -> Playouts:
    """The playouts of a program: its text is printed once."""
    return Playouts(program)
