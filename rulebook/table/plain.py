"""Pages in plain text, for every terminal, and for who listens to what stands there.

In: what a page says, and how much fits. Out: lines, with no other signs of what they are than words and indentation.
Never: adds anything to what is said.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from rulebook.printing import paint, visible
from rulebook.table import menu, news
from rulebook.table.blocks import Block, Menu, Page, Part, Recent, Row, Seen, Size, Tints, Told
from rulebook.table.columns import crumbs, labelled, paired, wrapped
from rulebook.widths import width

RECENT = 5
"""So many lines of what happened are worth more than headings in the table."""
WHOLE = "… v shows the whole table"
_STYLES = {"title": "1", "dim": "2", "note": "33"}


class Plain:
    """Text, in which at most a title is bold. `colour` is whether to use such signs at all."""

    def __init__(self, colour: bool = False) -> None:
        self.colour = colour

    def tint(self, tints: Tints) -> None:
        """Names have these colours from now on; not in plain text, which may break a name at the end of a line."""

    # ── a line ──

    def paint(self, style: str, text: str) -> str:
        """The text in a style, if there are colours."""
        return paint(_STYLES[style], text) if self.colour else text

    def rule(self, columns: int) -> str:
        """A line across the page."""
        return self.paint("dim", "─" * min(columns, 79))

    def title(self, text: str, columns: int) -> str:
        """What stands above a page."""
        return self.paint("title", crumbs(text, columns))

    def said(self, lines: list[str]) -> list[str]:
        """Lines that fit, with what is to be seen in them."""
        return lines

    def notes(self, notice: str, columns: int) -> list[str]:
        """What is said about what was typed."""
        return [self.paint("note", line) for line in noted(notice, columns)]

    # ── something to read ──

    def fitting(self, lines: Sequence[str], room: int) -> int:
        """How many of these lines stand on a page that has room for so many."""
        return room

    def blocks(self, blocks: Iterable[Block], size: Size) -> list[str]:
        """Something to read, however long that is."""
        return [line for block in blocks for line in self.block(block, size)]

    def block(self, block: Block, size: Size) -> list[str]:
        """One part of it."""
        columns = size.columns
        match block:
            case str():
                found = wrapped(block, columns)
            case Told():
                found = block.lines(columns)
            case Recent():
                found = news.weightiest(block.happened, size.rows - block.others, columns)
            case Part():
                found = part(block, columns)
            case Seen():
                found = table(block, columns)
        return self.said(found)

    # ── a question ──

    def page(self, page: Page, size: Size) -> list[str]:
        """A question with all that one has to know for it, in so many rows if that is possible at all."""
        columns, head = size.columns, [self.title(page.headline, size.columns)]
        notes = noted(page.notice, columns)
        happened, private = _log(page.happened, columns), _log(page.private, columns)
        least = min(len(happened), 2 + min(len(private), RECENT))
        whole = sum(len(grid.lines(columns)) for grid in page.seen.grids)
        # Of a grid that has to be cut nobody can tell what lies where: then all options are named.
        for tight, is_whole in ((False, True), (True, True), (True, False)):
            question = asked(page.menu, columns, tight, is_whole)
            lying = table(page.seen, columns, tight)
            # Two rules, and the line on which is typed. A line with a path may go on in the next row.
            room = size.rows - len(head) - sum(max(1, -(-width(line) // columns)) for line in (*question, *notes)) - 3
            if min(len(happened), RECENT) + len(lying) <= room or (tight and least + whole + 1 <= room):
                break
        if len(lying) > room - least:
            # Of what is one's own nothing may be cut: that stands nowhere else.
            lying = cut(table(page.seen, columns, tight=True, is_own_first=True), max(room - least, 1))
        aim = wrapped(page.aim, columns) if page.aim else []
        if len(lying) + len(aim) <= room:
            # Who has just sat down wants to know that first; of what was laid out, the last lines do.
            head, room = [*head, *self.said(aim)], room - len(aim)
        happened = news.weightiest(page.happened, room - len(lying), columns, page.private)
        rule = self.rule(columns)
        above = [*head, *self.said(happened), rule, *self.said(lying), rule]
        return [*above, *self.said(question), *self.notes(page.notice, columns)]


def _log(happened: Iterable[Told], columns: int) -> list[str]:
    return [line for one in happened for line in one.lines(columns)]


def noted(notice: str, columns: int) -> list[str]:
    """What is said about what was typed; what stands below it is to be copied, and so never broken."""
    if not notice:
        return []
    first, *below = map(visible, notice.split("\n"))
    return [*wrapped(f"! {first}", columns, "  "), *(f"  {line}" for line in below)]


def asked(menu_of: Menu, columns: int, tight: bool, is_whole: bool = True) -> list[str]:
    """The question and the options; `is_whole` is whether all grids stand on the same page."""
    lines = [*wrapped(menu_of.question, columns), *(wrapped(menu_of.picked, columns) if menu_of.picked else [])]
    if menu_of.spots and is_whole:
        return [*lines, *("  " + line for line in wrapped(menu_of.spots, columns - 2))]
    return [*lines, *menu.listed(menu_of.options, columns, tight)]


def part(found: Part, columns: int) -> list[str]:
    """Rows below their heading."""
    return [*([found.heading] if found.heading else []), *labelled([row.pair for row in found.rows], columns)]


def table(seen: Seen, columns: int, tight: bool = False, is_own_first: bool = False) -> list[str]:
    """What lies there. A `tight` one leaves out what goes without saying: the headings, and which places are empty."""
    grids = [line for grid in seen.grids for line in grid.lines(columns)]
    parts = [one for one in (seen.own, seen.others) if one is not None and one.rows]
    if tight:
        # What lies in rows and columns is what one looks at; the end of a long table may be cut.
        own = list(seen.own.rows) if seen.own else []
        rest = [*together(seen.others.rows), *busy(seen.table.rows)]
        heading = [seen.own.heading] if seen.own else []
        if is_own_first:
            return [*heading, *_paired(own, columns), *grids, *_paired(rest, columns)]
        return [*grids, *heading, *_paired([*own, *rest], columns)]
    lines = [line for one in parts for line in part(one, columns)]
    rows = list(seen.table.rows)
    return [*lines, *([seen.table.heading, *grids, *part(Part("", rows), columns)] if grids or rows else [])]


def _paired(rows: Iterable[Row], columns: int) -> list[str]:
    return paired([row.pair for row in rows], columns)


def together(rows: Iterable[Row]) -> list[Row]:
    """The same with one row for all of whom the same is to be said."""
    alike: dict[str, list[Row]] = {}
    for row in rows:
        alike.setdefault(row.text, []).append(row)
    return [Row(", ".join(row.label for row in group), group[0].groups) for group in alike.values()]


def busy(rows: Iterable[Row]) -> list[Row]:
    """The same without what goes without saying."""
    return [row for row in rows if not row.idle]


def cut(lines: list[str], room: int) -> list[str]:
    """The beginning of a table that is too long, and how to see the rest."""
    return lines if len(lines) <= room else [*lines[: room - 1], WHOLE]
