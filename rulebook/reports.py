"""The messages of a check in forms that other programs read, one function each."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any
from urllib.parse import quote
from xml.etree import ElementTree as Tree

from attrs import asdict, field, fields

from rulebook.classes import frozen
from rulebook.diagnostics import Diagnostic, Fix, Severity, template
from rulebook.diagnostics.render import harmless, render_messages, summary_line
from rulebook.printing import clean, dump_json
from rulebook.source import Span
from rulebook.validation.baseline import fingerprint
from rulebook.version import __version__

SEVERITIES: tuple[Severity, ...] = ("error", "warning", "tip")
"""The severities of messages, from the worst to the mildest."""


@frozen
class Report:
    """The result of a check.

    `found` are the messages in the order of their places. `games` are the names of what was checked, as messages show
    paths. `fail_on` is the mildest severity that makes the check fail, of a game that does not say so itself; a guess
    never does.
    """

    messages: tuple[Diagnostic, ...]
    games: tuple[str, ...]
    fail_on: Severity = "error"
    said_by: Mapping[str, Severity] = field(factory=dict)
    """The same of the games that say so, by their names."""

    def fails(self, message: Diagnostic) -> bool:
        mildest = self.fail_on
        if self.said_by and message.span is not None:
            path = os.path.abspath(message.span.file.name)
            inside = (folder for folder in self.said_by if path.startswith(os.path.join(os.path.abspath(folder), "")))
            mildest = self.said_by.get(max(inside, key=len, default=""), mildest)
        return message.confidence != "guess" and SEVERITIES.index(message.severity) <= SEVERITIES.index(mildest)

    @property
    def failed(self) -> bool:
        return any(self.fails(message) for message in self.messages)


# ── places ───────────────────────────────────────────────────────────────────────────────────────────────────────────


@frozen
class Region:
    """Lines and columns of a span, counted from 1; the end is just behind its last character.

    Columns count code points; those called `_utf16` count what most editors and their protocols count.
    """

    file: str
    line: int
    column: int
    end_line: int
    end_column: int
    column_utf16: int
    end_column_utf16: int


def region(span: Span) -> Region:
    file = span.file
    line, column = file.position(span.start)
    end_line, end_column = file.position(span.end)
    return Region(
        file.name, line, column, end_line, end_column,
        _utf16(file.line(line), column), _utf16(file.line(end_line), end_column),
    )  # fmt: skip


def _utf16(line: str, column: int) -> int:
    """Count a column with every character beyond the first 65536 as two."""
    return column + sum(1 for letter in line[: column - 1] if ord(letter) > 0xFFFF)


def uri(name: str) -> str:
    """Write the name of a file as the reference that a document may hold: relative where the name is."""
    return Path(name).as_uri() if Path(name).is_absolute() else quote(Path(name).as_posix())


def _with_help(message: Diagnostic) -> str:
    return f"{message.message}\n{message.help}" if message.help else message.message


# ── lines ────────────────────────────────────────────────────────────────────────────────────────────────────────────


def write_lines(report: Report) -> str:
    """Write one line a message, `file:line:column: error[RB301] message`, then a line that counts."""
    return "".join(f"{line}\n" for line in [*map(_write_line, report.messages), summary_line(report.messages)])


def _write_line(message: Diagnostic) -> str:
    place = "" if message.span is None else f"{message.span.file.name}:{message.span.line}:{message.span.column}: "
    return harmless(f"{place}{message.severity}[{message.code}] {message.message}")


# ── a GitHub workflow ────────────────────────────────────────────────────────────────────────────────────────────────

_COMMANDS = {"error": "error", "warning": "warning", "tip": "notice"}


def write_workflow(report: Report) -> str:
    """Write commands to a GitHub workflow, which shows them beside the lines of a change; then a line that counts."""
    return "".join(f"{line}\n" for line in [*map(_write_command, report.messages), summary_line(report.messages)])


def _write_command(message: Diagnostic) -> str:
    about = {"title": message.code if message.confidence == "certain" else f"{message.code} ({message.confidence})"}
    if message.span is not None:
        at = region(message.span)
        about |= {"file": at.file, "line": str(at.line), "col": str(at.column), "endLine": str(at.end_line)}
        if at.end_line == at.line:
            # Of several lines, columns are refused.
            about["endColumn"] = str(at.end_column)
        else:
            del about["col"]
    properties = ",".join(f"{name}={_property(value)}" for name, value in about.items())
    return f"::{_COMMANDS[message.severity]} {properties}::{_data(_with_help(message))}"


def _data(text: str) -> str:
    """Escape what would end a message, so that none begins a command of its own."""
    lines = "\n".join(harmless(line) for line in text.split("\n"))
    return lines.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _property(text: str) -> str:
    """Escape a value before the message, where also `:` and `,` mean something."""
    return _data(text).replace(":", "%3A").replace(",", "%2C")


# ── JSON ─────────────────────────────────────────────────────────────────────────────────────────────────────────────


def write_json(report: Report) -> str:
    """Write all that there is to know. A place is null for a message without one."""
    counts: Counter[str] = Counter(message.severity for message in report.messages)
    summary: dict[str, Any] = {f"{severity}s": counts[severity] for severity in SEVERITIES}
    summary["files"] = len({message.span.file.name for message in report.messages if message.span is not None})
    summary["failed"] = report.failed
    data = {"diagnostics": [_object(message) for message in report.messages], "summary": summary}
    return dump_json(data, indent=2) + "\n"


def _object(message: Diagnostic) -> dict[str, Any]:
    return {
        "code": message.code,
        "severity": message.severity,
        "confidence": message.confidence,
        "message": message.message,
        "help": message.help,
        **_describe_place(message.span),
        "labels": [{"text": label.text, **_describe_place(label.span)} for label in message.labels],
        "where": message.where,
        "fixes": [] if message.fix is None else [_fix(message.fix)],
        "fingerprint": fingerprint(message),
    }


def _describe_place(span: Span | None) -> dict[str, Any]:
    return dict.fromkeys(part.name for part in fields(Region)) if span is None else asdict(region(span))


def _fix(fix: Fix) -> dict[str, Any]:
    edits = [{**_describe_place(edit.span), "text": edit.text} for edit in fix.edits]
    return {"title": fix.title, "safe": fix.safe, "edits": edits}


# ── SARIF ────────────────────────────────────────────────────────────────────────────────────────────────────────────

_SCHEMA = "https://json.schemastore.org/sarif-2.1.0.json"
_LEVELS = {"error": "error", "warning": "warning", "tip": "note"}
_PRECISION = {"certain": "very-high", "likely": "high", "guess": "low"}


def write_sarif(report: Report) -> str:
    """Write SARIF 2.1.0 with one run, which code hosts and editors show beside the lines."""
    codes = sorted({message.code for message in report.messages})
    rules = {code: number for number, code in enumerate(codes)}
    driver = {"name": "rulebook", "version": __version__, "rules": [_describe_rule(code) for code in codes]}
    run = {
        "tool": {"driver": driver},
        "columnKind": "unicodeCodePoints",
        "results": [_describe_result(message, rules[message.code]) for message in report.messages],
    }
    return dump_json({"$schema": _SCHEMA, "version": "2.1.0", "runs": [run]}, indent=2) + "\n"


def _describe_rule(code: str) -> dict[str, Any]:
    text = template(code)
    return {
        "id": code,
        "shortDescription": {"text": text.title},
        "fullDescription": {"text": text.means},
        "help": {"text": f"{text.means}\n\n{text.why}"},
        "defaultConfiguration": {"level": _LEVELS[text.severity]},
        "properties": {"precision": _PRECISION[text.confidence]},
    }


def _describe_result(message: Diagnostic, rule: int) -> dict[str, Any]:
    result: dict[str, Any] = {
        "ruleId": message.code,
        "ruleIndex": rule,
        "level": _LEVELS[message.severity],
        "message": {"text": _with_help(message)},
        "partialFingerprints": {"rulebook/v1": fingerprint(message)},
        "properties": {"confidence": message.confidence},
    }
    if message.span is not None:
        result["locations"] = [{"physicalLocation": _physical(message.span)}]
    if message.labels:
        result["relatedLocations"] = [
            {"id": number, "physicalLocation": _physical(label.span), "message": {"text": label.text}}
            for number, label in enumerate(message.labels, 1)
        ]
    if message.fix is not None:
        result["fixes"] = [_describe_changes(message.fix)]
    return result


def _physical(span: Span) -> dict[str, Any]:
    return {"artifactLocation": {"uri": uri(span.file.name)}, "region": _lines_and_columns(span)}


def _lines_and_columns(span: Span) -> dict[str, int]:
    at = region(span)
    return {"startLine": at.line, "startColumn": at.column, "endLine": at.end_line, "endColumn": at.end_column}


def _describe_changes(fix: Fix) -> dict[str, Any]:
    names = list(dict.fromkeys(edit.span.file.name for edit in fix.edits))
    changes = [
        {
            "artifactLocation": {"uri": uri(name)},
            "replacements": [
                {"deletedRegion": _lines_and_columns(edit.span), "insertedContent": {"text": edit.text}}
                for edit in fix.edits
                if edit.span.file.name == name
            ],
        }
        for name in names
    ]
    return {"description": {"text": fix.title}, "artifactChanges": changes, "properties": {"safe": fix.safe}}


# ── JUnit ────────────────────────────────────────────────────────────────────────────────────────────────────────────


def write_junit(report: Report) -> str:
    """Write JUnit XML, which nearly every build server reads: a suite for each game, a case for each message.

    What makes the check fail is a failure, anything else is said in a case that passes; a game without messages is one
    case that passes.
    """
    by_game: dict[str, list[Diagnostic]] = {game: [] for game in report.games}
    for message in report.messages:
        by_game.setdefault(_game_of(message, report.games), []).append(message)
    failures = sum(map(report.fails, report.messages))
    top = Tree.Element("testsuites", name="rulebook validate", failures=str(failures))
    cases = 0
    for game, all_found in by_game.items():
        cases += _suite(top, game, all_found, report)
    top.set("tests", str(cases))
    Tree.indent(top)
    # Letters beyond ASCII are written as numbers, so the document is the same in whatever encoding it is printed.
    body = Tree.tostring(top, encoding="us-ascii", xml_declaration=False).decode()
    return f'<?xml version="1.0" encoding="UTF-8"?>\n{body}\n'


def _game_of(message: Diagnostic, games: tuple[str, ...]) -> str:
    """Find the innermost game in whose folder a message stands; the first one for a message without a place."""
    name = message.span.file.name if message.span is not None else ""
    inside = [game for game in games if game == "." or name.startswith(f"{game}/")]
    return max(inside, key=len) if inside else (games[0] if games else "")


def _suite(top: Tree.Element, game: str, all_found: list[Diagnostic], report: Report) -> int:
    failures = sum(map(report.fails, all_found))
    cases = max(len(all_found), 1)
    suite = Tree.SubElement(
        top, "testsuite", name=_clean(game), tests=str(cases), failures=str(failures), errors="0", skipped="0"
    )
    if not all_found:
        Tree.SubElement(suite, "testcase", classname=_clean(game), name="no problems")
    for message in all_found:
        _case(suite, message, report.fails(message), game)
    return cases


def _case(suite: Tree.Element, message: Diagnostic, fails: bool, game: str) -> None:
    place = "" if message.span is None else f" {message.span.file.name}:{message.span.line}:{message.span.column}"
    case = Tree.SubElement(suite, "testcase", classname=_clean(game), name=_clean(f"{message.code}{place}"))
    if message.span is not None:
        case.set("file", _clean(message.span.file.name))
        case.set("line", str(message.span.line))
    if fails:
        inner = Tree.SubElement(case, "failure", type=message.code, message=_clean(message.message))
    else:
        inner = Tree.SubElement(case, "system-out")
    inner.text = _clean(render_messages([message]))


def _clean(text: str) -> str:
    """Leave out what XML forbids; U+FFFE and U+FFFF are the two that a terminal would take."""
    return clean(text).replace("\ufffe", "\ufffd").replace("\uffff", "\ufffd")


WRITERS: dict[str, Callable[[Report], str]] = {
    "concise": write_lines,
    "json": write_json,
    "sarif": write_sarif,
    "github": write_workflow,
    "junit": write_junit,
}
"""By the names of the forms on the command line."""
