"""Lint: questions that never have an answer, because they come back to what they were asked.

Bad: a card's `innocent: is_free(me)` beside `is_free(p): any(p.hand where innocent(p))`. Good: `count(me.hand) > 1`.

Nothing changes while a question is asked, so one that asks itself about the same again goes round for ever. That values
ask each other is seen where they get their types; here it is questions of cards that they ask on the way.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from rulebook.classes import frozen
from rulebook.diagnostics import Diagnostic, Label, diagnose
from rulebook.dsl import ir
from rulebook.dsl.lint.book import Book, Home
from rulebook.dsl.walk import everything

_About = tuple[int | None, ...]
"""The arguments of a call in a circle: for each, the parameter of the first question that is handed on, or None."""


@frozen(eq=False)
class _Asked:
    """A question that is asked within another one, about these of its parameters."""

    home: Home
    record: Any
    name: str
    about: _About


def find_circles(book: Book) -> Iterator[Diagnostic]:
    """Questions that ask themselves."""
    asks = {name: _find_asked(book, home) for name, home in book.homes.items() if isinstance(home.root, ir.Function)}
    asks = _leave_out_what_ends(asks)
    seen: set[frozenset[str]] = set()
    for name in asks:
        circle = _go_round(name, asks)
        names = frozenset(link.name for link in circle)
        if circle and names not in seen:
            seen.add(names)
            yield from _report(book, circle)


def _leave_out_what_ends(asks: dict[str, list[_Asked]]) -> dict[str, list[_Asked]]:
    """Leave out the questions that ask none of which this is not known before: they go round nowhere."""
    askers: dict[str, list[str]] = {}
    for name, links in asks.items():
        for link in links:
            askers.setdefault(link.name, []).append(name)
    left = {name: sum(link.name in asks for link in links) for name, links in asks.items()}
    ended = [name for name, count in left.items() if not count]
    for name in ended:
        for asker in askers.get(name, ()):
            left[asker] -= 1
            if not left[asker]:
                ended.append(asker)
    return {name: links for name, links in asks.items() if left[name]}


def _find_asked(book: Book, home: Home) -> list[_Asked]:
    function: ir.Function = home.root
    slots = {let.slot for let in home.of(ir.Let)}
    own = {slot: slot for slot in range(function.parameters) if slot not in slots}
    links = []
    for call in home.of(ir.CallValue, ir.AskHook):
        arguments = call.arguments if isinstance(call, ir.CallValue) else (call.target, *call.arguments)
        about = tuple(own.get(arg.slot) if isinstance(arg, ir.Local) else None for arg in arguments)
        names = book.callees(call) if isinstance(call, ir.CallValue) or _asks_all(book, home, call.target) else ()
        links += [_Asked(home, call, name, about) for name in names]
    return links


def _asks_all(book: Book, home: Home, target: ir.Expr) -> bool:
    """Tell whether a hook is asked of all of a kind, whatever may stand there, and nothing else is asked of those."""
    if not isinstance(target, ir.Local):
        return False
    times = sum(isinstance(record, ir.Local) and record.slot == target.slot for record in home.records)
    lists = [through.list for through in home.of(ir.Through) if through.slot == target.slot]
    below = [
        record
        for name in book.below(*(name for node in everything(*lists) for name in book.callees(node)))
        for record in book.homes[name].records
    ]
    inside = [*everything(*lists), *below]
    return times == 1 and all(isinstance(part.condition, ir.IsKind) for part in inside if isinstance(part, ir.Filter))


def _go_round(start: str, asks: dict[str, list[_Asked]]) -> list[_Asked]:
    """Find a way from a question back to it, about the same; empty if there is none."""
    same: _About = tuple(range(asks[start][0].home.parameters))
    steps: list[tuple[_About, _Asked | None, int]] = [(same, None, -1)]
    """A step of the search: the thing asked about, the question that led there, the number of the step before it."""
    seen: set[tuple[str, _About]] = set()
    for number, (about, by, _) in enumerate(steps):
        for link in asks[start if by is None else by.name]:
            now = tuple(None if at is None else about[at] for at in link.about)
            if link.name == start and now == same:
                return [*_retrace(steps, number), link]
            if link.name in asks and (link.name, now) not in seen:
                seen.add((link.name, now))
                steps.append((now, link, number))
    return []


def _retrace(steps: list[tuple[_About, _Asked | None, int]], number: int) -> list[_Asked]:
    """List the questions that led to a step."""
    _, by, before = steps[number]
    way: list[_Asked] = []
    while by is not None:
        way.append(by)
        _, by, before = steps[before]
    return way[::-1]


def _report(book: Book, circle: list[_Asked]) -> Iterator[Diagnostic]:
    """Point at the card that asks: without it, the others may be right."""
    of_cards = [link for link in circle if not link.home.name.startswith("values.")]
    blamed = (of_cards or circle)[-1]
    at = circle.index(blamed) + 1
    names = [link.home.name.partition(".")[2] for link in [*circle[at:], *circle[:at]]]
    what = "This question never ends: " + " asks ".join(f"`{name}`" for name in [names[-1], *names])
    labels = [
        Label(link.record.at.span, "and on to the next from here")
        for link in circle
        if link is not blamed and link.record.at is not None
    ]
    if blamed.record.at is not None:
        help = "While it is asked nothing changes, so the answer never comes. Ask about somebody or something else."
        at_fault = blamed.record.at.span
        yield diagnose("RB504", at_fault, help=help, where=blamed.home.where, what=what, labels=labels)
