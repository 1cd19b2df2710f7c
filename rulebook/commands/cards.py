"""`rulebook cards`: the cards of a game as a spreadsheet."""

from __future__ import annotations

from pathlib import Path

import click

from rulebook import files
from rulebook.authoring.spreadsheet import IGNORE, Unfit, split_off_ignored, write_sheet
from rulebook.commands.authoring import names_of
from rulebook.commands.console import BadRequest, NewFile, color_option, writing
from rulebook.commands.folders import folder_of, game_argument
from rulebook.dsl.document import Mapping
from rulebook.dsl.reading.folder import read_folder

_SEPARATORS = {"comma": ",", "semicolon": ";", "tab": "\t"}
_MARK = "\ufeff"
"""By which spreadsheet programs know UTF-8."""


@click.group(name="cards")
@color_option
def cards_command() -> None:
    """Write the cards of a game as a spreadsheet, from which they come back the same."""


@cards_command.command(name="export")
@game_argument
@click.argument("file", type=NewFile(".csv", ".tsv"), required=False, metavar="[FILE.csv]")
@click.option(
    "--separator", type=click.Choice([*_SEPARATORS]), default="comma", show_default=True,
    help="What stands between two cells: many programs of Europe expect semicolons.",
)  # fmt: skip
def export_cards(game: str, file: Path | None, separator: str) -> None:
    """Write the cards of GAME into FILE.csv: a row a card, a column an attribute. Without a FILE it is printed."""
    folder = folder_of(game)
    names_of(folder)
    merged, _, _ = read_folder(folder)
    cards = None if merged is None else merged.get("cards")
    if not isinstance(cards, Mapping) or not cards:
        raise BadRequest(f"{folder} has no cards.")
    cards, split = split_off_ignored(cards)
    try:
        text = write_sheet(cards, _SEPARATORS[separator])
    except Unfit as unfit:
        raise BadRequest(f"{unfit} Nothing was written.") from None
    if file is None:
        click.echo(text, nl=False)
        return
    with writing(file):
        files.replace(file, (_MARK + text).encode())
    click.echo(f"Written: {file}, {len(cards)} cards.")
    if split:
        click.echo(f"Not in it: {', '.join(split)}. Leave that below `{IGNORE} …` in YAML, under the card's id.")
    click.echo(f"To read them from it, lay it beside rulebook.yaml and write there: cards: {{from: {file.name}}}")
