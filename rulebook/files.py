"""Ordinary files, read and written without trusting what lies at the path.

No pipe is waited for, no device read, no link followed to make a file, and a file is there whole or not at all.
Everything that can go wrong is an OSError whose `strerror` can be said to people.
"""

from __future__ import annotations

import errno
import os
import secrets
import stat
from contextlib import suppress
from pathlib import Path

LARGEST = 16 * 1024 * 1024
"""The most bytes that are read of a file. The rules in a save are the longest thing that is written here."""

_BINARY = getattr(os, "O_BINARY", 0) | getattr(os, "O_CLOEXEC", 0)
_NO_WAITING = getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_NOCTTY", 0)


def refuse_extraordinary(path: Path) -> None:
    """Raise OSError for a path at which something else than an ordinary file lies. There may be nothing."""
    with suppress(FileNotFoundError):
        _check_ordinary(_status(path))


def open_ordinary(path: Path, flags: int = os.O_RDONLY) -> int:
    """Open an ordinary file that is there. Looks before it opens: to open a pipe or a device can do something."""
    _check_ordinary(_status(path))
    handle = os.open(path, flags | _BINARY | _NO_WAITING)
    try:
        _check_ordinary(os.fstat(handle))
    except BaseException:
        os.close(handle)
        raise
    return handle


def read_bytes(path: Path, most: int = LARGEST) -> bytes:
    """Read all of an ordinary file, but no file of more than so many bytes."""
    with os.fdopen(open_ordinary(path), "rb") as file:
        data = file.read(most + 1)
    if len(data) > most:
        raise OSError(errno.EFBIG, f"It has more than {most // 1024 // 1024} MB", str(path))
    return data


def create(path: Path, data: bytes, mode: int = 0o666) -> None:
    """Make a file that was not there, and come back when it is on the disk. Raises FileExistsError."""
    handle = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | _BINARY, mode)
    try:
        try:
            write_all(handle, data)
            os.fsync(handle)
        finally:
            os.close(handle)
        _sync_folder(path.parent)
    except BaseException:
        os.unlink(path)
        raise


def write_all(handle: int, data: bytes) -> None:
    """Write all of it, however little goes at once. No buffer keeps the rest, and writes it later after all."""
    while data:
        written = os.write(handle, data)
        if not written:
            raise OSError(errno.EIO, os.strerror(errno.EIO))
        data = data[written:]


def refuse_unwritable(path: Path) -> None:
    """Raise OSError for a path at which `replace` could write no file, before there is anything to write."""
    refuse_extraordinary(path)
    beside = _name_beside(path)
    create(beside, b"")
    os.unlink(beside)


def replace(path: Path, data: bytes, mode: int | None = None) -> None:
    """Put a file in the place of another, or where there was none: the path holds the old one or the new one.

    A link still leads there. Without a mode the new file may be read by whoever could read the old one.
    """
    named, beside, path = path, _name_beside(path), Path(os.path.realpath(path))
    try:
        refuse_extraordinary(path)
        create(beside, data, 0o666 if mode is None else mode)
        try:
            with suppress(FileNotFoundError):
                if mode is None:
                    os.chmod(beside, stat.S_IMODE(os.stat(path).st_mode))
            beside.replace(path)
        except BaseException:
            os.unlink(beside)
            raise
    except OSError as failure:
        # Nobody has heard of the file beside it.
        if failure.errno is None:
            raise
        raise OSError(failure.errno, failure.strerror, str(named)) from failure
    # The new one is what everybody opens now: to say that it was not written would be wrong. Should the power fail
    # before the folder is written, the old one comes back, and that one is whole, too.
    with suppress(OSError):
        _sync_folder(path.parent)


def _name_beside(path: Path) -> Path:
    """Name a file that is not there, in the folder in which the path, or what it is a link to, lies."""
    return Path(os.path.realpath(path)).with_name(f".{secrets.token_hex(8)}.new")


def _status(path: Path) -> os.stat_result:
    try:
        return os.stat(path)
    except ValueError:
        raise OSError(errno.EINVAL, "No file can be called that", str(path)) from None


def _check_ordinary(status: os.stat_result) -> None:
    if stat.S_ISDIR(status.st_mode):
        raise IsADirectoryError(errno.EISDIR, "It is a folder")
    if not stat.S_ISREG(status.st_mode):
        raise OSError(errno.EINVAL, "It is a pipe or a device, and no file")


def _sync_folder(folder: Path) -> None:
    """Make a new name last: on some systems the folder is written later than the file in it."""
    if os.name != "posix":
        return
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
