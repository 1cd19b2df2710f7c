"""Fonts that have the letters which are used: the one that comes with reportlab, then those of this computer."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any

from attrs import define, field

_PREFERRED = ("DejaVuSans", "NotoSans-", "NotoSans", "LiberationSans", "Arial", "Segoe", "Noto", "")
"""Beginnings of the names of files, those first in which a sign looks like its neighbours."""
_IGNORED = frozenset("\ufe0e\ufe0f\u200b\u200c\u200d\u2060\ufeff\u00ad")
"""Letters that nobody sees."""
_BLANKS = {"\u00a0": " ", "\u202f": " ", "\u2009": " ", "\u2007": " ", "\t": " "}


class NoFont(ValueError):
    """No font here has these letters, or a file is no font; the text says so."""


@define
class Typeface:
    """Fonts in the order in which they are asked for a letter; names are those by which a canvas knows them."""

    regular: list[str]
    bold: list[str]
    _letters: dict[str, frozenset[int]] = field(factory=dict, repr=False)
    _widths: dict[tuple[str, bool], float] = field(factory=dict, repr=False)

    def split(self, text: str, bold: bool = False) -> Iterator[tuple[str, str]]:
        """Split a line into runs, each with the font that has its letters. Raises NoFont."""
        run, used = "", ""
        for letter in clean(text):
            font = self._find_font(letter, bold)
            if font != used and run:
                yield used, run
                run = ""
            run, used = run + letter, font
        if run:
            yield used, run

    def _find_font(self, letter: str, bold: bool) -> str:
        for name in (*self.bold, *self.regular) if bold else (*self.regular, *self.bold):
            if ord(letter) in self._letters[name]:
                return name
        raise NoFont(word_missing([letter]))

    def measure(self, text: str, size: float, bold: bool = False) -> float:
        """The width of a line, in points as its size is."""
        return size * sum(self._measure_letter(letter, bold) for letter in clean(text))

    def _measure_letter(self, letter: str, bold: bool) -> float:
        if (letter, bold) not in self._widths:
            from reportlab.pdfbase.pdfmetrics import stringWidth

            self._widths[letter, bold] = float(stringWidth(letter, self._find_font(letter, bold), 1))
        return self._widths[letter, bold]

    def _add_font(self, name: str, face: Any, bold: bool) -> None:
        self._letters[name] = frozenset(face.charToGlyph)
        (self.bold if bold else self.regular).append(name)


def clean(text: str) -> str:
    """Leave out letters that nobody sees, and turn odd blanks into usual ones."""
    return "".join(_BLANKS.get(letter, letter) for letter in text if letter not in _IGNORED)


def find_typeface(texts: Iterable[str], wanted: Sequence[Path] = ()) -> Typeface:
    """Find fonts for all these texts; the files that are `wanted` come first. Raises NoFont."""
    import reportlab
    from reportlab.pdfbase import pdfmetrics
    from reportlab.pdfbase.ttfonts import TTFError, TTFont

    def register(name: str, path: Path, bold: bool) -> bool:
        try:
            font = TTFont(name, str(path))
        except (TTFError, OSError, ValueError, KeyError, IndexError):
            return False
        pdfmetrics.registerFont(font)
        typeface._add_font(name, font.face, bold)
        return True

    typeface = Typeface([], [])
    missing = {letter for text in texts for letter in clean(text)}
    for number, path in enumerate(wanted):
        if not register(f"rulebook-own-{number}-{path.stem}", path, "bold" in path.stem.lower()):
            raise NoFont(f"{path} is no TrueType font that can be read.")
    folder = Path(reportlab.__file__).parent / "fonts"
    for file, bold in (("Vera.ttf", False), ("VeraBd.ttf", True)):
        register(f"rulebook-{file}", folder / file, bold)
    missing = _without_known(missing, typeface)
    for path in _list_system_fonts() if missing else ():
        name = f"rulebook-found-{path.stem}"
        try:
            found = TTFont(name, str(path))
        except (TTFError, OSError, ValueError, KeyError, IndexError):
            continue
        if any(ord(letter) in found.face.charToGlyph for letter in missing):
            pdfmetrics.registerFont(found)
            typeface._add_font(name, found.face, False)
            for beside in (path.stem.removesuffix("-Regular") + ending for ending in ("-Bold", "bd", " Bold")):
                if path.with_stem(beside).is_file():
                    register(f"{name}-bold", path.with_stem(beside), True)
            missing = _without_known(missing, typeface)
        if not missing:
            break
    if missing:
        raise NoFont(word_missing(sorted(missing)))
    return typeface


def _without_known(letters: set[str], typeface: Typeface) -> set[str]:
    known = set().union(*typeface._letters.values())
    return {letter for letter in letters if ord(letter) not in known and letter != "\n"}


def word_missing(letters: Sequence[str]) -> str:
    shown = ", ".join(f"{letter} (U+{ord(letter):04X})" for letter in letters[:8])
    more = f" and {len(letters) - 8} more" if len(letters) > 8 else ""
    return f"No font here has {shown}{more}. Install one that does, or name its file: --font FILE.ttf."


def _list_system_fonts() -> list[Path]:
    """The TrueType fonts of this computer, those first that go with others; of each only the upright usual one."""
    home = Path.home()
    folders = [Path("/usr/share/fonts"), Path("/usr/local/share/fonts"), home / ".fonts", home / ".local/share/fonts"]
    if sys.platform == "darwin":
        folders = [Path("/System/Library/Fonts"), Path("/Library/Fonts"), home / "Library/Fonts"]
    elif sys.platform == "win32":
        folders = [Path(os.environ.get("WINDIR", r"C:\Windows"), "Fonts")]
    files = [file for folder in folders if folder.is_dir() for file in folder.rglob("*.[tT][tT][fFcC]")]
    odd = ("Bold", "Italic", "Oblique", "Light", "Mono", "Condensed", "Black", "Thin", "Emoji")

    def rank(file: Path) -> tuple[int, bool, str]:
        first = next(place for place, name in enumerate(_PREFERRED) if file.stem.startswith(name))
        return first, any(word in file.stem for word in odd), file.name

    return sorted(files, key=rank)
