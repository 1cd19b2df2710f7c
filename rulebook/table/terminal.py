"""A game in the terminal, for one person against bots or for several who share the keyboard.

Nobody is shown what only another may know: between two persons the screen is wiped before the next view is even made, a
line of the log comes from that person's own events, and whoever lent a seat to a bot is shown no page while others
share the device.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from pathlib import Path

from rulebook.interpreter import views
from rulebook.interpreter.decisions import Ask, Decision, NotKept
from rulebook.interpreter.events import Event
from rulebook.interpreter.wording import join_texts
from rulebook.table import asking, story, view
from rulebook.table.blocks import Block, Recent
from rulebook.table.keyboard import drop_input, has_input
from rulebook.table.reckoning import tell_last_round, tell_rounds, tell_standings
from rulebook.table.scores import count_rounds, find_scores
from rulebook.table.screen import Screen
from rulebook.table.shared import Chance, Moment
from rulebook.table.sitting import DeviceSitting, Left, regain
from rulebook.table.undoing import take_back
from rulebook.table.view import tints


def play_sitting(sitting: DeviceSitting) -> bool:
    """Ask whoever is to decide, until the game is over (yes) or somebody leaves (no)."""
    game, persons = sitting.game, sitting.persons
    at_keyboard: int | None = None if len(persons) > 1 else persons[0]
    sitting.screen.looks.tint(tints(game.program))
    if game.entries:
        game.begin_anew()  # a saved game goes on: what was put to anybody before is over
    waiting = _Waiting(sitting.screen)
    try:
        with sitting.screen.opened():
            while True:
                decision = game.decision
                bot = next((ask for ask in decision.asks if ask.seat in sitting.bots), None) if decision else None
                if not sitting.persons and sitting.is_shared:
                    at_keyboard = None  # anybody may have it
                if not watch_bot(sitting, bot):
                    continue
                if bot is not None:
                    sitting.screen.is_hurried = waiting.is_hurried if sitting.persons else lambda: False
                    _let_answer(sitting, bot)
                    if sitting.persons:
                        waiting.tell()
                    continue
                at_keyboard = offer_chances(sitting, decision, at_keyboard)
                if decision is None:
                    break
                waiting.end()
                at_keyboard = _ask_one(sitting, decision, at_keyboard)
                waiting = _Waiting(sitting.screen)
            _show_last_page(sitting, at_keyboard)
    except Left:
        return False
    return True


def _let_answer(sitting: DeviceSitting, ask: Ask) -> None:
    """Let a bot answer. Where its answer cannot be kept somebody says when to try again."""
    screen = sitting.screen
    while True:
        try:
            sitting.bots[ask.seat](ask)
        except NotKept as why:
            if not screen.is_terminal:
                raise
            screen.draw_blocks([str(why)])
            if screen.pause("── Enter tries again ── ") is None:
                sitting.leave_table()
        else:
            return


_LONG = 0.7
"""Seconds without a page after which people wonder whether anything goes on."""


class _Waiting:
    """Bots play one after the other; if that takes long it is said, once, and not which of them is asked."""

    def __init__(self, screen: Screen) -> None:
        self._screen, self._since, self._is_told = screen, time.monotonic(), False

    def tell(self, more: str = "") -> None:
        if self._screen.is_terminal and not self._is_told and time.monotonic() - self._since > _LONG:
            self._screen.show_lines([f"The bots think …{more}"])
            self._is_told = True

    def is_hurried(self) -> bool:
        """Say that one may hurry, and tell whether somebody does."""
        self.tell(" Enter hurries them.")
        return self._is_told and has_input()

    def end(self) -> None:
        if self._is_told:
            drop_input()


class TableBroke(Exception):
    """A bug of ours at a table: its kind and place, without any value, which may be somebody's secret."""


def redacted(bug: BaseException) -> TableBroke:
    """Reduce a bug to what may be said to all who sit there; where it was stays known."""
    import traceback

    frames = traceback.extract_tb(bug.__traceback__)
    where = f" in {Path(frames[-1].filename).name}, line {frames[-1].lineno}" if frames else ""
    return TableBroke(f"{type(bug).__name__}{where}").with_traceback(bug.__traceback__)


def _ask_one(sitting: DeviceSitting, decision: Decision, at_keyboard: int | None) -> int:
    """Somebody gets the keyboard, and answers if there is anything to answer; who has it then."""
    seat = next_seat(sitting, decision, at_keyboard)
    if decision.find_ask(seat) is None:
        return show_nothing(sitting, seat, at_keyboard, sitting.now)
    if seat != at_keyboard:
        show_part(sitting, at_keyboard, sitting.now.noticed)
        got = hand_over(sitting, seat, at_keyboard)
        if got != seat:
            return got
    tell_rounds(sitting, seat)
    asking.ask_person(sitting, seat)
    return seat


def _show_last_page(sitting: DeviceSitting, at_keyboard: int | None) -> None:
    """Show who won, and what happened since the last question: to a person who sat there alone as that person saw it,
    with the table, and to several as everybody did."""
    screen, game = sitting.screen, sitting.game
    if not screen.is_terminal:
        return
    alone = at_keyboard if not sitting.is_shared else None
    if alone is not None:
        tell_rounds(sitting, alone)
    standing = tell_standings(game, screen.columns, lambda _, text: text)

    def say_kept() -> str:
        return f"It stays, for replay to look at it again:\n{sitting.save()}"

    blocks: list[Block] = [*standing, ""]
    if alone is None:
        facts = views.collect_common_facts(game.program, game.names, game.state)
        events: Sequence[Event] = story.by_everyone([*map(game.events, range(len(game.names)))])
    else:
        facts, events = game.view(alone).facts, game.events(alone)
    scores = find_scores(game.program, facts, count_rounds(game.program, facts, events))
    if scores is not None and scores.says_more:
        blocks += [*scores.lay_out(), ""]
    if alone is None:
        last = tell_last_round(sitting)
        if not last and len(blocks) == len(standing) + 1:
            return  # who won is said in any case
        blocks += last
    else:
        blocks += [*story.told_to(sitting, alone, sitting.seen.get(alone, 0)), "", view.lay_out(game.program, facts)]
    goes_on = "Enter leaves, s keeps the game for replay"
    screen.read_through("The game is over.", blocks, goes_on=goes_on, kept=say_kept)


_NOTHING = "There is nothing for you to choose here."


def offer_chances(sitting: DeviceSitting, decision: Decision | None, at_keyboard: int | None) -> int | None:
    """Give the device to everyone who had a chance to choose before the game came to where it stands; who has it then.

    Whoever is asked next needs no such page.
    """
    if not sitting.is_shared:
        return at_keyboard
    way = sitting.game.way
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
        at_keyboard = show_nothing(sitting, seat, at_keyboard, chance.moment)
    return at_keyboard


def next_seat(sitting: DeviceSitting, decision: Decision, at_keyboard: int | None) -> int:
    """Return the seat that gets the device now, be it to find nothing to choose."""
    seat, way = _first(sitting, decision, at_keyboard), sitting.game.way
    if way.is_quiet and seat != at_keyboard:
        # Nobody learns who was asked if it goes once around the table.
        order = sitting.persons
        start = order.index(at_keyboard) + 1 if at_keyboard in order else 0
        way.asking, way.is_quiet = [*order[start:], *order[:start]], False
        if at_keyboard in way.asking:
            way.asking.remove(at_keyboard)
        seat = way.asking[0]
    if seat in way.asking:
        way.asking.remove(seat)
    return seat


def _first(sitting: DeviceSitting, decision: Decision, at_keyboard: int | None) -> int:
    """Pick the seat that is asked first: it has the keyboard already, or else is first in the order of the rules."""
    seats = [ask.seat for ask in decision.asks]
    put = [seat for seat in sitting.game.way.asking if seat not in sitting.bots]
    if at_keyboard is not None and at_keyboard in (*seats, *put):
        return at_keyboard
    return put[0] if put else min(seats)


def show_nothing(sitting: DeviceSitting, seat: int, at_keyboard: int | None, moment: Moment) -> int:
    """Show a page to somebody who has nothing to choose, as long as a question takes; who has the keyboard then.

    It shows the game as it stood when the choice was put to them.
    """
    if seat != at_keyboard:
        show_part(sitting, at_keyboard, moment.noticed)
        got = hand_over(sitting, seat, at_keyboard)
        if got != seat:
            return got
    screen, game = sitting.screen, sitting.game
    tell_rounds(sitting, seat, moment.noticed[seat])
    happened = story.told_to(sitting, seat, sitting.seen.get(seat, 0), moment.noticed[seat])
    sitting.seen[seat] = moment.noticed[seat]
    facts = views.collect_facts(game.program, game.names, moment.state, seat)
    blocks: list[Block] = [view.headline(game.program, facts), Recent(happened, 7), "", _NOTHING]
    # Whether somebody else is next comes behind it: the same person may be.
    if not screen.read_through(sitting.name_seat(seat), blocks, goes_on="Press Enter"):
        sitting.leave_table()
    return seat


def show_part(sitting: DeviceSitting, seat: int | None, noticed: Sequence[int]) -> None:
    """Show what came of this person's answer and is for nobody else, before somebody else has the keyboard."""
    lines = [] if seat is None else story.private(sitting, seat, sitting.seen.get(seat, 0), noticed[seat])
    if seat is not None and lines:
        title = f"{sitting.name_seat(seat)}, before you hand on"
        if not sitting.screen.read_through(title, lines, goes_on="Press Enter to hand on"):
            sitting.leave_table()


def hand_over(sitting: DeviceSitting, seat: int, giver: int | None = None, notice: str = "") -> int:
    """The neutral page. While the decision is open, whoever has just answered may take it back, and gets the keyboard
    again.
    """
    screen = sitting.screen
    if giver is None or not screen.is_terminal or not _may_offer_undo(sitting, giver):
        sitting.hand_to(seat)
        return seat
    offer = f"Until all have answered, {sitting.name_seat(giver)} may still take the answer back: u."
    screen.draw(lambda: [offer, *([f"! {notice}"] if notice else [])])
    typed = screen.pause(f"Hand the device to {sitting.name_seat(seat)}, then press Enter ")
    if typed is None:
        sitting.leave_table()
    if typed.strip().casefold() != "u":
        return seat
    try:
        take_back(sitting, giver)
    except NotKept as why:
        return hand_over(sitting, seat, giver, str(why))
    return hand_over(sitting, giver)


def _may_offer_undo(sitting: DeviceSitting, giver: int) -> bool:
    """Tell whether all may see that others have still to answer, so that the giver may take an answer back."""
    decision = sitting.game.decision
    is_hidden = decision is not None and any(ask.quiet for ask in decision.asks)
    return not is_hidden and sitting.game.may_take_back(giver)


def watch_bot(sitting: DeviceSitting, ask: Ask | None) -> bool:
    """Wait, where bots play for everybody, until somebody wants them to go on; return whether they go on.

    Several who lent their seats are not shown who had anything to choose: for them it waits where everybody may know
    that the game came. One alone is shown what happened whenever the own seat is asked.
    """
    points = sitting.game.way.points
    if sitting.persons or not sitting.lent or not sitting.screen.is_terminal:
        points.clear()
        return True
    if len(sitting.lent) == 1:
        return ask is None or ask.seat not in sitting.lent or _wait(sitting, ask.seat)
    while points:
        del points[0]
        if not _wait(sitting, None):
            return False
    return True


def _wait(sitting: DeviceSitting, alone: int | None) -> bool:
    """Wait for Enter (yes), or for somebody who sits down again (no)."""
    screen = sitting.screen
    names = join_texts([sitting.name_seat(seat) for seat in sitting.lent])
    notice = ""
    while True:
        happened = [] if alone is None else story.told_to(sitting, alone, sitting.seen.get(alone, 0))
        screen.draw_blocks([Recent(happened, 4)], f"A bot plays for {names}.", notice)
        typed = screen.pause(f"── Enter goes on, {'b and a name' if alone is None else 'b'} plays again, q leaves ── ")
        if typed is None or typed.strip().casefold() in ("q", "quit"):
            sitting.leave_table()
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
