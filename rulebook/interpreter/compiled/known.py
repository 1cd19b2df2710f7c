"""Cards that move while it is kept who knows them, and nobody is told.

In: a `BlindRun`, a state, cards by number and places by ordinal. Out: the state as the machine's `carry`, draws and
shuffles leave it. Never: an event; says what is known, which `knowledge` does.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from rulebook.interpreter import knowledge, moving
from rulebook.interpreter.compiled.blind import BlindRun
from rulebook.interpreter.compiled.hands import move, move_all, shuffle
from rulebook.interpreter.layout import BOX, FACES, KNOWN, WHERE
from rulebook.interpreter.primitives_cards import cards_of
from rulebook.interpreter.primitives_chance import next_card, refill
from rulebook.interpreter.state import State

SAID = {1: "up", 0: "down", None: ""}


def carry_known(r: BlindRun, s: State, cards: Any, goal: int, end: str, face: int | None) -> None:
    """Cards, one after the other, from wherever they lie."""
    several, places, where = cards_of(cards), r.layout.places, s[WHERE]
    place = places[goal]
    sources: dict[int, list[int]] = {}
    for card in several:
        sources.setdefault(where[card], []).append(card)
    if "pool" in (place.kept, *[places[one].kept for one in sources]):
        r.cool(s)
        moving.carry(r, several, (place, None), end, SAID[face])
        return
    everyone, faces = r.layout.everyone, s[FACES]
    up = goal != BOX and (place.arrives_up if face is None else face)
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
    if seers:
        known = s[KNOWN]
        if type(known) is bytes:
            known = r.heat(s, KNOWN)
        for card in several:
            known[card] |= seers
    for one in (*sources, goal):
        if places[one].settled is not None:
            r.cool(s)
            knowledge.uncover(r.program, s, places[one])


def draw_known(
    r: BlindRun, s: State, source: int, goals: Sequence[int], total: int, end: str, face: int | None
) -> tuple[int, ...]:
    """So many cards of a bag or pile, to one place after the other, while there are any."""
    place, places = r.layout.places[source], r.layout.places
    taken: list[int] = []
    while len(taken) < total:
        if not s[place.slot]:
            r.cool(s)
            if not refill(r, place):
                break
        goal = goals[len(taken) % len(goals)]
        card = next_card(r, place, places[goal], SAID[face])
        assert card is not None, "nobody asks for outcomes of chance here"
        carry_known(r, s, (card,), goal, end, face)
        taken.append(card)
    return tuple(taken)


def shuffle_known(r: BlindRun, s: State, ordinal: int) -> None:
    """A bag or a pile has no order any more, a row or grid another one, and nobody knows it who may not look."""
    place = r.layout.places[ordinal]
    shuffle(r, s, ordinal)
    if place.settled is not None or place.ordered:
        r.cool(s)
        knowledge.shuffled(r.program, s, place)


NAMES: dict[str, Any] = {"carry_known": carry_known, "draw_known": draw_known, "shuffle_known": shuffle_known}
"""What printed text may call."""
