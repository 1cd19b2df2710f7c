"""The process that asks a cluster for games.

In: the address of a scheduler; plans, and which games of them are wanted. Out: what each chunk gave, in order, whoever
played it and however many workers were killed meanwhile. Never: imports `distributed` before a cluster is asked for;
asks for so much at once that it could not hold all that comes back; uses a worker that is not the same program.

What a chunk gives depends on nothing but the chunk, so one that was lost with its worker is simply done again.
"""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Iterator, Sequence
from concurrent.futures import CancelledError
from contextlib import contextmanager, suppress
from importlib import import_module
from queue import Empty, SimpleQueue
from typing import Any

from attrs import define, field

from rulebook.playtest.series.cluster import BadCluster
from rulebook.playtest.series.cluster.chunks import chunks, grain, key, series_key
from rulebook.playtest.series.cluster.worker import (
    GIVEN,
    Rules,
    WrongWorker,
    difference,
    kind,
    left_behind,
    played,
    unpacked,
)
from rulebook.playtest.series.plan import Plan
from rulebook.playtest.series.table import Pieces
from rulebook.playtest.sharing import Killed

__all__ = ["Answers", "Cluster"]

_AHEAD = 4
"""How many chunks for each thread of each worker may be on their way, or wait for an earlier one."""
_CONNECTING = 10.0  # seconds until nobody is there
_FETCHING = 3.0  # seconds until what is done is fetched once more; the next time twice as many
_AGAIN = 0.05  # seconds until it looks again whether something that was lost has been played once more
_LOOKING = 2.0  # seconds after which it looks how many workers there are now
_NAMED = 10  # how many wrong workers are named
_PATIENCE = 60.0  # seconds without any worker until it is given up


class KilledThere(Killed):
    """Worker after worker was killed over the same games."""

    def __str__(self) -> str:
        return (
            f"Worker after worker was killed while it played the games {self.first} to {self.last}. "
            "Perhaps there is too little memory for so many processes; with --jobs 1 instead of --cluster it will show."
        )


class Cluster:
    """A connection to a scheduler. Close it, or use it in `with`."""

    def __init__(self, address: str, connecting: float = _CONNECTING, patience: float = _PATIENCE) -> None:
        """Raises BadCluster if nobody is there, or somebody who is not the same program. `connecting` is for how many
        seconds nobody need be there at first, or again, `patience` for how many there may be no worker later.
        """
        try:
            distributed = import_module("distributed")
        except ImportError:
            raise BadCluster(
                "--cluster needs Dask's distributed, which is not installed: pip install 'rulebook[cluster]'"
            ) from None
        # What it would tell of lost connections is said here, in other words.
        for name in logging.root.manager.loggerDict:
            if name.split(".")[0] == "distributed":
                logging.getLogger(name).setLevel(logging.CRITICAL)
        self.address, self.patience = address, patience
        self.killed: type[Exception] = distributed.scheduler.KilledWorker
        try:
            self.client = distributed.Client(address, timeout=connecting, set_as_default=False)
        except (OSError, ValueError) as error:
            raise BadCluster(
                f"Nobody answers at {address} ({_last_line(error)}). Start a scheduler there with: dask scheduler"
            ) from None
        try:
            self._look_at_all(connecting)
        except BaseException:
            self.close()
            raise

    def __enter__(self) -> Cluster:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """What nobody has begun will not be played; what is being played is forgotten."""
        self.client.close(timeout=_LOOKING)

    # ── who is there ──

    def threads(self) -> int:
        """How many games can be played at once just now. Raises BadCluster."""
        try:
            return sum(self.client.nthreads().values())
        except (OSError, RuntimeError):
            raise self.gone() from None

    def gone(self) -> BadCluster:
        """That the scheduler does not answer any more."""
        return BadCluster(f"The connection to {self.address} was lost. Look whether the scheduler still runs.")

    def _look_at_all(self, connecting: float) -> None:
        """Wait for a worker, and refuse all if one is not the same program."""
        until = time.monotonic() + connecting
        while not self.threads():
            if time.monotonic() > until:
                raise self.deserted()
            time.sleep(0.1)
        found = {f"the scheduler {self.address}": self._asked(self.client.run_on_scheduler)}
        try:
            found |= {f"the worker {at}": one for at, one in self.client.run(kind, on_error="return").items()}
        except OSError:
            raise self.gone() from None
        wrong = [f"  {who} {what}" for who, one in found.items() if (what := _wrong(one))]
        if wrong:
            raise refusal(wrong)
        for name in self.client.run_on_scheduler(left_behind):
            self._take_back(name)

    @staticmethod
    def _asked(run: Any) -> Any:
        try:
            return run(kind)
        except Exception as error:
            # It is looked at beside what others say of themselves.
            return error

    def deserted(self) -> BadCluster:
        """That there is no worker."""
        return BadCluster(
            f"There is no worker at {self.address}. Start some on each machine with: dask worker {self.address} "
            "--nworkers -1 --nthreads 1"
        )

    # ── games ──

    def in_order(self, plan: Plan, rules_hash: str, covers: bool, wanted: Sequence[range]) -> Iterator[Pieces]:
        """The wanted games, chunk after chunk; with what ran in each, if `covers`.

        What a worker raises is raised when its turn comes. Raises BadCluster, Killed.
        """
        series = series_key(plan, rules_hash, covers, kind()["sources"])
        asked = list(chunks(wanted, grain(plan)))
        if not asked:
            return
        with self.holding(Rules.of(series, plan, covers)):
            answers = Answers(self, series, asked)
            try:
                for number in range(len(asked)):
                    yield unpacked(answers.of(number))
            finally:
                answers.forget()

    @contextmanager
    def holding(self, rules: Rules) -> Iterator[None]:
        """All workers have these rules, also those that come later."""
        from rulebook.playtest.series.cluster.holding import Holding

        name = f"{GIVEN}{rules.series}-{self.client.id}"
        try:
            self._give(Holding(name, rules))
            yield
        finally:
            self._take_back(name)

    def _take_back(self, name: str) -> None:
        """Where nobody is any more, or who was not the same program, there is nothing to take back."""
        if self.client.status == "running":
            with suppress(Exception):
                self.client.unregister_worker_plugin(name)

    def _give(self, holding: Any) -> None:
        try:
            self.client.register_plugin(holding, name=holding.name)
        except (OSError, CancelledError):
            raise self.gone() from None
        except Exception as error:
            wrong = _wrong_if(error)
            if not wrong:
                raise
            raise refusal([f"  a worker that came later {wrong}"]) from None


@define(eq=False)
class Answers:
    """What was asked and what came of it, of one series. What came stays packed until its turn."""

    cluster: Cluster
    series: str
    asked: Sequence[range]
    given: int = field(default=0, init=False)
    waiting: dict[int, Any] = field(factory=dict, init=False)
    found: dict[int, bytes | BaseException] = field(factory=dict, init=False)
    _came: SimpleQueue[tuple[int, bytes | None]] = field(factory=SimpleQueue, init=False)
    _over: bool = field(default=False, init=False)
    _threads: int = field(default=0, init=False)
    _looked: float = field(default=float("-inf"), init=False)
    _somebody: float = field(factory=time.monotonic, init=False)
    """When a worker was seen the last time."""

    def of(self, number: int) -> bytes:
        """What a chunk gave, packed; asked in order."""
        while number not in self.found:
            self.look()
            self.ask(number)
            self._hear()
        found = self.found.pop(number)
        if isinstance(found, BaseException):
            raise found
        self.ask(number + 1)
        return found

    def forget(self) -> None:
        """Nobody wants the rest any more."""
        self._over = True
        for future in self.waiting.values():
            future.release()
        self.waiting.clear()

    def look(self) -> None:
        """How many workers there are changes while games are played."""
        now = time.monotonic()
        if now - self._looked < _LOOKING:
            return
        self._looked, self._threads = now, self.cluster.threads()
        if self._threads:
            self._somebody = now
        elif now - self._somebody > self.cluster.patience:
            raise self.cluster.deserted()

    def ask(self, wanted: int) -> None:
        """Ask for a chunk and what comes after it, but for nothing that would wait for long."""
        last = min(len(self.asked), wanted + _AHEAD * max(self._threads, 1))
        while self.given < last:
            number, self.given = self.given, self.given + 1
            chunk = self.asked[number]
            name = key(self.series, chunk)
            self._wait_for(number, self.cluster.client.submit(played, self.series, chunk.start, chunk.stop, key=name))

    def _wait_for(self, number: int, future: Any) -> None:
        self.waiting[number] = future
        loop = self.cluster.client.loop.asyncio_loop
        future.add_done_callback(lambda _: asyncio.run_coroutine_threadsafe(self._fetch(number, future), loop))

    async def _fetch(self, number: int, future: Any) -> None:
        """Get what a chunk gave from where it lies. If that is a worker that was just killed, nothing may be heard for
        half a minute; so it is asked for once more, and by then it lies elsewhere.
        """
        found, patience = None, _FETCHING
        while found is None and future.status in ("pending", "lost", "finished") and not self._over:
            if future.status != "finished":
                await asyncio.sleep(_AGAIN)
                continue
            coming = self.cluster.client.gather([future], asynchronous=True)
            try:
                [found] = await asyncio.wait_for(asyncio.shield(coming), patience)
            except TimeoutError:
                patience *= 2
            except (Exception, asyncio.CancelledError):
                # Whatever it is, it shows in the status, though perhaps not at once.
                await asyncio.sleep(_AGAIN)
        self._came.put((number, found))

    def _hear(self) -> None:
        """Wait for something, but not for ever."""
        with suppress(Empty):
            number, found = self._came.get(timeout=_LOOKING)
            future = self.waiting.pop(number)
            self.found[number] = self._failed(number, future) if found is None else found

    def _failed(self, number: int, future: Any) -> BaseException:
        if future.status != "error":
            raise self.cluster.gone()
        error, chunk = future.exception(), self.asked[number]
        if isinstance(error, self.cluster.killed):
            return KilledThere(chunk[0], chunk[-1])
        wrong = _wrong_if(error)
        if wrong:
            return refusal([f"  a worker that came later {wrong}"])
        assert isinstance(error, BaseException), "a question that failed says why"
        return error


def refusal(wrong: Sequence[str]) -> BadCluster:
    """That these are not the program that asks."""
    more = [f"  and {len(wrong) - _NAMED} others"] if len(wrong) > _NAMED else []
    there = "\n".join([*wrong[:_NAMED], *more])
    return BadCluster(
        f"These would not play the same games:\n{there}\n"
        "Install the same rulebook under the same Python on all machines, and start them again."
    )


def _wrong(found: object) -> str:
    """What is wrong with somebody who said this of itself, as the end of a sentence; nothing if all is well."""
    if isinstance(found, dict):
        return difference(found, kind())
    return _wrong_if(found) or f"does not say what it is ({type(found).__name__}: {_last_line(found)})"


def _wrong_if(error: object) -> str:
    """The same, of what went wrong there; nothing if that says nothing about the program."""
    if isinstance(error, WrongWorker):
        return error.different
    # Only the words of it may come through.
    if "No module named 'rulebook'" in str(error):
        return "has no rulebook"
    if "No module named 'rulebook." in str(error):
        return f"has another rulebook ({_last_line(error)})"
    return ""


def _last_line(error: object) -> str:
    return (str(error).strip().splitlines() or [type(error).__name__])[-1].strip().rstrip(".")
