"""The messages as commands to a GitHub workflow, which shows them beside the lines of a change."""

from __future__ import annotations

from rulebook.diagnostics import Diagnostic
from rulebook.diagnostics.render import harmless, summary_line
from rulebook.reports import Report
from rulebook.reports.places import region

_COMMANDS = {"error": "error", "warning": "warning", "tip": "notice"}


def write(report: Report) -> str:
    """The commands; of a report without messages only the line that counts."""
    return "".join(f"{line}\n" for line in [*map(_command, report.found), summary_line(report.found)])


def _command(found: Diagnostic) -> str:
    about = {"title": found.code if found.confidence == "certain" else f"{found.code} ({found.confidence})"}
    if found.span is not None:
        at = region(found.span)
        about |= {"file": at.file, "line": str(at.line), "col": str(at.column), "endLine": str(at.end_line)}
        if at.end_line == at.line:
            # Of several lines, columns are refused.
            about["endColumn"] = str(at.end_column)
        else:
            del about["col"]
    properties = ",".join(f"{name}={_property(value)}" for name, value in about.items())
    said = f"{found.message}\n{found.help}" if found.help else found.message
    return f"::{_COMMANDS[found.severity]} {properties}::{_data(said)}"


def _data(text: str) -> str:
    """A message, with what would end it escaped."""
    lines = "\n".join(harmless(line) for line in text.split("\n"))
    return lines.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _property(text: str) -> str:
    """A value before the message, where also `:` and `,` mean something."""
    return _data(text).replace(":", "%3A").replace(",", "%2C")
