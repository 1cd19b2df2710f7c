"""Other programs that play: what a seat `exec:COMMAND` stands for (docs/protocol.md).

A program is told what its seat may know and nothing else, is not waited for beyond its time, is started without a
shell, and does not outlive the game; of what one writes only a few lines are kept.
"""

from __future__ import annotations

import contextlib
import os
import queue
import signal
import subprocess
import threading
import time
from collections.abc import Iterator, Mapping
from typing import IO, Any

from rulebook.interpreter.decisions import Ask, NotKept, Refused
from rulebook.interpreter.game import Game
from rulebook.playtest import protocol
from rulebook.playtest.bots import BadSpec, command_of

TIMEOUT = 60.0
"""Seconds that an answer may take, if nobody says otherwise."""
MOST_REFUSED = 3
"""The number of times that a program is asked again after a wrong answer."""
_GRACE = 2.0  # seconds that a program may take to end when the game is over
_MOST_AHEAD = 16
"""Lines that a program may write before somebody wants them; then its output is read no further."""
_MOST_BEHIND = 64_000_000
"""Characters that it may leave unread of what it is sent."""
_CHUNK, _KEPT = 65_536, 4096  # bytes of its standard error that are read at a time, and that are kept
_BREATH = 0.01  # seconds between two chunks
_LONGEST_WORDS, _LONGEST_REASON = 200, 400  # characters of it that a message quotes


class PartnerFailed(Exception):
    """A program ended, hung, or gave no answer that the rules allow; the sentence says which one and how."""


@contextlib.contextmanager
def seated(game: Game, specs: Mapping[int, str], timeout: float = TIMEOUT) -> Iterator[dict[int, Partner]]:
    """The programs that play in a game, by seat, for as long as it goes on; then none of them is left.

    Raises BadSpec if one cannot be started.
    """
    partners: dict[int, Partner] = {}
    try:
        for seat, spec in specs.items():
            partners[seat] = Partner(spec, game, seat, timeout)
        yield partners
        if game.over:
            for partner in partners.values():
                partner.say_over()
    finally:
        for partner in partners.values():
            partner.close()


class Partner:
    """A program that plays for one seat of one game."""

    def __init__(self, spec: str, game: Game, seat: int, timeout: float = TIMEOUT) -> None:
        self.spec, self.game, self.seat, self.timeout = spec, game, seat, timeout
        self._news = protocol.News(game, seat)
        self._lines: queue.SimpleQueue[str | None] = queue.SimpleQueue()
        self._room = threading.Semaphore(_MOST_AHEAD)
        self._outgoing: queue.SimpleQueue[str | None] = queue.SimpleQueue()
        self._sent, self._taken = 0, 0
        """Characters that were to be sent, and that the pipe has taken; each is counted by one thread alone."""
        self._last_words = b""
        self._is_closed = False
        try:
            self._process = subprocess.Popen(
                command_of(spec),
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                start_new_session=True,  # Ctrl-C is for us; we end what we started
            )
        except OSError as error:
            raise BadSpec(f"The program of `{spec}` cannot be started: {error.strerror}.") from None
        # A program that reads nothing, or writes without end, must not stop the game: pipes have threads of their own.
        self._threads = [
            threading.Thread(target=work, args=(pipe,), daemon=True)
            for work, pipe in (
                (self._write, self._process.stdin),
                (self._read, self._process.stdout),
                (self._overhear, self._process.stderr),
            )
        ]
        for thread in self._threads:
            thread.start()
        self._send(protocol.hello(game, seat))

    @property
    def name(self) -> str:
        """The player for whom it plays."""
        return self.game.names[self.seat]

    def answer(self, ask: Ask) -> None:
        """Ask until the game has taken an answer. Raises PartnerFailed."""
        if self._lines.qsize() >= _MOST_AHEAD:
            raise self._failure(f"wrote {_MOST_AHEAD} lines and more that nobody had asked for.")
        for left in reversed(range(MOST_REFUSED + 1)):
            self._send({**self._news.next(), "ask": ask.to_json()})
            line = self._next_line()
            try:
                self.game.answer(self.seat, *protocol.answered(protocol.said(line), ask))
            except NotKept as why:
                # That is no fault of the program: it is asked again when there is room.
                self._send({"refused": str(why)})
                raise
            except Refused as refused:
                if not left:
                    reason = f"gave {MOST_REFUSED + 1} answers in a row that may not be given, the last one because:"
                    raise self._failure(f"{reason} {_shorten_line(str(refused), _LONGEST_REASON)}") from None
                self._send({"refused": str(refused)})
            else:
                return

    def say_over(self) -> None:
        """Tell how the game ended; whether it is read makes no difference any more."""
        with contextlib.suppress(PartnerFailed):
            self._send({**self._news.next(), "over": protocol.over(self.game)})

    def close(self) -> None:
        """The program has nothing more to do; one that does not end by itself is ended."""
        self._is_closed = True
        self._room.release()
        self._outgoing.put(None)
        if self.game.over:
            with contextlib.suppress(subprocess.TimeoutExpired):
                self._process.wait(_GRACE)
        self._kill()
        self._process.wait()
        for thread in self._threads:
            # Something that the program started may hold a pipe open; it is not waited for.
            thread.join(_GRACE)

    def _kill(self) -> None:
        with contextlib.suppress(OSError):
            if os.name == "posix":
                os.killpg(self._process.pid, signal.SIGKILL)
            else:
                self._process.kill()

    # ── what is said ──

    def _send(self, message: Mapping[str, Any]) -> None:
        line = protocol.as_line(message)
        self._sent += len(line)
        if self._sent - self._taken > _MOST_BEHIND:
            raise self._failure("reads nothing of what it is sent.")
        self._outgoing.put(line)

    def _next_line(self) -> str:
        try:
            line = self._lines.get(timeout=self.timeout)
        except queue.Empty:
            raise self._failure(f"gave no answer within {self.timeout:g} seconds.") from None
        if line is None:
            with contextlib.suppress(subprocess.TimeoutExpired):
                self._process.wait(_GRACE)
            code = self._process.poll()
            how = "closed its output" if code is None else f"ended with exit code {code}"
            raise self._failure(f"{how} when it was asked for an answer.")
        self._room.release()
        return line

    def _failure(self, what: str) -> PartnerFailed:
        self._kill()
        self._threads[-1].join(_GRACE)
        lines = [line.strip() for line in self._last_words.decode("utf-8", "replace").splitlines() if line.strip()]
        words = f" Its last words: {_shorten_line(lines[-1], _LONGEST_WORDS)}" if lines else ""
        return PartnerFailed(f"{self.name} ({self.spec}) {what}{words}")

    # ── pipes ──

    def _write(self, pipe: IO[bytes]) -> None:
        with contextlib.suppress(OSError, ValueError), pipe:
            while (line := self._outgoing.get()) is not None:
                pipe.write(line.encode())
                pipe.flush()
                self._taken += len(line)

    def _read(self, pipe: IO[bytes]) -> None:
        lines = protocol.Lines(pipe)
        with contextlib.suppress(OSError, ValueError), pipe:
            while self._room.acquire() and not self._is_closed and (line := lines.next()) is not None:
                self._lines.put(line)
        self._lines.put(None)

    def _overhear(self, pipe: IO[bytes]) -> None:
        with contextlib.suppress(OSError, ValueError), pipe:
            while read := os.read(pipe.fileno(), _CHUNK):
                self._last_words = (self._last_words + read)[-_KEPT:]
                if len(read) == _CHUNK:
                    # A flood need not be read as fast as it comes.
                    time.sleep(_BREATH)


def _shorten_line(text: str, length: int) -> str:
    return text if len(text) <= length else f"{text[:length]}…"
