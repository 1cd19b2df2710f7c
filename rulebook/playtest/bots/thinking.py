"""What every bot that thinks has: tables it imagines, answers it may give there, and numbers of its own.

In: a machine, a state, a seat. Out: keys of an answer. Never: reads the state but through `Twins`, which draws the same
for all states that the seat could not tell apart; keeps anything between two decisions.

An answer depends on the seed, the seat, which decision of this seat it is, and what the seat sees and knows. So it does
not matter in which order sealed answers arrive, or how often somebody takes one back.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator
from contextlib import suppress
from math import comb, perm
from typing import Any

from rulebook.interpreter.choosing import Choices
from rulebook.interpreter.compiled.tier import BlindMachine
from rulebook.interpreter.decisions import PASS, Ask, Refused
from rulebook.interpreter.determinize import Twins
from rulebook.interpreter.layout import COUNTS, PENDING
from rulebook.interpreter.machine import Machine
from rulebook.interpreter.matching import Below, shuffled
from rulebook.interpreter.random import Source
from rulebook.interpreter.state import State

__all__ = ["MOST_SETS", "Imagined", "Keys", "Thinking", "answers"]

Keys = tuple[str, ...]

MOST_SETS = 64
"""How many answers of several things are thought about; if there are more, so many of them, drawn at random."""

_FINE = 1_000_000


class Imagined:
    """One decision, as its seat sees it: the tables that may be the true one."""

    def __init__(self, machine: Machine, state: State, seat: int, below: Below) -> None:
        self.machine, self.program, self.seat, self.below = machine, machine.program, seat, below
        self._twins = Twins(machine.program, state, seat)

    def table(self) -> State:
        """A table at random. Others who are asked at the same time have not answered there."""
        return self._twins.draw(self.below, answered=False)

    def after(self, table: State, machine: BlindMachine, legal: Iterable[Keys]) -> Iterator[tuple[Keys, State]]:
        """The table after each of these answers, when somebody is asked again; what it does not allow is left out."""
        found = self.machine.choices(table, self.seat)
        for keys in legal:
            after = table[:]
            with suppress(Refused):
                machine.answer_value(after, self.seat, found.read(keys))
                machine.go(after)
                yield keys, after


class Thinking(ABC):
    """A bot that imagines tables. With probability `epsilon` it answers at random instead."""

    def __init__(self, spec: str, seed: int, seat: int, epsilon: float, budget: int) -> None:
        self.spec, self.seed, self.seat, self.epsilon, self.budget = spec, seed, seat, epsilon, budget

    @abstractmethod
    def think(self, imagined: Imagined, legal: dict[Keys, Any]) -> Keys:
        """The best of several answers that may be given."""

    def answer(self, machine: Machine, state: State, ask: Ask) -> list[str]:
        """The keys of a legal answer."""
        return list(self._decide(machine, state, ask.seat))

    def value(self, machine: Machine, state: State, seat: int) -> Any:
        """The same as a value of the machine."""
        return machine.choices(state, seat).read(self._decide(machine, state, seat))

    def _decide(self, machine: Machine, state: State, seat: int) -> Keys:
        picked = next(len(picks) for one, _, picks, _ in state[PENDING][1] if one == seat)
        below = Source(self.seed, f"bot:{seat}:{state[COUNTS][seat]}:{picked}").below
        imagined = Imagined(machine, state, seat, below)
        found, true = machine.choices(imagined.table(), seat), machine.choices(state, seat)
        if found.options() != true.options():
            # What is offered hangs on something that the seat is not told. It is told what is offered.
            found = true
        if self.epsilon and below(_FINE) < self.epsilon * _FINE:
            return keys_of(found, found.random(below))
        legal = answers(found, below)
        return next(iter(legal)) if len(legal) == 1 else self.think(imagined, legal)


def answers(found: Choices, below: Below, most: int = MOST_SETS) -> dict[Keys, Any]:
    """What may be answered, equal answers once: keys, and what they mean at this table."""
    options = found.options()
    if not found.pick.many:
        return {(one.key,): None if one.key == PASS else one.values[0] for one in options}
    count = perm if found.pick.ordered else comb
    number = sum(count(len(found.values), size) for size in range(found.least, found.most + 1))
    if number <= most * 8:
        several = list(found.answers())
        values = several if len(several) <= most else shuffled(several, below)[:most]
    else:
        values = [found.random(below) for _ in range(most)]
    names = {value: option.key for option in options for value in option.values}
    return {_named(found, names, value): value for value in values}


def keys_of(found: Choices, value: Any) -> Keys:
    """The keys that mean a value."""
    names = {one: option.key for option in found.options() for one in option.values}
    return _named(found, names, value)


def _named(found: Choices, names: dict[Any, str], value: Any) -> Keys:
    if value is None:
        return (PASS,)
    keys = [names[one] for one in (value if found.pick.many else (value,))]
    return tuple(keys if found.pick.ordered else sorted(keys))
