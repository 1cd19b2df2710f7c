"""The definitions that the entries of `cards` make: one, or one for each value of `each`, and their companions.

In: the authored cards, and a `World` that has its kinds and fields. Out: the cards, families and companions of that
world, and located messages. Never: reads what a card says beside `each`.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator

from rulebook.diagnostics import Diagnostic, diagnose, did_you_mean
from rulebook.dsl import schema
from rulebook.dsl import types as t
from rulebook.dsl.document import Mapping, Node, Scalar, Sequence
from rulebook.dsl.parsing.parser import parse_expression
from rulebook.dsl.syntax import Every, Number, Range
from rulebook.dsl.world import CardInfo, Value, World
from rulebook.source import Span

_MOST_CARDS = 1000  # that one entry makes
_DEEPEST = 10  # cards that bring cards that bring cards …


def no_attribute(world: World, kind: str, name: str, span: Span) -> Diagnostic:
    """That the cards of a kind have no attribute of that name."""
    below = world.concrete[kind]
    legal = [known for known, info in world.attributes.items() if info.kinds & below]
    help = did_you_mean(name, legal) or None
    return diagnose("RB303", span, owner=t.with_article(kind).capitalize(), name=name, help=help)


class Families:
    """Fills in the cards of one world."""

    def __init__(self, world: World, found: list[Diagnostic]) -> None:
        self.world, self.found = world, found
        self.circles = self._circles()

    def gather(self) -> None:
        """Every definition: those of the entries, and behind each the companions that it brings."""
        for id, card in self.world.authored.cards.items():
            kind = card.kind.text
            if kind not in self.world.authored.kinds:
                help = did_you_mean(kind, self.world.authored.kinds) or None
                self.found.append(diagnose("RB301", card.kind.span, wanted="kind", name=kind, help=help))
                continue
            family = self._family(id, card)
            for info in family:
                self.world.cards[info.id] = info
            if "each" in card.fields:
                self.world.families[id] = tuple(info.id for info in family)
            self._companions(family, split="each" in card.fields)

    # ── each ──

    def _family(self, id: str, card: schema.Card) -> list[CardInfo]:
        kind, each = card.kind.text, card.fields.get("each")
        if each is None:
            return [CardInfo(id, id, kind, ())]
        if not isinstance(each, Mapping):
            wanted = "a map like `{currency: every currency}`"
            self.found.append(diagnose("RB112", each.span, what="`each`", wanted=wanted, got="text"))
            return []
        ranges = [self._each_values(each[key], key, kind) for key in each]
        if math.prod(map(len, ranges)) > _MOST_CARDS:
            wanted = f"so few values that they make at most {_MOST_CARDS} cards"
            self.found.append(diagnose("RB411", each.span, value="`each`", wanted=wanted))
            return []
        return [
            CardInfo(".".join([id, *map(str, values)]), id, kind, tuple(zip(each, values, strict=True)))
            for values in itertools.product(*ranges)
        ]

    def _each_values(self, node: Node, attribute: str, kind: str) -> list[Value]:
        info = self.world.attributes.get(attribute)
        if info is None or kind not in info.kinds:
            self.found.append(no_attribute(self.world, kind, attribute, node.span))
            return []
        if isinstance(node, Sequence):
            texts = [leaf.text for leaf in node if isinstance(leaf, Scalar)]
            return [int(text) if info.type == t.NUMBER and text.isdecimal() else text for text in texts]
        if not isinstance(node, Scalar):
            wanted = "`every …`, a range or a list"
            self.found.append(diagnose("RB112", node.span, what="`each`", wanted=wanted, got="a map"))
            return []
        tree, mistakes = parse_expression(node)
        self.found += mistakes
        match tree:
            case Every(enumeration) if enumeration in self.world.words:
                return list(self.world.words[enumeration])
            case Every(enumeration):
                help = did_you_mean(enumeration, self.world.words) or None
                wanted = "list of words"
                self.found.append(diagnose("RB301", node.span, wanted=wanted, name=enumeration, help=help))
            case Range(Number(low), Number(high)) if high - low >= _MOST_CARDS:
                wanted = f"a range of at most {_MOST_CARDS} numbers"
                self.found.append(diagnose("RB411", node.span, value=node.text, wanted=wanted))
            case Range(Number(low), Number(high)):
                return list(range(low, high + 1))
            case None:
                pass
            case _:
                wanted, got = "`every …`, a range `1..13` or a list", f"`{node.text}`"
                self.found.append(diagnose("RB112", node.span, what="`each`", wanted=wanted, got=got))
        return []

    # ── comes_with ──

    def _companions(self, owners: list[CardInfo], *, split: bool) -> None:
        """One companion of each sort for each owner; of a family `relic` they are the family `relic.box`."""
        many, left = 0, [(owners, self._brought_by(owners))]
        while left:
            owners, brought = left[-1]
            name, goal = next(brought, ("", ""))
            if not name:
                left.pop()
                continue
            family = f"{owners[0].family}.{name}"
            entry = self.world.authored.cards[family.split(".")[0]]
            many += len(owners)
            if family in self.world.cards:
                self.found.append(diagnose("RB113", entry.key.span, name=family))
            elif many > _MOST_CARDS or len(left) > _DEEPEST:
                wanted = f"a kind whose cards bring at most {_MOST_CARDS} others, and those in at most {_DEEPEST} steps"
                self.found.append(diagnose("RB411", entry.kind.span, value=entry.kind.text, wanted=wanted))
                return
            else:
                made = [CardInfo(f"{one.id}.{name}", family, goal, one.each, one.id) for one in owners]
                for info in made:
                    self.world.cards[info.id] = info
                if split:
                    self.world.families[family] = tuple(info.id for info in made)
                left.append((made, self._brought_by(made)))

    def _brought_by(self, owners: list[CardInfo]) -> Iterator[tuple[str, str]]:
        """What comes with each of these cards: its name and its kind."""
        kind = owners[0].kind if owners else ""
        return iter(() if kind in self.circles else self.world.companions.get(kind, {}).items())

    def _circles(self) -> set[str]:
        """The kinds whose cards would bring companions without end; they bring a message, and no companions."""
        circles = set()
        for kind, companions in self.world.companions.items():
            todo, met = list(companions.values()), {kind}
            while todo:
                goal = todo.pop()
                if goal == kind:
                    circles.add(kind)
                elif goal not in met:
                    met.add(goal)
                    todo += self.world.companions.get(goal, {}).values()
        for name, entry in self.world.authored.kinds.items():
            for goal_ in entry.comes_with.values():
                if goal_.text in circles and self.world.concrete[name] & circles:
                    what, got = f"What comes with a {name}", "a circle, which would bring cards without end"
                    self.found.append(diagnose("RB401", goal_.span, what=what, wanted="another kind", got=got))
        return circles
