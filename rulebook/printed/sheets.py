"""Sheets to print and cut: fronts with crop marks, backs that lie behind them, boards, places, the rules in words."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from io import BytesIO
from math import ceil
from pathlib import Path
from typing import Any

from rulebook.classes import frozen
from rulebook.printed.drawing import BACK, INK, SOFT, Artist
from rulebook.printed.fonts import Typeface, find_typeface
from rulebook.printed.pen import POINTS, Box, Pen
from rulebook.printed.pieces import Piece, Set
from rulebook.printed.rules import Block, tell_rules
from rulebook.version import __version__

PAPERS = {"a4": (210.0, 297.0), "letter": (215.9, 279.4)}
SIZES = {
    "poker": (63.0, 88.0), "bridge": (57.0, 89.0), "mini": (44.0, 68.0), "square": (70.0, 70.0),
    "tarot": (70.0, 120.0), "business": (55.0, 85.0),
}  # fmt: skip
MARGIN = 6.0
"""Millimetres at each edge of the paper that printers leave empty; crop marks stand there."""
MARK = 4.0
GAP = 1.0
"""The length of a crop mark, and how far it stands from the cards, in millimetres."""
TOKEN = 20.0
TILE = 36.0
_LEAST_TILE = 12.0
_BLEED = 1.5


@frozen
class Wanted:
    """An order for paper: its size, that of cards, backs, the rules, boards and places, own fonts."""

    paper: str = "a4"
    size: tuple[float, float] = SIZES["poker"]
    backs: bool = True
    rules: bool = True
    places: bool = True
    fonts: tuple[Path, ...] = ()


@frozen
class Printed:
    """A PDF: its bytes, how many pages and pieces it has, and the titles of cards whose letters are very small."""

    data: bytes
    pages: int
    pieces: int
    crowded: tuple[str, ...]


@frozen
class Layout:
    """The layout of pieces of one size on a sheet: in the middle of the paper, row by row."""

    paper: tuple[float, float]
    width: float
    height: float

    @property
    def columns(self) -> int:
        return int((self.paper[0] - 2 * MARGIN + 1e-6) // self.width)

    @property
    def rows(self) -> int:
        return int((self.paper[1] - 2 * MARGIN + 1e-6) // self.height)

    @property
    def count(self) -> int:
        return self.columns * self.rows

    @property
    def corner(self) -> tuple[float, float]:
        """The upper left corner of the first one."""
        return (self.paper[0] - self.columns * self.width) / 2, (self.paper[1] - self.rows * self.height) / 2

    def find_box(self, number: int, *, behind: bool = False) -> Box:
        """The box of a piece; `behind` it, on the other side of paper that is turned over its long edge."""
        row, column = divmod(number, self.columns)
        if behind:
            column = self.columns - 1 - column
        left, top = self.corner
        return Box(left + column * self.width, top + row * self.height, self.width, self.height)

    def list_marks(self, pieces: int) -> Iterator[tuple[float, float, float, float]]:
        """The lines of the crop marks around so many pieces: at each cut, at both ends."""
        columns, rows = min(pieces, self.columns), ceil(pieces / self.columns)
        left, top = self.corner
        right, bottom = left + columns * self.width, top + rows * self.height
        for column in range(columns + 1):
            x = left + column * self.width
            yield x, top - GAP - MARK, x, top - GAP
            yield x, bottom + GAP, x, bottom + GAP + MARK
        for row in range(rows + 1):
            y = top + row * self.height
            yield left - GAP - MARK, y, left - GAP, y
            yield right + GAP, y, right + GAP + MARK, y


class TooLarge(ValueError):
    """Not one card of this size fits onto the paper."""


def print_sheets(pieces: Set, wanted: Wanted) -> Printed:
    """Make the PDF. Raises NoFont and TooLarge."""
    from reportlab.pdfgen.canvas import Canvas

    book = pieces.game.rulebook
    blocks = tell_rules(pieces) if wanted.rules and pieces.whole else []
    places = list_place_cards(pieces) if wanted.places and pieces.whole else []
    texts = [text for piece in (*pieces.pieces, *places) for text in piece.texts]
    texts += [block.text for block in blocks] + [book.title, "abc…0123456789"]
    face = find_typeface(texts, wanted.fonts)
    out = BytesIO()
    canvas = Canvas(out, invariant=1, pageCompression=1)
    canvas.setTitle(book.title)
    canvas.setCreator(f"rulebook {__version__}")
    printer = _Printer(canvas, face, pieces, wanted)
    if blocks:
        printer.write_rules(blocks)
    printer.lay_pieces(pieces, places)
    if not printer.pages:
        printer.begin_page()
        printer.end()
    canvas.save()
    return Printed(out.getvalue(), printer.pages, printer.laid, tuple(printer.drawer.crowded))


class _Printer:
    def __init__(self, canvas: Any, face: Typeface, pieces: Set, wanted: Wanted) -> None:
        self.canvas, self.wanted, self.paper = canvas, wanted, PAPERS[wanted.paper]
        self.pen = Pen(canvas, face, pieces.pictures)
        self.drawer = Artist(self.pen, pieces.game.rulebook.name)
        self.pages = self.laid = 0

    def begin_page(self, *, behind: bool = False) -> None:
        """Begin a page. A front comes on a sheet of its own: the back before it is left empty, if nothing is there."""
        if self.wanted.backs and self.pages % 2 and not behind:
            self.begin_page(behind=True)
            self.end()
        self.pen.begin_page(*self.paper)

    def end(self) -> None:
        self.canvas.showPage()
        self.pages += 1

    def lay_pieces(self, pieces: Set, places: Sequence[Piece]) -> None:
        grids = find_grids(pieces)
        side = find_tile_side(grids, self.paper)
        sizes = {"card": self.wanted.size, "tile": (side, side), "token": (TOKEN, TOKEN)}
        for form, size in sizes.items():
            of_form = [piece for piece in pieces.pieces if piece.form == form]
            copies = [piece for piece in of_form for _ in range(piece.copies)]
            self.lay_sheets(copies, size, places if form == "card" else ())
        if self.wanted.places and pieces.whole:
            for title, rows, columns in grids:
                self.draw_board(title, rows, columns, side)

    def lay_sheets(self, pieces: Sequence[Piece], size: tuple[float, float], blank: Sequence[Piece] = ()) -> None:
        """Lay pieces onto sheets, those with one back together; behind them those whose back stays blank."""
        layout = Layout(self.paper, *size)
        if (pieces or blank) and layout.count < 1:
            width, height = (f"{side:g}" for side in size)
            raise TooLarge(f"A card of {width} x {height} mm does not fit onto {self.wanted.paper.upper()} paper.")
        order = dict.fromkeys(piece.face.look.back for piece in pieces)
        ranked = [*sorted(pieces, key=lambda piece: [*order].index(piece.face.look.back)), *blank]
        for sheet in range(ceil(len(ranked) / layout.count) if ranked else 0):
            here = ranked[sheet * layout.count : (sheet + 1) * layout.count]
            self.begin_page()
            for number, piece in enumerate(here):
                self.drawer.draw_face(piece, layout.find_box(number))
            for mark in layout.list_marks(len(here)):
                self.pen.draw_line(*mark, INK, 0.1)
            self.end()
            self.laid += len(here)
            if backed := [piece for piece in here if piece not in blank] if self.wanted.backs else []:
                self._draw_backs(backed, layout)

    def _draw_backs(self, here: Sequence[Piece], layout: Layout) -> None:
        self.begin_page(behind=True)
        for number, piece in enumerate(here):
            if piece.form != "token" or piece.face.look.back is not None:
                self.pen.draw_box(layout.find_box(number, behind=True).inset(-_BLEED), fill=BACK)
        for number, piece in enumerate(here):
            box = layout.find_box(number, behind=True)
            with self.pen.within(box):
                self.drawer.draw_back(piece, box)
        self.end()

    def draw_board(self, title: str, rows: int, columns: int, side: float) -> None:
        """Draw a grid, as its cells are named."""
        self.begin_page()
        left, top = (self.paper[0] - columns * side) / 2, (self.paper[1] - rows * side) / 2
        self.pen.write(title, left, top - 6, columns * side, 12, INK, bold=True)
        for row in range(rows):
            self.pen.write(str(row + 1), left - 5, top + (row + 0.5) * side + 1, 3.5, 8, SOFT, align="right")
            for column in range(columns):
                self.pen.draw_box(Box(left + column * side, top + row * side, side, side), stroke=SOFT, line=0.25)
        for column in range(columns):
            letters = chr(ord("a") + column % 26) * (column // 26 + 1)
            self.pen.write(letters, left + column * side, top - 1.5, side, 8, SOFT, align="centre")
        self.end()

    # ── the rules ──

    def write_rules(self, blocks: Sequence[Block]) -> None:
        """Write the rules in two columns."""
        gutter, margin = 9.0, 16.0
        width = (self.paper[0] - 2 * margin - gutter) / 2
        sizes = {"title": 22.0, "heading": 11.5, "text": 9.2, "point": 9.2}
        column, y = 0, margin
        self.begin_page()
        for block in blocks:
            size = sizes[block.sort]
            wide = block.sort == "title"
            indent = 3.2 * max(block.depth, 0) if block.sort == "point" else 0.0
            room = self.paper[0] - 2 * margin if wide else width - indent
            lines = self.pen.wrap(block.text, room, size, block.sort in ("title", "heading"))
            above = 0.0 if y == margin else {"title": 0.0, "heading": 3.4, "text": 1.2, "point": 0.7}[block.sort]
            least = 3 if block.sort == "heading" else 1
            y += above
            for number, line in enumerate(lines):
                high = size * 1.32 / POINTS
                needed = high * (least if number == 0 else 1)
                if y + needed > self.paper[1] - margin:
                    column, y = column + 1, self._top
                    if column == 2:
                        self.end()
                        self.begin_page(behind=True)
                        column, y, self._top = 0, margin, margin
                x = margin + column * (width + gutter) + indent
                if block.sort == "point" and number == 0:
                    self.pen.write("•", x - 2.8, y + high * 0.72, 3, size, SOFT)
                bold = block.sort in ("title", "heading")
                self.pen.write(line, x, y + high * 0.72, room, size, INK, bold=bold)
                y += high
            if wide:
                y += 3.0
                self._top = y
        self.end()

    _top: float = 16.0


def find_grids(pieces: Set) -> list[tuple[str, int, int]]:
    """The boards of a game: the title of each, its rows and columns."""
    program = pieces.game.lower(pieces.players)
    slots = [slot for slot in program.layout.places if slot.kept == "grid"]
    return [
        (program.looks.called(slot.name).capitalize(), slot.rows, slot.columns)
        for slot in {slot.name: slot for slot in slots}.values()
    ]


def find_tile_side(grids: Sequence[tuple[str, int, int]], paper: tuple[float, float]) -> float:
    """The side of a tile, so that every board fits onto the paper."""
    sides = [min((paper[0] - 24) / columns, (paper[1] - 40) / rows) for _, rows, columns in grids]
    return float(max(_LEAST_TILE, min([TILE, *(int(side) for side in sides)])))


def list_place_cards(pieces: Set) -> list[Piece]:
    """A card for each place of the table that is no board, to lay there, and one for each player with the places that
    everybody has.
    """
    from rulebook.printed.rules import word_place
    from rulebook.table.faces import Face
    from rulebook.table.looks import CardLook

    game, book = pieces.game, pieces.game.rulebook
    look = game.lower(pieces.players).looks
    cards, own = list[Piece](), list[str]()
    for name, place in book.places.items():
        if place.owner == "table" and place.kept != "grid":
            title = look.called(name)
            face = Face(title[:1].upper() + title[1:], "place", "", word_place(book, place, look), "", CardLook())
            cards.append(Piece(f"place.{name}", "place", face, 1))
        elif place.owner == "player":
            title = look.called(name)
            words = word_place(book, place, look)
            own.append(f"{title[:1].upper()}{title[1:]}: {words[:1].lower()}{words[1:]}")
    if own:
        face = Face("Your places", "player", "", "\n".join(own), "", CardLook())
        cards += [Piece(f"player.{seat}", "player", face, 1) for seat in range(pieces.players)]
    return cards
