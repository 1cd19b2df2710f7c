"""`u`: what a person answered, taken back with all that came of it.

In: a sitting, a seat. Out: the game as it was before, and a sentence. Never: takes back what somebody has learned.
"""

from __future__ import annotations

from rulebook.table.reveals import why_final
from rulebook.table.sitting import Sitting


def undo(sitting: Sitting, seat: int) -> str:
    """Take back this person's last answer and what bots did after it; what to say."""
    game, marks = sitting.game, sitting.marks
    if not marks:
        return "There is nothing to take back."
    mark = marks[-1]
    if mark.seat != seat:
        return f"It cannot be taken back: {game.names[mark.seat]} has answered since."
    # Own events first: of what only others noticed, no more is said than that it happened.
    for other in sorted(range(len(game.names)), key=lambda other: other != seat):
        for event in game.events(other)[mark.seen[other] :]:
            reason = why_final(game.program, game.names, event, is_own=other == seat)
            if reason:
                reason = reason if other == seat else "somebody has learned something since."
                return f"It cannot be taken back: {reason}"
    # All at once, so that a save never holds the half of it.
    if len(game.entries) > mark.answers:
        game.undo(len(game.entries) - mark.answers)
    marks.pop()
    sitting.seen[seat] = min(sitting.seen.get(seat, 0), mark.seen[seat])
    return "Taken back."


def take_back(sitting: Sitting, seat: int) -> None:
    """Take back what this person answered in the decision that is still open."""
    sitting.game.take_back(seat)
    while sitting.marks and sitting.marks[-1].seat == seat and sitting.marks[-1].answers >= len(sitting.game.entries):
        sitting.marks.pop()
