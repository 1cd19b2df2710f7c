"""`u`: what a person answered, taken back with all that came of it.

In: a sitting, a seat. Out: the game as it was before, and a sentence. Never: takes back what somebody has learned,
unless everybody at the device agrees.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from rulebook.table.reveals import why_final
from rulebook.table.screen import Screen
from rulebook.table.sitting import Mark, Sitting

NOTHING = "There is nothing to take back."
SECRET = "Answer this first: that you are asked is for nobody else."
_YES, _NO = ("y", "yes"), ("n", "no")


def undo(sitting: Sitting, seat: int) -> str:
    """Take back this person's last answer and what bots did after it; what to say."""
    mark = _last(sitting, seat)
    if mark is None:
        return NOTHING
    blocked = _blocked(sitting, mark)
    if blocked:
        how = "If everybody agrees it can" if len(sitting.persons) > 1 else "If you want it all the same"
        return f"It cannot be taken back: {blocked} {how}: type u all."
    _return_to(sitting, mark)
    return "Taken back."


def undo_together(sitting: Sitting, seat: int) -> str:
    """Take it back whatever has happened since, if all the others at the device agree; what to say."""
    others = must_agree(sitting, seat)
    if others is None:
        return NOTHING
    if others:
        refused = next((other for other in others if not _agrees(sitting, other, seat)), None)
        sitting.hand_to(seat)
        if refused is not None:
            return f"{sitting.name(refused)} does not agree."
    return undo_agreed(sitting, seat)


def must_agree(sitting: Sitting, seat: int) -> list[int] | None:
    """Who has to agree before this person's last answer can be taken back; None if there is nothing to take back."""
    mark = _last(sitting, seat)
    if mark is None:
        return None
    return [other for other in sitting.persons if other != seat] if _blocked(sitting, mark) else []


def undo_agreed(sitting: Sitting, seat: int) -> str:
    """Take it back: all who have to agree have done so."""
    mark = _last(sitting, seat)
    assert mark is not None
    _return_to(sitting, mark)
    return "Taken back."


def take_back(sitting: Sitting, seat: int) -> None:
    """Take back what this person answered in the decision that is still open."""
    sitting.game.take_back(seat)
    while sitting.marks and sitting.marks[-1].seat == seat and sitting.marks[-1].answers >= len(sitting.game.entries):
        sitting.marks.pop()


def _last(sitting: Sitting, seat: int) -> Mark | None:
    return next((mark for mark in reversed(sitting.marks) if mark.seat == seat), None)


def _blocked(sitting: Sitting, mark: Mark) -> str:
    """Why the game cannot simply go back there, if it cannot."""
    game, seat = sitting.game, mark.seat
    if sitting.marks[-1] is not mark:
        return f"{sitting.name(sitting.marks[-1].seat)} has answered since."
    # Own events first: of what only others noticed, no more is said than that it happened.
    for other in sorted(range(len(game.names)), key=lambda other: other != seat):
        for event in game.events(other)[mark.seen[other] :]:
            reason = why_final(game.program, game.names, event, is_own=other == seat)
            if reason:
                return reason if other == seat else "somebody has learned something since."
    return ""


def _return_to(sitting: Sitting, mark: Mark) -> None:
    """All at once, so that a save never holds the half of it."""
    game = sitting.game
    if len(game.entries) > mark.answers:
        game.undo(len(game.entries) - mark.answers)
    del sitting.marks[sitting.marks.index(mark) :]
    for seat, seen in enumerate(mark.seen):
        sitting.seen[seat] = min(sitting.seen.get(seat, 0), seen)


def _agrees(sitting: Sitting, other: int, seat: int) -> bool:
    """Whether this person agrees, on a page that says nothing else."""
    screen, name, notice = sitting.screen, sitting.name(seat), list[str]()
    sitting.hand_to(other)
    while True:
        asked = [f"{name} wants to take back an answer, and all that has happened since."]
        screen.draw(partial(_page, screen, [*asked, *notice]))
        typed = screen.ask(f"{sitting.name(other)}, do you agree? [yes/no] > ")
        if typed is None:
            sitting.leave()
        word = typed.strip().casefold()
        if word in (*_YES, *_NO):
            return word in _YES
        notice = ["! Type yes or no."]


def _page(screen: Screen, lines: Sequence[str]) -> list[str]:
    return screen.looks.blocks(lines, screen.size)
