"""Many games at once for programs that learn: a decision of each in one call of the core.

In: a program, how many games. Out: arrays of whole numbers that are written anew by each
call. Never: tells a seat what it could not know at the table. docs/vector.md says what the numbers mean.
"""

from __future__ import annotations

from array import array
from collections.abc import Sequence

from rulebook.interpreter.core.door import Core, Table, core_of
from rulebook.interpreter.core.library import NoCore
from rulebook.interpreter.layout import CLOCK
from rulebook.interpreter.machine import Machine
from rulebook.interpreter.program import Program
from rulebook.interpreter.random import Source, name_hash
from rulebook.interpreter.state import State
from rulebook.playtest.bots.by_machine import answers as legal_answers
from rulebook.playtest.bots.by_machine import keys_of

__all__ = ["OVER", "STOPPED", "VERSION", "Games"]

VERSION = 1
"""The version of the numbers' meaning; it rises when one of them comes to mean something else."""

OVER, STOPPED = -1, -2
"""Instead of a seat: the game is over, or the rules went wrong in it."""

_STREAM = "answers"
"""The name of the stream of random numbers with which some of very many sets are drawn."""


class Games:
    """Games with the same rules, each at its own decision.

    seats         of each game the seat that is asked, OVER or STOPPED
    questions     which question of the rules it is asked
    counts        how many answers there are: 0, 1, … below that are legal
    marks         games × answers: numbers that are equal where answers mean the same
    mask          games × answers: 1 for each legal answer, as bytes
    payoffs       games × players: what each seat got when the game was over, else 0
    observations  games × width: what the seat that is asked knows
    """

    def __init__(self, program: Program, n: int, *, answers: int = 256, observe: bool = True) -> None:
        core = core_of(program)
        if not isinstance(core, Core):
            raise NoCore(core)
        if n < 1 or answers < 2:
            raise ValueError("At least one game, and two answers, are needed.")
        self.program, self.core, self.n, self.answers, self._code = program, core, n, answers, core.code
        self.width = int(self._code.width_of_observation(core.game))
        self._seats, self._questions, self._counts = (array("q", bytes(8 * n)) for _ in range(3))
        self._payoffs = array("q", bytes(8 * n * program.players))
        self._marks, self._observations = array("q", bytes(8 * n * answers)), array("q", bytes(8 * n * self.width))
        wanted = self._observations if observe else None
        buffers = (self._seats, self._questions, self._counts, self._payoffs, self._marks, wanted)
        rows = array("q", [0 if buffer is None else buffer.buffer_info()[0] for buffer in buffers])
        name = name_hash(_STREAM)
        self._here = self._code.open_vector(core.game, n, answers, name, rows.buffer_info()[0])
        if not self._here:
            raise MemoryError
        self.seats, self.questions = memoryview(self._seats), memoryview(self._questions)
        self.counts = memoryview(self._counts)
        self.marks = _shape_row(self._marks, n, answers)
        self.payoffs = _shape_row(self._payoffs, n, program.players)
        self.observations = _shape_row(self._observations, n, self.width)

    def __del__(self) -> None:
        if getattr(self, "_here", None):
            self._code.close_vector(self._here)

    def reset(self, seeds: Sequence[int], games: Sequence[int] | None = None) -> None:
        """Begin these games anew, or all; each with its own seed."""
        for game, seed in zip(range(self.n) if games is None else games, seeds, strict=True):
            if not 0 <= game < self.n:
                raise IndexError(f"There is no game {game}.")
            self._code.begin_in_vector(self._here, game, self.core.begun.at, seed % 2**64)

    def step(self, answers: Sequence[int]) -> None:
        """Answer in each game by number, and go on to its next decision; -1 leaves a game where it is."""
        numbers = answers if isinstance(answers, array) and answers.typecode == "q" else array("q", answers)
        if len(numbers) != self.n:
            raise ValueError(f"{self.n} answers are needed, one for each game.")
        wrong = self._code.step_vector(self._here, numbers.buffer_info()[0])
        if wrong >= 0:
            raise ValueError(f"Game {wrong} has {self.counts[wrong]} answers, and no number {numbers[wrong]}.")

    @property
    def mask(self) -> memoryview:
        """The legal answers, as bytes."""
        rows = (b"\1" * count + bytes(self.answers - count) for count in self._counts)
        return memoryview(b"".join(rows)).cast("B", (self.n, self.answers))

    def observe(self, game: int, seat: int) -> array[int]:
        """Encode what a seat knows in one of the games, whoever is asked there. Raises ValueError."""
        row = array("q", bytes(8 * self.width))
        if not (0 <= game < self.n and 0 <= seat < self.program.players) or self._code.observe_table(
            self._code.game_of_vector(self._here, game), seat, row.buffer_info()[0]
        ):
            raise ValueError(f"There is no game {game} that seat {seat} could look at.")
        return row

    def state(self, game: int) -> State:
        """Return the state of a game as the machine has it: the whole truth."""
        table = Table(self.core)
        self._code.copy_state(table.at, self._code.game_of_vector(self._here, game))
        return table.machine_state()

    def put(self, game: int, state: State) -> None:
        """Make one of the games as a state of the machine is."""
        table = self.core.load_state(state)
        self._code.copy_state(self._code.game_of_vector(self._here, game), table.at)
        self._code.look_in_vector(self._here, game)

    def keys(self, game: int) -> list[tuple[str, ...]]:
        """Return the answers of a game as keys of its options, in the order of their numbers."""
        state = self.state(game)
        pick = Machine(self.program).find_choices(state, self.seats[game])
        return [keys_of(pick, value) for value in legal_answers(pick, Source(state[CLOCK], _STREAM).below).values()]


def _shape_row(numbers: array[int], *shape: int) -> memoryview:
    return memoryview(numbers).cast("B").cast("q", shape)
