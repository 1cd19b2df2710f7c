"""Records as plain data, and back: what one share of a game tells the others.

In: values of the IR and of types: records, tuples, sets, words, numbers. Out: lists and words that JSON can hold, the
same for equal values, and equal values made of them again. Never: keeps a place in a file, which is no part of
equality, or makes anything but a record of the IR, of types, or of what is known about secrets.
"""

from __future__ import annotations

from functools import cache
from typing import Any

from attrs import fields

from rulebook.dsl import ir
from rulebook.dsl import types as t
from rulebook.dsl.secrets.knowers import Given, Kept
from rulebook.dsl.sharing.telling import sorted_plain

__all__ = ["Plain", "plain", "unplain"]

Plain = Any
"""What JSON can hold."""

_CLASSES: dict[str, Any] = {
    one.__name__: one
    for module in (t, ir)
    for one in vars(module).values()
    if isinstance(one, type) and one.__module__ == module.__name__
} | {"Given": Given, "Kept": Kept}
_KNOWN = frozenset(_CLASSES.values())


def plain(value: Any) -> Plain:
    """A value as plain data."""
    kind: Any = type(value)
    if kind is tuple:
        return ["tuple", *map(plain, value)]
    if kind is frozenset:
        return ["set", *sorted_plain(map(plain, value))]
    if kind in _KNOWN:
        return [kind.__name__, *(plain(getattr(value, name)) for name, _ in _told(kind))]
    assert value is None or kind in (str, int, bool, float), kind
    return value


def unplain(value: Plain) -> Any:
    """What `plain` was given."""
    if not isinstance(value, list):
        return value
    name, *parts = value
    made = [unplain(one) for one in parts]
    if name == "tuple":
        return tuple(made)
    if name == "set":
        return frozenset(made)
    kind = _CLASSES[name]
    return kind(**{alias: one for (_, alias), one in zip(_told(kind), made, strict=True)})


@cache
def _told(kind: Any) -> tuple[tuple[str, str], ...]:
    """The fields of a class that are told."""
    return tuple((one.name, one.alias) for one in fields(kind) if one.name != "at")
