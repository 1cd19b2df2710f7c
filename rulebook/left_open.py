"""Wiping what a killed game has left on a terminal: a hand in sight, on the alternate screen, until the next start.

Apart, since every start looks, and most load nothing of a table. A mark is an empty file that is named after the
terminal, and locked for as long as the screen is open: the lock of a process that was killed is gone, its mark is not.
"""

from __future__ import annotations

import os
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from rulebook.printing import control, send

__all__ = ["CLOSING", "mark_open", "wipe_left_open"]

CLOSING = "\x1b[2J\x1b[H\x1b[?1049l"
"""Some terminals keep what was on the alternate screen unless it is wiped first."""
_BACK = f"{CLOSING}\x1b[?25h"


def _find_mark() -> Path | None:
    """Find the mark of this terminal; None where there is none, or none that could be locked."""
    try:
        terminal = os.ttyname(sys.stdout.fileno())
    except (OSError, ValueError, AttributeError):
        return None
    runtime = os.environ.get("XDG_RUNTIME_DIR", "")
    folder = Path(runtime) if os.path.isabs(runtime) else Path(tempfile.gettempdir())
    return folder / f"rulebook-{os.getuid()}-open{terminal.replace('/', '-')}"


@contextmanager
def mark_open() -> Iterator[None]:
    """Mark that private things are on this terminal, until they are not."""
    path, held = _find_mark(), -1
    with suppress(OSError, ImportError):
        import fcntl

        if path is not None:
            # No link of somebody else's is followed.
            held = os.open(path, os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW, 0o600)
            fcntl.flock(held, fcntl.LOCK_EX | fcntl.LOCK_NB)
    try:
        yield
    finally:
        if held >= 0 and path is not None:
            with suppress(OSError):
                path.unlink()
            os.close(held)


def wipe_left_open() -> None:
    """Leave the alternate screen if a process that is there no more has left something on it."""
    path = _find_mark() if sys.stdout.isatty() else None
    if path is None or not path.exists():
        return
    with suppress(OSError, ImportError):
        import fcntl

        held = os.open(path, os.O_RDWR | os.O_NOFOLLOW)
        try:
            fcntl.flock(held, fcntl.LOCK_EX | fcntl.LOCK_NB)  # fails while somebody plays there
            path.unlink()
            send(control(_BACK))
        finally:
            os.close(held)
