"""Text in terminal columns: how wide it is, and how it is wrapped, padded and set side by side."""

from collections.abc import Iterable, Sequence

from rulebook.printing import visible
from rulebook.widths import width, width_of


def padded(text: str, columns: int) -> str:
    return text + " " * max(columns - width(text), 0)


def shortened(text: str, columns: int) -> str:
    """The text if it fits, else its beginning and an ellipsis."""
    if width(text) <= columns:
        return text
    kept = ""
    for char in text:
        if width(kept) + width_of(char) > columns - 1:
            break
        kept += char
    return kept + "…"


def crumbs(text: str, columns: int) -> str:
    """Cut the path of stages (`Harbour · Day 1 · Ana's turn`) to the width: what lies between the ends goes first."""
    first, *rest = text.split(" · ")
    for gone in range(len(rest)):
        line = " · ".join([first, *(["…"] if gone else []), *rest[gone:]])
        if width(line) <= columns:
            return line
    return shortened(text, columns)


def wrapped(text: str, columns: int, indent: str = "") -> list[str]:
    """The text in lines of so many columns at most; `indent` stands before every line but the first.

    A word that does not fit on any line is broken.
    """
    lines, line, filled = [], "", False
    for word in text.split():
        room = columns - width(line) - (1 if filled else 0)
        if filled and width(word) > room:
            lines.append(line)
            line, filled = indent, False
        elif filled:
            line += " "
        while width(line) + width(word) > columns and columns > width(line) + 1:
            head = shortened(word, columns - width(line) + 1)[:-1]
            if not head:
                break
            lines.append(line + head)
            line, word = indent, word[len(head) :]
        line, filled = line + word, True
    return [*lines, line] if filled or not lines else lines


def labelled(rows: Iterable[tuple[str, str]], columns: int, indent: str = "  ") -> list[str]:
    """Rows of a label and a text: the texts begin in one column, if that leaves them enough room.

    A row without a label goes on with the one above.
    """
    rows = list(rows)
    widest = max((width(label) for label, _ in rows), default=0)
    lines = []
    for label, text in rows:
        if len(indent) + widest + 2 <= columns // 2:
            start = indent + padded(label, widest) + "  "
            lines += _wrap_behind(start, text, columns, " " * width(start))
        else:
            lines += _wrap_behind(f"{indent}{label}: " if label else indent + "  ", text, columns, indent + "  ")
    return lines


def paired(rows: Iterable[tuple[str, str]], columns: int, indent: str = "  ") -> list[str]:
    """The same in less room: short rows that follow each other stand side by side, read downwards."""
    half = (columns - len(indent) - 3) // 2
    lines: list[str] = []
    short: list[str] = []
    for label, text in rows:
        if width(f"{label}: {text}") <= half:
            short.append(f"{label}: {text}")
            continue
        lines += [*abreast(short, columns, indent), *_wrap_behind(f"{indent}{label}: ", text, columns, indent + "  ")]
        short = []
    return lines + abreast(short, columns, indent)


def _wrap_behind(start: str, text: str, columns: int, indent: str) -> list[str]:
    first, *others = wrapped(text, columns - width(start)) if width(start) < columns else [text]
    if not others:
        return [(start + first).rstrip()]
    if width(start) == width(indent):
        return [start + first, *(indent + line for line in others)]
    rest = " ".join(others)
    return [start + first, *(indent + line for line in wrapped(rest, columns - width(indent)))]


def abreast(cells: Sequence[str], columns: int, indent: str = "  ") -> list[str]:
    """Short texts in as many columns as there is room for, read downwards."""
    widest = max((width(cell) for cell in cells), default=0)
    across = max((columns - width(indent) + 3) // (widest + 3), 1)
    rows = -(-len(cells) // across)
    lines = []
    for row in range(rows):
        line = "   ".join(padded(cell, widest) for cell in cells[row::rows])
        lines.append(indent + line.rstrip())
    return lines


def wrap_hanging(text: str, columns: int, indent: str) -> list[str]:
    """A sentence, and the lines that explain it, each wrapped below its indentation."""
    return [line for part in wrap_hanging_parts(text, columns, indent) for line in part]


def wrap_hanging_parts(text: str, columns: int, indent: str, bullet: str = "") -> list[list[str]]:
    """The same, the lines of each for themselves."""
    parts: list[list[str]] = []
    for number, part in enumerate(text.splitlines()):
        start = indent + " " * (len(part) - len(part.lstrip()))
        words = (bullet if number == 0 else "") + visible(part.strip())
        parts.append([start + line for line in wrapped(words, columns - len(start), "  ")])
    return parts
