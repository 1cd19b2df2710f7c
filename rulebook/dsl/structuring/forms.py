"""The maps that authors write and that are no record of the schema: sections of sections, fields in full, every card.

In: nothing; `structure` fills these classes on its way to the records of `schema`. Out: the keys of those maps, which
of them must be there, and what each is for. Never: a record that the checker sees.
"""

from __future__ import annotations

from attrs import field, frozen

from rulebook.dsl import schema
from rulebook.dsl.document import Node, Scalar
from rulebook.dsl.schema import about

KEPT = {
    "bag": "mixed up; a draw is random",
    "pile": "one on the other, with a top and a bottom",
    "row": "side by side, in order",
    "loose": "in no order, like a hand",
    "slot": "at most one card; its name means the card",
    "pool": "pieces that are only a number: coins, cubes",
    "grid": "in rows and columns, with empty positions",
}
SEEN_BY = {
    "nobody": "nobody may look at face-down cards there",
    "owner": "whoever it belongs to may look",
    "everyone": "it lies open",
    "top": "everyone sees the top card",
}
SEEN = {"always": "lies on top of the card: everyone sees it", "with_face": "only who knows the card knows it"}


@frozen
class Has:
    """`{type: yes_no, default: no}`, an attribute or a question in full."""

    type: schema.TypeName = field(metadata=about("What sort of value it is: `number`, `1..9`, `[a, b]`, words."))
    default: Node | None = field(default=None, metadata=about("What it is if a card does not say."))


@frozen
class Remembered(Has):
    """`{type: topic, lasts: round, seen_by: nobody}`, a memory in full."""

    lasts: Scalar | None = field(default=None, metadata=about("The stage at whose end it returns to its start."))
    seen_by: str = field(default="everyone", metadata=about("Who knows it: `everyone`, `owner` or `nobody`."))


@frozen
class Changing(Remembered):
    """`{type: 1..6, seen: with_face}`, a state in full."""

    seen: str = field(default="always", metadata=about("Whether it lies on top of the card or goes with its face."))


@frozen
class Kinded:
    """Of a card's map, what must be there."""

    kind: Scalar = field(metadata=about("What it is: one of the `kinds`. It decides what else the card has."))


@frozen
class Printed(Kinded):
    """Of a card's map, what any card may say; all else are the attributes and hooks of its kind."""

    name: Node | None = field(default=None, metadata=about("What players read; made from the id if left out."))
    text: Node | None = field(default=None, metadata=about("The words printed on it."))
    copies: Node | None = field(
        default=None, metadata=about("How many there are: a number, a question, or a table by an attribute.")
    )
    each: Node | None = field(default=None, metadata=about("One card for every value of an attribute."))
    copy: Scalar | None = field(default=None, metadata=about("Another card, whose fields this one has too."))


BOX = "box"
"""The place in which all cards begin; a rulebook may say who looks into it."""

BOX_SEEN_BY = {word: means for word, means in SEEN_BY.items() if word in ("nobody", "everyone")}


@frozen
class Places:
    """`places:`"""

    table: dict[str, schema.Place | schema.Box] = field(
        factory=dict, metadata=about("Places of the table: each is there once.")
    )
    player: dict[str, schema.Place] = field(factory=dict, metadata=about("Places that each player has."))


@frozen
class Memory:
    """`memory:`"""

    table: dict[str, schema.Field] = field(factory=dict, metadata=about("What is remembered once."))
    player: dict[str, schema.Field] = field(factory=dict, metadata=about("What is remembered of each player."))


@frozen
class Document:
    """The sections of a rulebook."""

    format: int = field(metadata=about("The version of the language: 1."))
    name: str = field(metadata=about("What players call the game."))
    players: tuple[int, int] = field(metadata=about("How few and how many may play: `2..5`."))
    units: dict[str, int] = field(
        factory=dict, metadata=about("What amounts are counted in. The smallest unit is 1: `{penny: 1, crown: 12}`.")
    )
    words: dict[str, dict[str, str]] = field(
        factory=dict, metadata=about("Lists of words: suits, colours, phases, with what players read.")
    )
    options: dict[str, schema.Option] = field(factory=dict, metadata=about("House rules to choose from."))
    forbid: dict[str, schema.Named] = field(
        factory=dict,
        metadata=about("House rules that cannot be played together: the reason, and a question about `options`."),
    )
    kinds: dict[str, schema.Kind] = field(factory=dict, metadata=about("Families of cards, and what each of them has."))
    places: Places = field(factory=Places, metadata=about("Where cards lie."))
    memory: Memory = field(factory=Memory, metadata=about("What the game remembers beside cards."))
    cards: dict[str, schema.Card] = field(factory=dict, metadata=about("The cards, tiles, dice, tokens."))
    values: dict[str, schema.Named] = field(
        factory=dict, metadata=about("Questions with a name: `crates(p): p.hand where it is crate`.")
    )
    rules: dict[str, schema.Named] = field(
        factory=dict, metadata=about("Scripts with a name; play begins with the rule `game`.")
    )
    actions: dict[str, schema.Action] = field(factory=dict, metadata=about("What a player may choose to do."))
    phrases: dict[str, schema.Phrase] = field(
        factory=dict, metadata=about("What people say for a name where that is not the name: `{id: ID}`.")
    )
    result: schema.Result = field(factory=schema.Result, metadata=about("Who wins."))
    measures: dict[str, schema.Named] = field(
        factory=dict, metadata=about("Numbers for statistics, asked when a game is over: `wealth(p): p.score`.")
    )
    display: schema.Display = field(factory=schema.Display, metadata=about("How the table shows it; no rule."))
