"""Taint analysis of a rulebook with mistakes, of those scripts that have none and run none that have."""

from __future__ import annotations

from collections.abc import Sequence

from attrs import evolve

from rulebook.diagnostics import Diagnostic
from rulebook.dsl import ir
from rulebook.dsl.document import Scalar
from rulebook.dsl.lint.book import Book
from rulebook.dsl.secrets.taint import guard_secrets
from rulebook.dsl.world import World
from rulebook.source import Span


def find_leaks_beside(rulebook: ir.Rulebook, world: World, messages: Sequence[Diagnostic]) -> list[Diagnostic]:
    """Find the secrets that come out in scripts of which all is known.

    The others are left empty, with all that run them: what they show to everybody is no secret in what they run, and
    how much that is nobody can tell before they are right.
    """
    book = Book(rulebook, world)
    spans = [message.span for message in messages if message.span is not None and message.severity == "error"]
    called = frozenset[str]().union(*book.calls.values())
    lost = called - book.homes.keys()
    if not all(name.startswith("rules.") for name in lost):
        return []  # the answer of a question is a part of many others
    doubtful = lost | {name for name, home in book.homes.items() if _holds_any(home.root, spans)}
    callers: dict[str, list[str]] = {}
    for name, callees in book.calls.items():
        for callee in callees:
            callers.setdefault(callee, []).append(name)
    ahead = [*doubtful]
    while ahead:
        more = [name for name in callers.get(ahead.pop(), ()) if name not in doubtful]
        doubtful |= {*more}
        ahead += more
    scripts = {name: evolve(rule, body=()) if name in doubtful else rule for name, rule in rulebook.scripts.items()} | {
        name: ir.Script(name, 0, ir.Slots((), ()), body=()) for name in lost
    }
    _, leaks = guard_secrets(evolve(rulebook, scripts=scripts), world)
    known = [home.root for name, home in book.homes.items() if name not in doubtful]
    return [leak for leak in leaks if leak.span is not None and any(_holds_any(root, [leak.span]) for root in known)]


def _holds_any(root: object, spans: Sequence[Span]) -> bool:
    """Tell whether any of these spans lies in the text of a script or question."""
    at = getattr(root, "at", None)
    text = getattr(at, "scalar", None)
    if not isinstance(text, Scalar):
        return False
    return any(span.file is text.span.file and text.span.start <= span.start <= text.span.end for span in spans)
