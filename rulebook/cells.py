"""The text of a spreadsheet, cut into rows of cells: each cell with its place in the file."""

from __future__ import annotations

import re
from bisect import bisect_right
from functools import cached_property
from typing import ClassVar, NamedTuple, TypeAlias

from rulebook.classes import frozen
from rulebook.source import SourceFile

_SEPARATORS = {",": "commas", ";": "semicolons", "\t": "tabs"}
_SAID = re.compile(r"sep=([,;\t])[ \t]*(?:\r\n|\n|\r|\Z)")
_UNCLOSED = re.compile(r'[^"]*(?:""[^"]*)*')
_FILLED = re.compile(r"^[^\S\r\n]*(?![,;\s]*$)[^\r\n]+", re.MULTILINE)
_BREAK = re.compile(r"\r\n|\n|\r")
_ASIDE = re.compile(r'"[^"]*"|\([^()\r\n]*\)')

Fault: TypeAlias = tuple[int, int, str, str]
"""From where, to where, the problem, what to do."""


class Cell(NamedTuple):
    """A cell: its text, and its place in the file, within the quotes around it."""

    text: str
    start: int
    end: int


@frozen(eq=False)
class SheetFile(SourceFile):
    """A spreadsheet as text, with commas, semicolons or tabs between its cells."""

    has_lines: ClassVar[bool] = False

    @cached_property
    def cut(self) -> tuple[list[list[Cell]], list[Fault]]:
        """Its rows, and what is wrong with it."""
        return cut_cells(self.text)

    @property
    def rows(self) -> list[list[Cell]]:
        return self.cut[0]

    def find_cell(self, offset: int) -> tuple[int, int] | None:
        """Find the row and the column of a cell, both counted from 0; None where there are no rows."""
        offset += self.text.startswith('"', offset)
        number = bisect_right(self.rows, offset, key=lambda row: row[0].start) - 1
        if number < 0:
            # The quotation mark before the first cell, say.
            return (0, 0) if self.rows else None
        column = bisect_right(self.rows[number], offset, key=lambda cell: cell.start) - 1
        return number, max(column, 0)


def cut_cells(text: str) -> tuple[list[list[Cell]], list[Fault]]:
    """Cut a text into rows of cells; and what is wrong with it."""
    said = _SAID.match(text)
    at = said.end() if said else 0
    if said:
        separator = said[1]
    else:
        # Rows above it may be empty; programs write them with their separators.
        first = _FILLED.search(text)
        start, end = (0, 0) if first is None else first.span()
        heading = _ASIDE.sub("", text[start:end])
        found = [sign for sign in _SEPARATORS if sign in heading]
        if len(found) > 1:
            words = " and ".join(_SEPARATORS[sign] for sign in found)
            problem = f"{words} stand in the first row, and either could separate its columns"
            help = "Export it with one separator, or say which one it is in a line before all others, like `sep=;`."
            return [], [(start, end, problem, help)]
        separator = found[0] if found else ","
    rows: list[list[Cell]] = []
    problems: list[Fault] = []
    plain = re.compile(rf"[^{separator}\r\n]*")
    row: list[Cell] = []
    while True:
        match = plain.match(text, at)
        assert match is not None
        start = at + len(match[0]) - len(match[0].lstrip())
        if text.startswith('"', start) and start < match.end():
            inner = _UNCLOSED.match(text, start + 1)
            assert inner is not None
            end = inner.end()
            row.append(Cell(_BREAK.sub("\n", inner[0].replace('""', '"')), start + 1, end))
            if end == len(text):
                help = "Write a second one behind the text; within a text, each is written twice."
                problems.append((start, start + 1, "the quotation mark of this cell is never closed", help))
                at = end
            else:
                match = plain.match(text, end + 1)
                assert match is not None
                at = match.end()
                if match[0].strip():
                    help = "Within a text in quotation marks, each of them is written twice."
                    problems.append((end + 1, at, "more stands behind the quotation mark that closes this cell", help))
        else:
            said_here = match[0].strip()
            row.append(Cell(said_here, start if said_here else at, start + len(said_here) if said_here else at))
            at = match.end()
        if text.startswith(separator, at):
            at += 1
            continue
        rows.append(row)
        row = []
        line_break = _BREAK.match(text, at)
        if line_break is None:
            return rows, problems
        at = line_break.end()
        if at == len(text):
            return rows, problems
