"""Words, lines and indentation of a script, as the parser's tokens.

In: the text of one script. Out: tokens with exact offsets, asked for one by one, because whether a word is a keyword
depends on what the parser can take next: `move` begins a sentence, and after `choose` it is a name.
Never: looks at grammar rules, recovers from errors, or knows what a sentence means.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from attrs import frozen
from lark import Token
from lark.lexer import Lexer, LexerState, PatternStr

_TOKEN = re.compile(
    r"""(?P<space>[ \t]+|\#[^\n]*)
      | (?P<line>\r?\n)
      | (?P<word>[A-Za-z_][A-Za-z0-9_]*)
      | (?P<number>[0-9]+)
      | (?P<string>"(?:[^"\\\n]|\\.)*")
      | (?P<sign>\.\.|<=|>=|[-+*/%<>=.,:()\[\]])""",
    re.VERBOSE,
)
_INDENT = re.compile(r"[ \t]*")
_TWO_WORDS = re.compile(r"in[ \t]+turn(?![A-Za-z0-9_])")


@frozen
class LayoutError(Exception):
    """Something no token can begin with, or lines that do not stand under one another.

    `problem` is one of "character", "string", "tab", "indent", "dedent"; start and end are offsets into the text.
    """

    problem: str
    start: int
    end: int


class ScriptLexer(Lexer):
    """Lark's custom lexer interface: constructed with the grammar's terminals, pulled token by token."""

    __future_interface__ = 1

    def __init__(self, lexer_conf: Any) -> None:
        fixed = {t.pattern.value: t.name for t in lexer_conf.terminals if isinstance(t.pattern, PatternStr)}
        self._keywords = {text: name for text, name in fixed.items() if text[0].isalpha()}
        self._signs = {text: name for text, name in fixed.items() if not text[0].isalpha()}

    def lex(self, lexer_state: LexerState, parser_state: Any) -> Iterator[Token]:
        """Yield the tokens of one script; the parser's position decides between keyword and name."""
        text = str(lexer_state.text.text)
        table = parser_state.parse_conf.parse_table.states
        indents = [len(_INDENT.match(text, _first_line(text)).group())]  # type: ignore[union-attr]
        depth = 0  # of brackets: inside them, line breaks mean nothing
        last_end = 0
        position = _first_line(text)
        fresh = False
        begun = False
        while position < len(text):
            match = _TOKEN.match(text, position)
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
                yield Token("_NEWLINE", "", last_end, end_pos=last_end)
                yield from self._indentation(text, start, last_end, indents)
            begun = True
            if kind == "word":
                two = _TWO_WORDS.match(text, start)
                accepts = table[parser_state.position]
                if two and "IN_TURN" in accepts:
                    position = two.end()
                    name = "IN_TURN"
                else:
                    keyword = self._keywords.get(match.group(), "")
                    name = keyword if keyword in accepts else "NAME"
            elif kind == "number":
                name = "INT"
            elif kind == "string":
                name = "STRING"
            else:
                name = self._signs[match.group()]
                depth = max(0, depth + (match.group() in "([") - (match.group() in ")]"))
            last_end = position
            yield Token(name, text[start:position], start, end_pos=position)
        yield Token("_NEWLINE", "", last_end, end_pos=last_end)
        for _ in indents[1:]:
            yield Token("_DEDENT", "", last_end, end_pos=last_end)

    @staticmethod
    def _indentation(text: str, start: int, last_end: int, indents: list[int]) -> Iterator[Token]:
        line = text.rfind("\n", 0, start) + 1
        blank = text[line:start]
        if "\t" in blank:
            raise LayoutError("tab", line, start)
        if len(blank) > indents[-1]:
            indents.append(len(blank))
            yield Token("_INDENT", "", start, end_pos=start)
        while len(blank) < indents[-1]:
            indents.pop()
            if len(blank) > (indents[-1] if indents else 0) or not indents:
                raise LayoutError("dedent", line, start)
            yield Token("_DEDENT", "", last_end, end_pos=last_end)


def _first_line(text: str) -> int:
    """The offset of the first line that holds anything but blanks and comments."""
    position = 0
    while True:
        end = text.find("\n", position)
        line = text[position : end if end >= 0 else len(text)].strip()
        if (line and not line.startswith("#")) or end < 0:
            return position
        position = end + 1
