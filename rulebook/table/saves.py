"""The folder of saved games, and locks on them: one folder a person, one file a game, one process a save.

A lock is in nobody's way when its process has ended: the system lets go of it, and the file beside the save only says
whose it is.
"""

from __future__ import annotations

import contextlib
import errno
import itertools
import json
import os
import re
import stat
import sys
from collections.abc import Callable
from datetime import datetime
from pathlib import Path

from rulebook.classes import frozen
from rulebook.files import open_ordinary, read_bytes
from rulebook.interpreter import journal
from rulebook.interpreter.journal import BadSave, Journal
from rulebook.user_folders import find_data_folder

_SUFFIX = ".jsonl"
_LONGEST_STEM = 40  # letters of four bytes each, in a name that has 255 at most


@frozen
class Saved:
    """A game that can be played on, and when something was last written there."""

    path: Path
    journal: Journal
    when: datetime


def folder() -> Path:
    """Return the folder `saves` in that of the person's data."""
    return find_data_folder() / "saves"


def is_ours(path: Path) -> bool:
    """Tell whether a save lies in the folder, where it was put by this program or by the person whose folder it is."""
    return os.path.dirname(os.path.realpath(path)) == os.path.realpath(folder())


def create(game: str, now: datetime, write: Callable[[Path], None]) -> Path:
    """Make the save of a game that begins now, in a folder that is made if need be, and say where it is.

    `write` makes the file, and raises FileExistsError where there is one: of those who begin at the same moment only
    one has a name. Raises OSError.
    """
    into = folder()
    into.mkdir(mode=0o700, parents=True, exist_ok=True)
    into.chmod(0o700)  # an earlier version let everybody look into it
    # A game's id is any name of a folder.
    plain = re.sub(r"[^\w-]+", "-", game).strip("-")[:_LONGEST_STEM] or "game"
    stem = f"{plain}-{now:%Y-%m-%d-%H%M%S}"
    for more in itertools.count(1):
        path = into / (f"{stem}{_SUFFIX}" if more == 1 else f"{stem}-{more}{_SUFFIX}")
        try:
            write(path)
        except FileExistsError:
            continue
        return path
    raise AssertionError("counting comes to no end")


def unfinished(game: str | None = None) -> tuple[list[Saved], list[BadSave]]:
    """The games in the folder that are not over, the newest first, and what is wrong with those that cannot be read.

    With `game`, only those of the game with this id.
    """
    saveds: list[Saved] = []
    damaged: list[BadSave] = []
    for path in sorted(folder().glob(f"*{_SUFFIX}")):
        try:
            read, when = journal.read_journal(path), datetime.fromtimestamp(path.stat().st_mtime)
        except BadSave as bad:
            damaged.append(bad)
        except OSError as error:
            damaged.append(BadSave(str(path), 0, f"It cannot be read: {error.strerror}.", ""))
        else:
            if not read.over and game in (None, read.header.game):
                saveds.append(Saved(path, read, when))
    return sorted(saveds, key=lambda saved: saved.when, reverse=True), damaged


def when(moment: datetime, now: datetime) -> str:
    """A moment in the past as people say it: `today 14:03`, `2026-11-20 09:12`."""
    days = (now.date() - moment.date()).days
    day = {0: "today", 1: "yesterday"}.get(days, f"{moment:%Y-%m-%d}")
    return f"{day} {moment:%H:%M}"


_LOCK = ".lock"
_BEYOND = 1 << 30
"""The byte that is locked where locked bytes cannot be read: so far behind the text that nobody wants to."""


@frozen
class Holder:
    """The process that plays on from a save, as far as that is known."""

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
        self._path = self._save.with_name(self._save.name + _LOCK)
        self._itself: int | None = None
        while True:
            self._file = _open_beside(self._path)
            try:
                if not _is_locked_now(self._file):
                    raise Held(_read_holder(self._path))
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

    def _is_locked_now(file: int) -> bool:
        try:
            import fcntl
        except ImportError:
            return True  # in a browser, where no other process can be
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


def _read_holder(path: Path) -> Holder:
    """Read who holds the lock; the file may be being written."""
    try:
        words = json.loads(read_bytes(path, 4096))
        return Holder(int(words["process"]), datetime.fromisoformat(words["since"]))
    except (OSError, ValueError, KeyError, TypeError):
        return Holder(None, None)
