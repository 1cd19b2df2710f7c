"""The JSON Schema of a rulebook's file: its sections, and the records in them."""

from __future__ import annotations

from rulebook.authoring.cards import card
from rulebook.authoring.shapes import (
    ANYTHING,
    BODY,
    NAME,
    NULL,
    SIGNATURE,
    TEXT,
    YES_NO,
    Json,
    either,
    map_of,
    one_of,
    record,
    several,
    whole,
)
from rulebook.authoring.vocabulary import Vocabulary
from rulebook.dsl import schema
from rulebook.dsl.structuring import forms
from rulebook.dsl.structuring.declarations import MIXED
from rulebook.dsl.structuring.leaves import FORMAT, MOST_PLAYERS
from rulebook.dsl.structuring.misfits import PAYOFF

_UNIT: Json = {"pattern": whole(MIXED.pattern)}
_FIRST = ("format", "name", "players")


def rulebook(words: Vocabulary) -> Json:
    """A file of a rulebook. One that says one of the first lines is the one with all of them."""
    made = record(schema.Document, _sections(words))
    del made["required"]
    return made | {"dependencies": {one: [other for other in _FIRST if other != one] for one in _FIRST}}


def definitions(words: Vocabulary) -> Json:
    """What the sections refer to, by name."""
    looked_at = _looked_at(words)
    place = record(schema.Place, _place(words) | looked_at | {"seen_by": words.switched(one_of(forms.SEEN_BY))})
    box = record(schema.Box, looked_at | {"seen_by": words.switched(one_of(forms.BOX_SEEN_BY))})
    of_memory = {"type": words.type(), "default": ANYTHING, "lasts": words.stage()}
    memory = record(forms.Remembered, of_memory | {"seen_by": one_of(_without_top())})
    # A state that only its owner sees would be a memory.
    state = record(forms.Changing, of_memory | {"seen_by": one_of(_without_top()), "seen": one_of(forms.SEEN)})
    return {
        "by_option": words.by_option(),
        "option": record(schema.Option, {"type": words.type("steps"), "default": ANYTHING, "text": TEXT}),
        "attribute": either(words.type(), words.start(lists=False), _in_full(words.type())),
        "question": either(words.type("conditions"), _in_full(words.type("conditions"))),
        "state": either(words.type(), words.start(lists=True), state),
        "memory": either(words.type(), words.start(lists=True), memory),
        "place": place,
        "box": box,
        "kind": record(schema.Kind, _kind(words)),
        "card": card(words),
        "action": record(schema.Action, _action(words)),
    }


def _ref(name: str) -> Json:
    return {"$ref": f"#/definitions/{name}"}


def _without_top() -> dict[str, str]:
    return {word: means for word, means in forms.SEEN_BY.items() if word != "top"}


def _in_full(type: Json) -> Json:
    return record(forms.Has, {"type": type, "default": ANYTHING})


def _sections(words: Vocabulary) -> dict[str, Json]:
    bare = {"type": "array", "items": TEXT, "minItems": 1}
    word_list = either(bare, {"type": "object", "additionalProperties": TEXT})
    seats = rf"[1-{MOST_PLAYERS}] ?\.\. ?[1-{MOST_PLAYERS}]"
    of_table = map_of(_ref("place"), NAME) | {"properties": {forms.BOX: _ref("box")}}
    places = record(schema.Places, {"table": of_table, "player": map_of(_ref("place"), NAME)})
    memory = record(schema.Memory, {side: map_of(_ref("memory"), NAME) for side in ("table", "player")})
    return {
        "format": {"const": FORMAT},
        "name": TEXT,
        "players": {"type": "string", "pattern": whole(seats)},
        "units": map_of({"type": "integer", "minimum": 1}, _UNIT),
        "words": map_of(word_list, NAME),
        "options": map_of(_ref("option"), NAME),
        "forbid": map_of(TEXT),
        "kinds": map_of(_ref("kind"), NAME),
        "places": places,
        "memory": memory,
        "cards": map_of(_ref("card"), NAME),
        "values": map_of(BODY, SIGNATURE),
        "rules": map_of(TEXT, SIGNATURE),
        "actions": map_of(_ref("action"), NAME),
        "phrases": map_of(TEXT, NAME),
        "result": _result(),
        "measures": map_of(TEXT),
        "display": _display(),
    }


def _result() -> Json:
    made = record(schema.Result, {"rank": TEXT, "payoff": BODY, "zero_sum": YES_NO})
    # Its parameter may have any name.
    return made | {"patternProperties": {r"^payoff\(": made["properties"].pop(PAYOFF)}}


def _display() -> Json:
    names = either(TEXT, {"type": "array", "items": TEXT})
    looks = {"aim": TEXT, "titles": map_of(TEXT, NAME), "order": names, "sort": map_of(names, NAME), "hidden": names}
    looks["colours"] = map_of(one_of(schema.COLOURS), NAME)
    return record(schema.Display, looks)


def _place(words: Vocabulary) -> dict[str, Json]:
    return {
        "holds": several(words.kind()),
        "kept": one_of(forms.KEPT),
        "size": {"type": "array", "items": TEXT, "minItems": 2, "maxItems": 2},
        "refill": words.table_place(),
    }


def _looked_at(words: Vocabulary) -> dict[str, Json]:
    return {
        "recall": words.switched(YES_NO),
        "counted": words.switched(one_of(["owner", "everyone"])),
        "opened_at_end": words.switched(YES_NO),
    }


def _kind(words: Vocabulary) -> dict[str, Json]:
    return {
        "parent": words.kind(),
        "has": map_of(_ref("attribute"), NAME),
        "state": map_of(_ref("state"), NAME),
        "places": map_of(_ref("place"), NAME),
        "asks": map_of(_ref("question"), SIGNATURE),
        "does": map_of(NULL, SIGNATURE),
        "may_do": map_of(NULL, SIGNATURE),
        "may_change": words.changes(),
        "back": several(words.attribute()),
        "comes_with": map_of(words.kind(), NAME),
        "text": words.switched(TEXT),
    }


def _action(words: Vocabulary) -> dict[str, Json]:
    return {
        "effect": TEXT,
        "name": words.switched(TEXT),
        "text": words.switched(TEXT),
        "possible": BODY,
    }
