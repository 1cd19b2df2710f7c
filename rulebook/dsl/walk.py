"""Walks over the IR that need not know its classes: a new sentence or expression is found by its fields."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from functools import cache
from typing import Any, TypeGuard, TypeVar

from attrs import evolve, fields

from rulebook.dsl import ir, watched

_T = TypeVar("_T")

_RECORDS = frozenset(
    var
    for module in (ir, watched)
    for var in vars(module).values()
    if isinstance(var, type) and var.__module__ == module.__name__
)
_PLAIN_WORDS = frozenset({"str", "int", "bool", "float", "None", "tuple", "frozenset", "dict", "Type", "At"})
"""The words of annotations of fields that can hold no record."""


def is_expression(node: object) -> TypeGuard[ir.Expr]:
    """Tell the type checker that a node is one of the expressions there are."""
    return isinstance(node, ir.Node)


def children(node: ir.Expr) -> list[ir.Expr]:
    """The expressions directly inside one, whatever its class: found by its fields."""
    return [part.value if isinstance(part, ir.Key) else part for part in parts(node)]


def statements(block: ir.Block) -> list[ir.Statement]:
    """Every statement of a block, also those in the blocks of others."""
    sentences: list[ir.Statement] = []
    left = list(reversed(block))
    while left:
        statement = left.pop()
        sentences.append(statement)
        below = [inner for block in blocks(statement) for inner in block]
        left += reversed(below)
    return sentences


def blocks(sentence: ir.Statement) -> Iterator[ir.Block]:
    """Yield the blocks directly inside a statement, whatever its class."""
    kind: Any = type(sentence)
    for name in _holding(kind):
        value = getattr(sentence, name)
        if isinstance(value, tuple) and value:
            if isinstance(value[0], ir.Sentence):
                yield value
            elif isinstance(value[0], ir.Option):
                for option in value:
                    yield option.body


def parts(record: Any) -> list[Any]:
    """The records directly inside one, whatever its class.

    Lists and tables are gone through; types and places in files are no parts.
    """
    kind: Any = type(record)
    below: list[Any] = []
    for name in _holding(kind):
        value = getattr(record, name)
        if type(value) in _RECORDS:  # most are: it saves the call
            below.append(value)
        elif value:
            _gather(value, below)
    return below


def everything(*roots: Any) -> list[Any]:
    """These records and all that stands inside them, each before its parts."""
    records: list[Any] = []
    left = list(reversed(roots))
    while left:
        record = left.pop()
        records.append(record)
        left += reversed(parts(record))
    return records


def nodes(value: Any) -> list[Any]:
    """Every record in a value, each before its parts: the value itself, or what stands in its tuples."""
    values: list[Any] = []
    _gather(value, values)
    return everything(*values)


def reach(starts: Iterable[_T], find_next: Callable[[_T], Iterable[_T]]) -> set[_T]:
    """Find these and all that they come to, step by step, however long the way."""
    reached, left = set[_T](), [*starts]
    while left:
        item = left.pop()
        if item not in reached:
            reached.add(item)
            left += find_next(item)
    return reached


def rewrite(value: Any, change: Callable[[Any, Any], Any]) -> Any:
    """A record, or tuple of them, with every record in it changed, the parts of each before it. `change` is given what
    stood there, and the same with changed parts.
    """
    if isinstance(value, tuple):
        return tuple(rewrite(item, change) for item in value)
    if type(value) not in _RECORDS:
        return value
    return change(value, change_fields(value, lambda _, part: rewrite(part, change)))


def unwatch(value: Any) -> Any:
    """A record, or tuple of them, as it is written, with nothing in it that somebody watches."""
    return rewrite(value, lambda _, part: part.value if isinstance(part, watched.Watched) else part)


def change_fields(record: Any, change: Callable[[str, Any], Any]) -> Any:
    """A record with each of its fields that may hold records changed; `change` is given its name and its value."""
    kind: Any = type(record)
    parts = {name: change(name, getattr(record, name)) for name in _holding(kind)}
    return evolve(record, **parts) if parts else record


@cache
def _holding(kind: Any) -> tuple[str, ...]:
    """The fields of a class that may hold records."""
    return tuple(
        field.name
        for field in fields(kind)
        if field.name not in ("type", "at", "guards") and set(re.findall(r"\w+", str(field.type))) - _PLAIN_WORDS
    )


def _gather(value: Any, records: list[Any]) -> None:
    """Add the records in a field's value."""
    if type(value) in _RECORDS:
        records.append(value)
    elif isinstance(value, tuple | dict):
        for item in value.values() if isinstance(value, dict) else value:
            _gather(item, records)
