"""Cards that are left out of a game, to see what it is without them; the rules stay as they are.

Which cards are left out stands among the settled house rules, under a name that no rulebook can declare, so that saves,
records of games and whoever settles rules carry it along.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from attrs import evolve

from rulebook.diagnostics import did_you_mean
from rulebook.dsl import ir
from rulebook.dsl.types import NUMBER

LEFT_OUT = "left out"
"""The reserved key of the left-out ids among the options; it contains a space, so no declared option can clash."""


class NoSuchCard(ValueError):
    """No card is called that; the sentence says which are, if some are near."""


class ComesWith(ValueError):
    """A card that comes with another is there as long as that one; the sentence says which to leave out instead."""


def cards_called(rulebook: ir.Rulebook, words: Iterable[str]) -> tuple[str, ...]:
    """The ids of the cards that are called so: by their ids, by the name of a family, or as they are printed. What
    comes with one of them goes without saying.

    Raises NoSuchCard, ComesWith.
    """
    ids = dict.fromkeys(id for word in words for id in cards_named(rulebook, word))
    owners = {id: comes_with(rulebook, id) for id in ids}
    for id, owner in owners.items():
        if owner not in ids:
            raise ComesWith(f"`{id}` comes with `{owner}` and cannot be left out alone: leave out `{owner}`.")
    return tuple(id for id, owner in owners.items() if id == owner)


def cards_named(rulebook: ir.Rulebook, word: str) -> tuple[str, ...]:
    """The ids of the cards that are called so: by their id, by the name of a family, or as they are printed.

    Raises NoSuchCard.
    """
    names: dict[str, tuple[str, ...]] = {}
    for id, card in rulebook.cards.items():
        if isinstance(card.name, ir.Const):
            names[str(card.name.value)] = (*names.get(str(card.name.value), ()), id)
    names |= {id: (id,) for id in rulebook.cards} | dict(rulebook.families)
    if word not in names:
        raise NoSuchCard(f"There is no card `{word}` in {rulebook.title}. {did_you_mean(word, names)}".rstrip())
    return names[word]


def comes_with(rulebook: ir.Rulebook, id: str) -> str:
    """The id of the card that a card comes with; its own, if it comes with none."""
    owners = {companion: owner for owner, card in rulebook.cards.items() for companion in _companions(card)}
    while id in owners:
        id = owners[id]
    return id


def _companions(card: ir.CardDef) -> Iterator[str]:
    """The ids of what comes with a card."""
    for name, value in card.attributes.items():
        if isinstance(value, ir.AllCards) and value.only == f"{card.id}.{name}":
            yield value.only


def left_out(options: Mapping[str, Any]) -> tuple[str, ...]:
    """The ids of the cards that are left out under these house rules."""
    ids: tuple[str, ...] = options.get(LEFT_OUT, ())
    return ids


def leave_out(rulebook: ir.Rulebook, ids: Iterable[str]) -> ir.Rulebook:
    """The same game with no copy of these cards in it, nor of what comes with them. Scripts may still name them."""
    cards, left = dict(rulebook.cards), list(ids)
    while left:
        id = left.pop()
        if id in cards:
            left += _companions(cards[id])
            none = ir.Const(0, type=NUMBER)
            cards[id] = evolve(cards[id], copies=tuple((none, differing) for _, differing in cards[id].copies))
    return evolve(rulebook, cards=cards)
