"""What is right in every word and still means nothing: the end of the silent no-op.

In: a checked rulebook and the names it declares. Out: warnings, each from one pass that walks the IR whatever its
classes are. Never: an error, a changed rulebook, or a guess where the rulebook does not settle it.
"""

from __future__ import annotations

from collections.abc import Callable

from rulebook.diagnostics import Diagnostic
from rulebook.dsl import ir
from rulebook.dsl.meaning.always import same_answers
from rulebook.dsl.meaning.book import Book
from rulebook.dsl.meaning.conferring import all_possible, introduced
from rulebook.dsl.meaning.enough import counts_that_disagree
from rulebook.dsl.meaning.idle import idle_sentences
from rulebook.dsl.meaning.possible import Possible
from rulebook.dsl.meaning.printed import CardSet
from rulebook.dsl.meaning.reach import never_reached
from rulebook.dsl.meaning.texts import texts_against_scripts
from rulebook.dsl.meaning.unread import unread_names
from rulebook.dsl.meaning.uses import Mentions, unused
from rulebook.dsl.sharing.share import Share
from rulebook.dsl.sharing.telling import Conversation
from rulebook.dsl.world import World

__all__ = ["MEANT", "examine", "examine_share"]

MEANT = frozenset(f"RB{number}" for number in (501, 502, 503, 504, 505, 506, 507, 508, 509, 510, 511, 512, 801))
"""The codes of all that is found here."""


def examine(rulebook: ir.Rulebook, world: World) -> list[Diagnostic]:
    """Everything that is meant wrong in a rulebook without mistakes."""
    book = Book(rulebook, world)
    mentions = Mentions(book)
    mentions.settle()
    card_set = CardSet(rulebook)
    return _found(book, mentions, Possible(book, card_set), card_set)


def examine_share(
    rulebook: ir.Rulebook, world: World, share: Share, card_set: CardSet, common: Book, whole: Callable[[], Book]
) -> Conversation[tuple[list[Diagnostic], bool]]:
    """The same of a share of the cards; the first share also says what is about the game as a whole.

    `common` is the book of what belongs to no share; `whole` is asked for where a text speaks of what cards in other
    shares do. Also whether it was.
    """
    book = Book(rulebook, world, share, common, whole)
    mentions = Mentions(book)
    yield from introduced(book, mentions)
    mentions.settle()
    possible = yield from all_possible(book, card_set)
    return _found(book, mentions, possible, card_set), book.looked_beyond


def _found(book: Book, mentions: Mentions, possible: Possible, card_set: CardSet) -> list[Diagnostic]:
    found = [*unused(book, mentions)] if book.first else []
    found += [*never_reached(book), *unread_names(book), *idle_sentences(book, mentions)]
    found += same_answers(book, possible, mentions)
    if book.first:
        found += counts_that_disagree(book)
    return [*found, *texts_against_scripts(book, card_set.vocabulary)]
