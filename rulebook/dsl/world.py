"""The symbol table of a rulebook: every declared name with its type, in which the checker looks names up."""

from __future__ import annotations

import re
from collections.abc import Iterator
from collections.abc import Mapping as Map

from attrs import define, field

from rulebook.classes import frozen
from rulebook.dsl import schema, syntax
from rulebook.dsl import types as t
from rulebook.dsl.document import Mapping, Node, Scalar
from rulebook.source import Span

Value = int | bool | str | None
_EVERYONE = frozenset({"everyone"})


@frozen
class FieldInfo:
    """An attribute or state, as every kind that has it agrees: its type and the values it may take (None: open)."""

    name: str
    type: t.Type
    values: tuple[Value, ...] | None
    kinds: frozenset[str]
    changes: bool


@frozen
class PlaceInfo:
    """A place: who has one ("table", "player", "card"), which kinds, how it is kept, what it holds.

    `seen_by` and `counted` are all that they may be: one word, or one for every choice of an option.
    """

    name: str
    owner: str
    of: frozenset[str]
    kept: str
    holds: frozenset[str]
    seen_by: frozenset[str]
    counted: frozenset[str]

    @property
    def open(self) -> bool:
        """True if everyone always sees all that lies there."""
        return self.seen_by == _EVERYONE

    @property
    def arrives_up(self) -> bool:
        """True if what is put there always lies where everyone sees it."""
        return self.seen_by <= {"everyone", "top"}

    @property
    def open_to(self) -> str:
        """The word for those who may always look through it: its `owner`, all `others`, or `nobody`."""
        return next((word for word in ("owner", "others") if self.seen_by <= {"everyone", word}), "nobody")

    @property
    def count_open(self) -> bool:
        """True if everyone may always know how many cards lie there."""
        return self.counted == _EVERYONE

    @property
    def type(self) -> t.Place:
        """The type of the place as the goal of a move."""
        return t.Place(self.kept, self.holds)


@frozen
class MemoryInfo:
    """A memory of the table or of players."""

    name: str
    owner: str
    type: t.Type
    values: tuple[Value, ...] | None
    seen_by: str


@frozen
class Parameter:
    """One parameter of a value, rule or hook."""

    name: str
    type: t.Type


@frozen
class Signature:
    """The parameters of a value, rule or hook."""

    name: str
    parameters: tuple[Parameter, ...]


@frozen
class HookInfo:
    """A hook that cards of some kinds have: a question (`answer` its type) or something that is done (None)."""

    signature: Signature
    answer: t.Type | None
    kinds: frozenset[str]
    required: bool


@frozen
class CardInfo:
    """A definition, one for each value of `each` or of a table of copies: `note_100.dollar` of family `note_100`.

    Made by a table of copies, it is the entry of number `group` in it.

    A companion, which no entry of `cards` makes, has an `owner`: `spy.badge` comes with `spy`. Its family is that of
    its owner's companions, `relic.box` for `relic.silk.box`, and it has its owner's `each`.
    """

    id: str
    family: str
    kind: str
    each: tuple[tuple[str, Value], ...]
    owner: str = ""
    group: int | None = None


def part_of_id(value: Value) -> str:
    """The part of a card's id that a value is."""
    words: dict[Value, str] = {None: "none", True: "yes", False: "no"}
    word = value is None or isinstance(value, bool)
    return words[value] if word else re.sub(r"[^A-Za-z0-9_-]+", "_", str(value))


@define
class World:
    """All names. `concrete` maps a kind to the concrete kinds below it; `declared` finds the place of a name."""

    authored: schema.Authored
    words: dict[str, dict[str, str]] = field(factory=dict)
    units: dict[str, int] = field(factory=dict)
    options: dict[str, t.Type] = field(factory=dict)
    steps: set[str] = field(factory=set)
    concrete: dict[str, frozenset[str]] = field(factory=dict)
    ancestors: dict[str, tuple[str, ...]] = field(factory=dict)
    attributes: dict[str, FieldInfo] = field(factory=dict)
    states: dict[str, FieldInfo] = field(factory=dict)
    places: dict[str, PlaceInfo] = field(factory=dict)
    memories: dict[str, MemoryInfo] = field(factory=dict)
    cards: dict[str, CardInfo] = field(factory=dict)
    families: dict[str, tuple[str, ...]] = field(factory=dict)
    companions: dict[str, dict[str, str]] = field(factory=dict)
    """By the kind of the owner: the attribute that reads a companion, and the companion's kind."""
    hooks: dict[str, HookInfo] = field(factory=dict)
    values: dict[str, Signature] = field(factory=dict)
    rules: dict[str, Signature] = field(factory=dict)
    triggers: dict[str, Signature] = field(factory=dict)
    """By the value that is watched, whom its script is about."""
    actions: frozenset[str] = frozenset()
    stages: set[str] = field(factory=set)
    eliminates: Span | None = None
    """The first word by which somebody may be eliminated in this game."""

    @property
    def all_kinds(self) -> frozenset[str]:
        return frozenset(name for name, below in self.concrete.items() if name in below)

    def family_of(self, kinds: frozenset[str]) -> str:
        """The declared kind that means exactly these concrete ones, or the list of them."""
        for name, below in self.concrete.items():
            if below == kinds:
                return name
        return " or ".join(sorted(kinds)) or "no kind"

    def describe_type(self, of: t.Type) -> str:
        """A type in the designer's own words: card types by the name of their family."""
        match of:
            case t.Card(kinds):
                return "a card" if kinds == self.all_kinds else t.with_article(self.family_of(kinds))
            case t.ListOf(t.Card(kinds)):
                return "a list of cards" if kinds == self.all_kinds else f"a list of {self.family_of(kinds)} cards"
            case t.Either(choices) if choices:
                return " or ".join(sorted(self.describe_type(choice) for choice in choices))
        return t.word_type(of)

    def describe_meaning(self, name: str) -> str:
        """Describe what a bare name means in every script, for a message; empty if it is free for a local."""
        if name in self.concrete:
            return f"the kind `{name}`"
        if self.find_definitions(name):
            return f"the card `{name}`"
        if name in self.authored.actions:
            return f"the action `{name}`"
        declared = self.places.get(name) or self.memories.get(name)
        of_table = declared is not None and declared.owner == "table"
        return f"`{name}` of the table" if of_table or name in BUILT_IN_NAMES else ""

    def find_definitions(self, name: str) -> tuple[str, ...]:
        """The definitions that a card name means: itself, or every one of its family."""
        return self.families.get(name, (name,) if name in self.cards else ())

    def symbols(self, of: t.Type) -> Iterator[tuple[str, str]]:
        """The (word, enumeration) pairs a type may be."""
        for sort_alternative in t.sort_alternatives(of):
            if isinstance(sort_alternative, t.Symbol):
                for word in self.words.get(sort_alternative.enumeration, ()):
                    yield word, sort_alternative.enumeration


def who_may_look(node: Node | None) -> frozenset[str]:
    """All that `seen_by` or `counted` of a place may say; everyone, if it was left out."""
    if node is None:
        return _EVERYONE
    cases = [value for key, value in node.items() if key != "by"] if isinstance(node, Mapping) else [node]
    return frozenset(case.text for case in cases if isinstance(case, Scalar))


def type_of_parameter(world: World, parameter: syntax.Parameter) -> t.Type | None:
    """The type a parameter's words mean, or None for words nobody knows."""
    named = type_of_words(world, parameter.type) if parameter.type else t.PLAYER
    if named is None:
        return None
    return t.ListOf(named) if parameter.many else named


_PLAIN_TYPES: dict[str, t.Type] = {
    "number": t.NUMBER,
    "amount": t.AMOUNT,
    "yes_no": t.YES_NO,
    "text": t.TEXT,
    "player": t.PLAYER,
    "action": t.ACTION,
    "cell": t.CELL,
}


def kinds_with(named: Map[str, FieldInfo | HookInfo]) -> dict[str, list[str]]:
    """The names that each kind has, of attributes, states or hooks."""
    kinds: dict[str, list[str]] = {}
    for name, info in named.items():
        for kind in info.kinds:
            kinds.setdefault(kind, []).append(name)
    return kinds


def type_of_words(world: World, name: str) -> t.Type | None:
    """`amount`, `currency`, `guest`, `set of topic`, `number by good` …"""
    inner, by, key = name.partition(" by ")
    if by:
        return make_table(type_of_words(world, inner), type_of_words(world, key))
    if name.startswith("set of "):
        item = type_of_words(world, name.removeprefix("set of ").strip())
        return None if item is None else t.ListOf(item)
    if name in _PLAIN_TYPES:
        return _PLAIN_TYPES[name]
    if name == "card":
        return t.Card(world.all_kinds)
    if name in t.PLACE_WORDS:
        return t.Place(t.PLACE_WORDS[name], world.all_kinds)
    if name in world.concrete:
        return t.Card(world.concrete[name])
    if name in world.words:
        return t.Symbol(name)
    return None


def words_of_type(world: World, wanted: t.Type) -> str | None:
    """The words with which a parameter of a type is declared; None if there are none."""
    if isinstance(wanted, t.ListOf):
        item = words_of_type(world, t.surely(wanted.item))
        return None if item is None else f"set of {item}"
    names = [*_PLAIN_TYPES, *world.concrete, "card", *world.words]
    return next((name for name in names if type_of_words(world, name) == wanted), None)


def make_table(item: t.Type | None, key: t.Type | None) -> t.Type | None:
    """The type of a table; None if there is none such. By players anything goes, and is nothing at first; by words of
    a list, only numbers and amounts, which are 0 at first, as they are by players.
    """
    if item in (t.NUMBER, t.AMOUNT) and isinstance(key, t.Symbol | t.Player):
        return t.TableOf(item, key)
    kept = isinstance(item, t.YesNo | t.Text | t.Symbol | t.Player | t.Card | t.Action | t.Cell)
    return t.TableOf(t.maybe(item), t.PLAYER) if item is not None and kept and key == t.PLAYER else None


BUILT_IN_NAMES = frozenset({"actions", "cards", "options", "others", "players", "seats"})
TYPE_WORDS = ("number", "amount", "yes_no", "text", "player", "action", "cell", "card", "place", "pool")
