"""Reading a file as it was meant, where one line stands too far left or right, or a text with `: ` lacks its quotes.

Other lines then keep the places and the meaning that they have: who mends the line meets no new mistake there.
"""

from __future__ import annotations

import re

from attrs import evolve

from rulebook.classes import frozen
from rulebook.diagnostics import Diagnostic, Label
from rulebook.dsl.document import Mapping, Node, Scalar, Sequence
from rulebook.dsl.reading.reader import can_read, read_map
from rulebook.source import SourceFile, Span

_FARTHEST = 4  # columns by which a line is moved
_MOST_COLONS = 8  # of one line
_MOST_READ = 1_000_000  # letters, of one file read again and again
_LINE = re.compile(r"[^\r\n]*(?:\r\n|\n|\r)|[^\r\n]+\Z")
_HEAD = re.compile(r"( *)[^\s#]")


@frozen
class Mended:
    """The map of a file of which one line was mended, what is wrong in it all the same, and the place of the line."""

    top: Mapping
    messages: list[Diagnostic]
    line: Span


def read_mended(file: SourceFile, text: str, stopped: Span) -> list[Mended]:
    """Read a file up to its end with one line mended, the likeliest reading first; none if that does not help.

    `text` is the file's, of the same length, and `stopped` the place at which it could not be read.
    """
    raw = _LINE.findall(text)
    if not 0 < stopped.line <= len(raw):
        return []
    mended = _without_colons(file, text, raw, stopped)
    return [mended] if mended is not None else _list_moved(file, raw, stopped.line)


def _without_colons(file: SourceFile, text: str, raw: list[str], stopped: Span) -> Mended | None:
    """Read a line with one `: ` too many as a text in quotes: without that colon."""
    for _ in range(_MOST_COLONS):
        before = text[stopped.start - stopped.column + 1 : stopped.start]
        if text[stopped.start : stopped.start + 1] != ":" or ":" not in before:
            return None
        text = text[: stopped.start] + " " + text[stopped.start + 1 :]
        top, messages = read_map(file, text)
        if top is not None:
            return Mended(top, messages, _find_line(file, stopped.start - stopped.column + 1))
        last = messages[-1].span if messages else None
        if last is None or last.line != stopped.line:
            return None
        stopped = last
    return None


def _find_line(file: SourceFile, start: int) -> Span:
    """Find the place of the line that starts at an offset, without the white space around it."""
    line = file.line(file.position(start)[0])
    return Span(file, start + len(line) - len(line.lstrip()), start + len(line.rstrip()))


def _list_moved(file: SourceFile, raw: list[str], number: int) -> list[Mended]:
    """Read the file with one of the lines to blame moved, by as little as helps."""
    suspects, left = _list_suspects(raw, number - 1), _MOST_READ
    for by in range(1, _FARTHEST + 1):
        moves = [(at, way) for at in suspects for way in (by, -by) if (_indent(raw[at]) or 0) + way >= 0]
        found: list[Mended] = []
        for at, way in sorted(moves, key=lambda move: not _is_aligned(raw, *move)):
            moved = " " * way + raw[at] if way > 0 else raw[at][-way:]
            text = "".join([*raw[:at], moved, *raw[at + 1 :]])
            left -= len(text)
            if left < 0:
                return found
            top, messages = read_map(SourceFile(file.name, text)) if can_read(text) else (None, [])
            if top is not None:
                start = sum(map(len, raw[:at]))
                back = _Back(file, start, way)
                messages = [back.put_message(message) for message in messages]
                found.append(Mended(back.put_map(top), messages, _find_line(file, start)))
        if found:
            return found
    return []


def _list_suspects(raw: list[str], stopped: int) -> list[int]:
    """List the lines that may stand in the wrong column: where the reader stopped, the one before, the first of those
    that stand together there, and the one above these.
    """
    depth = _indent(raw[stopped])
    if depth is None:
        return []
    above = [line for line in range(stopped - 1, -1, -1) if _indent(raw[line]) is not None]
    depths = [_indent(raw[line]) or 0 for line in above]
    opens = next((number for number, least in enumerate(depths) if least < depth), len(depths))
    least = min(depths[:opens], default=0)
    first = [line for line, indent in zip(above[:opens], depths, strict=False) if indent == least][-1:]
    return list(dict.fromkeys([stopped, *above[:1], *above[opens : opens + 1], *first]))


def _is_aligned(raw: list[str], line: int, by: int) -> bool:
    """Tell whether a line that is moved stands in the column of one of its neighbours."""
    before = next((depth for one in reversed(raw[:line]) if (depth := _indent(one)) is not None), None)
    behind = next((depth for one in raw[line + 1 :] if (depth := _indent(one)) is not None), None)
    return (_indent(raw[line]) or 0) + by in (before, behind)


def _indent(line: str) -> int | None:
    """Return the column in which a line begins; None of one that is empty, a comment, or begins with a tab."""
    head = _HEAD.match(line)
    return None if head is None else len(head[1])


@frozen
class _Back:
    """The way back from places in a text of which a line was moved to those in the file."""

    file: SourceFile
    start: int
    by: int

    def put_span(self, span: Span) -> Span:
        start, end = (at if at <= self.start else max(at - self.by, self.start) for at in (span.start, span.end))
        return Span(self.file, start, end)

    def put_message(self, message: Diagnostic) -> Diagnostic:
        span = None if message.span is None else self.put_span(message.span)
        labels = tuple(Label(self.put_span(label.span), label.text) for label in message.labels)
        return evolve(message, span=span, labels=labels, fix=None)

    def put_map(self, node: Mapping) -> Mapping:
        mapping = Mapping(self.put_span(node.span))
        for name, value in node.items():
            mapping.put(self.put_scalar(node.keys_at[name]), self.put_node(value))
        return mapping

    def put_scalar(self, node: Scalar) -> Scalar:
        return Scalar(node.text, node.style, self.put_span(node.span))

    def put_node(self, node: Node) -> Node:
        match node:
            case Mapping():
                return self.put_map(node)
            case Scalar():
                return self.put_scalar(node)
        items = Sequence(self.put_span(node.span))
        items += map(self.put_node, node)
        return items
