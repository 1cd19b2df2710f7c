"""A random game in which every state is sound, however it is played.

In: a program, a seed. Out: the last state, and what the rules were stopped with, if they were. Never: passes over a
state that cannot be, or a way of playing that gives another game.
"""

from __future__ import annotations

from rulebook.interpreter.decisions import RuleError
from rulebook.interpreter.events import Sink
from rulebook.interpreter.invariants import check_state
from rulebook.interpreter.machine import Machine
from rulebook.interpreter.program import Program
from rulebook.interpreter.random import Source
from rulebook.interpreter.state import State, from_json, to_json


def play_soundly(program: Program, seed: int) -> tuple[State, RuleError | None]:
    """Play to the end; then the same, told to everybody, and through JSON at each decision."""
    state, error = _play(program, seed, told=False)
    again, other = _play(program, seed, told=True)
    assert (str(error), state if error is None else None) == (str(other), again if error is None else None)
    return state, error


def _play(program: Program, seed: int, *, told: bool) -> tuple[State, RuleError | None]:
    machine, below = Machine(program), Source(seed, "sound").below
    state = machine.new_state(seed)
    sink: Sink | None = [[] for _ in range(program.players)] if told else None
    try:
        while True:
            machine.advance(state, sink)
            check_state(program, state)
            waiting = machine.find_waiting(state)
            if not waiting:
                return state, None
            if told:
                state = from_json(to_json(state))
            seat = waiting[below(len(waiting))]
            machine.answer_value(state, seat, machine.random_value(state, seat, below), sink)
    except RuleError as error:
        return state, error
