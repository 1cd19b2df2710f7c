"""Work on many games, in pieces, by one process or by several.

In: how a process gets ready, with what, how many games, how many processes. Out: what each piece gave, in the order of
the games, however many processes share them. Never: keeps what it was given, or leaves a process behind, also where
somebody types Ctrl-C.
"""

from __future__ import annotations

import contextlib
import multiprocessing
import signal
from collections.abc import Callable, Iterator
from concurrent.futures import ProcessPoolExecutor
from typing import Any, TypeAlias, TypeVar

__all__ = ["Worker", "in_pieces"]

S = TypeVar("S")
T = TypeVar("T")
Worker: TypeAlias = Callable[[range], T]
"""Plays the games with these numbers."""

_MOST_IN_A_PIECE = 25


def in_pieces(ready: Callable[[S], Worker[T]], setting: S, games: int, jobs: int) -> Iterator[T]:
    """What the worker that `ready` makes of the setting gives for each piece, in order; the games are counted from 0.

    `ready` is a function of a module, and the setting and what comes back can be pickled, if there are several jobs.
    """
    size = max(1, min(_MOST_IN_A_PIECE, -(-games // (jobs * 4))))
    starts = range(0, games, size)
    if jobs == 1 or len(starts) < 2:
        worker = ready(setting)
        for start in starts:
            yield worker(range(start, min(start + size, games)))
        return
    # Started afresh, because a process with threads cannot be copied safely.
    context = multiprocessing.get_context("spawn")
    others = {child.pid for child in multiprocessing.active_children()}
    with ProcessPoolExecutor(min(jobs, len(starts)), context, _sit_down, (ready, setting)) as pool:
        try:
            with _no_interrupts():
                futures = [pool.submit(_work, start, min(start + size, games)) for start in starts]
            # In order, so that of several games that go wrong always the same one is named.
            for future in futures:
                yield future.result()
        except (KeyboardInterrupt, GeneratorExit):
            # Whoever is in the middle of a long game is not waited for.
            for child in multiprocessing.active_children():
                if child.pid not in others:
                    child.terminate()
            raise
        finally:
            pool.shutdown(wait=True, cancel_futures=True)


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


_seated: list[Worker[Any]] = []
"""The worker of this process, if it was started to play."""


def _sit_down(ready: Callable[[Any], Worker[Any]], setting: Any) -> None:
    # Ctrl-C is for the process that started this one; it tells the others to end.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    _seated[:] = [ready(setting)]


def _work(start: int, end: int) -> Any:
    return _seated[0](range(start, end))
