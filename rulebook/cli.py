"""The command line: `rulebook COMMAND …`. A command is imported when it is asked for."""

import atexit
import gc
import os
import re
import sys
from collections.abc import Callable
from functools import partial
from importlib import import_module
from io import StringIO
from typing import Any

import click

from rulebook.commands.console import INTERRUPTED, OUR_BUG, BadRequest, color_option, in_words, name_command, suggestion
from rulebook.left_open import wipe_left_open
from rulebook.printing import guard

# In the order in which they are listed, with the module in which each is a function of that name, and the first
# sentence of its help, so that no command is imported to list them.
COMMANDS = {
    "play": ("play", "Play GAME, a bundled game or a folder that holds one."),
    "serve": ("serve", "Let people play GAME in their browsers, each by a link."),
    "simulate": ("series", "Play many games of GAME between bots, and count."),
    "compare": (
        "series",
        "Play GAME as it is and with --variant or --set, on the same deals, and say what is different.",
    ),
    "tune": (
        "tune",
        "Search values of GAME's house rules, copies and numbers for an aim, such as fair seats or a length.",
    ),
    "replay": ("replay", "Look again at a saved game, or at one that `simulate --out` has kept."),
    "record": ("replay", "Make a scenario of the game that was saved in FILE."),
    "tree": ("tree", "Walk every course that GAME can take, and count."),
    "validate": ("validate", "Check games, their variants and scenarios, and with --play also how they play."),
    "leaks": ("leaks", "Play GAME and its twins, and show what gives a secret away."),
    "fmt": ("fmt", "Bring the scripts of games, their variants and scenarios to one spelling."),
    "explain": ("explain", "Explain the message with a CODE, such as RB203; without one, list all codes."),
    "new": ("authoring", "Begin a game, a card, a scenario or a variant, with files that validate."),
    "cards": ("cards", "Write the cards of a game as a spreadsheet, from which they come back the same."),
    "schema": ("authoring", "Write the JSON Schema of a GAME's files, for completion and hints in editors."),
    "lsp": ("lsp", "Answer an editor, which starts this by itself, about games that somebody writes."),
    "test": ("test", "Run the scenarios of games."),
    "diff": ("diff", "Show what variants change in GAME: its rules in words, with --patch also its files."),
    "dis": (
        "dis",
        "Show what the engine makes of RULE: a rule, a value, a card, an action, one of their hooks, or a stage.",
    ),
    "print": ("print", "Print the cards of GAME to cut out, or write them for a virtual tabletop or another program."),
    "list": ("show", "List the games that come with rulebook."),
    "show": ("show", "Show what is in GAME, or whatever in it has this name."),
}


_UNREADABLE = re.compile(r"[^\s/\\]{256,}")
"""More than a file can be called: nobody reads on to what is wrong with it."""


class _SeenEnough(Exception):
    """The end of a run whose output nobody reads any more."""


class Commands(click.Group):
    """Finds each command in its own module, and turns whatever goes wrong into a message and an exit code."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in COMMANDS:
            return None
        module = import_module(f"rulebook.commands.{COMMANDS[cmd_name][0]}")
        command = getattr(module, f"{cmd_name}_command")
        assert isinstance(command, click.Command)
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        limit = formatter.width - 6 - max(map(len, COMMANDS))
        with formatter.section("Commands"):
            stubs = [click.Command(name, help=about) for name, (_, about) in COMMANDS.items()]
            formatter.write_dl([(str(stub.name), stub.get_short_help_str(limit)) for stub in stubs])

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        # The oldest click that we work with suggests options, but not yet commands.
        word = args[0]
        if word not in COMMANDS and not word.startswith("-") and not ctx.resilient_parsing:
            advice = suggestion(word, COMMANDS) or f"The commands are: {', '.join(COMMANDS)}."
            ctx.fail(f"No such command {word!r}. {advice}")
        return super().resolve_command(ctx, args)

    def invoke(self, ctx: click.Context) -> Any:
        try:
            os.getcwd()
        except OSError:
            raise BadRequest("The folder in which this was started is there no more; go to another one.") from None
        try:
            result = super().invoke(ctx)
            sys.stdout.flush()
        except BrokenPipeError:
            # Left to click, this would end with the exit code of rules that failed.
            raise _SeenEnough from None
        return result

    def get_help(self, ctx: click.Context) -> str:
        return in_words(super().get_help(ctx))

    def main(self, *words: Any, standalone_mode: bool = True, **extra: Any) -> Any:
        if name_command() != "rulebook":
            extra.setdefault("prog_name", name_command())
        run = partial(super().main, *words, standalone_mode=False, **extra)
        with guard():
            if not standalone_mode:
                return run()
            wipe_left_open()
            # Else the collector would look through everything once more, when Python ends and all of it with it.
            atexit.register(gc.freeze)
            # Nor shall it go again and again through a game that is being loaded, of which nothing is let go.
            gc.set_threshold(200_000)
            sys.exit(_exit_code(run))


def _exit_code(run: Callable[[], Any]) -> int:
    try:
        code = run()
        return code if isinstance(code, int) else 0
    except click.ClickException as failure:
        message = StringIO()
        failure.show(message)
        click.echo(_UNREADABLE.sub(lambda word: f"{word[0][:40]}…", message.getvalue()), nl=False, err=True)
        return failure.exit_code
    except (click.Abort, KeyboardInterrupt):
        return INTERRUPTED
    except _SeenEnough:
        # Python would complain once more while it closes stdout.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    except Exception as bug:
        if _interrupted(bug):
            return INTERRUPTED
        _report_bug(bug)
        return OUR_BUG


def _interrupted(bug: Exception) -> bool:
    """Tell whether ^C is what it came from: Python wraps what is raised while a class is made."""
    cause: BaseException | None = bug
    while cause is not None and not isinstance(cause, KeyboardInterrupt):
        cause = cause.__cause__
    return cause is not None


def _report_bug(bug: Exception) -> None:
    if os.environ.get("RULEBOOK_DEBUG", "0") not in ("", "0"):
        import traceback

        traceback.print_exc()
    what = " ".join(str(bug).split())
    advice = "Set RULEBOOK_DEBUG=1 to see where."
    click.echo(f"rulebook: this is our bug, not yours: {type(bug).__name__}: {what} ({advice})", err=True)


def _print_version(ctx: click.Context, _: click.Parameter, is_asked: bool) -> None:
    if is_asked and not ctx.resilient_parsing:
        import rulebook

        click.echo(f"rulebook {rulebook.__version__}")
        ctx.exit()


@click.group(cls=Commands, context_settings={"help_option_names": ["-h", "--help"]})
@click.option(
    "--version",
    is_flag=True,
    expose_value=False,
    is_eager=True,
    callback=_print_version,
    help="Show the version and exit.",
)
@color_option
def main() -> None:
    """Play, test and measure tabletop games that are written as rulebooks.

    \b
    rulebook list                        the games that come with it
    rulebook play wallet                 you against bots
    rulebook play wallet --bots random   watch bots play
    """
