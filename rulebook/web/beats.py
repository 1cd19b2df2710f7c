"""The moves that led to a page, for its seat: what a browser plays before it shows the page.

Made of the seat's own new events alone, so a seat is told no more by them than by its log, and nothing by their number.
Places go by the words of the layout; cards by what is printed on them, and by their number where the seat does not
know them.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Any

from rulebook.interpreter.events import Event, EventKind
from rulebook.interpreter.program import Program
from rulebook.table.faces import Face, Faces

MOST = 60
"""Beats of one page: nobody watches more, and the page shows where it came to."""
PLAYED: tuple[EventKind, ...] = ("moved", "revealed")
"""The kinds of events that a page plays; all others are only told there."""


def make_beats(program: Program, faces: Faces, events: Sequence[Event]) -> list[dict[str, Any]]:
    """List moves of cards, `{from, to, how, cards: [face with times], count}`, and cards revealed, `{shown, cards}`.

    `count` is of cards that the seat does not know. Nothing where there are too many.
    """
    beats = [*_list_beats(program, faces, events)]
    return beats if len(beats) <= MOST else []


def _list_beats(program: Program, faces: Faces, events: Sequence[Event]) -> Iterator[dict[str, Any]]:
    for event in events:
        facts = event.facts
        if event.kind not in PLAYED:
            continue
        cards = _show(program, faces, facts.get("cards", ()))
        if event.kind == "revealed":
            yield {"shown": facts["place"], "cards": cards}
        else:
            ends = {"from": facts["from"], "to": facts["to"], "how": facts["how"]}
            yield {**ends, "cards": cards, "count": facts.get("count", 0)}


def _show(program: Program, faces: Faces, ids: Sequence[str]) -> list[dict[str, Any]]:
    """Cards as they are printed, without their texts: those are on the page."""
    shown = []
    for id, times in Counter(ids).items():
        face = (faces.get(id) or Face(program.definitions.get(id, id), "", "", "", "")).to_json()
        shown.append({**{name: words for name, words in face.items() if name != "text"}, "times": times})
    return shown
