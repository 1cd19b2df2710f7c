"""A game in the terminal, for one person against bots or for several who share the keyboard.

In: a sitting. Out: answers, until the game is over or somebody leaves. Never: shows one person what another may know:
between two persons the screen is wiped before the next view is even made, and a line of the log comes from that
person's own events.
"""

from __future__ import annotations

from rulebook.interpreter.decisions import Ask, Decision
from rulebook.table import asking, handing, story
from rulebook.table.sitting import Left, Sitting


def play(sitting: Sitting) -> bool:
    """Ask whoever is to decide, until the game is over (yes) or somebody leaves (no)."""
    persons = sitting.persons
    at_keyboard: int | None = None if len(persons) > 1 else persons[0]
    try:
        with sitting.screen.opened():
            while (decision := sitting.game.decision) is not None:
                ask = _next(sitting, decision, at_keyboard)
                if ask.seat in sitting.bots:
                    sitting.bots[ask.seat](ask)
                    continue
                if ask.seat != at_keyboard:
                    handing.part(sitting, at_keyboard)
                    at_keyboard = handing.hand_over(sitting, ask.seat, at_keyboard)
                    if at_keyboard != ask.seat:
                        continue
                asking.turn(sitting, ask.seat)
            _last_page(sitting, at_keyboard)
    except Left:
        return False
    return True


def _next(sitting: Sitting, decision: Decision, at_keyboard: int | None) -> Ask:
    """Bots first, they take no time; then whoever has the keyboard already."""
    return min(decision.asks, key=lambda ask: (ask.seat not in sitting.bots, ask.seat != at_keyboard, ask.seat))


def _last_page(sitting: Sitting, at_keyboard: int | None) -> None:
    """What happened since the last question; only to a person who sat there alone, since it may be private."""
    if at_keyboard is None or len(sitting.persons) > 1 or not sitting.screen.is_terminal:
        return
    lines = story.told(sitting, at_keyboard, sitting.seen.get(at_keyboard, 0))
    sitting.screen.read_through("The game is over.", lines)
