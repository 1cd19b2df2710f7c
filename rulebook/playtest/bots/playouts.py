"""Imagined games played on at random: the one place where bots play very many.

In: a state, which is left as it was, and a source of numbers. Out: how the games end. Never: looks at anything; a
playout is of an imagined table, never of the true one; gives another result on one tier than on the other.

A game that is to be cut is told that nearly all its answers were given already: every tier ends it there as unfinished,
and says how it stands. What a seat gets is `Outcome.payoffs`: the game's own payoff, else how many are placed behind
minus how many ahead.
"""

from __future__ import annotations

from functools import lru_cache

from rulebook.interpreter.compiled.tier import BlindMachine
from rulebook.interpreter.layout import CLOCK, PENDING
from rulebook.interpreter.matching import Below
from rulebook.interpreter.native.tier import CannotPack, Native
from rulebook.interpreter.primitives.asking import MOST_ANSWERS
from rulebook.interpreter.program import Program
from rulebook.interpreter.random import Source
from rulebook.interpreter.results import Outcome, outcome
from rulebook.interpreter.state import State

__all__ = ["Playouts", "margin", "playouts", "standing"]

BEFORE_C = 1000
"""How many games are played before a program is printed as C, which takes some seconds once."""
_SEEDS = 1 << 62


class Playouts:
    """Plays many games of one program: on the blind tier, and after so many games in C, where that can be had."""

    def __init__(self, program: Program, before_c: int = BEFORE_C) -> None:
        self.program, self.machine = program, BlindMachine(program)
        self._left, self._native = before_c, None if before_c else _native(program)

    def play(self, state: State, below: Below, games: int = 1, most: int = MOST_ANSWERS) -> list[Outcome]:
        """How so many games end, or stand after so many answers more, that go on from one state at random."""
        seeds = [below(_SEEDS) for _ in range(games)]
        if state[PENDING] == ("over",):
            return [outcome(self.program, state)] * games
        if self._left > 0:
            self._left -= games
            if self._left <= 0:
                self._native = _native(self.program)
        begun = state[:]
        begun[CLOCK] = max(begun[CLOCK], MOST_ANSWERS - most)
        found = None if self._native is None else _played_in_c(self._native, begun, seeds)
        return [self._played(begun[:], seed) for seed in seeds] if found is None else found

    def _played(self, state: State, seed: int) -> Outcome:
        """With a seed, each seat answers as `random` does in the game with that seed, on every tier."""
        seats = range(self.program.players)
        self.machine.play(state, [Source(seed, f"bot:{seat}").below for seat in seats])
        return outcome(self.program, state)


def _native(program: Program) -> Native | None:
    found = Native.of(program)
    return found if isinstance(found, Native) else None


def _played_in_c(native: Native, state: State, seeds: list[int]) -> list[Outcome] | None:
    """How the games end; None for what C cannot play, which the blind tier plays then, or says what goes wrong."""
    try:
        played = list(native.rollouts(state, seeds))
    except CannotPack:
        return None
    return None if any(one.stopped for one in played) else [one.outcome for one in played]


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
    """The playouts of a program: its text is printed once."""
    return Playouts(program)
