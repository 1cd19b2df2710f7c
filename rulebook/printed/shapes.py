"""Shapes of SVG drawn on a page: the paths of glyphs, and pictures that `pictures` has looked into."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Mapping
from functools import cache
from typing import Any

from attrs import define, field

from rulebook.pictures import SVG, Picture, find_view_box, is_shape, read_svg

Matrix = tuple[float, float, float, float, float, float]
Step = tuple[str, tuple[float, ...]]
"""`M x y`, `L x y`, `C x y x y x y` or `Z`, all from the origin."""

_NUMBER = re.compile(r"[\s,]*([-+]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][-+]?[0-9]+)?)")
_FLAG = re.compile(r"[\s,]*([01])")
_COMMAND = re.compile(r"[\s,]*([MmLlHhVvCcSsQqTtAaZz])")
_COUNTS = {"m": 2, "l": 2, "h": 1, "v": 1, "c": 6, "s": 4, "q": 4, "t": 2, "a": 7, "z": 0}
_TRANSFORM = re.compile(r"(matrix|translate|scale|rotate|skewX|skewY)\s*\(([^)]*)\)")
_FARTHEST = 1e6
_CIRCLE = 0.5522847498
"""The distance of the handles of a quarter of a circle from its ends, by its radius."""


@cache
def read_path(text: str) -> tuple[Step, ...]:
    """Read the `d` of a path; as in browsers, what cannot be read ends it."""
    return tuple(_read_steps(text))


def _read_steps(text: str) -> Iterator[Step]:
    at, command = 0, ""
    here = start = handle = (0.0, 0.0)
    before = ""
    while True:
        found = _COMMAND.match(text, at)
        if found:
            command, at = found[1], found.end()
        elif command in ("", "z", "Z"):
            return
        numbers: list[float] = []
        kind = command.lower()
        for place in range(_COUNTS[kind]):
            number = (_FLAG if kind == "a" and place in (3, 4) else _NUMBER).match(text, at)
            if number is None:
                return
            numbers.append(_bounded(number[1]))
            at = number.end()
        dx, dy = here if command.islower() else (0.0, 0.0)
        if kind == "z":
            yield "Z", ()
            here = handle = start
        elif kind == "a":
            goal = (numbers[5] + dx, numbers[6] + dy)
            yield from _turn_arc(here, goal, numbers)
            here = handle = goal
        else:
            if kind == "h":
                points = [(numbers[0] + dx, here[1])]
            elif kind == "v":
                points = [(here[0], numbers[0] + dy)]
            else:
                points = [(x + dx, y + dy) for x, y in zip(numbers[::2], numbers[1::2], strict=True)]
            mirrored = (2 * here[0] - handle[0], 2 * here[1] - handle[1])
            if kind == "s":
                points.insert(0, mirrored if before in ("c", "s") else here)
            if kind == "t":
                points.insert(0, mirrored if before in ("q", "t") else here)
            if kind in ("c", "s"):
                yield "C", (*points[0], *points[1], *points[2])
                handle = points[1]
            elif kind in ("q", "t"):
                handle, goal = points
                yield "C", (*_toward(here, handle), *_toward(goal, handle), *goal)
            else:
                yield ("M" if kind == "m" else "L"), points[0]
                handle = points[-1]
            here = points[-1]
            if kind == "m":
                start, command = here, "l" if command == "m" else "L"
        before = kind


def _toward(end: tuple[float, float], handle: tuple[float, float]) -> tuple[float, float]:
    return end[0] + (handle[0] - end[0]) * 2 / 3, end[1] + (handle[1] - end[1]) * 2 / 3


def _turn_arc(here: tuple[float, float], goal: tuple[float, float], arc: list[float]) -> Iterator[Step]:
    """Turn an arc of an ellipse into curves of a quarter at most, as SVG 1.1 (F.6) has it."""
    rx, ry, turn = abs(arc[0]), abs(arc[1]), math.radians(arc[2])
    if not rx or not ry or here == goal:
        yield "L", goal
        return
    cos, sin = math.cos(turn), math.sin(turn)
    hx, hy = (here[0] - goal[0]) / 2, (here[1] - goal[1]) / 2
    x, y = cos * hx + sin * hy, -sin * hx + cos * hy
    grown = math.sqrt(max(1.0, (x / rx) ** 2 + (y / ry) ** 2))
    rx, ry = rx * grown, ry * grown
    square = (rx * ry) ** 2 - (rx * y) ** 2 - (ry * x) ** 2
    far = math.sqrt(max(0.0, square / ((rx * y) ** 2 + (ry * x) ** 2))) * (-1 if arc[3] == arc[4] else 1)
    cx, cy = far * rx * y / ry, -far * ry * x / rx
    first = math.atan2((y - cy) / ry, (x - cx) / rx)
    sweep = math.atan2((-y - cy) / ry, (-x - cx) / rx) - first
    sweep += 2 * math.pi * ((sweep < 0 and arc[4] == 1) - (sweep > 0 and arc[4] == 0))
    middle = ((here[0] + goal[0]) / 2 + cos * cx - sin * cy, (here[1] + goal[1]) / 2 + sin * cx + cos * cy)
    pieces = max(1, math.ceil(abs(sweep) / (math.pi / 2) - 1e-9))
    handle = 4 / 3 * math.tan(sweep / pieces / 4)

    def place(u: float, v: float) -> tuple[float, float]:
        return middle[0] + cos * rx * u - sin * ry * v, middle[1] + sin * rx * u + cos * ry * v

    for piece in range(pieces):
        a, b = first + sweep * piece / pieces, first + sweep * (piece + 1) / pieces
        one = place(math.cos(a) - handle * math.sin(a), math.sin(a) + handle * math.cos(a))
        two = place(math.cos(b) + handle * math.sin(b), math.sin(b) - handle * math.cos(b))
        yield "C", (*one, *two, *place(math.cos(b), math.sin(b)))


def make_path(canvas: Any, steps: tuple[Step, ...] | list[Step]) -> Any:
    """Make a path of a canvas."""
    path, is_open = canvas.beginPath(), False
    for kind, numbers in steps:
        if kind == "M":
            path.moveTo(*numbers)
            is_open = True
        elif not is_open:
            continue
        elif kind == "L":
            path.lineTo(*numbers)
        elif kind == "C":
            path.curveTo(*numbers)
        else:
            path.close()
    return path


# ── pictures ─────────────────────────────────────────────────────────────────────────────────────────────────────────

_INHERITED = {
    "fill": "black", "stroke": "none", "stroke-width": "1", "fill-rule": "nonzero", "stroke-linecap": "butt",
    "stroke-linejoin": "miter", "fill-opacity": "1", "stroke-opacity": "1", "color": "black",
}  # fmt: skip
_CAPS = {"butt": 0, "round": 1, "square": 2}
_JOINS = {"miter": 0, "round": 1, "bevel": 2}


def draw_svg(canvas: Any, picture: Picture) -> None:
    """Draw an SVG picture on a canvas whose units are those of the picture, y running down, from its corner."""
    root = read_svg(picture.data)
    left, top, _, _ = find_view_box(root)
    gradients = {one.get("id", ""): one for one in root.iter() if one.tag.endswith("Gradient")}
    canvas.saveState()
    canvas.translate(-left, -top)
    _Artist(canvas, gradients).draw(root, _INHERITED, 1.0)
    canvas.restoreState()


@define
class _Artist:
    """Draws the elements of one picture. `gradients` go by id."""

    canvas: Any
    gradients: Mapping[str, Any] = field(repr=False)

    def draw(self, element: Any, above: Mapping[str, str], opacity: float) -> None:
        tag = element.tag.removeprefix(SVG)
        style = _find_style(element, above)
        if tag in ("defs", "linearGradient", "radialGradient", "stop") or style.get("display") == "none":
            return
        opacity *= _share(style.pop("opacity", "1"))
        self.canvas.saveState()
        for matrix in read_transform(element.get("transform", "")):
            self.canvas.transform(*matrix)
        if tag in ("svg", "g"):
            for child in element:
                if is_shape(child):
                    self.draw(child, style, opacity)
        elif style.get("visibility") != "hidden":
            self._fill_and_stroke(list_steps(tag, element), style, opacity)
        self.canvas.restoreState()

    def _fill_and_stroke(self, steps: tuple[Step, ...], style: Mapping[str, str], opacity: float) -> None:
        if not any(numbers for _, numbers in steps):
            return
        canvas, width = self.canvas, _number(style["stroke-width"], 1.0)
        rule = 0 if style["fill-rule"] == "evenodd" else 1
        gradient = self.gradients.get(style["fill"].strip()[5:].rstrip(")'\" ")) if "url(#" in style["fill"] else None
        fill = None if gradient is not None else read_colour(style["fill"], style["color"])
        stroke = read_colour(style["stroke"], style["color"]) if width > 0 else None
        if gradient is not None:
            canvas.saveState()
            canvas.clipPath(make_path(canvas, steps), stroke=0, fill=0, fillMode=rule)
            canvas.setFillAlpha(opacity * _share(style["fill-opacity"]))
            self._shade(gradient, steps)
            canvas.restoreState()
        if fill is None and stroke is None:
            return
        if fill is not None:
            canvas.setFillColorRGB(*fill)
            canvas.setFillAlpha(opacity * _share(style["fill-opacity"]))
        if stroke is not None:
            canvas.setStrokeColorRGB(*stroke)
            canvas.setStrokeAlpha(opacity * _share(style["stroke-opacity"]))
            canvas.setLineWidth(width)
            canvas.setLineCap(_CAPS.get(style["stroke-linecap"], 0))
            canvas.setLineJoin(_JOINS.get(style["stroke-linejoin"], 0))
        canvas.drawPath(make_path(canvas, steps), stroke=stroke is not None, fill=fill is not None, fillMode=rule)

    def _shade(self, gradient: Any, steps: tuple[Step, ...]) -> None:
        """Fill what is clipped with a gradient."""
        canvas, given, seen = self.canvas, dict(gradient.attrib), {gradient.get("id")}
        stops, like = _list_stops(gradient), gradient
        while not stops or like is not gradient:
            # What is not said here says the one that it refers to.
            name = next((value for key, value in like.attrib.items() if key.endswith("href")), "#")[1:]
            if name in seen or name not in self.gradients:
                break
            like = self.gradients[name]
            seen.add(name)
            given = {**like.attrib, **given}
            stops = stops or _list_stops(like)
        colours, places = list[Any](), list[float]()
        for stop in stops:
            style = _find_style(stop, {})
            colours.append(_colour(read_colour(style.get("stop-color", "black"), "black") or (0, 0, 0)))
            places.append(max([_share(stop.get("offset", "0")), *places[-1:]]))
        if not colours:
            return
        if len(colours) == 1:
            colours, places = colours * 2, [0.0, 1.0]
        points = [point for _, numbers in steps for point in zip(numbers[::2], numbers[1::2], strict=True)]
        left, top = min(x for x, _ in points), min(y for _, y in points)
        right, bottom = max(x for x, _ in points), max(y for _, y in points)
        if given.get("gradientUnits") != "userSpaceOnUse":
            canvas.transform(right - left or 1e-6, 0, 0, bottom - top or 1e-6, left, top)
        for matrix in read_transform(given.get("gradientTransform", "")):
            canvas.transform(*matrix)
        if gradient.tag.endswith("linearGradient"):
            ends = [
                _number(given.get(name, usual), 0.0)
                for name, usual in zip(("x1", "y1", "x2", "y2"), "0010", strict=True)
            ]
            canvas.linearGradient(*ends, colours, places, extend=True)
        else:
            x, y, radius = (_number(given.get(name, "0.5"), 0.5) for name in ("cx", "cy", "r"))
            canvas.radialGradient(x, y, radius, colours, places, extend=True)


def _list_stops(gradient: Any) -> list[Any]:
    return [one for one in gradient if one.tag == f"{SVG}stop"]


def _colour(rgb: tuple[float, float, float]) -> Any:
    from reportlab.lib.colors import Color

    return Color(*rgb)


def _find_style(element: Any, above: Mapping[str, str]) -> dict[str, str]:
    """The style of an element: its attributes, and what its `style` says instead; else what holds around it."""
    said = dict(element.attrib)
    for one in element.get("style", "").split(";"):
        name, colon, value = one.partition(":")
        if colon:
            said[name.strip()] = value.strip()
    kept = (*_INHERITED, "opacity", "display", "visibility", "stop-color")
    own = {name: value for name, value in said.items() if name in kept and value.strip() != "inherit"}
    return {**{name: value for name, value in above.items() if name != "opacity"}, **own}


def read_colour(text: str, current: str) -> tuple[float, float, float] | None:
    """Read a colour of SVG; None for none, and for what nobody knows."""
    from reportlab.lib.colors import getAllNamedColors

    text = text.strip().lower()
    if text == "currentcolor":
        text = current.strip().lower()
    if re.fullmatch(r"#[0-9a-f]{3}", text):
        text = "#" + "".join(digit * 2 for digit in text[1:])
    if re.fullmatch(r"#[0-9a-f]{6}", text):
        return int(text[1:3], 16) / 255, int(text[3:5], 16) / 255, int(text[5:7], 16) / 255
    parts = re.findall(r"[-0-9.]+%?", text) if text.startswith("rgb") else []
    if len(parts) >= 3:
        red, green, blue = (_share(part if "%" in part else str(_number(part, 0.0) / 255)) for part in parts[:3])
        return red, green, blue
    named = getAllNamedColors().get(text)
    return None if named is None else (named.red, named.green, named.blue)


def _number(text: str, usual: float) -> float:
    found = _NUMBER.match(text)
    return usual if found is None else _bounded(found[1]) / (100 if text.strip().endswith("%") else 1)


def _share(text: str) -> float:
    """A number from 0 to 1; 1 if it is none."""
    return max(0.0, min(1.0, _number(text, 1.0)))


def _bounded(text: str) -> float:
    """A number that can be reckoned with, whatever somebody wrote."""
    return max(-_FARTHEST, min(_FARTHEST, float(text)))


def list_steps(tag: str, element: Any) -> tuple[Step, ...]:
    """The steps of a shape of any sort."""

    def read(name: str) -> float:
        return _number(element.get(name, "0"), 0.0)

    if tag == "path":
        return read_path(element.get("d", ""))
    if tag in ("polyline", "polygon"):
        numbers = [_bounded(one) for one in _NUMBER.findall(element.get("points", ""))]
        points = list(zip(numbers[::2], numbers[1::2], strict=False))
        steps: list[Step] = [("L" if number else "M", point) for number, point in enumerate(points)]
        return (*steps, *([("Z", ())] if tag == "polygon" and steps else []))
    if tag == "line":
        return ("M", (read("x1"), read("y1"))), ("L", (read("x2"), read("y2")))
    if tag in ("circle", "ellipse"):
        rx, ry = (read("r"), read("r")) if tag == "circle" else (read("rx"), read("ry"))
        return round_box(read("cx") - rx, read("cy") - ry, 2 * rx, 2 * ry, rx, ry)
    x, y, width, height = read("x"), read("y"), read("width"), read("height")
    rx, ry = read("rx") or read("ry"), read("ry") or read("rx")
    return round_box(x, y, width, height, min(rx, width / 2), min(ry, height / 2))


def round_box(x: float, y: float, width: float, height: float, rx: float, ry: float) -> tuple[Step, ...]:
    """A rectangle with round corners; none if it has no size."""
    if width <= 0 or height <= 0:
        return ()
    if not rx or not ry:
        corners = [(x + width, y), (x + width, y + height), (x, y + height)]
        return ("M", (x, y)), *(("L", corner) for corner in corners), ("Z", ())
    r, b, kx, ky = x + width, y + height, rx * (1 - _CIRCLE), ry * (1 - _CIRCLE)
    return (
        ("M", (x + rx, y)), ("L", (r - rx, y)), ("C", (r - kx, y, r, y + ky, r, y + ry)),
        ("L", (r, b - ry)), ("C", (r, b - ky, r - kx, b, r - rx, b)),
        ("L", (x + rx, b)), ("C", (x + kx, b, x, b - ky, x, b - ry)),
        ("L", (x, y + ry)), ("C", (x, y + ky, x + kx, y, x + rx, y)), ("Z", ()),
    )  # fmt: skip


def read_transform(text: str) -> list[Matrix]:
    """Read the `transform` of an element, outermost first."""
    return [
        _make_matrix(name, [_bounded(one) for one in _NUMBER.findall(inside)])
        for name, inside in _TRANSFORM.findall(text)
    ]


def _make_matrix(name: str, numbers: list[float]) -> Matrix:
    a, b, *_ = [*numbers, 0.0, 0.0]
    if name == "matrix" and len(numbers) == 6:
        return numbers[0], numbers[1], numbers[2], numbers[3], numbers[4], numbers[5]
    if name == "translate":
        return 1, 0, 0, 1, a, b
    if name == "scale":
        return a, 0, 0, b if len(numbers) > 1 else a, 0, 0
    if name == "rotate":
        cos, sin = math.cos(math.radians(a)), math.sin(math.radians(a))
        x, y = (numbers[1], numbers[2]) if len(numbers) == 3 else (0.0, 0.0)
        return cos, sin, -sin, cos, x - cos * x + sin * y, y - sin * x - cos * y
    if name in ("skewX", "skewY"):
        tan = math.tan(math.radians(a))
        return (1, 0, tan, 1, 0, 0) if name == "skewX" else (1, tan, 0, 1, 0, 0)
    return 1, 0, 0, 1, 0, 0
