"""What a worker of a cluster does: it keeps the rules, and plays the games that it is asked for.

In: the rules of a series, once; the numbers of games. Out: a packed piece for each question. Never: plays for a program
that is not the same as itself; keeps a game; reads a file of rules.
"""

from __future__ import annotations

import os
import pickle
import sys
import threading
import zlib
from functools import cache
from hashlib import blake2b
from pathlib import Path
from typing import Any

from attrs import frozen

from rulebook.playtest.coverage import Coverage
from rulebook.playtest.series.plan import Plan
from rulebook.playtest.series.table import Pieces, Table
from rulebook.playtest.sharing import Worker
from rulebook.version import __version__

__all__ = [
    "GIVEN",
    "Rules",
    "WrongWorker",
    "difference",
    "drop",
    "hold",
    "kind",
    "left_behind",
    "packed",
    "played",
    "unpacked",
]

GIVEN = "rulebook-"
"""What the names of given rules begin with; they end with who gave them."""

Kind = dict[str, str]
"""What a program is, as far as games depend on it; plain, so that another one can read it."""

_KEPT = 4
"""Of how many series a thread keeps the table; several people may use one cluster."""


class WrongWorker(Exception):
    """This is not the program that asks. `different` says what it has, as the end of a sentence."""

    def __init__(self, different: str) -> None:
        super().__init__(different)
        self.different = different

    def __str__(self) -> str:
        return f"This worker {self.different}, so it would not play the same games. Install the same everywhere."


@cache
def kind() -> Kind:
    """What this program is. Two with equal kinds play the same games with equal numbers."""
    hashed = blake2b(digest_size=12)
    package = Path(__file__).parents[3]
    for here, folders, files in os.walk(package):
        folders[:] = sorted(one for one in folders if one not in ("__pycache__", "cards"))
        for name in sorted(files):
            data = Path(here, name).read_bytes()
            hashed.update(f"{Path(here, name).relative_to(package).as_posix()} {len(data)}\n".encode() + data)
    python = f"{sys.implementation.name} {sys.version_info.major}.{sys.version_info.minor}"
    return {"rulebook": __version__, "python": python, "sources": hashed.hexdigest()}


def left_behind(dask_scheduler: Any) -> list[str]:
    """Rules that were given by drivers who are gone. Asked of the scheduler: Dask looks how the argument is called."""
    there = [f"-{client}" for client in dask_scheduler.clients]
    rules = [name for name in dask_scheduler.worker_plugins if name.startswith(GIVEN)]
    return [name for name in rules if not name.endswith(tuple(there))]


def difference(theirs: Kind, ours: Kind) -> str:
    """What a program has that is not as it is here, as the end of a sentence; nothing if all is the same."""
    for name, what in (("rulebook", "rulebook "), ("python", "")):
        if theirs.get(name) != ours[name]:
            return f"has {what}{theirs.get(name)} instead of {ours[name]}"
    if theirs.get("sources") != ours["sources"]:
        return f"has rulebook {ours['rulebook']} too, but its files are not the same"
    return ""


@frozen
class Rules:
    """What a worker needs of a series, and who asks: who is somebody else must not even try to read the rest."""

    series: str
    asks: Kind
    packed: bytes

    @classmethod
    def of(cls, series: str, plan: Plan, covers: bool) -> Rules:
        """The resolved rules, and how they are played."""
        return cls(series, kind(), zlib.compress(pickle.dumps((plan, covers), pickle.HIGHEST_PROTOCOL)))

    def table(self) -> Worker[Pieces]:
        """Somewhere to play."""
        plan, covers = pickle.loads(zlib.decompress(self.packed))
        return Table(plan, Coverage(plan.rulebook) if covers else None).apart


_held: dict[str, Rules] = {}
"""All rules that this process was given, by who gave them."""


def hold(name: str, rules: Rules) -> None:
    """Somebody gives rules, before the first question. Raises WrongWorker."""
    different = difference(kind(), rules.asks)
    if different:
        raise WrongWorker(different)
    _held[name] = rules


def drop(name: str) -> None:
    """Nobody will ask for them any more."""
    _held.pop(name, None)


class _Tables(threading.local):
    """The tables of one thread; two threads cannot play at one."""

    def __init__(self) -> None:
        self.by_series: dict[str, Worker[Pieces]] = {}

    def of(self, series: str) -> Worker[Pieces]:
        found = self.by_series.pop(series, None)
        if found is None:
            found = next(one for one in list(_held.values()) if one.series == series).table()
        # The one that was used last stands last.
        self.by_series[series] = found
        while len(self.by_series) > _KEPT:
            del self.by_series[next(iter(self.by_series))]
        return found


_tables = _Tables()


def played(series: str, first: int, stop: int) -> bytes:
    """The games of a series whose rules are held, from the first up to that before `stop`. Raises BadSpec, NoTier."""
    return packed(_tables.of(series)(range(first, stop)))


def packed(piece: Pieces) -> bytes:
    """A piece for its way home; records of games say the same again and again."""
    return zlib.compress(pickle.dumps(piece, pickle.HIGHEST_PROTOCOL), 1)


def unpacked(data: bytes) -> Pieces:
    """What was packed."""
    found: Pieces = pickle.loads(zlib.decompress(data))
    return found
