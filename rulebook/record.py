"""What records have in common: they are compared, hashed and shown by their fields, and made anew with other values.

In: classes of attrs; those derived from `Record` are made with `eq=False, repr=False`. Out: just what attrs would do.
Never: writes code for a class, or looks its fields up twice. attrs does, and for the hundreds of classes of a language
that takes longer, at every start, than to check most rulebooks.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache
from operator import attrgetter, is_
from typing import TYPE_CHECKING, Any, TypeVar

from attrs import fields

__all__ = ["Record", "evolve", "evolved"]

_Record = TypeVar("_Record")


class Record:
    """Equal to another of the same class with equal fields; fields with `eq=False` or `repr=False` do not count."""

    __slots__ = ()

    def __eq__(self, other: object) -> bool:
        if self is other:
            return True
        if type(other) is not type(self):
            return NotImplemented
        kind: Any = type(self)
        compared = _compared(kind)
        return bool(compared(self) == compared(other))

    def __hash__(self) -> int:
        kind: Any = type(self)
        return hash((kind, _compared(kind)(self)))

    def __repr__(self) -> str:
        kind: Any = type(self)
        shown = ", ".join(f"{name}={getattr(self, name)!r}" for name in _shown(kind))
        return f"{kind.__name__}({shown})"


if TYPE_CHECKING:
    from attrs import evolve as evolve  # who checks types knows from it the fields of each class
else:

    def evolve(record: Any, **changes: Any) -> Any:
        """A record like this one with other values; the same one if nothing is new."""
        kind = type(record)
        values = {name: getattr(record, name) for name in _names(kind)}
        if all(values[name] is value for name, value in changes.items()):
            return record
        values.update(changes)
        return kind(**values)


def evolved(made: Sequence[_Record], before: tuple[_Record, ...]) -> tuple[_Record, ...]:
    """What was made of some records, one of each; the same tuple if nothing is new."""
    return before if all(map(is_, made, before)) else tuple(made)


@cache
def _names(kind: Any) -> tuple[str, ...]:
    return tuple(one.name for one in fields(kind))


@cache
def _compared(kind: Any) -> Callable[[Any], Any]:
    """What gets the values by which records of a class are compared."""
    names = [one.name for one in fields(kind) if one.eq]
    return attrgetter(*names) if names else lambda record: ()


@cache
def _shown(kind: Any) -> tuple[str, ...]:
    return tuple(one.name for one in fields(kind) if one.repr)
