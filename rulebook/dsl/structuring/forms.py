"""The maps that authors write and that are no record of the schema: fields in full, what every card may say."""

from __future__ import annotations

from attrs import field, fields

from rulebook.classes import frozen
from rulebook.dsl import schema
from rulebook.dsl.document import Node, Scalar
from rulebook.dsl.schema import about, optional

KEPT = {
    "bag": "mixed up; a draw is random",
    "pile": "one on the other, with a top and a bottom",
    "row": "side by side, in order",
    "loose": "in no order, like a hand",
    "slot": "at most one card; its name means the card",
    "pool": "pieces that are only a number: coins, cubes",
    "grid": "in rows and columns, with empty positions",
}
ONCE = "once"
ALIKE = {"each": "each card is one to choose, as if left out", ONCE: "cards that are alike are one thing to choose"}
SEEN_BY = {
    "nobody": "nobody may look at face-down cards there",
    "owner": "whoever it belongs to may look",
    "others": "all may look but whoever it belongs to",
    "everyone": "it lies open",
    "top": "everyone sees the top card",
}
SEEN = {"always": "lies on top of the card: everyone sees it", "with_face": "only who knows the card knows it"}


@frozen
class Has:
    """`{type: yes_no, default: no}`, an attribute or a question in full."""

    type: schema.TypeName = field(metadata=about("What sort of value it is: `number`, `1..9`, `[a, b]`, words."))
    default: Node | None = optional("What it is if a card does not say.")


@frozen
class Remembered(Has):
    """`{type: topic, lasts: round, seen_by: nobody}`, a memory in full."""

    lasts: Scalar | None = optional("The stage at whose end it returns to its start.")
    seen_by: str = field(default="everyone", metadata=about("Who knows it: `everyone`, `owner`, `others` or `nobody`."))


@frozen
class Changing(Remembered):
    """`{type: 1..6, seen: with_face}`, a state in full."""

    seen: str = field(default="always", metadata=about("Whether it lies on top of the card or goes with its face."))


@frozen
class Kinded:
    """The required key of a card's map."""

    kind: Scalar = field(metadata=about("What it is: one of the `kinds`. It decides what else the card has."))


@frozen
class Printed(Kinded):
    """The keys that any card's map may have; all others are the attributes and hooks of its kind."""

    name: Node | None = optional("What players read; made from the id if left out.")
    text: Node | None = optional("The words printed on it.")
    picture: Node | None = optional("The picture on it, a file of this folder: `art/fox.png`.")
    copies: Node | None = optional("How many there are: a number, a question, or a table by an attribute.")
    each: Node | None = optional("One card for every value of an attribute.")
    copy: Scalar | None = optional("Another card, whose fields this one has too.")


BOX = "box"
"""The place in which all cards begin; a rulebook may say who looks into it."""

BOX_SEEN_BY = {word: means for word, means in SEEN_BY.items() if word in ("nobody", "everyone")}

_MAPS = (schema.Document, schema.Option, schema.Place, schema.Kind, schema.Action, schema.Places, Changing, Printed)
FIELDS = frozenset(slot.name for cl in _MAPS for slot in fields(cl)) | {"is"}
"""The keys of maps that the language knows: no names that a rulebook declares."""
