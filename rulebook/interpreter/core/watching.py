"""Games in the core that somebody watches, and the same games again as mutants, until somebody would notice.

In: a core with a program that was lowered with marks. Out: what was noted, row by row as `ablating.c` has it, and in
which game a mutant was noticed. Never: says what any of it means.
"""

from __future__ import annotations

import ctypes
from array import array
from typing import NamedTuple

from rulebook.interpreter import random
from rulebook.interpreter.core.door import Core, Table


class Values(NamedTuple):
    """The values that something had: how often it was looked at, a hash of the first, how often another one came, the
    least and the most number, how often it was nothing, and yes, a hash of all in order.
    """

    times: int
    first: int
    differs: int
    least: int
    most: int
    none: int
    yes: int
    sequence: int


class Offers(NamedTuple):
    """The times that something could be picked, that nothing could, that somebody was asked for it."""

    open: int
    shut: int
    asked: int


class Lay(NamedTuple):
    """A pile when somebody is asked first: how often that was, a hash of what lay there and had been drawn from it, how
    often something else, how often there were hidden cards of several sorts; then what was drawn in the last game.
    """

    begun: int
    first: int
    otherwise: int
    hidden: int
    drawn: int
    drawn_first: int
    drawn_others: int
    drawn_hidden: int


MOST_DECISIONS = 1_000_000
"""The decisions of all games of one setting together, for each of which a hash is kept."""


_NUMBERS = "mutant game words mutants is_noting is_other idle idle_before before work"
_ROWS = "reached mattered empty values picks piles games filled used"


class _Watch(ctypes.Structure):
    """`Watch` of `core.h`."""

    _fields_ = [
        *((name, ctypes.c_int64) for name in _NUMBERS.split()),
        *((name, ctypes.c_void_p) for name in _ROWS.split()),
    ]


class Watching:
    """Games of one program; those of a seed, and the seeds that follow. A mutant that answers otherwise has, behind all
    others, the number of the pick.

    `reached` says by mutant how often a game came by it, `mattered` how often it would have changed something there,
    `empty` how often there was nothing to be moved;
    `filled` says where something lay, `used` which cards left the box.
    """

    def __init__(self, core: Core, sites: int, mutants: int, games: int, seed: int) -> None:
        program = core.program
        self.core, self.seed, self.wanted, self.mutants = core, seed, games, mutants
        every, words = mutants + len(core.picks), -(-games // 64)
        self.reached, self.mattered, self.empty = (array("q", bytes(8 * every)) for _ in range(3))
        self._values = array("q", bytes(8 * len(Values._fields) * sites))
        self._picks = array("q", bytes(8 * len(Offers._fields) * len(core.picks)))
        self._piles = array("q", bytes(8 * len(Lay._fields) * len(program.layout.places)))
        self._in_games = array("Q", bytes(8 * words * every))
        self.filled, self.used = array("B", bytes(len(program.layout.places))), array("B", bytes(program.cards))
        rows = (
            self.reached, self.mattered, self.empty, self._values, self._picks, self._piles, self._in_games,
            self.filled, self.used,
        )  # fmt: skip
        self._watch = _Watch(-1, 0, words, mutants, *[0] * 6, *map(_pointer_to, rows))
        core.code.watch_games(core.game, ctypes.addressof(self._watch))
        self._from, self._at = core.load_state(core.start), Table(core)
        self._bots = array("Q", [random.name_hash(f"bot:{seat}") for seat in range(program.players)])
        self._row = array("Q")
        self._begins = array("q", bytes(8 * (games + 1)))
        self._ended = array("q", bytes(8 * 2 * games))
        self.games = 0

    @property
    def work(self) -> int:
        """The work of the games that were played last."""
        return int(self._watch.work)

    def find_values(self, site: int) -> Values:
        """Return what was noted of a value."""
        return Values(*_take_row(self._values, site, len(Values._fields)))

    def find_offers(self, pick: int) -> Offers:
        """Return what was noted of a pick."""
        return Offers(*_take_row(self._picks, pick, len(Offers._fields)))

    def find_lay(self, place: int) -> Lay:
        """Return what was noted of a place."""
        return Lay(*_take_row(self._piles, place, len(Lay._fields)))

    @property
    def endings(self) -> list[tuple[int, int]]:
        """The result of each game, and a mask of its winners."""
        return list(zip(self._ended[: 2 * self.games : 2], self._ended[1 : 2 * self.games : 2], strict=True))

    def follow_games(self, most: int) -> None:
        """Play the games as they are, until so much is done; `games` says how many there are then."""
        self.games = self.core.code.watch_as_they_are(
            self._from.at, self._at.at, self.wanted, self.seed, _pointer_to(self._bots), MOST_DECISIONS,
            *map(_pointer_to, (self._begins, self._ended)), most,
        )  # fmt: skip
        self._row = array("Q", bytes(8 * self._begins[self.games]))

    def is_like(self, other: Watching) -> bool:
        """Tell whether nobody could tell the games of another program from the first ones here."""
        games = other.games
        if games > self.games or self._begins[: games + 1] != other._begins[: games + 1]:
            return False
        rows = [watching._write_row(games) for watching in (self, other)]
        return rows[0] == rows[1] and self.endings[:games] == other.endings

    def _write_row(self, games: int) -> array[int]:
        addresses = map(_pointer_to, (self._bots, self._row, self._begins))
        self.core.code.write_rows(self._from.at, self._at.at, games, self.seed, *addresses)
        return self._row[: self._begins[games]]

    def try_mutant(self, mutant: int) -> None:
        """Play a mutant from now on in this core, whatever game it is."""
        self._watch.mutant, self._watch.is_noting = mutant, 0

    def find_notice(self, mutant: int, sample: int, most: int) -> int | None:
        """Return the first game in which somebody would notice a mutant, of the first ones in which it matters; `games`
        if nobody does in any, None if that was not found out with so much work.
        """
        found = self.core.code.watch_mutant(
            self._from.at, self._at.at, mutant, self.games, sample, self.seed,
            *map(_pointer_to, (self._bots, self._row, self._begins)), most,
        )  # fmt: skip
        return None if found < 0 else int(found)


def _take_row(rows: array[int], number: int, wide: int) -> array[int]:
    return rows[number * wide : (number + 1) * wide]


def _pointer_to(row: array[int]) -> int:
    return row.buffer_info()[0]
