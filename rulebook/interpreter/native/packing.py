"""States of Python as rows of whole numbers, and back, as the engine reads and writes them.

In: a state of the machine. Out: a row for `load_state`; from a row of `store_state`, a state. Never: who knows which
card, which blind tiers leave as it was; a state that waits for an outcome of chance.
"""

from __future__ import annotations

import ctypes
from array import array
from collections.abc import Iterator, Sequence
from typing import Any

from rulebook.interpreter.layout import (
    ALIVE,
    ANSWER,
    CLOCK,
    COUNTS,
    ELIMINATED,
    FACES,
    PENDING,
    RESULT,
    SEED,
    STACK,
    WHERE,
)
from rulebook.interpreter.native.program import Text
from rulebook.interpreter.ops import ABSENT
from rulebook.interpreter.state import State

NOTHING = -(2**63)
WORD, LIST = 1 << 59, 1 << 61
_NOBODY = 65535  # at an empty position of a grid, where numbers of cards are no bytes
RESULTS = ("", "win", "rank", "unfinished")


class CannotPack(Exception):
    """A state that the native tier cannot go on from; the sentence says why."""


class Packing:
    """Packs and unpacks the states of one program."""

    def __init__(self, text: Text) -> None:
        self.plan, self.entries, self.layout = text.plan, text.entries, text.plan.layout
        self.words, self.numbers = text.words, {word: number for number, word in enumerate(text.words)}

    # ── out of Python ──

    def row(self, state: State) -> array[int]:
        """A state as a row. Raises CannotPack."""
        layout, row = self.layout, array("q", self._head(state))
        row.extend(state[WHERE])
        row.extend(state[FACES])
        for memory in (*layout.memory.values(), *layout.player_memory.values()):
            for owner in range(layout.players if memory.owned_by == "player" else 1):
                row.extend(self.value(state[memory.slot + owner]))
        for changing in layout.states.values():
            for value in state[changing.slot]:
                if type(value) is int:
                    row.append(value)
                else:
                    row.extend(self.value(value))
        for place in layout.places:
            contents = state[place.slot]
            settled = (0, 0) if place.settled is None else state[place.settled]
            if place.kept == "pool":
                row.extend((contents, *settled))
            else:
                row.extend((len(contents), *settled))
                row.extend([_NOBODY if card < 0 else card for card in contents] if layout.wide else contents)
        row.extend(self._frames(state))
        return row

    def _head(self, state: State) -> Iterator[int]:
        layout = self.layout
        if state[ANSWER] is not None or state[PENDING] == ("chance",):
            raise CannotPack("it waits for an outcome of chance")
        yield _signed(state[SEED])
        for slot in layout.streams:
            times, number = state[slot] or (0, 0)
            yield from (times, _signed(number), _signed(number >> 64))
        yield from state[COUNTS]
        yield state[CLOCK]
        result: tuple[Any, ...] = state[RESULT] or ("",)
        yield RESULTS.index(result[0])
        yield from _counted(result[1] if result[0] == "win" else ())
        yield from _counted(state[ALIVE])
        yield len(state[ELIMINATED])
        for seats in state[ELIMINATED]:
            yield from _counted(seats)
        yield from self._pending(state)

    def _pending(self, state: State) -> Iterator[int]:
        entries = state[PENDING][1] if state[PENDING] is not None and state[PENDING][0] == "ask" else ()
        yield len(entries)
        for seat, number, picks, done in entries:
            yield from (seat, number, int(done), len(picks))
            for value in picks:
                yield from self.value(value)

    def _frames(self, state: State) -> Iterator[int]:
        frames, frame = [], state[STACK]
        while frame is not None:
            frames.append(frame)
            frame = frame[2]
        yield len(frames)
        slot = -1
        for code, pc, _, *local in reversed(frames):
            if code >= len(self.entries) or pc not in self.entries[code]:
                raise CannotPack("it stands at a place of its own")
            yield from (code, pc, slot)
            for value in local:
                yield from self.value(value)
            answers = getattr(self.plan.program.codes[code].ops[pc - 1], "slot", None) if pc else None
            slot = -1 if answers is None else answers

    def value(self, value: Any) -> Iterator[int]:
        """One value of a state."""
        if value is None:
            yield NOTHING
        elif isinstance(value, str):
            if value == ABSENT:
                yield NOTHING + 1
            elif value in self.numbers:
                yield WORD + self.numbers[value]
            else:
                raise CannotPack("a text stands in it that the rules do not name")
        elif isinstance(value, tuple | bytes):
            yield from (LIST, len(value))
            for one in value:
                yield from self.value(one)
        else:
            yield int(value)

    # ── and back ──

    def state(self, row: Sequence[int], before: State) -> State:
        """The state that a row tells, which went on from another one: who knows which card is as it was there."""
        layout, state, numbers = self.layout, before[:], iter(row)
        cards = range(layout.cards)

        def take(many: int) -> list[int]:
            return [next(numbers) for _ in range(many)]

        state[SEED] = next(numbers) % 2**64 if before[SEED] >= 0 else before[SEED]
        for slot in layout.streams:
            times, low, high = take(3)
            state[slot] = (times, (high % 2**64) << 64 | low % 2**64) if times else None
        state[COUNTS], state[CLOCK] = tuple(take(layout.players + 1)), next(numbers)
        result, won = RESULTS[next(numbers)], tuple(take(next(numbers)))
        state[RESULT] = None if not result else ("win", won) if result == "win" else (result,)
        state[ALIVE] = tuple(take(next(numbers)))
        state[ELIMINATED] = tuple(tuple(take(next(numbers))) for _ in range(next(numbers)))
        entries = [self._entry(numbers) for _ in range(next(numbers))]
        state[PENDING] = ("over",) if result else ("ask", tuple(entries)) if entries else None
        state[WHERE] = type(state[WHERE])(take(layout.cards))
        state[FACES] = bytes(take(layout.cards))
        for memory in (*layout.memory.values(), *layout.player_memory.values()):
            for owner in range(layout.players if memory.owned_by == "player" else 1):
                state[memory.slot + owner] = _of_sort(self._value(numbers), memory.sort)
        for changing in layout.states.values():
            values = tuple(_of_sort(self._value(numbers), changing.sort) for _ in cards)
            state[changing.slot] = changing.starts if values == changing.starts else values
        for place in layout.places:
            count, first, last = take(3)
            if place.settled is not None:
                state[place.settled] = (first, last)
            if place.kept == "pool":
                state[place.slot] = count
            else:
                empty = 65535 if layout.wide else 255
                state[place.slot] = layout.pack([layout.empty if one == empty else one for one in take(count)])
        state[STACK] = None
        for _ in range(next(numbers)):
            code, pc, _ = take(3)
            local = [self._value(numbers) for _ in range(self.plan.program.codes[code].size)]
            state[STACK] = (code, pc, state[STACK], *local)
        return state

    def _entry(self, numbers: Iterator[int]) -> tuple[int, int, tuple[Any, ...], bool]:
        seat, number, done, made = (next(numbers) for _ in range(4))
        return seat, number, tuple(self._value(numbers) for _ in range(made)), bool(done)

    def values(self, row: Sequence[int]) -> tuple[Any, ...]:
        """A list of values, as the engine writes one."""
        found: tuple[Any, ...] = self._value(iter(row))
        return found

    def _value(self, numbers: Iterator[int]) -> Any:
        number = next(numbers)
        if number == LIST:
            return tuple(self._value(numbers) for _ in range(next(numbers)))
        if number <= NOTHING + 1:
            return None if number == NOTHING else ABSENT
        return self.words[number - WORD] if number >= WORD else number


def address(row: array[int]) -> ctypes.c_void_p:
    """Where the numbers of a row stand."""
    return ctypes.c_void_p(row.buffer_info()[0])


def _signed(number: int) -> int:
    """The lower 64 bits of a number, as the sign of C has them."""
    number %= 2**64
    return number - 2**64 if number >= 2**63 else number


def _counted(seats: Sequence[int]) -> tuple[int, ...]:
    return (len(seats), *seats)


def _of_sort(value: Any, sort: str) -> Any:
    """A value, with yes and no as Python has them."""
    if not sort.endswith("yes_no") or value is None:
        return value
    return tuple(map(bool, value)) if isinstance(value, tuple) else bool(value)
