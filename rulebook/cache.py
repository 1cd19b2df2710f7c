"""Files in the user's own cache folder: what could be worked out again, kept because that would take longer.

In: a name, a key that says what the file was made from, and plain data. Out: the data, if the file was made from just
that and is whole. Never: a pickle (a file must not be able to run code), a folder that all users share, an error (a
cache that cannot be read or written costs time, nothing else), or a file that somebody finds half written.

The folder is `RULEBOOK_CACHE`, or else the one that the system has for such files; `RULEBOOK_CACHE=off` does without.
All files together take 64 MB at most: what was written longest ago goes first.
"""

from __future__ import annotations

import json
import os
import re
import sys
import zlib
from contextlib import suppress
from pathlib import Path
from typing import Any

__all__ = ["SWITCH", "folder", "read", "write"]

SWITCH = "RULEBOOK_CACHE"
"""The variable that names the folder, or says `off`."""

_LARGEST = 16 * 1024 * 1024  # bytes of one file; nothing that is kept comes near it
_MOST = 64 * 1024 * 1024  # bytes of all of them
_OURS = re.compile(r"[a-z]+-[0-9a-f]+\.json(\w+\.new)?")
_HEAD = "rulebook cache "


def folder() -> Path | None:
    """Where the files lie; None if there is to be no cache, or no place for one."""
    chosen = os.environ.get(SWITCH, "")
    if chosen:
        return None if chosen.lower() in ("off", "no", "0") else Path(chosen)
    try:
        home = Path.home()
    except RuntimeError:
        return None
    if sys.platform == "win32":
        return Path(os.environ.get("LOCALAPPDATA") or home / "AppData" / "Local") / "rulebook" / "Cache"
    if sys.platform == "darwin":
        return home / "Library" / "Caches" / "rulebook"
    given = os.environ.get("XDG_CACHE_HOME", "")
    return Path(given if os.path.isabs(given) else home / ".cache") / "rulebook"


def read(name: str, key: str) -> Any:
    """What was written under this name with this key; None if that was something else, or nothing."""
    where = folder()
    if where is None:
        return None
    try:
        with (where / name).open("rb") as stream:
            head, data = stream.readline(64), stream.read(_LARGEST)
        if head.decode("ascii") != _head(data):
            return None
        found = json.loads(data)
    except (OSError, ValueError, RecursionError):
        return None
    return found[1] if isinstance(found, list) and len(found) == 2 and found[0] == key else None


def write(name: str, key: str, value: Any) -> None:
    """Keep plain data; whoever reads at the same time finds the old file or the new one."""
    where = folder()
    if where is None:
        return
    # It would slow down every start, and hardly any start writes.
    from tempfile import NamedTemporaryFile

    data = json.dumps([key, value], separators=(",", ":")).encode()
    if len(data) > _LARGEST:
        return
    try:
        where.mkdir(mode=0o700, parents=True, exist_ok=True)
        # Such a file is its owner's alone.
        with NamedTemporaryFile("wb", dir=where, prefix=name, suffix=".new", delete=False) as fresh:
            try:
                fresh.write(_head(data).encode() + data)
                fresh.close()
                os.replace(fresh.name, where / name)
            except BaseException:
                with suppress(OSError):
                    os.unlink(fresh.name)
                raise
        _thin_out(where)
    except OSError:
        pass


def _thin_out(where: Path) -> None:
    """Take away the oldest of too many files, and only what we wrote: somebody may have named a folder of their own."""
    with os.scandir(where) as entries:
        kept = [(entry.stat(), entry.path) for entry in entries if _OURS.fullmatch(entry.name) and entry.is_file()]
    size = sum(stat.st_size for stat, _ in kept)
    for stat, path in sorted(kept, key=lambda one: one[0].st_mtime_ns):
        if size <= _MOST:
            break
        with open(path, "rb") as stream:
            if stream.read(len(_HEAD)) != _HEAD.encode():
                continue
        os.unlink(path)
        size -= stat.st_size


def _head(data: bytes) -> str:
    """The first line of a file: that it is one of ours, and whole."""
    return f"{_HEAD}{zlib.crc32(data):08x}\n"
