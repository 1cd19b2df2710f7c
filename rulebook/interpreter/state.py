"""The state of a game: one flat list of plain immutable values.

Because each slot is immutable, a clone shares everything, two states are equal when their lists are, and
`hash(tuple(state))` is their hash. Slots that every state has:

STACK       the frames `(code, pc, *locals)` of the scripts that run, each called by the one before; None when the game
            is over
PENDING     None (running), ("ask", ((seat, number, picks, done), …)), ("chance",) or ("over",)
ANSWER      None, or the outcome of a chance that was asked and not yet used
COUNTS      how many decisions each seat has been asked; the last entry counts the outcomes asked of chance
CLOCK       how many answers there were; never sent to anyone
ALIVE       the seats that still play, in seat order
RESULT      None, ("win", groups of seats, the first ones first), ("rank",) or ("unfinished",)
ELIMINATED  the seats that left, one tuple for each sentence that eliminated
WHERE       the ordinal of the place in which each card lies
FACES       1 for a card that lies face up
KNOWN       which seats know each card, as a mask
SEED        what all random streams begin from

A stream is None before its first use, then `(times started, number)`. `picks` in PENDING are the values this seat has
chosen so far, a tuple where a pick wants several; `number` is 0 for a seat that had nothing to decide.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from functools import lru_cache
from operator import itemgetter
from struct import pack, unpack
from typing import Any

from rulebook.interpreter.layout import Layout, PlaceSlot

State = list[Any]
_Getter = Callable[[State], tuple[Any, ...]]


def clone(state: State) -> State:
    """Copy a state: a list of its own with the same immutable slots."""
    return state[:]


def to_json(state: State) -> str:
    """The state as text: how many slots it has, its values but for nothing and bytes, the numbers below, all bytes.

    The last two are hexadecimal: numbers, of 32 bits each, are the slots of the values, those of the bytes, and how
    many each of these holds. Bytes within a value are written as `{"b": hex}`.
    """
    begins, numbers_of, values, held = _plan_layout(tuple(map(type, state)))
    rows = held(state)
    packed = begins + pack(numbers_of, *map(len, rows)).hex()
    return _encode([len(state), values(state), packed, b"".join(rows).hex()])


@lru_cache(64)
def _plan_layout(kinds: tuple[type, ...]) -> tuple[str, str, _Getter, _Getter]:
    """Plan how states are written whose values have these classes: the numbers of the slots, the form of the lengths,
    what gets the values and what gets the bytes. A slot that holds nothing hardly ever comes to hold something.
    """
    slots = [slot for slot, kind in enumerate(kinds) if kind is bytes]
    others = [slot for slot, kind in enumerate(kinds) if kind is not bytes and kind is not type(None)]
    numbers = pack(f">{len(others) + len(slots)}I", *others, *slots).hex()
    return numbers, f">{len(slots)}I", _getter(others), _getter(slots)


def _getter(slots: list[int]) -> _Getter:
    return itemgetter(*slots) if len(slots) > 1 else lambda state: tuple(state[slot] for slot in slots)


def from_json(text: str) -> State:
    size, values, packed, digits = json.loads(text)
    state: State = [None] * size
    numbers = unpack(f">{len(packed) // 8}I", bytes.fromhex(packed))
    middle = (len(values) + len(numbers)) // 2
    for slot, value in zip(numbers, values, strict=False):
        state[slot] = _frozen(value) if type(value) in _MADE else value
    held, end = bytes.fromhex(digits), 0
    for slot, length in zip(numbers[len(values) : middle], numbers[middle:], strict=True):
        begin, end = end, end + length
        state[slot] = held[begin:end]
    return state


def _bytes_to_json(value: object) -> dict[str, str]:
    assert isinstance(value, bytes)
    return {"b": value.hex()}


_encode = json.JSONEncoder(separators=(",", ":"), default=_bytes_to_json, check_circular=False).encode
_MADE = (list, dict)
"""The types that JSON makes of tuples and bytes."""
_PLAIN = frozenset({int, str, bool, type(None)})


def _frozen(value: Any) -> Any:
    if type(value) is dict:
        return bytes.fromhex(value["b"])
    if _PLAIN.issuperset(map(type, value)):
        return tuple(value)
    return tuple([_frozen(member) if type(member) in _MADE else member for member in value])


def cards_in(layout: Layout, state: State, place: PlaceSlot) -> tuple[int, ...]:
    """The cards in a place, in its order; the empty positions of a grid are left out, a pool has no cards."""
    if place.kept == "pool":
        return ()
    contents = tuple(state[place.slot])
    if place.kept == "grid":
        empty = layout.empty
        return tuple(card for card in contents if card != empty)
    return contents


def count_in(layout: Layout, state: State, place: PlaceSlot) -> int:
    """Count the cards or pieces in a place."""
    contents = state[place.slot]
    if place.kept == "pool":
        return int(contents)
    return len(cards_in(layout, state, place)) if place.kept == "grid" else len(contents)


def position(state: State, place: PlaceSlot, card: int) -> int:
    """The index at which a card stands in its place, from 0."""
    contents: Sequence[int] = state[place.slot]
    return contents.index(card)


def is_top(state: State, place: PlaceSlot, card: int) -> bool:
    """Tell whether everybody can see that a card is the top one of a pile: a pile in no order shows no card."""
    contents = state[place.slot]
    if not contents or contents[0] != card or place.settled is None:
        return False
    top, bottom = state[place.settled]
    return bool(top) or bottom == len(contents)
