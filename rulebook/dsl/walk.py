"""Walks over the IR that need not know its classes: a new sentence or expression is found by its fields.

In: IR. Out: what stands inside it. Never: an answer that depends on the class of a node.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, TypeGuard

from attrs import fields

from rulebook.dsl import ir


def is_expression(node: object) -> TypeGuard[ir.Expr]:
    """Whether it is any expression."""
    return isinstance(node, ir.Node)


def children(node: Any) -> Iterator[ir.Expr]:
    """The expressions directly inside one, whatever its class: found by its fields."""
    for one in fields(type(node)):
        value = getattr(node, one.name)
        for item in value if isinstance(value, tuple) else (value,):
            if is_expression(item):
                yield item
            elif isinstance(item, ir.Key):
                yield item.value
            elif isinstance(item, tuple):
                yield from filter(is_expression, item)


def statements(block: ir.Block) -> Iterator[ir.Statement]:
    """Every statement of a block, also those in the blocks of others."""
    for one in block:
        yield one
        for each in fields(type(one)):
            yield from _inside(getattr(one, each.name))


def _inside(value: Any) -> Iterator[ir.Statement]:
    if isinstance(value, tuple):
        if value and isinstance(value[0], ir.Sentence):
            yield from statements(value)
        else:
            for option in value:
                if isinstance(option, ir.Option):
                    yield from statements(option.body)


def parts(record: Any) -> list[tuple[str, Any]]:
    """The records directly inside one, whatever its class, each with the name of the field that holds it.

    Lists and tables are gone through; types and places in files are no parts.
    """
    found: list[tuple[str, Any]] = []
    for name in _fields(type(record)):
        value = getattr(record, name)
        if type(value) not in _PLAIN:
            _gather(name, value, found)
    return found


def everything(*roots: Any) -> Iterator[Any]:
    """These records and all that stands inside them, each before its parts."""
    left = list(reversed(roots))
    while left:
        record = left.pop()
        yield record
        left += [part for _, part in reversed(parts(record))]


def is_record(value: object) -> bool:
    """Whether it is a piece of IR: an expression, a sentence, or a part of one."""
    return type(value).__module__ == ir.__name__


def _fields(cl: type[Any]) -> tuple[str, ...]:
    if cl not in _KNOWN:
        _KNOWN[cl] = tuple(one.name for one in fields(cl) if one.name not in ("type", "at", "guards"))
    return _KNOWN[cl]


_KNOWN: dict[type[Any], tuple[str, ...]] = {}
_PLAIN = frozenset({str, int, bool, type(None)})
"""What most fields hold that hold no record; a walk over a whole game meets them everywhere."""


def _gather(name: str, value: Any, found: list[tuple[str, Any]]) -> None:
    if isinstance(value, tuple | dict):
        for item in value.values() if isinstance(value, dict) else value:
            if type(item) not in _PLAIN:
                _gather(name, item, found)
    elif is_record(value):
        found.append((name, value))
