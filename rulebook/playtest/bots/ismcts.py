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

from attrs import evolve

from rulebook.interpreter.core.imagining import Manner
from rulebook.playtest.bots.small import LOOKED_AT, drawn, played_whole
from rulebook.playtest.bots.thinking import Imagined, Mark, Thinking, one_at_random

SOLVED = 100
"""The number of tables that are looked at instead of one imagined game, where nothing is hidden or left to chance."""
PLACES = Manner(games=8, ahead=10, curiosity=1.2, margin=0.5)
"""The manner of search where the result is who is placed before whom."""
PAYOFF = evolve(PLACES, margin=0.0)
"""The same where it is a payoff."""


class Ismcts(Thinking):
    """Searches a tree of what players know."""

    def think(self, imagined: Imagined) -> Mark:
        """Return the answer that was taken most often; of equal ones the one that went better."""
        best = imagined.solve(SOLVED * self.budget)
        if best:
            imagined.keep(best)
            if len(best) == 1:
                return imagined.legal[0]
        often = played_whole(imagined, LOOKED_AT * self.budget) if best is None else None
        if often is not None:
            return drawn(often, imagined.below)
        manner = PLACES if imagined.program.payoff is None else PAYOFF
        found = imagined.search(manner, self.budget, self.is_hurried)
        return one_at_random(imagined) if found is None else imagined.legal[found]
