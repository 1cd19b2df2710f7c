"""The JSON Schema of a file of scenarios.

Names of players are made up by each scenario, so what is theirs is known by the name behind the dot.
"""

from __future__ import annotations

from rulebook.authoring.shapes import (
    DEFINITIONS,
    NAME,
    STEPS,
    TEXT,
    Json,
    either,
    map_of,
    old_or_new,
    one_of,
    said,
    several,
    whole,
)
from rulebook.authoring.vocabulary import Vocabulary
from rulebook.dsl.world import PlaceInfo
from rulebook.interpreter.decisions import PASS
from rulebook.playtest.scenarios.reading import FIELDS, HEAD

_PLAYERS: Json = {
    "type": "array",
    "items": {"type": "string", "pattern": whole(r"[A-Za-z]\w*")},
    "description": "The names of the players, in seat order: `[Ana, Ben]`.",
}
_FACE: Json = {"type": "string", "pattern": r"^\S+ face (up|down)$"}
_VALUE: Json = either(TEXT, {"type": "array"})


def file() -> Json:
    shapes = {"variants": several(NAME), "scenarios": map_of(old_or_new("scenario"))}
    return {
        "type": "object",
        "properties": {name: said(means, shapes[name]) for name, means in HEAD.items()},
        "required": ["scenarios"],
        "additionalProperties": False,
        "if": {"required": ["variants"]},
        "else": {"properties": {"scenarios": map_of({"$ref": f"{DEFINITIONS}scenario"})}},
    }


def scenario(words: Vocabulary) -> Json:
    shapes = _fields(words)
    begun = either({"required": ["do"]}, {"required": ["from"]})
    return {
        "type": "object",
        "properties": {name: said(means, shapes[name]) for name, means in FIELDS.items()},
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


def _fields(words: Vocabulary) -> dict[str, Json]:
    name = _option(words)
    # An option may be a list itself, and an answer a list of options.
    option = either(name, {"type": "array", "items": either(name, {"type": "array", "items": name})})
    avoiding = {"type": "object", "properties": {"not": option}, "required": ["not"]}
    return {
        "about": TEXT,
        "options": _options(words),
        "given": _given(words),
        "from": {"const": "start"},
        "seed": {"type": "integer", "minimum": 0},
        "do": either(TEXT, {"type": "array", "items": TEXT}),
        "chance": option,
        "answers": {"type": "array", "items": map_of(option)},
        "rest": either({"enum": ["first", "random"]}, avoiding | {"additionalProperties": False}),
        "until": TEXT,
        "expect": several(TEXT),
    }


def _options(words: Vocabulary) -> Json:
    world = words.world
    if world is None:
        return map_of(either(TEXT, STEPS))
    settings = {name: words.setting(name) for name in world.options}
    about = {name: world.authored.options[name].text for name in settings}
    said_of = {name: said(about[name], shape) if about[name] else shape for name, shape in settings.items()}
    return {"type": "object", "properties": said_of, "additionalProperties": False}


def _option(words: Vocabulary) -> Json:
    """What may be answered: names of the game to choose from, or any words, such as a player or a label."""
    if words.world is None:
        return TEXT
    enumerated = [word for words_of in words.world.words.values() for word in words_of]
    names = [*words.world.actions, *words.definitions(), *enumerated, PASS]
    return either(one_of(list(dict.fromkeys(sorted(names)))), TEXT)


def _given(words: Vocabulary) -> Json:
    made: Json = {"type": "object", "properties": {"players": _PLAYERS}, "required": ["players"]}
    world = words.world
    if world is None:
        return made
    of_table = {name: _lying(words, one) for name, one in world.places.items() if one.owner == "table"}
    of_table |= {name: _VALUE for name, one in world.memories.items() if one.owner == "table"}
    owned = {name: _lying(words, one) for name, one in world.places.items() if one.owner != "table"}
    owned |= {name: _VALUE for name, one in world.memories.items() if one.owner != "table"}
    owned |= {name: _VALUE for name in world.states if name not in owned}
    made["properties"] |= of_table
    made["patternProperties"] = {rf"^.+\.{name}$": shape for name, shape in owned.items()}
    return made | {"additionalProperties": False}


def _lying(words: Vocabulary, place: PlaceInfo) -> Json:
    """Cards of a place, or how many pieces."""
    if place.kept == "pool":
        return {"type": "integer", "minimum": 0}
    cards = words.definitions(place.holds)
    names = [*cards, "none"] if place.kept in ("grid", "slot") else cards
    one = either(one_of(names), _FACE)
    if place.kept == "slot":
        return either(one, {"type": "array", "items": one, "maxItems": 1})
    return either(one, {"type": "array", "items": either(one, {"type": "array", "items": one})}, {"type": "null"})
