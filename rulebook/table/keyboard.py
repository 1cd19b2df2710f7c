"""A line that somebody types at a terminal, whose window may change its size meanwhile."""

from __future__ import annotations

import codecs
import contextlib
import functools
import os
import select
import signal
import sys
import threading
from collections.abc import Callable, Iterator

from rulebook.printing import control, send, visible
from rulebook.widths import width

try:
    import termios
    import tty
except ImportError:  # Windows
    IS_THERE = False
else:
    IS_THERE = True

LONGEST = 10_000
"""Characters of a line that somebody types; a longer one is no answer to anything."""
_ENTER, _ERASE, _LEAVES = "\n\r", "\x7f\x08", "\x04\x00"  # what Ctrl-D left before keys were read one by one is a 0
_CLEAR, _WORD, _REDRAW, _ESCAPE = "\x15", "\x17", "\x0c", "\x1b"


def read_line(prompt: str, columns: Callable[[], int], again: Callable[[], bool]) -> str | None:
    """Read a line behind a prompt. `again` draws the page once more, as wide as `columns`; no: there is none."""
    typed = _Line(prompt, columns, again)
    keys = codecs.getincrementaldecoder("utf-8")("replace")
    source = sys.stdin.fileno()
    with _watch_window() as changed, _key_by_key(source) as begin_anew:
        typed.show_typed()
        while True:
            if changed in select.select([source, changed], [], [])[0]:
                os.read(changed, 4096)
                begin_anew()  # who was stopped with Ctrl-Z finds the terminal as the shell has left it
                typed.redraw()
                continue
            data = os.read(source, 1)
            for key in keys.decode(data):
                if key in _ENTER or (key in _LEAVES and not typed.text):
                    send("\n")
                    return None if key in _LEAVES else typed.text
                typed.take_key(key)
            if not data:
                return None


def has_input() -> bool:
    """Tell whether a line has been typed that nobody has read."""
    return IS_THERE and sys.stdin.isatty() and bool(select.select([sys.stdin], [], [], 0)[0])


def drop_input() -> None:
    """Drop what was typed while nobody asked: it is no answer to what will be asked."""
    if IS_THERE and sys.stdin.isatty():
        termios.tcflush(sys.stdin.fileno(), termios.TCIFLUSH)


class _Line:
    """The line that is being typed, with its prompt."""

    def __init__(self, prompt: str, columns: Callable[[], int], again: Callable[[], bool]) -> None:
        self.prompt, self.columns, self.again = prompt, columns, again
        self.text = ""
        self._escaped = ""

    def show_typed(self) -> None:
        send(self.prompt + visible(self.text))

    def redraw(self) -> None:
        """Show the page and the typed text as they were; where there is no page, the terminal has kept both."""
        if self.again():
            self.show_typed()

    def take_key(self, key: str) -> None:
        """A key that does not end the line."""
        if self._escaped or key == _ESCAPE:
            self._skip(key)
        elif key in _ERASE:
            end = len(self.text) - 1
            while end > 0 and width(self.text[end]) == 0:
                end -= 1
            self._cut_line(max(end, 0))
        elif key == _CLEAR:
            self._cut_line(0)
        elif key == _WORD:
            words = self.text.rstrip()
            self._cut_line(len(words) - len(words.split(" ")[-1]))
        elif key == _REDRAW:
            self.redraw()
        elif (key == "\t" or key >= " ") and len(self.text) < LONGEST:
            key = key.replace("\t", " ")
            self.text += key
            send(visible(self.text)[-1])

    def _skip(self, key: str) -> None:
        """Arrows and the like: an escape, then one sign, or a bracket and all up to a letter."""
        begun, self._escaped = self._escaped, self._escaped + key
        if begun and not (begun == _ESCAPE and key in "[O") and not (len(begun) > 1 and key < "@"):
            self._escaped = ""

    def _cut_line(self, length: int) -> None:
        gone, fits = visible(self.text[length:]), width(self.prompt + visible(self.text)) < self.columns()
        self.text = self.text[:length]
        if fits or not self.again():
            back = width(gone)
            send(control("\b" * back + " " * back + "\b" * back))
        else:
            # From one row to the one above it there is no way back.
            self.show_typed()


@contextlib.contextmanager
def _key_by_key(source: int) -> Iterator[Callable[[], None]]:
    """The terminal gives each key as it is pressed, and shows none by itself."""
    before = termios.tcgetattr(source)

    def begin_key_by_key() -> None:
        tty.setcbreak(source, termios.TCSADRAIN)

    begin_key_by_key()
    try:
        yield begin_key_by_key
    finally:
        termios.tcsetattr(source, termios.TCSADRAIN, before)


@contextlib.contextmanager
def _watch_window() -> Iterator[int]:
    """Yield a file descriptor that can be read whenever the window has changed, or the program goes on after a stop."""
    reading, writing = _make_bell()
    is_main = threading.current_thread() is threading.main_thread()
    if not is_main:  # only the main thread is told
        yield reading
        return
    for number in (signal.SIGWINCH, signal.SIGCONT):
        # It stays there: Python prints a traceback for a signal that comes while its handler is taken away.
        if not callable(signal.getsignal(number)):
            signal.signal(number, _hear_nothing)
    with contextlib.suppress(BlockingIOError):  # for what came behind the prompt before
        while os.read(reading, 4096):
            pass
    # A signal that comes just before `select` would be heard only behind the next key: Ctrl-C too.
    woken = signal.set_wakeup_fd(writing, warn_on_full_buffer=False)
    try:
        yield reading
    finally:
        signal.set_wakeup_fd(woken)


@functools.cache
def _make_bell() -> tuple[int, int]:
    """Make the pipe into which Python writes the number of each signal that has a handler, while a prompt waits."""
    bell = os.pipe()
    for end in bell:
        os.set_blocking(end, False)
    return bell


def _hear_nothing(*_: object) -> None:
    """Do nothing with a signal: that it has a handler is enough for the bell."""
