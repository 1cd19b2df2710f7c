"""Source maps of YAML scalars: from a character of the text back to its place in the file.

The text is decoded again, character by character, remembering where each one came from; if the result differs from
YAML's own, there is no map, so a message may point at the whole scalar but never at the wrong letter.
"""

import re
from collections.abc import Iterator, Sequence
from typing import Literal, TypeAlias

from rulebook.classes import frozen

Style: TypeAlias = Literal["plain", "single", "double", "literal", "folded", "cell"]
"""As YAML has them; a `cell` of a spreadsheet holds quotes, each written twice, or a line break of two characters."""

_HEADER = re.compile(r"[|>](?:([+-])([1-9])?|([1-9])([+-])?)?[ \t]*(?:#[^\r\n]*)?(\r\n|\n|\r)?")
_INDENT = re.compile(r" *")
_LETTERS = {
    "0": "\0", "a": "\a", "b": "\b", "t": "\t", "\t": "\t", "n": "\n", "v": "\v", "f": "\f", "r": "\r",
    "e": "\x1b", " ": " ", '"': '"', "\\": "\\", "/": "/", "N": "\x85", "_": "\xa0", "L": "\u2028",
    "P": "\u2029",
}  # fmt: skip
_HEX_DIGITS = {"x": 2, "u": 4, "U": 8}


@frozen
class SourceMap:
    """The place of each character of a text in its raw text: from `starts[i]` up to `ends[i]`.

    `empty` is the place of an empty text.
    """

    starts: Sequence[int]
    ends: Sequence[int]
    empty: int

    def find_raw_range(self, start: int, end: int) -> tuple[int, int]:
        """The raw start and end of `text[start:end]`; numbers outside the text mean its nearest end."""
        size = len(self.starts)
        start = min(max(start, 0), size)
        end = min(max(end, 0), size)
        if start < end:
            return self.starts[start], self.ends[end - 1]
        if start < size:
            return self.starts[start], self.starts[start]
        at = self.ends[-1] if size else self.empty
        return at, at


def make_source_map(raw: str, style: Style, text: str) -> SourceMap | None:
    """The map of a scalar, or None if decoding `raw` again does not give `text`."""
    if style == "plain" and raw == text:
        return SourceMap(range(len(text)), range(1, len(text) + 1), 0)
    for decoded in _readings(raw, style):
        if decoded.join_text() == text:
            return SourceMap(decoded.starts, decoded.ends, decoded.empty)
    return None


def unfold(raw: str) -> str:
    """The text that YAML makes of a raw plain scalar, for one that is put together again from its pieces."""
    return _decode_flow(raw, 0, len(raw)).join_text()


class _Decoded:
    """The characters read so far, each with its raw start and end."""

    __slots__ = ("chars", "empty", "ends", "starts")

    def __init__(self, empty: int) -> None:
        self.chars: list[str] = []
        self.starts: list[int] = []
        self.ends: list[int] = []
        self.empty = empty

    def add_char(self, char: str, start: int, end: int) -> None:
        self.chars.append(char)
        self.starts.append(start)
        self.ends.append(end)

    def copy_range(self, raw: str, start: int, end: int) -> None:
        """Take over characters that stand for themselves."""
        self.chars.extend(raw[start:end])
        self.starts.extend(range(start, end))
        self.ends.extend(range(start + 1, end + 1))

    def join_text(self) -> str:
        return "".join(self.chars)


def _readings(raw: str, style: Style) -> Iterator[_Decoded]:
    """The ways to decode a raw text: one, or several for a block that states its indentation."""
    match style:
        case "plain":
            yield _decode_flow(raw, 0, len(raw))
        case "single":
            yield _decode_flow(raw, 1, len(raw) - 1, "''")
        case "double":
            yield _decode_double(raw)
        case "cell":
            yield _decode_cell(raw)
        case "literal" | "folded":
            yield from _decode_blocks(raw, style == "folded")


def _break_size(raw: str, at: int) -> int:
    """Return the length of the line break at this place; 0 if there is none."""
    if raw.startswith("\r\n", at):
        return 2
    return 1 if raw[at : at + 1] in ("\n", "\r") else 0


def _blanks(raw: str, at: int, end: int) -> int:
    """Return the end of the spaces and tabs that start here."""
    while at < end and raw[at] in " \t":
        at += 1
    return at


def _fold(out: _Decoded, raw: str, at: int, end: int, joined: bool = False) -> int:
    """Read the white space at this place, and say where it ends.

    Within a line it stands for itself. Around one line break it is one space; n line breaks are n - 1 of
    them. `joined` says that the first break was escaped, so that it gives nothing.
    """
    stop = _blanks(raw, at, end)
    if not _break_size(raw, stop) or stop >= end:
        out.copy_range(raw, at, stop)
        return stop
    breaks: list[tuple[int, int]] = []
    while stop < end and (size := _break_size(raw, stop)):
        breaks.append((stop, stop + size))
        stop = _blanks(raw, stop + size, end)
    if len(breaks) == 1 and not joined:
        out.add_char(" ", *breaks[0])
    for start, after in breaks[1:]:
        out.add_char("\n", start, after)
    return stop


def _decode_flow(raw: str, at: int, end: int, quote: str = "") -> _Decoded:
    """Decode a text that stands for itself, but for line breaks, and for two quotes that are one."""
    out = _Decoded(at)
    while at < end:
        if raw[at] in " \t\r\n":
            at = _fold(out, raw, at, end)
            continue
        size = 2 if quote and raw.startswith(quote, at) else 1
        out.add_char(raw[at], at, at + size)
        at += size
    return out


def _decode_cell(raw: str) -> _Decoded:
    out = _Decoded(0)
    at = 0
    while at < len(raw):
        size = 2 if raw.startswith('""', at) else max(_break_size(raw, at), 1)
        out.add_char("\n" if raw[at] in "\r\n" else raw[at], at, at + size)
        at += size
    return out


def _decode_double(raw: str) -> _Decoded:
    out = _Decoded(1)
    at, end = 1, len(raw) - 1
    while at < end:
        if raw[at] in " \t\r\n":
            at = _fold(out, raw, at, end)
        elif raw[at] != "\\":
            out.add_char(raw[at], at, at + 1)
            at += 1
        elif _break_size(raw, at + 1):
            at = _fold(out, raw, at + 1, end, joined=True)
        else:
            letter = raw[at + 1 : at + 2]
            size = 2 + _HEX_DIGITS.get(letter, 0)
            out.add_char(_unescape(letter, raw[at + 2 : at + size]), at, at + size)
            at += size
    return out


def _unescape(letter: str, digits: str) -> str:
    if letter not in _HEX_DIGITS:
        return _LETTERS.get(letter, "")  # what YAML does not know, it has refused already
    try:
        return chr(int(digits, 16))
    except (OverflowError, ValueError):
        return ""


def _decode_blocks(raw: str, folded: bool) -> Iterator[_Decoded]:
    header = _HEADER.match(raw)
    if header is None:
        return
    chomp = header[1] or header[4] or ""
    body = header.end()
    if not (header[2] or header[3]):
        yield _decode_block(raw, body, _guess_indent(raw, body), chomp, folded)
        return
    # A stated indentation counts from that of the parent, which is not known here: try what the lines allow.
    indents = (_INDENT.match(line) for line in re.split(r"[\r\n]+", raw[body:]))
    widest = max((len(indent[0]) for indent in indents if indent), default=0)
    for indent in range(1, widest + 1):
        yield _decode_block(raw, body, indent, chomp, folded)
    yield _decode_block(raw, body, widest + 1, chomp, folded)


def _guess_indent(raw: str, body: int) -> int:
    """Guess the indentation of the first line that is not blank, or of a longer blank line before it."""
    widest, at = 0, body
    while True:
        stop = at
        while stop < len(raw) and raw[stop] == " ":
            stop += 1
        widest = max(widest, stop - at)
        size = _break_size(raw, stop)
        if not size:
            return max(widest, 1)
        at = stop + size


def _decode_block(raw: str, body: int, indent: int, chomp: str, folded: bool) -> _Decoded:
    """Decode a block's lines as YAML scanners do: line breaks wait until the next line is seen."""
    out = _Decoded(body)
    pending, at, column = _pending(raw, body, indent)
    last: tuple[int, int] | None = None
    while column == indent and at < len(raw):
        for start, after in pending:
            out.add_char("\n", start, after)
        indented = raw[at] in " \t"
        stop = at
        while stop < len(raw) and raw[stop] not in "\r\n":
            stop += 1
        out.copy_range(raw, at, stop)
        size = _break_size(raw, stop)
        last = (stop, stop + size) if size else None
        pending, at, column = _pending(raw, stop + size, indent)
        if column != indent or at >= len(raw):
            break
        if last is None:
            continue
        if not folded or indented or raw[at] in " \t":
            out.add_char("\n", *last)
        elif not pending:
            out.add_char(" ", *last)
        last = None
    if chomp != "-" and last is not None:
        out.add_char("\n", *last)
    if chomp == "+":
        for start, after in pending:
            out.add_char("\n", start, after)
    return out


def _pending(raw: str, at: int, indent: int) -> tuple[list[tuple[int, int]], int, int]:
    """The line breaks of the blank lines here, then the place and the column of the next line's text."""
    breaks: list[tuple[int, int]] = []
    while True:
        column = 0
        while column < indent and at < len(raw) and raw[at] == " ":
            at += 1
            column += 1
        size = _break_size(raw, at)
        if not size:
            return breaks, at, column
        breaks.append((at, at + size))
        at += size
