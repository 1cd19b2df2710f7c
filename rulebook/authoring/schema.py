"""The JSON Schema (draft 7) of every file of a game: of its rulebook, its variants, and its scenarios.

One schema serves all files, because only one line has to be right then: a file with `scenarios` is a file of scenarios,
one with `variant` is a variant, any other a part of the rulebook. What a variant makes is not known here, so the shape
of a new thing, or of a scenario of variants, is also that of such a thing in any game.
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

from rulebook.authoring import scenarios, sections, variants
from rulebook.authoring.shapes import DEFINITIONS, NEW, Json
from rulebook.authoring.vocabulary import Vocabulary
from rulebook.dsl.world import World
from rulebook.printing import dump_json

FOLDER = ".rulebook"
"""In a game's folder: what is made from the game, and is no part of it."""
_DRAFT = "http://json-schema.org/draft-07/schema#"


def schema(world: World | None = None) -> Json:
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
        "then": {"$ref": "#/definitions/scenario_file"},
        "else": {
            "if": {"required": ["variant"]},
            "then": {"$ref": "#/definitions/variant_file"},
            "else": {"$ref": "#/definitions/rulebook_file"},
        },
        "definitions": {
            "variant_file": variants.file(words),
            "rulebook_file": sections.rulebook(words),
            "scenario_file": scenarios.file(),
            **_things(words),
            **{f"{NEW}{name}": _anew(shape) for name, shape in _things(Vocabulary(None)).items()},
        },
    }


def _things(words: Vocabulary) -> Json:
    """What the shapes of files refer to, by name."""
    return {"scenario": scenarios.scenario(words), **sections.definitions(words)}


def _anew(shape: Any) -> Any:
    """The same, of things that a variant may have made: they refer to such things too."""
    if isinstance(shape, list):
        return [_anew(one) for one in shape]
    if not isinstance(shape, dict):
        return shape
    return {
        key: f"{DEFINITIONS}{NEW}{one.removeprefix(DEFINITIONS)}" if key == "$ref" else _anew(one)
        for key, one in shape.items()
    }


def text(made: Json) -> str:
    return dump_json(made, indent=1) + "\n"


def beside(game: Path) -> Path:
    """Where the schema of a game lies."""
    return game / FOLDER / "schema.json"


def modeline(file: Path, schema: Path) -> str:
    """The first line of a file that tells editors which schema it follows."""
    way = Path(os.path.relpath(schema.resolve(), file.resolve().parent)).as_posix()
    return f"# yaml-language-server: $schema={way}"
