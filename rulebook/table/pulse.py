"""The beat by which answers are released, and the lines that come in meanwhile.

In: how lines are read, how long a beat is. Out: at each half of a beat, the lines that came since the last one. Never:
knows what a line says, or when within a half it came.
"""

from __future__ import annotations

import math
import queue
import threading
import time
from collections.abc import Callable

__all__ = ["Pulse"]


class Pulse:
    """Halves of a beat of so many seconds, counted from when it was made; lines are read in a thread of their own."""

    def __init__(self, read: Callable[[], str | None], seconds: float) -> None:
        self._read, self._half, self._start = read, seconds / 2, time.monotonic()
        self._lines: queue.SimpleQueue[str | None] = queue.SimpleQueue()
        threading.Thread(target=self._read_all, daemon=True).start()

    def __call__(self) -> list[str | None]:
        """Wait for the next half; the lines that came until then, None behind the last one of the input."""
        gone = time.monotonic() - self._start
        time.sleep((math.floor(gone / self._half) + 1) * self._half - gone)
        found: list[str | None] = []
        while not self._lines.empty():
            found.append(self._lines.get())
        return found

    def _read_all(self) -> None:
        while (line := self._read()) is not None:
            self._lines.put(line)
        self._lines.put(None)
