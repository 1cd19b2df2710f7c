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
        shared = {}
        if "__repr__" not in own and "repr" not in words:
            shared["__repr__"], words["repr"] = _show, False
        if own.keys().isdisjoint(("__eq__", "__hash__")) and words.keys().isdisjoint(("eq", "order", "cache_hash")):
            shared["__eq__"], shared["__hash__"], words["eq"] = _equals, _hash, False
        made = attrs.frozen(kind, **words)
        for name, method in shared.items():
            setattr(made, name, method)
        return made


@cache
def _reader(kind: Any) -> Any:
    """Return the function that reads, of a record of this class, all that counts for its equality."""
    names = [field.name for field in attrs.fields(kind) if field.eq]
    return attrgetter(*names) if names else lambda record: ()


@cache
def _list_shown(kind: Any) -> tuple[str, ...]:
    return tuple(field.name for field in attrs.fields(kind) if field.repr)


def _equals(record: Any, other: Any) -> Any:
    kind: Any = type(record)
    if other.__class__ is not kind:
        return NotImplemented
    read = _reader(kind)
    return read(record) == read(other)


def _hash(record: Any) -> int:
    kind: Any = type(record)
    return hash((kind.__qualname__, _reader(kind)(record)))


@recursive_repr()
def _show(record: Any) -> str:
    kind: Any = type(record)
    shown = ", ".join(f"{name}={getattr(record, name)!r}" for name in _list_shown(kind))
    return f"{kind.__qualname__}({shown})"
