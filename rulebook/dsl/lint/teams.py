"""Lint: teams of one, and keys of a rank that add up a team by themselves, though that is done for them.

Bad: `result: {team: seat(it), …}`; `rank: most points(it) + points(partner(it))` beside a `team`. Good: `seat(it) % 2`,
and `most points(it)`.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from attrs import fields, has

from rulebook.diagnostics import Diagnostic
from rulebook.dsl import ir
from rulebook.dsl import types as t
from rulebook.dsl.lint.book import Book

_IT = 0
"""The slot of the player of whom a result is asked, and of the first parameter of a value."""


def find_idle_teams(book: Book) -> Iterator[Diagnostic]:
    """Find a `team` that is another for each, and keys in which two members of a team are asked the same."""
    team, home = book.rulebook.result.team, book.homes["result"]
    if team is None:
        return
    if _is_of_one(team) and team.at is not None:
        yield from book.report("RB522", home, team.at)
    for key in book.rulebook.result.rank:
        if _adds_up(_open_value(book.rulebook, key.value)) and key.value.at is not None:
            yield from book.report("RB523", home, key.value.at)


def _is_of_one(team: ir.Expr) -> bool:
    """Tell whether this is surely another answer for each player."""
    match team:
        case ir.Local(slot):
            return slot == _IT
        case ir.BuiltIn("seat", (player,)) | ir.Neighbour(player):
            return _is_of_one(player)
    return False


def _open_value(rulebook: ir.Rulebook, key: ir.Expr) -> ir.Expr:
    """Return what a value adds up that is asked of `it` alone, or the key itself."""
    match key:
        case ir.CallValue(name, (ir.Local(slot),)) if slot == _IT and (called := rulebook.functions.get(name)):
            return called.body if not isinstance(called.body, ir.Conditions | ir.Total | tuple) else key
    return key


def _adds_up(key: object) -> bool:
    """Tell whether one side of a sum is the other one, asked of somebody else."""
    return isinstance(key, ir.Arithmetic) and key.operator == "+" and _of_another(key.left, key.right) == {True}


def _of_another(one: Any, other: Any) -> set[bool]:
    """Compare two expressions: True stands for somebody else in the place of `it`, False for any other difference."""
    if isinstance(one, ir.Local) and one.slot == _IT and one != other and getattr(other, "type", None) == t.PLAYER:
        return {True}
    if isinstance(one, tuple) and isinstance(other, tuple) and len(one) == len(other):
        return set().union(*map(_of_another, one, other))
    if type(one) is type(other) and has(type(one)):
        names = [field.name for field in fields(type(one)) if field.eq]
        return set().union(*(_of_another(getattr(one, name), getattr(other, name)) for name in names))
    return set() if one == other else {False}
