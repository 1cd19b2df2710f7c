"""`--watch`: `validate` checks again whenever a file changes, `play` plays one game after the other.

Each game is played by the rules as they stand when it begins.
"""

from __future__ import annotations

import select
import sys
import time
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path

import click

from rulebook.commands import games
from rulebook.commands.console import RULES_FAILED, BadRequest, RulesFailed
from rulebook.diagnostics import Diagnostic
from rulebook.diagnostics.render import render_text
from rulebook.loading import load
from rulebook.printing import control
from rulebook.source import show_path
from rulebook.table.screen import Screen
from rulebook.validation import files_of

_PAUSE = 0.3  # seconds between two looks at the files
_CLEAR = "\x1b[2J\x1b[3J\x1b[H"

Stamps = dict[Path, tuple[int, int]]
"""The time of the last change and the length in bytes of each file."""


def watch_games(folders: Sequence[Path], check: Callable[[], list[Diagnostic]], width: int, colour: bool) -> None:
    """Show what is wrong until somebody types Ctrl-C."""
    seen: Stamps | None = None
    try:
        while True:
            now = stamps(folders)
            if now != seen:
                seen = now
                newest = sorted(now, key=lambda file: now[file], reverse=True)
                screen = draw_page(check(), [show_path(file) for file in newest], width, colour)
                click.echo(control(_CLEAR) + screen, nl=False)
            time.sleep(_PAUSE)
    except KeyboardInterrupt:
        click.echo()


def stamps(folders: Iterable[Path], more: Iterable[Path] = ()) -> Stamps:
    """The state of every file that a check reads, and of some more; files may come and go at any time."""
    times: Stamps = {}
    for file in (*(file for folder in folders for file in files_of(folder)), *more):
        try:
            state = file.stat()
        except OSError:
            continue
        times[file] = (state.st_mtime_ns, state.st_size)
    return times


def draw_page(messages: Sequence[Diagnostic], newest: Sequence[str], width: int, colour: bool) -> str:
    """One screen: the messages, those about the newest files first, and when this was."""
    body = render_text(messages, width, colour, newest) or "No problems.\n"
    return f"{body}{time.strftime('%H:%M:%S')}, waiting for changes; Ctrl-C ends it.\n"


_PROMPT = "The next game goes by the rules as they are then. Enter plays it, q leaves > "


def play_rounds(play: Callable[[], None], folder: Path, variants: Sequence[Path], screen: Screen) -> None:
    """Play until somebody leaves; then the exit code is 1 if the last game could not be played."""
    is_first = True
    while True:
        failed: click.ClickException | None = None
        try:
            play()
        except RulesFailed as wrong:
            failed = wrong
        except BadRequest as refused:
            if is_first:
                raise
            failed = refused  # a house rule that is no longer there, perhaps
        if failed is not None:
            failed.show()
        is_first = False
        if not _goes_on(folder, variants, screen):
            raise click.exceptions.Exit(0 if failed is None else RULES_FAILED)


def _goes_on(folder: Path, variants: Sequence[Path], screen: Screen) -> bool:
    """Wait until somebody wants another game, or not. Whenever a file is changed meanwhile, say what is wrong now."""
    seen = stamps([folder], variants)
    click.echo()
    while True:
        click.echo(_PROMPT, nl=False)
        while screen.is_terminal and not _is_typed():
            now = stamps([folder], variants)
            if now != seen:
                seen = now
                click.echo()
                _tell_changes(folder, variants)
                click.echo(_PROMPT, nl=False)
        typed = screen.read_line("")
        if typed is None or typed.strip().casefold() in ("q", "quit"):
            return False
        if not typed.strip():
            return True


def _is_typed() -> bool:
    """Tell whether a line is there, after a while; where nobody can tell, it is waited for."""
    try:
        return bool(select.select([sys.stdin], [], [], _PAUSE)[0])
    except (OSError, ValueError):
        return True


def _tell_changes(folder: Path, variants: Sequence[Path]) -> None:
    loaded = load(folder, variants)
    games.show_messages(loaded.messages)
    if loaded.game is not None:
        click.echo("The rules have changed, and can be played.", err=True)
