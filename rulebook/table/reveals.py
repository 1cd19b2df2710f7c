"""Why an answer cannot be taken back any more: somebody has learned something, or chance has spoken.

In: an event as one seat saw it. Out: a sentence, or nothing if the event may be undone. Never: says what was
learned, when it was somebody else who learned it.
"""

from collections.abc import Sequence

from rulebook.interpreter.events import Event
from rulebook.interpreter.program import Program
from rulebook.interpreter.wording import place_key

_SENTENCES = {
    "rolled": "dice have been rolled since.",
    "shuffled": "something has been shuffled since.",
    "revealed": "cards have been revealed since.",
    "uncovered": "a card has been uncovered since.",
    "shown": "cards have been shown since.",
    "told": "somebody has been told something since.",
    "said": "something has been said since.",
    "because": "something hidden has been explained since.",
}


def why_final(program: Program, names: Sequence[str], event: Event, is_own: bool) -> str:
    """Why what this event belongs to cannot be taken back, or an empty text."""
    if event.kind in _SENTENCES:
        return _SENTENCES[event.kind]
    if event.kind != "moved":
        return ""
    if event.facts.get("how") in ("draw", "deal"):
        return "cards have been drawn since."
    if not is_own and event.facts.get("cards") and not _is_open(program, names, event.facts["from"]):
        return "somebody has seen a card since."
    return ""


def _is_open(program: Program, names: Sequence[str], key: str) -> bool:
    """Whether everyone saw the cards where they lay before."""
    return any(
        place.seen_by == "everyone" and place_key(program, names, place) == key for place in program.layout.places
    )
