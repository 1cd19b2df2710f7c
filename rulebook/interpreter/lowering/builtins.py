"""The questions that are built into the language, one function each.

In: the formulas of the arguments and their types. Out: a `Formula`. Never: anything that a rulebook could say itself;
a list or a number far beyond any table, though within what a computer bears.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import cache, lru_cache
from typing import Any

from rulebook.dsl import types as t
from rulebook.dsl.ir import MOST_LISTED, MOST_VALUE
from rulebook.interpreter.decisions import RuleError
from rulebook.interpreter.layout import WHERE, PlaceSlot
from rulebook.interpreter.ops import Env, Formula
from rulebook.interpreter.run import NotThere, Run
from rulebook.interpreter.state import count_in, position

Types = tuple[t.Type, ...]


def listed(found: tuple[Any, ...] | range) -> tuple[Any, ...]:
    """A list, if it is not too long."""
    if len(found) > MOST_LISTED:
        raise RuleError(f"This makes a list of more than {MOST_LISTED:,} things.")
    return tuple(found)


def bounded(number: Any) -> Any:
    """What was reckoned, if it is not too large."""
    if not -MOST_VALUE < number < MOST_VALUE:
        raise RuleError("This makes a number of more than 15 digits.")
    return number


def built_in(name: str, arguments: tuple[Formula, ...], types: Types) -> Formula:
    """The formula of a call of a built-in question."""
    answer = BUILT_INS[name]

    def asked(run: Run, env: Env) -> Any:
        values = [argument(run, env) for argument in arguments]
        if values[0] is None:
            raise NotThere
        return answer(run, types, *values)

    return asked


def card_at(run: Run, cell: tuple[int, int]) -> int | None:
    """The card at a position, or nothing."""
    place = run.layout.places[cell[0]]
    contents = run.state[place.slot]
    if cell[1] >= len(contents) or (place.kept == "grid" and contents[cell[1]] == run.layout.empty):
        return None
    card: int = contents[cell[1]]
    return card


# ── lists ────────────────────────────────────────────────────────────────────────────────────────


def _sum(run: Run, types: Types, several: Any) -> Any:
    if None in several:
        raise NotThere
    return bounded(sum(several))


def _count(run: Run, types: Types, several: Any) -> Any:
    if isinstance(several, int):
        return count_in(run.layout, run.state, run.layout.places[several])
    if isinstance(types[0], t.PerPlayer):
        return sum(one is not None for one in several)
    return len(several)


def _extreme(of: Callable[[Iterable[Any]], Any]) -> Callable[..., Any]:
    def extreme(run: Run, types: Types, first: Any, *rest: Any) -> Any:
        if isinstance(first, tuple):
            there = [one for one in first if one is not None]
            return of(there) if there else rest[0] if rest else None
        return of((first, *rest)) if None not in rest else None

    return extreme


def _any(run: Run, types: Types, several: Any) -> Any:
    asks = isinstance(types[0], t.ListOf) and types[0].item == t.YES_NO
    return any(several) if asks else bool(several)


def _all(run: Run, types: Types, several: Any) -> Any:
    return all(several)


def _distinct(run: Run, types: Types, several: Any) -> Any:
    return tuple(dict.fromkeys(several))


def _first(run: Run, types: Types, several: Any, count: int | None = None) -> Any:
    if count is not None:
        return several[: max(count, 0)]
    return several[0] if several else None


def _last(run: Run, types: Types, several: Any, count: int | None = None) -> Any:
    if count is not None:
        return several[max(len(several) - max(count, 0), 0) :]
    return several[-1] if several else None


def _holder(run: Run, types: Types, card: int) -> Any:
    place = run.layout.places[run.state[WHERE][card]]
    return place.owner if place.owned_by == "player" else None


# ── rows and grids ───────────────────────────────────────────────────────────────────────────────

Position = tuple[int, int]
"""Row and column, from 0."""


def _size(run: Run, place: PlaceSlot) -> tuple[int, int]:
    """Rows and columns; a row is a grid of one row."""
    return (place.rows, place.columns) if place.kept == "grid" else (1, len(run.state[place.slot]))


def _where(run: Run, one: Any) -> tuple[PlaceSlot, int]:
    """The place and the index in it of a card or a cell."""
    if isinstance(one, tuple):
        return run.layout.places[one[0]], one[1]
    place = run.layout.places[run.state[WHERE][one]]
    if place.kept not in ("grid", "row"):
        raise NotThere
    return place, position(run.state, place, one)


def _near(spots: Callable[[int, int, int], tuple[int, ...]]) -> Callable[..., Any]:
    """What is at some positions of the place of a card or cell: cards for a card, cells for a cell. `spots` finds their
    indexes from the numbers of rows and columns and the index of the card or cell.
    """
    found = lru_cache(maxsize=4096)(spots)

    @lru_cache(maxsize=1024)
    def met(place: PlaceSlot, contents: bytes | tuple[int, ...]) -> dict[int, tuple[int, ...]]:
        """Of a grid whose cards lie like this, what is near each card, as far as somebody asked."""
        return {}

    def near(run: Run, types: Types, one: Any) -> Any:
        state = run.state
        if isinstance(one, int) and (place := run.layout.places[state[WHERE][one]]).kept == "grid":
            # What is asked most often, in one step.
            contents = state[place.slot]
            known = met(place, bytes(contents) if type(contents) is bytearray else contents)
            if one not in known:
                known[one] = _cards(run, place, found(place.rows, place.columns, contents.index(one)))
            return known[one]
        place, index = _where(run, one)
        rows, columns = _size(run, place)
        indexes = found(rows, columns, index) if columns else ()
        if isinstance(one, tuple):
            return tuple([(place.ordinal, at) for at in indexes])
        return _cards(run, place, indexes)

    return near


def _cards(run: Run, place: PlaceSlot, indexes: Iterable[int]) -> tuple[int, ...]:
    """The cards at some positions of a grid or row, which has these; where nothing lies, none."""
    contents, empty = run.state[place.slot], run.layout.empty
    if place.kept == "grid":
        return tuple([contents[at] for at in indexes if contents[at] != empty])
    return tuple([contents[at] for at in indexes])


def _offsets(*offsets: Position) -> Callable[[int, int, int], tuple[int, ...]]:
    """Those of the positions so far down and right of one that are on the grid."""

    def spots(rows: int, columns: int, index: int) -> tuple[int, ...]:
        row, column = divmod(index, columns)
        there = [(row + down, column + right) for down, right in offsets]
        return tuple([r * columns + c for r, c in there if 0 <= r < rows and 0 <= c < columns])

    return spots


def _in_row(rows: int, columns: int, index: int) -> tuple[int, ...]:
    row = index // columns
    return tuple(range(row * columns, (row + 1) * columns)) if row < rows else ()


def _in_column(rows: int, columns: int, index: int) -> tuple[int, ...]:
    return tuple(range(index % columns, rows * columns, columns))


def _rows(run: Run, types: Types, ordinal: int) -> Any:
    place = run.layout.places[ordinal]
    rows, columns = _size(run, place)
    return tuple([_cards(run, place, _in_row(rows, columns, row * columns)) for row in range(rows)])


def _columns(run: Run, types: Types, ordinal: int) -> Any:
    place = run.layout.places[ordinal]
    rows, columns = _size(run, place)
    return tuple([_cards(run, place, _in_column(rows, columns, column)) for column in range(columns)])


def _lines(run: Run, types: Types, ordinal: int, length: int) -> Any:
    place = run.layout.places[ordinal]
    cards = [card_at(run, (ordinal, spot)) for spot in range(place.rows * place.columns)]
    return tuple([tuple([cards[spot] for spot in spots]) for spots in _straight(*_size(run, place), length)])


@cache
def _straight(rows: int, columns: int, length: int) -> tuple[tuple[int, ...], ...]:
    """The positions of all straight lines on a grid of this size."""
    found = []
    for down, right in ((0, 1), (1, 0), (1, 1), (1, -1)):
        for row in range(rows):
            for column in range(columns):
                last_row, last_column = row + down * (length - 1), column + right * (length - 1)
                if 0 <= last_row < rows and 0 <= last_column < columns:
                    found.append(tuple((row + down * n) * columns + column + right * n for n in range(length)))
    return tuple(found)


def _cells(run: Run, types: Types, ordinal: int) -> Any:
    rows, columns = _size(run, run.layout.places[ordinal])
    return tuple((ordinal, index) for index in range(rows * columns))


BUILT_INS: dict[str, Callable[..., Any]] = {
    "sum": _sum,
    "count": _count,
    "min": _extreme(min),
    "max": _extreme(max),
    "any": _any,
    "all": _all,
    "distinct": _distinct,
    "first": _first,
    "last": _last,
    "holder": _holder,
    "beside": _near(_offsets((-1, 0), (0, -1), (0, 1), (1, 0))),
    "around": _near(_offsets(*[(down, right) for down in (-1, 0, 1) for right in (-1, 0, 1) if down or right])),
    "row": _near(_in_row),
    "column": _near(_in_column),
    "rows": _rows,
    "columns": _columns,
    "lines": _lines,
    "cells": _cells,
}
