"""Imagined games played on at random: the one place where bots play very many.

In: states, which are used up, and a source of numbers. Out: what each seat gets. Never: looks at anything; a playout is
of an imagined table, never of the true one; gives another result on one tier than on the other.

What a seat gets is `Outcome.payoffs`: the game's own payoff, else how many are placed behind minus how many ahead.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache

from rulebook.interpreter.compiled.tier import BlindMachine
from rulebook.interpreter.layout import PENDING
from rulebook.interpreter.matching import Below
from rulebook.interpreter.native.tier import CannotPack, Native
from rulebook.interpreter.program import Program
from rulebook.interpreter.random import Source
from rulebook.interpreter.results import outcome
from rulebook.interpreter.state import State

__all__ = ["Payoffs", "Playouts", "playouts", "standing"]

Payoffs = tuple[float, ...]

BEFORE_C = 1000
"""How many games are played before a program is printed as C, which takes some seconds once."""
_SEEDS = 1 << 62


class Playouts:
    """Plays many games of one program: on the blind tier, and after so many games in C, where that can be had."""

    def __init__(self, program: Program, before_c: int = BEFORE_C) -> None:
        self.program, self.machine = program, BlindMachine(program)
        self._left, self._native = before_c, None if before_c else _native(program)

    def play(self, states: Iterable[State], below: Below) -> list[Payoffs]:
        """What each seat gets, for each state that is played to its end by seats that answer at random."""
        return [self._played(state, below(_SEEDS)) for state in states]

    def _played(self, state: State, seed: int) -> Payoffs:
        """With a seed, each seat answers as `random` does in the game with that seed, on every tier."""
        if self._left:
            self._left -= 1
            if not self._left:
                self._native = _native(self.program)
        if state[PENDING] != ("over",):
            payoffs = None if self._native is None else _played_in_c(self._native, state, seed)
            if payoffs is not None:
                return payoffs
            seats = range(self.program.players)
            self.machine.play(state, [Source(seed, f"bot:{seat}").below for seat in seats])
        return outcome(self.program, state).payoffs


def _native(program: Program) -> Native | None:
    found = Native.of(program)
    return found if isinstance(found, Native) else None


def _played_in_c(native: Native, state: State, seed: int) -> Payoffs | None:
    """What each seat gets; None for what C cannot play, which the blind tier plays then, or says what goes wrong."""
    try:
        (played,) = native.rollouts(state, [seed])
    except CannotPack:
        return None
    return None if played.stopped else played.outcome.payoffs


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
