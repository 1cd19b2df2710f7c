"""Repairs of misspelt keywords: each candidate is tried out, by reading the whole sentence with it.

The word to blame need not be the one at which reading stopped: behind `zvery` nothing is wrong with `currency`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache

from rulebook.classes import frozen
from rulebook.diagnostics import slips
from rulebook.dsl.parsing.grammar import grammar
from rulebook.dsl.parsing.lalr import END, Trail, Unexpected
from rulebook.dsl.parsing.lexer import LayoutError, has_block, lex, plain_words, sentence_at, sentence_end

_LONGEST = 1000  # characters of a sentence; a hostile one is not read again and again
_BACK = 3  # words before the one at which reading stopped
_LAYOUT = ("_NEWLINE", "_INDENT", "_DEDENT")
_ENDS = ("_NEWLINE", "_DEDENT", END)


@frozen
class Repair:
    """`text[start:end]` should have been one of `words`, the nearest first."""

    start: int
    end: int
    words: tuple[str, ...]


@frozen
class Attempt:
    """A sentence that cannot be read, where it begins in its text, and where the parser stands before it.

    `deeper` says whether a deeper block stands below it.
    """

    sentence: str
    begin: int
    before: Trail
    deeper: bool

    def fits(self, sentence: str) -> bool:
        """Tell whether the parser takes another sentence in its place, with a deeper block just if one stands below."""
        return self._after(sentence) is not None

    def can_be(self, sentence: str) -> bool:
        """The same, and the sentence is whole."""
        trail = self._after(sentence)
        return trail is not None and (self.deeper or any(trail.copy().takes(end) for end in _ENDS))

    def _after(self, sentence: str) -> Trail | None:
        trail = self.before.copy()
        try:
            trail.lex_next(sentence)
        except (Unexpected, LayoutError):
            return None
        return trail if ("_INDENT" in trail.expected) == self.deeper else None


def attempt(text: str, start: str, position: int) -> Attempt | None:
    """The sentence in which reading stopped, to try others in its place; None if it is too long to be read again, or
    if something is wrong before it.
    """
    begin = sentence_at(text, position).begin
    end = sentence_end(text, begin, ())[0]
    if end - begin > _LONGEST:
        return None
    before = _run_up_to(text, start, begin)
    if before is None:
        return None
    return Attempt(text[begin:end], begin, before, has_block(text, begin, end))


def repair(text: str, start: str, position: int) -> Repair | None:
    """The repair of the sentence in which reading stopped at an offset; `start` is the grammar's rule for the text."""
    tried = attempt(text, start, position)
    if tried is None:
        return None
    begin, end = tried.begin, tried.begin + len(tried.sentence)
    for word in _suspects(text, begin, end, position):
        fitting = tuple(
            keyword
            for keyword in slips(word[0], keywords())
            if tried.fits(text[begin : word.start()] + keyword + text[word.end() : end])
        )
        if fitting:
            return Repair(word.start(), word.end(), fitting)
    return None


@cache
def keywords() -> tuple[str, ...]:
    return tuple(sorted(word for word in grammar().words if word.isalpha()))


def _suspects(text: str, begin: int, end: int, position: int) -> Iterator[re.Match[str]]:
    """Words that may be to blame: the one at which reading stopped, those before it, and the sentence's first.

    A word that is a keyword was hardly meant to be another one.
    """
    words = [plain_word for plain_word in plain_words(text, begin, end) if plain_word.start() <= position]
    last = words[: -_BACK - 2 : -1]
    for word in (*last, *(first for first in words[:1] if first not in last)):
        if word[0] not in keywords():
            yield word


def _run_up_to(text: str, start: str, begin: int) -> Trail | None:
    """Run the parser up to the sentence that begins there; None if something is wrong before it."""
    trail = Trail.from_start(grammar(), start)
    try:
        for token in lex(text, trail.table, trail.states):
            if token.sort not in _LAYOUT and token.start >= begin:
                return trail
            if not trail.takes(token.sort):
                break
    except LayoutError:
        pass
    return None
