"""The solution of a small game of two: what the first of them gets where nobody errs.

In: a program, and how many answers and outcomes to look at. Out: two numbers between which that surely lies. Where
nothing is hidden it is value iteration over tables, from the worst and from the best that there is, so chance may
decide, and tables may come again; elsewhere what each gets at least by a strategy that was learned. Nothing where more
would have to be looked at, or where one's gain is not the other's loss.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from attrs import define, field

from rulebook.classes import frozen
from rulebook.interpreter.choosing import TooManySets
from rulebook.interpreter.decisions import Chance, RuleError
from rulebook.interpreter.layout import PENDING, STACK
from rulebook.interpreter.lowering.reading import may_read
from rulebook.interpreter.machine import Machine
from rulebook.interpreter.program import Code, Program
from rulebook.interpreter.results import find_outcome
from rulebook.interpreter.state import State
from rulebook.playtest.knowing import is_hidden, laid, may_be_open

if TYPE_CHECKING:
    from rulebook.playtest.small_games.game_tree import InformationSet

MOST_SOLVED = 20_000
"""The default limit of answers and outcomes: some seconds."""
_SWEEPS, _NEAR = 300, 1e-4
"""The most rounds over all tables, and how near both ends must come, as a part of what there is to win."""
_HISTORIES = 1000
"""The most histories of a game in which something is hidden."""


@frozen
class Solution:
    """The numbers between which lies what the first seat gets: a payoff, or a share of the win (a tie is a half); and
    what would be `fair`.
    """

    low: float
    high: float
    fair: float = 0.0


class _GivenUp(Exception):
    """This is no such game, or too much of it."""


@define
class _Node:
    """A table: what the first seat gets there, who answers (nobody: chance, with its odds), and what may follow."""

    low: float
    high: float
    seat: int | None = None
    odds: Sequence[float] = ()
    next: list[int] = field(factory=list)


def solve_game(program: Program, most: int) -> Solution | None:
    """Solve a game from its beginning, looking at so many answers and outcomes at most; None where that cannot be."""
    if program.players != 2 or (program.payoff is not None and program.zero_sum is None):
        return None
    try:
        found = _solve_open(program, most) if may_be_open(program) else None
        found = found or _solve_hidden(program)
    except (RuleError, TooManySets):
        return None
    if found is None or program.payoff is not None:
        return found
    return Solution((1 + found.low) / 2, (1 + found.high) / 2, 0.5)


# ── where nothing is hidden ──────────────────────────────────────────────────────────────────────────────────────────


def _solve_open(program: Program, most: int) -> Solution | None:
    try:
        nodes = _list_tables(program, most)
    except _GivenUp:
        return None
    ends = [node.low for node in nodes if not node.next]
    least, largest = min(ends, default=0.0), max(ends, default=0.0)
    inner = [node for node in reversed(nodes) if node.next]
    for node in inner:
        node.low, node.high = least, largest
    near = _NEAR * (largest - least)
    for _ in range(_SWEEPS):
        for node in inner:
            node.low = _back_up(node, [nodes[at].low for at in node.next])
            node.high = _back_up(node, [nodes[at].high for at in node.next])
        if nodes[0].high - nodes[0].low <= near:
            return Solution(nodes[0].low, nodes[0].high)
    return None


def _back_up(node: _Node, values: list[float]) -> float:
    if node.seat is None:
        return sum(chance * value for chance, value in zip(node.odds, values, strict=True))
    return min(values) if node.seat else max(values)


def _list_tables(program: Program, most: int) -> list[_Node]:
    """List all tables that the game may come to, the first one first."""
    machine = Machine(program)
    start = machine.new_state(0)
    nodes, ahead, known = list[_Node](), [start], dict[Hashable, int]()
    known[_name_table(machine, start)] = 0
    # The list grows as tables are met.
    for state in ahead:
        node, moves = _make_node(machine, state)
        nodes.append(node)
        most -= len(moves)
        if most < 0:
            raise _GivenUp
        for move in moves:
            after = state[:]
            if node.seat is None:
                machine.answer_chance(after, move)
            else:
                machine.answer_value(after, node.seat, move)
            name = _name_table(machine, after)
            if name not in known:
                known[name] = len(ahead)
                ahead.append(after)
            node.next.append(known[name])
    return nodes


def _name_table(machine: Machine, state: State) -> Hashable:
    """Run on until something is asked, and name what tells the table from others: all that lies and is remembered, and
    of what scripts hold what they may still read; not how many decisions there were.
    """
    program = machine.program
    if machine.advance(state, None, "ask") is None:
        return find_outcome(program, state).payoffs
    alike, (sort, *entries) = state[:], state[PENDING]
    alike[STACK] = tuple(
        (code, pc, *(local[register] for register in _find_read(program.codes[code], pc)))
        for code, pc, *local in state[STACK]
    )
    alike[PENDING] = sort, [(seat, picks, done) for asked in entries for seat, _, picks, done in asked]
    return laid(program, alike)


@lru_cache(maxsize=1024)
def _find_read(code: Code, pc: int) -> list[int]:
    """Find the registers that may still be read."""
    return [register for register in range(code.size) if may_read(code, pc, register)]


def _make_node(machine: Machine, state: State) -> tuple[_Node, Sequence[Any]]:
    needed = machine.advance(state, None, "ask")
    if needed is None:
        payoffs = find_outcome(machine.program, state).payoffs
        if sum(payoffs):
            raise _GivenUp
        return _Node(payoffs[0], payoffs[0]), ()
    if isinstance(needed, Chance):
        total = sum(needed.weights)
        return _Node(0.0, 0.0, odds=[weight / total for weight in needed.weights]), range(len(needed.outcomes))
    if is_hidden(machine.program, state):
        raise _GivenUp
    seat = state[PENDING][1][0][0]
    choices = machine.find_choices(state, seat)
    if choices.pick.many:
        raise _GivenUp
    return _Node(0.0, 0.0, seat), [*choices.find_answers()]


# ── where something is hidden ────────────────────────────────────────────────────────────────────────────────────────


def _solve_hidden(program: Program) -> Solution | None:
    """Find what each gets by what it learned, whatever the other one does."""
    # Many a command knows what a solution is, and few look for one.
    from rulebook.playtest.small_games.best_response import find_responses
    from rulebook.playtest.small_games.cfr import learn_strategies
    from rulebook.playtest.small_games.game_tree import TooLarge

    try:
        strategies = learn_strategies(program, [Machine(program).new_state(0)], [1.0], _HISTORIES)
    except TooLarge:
        return None
    learned = {
        (spot.seat, spot.known, frozenset(spot.answers)): dict(zip(spot.answers, sums, strict=True))
        for spot, (sums, _) in strategies.items()
    }

    def find_shares(machine: Machine, spot: InformationSet) -> Sequence[float]:
        sums = learned[spot.seat, spot.known, frozenset(spot.answers)]
        total = sum(sums.values())
        return [sums[mark] / total if total else 1 / len(sums) for mark in spot.answers]

    found = find_responses(program, _HISTORIES, find_shares)
    return None if found is None else Solution(-found[1], found[0])
