"""Bots that do not think: `random` and `first`.

In: nothing, or the seed of a game and a seat. Out: a bot. Never: looks at anything but what is offered.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from rulebook.interpreter.decisions import Ask
from rulebook.interpreter.machine import Machine
from rulebook.interpreter.random import Source
from rulebook.interpreter.state import State


class Drawing:
    """Answers by drawing numbers below a bound."""

    def __init__(self, spec: str, below: Callable[[int], int]) -> None:
        self.spec, self.below = spec, below

    def answer(self, machine: Machine, state: State, ask: Ask) -> list[str]:
        """The keys of a legal answer."""
        return machine.random_answer(state, ask, self.below)

    def value(self, machine: Machine, state: State, seat: int) -> Any:
        """The same as a value of the machine."""
        return machine.random_value(state, seat, self.below)


def uniform(seed: int, seat: int) -> Drawing:
    """Every legal answer is as likely as any other."""
    return Drawing("random", Source(seed, f"bot:{seat}").below)


def first() -> Drawing:
    """The first of every list: the first option, the smallest set. Where that set is not allowed, the first that is."""
    return Drawing("first", lambda bound: 0)
