"""The tree that `ismcts` searches, in Python: where the machine imagines. In the core it is `searching.c`.

In: imagined tables, how many of them, and in which manner. Out: the number of the answer that was taken most often.
Never: lets a seat use in a game what it would not know there.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from heapq import nlargest
from math import log, sqrt
from typing import TYPE_CHECKING, Any

from rulebook.interpreter.choosing import Mark
from rulebook.interpreter.core.imagining import Manner
from rulebook.interpreter.matching import Below

if TYPE_CHECKING:
    from rulebook.playtest.bots.thinking import Imagined

__all__ = ["search_tree"]


class Arm:
    """An answer at a node: how often it was legal and taken there, and what the seat got in all."""

    def __init__(self) -> None:
        self.legal = self.taken = 0
        self.payoff = self.margin = 0.0


Node = dict[Mark, Arm]


def search_tree(imagined: Imagined, manner: Manner, most: int, is_hurried: Callable[[], bool]) -> int | None:
    """Search at so many tables, or fewer, and return the best of the legal answers, by its number; None if no table was
    found at which one of them may be given.
    """
    root: Node = {}
    nodes: dict[Any, Node] = {}
    below, scale, ahead = imagined.below, _Scale(manner), manner.ahead * imagined.program.players
    for left in range(most, 0, -1):
        if _is_settled(root, left) or (root and is_hurried()):
            break
        drawn = imagined.draw()
        if drawn is None:
            continue
        seat, node, marks = imagined.seat, root, drawn
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
        got = scale.add_games(*imagined.play_on(manner.games, ahead))
        for seat, arm in path:
            arm.taken += 1
            arm.payoff += got[seat][0]
            arm.margin += got[seat][1]
    if not root:
        return None
    return imagined.legal.index(max(root, key=lambda mark: (root[mark].taken, scale.worth(root[mark]))))


def _is_settled(root: Node, left: int) -> bool:
    """True if no answer can be taken most often any more but the one that is now."""
    first, second = nlargest(2, [0, 0, *(arm.taken for arm in root.values())])
    return first - second > left


class _Scale:
    """The running scale of game values: payoffs and margins in shares of the widest so far, their mean and spread."""

    def __init__(self, manner: Manner) -> None:
        self.manner, self.margin, self.curiosity = manner, manner.margin, manner.curiosity
        self.payoffs = self.margins = 1.0
        self.games, self.sum, self.squares = 0, 0.0, 0.0

    def add_games(self, payoffs: Sequence[int], margins: Sequence[int]) -> list[tuple[float, float]]:
        """Return payoff and margin by seat, on average, of what they are in all games, and note them."""
        got, games = [], self.manner.games
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
        mean = self.sum / self.games
        return sqrt(max(self.squares / self.games - mean * mean, 0.0))


def _choose_arm(node: Node, marks: Sequence[Mark], scale: _Scale, below: Below) -> int:
    """Choose the answer to take at a node, by its number: something new at random, else what promises most."""
    arms = [node.get(mark) or node.setdefault(mark, Arm()) for mark in marks]
    for arm in arms:
        arm.legal += 1
    new = [number for number, arm in enumerate(arms) if not arm.taken]
    if new:
        return new[below(len(new))]
    curiosity = scale.curiosity * scale.deviation
    promises = [scale.worth(arm) + curiosity * sqrt(log(arm.legal) / arm.taken) for arm in arms]
    return promises.index(max(promises))
