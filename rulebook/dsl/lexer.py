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
    r"""(?P<space>[ \t]+|\#[^\n]*)
      | (?P<line>\r?\n)
      | (?P<word>[A-Za-z_][A-Za-z0-9_]*)
      | (?P<number>[0-9]+)
      | (?P<string>"(?:[^"\\\n]|\\.)*")
      | (?P<sign>\.\.|<=|>=|[-+*/%<>=.,:()\[\]])""",
    re.VERBOSE,
)
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
    for found in _TOKEN.finditer(text):
        if found.start() > position:
            break
        if found.lastgroup == "space":
            continue
        if found.lastgroup == "line":
            fresh = fresh or not brackets
            continue
        if fresh:
            begin, before, fresh = found.start(), begin, False
        if found.start() == position:
            break
        if found[0] in ("(", "["):
            brackets.append(found.start())
        elif found[0] in (")", "]") and brackets:
            brackets.pop()
    return Sentence(begin, before, tuple(brackets))


def sentence_end(text: str, begin: int, openers: Container[str]) -> tuple[int, bool]:
    """Where the sentence that begins there ends, and whether its brackets are closed by then.

    A line inside open brackets that starts with one of the `openers` is taken for the next sentence.
    """
    depth = 0
    end = begin
    fresh = False
    for found in _TOKEN.finditer(text, begin):
        if found.lastgroup == "space":
            continue
        if found.lastgroup == "line":
            if depth == 0:
                return end, True
            fresh = True
            continue
        if fresh and found[0] in openers:
            return end, False
        fresh = False
        depth = max(0, depth + (found[0] in ("(", "[")) - (found[0] in (")", "]")))
        end = found.end()
    return end, depth == 0


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
    find = _TOKEN.match
    position = last_end = _first_line(text)
    indents = [len(_blank(text, position))]
    depth = 0  # of brackets: inside them, line breaks mean nothing
    fresh = False
    begun = False
    length = len(text)
    while position < length:
        match = find(text, position)
        if match is None:
            problem = "string" if text[position] == '"' else "character"
            raise LayoutError(problem, position, position + 1)
        kind, start, position = match.lastgroup, position, match.end()
        if kind == "space":
            continue
        if kind == "line":
            fresh = fresh or (depth == 0 and begun)
            continue
        if fresh:
            fresh = False
            yield Token("_NEWLINE", "", last_end, last_end)
            yield from _indentation(text, start, last_end, indents)
        begun = True
        word = match[0]
        if kind == "word":
            sort = keywords.get(word, "NAME")
            accepts = actions[states[-1]]
            if word == "in" and "IN_TURN" in accepts and (two := _TWO_WORDS.match(text, start)):
                position = two.end()
                sort, word = "IN_TURN", two[0]
            elif sort not in accepts:
                sort = "NAME"
        elif kind == "number":
            if position - start > _LONGEST_NUMBER:
                raise LayoutError("number", start, position)
            sort = "INT"
        elif kind == "string":
            sort = "STRING"
        else:
            sort = signs[word]
            if word in "([":
                depth += 1
            elif word in ")]" and depth:
                depth -= 1
        last_end = position
        yield _token(Token, (sort, word, start, position))
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
