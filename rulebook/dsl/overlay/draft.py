"""A map that can be changed while the one it was made of stays as it is.

In: the map of a rulebook. Out: another one, of which only the maps on the way to a change are copies. Never: changes a
node that was read.
"""

from __future__ import annotations

from rulebook.dsl.document import Mapping, Node, Scalar
from rulebook.dsl.overlay.paths import Keys

__all__ = ["Draft"]


class Draft:
    """One rulebook's map, on its way to be another's."""

    def __init__(self, base: Mapping) -> None:
        self.root = base
        self._own: dict[int, Mapping] = {}

    def snapshot(self) -> Mapping:
        """The map as it is now. No later change touches it."""
        self._own.clear()
        return self.root

    def put(self, keys: Keys, key: Scalar, node: Node) -> None:
        """Place a node in the map at `keys`, under a key, instead of what is there."""
        self._opened(keys, key).put(key, node)

    def remove(self, keys: Keys) -> None:
        """Take an entry away."""
        holder = self._opened(keys[:-1], None)
        del holder[keys[-1]]
        del holder.keys_at[keys[-1]]

    def _opened(self, keys: Keys, put: Scalar | None) -> Mapping:
        """The map at a path, as a copy that can be changed. One that is not there yet begins where `put` stands."""
        here = self.root = self._copied(self.root)
        for name in keys:
            entry = here.get(name)
            at = here.span if put is None else put.span
            inner = self._copied(entry if isinstance(entry, Mapping) else Mapping(at))
            here.put(here.keys_at.get(name) or Scalar(name, "plain", at), inner)
            here = inner
        return here

    def _copied(self, node: Mapping) -> Mapping:
        if id(node) in self._own:
            return node
        copy = Mapping(node.span)
        copy.update(node)
        copy.keys_at.update(node.keys_at)
        self._own[id(copy)] = copy
        return copy

