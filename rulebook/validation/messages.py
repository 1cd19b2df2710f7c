"""Messages as plain data, and back."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from rulebook.diagnostics import Diagnostic, Edit, Fix, Label
from rulebook.source import SourceFile, Span


def flatten_messages(found: Iterable[Diagnostic]) -> tuple[list[dict[str, Any]], list[SourceFile]]:
    """Messages, and the files that they point into, each once."""
    files: dict[tuple[str, str], tuple[int, SourceFile]] = {}

    def flatten_span(span: Span | None) -> list[int] | None:
        if span is None:
            return None
        number, _ = files.setdefault((span.file.name, span.file.text), (len(files), span.file))
        return [number, span.start, span.end]

    told = [
        {
            "code": one.code,
            "message": one.message,
            "span": flatten_span(one.span),
            "help": one.help,
            "labels": [[flatten_span(label.span), label.text] for label in one.labels],
            "severity": one.severity,
            "confidence": one.confidence,
            "where": one.where,
            "fix": one.fix
            and [one.fix.title, [[flatten_span(edit.span), edit.text] for edit in one.fix.edits], one.fix.safe],
        }
        for one in found
    ]
    return told, [file for _, file in files.values()]


def restore_messages(plain: Sequence[Any], files: Sequence[SourceFile]) -> list[Diagnostic]:
    def restore_span(at: Any) -> Span:
        number, start, end = at
        return Span(files[number], start, end)

    def restore_message(span: Any, labels: Any, fix: Any, **same: Any) -> Diagnostic:
        return Diagnostic(
            span=span and restore_span(span),
            labels=tuple(Label(restore_span(at), text) for at, text in labels),
            fix=fix and Fix(fix[0], tuple(Edit(restore_span(at), text) for at, text in fix[1]), fix[2]),
            **same,
        )

    return [restore_message(**one) for one in plain]
