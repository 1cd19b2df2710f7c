"""The bot `flat:N`: plays N imagined games to their end, equally many after each answer.

In: imagined tables and the answers that may be given. Out: the one that went best on average. Never: plans what it will
answer later, or learns from one game for the next.
"""

from __future__ import annotations

from math import inf
from statistics import fmean

from rulebook.playtest.bots.thinking import Imagined, Mark, Thinking, one_at_random


class Flat(Thinking):
    """Every answer is tried at the same imagined tables, so that none is only lucky in what lies hidden."""

    def think(self, imagined: Imagined) -> Mark:
        """Return the answer that went best; of equal ones the first."""
        got: dict[Mark, list[float]] = {mark: [] for mark in imagined.legal}
        for _ in range(-(-self.budget // len(imagined.legal))):
            if all(got.values()) and self.is_hurried():
                break
            for number, mark in enumerate(imagined.draw() or ()):
                got[mark].append(imagined.play(number))
        if not any(got.values()):
            return one_at_random(imagined)
        return max(got, key=lambda mark: fmean(got[mark]) if got[mark] else -inf)
