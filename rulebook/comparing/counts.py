"""Counts and names of a game's cards under the default house rules."""

from __future__ import annotations

from collections import Counter

from rulebook.dsl import ir
from rulebook.dsl.settling.forbidding import list_numbers
from rulebook.dsl.settling.reckoning import Reckoning, Unsettled
from rulebook.interpreter.lower import lower


def copies(rulebook: ir.Rulebook, players: int) -> Counter[str]:
    reckoning = _by_default(rulebook, players)
    try:
        return Counter(
            {id: sum(reckoning.reckon_number(count) for count, _ in card.copies) for id, card in rulebook.cards.items()}
        )
    except Unsettled:
        return Counter(lower(rulebook, players).definition)


def totals(rulebook: ir.Rulebook) -> dict[int, int]:
    return {players: copies(rulebook, players).total() for players in list_default_numbers(rulebook)}


def list_default_numbers(rulebook: ir.Rulebook) -> tuple[int, ...]:
    """List how many can play by the default house rules, in order."""
    return list_numbers(rulebook, {name: option.default for name, option in rulebook.options.items()})


def name_of(rulebook: ir.Rulebook, definition: ir.CardDef | ir.ActionDef) -> str:
    """Return the name that players read for a card or an action; its id, if the name is only known in a game."""
    try:
        name = _by_default(rulebook, rulebook.players[0]).reckon(definition.name)
    except Unsettled:
        return definition.id
    return name if isinstance(name, str) else definition.id


def _by_default(rulebook: ir.Rulebook, players: int) -> Reckoning:
    return Reckoning(lambda name: rulebook.options[name].default, players)
