"""A game that bots play among themselves, told as it goes: every event in words, stages indented.

In: each seat's own events. Out: one story of them, line by line. What everyone saw stands there as it is;
what only some saw is told as they saw it and marked with their names, since there is nobody to hide it from.
Never: reads the state, or tells of anything that no player noticed.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from attrs import field, frozen

from rulebook.interpreter.events import Event
from rulebook.table.telling import hung, repeats, sentence

if TYPE_CHECKING:
    from rulebook.interpreter.game import Game

# The facts that are the same for whoever notices a thing; the others depend on what one may know.
_SHARED = ("stage", "title", "player", "from", "to", "how", "place", "question", "text", "players")
_DEEPEST = 6  # indentation that goes on for ever helps nobody

Seen = dict[int, Event]
"""One thing that happened, as each seat that noticed it saw it."""


@frozen
class Account:
    """Tells what has happened since it was last asked. `rounds` counts the stages that began at the outermost
    level.
    """

    game: Game
    columns: int = 80
    _told: dict[int, int] = field(factory=dict, init=False)
    _counts: dict[str, int] = field(factory=lambda: {"depth": 0, "rounds": 0}, init=False)

    @property
    def rounds(self) -> int:
        """How many stages at the outermost level have begun."""
        return self._counts["rounds"]

    def lines(self) -> list[str]:
        """What is new, in words."""
        seats = range(len(self.game.names))
        new = [list(self.game.events(seat)[self._told.get(seat, 0) :]) for seat in seats]
        for seat in seats:
            self._told[seat] = self._told.get(seat, 0) + len(new[seat])
        found: list[str] = []
        before: Event | None = None
        for seen in merged(new):
            event = next(iter(seen.values()))
            if not repeats(before, event):
                found += self._lines(seen)
            before = event
        return found

    def _lines(self, seen: Seen) -> list[str]:
        kind = next(iter(seen.values())).kind
        if kind == "stage_ended":
            self._counts["depth"] = max(self._counts["depth"] - 1, 0)
        indent = "  " * min(self._counts["depth"], _DEEPEST)
        if kind == "stage_began":
            self._counts["rounds"] += self._counts["depth"] == 0
            self._counts["depth"] += 1
        return [
            line for text in told(seen, self._texts(seen), self.game.names) for line in hung(text, self.columns, indent)
        ]

    def _texts(self, seen: Seen) -> dict[int, str]:
        return {seat: sentence(self.game.program, self.game.names, event) for seat, event in seen.items()}


def told(seen: Seen, texts: Mapping[int, str], names: Sequence[str]) -> list[str]:
    """The sentences for one thing that happened: the best informed ones, with who alone could say so."""
    if len(seen) == len(names) and len(set(texts.values())) == 1:
        return [text for text in {*texts.values()} if text]
    sayings: dict[str, list[int]] = {}
    for seat, text in texts.items():
        sayings.setdefault(text, []).append(seat)
    if len(sayings) > 1:
        # What the least informed saw is part of what the others say.
        least = min(sayings, key=lambda text: (_known(seen[sayings[text][0]]), -len(sayings[text])))
        del sayings[least]
    found = []
    for text, seats in sayings.items():
        if not text:
            continue
        first, *others = text.splitlines()
        found.append("\n".join([f"{first} [{', '.join(names[seat] for seat in seats)}]", *others]))
    return found


def _known(event: Event) -> int:
    """How much of a thing this seat knew, for comparing versions of the same thing."""
    found = 0
    for name, value in event.facts.items():
        if name in ("count",):
            continue
        found += len(value) if isinstance(value, list | tuple) else 1
    return found


def merged(lists: Sequence[Sequence[Event]]) -> Iterator[Seen]:
    """The seats' lists as one list of things that happened, each list's order kept.

    A seat's list says what that seat noticed of one course of events. What several noticed is found by what
    they agree on; before a thing is told, everything comes that any of its witnesses noticed earlier.
    """
    at = [0] * len(lists)
    while any(at[seat] < len(events) for seat, events in enumerate(lists)):
        seen = _next(lists, at)
        for seat in seen:
            at[seat] += 1
        yield seen


def _next(lists: Sequence[Sequence[Event]], at: Sequence[int]) -> Seen:
    ready = [seat for seat, events in enumerate(lists) if at[seat] < len(events)]
    best: Seen = {}
    for seat in ready:
        what = _shared(lists[seat][at[seat]])
        together = {other: lists[other][at[other]] for other in ready if _shared(lists[other][at[other]]) == what}
        waits = any(
            other not in together and any(_shared(event) == what for event in lists[other][at[other] :])
            for other in ready
        )
        if not waits:
            return together
        best = best or together
    return best  # seats that contradict each other: tell it anyway


def _shared(event: Event) -> tuple[Any, ...]:
    facts = event.facts
    names = (*_SHARED, "what") if event.kind in ("set", "because") else _SHARED
    return (event.kind, *(repr(facts.get(name)) for name in names))
