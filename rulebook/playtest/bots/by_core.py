"""Imagined tables in the core: the same as `by_machine` draws, and much faster.

In: a table of the core, the seat that is asked, a source of numbers. Out: what `thinking.Imagined` promises. Never:
goes on where the core stops: that is `Stopped`, and the machine does it all again.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import lru_cache

from rulebook.interpreter.core.door import CannotPack, Core, Table, core_of
from rulebook.interpreter.core.imagining import SEARCH, Manner, Stopped
from rulebook.interpreter.machine import Machine
from rulebook.interpreter.matching import Below
from rulebook.interpreter.program import Program
from rulebook.interpreter.random import Source
from rulebook.interpreter.state import State
from rulebook.playtest.bots.by_machine import SEEDS, ByMachine
from rulebook.playtest.bots.knowledge import Member
from rulebook.playtest.knowing import may_be_open

__all__ = ["ByCore", "loaded"]

_AT_ONCE = 16
"""Tables that are searched before somebody in a hurry is asked again."""


class ByCore:
    """One decision, as its seat sees it, and games at tables that may be the true one."""

    def __init__(self, table: Table, seat: int, below: Below, at_random: bool) -> None:
        self.program, self.seat, self.below = table.core.program, seat, below
        self._true, self._at, self._seed, self._at_random = table, table.core.imagining, below(SEEDS), at_random
        self.legal = self._at.begin(table, seat, self._seed, at_random)
        self.true_answer, self.give, self.give_and_look = self._at.true_answer, self._at.give, self._at.give_and_look
        self.rate, self.play_on, self.look_on = self._at.rate, self._at.play_on, self._at.look_on
        self.is_drawn, self._keeps_some = self._at.is_drawn(), False

    def keep(self, numbers: Sequence[int]) -> None:
        """Think only of these."""
        self._at.keep(numbers)
        self.legal, self._keeps_some = [self.legal[number] for number in numbers], True

    def draw(self) -> list[int] | None:
        """Another table; None if none was found."""
        return self._at.draw(self.below(SEEDS))

    def weigh_answer(self, number: int, member: Member, seats: Sequence[int]) -> int:
        """Look at it in the core."""
        return self._at.weigh_answer(number, member.weights, member.scale.packed, seats)

    def play(self, number: int) -> float:
        """The payoff."""
        return self._at.play(number)[self.seat]

    def solve(self, most: int) -> list[int] | None:
        """Look at the rest in the core."""
        return self._at.solve(self.below(SEEDS), most) if may_be_open(self.program) else None

    def search(self, manner: Manner, most: int, is_hurried: Callable[[], bool]) -> int | None:
        """Search in the core; whoever is in a hurry is asked now and then."""
        numbers = Source(self.below(SEEDS), SEARCH)
        self._at.begin_search(manner, numbers.halves, most)
        goes_on, best = True, None
        while goes_on and (best is None or not is_hurried()):
            goes_on, best = self._at.search_on(_AT_ONCE)
        return best

    def all_differ(self, seeds: Sequence[int]) -> bool:
        """Tell whether the tables of these seeds all differ, as far as tables can that look alike."""
        tables = [number for number in map(self._at.draw_number, seeds) if number is not None]
        return self._keeps_some or len(set(tables)) == len(tables)

    def by_machine(self) -> ByMachine:
        """The same decision, begun with the same first table."""
        machine, state = Machine(self.program), self._true.machine_state()
        return ByMachine(machine, state, self.seat, self.below, self._at_random, self._seed)


def loaded(program: Program, state: State) -> Table:
    """A state of the machine as a table of the core, until the next one is loaded. Raises Stopped."""
    table = _table_of(program)
    if table is None:
        raise Stopped
    try:
        return table.core.load_state(state, table)
    except CannotPack:
        raise Stopped from None


@lru_cache(maxsize=4)
def _table_of(program: Program) -> Table | None:
    core = core_of(program)
    return Table(core) if isinstance(core, Core) else None
