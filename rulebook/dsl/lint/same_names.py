"""Lint: cards, and actions, that players cannot tell apart by their names.

Bad: `small` and `great` with `name: Old Note` each. Good: `Old Note` and `Great Note`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from rulebook.diagnostics import Diagnostic, Label, diagnose
from rulebook.dsl import ir
from rulebook.dsl.document import Node
from rulebook.dsl.lint.book import Book
from rulebook.source import Span


def same_names(book: Book) -> Iterator[Diagnostic]:
    """Report each card or action whose written name another has, be it by its id; a copy has its original's name."""
    authored = book.world.authored
    cards = {id: entry.fields.get("name") for id, entry in authored.cards.items()}
    actions = {id: entry.name for id, entry in authored.actions.items()}
    families = {card.id.split(".")[0]: card for card in book.rulebook.cards.values()}
    yield from _find_told_twice(book, "cards", cards, families)
    yield from _find_told_twice(book, "actions", actions, book.rulebook.actions)


def _find_told_twice(
    book: Book, what: str, written: Mapping[str, Node | None], things: Mapping[str, ir.CardDef | ir.ActionDef]
) -> Iterator[Diagnostic]:
    first: dict[str, Span] = {}
    for id, node in written.items():
        # A thing without a name is called by its id, and so stands there first.
        span = book.span(what, id)
        if node is None and span is not None and _find_plain_name(things.get(id)) == _plain(id.replace("_", " ")):
            first.setdefault(_plain(id.replace("_", " ")), span)
    for id, node in written.items():
        name = _find_plain_name(things.get(id))
        if node is None or not name:
            continue
        before = first.setdefault(name, node.span)
        if before != node.span:
            labels = [Label(before, "and this one, too")]
            thing = things[id].name
            shown = thing.value if isinstance(thing, ir.Const) else name
            yield diagnose("RB513", node.span, labels=labels, what=what, name=shown)


def _find_plain_name(thing: ir.CardDef | ir.ActionDef | None) -> str:
    """Return the name of a thing in lower case with single blanks; empty if it has none, or if rules decide it."""
    return _plain(str(thing.name.value)) if thing is not None and isinstance(thing.name, ir.Const) else ""


def _plain(name: str) -> str:
    return " ".join(name.lower().split())
