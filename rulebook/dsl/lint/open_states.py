"""Lint: places into which few may look, though all that can lie there is alike but for what everybody sees.

Bad: `cup: {holds: cube, seen_by: owner}` beside `cube: {state: {face: 1..6}}`. Good: `face: {…, seen: with_face}`.
"""

from __future__ import annotations

from collections.abc import Iterator

from rulebook.diagnostics import Diagnostic, diagnose
from rulebook.dsl import ir
from rulebook.dsl.lint.book import Book


def find_open_states(book: Book) -> Iterator[Diagnostic]:
    """Places that hide nothing but copies of one card, with a state that everybody sees wherever it lies."""
    rulebook = book.rulebook
    for name, place in rulebook.places.items():
        cards = [card for card in rulebook.cards.values() if card.kind in place.holds]
        states = [state for state in rulebook.states.values() if state.kinds & place.holds]
        if len(cards) != 1 or not states or any(state.with_face for state in states) or not _is_hidden(place):
            continue
        if place.at is not None:
            yield diagnose("RB531", place.at.span, name=name, state=states[0].name)


def _is_hidden(place: ir.PlaceDef) -> bool:
    """Tell whether few may look there, though everybody may count: how many lie there may be the secret."""
    known = (place.seen_by, place.counted)
    seen_by, counted = (expr.value if isinstance(expr, ir.Const) else None for expr in known)
    return seen_by in ("owner", "others", "nobody") and counted == "everyone" and place.kept != "pool"
