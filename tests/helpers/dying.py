"""Work for processes that are killed on the way, as somebody's `kill -9` would.

In a file of its own, since a process that begins must be able to import what it is to do.
"""

import os
import signal
from pathlib import Path
from typing import Any

from rulebook.playtest.pieces import Worker


def killed_once(folder: str) -> Worker[list[int]]:
    """Ends its process in the middle of two pieces, once each, as somebody's `kill -9` would."""

    def work(piece: range) -> list[int]:
        mark = Path(folder) / f"{piece.start}"
        if piece.start in (10, 30) and not mark.exists():
            mark.touch()
            os.kill(os.getpid(), signal.SIGKILL)
        return [number * number for number in piece]

    return work


def always_killed(first: int) -> Worker[list[int]]:
    """Ends its process whenever it is given one piece."""

    def work(piece: range) -> list[int]:
        if piece.start == first:
            os.kill(os.getpid(), signal.SIGKILL)
        return list(piece)

    return work


class Large:
    """Something that fills a pipe, and ends the process that is told of it, once."""

    def __init__(self, folder: str) -> None:
        self.folder, self.much = folder, b"x" * 3_000_000

    def __setstate__(self, state: dict[str, Any]) -> None:
        mark = Path(state["folder"]) / "killed"
        if not mark.exists():
            mark.touch()
            os.kill(os.getpid(), signal.SIGKILL)
        self.__dict__.update(state)


def doubled(setting: Large) -> Worker[list[int]]:
    """Work that only takes some time to begin."""
    return lambda piece: [2 * number for number in piece]
