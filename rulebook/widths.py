"""Widths of text in columns of a terminal: wide characters take two, marks and joiners none."""

import unicodedata


def width(text: str) -> int:
    """Return the number of columns that a text takes."""
    if text.isascii():
        return len(text)
    return sum(width_of(char) for char in text)


def width_of(char: str) -> int:
    """Return the number of columns that one character takes."""
    # Whatever else has no width is replaced before it is measured.
    if unicodedata.category(char) in ("Mn", "Me", "Cf"):
        return 0
    return 2 if unicodedata.east_asian_width(char) in ("W", "F") else 1
