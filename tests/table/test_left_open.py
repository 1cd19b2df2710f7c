"""Who kills a game has its hand on the screen until the next start of anything, and no longer."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from rulebook.left_open import CLOSING

pty = pytest.importorskip("pty", reason="there are no pseudo-terminals here")
PROGRAM = "from rulebook.cli import main; main()"


class Terminal:
    """A terminal on which one command runs after the other."""

    def __init__(self, home: Path) -> None:
        self._ours, self.theirs = pty.openpty()
        names = ("XDG_RUNTIME_DIR", "XDG_DATA_HOME", "HOME")
        self._environ = os.environ | dict.fromkeys(names, str(home)) | {"TERM": "xterm", "COLUMNS": "80", "LINES": "30"}
        self.seen = ""

    def start(self, *words: str) -> subprocess.Popen[bytes]:
        on: Any = {"stdin": self.theirs, "stdout": self.theirs, "stderr": self.theirs, "env": self._environ}
        return subprocess.Popen([sys.executable, "-c", PROGRAM, *words], **on)

    def read_until(self, text: str) -> str:
        """Read what was sent, up to this text and what comes with it."""
        self.seen = ""
        while text not in self.seen:
            self.seen += os.read(self._ours, 65536).decode("utf-8", "replace")
        return self.seen


@contextmanager
def opened(home: Path) -> Iterator[Terminal]:
    found = Terminal(home)
    try:
        yield found
    finally:
        os.close(found.theirs)


@pytest.mark.slow
def test_a_killed_game_is_wiped_at_the_next_start(tmp_path: Path) -> None:
    with opened(tmp_path) as at:
        played = at.start("play", "kuhn_poker", "--seats", "Ana,bot", "--seed", "1")
        at.read_until("? help] >")
        # While somebody plays, another start there wipes nothing.
        other = at.start("explain", "RB203")
        assert CLOSING not in at.read_until("RB203") and other.wait(60) == 0
        played.kill()
        assert played.wait(60) < 0
        at.start("explain", "RB203").wait(60)
        assert at.read_until("RB203").partition(CLOSING)[2]
        at.start("explain", "RB203").wait(60)
        assert CLOSING not in at.read_until("RB203")


def test_who_leaves_a_game_leaves_no_mark(tmp_path: Path) -> None:
    with opened(tmp_path) as at:
        played = at.start("play", "kuhn_poker", "--seats", "Ana,bot", "--seed", "1")
        at.read_until("? help] >")
        assert [path.name for path in tmp_path.glob("rulebook-*-open-*")]
        os.write(at._ours, b"q\r")
        assert played.wait(60) == 0
        assert not [*tmp_path.glob("rulebook-*-open-*")]
