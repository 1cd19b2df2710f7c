"""Events as lines of a log: which are worth a line, and how long a line may be.

In: an event as one seat noticed it. Out: its sentence, or nothing. Never: says more than `interpreter.account` does.
"""

from collections.abc import Sequence

from attrs import evolve

from rulebook.interpreter.account import describe
from rulebook.interpreter.events import Event
from rulebook.interpreter.program import Program
from rulebook.printing import visible
from rulebook.table.columns import wrapped

MOST_NAMED = 8  # so many different cards a reader takes in; set-ups move dozens


def sentence(program: Program, names: Sequence[str], event: Event, you: int | None = None) -> str:
    """An event in words, of several lines if it is explained; empty if it is not worth telling."""
    if event.kind in ("stage_ended", "over"):
        return ""  # what comes next says where we are; after the end, the standings
    if event.kind == "stage_began":
        return titled(str(event.facts["title"]))
    if event.kind == "moved":
        if event.facts["from"] == event.facts["to"]:
            return ""
        event = _brief(event)
    return describe(program, tuple(names), event, you)


def titled(text: str) -> str:
    """The title of a stage as people read it; of one without a title, that is its name."""
    words = text.replace("_", " ")
    return words[:1].upper() + words[1:]


def repeats(before: Event | None, event: Event) -> bool:
    """Whether the event only says again what the one before it has explained."""
    explained = before is not None and before.kind == "because" and event.kind == "set"
    return explained and before is not None and before.facts["what"] == event.facts["what"]


def _brief(event: Event) -> Event:
    """The move with how many cards, where their names would fill the page."""
    cards = event.facts.get("cards", ())
    if len(set(cards)) <= MOST_NAMED:
        return event
    facts = {name: value for name, value in event.facts.items() if name != "cards"}
    return evolve(event, facts={**facts, "count": len(cards) + event.facts.get("count", 0)})


def hung(text: str, columns: int, indent: str, bullet: str = "") -> list[str]:
    """A sentence, and the lines that explain it, each wrapped below its indentation."""
    return [line for part in hung_parts(text, columns, indent, bullet) for line in part]


def hung_parts(text: str, columns: int, indent: str, bullet: str = "") -> list[list[str]]:
    """The same, the lines of each for themselves."""
    parts: list[list[str]] = []
    for number, part in enumerate(text.splitlines()):
        start = indent + " " * (len(part) - len(part.lstrip()))
        words = (bullet if number == 0 else "") + visible(part.strip())
        parts.append([start + line for line in wrapped(words, columns - len(start), "  ")])
    return parts
