"""Why an answer cannot be taken back any more: somebody has learned something, or chance has spoken.

In: an event as the seat saw it that wants to take something back. Out: a sentence, or nothing if it may be undone.
Never: looks at what another seat saw, knows or is: a refusal would tell it.
"""

from rulebook.interpreter.events import Event
from rulebook.interpreter.program import Program
from rulebook.interpreter.wording import Names, place_key

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


def why_final(program: Program, names: Names, event: Event) -> str:
    """Why what this event belongs to cannot be taken back, or an empty text."""
    if event.kind in _SENTENCES:
        return _SENTENCES[event.kind]
    if event.kind != "moved":
        return ""
    if event.facts.get("how") in ("draw", "deal"):
        return "cards have been drawn since."
    before = _watchers(program, names, event.facts["from"])
    after = program.layout.everyone if event.facts["face"] == "up" else _watchers(program, names, event.facts["to"])
    return "somebody has seen a card since." if after & ~before else ""


def _watchers(program: Program, names: Names, key: str) -> int:
    """The seats that see what lies face down in a place."""
    return next(place.watchers for place in program.layout.places if place_key(program, names, place) == key)
