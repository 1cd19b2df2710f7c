"""Walks over the IR that need not know its classes: a new sentence or expression is found by its fields.

In: IR. Out: what stands inside it. Never: an answer that depends on the class of a node.

Every pass goes through the whole game, so what the fields of a class may hold is found out once for each class.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from functools import cache
from operator import attrgetter
from typing import Any, TypeGuard

from attrs import fields

from rulebook.dsl import ir

_RECORDS = frozenset(one for one in vars(ir).values() if isinstance(one, type) and one.__module__ == ir.__name__)
_PLAIN = frozenset({str, int, bool, type(None), frozenset})
"""What most fields hold that hold no record."""
_PLAIN_WORDS = frozenset({"str", "int", "bool", "float", "None", "tuple", "frozenset", "dict", "Type", "At"})
"""How the types of fields are written in which no record can be."""


def is_expression(node: object) -> TypeGuard[ir.Expr]:
    """Whether it is any expression."""
    return isinstance(node, ir.Node)


def children(node: Any) -> Sequence[ir.Expr]:
    """The expressions directly inside one, whatever its class: found by its fields."""
    kind: Any = type(node)
    of_expressions, of_others = _expressions(kind)
    if not of_others:
        return of_expressions(node)
    found: list[Any] = []
    for value in held(node):
        if isinstance(value, ir.Node):
            found.append(value)
        elif isinstance(value, tuple):
            for item in value:
                if isinstance(item, ir.Node):
                    found.append(item)
                elif isinstance(item, ir.Key):
                    found.append(item.value)
                elif isinstance(item, tuple):
                    found += filter(is_expression, item)
    return found


def statements(block: ir.Block) -> list[ir.Statement]:
    """Every statement of a block, also those in the blocks of others."""
    found: list[ir.Statement] = []
    left = list(reversed(block))
    while left:
        one = left.pop()
        found.append(one)
        below = [inner for block in blocks(one) for inner in block]
        left += reversed(below)
    return found


def blocks(sentence: ir.Statement) -> Iterator[ir.Block]:
    """Yield the blocks directly inside a statement, whatever its class."""
    for value in held(sentence):
        if isinstance(value, tuple) and value:
            if isinstance(value[0], ir.Sentence):
                yield value
            elif isinstance(value[0], ir.Option):
                for option in value:
                    yield option.body


def parts(record: Any) -> list[tuple[str, Any]]:
    """The records directly inside one, whatever its class, each with the name of the field that holds it.

    Lists and tables are gone through; types and places in files are no parts.
    """
    found: list[tuple[str, Any]] = []
    for name in _HOLDING[type(record)][0]:
        value = getattr(record, name)
        if type(value) not in _PLAIN:
            inside: list[Any] = []
            _gather(value, inside)
            found += [(name, one) for one in inside]
    return found


def everything(*roots: Any) -> list[Any]:
    """These records and all that stands inside them, each before its parts."""
    found: list[Any] = []
    left = list(reversed(roots))
    while left:
        record = left.pop()
        found.append(record)
        names, held = _HOLDING[type(record)]
        if names:
            for value in reversed(held(record)):
                kind = type(value)
                if kind in _RECORDS:
                    left.append(value)
                elif kind not in _PLAIN and value:
                    _stack(value, left)
    return found


def nodes(value: Any) -> list[Any]:
    """Every record in a value, each before its parts: the value itself, or what stands in its tuples."""
    found: list[Any] = []
    _gather(value, found)
    return everything(*found)


def held(record: Any) -> tuple[Any, ...]:
    """The values of all fields that may hold records."""
    return _HOLDING[type(record)][1](record)


class _Holding(dict[Any, tuple[tuple[str, ...], Callable[[Any], tuple[Any, ...]]]]):
    """By class, the fields that may hold records, and what gets their values."""

    def __missing__(self, kind: Any) -> tuple[tuple[str, ...], Callable[[Any], tuple[Any, ...]]]:
        names = tuple(
            one.name
            for one in fields(kind)
            if one.name not in ("type", "at", "guards") and set(re.findall(r"\w+", str(one.type))) - _PLAIN_WORDS
        )
        self[kind] = names, _getting(names)
        return self[kind]


_HOLDING = _Holding()


def _getting(names: tuple[str, ...]) -> Callable[[Any], tuple[Any, ...]]:
    if len(names) > 1:
        return attrgetter(*names)
    if names:
        only = attrgetter(*names)
        return lambda record: (only(record),)
    return lambda record: ()


@cache
def _expressions(kind: Any) -> tuple[Callable[[Any], tuple[ir.Expr, ...]], bool]:
    """What gets the expressions of a class, and whether there is anything else in it; most classes have no more."""
    types = {one.name: one.type for one in fields(kind)}
    names, held = _HOLDING[kind]
    return held, any(types[name] != "Expr" for name in names)


def _gather(value: Any, found: list[Any]) -> None:
    """Adds the records in a field's value."""
    inside: list[Any] = []
    _stack(value, inside)
    found += reversed(inside)


def _stack(value: Any, left: list[Any]) -> None:
    """Puts the records in a field's value on a stack, the first one on top."""
    kind = type(value)
    if kind in _RECORDS:
        left.append(value)
    elif kind is tuple or kind is dict:
        for item in reversed(value if kind is tuple else value.values()):
            if type(item) in _RECORDS:
                left.append(item)
            elif type(item) not in _PLAIN:
                _stack(item, left)
