"""A game in the terminal, for one person against bots or for several who share the keyboard.

In: a sitting. Out: answers, until the game is over or somebody leaves. Never: shows one person what another may know:
between two persons the screen is wiped before the next view is even made, and a line of the log comes from that
person's own events.
"""

from __future__ import annotations

from pathlib import Path

from rulebook.interpreter.decisions import Decision
from rulebook.table import asking, handing, lending, story, view
from rulebook.table.shared import SharedGame
from rulebook.table.sitting import Left, Sitting
from rulebook.table.tints import tints


def play(sitting: Sitting) -> bool:
    """Ask whoever is to decide, until the game is over (yes) or somebody leaves (no)."""
    game, persons = sitting.game, sitting.persons
    at_keyboard: int | None = None if len(persons) > 1 else persons[0]
    sitting.screen.looks.tint(tints(game.program))
    if isinstance(game, SharedGame) and game.entries:
        game.begin_anew()  # a saved game goes on: what was put to anybody before is over
    try:
        with sitting.screen.opened():
            while True:
                decision = game.decision
                bot = next((ask for ask in decision.asks if ask.seat in sitting.bots), None) if decision else None
                if not sitting.persons and sitting.is_shared:
                    at_keyboard = None  # anybody may have it
                if not lending.look_on(sitting, bot):
                    continue
                if bot is not None:
                    sitting.bots[bot.seat](bot)  # bots take no time
                    continue
                at_keyboard = handing.chances(sitting, decision, at_keyboard)
                if decision is None:
                    break
                at_keyboard = _one(sitting, decision, at_keyboard)
            _last_page(sitting, at_keyboard)
    except Left:
        return False
    return True


class TableBroke(Exception):
    """A bug of ours at a table: its kind and place, without any value, which may be somebody's secret."""


def redacted(bug: BaseException) -> TableBroke:
    """What may be said of a bug to all who sit there; where it was stays known."""
    import traceback

    frames = traceback.extract_tb(bug.__traceback__)
    where = f" in {Path(frames[-1].filename).name}, line {frames[-1].lineno}" if frames else ""
    return TableBroke(f"{type(bug).__name__}{where}").with_traceback(bug.__traceback__)


def _one(sitting: Sitting, decision: Decision, at_keyboard: int | None) -> int:
    """Somebody gets the keyboard, and answers if there is anything to answer; who has it then."""
    seat = handing.next_seat(sitting, decision, at_keyboard)
    if decision.of(seat) is None:
        return handing.nothing(sitting, seat, at_keyboard, sitting.now)
    if seat != at_keyboard:
        handing.part(sitting, at_keyboard, sitting.now.noticed)
        got = handing.hand_over(sitting, seat, at_keyboard)
        if got != seat:
            return got
    asking.turn(sitting, seat)
    return seat


def _last_page(sitting: Sitting, at_keyboard: int | None) -> None:
    """What happened since the last question, and the table; only to a person who sat there alone: it may be private."""
    if at_keyboard is None or sitting.is_shared or not sitting.screen.is_terminal:
        return
    program, facts = sitting.game.program, sitting.game.view(at_keyboard).facts
    lines = story.told(sitting, at_keyboard, sitting.seen.get(at_keyboard, 0))
    table = view.seen(program, facts)

    def kept() -> str:
        return f"It stays, for replay to look at it again:\n{sitting.save()}"

    goes_on = "Enter leaves, s keeps the game for replay"
    sitting.screen.read_through("The game is over.", [*lines, "", table], goes_on=goes_on, kept=kept)
