"""One line a message, `file:line:column: error[RB301] message`, then a line that counts."""

from __future__ import annotations

from rulebook.diagnostics import Diagnostic
from rulebook.diagnostics.render import harmless, summary_line
from rulebook.reports import Report


def write(report: Report) -> str:
    """The lines; of a report without messages only the one that counts."""
    return "".join(f"{line}\n" for line in [*map(_line, report.found), summary_line(report.found)])


def _line(found: Diagnostic) -> str:
    place = "" if found.span is None else f"{found.span.file.name}:{found.span.line}:{found.span.column}: "
    return harmless(f"{place}{found.severity}[{found.code}] {found.message}")
