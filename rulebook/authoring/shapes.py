"""Pieces of JSON Schema: the leaves of a rulebook, and maps of them.

Editors read YAML 1.2: there `5` is a number, `yes` a word, and what was left out is null. A piece says what the reader
accepts, seen that way.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, TypeAlias

from attrs import NOTHING, fields

from rulebook.dsl.structuring.declarations import SNAKE
from rulebook.dsl.structuring.leaves import NUMBER as DIGITS
from rulebook.dsl.structuring.leaves import RANGE
from rulebook.dsl.structuring.misfits import written

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
STEPS: Json = {"type": "object", "propertyNames": {"pattern": "^[0-9]+$"}, "additionalProperties": {"type": "integer"}}
"""A little table: `{3: 1, 5: 2}`."""
NULL: Json = {"type": "null"}
FORMULA: Json = {"type": "string", "pattern": r"[+*/().]| - | if "}
"""Something to be worked out, which only the checker can read. A lone word or number is none."""


def whole(pattern: str) -> str:
    """A pattern that must fit the whole text."""
    return f"^(?:{pattern})$"


NAME: Json = {"type": "string", "pattern": whole(SNAKE.pattern)}
A_RANGE: Json = {"type": "string", "pattern": whole(RANGE.pattern)}
SIGNATURE: Json = {"pattern": whole(rf"{SNAKE.pattern}\s*(\(.*\))?")}
LITERAL = DIGITS.pattern


def said(words: str, shape: Json) -> Json:
    """The shape, with what an editor says about it."""
    return {"description": words, **shape}


def one_of(words: Mapping[str, str] | Iterable[Any], otherwise: Json = TEXT) -> Json:
    """One of these words; a map says what each of them means. `otherwise` if there is none."""
    described = dict(words) if isinstance(words, Mapping) else None
    listed = list(words)
    if not listed:
        return otherwise
    return {"enum": listed} | ({} if described is None else {"enumDescriptions": list(described.values())})


def either(*shapes: Json) -> Json:
    return {"anyOf": list(shapes)}


def old_or_new(name: str) -> Json:
    """What fits a definition, in the words of the game or in those that a variant may have made."""
    return either({"$ref": f"{DEFINITIONS}{name}"}, {"$ref": f"{DEFINITIONS}{NEW}{name}"})


def several(item: Json) -> Json:
    """One of them, or a list of at least one."""
    return either(item, {"type": "array", "items": item, "minItems": 1})


def map_of(value: Json, keys: Json | None = None) -> Json:
    """A map with any keys, or with such keys; it may be left empty."""
    named = {} if keys is None else {"propertyNames": keys}
    return {"type": ["object", "null"], "additionalProperties": value, **named}


BODY = either(TEXT, {"type": "object", "additionalProperties": TEXT})
"""One line, a script, or several lines with names."""


def record(cl: type, shapes: Mapping[str, Json]) -> Json:
    """The map that a class of the schema is filled from: its keys, which of them must be there, what each is for.

    `shapes` has one for each attribute of the class, by its name in the class. Raises KeyError if one is missing, so
    that a new field cannot be forgotten here.
    """
    properties, required = {}, []
    for one in fields(cl):
        if one.name == "key":
            continue
        name = written(cl, one.name)
        properties[name] = said(one.metadata["about"], shapes[one.name])
        if one.default is NOTHING:
            required.append(name)
    empty = [] if required else ["null"]
    made: Json = {"type": ["object", *empty], "properties": properties, "additionalProperties": False}
    return made | ({"required": required} if required else {})
