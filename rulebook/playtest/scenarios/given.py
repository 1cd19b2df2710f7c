"""What lies on the table before a scenario begins: cards in places, what is remembered, what has changed on
cards.

In: the `given` map of a scenario. Out: a `Given`, with a message for each name and value that does not fit. Never: lays
anything out; `laying` does.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any, TypeAlias

from attrs import field, frozen

from rulebook.diagnostics import Diagnostic, diagnose, did_you_mean
from rulebook.dsl import document as d
from rulebook.dsl import ir
from rulebook.dsl import types as t
from rulebook.dsl.parsing.parser import parse_expression
from rulebook.dsl.world import PlaceInfo
from rulebook.playtest.scenarios.ground import Ground
from rulebook.source import Span

__all__ = ["Given", "Known", "Laid", "Owner", "read_given"]

_FACE = re.compile(r" +face +(up|down)$")

Owner = int | str | None
"""Whose something is: a seat, the id of a card, or the table (None)."""


Spot: TypeAlias = tuple[int, int] | None
"""A row and a column of a grid, from 0."""


@frozen
class Laid:
    """One card as it lies: its id, or "" for an empty position, and "up", "down", or "" for as the place has it.

    Of a grid that is given in rows, also its row and column, from 0."""

    card: str
    face: str = ""
    spot: Spot = None


@frozen
class Lying:
    """Cards in one place, from the top or the left. Of a pool, `pieces` is how many."""

    place: str
    owner: Owner
    cards: tuple[Laid, ...] = ()
    pieces: int | None = None
    span: Span | None = field(default=None, eq=False, repr=False)


@frozen
class Known:
    """What a memory (`owner` a seat or None) or a card's state (`owner` a card) holds."""

    name: str
    owner: Owner
    value: ir.Expr
    slots: ir.Slots


@frozen
class Given:
    """Everything before the first call."""

    lying: tuple[Lying, ...] = ()
    known: tuple[Known, ...] = ()


# ── reading ──────────────────────────────────────────────────────────────────────────────────────────────────────────


def read_given(ground: Ground, node: d.Mapping, seats: Sequence[str], where: str, found: list[Diagnostic]) -> Given:
    """What a `given` map says; `players` is read elsewhere."""
    reading = _Reading(ground, seats, where, found)
    for key in node:
        if key != "players":
            reading.entry(node.keys_at[key], node[key])
    reading.count()
    return Given(tuple(reading.lying), tuple(reading.known))


class _Reading:
    def __init__(self, ground: Ground, seats: Sequence[str], where: str, found: list[Diagnostic]) -> None:
        self.ground, self.world, self.seats, self.where, self.found = (
            ground,
            ground.world,
            seats,
            where,
            found,
        )
        self.lying: list[Lying] = []
        self.known: list[Known] = []
        self.named: dict[str, list[Span]] = {}

    def report(self, code: str, span: Span, help: str | None = None, **values: Any) -> None:
        self.found.append(diagnose(code, span, where=self.where, help=help, **values))

    def entry(self, key: d.Scalar, node: d.Node) -> None:
        """One line: a place or something remembered, of the table, of a player or of a card."""
        path, _, name = key.text.rpartition(".")
        owner, kind = self._owner(path)
        if kind is None:
            legal = [*self.seats, *self.world.cards]
            at = key.locate(0, len(path))
            self.report("RB301", at, did_you_mean(path, legal), wanted="player or card", name=path)
            return
        place, memory, state = (
            self.world.places.get(name),
            self.world.memories.get(name),
            self.world.states.get(name),
        )
        if place is not None and place.owner == kind:
            self._lies(place, owner, key, node)
        elif memory is not None and memory.owner == kind:
            self._knows(name, owner, memory.type, node)
        elif state is not None and kind == "card":
            if self._is_single(path, key):
                self._knows(name, owner, state.type, node)
        else:
            legal = [one.name for one in self.world.places.values() if one.owner == kind]
            legal += [one.name for one in self.world.memories.values() if one.owner == kind]
            wanted = {"table": "place or memory", "player": "place or memory of a player"}.get(
                kind, "place or state of a card"
            )
            at = key.locate(len(key.text) - len(name), len(key.text))
            self.report("RB301", at, did_you_mean(name, legal), wanted=wanted, name=name)

    def _owner(self, path: str) -> tuple[Owner, str | None]:
        if not path:
            return None, "table"
        if path in self.seats:
            return self.seats.index(path), "player"
        return path, "card" if path in self.world.cards else None

    def _is_single(self, card: str, key: d.Scalar) -> bool:
        single = self.ground.copies(card) == 1
        if not single:
            what, got = f"What changes on `{card}`", "about one of several copies"
            self.report("RB112", key.span, what=what, wanted="about one card", got=got)
        return single

    # ── places ──

    def _lies(self, place: PlaceInfo, owner: Owner, key: d.Scalar, node: d.Node) -> None:
        if place.kept == "pool":
            text = node.text if isinstance(node, d.Scalar) else ""
            if not text.isdecimal():
                self.report("RB112", node.span, what=f"`{key.text}`", wanted="a number of pieces", got=_got(node))
                return
            self.lying.append(Lying(place.name, owner, pieces=int(text), span=key.span))
            return
        if isinstance(node, d.Mapping):
            self.report("RB112", node.span, what=f"`{key.text}`", wanted="a list of cards", got="a map")
            return
        leaves, spots = _leaves(node)
        if place.kept == "slot" and len(leaves) > 1:
            self.report("RB112", node.span, what=f"`{key.text}`", wanted="one card", got=f"{len(leaves)} cards")
            return
        cards = [self._card(one, spot, place, key.text) for one, spot in zip(leaves, spots, strict=True)]
        self.lying.append(Lying(place.name, owner, tuple(one for one in cards if one is not None), span=key.span))

    def _card(self, leaf: d.Node, spot: Spot, place: PlaceInfo, key: str) -> Laid | None:
        """The card that a leaf names, and the face that it shows; None for a mistake."""
        if not isinstance(leaf, d.Scalar):
            self.report("RB112", leaf.span, what="A card", wanted="the name of one", got=d.kind_of(leaf))
            return None
        name, face = leaf.text, ""
        if turned := _FACE.search(name):
            name, face = name[: turned.start()], turned[1]
        if leaf.text == "none" and place.kept in ("grid", "slot"):
            return Laid("", "", spot)
        card = self.world.cards.get(name)
        if card is None:
            family = self.world.families.get(name, ())
            if len(family) == 1:
                card = self.world.cards[family[0]]
            else:
                help = "Say which one: " + ", ".join(f"`{one}`" for one in family) if family else None
                at = leaf.locate(0, len(name))
                self.report("RB301", at, help or did_you_mean(name, self.world.cards), wanted="card", name=name)
                return None
        if card.kind not in place.holds:
            help = f"It holds {self.world.family_of(place.holds)}."
            self.report("RB410", leaf.span, help, place=key, got=self.world.describe(t.Card(frozenset([card.kind]))))
        self.named.setdefault(card.id, []).append(leaf.span)
        return Laid(card.id, face, spot)

    def count(self) -> None:
        """No card may lie in more places than it has copies."""
        for card, spans in self.named.items():
            there_are = self.ground.copies(card)
            if there_are is not None and len(spans) > there_are:
                wanted = "named once" if there_are == 1 else f"named at most {there_are} times"
                help = "A scenario cannot have more cards than the game."
                got = f"{len(spans)} times"
                self.report("RB112", spans[there_are], help, what=f"`{card}`", wanted=wanted, got=got)

    # ── what is remembered ──

    def _knows(self, name: str, owner: Owner, type: t.Type, node: d.Node) -> None:
        e = self.ground.expressions(self.seats, self.where, self.found)
        kind = t.surely(type)

        def leaf(one: d.Node, wanted: t.Type) -> ir.Expr:
            if not isinstance(one, d.Scalar):
                self.report("RB112", one.span, what=f"`{name}`", wanted=e.words(wanted), got=d.kind_of(one))
                return ir.Const(None, type=t.UNKNOWN)
            tree, mistakes = parse_expression(one, self.where)
            self.found.extend(mistakes)
            if tree is None:
                return ir.Const(None, type=t.UNKNOWN)
            return e.want(e.value(tree, wanted), t.maybe(wanted), tree.at, f"`{name}`")

        if isinstance(node, d.Sequence) and isinstance(kind, t.ListOf):
            items = tuple(leaf(one, kind.item) for one in node)
            value: ir.Expr = ir.Listed(items, type=kind)
        else:
            value = leaf(node, kind)
        self.known.append(Known(name, owner, value, ir.Slots(tuple(e.scope.names), tuple(e.scope.types))))


def _leaves(node: d.Scalar | d.Sequence) -> tuple[list[d.Node], list[Spot]]:
    """The entries of a list, or of a list of lists (the rows of a grid) theirs, and the row and column of each. One
    card alone is a list of one."""
    if isinstance(node, d.Scalar):
        return ([], []) if d.kind_of(node) == "nothing" else ([node], [None])
    if not any(isinstance(one, d.Sequence) for one in node):
        return [*node], [None for _ in node]
    rows = [[*one] if isinstance(one, d.Sequence) else [one] for one in node]
    spots = [(row, column) for row, cards in enumerate(rows) for column in range(len(cards))]
    return [one for row in rows for one in row], [*spots]


def _got(node: d.Node) -> str:
    return f"`{node.text}`" if isinstance(node, d.Scalar) else d.kind_of(node)
