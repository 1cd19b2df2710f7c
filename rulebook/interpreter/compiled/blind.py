"""What a blind tier keeps beside a state while it runs.

In: a program. Out: a `BlindRun`: the registers, how each place is kept, and what was offered last. Never: anything
that a state must remember.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from rulebook.interpreter.layout import Layout, PlaceSlot
from rulebook.interpreter.program import Program
from rulebook.interpreter.run import Run
from rulebook.interpreter.state import State

SORTED, ROW, SLOT, PILE, OTHER = range(5)
"""How a single card is taken from a place and laid into it."""

KINDS = {"bag": SORTED, "loose": SORTED, "row": ROW, "slot": SLOT, "pile": PILE}


def kind_of(layout: Layout, place: PlaceSlot) -> int:
    """How a single card is taken from a place and laid into it."""
    fits = not layout.wide and len(layout.places) <= 256
    return KINDS.get(place.kept, OTHER) if fits else OTHER


Spot = tuple[int, int, int, int, bool]
"""Of a place: the slot of its contents, how they are kept, the slots of what is settled and of its stream, and whether
cards arrive face up.
"""


Bounds = tuple[int, int, Callable[[tuple[Any, ...]], bool] | None]
"""Of a set, how many are wanted at least and at most, and what says whether it is allowed (None: all are)."""


class BlindRun(Run):
    """The registers, and what moving a card asks of each place."""

    def __init__(self, program: Program, names: Sequence[str]) -> None:
        super().__init__(program, names, [])
        self.spots: tuple[Spot, ...] = tuple(
            (
                place.slot,
                kind_of(program.layout, place),
                place.settled or 0,
                place.stream,
                place.arrives_up,
            )
            for place in program.layout.places
        )
        self.restores = bool(program.changing)
        self.below_of: Sequence[Callable[[int], int]] = ()
        """While a game is played to its end: where the answers of each seat come from."""
        self.pending: Any = None
        """The decision for which a state waits, if what is offered stands here; it is good only for that very state."""
        self.offered: Sequence[Any] = ()
        """What is offered: values, or, if several are asked at once, by seat their values and whether they may pass."""
        self.several: dict[int, tuple[Sequence[Any], bool]] | None = None
        self.lists: Any = None
        """What lists what is offered, where it is one thing after the other."""
        self.likeness: Sequence[int] | dict[int, Any] | None = None
        """By object, the first that is equal to it; None if all values differ."""
        self.may_pass = False
        self.bounds: Bounds | None = None
        """Which sets may be chosen; None where one thing is chosen."""
        self.hot: list[int] = []
        """The slots in which, while scripts run, cards stand so that they can be changed in place."""

    def heat(self, s: State, slot: int) -> bytearray:
        """What stands in a slot, to be changed in place until the state is cooled."""
        contents = s[slot] = bytearray(s[slot])
        self.hot.append(slot)
        return contents

    def cool(self, s: State) -> None:
        """Make the state one of plain immutable values again, for anybody else, also the machine."""
        for slot in self.hot:
            s[slot] = bytes(s[slot])
        self.hot.clear()
