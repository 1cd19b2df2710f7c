"""The JSON Schema of a card's entry: for any game, or, by its kind, for one game."""

from __future__ import annotations

from collections.abc import Iterator

from rulebook.authoring.shapes import BODY, TEXT, WORDS, Json, either, map_of, record, said
from rulebook.authoring.vocabulary import Vocabulary
from rulebook.dsl import schema
from rulebook.dsl import types as t
from rulebook.dsl.checking.declarations import legal_fields
from rulebook.dsl.structuring.forms import Printed
from rulebook.dsl.world import World

_COUNTED: Json = {"type": "object"}


def card(words: Vocabulary) -> Json:
    """Any card: what every card may say, and with a game what those of its kind have."""
    made = record(Printed, _every_card(words))
    # A copy is of the kind of its original.
    del made["required"]
    made["anyOf"] = [{"required": ["kind"]}, {"required": ["copy"]}]
    if words.world is None:
        return made | {"additionalProperties": True}
    # A kind that only has others below it gets its own cases with its first card.
    kinds = [kind for kind, below in words.world.concrete.items() if kind in below]
    cases = [_case(words, words.world, kind) for kind in kinds]
    return made | {"additionalProperties": True, "allOf": cases}


def _every_card(words: Vocabulary) -> dict[str, Json]:
    listed = {"type": "array", "items": TEXT, "minItems": 1}
    table = map_of(either(TEXT, map_of(TEXT)), {"not": {"const": "by"}})
    return {
        "kind": words.kind(),
        "name": words.switched(WORDS),
        "text": words.switched(WORDS),
        "copies": either(words.switched(TEXT), table),
        "each": {"type": "object", "additionalProperties": either(TEXT, listed), "minProperties": 1},
        "copy": words.card(),
    }


def _case(words: Vocabulary, world: World, kind: str) -> Json:
    """If a card is of this kind: what it has, and nothing else."""
    originals = [id for id, entry in world.authored.cards.items() if entry.kind.text == kind]
    given: Json = {"properties": {"kind": {"const": kind}}, "required": ["kind"]}
    copied: Json = {"properties": {"copy": {"enum": originals}}, "required": ["copy"], "not": {"required": ["kind"]}}
    return {"if": either(given, copied) if originals else given, "then": _of_kind(words, world, kind)}


def _of_kind(words: Vocabulary, world: World, kind: str) -> Json:
    properties: Json = {name: {} for name in _every_card(words)}
    for name in legal_fields(world, kind):
        if name in world.attributes and name not in properties:
            info = world.attributes[name]
            value = words.value(info.type, info.values)
            properties[name] = said(f"{_type_words(world, info.type)}.", words.switched(value))
        elif name in world.hooks and name not in properties:
            properties[name] = said(_hook_words(world, name), BODY if world.hooks[name].answer is not None else TEXT)
    made: Json = {"properties": properties, "additionalProperties": False}
    hooks = [name for name, _ in needed_hooks(world, kind)]
    attributes = list(lacking(world, kind))
    # What a card copies, or has by `each` or `copies`, need not stand in its own entry.
    simple: Json = {"required": [*attributes, *hooks]}
    elsewhere: list[Json] = [
        either(
            {"required": [name]},
            {"properties": {"each": {"required": [name]}}, "required": ["each"]},
            {"properties": {"copies": _COUNTED | {"required": [name]}}, "required": ["copies"]},
        )
        for name in attributes
    ]
    varied = either({"required": ["each"]}, {"properties": {"copies": _COUNTED}, "required": ["copies"]})
    if simple["required"]:
        own = {"if": varied, "then": {"required": hooks, "allOf": [*elsewhere, {}]}, "else": simple}
        made["allOf"] = [{"if": {"required": ["copy"]}, "then": {}, "else": own}]
    return made


def lacking(world: World, kind: str) -> Iterator[str]:
    """The attributes that each card of a kind must give: those without a default, and that cannot be nothing."""
    starts = {name: field.start for one in _line(world, kind) for name, field in one.has.items()}
    for name, start in starts.items():
        of = world.attributes[name].type
        if start is None and not t.may_be_nothing(of) and not isinstance(of, t.ListOf):
            yield name


def needed_hooks(world: World, kind: str) -> Iterator[tuple[str, schema.Hook]]:
    """What each card of a kind must answer or do."""
    for one in _line(world, kind):
        for hook in (*one.asks, *one.does):
            if hook.default is None:
                yield hook.key.name, hook


def _line(world: World, kind: str) -> list[schema.Kind]:
    return [world.authored.kinds[name] for name in (kind, *world.ancestors[kind])][::-1]


def _type_words(world: World, of: t.Type) -> str:
    words = world.describe(of)
    return words[:1].upper() + words[1:]


def _hook_words(world: World, hook: str) -> str:
    info = world.hooks[hook]
    brackets = ", ".join(one.name for one in info.signature.parameters)
    what = "What it does" if info.answer is None else f"Answers with {world.describe(info.answer)}"
    return f"{what}: `{hook}({brackets})`."
