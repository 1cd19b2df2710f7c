"""What is printed on cards: every value that stands under a name, and on which cards.

In: the rulebook, and the bit of each card. Out: `Spread`s with the bits of their cards. Never: a value that changes in
play, or the values of one house rule alone.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import cached_property

from rulebook.dsl import ir, spread
from rulebook.dsl import types as t
from rulebook.dsl.meaning.vocabulary import Vocabulary
from rulebook.dsl.spread import NO_VALUE, Spread


class CardSet:
    """All cards of a rulebook: the bit of each, those of each kind, what is printed on them, and what names them."""

    def __init__(self, rulebook: ir.Rulebook) -> None:
        self._rulebook = rulebook
        self.bits = {id: 1 << number for number, id in enumerate(rulebook.cards)}
        self.all = (1 << len(self.bits)) - 1
        self.kinds: dict[str, int] = {}
        for id, card in rulebook.cards.items():
            self.kinds[card.kind] = self.kinds.get(card.kind, 0) | self.bits[id]
        self.fitting = _Fitting(self.kinds)
        self.printed = Printed(rulebook.cards, self.bits)

    @cached_property
    def answering(self) -> dict[tuple[str, str], int]:
        """The cards for which a script answers a hook."""
        found: dict[tuple[str, str], int] = {}
        for hook, table in self._rulebook.hooks.items():
            for id, script in table.items():
                if id in self.bits:
                    found[hook, script] = found.get((hook, script), 0) | self.bits[id]
        return found

    @cached_property
    def vocabulary(self) -> Vocabulary:
        """How texts speak of all there is."""
        return Vocabulary(self._rulebook)


class _Fitting(dict[t.Type, int]):
    """The cards that a type allows. There are few types, and each expression has one."""

    def __init__(self, kinds: Mapping[str, int]) -> None:
        super().__init__()
        self._kinds = kinds

    def of_kinds(self, kinds: frozenset[str]) -> int:
        """The cards of these kinds."""
        return sum(self._kinds.get(kind, 0) for kind in kinds)

    def __missing__(self, of: t.Type) -> int:
        found = 0
        for one in t.members(of):
            match one:
                case t.Card(kinds):
                    found |= self.of_kinds(kinds)
                case t.ListOf(item) | t.PerPlayer(item):
                    found |= self[item]
        self[of] = found
        return found


class Printed:
    """The attributes of all cards."""

    def __init__(self, cards: Mapping[str, ir.CardDef], bits: Mapping[str, int]) -> None:
        names = {name: None for card in cards.values() for name in card.attributes}
        self._under = {name: list(_under(name, cards, bits)) for name in names}
        self._joint: dict[tuple[str, int], Spread | None] = {}

    def under(self, name: str) -> Iterable[tuple[Spread | None, int]]:
        """What is printed under a name, and on which cards."""
        return self._under.get(name, ())

    def on(self, name: str, cards: int) -> Spread | None:
        """What is printed under a name on some of these cards."""
        if (name, cards) not in self._joint:
            found: Spread | None = NO_VALUE
            for values, mask in self.under(name):
                if mask & cards:
                    found = spread.join(found, values)
            self._joint[name, cards] = found
        return self._joint[name, cards]


def _under(name: str, cards: Mapping[str, ir.CardDef], bits: Mapping[str, int]) -> Iterable[tuple[Spread | None, int]]:
    found: dict[Spread | None, int] = {}
    for id, card in cards.items():
        given = [group[name] for _, group in card.copies if name in group]
        given = given or ([card.attributes[name]] if name in card.attributes else [])
        values: Spread | None = NO_VALUE
        for one in given:
            values = spread.join(values, _leaf(one))
        if given:
            found[values] = found.get(values, 0) | bits[id]
    return spread.neighbours(found)


def _leaf(expr: ir.Expr) -> Spread | None:
    match expr:
        case ir.Const(value) if not isinstance(value, tuple):
            return spread.of([value])
        case ir.Arithmetic("-", ir.Const(0), ir.Const(int(value))):
            return spread.of([-value])
        case ir.ByOption(_, cases):
            found: Spread | None = NO_VALUE
            for _, case in cases:
                found = spread.join(found, _leaf(case))
            return found
    return None
