"""`rulebook diff`: what a variant changes, in plain words, as YAML, or for programs."""

from __future__ import annotations

from pathlib import Path

import click

from rulebook.commands import folders, games
from rulebook.commands.console import bold, color_option, columns, echo_lines, is_wanted, refuse_together
from rulebook.comparing.patch import objects, patch
from rulebook.comparing.words import Group, Line, told
from rulebook.loading import CheckedGame
from rulebook.printing import dump_json, one_line, paint, visible
from rulebook.table.columns import wrapped

_COLOURS = {"old": "31", "new": "32"}


@click.command(name="diff")
@folders.game_argument
@click.argument("variants", nargs=-1, required=True, metavar="VARIANT…")
@click.option(
    "--from", "origins", multiple=True, metavar="VARIANT", help="Compare with the game under this; may be repeated."
)
@click.option("--patch", "as_patch", is_flag=True, help="Show the YAML of what is different, before and after.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
@color_option
def diff_command(game: str, variants: tuple[str, ...], origins: tuple[str, ...], as_patch: bool, as_json: bool) -> None:
    """Show what variants change in GAME: its rules in words, with --patch also its files.

    A VARIANT is the name of a variant of the game, or a file. The folder of another form of the game, a copy that
    somebody has changed, is compared with GAME as a whole.
    """
    refuse_together(patch=as_patch, json=as_json)
    folder = folders.folder_of(game)
    before = games.load_game(folder, folders.variants_at(folder, origins))
    [other] = variants if len(variants) == 1 else [""]
    if folders.is_game(other):
        after, whose = games.load_game(Path(other)), (other, game)
    else:
        after, whose = games.load_game(folder, folders.variants_at(folder, variants)), ("", "")
    if as_json:
        click.echo(dump_json(objects(before, after)))
        return
    groups = told(before, after)
    echo_lines(_print_lines(before, after, groups, whose))
    for line in ["", *patch(before, after)] if as_patch and groups else ():
        click.echo(_paint_sort(one_line(line), {"+": "new", "-": "old"}.get(line[:1], "")))


def _print_lines(before: CheckedGame, after: CheckedGame, groups: list[Group], whose: tuple[str, str]) -> list[str]:
    games_there = zip((after, before), whose, strict=True)
    titles = [f"{game.rulebook.title} ({path})" if path else game.rulebook.title for game, path in games_there]
    head = ", compared with ".join(titles if before.variants or any(whose) else titles[:1])
    lines = [bold(line) for line in wrapped(visible(head), columns())]
    for variant in after.variants:
        about = f"{variant.name}: {variant.about}" if variant.about else variant.name
        lines += _hang_text(visible(about), "  ")
    for group in groups:
        lines += ["", bold(group.title)]
        for line in group.lines:
            lines += _print_line(line)
    return lines if groups else [*lines, "", "Nothing is different."]


def _print_line(line: Line) -> list[str]:
    """Print a line as it fits: words go on below, a little deeper; code stays as it is."""
    indent = "  " * (line.depth + 1)
    if line.sort in ("head", "text") or line.prose:
        return [_paint_sort(part, line.sort) for part in _hang_text(visible(line.text), indent)]
    return [_paint_sort(f"{indent}{visible(line.text)}".rstrip(), line.sort)]


def _hang_text(text: str, indent: str) -> list[str]:
    return [indent + line for line in wrapped(text, columns() - len(indent), "    ")]


def _paint_sort(text: str, sort: str) -> str:
    return paint(_COLOURS[sort], text) if sort in _COLOURS and is_wanted() else text
