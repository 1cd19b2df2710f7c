"""The keyword that somebody misspelt: tried out, not guessed.

In: a script that cannot be read, and where it stops making sense. Out: the word that is to blame and the keywords
with which the whole sentence can be read, or nothing. The word need not be the one at which reading stopped: behind
`zvery` nothing is wrong with `currency`. Never: looks at other sentences than that one, or proposes a keyword with
which the sentence is still wrong.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from copy import copy
from functools import cache
from typing import Any

from attrs import frozen
from lark.exceptions import UnexpectedToken
from lark.lexer import LexerState
from lark.utils import TextSlice

from rulebook.diagnostics import slips
from rulebook.dsl.grammar import grammar
from rulebook.dsl.lexer import LayoutError, sentence_at, sentence_end

_LONGEST = 1000  # characters of a sentence; a hostile one is not read again and again
_BACK = 3  # words before the one at which reading stopped
_WORD = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
_SKIPPED = re.compile(r'"(?:[^"\\\n]|\\.)*"|#[^\n]*')
_BELOW = re.compile(r"\n([ \t]*)[^\s#]")
_LAYOUT = ("_NEWLINE", "_INDENT", "_DEDENT")


@frozen
class Repair:
    """`text[start:end]` should have been one of `words`, the nearest first."""

    start: int
    end: int
    words: tuple[str, ...]


def repair(text: str, start: str, position: int) -> Repair | None:
    """The repair of the sentence in which reading stopped at an offset; `start` is the grammar's rule for the text."""
    begin = sentence_at(text, position).begin
    end = sentence_end(text, begin, ())[0]
    if end - begin > _LONGEST:
        return None
    before = _before(text, start, begin)
    if before is None:
        return None
    lexer, state = before
    below = _BELOW.search(text, end)
    deeper = below is not None and len(below[1]) > begin - text.rfind("\n", 0, begin) - 1
    for word in _suspects(text, begin, end, position):
        fitting = tuple(
            keyword
            for keyword in slips(word[0], keywords())
            if _can_be_read(lexer, state, text[begin : word.start()] + keyword + text[word.end() : end], deeper)
        )
        if fitting:
            return Repair(word.start(), word.end(), fitting)
    return None


@cache
def keywords() -> tuple[str, ...]:
    """Every word of the grammar."""
    fixed = (str(terminal.pattern.value) for terminal in grammar().terminals)
    return tuple(sorted(word for word in fixed if word.isalpha()))


def _suspects(text: str, begin: int, end: int, position: int) -> Iterator[re.Match[str]]:
    """Words that may be to blame: the one at which reading stopped, those before it, and the sentence's first.

    A word that is a keyword was hardly meant to be another one.
    """
    texts = [one.span() for one in _SKIPPED.finditer(text, begin, end)]
    words = [
        one
        for one in _WORD.finditer(text, begin, end)
        if one.start() <= position and not any(low <= one.start() < high for low, high in texts)
    ]
    last = words[: -_BACK - 2 : -1]
    for one in (*last, *(first for first in words[:1] if first not in last)):
        if one[0] not in keywords():
            yield one


def _before(text: str, start: str, begin: int) -> tuple[Any, Any] | None:
    """The lexer, and the parser as it stands before the sentence that begins there."""
    parser = grammar().parse_interactive(text, start=start)
    state: Any = parser.parser_state
    state.parse_conf = copy(state.parse_conf)
    state.parse_conf.callbacks = {}  # no trees are built
    try:
        thread: Any = parser.lexer_thread
        for token in thread.lex(state):
            if token.type not in _LAYOUT and (token.start_pos or 0) >= begin:
                return thread.lexer, state
            state.feed_token(token)
    except (UnexpectedToken, LayoutError):
        pass
    return None


def _can_be_read(lexer: Any, before: Any, sentence: str, deeper: bool) -> bool:
    """Whether the parser takes a sentence, and below it a deeper block just if there is one."""
    state = before.copy(deepcopy_values=False)
    try:
        for token in lexer.lex(LexerState(TextSlice.cast_from(sentence)), state):
            state.feed_token(token)
    except (UnexpectedToken, LayoutError):
        return False
    return ("_INDENT" in state.parse_conf.states[state.position]) == deeper
