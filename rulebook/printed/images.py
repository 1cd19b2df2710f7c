"""Pictures of pieces: each by itself, or many on one sheet, drawn by what draws them on paper."""

from __future__ import annotations

from collections.abc import Sequence
from io import BytesIO
from typing import Any

from rulebook.classes import frozen
from rulebook.printed.drawing import WIDTH, Artist
from rulebook.printed.fonts import Typeface
from rulebook.printed.pen import POINTS, Box, Pen
from rulebook.printed.pieces import Piece, Set

PIXELS = 409
"""The width of a card on a sheet: ten are 4,090 pixels, which every program takes."""


@frozen
class Grid:
    """Cells of one size in columns and rows; `wide` and `high` are the pixels of a cell."""

    columns: int
    rows: int
    wide: int
    high: int


def find_cell(size: tuple[float, float], wide: int = PIXELS) -> tuple[int, int]:
    """The pixels of a piece of this size in millimetres."""
    return wide, round(wide * size[1] / size[0])


def draw_sheet(pieces: Set, face: Typeface, sides: Sequence[tuple[Piece, bool]], grid: Grid) -> bytes:
    """Draw pieces as one PNG, row by row, each with whether it is its back."""
    from pypdfium2 import PdfDocument
    from reportlab.pdfgen.canvas import Canvas

    high = WIDTH * grid.high / grid.wide
    width, height = grid.columns * WIDTH, grid.rows * high
    out = BytesIO()
    canvas = Canvas(out, invariant=1)
    pen = Pen(canvas, face, pieces.pictures)
    pen.begin_page(width, height)
    drawer = Artist(pen, pieces.game.rulebook.name)
    for number, (piece, is_back) in enumerate(sides):
        row, column = divmod(number, grid.columns)
        box = Box(column * WIDTH, row * high, WIDTH, high)
        with pen.within(box):
            (drawer.draw_back if is_back else drawer.draw_face)(piece, box)
    canvas.showPage()
    canvas.save()
    document = PdfDocument(out.getvalue())
    image: Any = document[0].render(scale=grid.wide / (WIDTH * POINTS)).to_pil().convert("RGB")
    document.close()
    made = BytesIO()
    # What is rounded up at an edge is paper.
    image.crop((0, 0, grid.columns * grid.wide, grid.rows * grid.high)).save(made, "PNG")
    return made.getvalue()


def draw_one(pieces: Set, face: Typeface, piece: Piece, *, back: bool, size: tuple[float, float]) -> bytes:
    """Draw one side of a piece as a PNG."""
    return draw_sheet(pieces, face, [(piece, back)], Grid(1, 1, *find_cell(size, 2 * PIXELS)))
