"""Blocks of a page: its content as records, before anybody has decided how it looks."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TypeAlias

from attrs import field

from rulebook.classes import frozen
from rulebook.table.columns import wrap_hanging_parts
from rulebook.table.grids import Grid

LIGHT, PLAIN, HEAVY, RESULT = range(4)
"""The weights of an event for who reads: shuffles and deals; what others do; what touches the reader, or anybody's
pieces; what came of it all."""


@frozen
class Told:
    """A sentence of the log with what explains it, a line each; the title of a stage; or a whole turn. `weight` is how
    much it matters to who reads, where there is no room for all.
    """

    text: str
    is_title: bool = False
    weight: int = PLAIN
    is_turn: bool = False

    def wrap_lines(self, columns: int) -> list[str]:
        return [line for part in self.wrap_parts(columns) for line in part]

    def wrap_parts(self, columns: int) -> list[list[str]]:
        """The same, the sentence and each line that explains it for themselves, wrapped."""
        return wrap_hanging_parts(self.text, columns, "", "" if self.is_title else "· ") or [[""]]


@frozen
class Row:
    """Something that has a name, and what there is to say of it.

    `groups` are what belongs together, such as the cards of one sort; side by side they are one text. `idle` is what
    goes without saying where there is little room.
    """

    label: str
    groups: Sequence[str] = ()
    idle: bool = False

    @property
    def text(self) -> str:
        return ", ".join(self.groups)

    @property
    def sentence(self) -> str:
        return f"{self.label} {self.text}".rstrip()

    @property
    def pair(self) -> tuple[str, str]:
        return self.label, self.text


def row(label: str, text: str = "", idle: bool = False) -> Row:
    """A row of which nothing is a group of its own."""
    return Row(label, (text,) if text else (), idle)


@frozen
class Part:
    """Rows below a heading, if there is one. `is_texts`: what cards say, by their names; `is_own`: of who reads."""

    heading: str
    rows: Sequence[Row]
    is_texts: bool = False
    is_own: bool = False


@frozen
class Seen:
    """The table as one person sees it. `own` is nothing where only what all know is shown."""

    own: Part | None
    others: Part
    table: Part
    grids: Sequence[Grid]


@frozen
class Menu:
    """The menu of a question: its words, the choices so far, and the options, each with the tag to type for it.

    `spots` is where in the grids the options lie, in words, where that says enough as long as the grids are on the
    page; else nothing.
    """

    question: str
    picked: str
    options: Sequence[tuple[str, str]]
    spots: str = ""


@frozen
class Page:
    """The page of somebody who is asked, or only looks (no `menu`). `aim` is what the game is about, for who has just
    sat down; `happened` what that person saw since the last answer, `private` what of it is news to nobody else;
    `notice` what is to be said about what was typed last.
    """

    headline: str
    aim: str
    happened: Sequence[Told]
    private: Sequence[Told]
    seen: Seen
    menu: Menu | None
    notice: str


@frozen
class Recent:
    """The last things that happened, as many as fit beside so many other lines."""

    happened: Sequence[Told]
    others: int


Block: TypeAlias = str | Told | Part | Seen | Recent
"""A part of something to read: words (empty: an empty line), or one of these."""

Tints: TypeAlias = Mapping[str, str]
"""The colour in which a name stands wherever it is said, by the name."""


@frozen
class Size:
    """The size of a screen: `columns` of a line, `rows` in all with the line on which is typed."""

    columns: int
    rows: int = field(default=1_000_000)
