"""What the entry of a card or action may say: its legal fields, and a text that is told instead of written.

In: entries as written, the world. Out: names of fields, messages about fields that are none, whether a text is told.
Never: what a field means.
"""

from __future__ import annotations

from collections.abc import Iterator

from attrs import fields

from rulebook.diagnostics import Diagnostic, diagnose, near, nearest, perhaps
from rulebook.dsl import schema
from rulebook.dsl.checking.advice import elsewhere
from rulebook.dsl.commas import cut_off
from rulebook.dsl.document import Mapping, Node, Scalar
from rulebook.dsl.structuring.forms import Printed
from rulebook.dsl.types import with_article
from rulebook.dsl.world import World

AUTO = "auto"
"""In place of a text: it is told from what a card or action does."""

_NOT_FIELDS = tuple(one.name for one in fields(Printed) if one.name != "copy")  # a copy is resolved before


def legal_fields(world: World, kind: str) -> list[str]:
    """What a card of a kind may say: what every card has, its attributes, its hooks."""
    made = world.companions.get(kind, {})
    attributes = [name for name, info in world.attributes.items() if kind in info.kinds and name not in made]
    return [*_NOT_FIELDS, *attributes, *(name for name, info in world.hooks.items() if kind in info.kinds)]


def misspelt(world: World, card: schema.Card) -> set[str]:
    """The fields that a card gives under a slip of their name: they are not missing too."""
    legal = legal_fields(world, card.kind.text)
    unknown = [name for field in card.fields if (name := schema.named(field)) not in legal]
    return {close for name in unknown if (close := nearest(name, legal))}


def unknown_fields(world: World) -> Iterator[Diagnostic]:
    """The fields that cards give and that their kinds have not."""
    legal_of = {kind: legal_fields(world, kind) for kind in world.concrete}
    for id, card in world.authored.cards.items():
        legal = legal_of.get(card.kind.text)
        if legal is None:
            continue
        thing = with_article(f"{card.kind.text} card").capitalize()
        for field in card.fields:
            if schema.named(field) in legal:
                continue
            close = near(field, legal)
            help = cut_off(card.fields, field) or (perhaps(field, close) if close else elsewhere(world, field))
            help = help or f"{thing} has: {', '.join(f'`{one}`' for one in legal)}."
            span = card.fields.keys_at[field].span
            yield diagnose("RB110", span, where=f"card {id}", thing=thing, field=field, help=help)


def is_told(text: Node | None) -> bool:
    """Whether a text is told: `auto`, not in quotes."""
    return isinstance(text, Scalar) and text.text == AUTO and text.style == "plain"


def misplaced(text: Node | None, where: str) -> Iterator[Diagnostic]:
    """`auto` as one of several texts by option: a text that is told goes by options anyway."""
    if isinstance(text, Mapping):
        for node in text.values():
            if is_told(node):
                help = "Write `text: auto`: what is told goes by the options that the scripts ask for."
                wanted, got = "a text for this choice", "`auto`"
                yield diagnose("RB112", node.span, where=where, what="This", wanted=wanted, got=got, help=help)


def nothing_told(world: World, id: str) -> Iterator[Diagnostic]:
    """A card that is to be told and does nothing. One that only has the text of its kind may have none."""
    card = world.authored.cards.get(world.cards[id].family)
    text = None if card is None else card.fields.get("text")
    if text is not None and is_told(text):
        help = "Write what stands on it, or leave `text` out."
        wanted, got = "a card that does or answers something", "one that does nothing of its own"
        yield diagnose("RB401", text.span, where=f"card {id}", what="`auto`", wanted=wanted, got=got, help=help)
