"""The diff of two forms of a game: entry by entry, as their authors wrote them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal, TypeAlias

from attrs import fields

from rulebook.classes import frozen
from rulebook.dsl import schema
from rulebook.dsl.document import (
    Layered,
    Mapping,
    Node,
    Scalar,
    Seamed,
    find_all_beneath,
    find_layers,
    find_seams,
    is_nothing,
)
from rulebook.dsl.overlay.paths import Keys
from rulebook.source import SourceFile, Span

What: TypeAlias = Literal["added", "removed", "changed", "hung"]

SECTIONS = tuple(field.name for field in fields(schema.Document))
"""The sections of a rulebook, in the order in which they are told."""
_IN_TWO = ("memory", "places")
_WHOLE = ("format", "name", "players")
_NOTHING = Mapping(Span(SourceFile("", ""), 0, 0))


@frozen(eq=False)
class Change:
    """One place that is different: its keys, and what stands there before and after, if anything.

    It is `hung` if after is what was there before, and scripts that hang on it.
    """

    keys: Keys
    what: What
    before: Node | None
    after: Node | None


@frozen(eq=False)
class Entry:
    """One declared thing that is different: the keys of its entry, and all its changes; one if it is new or gone."""

    keys: Keys
    changes: tuple[Change, ...]

    @property
    def section(self) -> str:
        return self.keys[0]

    @property
    def whole(self) -> Change | None:
        """The change, if it is about all of the entry."""
        first = self.changes[0]
        return first if first.keys == self.keys else None


def differences(before: Mapping, after: Mapping) -> list[Entry]:
    """All that is different, section by section; within one, as the first game has it, then what is new."""
    entries: list[Entry] = []
    for section in SECTIONS:
        grouped: dict[Keys, list[Change]] = {}
        for change in _walk((section,), before.get(section), after.get(section)):
            grouped.setdefault(change.keys[: _depth(section)], []).append(change)
        entries += [Entry(keys, tuple(changes)) for keys, changes in grouped.items()]
    return entries


def until(node: Node, beneath: Node) -> list[Layered | Seamed]:
    """All that was done to a script since it was one that lies beneath it, what was done last first."""
    layers = []
    for layer in find_all_beneath(node):
        if layer is beneath:
            break
        assert isinstance(layer, Layered | Seamed)
        layers.append(layer)
    return layers


def hung(before: Node, after: Node) -> Node | None:
    """Return the part of a script that lay there before, if it is still there and something hangs on it."""
    if isinstance(after, Layered | Seamed):
        return next((layer for layer in list(find_all_beneath(after))[1:] if same(before, layer)), None)
    return None


def same(node: Node, other: Node) -> bool:
    """Tell whether two nodes say the same, wherever they stand."""
    match node, other:
        case Layered(), Layered():
            return (node.place, node.text) == (other.place, other.text) and same(node.beneath, other.beneath)
        case Seamed(), Seamed():
            done = [[(seam.doing, seam.text, seam.at.words) for seam in find_seams(script)] for script in (node, other)]
            return done[0] == done[1] and same(next(find_layers(node)), next(find_layers(other)))
        case (Layered() | Seamed(), _) | (_, Layered() | Seamed()):
            return False
        case Scalar(), Scalar():
            return node.text.rstrip("\n") == other.text.rstrip("\n")
        case Mapping(), Mapping():
            return list(node) == list(other) and all(same(node[name], other[name]) for name in node)
        case list(), list():
            return len(node) == len(other) and all(map(same, node, other))
    return False


def _depth(section: str) -> int:
    """Return the number of keys that lead to an entry of a section."""
    if section in _WHOLE:
        return 1
    return 3 if section in _IN_TWO else 2


def _section(node: Node | None) -> Node:
    return _NOTHING if node is None or is_nothing(node) else node


def _walk(keys: Keys, before: Node | None, after: Node | None) -> Iterator[Change]:
    above = len(keys) < _depth(keys[0])
    if above:
        # A section that is left out, or left empty, has no entries.
        before, after = _section(before), _section(after)
    if isinstance(before, Mapping) and isinstance(after, Mapping):
        for name in dict.fromkeys((*before, *after)):
            yield from _walk((*keys, name), before.get(name), after.get(name))
    elif before is None or after is None:
        if before is not after:
            yield Change(keys, "added" if before is None else "removed", before, after)
    elif not same(before, after):
        yield Change(keys, "changed" if hung(before, after) is None else "hung", before, after)
