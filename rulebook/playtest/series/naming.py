"""The names that people read of cards, options, roles and conditions."""

from __future__ import annotations

import re
from collections.abc import Sequence

from rulebook.interpreter.decisions import PASS
from rulebook.interpreter.program import Program
from rulebook.interpreter.wording import word_value

UNNAMED = {
    "number": "a number",
    "amount": "an amount",
    "player": "a player",
    "place": "a place",
    "cell": "a position",
    "list": "several together",
}
"""Sorts of options that no rule names one by one, as keys begin, and in words."""


def kinds_of(program: Program) -> dict[str, str]:
    """The kind of each card, by its id."""
    return dict(zip(program.definition, program.kind, strict=True))


def option_name(program: Program, key: str) -> str:
    """The name of what a key stands for: `card:pearls`, `action:buy`, `word:euro`, `label:Keep it`, `amount:500`."""
    sort, _, id = key.partition(":")
    if key == PASS:
        return "Pass"
    if sort == "card":
        return program.definitions.get(id, id)
    if sort == "action" and id in program.actions:
        return program.names[program.cards + program.actions.index(id)]
    if sort == "word":
        return next((words[id] for words in program.words.values() if id in words), id)
    if sort == "list":
        return " + ".join(program.definitions.get(one, one) for one in id.split("+"))
    if sort == "amount":
        return word_value(program, (), int(id), sort)
    # A label as it stands in the rules has in braces what differs from time to time.
    return re.sub(r"\{[^{}]*\}", "…", id)


def grouped(program: Program, key: str) -> tuple[str, str]:
    """Return the group that an option is counted with, and the group's name: cards of one kind, numbers, players.

    What the rules name stands by itself, with no name of a group.
    """
    sort, _, id = key.partition(":")
    kind = kinds_of(program).get(id, "") if sort == "card" else ""
    if kind:
        return f"kind:{kind}", program.looks.called(kind)
    return (f"sort:{sort}", UNNAMED[sort]) if sort in UNNAMED else (key, "")


def tell_apart(program: Program, ids: Sequence[str], names: Sequence[str] | None = None) -> list[str]:
    """Return the names of cards, or those given; with the kind behind a name that cards of several kinds have."""
    kinds = kinds_of(program)
    called = [program.definitions[id] for id in ids] if names is None else names
    together: dict[str, set[str]] = {}
    for id, name in zip(ids, called, strict=True):
        together.setdefault(name, set()).add(kinds.get(id, ""))
    return [
        f"{name} ({program.looks.called(kinds[id])})" if id in kinds and len(together[name]) > 1 else name
        for id, name in zip(ids, called, strict=True)
    ]


def role_name(program: Program, where: str, id: str) -> str:
    """The name of what lies in a slot, or stands in a memory."""
    memory = program.layout.player_memory.get(where)
    words = program.words.get(memory.sort.removeprefix("word "), {}) if memory is not None else {}
    return words.get(id) or program.definitions.get(id, id)


def conditions_of(program: Program, id: str, question: str) -> tuple[str, ...]:
    """The names of the conditions on which a card answers yes; none if it has no such conditions."""
    found = program.asks[question][program.definition.index(id)]
    return () if found is None else tuple(name for name, _ in program.lowering.lower_lines(found.name))
