"""What one person alone has learned, so that it is not overlooked among what everyone saw.

In: what a seat noticed since some time, and what the others did. Out: the events among it that were news to this
seat alone; lines that fit a page with such news kept. Never: takes anything from what another seat noticed: that
it noticed the same is all that is asked of it.
"""

from collections.abc import Iterable, Sequence

from rulebook.interpreter.events import Event
from rulebook.interpreter.program import Program
from rulebook.interpreter.wording import place_key

_NO_NEWS = ("chose", "passed")  # one's own doing


def private(program: Program, names: Sequence[str], seat: int, noticed: Sequence[Sequence[Event]]) -> list[Event]:
    """The events that told this seat something that not everyone was told; `noticed` is by seat."""
    others = [events for other, events in enumerate(noticed) if other != seat]
    own = {
        place_key(program, names, place)
        for place in program.layout.places
        if place.owned_by == "player" and place.owner == seat
    }
    return [
        event
        for event in noticed[seat]
        if event.kind not in _NO_NEWS
        # What leaves a person's own place was known to that person before.
        and not (event.kind == "moved" and (event.facts["from"] in own or not event.facts.get("cards")))
        and not all(event in events for events in others)
    ]


def latest(lines: Sequence[str], room: int, pinned: Iterable[str] = ()) -> list[str]:
    """The last lines, and how many there were before them; `pinned` ones stay, above what is left of the others."""
    kept = _tail(lines, room)
    news = [line for line in pinned if line in lines]
    if all(line in kept for line in news):
        return kept
    top = news[: max(room - 2, 1)]
    return [*top, *_tail([line for line in lines if line not in top], room - len(top))]


def _tail(lines: Sequence[str], room: int) -> list[str]:
    if len(lines) <= room:
        return list(lines)
    if room < 2:
        return []
    left_out = len(lines) - room + 1
    while left_out < len(lines) and lines[left_out].startswith("  "):
        left_out += 1  # the end of a sentence says nothing without its beginning
    return [f"… {left_out} more before this: l shows all", *lines[left_out:]]
