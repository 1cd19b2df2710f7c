"""The arguments of the front door: each is checked once, before anything is done with it.

In: a value as a program gave it, and what the argument is called. Out: the value as all else takes it, or BadArgument,
which says what it may be. Numbers may be those of numpy; a text is never taken for a list of its letters.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from math import isfinite
from numbers import Real
from operator import index
from os import PathLike
from typing import Any, SupportsIndex

__all__ = [
    "MOST_SEED", "BadArgument", "read_bounds", "read_list", "read_map", "read_name", "read_text", "read_texts",
    "read_whole", "read_word",
]  # fmt: skip

MOST_SEED = 2**64 - 1


class BadArgument(ValueError):
    """An argument that cannot be so; the sentence says which one, and what it may be."""


def read_whole(name: str, value: object, least: int = 0, most: int | None = None) -> int:
    """Read a whole number."""
    try:
        number = index(value) if isinstance(value, SupportsIndex) and not isinstance(value, bool) else None
    except TypeError:
        number = None
    if number is None or number < least or (most is not None and number > most):
        bounds = f", {least} or more" if most is None else f" from {least} to {most}"
        raise BadArgument(f"`{name}` is a whole number{bounds}, and not {_word(value)}.")
    return number


def read_bounds(name: str, value: object) -> tuple[float, float]:
    """Read the least and the most of something."""
    members = tuple[Any, ...](value) if isinstance(value, Iterable) else ()
    if not all(isinstance(one, Real) and isfinite(one) for one in members):
        members = ()
    if len(members) != 2 or not members[0] < members[1]:
        raise BadArgument(f"`{name}` are the least and the most, such as (-2, 2), and not {_word(value)}.")
    return float(members[0]), float(members[1])


def read_list(name: str, value: object, of: type | tuple[type, ...] = str) -> tuple[Any, ...]:
    """Read a list of texts, or of names. One alone is no list."""
    if not isinstance(value, Iterable) or isinstance(value, (str, bytes, PathLike, Mapping)):
        example = f", [{value!r}]," if isinstance(value, of) else ""
        raise BadArgument(f"`{name}` is a list{example} and not {_word(value)}.")
    members = tuple(value)
    for member in members:
        if not isinstance(member, of):
            raise BadArgument(f"`{name}` is a list of texts, and {_word(member)} is none.")
    return members


def read_text(name: str, value: object) -> str:
    """Read a text."""
    if not isinstance(value, str):
        raise BadArgument(f"`{name}` is a text, and not {_word(value)}.")
    return value


def read_texts(name: str, value: object) -> tuple[str, ...]:
    """Read a text, or a list of such."""
    if isinstance(value, str):
        return (value,)
    if not isinstance(value, Iterable) or isinstance(value, (bytes, PathLike, Mapping)):
        raise BadArgument(f"`{name}` is a text or a list of texts, and not {_word(value)}.")
    return read_list(name, value)


def read_name(name: str, value: object) -> str | PathLike[str]:
    """Read a name, or a path."""
    if not isinstance(value, (str, PathLike)):
        raise BadArgument(f"`{name}` is a name or a path, and not {_word(value)}.")
    return value


def read_map(name: str, value: object) -> dict[str, Any]:
    """Read values by their names."""
    if not isinstance(value, Mapping) or not all(isinstance(key, str) for key in value):
        raise BadArgument(f"`{name}` has values by names, {{'rounds': 2}}, and is not {_word(value)}.")
    return dict(value)


def read_word(name: str, value: object, words: Collection[str]) -> str:
    """Read one of a few words."""
    if value not in words:
        raise BadArgument(f"`{name}` is {' or '.join(map(repr, words))}, and not {_word(value)}.")
    return str(value)


def _word(value: object) -> str:
    said = repr(value)
    return said if len(said) <= 60 else f"{said[:59]}…"
