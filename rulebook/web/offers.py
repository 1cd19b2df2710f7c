"""The other games that a table may play next, and whether its seats fit them: bots come and go, nobody else."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from attrs import evolve

from rulebook.playtest.bots import BEST
from rulebook.web.store import Settings

Seats = tuple[tuple[str, str], ...]


class Offer(NamedTuple):
    """A game that a host may choose: its key in messages, its title, the numbers of players, and its settings."""

    key: str
    title: str
    numbers: tuple[int, ...]
    game: str
    variants: tuple[str, ...] = ()
    given: tuple[str, ...] = ()
    without: tuple[str, ...] = ()

    @property
    def has_rules(self) -> bool:
        """Tell whether house rules come with it."""
        return bool(self.variants or self.given or self.without)

    def is_played_by(self, settings: Settings) -> bool:
        own = (self.game, self.variants, self.given, self.without)
        return own == (settings.game, settings.variants, settings.given, settings.without)

    def settle(self, settings: Settings, seats: Seats) -> Settings:
        """Return the settings of a table that plays this game; no house rule of another one is left."""
        return evolve(
            settings, game=self.game, variants=self.variants, given=self.given, without=self.without, seats=seats
        )


def fit_seats(seats: Seats, numbers: Sequence[int]) -> Seats | None:
    """The seats of a game for these numbers of players, as near to those of now as can be; None where somebody would
    have to go, or a bot that sits before somebody.
    """
    people = [at for at, (_, bot) in enumerate(seats) if not bot]
    staying = people[-1] + 1 if people else 0
    fitting = [number for number in numbers if number >= staying]
    if not fitting:
        return None
    wanted = min(fitting, key=lambda number: abs(number - len(seats)))
    fitted = [*seats[:wanted]]
    kind = next((bot for _, bot in reversed(seats) if bot), BEST)
    while len(fitted) < wanted:
        names = {name for name, _ in fitted}
        fitted.append((next(name for at in range(1, wanted + 1) if (name := f"Bot {at}") not in names), kind))
    return tuple(fitted)
