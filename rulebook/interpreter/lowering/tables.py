"""Tables of a rulebook, settled before any script is lowered: its cards one by one, its options, its words.

In: a checked rulebook, the number of players, the options. Out: `Tables`, which everything in `lowering/` reads and in
which names that are used before they are lowered (values that call each other) are filled in later. Never: runs in a
game.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache, cached_property
from hashlib import blake2b
from typing import Any, TypeVar, get_args

import attrs

from rulebook.dsl import ir
from rulebook.dsl import types as t
from rulebook.dsl.secrets.explanations import find_told
from rulebook.dsl.walk import unwatch
from rulebook.dsl.watched import Marks
from rulebook.interpreter.layout import Layout
from rulebook.interpreter.lowering.looking import Looks
from rulebook.interpreter.lowering.probes import Count, Probes
from rulebook.interpreter.program import Code

_Part = TypeVar("_Part")


class Printed(dict[str, list[Any]]):
    """Printed values under each name, by object. A name that no card has any more is printed on none."""

    def __init__(self, tables: Tables) -> None:
        super().__init__()
        self._tables = tables

    def __missing__(self, name: str) -> list[Any]:
        return [None] * self._tables.objects


@attrs.define(eq=False)
class Tables:
    """The names of one rulebook and what they stand for.

    `definition` and `kind` are by card, `attributes` by object. `questions` holds the code of each question by its
    name; it is lowered when somebody first looks at it. `probes` want to know what runs. `quiet_scripts` are those in
    which somebody may be asked quietly, `nested_stages` those that may stand within one of their name, once that is
    found out.
    """

    rulebook: ir.Rulebook
    players: int
    options: dict[str, Any]
    probes: Probes | None = None
    has_buttons: bool = True
    marks: Marks | None = None
    """The numbers of sentences, of rules that somebody watches."""
    definition: list[str] = attrs.field(factory=list)
    kind: list[str] = attrs.field(factory=list)
    attributes: Printed = attrs.field(init=False)
    questions: dict[str, Code] = attrs.field(factory=dict)
    quiet_scripts: frozenset[str] | None = None
    nested_stages: frozenset[str] | None = None
    reads: dict[str, frozenset[tuple[str, str]] | None] = attrs.field(factory=dict)
    """The reads of each question, of those of which that was asked; see `keeping`."""
    small_bodies: dict[str, ir.Expr | None] = attrs.field(factory=dict)
    """The body of each question that was called, as one expression, if it is small enough to be written in place."""
    work_out: Callable[[Code, Sequence[Any]], Any] | None = None
    """Answers a code that asks for nothing that changes in a game, once all cards are there."""
    layout: Layout = attrs.field(init=False)

    looks: Looks = attrs.field(init=False)

    def __attrs_post_init__(self) -> None:
        self.attributes = Printed(self)
        self.looks = Looks(self.rulebook)

    @cached_property
    def explaining(self) -> set[str]:
        """The questions whose lines may be told."""
        return find_told(self.rulebook)

    @property
    def cards(self) -> int:
        """Number of cards; actions are the objects from there on."""
        return len(self.definition)

    @property
    def objects(self) -> int:
        """Number of cards and actions."""
        return self.cards + len(self.rulebook.actions)

    @property
    def ids(self) -> list[str]:
        """Id of each object: the definition that it is a copy of, or the action itself."""
        return [*self.definition, *self.rulebook.actions]

    @cached_property
    def first_alike(self) -> list[int]:
        """By object, the first on which the same is printed; copies are told apart only by where they lie."""
        printed = zip(self.ids, *(self.attributes[name] for name in self.attributes), strict=True)
        first: dict[tuple[Any, ...], int] = {}
        return [first.setdefault(values, number) for number, values in enumerate(printed)]

    @cached_property
    def told(self) -> ir.Rulebook:
        """The rules as they are told to people, who know of no watching."""
        if self.marks is None:
            return self.rulebook
        scripts = {name: unwatch(script) for name, script in self.rulebook.scripts.items()}
        functions = {name: unwatch(function) for name, function in self.rulebook.functions.items()}
        return attrs.evolve(self.rulebook, scripts=scripts, functions=functions, result=unwatch(self.rulebook.result))

    def as_told(self, part: _Part) -> _Part:
        """A part of a script as it is told to people."""
        told: _Part = part if self.marks is None else unwatch(part)
        return told

    def find_mutant(self, sentence: ir.Sentence) -> int | None:
        """Return the mutant in which a sentence is left out, if somebody watches."""
        return None if self.marks is None else self.marks.sentences.get(sentence.at)

    def action(self, id: str) -> int:
        """The object that an action is."""
        return self.cards + list(self.rulebook.actions).index(id)

    def find_objects(self, ids: frozenset[str]) -> frozenset[int]:
        """The objects that are copies of these definitions, or these actions."""
        objects = {card for card, id in enumerate(self.definition) if id in ids}
        return frozenset(objects | {self.action(id) for id in self.rulebook.actions if id in ids})

    def find_cards_of_kinds(self, kinds: frozenset[str]) -> frozenset[int]:
        """The cards of these kinds."""
        return frozenset(card for card, kind in enumerate(self.kind) if kind in kinds)

    def by_object(self, hook: str) -> list[str | None]:
        """The name of what each object has for a hook."""
        table = self.rulebook.hooks.get(hook, {})
        return [table.get(id) for id in self.ids]

    def list_questions(self, hook: str) -> tuple[Code | None, ...]:
        """The question that each object answers for a hook."""
        return tuple(None if name is None else self.questions.get(name) for name in self.by_object(hook))

    def object_counts(self, hook: str) -> tuple[Count | None, ...]:
        """Return the counter to call when the hook of each object is done or asked, if anybody counts what runs."""
        if self.probes is None:
            return ()
        known = {id: self.probes.hook(id, hook) for id in dict.fromkeys(self.ids)}
        return tuple(known[id] for id in self.ids)


def sort_of(of: t.Type) -> str:
    """Return the sort of values of a type, in the words of `wording`."""
    match t.surely(of):
        case t.Symbol(enumeration):
            return f"word {enumeration}"
        case t.ListOf(item):
            return f"list of {sort_of(item)}"
        case t.TableOf(item, key):
            return f"{sort_of(item)} by {key.enumeration if isinstance(key, t.Symbol) else 'player'}"
        case t.Either(members):
            both = bool(members) and all(isinstance(member, t.Card | t.Action) for member in members)
            return "object" if both else "any"
        case simple:
            return _SORTS[type(simple)]


_SORTS: dict[type, str] = {
    t.Number: "number",
    t.Amount: "amount",
    t.YesNo: "yes_no",
    t.Text: "text",
    t.Player: "player",
    t.Card: "card",
    t.Action: "action",
    t.Cell: "cell",
    t.Place: "place",
    t.Nothing: "any",
}


def holds_cards(of: t.Type) -> bool:
    """Tell whether numbers in a value of this type are cards."""
    match of:
        case t.ListOf(item) | t.TableOf(item):
            return holds_cards(item)
        case t.Either(members):
            return any(holds_cards(member) for member in members)
        case _:
            return isinstance(of, t.Card)


# ── the hash of the rules ────────────────────────────────────────────────────────────────────────

_ONLY_SHOWN: dict[type, set[str]] = {
    ir.Rulebook: {"name", "source", "variants", "forbid", "measures", "display", "box", "kept_as"},
    ir.CardDef: {"name", "text"},
    ir.ActionDef: {"name", "text"},
    ir.OptionDef: {"text", "default"},
    ir.Choose: {"prompt"},
    ir.ChooseEach: {"prompt"},
    ir.Menu: {"prompt"},
    ir.Offer: {"prompt"},
    ir.Stage: {"title"},
    ir.ForEach: {"secret"},
    ir.PickRandom: {"picker"},
    ir.Tell: {"known"},
}
"""Fields that people read, or that follow from the rest, and no rule depends on. A forbidden setting is never played,
and all options are settled: whether by default, by a variant or by who plays makes no other game."""


def rules_hash(rulebook: ir.Rulebook, options: dict[str, Any]) -> str:
    """The same for rules that play the same, whatever they are called to people."""
    box = () if _lies_open(rulebook.box) else (rulebook.box,)
    text = _write_canonical((rulebook, sorted(options.items()), *box))
    return blake2b(text.encode(), digest_size=16).hexdigest()


def _lies_open(box: ir.PlaceDef) -> bool:
    """Tell whether everybody sees all of a box. In saves of format 1 every box is so, and their hashes know none."""
    own = (box.seen_by, box.recall, box.counted, box.opened_at_end)
    return [rule.value if isinstance(rule, ir.Const) else None for rule in own] == ["everyone", True, "everyone", False]


_PLAIN = frozenset({str, int, bool, type(None)})
_TYPES = frozenset(get_args(t.Type))


def _write_canonical(value: Any) -> str:
    """The same text for equal values, on every machine: sets are sorted, positions left out."""
    kind = type(value)
    if kind in _PLAIN:
        return repr(value)
    if kind in _TYPES:
        return _write_type(value)
    if kind is tuple or kind is list:
        return f"({','.join(map(_write_canonical, value))})"
    if kind is frozenset:
        return f"{{{','.join(sorted(map(_write_canonical, value)))}}}"
    if isinstance(value, dict):
        return f"{{{','.join(f'{key!r}:{_write_canonical(item)}' for key, item in value.items())}}}"
    return _write_record(value)


@cache
def _write_type(of: t.Type) -> str:
    """There are few types, and each stands behind very many expressions."""
    return _write_record(of)


def _write_record(value: Any) -> str:
    kind: Any = type(value)
    inside = ",".join([f"{name}={_write_canonical(getattr(value, name))}" for name in list_rule_fields(kind)])
    return f"{kind.__name__}({inside})"


@cache
def list_rule_fields(kind: Any) -> tuple[str, ...]:
    """The fields of a class on which rules depend."""
    left_out = _ONLY_SHOWN.get(kind, set()) | {"at"}
    return tuple(field.name for field in attrs.fields(kind) if field.name not in left_out)
