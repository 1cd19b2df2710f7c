"""Facts that the rules themselves tell of kinds of cards: which can be played, and which are worth points."""

from __future__ import annotations

from typing import Any

from rulebook.dsl import ir
from rulebook.dsl import types as t
from rulebook.dsl.walk import nodes


def kinds_to_play(rulebook: ir.Rulebook) -> frozenset[str]:
    """Find the kinds of cards that some script lets players choose out of places of their own."""
    found: set[str] = set()
    picks = (node for script in rulebook.scripts.values() for node in nodes(script.body) if isinstance(node, ir.Pick))
    for source in (source for pick in picks for source in pick.sources):
        places = _places_read(rulebook, [source.list], through_hooks=False)
        own = {kind for place in places if place.owner == "player" for kind in place.holds}
        found |= _kinds_in(source.list.type) & own
    return frozenset(found)


def _kinds_in(listed: t.Type) -> set[str]:
    """The kinds of the cards in a list, or in a list of lists."""
    if isinstance(listed, t.ListOf):
        return _kinds_in(listed.item)
    return {kind for member in t.members(listed) if isinstance(member, t.Card) for kind in member.kinds}


def kinds_worth_points(rulebook: ir.Rulebook) -> frozenset[str]:
    """Find the kinds of cards that lie in a place which the result reads."""
    asked = [rulebook.result.payoff, *(key.value for key in rulebook.result.rank)]
    places = _places_read(rulebook, asked, through_hooks=True)
    return frozenset(kind for place in places for kind in place.holds)


def _places_read(rulebook: ir.Rulebook, left: list[Any], *, through_hooks: bool) -> list[ir.PlaceDef]:
    """Find the places that these expressions read, also in what they call."""
    places: set[str] = set()
    known: set[str] = set()
    while left:
        for node in nodes(left.pop()):
            called: set[str] = set()
            match node:
                case ir.PlaceOf(name=name):
                    places.add(name)
                case ir.CallValue(function=name):
                    called = {name}
                case ir.AskHook(hook=hook) if through_hooks:
                    called = set(rulebook.hooks[hook].values())
            left += [rulebook.functions[one].body for one in called - known if one in rulebook.functions]
            known |= called
    return [rulebook.places[name] for name in places if name in rulebook.places]
