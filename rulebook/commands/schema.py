"""`rulebook schema`: what an editor must know to complete and check the files of a game.

In: a game, or nothing. Out: a JSON Schema, in a file or on stdout, and the line that the game's files begin with.
Never: changes a file of the game.
"""

from __future__ import annotations

from pathlib import Path

import click

from rulebook.commands.colours import color_option
from rulebook.commands.games import folder_of
from rulebook.commands.written import names_of, overwrite

_STDOUT = Path("-")


@click.command(name="schema")
@click.argument("game", required=False)
@click.option("--out", metavar="FILE", type=click.Path(path_type=Path), help="Where to write it; - is stdout.")
@color_option
def schema_command(game: str | None, out: Path | None) -> None:
    """Write the JSON Schema of a GAME's files, for completion and hints in editors.

    It lies beside the game, in .rulebook/schema.json. Without a GAME it fits any game, and is printed. Write it again
    when the game has new names.
    """
    from rulebook.authoring.schema import beside, modeline, schema, text
    from rulebook.library import RULES, SCENARIOS

    folder = None if game is None else folder_of(game)
    made = text(schema(None if folder is None else names_of(folder)))
    file = out or (_STDOUT if folder is None else beside(folder))
    if file == _STDOUT:
        click.echo(made, nl=False)
        return
    overwrite(file, made)
    click.echo(f"Written: {file}")
    if folder is not None:
        click.echo(f"\nFor completion in an editor, {RULES} and the files beside it begin with\n")
        click.echo(f"  {modeline(folder / RULES, file)}\n\nand files of scenarios and of variants with\n")
        click.echo(f"  {modeline(folder / SCENARIOS / RULES, file)}")
