"""Messages as plain data, and back."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from rulebook.diagnostics import Diagnostic, Edit, Fix, Label
from rulebook.source import SourceFile, Span


def flatten_messages(messages: Iterable[Diagnostic]) -> tuple[list[dict[str, Any]], list[SourceFile]]:
    """Messages, and the files that they point into, each once."""
    files: dict[tuple[str, str], tuple[int, SourceFile]] = {}

    def flatten_span(span: Span | None) -> list[int] | None:
        if span is None:
            return None
        number, _ = files.setdefault((span.file.name, span.file.text), (len(files), span.file))
        return [number, span.start, span.end]

    plain = [
        {
            "code": message.code,
            "message": message.message,
            "span": flatten_span(message.span),
            "help": message.help,
            "labels": [[flatten_span(label.span), label.text] for label in message.labels],
            "severity": message.severity,
            "confidence": message.confidence,
            "where": message.where,
            "fix": message.fix
            and [
                message.fix.title,
                [[flatten_span(edit.span), edit.text] for edit in message.fix.edits],
                message.fix.safe,
            ],
        }
        for message in messages
    ]
    return plain, [file for _, file in files.values()]


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

    return [restore_message(**message) for message in plain]
