"""Events told in words: as a log for one person, or as one story of a game that bots play among themselves.

A log uses nothing that another seat noticed. In a story what only some saw is told as they saw it, with their names.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from attrs import field

from rulebook.classes import frozen
from rulebook.interpreter.account import Teller
from rulebook.interpreter.events import Event, EventKind, How
from rulebook.interpreter.game import Game
from rulebook.interpreter.program import Program
from rulebook.interpreter.wording import place_key
from rulebook.table.blocks import HEAVY, LIGHT, PLAIN, RESULT, Told
from rulebook.table.columns import wrap_hanging
from rulebook.table.laying_out import find_laid_out
from rulebook.table.sitting import Sitting
from rulebook.table.telling import Thing, find_runs, is_untold, mark_known, tell_doers, tell_event, titled


def told_to(sitting: Sitting, seat: int, start: int, end: int | None = None) -> list[Told]:
    """Tell what this seat saw happen from its event number `start` on, up to `end`, but not how the table was laid
    out."""
    game = sitting.game
    events = game.events(seat)[:end]
    laid_out = find_laid_out(Teller(game.program, tuple(game.names), seat), events)
    return sentences(game, seat, [event for at, event in enumerate(events) if at >= start and at not in laid_out])


def private(sitting: Sitting, seat: int, seen: int = 0, end: int | None = None) -> list[Told]:
    """Tell what this person alone has learned since the last answer, from the event number `seen` on, up to `end`."""
    game = sitting.game
    start = next((mark.seen[seat] for mark in reversed(sitting.marks) if mark.seat == seat), None)
    if start is None:
        return []
    done = tell_doers(Teller(game.program, tuple(game.names), seat), game.events(seat)[max(start, seen) : end])
    return sentences(game, seat, find_private(game.program, game.names, seat, done))


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
    teller = Teller(game.program, tuple(game.names), seat)
    pairs = zip((None, *events), events, strict=False)
    worth = [event for before, event in pairs if not is_untold(game.program, before, event)]
    worth = tell_doers(teller, worth)
    things = [Thing(event, None, noticed=True) for event in worth]
    tolds: list[Told] = []
    title: int | None = None
    """The beginning of the stage that has none within it, as far as is known."""
    for start, end, text in find_runs(teller, things):
        kind = worth[start].kind
        if kind == "stage_ended" and title is not None:
            tolds[title:] = join_turn(teller, tolds[title], tolds[title + 1 :])
        if kind in ("stage_began", "stage_ended"):
            title = len(tolds) if kind == "stage_began" else None
        if text is None:
            text = tell_event(game.program, game.names, worth[start], seat)
        if text:
            weight = max(weigh(teller, event) for event in worth[start:end])
            tolds.append(Told(text, kind == "stage_began", weight))
    return tolds


MOST_JOINED = 8  # so many sentences are one turn; a stage with more of them is told line by line


def join_turn(teller: Teller, title: Told, lines: Sequence[Told]) -> list[Told]:
    """Put the events of a stage below its title, or join them to one paragraph if they are a few short sentences."""
    texts = [line.text for line in lines]
    if not texts or len(texts) > MOST_JOINED or any("\n" in text for text in texts):
        return [title, *lines]
    turn = f"{tell_stage(teller, title.text)}: {' '.join(texts)}"
    return [Told(turn, weight=max(HEAVY, *(line.weight for line in lines)), is_turn=True)]


def tell_stage(teller: Teller, title: str) -> str:
    """Tell the title of a stage to whoever it is called after: `Ben's turn` is `Your turn` to Ben."""
    own = "" if teller.you is None else f"{titled(teller.names[teller.you])}'s "
    return f"Your {title.removeprefix(own)}" if own and title.startswith(own) else title


_RESULTS: tuple[EventKind, ...] = ("because", "said", "won", "eliminated", "opened")
_BUSTLE: tuple[EventKind, ...] = ("shuffled", "covered")
_OF_OTHERS: tuple[EventKind, ...] = ("picked", "shown", "uncovered")
_OWN_DOING: tuple[EventKind, ...] = ("chose", "passed")


def weigh(teller: Teller, event: Event) -> int:
    """Results weigh most, then what touches the reader; least do shuffles, deals and the like."""
    facts = event.facts
    if event.kind in _RESULTS:
        return RESULT
    is_dealt = event.how is How.DEAL
    if event.kind in _BUSTLE or (is_dealt and not teller.is_you(teller.find_owner(facts["to"]) or "")):
        return LIGHT
    if event.kind in _OWN_DOING and teller.is_you(facts["player"]):
        return PLAIN
    if event.kind == "picked":
        facts = {name: value for name, value in facts.items() if name == "what"}  # who picks is not touched by it
    ends = [teller.find_owner(facts[end]) for end in ("from", "to")] if event.kind in ("moved", "pieces") else []
    if len(set(ends)) == 1:
        return PLAIN  # between two places of one person, or of nobody
    if event.kind == "pieces" or _is_score(teller, event) or any(map(teller.is_you, _people(teller, facts))):
        return HEAVY
    return LIGHT if event.kind in _OF_OTHERS else PLAIN


def _is_score(teller: Teller, event: Event) -> bool:
    """Tell whether what is written down about somebody changes."""
    owner, _, name = str(event.facts.get("what")).rpartition(".")
    return event.kind == "set" and owner in teller.names and name in teller.program.layout.player_memory


def _people(teller: Teller, facts: dict[str, Any]) -> Iterator[str]:
    """Everybody whom an event names, also by a place or a memory."""
    for name, value in facts.items():
        for text in value if isinstance(value, list | tuple) else (value,):
            if not isinstance(text, str):
                continue
            if name in ("from", "to", "place", "what"):
                owner = teller.find_owner(text.partition(":")[2] or text)
                if owner is not None:
                    yield owner
            yield text.removeprefix("player:")


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

    def word_news(self) -> list[str]:
        """Word what is new: every stage below a heading, with an empty line before it."""
        names = self.game.names
        seats = range(len(names))
        new = [list(self.game.events(seat)[self._told.get(seat, 0) :]) for seat in seats]
        for seat in seats:
            self._told[seat] = self._told.get(seat, 0) + len(new[seat])
        happened = list(merged(new))
        firsts = [next(iter(seen.values())) for seen in happened]
        # All but what only says again what has just been explained.
        pairs = zip(happened, (None, *firsts), firsts, strict=False)
        story = [seen for seen, before, event in pairs if not is_untold(self.game.program, before, event)]
        things = [_merge_thing(seen, len(names)) for seen in story]
        teller = Teller(self.game.program, tuple(names), None)
        news: list[str] = []
        for start, _, text in find_runs(teller, things, is_account=True):
            news += self._lines_of(story[start]) if text is None else self._hang_text(text)
        return news

    def _lines_of(self, seen: Seen) -> list[str]:
        where, kind = self._where, next(iter(seen.values())).kind
        if kind == "stage_ended":
            where["depth"] = max(where["depth"] - 1, 0)
            where["gap"] = -1
        texts = tell_best_informed(seen, self._word_each(seen), self.game.names)
        if kind != "stage_began":
            return [line for text in texts for line in self._hang_text(text)]
        before = [""] if where["gap"] < 1 else []
        lines = [line for text in texts for line in wrap_hanging(text, self.columns, self._indent)]
        where["depth"] += 1
        where["gap"] = 1
        return [*before, *lines]

    @property
    def _indent(self) -> str:
        return "  " * min(self._where["depth"], _DEEPEST)

    def _hang_text(self, text: str) -> list[str]:
        """A text below the last heading; after a stage has ended, with an empty line before it."""
        before = [""] if text and self._where["gap"] < 0 else []
        self._where["gap"] = 0 if text else self._where["gap"]
        # A text may be of several sentences, each with what explains it indented below.
        return [*before, *wrap_hanging(text[:1].upper() + text[1:], self.columns, self._indent)]

    def _word_each(self, seen: Seen) -> dict[int, str]:
        return {seat: tell_event(self.game.program, self.game.names, event) for seat, event in seen.items()}


def _merge_thing(seen: Seen, seats: int) -> Thing | None:
    """Merge what happened as those saw it who know most of it; None where several know different things."""
    versions: dict[str, list[int]] = {}
    for seat, event in seen.items():
        versions.setdefault(repr(event.facts), []).append(seat)
    if len(versions) == 1:
        everyone = len(seen) == seats
        event = next(iter(seen.values()))
        return Thing(event, None if everyone else tuple(seen), everyone)
    best = max(versions.values(), key=lambda version: _count_known(seen[version[0]]))
    if len(versions) > 2:
        return None
    return Thing(seen[best[0]], tuple(best), len(seen) == seats)


def tell_best_informed(seen: Seen, texts: Mapping[int, str], names: Sequence[str]) -> list[str]:
    """The sentences for one thing that happened: the best informed ones, with who alone could say so."""
    if len(seen) == len(names) and len(set(texts.values())) == 1:
        return [text for text in {*texts.values()} if text]
    sayings: dict[str, list[int]] = {}
    for seat, text in texts.items():
        sayings.setdefault(text, []).append(seat)
    if len(sayings) > 1:
        # What the least informed saw is part of what the others say.
        least = min(sayings, key=lambda text: (_count_known(seen[sayings[text][0]]), -len(sayings[text])))
        del sayings[least]
    best_informed = []
    for text, seats in sayings.items():
        if not text:
            continue
        first, *others = text.splitlines()
        best_informed.append("\n".join([mark_known(first, [names[seat] for seat in seats]), *others]))
    return best_informed


def _count_known(event: Event) -> int:
    """Rank how much of a thing this seat knew, for comparing versions of the same thing."""
    return _list_facts(event).total()


def _list_facts(event: Event) -> Counter[str]:
    """List the single values of an event, but for counts, which only stand where the things are not known."""
    return Counter(member for name, value in event.facts.items() if name != "count" for member in _list_values(value))


def _list_values(value: Any) -> Iterator[str]:
    if isinstance(value, dict | list | tuple):
        for item in value.values() if isinstance(value, dict) else value:
            yield from _list_values(item)
    else:
        yield str(value)


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
    """List what every seat noticed, as those saw it who know least of it; nothing that is known in parts."""
    common = (seen.values() for seen in merged(lists) if len(seen) == len(lists))
    least = ((min(seen, key=_count_known), seen) for seen in common)
    return [event for event, seen in least if all(_list_facts(event) <= _list_facts(other) for other in seen)]


def _next(lists: Sequence[Sequence[Event]], at: Sequence[int]) -> Seen:
    ready = [seat for seat, events in enumerate(lists) if at[seat] < len(events)]
    best: Seen = {}
    for seat in ready:
        what = _make_shared_key(lists[seat][at[seat]])
        together = {
            other: lists[other][at[other]] for other in ready if _make_shared_key(lists[other][at[other]]) == what
        }
        waits = any(
            other not in together and any(_make_shared_key(event) == what for event in lists[other][at[other] :])
            for other in ready
        )
        if not waits:
            return together
        best = best or together
    return best  # seats that contradict each other: tell it anyway


def _make_shared_key(event: Event) -> tuple[Any, ...]:
    facts = event.facts
    names = (*_SHARED, "what") if event.kind in ("set", "because") else _SHARED
    return (event.kind, *(repr(facts.get(name)) for name in names))
