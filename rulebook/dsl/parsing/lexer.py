"""Words, lines and indentation of a script, as the parser's tokens.

In: the text of one script. Out: tokens with exact offsets, asked for one by one, because whether a word is a
keyword depends on what the parser can take next: `move` begins a sentence, and after `choose` it is a name.
For messages also: where the sentence around an offset begins and ends.
Never: looks at grammar rules, recovers from errors, or knows what a sentence means.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Container, Iterator
from string import ascii_letters, digits
from typing import Any, NamedTuple

from attrs import frozen

from rulebook.dsl.parsing.grammar import Table
from rulebook.record import Record, record

_TOKEN = re.compile(
    r"""([ \t]*+)
      ( [A-Za-z_][A-Za-z0-9_]*
      | \.\.|<=|>=|[-+*/%<>=.,:()\[\]]
      | \r?\n
      | [0-9]+
      | "(?:[^"\\\n]|\\.)*"
      | \#[^\n]*
      | .
      | \Z)""",
    re.VERBOSE | re.DOTALL,
)
"""The blanks before a token, and the token. To find all of a text at once takes half as long as one after the other."""
_SORTS = {
    **dict.fromkeys(ascii_letters + "_", "NAME"), **dict.fromkeys(digits, "INT"), '"': "STRING",
    **dict.fromkeys("<>=+-*/%.,:()[]", "sign"), **dict.fromkeys("\r\n", "line"), **dict.fromkeys(("#", ""), "nothing"),
}  # fmt: skip
"""By its first character, what a token is; none is longer than these two, which alone are odd, as all others are."""
_ODD = ('"', "\r")
_LONGEST_NUMBER = 15  # digits; more is a slip, and thousands would be slow
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
    """What stands in a text: what it is, its start and end, and its text."""
    end = begin
    for blank, word in _TOKEN.findall(text, begin):
        start = end + len(blank)
        end = start + len(word)
        kind = _SORTS.get(word[:1], "odd") if word not in _ODD else "odd"
        if kind not in ("nothing", "odd"):
            yield kind, start, end, word


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


def lex(text: str, table: Table, states: list[Any]) -> Iterator[Token]:
    """Yield the tokens of one script; the parser's state, the last of `states`, decides between keyword and name."""
    actions, keywords, signs = table.actions, table.words, table.signs
    last_end = end = _first_line(text)
    indents: list[int] = []
    depth = 0  # of brackets: inside them, line breaks mean nothing
    fresh = False
    skipped = -1  # the end of a second word that was taken with the one before
    for blank, word in _TOKEN.findall(text, end):
        start = end + len(blank)
        end = start + len(word)
        kind = _SORTS.get(word[:1])
        if kind == "line" and word != "\r":
            fresh = fresh or (depth == 0 and bool(indents))
            continue
        if kind == "nothing" or end == skipped:
            continue
        if not indents:
            indents.append(_indent(blank, start))
        if kind is None or word in _ODD:
            raise LayoutError("string" if word == '"' else "character", start, end)
        if fresh:
            fresh = False
            yield Token("_NEWLINE", "", last_end, last_end)
            yield from _indentation(_indent(blank, start), start, last_end, indents)
        last_end = end
        if kind == "NAME":
            sort = keywords.get(word, kind)
            if sort is not kind:
                accepts = actions[states[-1]]
                if word == "in" and "IN_TURN" in accepts and (two := _TWO_WORDS.match(text, start)):
                    skipped = last_end = two.end()
                    sort, word = "IN_TURN", two[0]
                elif sort not in accepts:
                    sort = kind
        elif kind == "sign":
            sort = signs[word]
            if word in "([":
                depth += 1
            elif word in ")]" and depth:
                depth -= 1
        else:
            if kind == "INT" and end - start > _LONGEST_NUMBER:
                raise LayoutError("number", start, end)
            sort = kind
        yield _token(Token, (sort, word, start, last_end))
    yield Token("_NEWLINE", "", last_end, last_end)
    for _ in indents[1:]:
        yield Token("_DEDENT", "", last_end, last_end)


def _indentation(indent: int, start: int, last_end: int, indents: list[int]) -> Iterator[Token]:
    if indent > indents[-1]:
        indents.append(indent)
        yield Token("_INDENT", "", start, start)
    while indent < indents[-1]:
        indents.pop()
        if not indents or indent > indents[-1]:
            raise LayoutError("dedent", start - indent, start)
        yield Token("_DEDENT", "", last_end, last_end)


def _indent(blank: str, start: int) -> int:
    """How far the line of a token is indented, which stands behind these blanks."""
    if "\t" in blank:
        raise LayoutError("tab", start - len(blank), start)
    return len(blank)


def _first_line(text: str) -> int:
    """The offset of the first line that holds anything but blanks and comments."""
    position = 0
    while True:
        end = text.find("\n", position)
        line = text[position : end if end >= 0 else len(text)].strip()
        if (line and not line.startswith("#")) or end < 0:
            return position
        position = end + 1
