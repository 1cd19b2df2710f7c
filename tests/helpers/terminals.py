"""What tests of real terminals share: a game played in a window of tmux, and all that the window ever showed.

In: words for the command line. Out: a `Window` that types, waits, and remembers every page and every byte. Never: a
window that is left open.
"""

from __future__ import annotations

import os
import shlex
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

PROGRAM = "from rulebook.cli import main; main(prog_name='rulebook')"
ENTER, LEAVE, WIPE = "\x1b[?1049h", "\x1b[?1049l", "\x1b[2J\x1b[H"

NONSENSE = (
    *("nonsense", "", "   ", "-1", "0", "99999999999999999999", "1 1 1 1 1 1", "1,,2", "?" * 60, "? nothing"),
    *("\x1b[A\x1b[2J", "骰子 🎲", "\u202eabc", "u all of it", "b nobody", "h", "card:", "pass pass", "'; --"),
    *("%s %d {0} {me}", "x" * 5_000),
)
"""Lines that somebody might type by mistake, or to break the program."""

needs_tmux = pytest.mark.skipif(
    shutil.which("tmux") is None, reason="SKIPPED: there is no tmux here, so what a terminal keeps is not looked at"
)

LOOKS = pytest.mark.parametrize("looks", [pytest.param(["--plain"], id="plain"), pytest.param([], id="boxes")])
"""Words of the command line: pages in plain text, and with boxes."""


def environment(home: Path) -> dict[str, str]:
    """The environment of a game: its own saves, and neither colours nor a size that somebody else's terminal had."""
    not_ours = ("NO_COLOR", "FORCE_COLOR", "LINES", "COLUMNS", "TMUX", "TMUX_PANE")
    kept = {name: value for name, value in os.environ.items() if name not in not_ours}
    return {**kept, "XDG_DATA_HOME": str(home), "LC_ALL": "C.UTF-8"}


class Window:
    """One window of tmux in which `rulebook` runs; afterwards the shell says `left CODE`."""

    def __init__(self, home: Path) -> None:
        self.home, self.sent = home, home / "sent"
        self._tmux = ["tmux", "-f", os.devnull, "-S", str(home / "socket")]

    def do(self, *words: str) -> str:
        """One command of tmux."""
        found = subprocess.run([*self._tmux, *words], capture_output=True, check=True)
        return found.stdout.decode("utf-8", "replace")

    @property
    def screen(self) -> str:
        """What is seen now."""
        return self.do("capture-pane", "-p")

    @property
    def kept(self) -> str:
        """What is seen, and all that has scrolled away."""
        return self.do("capture-pane", "-p", "-S", "-")

    @property
    def bytes(self) -> str:
        """All that the program sent, escapes and all."""
        return self.sent.read_text("utf-8", "replace") if self.sent.exists() else ""

    def type(self, text: str = "", enter: bool = True) -> None:
        """Keys, and Enter behind them."""
        if text:
            self.do("send-keys", "-l", text)
        if enter:
            self.do("send-keys", "Enter")

    def wait_for(self, *texts: str, seconds: float = 40) -> str:
        """The screen, once one of these texts stands in it."""
        screen = ""
        for _ in range(int(seconds * 25)):
            screen = self.screen
            if any(text in screen for text in texts):
                return screen
            if any("? help]" in text for text in texts) and is_to_be_read(screen):
                self.type()
                time.sleep(0.5)
            time.sleep(0.04)
        raise AssertionError(f"None of {texts} ever came:\n{screen}")

    def page_with(self, text: str, seconds: float = 40) -> str:
        """What was sent since the screen was last wiped, once this text is: it may come later than it is seen."""
        page = ""
        for _ in range(int(seconds * 25)):
            page = self.bytes.rpartition(WIPE)[2]
            if text in page:
                return page
            time.sleep(0.04)
        raise AssertionError(f"{text} was never sent:\n{page}")


def is_to_be_read(screen: str) -> bool:
    """Whether the turns of others stand there, before the question for which they leave no room."""
    return (screen.rstrip().splitlines() or [""])[-1].startswith(("── Enter goes on", "── Enter shows more"))


@contextmanager
def window(home: Path, *words: str, program: str = PROGRAM, columns: int = 80, rows: int = 24) -> Iterator[Window]:
    """A window in which `rulebook WORDS` runs."""
    found = Window(home)
    command = f"{shlex.join([sys.executable, '-c', program, *words])}; echo left $?; sleep 120"
    size = ["-x", str(columns), "-y", str(rows)]
    subprocess.run(
        [*found._tmux, "-u", "new-session", "-d", *size, f"sleep 0.3; {command}"], env=environment(home), check=True
    )
    try:
        found.do("pipe-pane", "-o", f"cat > {shlex.quote(str(found.sent))}")
        yield found
    finally:
        subprocess.run([*found._tmux, "kill-server"], check=False, capture_output=True)
