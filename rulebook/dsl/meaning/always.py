"""Questions that always have the same answer, choices that never have an option, cards that never come into play.

In: what is possible. Out: a message at the smallest such question, at the choice, at the card. Never: a message about
what only follows from another one.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from rulebook.diagnostics import Diagnostic, diagnose
from rulebook.dsl import ir
from rulebook.dsl import types as t
from rulebook.dsl.meaning.book import Book, Home, words
from rulebook.dsl.meaning.clashes import clash
from rulebook.dsl.meaning.possible import Possible
from rulebook.dsl.meaning.uses import Mentions
from rulebook.dsl.syntax import At
from rulebook.dsl.walk import everything, parts

_FIXED = frozenset({ir.Const, ir.OptionValue})
_CHOICES = frozenset({ir.Choose, ir.ChooseEach})


def same_answers(book: Book, possible: Possible, mentions: Mentions) -> Iterator[Diagnostic]:
    """Every question, choice and card that is settled before the game begins."""
    for home in book.homes.values():
        if not home.has(_JUDGED) or home.name not in book.reached:
            continue
        possible.within(home)
        empty = list(_empty_choices(possible, home))
        for pick, at in empty:
            yield from book.report("RB501", home, at, name=pick.name)
        settled = {id(part) for pick, _ in empty for part in everything(*pick.sources)}
        yield from _questions(book, possible, home, settled)
    yield from _cards(book, possible, mentions)


def _questions(book: Book, possible: Possible, home: Home, settled: set[int]) -> Iterator[Diagnostic]:
    """`settled` are records that another message is about already."""
    told = set(settled)
    if not told and not any(_is_question(one) and _is_settled(possible, one) for one in home.among(_ASKED)):
        return  # what stands around a question matters only where there is a message
    for one in reversed(home.records):
        # The innermost first: what stands around it follows from it.
        if not _is_question(one):
            continue
        if told and (id(one) in told or any(id(part) in told for _, part in parts(one))):
            told.add(id(one))
            continue
        if type(one) in _ASKED and _is_settled(possible, one):
            told.add(id(one))
            answer = "yes" if possible.truth(one)[0] else "no"
            yield diagnose("RB509", one.at.span, where=home.where, answer=answer, why=_why(book, possible, one))


def _is_question(one: Any) -> bool:
    return getattr(one, "type", None) is t.YES_NO and type(one) not in _FIXED and one.at is not None


def _is_settled(possible: Possible, one: ir.Expr) -> bool:
    """Whether one answer remains. To name the kind of what is there is no mistake."""
    yes, no = possible.truth(one)
    return yes != no and not (yes and isinstance(one, ir.IsKind | ir.IsCard))


_ASKED = frozenset({ir.Compare, ir.IsKind, ir.IsCard, ir.Within, ir.BuiltIn, ir.IsEmpty, ir.And, ir.Or, ir.IsNothing})
"""Questions that are worth a message; the rest only pass on what these answer."""
_JUDGED = _CHOICES | _ASKED


def _why(book: Book, possible: Possible, one: ir.Expr) -> str:
    match one:
        case ir.Compare(_, left, right):
            for side in (left, right):
                found = possible.of(side)
                if found is not None and not isinstance(side, ir.Const):
                    return f"`{words(side)}` can only be {found.words()}."
        case ir.And() | ir.Or():
            both = clash(one, possible.of, holds=isinstance(one, ir.And))
            if both is not None:
                this = "all of this" if isinstance(one, ir.And) else "none of this"
                return f"`{words(both)}` cannot be {this} at once."
        case ir.IsKind(value, _) | ir.IsCard(value, _):
            lying = possible.lying(value)
            kinds = sorted({card.kind for id, card in book.rulebook.cards.items() if possible.bits[id] & lying})
            if kinds:
                return f"`{words(value)}` can only be {' or '.join(kinds)}."
        case ir.IsEmpty() | ir.BuiltIn():
            return "No card that can be there is like that."
    return ""


def _empty_choices(possible: Possible, home: Home) -> Iterator[tuple[ir.Pick, At | None]]:
    for one in home.of(_CHOICES):
        for pick in one.picks:
            if pick.sources and all(possible.never_any(source.list) for source in pick.sources):
                yield pick, pick.sources[0].list.at or one.at


def _cards(book: Book, possible: Possible, mentions: Mentions) -> Iterator[Diagnostic]:
    """Cards that no sentence can take out of the box; of each declared card one message."""
    out = 0
    for lying in possible.places.values():
        out |= lying
    if not out:
        return
    told: set[str] = set()
    for id, card in book.rulebook.cards.items():
        family = id.split(".")[0]
        # What is asked for by name has a part in the game while it lies in the box.
        if possible.bits[id] & out or family in told or id in mentions.named:
            continue
        told.add(family)
        if card.at is not None:
            yield diagnose("RB503", book.span("cards", family) or card.at.span, name=family)
