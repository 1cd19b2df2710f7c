"""In which order cards stand, on the table and among options.

In: a program with its hints for the table. Out: ranks, and asks in their order. Never: reads where a card lies.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Any

from attrs import evolve

from rulebook.interpreter.decisions import PASS, Ask
from rulebook.interpreter.program import Program

Rank = tuple[int, list[tuple[int, Any]], int]
Sort = tuple[str, str]
"""A kind, and the word by which its cards are sorted first; empty where that is no word."""


def in_order(program: Program, ask: Ask) -> Ask:
    """The ask with its cards in the order in which they are shown, where it is of cards alone."""
    cards = {option.key: option.key.removeprefix("card:") for option in ask.options if option.key != PASS}
    ids = {key: re.split(r"[\[@#]", rest)[0] for key, rest in cards.items()}
    known = ranks(program)
    if not program.looks.sort or not all(id in known for id in ids.values()):
        return ask
    last: Rank = (len(program.looks.order) + 1, [], 0)
    return evolve(ask, options=tuple(sorted(ask.options, key=lambda one: known.get(ids.get(one.key, ""), last))))


@lru_cache(maxsize=8)
def ranks(program: Program) -> dict[str, Rank]:
    """Where each definition stands among others: by kind, then by what is printed on it, then as in the rulebook."""
    looks = program.looks
    found: dict[str, Rank] = {}
    for at, definition in enumerate(program.definitions):
        copy = program.definition.index(definition) if definition in program.definition else None
        kind = "" if copy is None else program.kind[copy]
        by = [] if copy is None else [program.attributes[name][copy] for name in looks.sorted_by(kind)]
        found[definition] = looks.place_of(kind), [_sortable(program, value) for value in by], at
    return found


def _sortable(program: Program, value: Any) -> tuple[int, Any]:
    """A printed value among others: words in the order in which the rulebook lists them; nothing comes last."""
    if isinstance(value, str):
        at = next((list(words).index(value) for words in program.words.values() if value in words), len(value))
        return 0, at
    return (0, value) if isinstance(value, int) else (1, 0)


def sort_of(program: Program, definition: str) -> Sort:
    """What a card stands together with: its kind, and its suit or the like."""
    if definition not in program.definition:
        return "", ""
    copy = program.definition.index(definition)
    kind = program.kind[copy]
    by = program.looks.sorted_by(kind)[:1]
    value = program.attributes[by[0]][copy] if by else None
    return kind, value if isinstance(value, str) else ""
