"""The cards of a game for one number of players and one choice of house rules, in groups that are equal in every word.

In: the definitions of a rulebook, and how a leaf of YAML is worked out. Out: sets of cards as the bits of a number: by
definition, by kind, by what is printed on them. Never: knows where a card lies.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from copy import copy
from typing import Any

from rulebook.dsl import ir
from rulebook.dsl.settling.reckoning import Unsettled

Leaf = Callable[[ir.Expr], Any]
"""Works out an expression that stands in YAML; raises Unsettled."""


class Groups:
    """All cards there are."""

    def __init__(self, rulebook: ir.Rulebook, leaf: Leaf) -> None:
        self.leaf = leaf
        self.members: dict[int, tuple[str, Mapping[str, ir.Expr]]] = {}
        """The groups, by their bits: the definition, and what is printed on them."""
        self.kinds: dict[str, int] = {}
        self.definitions: dict[str, int] = {}
        self.selected: dict[tuple[int, int], list[tuple[tuple[tuple[str, Any], ...], int]]] = {}
        """Answers of conditions, by the condition and the cards it was asked about: house rules, and which cards."""
        self.closed: dict[tuple[int, int], bool] = {}
        """Conditions in a slot that depend on what is printed, and on house rules, alone."""
        self.reading: dict[tuple[int, int], bool] = {}
        """Whether an expression reads a slot."""
        self._printed: dict[str, list[tuple[Any, int]] | None] = {}
        first = 0
        for id, card in rulebook.cards.items():
            for copies, differing in card.copies:
                count = copies.value if isinstance(copies, ir.Const) else leaf(copies)
                if not isinstance(count, int):
                    raise Unsettled
                if count > 0:
                    mask = ((1 << count) - 1) << first
                    first += count
                    self.members[mask] = id, card.attributes | differing if differing else card.attributes
                    self.kinds[card.kind] = self.kinds.get(card.kind, 0) | mask
                    self.definitions[id] = self.definitions.get(id, 0) | mask
        self.all = (1 << first) - 1

    def for_others(self) -> Groups:
        """The same cards in a game of another number of players, where conditions may have other answers."""
        found = copy(self)
        found.selected = {}
        return found

    def among(self, cards: int) -> Iterator[int]:
        """The groups that have a card among these."""
        return (mask for mask in self.members if mask & cards)

    def of_kinds(self, kinds: frozenset[str]) -> int:
        """All cards of these kinds."""
        found = 0
        for kind in kinds:
            found |= self.kinds.get(kind, 0)
        return found

    def of_definitions(self, definitions: frozenset[str]) -> int:
        """All copies of these."""
        found = 0
        for id in definitions:
            found |= self.definitions.get(id, 0)
        return found

    def printed(self, name: str) -> list[tuple[Any, int]]:
        """What is printed under a name, and on which cards. Raises Unsettled if that is not a plain value."""
        if name not in self._printed:
            self._printed[name] = None
            found: dict[Any, int] = {}
            for mask, (_, attributes) in self.members.items():
                leaf = attributes.get(name)
                if isinstance(leaf, ir.AllCards):
                    raise Unsettled
                if leaf is not None:
                    value = self.leaf(leaf)
                    found[value] = found.get(value, 0) | mask
            self._printed[name] = list(found.items())
        values = self._printed[name]
        if values is None:
            raise Unsettled
        return values
