"""Taint analysis of a rulebook with mistakes: of the scripts that have none, whatever the others will say.

A script with a mistake may show or tell everybody anything, and so may whatever it runs. Behind it, and in what only it
runs, nothing is a secret but what has become one since (`Declassified.all_but`).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from attrs import evolve, fields, has

from rulebook.diagnostics import Diagnostic
from rulebook.dsl import ir
from rulebook.dsl import types as t
from rulebook.dsl.document import Mapping, Node, Scalar, walk_nodes
from rulebook.dsl.document import Sequence as Listed
from rulebook.dsl.lint.book import Book
from rulebook.dsl.secrets.passing import find_passed
from rulebook.dsl.secrets.taint import guard_secrets
from rulebook.dsl.world import World
from rulebook.source import Span

_DECLARE_NO_SECRET = ("rules", "whenever", "actions", "cards", "result", "display")
"""Sections that say of nothing who may look there."""


def find_leaks_beside(rulebook: ir.Rulebook, world: World, messages: Sequence[Diagnostic]) -> list[Diagnostic]:
    """Find the secrets that come out in scripts of which all is known, whatever those with mistakes say."""
    book = Book(rulebook, world)
    spans = [message.span for message in messages if message.span is not None and message.severity == "error"]
    called = frozenset[str]().union(*book.calls.values())
    lost = called - book.homes.keys()
    if not all(name.startswith("rules.") for name in lost):
        return []  # the answer of a question is a part of many others
    wrong = {name for name, home in book.homes.items() if _holds_any(home.root, spans)}
    inside = [span for name in wrong for span in spans if _holds_any(book.homes[name].root, [span])]
    if not _are_all_in(world, [span for span in spans if span not in inside]):
        return []  # who may look somewhere may be what is wrong
    missing = _find_missing(rulebook, book, lost | wrong)
    scripts = {name: _empty(script) if name in missing else script for name, script in rulebook.scripts.items()}
    scripts |= {name: ir.Script(name, 0, ir.Slots((), ()), body=()) for name in lost}
    _, leaks = guard_secrets(evolve(rulebook, scripts=scripts), world, missing)
    known = [home.root for name, home in book.homes.items() if name not in missing]
    return [leak for leak in leaks if leak.span is not None and any(_holds_any(root, [leak.span]) for root in known)]


def _find_missing(rulebook: ir.Rulebook, book: Book, wrong: set[str] | frozenset[str]) -> set[str]:
    """Find the scripts and questions of which it is not known what they do: those that are `wrong`, those that ask such
    a question, and those that are given places by nobody else.
    """
    missing = {*wrong}
    while True:
        unknown = {name for name in missing if name not in rulebook.scripts and name in book.homes}
        scripts = {name: _empty(script) if name in missing else script for name, script in rulebook.scripts.items()}
        passed = find_passed(evolve(rulebook, scripts=scripts))
        more = {name for name, callees in book.calls.items() if callees & unknown}
        more |= {
            name
            for name, script in rulebook.scripts.items()
            for slot, given in enumerate(script.slots.types[: script.parameters])
            if isinstance(given, t.Place) and (name, slot) not in passed
        }
        if more <= missing:
            return missing
        missing |= more


def _empty(script: ir.Script) -> ir.Script:
    return evolve(script, body=())


def _are_all_in(world: World, spans: Sequence[Span]) -> bool:
    """Tell whether these places are all in sections that say of nothing who may look there."""
    if not spans:
        return True
    sections = [getattr(world.authored, name) for name in _DECLARE_NO_SECRET]
    nodes = [node.span for section in sections for node in _list_nodes(section)]
    return all(
        any(span.file is node.file and node.start <= span.start <= node.end for node in nodes) for span in spans
    )


def _list_nodes(record: Any) -> Iterator[Node]:
    """List every node of what somebody has written."""
    if isinstance(record, Scalar | Mapping | Listed):
        yield from walk_nodes(record)
    elif isinstance(record, dict):
        yield from (node for value in record.values() for node in _list_nodes(value))
    elif isinstance(record, tuple | list):
        yield from (node for value in record for node in _list_nodes(value))
    elif has(type(record)):
        yield from (node for field in fields(type(record)) for node in _list_nodes(getattr(record, field.name)))


def _holds_any(root: object, spans: Sequence[Span]) -> bool:
    """Tell whether any of these spans lies in the text of a script or question."""
    at = getattr(root, "at", None)
    text = getattr(at, "scalar", None)
    if not isinstance(text, Scalar):
        return False
    return any(span.file is text.span.file and text.span.start <= span.start <= text.span.end for span in spans)
