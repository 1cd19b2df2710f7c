"""One process at a time plays on from a save.

In: the path of a save. Out: a lock, or who holds it. Never: is in the way when nobody holds it any more: the system
lets go of a lock when its process ends, however that is; the file beside the save only says whose it is.
"""

from __future__ import annotations

import contextlib
import errno
import json
import os
import stat
import sys
from datetime import datetime
from pathlib import Path

from attrs import frozen

from rulebook.files import open_ordinary, read_bytes

_SUFFIX = ".lock"
_BEYOND = 1 << 30
"""The byte that is locked where locked bytes cannot be read: so far behind the text that nobody wants to."""


@frozen
class Holder:
    """Who plays on from a save, as far as that is known."""

    process: int | None
    since: datetime | None


class Held(Exception):
    """Another process plays on from this save."""

    def __init__(self, by: Holder) -> None:
        super().__init__(by)
        self.by = by


class Lock:
    """A save that nobody else may play on from, until it is let go.

    Two things are locked. A file beside the save, which says whose it is, keeps the name while what is taken back puts
    another file in the place of the save; links to the name come to the same one. The save itself is locked for those
    who come by another name of the same file.
    """

    def __init__(self, save: Path) -> None:
        """Raises Held if somebody has it; OSError where files cannot be locked."""
        self._save = Path(os.path.realpath(save))
        self._path = self._save.with_name(self._save.name + _SUFFIX)
        self._itself: int | None = None
        while True:
            self._file = _open_beside(self._path)
            try:
                if not _is_locked_now(self._file):
                    raise Held(_read(self._path))
                if _is_at(self._file, self._path):
                    break
            except BaseException:
                os.close(self._file)
                raise
            # Whoever had it before has just taken the file away: what is locked has no name any more.
            os.close(self._file)
        try:
            self._hold_itself()
        except BaseException:
            self.release()
            raise
        words = {"process": os.getpid(), "since": datetime.now().isoformat(timespec="seconds")}
        os.ftruncate(self._file, 0)
        os.write(self._file, json.dumps(words).encode())

    def follow(self) -> None:
        """Lock what the save is now: another file has taken its place. Raises OSError."""
        try:
            self._hold_itself()
        except Held:
            raise OSError(errno.EBUSY, "Another program plays on from the same file") from None

    def _hold_itself(self) -> None:
        # An open file cannot be replaced there.
        if sys.platform == "win32" or not os.path.isfile(self._save):
            return
        before, self._itself = self._itself, open_ordinary(self._save)
        if before is not None:
            os.close(before)
        if not _is_locked_now(self._itself):
            raise Held(Holder(None, None))

    def release(self) -> None:
        """Somebody else may play on."""
        if self._itself is not None:
            os.close(self._itself)
            self._itself = None
        if sys.platform == "win32":
            # An open file cannot be taken away there.
            os.close(self._file)
            with contextlib.suppress(OSError):
                self._path.unlink()
        else:
            with contextlib.suppress(OSError):
                self._path.unlink()
            os.close(self._file)


def _open_beside(path: Path) -> int:
    """Open the file beside the save, which is made if need be. It is written to, so it may be nothing but that."""
    file = os.open(path, os.O_RDWR | os.O_CREAT | getattr(os, "O_NOFOLLOW", 0), 0o600)
    status = os.fstat(file)
    if not stat.S_ISREG(status.st_mode) or status.st_nlink > 1:
        os.close(file)
        raise OSError(errno.EPERM, f"{path.name} is no file of ours")
    return file


if sys.platform == "win32":
    import msvcrt

    def _is_locked_now(file: int) -> bool:
        os.lseek(file, _BEYOND, os.SEEK_SET)
        try:
            msvcrt.locking(file, msvcrt.LK_NBLCK, 1)
        except OSError as error:
            if error.errno in (errno.EACCES, errno.EDEADLK):
                return False
            raise
        finally:
            os.lseek(file, 0, os.SEEK_SET)
        return True

else:
    import fcntl

    def _is_locked_now(file: int) -> bool:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError as error:
            if error.errno in (errno.EWOULDBLOCK, errno.EACCES):
                return False
            raise
        return True


def _is_at(file: int, path: Path) -> bool:
    try:
        return os.path.samestat(os.fstat(file), path.stat())
    except FileNotFoundError:
        return False


def _read(path: Path) -> Holder:
    """Who wrote there that the lock is theirs; it may be being written."""
    try:
        words = json.loads(read_bytes(path, 4096))
        return Holder(int(words["process"]), datetime.fromisoformat(words["since"]))
    except (OSError, ValueError, KeyError, TypeError):
        return Holder(None, None)
