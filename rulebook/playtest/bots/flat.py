"""The bot `flat:N`: plays N imagined games to their end, equally many after each answer.

In: imagined tables and the answers that may be given. Out: the one that went best on average. Never: plans what it will
answer later, or learns from one game for the next.
"""

from __future__ import annotations

from math import inf
from statistics import fmean
from typing import Any

from rulebook.playtest.bots.playouts import playouts
from rulebook.playtest.bots.thinking import Imagined, Keys, Thinking


class Flat(Thinking):
    """Every answer is tried at the same imagined tables, so that none is only lucky in what lies hidden."""

    def think(self, imagined: Imagined, legal: dict[Keys, Any]) -> Keys:
        """The answer that went best; of equal ones the first."""
        engine, seat = playouts(imagined.program), imagined.seat
        got: dict[Keys, list[float]] = {keys: [] for keys in legal}
        for _ in range(-(-self.budget // len(legal))):
            after = dict(imagined.after(imagined.table(), engine.machine, legal))
            for keys, payoffs in zip(after, engine.play(after.values(), imagined.below), strict=True):
                got[keys].append(payoffs[seat])
        return max(got, key=lambda keys: fmean(got[keys]) if got[keys] else -inf)
