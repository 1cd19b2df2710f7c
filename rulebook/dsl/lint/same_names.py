"""Lint: cards, and actions, that players cannot tell apart by their names, or that say of themselves what another does.

Bad: `small` and `great` with `name: Old Note` each. Good: `Old Note` and `Great Note`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from rulebook.diagnostics import Diagnostic, Label, diagnose
from rulebook.dsl import ir
from rulebook.dsl.checking.declarations import is_told
from rulebook.dsl.document import Mapping as Map
from rulebook.dsl.document import Node, Scalar
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


def same_texts(book: Book) -> Iterator[Diagnostic]:
    """Report each card or action whose written text another has that does something else."""
    authored, hooks = book.world.authored, book.world.hooks
    cards = {id: (card.fields.get("text"), _spell_scripts(card.fields, hooks)) for id, card in authored.cards.items()}
    actions = {id: (action.text, _plain(action.effect.text)) for id, action in authored.actions.items()}
    for things in (cards, actions):
        first: dict[str, tuple[str, Scalar, str]] = {}
        for id, (text, scripts) in things.items():
            if not isinstance(text, Scalar) or not scripts or is_told(text):
                continue
            other, before, done = first.setdefault(_plain(text.text), (id, text, scripts))
            if before.span != text.span and done != scripts:
                yield diagnose("RB521", text.span, labels=[Label(before.span, "here")], other=f"`{other}`")


def _spell_scripts(fields: Map, hooks: Mapping[str, object]) -> str:
    """The scripts of a card in one text, blanks aside; empty if it has none."""
    return " ".join(f"{name}: {_write_out(node)}" for name, node in sorted(fields.items()) if name in hooks)


def _write_out(node: Node) -> str:
    if isinstance(node, Scalar):
        return _plain(node.text)
    items = node.items() if isinstance(node, Map) else enumerate(node)
    return " ".join(f"{name}: {_write_out(below)}" for name, below in items)


def _find_told_twice(
    book: Book, what: str, written: Mapping[str, Node | None], things: Mapping[str, ir.CardDef | ir.ActionDef]
) -> Iterator[Diagnostic]:
    first: dict[str, Span] = {}
    for id, node in written.items():
        # A thing without a name is called by its id, and so stands there first.
        span = book.span(what, id)
        if node is None and _find_plain_name(things.get(id)) == _plain(id.replace("_", " ")):
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
