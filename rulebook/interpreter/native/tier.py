"""Very many games between players who answer at random, in C.

In: a program, a state or seeds. Out: what became of each game, and, if somebody wants it, the state in which the last
one ended. Never: another game than the blind tier plays with the same seed; a game that it cannot play is told by what
stopped it, and not counted.
"""

from __future__ import annotations

import ctypes
from array import array
from collections.abc import Callable, Sequence
from typing import overload

from attrs import frozen

from rulebook.interpreter.machine import Machine
from rulebook.interpreter.native.compiler import NoCompiler, library
from rulebook.interpreter.native.packing import RESULTS, CannotPack, Packing, address
from rulebook.interpreter.native.paper import CannotPrint
from rulebook.interpreter.native.program import Text, text_of
from rulebook.interpreter.program import Program
from rulebook.interpreter.results import Outcome
from rulebook.interpreter.state import State

__all__ = ["STOPPED", "CannotPack", "Games", "Native", "Played", "Unavailable"]

STOPPED = (
    "",
    "a list is too long",
    "a number is too large",
    "the rules go on for ever",
    "there is no room for a card",
    "a number is divided by 0",
    "a number leaves its range",
    "its lists need too much room",
    "somebody is asked who is not there",
    "a stage ends in which the game is not",
    "something is where it cannot be",
)
"""What may stop a game, as the engine numbers it."""


@frozen
class Unavailable:
    """Why there is no native tier for a program: `reason` is a sentence."""

    reason: str


@frozen
class Played:
    """One game. `stopped` says why it came to no end here, and is empty if it did; the rest is good only then.

    `decisions` counts, by seat, how often somebody was asked; `turns` how often somebody else answered than before;
    `trace` is a hash of who answered, among how many options, and what. `ending` is as a state has its result.
    """

    stopped: str
    ending: str
    decisions: tuple[int, ...]
    turns: int
    trace: int
    outcome: Outcome


class Games(Sequence[Played]):
    """Games in their order, each of which is put together when somebody asks for it."""

    def __init__(self, program: Program, told: array[int], width: int) -> None:
        self._program, self._told, self._width = program, told, width

    def __len__(self) -> int:
        return len(self._told) // self._width

    @overload
    def __getitem__(self, at: int) -> Played: ...
    @overload
    def __getitem__(self, at: slice) -> list[Played]: ...
    def __getitem__(self, at: int | slice) -> Played | list[Played]:
        if isinstance(at, slice):
            return [self[one] for one in range(*at.indices(len(self)))]
        first = range(len(self))[at] * self._width
        why, trace, ending, won, turns, *seats = self._told[first : first + self._width]
        players = self._program.players
        decisions, places, scores = (tuple(seats[part * players :][:players]) for part in range(3))
        payoffs = scores
        if self._program.payoff is None:
            payoffs = tuple(sum((other > mine) - (other < mine) for other in places) for mine in places)
        winners = tuple(seat for seat in range(players) if won >> seat & 1)
        word = RESULTS[ending]
        found = Outcome(word not in ("", "unfinished"), places, winners, scores, payoffs)
        return Played(STOPPED[why], word, decisions, turns, trace % 2**64, found)


class Room:
    """Memory for one state of C. A state holds numbers of 16 bytes, which must begin at such an address."""

    def __init__(self, size: int) -> None:
        self._kept = ctypes.create_string_buffer(size + 64)
        self.at = ctypes.c_void_p(-(-ctypes.addressof(self._kept) // 64) * 64)


class Native:
    """The native tier of one program."""

    def __init__(self, program: Program, text: Text, code: ctypes.CDLL) -> None:
        self.program, self.text, self.packing, self.code = program, text, Packing(text), code
        code.size_of_state.restype = code.size_of_told.restype = ctypes.c_int64
        code.store_state.restype = code.what_is_offered.restype = ctypes.c_int64
        self._told, self._size = code.size_of_told(), code.size_of_state()
        self._from, self._work = self.room(), self.room()

    @staticmethod
    def of(program: Program) -> Native | Unavailable:
        """The native tier of a program, or why there is none."""
        try:
            text = text_of(program)
            return Native(program, text, library(text.text))
        except CannotPrint as refused:
            where = "" if refused.at is None else f" ({refused.at.span.file.name}:{refused.at.span.line})"
            return Unavailable(f"There is no C yet for {refused.what}{where}.")
        except NoCompiler as missing:
            return Unavailable(str(missing))

    # ── games ──

    def rollouts(self, state: State, seeds: Sequence[int]) -> Games:
        """Games from one state to their ends; with each seed, everybody answers with their own random numbers, as
        `bot:random` does in the game with that seed. Raises CannotPack.
        """
        self.load(state, self._from)
        return self.played_from(self._from, seeds, whole=False)

    def games(self, seeds: Sequence[int]) -> Games:
        """Whole games with these seeds, between players of which each is `bot:random`."""
        self.load(Machine(self.program).new_state(0), self._from)
        return self.played_from(self._from, seeds, whole=True)

    def last_state(self, before: State) -> State:
        """The state in which the last game ended, which began with another one."""
        return self.packing.state(self.row_of(self.code.store_state, self._work), before)

    # ── for walks ──

    def room(self) -> Room:
        """Memory for one state."""
        return Room(self._size)

    def load(self, state: State, room: Room) -> None:
        """A state of Python into memory. Raises CannotPack."""
        row = self.packing.row(state)
        if stopped := self.code.load_state(room.at, address(row), ctypes.c_int64(len(row))):
            raise CannotPack(self.reason(stopped))

    def played_from(self, room: Room, seeds: Sequence[int], whole: bool) -> Games:
        """Games from one state in memory; if they are whole games, the seeds are theirs too."""
        given, told = array("Q", [seed % 2**64 for seed in seeds]), array("q", bytes(8 * self._told * len(seeds)))
        count = ctypes.c_int64(len(seeds))
        self.code.play_games(room.at, self._work.at, count, address(given), int(whole), address(told))
        return Games(self.program, told, self._told)

    def row_of(self, write: Callable[..., int], room: Room, may_be_empty: bool = False) -> array[int]:
        """What the engine writes about a state in memory."""
        size = 4096
        while True:
            row = array("q", bytes(8 * size))
            length = write(room.at, address(row), ctypes.c_int64(size))
            if length or (may_be_empty and size > 4096):
                return row[:length]
            size *= 8

    @staticmethod
    def reason(stopped: int) -> str:
        """Why a game came to no end."""
        return STOPPED[stopped]
