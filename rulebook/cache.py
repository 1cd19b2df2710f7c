"""Files in the user's own cache folder: what could be worked out again, kept because that would take longer.

No pickle, since a file must not be able to run code. What is read was signed with a secret that lies beside it and is
its owner's alone: a file that was damaged, meddled with or brought from elsewhere is as good as none, and is made
again. A folder or file that another user may write is not used, and no link is followed.

The folder is `RULEBOOK_CACHE`, or else the one that the system has for such files; `RULEBOOK_CACHE=off` does without.
All files together take 64 MB at most: what was written longest ago goes first.
"""

from __future__ import annotations

import json
import os
import re
import stat
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

from rulebook.user_folders import find_cache_folder

SWITCH = "RULEBOOK_CACHE"
"""The variable that names the folder, or says `off`."""

_LARGEST = 16 * 1024 * 1024  # bytes of one file; nothing that is kept comes near it
_MOST = 64 * 1024 * 1024  # bytes of all of them
_OURS = re.compile(r"[a-z]+-[0-9a-f]+\.json(\w+\.new)?")
_HEAD = "rulebook cache "
_SECRET, _BYTES = "secret", 32
_OTHERS_WRITE = stat.S_IWGRP | stat.S_IWOTH
_HAS_OWNERS = hasattr(os, "geteuid")
"""True where files belong to somebody: neither on Windows nor in a browser."""
_BINARY = getattr(os, "O_BINARY", 0)


def find_folder() -> Path | None:
    """Return the folder of the cache; None if there is to be no cache, or no place for one."""
    chosen = os.environ.get(SWITCH, "")
    if chosen:
        return None if chosen.lower() in ("off", "no", "0") else Path(chosen)
    try:
        return find_cache_folder()
    except RuntimeError:
        return None


def usable() -> Path | None:
    """Return the folder, made if it was not there; None if there is none, or if others may write there.

    What another user could have put into a folder is not read, and nothing is written where a link leads.
    """
    where = find_folder()
    if where is None:
        return None
    try:
        where.mkdir(mode=0o700, parents=True, exist_ok=True)
        state = os.lstat(where)
        if not stat.S_ISDIR(state.st_mode) or not _is_ours(state):
            return None
        if _is_open_to_others(state):
            os.chmod(where, stat.S_IMODE(state.st_mode) & ~_OTHERS_WRITE)
    except OSError:
        return None
    return where


def read_private(path: Path, most: int) -> bytes | None:
    """Read a file that is the user's own and nobody else's to write; None for anything else, links and pipes too."""
    try:
        handle = os.open(path, os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0) | _BINARY)
    except OSError:
        return None
    try:
        state = os.fstat(handle)
        if not stat.S_ISREG(state.st_mode) or not _is_ours(state) or _is_open_to_others(state):
            return None
        with open(handle, "rb", buffering=0, closefd=False) as stream:
            return stream.read(most) if state.st_size <= most else None
    except OSError:
        return None
    finally:
        os.close(handle)


def _is_ours(state: os.stat_result) -> bool:
    return not _HAS_OWNERS or state.st_uid == os.geteuid()


def _is_open_to_others(state: os.stat_result) -> bool:
    return _HAS_OWNERS and bool(state.st_mode & _OTHERS_WRITE)


def name_file(kind: str, asked: str) -> str:
    """Name the file for what was asked."""
    from hashlib import blake2b

    return f"{kind}-{blake2b(asked.encode(errors='surrogateescape'), digest_size=12).hexdigest()}.json"


def read_data(name: str, key: str) -> Any:
    """Read the value written under a name with a key; None if there is none, or one with another key."""
    where = usable()
    secret = None if where is None else _secret(where)
    whole = None if where is None else read_private(where / name, _LARGEST)
    if secret is None or whole is None:
        return None
    head, _, data = whole.partition(b"\n")
    if head + b"\n" != _make_head(data, secret):
        return None
    try:
        kept = json.loads(data)
    except (ValueError, RecursionError):
        return None
    return kept[1] if isinstance(kept, list) and len(kept) == 2 and kept[0] == key else None


def write_data(name: str, key: str, value: Any) -> None:
    """Keep plain data; whoever reads at the same time finds the old file or the new one."""
    where = usable()
    secret = None if where is None else _secret(where)
    if where is None or secret is None:
        return
    data = json.dumps([key, value], separators=(",", ":")).encode()
    whole = _make_head(data, secret) + data
    if len(whole) > _LARGEST:
        return
    try:
        _write_beside(where, name, whole)
        _thin_out(where)
    except OSError:
        pass


def _write_beside(where: Path, name: str, data: bytes, place: Callable[[str, Path], None] = os.replace) -> None:
    """Write a file beside its place, then `place` it there whole."""
    # It would slow down every start, and hardly any start writes.
    from tempfile import NamedTemporaryFile

    # Such a file is its owner's alone.
    with NamedTemporaryFile("wb", dir=where, prefix=name, suffix=".new", delete=False) as fresh:
        try:
            fresh.write(data)
            fresh.close()
            place(fresh.name, where / name)
        except BaseException:
            with suppress(OSError):
                os.unlink(fresh.name)
            raise


def _secret(where: Path) -> bytes | None:
    """Read the key that only this user knows; make it when it is first needed, and anew if somebody meddled with it."""
    is_there = os.path.lexists(where / _SECRET)  # asked first: somebody else may be making it
    secret = read_private(where / _SECRET, 64)
    if secret is None or len(secret) != _BYTES:
        with suppress(OSError):
            if is_there:
                os.unlink(where / _SECRET)
            _write_beside(where, _SECRET, os.urandom(_BYTES), _place_if_new)
        secret = read_private(where / _SECRET, 64)
    return secret if secret is not None and len(secret) == _BYTES else None


def _place_if_new(fresh: str, place: Path) -> None:
    """Move a fresh file to its place, unless another writer was faster: then all find the file of that one."""
    try:
        os.link(fresh, place)
    except FileExistsError:
        pass
    except (AttributeError, OSError):  # no such links here: of two that write at once the later one stays
        if not place.exists():
            os.replace(fresh, place)
            return
    os.unlink(fresh)


def _thin_out(where: Path) -> None:
    """Take away the oldest of too many files, and only what we wrote: somebody may have named a folder of their own."""
    with os.scandir(where) as entries:
        ours = [entry for entry in entries if _OURS.fullmatch(entry.name) and entry.is_file(follow_symlinks=False)]
    kept = [(entry.stat(follow_symlinks=False), entry.path) for entry in ours]
    size = sum(state.st_size for state, _ in kept)
    for state, path in sorted(kept, key=lambda entry: entry[0].st_mtime_ns):
        if size <= _MOST:
            break
        with open(path, "rb") as stream:
            if stream.read(len(_HEAD)) != _HEAD.encode():
                continue
        os.unlink(path)
        size -= state.st_size


def _make_head(data: bytes, secret: bytes) -> bytes:
    """Make the first line of a file, which says that it is one of ours, whole, and written by who knows the secret."""
    from hashlib import blake2b

    return f"{_HEAD}{blake2b(data, key=secret, digest_size=16).hexdigest()}\n".encode()
