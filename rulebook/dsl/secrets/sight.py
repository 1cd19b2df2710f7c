"""What everyone sees as soon as it is there: open places, cards that lie face up, public memories.

In: places, memories, lists of cards. Out: yes or no. Never: asks who else may see something; `reads` does.
"""

from __future__ import annotations

from rulebook.dsl import ir
from rulebook.dsl import types as t
from rulebook.dsl.structuring.forms import BOX
from rulebook.dsl.world import World


def lies_open(world: World, listed: t.Type) -> bool:
    """Whether the cards of a list of this type are such that everyone sees them in every place but the box."""
    kinds: frozenset[str] = frozenset()
    for one in t.members(listed.item if isinstance(listed, t.ListOf) else t.UNKNOWN):
        if not isinstance(one, t.Card):
            return False
        kinds |= one.kinds
    places = (place for name, place in world.places.items() if name != BOX)
    return bool(kinds) and all(place.open for place in places if place.holds & kinds)


def is_on_the_table(listed: ir.Expr) -> bool:
    """Whether the cards of a list surely lie in places that the rulebook declares, and not in the box."""
    match listed:
        case ir.Cards(ir.PlaceOf(name, _)) | ir.TheCard(ir.PlaceOf(name, _)):
            return name != BOX
        case ir.Filter(inner, _, _) | ir.Sorted(inner, _, _) | ir.Best(inner, _, _) | ir.Each(_, _, inner):
            return is_on_the_table(inner)
        case ir.BuiltIn("first" | "last" | "distinct", (inner, *_)):
            return is_on_the_table(inner)
        case ir.BuiltIn("beside" | "around" | "row" | "column"):
            return True  # of a grid
        case ir.Chain(first, second) | ir.IfElse(_, first, second):
            return is_on_the_table(first) and is_on_the_table(second)
        case ir.Listed(items):
            return all(is_on_the_table(one) for one in items)
    return False


def open_to_all(world: World, goal: ir.Expr, face: str) -> bool:
    """Whether a card that arrives there is seen by everyone."""
    if face:
        return face == "up"
    return isinstance(goal, ir.PlaceOf) and world.places[goal.name].arrives_up


def public_target(rulebook: ir.Rulebook, world: World, target: ir.Expr) -> bool:
    """Whether everyone sees what is set."""
    match target:
        case ir.TableMemory(name) | ir.PlayerMemory(name, _):
            return world.memories[name].seen_by == "everyone"
        case ir.State(name, _):
            state = rulebook.states.get(name)
            return state is not None and not state.with_face
    return False


def shows_faces(world: World, listed: ir.Expr) -> bool:
    """Whether of each card in a list everyone can tell that it lies face up, and then sees it: not in a pile."""
    match listed:
        case ir.Cards(ir.PlaceOf(name, _)):
            return world.places[name].kept != "pile"
        case ir.BuiltIn("first", (ir.Cards(ir.PlaceOf()),)):
            return True  # of a pile, everyone sees the top one
        case ir.Filter(inner, _, _) | ir.Sorted(inner, _, _) | ir.Each(_, _, inner):
            return shows_faces(world, inner)
        case ir.Chain(first, second):
            return shows_faces(world, first) and shows_faces(world, second)
    return False


def asks_face_up(condition: ir.Expr, slot: int) -> bool:
    """Whether only what lies face up can meet a condition."""
    match condition:
        case ir.And(left, right):
            return asks_face_up(left, slot) or asks_face_up(right, slot)
        case ir.IsFaceUp(ir.Local(asked, _)):
            return asked == slot
    return False
