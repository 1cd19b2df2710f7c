"""Typed records of what authors write in YAML: nouns only, every script still a piece of text with its place."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

from attrs import field

from rulebook.classes import frozen
from rulebook.dsl.document import Mapping, Node, Scalar, Sequence
from rulebook.source import Span


def about(words: str) -> dict[str, str]:
    """Return metadata of a field that authors write: its purpose, in the words that editors and pages show."""
    return {"about": words}


def optional(words: str) -> Any:
    """A field that authors may leave out: it is None then."""
    return field(default=None, metadata=about(words))


def several(words: str) -> Any:
    """A field with a list, which authors may leave out: nothing stands in it then."""
    return field(default=(), metadata=about(words))


def mapped(words: str) -> Any:
    """A field with a map, which authors may leave out: nothing stands in it then."""
    return field(factory=dict, metadata=about(words))


@lru_cache(maxsize=4096)
def name_in_key(key: str) -> str:
    """Return the name in a key: `play`, of `play(me, special card)`. Cards have few keys, over and over."""
    return key.split("(")[0].strip()


@frozen
class Key:
    """A key as written: `play(me, special card)`, `playable(me)`, `goblin`."""

    scalar: Scalar

    @property
    def text(self) -> str:
        return self.scalar.text

    @property
    def name(self) -> str:
        return name_in_key(self.scalar.text)

    @property
    def span(self) -> Span:
        return self.scalar.span


@frozen
class TypeName:
    """A type as written: `amount`, `player`, `currency`, `set of topic`, `1..9`, `steps`, `[a, b, none]`, `yes_no`.

    Exactly one of three: `words` (a name), `low`/`high` (a range), `choices` (a list; whole numbers, yes/no, none
    and words). Of a table, `number by good`, it is that of an entry, and `by` what an entry is there for.
    """

    span: Span
    words: str = ""
    low: int | None = None
    high: int | None = None
    choices: tuple[int | bool | str | None, ...] | None = None
    by: str = ""


@frozen
class Option:
    """`{type: 1..9, default: 3, text: …}`"""

    type: TypeName = field(metadata=about("`yes_no`, a range `1..9`, choices `[slow, fast, none]`, `amount`, `steps`."))
    default: Node = field(metadata=about("The value if nobody says otherwise."))
    text: str = field(default="", metadata=about("A sentence for players."))


@frozen
class Field:
    """One field of `has`, `state` or `memory`: a type, or a value to start with (then `type` is None), or both in
    full form.

    `{type: party_type, lasts: round, seen_by: nobody, seen: with_face, default: no}`
    """

    type: TypeName | None
    start: Node | None
    lasts: Scalar | None = None
    seen_by: str = "everyone"
    with_face: bool = False


@frozen
class Hook:
    """One hook of `asks`, `does` or `may_do`. `type` is what a question answers: a type, or `conditions`; None for
    what is done.
    """

    key: Key
    type: TypeName | None
    default: Node | None


@frozen
class Place:
    """One place, its leaves as written. What may be looked at there may be a map `{by: options.x, …}`."""

    key: Key
    holds: tuple[Scalar, ...] = field(metadata=about("A kind, or a list of kinds: what may lie there."))
    kept: Scalar = field(metadata=about("How cards lie there."))
    seen_by: Node | None = optional("Who may look at face-down cards there; `everyone` if left out.")
    size: Sequence | None = optional("Of a grid: `[rows, columns]`.")
    refill: Scalar | None = optional("A place of the table or of this owner, shuffled in when a draw finds this empty.")
    alike: Scalar | None = optional("With `once` cards there that are alike are one thing to choose, however many.")
    recall: Node | None = optional("With `no` the screen does not remind players of face-down cards they saw before.")
    counted: Node | None = optional("Who may know how many cards lie there; `everyone` if left out.")
    opened_at_end: Node | None = optional("With `yes` everyone sees it when the game is over.")


@frozen
class Box:
    """The rules for looking into the box, if there are any; it is there anyway, holds everything, is kept loose."""

    key: Key
    seen_by: Node | None = optional("Who may look into it; `nobody` if left out.")
    recall: Node | None = optional("With `no` the screen does not remind players of cards they saw go there.")
    counted: Node | None = optional("Who may know how many cards lie there; `everyone` if left out.")
    opened_at_end: Node | None = optional("With `yes` everyone sees it when the game is over.")


@frozen
class Changes:
    """Attributes that a script may change; `lasts` names the stage whose end brings back what is printed."""

    names: tuple[Scalar, ...] = ()
    lasts: dict[str, Scalar] = field(factory=dict)


@frozen
class Kind:
    """A family of cards."""

    key: Key
    parent: Scalar | None = optional("The kind above: everything it has, this kind has too.")
    has: dict[str, Field] = mapped("Attributes, printed on each card: a type, or a value that is the default.")
    state: dict[str, Field] = mapped("What changes on a card in play.")
    places: dict[str, Place] = mapped("Places that each card of the kind has of its own.")
    asks: tuple[Hook, ...] = several(
        "Questions that each card answers, with the type of answer: `playable(me): yes_no`."
    )
    does: tuple[Hook, ...] = several("What each card of the kind does; its script stands at the card: `effect(me): `.")
    may_do: tuple[Hook, ...] = several("What a card of the kind may do, or not.")
    may_change: Changes = field(
        default=Changes(), metadata=about("Attributes that a script may change: `[good]`, or `{good: {lasts: round}}`.")
    )
    for_set_up: tuple[Scalar, ...] = several(
        "Attributes that only sort cards before play: copies that differ in nothing else are equal."
    )
    comes_with: dict[str, Scalar] = mapped("A second card that each card of the kind brings: `{pawn: pawn}`.")
    text: Node | None = optional("The words printed on each card that has none of its own.")


@frozen
class Action:
    """An action that a player may choose."""

    key: Key
    effect: Scalar = field(metadata=about("The script; `me` is who acts."))
    name: Node | None = optional("What players read; made from the id if left out.")
    text: Node | None = optional("A sentence for players.")
    possible: Node | None = optional("When it may be chosen; always, if left out.")


@frozen
class Card:
    """A card's entry: `kind` and the rest of its map, uninterpreted."""

    key: Key
    kind: Scalar
    fields: Mapping


@frozen
class Named:
    """A value or rule: its key (a signature) and its body: a scalar, or a map of named lines.

    Also what is forbidden: the reason, and a question.
    """

    key: Key
    body: Scalar | Mapping


@frozen
class Phrase:
    """The words for a name, where they differ from the name itself: `id: ID`, `on_duty: "{p} is on duty"`."""

    key: Key
    text: Scalar


@frozen
class ShownValue:
    """A value that the table shows, `money: coins in hand`: its title, or its own name where it has none."""

    key: Key
    title: Scalar | None


@frozen
class Symbol:
    """The sign of a word, a kind or a card, `hearts: heart`; or of the numbers of an attribute, `rank: {11: J}`."""

    key: Key
    sign: Scalar | Mapping


CUTS = ("card", "tile", "token", "none")


@frozen
class Look:
    """The look of the cards of a kind, or of one card."""

    key: Key
    corner: tuple[Scalar, ...] | None = optional("Attributes that stand in a corner: `[rank, suit]`, or `none`.")
    middle: Scalar | None = optional("The sign in the middle: an attribute, a glyph, or a file of this folder.")
    picture: Scalar | None = optional("A file of this folder: `art/walker.png`, or one a card: `art/{card}.png`.")
    back: Scalar | None = optional("The back: a glyph, one to three characters, or a file of this folder.")
    cut: Scalar | None = optional("What is cut out of paper: `card`, `tile`, `token`, or `none`.")


_HUES = ("red", "green", "yellow", "blue", "magenta", "cyan")
COLOURS = (*_HUES, *(f"bright_{hue}" for hue in _HUES))
"""The colours that every terminal knows: no black, no white, of which one cannot be read."""


LONGEST_VERB = 20
"""Letters of a word on a button."""

LANGUAGE = "[A-Za-z]{2,3}(-[A-Za-z0-9]{2,8})*"
"""The pattern of a language's name, as browsers read it: `de`, `pt-BR`, `sr-Latn`."""


@frozen
class Display:
    """`display:`, hints for whoever shows the game; no rule reads them."""

    language: Scalar | None = optional("The language of the rulebook's own words, as browsers know it: `de`, `pt-BR`.")
    aim: Scalar | None = optional("What it is about and how one wins, for who begins.")
    about: dict[str, Phrase] = mapped(
        "The rules as people read them, below headings: `{A turn: Play a card., What counts: …}`."
    )
    titles: dict[str, Phrase] = mapped(
        "What a place, memory, state, option or choice is called at the table: `{ender: last flip}`."
    )
    shown: dict[str, ShownValue] = mapped(
        "Values that stand beside their player, or the table, for who knows all they read: `{money: coins in hand}`."
    )
    scores: tuple[Scalar, ...] = several(
        "Memories and values of players that are their points, on a sheet of their own: `[points, tricks_won]`."
    )
    order: tuple[Scalar, ...] = several("Places, memories and kinds in the order in which they are shown.")
    sort: dict[str, tuple[Scalar, ...]] = mapped(
        "By which attributes the cards of a kind are sorted: `{card: [suit, rank]}`."
    )
    hidden: tuple[Scalar, ...] = several("Places, memories and states that the table does not show.")
    colours: dict[str, Phrase] = mapped(
        "The colour of the cards of a kind, or on which a word is printed: `{hearts: red, id: cyan}`."
    )
    symbols: dict[str, Symbol] = mapped(
        "The sign of a word, kind, card or number: a glyph, one to three characters, or a file: `{hearts: heart}`."
    )
    verbs: dict[str, Phrase] = mapped(
        "The word on the button that sends what is chosen, by its name in the rules: `{laid: Play}`."
    )
    card: dict[str, Look] = mapped(
        "How cards of a kind, or one card, are printed: `{playing: {corner: [rank, suit], middle: suit}}`."
    )


@frozen
class Result:
    """`rank:`, or `payoff(p):` with its key, and `team:`."""

    rank: Scalar | None = optional("Who is ahead: `most worth then least count(hand)`.")
    payoff: Named | None = optional("A number for each player, instead of a rank: `payoff(p): p.score`.")
    team: Scalar | None = optional("Who has the same answer wins together: `seat(it) % 2`, or `everyone`.")
    zero_sum: bool = field(
        default=False, metadata=about("`yes` says that the payoffs always add up to nothing, which is then checked.")
    )


@frozen
class Places:
    """`places:`"""

    table: dict[str, Place | Box] = mapped("Places of the table: each is there once.")
    player: dict[str, Place] = mapped("Places that each player has.")


@frozen
class Memory:
    """`memory:`"""

    table: dict[str, Field] = mapped("What is remembered once.")
    player: dict[str, Field] = mapped("What is remembered of each player.")


@frozen
class Document:
    """The sections of a rulebook."""

    format: int = field(metadata=about("The version of the language: 1."))
    name: str = field(metadata=about("What players call the game."))
    players: tuple[int, ...] = field(metadata=about("How many may play: `2..5`, or `[2, 4]`."))
    units: dict[str, int] = mapped("What amounts are counted in. The smallest unit is 1: `{penny: 1, crown: 12}`.")
    words: dict[str, dict[str, str]] = mapped("Lists of words: suits, colours, phases, with what players read.")
    options: dict[str, Option] = mapped("House rules to choose from.")
    forbid: tuple[Named, ...] = several(
        "House rules that cannot be played together: the reason, and a question about `options`."
    )
    kinds: dict[str, Kind] = mapped("Families of cards, and what each of them has.")
    places: Places = field(factory=Places, metadata=about("Where cards lie."))
    memory: Memory = field(factory=Memory, metadata=about("What the game remembers beside cards."))
    cards: dict[str, Card] = mapped("The cards, tiles, dice, tokens.")
    values: tuple[Named, ...] = several("Questions with a name: `crates(p): p.hand where it is crate`.")
    rules: tuple[Named, ...] = several("Scripts with a name; play begins with the rule `game`.")
    whenever: tuple[Named, ...] = several("Scripts that are done as soon as a value becomes true: `is_rich(p): `.")
    actions: dict[str, Action] = mapped("What a player may choose to do.")
    phrases: dict[str, Phrase] = mapped("What people say for a name where that is not the name: `{id: ID}`.")
    result: Result = field(factory=Result, metadata=about("Who wins."))
    measures: tuple[Named, ...] = several("Numbers for statistics, asked when a game is over: `wealth(p): p.score`.")
    display: Display = field(factory=Display, metadata=about("How the table shows it; no rule."))


@frozen
class Authored(Document):
    """A whole rulebook as written; `keys` finds the declaring key of a name.

    `("places", "hand")` for those of the table and of players, `("values", "money")` without the parameters; what
    belongs to a kind under `("kinds.note.has", "currency")`, a word of an enumeration under `("words.currency",
    "euro")`.
    """

    id: str = field(kw_only=True)
    keys: dict[tuple[str, str], Key] = field(kw_only=True)
    source: dict[str, str] = field(kw_only=True)
    rules_at: Span = field(kw_only=True)  # of the key `rules`, or where the rulebook begins

    @property
    def table_places(self) -> dict[str, Place]:
        """The places of the table that are declared; the box is there in every game."""
        return {name: place for name, place in self.places.table.items() if isinstance(place, Place)}

    @property
    def box(self) -> Box | None:
        return next((place for place in self.places.table.values() if isinstance(place, Box)), None)
