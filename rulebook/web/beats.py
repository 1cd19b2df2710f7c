"""The moves that led to a page, for its seat: what a browser plays before it shows the page.

Made of the seat's own new events alone, so a seat is told no more by them than by its log, and nothing by their number.
Places go by the words of the layout; cards by what is printed on them, and by their number where the seat does not
know them.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import repeat
from json import dumps as dump_json
from typing import Any

from rulebook.interpreter.events import Event, EventKind
from rulebook.interpreter.program import Program
from rulebook.table.faces import Face, Faces
from rulebook.web.projection import show_states

MOST = 60
"""Beats of one page: nobody watches more, and the page shows where it came to."""
PLAYED: tuple[EventKind, ...] = ("moved", "revealed")
"""The kinds of events that a page plays; all others are only told there."""


def make_beats(program: Program, faces: Faces, events: Sequence[Event]) -> list[dict[str, Any]]:
    """List moves of cards, `{from, to, how, cards: [face with times], count}`, and cards revealed, `{shown, cards,
    said}`.

    `count` is of cards that the seat does not know; `said` what the rules say around what is revealed. Nothing where
    there are too many.
    """
    beats = _list_beats(program, faces, events)
    return beats if len(beats) <= MOST else []


def _list_beats(program: Program, faces: Faces, events: Sequence[Event]) -> list[dict[str, Any]]:
    beats, said = list[dict[str, Any]](), list[str]()
    for event in events:
        facts = event.facts
        if event.kind == "said":
            said.append(facts["text"])
            if beats and "shown" in beats[-1]:
                beats[-1]["said"] = said
        if event.kind not in PLAYED:
            continue
        cards = _show(program, faces, facts.get("cards", ()), facts.get("faces", ()))
        if event.kind == "revealed":
            # Several places that are opened are read together.
            beats.append({"shown": facts["place"], "cards": cards, **({"said": said} if said else {})})
        else:
            ends = {"from": facts["from"], "to": facts["to"], "how": facts["how"]}
            beats.append({**ends, "cards": cards, "count": facts.get("count", 0)})
            said = []
    return beats


def _show(program: Program, faces: Faces, ids: Sequence[str], states: Sequence[dict[str, Any]]) -> list[dict[str, Any]]:
    """Cards as they are printed, without their texts: those are on the page; and with what else is seen on them."""
    cards = dict[str, dict[str, Any]]()
    for id, seen in zip(ids, states or repeat({}), strict=False):
        face = (faces.get(id) or Face(program.definitions.get(id, id), "", "", "", "")).to_json()
        printed = {name: words for name, words in face.items() if name != "text"}
        card = printed | show_states(program, {"card": id, **seen})
        alike = cards.setdefault(dump_json(card), {**card, "times": 0})
        alike["times"] += 1
    return [*cards.values()]
