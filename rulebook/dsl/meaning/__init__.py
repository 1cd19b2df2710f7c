"""What is right in every word and still means nothing: the end of the silent no-op.

In: a checked rulebook and the names it declares. Out: warnings, each from one pass that walks the IR whatever its
classes are. Never: an error, a changed rulebook, or a guess where the rulebook does not settle it.
"""

from __future__ import annotations

from rulebook.diagnostics import Diagnostic
from rulebook.dsl import ir
from rulebook.dsl.meaning.always import same_answers
from rulebook.dsl.meaning.book import Book
from rulebook.dsl.meaning.enough import counts_that_disagree
from rulebook.dsl.meaning.idle import idle_sentences
from rulebook.dsl.meaning.possible import Possible
from rulebook.dsl.meaning.printed import CardSet
from rulebook.dsl.meaning.reach import never_reached
from rulebook.dsl.meaning.texts import texts_against_scripts
from rulebook.dsl.meaning.unread import unread_names
from rulebook.dsl.meaning.uses import Mentions, unused
from rulebook.dsl.world import World

__all__ = ["MEANT", "examine"]

MEANT = frozenset(f"RB{number}" for number in (501, 502, 503, 504, 505, 506, 507, 508, 509, 510, 511, 512, 801))
"""The codes of all that is found here."""


def examine(rulebook: ir.Rulebook, world: World) -> list[Diagnostic]:
    """Everything that is meant wrong in a rulebook without mistakes."""
    book = Book(rulebook, world)
    mentions = Mentions(book)
    card_set = CardSet(rulebook)
    return [
        *unused(book, mentions),
        *never_reached(book),
        *unread_names(book),
        *idle_sentences(book, mentions),
        *same_answers(book, Possible(book, card_set), mentions),
        *counts_that_disagree(book),
        *texts_against_scripts(book, card_set.vocabulary),
    ]
