"""The `given` of a scenario: cards in places, what is remembered, what has changed on cards."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from typing import TypeAlias

from attrs import field

from rulebook.classes import frozen
from rulebook.diagnostics import Label, diagnose, did_you_mean
from rulebook.dsl import document as d
from rulebook.dsl import ir
from rulebook.dsl import types as t
from rulebook.dsl.parsing.parser import parse_expression
from rulebook.dsl.world import CardInfo, PlaceInfo
from rulebook.playtest.scenarios.ground import Reader
from rulebook.source import Span

_FACE = re.compile(r" +face +(up|down)$")

Owner = int | str | None
"""The owner of a place, memory or state: a seat, the id of a card, or the table (None)."""


Spot: TypeAlias = tuple[int, int] | None
"""A row and a column of a grid, from 0."""


@frozen
class Known:
    """The value of a memory (`owner` a seat or None) or of a card's state (`owner` a card)."""

    name: str
    owner: Owner
    value: ir.Expr


@frozen
class Laid:
    """One card as it lies: its id, or "" for an empty position, and "up", "down", or "" for as the place has it; what
    has changed on it. Of a grid that is given in rows, also its row and column, from 0.
    """

    card: str
    face: str = ""
    spot: Spot = None
    states: tuple[Known, ...] = ()
    span: Span | None = field(default=None, eq=False, repr=False)


@frozen
class Lying:
    """Cards in one place, from the top or the left. Of a pool, `pieces` is how many."""

    place: str
    owner: Owner
    cards: tuple[Laid, ...] = ()
    pieces: int | None = None
    span: Span | None = field(default=None, eq=False, repr=False)


@frozen
class Given:
    """Everything before the first call."""

    lying: tuple[Lying, ...] = ()
    known: tuple[Known, ...] = ()


def read_given(reader: Reader, node: d.Mapping) -> Given:
    """Read a `given` map; `players` is read elsewhere."""
    read = [_read_entry(reader, node.keys_at[key], node[key]) for key in node if key != "players"]
    lying = tuple(entry for entry in read if isinstance(entry, Lying))
    _count_copies(reader, lying)
    return Given(lying, tuple(entry for entry in read if isinstance(entry, Known)))


def _read_entry(reader: Reader, key: d.Scalar, node: d.Node) -> Lying | Known | None:
    """Read one line: a place or something remembered, of the table, of a player or of a card."""
    world, seats = reader.ground.world, reader.seats
    path, _, name = key.text.rpartition(".")
    owner: Owner = seats.index(path) if path in seats else path or None
    kind = "table" if not path else "player" if path in seats else "card"
    if kind == "card" and path not in world.cards:
        at = key.locate(0, len(path))
        reader.report("RB301", at, did_you_mean(path, [*seats, *world.cards]), wanted="player or card", name=path)
        return None
    place, memory, state = world.places.get(name), world.memories.get(name), world.states.get(name)
    if place is not None and place.owner == kind:
        return _read_place(reader, place, owner, key, node)
    if memory is not None and memory.owner == kind:
        return _read_known(reader, name, owner, memory.type, node)
    if state is not None and kind == "card":
        if reader.ground.copies(path) == 1:
            return _read_known(reader, name, owner, state.type, node)
        what, got = f"What changes on `{path}`", "about one of several copies"
        help = f"Say it where the card lies: `[{{{path}: {{{name}: …}}}}, {path}]`."
        reader.report("RB112", key.span, help, what=what, wanted="about one card", got=got)
        return None
    legal = [place.name for place in world.places.values() if place.owner == kind]
    legal += [memory.name for memory in world.memories.values() if memory.owner == kind]
    wanted = {"table": "place or memory", "player": "place or memory of a player", "card": "place or state of a card"}
    at = key.locate(len(key.text) - len(name), len(key.text))
    reader.report("RB301", at, did_you_mean(name, legal), wanted=wanted[kind], name=name)
    return None


def _read_place(reader: Reader, place: PlaceInfo, owner: Owner, key: d.Scalar, node: d.Node) -> Lying | None:
    what = f"`{key.text}`"
    if place.kept == "pool":
        text = node.text if isinstance(node, d.Scalar) else ""
        if text.isdecimal():
            return Lying(place.name, owner, pieces=int(text), span=key.span)
        reader.report_misfit(node, what, "a number of pieces")
        return None
    if isinstance(node, d.Mapping) and not all(isinstance(below, d.Mapping) for below in node.values()):
        reader.report_misfit(node, what, "a list of cards")
        return None
    leaves, spots = _leaves(node)
    if place.kept == "slot" and len(leaves) > 1:
        reader.report("RB112", node.span, what=what, wanted="one card", got=f"{len(leaves)} cards")
        return None
    cards = [_read_card(reader, leaf, spot, place, key.text) for leaf, spot in zip(leaves, spots, strict=True)]
    return Lying(place.name, owner, tuple(card for card in cards if card is not None), span=key.span)


def _read_card(reader: Reader, leaf: d.Node, spot: Spot, place: PlaceInfo, key: str) -> Laid | None:
    """Read the card that a leaf names, the face that it shows, and what has changed on it: `{skiff: {sunk: yes}}`. None
    for a mistake.
    """
    world = reader.ground.world
    changes: d.Mapping | None = None
    if isinstance(leaf, d.Mapping) and len(leaf) == 1:
        ((name, below),) = leaf.items()
        if isinstance(below, d.Mapping):
            leaf, changes = leaf.keys_at[name], below
    if not isinstance(leaf, d.Scalar):
        reader.report("RB112", leaf.span, what="A card", wanted="the name of one", got=d.kind_of(leaf))
        return None
    name, face = leaf.text, ""
    if turned := _FACE.search(name):
        name, face = name[: turned.start()], turned[1]
    if leaf.text == "none" and place.kept in ("grid", "slot"):
        return Laid("", "", spot)
    family = world.families.get(name, ())
    card = world.cards.get(family[0] if len(family) == 1 and name not in world.cards else name)
    if card is None:
        help = reader.list_family(name) or did_you_mean(name, world.cards)
        reader.report("RB301", leaf.locate(0, len(name)), help, wanted="card", name=name)
        return None
    if card.kind not in place.holds:
        help = f"It holds {world.family_of(place.holds)}."
        reader.report("RB410", leaf.span, help, place=key, got=world.describe_type(t.Card(frozenset([card.kind]))))
    states = () if changes is None else tuple(_read_states(reader, card, changes))
    return Laid(card.id, face, spot, states, leaf.span)


def _read_states(reader: Reader, card: CardInfo, changes: d.Mapping) -> Iterator[Known]:
    """Read what has changed on one card."""
    states = {name: state for name, state in reader.ground.world.states.items() if card.kind in state.kinds}
    for name, node in changes.items():
        if name in states:
            yield _read_known(reader, name, card.id, states[name].type, node)
        else:
            span, wanted = changes.keys_at[name].span, f"state of `{card.id}`"
            reader.report("RB301", span, did_you_mean(name, states), wanted=wanted, name=name)


def _count_copies(reader: Reader, lying: Sequence[Lying]) -> None:
    """Check that no card lies in more places than it has copies."""
    named: dict[str, list[Span]] = {}
    for laid in (laid for pile in lying for laid in pile.cards):
        if laid.span is not None:
            named.setdefault(laid.card, []).append(laid.span)
    for card, spans in named.items():
        there_are = reader.ground.copies(card)
        if there_are == 0:
            _report_absent(reader, card, spans[0])
        elif there_are is not None and len(spans) > there_are:
            wanted = "named once" if there_are == 1 else f"named at most {there_are} times"
            help, got = "A scenario cannot have more cards than the game.", f"{len(spans)} times"
            reader.report("RB112", spans[there_are], help, what=f"`{card}`", wanted=wanted, got=got)


def _report_absent(reader: Reader, card: str, at: Span) -> None:
    """Report a card of which there is none, where the game says so: all scenarios that name it give one message."""
    written = reader.ground.world.authored.cards[reader.ground.world.cards[card].family].fields.get("copies")
    span, labels = (at, []) if written is None else (written.span, [Label(at, "here one is needed")])
    what, wanted = f"`copies` of `{card}`", "at least 1 where scenarios name it"
    slip = diagnose("RB112", span, labels=labels, where=reader.where, what=what, wanted=wanted, got="0")
    reader.messages.append(slip)


def _read_known(reader: Reader, name: str, owner: Owner, type: t.Type, node: d.Node) -> Known:
    e, kind = reader.open_expressions(), t.surely(type)

    def read_leaf(node: d.Node, wanted: t.Type) -> ir.Expr:
        if not isinstance(node, d.Scalar):
            reader.report("RB112", node.span, what=f"`{name}`", wanted=e.describe_type(wanted), got=d.kind_of(node))
            return ir.Const(None, type=t.UNKNOWN)
        tree, mistakes = parse_expression(node, reader.where)
        reader.messages.extend(mistakes)
        if tree is None:
            return ir.Const(None, type=t.UNKNOWN)
        return e.expect(e.check_value(tree, wanted), t.maybe(wanted), tree.at, f"`{name}`")

    if isinstance(node, d.Sequence) and isinstance(kind, t.ListOf):
        value: ir.Expr = ir.Listed(tuple(read_leaf(leaf, kind.item) for leaf in node), type=kind)
    elif isinstance(node, d.Mapping) and isinstance(kind, t.TableOf):
        entry = kind.item
        value = _read_table(reader, kind, node, lambda leaf: read_leaf(leaf, t.surely(entry)))
    else:
        value = read_leaf(node, kind)
    return Known(name, owner, value)


def _read_table(reader: Reader, of: t.TableOf, node: d.Mapping, read: Callable[[d.Node], ir.Expr]) -> ir.Expr:
    """Read a map from words or players to what there is of each; what is not named is 0, or nothing."""
    words = [word for word, _ in reader.ground.world.symbols(of.key)]
    keys = words if isinstance(of.key, t.Symbol) else reader.seats
    for key in node:
        if key not in keys:
            wanted = of.key.enumeration if isinstance(of.key, t.Symbol) else "player"
            reader.report("RB301", node.keys_at[key].span, did_you_mean(key, keys), wanted=wanted, name=key)
    rest = ir.Const(0 if t.has_numbers(of) else None, type=of.item)
    return ir.Listed(tuple(read(node[key]) if key in node else rest for key in keys), type=of)


def _leaves(node: d.Node) -> tuple[list[d.Node], list[Spot]]:
    """The entries of a list, or of a list of lists (the rows of a grid) theirs, and the row and column of each. One
    card alone is a list of one."""
    if isinstance(node, d.Scalar):
        return ([], []) if d.kind_of(node) == "nothing" else ([node], [None])
    if not isinstance(node, d.Sequence):
        return [node], [None]
    if not any(isinstance(item, d.Sequence) for item in node):
        return [*node], [None for _ in node]
    rows = [[*item] if isinstance(item, d.Sequence) else [item] for item in node]
    spots = [(row, column) for row, cards in enumerate(rows) for column in range(len(cards))]
    return [leaf for row in rows for leaf in row], [*spots]
