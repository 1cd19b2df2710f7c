"""Words, lines and indentation of a script, as the parser's tokens; and where the sentence around an offset begins.

Tokens are asked for one by one, because whether a word is a keyword depends on what the parser can take next: `move`
begins a sentence, and after `choose` it is a name.
"""

from __future__ import annotations

import re
from collections.abc import Container, Iterator, Sequence
from string import ascii_letters, digits
from typing import NamedTuple

from rulebook.classes import frozen
from rulebook.dsl.parsing.grammar import Table

_WORDS = re.compile(
    r"""( [A-Za-z_][A-Za-z0-9_]*
      | \.\.|<=|>=|[-+*/%<>=.,:()\[\]]
      | \r?\n
      | [0-9]+
      | "(?:[^"\\\n]|\\.)*"
      | \#[^\n]*
      | [^ \t])""",
    re.VERBOSE | re.DOTALL,
)
"""A token, or any other character that is not blank."""
WORD = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
QUOTED = re.compile(r'"(?:[^"\\\n]|\\.)*"|#[^\n]*')
"""Texts in quotes, and comments."""
_BELOW = re.compile(r"\n([ \t]*)[^\s#]")
_LINES = ("\n", "\r\n")
_BRACKETS = {"(": 1, "[": 1, ")": -1, "]": -1}
_READABLE = frozenset(ascii_letters + digits + '_"<>=+-*/%.,:()[]\r\n')
PROBLEMS = ("character", "string", "number", "tab", "dedent")
"""Sorts of tokens for mistakes in a word, or in the blanks in front of a line."""
_LONGEST_NUMBER = 15  # digits; more is a slip, and thousands would be slow


@frozen
class LayoutError(Exception):
    """Something no token can begin with, or lines that do not stand under one another.

    `problem` is one of PROBLEMS; start and end are offsets.
    """

    problem: str
    start: int
    end: int


@frozen
class Sentence:
    """Offsets of its first token, of the sentence before it, and of the brackets that are open within it."""

    begin: int
    before: int
    brackets: tuple[int, ...]


def sentence_at(text: str, position: int) -> Sentence:
    """The sentence in which an offset stands; its brackets are those open just before the offset."""
    begin = before = 0
    brackets: list[int] = []
    fresh = True
    for word, start, _ in split_words(text, 0):
        if start > position:
            break
        if word in _LINES:
            fresh = fresh or not brackets
            continue
        if fresh:
            begin, before, fresh = start, begin, False
        if start == position:
            break
        if word in ("(", "["):
            brackets.append(start)
        elif word in (")", "]") and brackets:
            brackets.pop()
    return Sentence(begin, before, tuple(brackets))


def sentence_end(text: str, begin: int, openers: Container[str]) -> tuple[int, bool]:
    """Return the end of the sentence that begins there, and whether its brackets are closed by then.

    A line inside open brackets that starts with one of the `openers` is taken for the next sentence.
    """
    depth = 0
    end = begin
    fresh = False
    for word, _, after in split_words(text, begin):
        if word in _LINES:
            if depth == 0:
                return end, True
            fresh = True
            continue
        if fresh and word in openers:
            return end, False
        fresh = False
        depth = max(0, depth + (word in ("(", "[")) - (word in (")", "]")))
        end = after
    return end, depth == 0


def has_block(text: str, begin: int, end: int) -> bool:
    """Find whether a deeper line stands below the sentence between two offsets."""
    below = _BELOW.search(text, end)
    return below is not None and len(below[1]) > begin - text.rfind("\n", 0, begin) - 1


def plain_words(text: str, begin: int, end: int) -> list[re.Match[str]]:
    """Find the words between two offsets that stand in no text in quotes and no comment."""
    hidden = [match.span() for match in QUOTED.finditer(text, begin, end)]
    words = WORD.finditer(text, begin, end)
    return [word for word in words if not any(low <= word.start() < high for low, high in hidden)]


def split_words(text: str, begin: int) -> Iterator[tuple[str, int, int]]:
    """The words and line breaks of a text, each with its start and end; without comments, and what cannot be read."""
    for match in _WORDS.finditer(text, begin):
        word = match[0]
        if word[0] in _READABLE and word not in ('"', "\r"):
            yield word, match.start(), match.end()


class Token(NamedTuple):
    """A word of a script: what it was taken for (a keyword is no `NAME`), and its place in the text.

    `sort` is `NAME`, `INT`, `STRING`, a keyword or sign of the grammar, or one of `_NEWLINE`, `_INDENT`, `_DEDENT`.
    """

    sort: str
    text: str
    start: int
    end: int


def lex(text: str, table: Table, states: Sequence[int]) -> Iterator[Token]:
    """Yield the tokens of one script; the parser's state, the last of `states`, says what each is taken for."""
    first = _first_line(text)
    words = [(match[0], match.start(), match.end()) for match in _WORDS.finditer(text, first)]
    line, last_end = first, first
    begins, depth = True, 0  # a line begins; brackets are open
    indents: list[int] = []
    skipped = 0
    for number, (word, start, end) in enumerate(words):
        if number < skipped or word[0] == "#":
            continue
        if word in _LINES:
            if depth == 0:
                begins, line = True, end
            continue
        sort = _find_sort(word, table)
        if begins:
            begins = False
            if indents:
                # Of what nothing begins with one hears before anything else is said of the line above it.
                if sort in ("character", "string"):
                    raise LayoutError(sort, start, end)
                yield Token("_NEWLINE", "", last_end, last_end)
            for layout in indentation(text[line:start], indents):
                if layout in PROBLEMS:
                    raise LayoutError(layout, line, start)
                at = start if layout == "_INDENT" else last_end
                yield Token(layout, "", at, at)
        if sort in PROBLEMS:
            raise LayoutError(sort, start, end)
        if word in table.words:
            accepts = table.actions[states[-1]]
            after = words[number + 1] if number + 1 < len(words) else ("", end, end)
            pair = table.words.get(f"{word} {after[0]}")
            if pair in accepts:
                sort, end, skipped = pair, after[2], number + 2
            elif sort not in accepts:
                sort = "NAME"
        elif word in _BRACKETS:
            depth = max(0, depth + _BRACKETS[word])
        last_end = end
        yield Token(sort, text[start:end], start, end)
    yield Token("_NEWLINE", "", last_end, last_end)
    for _ in indents[1:]:
        yield Token("_DEDENT", "", last_end, last_end)


def _find_sort(word: str, table: Table) -> str:
    """The sort of a word wherever all keywords fit, or one of PROBLEMS."""
    sort = table.words.get(word) or table.signs.get(word)
    if sort is not None:
        return sort
    first = word[0]
    if first == "_" or (first.isascii() and first.isalpha()):
        return "NAME"
    if first.isascii() and first.isdigit():
        return "INT" if len(word) <= _LONGEST_NUMBER else "number"
    if first == '"':
        return "STRING" if len(word) > 1 else "string"
    return "character"


def indentation(blanks: str, indents: list[int]) -> list[str]:
    """The sorts of the tokens in front of a line, which begins with these blanks; `indents` are those of the blocks in
    which it stands. The last may be "tab" or "dedent", if that is wrong with the line.
    """
    if "\t" in blanks:
        return ["tab"]
    indent = len(blanks)
    if not indents:
        indents.append(indent)
    elif indent > indents[-1]:
        indents.append(indent)
        return ["_INDENT"]
    dedents: list[str] = []
    while indent < indents[-1]:
        indents.pop()
        if not indents or indent > indents[-1]:
            return [*dedents, "dedent"]
        dedents.append("_DEDENT")
    return dedents


def _first_line(text: str) -> int:
    """The offset of the first line that holds anything but blanks and comments."""
    position = 0
    while True:
        end = text.find("\n", position)
        line = text[position : end if end >= 0 else len(text)].strip()
        if (line and not line.startswith("#")) or end < 0:
            return position
        position = end + 1
