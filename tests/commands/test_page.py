"""The page of all commands is what the commands say of themselves. UPDATE_COMMANDS=1 writes it anew."""

from __future__ import annotations

import inspect
import os

import click
from paths import ROOT

from rulebook.cli import COMMANDS, main

PAGE = ROOT / "docs" / "commands.md"
BAR = "\\|"
HEAD = """# All commands

What each command takes. `rulebook COMMAND --help` says the same; the
[README](../README.md#commands) says in a line each what they are for.
Exit codes are 0 (clean), 1 (problems), 2 (usage) and 3 (our bug). `--color auto|always|never` is understood by all.
"""


def describe_command(name: str, command: click.Command) -> str:
    """The part about one command; those of a group are below it."""
    with click.Context(command, info_name=name) as context:
        pieces = " ".join(command.collect_usage_pieces(context))
    help_text = inspect.cleandoc(command.help or "").replace("\b\n", "\n")
    lines = [f"## {name}", "", help_text, "", "```text", f"rulebook {name} {pieces}", "```", ""]
    rows = [describe_option(one) for one in command.params if isinstance(one, click.Option) and not one.hidden]
    rows = [row for row in rows if not row.startswith("| `--color")]
    if rows:
        lines += ["| option | |", "| --- | --- |", *rows, ""]
    if isinstance(command, click.Group):
        for inner in command.list_commands(context):
            found = command.get_command(context, inner)
            assert found is not None
            lines += [describe_command(f"{name} {inner}", found)]
    return "\n".join(lines)


def describe_option(option: click.Option) -> str:
    words = ", ".join([*option.opts, *option.secondary_opts])
    if not option.is_flag and not option.count:
        choices = "|".join(map(str, option.type.choices)) if isinstance(option.type, click.Choice) else ""
        plain = "N" if isinstance(option.type, click.types.IntParamType) else option.type.name.upper()
        words += f" {option.metavar or choices or plain}"
    cells = f"`{words}`", " ".join((option.help or "").split())
    return f"| {' | '.join(cell.replace('|', BAR) for cell in cells)} |"


def write_page() -> str:
    parts = [HEAD]
    for name in COMMANDS:
        command = main.get_command(click.Context(main), name) if isinstance(main, click.Group) else None
        assert command is not None
        parts.append(describe_command(name, command))
    return "\n".join(parts).rstrip() + "\n"


def test_the_page_of_all_commands_is_what_they_say() -> None:
    page = write_page()
    if os.environ.get("UPDATE_COMMANDS"):
        PAGE.write_text(page, "utf-8")
    assert PAGE.read_text("utf-8") == page, "UPDATE_COMMANDS=1 writes docs/commands.md"
