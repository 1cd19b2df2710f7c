"""Lint: cards, and actions, that players cannot tell apart by what they are called."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from rulebook.diagnostics import Diagnostic, Label, diagnose
from rulebook.dsl import ir
from rulebook.dsl.document import Node
from rulebook.dsl.lint.book import Book


def same_names(book: Book) -> Iterator[Diagnostic]:
    """Every card or action whose written name another has; a copy has the name of the card that it copies."""
    authored = book.world.authored
    cards = {id: entry.fields.get("name") for id, entry in authored.cards.items()}
    actions = {id: entry.name for id, entry in authored.actions.items()}
    families = {card.id.split(".")[0]: card for card in book.rulebook.cards.values()}
    yield from _told_twice("cards", cards, families)
    yield from _told_twice("actions", actions, book.rulebook.actions)


def _told_twice(
    what: str, written: Mapping[str, Node | None], things: Mapping[str, ir.CardDef | ir.ActionDef]
) -> Iterator[Diagnostic]:
    first: dict[str, Node] = {}
    for id, node in written.items():
        name = things[id].name if id in things else None
        if node is None or not isinstance(name, ir.Const):
            continue
        before = first.setdefault(" ".join(str(name.value).lower().split()), node)
        if before.span != node.span:
            labels = [Label(before.span, "and this one, too")]
            yield diagnose("RB513", node.span, labels=labels, what=what, name=name.value)
