"""Lint: what stands out among its like: a sentence twice in a row, the one `right` of a game that goes to the left.

Bad: `add 1 to me.gold` below `add 1 to me.gold`. Good: `add 2 to me.gold`.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator
from itertools import pairwise
from typing import Any

from attrs import evolve

from rulebook.diagnostics import Diagnostic, Label, diagnose
from rulebook.dsl import ir
from rulebook.dsl.document import At
from rulebook.dsl.lint.book import Book, Home
from rulebook.dsl.walk import blocks, everything, rewrite, statements

_SIDES = {1: "left", -1: "right"}
_SAID = re.compile(r"\"[^\"]*\"|#.*")
_FEW = 3
"""A game that goes so often to one side goes there."""


def find_twice_the_same(book: Book) -> Iterator[Diagnostic]:
    """Report each sentence that does what the one right above it does once more, and each such line of a list."""
    for home in book.homes.values():
        for above, below in _list_neighbours(home):
            one, other = (part.value if isinstance(part, ir.Line) else part for part in (above, below))
            if above.at is not None and below.at is not None and _does_more(below) and _say_the_same(one, other):
                labels = [Label(above.at.span, "the same")]
                what = "line" if isinstance(below, ir.Line) else "sentence"
                yield diagnose("RB527", below.at.span, labels=labels, what=what)


def _list_neighbours(home: Home) -> Iterator[tuple[Any, Any]]:
    """Yield the sentences that stand one below the other, and the lines of a list."""
    match home.root:
        case ir.Function(body=ir.Conditions(lines) | ir.Total(lines)):
            yield from pairwise(lines)
        case ir.Function(body=tuple(body)) | ir.Script(body=body):
            for block in (body, *(block for sentence in statements(body) for block in blocks(sentence))):
                yield from pairwise(block)


def _say_the_same(one: Any, other: Any) -> bool:
    return type(one) is type(other) and (one == other or _number_slots(one) == _number_slots(other))


def _number_slots(part: Any) -> Any:
    """Number what lists go through by where it stands, so that two that say the same are the same."""
    slots = dict.fromkeys(through.slot for through in everything(part) if isinstance(through, ir.Through))
    numbers = {slot: -index for index, slot in enumerate(slots, 1)}
    holds_slot = (ir.Through, ir.Local)
    return rewrite(
        part,
        lambda _, inner: evolve(inner, slot=numbers[inner.slot])
        if isinstance(inner, holds_slot) and inner.slot in numbers
        else inner,
    )


def _does_more(part: Any) -> bool:
    """Tell whether the second of two such parts is not simply in vain, which other lints say."""
    match part:
        case ir.Assign(target, value):
            return ir.find_change(target, value)[0] == target and isinstance(value, ir.Arithmetic | ir.Chain)
        case ir.Moving() | ir.Line():
            return True
    return False


def find_lonely_sides(book: Book) -> Iterator[Diagnostic]:
    """Report the one neighbour on a side in a game that goes to the other one, if no word says that it is meant."""
    found: dict[int, dict[At, Home]] = defaultdict(dict)
    for home in book.homes.values():
        for node in home.of(ir.Neighbour, ir.Pass):
            if node.at is not None:
                found[node.step][node.at] = home
    for side, places in found.items():
        others = found.get(-side, {})
        if len(places) == 1 and len(others) >= _FEW:
            ((at, home),) = places.items()
            if home not in others.values() and not _is_said(_SIDES[side], at, home):
                first = next(iter(others))
                labels = [Label(first.span, "here, for example")]
                there, times = _SIDES[-side], len(others)
                yield diagnose("RB528", at.span, labels=labels, side=_SIDES[side], other=there, times=times)


def _is_said(side: str, at: At, home: Home) -> bool:
    """Tell whether a name, a line, a text in quotes or a comment of the script says the side."""
    names = [home.name, *(line.name for line in home.of(ir.Line))]
    return any(side in words.lower() for words in (*names, *_SAID.findall(at.scalar.text)))
