"""Cards that move while it is kept who knows them, and nobody is told.

In: a `BlindRun`, a state, cards by number and places by ordinal. Out: the state as the machine's `carry`, draws and
shuffles leave it. Never: an event; says what is known, which `knowledge` does.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from rulebook.interpreter import knowledge, moving
from rulebook.interpreter.compiled.blind import OTHER, BlindRun
from rulebook.interpreter.compiled.hands import below, carry, move, move_all, pass_each, shuffle
from rulebook.interpreter.layout import ALIVE, ELIMINATED, FACES, KNOWN, WHERE
from rulebook.interpreter.primitives.cards import cards_of
from rulebook.interpreter.primitives.chance import refill
from rulebook.interpreter.state import State


def move_known(r: BlindRun, s: State, card: int | None, goal: int, end: str, face: int | None) -> None:
    """One card, from wherever it lies."""
    if card is None:
        return
    places, one = r.layout.places, s[WHERE][card]
    source, place = places[one], places[goal]
    if r.spots[one][1] == OTHER or r.spots[goal][1] == OTHER:
        carry_known(r, s, card, goal, end, face)
        return
    seers = knowledge.watchers(s, place) if s[ELIMINATED] else place.watchers
    if (place.arrives_up if face is None else face) and not (end == "bottom" and place.kept == "pile"):
        seers = r.layout.everyone
    if not source.ordered:
        knowledge.departs(r.program, s, source, (card,), seers)
    move(r, s, card, goal, end, face)
    known = s[KNOWN]
    if type(known) is bytes:
        known = r.heat(s, KNOWN)
    known[card] |= seers
    for pile in (source, place):
        if pile.settled is not None and s[pile.slot]:
            top = s[pile.slot][0]
            known[top] |= knowledge.sight(r.program, s, top)


def carry_known(r: BlindRun, s: State, cards: Any, goal: int, end: str, face: int | None) -> None:
    """Cards, one after the other, from wherever they lie."""
    several, places, where = cards_of(cards), r.layout.places, s[WHERE]
    place = places[goal]
    sources: dict[int, list[int]] = {}
    for card in several:
        sources.setdefault(where[card], []).append(card)
    if "pool" in (place.kept, *[places[one].kept for one in sources]):
        carry(r, s, several, goal, end, face)
        return
    everyone, faces = r.layout.everyone, s[FACES]
    up = place.arrives_up if face is None else face
    watchers = knowledge.watchers(s, place)
    seers = everyone if up and not moving.covers(place, sources, end) else watchers
    for one, leaving in sources.items():
        source = places[one]
        if not source.ordered:
            knowledge.departs(r.program, s, source, leaving, seers)
            if place.ordered:
                blind = everyone & ~(knowledge.watchers(s, source) | seers)
                knowledge.mixed(r.program, s, [card for card in leaving if not faces[card]], blind)
    if len(several) == 1:
        move(r, s, several[0], goal, end, face)
    else:
        move_all(r, s, several, goal, end, face)
    known = s[KNOWN]
    if type(known) is bytes:
        known = r.heat(s, KNOWN)
    if seers:
        for card in several:
            known[card] |= seers
    for one in (*sources, goal):
        pile = places[one]
        if pile.settled is not None and s[pile.slot]:
            top = s[pile.slot][0]
            known[top] |= knowledge.sight(r.program, s, top)


def draw_known(
    r: BlindRun, s: State, source: int, goals: Sequence[int], total: int, end: str, face: int | None
) -> tuple[int, ...]:
    """So many cards of a bag or pile, to one place after the other, while there are any."""
    place = r.layout.places[source]
    taken: list[int] = []
    while len(taken) < total:
        if not s[place.slot]:
            r.cool(s)
            if not refill(r, place):
                break
        goal = goals[len(taken) % len(goals)]
        contents = s[place.slot]
        first, last = (0, 0) if place.settled is None else s[place.settled]
        if first or last == len(contents) or (place.ordered and place.settled is None):
            card = contents[0]
        else:
            card = contents[below(r, s, place.stream, len(contents) - last)]
        move_known(r, s, card, goal, end, face)
        taken.append(card)
    return tuple(taken)


def shuffle_known(r: BlindRun, s: State, ordinal: int) -> None:
    """A bag or a pile has no order any more, a row or grid another one, and nobody knows it who may not look."""
    place = r.layout.places[ordinal]
    shuffle(r, s, ordinal)
    if place.settled is not None or place.ordered:
        r.cool(s)
        knowledge.shuffled(r.program, s, place)


def pass_known(r: BlindRun, s: State, places: Sequence[int], step: int) -> None:
    """Everybody's place goes to a neighbour as a whole, and what was known about its cards goes with them."""
    pass_each(r, s, places, step)
    r.cool(s)
    for seat in s[ALIVE]:
        knowledge.see(r.program, s, s[r.spots[places[seat]][0]])


NAMES: dict[str, Any] = {
    "move_known": move_known,
    "carry_known": carry_known,
    "draw_known": draw_known,
    "shuffle_known": shuffle_known,
    "pass_known": pass_known,
}
"""What printed text may call."""
