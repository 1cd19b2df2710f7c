"""The doors of `import rulebook` for programs of others that learn and search.

In: a game, or its name. Out: an environment of PettingZoo, a game of OpenSpiel; what they need is imported when they
are made, and MissingExtra says what to install.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from rulebook import front_door
from rulebook.agents.numbering import ROOM
from rulebook.arguments import read_bounds, read_whole
from rulebook.front_door import CannotOpen, Game, Name
from rulebook.version import DISTRIBUTION

if TYPE_CHECKING:
    from rulebook.agents.environment import Environment
    from rulebook.agents.spiel import SpielGame

__all__ = ["MissingExtra", "openspiel", "pettingzoo"]


class MissingExtra(ImportError):
    """Something that an extra brings is not installed; the sentence says how to."""


def pettingzoo(
    game: Name | Game,
    players: int | None = None,
    *,
    variants: Sequence[Name] = (),
    options: Mapping[str, Any] | None = None,
    room: int = ROOM,
) -> Environment:
    """Make an environment of PettingZoo of a game, for so many players (the fewest, if none is said).

    `room` is for numbers, and for places in lists, that no rule bounds. Raises CannotOpen, BadSetup, NoCore, and
    MissingExtra.
    """
    players, room = _read_sizes(players, room)
    with _extra("pettingzoo", "PettingZoo"):
        from rulebook.agents.environment import Environment
    return Environment(_open(game, variants, options), players, room)


def openspiel(
    game: Name | Game,
    players: int | None = None,
    *,
    variants: Sequence[Name] = (),
    options: Mapping[str, Any] | None = None,
    payoffs: tuple[float, float] | None = None,
    room: int = ROOM,
) -> SpielGame:
    """Make a game of OpenSpiel of a game, for so many players (the fewest, if none is said).

    `payoffs` are the least and the most that a player may get, where the rules have a payoff of their own. Raises as
    `pettingzoo` does, but needs no core; and BadArgument for bounds that are too narrow, as soon as that shows.
    """
    players, room = _read_sizes(players, room)
    bounds = None if payoffs is None else read_bounds("payoffs", payoffs)
    with _extra("openspiel", "OpenSpiel"):
        from rulebook.agents.spiel import make_spiel
    return make_spiel(_open(game, variants, options), players, bounds, room)


def _read_sizes(players: int | None, room: int) -> tuple[int | None, int]:
    return None if players is None else read_whole("players", players, 1), read_whole("room", room, 1)


@contextmanager
def _extra(extra: str, name: str) -> Iterator[None]:
    """Import what an extra brings. Raises MissingExtra."""
    try:
        yield
    except ImportError as missing:
        reason = f"{name} is not here ({missing}): pip install '{DISTRIBUTION}[{extra}]'"
        raise MissingExtra(reason) from missing


def _open(game: Name | Game, variants: Sequence[Name], options: Mapping[str, Any] | None) -> Game:
    if not isinstance(game, Game):
        return front_door.open(game, variants, options)
    if variants or options:
        raise CannotOpen("A game that is open has its variants and house rules already.")
    return game
