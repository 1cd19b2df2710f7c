"""Where a message stands, in the numbers that other programs count with."""

from __future__ import annotations

from pathlib import Path
from urllib.parse import quote

from attrs import frozen

from rulebook.source import Span


@frozen
class Region:
    """Lines and columns of a span, counted from 1; the end is just behind its last character.

    Columns count code points; those called `_utf16` count what most editors and their protocols count.
    """

    file: str
    line: int
    column: int
    end_line: int
    end_column: int
    column_utf16: int
    end_column_utf16: int


def region(span: Span) -> Region:
    file = span.file
    line, column = file.position(span.start)
    end_line, end_column = file.position(span.end)
    return Region(
        file.name, line, column, end_line, end_column,
        _utf16(file.line(line), column), _utf16(file.line(end_line), end_column),
    )  # fmt: skip


def _utf16(line: str, column: int) -> int:
    """The same column, with every character beyond the first 65536 counted twice."""
    return column + sum(1 for letter in line[: column - 1] if ord(letter) > 0xFFFF)


def uri(name: str) -> str:
    """The name of a file as the reference that a document may hold: relative where the name is."""
    return Path(name).as_uri() if Path(name).is_absolute() else quote(Path(name).as_posix())
