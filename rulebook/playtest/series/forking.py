"""True games of a series, stopped at decisions and played on from there at random, as often as wanted.

In: a table of a series, the number of a game, at which decisions to stop. Out: at each stop who is asked, and what came
of games that went on from there, with or without a certain answer. Never: for who plays, because the true table says
what nobody may know. Cards lie as they lie; chance that is still to come, and answers, are drawn anew each time.
"""

from __future__ import annotations

from array import array
from collections.abc import Callable, Collection, Iterator, Sequence
from contextlib import suppress
from functools import partial
from typing import Generic, TypeVar

from rulebook.classes import frozen
from rulebook.interpreter.core.door import WHY, CannotPack, Core
from rulebook.interpreter.core.door import Table as CoreTable
from rulebook.interpreter.core.imagining import Stopped
from rulebook.interpreter.layout import COUNTS, SEED
from rulebook.interpreter.machine import Machine
from rulebook.interpreter.ops.asking import MOST_ANSWERS
from rulebook.interpreter.program import Program
from rulebook.interpreter.random import Source
from rulebook.interpreter.results import find_outcome, find_shares
from rulebook.interpreter.state import State
from rulebook.playtest.bots import Bot, make_bot
from rulebook.playtest.bots.by_machine import play_on
from rulebook.playtest.series.bulk import Bulk
from rulebook.playtest.series.table import Table

T = TypeVar("T")
Shares = tuple[float, ...]
"""Shares of the win, by seat; they add up to 1."""
Given = tuple[int, list[int] | None]
"""A seat, and the numbers of what it answers among what it is offered; None is to pass."""
PlayOn = Callable[["array[int]", Given | None], list[Shares]]
Wanted = Callable[[int], Collection[int]]
"""Says of a game of so many decisions at which it stops."""

_SEEDS = 1 << 62


@frozen(eq=False)
class Stop:
    """A decision of a game, `at` so many of them. `play_on` plays a game with each seed, after an answer if one is
    given, and says who won; `find_state` makes the state of the machine.
    """

    at: int
    seat: int
    play_on: PlayOn
    find_state: Callable[[], State]


@frozen
class Visit(Generic[T]):
    """A game that was played with a look at each of its stops: its number of decisions, the looks, the shares.

    Who picks several things one after the other makes one decision; a stop is before the first of them.
    """

    decisions: int
    seen: list[T]
    shares: Shares
    is_finished: bool


def draw_seeds(seed: int, name: str, many: int) -> array[int]:
    """Seeds for games that go on, from a stream of that name."""
    below = Source(seed, name).below
    return array("Q", [below(_SEEDS) for _ in range(many)])


def visit(table: Table, number: int, wanted: Wanted, look: Callable[[Stop], T]) -> Visit[T]:
    """Look at the stops of a game; in the core, or where that cannot go on, all by the machine. Raises RuleError."""
    if table.core is not None:
        with suppress(Stopped, CannotPack):
            return _visit_in_core(table, table.core, number, wanted, look)
    return _visit_machine(table, number, wanted, look)


def stop_at(table: Table, state: State, at: int, seat: int) -> Stop:
    """Make a stop of a state of the machine."""
    loaded = None
    if table.core is not None:
        with suppress(CannotPack):
            loaded = table.core.load_state(state)

    def go_on(seeds: array[int], given: Given | None = None) -> list[Shares]:
        if loaded is not None:
            with suppress(Stopped):
                return _play_in_core(loaded, seeds, given)
        return _play_machine(table.machine, state, seeds, given)

    return Stop(at, seat, go_on, state.copy)


# ── in the core ──────────────────────────────────────────────────────────────────────────────────────────────────────


class _Noting(CoreTable):
    """A table that notes which answer was given last, if it was told."""

    def __init__(self, core: Core) -> None:
        super().__init__(core)
        self.noted: Given | None = None

    def answer(self, seat: int, numbers: Sequence[int] | None) -> int:
        self.noted = seat, None if numbers is None else list(numbers)
        return super().answer(seat, numbers)


def _visit_in_core(table: Table, core: Core, number: int, wanted: Wanted, look: Callable[[Stop], T]) -> Visit[T]:
    # How long it is shows when it is over. Then it is played again; who has thought need not do it twice.
    thought, begun = list[Given | None](), list[bool]()

    def note(game: _Noting, seat: int, is_first: bool) -> None:
        thought.append(game.noted)
        begun.append(is_first)

    over = _walk(table, core, number, None, note)
    stops, seen, at = wanted(sum(begun)), list[T](), 0

    def pause(game: _Noting, seat: int, is_first: bool) -> None:
        nonlocal at
        if is_first and at in stops:
            seen.append(look(Stop(at, seat, partial(_play_in_core, game), game.machine_state)))
        at += is_first

    _walk(table, core, number, thought, pause)
    return Visit(sum(begun), seen, *_ended(table.program, over.machine_state()))


def _walk(
    table: Table,
    core: Core,
    number: int,
    thought: Sequence[Given | None] | None,
    pause: Callable[[_Noting, int, bool], object],
) -> _Noting:
    """Play a game to its end, and pause before each answer, the first of its decision or not; the first time, after
    it."""
    game, bots = _Noting(core), _bots(table, number)
    core.load_state(table.machine.new_state(table.plan.seed_of(number)), game)
    stopped, at = game.advance(), 0
    while not stopped:
        seat, asked, picked = game.find_asked()
        if seat < 0:
            return game
        game.noted = None
        if thought is not None:
            pause(game, seat, not picked)
            given = thought[at]
        else:
            given = None
        stopped = bots[seat].play(game, seat, asked, picked) if given is None else game.answer(*given)
        if thought is None:
            pause(game, seat, not picked)
        at += 1
    raise Stopped


def _play_in_core(game: CoreTable, seeds: array[int], given: Given | None = None) -> list[Shares]:
    players = game.core.program.players
    seat, numbers = (-1, None) if given is None else given
    told = Bulk(players, 0, seeds, game.core.play_after(game, seeds, seat, numbers))
    if any(told.column(WHY)):
        raise Stopped
    return list(zip(*(told.shares(one) for one in range(players)), strict=True))


# ── by the machine ───────────────────────────────────────────────────────────────────────────────────────────────────


def _visit_machine(table: Table, number: int, wanted: Wanted, look: Callable[[Stop], T]) -> Visit[T]:
    machine, bots = table.machine, _bots(table, number)
    state, values, begun = machine.new_state(table.plan.seed_of(number)), list[object](), 0
    for seat, is_first in _asked(machine, state):
        values.append(bots[seat].value(machine, state, seat))
        machine.answer_value(state, seat, values[-1])
        begun += is_first
    stops, seen, again, at = wanted(begun), list[T](), machine.new_state(table.plan.seed_of(number)), 0
    for value, (seat, is_first) in zip(values, _asked(machine, again), strict=False):
        if is_first and at in stops:
            here = again[:]
            seen.append(look(Stop(at, seat, partial(_play_machine, machine, here), here.copy)))
        at += is_first
        machine.answer_value(again, seat, value)
    return Visit(begun, seen, *_ended(table.program, state))


def _asked(machine: Machine, state: State) -> Iterator[tuple[int, bool]]:
    """Yield who is asked, and whether another decision begins, until the game is over; whoever takes this answers
    meanwhile."""
    before = dict[int, int]()
    while machine.advance(state) is not None:
        seat = machine.find_waiting(state)[0]
        yield seat, before.get(seat) != state[COUNTS][seat]
        before[seat] = state[COUNTS][seat]


def _play_machine(machine: Machine, state: State, seeds: array[int], given: Given | None = None) -> list[Shares]:
    found = list[Shares]()
    for seed in seeds:
        here = state[:]
        here[SEED] = seed
        for index in machine.program.layout.streams:
            here[index] = None if here[index] is None else (here[index][0], 0)
        if given is not None:
            seat, numbers = given
            offer = machine.find_choices(here, seat)
            chosen = None if numbers is None else tuple(offer.values[number] for number in numbers)
            machine.answer_value(here, seat, chosen if chosen is None or offer.pick.many else chosen[0])
        outcome = play_on(machine, here, seed, MOST_ANSWERS)
        found.append(find_shares(outcome.winners, outcome.teams))
    return found


def _bots(table: Table, number: int) -> list[Bot]:
    seed = table.plan.seed_of(number)
    return [make_bot(spec, seed, seat) for seat, spec in enumerate(table.plan.seated(number))]


def _ended(program: Program, state: State) -> tuple[Shares, bool]:
    outcome = find_outcome(program, state)
    return find_shares(outcome.winners, outcome.teams), outcome.finished
