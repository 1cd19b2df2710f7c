"""Several events of one sort that follow each other, told as one, to whoever reads.

In: things that happened, in order, each as the seats saw it that know most of it. Out: one text for the first few of
them, and how many these are. Never: leaves out a card that the sentences of the single events would name.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from typing import Any

from attrs import frozen

from rulebook.interpreter.account import Teller, face_words, joined, spaced
from rulebook.interpreter.events import Event
from rulebook.interpreter.wording import plural_of
from rulebook.table.telling import MOST_NAMED

_NAMED = 4  # so many places are still named one by one


@frozen
class Thing:
    """Something that happened. `event` is what those saw who know most of it, `seats` who they are; None: everyone.

    `noticed` is whether every seat noticed something.
    """

    event: Event
    seats: tuple[int, ...] | None
    noticed: bool

    @property
    def facts(self) -> dict[str, Any]:
        """What they know."""
        return self.event.facts


Run = tuple[int, str]
"""How many things, and their text."""
Things = Sequence[Thing | None]


def marked(teller: Teller, text: str, seats: Sequence[int] | None) -> str:
    """The text, with who alone could say so."""
    return text if seats is None else f"{text} [{', '.join(teller.names[seat] for seat in seats)}]"


def folded(teller: Teller, things: Things) -> Run | None:
    """The longest run of one sort with which these begin, if there is one."""
    first = things[0]
    if first is None:
        return None
    found = [run for tell in FOLDS.get(first.event.kind, ()) if (run := tell(teller, things)) is not None]
    return max(found, key=lambda run: run[0], default=None)


def _alike(things: Things, pattern: Callable[[Thing], Any]) -> list[Thing]:
    """The first things that have the same pattern (None: none of its own), of one kind and seen by the same seats."""
    run: list[Thing] = []
    for thing in things:
        if thing is None or thing.event.kind != (run or [thing])[0].event.kind:
            break
        found = pattern(thing)
        if found is None or (run and (found, thing.seats) != (pattern(run[0]), run[0].seats)):
            break
        run.append(thing)
    return run


def _sentence(text: str) -> str:
    return text[:1].upper() + text[1:]


# ── pieces and cards ─────────────────────────────────────────────────────────────────────────────────────────────────


def _handed_out(teller: Teller, things: Things) -> Run | None:
    """Pieces from one pool to many of one sort: `20 coins go from the bank to 16 huts: 2 each to 4 …`"""

    def pattern(thing: Thing) -> Any:
        goal = teller.slot(thing.facts["to"])
        return None if goal is None or goal.owner is None else (thing.facts["from"], goal.name, goal.owned_by)

    run = _alike(things, pattern)
    if len({thing.facts["to"] for thing in run}) != len(run) or len(run) < 2:
        return None
    counts = [thing.facts["count"] for thing in run]
    keys = [thing.facts["to"] for thing in run]
    source = teller.place(run[0].facts["from"])
    what = teller.pieces(sum(counts), keys[0])
    text = f"{what} go from {source} to {_owners(teller, keys)}"
    if len(set(counts)) == 1:
        text += f", {counts[0]} each"
    elif len(run) <= _NAMED:
        text += f": {joined([f'{count} to {teller.place(key)}' for count, key in zip(counts, keys, strict=True)])}"
    else:
        shares = sorted(Counter(counts).items(), reverse=True)
        text += f": {joined([f'{count} each to {number}' for count, number in shares])}"
    return len(run), marked(teller, _sentence(f"{text}."), run[0].seats)


def _owners(teller: Teller, keys: Sequence[str]) -> str:
    """Places of one name and of different owners, named by these; of many cards, only what they are."""
    if len(keys) <= _NAMED:
        return joined([teller.place(key) for key in keys])
    slots = [slot for key in keys if (slot := teller.slot(key)) is not None]
    if slots[0].owned_by == "player":
        return f"{len(keys)} players"
    kinds = {teller.program.kind[slot.owner] for slot in slots if slot.owner is not None}
    return f"{len(keys)} {plural_of(spaced(kinds.pop()) if len(kinds) == 1 else 'card')}"


def _one_way(teller: Teller, things: Things) -> Run | None:
    """Cards that go one after the other from one place to another."""

    def pattern(thing: Thing) -> Any:
        facts = thing.facts
        is_simple = facts["from"] != facts["to"] and facts["how"] in ("move", "draw") and not teller.owner(facts["to"])
        # So many cards are not named in the first place.
        few = len(set(facts.get("cards", ()))) <= MOST_NAMED
        return tuple(facts[name] for name in ("from", "to", "how", "face")) if is_simple and few else None

    run = _alike(things, pattern)
    if len(run) < 2:
        return None
    facts = run[0].facts
    cards = [card for thing in run for card in thing.facts.get("cards", ())]
    what, _ = teller.cards({"cards": cards, "count": sum(thing.facts.get("count", 0) for thing in run)})
    verb = "go" if facts["how"] == "move" else "are drawn"
    way = f"from {teller.place(facts['from'])} to {teller.place(facts['to'])}{face_words(teller, facts)}"
    return len(run), marked(teller, _sentence(f"{what} {verb} {way}."), run[0].seats)


def _dealt(teller: Teller, things: Things) -> Run | None:
    """The same from one place to several others than the reader: `Ben and Cleo are dealt 5 cards each.`"""

    def pattern(thing: Thing) -> Any:
        facts, owner = thing.facts, teller.owner(thing.facts["to"])
        if owner is None or teller.is_you(owner) or facts["how"] not in ("deal", "draw"):
            return None
        goal = facts["to"].removeprefix(f"{owner}.")
        return (goal, facts["from"], facts["how"], facts["face"], repr(facts.get("cards")), facts.get("count"))

    run = _alike(things, pattern)
    owners = [owner for thing in run if (owner := teller.owner(thing.facts["to"])) is not None]
    if len(run) < 2 or len(set(owners)) != len(owners):
        return None
    facts = run[0].facts
    does = f"{teller.does(owners, 'is')} dealt" if facts["how"] == "deal" else teller.does(owners, "draw")
    text = f"{does} {teller.cards(facts)[0]} each from {teller.place(facts['from'])}{face_words(teller, facts)}."
    return len(run), marked(teller, _sentence(text), run[0].seats)


def _swapped(teller: Teller, things: Things) -> Run | None:
    """Two cards of one place that take each other's position."""

    def pattern(thing: Thing) -> Any:
        facts = thing.facts
        return facts["from"] if facts["how"] == "swap" and facts["from"] == facts["to"] else None

    run = _alike(things[:2], pattern)
    if len(run) < 2:
        return None
    names = [teller.cards(thing.facts)[0] for thing in run]
    return 2, marked(teller, _sentence(f"{joined(names)} change places."), run[0].seats)


# ── memories and states ──────────────────────────────────────────────────────────────────────────────────────────────


def _set_on(teller: Teller, things: Things) -> Run | None:
    """The same change on several cards: `Judge, Actor and Pilot, exposed: yes.`"""

    def pattern(thing: Thing) -> Any:
        owner, _, name = thing.facts["what"].rpartition(".")
        states = teller.program.layout.states
        known = owner in teller.program.definitions and name in states
        return (name, repr(thing.facts["value"])) if known else None

    run = _alike(things, pattern)
    if len(run) < 2:
        return None
    cards = [teller.card(thing.facts["what"].rpartition(".")[0]) for thing in run]
    name = run[0].facts["what"].rpartition(".")[2]
    value = teller.value(run[0].facts["value"], teller.program.layout.states[name].sort)
    return len(run), marked(teller, f"{joined(cards)}, {spaced(name)}: {value}.", run[0].seats)


def _noted(teller: Teller, things: Things) -> Run | None:
    """What is written down for the table: `Quantity: 5 · pips: 4 · bidder: Ben.`"""
    run = _alike(things, lambda thing: "" if thing.facts["what"] in teller.program.layout.memory else None)
    if len(run) < 2:
        return None
    parts = []
    for thing in run:
        what, sort = teller.target(thing.facts["what"])
        parts.append(f"{what}: {teller.value(thing.facts['value'], sort)}")
    return len(run), marked(teller, _sentence(f"{' · '.join(parts)}."), run[0].seats)


FOLDS: dict[str, tuple[Callable[[Teller, Things], Run | None], ...]] = {
    "pieces": (_handed_out,),
    "moved": (_one_way, _dealt, _swapped),
    "set": (_set_on, _noted),
}
