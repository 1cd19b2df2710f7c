"""Lint: places into which everybody may look, since nothing else is said, though rules treat them as hidden.

Bad: `deck: {holds: note, kept: pile}` beside `hand: {…, seen_by: owner}`. Good: `deck: {…, seen_by: nobody}`.
"""

from __future__ import annotations

from collections.abc import Iterator

from rulebook.diagnostics import Diagnostic, diagnose
from rulebook.dsl import ir
from rulebook.dsl.lint.book import Book
from rulebook.dsl.types import YES_NO
from rulebook.dsl.walk import nodes

_KNOWN = ("everyone", "top")


def find_open_decks(book: Book) -> Iterator[Diagnostic]:
    """Shuffled piles and bags that say nothing of who may look, from which something goes where not everybody looks."""
    sentences = [sentence for home in book.homes.values() for sentence in home.of(ir.Sentence)]
    shuffled = {place.name for place in map(_find_mixed, sentences) if isinstance(place, ir.PlaceOf)}
    for name, place in book.world.authored.table_places.items():
        defined = book.rulebook.places.get(name)
        if place.seen_by is not None or defined is None or (name not in shuffled and defined.kept != "bag"):
            continue
        hidden = [goal for goal in _find_goals(sentences, name) if _is_goal_hidden(book, goal)]
        if hidden and defined.at is not None:
            so = f"and so knows what goes from it to `{hidden[0]}`"
            yield diagnose("RB530", defined.at.span, name=name, so=so)


def find_open_hands(book: Book) -> Iterator[Diagnostic]:
    """Places of players that say nothing of who may look, and are opened at the end, or of which cards are shown."""
    shown = {place.name for show in book.all(ir.Show) for place in nodes(show.cards) if isinstance(place, ir.PlaceOf)}
    for name, place in book.world.authored.places.player.items():
        defined = book.rulebook.places.get(name)
        if place.seen_by is not None or defined is None or defined.at is None:
            continue
        if defined.opened_at_end == ir.Const(True, type=YES_NO):
            so = "so there is nothing to open at the end"
        elif name in shown:
            so = "so there is nothing to show of it"
        else:
            continue
        yield diagnose("RB530", defined.at.span, name=name, so=so)


def _find_mixed(sentence: ir.Sentence) -> ir.Expr | None:
    return ir.find_mixed(sentence) if isinstance(sentence, ir.Mixing) else None


def _find_goals(sentences: list[ir.Sentence], name: str) -> Iterator[str]:
    for sentence in sentences:
        match sentence:
            case ir.Deal(source=ir.PlaceOf(source), place=goal) | ir.Draw(
                source=ir.PlaceOf(source), goal=ir.PlaceOf(goal)
            ) if source == name:
                yield goal


def _is_goal_hidden(book: Book, name: str) -> bool:
    seen_by = book.rulebook.places[name].seen_by
    return isinstance(seen_by, ir.Const) and seen_by.value not in _KNOWN
