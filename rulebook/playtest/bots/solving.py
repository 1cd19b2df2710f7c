"""The rest of a game of one or two, in which everybody knows all and chance decides nothing, looked at whole.

In: a table, and how many tables to look at. Out: the answers after which the seat gets most, whatever the other one
answers: minimax with alpha-beta cuts, where no table is looked at twice. Nothing where something may be hidden, where
chance or two at once decide, where one's gain is not the other's loss, or where several things are chosen. In the core
it is `solving.c`.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from math import inf
from typing import Any

from rulebook.interpreter.choosing import PASSED, Mark
from rulebook.interpreter.decisions import RuleError
from rulebook.interpreter.layout import PENDING, RESULT
from rulebook.interpreter.machine import Machine
from rulebook.interpreter.program import Program
from rulebook.interpreter.results import find_outcome
from rulebook.interpreter.state import State
from rulebook.playtest.knowing import is_hidden, laid

__all__ = ["find_best"]

_MOST_DEEP, _MOST_OFFERED = 128, 256
"""The most answers in a row, and to one question."""


class _GivenUp(Exception):
    """This is no such game."""


class _TooMuch(Exception):
    """More is left than may be looked at."""


def find_best(machine: Machine, state: State, seat: int, marks: Sequence[Mark], most: int) -> list[int] | None:
    """Find the best of all answers, by their numbers; none of them where too much is left, None where this is no such
    game.
    """
    try:
        return _Solving(machine, seat, most).find_best(state, marks)
    except _TooMuch:
        return []
    except (_GivenUp, RuleError):
        return None


class _Solving:
    def __init__(self, machine: Machine, seat: int, most: int) -> None:
        self.machine, self.program, self.seat, self.left = machine, machine.program, seat, most
        self.known: dict[Hashable, tuple[float, float]] = {}
        """By table between which numbers its worth lies."""

    def find_best(self, state: State, marks: Sequence[Mark]) -> list[int]:
        """Find the best answers, by their numbers."""
        values = self._map_answers(state)
        if list(values) != list(marks):
            raise _GivenUp
        widest: float = 1 if self.program.payoff is None else 1 << 60
        most, best = -widest - 1, list[int]()
        for number, value in enumerate(values.values()):
            worth = self._worth(self._follow_answer(state, value, 0), 1, most - 1, widest)
            if worth > most:
                most, best = worth, []
            best += [number] if worth == most else []
        return best

    def _worth(self, state: State, depth: int, least: float, most: float) -> float:
        """The worth of a table to our seat, if it lies between two numbers; else something on the same side."""
        if _is_drawn(self.program, state):
            raise _GivenUp
        if state[RESULT] is not None:
            payoffs = find_outcome(self.program, state).payoffs
            if self.program.players > 1 and sum(payoffs) != 0:
                raise _GivenUp
            return payoffs[self.seat]
        key = laid(self.program, state)
        at_least, at_most = self.known.get(key, (-inf, inf))
        if at_least >= most or at_least == at_most:
            return at_least
        if at_most <= least:
            return at_most
        values, is_own = self._map_answers(state).values(), state[PENDING][1][0][0] == self.seat
        worth, low, high = -inf if is_own else inf, least, most
        for value in values:
            if low >= high:
                break
            found = self._worth(self._follow_answer(state, value, depth), depth + 1, low, high)
            worth = max(worth, found) if is_own else min(worth, found)
            low, high = (max(low, worth), high) if is_own else (low, min(high, worth))
        self.known[key] = (
            max(at_least, worth) if worth > least else at_least,
            min(at_most, worth) if worth < most else at_most,
        )
        return worth

    def _map_answers(self, state: State) -> dict[Mark, Any]:
        """Map what may be answered, equal answers once, to the value of each."""
        if _is_drawn(self.program, state) or is_hidden(self.program, state):
            raise _GivenUp
        choices = self.machine.find_choices(state, state[PENDING][1][0][0])
        if choices.pick.many:
            raise _GivenUp
        found: dict[Mark, Any] = {}
        for like, value in zip(choices.alike, choices.values, strict=True):
            found.setdefault((like,), value)
        if choices.may_pass:
            found[PASSED] = None
        if len(found) > _MOST_OFFERED:
            raise _GivenUp
        return found

    def _follow_answer(self, state: State, value: Any, depth: int) -> State:
        if depth == _MOST_DEEP:
            raise _GivenUp
        self.left -= 1
        if self.left < 0:
            raise _TooMuch
        after = state[:]
        self.machine.answer_value(after, state[PENDING][1][0][0], value)
        self.machine.advance(after)
        return after


def _is_drawn(program: Program, state: State) -> bool:
    """Tell whether chance has decided something."""
    return any(state[slot] is not None for slot in program.layout.streams)
