"""A checked rulebook as plain data, and back; what is found in a file can neither name a class nor call a function.

There are two lists: of plain values (texts, numbers, yes, no, nothing), and of rows, one for each record, tuple,
dictionary and set. A row is the number of its class, then those of its fields, in order: a number is a place in the
first list or, behind its end, a row, which always comes before. What is one object in a rulebook is one row, and one
object again.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache
from typing import Any

import attrs

from rulebook.cells import SheetFile
from rulebook.dsl import ir
from rulebook.dsl import types as t
from rulebook.dsl.document import At, Layered, Reckoned, Scalar, Seamed
from rulebook.source import SourceFile, Span

_PLAIN = frozenset({str, int, bool, type(None)})
_CONTAINERS: tuple[type, ...] = (tuple, dict, frozenset, At)


@cache
def _list_classes() -> tuple[type, ...]:
    """Every class of which there is a row, each with its number; their order is that of the modules."""
    records = [
        kind
        for module in (t, ir)
        for kind in vars(module).values()
        if isinstance(kind, type) and attrs.has(kind) and kind.__module__ == module.__name__
    ]
    return (*_CONTAINERS, SourceFile, SheetFile, Span, Scalar, *records)


@cache
def _list_fields(kind: Any) -> tuple[str, ...]:
    """The names of a class's fields: first those that are handed over in order, then those that are named."""
    handed = (field for field in attrs.fields(kind) if field.init)
    return tuple(field.name for field in sorted(handed, key=lambda field: bool(field.kw_only)))


def flatten(rulebook: ir.Rulebook) -> list[list[Any]]:
    """The plain values and the rows of a rulebook; the last row is the rulebook itself.

    Raises TypeError for what there is no row of.
    """
    numbers = {kind: number for number, kind in enumerate(_list_classes())}
    plain: dict[tuple[type, Any], int] = {}
    rows: list[list[int]] = []
    known: dict[int, int] = {}
    alive = []  # what was made here for a moment must not give its address to something else

    def number_value(value: Any) -> int:
        """The number of a value; that of a row is below nothing until it is known how many plain values there are."""
        kind: Any = type(value)
        if kind in _PLAIN:
            return plain.setdefault((kind, value), len(plain))
        if id(value) in known:
            return known[id(value)]
        if kind is dict:
            row = [number_value(part) for pair in value.items() for part in pair]
        elif kind in _CONTAINERS:
            row = list(map(number_value, value))
        else:
            # A layer or seam says where it stands as any scalar does; what lay beneath is a script by itself.
            kind = Scalar if kind in (Layered, Seamed, Reckoned) else kind
            if kind not in numbers:
                raise TypeError(f"{kind.__name__} is no part of a rulebook")
            row = [number_value(getattr(value, name)) for name in _list_fields(kind)]
        alive.append(value)
        rows.append([numbers[kind], *row])
        known[id(value)] = -len(rows)
        return -len(rows)

    number_value(rulebook)
    behind = len(plain) - 1
    placed = [[kind, *[behind - number if number < 0 else number for number in row]] for kind, *row in rows]
    return [[value for _, value in plain], placed]


def unflatten(data: Sequence[Sequence[Any]]) -> ir.Rulebook:
    """The rulebook of which these are the values and the rows. Raises ValueError if they are none."""
    makers = [_find_maker(kind) for kind in _list_classes()]
    try:
        plain, rows = data
        records = [*plain]
        read, add = records.__getitem__, records.append
        for row in rows:
            add(makers[row[0]](list(map(read, row[1:]))))
    except (LookupError, TypeError, ValueError, AttributeError) as error:
        raise ValueError("these are not the rows of a rulebook") from error
    if not records or not isinstance(records[-1], ir.Rulebook):
        raise ValueError("these are not the rows of a rulebook")
    return records[-1]


def _find_maker(kind: Any) -> Callable[[list[Any]], Any]:
    """Return the function that makes an instance of a class from the list of its values."""
    if kind is At:
        return At._make
    if kind is dict:
        return lambda values: dict(zip(values[::2], values[1::2], strict=True))
    if kind in _CONTAINERS:
        maker: Callable[[list[Any]], Any] = kind
        return maker
    # With their words written out, records are made in two thirds of the time.
    match [field.name for field in attrs.fields(kind) if field.kw_only]:
        case []:
            return lambda values: kind(*values)
        case [name]:
            return lambda values: kind(*values[:-1], **{name: values[-1]})
        case [first, second]:
            return lambda values: kind(*values[:-2], **{first: values[-2], second: values[-1]})
        case [first, second, third]:
            return lambda values: kind(*values[:-3], **{first: values[-3], second: values[-2], third: values[-1]})
        case named:
            raise TypeError(f"{kind.__name__} has more than three fields that must be named: {', '.join(named)}")
