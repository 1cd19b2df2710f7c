"""One game, decision by decision, in C: for who looks ahead.

In: a state of Python, or a copy of a walk. Out: who is asked now, among which values; the state after an answer;
playouts from there. Never: options in words (the machine says these, of the state that a walk gives back).
"""

from __future__ import annotations

import ctypes
from array import array
from collections.abc import Sequence
from typing import Any

from attrs import frozen

from rulebook.interpreter.native.packing import CannotPack, address
from rulebook.interpreter.native.tier import Games, Native
from rulebook.interpreter.state import State


@frozen
class Offered:
    """What is offered to a seat: `values` of the machine; between `least` and `most` of them if it is a set. An empty
    answer of None is to pass, where that `may_pass`.
    """

    seat: int
    may_pass: bool
    least: int
    most: int
    is_set: bool
    ordered: bool
    values: tuple[Any, ...]


class Walk:
    """A game that stands at a decision, or is over. Of several who are asked at once, the first answers first."""

    def __init__(self, native: Native, before: State) -> None:
        self.native, self.before = native, before
        self.room = native.room()

    @classmethod
    def begun(cls, native: Native, state: State) -> Walk:
        """A walk from a state, which goes on to its next decision. Raises CannotPack or Stopped."""
        walk = cls(native, state)
        native.load(state, walk.room)
        walk._went(native.code.advance_state(walk.room.at))
        return walk

    def copy(self) -> Walk:
        """The same game, to go on with in another way."""
        other = Walk(self.native, self.before)
        self.native.code.copy_to(other.room.at, self.room.at)
        return other

    @property
    def offered(self) -> Offered | None:
        """What is offered now; None if the game is over."""
        row = self.native.row_of(self.native.code.what_is_offered, self.room, may_be_empty=True)
        if not row:
            return None
        seat, may_pass, least, most, is_set, ordered = row[:6]
        values = self.native.packing.values(row[6:])
        return Offered(seat, bool(may_pass), least, most, bool(is_set), bool(ordered), values)

    def answer(self, numbers: Sequence[int] | None) -> None:
        """Take an answer, by the numbers of its values among those that are offered (None: to pass), and go on. Raises
        ValueError, and changes nothing, if it may not be given; Stopped.
        """
        row = array("q", numbers or ())
        count = -1 if numbers is None else len(row)
        self._went(self.native.code.take_answer(self.room.at, address(row), ctypes.c_int64(count)))

    def state(self) -> State:
        """The state; who knows which card is as it was when the walk began."""
        return self.native.packing.state(self.native.row_of(self.native.code.store_state, self.room), self.before)

    def playouts(self, seeds: Sequence[int]) -> Games:
        """Games from here to their ends, as `Native.rollouts` plays them."""
        return self.native.played_from(self.room, seeds, whole=False)

    def _went(self, why: int) -> None:
        if why < 0:
            raise ValueError("that answer may not be given")
        if why:
            raise Stopped(self.native.reason(why))


class Stopped(CannotPack):
    """The game came to no end natively; the sentence says why, and the machine says where."""
