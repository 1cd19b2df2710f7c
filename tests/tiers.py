"""Several machines side by side: the same game, step by step, and the first thing in which one differs.

In: machines of one program, a seed. Out: how many decisions there were, and the first difference in words, or none.
Never: goes on after a difference.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from typing import Any

from rulebook.interpreter.choosing import Choices
from rulebook.interpreter.compiled.tier import BlindMachine, CompiledMachine
from rulebook.interpreter.decisions import Endless, RuleError
from rulebook.interpreter.events import Sink
from rulebook.interpreter.invariants import check
from rulebook.interpreter.layout import CLOCK, KNOWN, PENDING, RESULT, STACK
from rulebook.interpreter.machine import Machine
from rulebook.interpreter.native.tier import Native, Played
from rulebook.interpreter.program import Program
from rulebook.interpreter.random import Source
from rulebook.interpreter.results import outcome
from rulebook.interpreter.state import State, clone, from_json, to_json

Below = Callable[[int], int]
"""Draws a number below another."""
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
    oracle: Machine,
    tiers: Sequence[CompiledMachine],
    seed: int,
    carried: bool = False,
    forks_at: int | None = None,
    native: Native | None = None,
    told: bool = True,
) -> tuple[int, str | None]:
    """One random game on all of them: how many decisions it had, and in what a tier first differed from the oracle.

    After each step states, events (of tiers that are watched), and who is asked among what are compared; at the end
    the result. `carried`: every state of the tiers is written as JSON and read again. After `forks_at` decisions tiers
    that can play to the end in one go do so, and a native one; as `bot:random` does, each seat then draws from numbers
    of its own, and of several who are asked the first answers first. Unless it is `told`, a tier tells no events.
    """
    program, below = oracle.program, Source(seed, "tiers").below
    lanes = [Lane(tier, seed, told) for tier in tiers]
    state, forks, own = oracle.new_state(seed), list[Fork](), list[Below]()
    sink: Sink = [[] for _ in range(program.players)]
    decisions, asked = 0, ""
    while True:
        if decisions == forks_at and not own:
            own = bots(program, seed)
            forks = [Fork.of(one, state, seed) for one in (*tiers, native) if isinstance(one, (BlindMachine, Native))]
        oracle.advance(state, sink)
        for lane in lanes:
            if found := lane.advanced(state, sink, carried):
                return decisions, "\n  ".join([f"{lane.name}, after {decisions} decisions{asked}:", *found])
        for noticed in sink:
            noticed.clear()
        waiting = oracle.waiting(state)
        if not waiting:
            break
        seat = waiting[below(len(waiting))] if not own else waiting[0]
        choices = oracle.choices(state, seat)
        value, numbers = drawn(choices.random, own[seat] if own else below)
        for lane in lanes:
            if found := lane.answered(seat, (choices.values, choices.may_pass), value, numbers):
                return decisions, f"{lane.name}, after {decisions} decisions{asked}, seat {seat}: {found}"
        for fork in forks:
            fork.hash_in(seat, choices, value)
        asked = f", of which the last was seat {seat} answering {value!r}"
        oracle.answer_value(state, seat, value, sink)
        decisions += 1
    for fork in forks:
        if found := [*fork.differences(program, state)]:
            return decisions, "\n  ".join([f"{fork.name}, from decision {forks_at} to the end:", *found])
    return decisions, None


def bots(program: Program, seed: int) -> list[Below]:
    """How everybody draws who answers at random."""
    return [Source(seed, f"bot:{seat}").below for seat in range(program.players)]


def drawn(play: Callable[[Below], Any], below: Below) -> tuple[Any, list[tuple[int, int]]]:
    """A random answer, and the numbers that were drawn for it, each with its bound."""
    numbers: list[tuple[int, int]] = []

    def draw(bound: int) -> int:
        numbers.append((bound, below(bound)))
        return numbers[-1][1]

    return play(draw), numbers


class Lane:
    """A tier that goes beside the oracle."""

    def __init__(self, tier: CompiledMachine, seed: int, told: bool) -> None:
        self.tier, self.program, self.name = tier, tier.program, type(tier).__name__
        self.state = tier.new_state(seed)
        self.sink: Sink | None = [[] for _ in range(tier.program.players)] if tier.watched and told else None

    def advanced(self, state: State, sink: Sink, carried: bool) -> list[str]:
        """Run until somebody is asked: in what it is now not where the oracle is, and what other events there were."""
        self.tier.advance(self.state, self.sink)
        found = [*differences(self.program, state, self.state, blind=not self.tier.watched)]
        if self.sink is not None:
            if sink != self.sink:
                found += [*event_differences(sink, self.sink)]
            for noticed in self.sink:
                noticed.clear()
        if state[RESULT] is not None and not found:
            mine, yours = (outcome(self.program, one) for one in (state, self.state))
            found += [f"{mine} against {yours}"] if mine != yours else []
        if carried:
            self.state = from_json(to_json(self.state))
        return found

    def answered(
        self, seat: int, offered: tuple[Sequence[Any], bool], value: Any, numbers: Sequence[tuple[int, int]]
    ) -> str:
        """Answer with the same numbers: what else was offered, or chosen; empty if nothing was."""
        values, may_pass = self.tier.offered(self.state, seat)
        if ([*values], may_pass) != ([*offered[0]], offered[1]):
            return f"{offered} is offered, against {(values, may_pass)}"
        left = [*numbers][::-1]

        def again(bound: int) -> int:
            return left.pop()[1] if left and left[-1][0] == bound else 0

        mine = self.tier.random_value(self.state, seat, again)
        if mine != value or left:
            return f"{value!r} against {mine!r}"
        self.tier.answer_value(self.state, seat, mine, self.sink)
        return ""


class Fork:
    """A game that went to its end in one go, from where the oracle then stood."""

    def __init__(self, name: str, last: State, played: Played | None = None) -> None:
        self.name, self.last, self.played, self.trace = name, last, played, 0xCBF29CE484222325

    @classmethod
    def of(cls, tier: BlindMachine | Native, state: State, seed: int) -> Fork:
        """The rest of the game, played by one tier."""
        if isinstance(tier, BlindMachine):
            other = clone(state)
            tier.play(other, bots(tier.program, seed))
            return cls("finish", other)
        whole = state[PENDING] is None and state[CLOCK] == 0
        played, *_ = tier.games([seed]) if whole else tier.rollouts(state, [seed])
        return cls("native", tier.last_state(state), played)

    def hash_in(self, seat: int, choices: Choices, value: Any) -> None:
        """An answer of the oracle: who gave it, among how many options, which."""
        if self.played is not None:
            answer = [value] if not choices.pick.many else [*(value or ())]
            indexes = [-1] if value is None else [choices.values.index(one) for one in answer]
            for number in (seat, len(choices.values) + choices.may_pass, *indexes):
                self.trace = (self.trace ^ (number % 2**64)) * 0x100000001B3 % 2**64

    def differences(self, program: Program, state: State) -> Iterator[str]:
        """In what the end was another one."""
        if self.played is not None and self.played.stopped:
            yield f"it stopped: {self.played.stopped}"
            return
        yield from differences(program, state, self.last, blind=True)
        if self.played is not None and self.played.outcome != outcome(program, state):
            yield f"{outcome(program, state)} against {self.played.outcome}"
        if self.played is not None and self.played.trace != self.trace:
            yield "somebody was asked, offered or answered something else on the way"


def event_differences(one: list[list[Any]], other: list[list[Any]]) -> Iterator[str]:
    """The first event of each seat that differs."""
    for seat, (mine, yours) in enumerate(zip(one, other, strict=True)):
        for number in range(max(len(mine), len(yours))):
            pair = [sink[number] if number < len(sink) else None for sink in (mine, yours)]
            if pair[0] != pair[1]:
                yield f"event {number} of seat {seat}: {pair[0]} against {pair[1]}"
                break


def held_against_machine(program: Program, seed: int, native: Native | None = None) -> str | None:
    """One random game on every tier in every way, also one whose rules go wrong: the first difference, or none.

    Rules that go on for ever are stopped by every tier where it notices.
    """
    tiers = [CompiledMachine(program), BlindMachine(program)]
    oracle = Machine(program)
    decisions, wrong = _alone(oracle, seed)
    if isinstance(wrong, Endless):
        return None
    if wrong is not None:
        for tier in tiers:
            _, said = _alone(tier, seed)
            if said is None or said.message != wrong.message:
                return f"{type(tier).__name__}: {wrong} against {said}"
        return None
    ways: list[dict[str, Any]] = [{"carried": True}, {"told": False}]
    found = next(filter(None, (compare(oracle, tiers, seed, **way)[1] for way in ways)), None)
    for forks_at in (0, decisions // 2):
        # From here on everybody draws other numbers, with which the rules may go wrong.
        with suppress(RuleError):
            found = found or compare(oracle, [BlindMachine(program)], seed, forks_at=forks_at, native=native)[1]
    return found


def _alone(machine: Machine, seed: int) -> tuple[int, RuleError | None]:
    """How many decisions a random game has, and what its rules are stopped with; every state must be sound."""
    state, below = machine.new_state(seed), Source(seed, "tiers").below
    decisions = 0
    try:
        while machine.advance(state) is not None and (waiting := machine.waiting(state)):
            if not isinstance(machine, BlindMachine):
                check(machine.program, state)
            seat = waiting[below(len(waiting))]
            machine.answer_value(state, seat, machine.choices(state, seat).random(below))
            decisions += 1
    except RuleError as error:
        return decisions, error
    return decisions, None
