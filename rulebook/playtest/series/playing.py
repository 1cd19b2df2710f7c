"""A series is played, as far as it is wanted and not there already.

No game is used before the ones that come before it, so nothing depends on which process was faster.
"""

from __future__ import annotations

import heapq
from collections.abc import Callable, Generator, Iterator, Sequence
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING

from attrs import define, field

from rulebook.classes import frozen
from rulebook.interpreter import journal
from rulebook.playtest.bots import check_options, check_spec
from rulebook.playtest.coverage import Coverage
from rulebook.playtest.pieces import cut
from rulebook.playtest.series.bulk import Bulk, Ended, Told, each, joined
from rulebook.playtest.series.plan import Plan
from rulebook.playtest.series.record import Played
from rulebook.playtest.series.store import Store
from rulebook.playtest.series.table import PIECE, Pieces, Table, ready
from rulebook.playtest.sharing import in_order
from rulebook.statistics.stopping import Running

if TYPE_CHECKING:
    from rulebook.playtest.series.cluster import Cluster

Progress = Callable[[int, int], None]
"""Called now and then with how many games are played, and how many there will be (of those that are not known, a
guess)."""

MOST_GAMES = 1_000_000
"""The most games of a series that goes on until its intervals are narrow enough."""
MOST_CRASHES = 20
"""The crashed games after which a series that is kept in a file is given up."""


@frozen
class Result:
    """A series that was played. `given_up` says that too many games crashed; `series` is its number in a file, or 0."""

    plan: Plan
    table: Table
    games: int
    running: tuple[Running, ...]
    given_up: bool
    _kept: tuple[Told, ...] = field(repr=False)
    _store: Store | None = field(repr=False)
    series: int = 0

    def told(self) -> Iterator[Told]:
        """The records, in order; many at once where nobody looked at one."""
        if self._store is not None:
            yield from self._store.games(self.series, self.games)
        for one in self._kept:
            if isinstance(one, Bulk):
                yield one.until(self.games)
            elif one.number < self.games:
                yield one

    def played(self) -> Iterator[Played]:
        """The records, in order."""
        return each(self.told())

    def write_save(self, folder: Path, what: str, number: int) -> Path:
        """Write a game, with the number of its series in the name if it is not the first. Raises OSError."""
        series = f"-series-{self.series}" if self.series > 1 else ""
        folder.mkdir(parents=True, exist_ok=True)
        path, saved = folder / f"{what}-{self.plan.seed_of(number)}{series}.jsonl", self.table.save(number)
        journal.write_journal(path, saved.header, saved.entries)
        return path


@define
class _Until:
    """The stopping rule of a series: an interval narrow enough for each seat, or, where bots rotate, for each bot."""

    plan: Plan
    half_width: float | None
    running: tuple[Running, ...] = field(init=False)
    _sums: list[float] = field(init=False)
    _good: bool = field(default=True, init=False)

    def __attrs_post_init__(self) -> None:
        # What two of them win is one number.
        together = self.plan.players if self.plan.players > 2 else 1
        count = 0 if self.half_width is None else self.plan.players
        self.running = tuple(Running(self.half_width or 1.0, together) for _ in range(count))
        self._sums = [0.0] * self.plan.players

    def add(self, number: int, shares: Sequence[float], counts: bool) -> bool:
        """One more game; whether it is enough. Games on one deal are one observation."""
        if not self.running:
            return False
        self._good = self._good and counts
        for seat, share in enumerate(shares):
            self._sums[self.plan.bot_at(number, seat)] += share
        rotations = self.plan.rotations
        if (number + 1) % rotations:
            return False
        if self._good:
            for running, won in zip(self.running, self._sums, strict=True):
                running.add(won / rotations)
        self._sums, self._good = [0.0] * self.plan.players, True
        return all(running.is_narrow for running in self.running)

    def expected(self, most: int) -> int:
        """Estimate how many games there will be."""
        return min(most, max(running.expected for running in self.running) * self.plan.rotations)


def play(
    plan: Plan,
    games: int,
    jobs: int = 1,
    until: float | None = None,
    store: Store | None = None,
    coverage: Coverage | None = None,
    on_progress: Progress | None = None,
    crashes: int = MOST_CRASHES,
    cluster: Cluster | None = None,
    piece: int = PIECE,
) -> Result:
    """Play until there are so many games, or until the interval of what each seat (rotated: each bot) wins reaches no
    further than `until` to each side. It ends too when so many games have crashed. A deal is played in all its
    rotations. A cluster plays instead of `jobs` processes. So many games are handed over at once.

    Raises BadSpec or BadSetup before the first game; Killed, BadCluster.
    """
    for spec in plan.bots:
        check_spec(spec)
    table = Table(plan, coverage, crashes)
    check_options(table.program, plan.bots)
    if coverage is not None:
        coverage.played(table.program.options)
    games = -(-games // plan.rotations) * plan.rotations
    series = 0 if store is None else store.series(plan, table.program)
    there = [] if store is None else store.wins(series, games)
    wanted = _missing([number for number, _, _ in there], games, piece)
    kept: list[Told] = []

    def pieces() -> Iterator[Pieces]:
        if cluster is not None:
            return cluster.in_order(plan, coverage is not None, wanted)
        if jobs > 1:
            return in_order(ready, (plan, coverage is not None, crashes), wanted, jobs)
        return in_order(lambda _: table.here, None, wanted, 1)

    def new() -> Generator[Ended, None, None]:
        for some, counts in pieces():
            if coverage is not None:
                coverage.add(counts)
            if store is None:
                kept.extend([some] if isinstance(some, Bulk) else some)
            else:
                store.add(series, plan, some)
            if isinstance(some, Bulk):
                yield from some.wins()
            else:
                yield from ((one.number, one.shares, one.counts) for one in some)

    rule = _Until(plan, until)
    done = crashed = 0
    known, given_up = False, False
    with closing(new()) as fresh:
        for number, shares, counts in heapq.merge(there, fresh):
            done, crashed = number + 1, crashed + (not counts)
            known, given_up = rule.add(number, shares, counts), crashed == crashes
            if on_progress is not None and (done % piece == 0 or done == games):
                on_progress(done, games if until is None else max(done, rule.expected(games)))
            if known or given_up:
                break
    return Result(plan, table, done, rule.running, given_up, tuple(joined(kept)), store, series)


def _missing(there: list[int], games: int, piece: int) -> list[range]:
    """The numbers that are not there, in pieces."""
    found, start = [], 0
    for number in [*there, games]:
        found += cut(range(start, number), piece)
        start = number + 1
    return found
