"""How far a long piece of work is, for whoever sits in front of it.

In: how many games are played, of how many. Out: one line on stderr, where that is a terminal. Never: leaves it there.
"""

import sys

import click


def progress(done: int, games: int) -> None:
    """How far it is, in one line that goes away again (0 of 0)."""
    if sys.stderr.isatty():
        text = f"{done} of {games} games" if games else ""
        click.echo(f"\r{text:<40}" + ("" if games else "\r"), nl=False, err=True)
