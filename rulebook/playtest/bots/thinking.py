"""What every bot that thinks has: tables it imagines, answers it may give there, and numbers of its own.

In: a state of the machine or a table of the core, a seat. Out: an answer. Never: reads the true table but through what
it imagines, which is the same for all states that the seat could not tell apart; keeps anything between two decisions.

An answer depends on the seed, the seat, which decision of this seat it is, and what the seat sees and knows. So it does
not matter in which order sealed answers arrive, or how often somebody takes one back. Nor does it matter whether the
core imagines (`by_core`) or the machine (`by_machine`): both draw the same tables from the same numbers.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import Any, Protocol

from rulebook.interpreter.choosing import Choices
from rulebook.interpreter.core.door import Table
from rulebook.interpreter.core.imagining import Stopped
from rulebook.interpreter.decisions import Ask
from rulebook.interpreter.layout import COUNTS, PENDING
from rulebook.interpreter.machine import Machine
from rulebook.interpreter.matching import Below
from rulebook.interpreter.program import Program
from rulebook.interpreter.random import Source
from rulebook.interpreter.state import State
from rulebook.playtest.bots.by_core import ByCore, loaded
from rulebook.playtest.bots.by_machine import ByMachine, Mark, Situation, keys_of

__all__ = ["Imagined", "Mark", "Thinking"]

_FINE = 1_000_000


class Imagined(Protocol):
    """One decision, as its seat sees it, and games at tables that may be the true one.

    `below` gives the numbers of the bot. Answers are given by their numbers among the marks that were told last.
    """

    program: Program
    seat: int
    below: Below

    @property
    def legal(self) -> Sequence[Mark]:
        """The answers that may be given, of very many some."""

    def true_answer(self, number: int) -> list[int] | None:
        """Say what one of the legal answers means in truth, by the numbers of what is offered there; None is a pass."""

    def draw(self) -> Sequence[Mark]:
        """Imagine a table at random, and say which of the answers may be given there. Others who are asked at the same
        time have not answered there.
        """

    def rate(self, number: int) -> tuple[float, float]:
        """Say how the seat stands after an answer, and some more of its own at random: what it would get, then how far
        it is ahead of the best of the others (or behind).
        """

    def play(self, number: int) -> float:
        """Say what the seat gets if the game goes on at random after an answer."""

    def give(self, number: int) -> None:
        """Give an answer at the table, for whoever is asked."""

    def give_and_look(self, number: int) -> Situation | None:
        """The same, and say who is asked next, of several first our seat; None if the game is over."""

    def play_on(self, games: int, most: int) -> tuple[Sequence[int], Sequence[int]]:
        """Play on at random from the table, in each game so many answers at most: what each seat gets, and how far each
        is ahead, in all games together.
        """

    def all_differ(self, seeds: Sequence[int]) -> bool:
        """Tell whether the tables that are drawn from these seeds are all different."""

    def by_machine(self) -> ByMachine:
        """The same decision, imagined by the machine."""


class Thinking(ABC):
    """A bot that imagines tables. With probability `epsilon` it answers at random instead."""

    def __init__(
        self, spec: str, seed: int, seat: int, epsilon: float, budget: int, is_hurried: Callable[[], bool]
    ) -> None:
        self.spec, self.seed, self.seat, self.epsilon, self.budget = spec, seed, seat, epsilon, budget
        self.is_hurried = is_hurried
        """Asked between two imagined games: whoever waits may want the answer that is best so far."""

    @abstractmethod
    def think(self, imagined: Imagined) -> Mark:
        """The best of several answers that may be given."""

    def answer(self, machine: Machine, state: State, ask: Ask) -> list[str]:
        """The keys of a legal answer."""
        found = machine.find_choices(state, ask.seat)
        return list(keys_of(found, self._value(machine, state, found)))

    def value(self, machine: Machine, state: State, seat: int) -> Any:
        """The same as a value of the machine."""
        return self._value(machine, state, machine.find_choices(state, seat))

    def play(self, table: Table, seat: int, asked: int, picked: int) -> int:
        """Answer at a table of the core; what stopped that, or 0."""
        machine = Machine(table.core.program)
        numbers = self._decide(
            f"{seat}:{asked}:{picked}",
            lambda below, at_random: ByCore(table, seat, below, at_random),
            lambda below, at_random: ByMachine(machine, table.machine_state(), seat, below, at_random),
        )
        return table.answer(seat, numbers)

    def _value(self, machine: Machine, state: State, found: Choices) -> Any:
        seat = found.seat
        picked = next(len(picks) for one, _, picks, _ in state[PENDING][1] if one == seat)
        numbers = self._decide(
            f"{seat}:{state[COUNTS][seat]}:{picked}",
            lambda below, at_random: ByCore(loaded(machine.program, state), seat, below, at_random),
            lambda below, at_random: ByMachine(machine, state, seat, below, at_random),
        )
        if numbers is None:
            return None
        values = tuple(found.values[number] for number in numbers)
        return values if found.pick.many else values[0]

    def _decide(self, stream: str, *ways: Callable[[Below, bool], Imagined]) -> list[int] | None:
        """The answer by the first of these ways that does not stop."""
        for begin in ways:
            below = Source(self.seed, f"bot:{stream}").below
            at_random = bool(self.epsilon) and below(_FINE) < self.epsilon * _FINE
            with suppress(Stopped):
                imagined = begin(below, at_random)
                marks = imagined.legal
                return imagined.true_answer(marks.index(self.think(imagined)) if len(marks) > 1 else 0)
        raise AssertionError("the machine goes on, or says what is wrong")
