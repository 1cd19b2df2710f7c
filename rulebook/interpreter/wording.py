"""Values as people and programs outside read them: in words, as the key of an option, as plain JSON.

A *sort* is "number", "amount", "yes_no", "text", "word ENUMERATION", "player", "card", "action", "object" (a card or
an action), "cell", "place", "label", "list of …", "… by good" and "… by player" (a table, whose words are those of a
list, or the seats) or "any" (told by what the value is).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from sys import intern
from typing import Any

from rulebook.interpreter.layout import PlaceSlot
from rulebook.interpreter.program import Program, Source
from rulebook.plurals import singular, word_amount

Names = Sequence[str]

UNKNOWN = "?"
"""The word for a card of which one may not know what it is."""
NOTHING = "nothing"
"""The word for a thing that is not there."""


def word_value(program: Program, names: Names, value: Any, sort: str) -> str:
    """A value in words: `500 CU`, `Ana`, `the red one and Ben`."""
    if value is None:
        return NOTHING
    if isinstance(value, bool):
        return "yes" if value else "no"
    if is_table(sort):
        item, keys = split_table(program, names, sort)
        entries = zip(keys.values(), value, strict=True)
        return word_table([(of, entry, word_value(program, names, entry, item)) for of, entry in entries], sort)
    if sort.startswith("list of "):
        of = sort.removeprefix("list of ")
        return join_texts([word_value(program, names, member, of) for member in value]) if value else NOTHING
    if isinstance(value, str):
        return _word_listed(program, value, sort)
    if isinstance(value, tuple) and sort != "cell":
        return join_texts([word_value(program, names, member, sort) for member in value]) if value else NOTHING
    if sort == "player":
        return str(names[value])
    if sort in ("card", "action", "object"):
        return str(program.names[value])
    if sort == "place":
        return place_key(program, names, program.layout.places[value])
    if sort == "cell":
        return cell_key(program, names, value)
    return word_amount(value, program.units) if sort == "amount" else str(value)


def make_key(program: Program, names: Names, value: Any, sort: str) -> str:
    """The key of an option: `card:pearls`, `player:Ana`, `number:4`, `amount:500`."""
    value = make_plain(program, names, value, sort)
    if sort == "object":
        return f"{'action' if value in program.actions else 'card'}:{value}"
    if sort.startswith("list of "):
        return f"list:{'+'.join(str(member) for member in value)}"
    if isinstance(value, bool):
        return f"word:{'yes' if value else 'no'}"
    if isinstance(value, str) and sort not in ("card", "player", "action", "place", "cell", "label"):
        return f"word:{value}"
    return f"{'number' if sort == 'any' else sort}:{value}"


def key_option(program: Program, names: Names, source: Source, value: Any) -> str:
    """The key of an option wherever it is offered: as `make_key`, and a label as it is written in the rules."""
    if source.sort == "label":
        return f"label:{source.written[value]}"
    return make_key(program, names, value, source.sort)


def make_plain(program: Program, names: Names, value: Any, sort: str) -> Any:
    """A value that JSON can hold and that means the same outside the machine."""
    if value is None or isinstance(value, bool | str):
        return value
    if is_table(sort):
        item, keys = split_table(program, names, sort)
        return {of: make_plain(program, names, entry, item) for of, entry in zip(keys, value, strict=True)}
    if sort.startswith("list of "):
        return [make_plain(program, names, member, sort.removeprefix("list of ")) for member in value]
    if sort == "player":
        return names[value]
    if sort in ("card", "action", "object"):
        return program.definition[value] if value < program.cards else program.actions[value - program.cards]
    if sort == "place":
        return place_key(program, names, program.layout.places[value])
    if sort == "cell":
        return cell_key(program, names, value)
    return [make_plain(program, names, member, sort) for member in value] if isinstance(value, tuple) else value


def is_table(sort: str) -> bool:
    """Tell whether values of this sort are tables."""
    return " by " in sort


def is_of_cards(sort: str) -> bool:
    """Tell whether numbers in values of this sort are cards."""
    item = sort.rpartition(" by ")[0] if is_table(sort) else sort.removeprefix("list of ")
    return item in ("card", "object")


def has_range(sort: str) -> bool:
    """Tell whether what is declared of a value of this sort is the range of its numbers."""
    return sort.partition(" by ")[0] == "number"


def split_table(program: Program, names: Names, sort: str) -> tuple[str, dict[str, str]]:
    """The sort of the entries of a table, and its keys, each with its words."""
    item, _, key = sort.rpartition(" by ")
    return item, {name: name for name in names} if key == "player" else program.words[key]


def word_table(entries: Iterable[tuple[str, Any, str]], sort: str) -> str:
    """A table in words, `2 wood, 1 stone`, `Ana: 3`, from what each entry is for, its value, and that in words; what is
    0, no or nothing is left out.
    """
    item, _, key = sort.rpartition(" by ")
    empty = (None,) if item not in ("number", "amount", "yes_no") else (None, 0)
    told = [(of, words) for of, value, words in entries if value not in empty]
    counts = item == "number" and key != "player"
    named = [f"{words} {singular(of) if words == '1' else of}" if counts else f"{of}: {words}" for of, words in told]
    return ", ".join(named) or NOTHING


def place_key(program: Program, names: Names, place: PlaceSlot) -> str:
    """`deck`, `Ana.hand`, or `boat.hold` for a place that belongs to a card."""
    if place.owner is None:
        return place.name
    owner = names[place.owner] if place.owned_by == "player" else program.definition[place.owner]
    return intern(f"{owner}.{place.name}")  # events hold very many of them


def cell_key(program: Program, names: Names, cell: tuple[int, int]) -> str:
    """`board.3`: positions are counted from 1."""
    return f"{place_key(program, names, program.layout.places[cell[0]])}.{cell[1] + 1}"


def name_position(position: int, columns: int) -> str:
    """Name a position (from 0, row by row) of a grid: its column as a letter and its row, as in `c2`."""
    row, column = divmod(position, columns)
    return f"{name_column(column)}{row + 1}"


def name_column(column: int) -> str:
    """A column as letters: `a` to `z`, then `aa`."""
    before, last = divmod(column, 26)
    return (name_column(before - 1) if before else "") + chr(ord("a") + last)


def _word_listed(program: Program, value: str, sort: str) -> str:
    if sort.startswith("word "):
        return program.words.get(sort.removeprefix("word "), {}).get(value, value)
    if sort == "any":
        return next((words[value] for words in program.words.values() if value in words), value)
    return value


def join_texts(texts: Sequence[str]) -> str:
    """`a`, `a and b`, `a, b and c`."""
    return " and ".join([", ".join(texts[:-1]), texts[-1]] if len(texts) > 2 else texts)
