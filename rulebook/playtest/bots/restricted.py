"""A bot that never gives an answer with one option in it, or always where it can; and one that guesses at a question.

In: a bot, an option or a question. Out: what that bot answers, and where it will not do, another answer, found in the
same way among those that will; where none will, the first; or, to that question, any. So until it would have answered
otherwise a game is the same as without it.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from rulebook.interpreter.choosing import UNFIT, Choices
from rulebook.interpreter.decisions import Ask
from rulebook.interpreter.machine import Machine
from rulebook.interpreter.program import Pick, Program
from rulebook.interpreter.state import State
from rulebook.playtest.bots.by_machine import keys_of
from rulebook.playtest.bots.ways import ALWAYS
from rulebook.playtest.options import OptionTable, find_option
from rulebook.playtest.prompts import find_prompt, list_prompts

if TYPE_CHECKING:
    from rulebook.interpreter.core.door import Table
    from rulebook.playtest.bots import Bot

__all__ = ["ByValue", "Guessing", "Restricted", "table_of"]


class ByValue:
    """A bot that answers by values of the machine, also at a table of the core."""

    def __init__(self, inner: Bot, spec: str) -> None:
        self.inner, self.spec = inner, spec

    def value(self, machine: Machine, state: State, seat: int) -> Any:
        """Return the answer, as a value for `Machine.answer_value`."""
        return self.value_of(machine, state, machine.find_choices(state, seat))

    def value_of(self, machine: Machine, state: State, choices: Choices) -> Any:
        """The same, where it is known what is offered."""
        return self.inner.value(machine, state, choices.seat)

    def value_among(self, machine: Machine, state: State, choices: Choices, fits: Callable[[Any], bool]) -> Any:
        """Another answer, of those that fit; UNFIT if none does."""
        return self.inner.value_among(machine, state, choices, fits)

    def answer(self, machine: Machine, state: State, ask: Ask) -> list[str]:
        """The keys of a legal answer."""
        choices = machine.find_choices(state, ask.seat)
        return list(keys_of(choices, self.value_of(machine, state, choices)))

    def play(self, table: Table, seat: int, number: int, picked: int) -> int:
        """Answer at a table of the core; what stopped that, or 0."""
        machine, state = Machine(table.core.program), table.machine_state()
        choices = machine.find_choices(state, seat)
        value = self.value_of(machine, state, choices)
        chosen = value if choices.pick.many else (value,)
        return table.answer(seat, None if value is None else [choices.values.index(value) for value in chosen])


class Restricted(ByValue):
    """Never answers with an option, or always; with `once`, in that decision alone, counted from 0."""

    def __init__(
        self, inner: Bot, spec: str, way: str, word: str, options: OptionTable | None = None, once: int | None = None
    ) -> None:
        super().__init__(inner, spec)
        self.way, self.word, self.once, self._options, self._asked = way, word, once, options, 0

    def value_of(self, machine: Machine, state: State, choices: Choices) -> Any:
        """Return the inner bot's answer, or its next best where the restriction forbids that. Raises NoSuchOption."""
        answer, this = self.inner.value(machine, state, choices.seat), self._asked
        self._asked += 1
        fits = self._find_fitting(choices)
        if fits is None or fits(answer) or self.once not in (None, this):
            return answer
        other = self.inner.value_among(machine, state, choices, fits)
        return answer if other is UNFIT else other

    def value_among(self, machine: Machine, state: State, choices: Choices, fits: Callable[[Any], bool]) -> Any:
        """Another answer that fits, and if there is one, is as this bot answers."""
        ours = self._find_fitting(choices)
        if ours is not None:
            own = ours
            both = self.inner.value_among(machine, state, choices, lambda value: own(value) and fits(value))
            if both is not UNFIT:
                return both
        return self.inner.value_among(machine, state, choices, fits)

    def _find_fitting(self, choices: Choices) -> Callable[[Any], bool] | None:
        """Find which answers will do; None where the option is not offered."""
        options = self._options or table_of(choices.run.program, self.word)
        numbers, is_set = options.number_values(choices), choices.pick.many
        if not numbers and not (choices.may_pass and options.of_pass >= 0):
            return None
        return lambda value: bool(options.in_answer(numbers, value, is_set=is_set)) == (self.way == ALWAYS)


class Guessing(ByValue):
    """Answers one question at random, and all others as the inner bot does."""

    def __init__(self, inner: Bot, spec: str, at_random: Bot, word: str) -> None:
        super().__init__(inner, spec)
        self._at_random, self._word = at_random, word

    def value_of(self, machine: Machine, state: State, choices: Choices) -> Any:
        """Return an answer at random, or the inner bot's. Raises NoSuchOption."""
        is_guess = choices.pick in picks_of(choices.run.program, self._word)
        return (self._at_random if is_guess else self.inner).value(machine, state, choices.seat)


@lru_cache(maxsize=64)
def picks_of(program: Program, word: str) -> frozenset[Pick]:
    """The picks of the question that a word means. Raises NoSuchOption."""
    return frozenset(list_prompts(program)[find_prompt(program, word)])


@lru_cache(maxsize=64)
def table_of(program: Program, word: str) -> OptionTable:
    """The option that a word means. Raises NoSuchOption."""
    return OptionTable(program, [find_option(program, word)])
