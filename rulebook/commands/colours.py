"""Whether output is coloured: `--color`, else the environment, else what is at the other end.

In: `--color auto|always|never`, NO_COLOR, FORCE_COLOR, TERM, and whether a stream is a terminal. Out: yes or
no, and `Context.color`, which click's own output obeys. Never: a colour as the only sign of anything.
"""

import os
import sys
from collections.abc import Callable
from typing import Any, TypeVar

import click

from rulebook.commands.failures import Choices

Command = TypeVar("Command", bound=Callable[..., Any])


def is_wanted(err: bool = False) -> bool:
    """Whether to colour what goes to stdout (or stderr). What was asked for goes before the environment."""
    ctx = click.get_current_context(silent=True)
    if ctx is not None and ctx.color is not None:
        return ctx.color
    if os.environ.get("NO_COLOR"):
        return False
    if os.environ.get("FORCE_COLOR", "0") not in ("", "0"):
        return True
    return (sys.stderr if err else sys.stdout).isatty() and os.environ.get("TERM") != "dumb"


def color_option(command: Command) -> Command:
    """Add `--color`. A command that was not given one keeps what was said before its name."""
    return click.option(
        "--color",
        type=Choices(["auto", "always", "never"]),
        expose_value=False,
        callback=_settle,
        help="Colour the output; auto obeys NO_COLOR, FORCE_COLOR and TERM.",
    )(command)


def _settle(ctx: click.Context, _: click.Parameter, choice: str | None) -> None:
    if choice is not None:
        ctx.color = {"always": True, "never": False}.get(choice)
