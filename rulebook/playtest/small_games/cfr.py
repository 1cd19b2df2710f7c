"""Counterfactual regret minimization (CFR+): strategies that go to an equilibrium of a small game.

In: a program, the states to begin with and how likely each is, and the most histories to walk. Out: for each
information set the average strategy. Never: draws a random number.

All seats learn at once from their counterfactual regrets, which never fall below zero; averages weigh later rounds
more. With two players and payoffs that add up to nothing the average strategies go to an equilibrium.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import prod
from operator import mul

from rulebook.interpreter.program import Program
from rulebook.interpreter.state import State
from rulebook.playtest.small_games.game_tree import ChanceNode, InformationSet, Node, Terminal, grow_tree

SELDOM = 0.1
"""A share below which an answer, or a seat's own way to a decision, is a remainder of learning."""
_STEPS = 200_000
"""The budget of learning, in histories walked over all rounds."""
_ROUNDS = 50, 1000
"""But never fewer rounds than this, nor more."""

Strategies = dict[InformationSet, list[float] | None]
"""The probability of each answer by information set; None where its seat would not come by its own answers."""


def learn_strategies(program: Program, states: Sequence[State], weights: Sequence[float], most: int) -> Strategies:
    """Learn to play from some states on. Raises `TooLarge` if there are more than `most` histories."""
    roots, information_sets, histories = grow_tree(program, states, most)
    learned = {information_set: _Learned(len(information_set.answers)) for information_set in information_sets}
    everybody, total = (1.0,) * program.players, sum(weights)
    lowest, highest = _ROUNDS
    for turn in range(max(lowest, min(highest, _STEPS // histories))):
        for root, weight in zip(roots, weights, strict=True):
            _learn(root, learned, everybody, weight / total, turn + 1)
        for spot in learned.values():
            spot.match_regrets()
    return {information: spot.average() for information, spot in learned.items()}


class _Learned:
    """A learner at one information set. By answer: its strategy now, the counterfactual regrets of this round and of
    all, and the sum of its strategies, each times the seat's own `reach`."""

    def __init__(self, number: int) -> None:
        self.number, self.strategy, self.odds = number, [1 / number] * number, 0.0
        self.gains, self.regrets, self.weights = ([0.0] * number for _ in range(3))

    def match_regrets(self) -> None:
        """After a round: the more an answer is regretted, the more often it is given in the next."""
        self.regrets = [max(before + gain, 0.0) for before, gain in zip(self.regrets, self.gains, strict=True)]
        self.gains = [0.0] * self.number
        total = sum(self.regrets)
        self.strategy = [regret / total if total else 1 / self.number for regret in self.regrets]

    def average(self) -> list[float] | None:
        """Average the strategies; None where the seat would not come by its own answers."""
        total = sum(self.weights)
        return None if total < SELDOM * self.odds else [weight / total for weight in self.weights]


def _learn(
    node: Node, learned: dict[InformationSet, _Learned], reach: tuple[float, ...], odds: float, turn: int
) -> tuple[float, ...]:
    """Return the mean payoff of each seat, and write down what seats regret not to have answered. `reach` is each
    seat's own part in how likely the node is, `odds` that of chance."""
    if isinstance(node, Terminal):
        return node.payoffs
    if isinstance(node, ChanceNode):
        outcomes = zip(node.chances, node.children, strict=True)
        got = [
            [share * gain for gain in _learn(child, learned, reach, odds * share, turn)] for share, child in outcomes
        ]
        return tuple(map(sum, zip(*got, strict=True)))
    seat, here = node.information.seat, learned[node.information]
    strategy, own = here.strategy, reach[seat]
    before, behind = reach[:seat], reach[seat + 1 :]
    results = [
        _learn(child, learned, (*before, own * share, *behind), odds, turn)
        for share, child in zip(strategy, node.children, strict=True)
    ]
    mean = tuple([sum(map(mul, strategy, payoffs)) for payoffs in zip(*results, strict=True)])
    others, gains, weights = odds * prod(before) * prod(behind), here.gains, here.weights
    for number, result in enumerate(results):
        gains[number] += others * (result[seat] - mean[seat])
        weights[number] += turn * own * odds * strategy[number]
    here.odds += turn * odds
    return mean
