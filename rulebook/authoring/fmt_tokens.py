"""A YAML file as a row of tokens: its texts, the signs between them, its comments and line breaks.

In: a file that was read, and its map. Out: tokens that together leave out nothing but blanks. Never: decides how
anything is written. Where texts begin and end is known from reading the file, so a sign in a text is never taken for
one of YAML's.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Literal

from attrs import frozen

from rulebook.dsl.document import Mapping, Node, Scalar
from rulebook.source import SourceFile

__all__ = ["Sort", "Token", "scalars", "split"]

Sort = Literal["text", "sign", "comment", "break", "line"]

_BETWEEN = re.compile(
    r"""(?P<blank>[ \t]+)
      | (?P<break>\r\n|\n|\r)
      | (?P<comment>\#[^\r\n]*)
      | (?P<line>^(?:---|\.\.\.|%[^\r\n]*))
      | (?P<sign>[-?:,\[\]{}])""",
    re.VERBOSE | re.MULTILINE,
)
_SORTS: dict[str, Sort] = {"break": "break", "comment": "comment", "line": "line", "sign": "sign"}


@frozen
class Token:
    """A piece of the file. A "line" is `---`, `...`, or a directive; a "text" has its scalar."""

    sort: Sort
    text: str
    start: int
    end: int
    scalar: Scalar | None = None


def scalars(node: Node) -> Iterator[Scalar]:
    """Every text of a node, keys too, but for those that were left out, in the order of the file."""
    if isinstance(node, Scalar):
        if node.span.end > node.span.start:
            yield node
    elif isinstance(node, Mapping):
        for name, value in node.items():
            yield node.keys_at[name]
            yield from scalars(value)
    else:
        for value in node:
            yield from scalars(value)


def split(file: SourceFile, top: Mapping) -> list[Token]:
    """The tokens of a file in order. Raises ValueError if anything stands there that is not known here."""
    made: list[Token] = []
    at = 0
    for scalar in scalars(top):
        made += _between(file.text, at, scalar.span.start)
        at = scalar.span.end
        if scalar.style == "literal":
            # Its span goes on to whatever follows it.
            at = scalar.span.start + len(scalar.span.text.rstrip(" \t\r\n"))
        made.append(Token("text", file.text[scalar.span.start : at], scalar.span.start, at, scalar))
    return made + list(_between(file.text, at, len(file.text)))


def _between(text: str, at: int, end: int) -> Iterator[Token]:
    while at < end:
        found = _BETWEEN.match(text, at, end)
        if found is None:
            raise ValueError(f"{text[at : at + 20]!r} is no token")
        if found.lastgroup and (sort := _SORTS.get(found.lastgroup)):
            yield Token(sort, found[0], at, found.end())
        at = found.end()
