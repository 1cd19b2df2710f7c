"""How pages look: with boxes and colours, or as plain text.

In: `--plain`, the terminal, and whether `rich` is installed. Out: what draws pages. Never: imports `rich` where pages
are plain anyway, or asks anybody to install it.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any, TypeVar

import click

from rulebook.commands.colours import is_wanted

if TYPE_CHECKING:
    from rulebook.table.plain import Plain

Command = TypeVar("Command", bound=Callable[..., Any])


def plain_option(command: Command) -> Command:
    """Add `--plain`."""
    about = "Pages without boxes and columns, as for screen readers."
    return click.option("--plain", "is_plain", is_flag=True, help=about)(command)


def looks(is_plain: bool) -> Plain:
    """What draws pages here: boxes need a terminal that can show them, and `rich`."""
    from rulebook.table.plain import Plain

    if is_plain or not _shows_boxes() or find_spec("rich") is None:
        return Plain(is_wanted())
    from rulebook.table.boxes import Boxes

    return Boxes(is_wanted())


def _shows_boxes() -> bool:
    is_terminal = sys.stdin.isatty() and sys.stdout.isatty() and os.environ.get("TERM", "dumb") != "dumb"
    return is_terminal and "utf" in (sys.stdout.encoding or "").lower()
