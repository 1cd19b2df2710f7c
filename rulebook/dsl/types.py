"""The types of the language, and the few questions that can be asked of them.

A card type is the set of *concrete* kinds a card may have (a kind is concrete when cards are declared with it), so that
a family, a union, `is` and `is not` are all plain set arithmetic.
"""

from __future__ import annotations

from functools import cache
from typing import Any

from attrs import has

from rulebook.classes import frozen


@frozen(cache_hash=True)
class Number:
    """A whole number without a unit."""


@frozen(cache_hash=True)
class Amount:
    """A whole number of the game's smallest unit: `500 CU`."""


@frozen(cache_hash=True)
class YesNo:
    """An answer to a question."""


@frozen(cache_hash=True)
class Text:
    """Words for people; scripts may compare it and show it, nothing else."""


@frozen(cache_hash=True)
class Symbol:
    """One word of an enumeration: `euro` of `currency`."""

    enumeration: str


@frozen(cache_hash=True)
class Player:
    """A seat that plays or has played."""


@frozen(cache_hash=True)
class Card:
    """A card (or piece, tile, die) of one of these concrete kinds."""

    kinds: frozenset[str]


@frozen(cache_hash=True)
class Action:
    """Something a player may choose to do: a member of `actions`."""


@frozen(cache_hash=True)
class Cell:
    """A position of a row or grid."""


@frozen(cache_hash=True)
class Place:
    """A place itself, as the goal of a move; `kept` is how its cards lie there, empty for a `place` that is passed: any
    way but a pool.
    """

    kept: str
    holds: frozenset[str]


@frozen(cache_hash=True)
class Nothing:
    """The type of `nothing`."""


@frozen(cache_hash=True)
class ListOf:
    """Several values in a row."""

    item: Type


@frozen(cache_hash=True)
class TableOf:
    """One value for each word of a list, or for each player: `goods[wood]`, `gift[p]`. A sealed choice makes one, in
    which who was not asked has nothing.
    """

    item: Type
    key: Type


@frozen(cache_hash=True)
class Either:
    """A value of one of several types; with `Nothing` among them it may be absent."""

    members: frozenset[Type]


Type = (
    Number | Amount | YesNo | Text | Symbol | Player | Card | Action | Cell | Place | Nothing | ListOf | TableOf
    | Either
)  # fmt: skip

NUMBER, AMOUNT, YES_NO, TEXT, PLAYER = Number(), Amount(), YesNo(), Text(), Player()
ACTION, CELL, NOTHING = Action(), Cell(), Nothing()
POOL = Place("pool", frozenset())
PLACE_WORDS = {"place": "", "pool": "pool"}
"""By word of a parameter, how the place that is passed for it is kept; empty for any way but a pool."""
UNKNOWN = Either(frozenset())
"""The type of a broken expression; it agrees with everything, so that one mistake is reported once."""


def members(of: Type) -> frozenset[Type]:
    """The alternatives of a type; a plain type is its own only one."""
    return of.members if isinstance(of, Either) else frozenset([of])


def kinds_of(*types: Type) -> frozenset[str]:
    """The kinds of the cards among the members of some types."""
    cards = (member for type in types for member in members(type))
    return frozenset[str]().union(*(card.kinds for card in cards if isinstance(card, Card)))


def sort_alternatives(of: Type) -> list[Type]:
    """The alternatives of a type, in an order that is the same in every process; for whoever lists or takes one."""
    return sorted(of.members, key=_spell_kinds) if isinstance(of, Either) else [of]


def _spell_kinds(value: object) -> str:
    if isinstance(value, frozenset):
        return f"{{{','.join(sorted(map(_spell_kinds, value)))}}}"
    if has(type(value)):
        kind: Any = type(value)
        inside = (_spell_kinds(getattr(value, name)) for name in kind.__match_args__)
        return f"{kind.__name__}({','.join(inside)})"
    return str(value)


def either(*types: Type) -> Type:
    """The union of types; card types flow together into one."""
    if len(types) == 1 and not isinstance(types[0], Card | Either):
        return types[0]
    flat: set[Type] = set()
    kinds: frozenset[str] = frozenset()
    for type in types:
        if type == UNKNOWN:
            return UNKNOWN
        for member in members(type):
            if isinstance(member, Card):
                kinds |= member.kinds
            else:
                flat.add(member)
    if kinds:
        flat.add(Card(kinds))
    lists = [member for member in flat if isinstance(member, ListOf)]
    if len(lists) > 1:
        flat -= set(lists)
        items = [listed.item for listed in lists if listed.item != UNKNOWN]
        flat.add(ListOf(either(*items)) if items else lists[0])
    if len(flat) == 1:
        return next(iter(flat))
    return Either(frozenset(flat))


def may_be_nothing(of: Type) -> bool:
    return NOTHING in of.members if isinstance(of, Either) else isinstance(of, Nothing)


@cache
def maybe(of: Type) -> Type:
    return UNKNOWN if of == UNKNOWN else either(of, NOTHING)


def has_numbers(of: Type) -> bool:
    """Tell whether this is a table with a number or an amount for each key, with which scripts can reckon."""
    return isinstance(of, TableOf) and of.item in (NUMBER, AMOUNT)


def surely(of: Type) -> Type:
    """The type once `is something` has been asked."""
    if isinstance(of, Either) and NOTHING in of.members:
        return either(*(of.members - {NOTHING})) if len(of.members) > 1 else UNKNOWN
    return of


def agree(first: Type, other: Type) -> bool:
    """Tell whether a value of each could be the same value: they share an alternative."""
    if first is other or UNKNOWN in (first, other):
        return True
    return any(_agree(a, b) for a in members(first) for b in members(other))


def _agree(first: Type, other: Type) -> bool:
    if isinstance(first, Card) and isinstance(other, Card):
        return bool(first.kinds & other.kinds)
    if isinstance(first, ListOf) and isinstance(other, ListOf):
        return UNKNOWN in (first.item, other.item) or agree(first.item, other.item)
    if isinstance(first, TableOf) and isinstance(other, TableOf):
        return first.key == other.key and agree(first.item, other.item)
    return first == other


def fits(value: Type, wanted: Type) -> bool:
    """Tell whether every value of the first type is one of the second."""
    if value is wanted or UNKNOWN in (value, wanted):
        return True
    if not isinstance(value, Either) and not isinstance(wanted, Either):
        return _fits(value, wanted)
    return all(any(_fits(a, b) for b in members(wanted)) for a in members(value))


def _fits(value: Type, wanted: Type) -> bool:
    if isinstance(value, Card) and isinstance(wanted, Card):
        return value.kinds <= wanted.kinds
    if isinstance(value, ListOf) and isinstance(wanted, ListOf):
        return fits(value.item, wanted.item)
    if isinstance(value, TableOf) and isinstance(wanted, TableOf):
        return value.key == wanted.key and fits(value.item, wanted.item)
    if isinstance(value, Place) and isinstance(wanted, Place):
        # A pool counts pieces, any other place holds cards: no sentence can do with both.
        return (value.kept == "pool") == (wanted.kept == "pool")
    return value == wanted


def with_article(word: str) -> str:
    """`a card`, `an event`: by the first letter, which is right for nearly every name people give."""
    return f"an {word}" if word[:1].lower() in "aeio" else f"a {word}"


_WORDS: dict[Type, str] = {
    NUMBER: "a number", AMOUNT: "an amount", YES_NO: "a yes or no", TEXT: "a text", PLAYER: "a player",
    ACTION: "an action", CELL: "a position", NOTHING: "nothing", UNKNOWN: "something unknown",
}  # fmt: skip


def word_type(of: Type) -> str:
    """The type as people say it, with its article: `a card (goblin or elf)`, `a list of players`."""
    match of:
        case Symbol(enumeration):
            return f"a choice of {enumeration}" if "." in enumeration else with_article(enumeration)
        case Card(kinds):
            return f"a card ({' or '.join(sorted(kinds))})" if 0 < len(kinds) <= 3 else "a card"
        case Place(kept, _):
            return "a pool" if kept == "pool" else f"a place ({kept})" if kept else "a place"
        case ListOf(item):
            return f"a list of {_plural(item)}"
        case TableOf(item, key):
            each = key.enumeration if isinstance(key, Symbol) else "player"
            return f"{word_type(surely(item))} for each {each.rpartition('.')[2]}"
        case Either(choices) if choices:
            return " or ".join(sorted(map(word_type, choices)))
    return _WORDS[of]


def _plural(of: Type) -> str:
    text = word_type(of)
    for article in ("an ", "a "):
        if text.startswith(article):
            head, _, rest = text[len(article) :].partition(" (")
            if head.startswith("list of "):
                return f"lists of {text.partition(' of ')[2]}"
            plural = f"{head[:-1]}ies" if head.endswith("cy") else f"{head}s"
            return plural + (f" ({rest}" if rest else "")
    return "things" if of == UNKNOWN else text
