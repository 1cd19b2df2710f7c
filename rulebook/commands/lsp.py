"""`rulebook lsp`: what editors ask of a game while somebody writes it (docs/editors.md)."""

from __future__ import annotations

import os
import sys

import click

from rulebook.commands.console import BadRequest, color_option
from rulebook.commands.show import describe_name
from rulebook.dsl.ir import Rulebook
from rulebook.version import DISTRIBUTION, __version__

_MISSING = f"The language server needs a package more: pip install '{DISTRIBUTION}[lsp]'"


@click.command(name="lsp")
@color_option
def lsp_command() -> None:
    """Answer an editor, which starts this by itself, about games that somebody writes.

    It speaks the Language Server Protocol on stdin and stdout: it marks what is wrong as one types, and knows every
    name, what it is, where it stands, and how to give it another one.
    """
    try:
        from rulebook.lsp.server import make_server
    except ModuleNotFoundError as missing:
        if missing.name not in ("pygls", "lsprotocol"):
            raise
        raise BadRequest(_MISSING) from None
    assert sys.__stdout__ is not None, "an editor reads it"
    # Nothing here is for a terminal, and what frames a message are bytes. The server closes what it writes to, and the
    # program has its own to flush behind it.
    with os.fdopen(os.dup(sys.__stdout__.fileno()), "wb") as raw:
        make_server(__version__, _describe).start_io(sys.stdin.buffer, raw)


def _describe(rulebook: Rulebook, name: str) -> list[str]:
    return [click.unstyle(line) for line in describe_name(rulebook, name)]
