"""Where saved games lie: a folder of the person's own, one file a game.

In: a game's id and the time. Out: paths, and which of the games there can be played on. Never: changes a save, or puts
a second game where there is one already.
"""

from __future__ import annotations

import itertools
import os
import re
from collections.abc import Callable
from datetime import datetime
from pathlib import Path

from attrs import frozen

from rulebook.interpreter import journal
from rulebook.interpreter.journal import BadSave, Journal

_SUFFIX = ".jsonl"
_LONGEST_STEM = 40  # letters of four bytes each, in a name that has 255 at most


@frozen
class Saved:
    """A game that can be played on, and when something was last written there."""

    path: Path
    journal: Journal
    when: datetime


def folder() -> Path:
    """`rulebook/saves` in the data folder: $XDG_DATA_HOME if it is an absolute path, else ~/.local/share."""
    home = os.environ.get("XDG_DATA_HOME", "")
    # A relative path there is to be ignored, as the people say who invented the variable.
    data = Path(home) if os.path.isabs(home) else Path.home() / ".local" / "share"
    return data / "rulebook" / "saves"


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
    found: list[Saved] = []
    damaged: list[BadSave] = []
    for path in sorted(folder().glob(f"*{_SUFFIX}")):
        try:
            read, when = journal.read(path), datetime.fromtimestamp(path.stat().st_mtime)
        except BadSave as bad:
            damaged.append(bad)
        except OSError as error:
            damaged.append(BadSave(str(path), 0, f"It cannot be read: {error.strerror}.", ""))
        else:
            if not read.over and game in (None, read.header.game):
                found.append(Saved(path, read, when))
    return sorted(found, key=lambda one: one.when, reverse=True), damaged


def when(moment: datetime, now: datetime) -> str:
    """A moment in the past as people say it: `today 14:03`, `2026-11-20 09:12`."""
    days = (now.date() - moment.date()).days
    day = {0: "today", 1: "yesterday"}.get(days, f"{moment:%Y-%m-%d}")
    return f"{day} {moment:%H:%M}"
