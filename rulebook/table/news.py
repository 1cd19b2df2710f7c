"""What one person alone has learned, so that it is not overlooked among what everyone saw.

In: what a seat noticed since some time. Out: the events among it that were not for all; lines that fit a page, those
kept that matter most. Never: looks at what another seat noticed: who else was told something may be a secret.
"""

from collections.abc import Iterable, Sequence

from attrs import frozen

from rulebook.interpreter.events import Event
from rulebook.interpreter.program import Program
from rulebook.interpreter.wording import place_key
from rulebook.table.blocks import PLAIN, RESULT, Told


def find_private(program: Program, names: Sequence[str], seat: int, noticed: Sequence[Event]) -> list[Event]:
    """Find the events that told this seat something that the rules do not tell everyone."""
    layout = program.layout
    places = {place_key(program, names, place): place for place in layout.places}
    memories = layout.memory | layout.player_memory

    def is_private(event: Event) -> bool:
        facts = event.facts
        match event.kind:
            case "moved":
                start, goal = places[facts["from"]], places[facts["to"]]
                # What leaves a person's own place was known to that person before.
                is_own = start.owned_by == "player" and start.owner == seat
                is_open = facts["face"] == "up" or layout.everyone in (start.watchers, goal.watchers)
                return "cards" in facts and not is_own and not is_open
            case "shown" | "told":
                to = facts["to"]
                return names[seat] in to and len(to) < len(names)
            case "rolled":
                return bool(facts["dice"]) and places[facts["place"]].watchers != layout.everyone
            case "set" | "because":
                memory = memories.get(facts["what"].rpartition(".")[2])
                return memory is not None and memory.seen_by != "everyone"
        return event.aside

    return [event for event in noticed if is_private(event)]


def latest(lines: Sequence[str], room: int) -> list[str]:
    """The last lines, and how many there were before them."""
    if len(lines) <= room:
        return list(lines)
    if room < 2:
        return []
    left_out = len(lines) - room + 1
    while left_out < len(lines) and lines[left_out].startswith("  "):
        left_out += 1  # the end of a sentence says nothing without its beginning
    return [_left_out(left_out), *lines[left_out:]]


def weightiest(happened: Sequence[Told], room: int, columns: int, private: Iterable[Told] = ()) -> list[str]:
    """The lines that matter most to who reads, in the order of time, and how many were left out before the last gap.

    First comes what was said last, then what weighs more (`private` weighs most), of equal ones the later; all
    reasons of a result but the first come after what touches the reader, and before what others do.
    """
    news = {told.text for told in private}
    parts = [
        _part(told, at, part, lines, is_last=at == len(happened) - 1, is_news=told.text in news)
        for at, told in enumerate(happened)
        for part, lines in enumerate(_joined(told.parts(columns)))
    ]
    total = sum(len(part.lines) for part in parts)
    if total <= room:
        return [line for part in parts for line in part.lines]
    left, kept = (room - 1 if room > 1 else room), set[tuple[int, int]]()
    for part in sorted(parts, key=lambda one: one.rank, reverse=True):
        at, number = part.where
        # The end of a sentence says nothing without its beginning.
        if len(part.lines) <= left and (number == 0 or (at, number - 1) in kept):
            kept.add(part.where)
            left -= len(part.lines)
    found = [line for part in parts if part.where in kept for line in part.lines]
    if room < 2:
        return found
    after = 0
    for part in reversed(parts):
        if part.where not in kept:
            break
        after += len(part.lines)
    end = len(found) - after
    return [*found[:end], _left_out(total - len(found)), *found[end:]]


@frozen
class _Part:
    """Some lines that stand or go together: of which sentence the how manieth, and how much they matter."""

    where: tuple[int, int]
    rank: tuple[int, int, int, int]
    lines: Sequence[str]


def _joined(parts: list[list[str]]) -> list[list[str]]:
    """A sentence that ends with “because” needs its first reason."""
    return [[line for part in parts[:2] for line in part], *parts[2:]]


def _part(told: Told, at: int, part: int, lines: Sequence[str], is_last: bool, is_news: bool) -> _Part:
    is_begun = part == 0
    weight = (RESULT if is_news else told.weight) if is_begun else min(told.weight, PLAIN)
    return _Part((at, part), (int(is_last and is_begun), weight, int(not is_begun), at * 1000 - part), lines)


def _left_out(number: int) -> str:
    return f"… {number} more before this: l shows all"
