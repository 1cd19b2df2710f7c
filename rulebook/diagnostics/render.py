"""Diagnostics as text for a terminal, and as JSON for programs.

In: diagnostics in any order. Out: one text, sorted by file, line and column. Never prints, never drops a
message without saying how many, and never lets a control character of a source file through to the terminal.
"""

import json
import unicodedata
from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Any

from rulebook.diagnostics import Diagnostic
from rulebook.source import SourceFile, Span
from rulebook.widths import JOINERS
from rulebook.widths import width as _columns

_MOST_ALIKE = 5  # messages of the same code and words that are shown in full
_SEVERITIES = ("error", "warning", "tip")
_COLOURS = {"error": "1;31", "warning": "1;33", "tip": "1;36", "gutter": "34", "bold": "1", "help": "32"}
_TAB = "    "


def render_text(diagnostics: Iterable[Diagnostic], width: int = 80, colour: bool = False) -> str:
    """The messages with the lines they are about, then a line that counts them; empty if there are none.

    `width` is in terminal columns and at least 40. Ends with a line break.
    """
    ordered = sorted(diagnostics, key=_place)
    if not ordered:
        return ""
    painter = _Painter(max(width, 40), colour)
    alike = Counter((found.code, found.message) for found in ordered)
    seen: Counter[tuple[str, str]] = Counter()
    blocks: list[str] = []
    for found in ordered:
        kind = (found.code, found.message)
        seen[kind] += 1
        if seen[kind] > _MOST_ALIKE:
            continue
        lines = painter.diagnostic(found)
        if seen[kind] == _MOST_ALIKE and alike[kind] > _MOST_ALIKE:
            lines.append(f"   … and {alike[kind] - _MOST_ALIKE} more like this")
        blocks.append("\n".join(lines))
    blocks.append(summary_line(ordered))
    return _printable("\n\n".join(blocks) + "\n")


def render_json(diagnostics: Iterable[Diagnostic]) -> str:
    """One JSON object: `{"diagnostics": [...], "summary": {...}}`, ordered as in `render_text`.

    Nothing is folded.

    Lines and columns count from 1, in code points; `end_column` is just behind the last character. All of
    them, and `file`, are null for a message without a place.
    """
    ordered = sorted(diagnostics, key=_place)
    counts: Counter[str] = Counter(found.severity for found in ordered)
    summary = {f"{severity}s": counts[severity] for severity in _SEVERITIES}
    summary["files"] = len(_files(ordered))
    data = {"diagnostics": [_as_data(found) for found in ordered], "summary": summary}
    return json.dumps(data, indent=2) + "\n"


def summary_line(diagnostics: Sequence[Diagnostic]) -> str:
    """ "2 errors, 1 warning in 3 files"."""
    counts: Counter[str] = Counter(found.severity for found in diagnostics)
    parts = [_counted(counts[severity], severity) for severity in _SEVERITIES if counts[severity]]
    files = len(_files(diagnostics))
    return (", ".join(parts) or "no problems") + (f" in {_counted(files, 'file')}" if files else "")


def _counted(number: int, noun: str) -> str:
    return f"{number} {noun}" + ("" if number == 1 else "s")


def _files(diagnostics: Iterable[Diagnostic]) -> set[str]:
    return {found.span.file.name for found in diagnostics if found.span is not None}


def _place(found: Diagnostic) -> tuple[str, int, int, str]:
    if found.span is None:
        return "", 0, 0, found.code
    return found.span.file.name, found.span.start, found.span.end, found.code


def _as_data(found: Diagnostic) -> dict[str, Any]:
    return {
        "code": found.code,
        "severity": found.severity,
        "confidence": found.confidence,
        "message": found.message,
        "help": found.help,
        **_span_data(found.span),
        "labels": [{"text": label.text, **_span_data(label.span)} for label in found.labels],
        "where": found.where,
    }


def _span_data(span: Span | None) -> dict[str, Any]:
    if span is None:
        return dict.fromkeys(("file", "line", "column", "end_line", "end_column"))
    line, column = span.file.position(span.start)
    end_line, end_column = span.file.position(span.end)
    return {
        "file": span.file.name,
        "line": line,
        "column": column,
        "end_line": end_line,
        "end_column": end_column,
    }


class _Mark:
    """One underlined piece of one line: columns counted from 0, `text` beside it, `sign` under it."""

    __slots__ = ("column", "end", "file", "line", "sign", "text")

    def __init__(self, span: Span, sign: str, text: str) -> None:
        self.file = span.file
        self.line, column = span.file.position(span.start)
        end_line, end_column = span.file.position(span.end)
        self.column = column - 1
        # What goes on over several lines is underlined to the end of the first.
        self.end = end_column - 1 if end_line == self.line else len(span.file.line(self.line))
        self.sign, self.text = sign, text


class _Painter:
    """Lays out messages in a given number of columns."""

    def __init__(self, width: int, colour: bool) -> None:
        self.width = width
        self.colour = colour

    def paint(self, name: str, text: str) -> str:
        return f"\x1b[{_COLOURS[name]}m{text}\x1b[0m" if self.colour and text else text

    def diagnostic(self, found: Diagnostic) -> list[str]:
        head = f"{found.severity}[{found.code}]:"
        wrapped = _wrapped(found.message, self.width - len(head) - 1)
        lines = [f"{self.paint(found.severity, head)} {self.paint('bold', wrapped[0])}"]
        lines += [" " * (len(head) + 1) + self.paint("bold", rest) for rest in wrapped[1:]]
        where = f"  ({_visible(found.where)})" if found.where else ""
        if found.span is None:
            if where:
                lines.append(f"  {self.paint('gutter', '-->')}{where[1:]}")
            return lines + self.help_lines(found.help, 3)
        marks = [_Mark(found.span, "^", "")]
        marks += [_Mark(label.span, "-", label.text) for label in found.labels]
        digits = max(2, *(len(str(mark.line)) for mark in marks))
        line, column = found.span.file.position(found.span.start)
        place = f"{_visible(found.span.file.name)}:{line}:{column}{where}"
        lines.append(f"{' ' * digits}{self.paint('gutter', '-->')} {place}")
        lines.append(" " * (digits + 1) + self.paint("gutter", "|"))
        beside = self.fits_beside(found, marks[0], digits)
        if beside:
            marks[0].text = found.help
        lines += self.snippets(marks, digits)
        return lines if beside else lines + self.help_lines(found.help, digits + 1)

    def fits_beside(self, found: Diagnostic, mark: _Mark, digits: int) -> bool:
        """Whether the help is short enough to stand beside the carets."""
        if not found.help or "\n" in found.help:
            return False
        text, start, end = _window(mark, self.width - digits - 3)
        used = digits + 3 + max(end, start + 1) + 1 + _columns(found.help)
        return used <= self.width and bool(text.strip())

    def help_lines(self, help: str, indent: int) -> list[str]:
        if not help:
            return []
        head = " " * indent + "= help: "
        wrapped = [line for part in help.split("\n") for line in _wrapped(part, self.width - len(head))]
        first = f"{' ' * indent}{self.paint('gutter', '=')} {self.paint('help', 'help:')} {wrapped[0]}"
        return [first] + [" " * len(head) + line for line in wrapped[1:]]

    def snippets(self, marks: Sequence[_Mark], digits: int) -> list[str]:
        """The marked lines: those of the message's own file first, each file's in order."""
        lines: list[str] = []
        files: list[SourceFile] = list(dict.fromkeys(mark.file for mark in marks))
        for file in files:
            own = sorted((mark for mark in marks if mark.file is file), key=lambda mark: mark.line)
            if file is not files[0]:
                place = f"{_visible(file.name)}:{own[0].line}:{own[0].column + 1}"
                lines.append(f"{' ' * digits}{self.paint('gutter', ':::')} {place}")
                lines.append(" " * (digits + 1) + self.paint("gutter", "|"))
            before = 0
            for mark in own:
                if before and mark.line > before + 1:
                    lines.append(" " * (digits - 1) + "…")
                lines += self.snippet(mark, digits, again=mark.line == before)
                before = mark.line
        return lines

    def snippet(self, mark: _Mark, digits: int, again: bool) -> list[str]:
        text, start, end = _window(mark, self.width - digits - 3)
        bar = self.paint("gutter", "|")
        number = self.paint("gutter", f"{mark.line:>{digits}}")
        under = mark.sign * max(end - start, 1)
        caret = self.paint("error" if mark.sign == "^" else "gutter", under)
        beside = ""
        extra: list[str] = []
        if mark.text:
            words = _printable(mark.text)
            if digits + 3 + start + len(under) + 1 + _columns(words) <= self.width:
                beside = f" {words}"
            else:
                indent = min(start, self.width // 3)
                wrapped = _wrapped(words, self.width - digits - 3 - indent)
                extra = [f"{' ' * (digits + 1)}{bar} {' ' * indent}{line}" for line in wrapped]
        # Two marks in one line look different if the line was cut around each of them, so it is shown twice
        # then.
        source = [] if again and not text.startswith("…") else [f"{number} {bar} {text}".rstrip()]
        return [*source, f"{' ' * (digits + 1)}{bar} {' ' * start}{caret}{beside}", *extra]


def _window(mark: _Mark, room: int) -> tuple[str, int, int]:
    """A line as it is shown, cut around its mark if it is too long, and the mark's columns in that text."""
    line = mark.file.line(mark.line)
    # A line may have a million characters, and only those near the mark can be shown.
    skipped = max(0, mark.column - 2 * room)
    cells = [_visible(char) for char in line[skipped : mark.column + 2 * room]]
    widths = [_columns(cell) for cell in cells]
    column, end = mark.column - skipped, mark.end - skipped
    first, last = 0, len(cells)
    if sum(widths) > room:
        # Keep a third of the room before the mark: what comes before says what is being read.
        budget = room - 2
        first = min(column, len(cells))
        before = 0
        while first > 0 and before + widths[first - 1] <= budget // 3:
            first -= 1
            before += widths[first]
        last, used = first, 0
        while last < len(cells) and used + widths[last] <= budget:
            used += widths[last]
            last += 1
        while first > 0 and used + widths[first - 1] <= budget:
            first -= 1
            used += widths[first]
    left = "…" if skipped + first > 0 else ""
    right = "…" if skipped + last < len(line) else ""
    shown = left + "".join(cells[first:last]) + right
    return shown, len(left) + sum(widths[first:column]), len(left) + sum(widths[first : min(end, last)])


def _wrapped(text: str, room: int) -> list[str]:
    """The text in lines of at most `room` columns, broken at spaces; a longer word has a line to itself."""
    lines: list[str] = []
    line = ""
    for word in _printable(text).replace("\n", " ").split(" "):
        longer = f"{line} {word}" if line else word
        if line and _columns(longer) > room:
            lines.append(line)
            line = word
        else:
            line = longer
    return [*lines, line]


def _visible(text: str) -> str:
    """Source text made harmless to a terminal: no control, no change of direction, tabs as spaces."""
    if text.isascii() and text.isprintable():
        return text
    return "".join(_visible_char(char) for char in text)


def _visible_char(char: str) -> str:
    if char == "\t":
        return _TAB
    if char in JOINERS:
        return char
    return "\ufffd" if unicodedata.category(char) in ("Cc", "Cf", "Cs", "Zl", "Zp") else char


def _printable(text: str) -> str:
    """The text without lone surrogates, which no terminal and no file takes."""
    return text.encode("utf-8", "replace").decode("utf-8")
