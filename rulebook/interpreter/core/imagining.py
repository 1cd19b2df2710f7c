"""Tables in the core that a seat could not tell from the true one, and games there, for bots that think.

In: a table of the core, the seat that is asked there, seeds. Out: marks of answers (whole numbers that are equal where
seats could not tell two answers apart), how games go on after them, and which true answer one of them means. Never:
says anything of the true table that the seat does not know, or another thing than `determinize` and the machine would.
"""

from __future__ import annotations

import struct
from array import array
from collections.abc import Sequence
from functools import cached_property
from itertools import chain
from typing import TYPE_CHECKING

from attrs import astuple

from rulebook.classes import frozen
from rulebook.interpreter import random
from rulebook.interpreter.core.learning import make_plan
from rulebook.interpreter.features import find_features

if TYPE_CHECKING:
    from rulebook.interpreter.core.door import Core, Table

__all__ = ["SEARCH", "STREAM", "Ended", "Imagining", "Manner", "Outlook", "Stopped"]

NO_TABLE = 11
"""The answer of the core where it found no table."""

STREAM = "imagined"
"""The name of the stream that a table is drawn with."""

SEARCH = "search"
"""The name of the stream that a tree is searched with."""

PLAYS = "plays"
"""The name of the stream from which it is drawn which of those who learned plays for a seat."""

STREAMS = ("thinks", "again", "at random", PLAYS)
"""The names of the streams of a seat that thinks, as `open_imagining` takes them."""

Told = tuple[int, int, list[int]]
"""A question at an imagined table: the seat, the key of its information state, and the marks of its answers."""


@frozen
class Ended:
    """The payoff of a seat in a game that is over, and by how far it is ahead of the best of the others."""

    payoff: float
    lead: float


Outlook = Sequence[int] | Ended
"""The features of a table that are not 0, each with its number; or the end of a game."""


@frozen
class Manner:
    """The settings of a search.

    `games` are played at random from each leaf where a game leaves the tree; there, so many answers `ahead` for each
    player, they are cut and judged by how they stand. `curiosity` is the exploration constant of UCB, in standard
    deviations of what games were worth, `margin` the weight of the lead in scores beside the lead in places.
    """

    games: int
    ahead: int
    curiosity: float
    margin: float


class Stopped(Exception):
    """The core cannot go on; the machine can, or says what is wrong."""


class Imagining:
    """One decision after the other, each of one seat at a true table."""

    def __init__(self, core: Core) -> None:
        players = core.program.players
        streams = [f"bot:{seat}" for seat in range(players)]
        thinking = [f"{name}:{stream}" for stream in STREAMS for name in streams]
        names = array("Q", map(random.name_hash, [STREAM, *streams, *thinking]))
        self._core = core
        self.code, self.players, self._row = core.code, players, core.row_of_answers
        self._program = core.program
        self.here = core.code.open_imagining(core.game, names.buffer_info()[0], self._row.buffer_info()[0])
        self._tree = core.code.open_search()
        if not self.here or not self._tree:
            raise MemoryError

    def __del__(self) -> None:
        if getattr(self, "here", None):
            self.code.close_imagining(self.here)
        if getattr(self, "_tree", None):
            self.code.close_search(self._tree)

    def begin(self, table: Table, seat: int, seed: int, at_random: bool) -> list[int]:
        """Imagine a first table, and say which answers there are; of many sets some, or one answer at random."""
        self._raise_if_stopped(self.code.imagine_first(self.here, table.at, seat, seed, at_random))
        return self._read_marks(0)

    def is_drawn(self) -> bool:
        """Tell whether the first table has these answers, so that they may be rated there."""
        return bool(self.code.has_answers(self.here))

    def keep(self, numbers: Sequence[int]) -> None:
        """Think only of these answers of those that there were at first; the numbers rise."""
        row = array("q", numbers)
        self.code.keep_answers(self.here, row.buffer_info()[0], len(row))

    def draw(self, seed: int) -> list[int] | None:
        """Imagine another table, and say which of the answers may be given there; None if none was found."""
        return self._read_marks(0) if self._imagine(seed, 0) else None

    def draw_number(self, seed: int) -> int | None:
        """Imagine another table, and say only what tells it from others; None if none was found."""
        return self._row[0] if self._imagine(seed, 1) else None

    def _imagine(self, seed: int, tells_apart: int) -> bool:
        stopped = self.code.imagine_next(self.here, seed, tells_apart)
        if stopped == NO_TABLE:
            return False
        self._raise_if_stopped(stopped)
        return True

    def true_answer(self, number: int) -> list[int] | None:
        """Say what an answer of those that there were at first means in truth, by the numbers of what is offered there;
        None is a pass.
        """
        self._raise_if_stopped(self.code.find_true_answer(self.here, number))
        size = self._row[0]
        if size < -1:
            raise Stopped
        return None if size < 0 else self._row[1 : 1 + size].tolist()

    def rate(self, number: int) -> tuple[int, int]:
        """Say how the seat stands after an answer at the table: what it would get, and how far it is ahead."""
        self._raise_if_stopped(self.code.rate_answer(self.here, number))
        return self._row[0], self._row[1]

    def look_on(self, number: int) -> Outlook:
        """Say which features the table has when the seat is asked again after an answer; or how the game ended before
        that.
        """
        self._raise_if_stopped(self.code.look_on(self.here, self._plan.buffer_info()[0], number))
        row = self._row
        return Ended(row[1], row[2]) if row[0] else row[2 : 2 + 2 * row[1]]

    def weigh_answer(self, number: int, weights: array[int], scale: array[int], seats: Sequence[int]) -> int:
        """Say what that table is worth by these weights, or the end of the game by that scale, to some seats together.
        """
        told = (self._plan.buffer_info()[0], weights.buffer_info()[0], scale.buffer_info()[0])
        mask = sum(1 << seat for seat in seats)
        self._raise_if_stopped(self.code.value_answer(self.here, *told, number, mask))
        return self._row[0]

    def teach(self, weights: Sequence[array[int]], scales: Sequence[array[int]], tables: int) -> None:
        """Let seats that answer `AS_LEARNED` go by these weights and this scale, those of a member at random, and look
        at so many tables."""
        rows = [array("q", chain.from_iterable(one)) for one in (weights, scales)]
        self._learned = rows  # the core does not keep them
        told = [row.buffer_info()[0] for row in (self._plan, *rows)]
        self.code.teach(self.here, *told, len(weights), tables)

    def note_stakes(self, picks: int) -> array[int]:
        """Note from now on, by pick, in how many decisions of seats that answer `AS_LEARNED` there was something to
        weigh, and by how much the best answers were worth more than any, together; with no picks nothing."""
        self._stakes = array("q", bytes(16 * picks))  # the core does not keep them
        self.code.note_stakes(self.here, self._stakes.buffer_info()[0] if picks else None)
        return self._stakes

    def guess_at(self, picks: bytes) -> None:
        """Let seats that answer with `GUESSES` do so at random at the picks that are marked."""
        self._guessed = array("B", picks)
        self.code.guess_at(self.here, self._guessed.buffer_info()[0])

    def restrict_answers(self, option: array[int], *, always: bool) -> None:
        """Let seats that answer with `RESTRICTED` do so always, or never, with an option, as `OptionTable.pack` has it
        alone."""
        self._restricted = option  # the core does not keep it
        self.code.restrict_answers(self.here, option.buffer_info()[0], always)

    def play(self, number: int) -> list[int]:
        """Say what each seat gets if the game goes on at random after an answer at the table."""
        self._raise_if_stopped(self.code.play_answer(self.here, number))
        return self._row[: self.players].tolist()

    def give(self, number: int) -> None:
        """Give an answer at the table, for whoever is asked."""
        self._raise_if_stopped(self.code.give_imagined(self.here, number, 0))

    def give_and_look(self, number: int) -> Told | None:
        """The same, and say who is asked next; None if the game is over."""
        self._raise_if_stopped(self.code.give_imagined(self.here, number, 1))
        seat = self._row[0]
        return None if seat < 0 else (seat, self._row[1], self._read_marks(2))

    def play_on(self, games: int, most: int) -> tuple[list[int], list[int]]:
        """Play on at random from the table, in each game so many answers at most: what each seat gets, and how far each
        is ahead, in all games together.
        """
        self._raise_if_stopped(self.code.play_imagined(self.here, games, most))
        return self._row[: self.players].tolist(), self._row[self.players : 2 * self.players].tolist()

    def solve(self, seed: int, most: int) -> list[int] | None:
        """Find the best answers exactly, by their numbers, looking at so many tables at most; none where too much is
        left, None where something is hidden or chance decides.
        """
        found = self.code.solve_table(self.here, seed, most)
        return self._row[:found].tolist() if found > 0 else [] if found else None

    @cached_property
    def _plan(self) -> array[int]:
        return make_plan(find_features(self._program), self._core)

    def begin_search(self, manner: Manner, halves: tuple[int, int], most: int) -> None:
        """Begin to search a tree, at so many tables at most, with a stream of which these are the halves."""
        numbers, stream = struct.pack("qqdd", *astuple(manner)), array("Q", halves)
        self.code.begin_search(self._tree, numbers, stream.buffer_info()[0], most)

    def search_on(self, tables: int) -> tuple[bool, int | None]:
        """Search at so many tables more: whether there are more to come, and the best answer so far, by its number."""
        self._raise_if_stopped(self.code.search_on(self._tree, self.here, tables))
        return bool(self._row[0]), None if self._row[1] < 0 else self._row[1]

    def copy_to(self, table: Table) -> None:
        """Make another table as the imagined one is."""
        self.code.copy_state(table.at, self.code.imagined_table(self.here))

    def _read_marks(self, at: int) -> list[int]:
        return self._row[at + 1 : at + 1 + self._row[at]].tolist()

    def _raise_if_stopped(self, stopped: int) -> None:
        if stopped:
            raise Stopped
