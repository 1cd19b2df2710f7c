"""`frozen` of attrs for modules with many records, which share `==`, `hash` and `repr` instead of having their own.

attrs prints these methods for each class, and Python compiles them, before anybody compares or shows a record: for the
few hundred classes that most commands import, a fifth of a short command. Here they are read off the fields when they
are first asked for. Whatever else is said to `frozen` goes to attrs as it is.
"""

from __future__ import annotations

from functools import cache
from operator import attrgetter
from reprlib import recursive_repr
from typing import TYPE_CHECKING, Any

import attrs

if TYPE_CHECKING:
    from attrs import frozen as frozen
else:

    def frozen(kind=None, **words):
        """Make a class of records; `words` as attrs has them."""
        if kind is None:
            return lambda kind: frozen(kind, **words)
        own = vars(kind)
        is_shown = "__repr__" not in own and "repr" not in words
        is_equal = own.keys().isdisjoint(("__eq__", "__hash__"))
        is_equal &= words.keys().isdisjoint(("eq", "order", "cache_hash"))
        words |= {"repr": False} if is_shown else {}
        words |= {"eq": False} if is_equal else {}
        made = attrs.frozen(kind, **words)
        if is_shown:
            made.__repr__ = _show
        if is_equal:
            made.__eq__, made.__hash__ = _make_methods(made)
        return made


def _make_methods(kind: Any) -> tuple[Any, Any]:
    """Make `==` and `hash` of a class, which find its fields when they are first asked."""
    name = kind.__qualname__
    read: Any = None

    def read_first(record: Any) -> Any:
        nonlocal read
        names = [field.name for field in attrs.fields(kind) if field.eq]
        read = attrgetter(*names) if names else type
        return read(record)

    read = read_first

    def equals(record: Any, other: Any) -> Any:
        return read(record) == read(other) if other.__class__ is record.__class__ else NotImplemented

    def hash_fields(record: Any) -> int:
        return hash((name, read(record)))

    return equals, hash_fields


@cache
def _list_shown(kind: Any) -> tuple[str, ...]:
    return tuple(field.name for field in attrs.fields(kind) if field.repr)


@recursive_repr()
def _show(record: Any) -> str:
    kind: Any = type(record)
    shown = ", ".join(f"{name}={getattr(record, name)!r}" for name in _list_shown(kind))
    return f"{kind.__qualname__}({shown})"
