"""A game that bots play among themselves, told as it goes: every event in words, stages as headings.

In: each seat's own events. Out: one story of them, line by line. What everyone saw stands there as it is;
what only some saw is told as they saw it and marked with their names, since there is nobody to hide it from.
Never: reads the state, or tells of anything that no player noticed.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from attrs import field, frozen

from rulebook.interpreter.account import Teller
from rulebook.interpreter.events import Event
from rulebook.table.folds import Thing
from rulebook.table.runs import told_as_one
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
    """Tells what has happened since it was last asked."""

    game: Game
    columns: int = 80
    _told: dict[int, int] = field(factory=dict, init=False)
    _where: dict[str, int] = field(factory=lambda: {"depth": 0, "gap": 1}, init=False)

    def lines(self) -> list[str]:
        """What is new, in words: every stage below a heading, with an empty line before it."""
        names = self.game.names
        seats = range(len(names))
        new = [list(self.game.events(seat)[self._told.get(seat, 0) :]) for seat in seats]
        for seat in seats:
            self._told[seat] = self._told.get(seat, 0) + len(new[seat])
        story = self._worth_telling(merged(new))
        things = [_thing(seen, len(names)) for seen in story]
        teller = Teller(self.game.program, tuple(names), None)
        found: list[str] = []
        at = 0
        while at < len(story):
            run = told_as_one(teller, things[at:])
            if run is None:
                found += self._lines(story[at])
                at += 1
            else:
                found += self._hung(run[1])
                at += run[0]
        return found

    def _worth_telling(self, story: Iterable[Seen]) -> list[Seen]:
        """All but what only says again what has just been explained."""
        kept: list[Seen] = []
        before: Event | None = None
        for seen in story:
            event = next(iter(seen.values()))
            if not repeats(before, event):
                kept.append(seen)
            before = event
        return kept

    def _lines(self, seen: Seen) -> list[str]:
        where, kind = self._where, next(iter(seen.values())).kind
        if kind == "stage_ended":
            where["depth"] = max(where["depth"] - 1, 0)
            where["gap"] = -1
        texts = told(seen, self._texts(seen), self.game.names)
        if kind != "stage_began":
            return [line for text in texts for line in self._hung(text)]
        before = [""] if where["gap"] < 1 else []
        lines = [line for text in texts for line in hung(text, self.columns, self._indent)]
        where["depth"] += 1
        where["gap"] = 1
        return [*before, *lines]

    @property
    def _indent(self) -> str:
        return "  " * min(self._where["depth"], _DEEPEST)

    def _hung(self, text: str) -> list[str]:
        """A text below the last heading; after a stage has ended, with an empty line before it."""
        before = [""] if text and self._where["gap"] < 0 else []
        self._where["gap"] = 0 if text else self._where["gap"]
        # A text may be of several sentences, each with what explains it indented below.
        return [*before, *hung(text[:1].upper() + text[1:], self.columns, self._indent)]

    def _texts(self, seen: Seen) -> dict[int, str]:
        return {seat: sentence(self.game.program, self.game.names, event) for seat, event in seen.items()}


def _thing(seen: Seen, seats: int) -> Thing | None:
    """What happened as those saw it who know most of it; None where several know different things."""
    versions: dict[str, list[int]] = {}
    for seat, event in seen.items():
        versions.setdefault(repr(event.facts), []).append(seat)
    if len(versions) == 1:
        everyone = len(seen) == seats
        event = next(iter(seen.values()))
        return Thing(event, None if everyone else tuple(seen), everyone)
    best = max(versions.values(), key=lambda one: _known(seen[one[0]]))
    if len(versions) > 2:
        return None
    return Thing(seen[best[0]], tuple(best), len(seen) == seats)


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
        if name != "count":
            found += _size(value)
    return found


def _size(value: Any) -> int:
    if isinstance(value, dict):
        return sum(map(_size, value.values()))
    return sum(map(_size, value)) if isinstance(value, list | tuple) else 1


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


def by_everyone(lists: Sequence[Sequence[Event]]) -> list[Event]:
    """What every seat noticed, as those saw it who know least of it."""
    return [min(seen.values(), key=_known) for seen in merged(lists) if len(seen) == len(lists)]


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
