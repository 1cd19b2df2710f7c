"""Exploitability of a bot: the gain of a best response to it, in a zero-sum game of two that can be walked whole.

In: a program, and the strategy of a bot: how often it gives each answer wherever it may be asked. Out: the gain of the
best response to it, exactly, as the mean of both seats: from an equilibrium nothing. Only where the gain of one is the
loss of the other.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from rulebook.interpreter.machine import Machine
from rulebook.interpreter.program import Program
from rulebook.playtest.small_games.game_tree import (
    ChanceNode,
    DecisionNode,
    InformationSet,
    Node,
    Terminal,
    TooLarge,
    grow_tree,
)

Strategy = Callable[[Machine, InformationSet], Sequence[float] | None]
"""The strategy of a bot: its probability of each answer at an information set; None where that is not known."""


def find_gain(program: Program, most: int, strategy: Strategy) -> float | None:
    """Find what the best response to a bot gains, in what is judged: shares of a win, or payoff. None where there are
    more than `most` histories, or more players, or where the bot cannot be known."""
    found = find_responses(program, most, strategy)
    return None if found is None else sum(found) / (2 if program.payoff is not None else 4)


def find_responses(program: Program, most: int, strategy: Strategy) -> tuple[float, float] | None:
    """Find what the best response of each seat to the strategy gets, in payoffs of outcomes; None as before."""
    if program.players != 2 or (program.payoff is not None and program.zero_sum is None):
        return None
    machine = Machine(program)
    try:
        [root], information_sets, _ = grow_tree(program, [machine.new_state(0)], most)
    except TooLarge:
        return None
    played = dict[InformationSet, Sequence[float]]()
    for information in information_sets:
        shares = strategy(machine, information)
        if shares is None:
            return None
        played[information] = shares
    return _Response(0, played).find_value(root), _Response(1, played).find_value(root)


def play_random(machine: Machine, information: InformationSet) -> list[float]:
    """The strategy of the bot `random`: equal answers count one by one."""
    choices = machine.find_choices(information.state, information.seat)
    ways = [choices.count_ways(value) for value in choices.find_answers()]
    return [way / sum(ways) for way in ways]


class _Response:
    """The best response of one seat to the strategy of the other."""

    def __init__(self, seat: int, played: dict[InformationSet, Sequence[float]]) -> None:
        self.seat, self.played = seat, played
        self.reached: dict[InformationSet, list[tuple[float, DecisionNode]]] = {}
        self.best: dict[InformationSet, int] = {}

    def find_value(self, root: Node) -> float:
        """Return what the seat gets from the beginning."""
        self._reach(root, 1.0)
        return self._value(root)

    def _reach(self, node: Node, odds: float) -> None:
        """Note how likely each history is that our seat may bring about."""
        if isinstance(node, Terminal):
            return
        ours = isinstance(node, DecisionNode) and node.information.seat == self.seat
        if isinstance(node, DecisionNode) and ours:
            self.reached.setdefault(node.information, []).append((odds, node))
        for share, child in zip(self._shares(node), node.children, strict=True):
            self._reach(child, odds if ours else odds * share)

    def _shares(self, node: ChanceNode | DecisionNode) -> Sequence[float]:
        return node.chances if isinstance(node, ChanceNode) else self.played[node.information]

    def _value(self, node: Node) -> float:
        if isinstance(node, Terminal):
            return node.payoffs[self.seat]
        if isinstance(node, DecisionNode) and node.information.seat == self.seat:
            return self._value(node.children[self._choose_best(node.information)])
        return sum(
            share * self._value(child) if share else 0.0
            for share, child in zip(self._shares(node), node.children, strict=True)
        )

    def _choose_best(self, information: InformationSet) -> int:
        """Choose the answer that is best over all histories that look alike."""
        if information not in self.best:
            values = [
                sum(odds * self._value(node.children[number]) for odds, node in self.reached[information] if odds)
                for number in range(len(information.answers))
            ]
            self.best[information] = values.index(max(values))
        return self.best[information]
