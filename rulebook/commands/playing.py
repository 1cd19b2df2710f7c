"""`rulebook validate --play`: what only shows when a game is played.

In: a game without errors, and how many games of it. Out: messages like those of the other checks; on stderr how far it
is, and what was played. Never: plays a game that cannot be played, or blames an author for a mistake of ours.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

from rulebook.commands.failures import OUR_BUG
from rulebook.commands.games import as_typed, at, lowered, settled
from rulebook.commands.names import command
from rulebook.commands.progress import Progress
from rulebook.printing import one_line

if TYPE_CHECKING:
    from rulebook.diagnostics import Diagnostic


class Playing:
    """How much is played, and the mistakes of ours that showed."""

    def __init__(self, games: int, seed: int, vary: bool, jobs: int, given: Sequence[str] = ()) -> None:
        self.games, self.seed, self.vary, self.jobs, self.given = games, seed, vary, jobs, given
        self.bugs: list[str] = []

    def problems(self, folder: Path, variants: Sequence[Path] = ()) -> list[Diagnostic]:
        """What goes wrong in play; nothing is played of a game in which something is wrong already."""
        from rulebook.loading import load
        from rulebook.playtest.hunting.verdicts import play_through
        from rulebook.playtest.settings import changed, numbers

        rulebook = load(folder, variants, use_cache=True).rulebook
        if rulebook is None:
            click.echo(f"{folder}: not played, before its errors are put right.", err=True)
            return []
        options = settled(rulebook, self.given, as_typed(*at(folder, map(str, variants))))
        if not numbers(rulebook, options):
            # Whoever asks for what is forbidden is told so.
            lowered(rulebook, rulebook.players[0], options)
        done, planned, progress = 0, 0, Progress()

        def tell(played: int, games: int) -> None:
            nonlocal done, planned
            done, planned = played, games
            progress(played, games)

        try:
            result = play_through(
                rulebook, folder, self.games, self.seed, self.vary, self.jobs, command(), tell, options
            )
        except KeyboardInterrupt:
            progress(0, 0)
            games = f"{done} of {planned} games" if planned else "no game"
            click.echo(f"{one_line(rulebook.title)}: stopped after {games}; nothing is said about them.", err=True)
            raise
        progress(0, 0)
        least, most = rulebook.players
        players = f"{least} players" if least == most else f"{least} to {most} players"
        rules = "".join(f", {name}={value}" for name, value in changed(rulebook, options).items())
        rules += ", all choices of house rules" if self.vary and rulebook.options else ""
        stopped = f"; {result.unfinished} came to no end and were stopped" if result.unfinished else ""
        click.echo(f"{one_line(rulebook.title)}: {result.games} games played, {players}{rules}{stopped}.", err=True)
        self.bugs += result.bugs
        return list(result.found)

    def own_up(self) -> None:
        """Say which mistakes are ours; the command ends here if there is one."""
        for bug in self.bugs:
            click.echo(f"rulebook: this is our bug, not yours: {bug}", err=True)
        if self.bugs:
            raise click.exceptions.Exit(OUR_BUG)
