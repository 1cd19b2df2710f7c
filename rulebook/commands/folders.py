"""The folders of games that a command is about, and how they and their variants are named.

Apart from `games`: who finds a folder, and knows from the last time what is wrong there, needs nothing of the language.
"""

from __future__ import annotations

import os
import shlex
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING

import click

from rulebook import library
from rulebook.commands.console import BadRequest, Command, name_command
from rulebook.interpreter.save_schema import is_path

if TYPE_CHECKING:
    from click.shell_completion import CompletionItem


def folder_of(name: str) -> Path:
    """The folder of a bundled game, or of one that lies at a path."""
    try:
        folder = library.find_game(name)
    except library.GameNotFound as missing:
        raise BadRequest(str(missing)) from None
    if is_game(name) and not os.path.samefile(folder, name):
        mine = f"{os.curdir}{os.sep}{name}"
        click.echo(f"`{name}` is the game that comes with rulebook; the one in this folder is `{mine}`.", err=True)
    return folder


def variants_at(folder: Path, names: Iterable[str]) -> list[Path]:
    """The files of a game's variants, by their names or by their paths, in the same order."""
    try:
        return [library.find_variant(folder, name) for name in names]
    except library.VariantNotFound as missing:
        raise BadRequest(str(missing)) from None


def is_game(path: str) -> bool:
    """Tell whether a word is the path of a game's folder. It may be too long for one."""
    return os.path.isfile(Path(path) / library.RULES)


def is_stray(path: Path) -> bool:
    """Tell whether this is a file that lies neither beside a game nor below one."""
    return os.path.isfile(path) and not any((above / library.RULES).is_file() for above in path.resolve().parents)


def find_extended(stray: Path) -> Path:
    """Find the game that a variant extends which lies beside no game."""
    from rulebook.dsl.overlay.variant import read_variant

    variant, _ = read_variant(stray)
    if variant is None or variant.extends is None:
        raise BadRequest(f"{stray} belongs to no game: it lies beside or below none, and does not say what it extends.")
    return folder_of(variant.extends.text)


def name_game(folder: Path, variants: Iterable[str]) -> tuple[str, ...]:
    """Name a game and its variants as a command line does: bundled games, and variants beside them, by their names."""
    folder, files = folder.resolve(), variants_at(folder, variants)
    bundled = (
        any(folder == game.resolve() for game in library.find_games())
        and library.find_game(folder.name).resolve() == folder
    )
    beside = library.variants_of(folder)
    named = (
        folder.name if bundled else str(folder),
        *(file.stem if file.resolve() in beside else str(file.resolve()) for file in files),
    )
    # A path may hold what nobody can read, and then no save says it.
    return named if all(map(is_path, named)) else ()


def as_typed(game: str, *variants: str) -> str:
    """A game and its variants as somebody named them, to be typed again behind another command."""
    return shlex.join([game, *(word for name in variants for word in ("--variant", name))])


def games_at(paths: tuple[Path, ...]) -> list[Path]:
    """The folders of the games that are meant, each once; without a path those here. Raises BadRequest where there is
    none: a check that has found nothing to check is not to look as if all were well.
    """
    folders = [folder for path in paths or (Path(),) for folder in _find_games_at(path)]
    # One game may be named by two of its files.
    return list({folder.resolve(): folder for folder in folders}.values())


def _find_games_at(path: Path) -> list[Path]:
    if not os.path.exists(path):
        try:
            return [library.find_game(str(path))]
        except library.GameNotFound:
            raise BadRequest(f"There is no file or folder {path}.") from None
    around = next((folder for folder in path.resolve().parents if (folder / library.RULES).is_file()), None)
    if os.path.isfile(path):
        if around is not None:
            return [_shorter(around)]
        raise BadRequest(f"{path} belongs to no game: there is no {library.RULES} beside or above it.")
    if (path / library.RULES).is_file():
        return [path]
    games = library.find_games_below(path)
    if not games and around is not None:
        return [_shorter(around)]
    if not games:
        where = "here" if path == Path() else f"in {path}"
        raise BadRequest(
            f"There is no game {where}: no {library.RULES} in this folder or in those below it. Name a game or its "
            f"folder; `{name_command()} list` has the games that come with it."
        )
    return games


def _shorter(folder: Path) -> Path:
    """The folder as one would write it from here."""
    here = Path.cwd()
    return folder.relative_to(here) if folder.is_relative_to(here) else folder


def game_argument(command: Command) -> Command:
    """Add GAME; a shell completes the names of bundled games, and folders."""
    return click.argument("game", shell_complete=_complete_game)(command)


def optional_game_argument(command: Command) -> Command:
    """Add `[GAME]`."""
    return click.argument("game", required=False, shell_complete=_complete_game)(command)


def _complete_game(context: click.Context, parameter: click.Parameter, begun: str) -> list[CompletionItem]:
    names = [folder.name for folder in library.find_games() if folder.name.startswith(begun)]
    return [_complete(name) for name in names] or [_complete(begun, "dir")]


def _complete(word: str, sort: str = "plain") -> CompletionItem:
    # Who presses no tab need not load it.
    from click.shell_completion import CompletionItem

    return CompletionItem(word, type=sort)


def _complete_variant(context: click.Context, parameter: click.Parameter, begun: str) -> list[CompletionItem]:
    # Behind an option that waits for its value, click has not told apart what stands before it.
    game = context.params.get("game") or next(iter(context.args), ".")
    try:
        files = library.variants_of(library.find_game(game))
    except library.GameNotFound:
        files = []
    names = [file.stem for file in files if file.stem.startswith(begun)]
    return [_complete(name) for name in names] or [_complete(begun, "file")]


def game_options(command: Command) -> Command:
    """Add `--variant` (as `variants`) and `--set` (as `given`)."""
    variant = click.option(
        "--variant", "variants", multiple=True, metavar="NAME|FILE", help="With this variant; may be repeated.",
        shell_complete=_complete_variant,
    )  # fmt: skip
    setting = click.option(
        "--set", "given", multiple=True, metavar="NAME=VALUE", help="With this house rule; may be repeated."
    )
    return variant(setting(command))


def without_option(command: Command) -> Command:
    """Add `--without` (as `without`)."""
    return click.option("--without", multiple=True, metavar="CARD", help="With no copy of this card; may be repeated.")(
        command
    )
