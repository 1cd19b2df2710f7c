"""Two machines side by side: the same game, step by step, and the first thing in which they differ.

In: two machines of one program, a seed. Out: how many decisions there were, and the first difference in words, or none.
Never: goes on after a difference.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from copy import copy
from typing import Any

from rulebook.interpreter.compiled.tier import BlindMachine
from rulebook.interpreter.layout import KNOWN, STACK
from rulebook.interpreter.machine import Machine
from rulebook.interpreter.program import Program
from rulebook.interpreter.random import Source
from rulebook.interpreter.results import outcome
from rulebook.interpreter.state import State, clone, from_json, to_json

FIXED = ["frames", "pending", "answer", "counts", "clock", "alive", "result", "eliminated", "where", "faces", "known"]


def slot_name(program: Program, index: int) -> str:
    """What stands in a slot of a state, in words."""
    if index < len(FIXED):
        return FIXED[index]
    layout = program.layout
    for place in layout.places:
        of = f"{place.name} of {place.owner}" if place.owner is not None else place.name
        for field in ("slot", "stream", "settled"):
            if getattr(place, field) == index:
                return of if field == "slot" else f"{field} of {of}"
    for memory in (*layout.memory.values(), *layout.player_memory.values()):
        owners = program.players if memory.owned_by == "player" else 1
        if memory.slot <= index < memory.slot + owners:
            return f"{memory.name} of {index - memory.slot}" if owners > 1 else memory.name
    for state in layout.states.values():
        if state.slot == index:
            return state.name
    return next((f"stream of {name}" for name, slot in layout.script_stream.items() if slot == index), f"slot {index}")


def frames(program: Program, frame: Any) -> Iterator[str]:
    """A stack as people read it, the innermost frame first."""
    while frame is not None:
        code = program.codes[frame[0]]
        names = [*code.names, *(f"hidden {slot}" for slot in range(len(code.names), code.size))]
        local = ", ".join(f"{name} {value!r}" for name, value in zip(names, frame[3:], strict=False))
        yield f"{code.name} at {frame[1]}: {local}"
        frame = frame[2]


def differences(program: Program, one: State, other: State, blind: bool = False) -> Iterator[str]:
    """In what two states differ, slot by slot."""
    for index, (mine, yours) in enumerate(zip(one, other, strict=True)):
        if (mine != yours or type(mine) is not type(yours)) and not (blind and index == KNOWN):
            if index == STACK:
                yield "the stacks:\n    " + "\n    ".join(frames(program, mine))
                yield "  against\n    " + "\n    ".join(frames(program, yours))
            else:
                yield f"{slot_name(program, index)}: {mine!r} against {yours!r}"


def compare(
    oracle: Machine, tier: Machine, seed: int, watched: bool = True, carried: bool = False
) -> tuple[int, str | None]:
    """One random game on both; `carried`: every state of the tier is written as JSON and read again."""
    program, below = oracle.program, Source(seed, "tiers").below
    states = [machine.new_state(seed) for machine in (oracle, tier)]
    sinks: list[Any] = [[[] for _ in range(program.players)] if watched else None for _ in range(2)]
    decisions, asked = 0, ""
    while True:
        for machine, state, sink in zip((oracle, tier), states, sinks, strict=True):
            machine.advance(state, sink)
        found = [*differences(program, *states, blind=not watched)]
        if watched and sinks[0] != sinks[1]:
            found += [*event_differences(*sinks)]
        if found:
            return decisions, "\n  ".join([f"seed {seed}, after {decisions} decisions{asked}:", *found])
        if carried:
            states[1] = from_json(to_json(states[1]))
        waiting = oracle.waiting(states[0])
        if not waiting:
            break
        seat = waiting[below(len(waiting))]
        value, again = choice(oracle, tier, states, seat, below)
        if value != again:
            return decisions, f"seed {seed}, after {decisions} decisions, seat {seat}: {value} against {again}"
        asked = f", of which the last was seat {seat} answering {value!r}"
        for machine, state, sink in zip((oracle, tier), states, sinks, strict=True):
            machine.answer_value(state, seat, value, sink)
        decisions += 1
    results = [outcome(program, state) for state in states]
    return decisions, None if results[0] == results[1] else f"seed {seed}: {results[0]} against {results[1]}"


def compare_end(oracle: Machine, tier: BlindMachine, seed: int, played_before: int) -> str | None:
    """One random game: the machine plays all of it, the tier from the state after so many decisions to the end."""
    program = oracle.program
    sources = [Source(seed, f"end:{seat}") for seat in range(program.players)]
    state, other, decisions = oracle.new_state(seed), None, 0
    while True:
        if decisions == played_before:
            other = clone(state)
            tier.play(other, [copy(source).below for source in sources])
        if oracle.advance(state) is None:
            break
        seat = oracle.waiting(state)[0]
        oracle.answer_value(state, seat, oracle.random_value(state, seat, sources[seat].below))
        decisions += 1
    if other is None:
        return None
    found = [*differences(program, state, other, blind=True)]
    return "\n  ".join([f"seed {seed}, from decision {played_before} to the end:", *found]) if found else None


def choice(
    oracle: Machine, tier: Machine, states: list[State], seat: int, below: Callable[[int], int]
) -> tuple[Any, Any]:
    """A random answer on each machine, from the same numbers; where these agree, so did what they chose from."""
    numbers: list[int] = []
    bounds: list[int] = []

    def drawn(bound: int) -> int:
        bounds.append(bound)
        numbers.append(below(bound))
        return numbers[-1]

    value = oracle.random_value(states[0], seat, drawn)
    left, asked = numbers[::-1], bounds[::-1]

    def again(bound: int) -> int:
        if not asked or asked.pop() != bound:
            return 0
        return left.pop()

    return value, tier.random_value(states[1], seat, again)


def event_differences(one: list[list[Any]], other: list[list[Any]]) -> Iterator[str]:
    """The first event of each seat that differs."""
    for seat, (mine, yours) in enumerate(zip(one, other, strict=True)):
        for number in range(max(len(mine), len(yours))):
            pair = [sink[number] if number < len(sink) else None for sink in (mine, yours)]
            if pair[0] != pair[1]:
                yield f"event {number} of seat {seat}: {pair[0]} against {pair[1]}"
                break
