"""The door to the core: games and states in C, from Python.

In: a program. Out: `Core`, which makes states of the machine into its own and back, runs them, offers, takes answers,
and plays many games at once. Never: another game than the machine plays.
"""

from __future__ import annotations

import ctypes
from array import array
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cache, cached_property
from itertools import islice
from typing import Any, TypeAlias

from rulebook.classes import frozen
from rulebook.interpreter import random
from rulebook.interpreter.core.encode import LIST, NOTHING, WORD, CannotEncode
from rulebook.interpreter.core.images import find_image
from rulebook.interpreter.core.imagining import Imagining
from rulebook.interpreter.core.library import NoCore, library
from rulebook.interpreter.layout import (
    ALIVE,
    ANSWER,
    CLOCK,
    COUNTS,
    ELIMINATED,
    FACES,
    KNOWN,
    PENDING,
    RESULT,
    SEED,
    STACK,
    WHERE,
)  # fmt: skip
from rulebook.interpreter.machine import Machine
from rulebook.interpreter.op_table import ABSENT
from rulebook.interpreter.program import Pick, Program, Source
from rulebook.interpreter.state import State

__all__ = ["CannotEncode", "CannotPack", "Core", "Log", "NoCore", "Table", "core_of", "unpack_order"]

RESULTS = ("", "win", "rank", "unfinished")
WHY, ENDING, WINNERS, TEAMS, TURNS, ORDER, WORK, SEATS = range(8)
"""The columns of the record of a game: the cause of a stop, its ending, a mask of the winners, turns, the seats in the
order of their first questions (`unpack_order`), units of work; then, by seat, decisions, places and scores."""
ENDLESS, NO_ROOM = 3, 4
"""The causes of a stop of a game that goes round for ever, and of what has too little room, as `core.h` has them."""
BRANCH = 10
"""The numbers in the record of a branch: the number of the game among those that are played, the seat, the option, the
way, the place of the question, the option that came instead, the cause of a stop, a mask of winners, the teams, and the
seat's score.
"""
NEVER, ALWAYS, ONCE = 1, 2, 4
"""Ways in which a seat answers otherwise: never with an option, always where it can, another answer this once."""
BY_OTHERS, AT_RANDOM, GREEDILY, AS_LEARNED, GUESSES, RESTRICTED, HELPING = 0, 1, 2, 3, 4, 8, 16
"""Ways in which a seat answers in a game that the core plays whole; `AS_LEARNED` by what `Imagining.teach` was told.
With `GUESSES` added to one of them, at random where `Imagining.guess_at` was told; with `RESTRICTED` added to one of
the last two, as `Imagining.restrict_answers` was told. With `HELPING` added to `AS_LEARNED` N times, also for the seat
that is N further on."""
Answering = Callable[["Table", int], int]
"""Answers for who is asked at a table, in the game of that number; returns the cause of a stop, or 0."""
_NO_CARD = 65535


class CannotPack(Exception):
    """A state that the core cannot go on from; the sentence says why."""


@cache
def known_ops() -> dict[str, tuple[int, str]]:
    """The ops that the core knows: number and kinds of operands, by name."""
    code, ops = library(), {}
    for number in range(1000):
        name = code.op_name(number).decode()
        if not name:
            break
        ops[name] = number, code.op_kinds(number).decode()
    return ops


def core_of(program: Program) -> Core | str:
    """The core, with a program in it, or why there is none."""
    try:
        return Core(program)
    except (NoCore, CannotEncode) as reason:
        return str(reason)


class Core:
    """One program, loaded into the core."""

    def __init__(self, program: Program) -> None:
        self.program, self.layout, self.code = program, program.layout, library()
        self.image = find_image(program, known_ops())
        self.words, self.numbers = self.image.words, {word: n for n, word in enumerate(self.image.words)}
        numbers = self.image.numbers
        self.game = self.code.open_game(_address(numbers), len(numbers))
        if not self.game:
            raise CannotEncode("The core refuses this program.")
        self.size = self.code.size_of_state(self.game)
        self._work = Table(self)
        self._rows = array("q", bytes(8 * 4096)), array("q", bytes(8 * 4096))
        self.row_of_answers = array("q", bytes(8 * 20_000))
        """The words of the core on one table: every answer has room there."""

    def __del__(self) -> None:
        if getattr(self, "game", None):
            self.code.close_game(self.game)

    # ── states ──

    def load_state(self, state: State, table: Table | None = None) -> Table:
        """A state of the machine as one of the core, in a table that is given or a new one. Raises CannotPack."""
        row, table = self.pack(state), table or Table(self)
        if stopped := self.code.load_state(self.game, table.at, _address(row), len(row)):
            raise CannotPack(f"It is refused: {stopped}.")
        return table

    def observe(self, state: State, seat: int) -> array[int]:
        """Encode what a seat knows of a state, as docs/vector.md says. Raises CannotPack."""
        row = array("q", bytes(8 * self.code.width_of_observation(self.game)))
        if stopped := self.code.observe_table(self.load_state(state, self._work).at, seat, _address(row)):
            raise CannotPack(f"It cannot be looked at: {stopped}.")
        return row

    def pack(self, state: State) -> array[int]:
        """A state as a row of numbers."""
        layout, row = self.layout, array("q", self._pack_head(state))
        row.extend(state[WHERE])
        row.extend(state[FACES])
        row.extend(state[KNOWN])
        for memory in (*layout.memory.values(), *layout.player_memory.values()):
            for owner in range(layout.players if memory.owned_by == "player" else 1):
                row.extend(self._pack_value(state[memory.slot + owner]))
        for changing in layout.states.values():
            for value in state[changing.slot]:
                row.extend(self._pack_value(value))
        for place in layout.places:
            contents = state[place.slot]
            settled = (0, 0) if place.settled is None else state[place.settled]
            if place.kept == "pool":
                row.extend((contents, *settled))
            else:
                empty = layout.empty
                row.extend((len(contents), *settled))
                row.extend([_NO_CARD if card == empty and place.kept == "grid" else card for card in contents])
        row.extend(self._pack_frames(state))
        return row

    def _pack_head(self, state: State) -> Iterator[int]:
        if state[ANSWER] is not None or state[PENDING] == ("chance",):
            raise CannotPack("It waits for an outcome of chance.")
        yield _signed(state[SEED])
        for slot in self.layout.streams:
            times, number = state[slot] or (0, 0)
            yield from (times, _signed(number), _signed(number >> 64))
        yield from state[COUNTS]
        yield state[CLOCK]
        result: tuple[Any, ...] = state[RESULT] or ("",)
        yield RESULTS.index(result[0])
        groups = result[1] if result[0] == "win" else ()
        yield len(groups)
        for seats in groups:
            yield from _prefix_length(seats)
        yield from _prefix_length(state[ALIVE])
        yield len(state[ELIMINATED])
        for seats in state[ELIMINATED]:
            yield from _prefix_length(seats)
        entries = state[PENDING][1] if state[PENDING] is not None and state[PENDING][0] == "ask" else ()
        yield len(entries)
        for seat, number, picks, done in entries:
            yield from (seat, number, int(done), len(picks))
            for value in picks:
                yield from self._pack_value(value)

    def _pack_frames(self, state: State) -> Iterator[int]:
        frames, slot = state[STACK] or (), -1
        yield len(frames)
        for code, pc, *local in frames:
            if code >= len(self.image.offsets):
                raise CannotPack("It runs a script of its own.")
            yield from (code, self.image.offsets[code][pc], slot)
            for value in local:
                yield from self._pack_value(value)
            step = self.program.codes[code].steps[pc - 1] if pc else None
            answers = step["to"] if step is not None and "to" in step.op.operands else None
            slot = -1 if answers is None else answers

    def _pack_value(self, value: Any) -> Iterator[int]:
        if value is None:
            yield NOTHING
        elif isinstance(value, str):
            if value == ABSENT:
                yield NOTHING + 1
            elif value in self.numbers:
                yield WORD + self.numbers[value]
            else:
                raise CannotPack("A text stands in it that the rules do not name.")
        elif isinstance(value, tuple | bytes):
            yield from (LIST, len(value))
            for member in value:
                yield from self._pack_value(member)
        else:
            yield int(value)

    def unpack(self, row: Iterable[int], before: State) -> State:
        """The state that a row tells; `before` is one of the same game."""
        layout, state, numbers = self.layout, before[:], iter(row)

        def take_numbers(count: int) -> list[int]:
            return [*islice(numbers, count)]

        state[SEED] = next(numbers) % 2**64
        for slot in layout.streams:
            times, low, high = take_numbers(3)
            state[slot] = (times, (high % 2**64) << 64 | low % 2**64) if times else None
        state[COUNTS], state[CLOCK] = tuple(take_numbers(layout.players + 1)), next(numbers)
        result, groups = RESULTS[next(numbers)], tuple(tuple(take_numbers(next(numbers))) for _ in range(next(numbers)))
        state[RESULT] = None if not result else ("win", groups) if result == "win" else (result,)
        state[ALIVE] = tuple(take_numbers(next(numbers)))
        state[ELIMINATED] = tuple(tuple(take_numbers(next(numbers))) for _ in range(next(numbers)))
        entries = [self._unpack_entry(numbers) for _ in range(next(numbers))]
        state[PENDING] = ("over",) if result else ("ask", tuple(entries)) if entries else None
        state[WHERE] = type(state[WHERE])(take_numbers(layout.cards))
        state[FACES] = bytes(take_numbers(layout.cards))
        state[KNOWN] = type(state[KNOWN])(take_numbers(layout.cards))
        for memory in (*layout.memory.values(), *layout.player_memory.values()):
            for owner in range(layout.players if memory.owned_by == "player" else 1):
                state[memory.slot + owner] = _of_sort(self._unpack_value(numbers), memory.sort)
        for changing in layout.states.values():
            states = tuple(_of_sort(self._unpack_value(numbers), changing.sort) for _ in range(layout.cards))
            state[changing.slot] = changing.starts if states == changing.starts else states
        for place in layout.places:
            count, first, last = take_numbers(3)
            if place.settled is not None:
                state[place.settled] = (first, last)
            if place.kept == "pool":
                state[place.slot] = count
            else:
                state[place.slot] = layout.pack(
                    [layout.empty if number == _NO_CARD else number for number in take_numbers(count)]
                )
        frames = []
        for _ in range(next(numbers)):
            code, offset, _ = take_numbers(3)
            local = [self._unpack_value(numbers) for _ in range(self.program.codes[code].size)]
            for slot in self.program.codes[code].scratch:
                local[slot] = None
            frames.append((code, self.image.pcs[offset], *local))
        state[STACK] = tuple(frames) or None
        return state

    def _unpack_entry(self, numbers: Iterator[int]) -> tuple[int, int, tuple[Any, ...], bool]:
        seat, number, done, picks = (next(numbers) for _ in range(4))
        return seat, number, tuple(self._unpack_value(numbers) for _ in range(picks)), bool(done)

    def _unpack_value(self, numbers: Iterator[int]) -> Any:
        number = next(numbers)
        if number == LIST:
            return tuple(self._unpack_value(numbers) for _ in range(next(numbers)))
        if number <= NOTHING + 1:
            return None if number == NOTHING else ABSENT
        return self.words[number - WORD] if number >= WORD else number

    # ── games ──

    def play_games(self, seeds: array[int]) -> array[int]:
        """Play whole games with these seeds, between players of which each is `bot:random`; a row of each."""
        results = array("q", bytes(8 * (SEATS + 3 * self.program.players) * len(seeds)))
        self.code.play_games(
            self.begun.at, self._work.at, len(seeds), _address(seeds), _address(self._bots), _address(results)
        )
        return results

    def play_seated(self, seeds: array[int], ways: Sequence[bytes], answer: Answering) -> array[int]:
        """Play whole games with these seeds, in each of which every seat answers in its way: `AT_RANDOM`, `GREEDILY`,
        `AS_LEARNED`, or, `BY_OTHERS`, as `answer` does. A row of each game, as `play_games` has them.
        """
        results = array("q")
        for game, (seed, way) in enumerate(zip(seeds, ways, strict=True)):
            row, stopped = self._begin_game(seed, is_noted=False)
            row[WHY] = stopped or self._play_on(row, way, answer, game)
            results.extend(row)
        return results

    def watch_game(self, seed: int, way: bytes, answer: Answering, plan: array[int] | None = None) -> Log | None:
        """Play one of these games, and with the plan of a count count what is in it; None if it stopped."""
        row, stopped = self._begin_game(seed, is_noted=plan is not None)
        if stopped:
            return None
        first = self._work.machine_state()
        if self._play_on(row, way, answer, 0):
            return None
        counts = None if plan is None else self._count_notes(plan)
        return Log(row[TURNS], unpack_order(row[ORDER]), first, self._work.machine_state(), counts)

    def _count_notes(self, plan: array[int]) -> Counts:
        """Count what was noted of the game that was played; see `counting.c`."""
        sizes = array("q", (0, 0))
        while True:
            told, rest = self._rows
            many = len(told)
            stopped = self.code.count_notes(
                self._work.at, _address(plan), _address(told), _address(rest), many, _address(sizes)
            )
            if not stopped:
                return told[: sizes[0]], rest[: sizes[1]]
            assert stopped == NO_ROOM, "the plan is of this program"
            self._rows = array("q", bytes(8 * 4 * many)), array("q", bytes(8 * 4 * many))

    def _begin_game(self, seed: int, *, is_noted: bool) -> tuple[array[int], int]:
        """Begin a game at the table for work; return a row for what comes of it, and what stopped it, or 0."""
        stopped = self.code.begin_game(
            self._first.at, self._work.at, _address(self._course), seed % 2**64, _address(self._bots),
            _address(self._streams), is_noted,
        )  # fmt: skip
        return array("q", bytes(8 * (SEATS + 3 * self.program.players))), stopped

    def _play_on(self, row: array[int], way: bytes, answer: Answering, game: int) -> int:
        """Play the game that has begun to its end; return what stopped it, or 0."""
        table, here = self._work, self.imagining.here
        course, streams, told = _address(self._course), _address(self._streams), _address(row)
        while True:
            stopped = int(self.code.play_seated(table.at, here, course, way, streams, told))
            if stopped >= 0 or (stopped := answer(table, game)):
                return stopped

    @cached_property
    def _course(self) -> array[int]:
        """The place for how the game that is played stands; see `seated.c`."""
        return array("q", bytes(8 * 3))

    @cached_property
    def _streams(self) -> array[int]:
        """Streams of those who answer at random, as far as these have come."""
        return array("Q", bytes(8 * 3 * self.program.players))

    def bound_work(self, most: int) -> None:
        """Leave games that are played whole where they are when so much has been done in them; see `WORK`."""
        self.code.bound_work(self.game, most)

    def play_after(
        self, table: Table, seeds: array[int], seat: int = -1, numbers: Sequence[int] | None = None
    ) -> array[int]:
        """Play on from a table as `play_games` does, after an answer of a seat, if there is one: the numbers of what is
        offered, None to pass. All chance that is still to come is of the seeds.
        """
        results = array("q", bytes(8 * (SEATS + 3 * self.program.players) * len(seeds)))
        answers, size = array("q", numbers or (0,)), -1 if numbers is None else len(numbers)
        self.code.play_after(
            table.at,
            self._work.at,
            seat,
            _address(answers),
            size,
            len(seeds),
            _address(seeds),
            _address(self._bots),
            _address(results),
        )
        return results

    def play_branches(
        self, seeds: array[int], options: array[int], ways: array[int], room: int
    ) -> tuple[array[int], array[int], array[int]]:
        """Play the same games as `play_games`, and again from each decision on where a seat is to answer otherwise:
        see `restricting.c`, and `playtest.options` for the options. A row of each game, in how many of its decisions
        each option was offered and chosen, and a row of `BRANCH` numbers of each branch.
        """
        results = array("q", bytes(8 * (SEATS + 3 * self.program.players) * len(seeds)))
        noted = array("i", bytes(4 * 2 * len(ways) * len(seeds)))
        while True:
            row = array("q", bytes(8 * room))
            branches = self.code.play_branches(
                self._first.at, self._work.at, self._twig.at, len(seeds), _address(seeds), _address(self._bots),
                _address(options), _address(ways), _address(results), _address(noted), _address(row), room,
            )  # fmt: skip
            if branches >= 0:
                return results, noted, row[: branches * BRANCH]
            noted, room = array("i", bytes(4 * len(noted))), 4 * room

    def read_option(self, numbers: Iterator[int], source: Source) -> Any:
        """Read a value of a source."""
        return _of_sort(self._unpack_value(numbers), source.sort)

    def draw_first_numbers(self, seed: int, names: array[int], bound: int) -> array[int]:
        """The first number below the bound of each stream of a seed; streams by the hashes of their names."""
        first_numbers = array("Q", bytes(8 * len(names)))
        self.code.first_numbers(seed % 2**64, len(names), _address(names), bound, _address(first_numbers))
        return first_numbers

    @cached_property
    def picks(self) -> list[Pick]:
        """All that is chosen, by number."""
        return self.image.list_picks(self.program)

    @cached_property
    def start(self) -> State:
        """A state in which nothing has happened."""
        return Machine(self.program).new_state(0)

    @cached_property
    def imagining(self) -> Imagining:
        """Make the tables that bots imagine, one decision at a time."""
        return Imagining(self)

    def new_table(self, seed: int) -> Table:
        """A game at its first decision."""
        return self.load_state(Machine(self.program).new_state(seed))

    @cached_property
    def _twig(self) -> Table:
        return Table(self)

    @cached_property
    def _first(self) -> Table:
        return self.load_state(self.start)

    @cached_property
    def begun(self) -> Table:
        """A game as far as all go alike: until a random number may be needed, or somebody is asked."""
        table = self.load_state(self.start)
        return self.load_state(self.start) if self.code.begin_state(table.at) else table

    @cached_property
    def _bots(self) -> array[int]:
        """The streams of those who answer."""
        return array("Q", [random.name_hash(f"bot:{seat}") for seat in range(self.program.players)])


Counts: TypeAlias = "tuple[array[int], array[int]]"
"""The counts of a game, and what has no number among its options; as `counting.c` writes them."""


@frozen(eq=False)
class Log:
    """A game of the core as it went: `first` is the state in which somebody is asked first, `last` that in which it is
    over. `counts` are there where a plan was.
    """

    turns: int
    order: tuple[int, ...]
    first: State
    last: State
    counts: Counts | None


class Table:
    """A state in the core."""

    def __init__(self, core: Core) -> None:
        self.core = core
        self._kept = (ctypes.c_char * (core.size + 64))()
        self.at = ctypes.c_void_p(-(-ctypes.addressof(self._kept) // 64) * 64)

    def __del__(self) -> None:
        if getattr(self, "at", None):
            self.core.code.close_state(self.at)

    def advance(self) -> int:
        """Run until somebody is asked, or the game is over; what stopped it, or 0."""
        return int(self.core.code.advance_state(self.at))

    def answer(self, seat: int, numbers: Sequence[int] | None) -> int:
        """Take an answer, by the numbers of what is offered; None is a pass."""
        row = array("q", numbers or (0,))
        return int(self.core.code.take_answer(self.at, seat, _address(row), -1 if numbers is None else len(numbers)))

    def find_asked(self) -> tuple[int, int, int]:
        """Return the seat that is asked (of several the first; -1 if the game is over), the number of its decisions,
        and the number of picks it has made of this one.
        """
        row = self.core.row_of_answers
        return int(self.core.code.who_is_asked(self.at, _address(row))), row[0], row[1]

    def answer_at_random(self, seat: int, stream: array[int]) -> int:
        """Answer as `bot:random` does with such a stream, of which this uses numbers; what stopped it, or 0."""
        return int(self.core.code.answer_at_random(self.at, seat, _address(stream)))

    def machine_state(self) -> State:
        """The state as the machine has it."""
        return self.state(self.core.start)

    def state(self, before: State) -> State:
        """The same, with what does not differ from that of another one of the same game."""
        size = 4096
        while True:
            row = array("q", bytes(8 * size))
            length = self.core.code.store_state(self.at, _address(row), size)
            if length < 0:
                raise CannotPack("It has been stopped.")
            if length:
                return self.core.unpack(row[:length], before)
            size *= 8

    def find_offer(self, seat: int) -> tuple[bool, int, int, bool, bool, tuple[Any, ...]] | None:
        """Return the offer to a seat: whether it may pass, how many are wanted, and the values."""
        size = 4096
        while True:
            row = array("q", bytes(8 * size))
            length = self.core.code.what_is_offered(self.at, seat, _address(row), size)
            if length < 0:
                return None
            if length:
                numbers = iter(row[:length])
                may, least, most, is_set, ordered, count = (next(numbers) for _ in range(6))
                values = tuple(self.core._unpack_value(numbers) for _ in range(count))
                return bool(may), least, most, bool(is_set), bool(ordered), values
            size *= 8


def unpack_teams(packed: int, players: int) -> tuple[int, ...]:
    """The team of each seat, four bits each."""
    return tuple(packed >> 4 * seat & 15 for seat in range(players))


def unpack_order(packed: int) -> tuple[int, ...]:
    """List the seats of which each has four bits, from 1, the first the lowest."""
    seats = []
    while packed:
        seats.append((packed & 15) - 1)
        packed >>= 4
    return tuple(seats)


def _address(row: array[int]) -> ctypes.c_void_p:
    return ctypes.c_void_p(row.buffer_info()[0])


def _signed(number: int) -> int:
    number %= 2**64
    return number - 2**64 if number >= 2**63 else number


def _prefix_length(seats: Sequence[int]) -> tuple[int, ...]:
    return (len(seats), *seats)


@cache
def _is_yes_no(sort: str) -> bool:
    return sort.partition(" by ")[0].endswith("yes_no")


def _of_sort(value: Any, sort: str) -> Any:
    """A value, with yes and no as Python has them."""
    if value is None or not _is_yes_no(sort):
        return value
    return tuple([_of_sort(one, "yes_no") for one in value]) if isinstance(value, tuple) else bool(value)
