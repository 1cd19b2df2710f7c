"""The bot `learned:N`: has played N games against itself, and takes the answer that leads to the best table.

In: imagined tables, and what `self_play` has learned a table to be worth. Out: the answer after which the tables at
which its seat is asked again are worth most. Never: learns from the game that it plays; looks further.
"""

from __future__ import annotations

from rulebook.playtest.bots.self_play import TABLES, find_knowledge, take_best
from rulebook.playtest.bots.thinking import Imagined, Mark, Thinking


class Learned(Thinking):
    """Looks at the tables to which each answer leads: at what they are worth to itself, and to the seat that is so many
    further on, if it helps one."""

    helps = 0

    def think(self, imagined: Imagined) -> Mark:
        """The answer that leads to the best tables."""
        seats = dict.fromkeys((self.seat, (self.seat + self.helps) % imagined.program.players))
        return take_best(imagined, find_knowledge(imagined.program, self.budget), self.seed, TABLES, [*seats])
