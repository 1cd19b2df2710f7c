"""How pages look: with boxes and colours, or as plain text.

In: `--plain`, and the terminal. Out: what draws pages. Never: draws one.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, TypeVar

import click

from rulebook.commands.colours import is_wanted

if TYPE_CHECKING:
    from rulebook.table.renderer import Renderer

Command = TypeVar("Command", bound=Callable[..., Any])


def plain_option(command: Command) -> Command:
    """Add `--plain`."""
    about = "Pages without boxes and columns, as for screen readers."
    return click.option("--plain", "is_plain", is_flag=True, help=about)(command)


def looks(is_plain: bool) -> Renderer:
    """What draws pages here: boxes need a terminal that can show them."""
    from rulebook.table.renderer import Renderer

    return Renderer(is_wanted(), is_boxed=not is_plain and _shows_boxes())


def _shows_boxes() -> bool:
    is_terminal = sys.stdin.isatty() and sys.stdout.isatty() and os.environ.get("TERM", "dumb") != "dumb"
    return is_terminal and "utf" in (sys.stdout.encoding or "").lower()
