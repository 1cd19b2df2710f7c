"""Lint: names that say the most or the least of something, for the other one.

Bad: `let high = min(bids, 0)`. Good: `let high = max(bids, 0)`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from rulebook.diagnostics import Diagnostic
from rulebook.dsl import ir
from rulebook.dsl import types as t
from rulebook.dsl.lint.book import Book, Home

_MOST = frozenset(
    ("highest", "most", "largest", "greatest", "biggest", "richest", "strongest", "longest", "maximum", "high", "best")
)
_LEAST = frozenset(
    ("lowest", "least", "fewest", "smallest", "poorest", "weakest", "shortest", "cheapest", "minimum", "low", "worst")
)
_BY_RANK = frozenset({"best", "worst"})
"""Words that mean the least or the most by what the result ranks first."""


def find_other_extremes(book: Book) -> Iterator[Diagnostic]:
    """Report each value, memory, line and `let` whose name says another extreme than what it is."""
    rank = book.rulebook.result.rank
    unclear = frozenset() if not rank or rank[0].most else _BY_RANK
    for home in book.homes.values():
        for name, value in _list_named(home):
            words = frozenset(re.findall("[a-z]+", name.lower()))
            is_most = _is_most(value)
            said = words & (_LEAST if is_most else _MOST)
            if is_most is not None and said and not words & ((_MOST if is_most else _LEAST) | unclear):
                is_so = "most" if is_most else "least"
                yield from book.report("RB802", home, value.at, said=min(said), so=is_so)


def _list_named(home: Home) -> Iterator[tuple[str, ir.Expr]]:
    match home.root:
        case ir.Function(name, body=ir.Node() as body):
            yield name.rpartition(".")[2], body
    for record in home.of(ir.Let, ir.Assign, ir.Line):
        match record:
            case ir.Let(slot, value):
                yield home.slots.names[slot], value
            case ir.Assign(target, value):
                yield target.name, value
            case ir.Line(name, value):
                yield name, value


def _is_most(value: ir.Expr) -> bool | None:
    """Tell whether a value is the most or the least of a list; None if it is neither, as a bound is."""
    match value:
        case ir.BuiltIn("max" | "min" as name, (listed, *_)) if isinstance(listed.type, t.ListOf):
            return name == "max"
        case ir.BuiltIn("max" | "min", (inner, ir.Const()) | (ir.Const(), inner)):
            return _is_most(inner)
        case ir.BuiltIn("first" | "last" as name, (ir.Sorted(keys=(key, *_)), *_)):
            return key.most == (name == "first")
        case ir.BuiltIn("first" | "last", (inner, *_)) | ir.Filter(inner):
            return _is_most(inner)
        case ir.Best(keys=(key, *_)):
            return key.most
    return None
