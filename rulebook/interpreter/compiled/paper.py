"""Where printed text is written: lines, how deep they stand, and the constants that they speak of.

In: lines of Python, values. Out: one text and the values under their names. Never: a value that a rulebook names
inside the text; only whole numbers, `True`, `False` and `None` stand there as they are.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

LACKS = "·"
"""Stands in a line before what may be nothing where it must be something; no line is printed with it."""


TWICE = "(not (not "
RAISES = re.compile(r"there\(|\bf\d+\(|\ba\d+\[|\bask\(|_of\(|divide\(|\bk\d+\(r")
"""Other text that may raise one of `ABSENCES`, unless it asks a question that raises nothing."""


class Paper:
    """The text of one program. `names` are the constants that the text speaks of."""

    def __init__(self) -> None:
        self.lines: list[str] = []
        self.depth = 0
        self.names: dict[str, Any] = {}
        self.raising = 0
        """How many of the lines may raise one of `ABSENCES`."""
        self.safe: set[str] = set()
        """How questions are called that are known to raise nothing."""
        self._known: dict[Any, str] = {}
        self._fresh = 0

    def put(self, line: str) -> None:
        """One more line."""
        self.raising += self.can_fail(line)
        self.lines.append("    " * self.depth + line.replace(LACKS, ""))

    def can_fail(self, text: str) -> bool:
        """Whether text may raise one of `ABSENCES`."""
        return LACKS in text or not self.safe.issuperset(RAISES.findall(text))

    def fresh(self) -> str:
        """A name that nothing else has."""
        self._fresh += 1
        return f"i{self._fresh}"

    @contextmanager
    def inside(self, head: str) -> Iterator[None]:
        """A line that ends with a colon, and what stands under it; `pass` if that is nothing."""
        self.put(head)
        self.depth += 1
        before = len(self.lines)
        yield
        if len(self.lines) == before:
            self.put("pass")
        self.depth -= 1

    def constant(self, value: Any) -> str:
        """How the text calls a value: a whole number, yes, no and nothing as they are, anything else by a name."""
        if value is None or isinstance(value, bool | int):
            return repr(value) if value is None or value is True or value is False or value >= 0 else f"({value})"
        key = (type(value), value) if _is_plain(value) else (id(value),)
        if key not in self._known:
            self._known[key] = f"k{len(self._known)}"
            self.names[self._known[key]] = value
        return self._known[key]

    @property
    def text(self) -> str:
        """All lines."""
        return "\n".join(self.lines) + "\n"


_PLAIN = {str, bytes, frozenset, int, type(None)}


def _is_plain(value: Any) -> bool:
    """Whether two such values are the same constant when they are equal: no yes is a one here."""
    if isinstance(value, tuple):
        kinds = set(map(type, value))
        return kinds <= _PLAIN or (kinds <= {*_PLAIN, tuple} and all(map(_is_plain, value)))
    return type(value) in _PLAIN


def without_nots(text: str) -> str:
    """A condition without what is denied twice, for where only matters whether it is true."""
    while text.startswith(TWICE) and text.endswith("))"):
        inner, depth = text[len(TWICE) : -2], 0
        for sign in inner:
            depth += (sign in "([") - (sign in ")]")
            if depth < 0:
                return text
        text = inner
    return text
