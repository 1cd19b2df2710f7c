"""Where printed C is written: lines, how deep they stand, and the constants that they speak of.

In: lines of C, values. Out: one text, and tables of numbers. Never: a word that a rulebook names inside the text; words
are numbers there, and texts are never needed.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from rulebook.dsl.syntax import At
from rulebook.interpreter.ops import ABSENT

MOST_BITS = 64
"""So many words have bits in the masks of lists."""


class CannotPrint(Exception):
    """Something in the rules has no C yet: what, in the words of the language, and where."""

    def __init__(self, what: str, at: At | None = None) -> None:
        super().__init__(what, at)
        self.what, self.at = what, at


class Paper:
    """The text of one program."""

    def __init__(self) -> None:
        self.lines: list[str] = []
        self.depth = 0
        self.words: dict[str, int] = {}
        """By the word, the number by which values stand for it."""
        self.lists: list[int | str] = []
        """All settled lists, one after the other: each the mask of its words, its length and its members."""
        self.rows: list[tuple[str, str, Sequence[int | str]]] = []
        """Tables that have a name of their own: what their members are, the name, the members."""
        self.numbers: dict[str, int] = {}
        """Numbers that have a name of their own."""
        self._lists: dict[tuple[str, ...], int] = {}
        self._tables: dict[tuple[str, tuple[int | str, ...]], str] = {}
        self._fresh = 0

    # ── lines ──

    def put(self, line: str) -> None:
        """One more line."""
        self.lines.append("    " * self.depth + line if line else "")

    def fresh(self) -> int:
        """A number that no other name has."""
        self._fresh += 1
        return self._fresh

    @contextmanager
    def inside(self, head: str, end: str = "}") -> Iterator[None]:
        """A line that opens a block, what stands in it, and the line that closes it."""
        self.put(f"{head} {{")
        self.depth += 1
        yield
        self.depth -= 1
        self.put(end)

    @contextmanager
    def elsewhere(self) -> Iterator[list[str]]:
        """Lines that are written elsewhere later, or not at all."""
        kept, self.lines = self.lines, []
        yield self.lines
        self.lines = kept

    @contextmanager
    def apart(self) -> Iterator[list[str]]:
        """The same for functions of their own."""
        depth, self.depth = self.depth, 0
        with self.elsewhere() as lines:
            yield lines
        self.depth = depth

    # ── constants ──

    def constant(self, value: Any) -> str:
        """How the text calls a value."""
        match value:
            case None:
                return "NOTHING"
            case bool():
                return str(int(value))
            case int():
                return f"INT64_C({value})" if abs(value) >= 2**31 else str(value) if value >= 0 else f"({value})"
            case str() if value == ABSENT:
                return "ABSENT"
            case str():
                return f"(WORD + {self.words.setdefault(value, len(self.words))})"
            case tuple() | list():
                return self._list(tuple(self.constant(one) for one in value), self.mask(value))
            case _:
                raise CannotPrint(f"a constant of the sort {type(value).__name__}")

    def mask(self, words: Iterable[Any]) -> str:
        """Which of the first words are in a list, a bit for each."""
        bits = {self.words[word] for word in words if isinstance(word, str) and word != ABSENT}
        return f"(V){sum(1 << bit for bit in bits if bit < MOST_BITS)}u"

    def _list(self, members: tuple[str, ...], mask: str) -> str:
        if members not in self._lists:
            self._lists[members] = len(self.lists) + 1
            self.lists += [mask, len(members), *members]
        return f"(LIST + {self._lists[members]})"

    def table(self, kind: str, values: Sequence[int | str]) -> str:
        """The name of a row of numbers."""
        key = kind, tuple(values)
        return self._tables.setdefault(key, f"T{len(self._tables)}")

    def tables(self) -> str:
        """All rows of numbers that the text speaks of."""
        named = [row(kind, name, values) for (kind, values), name in self._tables.items()]
        return "\n".join([row("V", "LISTS", self.lists), *(row(*one) for one in self.rows), *named])

    def define(self, name: str, number: int) -> None:
        """A number that the engine reads by its name."""
        self.numbers[name] = number


def row(kind: str, name: str, values: Sequence[int | str]) -> str:
    """A row of numbers as a table of C, which has one member at least."""
    named = name if "[" in name else f"{name}[]"
    return f"static const {kind} {named} = {{{', '.join(map(str, values or [0]))}}};"
