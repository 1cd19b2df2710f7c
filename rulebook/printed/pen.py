"""A pen that draws on a page in millimetres from its upper left corner."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from io import BytesIO
from typing import Any

from attrs import define, field

from rulebook.classes import frozen
from rulebook.dsl.ir import Sign
from rulebook.glyphs import SIDE, list_glyphs
from rulebook.pictures import Picture
from rulebook.printed.fonts import Typeface
from rulebook.printed.shapes import Step, draw_svg, make_path, read_path, round_box

POINTS = 72 / 25.4
"""Points in a millimetre."""

Ink = tuple[float, float, float]


@frozen
class Box:
    """A part of a page: its left and upper edge, its width and height."""

    x: float
    y: float
    width: float
    height: float

    def inset(self, by: float) -> Box:
        return Box(self.x + by, self.y + by, self.width - 2 * by, self.height - 2 * by)


@define
class Pen:
    """Draws on the pages of one document. `pictures` go by their paths; where there is none, nothing is drawn."""

    canvas: Any
    face: Typeface
    pictures: dict[str, Picture]
    page_height: float = 297.0
    _images: dict[str, Any] = field(factory=dict, repr=False)

    def begin_page(self, width: float, height: float) -> None:
        self.canvas.setPageSize((width * POINTS, height * POINTS))
        self.page_height = height

    @contextmanager
    def _turned(self, box: Box) -> Iterator[None]:
        """Draw from the corner of a box, in millimetres, y running down."""
        self.canvas.saveState()
        self.canvas.translate(box.x * POINTS, (self.page_height - box.y) * POINTS)
        self.canvas.scale(POINTS, -POINTS)
        yield
        self.canvas.restoreState()

    def draw_steps(self, steps: Sequence[Step], box: Box, side: float, ink: Ink) -> None:
        """Fill a path that is drawn in a square of this side, as large as fits into a box, in its middle."""
        scale = min(box.width, box.height) / side
        with self._turned(box):
            self.canvas.translate((box.width - side * scale) / 2, (box.height - side * scale) / 2)
            self.canvas.scale(scale, scale)
            self.canvas.setFillColorRGB(*ink)
            self.canvas.drawPath(make_path(self.canvas, tuple(steps)), stroke=0, fill=1, fillMode=0)

    def draw_box(
        self, box: Box, fill: Ink | None = None, stroke: Ink | None = None, line: float = 0.2, round: float = 0.0,
        dashed: bool = False,
    ) -> None:  # fmt: skip
        canvas = self.canvas
        with self._turned(Box(0, 0, 0, 0)):
            if fill is not None:
                canvas.setFillColorRGB(*fill)
            if stroke is not None:
                canvas.setStrokeColorRGB(*stroke)
                canvas.setLineWidth(line)
                canvas.setDash(*([1.2, 1.2], 0) if dashed else ())
            steps = round_box(box.x, box.y, box.width, box.height, round, round)
            canvas.drawPath(make_path(canvas, steps), stroke=stroke is not None, fill=fill is not None)

    def draw_line(self, x: float, y: float, to_x: float, to_y: float, ink: Ink, line: float = 0.1) -> None:
        self.canvas.setStrokeColorRGB(*ink)
        self.canvas.setLineWidth(line * POINTS)
        upper = self.page_height
        self.canvas.line(x * POINTS, (upper - y) * POINTS, to_x * POINTS, (upper - to_y) * POINTS)

    @contextmanager
    def within(self, box: Box, round: float = 0.0) -> Iterator[None]:
        """Draw nothing beyond the edges of a box."""
        self.canvas.saveState()
        x, y = box.x * POINTS, (self.page_height - box.y) * POINTS
        steps = round_box(
            x, y - box.height * POINTS, box.width * POINTS, box.height * POINTS, round * POINTS, round * POINTS
        )
        self.canvas.clipPath(make_path(self.canvas, steps), stroke=0, fill=0)
        yield
        self.canvas.restoreState()

    def draw_picture(self, name: str, box: Box, *, cover: bool) -> bool:
        """Draw a picture of the game into a box: all of it, or as much as covers the box. False if there is none."""
        picture = self.pictures.get(name)
        if picture is None:
            return False
        choose = max if cover else min
        scale = choose(box.width / picture.width, box.height / picture.height)
        width, height = picture.width * scale, picture.height * scale
        x, y = box.x + (box.width - width) / 2, box.y + (box.height - height) / 2
        with self.within(box):
            if picture.format == "svg":
                with self._turned(Box(x, y, width, height)):
                    self.canvas.scale(scale, scale)
                    draw_svg(self.canvas, picture)
            else:
                lower = (self.page_height - y - height) * POINTS
                self.canvas.drawImage(
                    self._read_image(picture), x * POINTS, lower, width * POINTS, height * POINTS, mask="auto"
                )
        return True

    def _read_image(self, picture: Picture) -> Any:
        """A picture as the canvas takes it, decoded once."""
        from reportlab.lib.utils import ImageReader

        if picture.name not in self._images:
            self._images[picture.name] = ImageReader(BytesIO(picture.data))
        return self._images[picture.name]

    def draw_sign(self, sign: Sign, box: Box, ink: Ink) -> None:
        """Draw a sign as large as fits into a box, in its middle."""
        if sign.form == "glyph":
            self.draw_steps(read_path(list_glyphs()[sign.said]), box, SIDE, ink)
        elif sign.form == "letters":
            size = box.height * POINTS / 0.76
            width = self.face.measure(sign.said, size, bold=True)
            size *= min(1.0, box.width * POINTS / width)
            low = box.y + box.height / 2 + 0.365 * size / POINTS
            self.write(sign.said, box.x, low, box.width, size, ink, bold=True, align="centre")
        else:
            self.draw_picture(sign.said, box, cover=False)

    def write(
        self, text: str, x: float, y: float, width: float, size: float, ink: Ink, *, bold: bool = False,
        align: str = "left",
    ) -> None:  # fmt: skip
        """Write one line whose letters stand on y; `size` is in points."""
        shift = 0.0
        if align != "left":
            rest = width - self.face.measure(text, size, bold) / POINTS
            shift = rest / 2 if align == "centre" else rest
        line = self.canvas.beginText((x + shift) * POINTS, (self.page_height - y) * POINTS)
        line.setFillColorRGB(*ink)
        for font, run in self.face.split(text, bold):
            line.setFont(font, size)
            line.textOut(run)
        self.canvas.drawText(line)

    def wrap(self, text: str, width: float, size: float, bold: bool = False) -> list[str]:
        """Break a text into lines; a word that is longer than a line is broken where it must."""
        lines: list[str] = []
        for paragraph in text.split("\n"):
            line = ""
            for word in paragraph.split(" "):
                longer = f"{line} {word}" if line else word
                if self.face.measure(longer, size, bold) <= width * POINTS:
                    line = longer
                    continue
                if line:
                    lines.append(line)
                *whole, word = self._break_word(word, width, size, bold)
                lines += whole
                line = word
            lines.append(line)
        return lines

    def _break_word(self, word: str, width: float, size: float, bold: bool) -> list[str]:
        """Break a word into pieces that are no longer than a line."""
        if self.face.measure(word, size, bold) <= width * POINTS:
            return [word]
        pieces, taken = [""], 0.0
        for letter in word:
            taken += (wide := self.face.measure(letter, size, bold))
            if taken > width * POINTS and pieces[-1]:
                pieces.append("")
                taken = wide
            pieces[-1] += letter
        return pieces

    def fit(
        self,
        text: str,
        width: float,
        height: float,
        size: float,
        least: float,
        bold: bool = False,
        leading: float = 1.25,
    ) -> tuple[float, list[str]]:
        """Find the largest size, from this one down, at which a text fits into so much room, and no word is broken; the
        least one, if none does.
        """
        while True:
            lines = self.wrap(text, width, size, bold)
            fits = len(lines) * size * leading <= height * POINTS
            whole = all(self.face.measure(word, size, bold) <= width * POINTS for word in text.split())
            if (fits and whole) or size <= least:
                return size, lines
            size = max(least, size - 0.25)

    def write_lines(
        self, lines: Sequence[str], x: float, y: float, width: float, size: float, ink: Ink, *, bold: bool = False,
        align: str = "left", leading: float = 1.25,
    ) -> float:  # fmt: skip
        """Write lines from y down, and return where they end."""
        for line in lines:
            self.write(line, x, y + size * (0.5 * leading + 0.36) / POINTS, width, size, ink, bold=bold, align=align)
            y += size * leading / POINTS
        return y
