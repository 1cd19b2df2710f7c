"""The one door through which text reaches a terminal, a pipe or a log.

Every character is replaced that a terminal would obey, that misleads whoever reads, or that the stream's encoding
lacks. Only what `control` and `paint` made passes unchanged: it stands between two marks that are drawn when the
program starts. A rulebook, a save or another program cannot know them, so nothing that is read can pass for one of
ours.
"""

from __future__ import annotations

import codecs
import json
import os
import re
import sys
import unicodedata
from collections.abc import Iterator
from contextlib import contextmanager
from math import isfinite
from typing import Any, TextIO, cast

REPLACEMENT = "\ufffd"

_SUSPECT = re.compile(
    "[\0-\x08\x0b-\x1f\x7f-\x9f\xad\u034f\u0600-\u0605\u061c\u06dd\u070f\u0890\u0891\u08e2\u115f\u1160\u17b4\u17b5"
    "\u180b-\u180f\u200b-\u200f\u2028-\u202e\u2060-\u206f\u2800\u3164\ud800-\udfff\ufe00-\ufe0f\ufeff\uffa0"
    "\ufff0-\ufffb\U000110bd\U000110cd\U00013430-\U0001343f\U0001bca0-\U0001bca3\U0001d173-\U0001d17a"
    "\U000e0000-\U000e0fff]"
)
"""Controls, changes of direction, line separators, lone surrogates, and characters that nobody sees."""
_FLAG = "\U0001f3f4"
_MARK = f"\x1b{os.urandom(8).hex()}"
_OURS = re.compile(rf"{_MARK}((?:\x1b\[[0-9;?]*[A-Za-z]|[\r\b ])*){_MARK}")
_CLOSEST = {
    "…": "...", "–": "-", "—": "-", "−": "-", "─": "-", "│": "|", "·": "-", "•": "*", "×": "x", "→": "->",
    "“": '"', "”": '"', "„": '"', "‘": "'", "’": "'",
}  # fmt: skip


# ── text that somebody else wrote ──


def clean(text: str) -> str:
    """Replace what a terminal would obey or what misleads; line breaks and tabs stay."""
    if _SUSPECT.search(text) is None:
        return text
    return "".join(_cells(text.replace("\r\n", "\n")))


def visible(text: str) -> str:
    """The same on one line, with a space for each tab and line break."""
    if text.isascii() and text.isprintable():
        return text
    return clean(text.translate({9: " ", 10: " ", 13: " "}))


def one_line(text: str) -> str:
    """A line that stays one, whatever stands in it: a name with a line break must not begin another."""
    return text.translate({10: " ", 13: " "})


def cells(line: str) -> list[str]:
    """Make each character of a line harmless by itself; a tab becomes four spaces."""
    return ["    " if char == "\t" else REPLACEMENT if char == "\n" else char for char in _cells(line)]


def _cells(text: str) -> Iterator[str]:
    before = ""
    for char, after in zip(text, text[1:] + " ", strict=False):
        before = char if _SUSPECT.match(char) is None or _is_shaping(before, char, after) else REPLACEMENT
        yield before


def _is_shaping(before: str, char: str, after: str) -> bool:
    """Tell whether a character without width belongs to the one that is seen before it."""
    if before in ("", REPLACEMENT):
        return False
    kind = unicodedata.category(before)
    if char in "\u200c\u200d":
        if _SUSPECT.match(after):
            return False
        if kind in ("So", "Sk") or before == "\ufe0f":
            return char == "\u200d" and unicodedata.category(after) in ("So", "Sm")
        # A sign that drops the vowel in Indian scripts; letters of scripts that are written joined.
        is_joined = unicodedata.bidirectional(before) == "AL" == unicodedata.bidirectional(after)
        return unicodedata.combining(before) == 9 or is_joined
    if "\ufe00" <= char <= "\ufe0f" or "\U000e0100" <= char <= "\U000e01ef":
        is_symbol = before in "\xa9\xae" or (before >= "\u2010" and kind[0] != "M")
        return is_symbol or (before in "#*0123456789" and after == "\u20e3")
    if "\u180b" <= char <= "\u180f":
        return "\u1820" <= before <= "\u18aa"
    return "\U000e0020" <= char <= "\U000e007f" and (before == _FLAG or "\U000e0020" <= before <= "\U000e007e")


# ── what is our own ──


def control(sequence: str) -> str:
    """A control sequence of our own, as it passes the door."""
    return f"{_MARK}{sequence}{_MARK}"


def paint(codes: str, text: str) -> str:
    """The text in a style, given as the numbers of an SGR sequence."""
    return control(f"\x1b[{codes}m") + text + control("\x1b[0m") if codes and text else text


def unpaint(text: str) -> str:
    """The text without control sequences of our own."""
    return _OURS.sub("", text)


def as_printed(text: str) -> str:
    """The text as it leaves the door."""
    if "\x1b" not in text:
        return clean(text)
    pieces = _OURS.split(text)
    return "".join(piece if number % 2 else clean(piece) for number, piece in enumerate(pieces))


# ── data ──


def escape(text: str) -> str:
    """JSON or YAML in double quotes, with `\\u` escapes for what the door would replace."""
    return _SUSPECT.sub(lambda match: _escape_sign(match[0]), text)


def _escape_sign(char: str) -> str:
    return f"\\u{ord(char):04x}" if char <= "\uffff" else f"\\U{ord(char):08x}"


def dump_json(value: Any, encoding: str | None = None, **style: Any) -> str:
    """JSON that passes the door unchanged; what an encoding lacks (that of stdout, if none is given) is escaped.

    A number without a bound is null, since JSON has none.
    """
    value = _bound(value)
    text = _SUSPECT.sub(_escape_for_json, json.dumps(value, ensure_ascii=False, **style))
    try:
        text.encode(encoding or getattr(sys.stdout, "encoding", None) or "utf-8")
    except UnicodeEncodeError:
        return json.dumps(value, **style).replace("\x7f", "\\u007f")
    return text


def _bound(value: Any) -> Any:
    match value:
        case dict():
            return {key: _bound(inner) for key, inner in value.items()}
        case list() | tuple():
            return [_bound(inner) for inner in value]
        case float() if not isfinite(value):
            return None
    return value


def _escape_for_json(match: re.Match[str]) -> str:
    return json.dumps(match[0])[1:-1].replace("\x7f", "\\u007f")


# ── the door ──


class _Door:
    """A stream on which nothing is written that its terminal would obey. A `buffer` would lead around it."""

    def __init__(self, stream: TextIO) -> None:
        self._stream = stream

    def write(self, text: str | bytes) -> int:
        # What completes words in a shell comes as bytes.
        written = text.decode("utf-8", "replace") if isinstance(text, bytes) else text
        self._stream.write(_encode(as_printed(written), self._stream.encoding))
        return len(text)

    def writelines(self, lines: Any) -> None:
        for line in lines:
            self.write(line)

    def __getattr__(self, name: str) -> Any:
        if name == "buffer":
            raise AttributeError("what is printed goes through `write`")
        return getattr(self._stream, name)


@contextmanager
def guard() -> Iterator[None]:
    """Let everything that is printed meanwhile go through the door, tracebacks and click's own words among it."""
    before = sys.stdout, sys.stderr
    sys.stdout, sys.stderr = map(_guard_stream, before)
    try:
        yield
    finally:
        sys.stdout, sys.stderr = before


def send(text: str) -> None:
    """Write to stdout at once."""
    sys.stdout.write(text)
    sys.stdout.flush()


def speak_utf8() -> None:
    """Write UTF-8 to stdout from now on, as the protocol wants it, whatever a terminal would get here."""
    stream: Any = sys.stdout
    stream.reconfigure(encoding="utf-8", newline="\n")


def _guard_stream(stream: TextIO | None) -> TextIO:
    # Where there is no console, there is no stream.
    door = stream if stream is None or isinstance(stream, _Door) else _Door(stream)
    return cast("TextIO", door)


def _encode(text: str, encoding: str | None) -> str:
    if text.isascii() or encoding is None or codecs.lookup(encoding).name == "utf-8":
        return text
    return text.encode(encoding, _HANDLER).decode(encoding)


def _closest(error: UnicodeError) -> tuple[str, int]:
    if not isinstance(error, UnicodeEncodeError):
        raise error
    lacking = error.object[error.start : error.end]
    return "".join(_CLOSEST.get(char, "?") for char in lacking), error.end


_HANDLER = "rulebook.closest"
codecs.register_error(_HANDLER, _closest)
