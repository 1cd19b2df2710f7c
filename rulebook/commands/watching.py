"""`rulebook validate --watch`: the check again whenever a file changes.

In: games, and a check. Out: its messages on a screen of their own each time, those of the file that was changed last
first. Never: checks while nothing changes, or ends by itself: Ctrl-C ends it, which is no failure.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

from rulebook.printing import control

if TYPE_CHECKING:
    from rulebook.diagnostics import Diagnostic

_PAUSE = 0.3  # seconds between two looks at the files
_CLEAR = "\x1b[2J\x1b[3J\x1b[H"

Stamps = dict[Path, tuple[int, int]]
"""When each file was written, and how long it is."""


def watch_games(folders: Sequence[Path], check: Callable[[], list[Diagnostic]], width: int, colour: bool) -> None:
    """Show what is wrong until somebody types Ctrl-C."""
    from rulebook.dsl.reading.folder import shown

    seen: Stamps | None = None
    try:
        while True:
            now = stamps(folders)
            if now != seen:
                seen = now
                newest = sorted(now, key=lambda file: now[file], reverse=True)
                screen = page(check(), [shown(file) for file in newest], width, colour)
                click.echo(control(_CLEAR) + screen, nl=False)
            time.sleep(_PAUSE)
    except KeyboardInterrupt:
        click.echo()


def stamps(folders: Iterable[Path], more: Iterable[Path] = ()) -> Stamps:
    """The state of every file that a check reads, and of some more; files may come and go at any time."""
    from rulebook.validation import files_of

    found: Stamps = {}
    for file in (*(file for folder in folders for file in files_of(folder)), *more):
        try:
            state = file.stat()
        except OSError:
            continue
        found[file] = (state.st_mtime_ns, state.st_size)
    return found


def page(found: Sequence[Diagnostic], newest: Sequence[str], width: int, colour: bool) -> str:
    """One screen: the messages, those about the newest files first, and when this was."""
    from rulebook.diagnostics.render import render_text

    body = render_text(found, width, colour, newest) or "No problems.\n"
    return f"{body}{time.strftime('%H:%M:%S')}, waiting for changes; Ctrl-C ends it.\n"
