"""The layout of states: the number of each slot, with all that has to be known about it.

A *place* has an ordinal (its index in `Layout.places`, which is also its value in scripts and in the slot `WHERE`) and
a slot (the index in a state at which its contents stand). Ordinal 0 is `box`.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from attrs import field

from rulebook.classes import frozen

# The slots that every state has; what a rulebook declares begins at FIRST_FREE.
STACK, PENDING, ANSWER, COUNTS, CLOCK, ALIVE, RESULT, ELIMINATED, WHERE, FACES, KNOWN, SEED, FIRST_FREE = range(13)

BOX = 0
UNORDERED = frozenset({"bag", "loose"})
MOST_PLAYERS = 12
"""The most seats: the knowers of a card are one byte, a bit for each seat."""


@frozen(eq=False)
class PlaceSlot:
    """One place of one owner.

    `owner` is None for the table, a seat, or a card's number, as `owned_by` says ("table", "player", "card").
    `watchers` is the mask of seats that may look at face-down cards here. `settled` is the slot of a pile's pair (how
    many cards at the top, how many at the bottom lie in a known order; what lies between is in no order yet, and
    stored sorted). `stream` is the slot of the place's own random stream; `refill` the ordinal of the pile that is
    shuffled in when this one is empty. `alike_once`: of cards there that are alike one is offered.

    Contents, by `kept`: bag and loose are stored sorted; a pile top first; a row left to right; a slot holds one card
    at most; a pool is a number of pieces; a grid has `rows * columns` entries, row by row, `Layout.empty` where
    nothing lies.
    """

    ordinal: int
    slot: int
    name: str
    owned_by: str
    owner: int | None
    kept: str
    holds: frozenset[str]
    seen_by: str
    watchers: int
    recall: bool
    counted: str
    opened_at_end: bool
    stream: int
    settled: int | None = None
    refill: int | None = None
    rows: int = 0
    columns: int = 0
    alike_once: bool = False
    ordered: bool = field(init=False)

    def __attrs_post_init__(self) -> None:
        object.__setattr__(self, "ordered", self.kept not in UNORDERED and self.kept != "pool")

    @property
    def arrives_up(self) -> bool:
        """True if a card that comes here lies face up when the sentence does not say."""
        return self.seen_by in ("everyone", "top")


@frozen(eq=False)
class MemorySlot:
    """A memory of the table (`slot`), or of each player (`slot + seat`).

    `values` are all it may hold, None where that is open; `sort` says what its values are, for people: "number",
    "player", "word", "list of card" …
    """

    name: str
    owned_by: str
    slot: int
    start: Any
    values: tuple[Any, ...] | None
    seen_by: str
    lasts: str | None
    sort: str
    secret: bool = False
    """True if somebody cannot follow what it holds."""
    follows: str | None = None
    """The question whose last answer it holds, of those that are watched: whoever imagines a table asks it there."""


@frozen(eq=False)
class StateSlot:
    """The slot of a state of cards: one entry for each card, None on cards whose kind does not have it.

    `values` are all that it may take, if it is one of a range, of words, or yes and no. `printed`: it starts as the
    card is printed, so that its name says as much.
    """

    name: str
    slot: int
    kinds: frozenset[str]
    starts: tuple[Any, ...]
    values: tuple[Any, ...] | None
    with_face: bool
    lasts: str | None
    sort: str
    printed: bool = False
    common: Any = field(init=False)
    """The value with which all cards that have it begin, if that is one."""

    def __attrs_post_init__(self) -> None:
        starts = {start for start in self.starts if start is not None}
        object.__setattr__(self, "common", starts.pop() if len(starts) == 1 else None)

    def is_face(self, value: Any) -> bool:
        """Tell whether a value is seen even as it began: that of a die or a price, not that a card is untouched, has
        nothing on it, or is as printed.
        """
        if self.printed or value is None or isinstance(value, bool):
            return False
        return self.values is not None or (self.sort in ("number", "amount") and value != 0)

    def find_expected(self, card: int, shown: bool) -> Any:
        """Return the value of a card that is not worth telling: the start; of an unknown card only if all cards begin
        so. Of a card that is known, a face is always told.
        """
        if shown:
            return None if self.is_face(self.starts[card]) else self.starts[card]
        return None if self.starts[card] is None else self.common

    def has_changed(self, values: tuple[Any, ...]) -> bool:
        """Tell whether anything is not as it began; most often these are the very values with which it began."""
        return values is not self.starts and values != self.starts


@frozen(eq=False)
class Layout:
    """All slots of one program's states.

    `start` is a state before its first step, but for the seed and the stack; `place_of` maps a place's name to the
    ordinals by owner (one for the table, one for each seat, or by card number with None where a card has none).
    `wide` says that card sequences are tuples, because the numbers do not fit into bytes.
    """

    players: int
    cards: int
    wide: bool
    places: tuple[PlaceSlot, ...]
    place_of: dict[str, tuple[int | None, ...]]
    memory: dict[str, MemorySlot]
    player_memory: dict[str, MemorySlot]
    states: dict[str, StateSlot]
    streams: dict[int, str]
    """The slot of each random stream, and what it is begun with: numbers of the language's own, no declared name."""
    script_stream: dict[str, int]
    """The stream slot of each script that picks or rolls."""
    start: tuple[Any, ...]

    has_supplies: bool = field(init=False)
    """True if there is a place in which cards that are alike are offered once."""

    def __attrs_post_init__(self) -> None:
        object.__setattr__(self, "has_supplies", any(place.alike_once for place in self.places))

    @property
    def everyone(self) -> int:
        """The mask of all seats."""
        return (1 << self.players) - 1

    @property
    def empty(self) -> int:
        """The mark at a position of a grid where no card lies."""
        return -1 if self.wide else 255

    def pack(self, cards: Sequence[int]) -> Sequence[int]:
        """Card numbers as a state holds them."""
        return tuple(cards) if self.wide else bytes(cards)

    def find_place(self, name: str) -> PlaceSlot:
        return self.places[self._ordinal(name, 0)]

    def find_place_of(self, name: str, owner: int) -> PlaceSlot:
        """The place with that name of a seat, or of a card."""
        return self.places[self._ordinal(name, owner)]

    def _ordinal(self, name: str, owner: int) -> int:
        ordinal = self.place_of[name][owner]
        if ordinal is None:
            raise KeyError(name)
        return ordinal
