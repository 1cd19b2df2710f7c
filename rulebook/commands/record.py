"""`rulebook record`: a saved game as a scenario.

In: a save, up to which answer, a title, where to. Out: a file of one scenario that has passed, or its text on stdout.
Never: replaces a file, or writes a scenario that fails.
"""

from __future__ import annotations

import os
from pathlib import Path

import click

from rulebook.commands import games
from rulebook.commands.colours import color_option
from rulebook.commands.failures import BadRequest, RulesFailed
from rulebook.commands.names import command


@click.command(name="record")
@click.argument("file", type=click.Path(path_type=Path))
@click.option("--at", type=click.IntRange(0), metavar="N", help="Up to the answer with this number; else to the last.")
@click.option("--title", metavar="TEXT", help="What the scenario is called.")
@click.option("--to", type=click.Path(path_type=Path), metavar="FILE", help="A new file, in `scenarios/` of the game.")
@color_option
def record_command(file: Path, at: int | None, title: str | None, to: Path | None) -> None:
    """Make a scenario of the game that was saved in FILE.

    It has the same deal and the same answers, and expects what was so then. Without --to it is printed.
    """
    from rulebook.commands import resuming
    from rulebook.commands.written import begin
    from rulebook.playtest.scenarios.recording import CannotRecord, record
    from rulebook.printing import visible

    found = resuming.load(file)
    game = found.game
    if at is not None and at > len(game.entries):
        raise BadRequest(f"There are only {len(game.entries)} answers in {file}, and --at asks for number {at}.")
    if at is not None and at < len(game.entries):
        game.undo(len(game.entries) - at)
    if title is not None and not (title.strip() and title.isprintable()):
        raise BadRequest("A scenario needs a title of one line.")
    if to is not None and os.path.lexists(to):
        raise BadRequest(f"{to} is there already. Nothing was written.")
    folder = _folder(to, game.header.at, file)
    count = f"{len(game.entries)} answer{'' if len(game.entries) == 1 else 's'}"
    remark = f"Recorded by `rulebook record` from {visible(file.name)}, after {count}."
    try:
        text = record(folder, found.rulebook, game, title or f"A game of {count}", remark)
    except CannotRecord as failed:
        raise RulesFailed(str(failed)) from None
    if to is None:
        click.echo(text, nl=False)
        return
    begin({to: text})
    click.echo(f"Written: {to}")
    click.echo(f"Run it: {command()} test {to}")


def _folder(to: Path | None, at: tuple[str, ...], file: Path) -> Path:
    """The game beside which the scenario passes: that of the file which is written, or else the one that was played."""
    from rulebook.library import RULES

    if to is not None:
        for parent in Path(os.path.realpath(to)).parents:
            if os.path.isfile(parent / RULES):
                return parent
        raise BadRequest(f"{to} belongs to no game: there is no {RULES} in the folder above it.")
    if not at:
        raise BadRequest(f"{file} does not say which game was played. Give --to, a file in `scenarios/` of that game.")
    return games.folder_of(at[0])
