"""Paths: where in a rulebook's map something stands, as a variant names it.

Keys may hold blanks and dots themselves, so a path is never cut at its dots: it is looked for in the map itself, the
longest key first. The parameters of a signature may be left out: `rules.turn` is `turn(me)`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from rulebook.classes import frozen
from rulebook.diagnostics import did_you_mean, near, perhaps
from rulebook.dsl.document import Mapping, Node, Scalar, Sequence

Keys = tuple[str, ...]

# A dot with a blank behind it ends a sentence, perhaps an abbreviation in the name of a line.
_DOT = re.compile(r"\.(?=\S)")


@frozen(eq=False)
class Place:
    """The target of a path: the keys as the map has them, the node, and the offset in the path of the last key."""

    keys: Keys
    node: Node
    start: int


@frozen(eq=False)
class Lost:
    """The longest prefix of a path that leads somewhere: its keys, its node, and the offset of the rest in the path."""

    keys: Keys
    node: Node
    start: int


def find_path(root: Mapping, path: str) -> Place | Lost:
    return _walk_path(root, path, 0, ())


def _walk_path(node: Node, path: str, start: int, keys: Keys) -> Place | Lost:
    farthest = Lost(keys, node, start)
    for key, end in _find_fitting_keys(node, path, start):
        if end == len(path):
            return Place((*keys, key), _find_entry(node, key), start)
        place = _walk_path(_find_entry(node, key), path, end + 1, (*keys, key))
        if isinstance(place, Place):
            return place
        farthest = max(farthest, place, key=lambda result: result.start)
    return farthest


def _find_entry(node: Node, key: str) -> Node:
    assert isinstance(node, Mapping)
    return node[key]


def _find_fitting_keys(node: Node, path: str, start: int) -> Iterator[tuple[str, int]]:
    """Yield the keys of a map with which the rest of a path begins, and where they end there; the longest first."""
    if not isinstance(node, Mapping):
        return
    farthest = min(start + max(map(len, node), default=0), len(path))
    for end in range(farthest, start, -1):
        if path[end : end + 1] not in ("", "."):
            continue
        key = find_key(node, path[start:end])
        if key is not None:
            yield key, end


def find_key(node: Mapping, written: str) -> str | None:
    """Return the key that is meant by a piece of a path: this very one, or the one with parameters behind it."""
    if written in node:
        return written
    return next((key for key in node if key.startswith(written) and written and strip_parameters(key) == written), None)


def strip_parameters(key: str) -> str:
    """Return a key without its parameters: `turn` of `turn(me)`."""
    name, bracket, _ = key.partition("(")
    return name.rstrip() if bracket and key.endswith(")") else key


def segment(path: str, start: int) -> int:
    """Find where the key that begins there ends, if it is one that is nowhere to be found."""
    dot = _DOT.search(path, start)
    return len(path) if dot is None else dot.start()


def spell_path(keys: Keys) -> str:
    """Spell a path as people write it, or what the whole is called."""
    return f"`{'.'.join(keys)}`" if keys else "this game"


def suggest_path(root: Mapping, path: str, lost: Lost) -> str:
    """Say what to do about a path that leads nowhere; nothing if that is anybody's guess."""
    if isinstance(lost.node, Sequence):
        return f"A path ends where a list begins: name {spell_path(lost.keys)} and write the whole list."
    if not isinstance(lost.node, Mapping):
        return f"A path ends where a text begins: name {spell_path(lost.keys)} itself."
    rest = path[lost.start :]
    word = path[lost.start : segment(path, lost.start)]
    same = next((key for key in lost.node if "(" in word and strip_parameters(word) == strip_parameters(key)), None)
    if same is not None:
        return f"It is `{same}`; the parameters may be left out."
    if not lost.keys and (elsewhere := _below_a_section(root, path)):
        return f"Did you mean `{elsewhere}`?"
    known = list(dict.fromkeys(strip_parameters(key) for key in lost.node))
    if not near(word, known) and (meant := near(rest, known)):
        return perhaps(rest, meant)
    return did_you_mean(word, known)


def _below_a_section(root: Mapping, path: str) -> str | None:
    """Return the path with its section, if only that was left out."""
    longer = (f"{section}.{path}" for section in root)
    return next((other for other in longer if isinstance(find_path(root, other), Place)), None)


class Draft:
    """One rulebook's map, on its way to be another's."""

    def __init__(self, base: Mapping) -> None:
        self.root = base
        self._own: dict[int, Mapping] = {}

    def snapshot(self) -> Mapping:
        """Return the map as it is now. No later change touches it."""
        self._own.clear()
        return self.root

    def put(self, keys: Keys, key: Scalar, node: Node) -> None:
        """Place a node in the map at `keys`, under a key, instead of what is there."""
        self._open_map(keys, key).put(key, node)

    def remove(self, keys: Keys) -> None:
        holder = self._open_map(keys[:-1], None)
        del holder[keys[-1]]
        del holder.keys_at[keys[-1]]

    def _open_map(self, keys: Keys, put: Scalar | None) -> Mapping:
        """Open the map at a path, a copy that can be changed. One that is not there yet begins where `put` stands."""
        here = self.root = self._copy_map(self.root)
        for name in keys:
            entry = here.get(name)
            at = here.span if put is None else put.span
            inner = self._copy_map(entry if isinstance(entry, Mapping) else Mapping(at))
            here.put(here.keys_at.get(name) or Scalar(name, "plain", at), inner)
            here = inner
        return here

    def _copy_map(self, node: Mapping) -> Mapping:
        if id(node) in self._own:
            return node
        copy = Mapping(node.span)
        copy.take_entries(node)
        self._own[id(copy)] = copy
        return copy
