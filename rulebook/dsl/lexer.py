"""Words, lines and indentation of a script, as the parser's tokens.

In: the text of one script. Out: tokens with exact offsets, asked for one by one, because whether a word is a
keyword depends on what the parser can take next: `move` begins a sentence, and after `choose` it is a name.
For messages also: where the sentence around an offset begins and ends.
Never: looks at grammar rules, recovers from errors, or knows what a sentence means.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Container, Iterator
from typing import NamedTuple

from attrs import frozen

from rulebook.dsl.grammar import Table
from rulebook.record import Record, record

_TOKEN = re.compile(
    r"""(?:[ \t]+|\#[^\n]*)*+
      (?:(?P<word>[A-Za-z_][A-Za-z0-9_]*)
      | (?P<sign>\.\.|<=|>=|[-+*/%<>=.,:()\[\]])
      | (?P<line>\r?\n)
      | (?P<number>[0-9]+)
      | (?P<string>"(?:[^"\\\n]|\\.)*")
      | (?P<end>\Z)
      | (?P<odd>.))""",
    re.VERBOSE | re.DOTALL,
)
"""A token, with the blanks and the comment before it."""
_LONGEST_NUMBER = 15  # digits; more is a slip, and thousands would be slow
_INDENT = re.compile(r"[ \t]*")
_TWO_WORDS = re.compile(r"in[ \t]+turn(?![A-Za-z0-9_])")


@frozen
class LayoutError(Exception):
    """Something no token can begin with, or lines that do not stand under one another.

    `problem` is one of "character", "string", "number", "tab", "dedent"; start and end are offsets.
    """

    problem: str
    start: int
    end: int


@record
class Sentence(Record):
    """Offsets of its first token, of the sentence before it, and of the brackets that are open within it."""

    begin: int
    before: int
    brackets: tuple[int, ...]


def sentence_at(text: str, position: int) -> Sentence:
    """The sentence in which an offset stands; its brackets are those open just before the offset."""
    begin = before = 0
    brackets: list[int] = []
    fresh = True
    for kind, start, _, word in _tokens(text, 0):
        if start > position:
            break
        if kind == "line":
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
    """Where the sentence that begins there ends, and whether its brackets are closed by then.

    A line inside open brackets that starts with one of the `openers` is taken for the next sentence.
    """
    depth = 0
    end = begin
    fresh = False
    for kind, _, after, word in _tokens(text, begin):
        if kind == "line":
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


def _tokens(text: str, begin: int) -> Iterator[tuple[str, int, int, str]]:
    """What can be a token, and line breaks: what it is, its start and end, and its text."""
    for found in _TOKEN.finditer(text, begin):
        kind = found.lastgroup
        if kind is not None and kind not in ("end", "odd"):
            yield kind, *found.span(kind), found[kind]


class Token(NamedTuple):
    """A word of a script: what it was taken for (a keyword is no `NAME`), and its place in the text.

    `sort` is `NAME`, `INT`, `STRING`, a keyword or sign of the grammar, or one of `_NEWLINE`, `_INDENT`, `_DEDENT`.
    """

    sort: str
    text: str
    start: int
    end: int


# Without the call that a class adds: a script has as many of these as it has words.
_token: Callable[[type[Token], tuple[str, str, int, int]], Token] = tuple.__new__


def lex(text: str, table: Table, states: list[int]) -> Iterator[Token]:
    """Yield the tokens of one script; the parser's state, the last of `states`, decides between keyword and name."""
    actions, keywords, signs = table.actions, table.words, table.signs
    last_end = first = _first_line(text)
    indents = [len(_blank(text, first))]
    depth = 0  # of brackets: inside them, line breaks mean nothing
    fresh = False
    begun = False
    skipped = -1  # the end of a second word that was taken with the one before
    for match in _TOKEN.finditer(text, first):
        kind = match.lastgroup
        if kind == "line":
            fresh = fresh or (depth == 0 and begun)
            continue
        if kind is None or kind == "end":
            break
        start, end = match.span(kind)
        if end == skipped:
            continue
        if kind == "odd":
            raise LayoutError("string" if text[start] == '"' else "character", start, end)
        if fresh:
            fresh = False
            yield Token("_NEWLINE", "", last_end, last_end)
            yield from _indentation(text, start, last_end, indents)
        begun = True
        word = match[kind]
        if kind == "word":
            sort = keywords.get(word, "NAME")
            accepts = actions[states[-1]]
            if word == "in" and "IN_TURN" in accepts and (two := _TWO_WORDS.match(text, start)):
                skipped = end = two.end()
                sort, word = "IN_TURN", two[0]
            elif sort not in accepts:
                sort = "NAME"
        elif kind == "sign":
            sort = signs[word]
            if word in "([":
                depth += 1
            elif word in ")]" and depth:
                depth -= 1
        elif kind == "number":
            if end - start > _LONGEST_NUMBER:
                raise LayoutError("number", start, end)
            sort = "INT"
        else:
            sort = "STRING"
        last_end = end
        yield _token(Token, (sort, word, start, end))
    yield Token("_NEWLINE", "", last_end, last_end)
    for _ in indents[1:]:
        yield Token("_DEDENT", "", last_end, last_end)


def _indentation(text: str, start: int, last_end: int, indents: list[int]) -> Iterator[Token]:
    line = text.rfind("\n", 0, start) + 1
    blank = _blank(text, line)
    if len(blank) > indents[-1]:
        indents.append(len(blank))
        yield Token("_INDENT", "", start, start)
    while len(blank) < indents[-1]:
        indents.pop()
        if not indents or len(blank) > indents[-1]:
            raise LayoutError("dedent", line, start)
        yield Token("_DEDENT", "", last_end, last_end)


def _blank(text: str, line: int) -> str:
    """What a line is indented with."""
    found = _INDENT.match(text, line)
    blank = found[0] if found else ""
    if "\t" in blank:
        raise LayoutError("tab", line, line + len(blank))
    return blank


def _first_line(text: str) -> int:
    """The offset of the first line that holds anything but blanks and comments."""
    position = 0
    while True:
        end = text.find("\n", position)
        line = text[position : end if end >= 0 else len(text)].strip()
        if (line and not line.startswith("#")) or end < 0:
            return position
        position = end + 1
