"""`rulebook fmt`: the scripts of games, brought to one spelling."""

from __future__ import annotations

import os
from pathlib import Path

import click

from rulebook.authoring.fmt import Formatted, Spelled, respell_game
from rulebook.commands.console import RULES_FAILED, BadRequest, color_option, name_command, writing
from rulebook.commands.folders import games_at
from rulebook.library import RULES
from rulebook.validation import fixes


@click.command(name="fmt")
@click.argument("paths", nargs=-1, type=click.Path(path_type=Path), metavar="[PATH]…")
@click.option("--check", is_flag=True, help="Say which files would change, and change nothing.")
@click.option("--diff", is_flag=True, help="Show what would change, and change nothing.")
@color_option
@click.pass_context
def fmt_command(ctx: click.Context, paths: tuple[Path, ...], check: bool, diff: bool) -> None:
    """Bring the scripts of games, their variants and scenarios to one spelling.

    A PATH is a game's folder, a file in one, or a folder of games. Without one: the game in the folder where you are.
    What the files say stays the same.
    """
    if not paths and not Path(RULES).is_file():
        raise BadRequest(f"There is no {RULES} here. Name a game: {name_command()} fmt ./my_game")
    folders = games_at(paths)
    only = None if any(path.is_dir() or not path.exists() for path in paths) or not paths else set(paths)
    results = [respell_game(folder) for folder in folders]
    changed = [file for result in results for file in _find_changed(result, only)]
    if diff:
        click.echo(fixes.as_diff(fixes.Changed(file.path, file.before, file.now) for file in changed), nl=False)
    for file in changed:
        if not (check or diff):
            _write_spelled(file)
        if not diff:
            click.echo(f"{'would change' if check else 'formatted'} {file.path}")
    _sum_up(results, len(changed), only, would=check or diff)
    left = [path for result in results for path in result.left if _is_meant(path, only)]
    if left or (changed and (check or diff)):
        ctx.exit(RULES_FAILED)


def _find_changed(result: Formatted, only: set[Path] | None) -> list[Spelled]:
    return [file for file in result.files if file.now != file.before and _is_meant(file.path, only)]


def _is_meant(path: Path, only: set[Path] | None) -> bool:
    """Tell whether a file was asked for; if none was by its own path, all are."""
    return only is None or any(_is_path_of(str(meant), path) for meant in only)


def _write_spelled(spelled: Spelled) -> None:
    with writing(spelled.path):
        fixes.write_text(spelled.path, spelled.now)


def _sum_up(results: list[Formatted], changed: int, only: set[Path] | None, *, would: bool) -> None:
    """Print to stderr the files that were left alone, and the number of changed ones."""
    for result in results:
        for path in result.left:
            if _is_meant(path, only):
                first = next(
                    (item for item in result.messages if item.span and _is_path_of(item.span.file.name, path)), None
                )
                first = first or next(iter(result.messages), None)
                why = f": {first.span.file.name}:{first.span.line}: {first.message}" if first and first.span else ""
                click.echo(f"left alone {path}, because there are errors{why}", err=True)
    looked = sum(_is_meant(file.path, only) for result in results for file in result.files)
    verb = "would change" if would else "changed"
    files = "1 file" if looked == 1 else f"{looked} files"
    click.echo(f"{files} looked at, {changed or 'none'} {verb}.", err=True)


def _is_path_of(name: str, path: Path) -> bool:
    # Unlike `Path.resolve`, this does not mind a link that leads to itself.
    return os.path.realpath(name) == os.path.realpath(path)
