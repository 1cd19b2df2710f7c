"""Counterfactual regret minimization (CFR) over the whole rest of a game, where that is small enough to be walked.

In: one decision as its seat sees it, and the most histories to walk. Out: the probability of each answer, or nothing
where too much is left. Never: looks at the true table; lets anything learned before change an answer.

A game that is small enough is looked at from its beginning: what others answered so far then says what they may hold.
Else, or where the game so far is not what such players would have played, it is looked at from the tables that nobody
can rule out. They are found by imagining in turn what each seat does not know: also those at which we hold something
else, because the others must play against all that we may hold. From there every answer and every outcome of chance
is walked once, told apart by what each seat notices. Then all seats learn from their counterfactual regrets (CFR+:
regrets never fall below zero, and averages weigh later rounds more): with two players and payoffs that add up to
nothing, that goes to an equilibrium.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from functools import lru_cache
from itertools import accumulate
from math import prod
from typing import Any

from attrs import define, field

from rulebook.interpreter.decisions import Chance, RuleError
from rulebook.interpreter.determinize import Twins
from rulebook.interpreter.events import Sink
from rulebook.interpreter.layout import STACK
from rulebook.interpreter.machine import Machine
from rulebook.interpreter.matching import Below
from rulebook.interpreter.program import Program
from rulebook.interpreter.results import find_outcome
from rulebook.interpreter.state import State
from rulebook.playtest.bots.by_machine import MOST_SETS, SEEDS, ByMachine, answers
from rulebook.playtest.bots.knowing import known_to, laid, ways
from rulebook.playtest.bots.thinking import Imagined, Mark

MOST_TABLES = 30
"""The most possible tables to start from; with more of them too much is hidden."""
_FIRST_TABLES = 6
"""The first sample of imagined tables: if no two of it are alike, there are too many tables."""
_WIDE = 16
"""A course of play whose answers and outcomes multiply to so many times what may be looked at is one of too many."""
_STEPS = 200_000
"""The budget of learning, in histories walked over all rounds."""
_ROUNDS = 50, 1000
"""But never fewer rounds than this, nor more."""
_FINE = 1_000_000
_SELDOM = 0.1
"""An answer that is given less often than this is a remainder of learning, unless all are."""


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
    least = min(_SELDOM, max(often.values()))
    ours = dict(zip(at.legal, imagined.legal, strict=True))
    return {ours[mark]: share for mark, share in often.items() if share >= least}


def drawn(often: dict[Mark, float], below: Below) -> Mark:
    """One answer, as often as it should be given."""
    left = below(_FINE) / _FINE * sum(often.values())
    for share_until, mark in zip(accumulate(often.values()), often, strict=True):
        if left < share_until:
            return mark
    return mark


# ── tables ──────────────────────────────────────────────────────────────────────────────────────────────────


class _Tables:
    """Tables by what tells them apart; two of these are equal if they are of the same tables."""

    def __init__(self, program: Program, found: dict[Any, State]) -> None:
        self.program, self.keys = program, frozenset(found)
        self.states = [found[key] for key in sorted(found, key=repr)]

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Tables) and (self.program, self.keys) == (other.program, other.keys)

    def __hash__(self) -> int:
        return hash(self.keys)


def _tables(imagined: ByMachine, first: list[State]) -> _Tables | None:
    """All tables that somebody may think of; None if there are too many."""
    program, ours = imagined.program, imagined.seat
    found = {laid(program, table): table for table in reversed(first)}
    table = first[-1]
    seats = [(ours + ahead) % program.players for ahead in range(1, program.players + 1)]
    quiet = 0
    while quiet < 5 * len(found) + 20:
        for seat in seats:
            twin = Twins(program, table, seat).draw_state(imagined.below, answered=False)
            if twin is None:
                quiet += 1
                continue
            table = twin
            quiet = 0 if laid(program, table) not in found else quiet + 1
            found.setdefault(laid(program, table), table)
        if len(found) > MOST_TABLES:
            return None
    return _Tables(program, found)


# ── histories ───────────────────────────────────────────────────────────────────────────────────────────────


class TooLarge(Exception):
    """There are more histories than may be looked at."""


@define(eq=False)
class End:
    payoffs: tuple[float, ...]

    def learn(self, reach: tuple[float, ...], odds: float, turn: int) -> tuple[float, ...]:
        """Return each seat's payoff."""
        return self.payoffs


@define(eq=False)
class Outcomes:
    outcomes: list[tuple[float, Moment]]

    def learn(self, reach: tuple[float, ...], odds: float, turn: int) -> tuple[float, ...]:
        """Return each seat's mean payoff."""
        got = [[share * one for one in after.learn(reach, odds * share, turn)] for share, after in self.outcomes]
        return tuple(map(sum, zip(*got, strict=True)))


@define(eq=False)
class Asked:
    seat: int
    spot: Spot
    after: list[Moment]

    def learn(self, reach: tuple[float, ...], odds: float, turn: int) -> tuple[float, ...]:
        """Return each seat's payoff; write down in the spot what its seat regrets not to have answered."""
        seat, spot = self.seat, self.spot
        before, behind = reach[:seat], reach[seat + 1 :]
        got = [
            after.learn((*before, reach[seat] * share, *behind), odds, turn)
            for share, after in zip(spot.shares, self.after, strict=True)
        ]
        gets = tuple(
            sum(share * one for share, one in zip(spot.shares, several, strict=True))
            for several in zip(*got, strict=True)
        )
        others = odds * prod(before) * prod(behind)
        for number, one in enumerate(got):
            spot.gains[number] += others * (one[seat] - gets[seat])
            spot.given[number] += turn * reach[seat] * odds * spot.shares[number]
        spot.odds += turn * odds
        return gets


Moment = End | Outcomes | Asked


@define(eq=False)
class Spot:
    """An information set: all moments that one seat cannot tell apart, its answers, its regrets and strategy there."""

    marks: tuple[Mark, ...]
    state: State
    """One of the tables at which it comes up."""
    shares: list[float] = field(init=False)
    gains: list[float] = field(init=False)
    regrets: list[float] = field(init=False)
    given: list[float] = field(init=False)
    odds: float = 0.0

    def __attrs_post_init__(self) -> None:
        number = len(self.marks)
        self.shares = [1 / number] * number
        self.gains, self.regrets, self.given = ([0.0] * number for _ in range(3))

    def settle(self) -> None:
        """After a round: the more an answer is regretted, the more often it is given in the next."""
        self.regrets = [max(before + gain, 0.0) for before, gain in zip(self.regrets, self.gains, strict=True)]
        self.gains = [0.0] * len(self.marks)
        total = sum(self.regrets)
        self.shares = [one / total if total else 1 / len(self.marks) for one in self.regrets]

    def often(self) -> dict[Mark, float] | None:
        """The share of each answer on average; None where its seat would not come by its own answers."""
        total = sum(self.given)
        if total < _SELDOM * self.odds:
            return None
        return {mark: one / total for mark, one in zip(self.marks, self.given, strict=True)}


SpotName = tuple[int, str, str, frozenset[Mark]]
"""A seat, where its decision stands in the rules, what it knows, and what it may answer."""


def _name_spot(program: Program, state: State, seat: int, marks: Iterable[Mark]) -> SpotName:
    code, pc, *_ = state[STACK][-1]
    return seat, f"{code}:{pc}", repr(known_to(program, state, seat)), frozenset(marks)


class Whole:
    """All histories from some tables on. `spots` are by what a seat knows and by all that it noticed."""

    def __init__(self, program: Program, tables: list[State], most: int) -> None:
        self.program, self.machine, self.most, self.histories = program, Machine(program), most, 0
        self.spots: dict[tuple[SpotName, str], Spot] = {}
        seats = range(program.players)
        self.roots = [
            self._moment(
                table[:],
                tuple(repr(known_to(program, table, seat)) for seat in seats),
                [[] for _ in seats],
                len(tables),
            )
            for table in tables
        ]

    def _moment(self, state: State, trails: tuple[str, ...], events: Sink, times: int) -> Moment:
        """Expand a state that one course of so many `times` led to, if all of them had as many answers."""
        needed = self.machine.advance(state, events, "ask")
        trails = tuple(
            trail + "".join(f"{event.kind}{event.facts!r}" for event in told)
            for trail, told in zip(trails, events, strict=True)
        )
        self.histories += 1
        if self.histories > self.most or times > _WIDE * self.most:
            raise TooLarge
        if needed is None:
            return End(tuple(map(float, find_outcome(self.program, state).payoffs)))
        if isinstance(needed, Chance):
            total, number = sum(needed.weights), len(needed.weights)
            return Outcomes(
                [
                    (weight / total, self._happened(state, one, trails, times * number))
                    for one, weight in enumerate(needed.weights)
                ]
            )
        seat = min(self.machine.find_waiting(state))
        may = answers(self.machine.find_choices(state, seat), lambda bound: 0)
        if len(may) == MOST_SETS:
            raise TooLarge
        key = _name_spot(self.program, state, seat, may), trails[seat]
        spot = self.spots.setdefault(key, Spot(tuple(may), state[:]))
        after = [self._answered(state, seat, mark, may[mark], trails, times * len(may)) for mark in spot.marks]
        return Asked(seat, spot, after)

    def _happened(self, state: State, number: int, trails: tuple[str, ...], times: int) -> Moment:
        state = state[:]
        self.machine.answer_chance(state, number)
        return self._moment(state, trails, [[] for _ in trails], times)

    def _answered(self, state: State, seat: int, mark: Mark, value: Any, trails: tuple[str, ...], times: int) -> Moment:
        state = state[:]
        events: Sink = [[] for _ in trails]
        self.machine.answer_value(state, seat, value, events)
        trails = (*trails[:seat], f"{trails[seat]}{mark}", *trails[seat + 1 :])
        return self._moment(state, trails, events, times)


# ── learning ────────────────────────────────────────────────────────────────────────────────────────────────


_Learned = dict[SpotName, dict[Mark, float] | None]
"""The average strategy by information set: the probability of each answer; None if there are too many histories."""

# It hangs on nothing but what is given, so that a bot answers the same whether or not somebody was here before.


@lru_cache(maxsize=16)
def learn_game(program: Program, most: int) -> _Learned:
    """Learn to play from the beginning. What a seat could only tell apart by remembering is left out."""
    return _learn(program, [Machine(program).new_state(0)], [1.0], most, from_here=False)


@lru_cache(maxsize=512)
def learn_from(tables: _Tables, most: int) -> _Learned:
    """Learn to play the decision that stands open at these tables."""
    program = tables.program
    return _learn(program, tables.states, [ways(program, state) for state in tables.states], most, from_here=True)


def _learn(program: Program, states: list[State], weights: list[float], most: int, from_here: bool) -> _Learned:
    try:
        whole = Whole(program, states, most)
    except (TooLarge, RuleError):
        return {}
    everybody, total = (1.0,) * program.players, sum(weights)
    lowest, highest = _ROUNDS
    for turn in range(max(lowest, min(highest, _STEPS // whole.histories))):
        for root, weight in zip(whole.roots, weights, strict=True):
            root.learn(everybody, weight / total, turn + 1)
        for spot in whole.spots.values():
            spot.settle()
    if from_here:
        return {name: spot.often() for (name, trail), spot in whole.spots.items() if trail == name[2]}
    times = Counter(name for name, _ in whole.spots)
    return {name: spot.often() for (name, _), spot in whole.spots.items() if times[name] == 1}
