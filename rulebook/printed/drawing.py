"""One piece as it is printed: the face and the back of a card, a tile, a token, in units of its own size."""

from __future__ import annotations

from typing import ClassVar

from attrs import define, field

from rulebook.dsl.ir import Sign
from rulebook.printed.pen import POINTS, Box, Ink, Pen
from rulebook.printed.pieces import Piece

WIDTH = 63.0
"""Of a card, in millimetres; other sizes are drawn to scale."""
INK: Ink = (0.13, 0.17, 0.2)
SOFT: Ink = (0.38, 0.42, 0.45)
BACK: Ink = (0.17, 0.25, 0.34)
LIGHT: Ink = (0.86, 0.89, 0.91)
PAPER: Ink = (1.0, 1.0, 1.0)
_COLOURS: dict[str, Ink] = {
    "red": (0.68, 0.13, 0.12), "green": (0.1, 0.42, 0.22), "yellow": (0.52, 0.37, 0.0), "blue": (0.1, 0.27, 0.6),
    "magenta": (0.52, 0.16, 0.53), "cyan": (0.02, 0.38, 0.45), "bright_red": (0.8, 0.2, 0.13),
    "bright_green": (0.15, 0.52, 0.27), "bright_yellow": (0.62, 0.44, 0.0), "bright_blue": (0.16, 0.4, 0.78),
    "bright_magenta": (0.66, 0.26, 0.67), "bright_cyan": (0.04, 0.49, 0.57),
}  # fmt: skip
"""The colours of `display` on white paper, each dark enough to be read."""
_LEAST = 4.0
"""Points of the smallest letters."""


@define
class _Words:
    """A text and the attributes below it, as lines with the size of their letters in points."""

    size: float
    lines: list[str]
    foot: float
    foot_lines: list[str]
    gap: ClassVar[float] = 1.4

    @property
    def height(self) -> float:
        """In millimetres."""
        gap = self.gap if self.lines and self.foot_lines else 0.0
        return (len(self.lines) * self.size + len(self.foot_lines) * self.foot) * 1.25 / POINTS + gap


@define
class Artist:
    """Draws pieces; `game` is what stands on a back of which nothing is said. `crowded` are the pieces whose words only
    fit in letters smaller than one likes to read.
    """

    pen: Pen
    game: str
    crowded: list[str] = field(factory=list)

    def draw_face(self, piece: Piece, box: Box) -> None:
        """Draw the face of a piece into a box, whose edges are where it is cut."""
        if piece.form == "token":
            self._draw_token(piece, box)
        elif piece.face.text == "" and (piece.form == "tile" or box.height < box.width * 1.15):
            self._draw_tile(piece, box)
        else:
            self._draw_card(piece, box)

    def find_ink(self, piece: Piece) -> Ink:
        return _COLOURS.get(piece.face.colour, INK)

    # ── cards ──

    def _draw_card(self, piece: Piece, box: Box) -> None:
        pen, face, ink, unit = self.pen, piece.face, self.find_ink(piece), box.width / WIDTH
        pen.draw_box(box, fill=PAPER)
        frame = box.inset(2.6 * unit)
        pen.draw_box(frame, stroke=ink, line=0.45 * unit, round=2.6 * unit)
        inner = frame.inset(2.6 * unit)
        corner = Box(inner.x, inner.y, 10.5 * unit, inner.height)
        is_pictured = face.look.picture in pen.pictures
        top = inner.y
        if is_pictured:
            high = frame.height * (0.52 if face.text or face.attributes else 0.76)
            upper_part = Box(frame.x, frame.y, frame.width, high)
            with pen.within(frame.inset(0.25 * unit), 2.4 * unit):
                pen.draw_picture(face.look.picture, upper_part, cover=True)
            self._draw_badge(
                face.look.corner, Box(frame.x + 1.6 * unit, frame.y + 1.6 * unit, 11 * unit, 11 * unit), ink
            )
            top = upper_part.y + upper_part.height + 1.8 * unit
            size, lines = pen.fit(face.title, inner.width, 11 * unit, 13 * unit, _LEAST * unit, bold=True)
            top = pen.write_lines(lines, inner.x, top, inner.width, size, INK, bold=True) + 0.6 * unit
            room = inner.y + inner.height - top
            words = self._lay_words(piece, inner.width, room, unit)
            self._write_words(piece, words, Box(inner.x, top, inner.width, room))
            return
        has_corner = self._draw_corner(face.look.corner, corner, ink)
        if face.text or (face.attributes and not face.look.middle):
            left = inner.x + (corner.width + 1.5 * unit if has_corner else 0)
            title = Box(left, top, inner.x + inner.width - left, 15 * unit)
            bottom = self._write_title(piece, title, unit, ink)
            words = self._lay_words(piece, inner.width, 52 * unit, unit)
            used = self._find_corner_height(face.look.corner, corner)
            top = max(bottom + 1.5 * unit, inner.y + used + 1.5 * unit)
            low = inner.y + inner.height
            if words.height > low - top:
                under = Box(inner.x, top, inner.width, low - top)
                beside = Box(left, bottom + 1.5 * unit, title.width, low - bottom - 1.5 * unit)
                laid = [(self._lay_words(piece, at.width, at.height, unit), at) for at in (under, beside)]
                self._write_words(piece, *max(laid, key=lambda one: one[0].size))
                return
            middle, rest = face.look.middle, low - top - words.height
            if middle is not None and rest > 14 * unit:
                side = min(rest - 3 * unit, 26 * unit)
                pen.draw_sign(middle, Box(inner.x, top + (rest - side) / 2, inner.width, side), ink)
                top += rest
            self._write_words(piece, words, Box(inner.x, top, inner.width, low - top))
            return
        if has_corner:
            self._draw_turned_corner(face.look.corner, inner, corner, ink)
        below = 12 * unit
        middle_box = Box(inner.x, inner.y + 12 * unit, inner.width, inner.height - 12 * unit - below - 9 * unit)
        if face.look.middle is not None:
            side = min(middle_box.width, middle_box.height, 30 * unit)
            upper = middle_box.y + (middle_box.height - side) / 2
            pen.draw_sign(face.look.middle, Box(inner.x, upper, inner.width, side), ink)
        width = inner.width - (2 * 12 * unit if has_corner else 0)
        left = inner.x + (inner.width - width) / 2
        if face.look.middle is None:
            size, lines = pen.fit(face.title, inner.width, 30 * unit, 21 * unit, _LEAST * unit, bold=True)
            height = len(lines) * size * 1.25 / POINTS
            pen.write_lines(
                lines, inner.x, inner.y + (inner.height - height) / 2, inner.width, size, INK, bold=True, align="centre"
            )
            return
        size, lines = pen.fit(face.title, width, below, 11 * unit, _LEAST * unit, bold=True)
        small = face.attributes
        foot, foot_lines = pen.fit(small, width, 7 * unit, 8.5 * unit, _LEAST * unit) if small else (0.0, [])
        height = (len(lines) * size + len(foot_lines) * foot) * 1.25 / POINTS
        end = pen.write_lines(lines, left, inner.y + inner.height - height, width, size, INK, bold=True, align="centre")
        pen.write_lines(foot_lines, left, end, width, foot, SOFT, align="centre")

    def _write_title(self, piece: Piece, box: Box, unit: float, ink: Ink) -> float:
        pen, face = self.pen, piece.face
        size, lines = pen.fit(face.title, box.width, box.height - 3.6 * unit, 13.5 * unit, _LEAST * unit, bold=True)
        end = pen.write_lines(lines, box.x, box.y, box.width, size, INK, bold=True)
        kind, kind_lines = pen.fit(face.kind, box.width, 3.6 * unit, 7.5 * unit, _LEAST * unit)
        return pen.write_lines(kind_lines, box.x, end, box.width, kind, ink)

    def _lay_words(self, piece: Piece, width: float, room: float, unit: float) -> _Words:
        """Lay out the text of a piece, and its attributes below it, in so much room."""
        pen, face = self.pen, piece.face
        words = _Words(10.5 * unit, [], 8.5 * unit, [])
        if face.attributes:
            words.foot, words.foot_lines = pen.fit(face.attributes, width, room * 0.35, words.foot, _LEAST)
        if face.text:
            left = room - words.height - _Words.gap
            words.size, words.lines = pen.fit(face.text, width, left, words.size, _LEAST)
        return words

    def _write_words(self, piece: Piece, words: _Words, box: Box) -> None:
        """Write the text from the upper edge of a box down, and the attributes at its lower edge."""
        if words.lines and words.size < 5.5 and piece.face.title not in self.crowded:
            self.crowded.append(piece.face.title)
        self.pen.write_lines(words.lines, box.x, box.y, box.width, words.size, INK)
        low = box.y + box.height - len(words.foot_lines) * words.foot * 1.25 / POINTS
        self.pen.write_lines(words.foot_lines, box.x, low, box.width, words.foot, SOFT)

    # ── corners ──

    def _find_corner_height(self, signs: tuple[Sign, ...], box: Box) -> float:
        return sum(_high(sign, box.width) for sign in signs)

    def _draw_corner(self, signs: tuple[Sign, ...], box: Box, ink: Ink) -> bool:
        """Draw signs from the upper edge of a box down; False if there are none."""
        top = box.y
        for sign in signs:
            high = _high(sign, box.width)
            self.pen.draw_sign(sign, Box(box.x, top, box.width, high * 0.84), ink)
            top += high
        return bool(signs)

    def _draw_turned_corner(self, signs: tuple[Sign, ...], inner: Box, corner: Box, ink: Ink) -> None:
        """Draw the same in the opposite corner, standing on its head."""
        canvas, pen = self.pen.canvas, self.pen
        x, y = (inner.x + inner.width / 2) * POINTS, (pen.page_height - inner.y - inner.height / 2) * POINTS
        canvas.saveState()
        canvas.transform(-1, 0, 0, -1, 2 * x, 2 * y)
        self._draw_corner(signs, corner, ink)
        canvas.restoreState()

    def _draw_badge(self, signs: tuple[Sign, ...], box: Box, ink: Ink) -> None:
        """Draw signs over a picture, each on a disc of paper."""
        for number, sign in enumerate(signs[:3]):
            disc = Box(box.x, box.y + number * box.height * 1.12, box.width, box.height)
            self.pen.draw_box(disc, fill=PAPER, stroke=ink, line=0.35, round=box.width / 2)
            self.pen.draw_sign(sign, disc.inset(box.width * 0.26), ink)

    # ── tiles and tokens ──

    def _draw_tile(self, piece: Piece, box: Box) -> None:
        pen, face, ink, unit = self.pen, piece.face, self.find_ink(piece), min(box.width, box.height) / 36
        pen.draw_box(box, fill=PAPER)
        frame = box.inset(1.3 * unit)
        pen.draw_box(frame, stroke=ink, line=0.4 * unit, round=1.6 * unit)
        inner = frame.inset(1.8 * unit)
        signs, is_pictured = face.look.corner, face.look.picture in pen.pictures
        if is_pictured:
            with pen.within(frame.inset(0.2 * unit), 1.5 * unit):
                pen.draw_picture(face.look.picture, Box(frame.x, frame.y, frame.width, frame.height * 0.68), cover=True)
            self._draw_badge(signs, Box(frame.x + unit, frame.y + unit, 7.5 * unit, 7.5 * unit), ink)
        else:
            self._draw_corner(signs, Box(inner.x, inner.y, 6.5 * unit, inner.height), ink)
        room = inner.height * (0.27 if is_pictured else 0.36)
        size, lines = pen.fit(face.title, inner.width, room, 10.5 * unit, _LEAST, bold=True)
        foot, foot_lines = (
            pen.fit(face.attributes, inner.width, 5 * unit, 6.5 * unit, _LEAST) if face.attributes else (0.0, [])
        )
        height = (len(lines) * size + len(foot_lines) * foot) * 1.2 / POINTS
        upper = inner.y + inner.height - height
        if face.look.middle is not None and not is_pictured:
            side = min(15 * unit, upper - inner.y - unit)
            pen.draw_sign(
                face.look.middle, Box(inner.x, inner.y + (upper - inner.y - side) / 2, inner.width, side), ink
            )
        end = pen.write_lines(lines, inner.x, upper, inner.width, size, INK, bold=True, align="centre", leading=1.2)
        pen.write_lines(foot_lines, inner.x, end, inner.width, foot, SOFT, align="centre", leading=1.2)

    def _draw_token(self, piece: Piece, box: Box) -> None:
        pen, face, ink, unit = self.pen, piece.face, self.find_ink(piece), min(box.width, box.height) / 20
        side = 18 * unit
        disc = Box(box.x + (box.width - side) / 2, box.y + (box.height - side) / 2, side, side)
        pen.draw_box(disc, fill=PAPER, stroke=ink, line=0.5 * unit, round=side / 2)
        sign = next(iter(face.look.corner), None) or face.look.middle
        inner = Box(disc.x + 3.4 * unit, disc.y + 3 * unit, side - 6.8 * unit, side - 6 * unit)
        if face.look.picture in pen.pictures:
            with pen.within(disc.inset(0.6 * unit), side / 2 - 0.6 * unit):
                pen.draw_picture(face.look.picture, disc, cover=True)
            return
        high = inner.height if sign is None else 3 * unit
        size, lines = pen.fit(face.title, inner.width, high, 8 * unit, 2.5, bold=True)
        height = len(lines) * size * 1.15 / POINTS
        top = inner.y + (inner.height - height) / (2 if sign is None else 1)
        if sign is not None:
            pen.draw_sign(sign, Box(inner.x, inner.y, inner.width, top - inner.y - 0.4 * unit), ink)
        pen.write_lines(lines, inner.x, top, inner.width, size, INK, bold=True, align="centre", leading=1.15)

    # ── backs ──

    def draw_back(self, piece: Piece, box: Box) -> None:
        """Draw the back of a piece. A token of which nothing is said has its face there, too."""
        if piece.form == "token" and piece.face.look.back is None:
            self.draw_face(piece, box)
            return
        pen, sign = self.pen, piece.face.look.back
        unit = box.width / WIDTH
        pen.draw_box(box, fill=BACK)
        if sign is not None and sign.form == "file" and pen.draw_picture(sign.said, box, cover=True):
            return
        frame = box.inset(min(4.5 * unit, box.width / 10))
        with pen.within(frame, 2 * unit):
            step = max(2.6 * unit, 1.6)
            reach = frame.width + frame.height
            for way in (1, -1):
                for number in range(int(reach / step) + 1):
                    x = frame.x + number * step if way > 0 else frame.x + frame.width - number * step
                    pen.draw_line(
                        x, frame.y, x - way * frame.height, frame.y + frame.height, (0.29, 0.39, 0.5), 0.25 * unit
                    )
        pen.draw_box(frame, stroke=LIGHT, line=0.4 * unit, round=2 * unit)
        side = min(box.width, box.height) * 0.42
        disc = Box(box.x + (box.width - side) / 2, box.y + (box.height - side) / 2, side, side)
        if sign is not None and sign.form != "file":
            pen.draw_box(disc, fill=BACK, stroke=LIGHT, line=0.4 * unit, round=side / 2)
            pen.draw_sign(sign, disc.inset(side * 0.24), LIGHT)
            return
        width = frame.width - 8 * unit
        size, lines = pen.fit(self.game, width, frame.height / 3, 17 * unit, _LEAST * unit, bold=True)
        height = len(lines) * size * 1.25 / POINTS
        plate = Box(
            box.x + 6 * unit, box.y + (box.height - height) / 2 - 3 * unit, box.width - 12 * unit, height + 6 * unit
        )
        pen.draw_box(plate, fill=BACK, stroke=LIGHT, line=0.4 * unit, round=2 * unit)
        pen.write_lines(lines, plate.x, plate.y + 3 * unit, plate.width, size, LIGHT, bold=True, align="centre")


def _high(sign: Sign, width: float) -> float:
    """The height of a sign in a corner."""
    return width * (0.86 if sign.form == "letters" else 0.78)
