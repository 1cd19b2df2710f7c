"""Lint: valid rules that have no effect, or that the text of a card contradicts.

A lint is silent where the rulebook does not settle the question; what only a game can show is asked by `shortages` and
`validate --play`.
"""

from __future__ import annotations

from rulebook.diagnostics import Diagnostic
from rulebook.dsl import ir
from rulebook.dsl.lint.always_answered import find_always_answered
from rulebook.dsl.lint.always_there import find_always_there
from rulebook.dsl.lint.book import Book
from rulebook.dsl.lint.chains import with_chains
from rulebook.dsl.lint.circles import find_circles
from rulebook.dsl.lint.extremes import find_other_extremes
from rulebook.dsl.lint.idle import idle_sentences
from rulebook.dsl.lint.in_vain import sentences_in_vain
from rulebook.dsl.lint.last_round import names_of_the_last_round
from rulebook.dsl.lint.nested import find_nested
from rulebook.dsl.lint.open_decks import find_open_decks, find_open_hands
from rulebook.dsl.lint.open_states import find_open_states
from rulebook.dsl.lint.reach import never_reached
from rulebook.dsl.lint.same_names import same_names, same_texts
from rulebook.dsl.lint.standing_out import find_lonely_sides, find_twice_the_same
from rulebook.dsl.lint.teams import find_idle_teams
from rulebook.dsl.lint.texts import (
    find_aim_against_rank,
    find_denied_lines,
    find_labels_against_scripts,
    find_options_against_scripts,
    find_prompts_against_picks,
    find_turned_bounds,
    texts_against_scripts,
)
from rulebook.dsl.lint.unasked import find_unasked
from rulebook.dsl.lint.unread import unread_names
from rulebook.dsl.lint.unseen import find_unseen
from rulebook.dsl.lint.uses import Mentions, unused
from rulebook.dsl.lint.vocabulary import Vocabulary
from rulebook.dsl.world import World

__all__ = ["lint"]


def lint(rulebook: ir.Rulebook, world: World) -> list[Diagnostic]:
    """Find what is valid and has no effect, in a rulebook without mistakes."""
    book = Book(rulebook, world)
    mentions, vocabulary = Mentions(book), Vocabulary(rulebook)
    return [
        *with_chains(book, [*unused(book, mentions), *never_reached(book)]),
        *find_circles(book),
        *unread_names(book),
        *names_of_the_last_round(book),
        *idle_sentences(book, mentions),
        *sentences_in_vain(book),
        *find_unasked(book),
        *find_unseen(book),
        *find_open_decks(book),
        *find_open_states(book),
        *find_open_hands(book),
        *find_always_there(book),
        *find_always_answered(book),
        *find_nested(book),
        *same_names(book),
        *same_texts(book),
        *find_idle_teams(book),
        *texts_against_scripts(book, vocabulary),
        *find_aim_against_rank(book, vocabulary),
        *find_labels_against_scripts(book, vocabulary),
        *find_options_against_scripts(book),
        *find_denied_lines(book),
        *find_turned_bounds(book),
        *find_prompts_against_picks(book),
        *find_other_extremes(book),
        *find_twice_the_same(book),
        *find_lonely_sides(book),
    ]
