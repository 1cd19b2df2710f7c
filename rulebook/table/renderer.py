"""The one renderer of pages: boxes and colours on a terminal that has them, else plain lines (docs/decisions/0035).

Rows, grids and options are laid out once; a page takes the first of several ways that fits, from roomy to tight, and
the plain ones come last. No way says more or less than another. `rich` is imported where a box or a colour is drawn.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from enum import Enum
from io import StringIO
from itertools import zip_longest
from typing import TYPE_CHECKING

from rulebook.classes import frozen
from rulebook.printing import control, paint, unpaint, visible
from rulebook.table.blocks import PLAIN, RESULT, Block, Menu, Page, Part, Recent, Row, Seen, Size, Tints, Told
from rulebook.table.columns import abreast, crumbs, labelled, paired, shortened, wrapped
from rulebook.table.grids import Grid
from rulebook.widths import width

if TYPE_CHECKING:
    from rich.console import Console, RenderableType
    from rich.segment import Segment
    from rich.text import Text

RECENT = 5
"""The number of newest lines of the log that are worth more than headings in the table."""
_WHOLE = "… v shows the whole table"
_STYLES = {"title": "1", "dim": "2", "note": "33"}
_NARROWEST = 60  # columns; with less, borders cost more than they help
_BESIDE = 36  # columns that the rest of the table needs beside a grid
_BORDERS = 4  # columns that a box takes with what keeps text away from it
_QUIET, _LABEL, _TITLE, _HEADING = "dim", "bold", "bold reverse", "bold not dim"
_NO_NAME = re.compile(r"(?!)")


class Frame(Enum):
    """The frame of the lines below a heading: a box, a line across the page, or nothing."""

    BOX, RULE, NOTHING = range(3)


@frozen
class Way:
    """A layout of a page. `is_open`: what goes without saying is said, and own cards of each sort have a line.

    `is_cut`: a table that is too long may end early. `is_whole`: grids stand whole, so that where options lie in them
    says enough; of a grid that has to be cut nobody can tell what lies where, so all options are named.
    """

    frame: Frame
    is_open: bool = True
    is_asked_in_box: bool = False
    is_cut: bool = False
    is_whole: bool = True

    @property
    def is_tight(self) -> bool:
        return not self.is_open and self.frame is not Frame.BOX


_BOXED = (
    Way(Frame.BOX, is_asked_in_box=True),
    Way(Frame.BOX),
    Way(Frame.BOX, is_open=False),
    Way(Frame.RULE),
    Way(Frame.RULE, is_open=False),
)
OPEN = Way(Frame.NOTHING)
TIGHT = Way(Frame.NOTHING, is_open=False, is_cut=True)
_PLAIN = (OPEN, TIGHT, Way(Frame.NOTHING, is_open=False, is_cut=True, is_whole=False))


@frozen
class _Piece:
    """Lines below a heading, before they are framed. `bold` is what of them is a label."""

    heading: str
    lines: Sequence[str]
    bold: str = ""
    colour: str = ""


class Renderer:
    """Draws pages: with boxes if they are wanted and there is room, with `colour` or without."""

    def __init__(self, colour: bool = False, is_boxed: bool = False) -> None:
        self.colour, self.is_boxed = colour, is_boxed
        self.tint({})

    def tint(self, tints: Tints) -> None:
        """Give names these colours from now on, wherever boxes are drawn."""
        self.tints = {" ".join(name.split()): colour for name, colour in tints.items()}
        # The longest first: of “Queen of Hearts” not only the last word.
        names = [r"(?: |\n *)".join(map(re.escape, name.split())) for name in sorted(tints, key=len, reverse=True)]
        self._names = re.compile(rf"(?<!\w)(?:{'|'.join(names)})(?!\w)") if names else _NO_NAME

    def _ways(self, columns: int) -> tuple[Way, ...]:
        return (*_BOXED, *_PLAIN) if self.is_boxed and columns >= _NARROWEST else _PLAIN

    # ── a line ──

    def paint(self, style: str, text: str) -> str:
        return paint(_STYLES[style], text) if self.colour else text

    def draw_rule(self, columns: int, heading: str = "") -> str:
        """A line across the page, perhaps with a heading in it."""
        words = shortened(heading, columns - 6)
        if not words:
            return self.paint("dim", "─" * min(columns, 79))
        rest = "─" * max(columns - width(words) - 4, 0)
        return f"{self.paint('dim', '──')} {self.paint('title', words)} {self.paint('dim', rest)}"

    def draw_title(self, text: str, columns: int) -> str:
        if not (self.is_boxed and self.colour):
            return self.paint("title", crumbs(text, columns))
        line = f" {crumbs(text, columns - 2)} "
        return self._print(self._make_text([line + " " * (columns - width(line))], style=_TITLE), columns)[0]

    def draw_lines(self, lines: Sequence[str]) -> list[str]:
        """Lines that fit, with names in their colours."""
        return self._draw_colours(_Piece("", lines))

    def draw_notes(self, notice: str, columns: int) -> list[str]:
        """Draw a notice about what was typed; what stands below it is to be copied, and so never broken."""
        if not notice:
            return []
        first, *below = map(visible, notice.split("\n"))
        lines = [*wrapped(f"! {first}", columns, "  "), *(f"  {line}" for line in below)]
        return [self.paint("note", line) for line in lines]

    # ── something to read ──

    def count_fitting(self, lines: Sequence[str], room: int) -> int:
        """Count the lines that fit on a page with so much room; a box stays whole if a page can hold it."""
        end = room
        while 0 < end < len(lines) and unpaint(lines[end])[:1] in ("│", "╰"):
            end -= 1
        return end or room

    def draw_blocks(self, blocks: Iterable[Block], size: Size) -> list[str]:
        """Something to read, however long that is."""
        return [line for block in blocks for line in self._draw_block(block, size)]

    def _draw_block(self, block: Block, size: Size) -> list[str]:
        columns = size.columns
        way = self._ways(columns)[0]
        match block:
            case str():
                return self.draw_lines(wrapped(block, columns))
            case Told():
                return self.draw_lines(block.wrap_lines(columns))
            case Recent():
                return self.draw_lines(weightiest(block.happened, size.rows - block.others, columns))
            case Part(is_texts=True) if way.frame is Frame.BOX:
                return [
                    *([self.paint("title", block.heading)] if block.heading else []),
                    *(line for row in block.rows for line in self._draw_card(row, columns)),
                ]
            case Part():
                return self._draw_part(block, columns, way, is_grouped=True)
            case Seen():
                return self.draw_table(block, columns, way)

    def _draw_card(self, row: Row, columns: int) -> list[str]:
        """Draw the text of a card in a box of its colour."""
        colour = self.tints.get(row.label, "")
        return self._draw_box(_Piece(row.label, wrapped(row.text, columns - _BORDERS), colour=colour), columns)

    # ── a page ──

    def draw_page(self, page: Page, size: Size) -> list[str]:
        """A page with all that one has to know for its question, in so many rows if that is possible at all."""
        way, head, table, below, left = self._lay_out(page, size)
        happened = self.draw_lines(weightiest(page.happened, left, size.columns, page.private))
        line = [self.draw_rule(size.columns)] if way.frame is Frame.NOTHING else []
        return [self.draw_title(page.headline, size.columns), *head, *happened, *line, *table, *below]

    def has_room(self, page: Page, size: Size) -> bool:
        """Tell whether all turns that were played stand on the page, with a line about what was left out."""
        turns = _count_lines((line for line in page.happened if line.is_turn), size.columns)
        *_, left = self._lay_out(page, size)
        return turns == 0 or turns < left or _count_lines(page.happened, size.columns) <= left

    def _lay_out(self, page: Page, size: Size) -> tuple[Way, list[str], list[str], list[str], int]:
        """The way in which a page is laid out, what stands above what happened, the table, what stands below it, and
        how many lines are left for what happened."""
        columns, notes = size.columns, self.draw_notes(page.notice, size.columns)
        lines, private = _count_lines(page.happened, columns), _count_lines(page.private, columns)
        aim = self.draw_lines(wrapped(page.aim, columns)) if page.aim else []
        least = min(lines, 2 + min(private, RECENT))
        for way in self._ways(columns):
            table = self.draw_table(page.seen, columns, way)
            question = self.draw_question(page.menu, columns, way)
            # The title, the line above a table without a frame, and that on which is typed. A line with a path may go
            # on in the next row.
            above = 2 + (way.frame is Frame.NOTHING)
            taken = sum(max(1, -(-width(unpaint(line)) // columns)) for line in (*question, *notes))
            room = size.rows - above - taken
            if self._are_enough(page, way, room - len(table), least, lines, len(aim)):
                break
            grids = sum(len(self._draw_grid(grid, columns, way)) for grid in page.seen.grids)
            if way.is_cut and least + grids + 1 <= room:
                break
        if len(table) > room - least and way.frame is Frame.NOTHING:
            # Of what is one's own nothing may be cut: that stands nowhere else.
            table = _cut_table(self.draw_table(page.seen, columns, TIGHT, is_own_first=True), max(room - least, 1))
        # Who has just sat down wants to know that first; of what was laid out, the last lines do.
        head = aim if len(aim) <= room - len(table) else []
        return way, head, table, [*question, *notes], room - len(table) - len(head)

    @staticmethod
    def _are_enough(page: Page, way: Way, left: int, least: int, lines: int, aim: int) -> bool:
        """Tell whether so many lines are enough for what happened."""
        if way.is_tight:
            return least <= left
        # A page with boxes looks the same however much has happened since the last one.
        return (min(lines, RECENT) if way.frame is Frame.NOTHING else RECENT + aim) <= left

    def draw_question(self, menu: Menu | None, columns: int, way: Way) -> list[str]:
        """The question and the options, below a line where the table above has no box."""
        if menu is None:
            return [self.draw_rule(columns)]
        inner = columns - _BORDERS if way.frame is Frame.BOX else columns
        question = wrapped(menu.question, inner)
        lines = [*question, *(wrapped(menu.picked, inner) if menu.picked else [])]
        if menu.spots and way.is_whole:
            lines += ["  " + line for line in wrapped(menu.spots, inner - 2)]
        else:
            lines += draw_list(menu.options, inner, not way.is_open)
        piece = _Piece("", lines, r"\A" + r"\n".join(map(re.escape, question)) + r"$|(?:^|(?<=  ))\d+(?= )")
        if way.is_asked_in_box:
            return self._draw_box(piece, columns)
        return [*([] if way.frame is Frame.BOX else [self.draw_rule(columns)]), *self._draw_colours(piece)]

    # ── the table ──

    def draw_table(self, seen: Seen, columns: int, way: Way = OPEN, is_own_first: bool = False) -> list[str]:
        """Draw the table: grids, which are what one looks at, then rows; own rows first, where the end is cut."""
        others, lying = seen.others.rows, seen.table.rows
        if not way.is_open:
            others, lying = merge_rows(others), [row for row in lying if not row.idle]
        own = [] if seen.own is None else [seen.own]
        rest = [part for part in (Part(seen.others.heading, others), Part(seen.table.heading, lying)) if part.rows]
        if way.frame is Frame.NOTHING:
            grids = [line for grid in seen.grids for line in self._draw_grid(grid, columns, way)]
            if way.is_open:
                return [*grids, *(line for part in (*own, *rest) for line in self._draw_part(part, columns, way))]
            below = [row for part in rest for row in part.rows]
            first = own[0] if own else Part("", ())
            if is_own_first:
                return [*self._draw_part(first, columns, way), *grids, *self._draw_part(Part("", below), columns, way)]
            return [*grids, *self._draw_part(Part(first.heading, [*first.rows, *below]), columns, way)]
        if seen.grids:
            bodies = (grid.draw(_measure_inside(columns, way)[0]) for grid in seen.grids)
            widest = max(
                *(width(line) for body in bodies for line in body), *(width(grid.title) + 2 for grid in seen.grids)
            )
            widest += _BORDERS
            if columns - widest >= _BESIDE:
                left = [line for grid in seen.grids for line in self._draw_grid(grid, widest, way)]
                parts = [*own, *rest]
                right = [line for part in parts for line in self._draw_part(part, columns - widest, way, part in own)]
                return _join_beside(left, right, widest)
        lines = [line for grid in seen.grids for line in self._draw_grid(grid, columns, way)]
        lines += [line for part in own for line in self._draw_part(part, columns, way, is_grouped=True)]
        if len(rest) == 2 and way.frame is Frame.BOX:
            half = columns - columns // 2
            left, right = self._draw_part(rest[0], half, way), self._draw_part(rest[1], columns - half, way)
            return [*lines, *_join_beside(left, right, half)]
        return [*lines, *(line for part in rest for line in self._draw_part(part, columns, way))]

    def _draw_grid(self, grid: Grid, columns: int, way: Way) -> list[str]:
        body = grid.draw(*_measure_inside(columns, way))
        return self._draw_frame(_Piece(grid.title, body, r"\A.*|^ *\d+"), columns, way)

    def _draw_part(self, part: Part, columns: int, way: Way, is_grouped: bool = False) -> list[str]:
        """Rows below their heading; if they are `is_grouped`, each group has a line where there is room for that."""
        rows = [row.pair for row in part.rows]
        if way.is_tight:
            return self._draw_frame(_Piece(part.heading, paired(rows, *_measure_inside(columns, way))), columns, way)
        if is_grouped and way.is_open:
            groups = [(row.label, row.groups or [""]) for row in part.rows]
            rows = [("" if at else label, text) for label, texts in groups for at, text in enumerate(texts)]
        labels = "|".join(re.escape(row.label) for row in part.rows if row.label)
        bold = rf"^ *(?:{labels})(?=:|  |$)" if labels else ""
        return self._draw_frame(
            _Piece(part.heading, labelled(rows, *_measure_inside(columns, way)), bold), columns, way
        )

    def _draw_frame(self, piece: _Piece, columns: int, way: Way) -> list[str]:
        if way.frame is Frame.BOX:
            return self._draw_box(piece, columns)
        if way.frame is Frame.RULE:
            return [self.draw_rule(columns, piece.heading), *self._draw_colours(piece)]
        return [*(wrapped(piece.heading, columns, "  ") if piece.heading else []), *self._draw_colours(piece)]

    # ── what rich draws ──

    def _draw_box(self, piece: _Piece, columns: int) -> list[str]:
        from rich.box import ROUNDED
        from rich.panel import Panel
        from rich.text import Text

        title = Text(piece.heading, f"{_HEADING} {piece.colour}".strip()) if piece.heading else None
        text = self._make_text(piece.lines, piece.bold)
        style = piece.colour or _QUIET
        return self._print(Panel(text, box=ROUNDED, title=title, title_align="left", border_style=style), columns)

    def _draw_colours(self, piece: _Piece) -> list[str]:
        """Draw the lines of a piece without a frame."""
        if not (self.is_boxed and self.colour and piece.lines):
            return list(piece.lines)
        return self._print(self._make_text(piece.lines, piece.bold), max(map(width, piece.lines)) + 1)

    def _make_text(self, lines: Sequence[str], bold: str = "", style: str = "") -> Text:
        """The text, with the names in it in their colours, though they be broken at the end of a line."""
        from rich.text import Text

        text = "\n".join(lines)
        marked = Text(text, style, no_wrap=True, overflow="ignore")
        if bold:
            marked.highlight_regex(re.compile(bold, re.MULTILINE), _LABEL)
            marked.highlight_regex("│", _QUIET)
        for name in self._names.finditer(text) if not style else ():
            marked.stylize(self.tints[" ".join(name[0].split())], name.start(), name.end())
        return marked

    def _print(self, content: RenderableType, columns: int) -> list[str]:
        from rich.console import Console

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
        return ["".join(_paint_segment(segment, console) for segment in row).rstrip() for row in rows]


def _measure_inside(columns: int, way: Way) -> tuple[int, str]:
    """Return the width of lines in a frame, and their indentation."""
    return (columns - _BORDERS, "") if way.frame is Frame.BOX else (columns, "  ")


def _paint_segment(segment: Segment, console: Console) -> str:
    """A piece of text in its style, of which only the style is our own."""
    if segment.style is None:
        return segment.text
    begin, _, end = segment.style.render(".", color_system=console._color_system).partition(".")
    return control(begin) + segment.text + control(end) if begin else segment.text


def _join_beside(left: Sequence[str], right: Sequence[str], columns: int) -> list[str]:
    """Two things side by side, the left one in so many columns."""
    pairs = zip_longest(left, right, fillvalue="")
    return [f"{left}{' ' * (columns - width(unpaint(left)))}{other}".rstrip() for left, other in pairs]


# ── rows and options ─────────────────────────────────────────────────────────────────────────────────────────────────


def merge_rows(rows: Iterable[Row]) -> list[Row]:
    """The same with one row for all of whom the same is to be said."""
    alike: dict[str, list[Row]] = {}
    for row in rows:
        alike.setdefault(row.text, []).append(row)
    return [Row(", ".join(row.label for row in group), group[0].groups) for group in alike.values()]


def draw_list(options: Sequence[tuple[str, str]], columns: int, is_tight: bool) -> list[str]:
    """Draw a list of what is typed and what that means: ` 9 Pearls`. What is typed as it is stands there once.

    A tight list stands in columns, however few there are.
    """
    widest = max(width(tag) for tag, _ in options)
    cells = [" " * (widest - width(tag)) + (tag if tag == label else f"{tag} {label}") for tag, label in options]
    if any(width(cell) > columns - 2 for cell in cells):
        return [line for cell in cells for line in wrapped(f"  {cell.strip()}", columns, "    ")]
    return [f"  {cell}" for cell in cells] if len(cells) <= 4 and not is_tight else abreast(cells, columns)


def _cut_table(lines: list[str], room: int) -> list[str]:
    """The beginning of a table that is too long, and how to see the rest."""
    return lines if len(lines) <= room else [*lines[: room - 1], _WHOLE]


# ── what happened ────────────────────────────────────────────────────────────────────────────────────────────────────


def _count_lines(happened: Iterable[Told], columns: int) -> int:
    return sum(len(line.wrap_lines(columns)) for line in happened)


def weightiest(happened: Sequence[Told], room: int, columns: int, private: Iterable[Told] = ()) -> list[str]:
    """The lines that matter most to who reads, in the order of time, and how many were left out before the last gap.

    First comes what was said last, then what weighs more (`private` weighs most), of equal ones the later; all
    reasons of a result but the first come after what touches the reader, and before what others do.
    """
    news = {line.text for line in private}
    parts = [
        _log_part(line, at, part, lines, is_last=at == len(happened) - 1, is_news=line.text in news)
        for at, line in enumerate(happened)
        for part, lines in enumerate(_join_reasons(line.wrap_parts(columns)))
    ]
    total = sum(len(part.lines) for part in parts)
    if total <= room:
        return [line for part in parts for line in part.lines]
    left, kept = (room - 1 if room > 1 else room), set[tuple[int, int]]()
    for part in sorted(parts, key=lambda part: part.rank, reverse=True):
        at, number = part.where
        # The end of a sentence says nothing without its beginning.
        if len(part.lines) <= left and (number == 0 or (at, number - 1) in kept):
            kept.add(part.where)
            left -= len(part.lines)
    kept_lines = [line for part in parts if part.where in kept for line in part.lines]
    if room < 2:
        return kept_lines
    after = 0
    for part in reversed(parts):
        if part.where not in kept:
            break
        after += len(part.lines)
    end = len(kept_lines) - after
    return [*kept_lines[:end], f"… {total - len(kept_lines)} more before this: l shows all", *kept_lines[end:]]


@frozen
class _LogPart:
    """Some lines that stand or go together: of which sentence the how manieth, and how much they matter."""

    where: tuple[int, int]
    rank: tuple[int, int, int, int]
    lines: Sequence[str]


def _join_reasons(parts: list[list[str]]) -> list[list[str]]:
    """A sentence that ends with “because” needs its first reason."""
    return [[line for part in parts[:2] for line in part], *parts[2:]]


def _log_part(line: Told, at: int, part: int, lines: Sequence[str], is_last: bool, is_news: bool) -> _LogPart:
    is_begun = part == 0
    weight = (RESULT if is_news else line.weight) if is_begun else min(line.weight, PLAIN)
    return _LogPart((at, part), (int(is_last and is_begun), weight, int(not is_begun), at * 1000 - part), lines)
