"""The text of a YAML file, edited until it says what a map says; what did not change stays as it was written."""

from __future__ import annotations

import re
import textwrap
from collections.abc import Callable, Iterable, Iterator

from attrs import define, field

from rulebook.dsl.document import Mapping, Node, Scalar, Sequence, is_nothing
from rulebook.source import SourceFile

_STEP = 2
_WIDTH = 140
_PLAIN = re.compile(r"(?![-?:,\[\]{}#&*!|>'\"%@`\s])(?!.*(?::(?:\s|$)|\s#))[^\x00-\x1f\x7f]*(?<=\S)")
"""A text that YAML reads as it stands, where no bracket is open."""
_IN_BRACKETS = re.compile(r"[,\[\]{}]")
_WORD = re.compile(r"[\w.+-]*")
_COMMENT = re.compile(r"[ \t]+(#[^\r\n]*)")


@define
class Edits:
    """The changes to one file, as pieces of its text and what stands there instead."""

    file: SourceFile
    _pieces: list[tuple[int, int, str]] = field(factory=list)

    def put(self, start: int, end: int, text: str) -> None:
        self._pieces.append((start, end, text))

    def apply(self) -> str:
        """Return the new text."""
        pieces, at, text = list[str](), 0, self.file.text
        for start, end, new in sorted(self._pieces, key=lambda piece: piece[:2]):
            if start >= at:
                pieces += text[at:start], new
                at = max(at, end)
        return "".join((*pieces, text[at:]))

    # ── entries of a map in lines of their own ──

    def find_lines(self, key: Scalar, value: Node) -> tuple[int, int]:
        """Find where the lines of an entry begin, and where those behind them do."""
        text = self.file.text
        start = text.rfind("\n", 0, key.span.start) + 1
        last = max(key.span.end, value.span.start + len(value.span.text.rstrip()))
        end = text.find("\n", last)
        return start, len(text) if end < 0 else end + 1

    def remove(self, key: Scalar, value: Node) -> None:
        """Take an entry away, with a comment that stands above it alone, in a paragraph of its own."""
        text = self.file.text
        start, end = self.find_lines(key, value)
        above = start
        while (line := text[text.rfind("\n", 0, above - 1) + 1 : above] if above else "").lstrip().startswith("#"):
            above -= len(line)
        is_paragraph = text[:above].endswith("\n\n") and (end == len(text) or text.startswith("\n", end))
        if is_paragraph:
            start, end = above, min(end + 1, len(text))
        self.put(start, end, "")

    def replace(self, key: Scalar, value: Node, new: Node) -> None:
        """Put another value behind a key; a comment behind it stays in its line."""
        text = self.file.text
        column = key.span.start - text.rfind("\n", 0, key.span.start) - 1
        start = text.index(":", key.span.end) + 1
        end = max(start, value.span.start + len(value.span.text.rstrip()))
        written = write_value(new, column)
        if "\n" not in written and (blanks := text[start : value.span.start]).isspace() and "\n" not in blanks:
            start += len(blanks) - 1  # entries below each other may begin in one column
        comment = _COMMENT.match(text, end)
        if comment and "\n" in written:
            first, _, rest = written.partition("\n")
            self.put(start, comment.end(), f"{first}  {comment[1]}\n{rest}")
        else:
            self.put(start, end, written)

    def insert(self, at: Mapping, entries: Iterable[tuple[Scalar, Node]]) -> None:
        """Put entries behind the last one of a map, with an empty line between them if the others have one."""
        text = self.file.text
        (*_, name) = at
        key = at.keys_at[name]
        column = key.span.start - text.rfind("\n", 0, key.span.start) - 1
        _, end = self.find_lines(key, at[name])
        begins = self.find_lines(key, at[name])[0]
        is_apart = len(at) > 1 and text[:begins].endswith("\n\n")
        lines = [
            line for name, node in entries for line in (*([""] if is_apart else []), *write_entry(name, node, column))
        ]
        new = "".join(f"{line}\n" for line in lines)
        self.put(end, end, new if text[:end].endswith("\n") else f"\n{new}")


def edit_map(edits: Edits, written: Mapping, before: Mapping, now: Mapping, adds: Callable[[Mapping], bool]) -> bool:
    """Edit a map in lines as `written` in a file so that of all that it says nothing is different from `now`. What
    all files said there is `before`; `adds` tells whether what is new belongs to this map. Return whether nothing of
    it is left.
    """
    kept = _find_kept(before, now)
    left = False
    for name, value in written.items():
        key = written.keys_at[name]
        there, new = before.get(name), now.get(name)
        if there is None or (is_nothing(value) and isinstance(there, Mapping)):
            left = True  # what names spreadsheets, say, or a section that other files have
        elif new is None or name not in kept:
            edits.remove(key, value)
        elif new is there:
            left = True
        elif isinstance(value, Mapping) and isinstance(there, Mapping) and isinstance(new, Mapping) and value and new:
            if _is_in_brackets(value):
                if not say_same(there, new):
                    edits.replace(key, value, new)
                left = True
            elif edit_map(edits, value, there, new, adds):
                edits.remove(key, value)
            else:
                left = True
        else:
            edits.replace(key, value, new)
            left = True
    fresh = [(now.keys_at[name], node) for name, node in now.items() if name not in kept]
    if fresh and adds(written):
        edits.insert(written, fresh)
        left = True
    return not left


def _find_kept(before: Mapping, now: Mapping) -> set[str]:
    """Find the entries that stand in the same order as before; one that was put elsewhere is taken away and added."""
    order = {name: number for number, name in enumerate(before)}
    kept, last = set[str](), -1
    for name in now:
        if order.get(name, -1) <= last:
            break
        kept.add(name)
        last = order[name]
    return kept


def _is_in_brackets(node: Node) -> bool:
    return node.span.text.startswith("{")


def say_same(one: Node, other: Node) -> bool:
    """Tell whether two nodes say the same, in the same order; a word or number in quotes is another thing than one."""
    return _say(one) == _say(other)


def _say(node: Node) -> object:
    if isinstance(node, Mapping):
        return [(name, _say(value)) for name, value in node.items()]
    if isinstance(node, Sequence):
        return ("list", *map(_say, node))
    return node.text.rstrip(), node.style in ("single", "double") and _WORD.fullmatch(node.text) is not None


# ── nodes as YAML ────────────────────────────────────────────────────────────────────────────────────────────────────


def write_entry(key: Scalar, node: Node, column: int) -> list[str]:
    """Write an entry of a map as lines that begin in a column."""
    return f"{' ' * column}{_write_scalar(key)}:{write_value(node, column)}".split("\n")


def write_value(node: Node, column: int) -> str:
    """Write what stands behind the colon of a key in a column: a blank and more, or lines below it."""
    lines = list(_list_lines(node, column + _STEP))
    match lines:
        case [line] if not isinstance(node, Mapping) or not line.startswith(" "):
            return f" {line}" if line else ""
        case [first, *rest] if first == "|" or not isinstance(node, Mapping | Sequence):
            return "\n".join((f" {first}", *rest))
    return "\n".join(("", *lines))


def _list_lines(node: Node, column: int) -> Iterator[str]:
    margin = " " * column
    if isinstance(node, Scalar):
        yield from _list_text(node, margin)
    elif (
        (line := _write_in_brackets(node)) is not None
        and len(line) + column + 20 <= _WIDTH
        and (not node or isinstance(node, Sequence) or _is_in_brackets(node))
    ):
        yield line
    elif isinstance(node, Mapping):
        for name, value in node.items():
            yield from write_entry(node.keys_at[name], value, column)
    else:
        for item in node:
            first, *rest = (
                _list_lines(item, column + _STEP)
                if not isinstance(item, Mapping)
                else (_write_in_brackets(item) or "",)
            )
            yield f"{margin}- {first}"
            yield from rest


def _list_text(scalar: Scalar, margin: str) -> Iterator[str]:
    text = scalar.text.rstrip("\n")
    if "\n" in text or (scalar.style in ("literal", "folded") and text):
        if text.startswith((" ", "\n")) or any(ord(sign) < 32 and sign != "\n" for sign in text):
            yield _quote_text(text)
            return
        yield "|"
        yield from (f"{margin}{line}".rstrip() for line in text.split("\n"))
        return
    line = _write_scalar(scalar)
    if len(line) + len(margin) > _WIDTH and scalar.style == "plain":
        yield from textwrap.wrap(
            line, _WIDTH - 10, subsequent_indent=margin, break_long_words=False, break_on_hyphens=False
        )
    else:
        yield line


def _write_in_brackets(node: Node) -> str | None:
    """Write a node in one line; None if it needs several."""
    match node:
        case Mapping():
            parts = [
                None
                if (inner := _write_in_brackets(value)) is None
                else f"{_write_scalar(node.keys_at[name], True)}: {inner}"
                for name, value in node.items()
            ]
        case Sequence():
            parts = [_write_in_brackets(item) for item in node]
        case Scalar():
            text = node.text.rstrip("\n")
            return None if "\n" in text or node.style in ("literal", "folded") else _write_scalar(node, True)
    if None in parts:
        return None
    inside = ", ".join(part for part in parts if part is not None)
    return f"{{{inside}}}" if isinstance(node, Mapping) else f"[{inside}]"


def _write_scalar(scalar: Scalar, in_brackets: bool = False) -> str:
    """Write a text in one line, with the quotes that it has, or those that it needs."""
    written, text = scalar.span.text, scalar.text.rstrip("\n")
    if is_nothing(scalar):
        return ""
    if scalar.style in ("single", "double") and "\n" not in written and written[:1] in "'\"":
        return written
    if (
        scalar.style in ("single", "double")
        or not _PLAIN.fullmatch(text)
        or (in_brackets and _IN_BRACKETS.search(text))
    ):
        return _quote_text(text)
    return text


def _quote_text(text: str) -> str:
    escaped = text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n").replace("\t", "\\t")
    return f'"{escaped}"'
