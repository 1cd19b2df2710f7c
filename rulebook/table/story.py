"""What one person has seen happen, as a log.

In: a sitting, a seat, from where on. Out: sentences. Never: uses what another seat noticed.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from rulebook.interpreter.account import Teller
from rulebook.interpreter.events import Event
from rulebook.interpreter.program import Program
from rulebook.interpreter.wording import place_key
from rulebook.table import weights
from rulebook.table.blocks import Told
from rulebook.table.folds import Thing, folded
from rulebook.table.sitting import Sitting
from rulebook.table.telling import repeats, sentence

if TYPE_CHECKING:
    from rulebook.interpreter.game import Game


def told(sitting: Sitting, seat: int, start: int, end: int | None = None) -> list[Told]:
    """What this seat saw happen from its event number `start` on, up to `end`."""
    return sentences(sitting.game, seat, sitting.game.events(seat)[start:end])


def private(sitting: Sitting, seat: int, end: int | None = None) -> list[Told]:
    """What this person alone has learned since the last answer, up to the event number `end`."""
    game = sitting.game
    start = next((mark.seen[seat] for mark in reversed(sitting.marks) if mark.seat == seat), None)
    if start is None:
        return []
    return sentences(game, seat, find_private(game.program, game.names, seat, game.events(seat)[start:end]))


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


def sentences(game: Game, seat: int | None, events: Sequence[Event]) -> list[Told]:
    """These events in words, those of one sort together, as told to a seat, or to nobody in particular."""
    found: list[Told] = []
    teller = Teller(game.program, tuple(game.names), seat)
    worth = [event for before, event in zip((None, *events), events, strict=False) if not repeats(before, event)]
    things = [Thing(event, None, noticed=True) for event in worth]
    at = 0
    while at < len(worth):
        event = worth[at]
        run = folded(teller, things[at:])
        text = sentence(game.program, game.names, event, seat) if run is None else run[1]
        told = worth[at : at + (1 if run is None else run[0])]
        at += len(told)
        if text:
            weight = max(weights.weight(teller, one) for one in told)
            found.append(Told(text, event.kind == "stage_began", weight))
    return found
