"""Measures of the course of a game (drama, uncertainty, lead changes), from each seat's chance of winning at moments.

The words are those of C. Browne (Automatic generation and evaluation of recombination games, 2008) and of Ludii. A
chance is a share of games that were played on, so it has noise, and the largest of many noisy numbers is too large.
Therefore nothing counts as ahead that might be noise, and what is largest is found in the one half of these games and
measured in the other.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise
from math import log, sqrt

from rulebook.classes import frozen

SURE = 3.0
"""The `z` beyond which a difference is no noise."""


@frozen
class Moment:
    """The chances of all seats, `at` a part of the game: as two halves of so many `games` say. At the end the halves
    are what came out, of no games.
    """

    at: float
    first: tuple[float, ...]
    second: tuple[float, ...]
    games: int

    @property
    def chances(self) -> tuple[float, ...]:
        return tuple((before + other) / 2 for before, other in zip(self.first, self.second, strict=True))

    def find_favourite(self) -> int:
        """The seat with the best chance; of equal ones the first."""
        return max(range(len(self.first)), key=self.chances.__getitem__)

    def is_ahead(self, seat: int, other: int) -> bool:
        """True if the chance of one seat is better than that of another one, by more than noise."""
        mine, yours = self.chances[seat], self.chances[other]
        return mine - yours > SURE * self._deviation(mine + yours - (mine - yours) ** 2)

    def leads(self, seat: int) -> bool:
        """True if a seat is ahead of all others, by more than noise."""
        return all(self.is_ahead(seat, other) for other in range(len(self.first)) if other != seat)

    def is_below(self, seat: int, chance: float) -> bool:
        """True if the chance of a seat is worse than this, by more than noise."""
        mine = self.chances[seat]
        return mine + SURE * self._deviation(mine * (1 - mine)) < chance

    def _deviation(self, variance: float) -> float:
        games = self.games
        return sqrt((games * max(0.0, variance) + 1) / (games + 1) / games) if games else 0.0


def find_decided(moments: Sequence[Moment], winner: int) -> float:
    """Return from which part of the game on the later winner is the favourite: the first moment at which that seat is
    ahead of all others, with nobody who has a better chance from there to the end.
    """
    decided = moments[-1].at
    for moment in reversed(moments):
        if moment.chances[winner] < max(moment.chances):
            break
        if moment.leads(winner):
            decided = moment.at
    return decided


def is_never_behind(moments: Sequence[Moment], winner: int) -> bool:
    """True if nobody was ever ahead of the later winner."""
    return not any(moment.is_ahead(moment.find_favourite(), winner) for moment in moments)


def find_leaders(moments: Sequence[Moment]) -> list[int]:
    """Find the seats that were ahead of all others, in the order in which they came to be."""
    leaders = list[int]()
    for moment in moments:
        best = moment.find_favourite()
        if leaders[-1:] != [best] and moment.leads(best):
            leaders.append(best)
    return leaders


def count_lead_changes(moments: Sequence[Moment]) -> int:
    """Count how often another seat came to be ahead of all others; who wins is so at the end."""
    return max(0, len(find_leaders(moments)) - 1)


def measure_drama(moments: Sequence[Moment], winner: int) -> float:
    """Return how far the later winner was behind the favourite, in chance, when it was farthest."""
    deepest, drama = 0.0, 0.0
    for moment in moments:
        best = max(range(len(moment.first)), key=moment.first.__getitem__)
        behind = moment.first[best] - moment.first[winner]
        if behind > deepest:
            deepest, drama = behind, moment.second[best] - moment.second[winner]
    return drama


def is_comeback(moments: Sequence[Moment], winner: int) -> bool:
    """True if the later winner once had less than half of an even chance."""
    return any(moment.is_below(winner, 0.5 / len(moment.first)) for moment in moments)


def measure_uncertainty(moments: Sequence[Moment]) -> float:
    """Return how open the game was, on average: 1 where all have the same chance, 0 where one is sure to win."""
    open_moments = [moment for moment in moments if moment.games]
    return sum(map(_entropy, open_moments)) / len(open_moments) if open_moments else 0.0


def _entropy(moment: Moment) -> float:
    """The entropy, of which a few games show too little: G. A. Miller, Note on the bias of information estimates
    (1955)."""
    chances = [*moment.chances, 1 - sum(moment.chances)]
    there = [chance for chance in chances if chance > 1e-9]
    entropy = -sum(chance * log(chance) for chance in there) + (len(there) - 1) / (2 * moment.games)
    return min(1.0, entropy / log(max(2, len(moment.first))))


def measure_largest_step(moments: Sequence[Moment]) -> float:
    """Return by how much a chance changed at most between two moments."""
    largest, size = 0.0, 0.0
    for before, after in pairwise(moments):
        for step, again in _steps(before, after):
            if abs(step) > largest:
                largest, size = abs(step), again * (1 if step > 0 else -1)
    return size


def _steps(before: Moment, after: Moment) -> Iterator[tuple[float, float]]:
    for old, new, old_again, new_again in zip(before.first, after.first, before.second, after.second, strict=True):
        yield new - old, new_again - old_again
