"""The things that a line of a report is about, each a type of its own; `str` gives the one text for programs."""

from __future__ import annotations

from typing import ClassVar, TypeAlias

from attrs import field

from rulebook.classes import frozen


@frozen
class Seat:
    """A seat, counted from 1, and those that are of its team in every game: they win the same."""

    sort: ClassVar[str] = "seat"
    number: int
    others: tuple[int, ...] = field(default=(), eq=False)

    def __str__(self) -> str:
        return f"seat:{self.number}"


@frozen
class Order:
    """A place in turn order, counted from 1, which is who acts first; the others are those that sit beside, one by one.
    """

    sort: ClassVar[str] = "order"
    place: int

    def __str__(self) -> str:
        return f"order:{self.place}"


@frozen
class Role:
    """A value that a memory has at the start, or a card that lies in a slot."""

    sort: ClassVar[str] = "role"
    slot: str
    id: str

    def __str__(self) -> str:
        return f"role:{self.slot}:{self.id}"


@frozen
class Had:
    """A card, and the way in which a player has it: `dealt`, `played`, `got`, `held`."""

    way: str
    card: str

    @property
    def sort(self) -> str:
        """The way."""
        return self.way

    def __str__(self) -> str:
        return f"{self.way}:{self.card}"


@frozen
class Option:
    """An option that can be chosen, by its key."""

    sort: ClassVar[str] = "option"
    key: str

    def __str__(self) -> str:
        return f"option:{self.key}"


@frozen
class Tie:
    """Games that nobody wins alone."""

    sort: ClassVar[str] = "tie"

    def __str__(self) -> str:
        return "tie"


@frozen
class Dull:
    """Decisions that make no difference."""

    sort: ClassVar[str] = "dull"

    def __str__(self) -> str:
        return "dull"


@frozen
class Ended:
    """Games that ended in an unwanted way."""

    sort: ClassVar[str] = "ended"
    how: str

    def __str__(self) -> str:
        return self.how


@frozen
class Restricted:
    """An option that somebody never chooses, or always does."""

    sort: ClassVar[str] = "worth"
    way: str
    option: str

    def __str__(self) -> str:
        return f"{self.way}:{self.option}"


@frozen
class Card:
    """A card, whoever has it."""

    sort: ClassVar[str] = "card"
    id: str

    def __str__(self) -> str:
        return self.id


About: TypeAlias = Seat | Order | Role | Had | Option | Tie | Dull | Ended | Restricted | Card


def find_subject(about: About) -> str:
    """Return the card or option that a finding is about, in whatever way; of all else the text."""
    match about:
        case Had(_, card):
            return card
        case Option(key):
            return key
        case _:
            return str(about)
