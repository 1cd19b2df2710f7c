"""What every bot that thinks has: tables it imagines, answers it may give there, and numbers of its own.

In: a machine, a state, a seat. Out: keys of an answer. Never: reads the state but through `Twins`, which draws the same
for all states that the seat could not tell apart; keeps anything between two decisions.

An answer depends on the seed, the seat, which decision of this seat it is, and what the seat sees and knows. So it does
not matter in which order sealed answers arrive, or how often somebody takes one back.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Iterable, Iterator
from math import comb, perm
from typing import Any

from rulebook.interpreter.choosing import Choices
from rulebook.interpreter.decisions import PASS, Ask
from rulebook.interpreter.determinize import Twins
from rulebook.interpreter.layout import COUNTS, PENDING
from rulebook.interpreter.machine import Machine
from rulebook.interpreter.matching import Below, shuffled
from rulebook.interpreter.random import Source
from rulebook.interpreter.state import State

__all__ = ["MOST_SETS", "Imagined", "Mark", "Thinking", "answers", "keys_of", "meant"]

Keys = tuple[str, ...]
Mark = tuple[Any, ...]
"""An answer as it is told apart from others at every table: what the values that are chosen share with equal ones."""

_PASSED: Mark = (PASS,)

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

    def after(self, table: State, machine: Machine, legal: Iterable[Mark]) -> Iterator[tuple[Mark, State]]:
        """The table after each of these answers, when somebody is asked again; what it does not allow is left out."""
        found = self.machine.choices(table, self.seat)
        for mark, value in meant(found, legal).items():
            after = table[:]
            machine.answer_value(after, self.seat, value)
            machine.advance(after)
            yield mark, after


class Thinking(ABC):
    """A bot that imagines tables. With probability `epsilon` it answers at random instead."""

    def __init__(self, spec: str, seed: int, seat: int, epsilon: float, budget: int) -> None:
        self.spec, self.seed, self.seat, self.epsilon, self.budget = spec, seed, seat, epsilon, budget

    @abstractmethod
    def think(self, imagined: Imagined, legal: dict[Mark, Any]) -> Mark:
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
        mark = next(iter(legal)) if len(legal) == 1 else self.think(imagined, legal)
        return keys_of(found, legal[mark])


def answers(found: Choices, below: Below, most: int = MOST_SETS) -> dict[Mark, Any]:
    """What may be answered, equal answers once, and what it means at this table."""
    if not found.pick.many:
        single: dict[Mark, Any] = {}
        for like, value in zip(found.alike, found.values, strict=True):
            single.setdefault((like,), value)
        return {**single, _PASSED: None} if found.may_pass else single
    count = perm if found.pick.ordered else comb
    number = sum(count(len(found.values), size) for size in range(found.least, found.most + 1))
    if number <= most * 8:
        several = list(found.answers())
        values = several if len(several) <= most else shuffled(several, below)[:most]
    else:
        values = [found.random(below) for _ in range(most)]
    alike = dict(zip(found.values, found.alike, strict=True))
    return {_marked(found, alike, value): value for value in values}


def meant(found: Choices, marks: Iterable[Mark]) -> dict[Mark, Any]:
    """Those of some answers that may be given at a table, and what they mean there."""
    offered: dict[Any, list[Any]] = {}
    for like, value in zip(found.alike, found.values, strict=True):
        offered.setdefault(like, []).append(value)
    may: dict[Mark, Any] = {}
    for mark in marks:
        if mark == _PASSED:
            if found.may_pass:
                may[mark] = None
        elif not found.pick.many:
            if mark[0] in offered:
                may[mark] = offered[mark[0]][0]
        else:
            chosen = _chosen(offered, mark)
            if chosen is not None and found.least <= len(chosen) <= found.most and found.allows(chosen):
                may[mark] = chosen if found.pick.ordered else tuple(sorted(chosen, key=found.values.index))
    return may


def _chosen(offered: dict[Any, list[Any]], mark: Mark) -> tuple[Any, ...] | None:
    """One value for each likeness of a set; None if there are not so many."""
    times = Counter(mark)
    if any(number > len(offered.get(like, ())) for like, number in times.items()):
        return None
    taken = {like: iter(offered[like]) for like in times}
    return tuple(next(taken[like]) for like in mark)


def _marked(found: Choices, alike: dict[Any, Any], value: Any) -> Mark:
    if value is None:
        return _PASSED
    several = [alike[one] for one in value]
    return tuple(several if found.pick.ordered else sorted(several, key=repr))


def keys_of(found: Choices, value: Any) -> Keys:
    """The keys that mean a value."""
    if value is None:
        return (PASS,)
    names = {one: option.key for option in found.options() for one in option.values}
    keys = [names[one] for one in (value if found.pick.many else (value,))]
    return tuple(keys if found.pick.ordered else sorted(keys))
