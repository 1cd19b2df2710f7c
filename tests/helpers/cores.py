"""A game on the machine and in the core at once, held together state by state."""

from __future__ import annotations

from rulebook.interpreter.core.door import Core, Table
from rulebook.interpreter.core.library import NoCore, library
from rulebook.interpreter.decisions import RuleError
from rulebook.interpreter.machine import Machine
from rulebook.interpreter.program import Program
from rulebook.interpreter.random import Source
from rulebook.interpreter.state import State


def has_core() -> bool:
    """Tell whether the core was built here."""
    try:
        library()
    except NoCore:
        return False
    return True


def play_both(program: Program, seed: int, most: int = 400, core: Core | None = None) -> int:
    """Play a game at random on both; how many decisions were the same. What stops one must stop the other."""
    machine, below = Machine(program), Source(seed, "cores").below
    state = machine.new_state(seed)
    table = (core or Core(program)).load_state(state)
    stopped, decisions = table.advance(), 0
    while True:
        try:
            machine.advance(state)
        except RuleError:
            assert stopped > 0, "the machine stopped, and the core went on"
            return decisions
        assert stopped == 0, f"the core stopped ({stopped}), and the machine went on"
        assert table.state(state) == state
        if machine.is_over(state) or decisions == most:
            return decisions
        seat = machine.find_waiting(state)[-1]
        value, stopped, refused = answer_both(machine, state, table, seat, below)
        if refused is not None:
            assert stopped > 0, f"only the machine stopped at {value}: {refused}"
            return decisions
        decisions += 1


def answer_both(
    machine: Machine, state: State, table: Table, seat: int, below: object
) -> tuple[object, int, RuleError | None]:
    """Answer at random on both: the answer, what stopped the core, what stopped the machine."""
    found = machine.find_choices(state, seat)
    offered = found.may_pass, found.least, found.most, found.pick.many, found.pick.ordered, found.values
    assert table.find_offer(seat) == offered
    value = found.random(below)  # type: ignore[arg-type]
    chosen = value if found.pick.many and value is not None else (value,)
    numbers = None if value is None else [found.values.index(one) for one in chosen]
    refused: RuleError | None = None
    try:
        machine.answer_value(state, seat, value)
    except RuleError as error:
        refused = error
    return value, table.answer(seat, numbers), refused


def answer_nobody(table: Table, game: int) -> int:
    """Answer for others, where there are none."""
    raise AssertionError("somebody else was asked")
