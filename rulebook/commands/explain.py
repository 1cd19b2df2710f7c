"""`rulebook explain`: what a message means, why it is given, and how to put it right."""

from __future__ import annotations

import click

from rulebook import pages
from rulebook.authoring.primer import write_primer
from rulebook.commands.console import BadRequest, color_option, is_wanted, name_command, suggestion, terminal_width
from rulebook.diagnostics import codes
from rulebook.glyphs import list_glyphs
from rulebook.table.columns import labelled, wrapped

GLYPHS, LANGUAGE = "glyphs", "language"


@click.command(name="explain")
@click.argument("wanted", nargs=-1, metavar="[CODE…|glyphs|language]")
@click.option("--markdown", "as_markdown", is_flag=True, help="All pages as one document, or those of the CODEs.")
@color_option
def explain_command(wanted: tuple[str, ...], as_markdown: bool) -> None:
    """Explain the message with a CODE, such as RB203; without one, list all codes.

    `glyphs` lists signs, `language` prints the language on one sheet.
    """
    if wanted == (GLYPHS,):
        for line in wrapped(", ".join(list_glyphs()), terminal_width()):
            click.echo(line)
        return
    if wanted == (LANGUAGE,):
        click.echo(write_primer(), nl=False)
        return
    chosen = [known_code(word) for word in wanted]
    width = terminal_width()
    if as_markdown:
        click.echo("\n".join(map(pages.markdown, chosen)) if chosen else pages.document(), nl=False)
    elif chosen:
        click.echo("\n".join(pages.make_page(code, width, is_wanted()) for code in chosen), nl=False)
    else:
        for line in labelled(pages.listing(), width, indent=""):
            click.echo(line)
        click.echo("\n" + "\n".join(wrapped(f"{name_command()} explain RB203 explains one of them.", width)))


def known_code(word: str) -> str:
    """The code that a word names, in whatever capitals. Raises BadRequest if there is none."""
    code = word.upper()
    if code in codes():
        return code
    advice = suggestion(code, codes()) or f"`{name_command()} explain` lists all codes."
    raise BadRequest(f"There is no code {word}. {advice}")
