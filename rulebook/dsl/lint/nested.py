"""Lint: a condition that asks the same of each of a list, as its `it` is that of another list inside of it.

Bad: `players where count(players where vote is it) > 1`. Good: `p for p in players where
count(players where vote is p) > 1`.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from rulebook.diagnostics import Diagnostic
from rulebook.dsl import ir
from rulebook.dsl import types as t
from rulebook.dsl.lint.book import Book, words
from rulebook.dsl.walk import everything


def find_nested(book: Book) -> Iterator[Diagnostic]:
    """Every condition or order about a list that says nothing of its members, but goes through another of the same."""
    for home in book.homes.values():
        for outer in home.of(ir.Filter, ir.Ordering):
            asked = [outer.condition] if isinstance(outer, ir.Filter) else [key.value for key in outer.keys]
            inside = everything(*asked)
            says = any(isinstance(node, ir.Local) and node.slot == outer.slot for node in inside)
            if not says and any(_is_like(outer, inner) for inner in inside):
                yield from book.report("RB526", home, asked[0].at, list=words(outer.list))


def _is_like(outer: ir.Through, inner: Any) -> bool:
    """Tell whether one of the inner list could be taken for one of the outer list."""
    if not isinstance(inner, ir.Filter | ir.Ordering):
        return False
    one, other = outer.list.type, inner.list.type
    return isinstance(one, t.ListOf) and (t.fits(one, other) or t.fits(other, one))
