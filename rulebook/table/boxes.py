"""Pages with boxes, columns and colours, drawn with `rich`, which need not be there: only who draws so imports this.

In: the same pages as in plain text, and how much fits. Out: lines, with escapes where colours are wanted. Never: says
more or less than plain text says; where boxes leave too little room, the page is the plain one.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from io import StringIO

from attrs import frozen
from rich.box import ROUNDED
from rich.console import Console, ConsoleOptions, Group, RenderableType, RenderResult
from rich.padding import Padding
from rich.panel import Panel
from rich.segment import Segment
from rich.table import Table
from rich.text import Text

from rulebook.printing import control, unpaint
from rulebook.table import menu, news, plain
from rulebook.table.blocks import Block, Menu, Page, Part, Row, Seen, Size, Tints
from rulebook.table.columns import crumbs, paired, shortened, wrapped
from rulebook.table.grids import Grid
from rulebook.widths import width

_NARROWEST = 60  # columns; with less, borders cost more than they help
_BESIDE = 36  # columns that the rest of the table needs beside a grid
_FRAME = 4  # columns that a border takes with what keeps text away from it
_QUIET, _LABEL, _TITLE, _HEADING = "dim", "bold", "bold reverse", "bold not dim"
_NO_NAME = re.compile(r"(?!)")


@frozen
class _Way:
    """How a page is laid out. `is_open`: each group of cards has a line of its own, and what goes without saying is
    said. `is_framed`: what belongs together stands in a box; else below a line.
    """

    is_open: bool = True
    is_framed: bool = True
    is_question_framed: bool = True

    @property
    def is_tight(self) -> bool:
        """Whether short rows stand side by side."""
        return not self.is_open and not self.is_framed


_WAYS = (
    _Way(),
    _Way(is_question_framed=False),
    _Way(is_open=False, is_question_framed=False),
    _Way(is_framed=False, is_question_framed=False),
    _Way(is_open=False, is_framed=False, is_question_framed=False),
)
"""From roomy to tight."""


@frozen
class _Below:
    """Something below a line with a heading in it."""

    heading: str
    content: RenderableType

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        words = shortened(self.heading, options.max_width - 6)
        line = Text("── " if words else "", _QUIET)
        line.append(f"{words} " if words else "", _HEADING)
        yield line.append("─" * max(options.max_width - width(line.plain), 0))
        yield self.content


class Boxes(plain.Plain):
    """What belongs together stands in a box; names have the colours that the rulebook gives them."""

    def __init__(self, colour: bool = False) -> None:
        super().__init__(colour)
        self.tint({})

    def tint(self, tints: Tints) -> None:
        self.tints = {" ".join(name.split()): colour for name, colour in tints.items()}
        # The longest first: of “Queen of Hearts” not only the last word.
        names = [r"(?: |\n *)".join(map(re.escape, name.split())) for name in sorted(tints, key=len, reverse=True)]
        self._names = re.compile(rf"(?<!\w)(?:{'|'.join(names)})(?!\w)") if names else _NO_NAME

    # ── a line ──

    def title(self, text: str, columns: int) -> str:
        if not self.colour:
            return super().title(text, columns)
        line = Text(f" {crumbs(text, columns - 2)} ")
        line.pad_right(columns - width(line.plain))
        line.stylize(_TITLE)
        return self._lines(line, columns)[0]

    def said(self, lines: list[str]) -> list[str]:
        if not self.colour or not lines:
            return lines
        return self._lines(self._tinted("\n".join(lines)), max(map(width, lines)) + 1)

    # ── something to read ──

    def fitting(self, lines: Sequence[str], room: int) -> int:
        """A box stays whole, if it is not higher than a page."""
        end = room
        while 0 < end < len(lines) and unpaint(lines[end])[:1] in ("│", "╰"):
            end -= 1
        return end or room

    def block(self, block: Block, size: Size) -> list[str]:
        columns = size.columns
        if columns < _NARROWEST:
            return super().block(block, size)
        match block:
            case Part(is_texts=True):
                heading = [Text(block.heading, _HEADING)] if block.heading else []
                return self._lines(Group(*heading, *(self._card(row) for row in block.rows)), columns)
            case Part():
                return self._lines(self._box(block.heading, self._rows(block.rows, columns, is_grouped=False)), columns)
            case Seen():
                return self._lines(self._table(block, columns, _WAYS[0]), columns)
        return super().block(block, size)

    # ── a question ──

    def page(self, page: Page, size: Size) -> list[str]:
        columns, rows = size.columns, size.rows
        if columns < _NARROWEST:
            return super().page(page, size)
        told = [line for one in page.happened for line in one.lines(columns)]
        private = [line for one in page.private for line in one.lines(columns)]
        notes = self.notes(page.notice, columns)
        aim = self.said(wrapped(page.aim, columns)) if page.aim else []
        for way in _WAYS:
            below = [
                *self._lines(self._table(page.seen, columns, way), columns),
                *self._lines(self._question(page.menu, columns, way), columns),
                *notes,
            ]
            # The title, and the line on which is typed.
            room = rows - 2 - len(below)
            # A page looks the same however much has happened since the last one, unless there is no room for that.
            least = min(len(told), 2 + min(len(private), plain.RECENT)) if way.is_tight else plain.RECENT
            head = aim if least + len(aim) <= room or not way.is_tight else []
            if least + len(head) <= room:
                happened = self.said(news.weightiest(page.happened, room - len(head), columns, page.private))
                return [self.title(page.headline, columns), *head, *happened, *below]
        return super().page(page, size)

    def _question(self, menu_of: Menu, columns: int, way: _Way) -> RenderableType:
        parts: list[RenderableType] = [self._tinted(menu_of.question, _HEADING)]
        if menu_of.picked:
            parts.append(self._tinted(menu_of.picked))
        room = columns - _FRAME
        if menu_of.spots:
            parts.append(Padding(Text(menu_of.spots), (0, 0, 0, 2)))
        else:
            parts += map(self._option, menu.listed(menu_of.options, room, not way.is_open))
        found = Group(*parts)
        if way.is_question_framed:
            return Panel(found, box=ROUNDED)
        return found if way.is_framed else _Below("", found)

    def _option(self, line: str) -> Text:
        """A line of options, with what is typed for each."""
        text = self._tinted(line)
        text.highlight_regex(r"(?:^|(?<=  ))\d+(?= )", _LABEL)
        return text

    # ── the table ──

    def _table(self, seen: Seen, columns: int, way: _Way) -> RenderableType:
        others = Part(seen.others.heading, seen.others.rows if way.is_open else plain.together(seen.others.rows))
        lying = Part(seen.table.heading, seen.table.rows if way.is_open else plain.busy(seen.table.rows))
        own = [] if seen.own is None else [self._box(seen.own.heading, self._rows(seen.own.rows, columns, way), way)]
        parts = [one for one in (others, lying) if one.rows]
        rest = [self._box(one.heading, self._rows(one.rows, columns, way, False), way) for one in parts]
        grids = [grid.body(columns - (_FRAME if way.is_framed else 2)) for grid in seen.grids]
        widest = max((width(line) for lines in grids for line in lines), default=0) + _FRAME
        widest = max([widest, *(width(grid.title) + _FRAME + 2 for grid in seen.grids)])
        drawn = [self._grid(grid, lines, way) for grid, lines in zip(seen.grids, grids, strict=True)]
        if drawn and columns - widest >= _BESIDE:
            return _beside(Group(*drawn), Group(*own, *rest), widest)
        if len(rest) == 2 and not way.is_tight:
            rest = [_beside(rest[0], rest[1])]
        return Group(*drawn, *own, *rest)

    def _grid(self, grid: Grid, lines: Sequence[str], way: _Way) -> RenderableType:
        head, *body = lines
        return self._box(grid.title, Group(Text(head, _LABEL), *map(self._cells, body)), way)

    def _cells(self, line: str) -> Text:
        text = self._tinted(line)
        text.highlight_regex("│", _QUIET)
        text.highlight_regex(r"^ *\d+", _LABEL)
        return text

    def _rows(
        self, rows: Iterable[Row], columns: int, way: _Way = _WAYS[0], is_grouped: bool = True
    ) -> RenderableType:
        if way.is_tight:
            return self._tinted("\n".join(paired([row.pair for row in rows], columns - 2, "")))
        between = "\n" if way.is_open and is_grouped else ", "
        found = Table.grid(padding=(0, 2, 0, 0))
        found.add_column()
        found.add_column()
        for row in rows:
            found.add_row(Text(row.label, _LABEL), self._tinted(between.join(row.groups)))
        return found

    def _card(self, row: Row) -> RenderableType:
        """What a card says."""
        return self._box(row.label, self._tinted(row.text), colour=self.tints.get(row.label, ""))

    def _box(self, heading: str, content: RenderableType, way: _Way = _WAYS[0], colour: str = "") -> RenderableType:
        if not way.is_framed:
            return _Below(heading, Padding(content, (0, 0, 0, 2)))
        title = Text(heading, f"{_HEADING} {colour}".strip()) if heading else None
        return Panel(content, box=ROUNDED, title=title, title_align="left", border_style=colour or _QUIET)

    # ── words ──

    def _tinted(self, text: str, style: str = "") -> Text:
        """The text, with the names in it in their colours, though they be broken at the end of a line."""
        found = Text(text, style)
        for name in self._names.finditer(text):
            found.stylize(self.tints[" ".join(name[0].split())], name.start(), name.end())
        return found

    def _lines(self, content: RenderableType, columns: int) -> list[str]:
        console = Console(
            file=StringIO(),
            width=columns,
            force_terminal=True,
            color_system="standard" if self.colour else None,
            no_color=not self.colour,
            legacy_windows=False,
            markup=False,
            emoji=False,
            highlight=False,
            _environ={},
        )
        rows = console.render_lines(content, pad=False)
        return ["".join(_printed(one, console) for one in row).rstrip() for row in rows]


def _printed(segment: Segment, console: Console) -> str:
    """A piece of text in its style, of which only the style is our own."""
    if segment.style is None:
        return segment.text
    begin, _, end = segment.style.render(".", color_system=console._color_system).partition(".")
    return control(begin) + segment.text + control(end) if begin else segment.text


def _beside(left: RenderableType, right: RenderableType, columns: int | None = None) -> Table:
    """Two things side by side, the left one in so many columns, or in the half of them."""
    found = Table.grid(expand=True)
    found.add_column(width=columns, ratio=None if columns else 1)
    found.add_column(ratio=1)
    found.add_row(left, right)
    return found
