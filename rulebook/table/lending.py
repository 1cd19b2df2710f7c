"""`b`: a bot plays for a person, until that person sits down again.

In: a sitting, a seat or a name. Out: who plays for whom, and a sentence. Never: shows a page to whoever lent a seat
while others share the device.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from rulebook.interpreter.account import joined
from rulebook.interpreter.decisions import Ask
from rulebook.table import story
from rulebook.table.blocks import Recent, Told
from rulebook.table.screen import Screen
from rulebook.table.shared import SharedGame
from rulebook.table.sitting import Sitting


def lend(sitting: Sitting, seat: int) -> None:
    """A bot plays for this person from now on."""
    sitting.bots[seat] = sitting.stand_in(seat)
    sitting.lent.append(seat)


def regain(sitting: Sitting, name: str) -> str:
    """Who lent a seat sits down again; what to say."""
    wanted = name.casefold()
    found = [seat for seat in sitting.lent if not wanted or sitting.game.names[seat].casefold().startswith(wanted)]
    if len(found) != 1:
        lent = joined([sitting.name(seat) for seat in sitting.lent])
        return f"A bot plays for {lent}. Type b and a name." if lent else "No bot plays for anybody here."
    sitting.lent.remove(found[0])
    del sitting.bots[found[0]]
    return f"{sitting.name(found[0])} plays again."


def look_on(sitting: Sitting, ask: Ask | None) -> bool:
    """Where bots play for everybody, wait until somebody wants them to go on; whether they go on.

    Several who lent their seats are not shown who had anything to choose: for them it waits where everybody may know
    that the game came. One alone is shown what happened whenever the own seat is asked.
    """
    game, screen = sitting.game, sitting.screen
    if sitting.persons or not sitting.lent or not screen.is_terminal:
        if isinstance(game, SharedGame):
            game.way.points.clear()
        return True
    if len(sitting.lent) == 1:
        return ask is None or ask.seat not in sitting.lent or _wait(sitting, ask.seat)
    assert isinstance(game, SharedGame)
    points = game.way.points
    while points:
        del points[0]
        if not _wait(sitting, None):
            return False
    return True


def _wait(sitting: Sitting, alone: int | None) -> bool:
    """Wait for Enter (yes), or for somebody who sits down again (no)."""
    screen = sitting.screen
    names = joined([sitting.name(seat) for seat in sitting.lent])
    notice = ""
    while True:
        happened = [] if alone is None else story.told(sitting, alone, sitting.seen.get(alone, 0))
        screen.draw(partial(_page, screen, f"A bot plays for {names}.", happened, notice))
        typed = screen.pause(f"── Enter goes on, {'b and a name' if alone is None else 'b'} plays again, q leaves ── ")
        if typed is None or typed.strip().casefold() in ("q", "quit"):
            sitting.leave()
        word, _, name = typed.strip().partition(" ")
        if not word:
            if alone is not None:
                sitting.seen[alone] = len(sitting.game.events(alone))
            return True
        if word.casefold() == "b":
            notice = regain(sitting, name)
            if sitting.persons:
                return False
        else:
            notice = f"“{word}” says nothing here."


def _page(screen: Screen, title: str, happened: Sequence[Told], notice: str) -> list[str]:
    size, looks = screen.size, screen.looks
    told = looks.blocks([Recent(happened, 4)], size)
    return [looks.title(title, size.columns), *told, *looks.notes(notice, size.columns)]
