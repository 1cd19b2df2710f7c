"""Games of a series on many machines, through Dask's `distributed`.

What a chunk of games gives depends on nothing but the chunk, so Dask may play one again whose worker died
(docs/decisions/0024). `distributed` is imported only where a cluster is asked for.
"""

from __future__ import annotations

import os
import pickle
import sys
import time
import zlib
from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from functools import cache, lru_cache
from hashlib import blake2b
from importlib import import_module
from pathlib import Path
from typing import Any

from rulebook.playtest.bots import is_command, looks
from rulebook.playtest.coverage import Coverage
from rulebook.playtest.pieces import Killed, Worker
from rulebook.playtest.series.plan import Plan
from rulebook.playtest.series.table import Pieces, Table
from rulebook.version import DISTRIBUTION, __version__

_AHEAD = 4
"""Chunks for each thread of each worker that may be on their way, or wait for an earlier one."""
_CONNECTING = 10.0  # seconds until nobody is there
_LOOKING = 2.0  # seconds after which it looks how many workers there are
_PATIENCE = 60.0  # seconds without any worker until it is given up
_LARGEST = 16
"""Maximum chunk size, in grains."""
_PART = 64
"""A chunk is about this part of all games before it, so that few games are shared out as well as many."""

Program = dict[str, str]
"""A program, as far as games depend on it; plain, so that another one can read it."""


class BadCluster(Exception):
    """It cannot be used, or not any more; the sentence says why, and what to do."""


class WrongWorker(Exception):
    """This is not the program that asks; the text says what it has, as the end of a sentence."""


# ── chunks ───────────────────────────────────────────────────────────────────────────────────────────────────────────


def grain(plan: Plan) -> int:
    """The size of the smallest chunks, in games: a game of bots that think may take a minute."""
    return 1 if any(looks(bot) or is_command(bot) for bot in plan.bots) else 25


def chunks(wanted: Iterable[range], grain: int) -> Iterator[range]:
    """The wanted games, in chunks that end where a grid ends that is the same for all series.

    The first chunks are small, since somebody may only want a hundred games of very many machines.
    """
    start = end = 0
    for piece in wanted:
        if piece.start != end or start == end:
            yield from _cut(start, end, grain)
            start = piece.start
        end = piece.stop
    yield from _cut(start, end, grain)


def _cut(start: int, end: int, grain: int) -> Iterator[range]:
    while start < end:
        size = grain
        while size < grain * _LARGEST and size * 2 * _PART <= start:
            size *= 2
        stop = min(end, start - start % size + size)
        yield range(start, stop)
        start = stop


# ── a worker ─────────────────────────────────────────────────────────────────────────────────────────────────────────


@cache
def describe_program() -> Program:
    """Describe this program: two with equal descriptions play the same games with equal numbers."""
    hashed = blake2b(digest_size=12)
    package = Path(__file__).parents[2]
    for here, folders, files in os.walk(package):
        folders[:] = sorted(folder for folder in folders if folder not in ("__pycache__", "cards"))
        # The core plays the same games, whoever compiled it, and so does who has none.
        for name in sorted(file for file in files if not file.startswith("_core.")):
            data = Path(here, name).read_bytes()
            hashed.update(f"{Path(here, name).relative_to(package).as_posix()} {len(data)}\n".encode() + data)
    python = f"{sys.implementation.name} {sys.version_info.major}.{sys.version_info.minor}"
    return {"rulebook": __version__, "python": python, "sources": hashed.hexdigest()}


def difference(theirs: Program, ours: Program) -> str:
    """Say what a program has that is not as it is here, as the end of a sentence; empty if all is the same."""
    for name, what in (("rulebook", "rulebook "), ("python", "")):
        if theirs.get(name) != ours[name]:
            return f"has {what}{theirs.get(name)} instead of {ours[name]}"
    if theirs.get("sources") != ours["sources"]:
        return f"has rulebook {ours['rulebook']} too, but its files are not the same"
    return ""


def play_chunk(asks: Program, packed: bytes, first: int, stop: int) -> bytes:
    """Play the games of a packed series, up to that before `stop`. Raises WrongWorker, BadSpec."""
    different = difference(describe_program(), asks)
    if different:
        raise WrongWorker(different)
    return _pack(_table(packed)(range(first, stop)))


@lru_cache(maxsize=4)
def _table(packed: bytes) -> Worker[Pieces]:
    """Make the table at which this process plays a series; several people may use one cluster."""
    plan, covers = pickle.loads(zlib.decompress(packed))
    return Table(plan, Coverage(plan.rulebook) if covers else None).apart


def _pack(value: Any) -> bytes:
    """A value for its way; records of games say the same again and again."""
    return zlib.compress(pickle.dumps(value, pickle.HIGHEST_PROTOCOL), 1)


# ── the driver ───────────────────────────────────────────────────────────────────────────────────────────────────────


class Cluster:
    """A connection to a scheduler. Use it in `with`."""

    def __init__(self, address: str, connecting: float = _CONNECTING, patience: float = _PATIENCE) -> None:
        """Raises BadCluster if nobody is there, or somebody who is not the same program."""
        try:
            distributed = import_module("distributed")
        except ImportError:
            raise BadCluster(
                f"--cluster needs Dask's distributed, which is not installed: pip install '{DISTRIBUTION}[cluster]'"
            ) from None
        import logging  # no other command needs it

        # What it would tell of lost connections is said here, in other words.
        for name in logging.root.manager.loggerDict:
            if name.split(".")[0] == "distributed":
                logging.getLogger(name).setLevel(logging.CRITICAL)
        self.address, self.patience = address, patience
        self._killed: type[Exception] = distributed.scheduler.KilledWorker
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
        """Leave; what nobody has begun will not be played."""
        self.client.close(timeout=_LOOKING)

    def threads(self) -> int:
        """Count the games that can be played at once just now. Raises BadCluster."""
        try:
            return sum(self.client.nthreads().values())
        except (OSError, RuntimeError):
            raise self._gone() from None

    def in_order(self, plan: Plan, covers: bool, wanted: Sequence[range]) -> Iterator[Pieces]:
        """The wanted games, chunk after chunk; with what ran in each, if `covers`.

        What a worker raises is raised when its turn comes. Raises BadCluster, Killed.
        """
        asks, packed = describe_program(), _pack((plan, covers))
        series = blake2b(repr(asks).encode() + packed, digest_size=12).hexdigest()
        asked = deque(chunks(wanted, grain(plan)))
        waiting: deque[tuple[range, Any]] = deque()
        while asked or waiting:
            while asked and len(waiting) < _AHEAD * max(self.threads(), 1):
                chunk = asked.popleft()
                name = f"rulebook_games-{series}-{chunk.start}-{chunk.stop}"
                words = asks, packed, chunk.start, chunk.stop
                waiting.append((chunk, self.client.submit(play_chunk, *words, key=name, pure=False)))
            chunk, future = waiting.popleft()
            found: Pieces = pickle.loads(zlib.decompress(self._wait_for(chunk, future)))
            yield found

    def _wait_for(self, chunk: range, future: Any) -> bytes:
        """Wait for what a chunk gave, packed."""
        somebody = time.monotonic()  # when a worker was seen the last time
        while True:
            try:
                found: bytes = future.result(timeout=_LOOKING)
                return found
            except TimeoutError:
                if self.threads():
                    somebody = time.monotonic()
                elif time.monotonic() - somebody > self.patience:
                    raise self._deserted() from None
            except self._killed:
                raise KilledThere(chunk[0], chunk[-1]) from None
            except Exception as error:
                if future.status != "error":
                    raise self._gone() from None
                wrong = _wrong_if(error)
                if wrong:
                    raise _refusal([f"  a worker that came later {wrong}"]) from None
                raise

    def _look_at_all(self, connecting: float) -> None:
        """Wait for a worker, and refuse all if one is not the same program."""
        until = time.monotonic() + connecting
        while not self.threads():
            if time.monotonic() > until:
                raise self._deserted()
            time.sleep(0.1)
        try:
            found = self.client.run(describe_program, on_error="return")
        except OSError:
            raise self._gone() from None
        wrong = [f"  the worker {at} {what}" for at, one in found.items() if (what := _wrong(one))]
        if wrong:
            raise _refusal(wrong)

    def _gone(self) -> BadCluster:
        return BadCluster(f"The connection to {self.address} was lost. Look whether the scheduler still runs.")

    def _deserted(self) -> BadCluster:
        return BadCluster(
            f"There is no worker at {self.address}. Start some on each machine with: dask worker {self.address} "
            "--nworkers -1 --nthreads 1"
        )


class KilledThere(Killed):
    """Worker after worker was killed over the same games."""

    def __str__(self) -> str:
        return (
            f"Worker after worker was killed while it played the games {self.first} to {self.last}. "
            "Perhaps there is too little memory for so many processes; with --jobs 1 instead of --cluster it will show."
        )


def _refusal(wrong: Sequence[str]) -> BadCluster:
    there = "\n".join(wrong)
    return BadCluster(
        f"These would not play the same games:\n{there}\n"
        "Install the same rulebook under the same Python on all machines, and start them again."
    )


def _wrong(found: object) -> str:
    """Say what is wrong with somebody who said this of itself, as the end of a sentence; empty if all is well."""
    if isinstance(found, dict):
        return difference(found, describe_program())
    return _wrong_if(found) or f"does not say what it is ({type(found).__name__}: {_last_line(found)})"


def _wrong_if(error: object) -> str:
    """The same, of what went wrong there; empty if that says nothing about the program."""
    if isinstance(error, WrongWorker):
        return str(error)
    # Only the words of it may come through.
    if "No module named 'rulebook'" in str(error):
        return "has no rulebook"
    if "No module named 'rulebook." in str(error):
        return f"has another rulebook ({_last_line(error)})"
    return ""


def _last_line(error: object) -> str:
    return (str(error).strip().splitlines() or [type(error).__name__])[-1].strip().rstrip(".")
