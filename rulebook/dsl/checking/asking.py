"""What a name or a dot means, for the checker of expressions: the rules of name resolution, in their order.

In: a name, the value it stands behind, a scope. Out: an IR expression, or None when nothing has that name.
Never: decides which of two readings wins except as the language says; reports nothing itself.
"""

from __future__ import annotations

from rulebook.dsl import ir
from rulebook.dsl import types as t
from rulebook.dsl.checking.scope import Scope
from rulebook.dsl.syntax import At
from rulebook.dsl.world import World


def of_value(world: World, scope: Scope, owner: ir.Expr, name: str, at: At | None) -> ir.Expr | None:
    """`owner.name` for an attribute, state, place or memory of one player or card; None if its type has none of it."""
    kind = t.surely(owner.type)
    if kind is t.PLAYER:
        return _of_player(world, owner, name, at)
    members = t.members(kind)
    if members and all(isinstance(one, t.Card) for one in members):
        return _of_card(world, owner, name, at)
    return None


def _of_player(world: World, owner: ir.Expr, name: str, at: At | None) -> ir.Expr | None:
    place = world.places.get(name)
    if place is not None and place.owner == "player":
        return ir.PlaceOf(name, owner, type=place.type, at=at)
    memory = world.memories.get(name)
    if memory is not None and memory.owner == "player":
        return ir.PlayerMemory(name, owner, type=memory.type, at=at)
    if name in ("left", "right"):
        return ir.Neighbour(owner, 1 if name == "left" else -1, type=t.PLAYER, at=at)
    return None


def _of_card(world: World, owner: ir.Expr, name: str, at: At | None) -> ir.Expr | None:
    kinds: frozenset[str] = frozenset()
    for one in t.members(t.surely(owner.type)):
        assert isinstance(one, t.Card)
        kinds |= one.kinds
    for table, changes in ((world.attributes, False), (world.states, True)):
        info = table.get(name)
        if info is not None and kinds <= info.kinds:
            node = ir.State if changes or info.changes else ir.Attribute
            return node(name, owner, type=info.type, at=at)
    place = world.places.get(name)
    if place is not None and place.owner == "card" and kinds <= place.of:
        return ir.PlaceOf(name, owner, type=place.type, at=at)
    return None


def who_has(world: World, name: str) -> str:
    """Which kinds or players have an attribute of that name, in words for a message; empty if none has."""
    for table in (world.attributes, world.states):
        if name in table:
            return f"only {world.family_of(table[name].kinds)} cards have a `{name}`"
    for place in world.places.values():
        if place.name == name:
            if place.owner == "card":
                return f"only {world.family_of(place.of)} cards have a `{name}`"
            return (
                "each player has one: `p." + name + "`"
                if place.owner == "player"
                else f"`{name}` is a place of the table"
            )
    memory = world.memories.get(name)
    if memory is not None:
        return "each player has one: `p." + name + "`" if memory.owner == "player" else f"`{name}` belongs to the table"
    return ""


def legal_names(world: World, owner: t.Type) -> list[str]:
    """What may stand behind the dot of a value of this type: first what all of its cards have, then what some have."""
    names: list[str] = []
    partly: list[str] = []
    asked = [value for value in world.values.values() if len(value.parameters) == 1]
    for one in t.in_order(t.surely(owner)):
        names += [value.name for value in asked if t.fits(one, value.parameters[0].type)]
        if isinstance(one, t.Player):
            names += [p.name for p in world.places.values() if p.owner == "player"]
            names += [m.name for m in world.memories.values() if m.owner == "player"]
            names += ["left", "right"]
        elif isinstance(one, t.Card):
            names += [f.name for f in (*world.attributes.values(), *world.states.values()) if one.kinds <= f.kinds]
            names += [p.name for p in world.places.values() if p.owner == "card" and one.kinds <= p.of]
            names += [h for h, info in world.hooks.items() if one.kinds & info.kinds]
            partly += [f.name for f in (*world.attributes.values(), *world.states.values()) if one.kinds & f.kinds]
            partly += [p.name for p in world.places.values() if p.owner == "card" and one.kinds & p.of]
    return names + partly
