"""What authors write in YAML, as typed records: nouns only, every script still a piece of text with its place.

In: nothing; `structure` fills these classes from the nodes the reader made. Out: one `Authored` rulebook for the
checker.
Never: looks inside a script, resolves a name, or knows what a kind has; a card's own fields stay nodes here, because
only its kind says what they mean.
"""

from __future__ import annotations

from attrs import field, frozen

from rulebook.dsl.document import Mapping, Node, Scalar, Sequence
from rulebook.source import Span


@frozen
class Key:
    """A key as written: `play(me, special card)`, `playable(me)`, `goblin`."""

    scalar: Scalar

    @property
    def text(self) -> str:
        """The words of the key."""
        return self.scalar.text

    @property
    def span(self) -> Span:
        """Where it stands."""
        return self.scalar.span


@frozen
class TypeName:
    """A type as written: `amount`, `player`, `currency`, `set of topic`, `1..9`, `steps`, `[a, b, none]`, `yes_no`.

    Exactly one of three: `words` (a name), `low`/`high` (a range), `choices` (a list; whole numbers, yes/no, none
    and words).
    """

    span: Span
    words: str = ""
    low: int | None = None
    high: int | None = None
    choices: tuple[int | bool | str | None, ...] | None = None


@frozen
class Option:
    """`{type: 1..9, default: 3, text: …}`"""

    type: TypeName
    default: Node
    text: str = ""


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
    holds: tuple[Scalar, ...]
    kept: Scalar
    seen_by: Node | None = None
    size: Sequence | None = None
    refill: Scalar | None = None
    recall: Node | None = None
    counted: Node | None = None
    opened_at_end: Node | None = None


@frozen
class Changes:
    """Attributes that a script may change; `lasts` names the stage whose end brings back what is printed."""

    names: tuple[Scalar, ...] = ()
    lasts: dict[str, Scalar] = field(factory=dict)


@frozen
class Kind:
    """A family of cards."""

    key: Key
    parent: Scalar | None = None
    has: dict[str, Field] = field(factory=dict)
    state: dict[str, Field] = field(factory=dict)
    places: dict[str, Place] = field(factory=dict)
    asks: tuple[Hook, ...] = ()
    does: tuple[Hook, ...] = ()
    may_do: tuple[Hook, ...] = ()
    may_change: Changes = Changes()
    back: tuple[Scalar, ...] = ()
    comes_with: dict[str, Scalar] = field(factory=dict)
    text: Node | None = None


@frozen
class Action:
    """What a player may choose to do."""

    key: Key
    effect: Scalar
    name: Node | None = None
    text: Node | None = None
    possible: Node | None = None


@frozen
class Card:
    """A card's entry: `kind` and the rest of its map, uninterpreted."""

    key: Key
    kind: Scalar
    fields: Mapping


@frozen
class Named:
    """A value or rule: its key (a signature) and its body: a scalar, or a map of named lines."""

    key: Key
    body: Scalar | Mapping


@frozen
class Result:
    """`rank:`, or `payoff(p):` with its key."""

    rank: Scalar | None = None
    payoff: Named | None = None
    zero_sum: bool = False


@frozen
class Authored:
    """A whole rulebook as written; `keys` finds the declaring key of a name.

    `("places", "hand")` for those of the table and of players, `("values", "money")` without the parameters; what
    belongs to a kind under `("kinds.note.has", "currency")`, a word of an enumeration under `("words.currency",
    "euro")`.
    """

    id: str
    name: str
    players: tuple[int, int]
    units: dict[str, int]
    words: dict[str, dict[str, str]]
    options: dict[str, Option]
    kinds: dict[str, Kind]
    table_places: dict[str, Place]
    player_places: dict[str, Place]
    table_memory: dict[str, Field]
    player_memory: dict[str, Field]
    cards: dict[str, Card]
    values: tuple[Named, ...]
    rules: tuple[Named, ...]
    rules_at: Span  # of the key `rules`, or where the rulebook begins
    actions: dict[str, Action]
    result: Result
    measures: Mapping | None
    display: Mapping | None
    keys: dict[tuple[str, str], Key]
    source: dict[str, str]
