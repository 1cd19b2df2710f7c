"""The JSON Schema of a variant's file.

It refuses no path, because only the overlay knows which of them lead anywhere; likely ones are named for completion.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from rulebook.authoring.shapes import (
    ANYTHING,
    BODY,
    NAME,
    NULL,
    STEPS,
    TEXT,
    Json,
    either,
    map_of,
    old_or_new,
    said,
    several,
    whole,
)
from rulebook.authoring.vocabulary import Vocabulary
from rulebook.dsl import schema
from rulebook.dsl.document import Mapping, Node
from rulebook.dsl.overlay import FIELDS
from rulebook.dsl.overlay.paths import head
from rulebook.dsl.overlay.variant import REQUIRED
from rulebook.dsl.structuring.declarations import SNAKE
from rulebook.dsl.structuring.forms import BOX

_OF_SECTIONS = {"cards": "card", "kinds": "kind", "actions": "action", "options": "option"}
_OPTIONS_MADE: list[Json] = [
    {"required": ["follows"]},
    {
        "required": ["change"],
        "properties": {"change": {"not": {"propertyNames": {"not": {"pattern": r"^options\."}}}}},
    },
]
_OF_SIDES = {"places": "place", "memory": "memory"}


def file(words: Vocabulary) -> Json:
    shapes = _fields(words)
    made: Json = {
        "type": "object",
        "properties": {name: said(means, shapes[name]) for name, means in FIELDS.items()},
        "required": list(REQUIRED),
        "additionalProperties": False,
    }
    if words.world is None:
        return made
    # Only a variant that follows another one may settle options that the game has not; and only one that follows, or
    # changes options itself, may settle them otherwise than the game lets one do.
    settings = {name: words.setting(name) for name in words.world.options}
    known = {"propertyNames": {"enum": list(settings)}}
    return made | {
        "allOf": [
            {"if": {"required": ["follows"]}, "else": {"properties": {"set": known}}},
            {"if": {"anyOf": _OPTIONS_MADE}, "else": {"properties": {"set": {"properties": settings}}}},
        ]
    }


def _fields(words: Vocabulary) -> dict[str, Json]:
    world = words.world
    scripts = _keyed(_scripts(world.authored) if world is not None else (), TEXT)
    paths = list(_paths(world.authored)) if world is not None else []
    path = either({"enum": paths}, TEXT) if paths else TEXT
    settled = either(TEXT, STEPS)
    settings = dict.fromkeys(world.options, settled) if world is not None else {}
    return {
        "variant": NAME,
        "name": TEXT,
        "about": TEXT,
        "extends": NAME if world is None else {"const": world.authored.id},
        "follows": several(NAME),
        "not_with": map_of(TEXT, NAME),
        "set": {"type": "object", "properties": settings, "additionalProperties": settled, "minProperties": 1},
        "change": _keyed(paths, ANYTHING),
        "add": _added(),
        "remove": several(path),
        "before": scripts,
        "after": scripts,
        "instead of": scripts,
    }


def _keyed(paths: Iterable[str], value: Json) -> Json:
    """A map from paths; those that are known are offered."""
    made: Json = {"type": "object", "additionalProperties": value, "minProperties": 1}
    known = dict.fromkeys(paths, value)
    return made | ({"properties": known} if known else {})


def _added() -> Json:
    """What is new, in the shape of its section."""
    name = SNAKE.pattern
    shapes = {whole(rf"{one}\.{name}"): old_or_new(thing) for one, thing in _OF_SECTIONS.items()}
    for section, thing in _OF_SIDES.items():
        shapes[whole(rf"(?!places\.table\.{BOX}$){section}\.(?:table|player)\.{name}")] = old_or_new(thing)
    shapes[whole(rf"places\.table\.{BOX}")] = old_or_new("box")
    shapes[whole(rf"(?:rules|values)\.{name}\s*(?:\(.*\))?")] = BODY
    return {
        "type": "object",
        "patternProperties": shapes,
        "additionalProperties": either(ANYTHING, NULL),
        "minProperties": 1,
    }


def _scripts(authored: schema.Authored) -> Iterator[str]:
    """What another script may be hung on, without the hooks of cards, of which there are many."""
    yield from (f"rules.{head(one.key.text)}" for one in authored.rules)
    yield from (f"values.{head(one.key.text)}" for one in authored.values)
    yield from (f"actions.{name}" for name in authored.actions)


def _paths(authored: schema.Authored) -> Iterator[str]:
    """What may be changed or taken away, as it is written most shortly."""
    yield from (f"options.{name}" for name in authored.options)
    for side, places in (("table", authored.table_places), ("player", authored.places.player)):
        yield from (f"places.{side}.{name}" for name in places)
    if authored.box is not None:
        yield f"places.table.{BOX}"
    for id, card in authored.cards.items():
        yield f"cards.{id}"
        yield from _inside(f"cards.{id}", card.fields)
    for section, listed in (("values", authored.values), ("rules", authored.rules)):
        for one in listed:
            path = f"{section}.{head(one.key.text)}"
            yield path
            yield from _inside(path, one.body)
    for name, action in authored.actions.items():
        yield f"actions.{name}"
        given = {"name": action.name, "text": action.text, "possible": action.possible, "effect": action.effect}
        yield from (f"actions.{name}.{part}" for part, node in given.items() if node is not None)


def _inside(path: str, node: Node) -> Iterator[str]:
    """The paths of the entries of a map, and of those in them."""
    for name, inner in node.items() if isinstance(node, Mapping) else ():
        yield f"{path}.{name}"
        yield from _inside(f"{path}.{name}", inner)
