"""The bot `ismcts:N`: information-set Monte Carlo tree search.

In: imagined tables. Out: the answer that was tried most often in N imagined games. Never: lets a seat use in a game
what it would not know there.

Each game begins at an imagined table and goes down a tree whose nodes are what the player who is asked knows: what is
asked, what lies open to this seat, and what it answered since the decision. Whoever is asked, we or another, takes
there what went best for *that* seat so far, or what was tried too little (upper confidence bounds, counted over the
games in which the answer was legal). At the first answer that is new the game is played on at random, several times,
for some answers, and judged by how it stands. So every seat learns to play for itself, for any number of players;
answers of one sealed decision know nothing of each other. What is small enough is not sampled but looked at whole.
"""

from __future__ import annotations

from collections.abc import Sequence
from heapq import nlargest
from math import log, sqrt
from typing import Any

from rulebook.interpreter.matching import Below
from rulebook.interpreter.program import Program
from rulebook.playtest.bots.small import LOOKED_AT, drawn, played_whole
from rulebook.playtest.bots.thinking import Imagined, Mark, Thinking, one_at_random

CURIOSITY = 1.0
"""The exploration constant of UCB, in standard deviations of what games were worth."""
PLAYOUTS = 8
"""Random playouts of each game from the leaf where it leaves the tree."""
AHEAD = 20
"""The depth of a playout in answers for each player; there it is cut and judged by how it stands."""
MARGIN = 0.5
"""The weight of the lead in scores beside the lead in places: the share of the widest margin that was met."""


class Arm:
    """An answer at a node: how often it was legal and taken there, and what the seat got in all."""

    def __init__(self) -> None:
        self.legal = self.taken = 0
        self.payoff = self.margin = 0.0


Node = dict[Mark, Arm]


class Ismcts(Thinking):
    """Searches a tree of what players know."""

    def think(self, imagined: Imagined) -> Mark:
        """Return the answer that was taken most often; of equal ones the one that went better."""
        often = played_whole(imagined, LOOKED_AT * self.budget)
        if often is not None:
            return drawn(often, imagined.below)
        root: Node = {}
        nodes: dict[Any, Node] = {}
        below, scale, ahead = imagined.below, _Scale(imagined.program), AHEAD * imagined.program.players
        for left in range(self.budget, 0, -1):
            if _is_settled(root, left) or (root and self.is_hurried()):
                break
            drawn_marks = imagined.draw()
            if drawn_marks is None:
                continue
            seat, node, marks = imagined.seat, root, drawn_marks
            path: list[tuple[int, Arm]] = []
            trails: list[tuple[Mark, ...]] = [()] * imagined.program.players
            while marks:
                number = _choose_arm(node, marks, scale, below)
                mark, arm = marks[number], node[marks[number]]
                path.append((seat, arm))
                if arm.taken == 0:
                    imagined.give(number)
                    break
                trails[seat] = (*trails[seat], mark)
                situation = imagined.give_and_look(number)
                if situation is None:
                    break
                seat, known, marks = situation
                node = nodes.setdefault((known, trails[seat]), {})
            got = scale.add_games(*imagined.play_on(PLAYOUTS, ahead), PLAYOUTS)
            for seat, arm in path:
                arm.taken += 1
                arm.payoff += got[seat][0]
                arm.margin += got[seat][1]
        if not root:  # no table was found at which any of them may be given
            return one_at_random(imagined)
        return max(root, key=lambda mark: (root[mark].taken, scale.worth(root[mark])))


def _is_settled(node: Node, left: int) -> bool:
    """True if no answer can be taken most often any more but the one that is now."""
    first, second = nlargest(2, [0, 0, *(arm.taken for arm in node.values())])
    return first - second > left


class _Scale:
    """The running scale of game values: payoffs and margins in shares of the widest so far, their mean and spread."""

    def __init__(self, program: Program) -> None:
        self.program, self.margin = program, MARGIN if program.payoff is None else 0.0
        self.payoffs = self.margins = 1.0
        self.games, self.sum, self.squares = 0, 0.0, 0.0

    def add_games(self, payoffs: Sequence[int], margins: Sequence[int], games: int) -> list[tuple[float, float]]:
        """Return payoff and margin by seat, on average, of what they are in all games, and note them."""
        got = []
        for payoff_in_all, ahead_in_all in zip(payoffs, margins, strict=True):
            payoff, ahead = payoff_in_all / games, ahead_in_all / games if self.margin else 0.0
            got.append((payoff, ahead))
            self.payoffs, self.margins = max(self.payoffs, abs(payoff)), max(self.margins, abs(ahead))
            worth = self._worth(payoff, ahead)
            self.games += 1
            self.sum += worth
            self.squares += worth * worth
        return got

    def worth(self, arm: Arm) -> float:
        """Return the mean worth of an answer."""
        return self._worth(arm.payoff, arm.margin) / max(arm.taken, 1)

    def _worth(self, payoff: float, ahead: float) -> float:
        return (1 - self.margin) * payoff / self.payoffs + self.margin * ahead / self.margins

    @property
    def deviation(self) -> float:
        """The standard deviation of what single games were worth to seats."""
        if not self.games:
            return 0.0
        return sqrt(max(self.squares / self.games - (self.sum / self.games) ** 2, 0.0))


def _choose_arm(node: Node, marks: Sequence[Mark], scale: _Scale, below: Below) -> int:
    """Choose the answer to take at a node, by its number: something new at random, else what promises most."""
    arms = [node.get(mark) or node.setdefault(mark, Arm()) for mark in marks]
    for arm in arms:
        arm.legal += 1
    new = [number for number, arm in enumerate(arms) if not arm.taken]
    if new:
        return new[below(len(new))]
    curiosity = CURIOSITY * scale.deviation
    promises = [scale.worth(arm) + curiosity * sqrt(log(arm.legal) / arm.taken) for arm in arms]
    return promises.index(max(promises))
