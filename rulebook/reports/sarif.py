"""The messages as SARIF 2.1.0, which code hosts and editors show beside the lines."""

from __future__ import annotations

from typing import Any

from rulebook.diagnostics import Diagnostic, Fix, template
from rulebook.printing import dump_json
from rulebook.reports import Report
from rulebook.reports.places import region, uri
from rulebook.source import Span
from rulebook.validation.baseline import fingerprint
from rulebook.version import __version__

_SCHEMA = "https://json.schemastore.org/sarif-2.1.0.json"
_LEVELS = {"error": "error", "warning": "warning", "tip": "note"}
_PRECISION = {"certain": "very-high", "likely": "high", "guess": "low"}


def write(report: Report) -> str:
    codes = sorted({found.code for found in report.found})
    rules = {code: number for number, code in enumerate(codes)}
    driver = {"name": "rulebook", "version": __version__, "rules": [_rule(code) for code in codes]}
    run = {
        "tool": {"driver": driver},
        "columnKind": "unicodeCodePoints",
        "results": [_result(found, rules[found.code]) for found in report.found],
    }
    return dump_json({"$schema": _SCHEMA, "version": "2.1.0", "runs": [run]}, indent=2) + "\n"


def _rule(code: str) -> dict[str, Any]:
    found = template(code)
    return {
        "id": code,
        "shortDescription": {"text": found.title},
        "fullDescription": {"text": found.means},
        "help": {"text": f"{found.means}\n\n{found.why}"},
        "defaultConfiguration": {"level": _LEVELS[found.severity]},
        "properties": {"precision": _PRECISION[found.confidence]},
    }


def _result(found: Diagnostic, rule: int) -> dict[str, Any]:
    text = f"{found.message}\n{found.help}" if found.help else found.message
    result: dict[str, Any] = {
        "ruleId": found.code,
        "ruleIndex": rule,
        "level": _LEVELS[found.severity],
        "message": {"text": text},
        "partialFingerprints": {"rulebook/v1": fingerprint(found)},
        "properties": {"confidence": found.confidence},
    }
    if found.span is not None:
        result["locations"] = [{"physicalLocation": _physical(found.span)}]
    if found.labels:
        result["relatedLocations"] = [
            {"id": number, "physicalLocation": _physical(label.span), "message": {"text": label.text}}
            for number, label in enumerate(found.labels, 1)
        ]
    if found.fix is not None:
        result["fixes"] = [_fix(found.fix)]
    return result


def _physical(span: Span) -> dict[str, Any]:
    return {"artifactLocation": {"uri": uri(span.file.name)}, "region": _region(span)}


def _region(span: Span) -> dict[str, int]:
    at = region(span)
    return {"startLine": at.line, "startColumn": at.column, "endLine": at.end_line, "endColumn": at.end_column}


def _fix(fix: Fix) -> dict[str, Any]:
    names = list(dict.fromkeys(edit.span.file.name for edit in fix.edits))
    changes = [
        {
            "artifactLocation": {"uri": uri(name)},
            "replacements": [
                {"deletedRegion": _region(edit.span), "insertedContent": {"text": edit.text}}
                for edit in fix.edits
                if edit.span.file.name == name
            ],
        }
        for name in names
    ]
    return {"description": {"text": fix.title}, "artifactChanges": changes, "properties": {"safe": fix.safe}}
