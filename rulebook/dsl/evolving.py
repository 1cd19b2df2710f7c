"""Records that are like another one but for some fields.

In: a record and new values. Out: a record; the same one if nothing is new. Never: changes one.

As `attrs.evolve`, which looks all fields of a class up each time; the passes make most records of a game anew.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from operator import is_
from typing import TYPE_CHECKING, Any, TypeVar

if TYPE_CHECKING:
    from attrs import evolve as evolve  # who checks types knows the fields of each class from it
else:
    from attrs import fields

    def evolve(record: Any, **changes: Any) -> Any:
        """The record with these values."""
        kind = type(record)
        values = {name: getattr(record, name) for name in _names(kind)}
        if all(values[name] is value for name, value in changes.items()):
            return record
        values.update(changes)
        return kind(**values)

    @cache
    def _names(kind: type) -> tuple[str, ...]:
        return tuple(one.name for one in fields(kind))


__all__ = ["evolve", "evolved"]

_Record = TypeVar("_Record")


def evolved(made: Sequence[_Record], before: tuple[_Record, ...]) -> tuple[_Record, ...]:
    """What was made of some records, one of each; the same tuple if nothing is new."""
    return before if all(map(is_, made, before)) else tuple(made)
