"""Very many games between players who answer at random, in C.

In: a program, a state or seeds. Out: what became of each game, and, if somebody wants it, the state in which the last
one ended. Never: another game than the blind tier plays with the same seed; a game that it cannot play is told by what
stopped it, and not counted.
"""

from __future__ import annotations

import ctypes
from array import array
from collections.abc import Sequence

from attrs import frozen

from rulebook.interpreter.machine import Machine
from rulebook.interpreter.native.compiler import NoCompiler, library
from rulebook.interpreter.native.packing import CannotPack, Packing
from rulebook.interpreter.native.paper import CannotPrint
from rulebook.interpreter.native.program import Text, text_of
from rulebook.interpreter.program import Program
from rulebook.interpreter.results import Outcome
from rulebook.interpreter.state import State

__all__ = ["STOPPED", "CannotPack", "Native", "Played", "Unavailable"]

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

    `decisions` counts how often somebody was asked, `trace` is a hash of who was asked, among how many options, and
    what was answered.
    """

    stopped: str
    decisions: int
    trace: int
    outcome: Outcome


class Native:
    """The native tier of one program."""

    def __init__(self, program: Program, text: Text, code: ctypes.CDLL) -> None:
        self.program, self.text, self.packing, self._code = program, text, Packing(text), code
        code.size_of_state.restype = code.size_of_told.restype = code.store_state.restype = ctypes.c_int64
        self._told = code.size_of_told()
        self._rooms = [ctypes.create_string_buffer(code.size_of_state() + 64) for _ in range(2)]
        # A state holds numbers of 16 bytes, which must begin at such an address.
        self._from, self._work = (ctypes.c_void_p(-(-ctypes.addressof(one) // 64) * 64) for one in self._rooms)

    @staticmethod
    def of(program: Program) -> Native | Unavailable:
        """The native tier of a program, or why there is none."""
        try:
            text = text_of(program)
            return Native(program, text, library(text.text))
        except CannotPrint as refused:
            where = "" if refused.at is None else f"{refused.at.span.file.name}:{refused.at.span.line}: "
            return Unavailable(f"{where}There is no C yet for {refused.what}.")
        except NoCompiler as missing:
            return Unavailable(str(missing))

    def rollouts(self, state: State, seeds: Sequence[int]) -> list[Played]:
        """Games from one state to their ends; with each seed, everybody answers with their own random numbers, as
        `bot:random` does in the game with that seed. Raises CannotPack.
        """
        return self._play(state, seeds, whole=False)

    def games(self, seeds: Sequence[int]) -> list[Played]:
        """Whole games with these seeds, between players of which each is `bot:random`."""
        return self._play(Machine(self.program).new_state(0), seeds, whole=True)

    def last_state(self, before: State) -> State:
        """The state in which the last game ended, which began with another one."""
        room = 4096
        while True:
            row = array("q", bytes(8 * room))
            length = self._code.store_state(self._work, _address(row), ctypes.c_int64(room))
            if length:
                return self.packing.state(row[:length], before)
            room *= 4

    def _play(self, state: State, seeds: Sequence[int], whole: bool) -> list[Played]:
        row = self.packing.row(state)
        if stopped := self._code.load_state(self._from, _address(row), ctypes.c_int64(len(row))):
            raise CannotPack(STOPPED[stopped])
        given, told = array("Q", [seed % 2**64 for seed in seeds]), array("q", bytes(8 * self._told * len(seeds)))
        count = ctypes.c_int64(len(seeds))
        self._code.play_games(self._from, self._work, count, _address(given), int(whole), _address(told))
        return [self._played(told[at : at + self._told]) for at in range(0, len(told), self._told)]

    def _played(self, told: Sequence[int]) -> Played:
        stopped, decisions, trace, finished, won, _, *rest = told
        players = self.program.players
        places, scores = tuple(rest[:players]), tuple(rest[players:])
        payoffs = scores
        if self.program.payoff is None:
            payoffs = tuple(sum((other > mine) - (other < mine) for other in places) for mine in places)
        winners = tuple(seat for seat in range(players) if won >> seat & 1)
        found = Outcome(bool(finished), places, winners, scores, payoffs)
        return Played(STOPPED[stopped], decisions, trace % 2**64, found)


def _address(row: array[int]) -> ctypes.c_void_p:
    return ctypes.c_void_p(row.buffer_info()[0])
