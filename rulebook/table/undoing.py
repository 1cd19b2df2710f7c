"""Undo at the table (`u`): an answer of a person is taken back, with all that came of it.

What somebody has learned is taken back only if everybody at the device agrees, and whether something can be taken back
never depends on what this person may not know. An answer that nobody could notice is no reason against it, and is taken
back with the rest (decision 29).
"""

from __future__ import annotations

from collections.abc import Sequence

from attrs import evolve

from rulebook.interpreter.events import Event, EventKind
from rulebook.interpreter.program import Program
from rulebook.interpreter.wording import Names, place_key
from rulebook.table.sitting import DeviceSitting, Mark, Sitting

BY_ALL = "type u all"
NOTHING = "There is nothing to take back."
SECRET = "Answer this first: that you are asked is for nobody else."
KEPT = "It cannot be taken back: the game has gone on, and that you were asked is for nobody else."
_YES, _NO = ("y", "yes"), ("n", "no")


def undo_answer(sitting: Sitting, seat: int) -> str:
    """Take back this person's last answer and what bots did after it; what to say."""
    mark = _last(sitting, seat)
    if mark is None:
        return NOTHING
    if _is_kept(sitting, mark):
        return KEPT
    blocked = _explain_block(sitting, mark)
    if blocked:
        how = "If everybody agrees it can" if len(sitting.persons) > 1 else "If you want it all the same"
        return f"It cannot be taken back: {blocked} {how}: {BY_ALL}."
    _return_to(sitting, mark)
    return "Taken back."


def undo_together(sitting: DeviceSitting, seat: int) -> str:
    """Take it back whatever has happened since, if all the others at the device agree; what to say."""
    why = why_never(sitting, seat)
    if why:
        return why
    others = must_agree(sitting, seat)
    if others:
        refused = next((other for other in others if not _agrees(sitting, other, seat)), None)
        sitting.hand_to(seat)
        if refused is not None:
            return f"{sitting.name_seat(refused)} does not agree."
    return undo_agreed(sitting, find_agreed(sitting, seat, others))


def why_never(sitting: Sitting, seat: int) -> str:
    """Say why this person can take nothing back even if everybody agrees; empty if something can be."""
    mark = _last(sitting, seat)
    if mark is None:
        return NOTHING
    return KEPT if _is_kept(sitting, mark) else ""


def must_agree(sitting: Sitting, seat: int) -> list[int]:
    """Return the seats that have to agree before this person's last answer can be taken back."""
    mark = _last(sitting, seat)
    if mark is None or not _explain_block(sitting, mark):
        return []
    return [other for other in sitting.persons if other != seat]


def find_agreed(sitting: Sitting, seat: int, others: Sequence[int]) -> Mark:
    """Find the answer that is taken back if these others agree: one that they may know was given, if there is any.

    Else they would see by what comes of it whether this person has been asked in secret since.
    """
    own = [mark for mark in sitting.marks if mark.seat == seat]
    return next((mark for mark in reversed(own) if others and not mark.is_hidden), own[-1])


def undo_agreed(sitting: Sitting, mark: Mark) -> str:
    """Take an answer back, and all that has happened since: everybody has agreed to that."""
    _return_to(sitting, mark)
    return "Taken back."


def take_back(sitting: Sitting, seat: int) -> None:
    """Take back what this person answered in the decision that is still open."""
    before = [entry.seat for entry in sitting.game.entries]
    sitting.game.take_back(seat)
    gone = [at for at, other in enumerate(before) if other == seat][len(sitting.game.entries) - len(before) :]
    # What others have answered in it stands further up now.
    sitting.marks[:] = [
        evolve(mark, answers=mark.answers - sum(at < mark.answers for at in gone))
        for mark in sitting.marks
        if mark.answers not in gone
    ]


def _last(sitting: Sitting, seat: int) -> Mark | None:
    return next((mark for mark in reversed(sitting.marks) if mark.seat == seat), None)


def find_open_answer(sitting: Sitting, seat: int) -> Mark | None:
    """Find the last answer of this person that everybody knows was given: what is taken back goes no further."""
    marks = reversed(sitting.marks)
    return next(
        (mark for mark in marks if mark.seat == seat and not mark.is_hidden and _is_closed(sitting, mark)), None
    )


def _is_kept(sitting: Sitting, mark: Mark) -> bool:
    """Tell whether the others would see that this person was asked quietly, if the game went back that far."""
    return sitting.is_shared and mark.is_quiet and sitting.game.way.passed > mark.passed


def _explain_block(sitting: Sitting, mark: Mark) -> str:
    """Say why the game cannot simply go back there, from what this person has noticed alone; empty if it can."""
    game, seat = sitting.game, mark.seat
    noticed = game.events(seat)[mark.seen[seat] :]
    since = _find_answered_since(sitting, mark, noticed)
    if since is not None:
        return f"{sitting.name_seat(since)} has answered since."
    for event in noticed:
        reason = why_consent(game.program, game.names, event)
        if reason:
            return reason
    if game.way.whispers > mark.whispers:
        return "somebody may have been told something since."
    return ""


def _find_answered_since(sitting: Sitting, mark: Mark, noticed: Sequence[Event]) -> int | None:
    """Find somebody at the table of whom this person knows that they have answered, if anybody has; bots do not mind.
    """
    names, others = sitting.game.names, {*sitting.persons, *sitting.lent} - {mark.seat}
    later = sitting.marks[sitting.marks.index(mark) + 1 :]
    seats = [mark.seat for mark in later if mark.seat in others and not mark.is_hidden and _is_closed(sitting, mark)]
    heard = [names.index(event.facts["player"]) for event in noticed if event.kind in ("chose", "passed")]
    # Who heard of an answer may not know whether there was any other.
    seats += [seat for seat in heard if seat in others]
    return seats[-1] if seats else None


def _is_closed(sitting: Sitting, mark: Mark) -> bool:
    """Tell whether this person has nothing more to pick in that decision: before, nobody sees what they have picked."""
    decision = sitting.game.decision
    ask = decision.find_ask(mark.seat) if decision is not None else None
    return ask is None or ask.number != sitting.game.entries[mark.answers].number


def _return_to(sitting: Sitting, mark: Mark) -> None:
    """All at once, so that a save never holds the half of it."""
    game = sitting.game
    if len(game.entries) > mark.answers:
        game.undo(len(game.entries) - mark.answers)
    del sitting.marks[sitting.marks.index(mark) :]
    game.way.passed, game.way.whispers = mark.passed, mark.whispers
    for seat, seen in enumerate(mark.seen):
        sitting.seen[seat] = min(sitting.seen.get(seat, 0), seen)


def _agrees(sitting: DeviceSitting, other: int, seat: int) -> bool:
    """Ask whether this person agrees, on a page that says nothing else."""
    screen, name, notice = sitting.screen, sitting.name_seat(seat), list[str]()
    sitting.hand_to(other)
    while True:
        lines = [f"{name} wants to take back an answer, and all that has happened since."]
        screen.draw_blocks([*lines, *notice])
        typed = screen.read_line(f"{sitting.name_seat(other)}, do you agree? [yes/no] > ")
        if typed is None:
            sitting.leave_table()
        word = typed.strip().casefold()
        if word in (*_YES, *_NO):
            return word in _YES
        notice = ["! Type yes or no."]


_SENTENCES: dict[EventKind, str] = {
    "rolled": "dice have been rolled since.",
    "shuffled": "something has been shuffled since.",
    "revealed": "cards have been revealed since.",
    "uncovered": "a card has been uncovered since.",
    "shown": "cards have been shown since.",
    "told": "somebody has been told something since.",
    "said": "something has been said since.",
    "because": "something hidden has been explained since.",
}


def why_consent(program: Program, names: Names, event: Event) -> str:
    """Say why others must agree before the answer behind this event is taken back; empty if they need not."""
    if event.kind in _SENTENCES:
        return _SENTENCES[event.kind]
    if event.how is None:
        return ""
    if event.how.is_drawn:
        return "cards have been drawn since."
    before = _watchers(program, names, event.facts["from"])
    after = program.layout.everyone if event.facts["face"] == "up" else _watchers(program, names, event.facts["to"])
    return "somebody has seen a card since." if after & ~before else ""


def is_behind_a_round(program: Program, names: Names, events: Sequence[Event], start: int) -> bool:
    """Tell whether cards have been shown since the event `start`, and another round has begun since that: an outermost
    stage behind one that has others within it.
    """
    depth, is_shown, has_inner = 0, False, False
    for at, event in enumerate(events):
        if event.kind == "stage_began":
            if depth == 0 and is_shown and has_inner:
                return True
            has_inner = depth > 0
            depth += 1
        elif event.kind == "stage_ended":
            depth -= 1
        elif at >= start and not is_shown:
            is_move = event.how is not None and not event.how.is_drawn
            is_shown = event.kind in _SHOWING or (is_move and why_consent(program, names, event) != "")
    return False


_SHOWING: tuple[EventKind, ...] = ("revealed", "uncovered", "shown")


def _watchers(program: Program, names: Names, key: str) -> int:
    """The seats that see what lies face down in a place."""
    return next(place.watchers for place in program.layout.places if place_key(program, names, place) == key)
