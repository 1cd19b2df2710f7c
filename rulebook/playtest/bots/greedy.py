"""The bot `greedy`: looks one answer ahead.

In: an imagined table and the answers that may be given. Out: one of those after which its seat stands best. Never:
thinks about what others will answer.
"""

from __future__ import annotations

from rulebook.playtest.bots.thinking import Imagined, Mark, Thinking


class Greedy(Thinking):
    """Gives each answer at one and the same imagined table; of those that come out equal, one at random."""

    def think(self, imagined: Imagined) -> Mark:
        """The answer after which its seat stands best."""
        marks = imagined.legal if imagined.is_drawn else imagined.draw() or ()
        judged = [imagined.rate(number) for number in range(len(marks))]
        best = max(judged, default=None)
        equal = [mark for mark, stands in zip(marks, judged, strict=True) if stands == best] or imagined.legal
        return equal[imagined.below(len(equal))]
