"""Several shares of one game look for what means nothing: what each has to know of the others.

In: the book of a share. Out: a conversation that returns messages. Never: finds anything itself, or tells a share more
than what its answers depend on: it would have to look at its cards again whenever that changes.
"""

from __future__ import annotations

from typing import Any

from rulebook.dsl import spread
from rulebook.dsl.meaning.book import Afar, Book, Does
from rulebook.dsl.meaning.possible import MANY_ROUNDS, Possible
from rulebook.dsl.meaning.printed import CardSet
from rulebook.dsl.meaning.reach import own_deeds
from rulebook.dsl.meaning.uses import Mentions
from rulebook.dsl.sharing.telling import Conversation, Said, of_plain, said, spread_of
from rulebook.dsl.spread import NO_VALUE

__all__ = ["all_possible", "introduced"]

_MANY_ROUNDS = MANY_ROUNDS + 2
"""Here what one share finds is known to the next one a round later."""


def introduced(book: Book, mentions: Mentions) -> Conversation[None]:
    """What the scripts of all shares mention, run and do."""
    assert book.share is not None
    scripts = set()  # many cards run and do the same
    for name in book.share.scripts & book.homes.keys():
        _, family, hook = name.split(".", 2)
        does = own_deeds(book.homes[name].sorts)
        deeds = does.wins, tuple(sorted(does.ends)), does.hooks, does.asks, tuple(sorted(does.changes))
        kind = book.world.authored.cards[family].kind.text
        scripts.add((hook, kind, tuple(book.called_by(book.homes[name])), deeds))
    heard = yield said(
        {
            "scripts": scripts,
            "roots": book.printed_calls(),
            "ends": [True] if book.asks_for_ends else [],
            "read": mentions.read,
            "written": mentions.written,
            "mentioned": mentions.mentioned,
            "named": mentions.named,
            "counted": [True] if mentions.counted else [],
        }
    )
    sets = {name: of_plain(some) for name, some in heard["sets"].items()}
    afar = [
        Afar(hook, kind, calls, Does(wins, frozenset(ends), hooks, asks, frozenset(changes)))
        for hook, kind, calls, (wins, ends, hooks, asks, changes) in sets["scripts"]
    ]
    book.hear(afar, sets["roots"], bool(sets["ends"]))
    mentions.read |= set(sets["read"])
    mentions.written |= set(sets["written"])
    mentions.mentioned |= set(sets["mentioned"])
    mentions.named |= set(sets["named"])
    mentions.counted = bool(sets["counted"])


def all_possible(book: Book, card_set: CardSet) -> Conversation[Possible]:
    """What is possible in the whole game."""
    possible = Possible(book, card_set)
    heard: Said | None = None
    number, busy = 0, possible.round()
    while True:
        now = yield _said(possible, busy or bool(possible.work.stale))
        if now == heard and not now["sets"]["busy"]:
            possible.settled()
            return possible
        heard, number = now, number + 1
        _hear(possible, now)
        busy = possible.round(sorted(possible.work.stale), widen=number >= _MANY_ROUNDS)


def _said(possible: Possible, busy: bool) -> Said:
    book = possible.book
    assert book.share is not None
    bits = {f"places {name}": cards for name, cards in possible.places.items()}
    bits |= {f"remembered {name}": cards for name, cards in possible.remembered.items()}
    spreads = {f"memories {name}": values for name, values in possible.memories.items()}
    spreads |= {f"states {name}": values for name, values in possible.states.items()}
    sets: dict[str, list[Any]] = {"busy": [True] if busy else [], "calls": []}
    for name in book.rulebook.scripts.keys() - book.share.scripts:
        for slot in range(book.homes[name].parameters):
            here, key = (name, slot), f"{name}/{slot}"
            if here in possible.cards:
                bits[f"cards {key}"] = possible.cards.get(here, 0)
            if here in possible.values:
                spreads[f"values {key}"] = possible.values.get(here, NO_VALUE)
            if here in possible.goals:
                sets[f"goals {key}"] = sorted(possible.goals.get(here, ()))
    for name, values in possible.answers.items():
        if name in book.share.scripts and values != NO_VALUE:
            _, family, hook = name.split(".", 2)
            key = f"answers {hook} of {book.world.authored.cards[family].kind.text}"
            spreads[key] = spread.join(spreads.get(key, NO_VALUE), values)
    for hooked, lying, this, given in possible.calls.values():
        handed = said(spreads={str(slot): values for slot, (values, _, _) in enumerate(given)})["spreads"]
        places = [[f"{cards:x}", None if goals is None else sorted(goals)] for _, cards, goals in given]
        values_of = [handed[str(slot)] for slot in range(len(given))]
        sets["calls"].append([hooked, f"{lying:x}", f"{this:x}", values_of, places])
    return said(sets, bits, spreads)


def _hear(possible: Possible, heard: Said) -> None:
    """Adds what others have found."""
    possible.work.worker = None
    for key, number in heard["bits"].items():
        table, _, name = key.partition(" ")
        cards = int(number, 16)
        if table == "cards":
            possible.cards.add(_slot(name), cards)
        else:
            (possible.places if table == "places" else possible.remembered).add(name, cards)
    for key, plain in heard["spreads"].items():
        table, _, name = key.partition(" ")
        values = spread_of(plain)
        if table == "values":
            possible.values.add(_slot(name), values)
        else:
            tables = {"memories": possible.memories, "states": possible.states, "answers": possible.answers}
            tables[table].add(name, values)
    for key, some in heard["sets"].items():
        table, _, name = key.partition(" ")
        if table == "goals":
            possible.goals.add(_slot(name), frozenset(some))
    for hooked, lying, this, values, places in heard["sets"]["calls"]:
        (called,) = of_plain([hooked])
        given = tuple(
            (spread_of(one), int(cards, 16), None if goals is None else frozenset(goals))
            for one, (cards, goals) in zip(values, places, strict=True)
        )
        possible.called((called, int(lying, 16), int(this, 16), given))


def _slot(name: str) -> tuple[str, int]:
    script, _, slot = name.rpartition("/")
    return script, int(slot)
