"""Invariants of every state between two steps, whatever the rules say: promises of the machine, for tests and for
hunting faults.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from rulebook.interpreter.knowledge import sight
from rulebook.interpreter.layout import (
    ALIVE,
    CLOCK,
    COUNTS,
    ELIMINATED,
    FACES,
    KNOWN,
    PENDING,
    RESULT,
    STACK,
    WHERE,
    MemorySlot,
    PlaceSlot,
    StateSlot,
)
from rulebook.interpreter.program import Program
from rulebook.interpreter.state import State, cards_in, from_json, to_json
from rulebook.interpreter.wording import is_table


class Broken(AssertionError):
    """A state that no game can be in; the sentence says what is wrong, with the machine's own numbers."""


def check_state(program: Program, state: State, through_json: bool = False) -> None:
    """Raise `Broken` if anything is wrong; with `through_json`, also if it does not survive being saved."""
    for problem in find_problems(program, state):
        raise Broken(problem)
    if through_json and from_json(to_json(state)) != state:
        raise Broken("The state read back from JSON is another one.")


def find_problems(program: Program, state: State) -> Iterator[str]:
    """Everything that is wrong, in sentences."""
    if len(state) != len(program.layout.start):
        yield f"The state has {len(state)} slots instead of {len(program.layout.start)}."
        return
    yield from _check_seats(program, state)
    yield from _check_conservation(program, state)
    for place in program.layout.places:
        yield from _check_place(program, state, place)
    yield from _check_knowledge(program, state)
    for memory in program.layout.memory.values():
        yield from _check_memory(memory, state[memory.slot : memory.slot + 1])
    for memory in program.layout.player_memory.values():
        yield from _check_memory(memory, state[memory.slot : memory.slot + program.players])
    for slot in program.layout.states.values():
        yield from _check_card_state(program, state, slot)
    for index, name in program.layout.streams.items():
        if state[index] is not None and not _are_numbers(state[index], 2):
            yield f"The stream {name} is {state[index]!r}."
    yield from _check_frames(program, state)


def _check_seats(program: Program, state: State) -> Iterator[str]:
    alive, seats = state[ALIVE], set(range(program.players))
    gone = [seat for group in state[ELIMINATED] for seat in group]
    if list(alive) != sorted(set(alive)) or not set(alive) <= seats:
        yield f"The seats that still play are {alive!r}."
    if len(gone) != len(set(gone)) or not set(gone) <= seats or set(gone) & set(alive):
        yield f"The seats that left are {gone!r}, while {alive!r} still play."
    if len(gone) + len(alive) != program.players:
        yield f"Of {program.players} seats {len(alive)} play and {len(gone)} left."
    if not _are_numbers(state[COUNTS], program.players + 1) or min(state[COUNTS]) < 0:
        yield f"The counts of decisions are {state[COUNTS]!r}."
    if not isinstance(state[CLOCK], int) or state[CLOCK] < 0:
        yield f"The clock is {state[CLOCK]!r}."


def _check_conservation(program: Program, state: State) -> Iterator[str]:
    lying: dict[int, PlaceSlot] = {}
    for place in program.layout.places:
        for card in cards_in(program.layout, state, place):
            if not 0 <= card < program.cards:
                yield f"{_label_place(place)} holds card {card}, which does not exist."
            elif card in lying:
                yield f"{_name_card(program, card)} lies in {_label_place(lying[card])} and in {_label_place(place)}."
            lying[card] = place
    if len(state[WHERE]) != program.cards:
        yield f"WHERE speaks of {len(state[WHERE])} cards instead of {program.cards}."
        return
    for card in range(program.cards):
        if program.layout.places[state[WHERE][card]].kept == "pool":
            # It has become a piece, and a pool counts pieces only.
            if card in lying:
                yield f"{_name_card(program, card)} lies in {_label_place(lying[card])}, but WHERE says it is a piece."
        elif card not in lying:
            yield f"{_name_card(program, card)} lies nowhere."
        elif lying[card].ordinal != state[WHERE][card]:
            where = _label_place(program.layout.places[state[WHERE][card]])
            yield f"{_name_card(program, card)} lies in {_label_place(lying[card])}, but WHERE says {where}."
    pools = [state[place.slot] for place in program.layout.places if place.kept == "pool"]
    became = sum(program.layout.places[ordinal].kept == "pool" for ordinal in state[WHERE])
    if all(isinstance(pieces, int) and pieces >= 0 for pieces in pools) and sum(pools) != became:
        yield f"There are {sum(pools)} pieces in pools, and {became} cards have become pieces."


def _check_place(program: Program, state: State, place: PlaceSlot) -> Iterator[str]:
    contents, name = state[place.slot], _label_place(place)
    if place.kept == "pool":
        if not isinstance(contents, int) or contents < 0:
            yield f"The pool {name} holds {contents!r} pieces."
        return
    if not isinstance(contents, tuple if program.layout.wide else bytes):
        yield f"{name} is a {type(contents).__name__}."
        return
    if not place.ordered and list(contents) != sorted(contents):
        yield f"{name} has no order, but is stored as {list(contents)}."
    if place.kept == "slot" and len(contents) > 1:
        yield f"{name} is for one card and holds {len(contents)}."
    if place.kept == "grid" and len(contents) != place.rows * place.columns:
        yield f"{name} has {len(contents)} positions instead of {place.rows} times {place.columns}."
    if place.settled is not None:
        yield from _check_pile(state, place, list(contents))
    for card in cards_in(program.layout, state, place):
        if place.holds and 0 <= card < program.cards and program.kind[card] not in place.holds:
            yield f"{name} may not hold a {program.kind[card]}, but {_name_card(program, card)} lies there."


def _check_pile(state: State, place: PlaceSlot, contents: list[int]) -> Iterator[str]:
    assert place.settled is not None
    pair = state[place.settled]
    if not _are_numbers(pair, 2) or min(pair) < 0 or sum(pair) > len(contents):
        yield f"Of the {len(contents)} cards of {_label_place(place)} {pair!r} are settled."
        return
    block = contents[pair[0] : len(contents) - pair[1]]
    if block != sorted(block):
        yield f"The part of {_label_place(place)} that has no order is stored as {block}."


def _check_knowledge(program: Program, state: State) -> Iterator[str]:
    masks = bytes if program.players <= 8 else tuple
    for what, values, sort in (("FACES", state[FACES], bytes), ("KNOWN", state[KNOWN], masks)):
        if not isinstance(values, sort) or len(values) != program.cards:
            yield f"{what} does not have one number for each of {program.cards} cards."
            return
    if max(state[FACES], default=0) > 1:
        yield "FACES holds something that is neither up nor down."
    everyone = program.layout.everyone
    gone = sum(1 << seat for group in state[ELIMINATED] for seat in group)
    for card in range(program.cards):
        if program.layout.places[state[WHERE][card]].kept == "pool":
            continue
        known = state[KNOWN][card]
        if known & ~everyone:
            yield f"{_name_card(program, card)} is known to seats that do not exist (mask {known:b})."
        unnoticed = sight(program, state, card) & ~known
        if unnoticed:
            yield f"{_name_card(program, card)} is seen by seats that do not know it (mask {unnoticed:b})."
        secret = [seat for seat in state[ALIVE] if not known >> seat & 1]
        if secret and known & gone:
            yield f"{_name_card(program, card)} is known to seats that left, and not to {secret!r}, who still play."


def _check_memory(memory: MemorySlot, values: list[Any]) -> Iterator[str]:
    for value in values:
        entries = value if is_table(memory.sort) else (value,)
        allowed = memory.values is None or value == memory.start or all(entry in memory.values for entry in entries)
        if not allowed:
            yield f"The memory {memory.name} holds {value!r}."


def _are_all_in(slot: StateSlot, value: Any) -> bool:
    entries = value if is_table(slot.sort) else (value,)
    return all(entry in (slot.values or ()) for entry in entries)


def _check_card_state(program: Program, state: State, slot: StateSlot) -> Iterator[str]:
    values = state[slot.slot]
    if not isinstance(values, tuple) or len(values) != program.cards:
        yield f"The state {slot.name} does not have one value for each of {program.cards} cards."
        return
    for card, value in enumerate(values):
        if program.kind[card] not in slot.kinds:
            if value is not None:
                yield f"{_name_card(program, card)} has no {slot.name}, but it is {value!r}."
        elif slot.values is not None and value != slot.starts[card] and not _are_all_in(slot, value):
            yield f"The {slot.name} of {_name_card(program, card)} is {value!r}."


def _check_frames(program: Program, state: State) -> Iterator[str]:
    pending = state[PENDING]
    if (state[STACK] is None) != (pending == ("over",)) or (state[STACK] is None) != (state[RESULT] is not None):
        yield f"PENDING is {pending!r} and RESULT {state[RESULT]!r}, which do not go together."
    if pending is not None and pending[0] not in ("ask", "chance", "over"):
        yield f"PENDING is {pending!r}."
    for index, pc, *env in state[STACK] or ():
        if not 0 <= index < len(program.codes):
            yield f"A frame runs the script {index}, which does not exist."
            return
        code = program.codes[index]
        if not 0 <= pc < len(code.steps):
            yield f"A frame of {code.name} stands at step {pc} of {len(code.steps)}."
        if len(env) != code.size:
            yield f"A frame of {code.name} has {len(env)} locals instead of {code.size}."


def _are_numbers(value: Any, count: int) -> bool:
    return isinstance(value, tuple) and len(value) == count and all(isinstance(number, int) for number in value)


def _label_place(place: PlaceSlot) -> str:
    return place.name if place.owner is None else f"{place.name} of {place.owned_by} {place.owner}"


def _name_card(program: Program, card: int) -> str:
    return f"Card {card} ({program.definition[card]})"
