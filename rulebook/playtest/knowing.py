"""Keys of information states and of tables, quick to compare: equal where a seat cannot tell two states apart; whether
anything is hidden at all; and events as they are remembered.

In: a program, a state, a seat. Out: a value that is equal where the seat could not tell two states apart. Never: says
all that a seat knows: what it could only remember (who passed, what was said) is not in it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterator, Sequence
from functools import lru_cache
from math import factorial, prod
from typing import Any

from rulebook.interpreter.events import Event
from rulebook.interpreter.knowledge import sight
from rulebook.interpreter.layout import ALIVE, FACES, KNOWN, PENDING, STACK, WHERE, MemorySlot
from rulebook.interpreter.program import Program
from rulebook.interpreter.state import State
from rulebook.interpreter.views import sees_memory
from rulebook.interpreter.wording import Names, is_of_cards, place_key

_UNKNOWN, _EMPTY = -1, -2


def known_to(program: Program, state: State, seat: int) -> Hashable:
    """The cards that a seat knows and where they lie, how many others lie there, what stands on them and in memory."""
    bit = 1 << seat
    known = [mask & bit for mask in state[KNOWN]]
    memories = [
        state[memory.slot + (owner or 0)]
        for memory, owner in _memories(program)
        if _is_plain(memory.sort) and sees_memory(state, memory, owner, seat)
    ]
    pools = [state[place.slot] for place in program.layout.places if place.kept == "pool" and place.watchers & bit]
    return _cards(program, state, known), tuple(pools), repr(memories)


def find_crowds(program: Program, names: Names) -> frozenset[str]:
    """Find the places in which cards lie in no order."""
    return frozenset(place_key(program, names, place) for place in program.layout.places if not place.ordered)


def recall_event(event: Event, crowds: frozenset[str]) -> dict[str, Any]:
    """Return an event as somebody remembers it; cards that go into a crowd together go there in no order."""
    facts = event.facts
    if event.kind == "moved" and len(facts.get("cards", ())) > 1 and facts["to"] in crowds:
        facts = {**facts, "cards": sorted(facts["cards"])}
    return {"kind": event.kind, **facts}


def laid(program: Program, state: State) -> Hashable:
    """All that two tables that look alike to somebody may differ in, but for the random numbers to come."""
    written = [state[memory.slot + (owner or 0)] for memory, owner in _memories(program)]
    return _cards(program, state, [1] * program.cards), repr((written, state[STACK], state[PENDING]))


@lru_cache(maxsize=64)
def may_be_open(program: Program) -> bool:
    """Tell whether one or two play, and what is remembered everybody may read."""
    layout = program.layout
    memories = (*layout.memory.values(), *layout.player_memory.values())
    return (
        program.players <= 2
        and not program.spots_unknown
        and all(memory.seen_by == "everyone" for memory in memories)
        and all(place.watchers == layout.everyone for place in layout.places if place.kept == "pool")
    )


def is_hidden(program: Program, state: State) -> bool:
    """Tell whether somebody may not know a card, or does not hear of an answer at once."""
    layout, everyone = program.layout, program.layout.everyone
    return len(state[PENDING][1]) != 1 or any(
        (known | sight(program, state, card)) & everyone != everyone
        for card, (known, place) in enumerate(zip(state[KNOWN], state[WHERE], strict=True))
        if layout.places[place].kept != "pool"
    )


def ways(program: Program, state: State) -> float:
    """In how many ways more than others a table comes about: equal cards that lie in no order are fewer ways."""
    like = program.likeness
    crowds = (Counter(like[card] for card in crowd) for crowd in _crowds(program, state))
    return 1 / prod(factorial(number) for crowd in crowds for number in crowd.values())


def _cards(program: Program, state: State, known: list[int]) -> Hashable:
    layout, like, faces = program.layout, program.likeness, state[FACES]
    signs = [2 * like[card] + faces[card] if knows else _UNKNOWN for card, knows in enumerate(known)]
    places: list[Hashable] = [state[ALIVE]]
    for place in layout.places:
        contents = state[place.slot]
        if place.kept == "pool" or not contents:
            continue
        if place.kept == "grid":
            row = [_EMPTY if card == layout.empty else signs[card] for card in contents]
        elif not place.ordered:
            row = sorted([signs[card] for card in contents])
        else:
            row = [signs[card] for card in contents]
            if place.settled is not None:
                top, bottom = state[place.settled]
                row[top : len(row) - bottom] = sorted(row[top : len(row) - bottom])
        places.append((place.ordinal, *row))
    written = [
        (slot.slot, sorted([(like[card], repr(value)) for card, value in enumerate(state[slot.slot]) if known[card]]))
        for slot in program.changing
        if slot.has_changed(state[slot.slot]) and _is_plain(slot.sort)
    ]
    return tuple(places), repr(written)


def _crowds(program: Program, state: State) -> Iterator[Sequence[int]]:
    """Cards that lie in no order."""
    for place in program.layout.places:
        if place.kept == "pool":
            continue
        contents = state[place.slot]
        if not place.ordered:
            yield contents
        elif place.settled is not None:
            top, bottom = state[place.settled]
            yield contents[top : len(contents) - bottom]


def _is_plain(sort: str) -> bool:
    """True if values are what everybody calls them; numbers of cards stay with the machine."""
    return not is_of_cards(sort)


@lru_cache(maxsize=4)
def _memories(program: Program) -> tuple[tuple[MemorySlot, int | None], ...]:
    table = [(memory, None) for memory in program.layout.memory.values()]
    owned = [(memory, seat) for memory in program.layout.player_memory.values() for seat in range(program.players)]
    return (*table, *owned)
