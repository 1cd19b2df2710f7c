"""Equilibrium play for the bot `ismcts`, where the rest of a game is small enough to be walked whole.

In: one decision as its seat sees it, and the most histories to walk. Out: the probability of each answer, or nothing
where too much is left. Never: looks at the true table; lets anything learned before change an answer.

A game that is small enough is looked at from its beginning: what others answered so far then says what they may hold.
Else, or where the game so far is not what such players would have played, it is looked at from the tables that nobody
can rule out. They are found by imagining in turn what each seat does not know: also those at which we hold something
else, because the others must play against all that we may hold. From there all seats learn (`cfr`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import lru_cache
from itertools import accumulate
from typing import Any

from rulebook.interpreter.choosing import Mark
from rulebook.interpreter.decisions import RuleError
from rulebook.interpreter.determinize import Twins
from rulebook.interpreter.layout import COUNTS, STACK
from rulebook.interpreter.machine import Machine
from rulebook.interpreter.matching import Below
from rulebook.interpreter.program import Program
from rulebook.interpreter.random import Source
from rulebook.interpreter.state import State
from rulebook.playtest.bots.by_machine import SEEDS, ByMachine
from rulebook.playtest.bots.thinking import Imagined
from rulebook.playtest.knowing import known_to, laid, ways
from rulebook.playtest.small_games.best_response import Strategy
from rulebook.playtest.small_games.cfr import learn_strategies
from rulebook.playtest.small_games.game_tree import InformationSet, TooLarge, mark_known

LOOKED_AT = 10
"""The number of histories that are looked at instead of one imagined game, where what is left of a game is small."""
MOST_TABLES = 30
"""The most possible tables to start from; with more of them too much is hidden."""
_FIRST_TABLES = 6
"""The first sample of imagined tables: if no two of it are alike, there are too many tables."""
SELDOM = 0.01
"""A share below which an answer, or a seat's own way to a decision, is a remainder of learning."""
_FINE = 1_000_000


def played_whole(imagined: Imagined, most: int) -> dict[Mark, float] | None:
    """Return how often each answer is given; None if there are more than `most` histories to be looked at."""
    seeds = [imagined.below(SEEDS) for _ in range(_FIRST_TABLES)]
    if imagined.all_differ(seeds):
        return None
    at = imagined.by_machine()
    first = at.tables(seeds)
    if not first:
        return None
    spot = _name_spot(at.program, first[0], at.seat, at.legal)
    often = learn_game(at.program, most).get(spot)
    if often is None:
        tables = _tables(at, first)
        often = None if tables is None else learn_from(tables, most).get(spot)
    if often is None:
        return None
    least = min(SELDOM, max(often.values()))
    ours = dict(zip(at.legal, imagined.legal, strict=True))
    return {ours[mark]: share for mark, share in often.items() if share >= least}


def drawn(often: dict[Mark, float], below: Below) -> Mark:
    """One answer, as often as it should be given."""
    left = below(_FINE) / _FINE * sum(often.values())
    for share_until, mark in zip(accumulate(often.values()), often, strict=True):
        if left < share_until:
            return mark
    return mark


def play_search(budget: int) -> Strategy:
    """The strategy of the bot `ismcts` with this budget, where it looks at all that is left."""

    def find_shares(machine: Machine, information: InformationSet) -> list[float] | None:
        seat, below = information.seat, Source(1, "gain").below
        imagined = ByMachine(machine, information.state[:], seat, below, at_random=False)
        if len(imagined.legal) == 1:
            return [1.0]
        often = played_whole(imagined, LOOKED_AT * budget)
        if often is None:
            return None
        return [often.get(mark, 0.0) / sum(often.values()) for mark in information.answers]

    return find_shares


# ── tables ──────────────────────────────────────────────────────────────────────────────────────────────────


class _Tables:
    """Tables by what tells them apart; two of these are equal if they are of the same tables."""

    def __init__(self, program: Program, tables: dict[Any, State]) -> None:
        self.program, self.keys = program, frozenset(tables)
        self.states = [tables[key] for key in sorted(tables, key=repr)]

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Tables) and (self.program, self.keys) == (other.program, other.keys)

    def __hash__(self) -> int:
        return hash(self.keys)


def _tables(imagined: ByMachine, first: list[State]) -> _Tables | None:
    """All tables that somebody may think of; None if there are too many."""
    program, ours = imagined.program, imagined.seat
    tables = {laid(program, table): table for table in reversed(first)}
    table = first[-1]
    seats = [(ours + ahead) % program.players for ahead in range(1, program.players + 1)]
    quiet = 0
    while quiet < 5 * len(tables) + 20:
        for seat in seats:
            twin = Twins(program, table, seat).draw_state(imagined.below, answered=False)
            if twin is None:
                quiet += 1
                continue
            table = twin
            quiet = 0 if laid(program, table) not in tables else quiet + 1
            tables.setdefault(laid(program, table), table)
        if len(tables) > MOST_TABLES:
            return None
    return _Tables(program, tables)


# ── learning ────────────────────────────────────────────────────────────────────────────────────────────────


_SpotName = tuple[int, int, str, str, frozenset[Mark]]
"""A seat, how many decisions it has made, where this one stands in the rules, what it knows, and what it may answer."""
_Learned = dict[_SpotName, dict[Mark, float] | None]
"""The average strategy by decision: the probability of each answer; None where its seat would not come by its own
answers. None at all if there are too many histories."""


def _name_spot(program: Program, state: State, seat: int, marks: Iterable[Mark]) -> _SpotName:
    code, pc, *_ = state[STACK][-1]
    return seat, state[COUNTS][seat], f"{code}:{pc}", repr(known_to(program, state, seat)), frozenset(marks)


# It hangs on nothing but what is given, so that a bot answers the same whether or not somebody was here before.


@lru_cache(maxsize=16)
def learn_game(program: Program, most: int) -> _Learned:
    """Learn to play from the beginning. A bot does not remember, so decisions that only memory could tell apart are
    played alike: as at each of them, as often as the seat comes there.
    """
    return _learn(program, [Machine(program).new_state(0)], [1.0], most, lambda spot: True)


@lru_cache(maxsize=512)
def learn_from(tables: _Tables, most: int) -> _Learned:
    """Learn to play the decision that stands open at these tables."""
    program = tables.program
    chances = [ways(program, state) for state in tables.states]
    return _learn(
        program, tables.states, chances, most, lambda spot: spot.known == mark_known(program, spot.state, spot.seat)
    )


def _learn(
    program: Program,
    states: list[State],
    weights: list[float],
    most: int,
    is_wanted: Callable[[InformationSet], bool],
) -> _Learned:
    """Learn strategies for those decisions that are wanted; none if there are too many histories, or where the rules
    would stop a game: nobody has played that.
    """
    try:
        strategies = learn_strategies(program, states, weights, most)
    except (TooLarge, RuleError):
        return {}
    given: dict[_SpotName, dict[Mark, float]] = {}
    always: dict[_SpotName, float] = {}
    for spot, (sums, at_most) in strategies.items():
        if is_wanted(spot):
            name = _name_spot(program, spot.state, spot.seat, spot.answers)
            before = given.get(name, {})
            given[name] = {mark: before.get(mark, 0.0) + one for mark, one in zip(spot.answers, sums, strict=True)}
            always[name] = always.get(name, 0.0) + at_most
    return {name: _share_out(sums, SELDOM * always[name]) for name, sums in given.items()}


def _share_out(sums: dict[Mark, float], least: float) -> dict[Mark, float] | None:
    total = sum(sums.values())
    return None if total < least else {mark: one / total for mark, one in sums.items()}
