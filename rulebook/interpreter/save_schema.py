"""The schema of the lines of a save, field by field. Names of files in it are only names, never paths."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Any, TypeGuard

from rulebook.classes import frozen

LONGEST_NAME = 200  # letters of what is a name: a system's names of files have 255 bytes
LONGEST_PATH = 4096
LONGEST_KEY = 20_000  # letters of an answer: a label is a text of the rules
MOST_PICKS = 10_000  # keys of one answer
LARGEST_SEED = 1 << 512

_FILE = re.compile(r"(?:variants/)?(?P<name>[^/]+)\.(?:yaml|csv|tsv|xlsx)", re.IGNORECASE)


class Misfit(ValueError):
    """An object that is no line of a save; a sentence says why. `field` is the one that does not fit, if it is one."""

    def __init__(self, sentence: str, field: str = "") -> None:
        super().__init__(sentence)
        self.field = field


@frozen
class Field:
    """One field: what it may hold, the same in words, and whether every save has it."""

    is_fit: Callable[[Any], bool]
    means: str
    required: bool = False


def check_fields(value: Mapping[str, Any], fields: Mapping[str, Field]) -> None:
    """Raise Misfit for the first field that is missing, is not what it should be, or does not exist."""
    for name, field in fields.items():
        if not (field.is_fit(value[name]) if name in value else not field.required):
            raise Misfit(f"`{name}` is missing or damaged: it is {field.means}.", name)
    for name in value:
        if name not in fields:
            raise Misfit(f"It has a field{f' `{name}`' if is_text(name, 40) else ''} that this program does not know.")


def is_whole(value: object) -> TypeGuard[int]:
    """Tell whether a value is a whole number; Python takes yes and no for numbers too."""
    return isinstance(value, int) and not isinstance(value, bool)


def is_number(value: object) -> TypeGuard[int]:
    """Tell whether a value is a whole number as rules have them."""
    return is_whole(value) and abs(value) < 1 << 63


def is_text(value: object, longest: int = LONGEST_NAME) -> TypeGuard[str]:
    """Tell whether a value is one line of text: nothing in it moves the cursor."""
    return isinstance(value, str) and len(value) <= longest and value.isprintable()


def is_players_name(value: object) -> TypeGuard[str]:
    return is_text(value) and bool(value.strip())


def _is_id(value: object) -> bool:
    """Tell whether it can name a game or a variant: a name of a folder or of a file, never a way to another one."""
    return is_text(value) and value.strip(". ") != "" and not {"/", "\\"} & {*value}


def _is_file(name: str) -> bool:
    match = _FILE.fullmatch(name)
    return match is not None and _is_id(match["name"])


def is_path(value: object) -> TypeGuard[str]:
    """Tell whether a value can say where the rules of a game lay: a place to look at, and never one to write to."""
    return is_text(value, LONGEST_PATH) and value != ""


def _is_rules(value: object) -> bool:
    return (
        isinstance(value, dict) and all(map(_is_file, value)) and all(isinstance(text, str) for text in value.values())
    )


def _is_seats(value: object) -> bool:
    if not isinstance(value, list) or not all(map(is_players_name, value)):
        return False
    return 0 < len(value) == len({*value})


def _is_setting(value: object) -> bool:
    """Tell whether it can set a house rule: a table of steps is a list of pairs, left-out cards are a list of ids."""
    if isinstance(value, list):
        return all(map(is_text, value)) or all(is_list(pair, is_number) and len(pair) == 2 for pair in value)
    return value is None or isinstance(value, bool) or is_number(value) or is_text(value)


def _is_options(value: object) -> bool:
    return isinstance(value, dict) and all(map(is_text, value)) and all(map(_is_setting, value.values()))


def is_list(value: object, of: Callable[[Any], bool]) -> TypeGuard[list[Any]]:
    """Tell whether a value is a list of nothing else than such values."""
    return isinstance(value, list) and all(map(of, value))


def _is_answer(value: object) -> bool:
    return is_list(value, lambda key: isinstance(key, str) and len(key) <= LONGEST_KEY) and len(value) <= MOST_PICKS


HEADER: dict[str, Field] = {
    "format": Field(is_number, "the number of the format", required=True),
    "rulebook": Field(is_text, "the version of the program that wrote it"),
    "game": Field(_is_id, "what the folder of the game is called", required=True),
    "at": Field(lambda value: is_list(value, is_path), "how the game and its variants were named"),
    "rules_hash": Field(is_text, "a fingerprint of the rules", required=True),
    "rules": Field(_is_rules, "the texts of the rules by the names of their files"),
    "seats": Field(_is_seats, "the players' names, no two of them the same", required=True),
    "bots": Field(lambda value: is_list(value, is_text), "the kind of bot in each seat"),
    "options": Field(_is_options, "the house rules by name"),
    "variants": Field(lambda value: is_list(value, _is_id) and len(value) == len({*value}), "the names of variants"),
    "seed": Field(lambda value: is_whole(value) and abs(value) < LARGEST_SEED, "a whole number", required=True),
    "nonce": Field(is_text, "what was sealed with the seed"),
    "given": Field(lambda value: True, "what lay on the table"),
}
"""The first line, in the order in which it is written."""

ENTRY: dict[str, Field] = {
    "seat": Field(
        lambda value: value == "chance" or (is_number(value) and value >= 0), "a number, or chance", required=True
    ),
    "number": Field(lambda value: is_number(value) and value >= 0, "the number of the decision", required=True),
    "answer": Field(_is_answer, "a list of keys", required=True),
    "over": Field(lambda value: isinstance(value, bool), "whether the game is over"),
}
"""Every other line."""
