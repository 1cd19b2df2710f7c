"""`rulebook new`: files to begin with.

In: what is wanted, and its name. Out: new files that validate, and the schema that their first line names. Never:
replaces a file: then nothing is written, and the exit code is 2.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING

import click

from rulebook.commands.colours import color_option
from rulebook.commands.failures import BadRequest, suggestion
from rulebook.commands.games import folder_of
from rulebook.commands.names import command
from rulebook.commands.written import begin, names_of, overwrite

if TYPE_CHECKING:
    from rulebook.dsl.world import World


@click.group(name="new")
@color_option
def new_command() -> None:
    """Begin a game, a card, a scenario or a variant, with files that validate."""


@new_command.command(name="game")
@click.argument("folder", type=click.Path(path_type=Path))
def new_game(folder: Path) -> None:
    """Begin a small game, which can be played at once, in a new FOLDER."""
    from rulebook.authoring import beginnings

    if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        raise BadRequest(f"{folder} is there already. Nothing was written.")
    _write(folder, beginnings.game(folder))
    click.echo(f"Play it: {command()} play {_as_path(folder)}")


@new_command.command(name="card")
@click.argument("game")
@click.argument("id")
@click.option("--kind", required=True, metavar="KIND", help="What it is: one of the game's kinds.")
def new_card(game: str, id: str, kind: str) -> None:
    """Begin a card called ID in a GAME, with all that a card of its KIND must say."""
    from rulebook.authoring import beginnings
    from rulebook.authoring.placeholders import NoValue
    from rulebook.dsl.structuring.declarations import BANNED, SNAKE

    folder = folder_of(game)
    world = names_of(folder)
    if not SNAKE.fullmatch(id) or id in BANNED:
        raise BadRequest(f"{id} cannot name a card: small letters, digits and _, and no word of the language.")
    if kind not in world.concrete:
        legal = f"The kinds are: {', '.join(world.concrete)}." if world.concrete else "The game has no kinds."
        raise BadRequest(f"There is no kind {kind}. {suggestion(kind, world.concrete) or legal}")
    taken = _taken(world, id)
    if taken:
        raise BadRequest(f"{id} is there already, among the {taken} of the game. Nothing was written.")
    try:
        files = beginnings.card(world, folder, kind, id)
    except NoValue as missing:
        raise BadRequest(f"A card of kind {kind} cannot be begun: {missing}") from None
    _write(folder, files)


@new_command.command(name="scenario")
@click.argument("game")
@click.argument("title")
def new_scenario(game: str, title: str) -> None:
    """Begin a scenario of a GAME with this TITLE, in a file of its own."""
    from rulebook.authoring import beginnings

    if not title.strip() or not title.isprintable():
        raise BadRequest("A scenario needs a title of one line.")
    folder = folder_of(game)
    files = beginnings.scenario(names_of(folder), folder, " ".join(title.split()))
    _write(folder, files)
    for file in files:
        click.echo(f"Run it: {command()} test {_as_path(file)}")


@new_command.command(name="variant")
@click.argument("game")
@click.argument("id")
def new_variant(game: str, id: str) -> None:
    """Begin a variant of a GAME called ID, in a file of its own."""
    from rulebook.authoring import beginnings
    from rulebook.dsl.structuring.declarations import SNAKE

    if not SNAKE.fullmatch(id):
        raise BadRequest(f"{id} cannot name a variant: small letters, digits and _.")
    folder = folder_of(game)
    _write(folder, beginnings.variant(names_of(folder), folder, id))
    click.echo(f"Play it: {command()} play {_as_path(folder)} --variant {id}")


def _taken(world: World, id: str) -> str:
    """The section in which a name is given already; empty if it is free."""
    shared = ("kinds", "places", "memory", "values", "rules", "actions", "cards")
    return next((section for section in shared if (section, id) in world.authored.keys), "")


def _write(folder: Path, files: dict[Path, str]) -> None:
    from rulebook.authoring.schema import beside, schema, text

    begin(files)
    for file in files:
        click.echo(f"Written: {file}")
    # Their first line names it; and it knows the new names only if it is made now.
    overwrite(beside(folder), text(schema(names_of(folder))))


def _as_path(path: Path) -> str:
    words = str(path)
    return words if re.match(r"[./\\]", words) or path.is_absolute() else f"./{words}"
