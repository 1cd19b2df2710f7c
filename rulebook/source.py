"""Source files and places in them.

Offsets always count the code points of the text as it stands in the file.
"""

import re
from bisect import bisect_right
from functools import cached_property
from os.path import abspath
from pathlib import Path
from typing import ClassVar

from attrs import field

from rulebook.classes import frozen

# YAML and editors agree on these three. U+0085 and U+2028 are line breaks for YAML alone, so the reader
# refuses them, and lines counted here are the lines that an editor shows.
_LINE_BREAK = re.compile(r"\r\n|\n|\r")

LARGEST_FILE = 1024 * 1024
"""In bytes on disk, in code points in memory; a larger file of a game is not read."""


def show_path(file: Path) -> str:
    """Return the path as messages show it: from where the reader stands, if the file lies below."""
    full, here = Path(abspath(file)), Path.cwd()
    return full.relative_to(here).as_posix() if full.is_relative_to(here) else str(file)


@frozen(eq=False)
class SourceFile:
    """A file as its author wrote it.

    `name` is the path as shown to people; `text` has no byte order mark and keeps its line breaks. Two source
    files are equal only if they are the same object, so comparing and hashing spans costs next to nothing.
    """

    has_lines: ClassVar[bool] = True
    """True if a line says one thing; one of a spreadsheet has cells that have nothing to do with each other."""
    name: str
    text: str = field(repr=False)

    @cached_property
    def _starts(self) -> list[int]:
        """The offset at which each line starts."""
        return [0, *(match.end() for match in _LINE_BREAK.finditer(self.text))]

    @property
    def line_count(self) -> int:
        """Number of lines; an empty text has one, and so has what follows a final line break."""
        return len(self._starts)

    def position(self, offset: int) -> tuple[int, int]:
        """The line and column of an offset, both counted from 1, columns in code points.

        An offset outside the text means its nearest end.
        """
        offset = min(max(offset, 0), len(self.text))
        number = bisect_right(self._starts, offset)
        return number, offset - self._starts[number - 1] + 1

    def offset(self, line: int, column: int) -> int:
        """The offset of a line and column, both counted from 1; outside the text, its nearest end."""
        if line > len(self._starts):
            return len(self.text)
        return min(self._starts[max(line, 1) - 1] + max(column, 1) - 1, len(self.text))

    def line(self, number: int) -> str:
        """The text of a line, counted from 1, without its line break; empty if there is no such line."""
        if not 1 <= number <= len(self._starts):
            return ""
        end = self._starts[number] if number < len(self._starts) else len(self.text)
        return self.text[self._starts[number - 1] : end].rstrip("\r\n")


@frozen
class Span:
    """A piece of a source file: the offsets from `start` up to, but not including, `end`."""

    file: SourceFile
    start: int
    end: int

    @property
    def line(self) -> int:
        """The line in which the piece starts, counted from 1."""
        return self.file.position(self.start)[0]

    @property
    def column(self) -> int:
        """The column at which the piece starts, counted from 1 in code points."""
        return self.file.position(self.start)[1]

    @property
    def end_line(self) -> int:
        """The line in which the piece ends, counted from 1."""
        return self.file.position(self.end)[0]

    @property
    def end_column(self) -> int:
        """The column just behind the last character, counted from 1 in code points."""
        return self.file.position(self.end)[1]

    @property
    def text(self) -> str:
        """The characters as they stand in the file."""
        return self.file.text[self.start : self.end]
