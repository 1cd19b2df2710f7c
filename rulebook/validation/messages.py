"""Messages as plain data, and back.

In: messages; or plain data and the files that it speaks of. Out: what JSON can hold, with each file by its number; or
the messages that it was made from. Never: keeps the text of a file.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from rulebook.diagnostics import Diagnostic, Edit, Fix, Label
from rulebook.source import SourceFile, Span

__all__ = ["plain_messages", "told_messages"]


def plain_messages(found: Iterable[Diagnostic]) -> tuple[list[dict[str, Any]], list[SourceFile]]:
    """Messages, and the files that they point into, each once."""
    files: dict[tuple[str, str], tuple[int, SourceFile]] = {}

    def place(span: Span | None) -> list[int] | None:
        if span is None:
            return None
        number, _ = files.setdefault((span.file.name, span.file.text), (len(files), span.file))
        return [number, span.start, span.end]

    told = [
        {
            "code": one.code,
            "message": one.message,
            "span": place(one.span),
            "help": one.help,
            "labels": [[place(label.span), label.text] for label in one.labels],
            "severity": one.severity,
            "confidence": one.confidence,
            "where": one.where,
            "fix": one.fix
            and [one.fix.title, [[place(edit.span), edit.text] for edit in one.fix.edits], one.fix.safe],
        }
        for one in found
    ]
    return told, [file for _, file in files.values()]


def told_messages(plain: Sequence[Any], files: Sequence[SourceFile]) -> list[Diagnostic]:
    """The messages again."""
    return [_Told(files).message(**one) for one in plain]


class _Told:
    """Messages from plain data."""

    def __init__(self, files: Sequence[SourceFile]) -> None:
        self._files = files

    def message(self, span: Any, labels: Any, fix: Any, **same: Any) -> Diagnostic:
        labelled = tuple(Label(self._span(at), text) for at, text in labels)
        return Diagnostic(
            span=None if span is None else self._span(span), labels=labelled, fix=fix and self._fix(*fix), **same
        )

    def _fix(self, title: str, edits: Any, safe: bool) -> Fix:
        return Fix(title, tuple(Edit(self._span(at), text) for at, text in edits), safe)

    def _span(self, at: Any) -> Span:
        number, start, end = at
        return Span(self._files[number], start, end)
