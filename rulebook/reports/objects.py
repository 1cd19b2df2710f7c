"""The messages as JSON, for programs that want to know everything."""

from __future__ import annotations

from collections import Counter
from typing import Any

from attrs import asdict, fields

from rulebook.diagnostics import Diagnostic, Fix
from rulebook.printing import dump_json
from rulebook.reports import SEVERITIES, Report
from rulebook.reports.places import Region, region
from rulebook.source import Span
from rulebook.validation.baseline import fingerprint


def write(report: Report) -> str:
    """Lines and columns count from 1; `end_column` is just behind the last character. Columns are code points, those
    called `_utf16` are UTF-16 units. All of them, and `file`, are null for a message without a place."""
    counts: Counter[str] = Counter(found.severity for found in report.found)
    summary: dict[str, Any] = {f"{severity}s": counts[severity] for severity in SEVERITIES}
    summary["files"] = len({found.span.file.name for found in report.found if found.span is not None})
    summary["failed"] = report.failed
    data = {"diagnostics": [_object(found) for found in report.found], "summary": summary}
    return dump_json(data, indent=2) + "\n"


def _object(found: Diagnostic) -> dict[str, Any]:
    return {
        "code": found.code,
        "severity": found.severity,
        "confidence": found.confidence,
        "message": found.message,
        "help": found.help,
        **_place(found.span),
        "labels": [{"text": label.text, **_place(label.span)} for label in found.labels],
        "where": found.where,
        "fixes": [] if found.fix is None else [_fix(found.fix)],
        "fingerprint": fingerprint(found),
    }


def _place(span: Span | None) -> dict[str, Any]:
    return dict.fromkeys(one.name for one in fields(Region)) if span is None else asdict(region(span))


def _fix(fix: Fix) -> dict[str, Any]:
    edits = [{**_place(edit.span), "text": edit.text} for edit in fix.edits]
    return {"title": fix.title, "safe": fix.safe, "edits": edits}
