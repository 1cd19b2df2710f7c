"""`rulebook validate`: everything that is wrong with games, found without playing them.

In: paths. Out: all messages, as text or JSON, on stdout; exit code 1 if there is an error among them. Never:
stops at the first broken game, or takes a path at which there is nothing to check for a clean one.
"""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import TYPE_CHECKING

import click

from rulebook.commands.colours import color_option, is_wanted
from rulebook.commands.failures import RULES_FAILED, BadRequest, Choices

if TYPE_CHECKING:
    from rulebook.diagnostics import Diagnostic


@click.command(name="validate")
@click.argument("paths", nargs=-1, type=click.Path(path_type=Path), metavar="[PATH]…")
@click.option("--format", "form", type=Choices(["text", "json"]), default="text", help="How to show the messages.")
@color_option
@click.pass_context
def validate_command(ctx: click.Context, paths: tuple[Path, ...], form: str) -> None:
    """Check games and their scenarios.

    A PATH is a game's folder, a file in one, or a folder of games. Without one: the game in the folder where
    you are, or else the bundled games.
    """
    from rulebook.diagnostics.render import render_json, render_text

    folders = games_at(paths)
    found: list[Diagnostic] = []
    for folder in folders:
        found += problems(folder)
    if form == "json":
        click.echo(render_json(found), nl=False)
    elif found:
        width = shutil.get_terminal_size((80, 24)).columns
        click.echo(render_text(found, width, is_wanted()), nl=False)
    else:
        number = len(folders)
        click.echo(f"{number} game{'' if number == 1 else 's'} checked, no problems.")
    if any(one.severity == "error" for one in found):
        ctx.exit(RULES_FAILED)


def problems(folder: Path) -> list[Diagnostic]:
    """What is wrong with a game and its scenarios."""
    from rulebook.playtest.scenarios import load_scenarios

    return load_scenarios(folder)[1]


def games_at(paths: tuple[Path, ...]) -> list[Path]:
    """The folders of the games that are meant, each once. Raises BadRequest where there is none."""
    from rulebook import library

    if not paths:
        if (Path() / library.RULES).is_file():
            return [Path()]
        found = library.games()
        if not found:
            raise BadRequest(f"There is no {library.RULES} here, and there are no bundled games.")
        return found
    folders = [folder for path in paths for folder in _at(path)]
    # One game may be named by two of its files.
    return list({folder.resolve(): folder for folder in folders}.values())


def _at(path: Path) -> list[Path]:
    from rulebook import library

    if not path.exists():
        try:
            return [library.find(str(path))]
        except library.GameNotFound:
            raise BadRequest(f"There is no file or folder {path}.") from None
    if path.is_file():
        for parent in path.resolve().parents:
            if (parent / library.RULES).is_file():
                return [_shorter(parent)]
        raise BadRequest(f"{path} belongs to no game: there is no {library.RULES} beside or above it.")
    if (path / library.RULES).is_file():
        return [path]
    # Games inside a game are its variants, so the search ends at each.
    found = [inner.parent for inner in sorted(path.glob(f"*/{library.RULES}"))]
    found += [inner.parent for inner in sorted(path.glob(f"*/*/{library.RULES}")) if inner.parent.parent not in found]
    if not found:
        raise BadRequest(f"There is no game in {path}: no {library.RULES} in it or in the folders below.")
    return found


def _shorter(folder: Path) -> Path:
    """The folder as one would write it from here."""
    here = Path.cwd()
    return folder.relative_to(here) if folder.is_relative_to(here) else folder
