"""The names that people read of cards, options, roles and conditions.

In: a program, keys as records have them. Out: texts.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from rulebook.interpreter.program import Program

__all__ = ["conditions_of", "kinds_of", "option_name", "role_name", "told_apart"]


def kinds_of(program: Program) -> dict[str, str]:
    """The kind of each card, by its id."""
    return dict(zip(program.definition, program.kind, strict=True))


def option_name(program: Program, key: str) -> str:
    """The name of what a key stands for: `card:pearls`, `action:buy`, `word:euro`, `label:Keep it`."""
    sort, _, id = key.partition(":")
    if sort == "card":
        return program.definitions.get(id, id)
    if sort == "action" and id in program.actions:
        return program.names[program.cards + program.actions.index(id)]
    if sort == "word":
        return next((words[id] for words in program.words.values() if id in words), id)
    return id


def told_apart(program: Program, rows: Iterable[tuple[str, dict[str, Any]]]) -> list[dict[str, Any]]:
    """Rows about cards, given by their ids; where cards of several kinds have one name, with the kind behind it."""
    kinds = kinds_of(program)
    found = list(rows)
    together: dict[str, set[str]] = {}
    for id, row in found:
        together.setdefault(row["name"], set()).add(kinds.get(id, ""))
    return [
        row | {"name": f"{row['name']} ({program.looks.called(kinds[id])})"}
        if id in kinds and len(together[row["name"]]) > 1
        else row
        for id, row in found
    ]


def role_name(program: Program, where: str, id: str) -> str:
    """The name of what lies in a slot, or stands in a memory."""
    memory = program.layout.player_memory.get(where)
    words = program.words.get(memory.sort.removeprefix("word "), {}) if memory is not None else {}
    return words.get(id) or program.definitions.get(id, id)


def conditions_of(program: Program, id: str, question: str) -> tuple[str, ...]:
    """The names of the conditions on which a card answers yes; none if it has no such conditions."""
    found = program.asks[question][program.definition.index(id)]
    return () if found is None else tuple(name for name, _ in program.lowering.lines(found.name))
