"""Counterfactual regret minimization (CFR+): strategies that go to an equilibrium of a small game.

In: a program, the states to begin with and how likely each is, and the most histories to walk. Out: for each
information set the sum of the strategies, of which the average is made. Never: draws a random number.

Seats learn in turn, each from its counterfactual regrets against what the others play by then, which never fall below
zero; averages weigh later rounds more. With two players and payoffs that add up to nothing the average strategies go to
an equilibrium: sooner by far than where all learn at once.
"""

from __future__ import annotations

from collections.abc import Sequence
from operator import mul

from rulebook.interpreter.program import Program
from rulebook.interpreter.state import State
from rulebook.playtest.small_games.game_tree import ChanceNode, InformationSet, Node, Terminal, grow_tree

_STEPS = 200_000
"""The budget of learning, in histories walked over all rounds."""
_ROUNDS = 50, 1000
"""But never fewer rounds than this, nor more."""

Strategies = dict[InformationSet, tuple[list[float], float]]
"""By information set how much each answer was given in all, by chance and by the seat's own answers; and how much that
would be if the seat always came here."""


def learn_strategies(program: Program, states: Sequence[State], weights: Sequence[float], most: int) -> Strategies:
    """Learn to play from some states on. Raises `TooLarge` if there are more than `most` histories."""
    roots, information_sets, histories = grow_tree(program, states, most)
    learned = {information_set: _Learned(len(information_set.answers)) for information_set in information_sets}
    lowest, highest = _ROUNDS
    rounds, chances = max(lowest, min(highest, _STEPS // histories)), [weight / sum(weights) for weight in weights]
    for turn in range(1, 1 + rounds):
        for seat in range(program.players):
            for root, chance in zip(roots, chances, strict=True):
                _learn(root, learned, seat, turn * chance, chance, chance if turn == 1 else 0.0)
            for information, spot in learned.items():
                if information.seat == seat:
                    spot.match_regrets()
    turns = rounds * (rounds + 1) / 2
    return {information: (spot.weights, spot.odds * turns) for information, spot in learned.items()}


class _Learned:
    """A learner at one information set. By answer: its strategy now, the counterfactual regrets of this round and of
    all, and the sum of its strategies, each times the seat's own reach. `odds` are how likely it is by chance alone."""

    def __init__(self, number: int) -> None:
        self.number, self.strategy, self.odds = number, [1 / number] * number, 0.0
        self.gains, self.regrets, self.weights = ([0.0] * number for _ in range(3))

    def match_regrets(self) -> None:
        """After a round: the more an answer is regretted, the more often it is given in the next."""
        self.regrets = [max(before + gain, 0.0) for before, gain in zip(self.regrets, self.gains, strict=True)]
        self.gains = [0.0] * self.number
        total = sum(self.regrets)
        self.strategy = [regret / total if total else 1 / self.number for regret in self.regrets]


def _learn(
    node: Node, learned: dict[InformationSet, _Learned], seat: int, own: float, others: float, odds: float
) -> float:
    """Return the mean payoff of a seat, and write down what it regrets not to have answered. `own` is the seat's part
    in how likely the node is, times that of chance and the weight of the round; `others` that of everybody else; `odds`
    that of chance alone in the first round, which comes everywhere."""
    if isinstance(node, Terminal):
        return node.payoffs[seat]
    if isinstance(node, ChanceNode):
        return sum(
            share * _learn(child, learned, seat, own * share, others * share, odds * share)
            for share, child in zip(node.chances, node.children, strict=True)
        )
    here, children = learned[node.information], zip(learned[node.information].strategy, node.children, strict=True)
    if node.information.seat != seat:
        return sum(
            share * _learn(child, learned, seat, own, others * share, odds) for share, child in children if share or own
        )
    results = [
        _learn(child, learned, seat, own * share, others, odds) if share or others else 0.0 for share, child in children
    ]
    mean: float = sum(map(mul, here.strategy, results))
    for number, result in enumerate(results):
        here.gains[number] += others * (result - mean)
        here.weights[number] += own * here.strategy[number]
    here.odds += odds
    return mean
