"""One sitting: the game, who of its seats is a bot, and how far each has read; at one device its screen, too."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import NoReturn, TypeAlias

from attrs import field

from rulebook.classes import frozen
from rulebook.interpreter.decisions import Ask
from rulebook.interpreter.wording import join_texts
from rulebook.printing import visible
from rulebook.table.handbook import Handbook
from rulebook.table.screen import Screen
from rulebook.table.shared import Moment, SharedGame

Bot: TypeAlias = "Callable[[Ask], None]"
"""Gives the game an answer to what its seat is asked."""


class Left(Exception):
    """Somebody left the keyboard; the game is saved."""


@frozen
class Mark:
    """Before an answer: who gave it, how many there had been, how much each seat had seen.

    `is_hidden`: the others may not learn that it was asked for, be it quietly (`is_quiet`) or veiled. `passed` and
    `whispers` are those of the game's way (`table.shared`).
    """

    seat: int
    answers: int
    seen: tuple[int, ...]
    is_hidden: bool
    is_quiet: bool
    passed: int
    whispers: int


@frozen
class Sitting:
    """A game and who plays its seats; `stand_in` makes a bot for a seat. `seen` counts the events that a person had
    seen when last asked, `marks` are the answers given here, `lent` are seats of persons for whom a bot plays.
    """

    game: SharedGame
    bots: dict[int, Bot]
    stand_in: Callable[[int], Bot]
    seen: dict[int, int] = field(factory=dict, init=False)
    marks: list[Mark] = field(factory=list, init=False)
    lent: list[int] = field(factory=list, init=False)

    def __attrs_post_init__(self) -> None:
        # Who goes on with a saved game has read what came before the last answer.
        self.seen.update((seat, self.game.count_seen(seat)) for seat in range(len(self.game.names)))

    @property
    def persons(self) -> list[int]:
        return [seat for seat in range(len(self.game.names)) if seat not in self.bots]

    @property
    def is_shared(self) -> bool:
        """Tell whether several people sit here, though bots may play for some."""
        return len(self.persons) + len(self.lent) > 1

    def name_seat(self, seat: int) -> str:
        return visible(self.game.names[seat])

    @property
    def now(self) -> Moment:
        return Moment(self.game.state, tuple(len(self.game.events(seat)) for seat in range(len(self.game.names))))

    def make_mark(self, seat: int) -> Mark:
        """Mark where the game stands, before this person answers."""
        game, way = self.game, self.game.way
        ask = game.decision.find_ask(seat) if game.decision is not None else None
        is_hidden = ask is not None and ask.quiet
        return Mark(seat, len(game.entries), self.now.noticed, is_hidden, game.is_quiet, way.passed, way.whispers)


@frozen
class DeviceSitting(Sitting):
    """A sitting at one device, the context of the parts of a terminal. `texts` maps the id of a card or action to its
    text; `save` writes the game and says where; `advice` says what a good bot would answer (None: there is none); in
    the `handbook` anybody may look things up.
    """

    screen: Screen
    texts: Mapping[str, str]
    save: Callable[[], Path]
    advice: Callable[[Ask], Sequence[str]] | None = None
    handbook: Handbook | None = None

    def hand_to(self, seat: int) -> None:
        """A page on which there is nothing private, until this person has the device."""
        words = f"Hand the device to {self.name_seat(seat)}"
        self.screen.draw(lambda: [] if self.screen.is_terminal else [f"{words}."])
        if self.screen.is_terminal and self.screen.pause(f"{words}, then press Enter ") is None:
            self.leave_table()

    def leave_table(self) -> NoReturn:
        """Somebody goes: the game is saved first."""
        self.save()
        raise Left


def lend(sitting: Sitting, seat: int) -> None:
    """A bot plays for this person from now on."""
    sitting.bots[seat] = sitting.stand_in(seat)
    sitting.lent.append(seat)


def regain(sitting: Sitting, name: str) -> str:
    """Seat the person who lent a seat again; return what to say."""
    wanted = name.casefold()
    seats = [seat for seat in sitting.lent if not wanted or sitting.game.names[seat].casefold().startswith(wanted)]
    if len(seats) != 1:
        lent = join_texts([sitting.name_seat(seat) for seat in sitting.lent])
        return f"A bot plays for {lent}. Type b and a name." if lent else "No bot plays for anybody here."
    sitting.lent.remove(seats[0])
    del sitting.bots[seats[0]]
    return f"{sitting.name_seat(seats[0])} plays again."
