"""Processes that share the pieces of some work; what the pieces give comes in their order.

A piece that was lost with its process is done again. No process is left behind, also where somebody types Ctrl-C.
"""

from __future__ import annotations

import contextlib
import multiprocessing
import pickle
import signal
import traceback
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from multiprocessing import resource_tracker
from multiprocessing.connection import Connection, wait
from multiprocessing.process import BaseProcess
from typing import Any, Generic, TypeVar

from attrs import define, field

from rulebook.playtest.pieces import TRIES, Killed, Worker

__all__ = ["Crew"]

T = TypeVar("T")

_AHEAD = 4
"""The most pieces for each process that wait for an earlier one."""


@define(eq=False)
class _Member(Generic[T]):
    """A process that plays, and the number of the piece that it was given."""

    process: BaseProcess
    line: Connection
    piece: int | None = None


@define(eq=False)
class Crew(Generic[T]):
    """Processes that share the pieces."""

    ready: Callable[[Any], Worker[T]]
    setting: Any
    pieces: Sequence[range]
    jobs: int
    members: list[_Member[T]] = field(factory=list, init=False)
    lost: list[int] = field(factory=list, init=False)
    """Pieces to be done again."""
    handed_out: int = field(default=0, init=False)
    deaths: Counter[int] = field(factory=Counter, init=False)
    results: dict[int, tuple[bool, Any]] = field(factory=dict, init=False)

    def result(self, number: int) -> T:
        """Wait for the result of a piece; asked in order."""
        while number not in self.results:
            self._hand_out(number)
            busy = {member.line: member for member in self.members if member.piece is not None}
            for line in wait(list(busy)):
                assert isinstance(line, Connection)
                self._hear(busy[line])
        good, value = self.results.pop(number)
        if not good:
            raise value
        self._hand_out(number + 1)
        result: T = value
        return result

    def _hand_out(self, wanted: int) -> None:
        """Give everybody something to do, but nothing that would wait for long."""
        last = min(len(self.pieces), wanted + _AHEAD * self.jobs)
        while self.lost or self.handed_out < last:
            idle = next((member for member in self.members if member.piece is None), None)
            if idle is None:
                if len(self.members) == self.jobs:
                    return
                idle = self._started()
            if self.lost:
                number = self.lost.pop(0)
            else:
                number, self.handed_out = self.handed_out, self.handed_out + 1
            idle.piece = number
            # Whoever is dead already is found out when nothing is heard.
            with contextlib.suppress(OSError):
                idle.line.send(self.pieces[number])

    def _hear(self, member: _Member[T]) -> None:
        piece, member.piece = member.piece, None
        assert piece is not None, "only who is busy is listened to"
        try:
            self.results[piece] = member.line.recv()
        except (EOFError, OSError):
            self.members.remove(member)
            member.line.close()
            member.process.join()
            self.deaths[piece] += 1
            if self.deaths[piece] == TRIES:
                games = self.pieces[piece]
                self.results[piece] = False, Killed(games[0], games[-1])
            else:
                self.lost.append(piece)
                self.lost.sort()

    def _started(self) -> _Member[T]:
        # Started afresh, because a process with threads cannot be copied safely.
        context = multiprocessing.get_context("spawn")
        if hasattr(signal, "pthread_sigmask"):
            # What is started with the first process would let signals through again.
            resource_tracker.ensure_running()
        ours, theirs = context.Pipe()
        # Whatever is large goes through our own line. If a process is killed while Python hands that over at its start,
        # nobody notices, and waits for ever.
        process = context.Process(target=_work, args=(theirs,), daemon=True)
        with _no_interrupts():
            process.start()
        theirs.close()
        member: _Member[T] = _Member(process, ours)
        self.members.append(member)
        with contextlib.suppress(OSError):
            ours.send((self.ready, self.setting))
        return member

    def go_home(self) -> None:
        """Everybody ends; whoever is in the middle of a long game is not waited for."""
        for member in self.members:
            if member.piece is not None:
                member.process.terminate()
            member.line.close()
        for member in self.members:
            member.process.join()
        self.members.clear()


@contextlib.contextmanager
def _no_interrupts() -> Iterator[None]:
    """Ctrl-C waits: processes that are started meanwhile never hear of it, not even while they import."""
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _work(line: Connection) -> None:
    """The life of a process: it is told how to get ready; then pieces come, and what they gave goes back."""
    # Ctrl-C is for the process that started this one; it tells the others to end.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    worker: Worker[Any] | None = None
    heard: tuple[bool, Any]
    # Nobody is there any more when the line is closed: the process that started this one has ended.
    with contextlib.suppress(EOFError, OSError):
        ready, setting = line.recv()
        while True:
            piece = line.recv()
            try:
                if worker is None:
                    worker = ready(setting)
                heard = True, worker(piece)
            except Exception as error:
                error.add_note(traceback.format_exc())
                heard = False, _sendable(error)
            line.send(heard)


def _sendable(error: Exception) -> Exception:
    """The exception, or its words where it cannot travel."""
    try:
        pickle.loads(pickle.dumps(error))
    except Exception:
        return RuntimeError(f"{type(error).__name__}: {error}")
    return error
