"""Where saved games lie: a folder of the person's own, one file a game.

In: a game's id and the time. Out: paths. Never: reads or writes what is in a save (the journal does), or puts
a second game where there is one already.
"""

import os
from datetime import datetime
from pathlib import Path


def folder() -> Path:
    """`rulebook/saves` in the data folder: $XDG_DATA_HOME if it is an absolute path, else ~/.local/share."""
    home = os.environ.get("XDG_DATA_HOME", "")
    # A relative path there is to be ignored, as the people say who invented the variable.
    data = Path(home) if os.path.isabs(home) else Path.home() / ".local" / "share"
    return data / "rulebook" / "saves"


def new(game: str, now: datetime) -> Path:
    """A path for a game that begins now; its folder is made."""
    into = folder()
    into.mkdir(parents=True, exist_ok=True)
    stem = f"{game}-{now:%Y-%m-%d-%H%M%S}"
    path, more = into / f"{stem}.jsonl", 1
    while path.exists():
        more += 1
        path = into / f"{stem}-{more}.jsonl"
    return path
