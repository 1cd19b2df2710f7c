"""From one person to the next: a page on which there is nothing private, until the next one has the keyboard.

In: a sitting, who has the keyboard and who is to get it. Out: who has it then. Never: makes a view before it is the
turn of the one who may see it.
"""

from __future__ import annotations

from rulebook.table import story
from rulebook.table.sitting import Sitting
from rulebook.table.undoing import take_back


def part(sitting: Sitting, seat: int | None) -> None:
    """What came of this person's answer and is for nobody else, before somebody else has the keyboard."""
    found = [] if seat is None else story.private(sitting, seat)
    if seat is not None and found:
        title = f"{sitting.name(seat)}, before you hand on"
        if not sitting.screen.read_through(title, found, goes_on="Press Enter to hand on"):
            sitting.leave()


def hand_over(sitting: Sitting, seat: int, giver: int | None = None) -> int:
    """The neutral page. While the decision is open, whoever has just answered may take it back, and gets the keyboard
    again.
    """
    name, screen = sitting.name(seat), sitting.screen
    screen.page()
    if not screen.is_terminal:
        screen.show([f"Hand the device to {name}."])
        return seat
    if giver is None or not sitting.game.may_take_back(giver):
        if screen.pause(f"Hand the device to {name}, then press Enter ") is None:
            sitting.leave()
        return seat
    screen.show([f"Until all have answered, {sitting.name(giver)} may still take the answer back: u."])
    typed = screen.pause(f"Hand the device to {name}, then press Enter ")
    if typed is None:
        sitting.leave()
    if typed.strip().casefold() != "u":
        return seat
    take_back(sitting, giver)
    return hand_over(sitting, giver)
