"""How a command ends when it cannot do what was asked: one clear message and an exit code.

In: a sentence. Out: an exception that click, or `rulebook.cli`, turns into a message on stderr. Never: a
traceback.

    0  done          1  the rules, a scenario or an assertion failed
    2  usage, or no such game, option, seat or file          3  our own bug          130  Ctrl-C
"""

from collections.abc import Iterable
from typing import Any

import click

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


def suggestion(word: str, legal: Iterable[str]) -> str:
    """ "Did you mean X?", or nothing."""
    from rulebook.diagnostics.spelling import nearest

    found = nearest(word, legal)
    return f"Did you mean {found}?" if found else ""
