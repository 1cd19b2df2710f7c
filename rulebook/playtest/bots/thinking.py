"""The base of every bot that thinks: the tables that it imagines, its answers there, and random numbers of its own.

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
from typing import TYPE_CHECKING, Any, Protocol

from rulebook.interpreter.choosing import Choices
from rulebook.interpreter.core.door import Table
from rulebook.interpreter.core.encode import MOST_PICKS
from rulebook.interpreter.core.imagining import Manner, Outlook, Stopped
from rulebook.interpreter.decisions import Ask, Refused
from rulebook.interpreter.layout import COUNTS, PENDING
from rulebook.interpreter.machine import Machine
from rulebook.interpreter.matching import Below
from rulebook.interpreter.program import Program
from rulebook.interpreter.random import Source
from rulebook.interpreter.state import State
from rulebook.playtest.bots.by_core import ByCore, loaded
from rulebook.playtest.bots.by_machine import ByMachine, Mark, Situation, keys_of

if TYPE_CHECKING:
    from rulebook.playtest.bots.knowledge import Member

__all__ = ["Imagined", "Mark", "Think", "Thinking", "Way", "one_at_random"]

_FINE = 1_000_000


class Imagined(Protocol):
    """One decision, as its seat sees it, and games at tables that may be the true one.

    `below` gives the numbers of the bot. Answers are given by their numbers among the marks that were told last.
    """

    program: Program
    seat: int
    below: Below

    is_drawn: bool
    """True as long as the first table stands, and all legal answers may be given there."""

    @property
    def legal(self) -> Sequence[Mark]:
        """The answers that may be given, of very many some."""

    def true_answer(self, number: int) -> list[int] | None:
        """Say what one of the legal answers means in truth, by the numbers of what is offered there; None is a pass."""

    def keep(self, numbers: Sequence[int]) -> None:
        """Think only of these of the legal answers from now on; in what comes later of all. The numbers rise."""

    def draw(self) -> Sequence[Mark] | None:
        """Imagine a table at random, and say which of the answers may be given there. Others who are asked at the same
        time have not answered there. None if no table was found that might be the true one.
        """

    def rate(self, number: int) -> tuple[float, float]:
        """Say how the seat stands after an answer, and some more of its own at random: what it would get, then how far
        it is ahead of the best of the others (or behind).
        """

    def look_on(self, number: int) -> Outlook:
        """Say which features the table has when the seat is asked again after an answer, others answering at random
        until then; or how the game ended before that.
        """

    def weigh_answer(self, number: int, member: Member, seats: Sequence[int]) -> int:
        """Say what that table is worth, or that end, to some seats together, as a member has learned."""

    def play(self, number: int) -> float:
        """Say what the seat gets if the game goes on at random after an answer."""

    def give(self, number: int) -> None:
        """Give an answer at the table, for whoever is asked."""

    def give_and_look(self, number: int) -> Situation | None:
        """Give an answer, and say who is asked next, of several first our seat; None if the game is over."""

    def play_on(self, games: int, most: int) -> tuple[Sequence[int], Sequence[int]]:
        """Play on at random from the table, in each game so many answers at most; return what each seat gets, and how
        far each is ahead, in all games together.
        """

    def solve(self, most: int) -> list[int] | None:
        """Find the best of the legal answers exactly, looking at so many tables at most; none of them where too much is
        left, None where something is hidden or chance decides.
        """

    def search(self, manner: Manner, most: int, is_hurried: Callable[[], bool]) -> int | None:
        """Search a tree at so many tables, or fewer; return the best of the legal answers, None if none was met."""

    def all_differ(self, seeds: Sequence[int]) -> bool:
        """Tell whether the tables that are drawn from these seeds all differ. So they do where there are none; and what
        is looked at whole has all answers in it, so it is True where only some are kept.
        """

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
        """Return the best of several answers that may be given."""

    def answer(self, machine: Machine, state: State, ask: Ask) -> list[str]:
        """Return the keys of a legal answer."""
        choices = machine.find_choices(state, ask.seat)
        return list(keys_of(choices, self._value(machine, state, choices)))

    def value(self, machine: Machine, state: State, seat: int) -> Any:
        """Return a legal answer as a value of the machine."""
        return self._value(machine, state, machine.find_choices(state, seat))

    def play(self, table: Table, seat: int, number: int, picked: int) -> int:
        """Answer at a table of the core; return what stopped that, or 0."""
        program = table.core.program
        numbers = self._decide(
            _count_decisions(number, picked),
            f"bot:{seat}:thinks",
            self._think_freely,
            lambda below, at_random: ByCore(table, seat, below, at_random),
            lambda below, at_random: ByMachine(Machine(program), table.machine_state(), seat, below, at_random),
        )
        return table.answer(seat, numbers)

    def value_among(self, machine: Machine, state: State, choices: Choices, fits: Callable[[Any], bool]) -> Any:
        """Return another answer, of those that fit: the best of them, or any, where the bot answers at random."""
        seat, times = choices.seat, _count_in(state, choices.seat)

        def is_fit(numbers: list[int] | None) -> bool:
            return fits(_value_of(choices, numbers))

        def think_again(at: Imagined) -> list[int] | None:
            kept = [number for number in range(len(at.legal)) if _answers_so(at, number, is_fit)]
            if not kept:
                raise _NoneFits
            at.keep(kept)
            return self._think_freely(at)

        try:
            numbers = self._decide(times, f"bot:{seat}:again", think_again, *self._ways(machine, state, seat))
            return _value_of(choices, numbers)
        except _NoneFits:
            # Of very many answers only some are thought about; and who answers at random thinks of one.
            return choices.random(Source(self.seed, f"bot:{seat}:at random", times).below, fits)

    def _value(self, machine: Machine, state: State, choices: Choices) -> Any:
        if choices.pick.is_button:
            return choices.values[0]
        seat, ways = choices.seat, self._ways(machine, state, choices.seat)
        numbers = self._decide(_count_in(state, seat), f"bot:{seat}:thinks", self._think_freely, *ways)
        return _value_of(choices, numbers)

    def _ways(self, machine: Machine, state: State, seat: int) -> tuple[Way, ...]:
        return (
            lambda below, at_random: ByCore(loaded(machine.program, state), seat, below, at_random),
            lambda below, at_random: ByMachine(machine, state, seat, below, at_random),
        )

    def _think_freely(self, imagined: Imagined) -> list[int] | None:
        best = self.think(imagined) if len(imagined.legal) > 1 else imagined.legal[0]
        return imagined.true_answer(imagined.legal.index(best))  # it may have kept some

    def _decide(
        self, times: int, stream: str, think: Think, *ways: Way
    ) -> list[int] | None:
        """Return the answer by the first of these ways that does not stop. Each decision starts the stream anew."""
        for begin in ways:
            below = Source(self.seed, stream, times).below
            at_random = bool(self.epsilon) and below(_FINE) < self.epsilon * _FINE
            with suppress(Stopped):
                return think(begin(below, at_random))
        raise AssertionError("the machine goes on, or says what is wrong")


Think = Callable[[Imagined], list[int] | None]
Way = Callable[[Below, bool], Imagined]


def one_at_random(imagined: Imagined) -> Mark:
    """One of the answers, where nothing is known of how they go: a bot that finds no table to imagine guesses."""
    return imagined.legal[imagined.below(len(imagined.legal))]


class _NoneFits(Exception):
    """None of the answers that were thought of fits."""


def _count_in(state: State, seat: int) -> int:
    picked = next(len(picks) for player, _, picks, _ in state[PENDING][1] if player == seat)
    return _count_decisions(state[COUNTS][seat], picked)


def _count_decisions(number: int, picked: int) -> int:
    """Count a decision of a seat, of which some picks are made; in the core `answer_greedily` does."""
    return 1 + 2 * MOST_PICKS * number + picked


def _value_of(choices: Choices, numbers: list[int] | None) -> Any:
    """Make the machine's value of an answer that is given by the numbers of its values."""
    if numbers is None:
        return None
    values = tuple(choices.values[number] for number in numbers)
    return values if choices.pick.many else values[0]


def _answers_so(at: Imagined, number: int, fits: Callable[[list[int] | None], bool]) -> bool:
    """Tell whether an answer that is thought of may be given, and fits."""
    try:
        return fits(at.true_answer(number))
    except Refused:
        return False
