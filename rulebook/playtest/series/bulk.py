"""Many games as the core tells them: rows of one array, of which nothing is made until somebody looks at a game."""

from __future__ import annotations

from array import array
from collections import Counter
from collections.abc import Iterable, Iterator
from functools import cached_property
from itertools import groupby, repeat
from typing import TypeAlias, cast

from rulebook.interpreter.core.door import ENDING, ORDER, SEATS, TEAMS, TURNS, WINNERS, unpack_order, unpack_teams
from rulebook.interpreter.results import count_teams, find_margin, find_shares
from rulebook.playtest.series.record import RANKED, STOPPED, WON, Played

_ENDINGS = ("", WON, RANKED, STOPPED)
"""In the order of `RESULTS`."""

Ended: TypeAlias = tuple[int, tuple[float, ...], bool]
"""The number of a game, what each seat won, and whether it counts."""


class Bulk:
    """Games that nobody watched."""

    def __init__(self, players: int, first: int, seeds: array[int], told: array[int]) -> None:
        self.players, self.first, self.seeds, self.told = players, first, seeds, told
        self.width = SEATS + 3 * players

    def __len__(self) -> int:
        return len(self.seeds)

    def __iter__(self) -> Iterator[Played]:
        players = self.players
        for at, seed in enumerate(self.seeds):
            row = self.told[at * self.width :][: self.width]
            decisions, places, scores = (tuple(row[SEATS + players * part :][:players]) for part in range(3))
            yield Played(
                number=self.first + at,
                seed=seed,
                ending=_ENDINGS[row[ENDING]],
                winners=seats_of(row[WINNERS]),
                teams=unpack_teams(row[TEAMS], players),
                places=places,
                scores=scores,
                decisions=decisions,
                turns=row[TURNS],
                order=unpack_order(row[ORDER]),
            )

    def until(self, number: int) -> Bulk:
        """The games below a number."""
        many = max(0, number - self.first)
        return (
            self
            if many >= len(self)
            else Bulk(self.players, self.first, self.seeds[:many], self.told[: many * self.width])
        )

    def wins(self) -> Iterator[Ended]:
        """Yield the number of each game, what each seat won, and True: every game here counts."""
        return zip(range(self.first, self.first + len(self)), self._shares, repeat(True), strict=False)

    @cached_property
    def _shares(self) -> list[tuple[float, ...]]:
        """The share of each game that each seat won."""
        pairs = [*zip(self.column(WINNERS), self.column(TEAMS), strict=True)]
        known = {pair: find_shares(seats_of(pair[0]), unpack_teams(pair[1], self.players)) for pair in set(pairs)}
        return [known[pair] for pair in pairs]

    def column(self, at: int) -> array[int]:
        """One number of each game."""
        return self.told[at :: self.width]

    def endings(self) -> list[str]:
        """The ending of each game."""
        return [_ENDINGS[ending] for ending in self.column(ENDING)]

    def shared(self) -> int:
        """The number of games that several teams won."""
        pairs = Counter(zip(self.column(WINNERS), self.column(TEAMS), strict=True)).items()
        return sum(times for pair, times in pairs if self._count_winning(*pair) > 1)

    def winning(self) -> Iterator[int]:
        """Yield how many teams won each game."""
        return map(self._count_winning, self.column(WINNERS), self.column(TEAMS))

    def tell_tied(self) -> Iterator[bool]:
        """Yield of each game whether no team won alone, though there are several."""
        for winning, teams in zip(self.winning(), self.column(TEAMS), strict=True):
            yield winning != 1 and teams != 0

    def _count_winning(self, mask: int, teams: int) -> int:
        return count_teams(seats_of(mask), unpack_teams(teams, self.players))

    def decisions(self, seat: int) -> array[int]:
        """Return how often a seat was asked in each game."""
        return self.column(SEATS + seat)

    def scores(self, seat: int) -> array[int]:
        return self.column(SEATS + 2 * self.players + seat)

    def payoffs(self, are_judged: bool) -> Iterable[tuple[int, ...]]:
        """The scores of each game by seat, where they are payoffs; else nothing of each."""
        return zip(*map(self.scores, range(self.players)), strict=True) if are_judged else repeat((), len(self))

    @property
    def is_balanced(self) -> bool:
        """Tell whether the points of each game that came to its end add up to nothing."""
        endings = zip(self.points(), self.endings(), strict=True)
        return not any(total for total, ending in endings if ending != STOPPED)

    def points(self) -> Iterator[int]:
        """The points of all players together."""
        return map(sum, zip(*map(self.scores, range(self.players)), strict=True))

    @cached_property
    def lengths(self) -> array[int]:
        """The number of decisions."""
        return array("q", map(sum, zip(*map(self.decisions, range(self.players)), strict=True)))

    @cached_property
    def margins(self) -> array[int]:
        """By how many points the first is ahead of the second."""
        if self.players == 1:
            return array("q", bytes(8 * len(self)))
        rows, packed = zip(*map(self.scores, range(self.players)), strict=True), self.column(TEAMS)
        teams = {one: unpack_teams(one, self.players) for one in set(packed)}
        return array("q", [find_margin(scores, teams[one]) for scores, one in zip(rows, packed, strict=True)])

    def shares(self, seat: int) -> Iterator[float]:
        """Yield the share of the win of a seat."""
        return (shares[seat] for shares in self._shares)


Told: TypeAlias = "Played | Bulk"
"""The record of one game, or of many in columns."""


def each(told: Iterable[Told]) -> Iterator[Played]:
    """Yield each game by itself."""
    for one in told:
        if isinstance(one, Bulk):
            yield from one
        else:
            yield one


def joined(told: Iterable[Told]) -> Iterator[Told]:
    """The same, where games in bulk that follow each other are one bulk."""
    for kind, several in groupby(told, type):
        if kind is not Bulk:
            yield from several
            continue
        first, *others = cast("list[Bulk]", list(several))
        seeds, rows = first.seeds[:], first.told[:]
        for one in others:
            seeds.extend(one.seeds)
            rows.extend(one.told)
        yield Bulk(first.players, first.first, seeds, rows)


def seats_of(mask: int) -> tuple[int, ...]:
    return tuple(seat for seat in range(mask.bit_length()) if mask >> seat & 1)
