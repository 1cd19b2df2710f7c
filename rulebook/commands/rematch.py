"""`rulebook play --watch`: one game after the other, each by the rules as they stand when it begins.

In: what plays one game, the files of its rules. Out: games, until somebody has had enough; between two, what is wrong
with the rules, as soon as a file was changed. Never: changes the rules of a game that goes on.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

from rulebook.commands import games
from rulebook.commands.failures import RULES_FAILED, BadRequest, RulesFailed
from rulebook.commands.watching import stamps

if TYPE_CHECKING:
    from rulebook.table.screen import Screen

_PAUSE = 0.3  # seconds between two looks at the files
_PROMPT = "The next game goes by the rules as they are then. Enter plays it, q leaves > "


def rounds(play: Callable[[], None], folder: Path, variants: Sequence[Path], screen: Screen) -> None:
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
                _say(folder, variants)
                click.echo(_PROMPT, nl=False)
        typed = screen.ask("")
        if typed is None or typed.strip().casefold() in ("q", "quit"):
            return False
        if not typed.strip():
            return True


def _is_typed() -> bool:
    """Whether a line is there, after a while; where nobody can tell, it is waited for."""
    import select

    try:
        return bool(select.select([sys.stdin], [], [], _PAUSE)[0])
    except (OSError, ValueError):
        return True


def _say(folder: Path, variants: Sequence[Path]) -> None:
    from rulebook.loading import load

    loaded = load(folder, variants)
    games.show(loaded.messages)
    if loaded.game is not None:
        click.echo("The rules have changed, and can be played.", err=True)
