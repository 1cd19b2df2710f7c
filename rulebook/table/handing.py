"""From one person to the next: a page on which there is nothing private, until the next one has the keyboard.

In: a sitting, who has the keyboard and who is to get it. Out: who has it then. Never: makes a view before it is the
turn of the one who may see it.
"""

from __future__ import annotations

from collections.abc import Sequence

from rulebook.interpreter import views
from rulebook.interpreter.decisions import Decision
from rulebook.table import story, view
from rulebook.table.blocks import Block, Recent
from rulebook.table.shared import Chance, Moment, SharedGame
from rulebook.table.sitting import Sitting
from rulebook.table.undoing import take_back

_NOTHING = "There is nothing for you to choose here."


def chances(sitting: Sitting, decision: Decision | None, at_keyboard: int | None) -> int | None:
    """Give the device to everyone who had a chance to choose before the game came to where it stands; who has it then.

    Whoever is asked next needs no such page.
    """
    game = sitting.game
    if not isinstance(game, SharedGame) or not sitting.is_shared:
        return at_keyboard
    way = game.way
    gone: list[tuple[int, Chance]] = []
    in_round = False
    for chance in [*way.gone, *([Chance(way.asking, way.put_at)] if decision is None else [])]:
        holder = gone[-1][0] if gone else at_keyboard
        for seat in sorted(chance.seats, key=lambda seat: seat != holder):
            if seat not in sitting.bots:
                if in_round and gone[-1][0] == seat:
                    gone.pop()
                gone.append((seat, chance))
        in_round = chance.in_round and gone[-1:] != [] and gone[-1][1] is chance
    way.gone = []
    if decision is not None and in_round and gone[-1][0] == _first(sitting, decision, at_keyboard):
        gone.pop()
        way.is_quiet = False  # everyone gone round gets the device
    for seat, chance in gone:
        at_keyboard = nothing(sitting, seat, at_keyboard, chance.moment)
    return at_keyboard


def next_seat(sitting: Sitting, decision: Decision, at_keyboard: int | None) -> int:
    """Who gets the device now, be it to find nothing to choose."""
    found = _first(sitting, decision, at_keyboard)
    if isinstance(sitting.game, SharedGame):
        way = sitting.game.way
        if way.is_quiet and found != at_keyboard:
            # Nobody learns who was asked if it goes once around the table.
            order = sitting.persons
            start = order.index(at_keyboard) + 1 if at_keyboard in order else 0
            way.asking, way.is_quiet = [*order[start:], *order[:start]], False
            if at_keyboard in way.asking:
                way.asking.remove(at_keyboard)
            found = way.asking[0]
        if found in way.asking:
            way.asking.remove(found)
    return found


def _first(sitting: Sitting, decision: Decision, at_keyboard: int | None) -> int:
    """Whoever has the keyboard already, if the choice is put to them too; else in the order of the rules."""
    asked = [ask.seat for ask in decision.asks]
    asking = sitting.game.way.asking if isinstance(sitting.game, SharedGame) else []
    put = [seat for seat in asking if seat not in sitting.bots]
    if at_keyboard is not None and at_keyboard in (*asked, *put):
        return at_keyboard
    return put[0] if put else min(asked)


def nothing(sitting: Sitting, seat: int, at_keyboard: int | None, moment: Moment) -> int:
    """Show a page to somebody who has nothing to choose, as long as a question takes; who has the keyboard then.

    It shows the game as it stood when the choice was put to them.
    """
    if seat != at_keyboard:
        part(sitting, at_keyboard, moment.noticed)
        got = hand_over(sitting, seat, at_keyboard)
        if got != seat:
            return got
    screen, game = sitting.screen, sitting.game
    happened = story.told(sitting, seat, sitting.seen.get(seat, 0), moment.noticed[seat])
    sitting.seen[seat] = moment.noticed[seat]
    facts = views.facts(game.program, game.names, moment.state, seat)
    blocks: list[Block] = [view.headline(game.program, facts), Recent(happened, 7), "", _NOTHING]
    if not screen.read_through(sitting.name(seat), blocks, goes_on="Press Enter to hand on"):
        sitting.leave()
    return seat


def part(sitting: Sitting, seat: int | None, noticed: Sequence[int]) -> None:
    """Show what came of this person's answer and is for nobody else, before somebody else has the keyboard."""
    found = [] if seat is None else story.private(sitting, seat, noticed[seat])
    if seat is not None and found:
        title = f"{sitting.name(seat)}, before you hand on"
        if not sitting.screen.read_through(title, found, goes_on="Press Enter to hand on"):
            sitting.leave()


def hand_over(sitting: Sitting, seat: int, giver: int | None = None) -> int:
    """The neutral page. While the decision is open, whoever has just answered may take it back, and gets the keyboard
    again.
    """
    screen = sitting.screen
    if giver is None or not screen.is_terminal or not _may_offer_undo(sitting, giver):
        sitting.hand_to(seat)
        return seat
    screen.draw(lambda: [f"Until all have answered, {sitting.name(giver)} may still take the answer back: u."])
    typed = screen.pause(f"Hand the device to {sitting.name(seat)}, then press Enter ")
    if typed is None:
        sitting.leave()
    if typed.strip().casefold() != "u":
        return seat
    take_back(sitting, giver)
    return hand_over(sitting, giver)


def _may_offer_undo(sitting: Sitting, giver: int) -> bool:
    """Whether all at the table may see that others have still to answer, so that the giver may take an answer back."""
    decision = sitting.game.decision
    is_hidden = decision is not None and any(ask.quiet for ask in decision.asks)
    return not is_hidden and sitting.game.may_take_back(giver)
