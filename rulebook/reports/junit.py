"""The messages as JUnit XML, which nearly every build server reads: a suite for each game, a case for each message.

What makes the check fail is a failure, anything else is said in a case that passes; a game without messages is one case
that passes.
"""

from __future__ import annotations

from xml.etree import ElementTree as Tree

from rulebook.diagnostics import Diagnostic
from rulebook.diagnostics.render import render_messages
from rulebook.printing import clean
from rulebook.reports import Report


def write(report: Report) -> str:
    """The document, with its suites in the order of the games."""
    by_game: dict[str, list[Diagnostic]] = {game: [] for game in report.games}
    for found in report.found:
        by_game.setdefault(_game_of(found, report.games), []).append(found)
    failures = sum(map(report.fails, report.found))
    top = Tree.Element("testsuites", name="rulebook validate", failures=str(failures))
    cases = 0
    for game, all_found in by_game.items():
        cases += _suite(top, game, all_found, report)
    top.set("tests", str(cases))
    Tree.indent(top)
    # Letters beyond ASCII are written as numbers, so the document is the same in whatever encoding it is printed.
    body = Tree.tostring(top, encoding="us-ascii", xml_declaration=False).decode()
    return f'<?xml version="1.0" encoding="UTF-8"?>\n{body}\n'


def _game_of(found: Diagnostic, games: tuple[str, ...]) -> str:
    """The innermost game in whose folder the message stands; the first one for a message without a place."""
    name = found.span.file.name if found.span is not None else ""
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
    for found in all_found:
        _case(suite, found, report.fails(found), game)
    return cases


def _case(suite: Tree.Element, found: Diagnostic, fails: bool, game: str) -> None:
    place = "" if found.span is None else f" {found.span.file.name}:{found.span.line}:{found.span.column}"
    case = Tree.SubElement(suite, "testcase", classname=_clean(game), name=_clean(f"{found.code}{place}"))
    if found.span is not None:
        case.set("file", _clean(found.span.file.name))
        case.set("line", str(found.span.line))
    if fails:
        inner = Tree.SubElement(case, "failure", type=found.code, message=_clean(found.message))
    else:
        inner = Tree.SubElement(case, "system-out")
    inner.text = _clean(render_messages([found]))


def _clean(text: str) -> str:
    """The text without what XML forbids; U+FFFE and U+FFFF are the two that a terminal would take."""
    return clean(text).replace("\ufffe", "\ufffd").replace("\uffff", "\ufffd")
