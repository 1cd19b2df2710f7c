"""Reads of an expression: the parts of a state that it hangs on, so that its answer is kept until one of them changes.

In: the tables and an `ir.Expr`. Out: the names of what it reads, and the `Kept` with the slots of these; the locals
that its answer hangs on. Never: decides where an answer is worth keeping.
"""

from __future__ import annotations

from typing import Any

from rulebook.dsl import ir
from rulebook.dsl import types as t
from rulebook.dsl.walk import children, nodes
from rulebook.interpreter.layout import ALIVE, FACES, WHERE
from rulebook.interpreter.lowering.tables import Tables
from rulebook.interpreter.program import Kept

_PURE = (
    ir.Const, ir.Local, ir.OptionValue, ir.ByOption, ir.Attribute, ir.AllCards, ir.AllActions, ir.TheAction, ir.Listed,
    ir.Span, ir.Chain, ir.Arithmetic, ir.Compare, ir.SameCards, ir.Within, ir.IsKind, ir.IsCard, ir.IsNothing,
    ir.IsEmpty, ir.Not, ir.And, ir.Or, ir.IfElse, ir.Filter, ir.Each, ir.Sorted, ir.Best, ir.Key, ir.Entry, ir.Cards,
    ir.TheCard, ir.Pieces, ir.Let, ir.If, ir.ForEach, ir.Repeat, ir.Return, ir.Conditions, ir.Total, ir.Line,
)  # fmt: skip
"""Expressions that read nothing of a state, but for their parts."""
_OF_LISTS = frozenset({"any", "all", "count", "sum", "min", "max", "first", "last", "distinct", "seat"})
"""The built-in questions that read nothing but what they are given."""
_PLAIN = t.Number | t.Amount | t.YesNo | t.Player | t.Card | t.Action | t.Symbol | t.Nothing
PLAYERS, FACES_OF_CARDS, PLACES_OF_CARDS = ("", "players"), ("", "faces"), ("", "places")

Reads = frozenset[tuple[str, str]]
"""Names of what is read, each with its kind: "place", "memory", "memory of players", "state", or none for the three
above.
"""


def is_plain(of: t.Type) -> bool:
    """Tell whether all values of a type are single numbers and words, and no texts."""
    return all(isinstance(member, _PLAIN) for member in t.members(of))


def find_free(expr: ir.Expr) -> dict[int, ir.Local]:
    """Find the locals that an expression reads and does not bind itself."""
    if isinstance(expr, ir.Local):
        return {expr.slot: expr}
    free: dict[int, ir.Local] = {}
    for part in children(expr):
        inside = find_free(part)
        if isinstance(expr, ir.Through) and part is not expr.list:
            inside.pop(expr.slot, None)
        free |= inside
    return free


def find_reads(tables: Tables, value: Any) -> Reads | None:
    """Find what an expression, or the body of a question, reads of a state; None if that cannot be said."""
    found = set[tuple[str, str]]()
    for node in nodes(value):
        match node:
            case ir.TableMemory(name):
                found.add(("memory", name))
            case ir.PlayerMemory(name):
                found.add(("memory of players", name))
            case ir.State(name):
                found.add(("state", name))
            case ir.PlaceOf(name):
                found.add(("place", name))
            case ir.IsFaceUp():
                found.add(FACES_OF_CARDS)
            case ir.Seats(everyone):
                found |= set() if everyone else {PLAYERS}
            case ir.Clockwise() | ir.Neighbour():
                found.add(PLAYERS)
            case ir.IsEmptyCell():
                found |= _all_places(tables)
            case ir.BuiltIn(name):
                found |= set() if name in _OF_LISTS else _all_places(tables)
            case ir.CallValue(name):
                asked = _find_asked(tables, name)
                if asked is None:
                    return None
                found |= asked
            case ir.AskHook(hook):
                for question in filter(None, dict.fromkeys(tables.by_object(hook))):
                    asked = _find_asked(tables, question)
                    if asked is None:
                        return None
                    found |= asked
            case _ if not isinstance(node, _PURE):
                return None
        if isinstance(node, ir.Node) and not isinstance(node, ir.PlaceOf) and isinstance(t.surely(node.type), t.Place):
            found |= _all_places(tables)
    return frozenset(found)


def _find_asked(tables: Tables, name: str) -> Reads | None:
    """The same of a question; of one that asks itself it cannot be said."""
    if name not in tables.reads:
        tables.reads[name] = None
        tables.reads[name] = find_reads(tables, tables.rulebook.functions[name].body)
    return tables.reads[name]


def _all_places(tables: Tables) -> set[tuple[str, str]]:
    return {PLACES_OF_CARDS, *(("place", name) for name in tables.layout.place_of)}


def keep(tables: Tables, reads: Reads) -> Kept:
    """Room for the answers of one expression that reads this."""
    layout, slots = tables.layout, set[int]()
    for kind, name in reads:
        match kind:
            case "place":
                for place in (layout.places[one] for one in layout.place_of[name] if one is not None):
                    slots |= {place.slot} if place.settled is None else {place.slot, place.settled}
            case "memory":
                slots.add(layout.memory[name].slot)
            case "memory of players":
                first = layout.player_memory[name].slot
                slots |= {*range(first, first + layout.players)}
            case "state":
                slots.add(layout.states[name].slot)
            case _:
                slots.add({PLAYERS: ALIVE, FACES_OF_CARDS: FACES, PLACES_OF_CARDS: WHERE}[kind, name])
    return Kept(tuple(sorted(reads)), tuple(sorted(slots)))
