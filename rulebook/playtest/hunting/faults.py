"""What went wrong in play, by kind and place: what two games must have in common to show the same mistake.

In: the exception with which a game stopped. Out: a `Fault`. Never: takes a mistake of ours for one of the rules.
"""

from __future__ import annotations

import re

from attrs import field, frozen

from rulebook.interpreter.decisions import Endless, RuleError, Unbalanced
from rulebook.source import Span

__all__ = ["Fault", "fault_of"]

_CODES: tuple[tuple[type[RuleError], str], ...] = ((Endless, "RB702"), (Unbalanced, "RB703"), (RuleError, "RB701"))


@frozen
class Fault:
    """A mistake that shows in play. `code` is None if it is our own. `place` is the file and line of the sentence, if
    there is one; two games with equal faults show the same mistake.
    """

    code: str | None
    place: tuple[str, int]
    what: str
    """The exception, for those that are told apart by it alone: our own, and rules that go wrong nowhere."""
    message: str = field(eq=False)
    script: str = field(default="", eq=False)
    span: Span | None = field(default=None, eq=False, repr=False)


def fault_of(error: Exception) -> Fault:
    """What an exception says about the game or about us."""
    for kind, code in _CODES:
        if isinstance(error, kind):
            span = None if error.at is None else error.at.span
            place = ("", 0) if span is None else (span.file.name, span.line)
            return Fault(code, place, "" if span else _shape(error), error.message, error.script, span)
    return Fault(None, ("", 0), _shape(error), f"{type(error).__name__}: {error}")


def _shape(error: Exception) -> str:
    """An exception without what differs from game to game."""
    return f"{type(error).__name__}: {re.sub(r'[0-9]+', '0', str(error))}"
