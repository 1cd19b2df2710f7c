"""The bot `greedy`: looks one answer ahead.

In: an imagined table and the answers that may be given. Out: one of those after which its seat stands best. Never:
thinks about what others will answer.
"""

from __future__ import annotations

from typing import Any

from rulebook.playtest.bots.playouts import playouts, standing
from rulebook.playtest.bots.thinking import Imagined, Mark, Thinking

MOST_OWN = 8
"""How many further decisions of its own are answered at random before it looks at how it stands."""


class Greedy(Thinking):
    """Gives each answer at one and the same imagined table; of those that come out equal, one at random."""

    def think(self, imagined: Imagined, legal: dict[Mark, Any]) -> Mark:
        """The answer after which its seat stands best."""
        machine, seat = playouts(imagined.program).machine, imagined.seat
        judged: dict[Mark, tuple[float, float]] = {}
        for mark, after in imagined.after(imagined.table(), machine, legal):
            for _ in range(MOST_OWN):
                if machine.waiting(after) != (seat,):
                    break
                machine.answer_value(after, seat, machine.random_value(after, seat, imagined.below))
                machine.advance(after)
            judged[mark] = standing(imagined.program, after, seat)
        best = max(judged.values(), default=None)
        equal = [mark for mark, stands in judged.items() if stands == best] or list(legal)
        return equal[imagined.below(len(equal))]
