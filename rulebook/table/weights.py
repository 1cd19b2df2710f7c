"""How much something that happened matters to who reads of it, where a page has no room for all.

In: an event as the reader's seat noticed it. Out: a weight. Never: knows a game: it goes by the kinds of events, and by
whose the places and memories are.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from rulebook.interpreter.account import Teller
from rulebook.interpreter.events import Event
from rulebook.table.blocks import HEAVY, LIGHT, PLAIN, RESULT

_RESULTS = ("because", "said", "won", "eliminated", "opened")
_BUSTLE = ("shuffled", "covered")
_OF_OTHERS = ("picked", "shown", "uncovered")
_OWN_DOING = ("chose", "passed")


def weight(teller: Teller, event: Event) -> int:
    """Results weigh most, then what touches the reader; least do shuffles, deals and the like."""
    facts = event.facts
    if event.kind in _RESULTS:
        return RESULT
    if event.kind in _BUSTLE or (event.kind == "moved" and facts["how"] == "deal"):
        return LIGHT
    if event.kind in _OWN_DOING and teller.is_you(facts["player"]):
        return PLAIN
    ends = [teller.owner(facts[end]) for end in ("from", "to")] if event.kind in ("moved", "pieces") else []
    if len(set(ends)) == 1:
        return PLAIN  # between two places of one person, or of nobody
    if event.kind == "pieces" or _is_score(teller, event) or any(map(teller.is_you, _people(teller, facts))):
        return HEAVY
    return LIGHT if event.kind in _OF_OTHERS else PLAIN


def _is_score(teller: Teller, event: Event) -> bool:
    """Whether what is written down about somebody changes."""
    owner, _, name = str(event.facts.get("what")).rpartition(".")
    return event.kind == "set" and owner in teller.names and name in teller.program.layout.player_memory


def _people(teller: Teller, facts: dict[str, Any]) -> Iterator[str]:
    """Everybody whom an event names, also by a place or a memory."""
    for name, value in facts.items():
        for one in value if isinstance(value, list | tuple) else (value,):
            if not isinstance(one, str):
                continue
            if name in ("from", "to", "place", "what"):
                owner = teller.owner(one.partition(":")[2] or one)
                if owner is not None:
                    yield owner
            yield one.removeprefix("player:")
