"""The JSON Schema (draft 7) of every file of a game: of its rulebook, its variants, and its scenarios.

One schema serves all files, because only one line has to be right then: a file with `scenarios` is a file of scenarios,
one with `variant` is a variant, any other a part of the rulebook. What a variant makes is not known here, so the shape
of a new thing, or of a scenario of variants, is also that of such a thing in any game.

Editors read YAML 1.2: there `5` is a number, `yes` a word, and what was left out is null. A shape says what the reader
accepts, seen that way.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any, TypeAlias

from attrs import NOTHING, fields

from rulebook.classes import frozen
from rulebook.dsl import document as d
from rulebook.dsl import schema as authored
from rulebook.dsl import types as t
from rulebook.dsl.checking.declarations import legal_fields
from rulebook.dsl.overlay.paths import strip_parameters
from rulebook.dsl.overlay.seams import find_sentences, name_sentence
from rulebook.dsl.overlay.variant import FIELDS as VARIANT_FIELDS
from rulebook.dsl.overlay.variant import REQUIRED
from rulebook.dsl.parsing.parser import is_block
from rulebook.dsl.settling.options import choices_of, value_text
from rulebook.dsl.structuring import forms
from rulebook.dsl.structuring.declarations import MIXED, SNAKE
from rulebook.dsl.structuring.leaves import FORMAT, MOST_PLAYERS, NO_VALUE, RANGE, TABLE, TYPE
from rulebook.dsl.structuring.leaves import NUMBER as DIGITS
from rulebook.dsl.structuring.misfits import PAYOFF, find_key
from rulebook.dsl.world import TYPE_WORDS, PlaceInfo, Value, World
from rulebook.interpreter.decisions import PASS
from rulebook.playtest.scenarios.reading import FIELDS as SCENARIO_FIELDS
from rulebook.playtest.scenarios.reading import HEAD as SCENARIO_HEAD
from rulebook.printing import dump_json

# ── leaves, and maps of them ──────────────────────────────────────────────────────────────────────────────────────────

Json: TypeAlias = dict[str, Any]

DEFINITIONS = "#/definitions/"
NEW = "new_"
"""Before the name of a definition: the same for what a variant may have made."""
TEXT: Json = {"type": ["string", "number"]}
WORDS: Json = {"type": ["string", "number", "null"]}
"""A text that may be left empty."""
NUMBER: Json = {"type": "integer"}
YES_NO: Json = {"enum": ["yes", "no"]}
ANYTHING: Json = {"type": ["string", "number", "array", "object"]}
"""Any value that is there."""
ENTRY: Json = {"type": ["integer", "string"]}
STEPS: Json = {"type": "object", "propertyNames": {"pattern": "^[0-9]+$"}, "additionalProperties": ENTRY}
"""A little table: `{3: 1, 5: 2}`."""
NULL: Json = {"type": "null"}
FORMULA: Json = {"type": "string", "pattern": r"[+*/().]| - | if "}
"""Something to be worked out, which only the checker can read. A lone word or number is none."""


def match_whole(pattern: str) -> str:
    """A pattern that must fit the whole text."""
    return f"^(?:{pattern})$"


NAME: Json = {"type": "string", "pattern": match_whole(SNAKE.pattern)}
TABLE_OF_NUMBERS = rf"(number|amount|{RANGE.pattern}) +by +"
A_RANGE: Json = {"type": "string", "pattern": match_whole(RANGE.pattern)}
SIGNATURE: Json = {"pattern": match_whole(rf"{SNAKE.pattern}\s*(\(.*\))?")}
LITERAL = DIGITS.pattern


def add_words(words: str, shape: Json) -> Json:
    """The shape, with what an editor says about it."""
    return {"description": words, **shape}


def shape_one_of(words: Mapping[str, str] | Iterable[Any], otherwise: Json = TEXT) -> Json:
    """One of these words; a map says what each of them means. `otherwise` if there is none."""
    described = dict(words) if isinstance(words, Mapping) else None
    listed = list(words)
    if not listed:
        return otherwise
    return {"enum": listed} | ({} if described is None else {"enumDescriptions": list(described.values())})


def _shape_ref(name: str) -> Json:
    return {"$ref": f"{DEFINITIONS}{name}"}


def shape_either(*shapes: Json) -> Json:
    return {"anyOf": list(shapes)}


def shape_old_or_new(name: str) -> Json:
    """Allow what fits a definition, in the words of the game or in those that a variant may have made."""
    return shape_either(_shape_ref(name), _shape_ref(f"{NEW}{name}"))


def shape_several(item: Json) -> Json:
    """One of them, or a list of at least one."""
    return shape_either(item, {"type": "array", "items": item, "minItems": 1})


def shape_map(value: Json, keys: Json | None = None) -> Json:
    """A map with any keys, or with such keys; it may be left empty."""
    named = {} if keys is None else {"propertyNames": keys}
    return {"type": ["object", "null"], "additionalProperties": value, **named}


BODY = shape_either(TEXT, {"type": "object", "additionalProperties": TEXT})
"""One line, a script, or several lines with names."""


def shape_record(cl: type, shapes: Mapping[str, Json]) -> Json:
    """The map that a class of the schema is filled from: its keys, which of them must be there, what each is for.

    `shapes` has one for each attribute of the class, by its name in the class. Raises KeyError if one is missing, so
    that a new field cannot be forgotten here.
    """
    properties, required = {}, []
    for field in fields(cl):
        if field.name == "key":
            continue
        name = find_key(cl, field.name)
        properties[name] = add_words(field.metadata["about"], shapes[field.name])
        if field.default is NOTHING:
            required.append(name)
    empty = [] if required else ["null"]
    shape: Json = {"type": ["object", *empty], "properties": properties, "additionalProperties": False}
    return shape | ({"required": required} if required else {})


# ── names of one game ─────────────────────────────────────────────────────────────────────────────────────────────────


@frozen
class Vocabulary:
    """The names of a game; without a world, whatever could be one."""

    world: World | None = None

    def shape_name(self, find: Callable[[World], Iterable[str]]) -> Json:
        """A name of one sort; any name if there is no game, or none of that sort in it."""
        return shape_one_of([] if self.world is None else list(find(self.world)), NAME)

    def shape_kind(self) -> Json:
        return self.shape_name(lambda world: world.concrete)

    def shape_attribute(self) -> Json:
        return self.shape_name(lambda world: world.attributes)

    def shape_place(self) -> Json:
        return self.shape_name(lambda world: (name for name in world.places if name != forms.BOX))

    def shape_stage(self) -> Json:
        return self.shape_name(lambda world: sorted(world.stages))

    def shape_card_entry(self) -> Json:
        """The entry of a card, which another may copy."""
        return self.shape_name(lambda world: world.authored.cards)

    def list_definitions(self, kinds: Iterable[str] | None = None) -> list[str]:
        """The ids of cards as scenarios name them, of these kinds or of all."""
        if self.world is None:
            return []
        wanted = None if kinds is None else set(kinds)
        cards = [card for card in self.world.cards.values() if wanted is None or card.kind in wanted]
        # A family of one is meant by its own name too.
        alone = [card.family for card in cards if len(self.world.families.get(card.family, ())) == 1]
        return list(dict.fromkeys([*(card.id for card in cards), *alone]))

    def shape_by_option(self) -> Json:
        """A map `{by: options.x, …}`, with a value for every choice of that option."""
        options = () if self.world is None else self.world.options
        by = shape_one_of([f"options.{name}" for name in options], {"type": "string", "pattern": r"^options\."})
        shape: Json = {"type": "object", "required": ["by"], "properties": {"by": by}}
        cases = []
        for name in options:
            choices = [value_text(choice) for choice in self._find_settings(name)]
            if choices:
                wanted = {"properties": {"by": {"const": f"options.{name}"}}, "required": ["by"]}
                cases.append({"if": wanted, "then": {"required": choices, "propertyNames": {"enum": ["by", *choices]}}})
        return shape | ({"allOf": cases} if cases else {})

    def _find_settings(self, option: str) -> tuple[Value, ...]:
        assert self.world is not None
        type = self.world.authored.options[option].type
        return choices_of(type, self.world.words)

    def shape_switched(self, value: Json) -> Json:
        """A value, or one for every choice of an option."""
        by = {
            "allOf": [_shape_ref("by_option")],
            "type": "object",
            "properties": {"by": {}},
            "additionalProperties": value,
        }
        return shape_either(value, by)

    def shape_setting(self, option: str) -> Json:
        """Allow what a scenario may set a house rule to."""
        assert self.world is not None
        type = self.world.authored.options[option].type
        if type.words == "steps":
            return shape_either(TEXT, STEPS)
        choices = self._find_settings(option)
        if choices:
            return _shape_among(choices)
        return self.shape_value(self.world.options[option], None, formulas=False)

    def shape_type(self, *more: str) -> Json:
        """A type: its name, a range, or a list of choices. `more` are words that name one only here."""
        choice = {"type": "array", "items": {"type": ["string", "integer"]}, "minItems": 1}
        if self.world is None:
            word: Json = {"type": "string", "pattern": match_whole(TYPE.pattern), "not": {"enum": list(NO_VALUE)}}
            table: Json = {"type": "string", "pattern": match_whole(TABLE.pattern)}
            return shape_either(shape_one_of([*TYPE_WORDS, *more]), word, A_RANGE, table, choice)
        names = [*TYPE_WORDS, *self.world.concrete, *self.world.words, *more]
        keys = "|".join([*self.world.words, "player"])
        table = {"type": "string", "pattern": match_whole(f"{TABLE_OF_NUMBERS}({keys})")}
        by_player = {"type": "string", "pattern": match_whole("[a-z][a-z0-9_]* by player")}
        one = shape_one_of([*names, *(f"set of {name}" for name in names)])
        return shape_either(one, A_RANGE, table, by_player, choice)

    def shape_value(self, of: t.Type, values: tuple[Value, ...] | None, *, formulas: bool = True) -> Json:
        """A value of a type; `values` are all that it may be, if they are few."""
        formula = (FORMULA,) if formulas else ()
        if isinstance(of, t.TableOf):
            return self._shape_table(of, values, formulas=formulas)
        if values is not None:
            return shape_either(_shape_among(values), *formula)
        none = ({"const": "none"},) if t.may_be_nothing(of) else ()
        match t.surely(of):
            case t.Number():
                return shape_either(NUMBER, *none, *formula)
            case t.Amount():
                units = "|".join(self.world.units) if self.world is not None else ""
                amount = {"type": "string", "pattern": match_whole(rf"{LITERAL} ?({units})")}
                return shape_either({"const": 0}, amount, *none, *formula)
            case t.YesNo():
                return shape_either(YES_NO, *none, *formula)
            case t.Text():
                return TEXT
            case t.Symbol(enumeration) if self.world is not None:
                return shape_either(shape_one_of(self.world.words.get(enumeration, {})), *none, *formula)
            case t.Card(kinds):
                return shape_either(shape_one_of(self.list_definitions(kinds)), *none, *formula)
            case t.ListOf(item):
                inner = self.shape_value(item, None, formulas=formulas)
                return shape_either({"type": "array", "items": inner}, {"type": "string"})
        return ANYTHING

    def _shape_table(self, of: t.TableOf, values: tuple[Value, ...] | None, *, formulas: bool) -> Json:
        """A map from the words of a table to what there is of each."""
        assert self.world is not None
        entry = self.shape_value(of.item, values, formulas=formulas)
        words = {word: entry for word, _ in self.world.symbols(of.key)}
        return {"type": "object", "properties": words, "additionalProperties": False}

    def shape_start(self, *, lists: bool) -> Json:
        """A value to start with, which is its own type: `0`, `500 CU`, `no`, and a list where those may stand."""
        literal: Json = {"type": "string", "pattern": match_whole(rf"{LITERAL} ?[A-Za-z][A-Za-z0-9_]*|yes|no")}
        listed = ({"type": "array"},) if lists else ()
        return shape_either(NUMBER, literal, *listed)

    def shape_changes(self) -> Json:
        """Attributes that a script may change: one, a list, or a map from each to `{lasts: STAGE}`."""
        lasts = {
            "type": "object",
            "properties": {"lasts": self.shape_stage()},
            "required": ["lasts"],
            "additionalProperties": False,
        }
        inside: Json = {"type": "object", "additionalProperties": shape_either(NULL, lasts)}
        return shape_either(shape_several(self.shape_attribute()), inside | {"propertyNames": self.shape_attribute()})


def _shape_among(values: tuple[Value, ...]) -> Json:
    """One of a few values; of many numbers in a row, the least and the most."""
    numbers = [value for value in values if isinstance(value, int) and not isinstance(value, bool)]
    if len(numbers) == len(values) > 1 and numbers == list(range(numbers[0], numbers[-1] + 1)):
        return {"type": "integer", "minimum": numbers[0], "maximum": numbers[-1]}
    return {"enum": [of if of in numbers and not isinstance(of, bool) else value_text(of) for of in values]}


# ── cards ─────────────────────────────────────────────────────────────────────────────────────────────────────────────

_COUNTED: Json = {"type": "object"}


def _shape_card(words: Vocabulary) -> Json:
    """Any card: what every card may say, and with a game what those of its kind have."""
    shape = shape_record(forms.Printed, _shape_every_card(words))
    # A copy is of the kind of its original.
    del shape["required"]
    shape["anyOf"] = [{"required": ["kind"]}, {"required": ["copy"]}]
    if words.world is None:
        return shape | {"additionalProperties": True}
    # A kind that only has others below it gets its own cases with its first card.
    kinds = [kind for kind, below in words.world.concrete.items() if kind in below]
    cases = [_shape_case(words, words.world, kind) for kind in kinds]
    return shape | {"additionalProperties": True} | ({"allOf": cases} if cases else {})


def _shape_every_card(words: Vocabulary) -> dict[str, Json]:
    listed = {"type": "array", "items": TEXT, "minItems": 1}
    table = shape_map(shape_either(TEXT, shape_map(TEXT)), {"not": {"const": "by"}})
    return {
        "kind": words.shape_kind(),
        "name": words.shape_switched(WORDS),
        "text": words.shape_switched(WORDS),
        "picture": TEXT,
        "copies": shape_either(words.shape_switched(TEXT), table),
        "each": {"type": "object", "additionalProperties": shape_either(TEXT, listed), "minProperties": 1},
        "copy": words.shape_card_entry(),
    }


def _shape_case(words: Vocabulary, world: World, kind: str) -> Json:
    """Shape a case of the cards: one of this kind has what belongs to the kind, and nothing else."""
    originals = [id for id, entry in world.authored.cards.items() if entry.kind.text == kind]
    by_kind: Json = {"properties": {"kind": {"const": kind}}, "required": ["kind"]}
    copied: Json = {"properties": {"copy": {"enum": originals}}, "required": ["copy"], "not": {"required": ["kind"]}}
    return {"if": shape_either(by_kind, copied) if originals else by_kind, "then": _shape_of_kind(words, world, kind)}


def _shape_of_kind(words: Vocabulary, world: World, kind: str) -> Json:
    properties: Json = {name: {} for name in _shape_every_card(words)}
    for name in legal_fields(world, kind):
        if name in world.attributes and name not in properties:
            info = world.attributes[name]
            value = words.shape_value(info.type, info.values)
            properties[name] = add_words(f"{_type_words(world, info.type)}.", words.shape_switched(value))
        elif name in world.hooks and name not in properties:
            properties[name] = add_words(
                _hook_words(world, name), BODY if world.hooks[name].answer is not None else TEXT
            )
    shape: Json = {"properties": properties, "additionalProperties": False}
    hooks = [name for name, _ in find_needed_hooks(world, kind)]
    attributes = list(find_lacking(world, kind))
    # What a card copies, or has by `each` or `copies`, need not stand in its own entry.
    simple: Json = {"required": [*attributes, *hooks]}
    elsewhere: list[Json] = [
        shape_either(
            {"required": [name]},
            {"properties": {"each": {"required": [name]}}, "required": ["each"]},
            {"properties": {"copies": _COUNTED | {"required": [name]}}, "required": ["copies"]},
        )
        for name in attributes
    ]
    varied = shape_either({"required": ["each"]}, {"properties": {"copies": _COUNTED}, "required": ["copies"]})
    if simple["required"]:
        own = {"if": varied, "then": {"required": hooks, "allOf": [*elsewhere, {}]}, "else": simple}
        shape["allOf"] = [{"if": {"required": ["copy"]}, "then": {}, "else": own}]
    return shape


def find_lacking(world: World, kind: str) -> Iterator[str]:
    """The attributes that each card of a kind must give: those without a default, and that cannot be nothing."""
    starts = {name: field.start for above in _find_line(world, kind) for name, field in above.has.items()}
    for name, start in starts.items():
        of = world.attributes[name].type
        if start is None and not t.may_be_nothing(of) and not isinstance(of, t.ListOf | t.TableOf):
            yield name


def find_needed_hooks(world: World, kind: str) -> Iterator[tuple[str, authored.Hook]]:
    """Yield the hooks that each card of a kind must answer or do."""
    for above in _find_line(world, kind):
        for hook in (*above.asks, *above.does):
            if hook.default is None:
                yield hook.key.name, hook


def _find_line(world: World, kind: str) -> list[authored.Kind]:
    return [world.authored.kinds[name] for name in (kind, *world.ancestors[kind])][::-1]


def _type_words(world: World, of: t.Type) -> str:
    words = world.describe_type(of)
    return words[:1].upper() + words[1:]


def _hook_words(world: World, hook: str) -> str:
    info = world.hooks[hook]
    brackets = ", ".join(parameter.name for parameter in info.signature.parameters)
    what = "What it does" if info.answer is None else f"Answers with {world.describe_type(info.answer)}"
    return f"{what}: `{hook}({brackets})`."


# ── a rulebook ────────────────────────────────────────────────────────────────────────────────────────────────────────

_UNIT: Json = {"pattern": match_whole(MIXED.pattern)}
_FIRST = ("format", "name", "players")


def _shape_rulebook_file(words: Vocabulary) -> Json:
    """A file of a rulebook. One that says one of the first lines is the one with all of them."""
    shape = shape_record(authored.Document, _shape_sections(words))
    del shape["required"]
    return shape | {"dependencies": {section: [other for other in _FIRST if other != section] for section in _FIRST}}


def _shape_parts(words: Vocabulary) -> Json:
    """Collect the definitions to which sections refer, by name."""
    looked_at = _shape_looked_at(words)
    place = shape_record(
        authored.Place, _shape_place(words) | looked_at | {"seen_by": words.shape_switched(shape_one_of(forms.SEEN_BY))}
    )
    box = shape_record(authored.Box, looked_at | {"seen_by": words.shape_switched(shape_one_of(forms.BOX_SEEN_BY))})
    of_memory = {"type": words.shape_type(), "default": ANYTHING, "lasts": words.shape_stage()}
    memory = shape_record(forms.Remembered, of_memory | {"seen_by": shape_one_of(_drop_top())})
    # A state that only its owner sees would be a memory.
    state = shape_record(
        forms.Changing, of_memory | {"seen_by": shape_one_of(_drop_top()), "seen": shape_one_of(forms.SEEN)}
    )
    return {
        "by_option": words.shape_by_option(),
        "option": shape_record(authored.Option, {"type": words.shape_type("steps"), "default": ANYTHING, "text": TEXT}),
        "attribute": shape_either(
            words.shape_type(), words.shape_start(lists=False), _shape_in_full(words.shape_type())
        ),
        "question": shape_either(words.shape_type("conditions"), _shape_in_full(words.shape_type("conditions"))),
        "state": shape_either(words.shape_type(), words.shape_start(lists=True), state),
        "memory": shape_either(words.shape_type(), words.shape_start(lists=True), memory),
        "place": place,
        "box": box,
        "kind": shape_record(authored.Kind, _shape_kind(words)),
        "card": _shape_card(words),
        "action": shape_record(authored.Action, _shape_action(words)),
    }


def _drop_top() -> dict[str, str]:
    return {word: means for word, means in forms.SEEN_BY.items() if word != "top"}


def _shape_in_full(type: Json) -> Json:
    return shape_record(forms.Has, {"type": type, "default": ANYTHING})


def _shape_sections(words: Vocabulary) -> dict[str, Json]:
    bare = {"type": "array", "items": TEXT, "minItems": 1}
    word_list = shape_either(bare, {"type": "object", "additionalProperties": TEXT})
    seat = "|".join(map(str, range(1, MOST_PLAYERS + 1)))
    span: Json = {"type": "string", "pattern": match_whole(rf"(?:{seat}) ?\.\. ?(?:{seat})")}
    number: Json = {"type": "integer", "minimum": 1, "maximum": MOST_PLAYERS}
    seats = shape_either(number, span, {"type": "array", "items": shape_either(number, span), "minItems": 1})
    of_table = shape_map(_shape_ref("place"), NAME) | {"properties": {forms.BOX: _shape_ref("box")}}
    places = shape_record(authored.Places, {"table": of_table, "player": shape_map(_shape_ref("place"), NAME)})
    memory = shape_record(
        authored.Memory, {side: shape_map(_shape_ref("memory"), NAME) for side in ("table", "player")}
    )
    return {
        "format": {"const": FORMAT},
        "name": TEXT,
        "players": seats,
        "units": shape_map({"type": "integer", "minimum": 1}, _UNIT),
        "words": shape_map(word_list, NAME),
        "options": shape_map(_shape_ref("option"), NAME),
        "forbid": shape_map(TEXT),
        "kinds": shape_map(_shape_ref("kind"), NAME),
        "places": places,
        "memory": memory,
        "cards": _shape_cards(),
        "values": shape_map(BODY, SIGNATURE),
        "rules": shape_map(TEXT, SIGNATURE),
        "whenever": shape_map(TEXT, SIGNATURE),
        "actions": shape_map(_shape_ref("action"), NAME),
        "phrases": shape_map(TEXT, NAME),
        "result": _shape_result(),
        "measures": shape_map(TEXT),
        "display": _shape_display(),
    }


def _shape_cards() -> Json:
    """Cards in full, or beside spreadsheets: what an entry lacks there, its row has."""
    beside = {"properties": {"from": _shape_sheets()}, "additionalProperties": {"type": "object"}}
    return {"if": {"required": ["from"]}, "then": beside, "else": shape_map(_shape_ref("card"), NAME)}


def _shape_sheets() -> Json:
    sheet = {"type": "string", "pattern": r"^[^/\\]+\.(csv|tsv|xlsx)$"}
    words = "Spreadsheets from which cards are read: the first row names the columns, each other row is a card."
    return add_words(words, shape_either(sheet, {"type": "array", "items": sheet, "minItems": 1}))


def _shape_result() -> Json:
    shape = shape_record(authored.Result, {"rank": TEXT, "payoff": BODY, "team": TEXT, "zero_sum": YES_NO})
    # Its parameter may have any name.
    return shape | {"patternProperties": {r"^payoff\(": shape["properties"].pop(PAYOFF)}}


def _shape_display() -> Json:
    names = shape_either(TEXT, {"type": "array", "items": TEXT})
    looks = {
        "language": {"type": "string", "pattern": f"^{authored.LANGUAGE}$"},
        "aim": TEXT,
        "about": shape_map(TEXT),
        "titles": shape_map(TEXT, NAME),
        "shown": shape_map(shape_either(TEXT, NULL), NAME),
        "scores": names,
        "order": names,
        "sort": shape_map(names, NAME),
        "hidden": names,
        "verbs": shape_map({**TEXT, "minLength": 1, "maxLength": authored.LONGEST_VERB}, NAME),
    }
    looks["symbols"] = shape_map(shape_either(TEXT, {"type": "object", "additionalProperties": TEXT}), NAME)
    cuts = shape_one_of(authored.CUTS)
    of_card = shape_record(authored.Look, {"corner": names, "middle": TEXT, "picture": TEXT, "back": TEXT, "cut": cuts})
    looks["card"] = shape_map(of_card)
    looks["colours"] = shape_map(shape_one_of(authored.COLOURS), NAME)
    return shape_record(authored.Display, looks)


def _shape_place(words: Vocabulary) -> dict[str, Json]:
    return {
        "holds": shape_several(words.shape_kind()),
        "kept": shape_one_of(forms.KEPT),
        "size": {"type": "array", "items": TEXT, "minItems": 2, "maxItems": 2},
        "refill": words.shape_place(),
        "alike": shape_one_of(forms.ALIKE),
    }


def _shape_looked_at(words: Vocabulary) -> dict[str, Json]:
    return {
        "recall": words.shape_switched(YES_NO),
        "counted": words.shape_switched(shape_one_of(["owner", "everyone"])),
        "opened_at_end": words.shape_switched(YES_NO),
    }


def _shape_kind(words: Vocabulary) -> dict[str, Json]:
    return {
        "parent": words.shape_kind(),
        "has": shape_map(_shape_ref("attribute"), NAME),
        "state": shape_map(_shape_ref("state"), NAME),
        "places": shape_map(_shape_ref("place"), NAME),
        "asks": shape_map(_shape_ref("question"), SIGNATURE),
        "does": shape_map(NULL, SIGNATURE),
        "may_do": shape_map(NULL, SIGNATURE),
        "may_change": words.shape_changes(),
        "for_set_up": shape_several(words.shape_attribute()),
        "comes_with": shape_map(words.shape_kind(), NAME),
        "text": words.shape_switched(TEXT),
    }


def _shape_action(words: Vocabulary) -> dict[str, Json]:
    return {
        "effect": TEXT,
        "name": words.shape_switched(TEXT),
        "text": words.shape_switched(TEXT),
        "possible": BODY,
    }


# ── a variant ─────────────────────────────────────────────────────────────────────────────────────────────────────────

_OF_SECTIONS = {"cards": "card", "kinds": "kind", "actions": "action", "options": "option"}
_OPTIONS_MADE: list[Json] = [
    {"required": ["follows"]},
    {
        "required": ["change"],
        "properties": {"change": {"not": {"propertyNames": {"not": {"pattern": r"^options\."}}}}},
    },
]
_OF_SIDES = {"places": "place", "memory": "memory"}


def _shape_variant_file(words: Vocabulary) -> Json:
    shapes = _shape_variant_fields(words)
    shape: Json = {
        "type": "object",
        "properties": {name: add_words(means, shapes[name]) for name, means in VARIANT_FIELDS.items()},
        "required": list(REQUIRED),
        "additionalProperties": False,
    }
    if words.world is None:
        return shape
    # Only a variant that follows another one may settle options that the game has not; and only one that follows, or
    # changes options itself, may settle them otherwise than the game lets one do.
    settings = {name: words.shape_setting(name) for name in words.world.options}
    known: Json = {"propertyNames": {"enum": list(settings)}} if settings else {"maxProperties": 0}
    return shape | {
        "allOf": [
            {"if": {"required": ["follows"]}, "else": {"properties": {"set": known}}},
            {"if": {"anyOf": _OPTIONS_MADE}, "else": {"properties": {"set": {"properties": settings}}}},
        ]
    }


def _shape_variant_fields(words: Vocabulary) -> dict[str, Json]:
    world = words.world
    sentences = list(_list_sentences(world.authored)) if world is not None else []
    scripts = _shape_keyed([*_list_scripts(world.authored), *sentences] if world is not None else (), TEXT)
    paths = [*_list_paths(world.authored), *sentences] if world is not None else []
    path = shape_either({"enum": paths}, TEXT) if paths else TEXT
    settled = shape_either(TEXT, STEPS)
    settings = dict.fromkeys(world.options, settled) if world is not None else {}
    return {
        "variant": NAME,
        "name": TEXT,
        "about": TEXT,
        "extends": NAME if world is None else {"const": world.authored.id},
        "follows": shape_several(NAME),
        "not_with": shape_map(TEXT, NAME),
        "set": {"type": "object", "properties": settings, "additionalProperties": settled, "minProperties": 1},
        "change": _shape_keyed(paths, ANYTHING),
        "add": _shape_added(),
        "remove": shape_several(path),
        "before": scripts,
        "after": scripts,
        "instead of": scripts,
    }


def _shape_keyed(paths: Iterable[str], value: Json) -> Json:
    """A map from paths; those that are known are offered."""
    shape: Json = {"type": "object", "additionalProperties": value, "minProperties": 1}
    known = dict.fromkeys(paths, value)
    return shape | ({"properties": known} if known else {})


def _shape_added() -> Json:
    """Describe new entries in the shape of their section."""
    name = SNAKE.pattern
    shapes = {match_whole(rf"{section}\.{name}"): shape_old_or_new(thing) for section, thing in _OF_SECTIONS.items()}
    for section, thing in _OF_SIDES.items():
        shapes[match_whole(rf"(?!places\.table\.{forms.BOX}$){section}\.(?:table|player)\.{name}")] = shape_old_or_new(
            thing
        )
    shapes[match_whole(rf"places\.table\.{forms.BOX}")] = shape_old_or_new("box")
    shapes[match_whole(rf"(?:rules|values|whenever)\.{name}\s*(?:\(.*\))?")] = BODY
    return {
        "type": "object",
        "patternProperties": shapes,
        "additionalProperties": shape_either(ANYTHING, NULL),
        "minProperties": 1,
    }


def _list_scripts(game: authored.Authored) -> Iterator[str]:
    """List the scripts on which another may be hung, without the hooks of cards, of which there are many."""
    yield from (f"rules.{strip_parameters(rule.key.text)}" for rule in game.rules)
    yield from (f"whenever.{strip_parameters(trigger.key.text)}" for trigger in game.whenever)
    yield from (f"values.{strip_parameters(value.key.text)}" for value in game.values)
    yield from (f"actions.{name}" for name in game.actions)


def _list_sentences(game: authored.Authored) -> Iterator[str]:
    """List the paths of the sentences of these scripts, and of the labels of their menus."""
    bodies: list[tuple[str, d.Node]] = [
        (f"{section}.{strip_parameters(entry.key.text)}", entry.body)
        for section, listed in (("rules", game.rules), ("values", game.values))
        for entry in listed
    ]
    bodies += [(f"actions.{name}.effect", action.effect) for name, action in game.actions.items()]
    for path, body in bodies:
        *_, own = d.find_layers(body)
        if isinstance(own, d.Scalar) and (is_block(own.text) or not path.startswith("values.")):
            sentences = find_sentences([own], [])
            words = (name_sentence(sentence, sentences) for sentence in sentences if not sentence.is_else)
            yield from (f"{path}.{named}" for named in words if named is not None)


def _list_paths(game: authored.Authored) -> Iterator[str]:
    """List the paths that may be changed or taken away, as they are written most shortly."""
    yield from (f"options.{name}" for name in game.options)
    for side, places in (("table", game.table_places), ("player", game.places.player)):
        yield from (f"places.{side}.{name}" for name in places)
    if game.box is not None:
        yield f"places.table.{forms.BOX}"
    for id, card in game.cards.items():
        yield f"cards.{id}"
        yield from _list_inside(f"cards.{id}", card.fields)
    for section, listed in (("values", game.values), ("rules", game.rules), ("whenever", game.whenever)):
        for entry in listed:
            path = f"{section}.{strip_parameters(entry.key.text)}"
            yield path
            yield from _list_inside(path, entry.body)
    for name, action in game.actions.items():
        yield f"actions.{name}"
        parts = {"name": action.name, "text": action.text, "possible": action.possible, "effect": action.effect}
        yield from (f"actions.{name}.{part}" for part, node in parts.items() if node is not None)


def _list_inside(path: str, node: d.Node) -> Iterator[str]:
    """The paths of the entries of a map, and of those in them."""
    for name, inner in node.items() if isinstance(node, d.Mapping) else ():
        yield f"{path}.{name}"
        yield from _list_inside(f"{path}.{name}", inner)


# ── scenarios ─────────────────────────────────────────────────────────────────────────────────────────────────────────

_PLAYERS: Json = {
    "type": "array",
    "items": {"type": "string", "pattern": match_whole(r"[A-Za-z]\w*")},
    "description": "The names of the players, in seat order: `[Ana, Ben]`.",
}
_FACE: Json = {"type": "string", "pattern": r"^\S+ face (up|down)$"}
_VALUE: Json = shape_either(TEXT, {"type": "array"})


def _shape_scenario_file() -> Json:
    shapes = {"variants": shape_several(NAME), "scenarios": shape_map(shape_old_or_new("scenario"))}
    return {
        "type": "object",
        "properties": {name: add_words(means, shapes[name]) for name, means in SCENARIO_HEAD.items()},
        "required": ["scenarios"],
        "additionalProperties": False,
        "if": {"required": ["variants"]},
        "else": {"properties": {"scenarios": shape_map(_shape_ref("scenario"))}},
    }


def _shape_scenario(words: Vocabulary) -> Json:
    shapes = _shape_scenario_fields(words)
    begun = shape_either({"required": ["do"]}, {"required": ["from"]})
    return {
        "type": "object",
        "properties": {name: add_words(means, shapes[name]) for name, means in SCENARIO_FIELDS.items()},
        "required": ["given", "expect"],
        "additionalProperties": False,
        "dependencies": {
            **dict.fromkeys(("answers", "chance", "rest"), begun),
            "until": {"required": ["rest"]},  # and so a beginning too
        },
        # The game's own set-up leaves nothing to lay out.
        "if": {"required": ["from"]},
        "then": {"properties": {"given": {"propertyNames": {"const": "players"}}}},
    }


def _shape_scenario_fields(words: Vocabulary) -> dict[str, Json]:
    name = _shape_option(words)
    # An option may be a list itself, and an answer a list of options.
    option = shape_either(name, {"type": "array", "items": shape_either(name, {"type": "array", "items": name})})
    avoiding = {"type": "object", "properties": {"not": option}, "required": ["not"]}
    return {
        "about": TEXT,
        "options": _shape_options(words),
        "given": _shape_given(words),
        "from": {"const": "start"},
        "seed": {"type": "integer", "minimum": 0},
        "do": shape_either(TEXT, {"type": "array", "items": TEXT}),
        "chance": option,
        "answers": {"type": "array", "items": shape_map(option)},
        "rest": shape_either({"enum": ["first", "random"]}, avoiding | {"additionalProperties": False}),
        "until": TEXT,
        "expect": shape_several(TEXT),
    }


def _shape_options(words: Vocabulary) -> Json:
    world = words.world
    if world is None:
        return shape_map(shape_either(TEXT, STEPS))
    settings = {name: words.shape_setting(name) for name in world.options}
    about = {name: world.authored.options[name].text for name in settings}
    said_of = {name: add_words(about[name], shape) if about[name] else shape for name, shape in settings.items()}
    return {"type": "object", "properties": said_of, "additionalProperties": False}


def _shape_option(words: Vocabulary) -> Json:
    """Allow answers: names of the game to choose from, or any words, such as a player or a label."""
    if words.world is None:
        return TEXT
    enumerated = [word for words_of in words.world.words.values() for word in words_of]
    names = [*words.world.actions, *words.list_definitions(), *enumerated, PASS]
    return shape_either(shape_one_of(list(dict.fromkeys(sorted(names)))), TEXT)


def _shape_given(words: Vocabulary) -> Json:
    given_shape: Json = {"type": "object", "properties": {"players": _PLAYERS}, "required": ["players"]}
    world = words.world
    if world is None:
        return given_shape
    of_table = {name: _shape_lying(words, place) for name, place in world.places.items() if place.owner == "table"}
    of_table |= {name: _shape_kept(memory.type) for name, memory in world.memories.items() if memory.owner == "table"}
    owned = {name: _shape_lying(words, place) for name, place in world.places.items() if place.owner != "table"}
    owned |= {name: _shape_kept(memory.type) for name, memory in world.memories.items() if memory.owner != "table"}
    owned |= {name: _VALUE for name in world.states if name not in owned}
    given_shape["properties"] |= of_table
    given_shape["patternProperties"] = {rf"^.+\.{name}$": shape for name, shape in owned.items()}
    return given_shape | {"additionalProperties": False}


def _shape_kept(of: t.Type) -> Json:
    """A value of a memory as scenarios give it: of a table, what there is of each word or player."""
    return {"type": "object", "additionalProperties": _VALUE} if isinstance(of, t.TableOf) else _VALUE


def _shape_lying(words: Vocabulary, place: PlaceInfo) -> Json:
    """Cards of a place, or how many pieces."""
    if place.kept == "pool":
        return {"type": "integer", "minimum": 0}
    cards = words.list_definitions(place.holds)
    names = [*cards, "none"] if place.kept in ("grid", "slot") else cards
    states = [name for name, state in (words.world.states if words.world else {}).items() if state.kinds & place.holds]
    card = shape_either(shape_one_of(names), _FACE)
    if states:
        changed = {"type": "object", "properties": dict.fromkeys(states, _VALUE), "additionalProperties": False}
        card = shape_either(card, {"type": "object", "additionalProperties": changed, "maxProperties": 1})
    if place.kept == "slot":
        return shape_either(card, {"type": "array", "items": card, "maxItems": 1})
    return shape_either(
        card, {"type": "array", "items": shape_either(card, {"type": "array", "items": card})}, {"type": "null"}
    )


# ── the whole schema ──────────────────────────────────────────────────────────────────────────────────────────────────

FOLDER = ".rulebook"
"""In a game's folder: what is made from the game, and is no part of it."""
_DRAFT = "http://json-schema.org/draft-07/schema#"


def make_schema(world: World | None = None) -> Json:
    words = Vocabulary(world)
    whose = "a rulebook" if world is None else f"the rulebook “{world.authored.name}”"
    return {
        "$schema": _DRAFT,
        "title": f"A file of {whose}, a variant of it, or scenarios for it",
        "type": "object",
        "properties": {
            "scenarios": {"description": "Makes this a file of scenarios: tests of the game, by title."},
            "variant": {"description": "Makes this a variant of the game: its id, the name of the file."},
        },
        "if": {"required": ["scenarios"]},
        "then": _shape_ref("scenario_file"),
        "else": {
            "if": {"required": ["variant"]},
            "then": _shape_ref("variant_file"),
            "else": _shape_ref("rulebook_file"),
        },
        "definitions": {
            "variant_file": _shape_variant_file(words),
            "rulebook_file": _shape_rulebook_file(words),
            "scenario_file": _shape_scenario_file(),
            **_things(words),
            **{f"{NEW}{name}": _shape_anew(shape) for name, shape in _things(Vocabulary(None)).items()},
        },
    }


def _things(words: Vocabulary) -> Json:
    """Collect the definitions to which the shapes of files refer, by name."""
    return {"scenario": _shape_scenario(words), **_shape_parts(words)}


def _shape_anew(shape: Any) -> Any:
    """The same, of things that a variant may have made: they refer to such things too."""
    if isinstance(shape, list):
        return [_shape_anew(part) for part in shape]
    if not isinstance(shape, dict):
        return shape
    return {
        key: f"{DEFINITIONS}{NEW}{part.removeprefix(DEFINITIONS)}" if key == "$ref" else _shape_anew(part)
        for key, part in shape.items()
    }


def dump_schema(schema: Json) -> str:
    return dump_json(schema, indent=1) + "\n"


def find_schema_path(game: Path) -> Path:
    """Return the path of a game's schema."""
    return game / FOLDER / "schema.json"


def modeline(file: Path, schema: Path) -> str:
    """The first line of a file that tells editors which schema it follows."""
    way = Path(os.path.relpath(schema.resolve(), file.resolve().parent)).as_posix()
    return f"# yaml-language-server: $schema={way}"
