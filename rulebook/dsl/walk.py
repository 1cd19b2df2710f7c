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
