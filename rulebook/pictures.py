"""Pictures in the folder of a game, which may come from strangers: PNG, JPEG, and SVG that holds shapes alone.

Nothing is decoded here. A picture is known by its first bytes, lies in the folder when all links are followed, and is
small; an SVG is read as XML, and refused for whatever could start, load or say anything.
"""

from __future__ import annotations

import re
import struct
from collections.abc import Iterable
from errno import EFBIG
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from attrs import field

from rulebook.classes import frozen
from rulebook.files import read_bytes
from rulebook.library import is_below

if TYPE_CHECKING:
    from xml.etree.ElementTree import Element

MOST_BYTES = 2_000_000
MOST_PICTURES = 400
MOST_TOGETHER = 50_000_000
"""The most bytes of all pictures of a game."""
MOST_PIXELS = 4096
"""The most of a side."""
MOST_UNITS = 100_000
"""The same of an SVG, which has no pixels."""
MOST_SVG = 500_000
MOST_SHAPES = 5_000
DEEPEST = 50
"""Groups of shapes within groups."""
ENDINGS = "`.png`, `.jpg`, `.jpeg` or `.svg`"
SVG = "{http://www.w3.org/2000/svg}"

Format = Literal["png", "jpeg", "svg"]

_NAMED = re.compile(r".*\.(png|jpe?g|svg|gif|webp|bmp|tiff?|pdf|ai|psd)", re.IGNORECASE)
_KNOWN = re.compile(r".*\.(png|jpe?g|svg)", re.IGNORECASE)
_DRAWN = frozenset(
    {"svg", "g", "path", "rect", "circle", "ellipse", "line", "polyline", "polygon", "defs", "linearGradient",
     "radialGradient", "stop"}
)  # fmt: skip
_SILENT = frozenset({"title", "desc", "metadata"})
"""Elements that draw nothing, with all that is in them."""
_LOADED = re.compile(r"url\s*\((?!\s*['\"]?#)|@import|expression\s*\(|javascript:|data:", re.IGNORECASE)
_DECLARED = re.compile(rb"<!\s*(?:DOCTYPE|ENTITY)", re.IGNORECASE)


class BadPicture(ValueError):
    """The text says what is wrong with a picture, behind “the picture cannot be used:”."""


@frozen
class Picture:
    """A picture that may be shown: its path in the folder, its format, its bytes, and its size in pixels (of an SVG, in
    its own units).
    """

    name: str
    format: Format
    data: bytes = field(repr=False)
    width: float
    height: float

    @cached_property
    def hash(self) -> str:
        """A name for these bytes."""
        from hashlib import blake2b

        return blake2b(self.data, digest_size=16).hexdigest()


def is_picture_name(text: str) -> bool:
    """Tell whether a text is meant as a path to a picture."""
    return "/" in text or "\\" in text or _NAMED.fullmatch(text) is not None


def find_path_fault(name: str) -> str:
    """Say why nothing in a game's folder can have this path; nothing if it can."""
    parts = name.split("/")
    if "\\" in name or ":" in name or not name.isprintable() or name.startswith(("/", "~")):
        return "it must be a path in this folder, with `/` between folders, such as `art/fox.png`"
    if any(part.strip() in ("", ".", "..") or part.startswith(".") for part in parts):
        return "it must lie in this folder, so its path leads down only, as in `art/fox.png`"
    return "" if _KNOWN.fullmatch(name) else f"its name must end in {ENDINGS}"


def read_picture(folder: Path, name: str) -> Picture:
    """Read a picture of a game. Raises BadPicture."""
    fault = find_path_fault(name)
    if fault:
        raise BadPicture(fault)
    path = folder / name
    if not is_below(path, folder):
        raise BadPicture("it leads out of the game's folder")
    try:
        if not path.is_file():
            raise BadPicture("there is no such file")
        data = read_bytes(path, MOST_BYTES)
    except OSError as error:
        if error.errno == EFBIG:
            raise BadPicture(f"it has more than {MOST_BYTES // 1_000_000} MB; save it smaller") from None
        raise BadPicture(f"it cannot be read ({error.strerror or error})") from None
    return inspect_picture(name, data)


def read_pictures(folder: Path, names: Iterable[str]) -> tuple[dict[str, Picture], dict[str, str]]:
    """Read the pictures of a game, as many as one may have: those that can be used, and what is wrong with others."""
    pictures, problems, taken = dict[str, Picture](), dict[str, str](), 0
    for name in dict.fromkeys(names):
        try:
            if len(pictures) >= MOST_PICTURES:
                raise BadPicture(f"a game has {MOST_PICTURES} pictures at most")
            picture = read_picture(folder, name)
            taken += len(picture.data)
            if taken > MOST_TOGETHER:
                raise BadPicture(f"the pictures of a game have {MOST_TOGETHER // 1_000_000} MB together at most")
            pictures[name] = picture
        except BadPicture as bad:
            problems[name] = str(bad)
    return pictures, problems


def inspect_picture(name: str, data: bytes) -> Picture:
    """Say what picture these bytes are. Raises BadPicture."""
    form: Format
    if data.startswith(b"\x89PNG\r\n\x1a\n"):
        form, (width, height) = "png", _measure_png(data)
    elif data.startswith(b"\xff\xd8\xff"):
        form, (width, height) = "jpeg", _measure_jpeg(data)
    elif data.lstrip(b"\xef\xbb\xbf \t\r\n").startswith(b"<"):
        form, (width, height) = "svg", measure_svg(read_svg(data))
    else:
        raise BadPicture("by its first bytes it is no PNG, no JPEG and no SVG, whatever its name says")
    most = MOST_UNITS if form == "svg" else MOST_PIXELS
    if not 1 <= width <= most or not 1 <= height <= most:
        raise BadPicture(f"its sides must be from 1 to {most:,} pixels; they are {width:g} and {height:g}")
    return Picture(name, form, data, width, height)


def _measure_png(data: bytes) -> tuple[float, float]:
    if data[12:16] != b"IHDR" or len(data) < 33:
        raise BadPicture("it breaks off at its beginning")
    width, height = struct.unpack(">II", data[16:24])
    return float(width), float(height)


def _measure_jpeg(data: bytes) -> tuple[float, float]:
    at = 2
    while at + 9 < len(data) and data[at] == 0xFF:
        marker, length = data[at + 1], int.from_bytes(data[at + 2 : at + 4], "big")
        if marker in range(0xC0, 0xD0) and marker not in (0xC4, 0xC8, 0xCC):
            height, width = struct.unpack(">HH", data[at + 5 : at + 9])
            return float(width), float(height)
        at += 2 + length if marker != 0xFF else 1
    raise BadPicture("it breaks off before its size")


def read_svg(data: bytes) -> Element:
    """Parse an SVG that holds shapes alone. Raises BadPicture for anything else in it."""
    # Of games, few have pictures, and fewer are checked.
    from xml.etree import ElementTree

    if len(data) > MOST_SVG:
        raise BadPicture(f"it has more than {MOST_SVG // 1000} kB; save it simpler, or as PNG")
    if _DECLARED.search(data) or b"\0" in data:
        raise BadPicture("it has a `<!DOCTYPE` or is not in UTF-8; save it as a plain SVG")
    try:
        root = ElementTree.fromstring(data.decode("utf-8-sig"))
    except (ElementTree.ParseError, UnicodeDecodeError, ValueError) as error:
        raise BadPicture(f"it is no XML that can be read ({error})") from None
    if root.tag != f"{SVG}svg":
        raise BadPicture('it does not begin with `<svg xmlns="http://www.w3.org/2000/svg"`')
    left = [(root, 1)]
    for number in range(MOST_SHAPES + 1):
        if not left:
            return root
        one, depth = left.pop()
        if number == MOST_SHAPES or depth > DEEPEST:
            raise BadPicture(f"it has more than {MOST_SHAPES:,} shapes, or too many within each other; save it as PNG")
        _check_element(one)
        left += [(child, depth + 1) for child in one if is_shape(child)]
    return root


def is_shape(element: Element) -> bool:
    """Tell whether an element is part of the picture, and no remark of a program."""
    return str(element.tag).startswith(SVG) and element.tag.removeprefix(SVG) not in _SILENT


def _check_element(one: Element) -> None:
    tag = one.tag.removeprefix(SVG)
    if tag not in _DRAWN:
        raise BadPicture(f"it has a `<{tag}>`, and only shapes are drawn; turn it into paths, or save it as PNG")
    for name, value in one.attrib.items():
        plain = name.rpartition("}")[2].lower()
        if plain.startswith("on"):
            raise BadPicture(f"it has a script (`{plain}`)")
        if (plain in ("href", "src") and not value.strip().startswith("#")) or _LOADED.search(value):
            raise BadPicture(f"it takes something from elsewhere (`{plain}`)")


def measure_svg(root: Element) -> tuple[float, float]:
    """The width and height of an SVG in its own units: of its `viewBox`, or as it says."""
    box = find_view_box(root)
    return box[2], box[3]


def find_view_box(root: Element) -> tuple[float, float, float, float]:
    """The part of the plane that an SVG shows: left, top, width, height. Raises BadPicture."""
    try:
        left, top, width, height = (float(part) for part in re.split(r"[\s,]+", root.get("viewBox", "").strip()))
    except ValueError:
        sides = [re.match(r"\s*([0-9]+(?:\.[0-9]+)?)", root.get(side, "")) for side in ("width", "height")]
        if None in sides:
            raise BadPicture("it has no `viewBox`, so nobody knows how large it is") from None
        left, top = 0.0, 0.0
        width, height = (float(side[1]) for side in sides if side is not None)
    return left, top, width, height
