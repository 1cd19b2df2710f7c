"""SQLite files that anybody may have made: what their tables are is checked before anything is read, and reading ends.

Nothing of such a file runs: a file with a trigger, a view or a table that its owner here does not make is none of ours.
A damaged file, whose pages lead back to each other, could be read for ever: a `Watch` ends that.
"""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import Any, TypeAlias

Made: TypeAlias = frozenset[tuple[Any, ...]]
"""All that is declared in a file: the kind, the name, the table and the statement of each."""

_STEP = 10_000  # steps of SQLite's own machine between two looks at the clock that counts them
_FEWEST = 20_000_000
_STEPS_A_BYTE = 8
"""The most steps of a statement for each byte of its file, and in all never fewer than the above: a row of a few dozen
bytes takes a few dozen steps."""
_LONGEST_VALUE = 64 * 1024 * 1024  # bytes of one value; the rules of a game are the longest
_MOST_ROWS_READ = 256 * 1024 * 1024  # letters of all rows of one answer
_MOST_DECLARED = 100


class Strange(sqlite3.DatabaseError):
    """A file that is not as it is made here; the sentence says why."""


class Watch:
    """Ends each statement that takes more steps than the size of its file explains."""

    def __init__(self, connection: sqlite3.Connection, path: Path) -> None:
        self._path, self._left = path, 0
        self.renew()
        connection.set_progress_handler(self._is_over, _STEP)

    def renew(self) -> None:
        """Let the next statement begin with all of its steps."""
        size = sum(_size(f"{self._path}{ending}") for ending in ("", "-wal"))
        self._left = max(_FEWEST, _STEPS_A_BYTE * size) // _STEP

    def _is_over(self) -> int:
        self._left -= 1
        return self._left < 0


def distrust(connection: sqlite3.Connection, path: Path) -> Watch:
    """Make ready for a file of somebody else's, before anything else is done with it."""
    watch = Watch(connection, path)
    connection.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, _LONGEST_VALUE)
    connection.setlimit(sqlite3.SQLITE_LIMIT_ATTACHED, 0)
    for pragma in ("trusted_schema = off", "cell_size_check = on", "mmap_size = 0"):
        connection.execute(f"pragma {pragma}")
    return watch


def read_declared(connection: sqlite3.Connection) -> Made:
    """Read what is declared in a file. Raises sqlite3.Error."""
    query = f"select type, name, tbl_name, sql from sqlite_master limit {_MOST_DECLARED}"
    return frozenset(connection.execute(query))


@cache
def declare(*scripts: str) -> Made:
    """Say what these scripts declare in a new file."""
    connection = sqlite3.connect(":memory:")
    try:
        for script in scripts:
            connection.executescript(script)
        return read_declared(connection)
    finally:
        connection.close()


def fetch_all(connection: sqlite3.Connection, query: str, values: Sequence[Any] = ()) -> list[tuple[Any, ...]]:
    """Fetch all rows, but not without an end."""
    rows, size = [], 0
    for row in connection.execute(query, values):
        rows.append(row)
        size += sum(len(value) if isinstance(value, str | bytes) else 1 for value in row)
        if size > _MOST_ROWS_READ:
            raise Strange("there is more in it than is ever written there")
    return rows


def _size(path: str) -> int:
    try:
        return os.stat(path).st_size
    except OSError:
        return 0
