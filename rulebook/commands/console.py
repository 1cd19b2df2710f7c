"""The console: how commands end, what they are called, whether there are colours and boxes, how far they are.

Exit codes: 0 done; 1 the rules, a scenario or an assertion failed; 2 usage, or no such game, option, seat or file; 3
our own bug; 130 Ctrl-C.
"""

from __future__ import annotations

import math
import os
import re
import shutil
import sys
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar, cast

import click

from rulebook import files
from rulebook.printing import control, one_line, paint

if TYPE_CHECKING:
    from rulebook.table.renderer import Renderer


LARGEST = 1_000_000_000
"""The most of anything that can be counted out; nobody waits for so many games."""
RULES_FAILED, BAD_REQUEST, OUR_BUG, INTERRUPTED = 1, 2, 3, 130


class RulesFailed(click.ClickException):
    """The rules of a game are wrong, or a scenario of it failed."""

    exit_code = RULES_FAILED


class BadRequest(click.ClickException):
    """There is no such game, option, seat or file, or no such value for it."""

    exit_code = BAD_REQUEST


class OurBug(click.ClickException):
    """Something went wrong that the rules could not help."""

    exit_code = OUR_BUG

    def show(self, file: Any = None) -> None:
        """Say whose bug it is, in the words of `rulebook.cli`."""
        click.echo(f"rulebook: this is our bug, not yours: {self.message}", file=file, err=True)


class Choices(click.Choice[str]):
    """A choice of words that says which one was perhaps meant."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> str:
        try:
            return super().convert(value, param, ctx)
        except click.BadParameter as refused:
            advice = suggestion(str(value), self.choices)
            raise click.BadParameter(f"{refused.message} {advice}".strip(), ctx, param) from None


class Whole(click.IntRange):
    """A whole number; what is none is refused in words, also where nobody has said how large it may be."""

    def __init__(self, low: int, high: int | None = None) -> None:
        super().__init__(low, high)
        self._most = LARGEST if high is None else high

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        text = str(value).strip()
        if re.fullmatch(r"[+-]?[0-9]{1,40}", text) and int(text) >= cast(int, self.min):
            if int(text) <= self._most:
                return int(text)
            if self.max is None:
                raise click.BadParameter(f"{text} is too large: {self._most} is the most.", ctx, param)
        bounds = f"from {self.min} on" if self.max is None else f"from {self.min} to {self.max}"
        raise click.BadParameter(f"{value!r} is no whole number {bounds}.", ctx, param)


class Number(click.FloatRange):
    """A number, not of necessity a whole one, that is not endless either."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        try:
            number = float(value)
            if math.isfinite(number):
                return super().convert(number, param, ctx)
        except (ValueError, click.BadParameter):
            pass
        least = f"above {self.min:g}" if self.min_open else f"from {self.min:g} {'on' if self.max is None else ''}"
        bounds = least if self.max is None else f"from {self.min:g} to {self.max:g}"
        raise click.BadParameter(f"{str(value)!r} is no number {bounds.strip()}.", ctx, param)


class Duration(click.IntRange):
    """A time such as `90s`, `2m` or `1h`, in seconds; ten seconds at least, a day at most."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        found = re.fullmatch(r"([0-9]{1,5})([smh])", str(value).strip())
        seconds = int(found[1]) * {"s": 1, "m": 60, "h": 3600}[found[2]] if found is not None else 0
        if not 10 <= seconds <= 86400:
            raise click.BadParameter(f"{str(value)!r} is no time from 10s to 24h, such as 90s or 2m.", ctx, param)
        return seconds


class NewFile(click.Path):
    """A file that will be written, perhaps with another `beside` it of that ending: where none can be, that is said
    before anything is done for it.
    """

    def __init__(self, *endings: str, beside: str = "") -> None:
        super().__init__(path_type=Path)
        self._endings, self._beside = endings, beside

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        if not str(value):
            self.fail("No file is named.", param, ctx)
        file = cast(Path, super().convert(value, param, ctx))
        if self._endings and file.suffix not in self._endings:
            self.fail(f"{value} should end in {' or '.join(self._endings)}.", param, ctx)
        for path in [file, *([file.with_suffix(self._beside)] if self._beside else [])]:
            try:
                files.refuse_unwritable(path)
            except OSError as failed:
                self.fail(f"{path} cannot be written: {failed.strerror}.", param, ctx)
        return file


def refuse_same(*named: Path | None) -> None:
    """Raise BadRequest if two of these files, all of which will be written, are one."""
    seen = set[str]()
    for file in named:
        if file is not None and os.path.realpath(file) in seen:
            raise BadRequest(f"{file} cannot be two things at once: give each file a name of its own.")
        seen |= {os.path.realpath(file)} if file is not None else set()


def refuse_together(**options: bool) -> None:
    """Raise BadRequest if more than one of these options was given."""
    names = [f"--{name.replace('_', '-')}" for name, is_given in options.items() if is_given]
    if len(names) > 1:
        raise BadRequest(f"{' and '.join(names)} cannot be given together.")


def suggestion(word: str, legal: Iterable[str]) -> str:
    """ "Did you mean X?", or nothing."""
    from rulebook.diagnostics.spelling import nearest

    meant = nearest(word, legal)
    return f"Did you mean {meant}?" if meant else ""


def name_command() -> str:
    """Return the words that a person types to start this command."""
    return os.environ.get("RULEBOOK_COMMAND") or "rulebook"


def in_words(text: str) -> str:
    """A help text, with its examples as they are to be typed here."""
    return re.sub(r"(?m)^( +)rulebook (?=[a-z]+ )", lambda match: f"{match[1]}{name_command()} ", text)


Command = TypeVar("Command", bound=Callable[..., Any])


def is_wanted(err: bool = False) -> bool:
    """Tell whether to colour stdout (or stderr); an option goes before the environment."""
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
        callback=_settle_color,
        help="Colour the output; auto obeys NO_COLOR, FORCE_COLOR and TERM.",
    )(command)


def _settle_color(ctx: click.Context, _: click.Parameter, choice: str | None) -> None:
    if choice is not None:
        ctx.color = {"always": True, "never": False}.get(choice)


def plain_option(command: Command) -> Command:
    """Add `--plain`."""
    about = "Pages without boxes and columns, as for screen readers."
    return click.option("--plain", "is_plain", is_flag=True, help=about)(command)


def make_renderer(is_plain: bool) -> Renderer:
    """Make the renderer of pages for this terminal: boxes only where it can show them."""
    from rulebook.table.renderer import Renderer

    return Renderer(is_wanted(), is_boxed=not is_plain and _shows_boxes())


def _shows_boxes() -> bool:
    is_terminal = sys.stdin.isatty() and sys.stdout.isatty() and os.environ.get("TERM", "dumb") != "dumb"
    return is_terminal and "utf" in (sys.stdout.encoding or "").lower()


_SOON = 2.0  # seconds after which somebody asks how long it will take


class Progress:
    """Progress in one line that goes away again, with the time that is left if it goes on like that; or until all
    of which this is a part `ends`, on the clock of `time.perf_counter`.
    """

    def __init__(self, what: str = "", ends: float | None = None) -> None:
        self.done = self.games = 0
        self._what, self._ends = what, ends
        self._since: tuple[float, int] | None = None

    def __call__(self, done: int, games: int) -> None:
        """Show how many games are played, and an estimate of the time left."""
        self.done, self.games = done, games
        self.say(f"{self._what}{done} of {games} games{self._format_time_left(done, games)}")

    def begin(self) -> None:
        """Show that the first games are played, before any is counted."""
        self.say(f"{self._what}the first games{self._format_time_left(0, 0)}")

    @staticmethod
    def say(text: str) -> None:
        """Show this in place of what was shown before; nothing, and the line is gone."""
        if sys.stderr.isatty():
            start = control("\r")
            click.echo(f"{start}{text:<60}" + ("" if text else start), nl=False, err=True)

    @staticmethod
    def leave(line: str) -> None:
        """Leave a line at a terminal, for whoever waits there."""
        if sys.stderr.isatty():
            start = control("\r")
            click.echo(f"{start}{line:<60}", err=True)

    def _format_time_left(self, done: int, games: int) -> str:
        if self._ends is not None:
            return _word_left(max(0, round(self._ends - time.perf_counter())))
        now = time.monotonic()
        if self._since is None or done < self._since[1]:
            self._since = now, done
        since, before = self._since
        if now - since < _SOON or done == before:
            return ""
        return _word_left(round((games - done) * (now - since) / (done - before)))


def _word_left(seconds: int) -> str:
    hours, minutes = seconds // 3600, seconds // 60 % 60
    left = f"{hours}:{minutes:02}:{seconds % 60:02}" if hours else f"{minutes}:{seconds % 60:02}"
    return f", {left} left"


# ── what is printed ──────────────────────────────────────────────────────────────────────────────────────────────────


def echo_lines(lines: Iterable[str]) -> None:
    """Print lines, each of which stays one."""
    for line in lines:
        click.echo(one_line(line))


def columns() -> int:
    """Return the width of a line; one column of the terminal stays free."""
    return max(terminal_width() - 1, 20)


def terminal_width() -> int:
    return shutil.get_terminal_size((80, 24)).columns


def bold(text: str) -> str:
    return paint("1", text) if is_wanted() else text


@contextmanager
def writing(file: Path | None) -> Iterator[None]:
    """Report a file that cannot be written in one sentence."""
    try:
        yield
    except OSError as failed:
        raise BadRequest(f"{file} cannot be written: {failed.strerror}.") from None
