"""JSON as its inventors have it, from files that anybody may have made: no name given twice, no number that is none, no
text that cannot be written, nothing nested too deep.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable
from math import isfinite
from typing import Any

_DEEPEST = 32  # levels of nesting
_MOST_VALUES = 1_000_000  # an empty list of three bytes takes sixty in memory
_SURROGATE = re.compile(r"[\ud800-\udfff]")


class NotPlain(ValueError):
    """Bytes that are no object, or none of plain data; the words say why."""


def read_object(data: bytes) -> dict[str, Any]:
    """Read one object, in UTF-8."""
    if holds_too_much(data):
        raise NotPlain("it holds too much")
    try:
        value = json.loads(
            data.decode("utf-8-sig"), object_pairs_hook=_join_pairs, parse_float=_finite, parse_constant=_finite
        )
    except NotPlain:
        raise
    except (ValueError, RecursionError):
        raise NotPlain("it is no JSON") from None
    if not isinstance(value, dict):
        raise NotPlain("it is no JSON object")
    _check_value(value)
    return value


def holds_too_much(data: bytes) -> bool:
    """Tell whether it would take too much memory to read this, before it is read, by the signs that begin a value."""
    return sum(map(data.count, (b",", b"[", b"{"))) > _MOST_VALUES


def _join_pairs(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    members = dict(pairs)
    if len(members) < len(pairs):
        raise NotPlain("a name is given twice in it")
    return members


def _finite(written: str) -> float:
    number = float(written)
    if not isfinite(number):
        raise NotPlain("it holds a number that is none")
    return number


def _check_value(value: Any) -> None:
    level: list[Any] = [value]
    for _ in range(_DEEPEST):
        texts = [item for item in level if isinstance(item, str)]
        texts += [key for item in level if isinstance(item, dict) for key in item]
        if any(map(_SURROGATE.search, texts)):
            raise NotPlain("it holds halves of letters")
        level = [inner for item in level for inner in _find_inner(item)]
        if not level:
            return
    raise NotPlain("it is nested too deeply")


def _find_inner(value: Any) -> Iterable[Any]:
    return value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
