"""What authors put below one another: values of a map in one column, comments at the ends of lines.

In: a map, with its keys as they will be written; rows. Out: the blanks before each value; the rows as text. Never:
aligns where nothing was aligned.
"""

from __future__ import annotations

from collections.abc import Iterator
from collections.abc import Mapping as Map

from attrs import define

from rulebook.dsl.document import Mapping, Scalar

__all__ = ["Row", "aligned", "flushed"]

_LEAST = 2  # blanks before a comment


@define
class Row:
    """A line to be written: its words, with their indentation, and its comment.

    `end` is the column at which the words ended in the file, `column` that of the comment. A comment that has the line
    for itself is `alone`; the blanks at the end of a line of text are `kept`.
    """

    words: str = ""
    comment: str = ""
    end: int = 0
    column: int = 0
    alone: bool = False
    kept: bool = False

    def remark(self, comment: str, column: int) -> None:
        """Put a comment behind the words."""
        self.comment, self.column = comment, column


@define
class _Entry:
    """An entry of a map, and where its value begins."""

    name: str
    key: int  # the length of the key in the file
    said: int  # and as it will be written
    column: int  # of the value, counted from the key; 0 if it stands below
    line: int
    last: int  # the last line of the value


def aligned(node: Mapping, said: Map[str, str]) -> dict[str, str]:
    """The blanks before the values of a map that are to stand in one column, by key; before others there is one."""
    spaces: dict[str, str] = {}
    for part in _parts(node, said):
        if (width := _width(part)) is not None:
            spaces |= {one.name: " " * (width - one.said) for one in part if one.column}
    return spaces


def _parts(node: Mapping, said: Map[str, str]) -> Iterator[list[_Entry]]:
    """The entries of a map, parted by blank lines and comments between them."""
    part: list[_Entry] = []
    for name, value in node.items():
        key = node.keys_at[name].span
        line, last = key.line, max(key.end_line, value.span.end_line)
        beside = value.span.end > value.span.start and value.span.line == line == value.span.end_line
        if isinstance(value, Scalar) and value.style == "literal":
            beside = False
            last = value.span.line + value.span.text.rstrip().count("\n")
        column = value.span.column - key.column if beside else 0
        one = _Entry(name, key.end - key.start, len(said[name]), column, line, last)
        if part and part[-1].last + 1 != line:
            yield part
            part = []
        part.append(one)
    if part:
        yield part


def _width(part: list[_Entry]) -> int | None:
    """The width of the keys with what follows, if values are meant to stand in one column: at least two of them do, and
    not only because their keys are of one length."""
    beside = [one for one in part if one.column]
    for one in beside:
        more = one.column > one.key + len(": ")
        if more and any(other.column == one.column for other in beside if other is not one):
            # A longer key whose value stands below it may have set the column.
            longer = one.column == max(each.key for each in part) + len(": ")
            return max(each.said for each in (part if longer else beside)) + 1
    return None


def flushed(rows: list[Row]) -> str:
    """The rows as the text of a file: no blanks at the ends of lines, one line break at the end of the last."""
    remarked = [row for row in rows if row.comment and not row.alone]
    group: list[Row] = []
    for row in [*remarked, None]:
        if row is not None and (not group or group[0].column == row.column):
            group.append(row)
            continue
        _settle(group)
        group = [row] if row is not None else []
    text = "\n".join(_text(row) for row in rows)
    return text.strip("\n") + "\n" if text.strip() else ""


def _settle(group: list[Row]) -> None:
    """Comments that stood in one column go into one, as near to their lines as they were."""
    if not group:
        return
    gap = max(min(row.column - row.end for row in group), _LEAST)
    column = max(len(row.words) for row in group) + gap
    for row in group:
        row.words = row.words.ljust(column)


def _text(row: Row) -> str:
    words = row.words + row.comment
    return words if row.kept else words.rstrip(" \t")
