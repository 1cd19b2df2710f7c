"""The messages of a check for other programs: SARIF against its schema, and what each form escapes."""

from __future__ import annotations

import json
from xml.etree import ElementTree

import pytest
from paths import DATA

from rulebook.diagnostics import Diagnostic, Edit, Fix, Label, codes, template
from rulebook.examples import find_messages
from rulebook.reports import (
    Report,
    region,
    uri,
    write_json,
    write_junit,
    write_lines,
    write_sarif,
    write_workflow,
)
from rulebook.source import SourceFile, Span

SCHEMA = DATA / "reports" / "sarif-2.1.0.json"
FILE = SourceFile("cards/my game/a.yaml", "🎲🎲 x: y\nb: 100%\n")
X, ALL = Span(FILE, 3, 4), Span(FILE, 3, 14)
FULL = Diagnostic(
    "RB301",
    "There is no `x`: 100%, says\r\nsomebody.",
    X,
    help="Do.",
    labels=(Label(Span(FILE, 6, 7), "here"),),
    where="card x",
    fix=Fix("Write `z`.", (Edit(X, "z"),), safe=True),
)
GUESS = Diagnostic("RB105", "Perhaps.", ALL, severity="warning", confidence="guess")
NOWHERE = Diagnostic("RB101", "Nowhere.", None, severity="tip")
REPORT = Report((NOWHERE, FULL, GUESS), ("cards/my game", "cards/other"))


@pytest.fixture(scope="module")
def everything() -> Report:
    """Every message that the examples of all codes give, and those above."""
    found = [one for code in codes() for example in template(code).bad for one in find_messages(example)]
    return Report((*REPORT.messages, *found), REPORT.games)


# Places


def test_columns_count_code_points_and_utf_16() -> None:
    at = region(X)
    assert (at.line, at.column, at.end_column) == (1, 4, 5)
    assert (at.column_utf16, at.end_column_utf16) == (6, 7)


def test_names_of_files_become_references() -> None:
    assert uri("cards/my game/a%.yaml") == "cards/my%20game/a%25.yaml"
    assert uri("/cards/a b.yaml") == "file:///cards/a%20b.yaml"


# JSON


def test_json_holds_everything() -> None:
    data = json.loads(write_json(REPORT))
    assert data["summary"] == {"errors": 1, "warnings": 1, "tips": 1, "files": 1, "failed": True}
    nowhere, full, guess = data["diagnostics"]
    place = {
        "file": "cards/my game/a.yaml", "line": 1, "column": 4, "end_line": 1, "end_column": 5,
        "column_utf16": 6, "end_column_utf16": 7,
    }  # fmt: skip
    label = place | {"column": 7, "end_column": 8, "column_utf16": 9, "end_column_utf16": 10, "text": "here"}
    assert full == {
        "code": "RB301", "severity": "error", "confidence": "certain", "message": FULL.message, "help": "Do.",
        "where": "card x", **place, "labels": [label],
        "fixes": [{"title": "Write `z`.", "safe": True, "edits": [place | {"text": "z"}]}],
        "fingerprint": full["fingerprint"],
    }  # fmt: skip
    assert (guess["end_line"], guess["end_column"], guess["confidence"]) == (2, 7, "guess")
    assert {nowhere[name] for name in place} == {None}


def test_json_of_nothing() -> None:
    empty = {"errors": 0, "warnings": 0, "tips": 0, "files": 0, "failed": False}
    assert json.loads(write_json(Report((), ()))) == {"diagnostics": [], "summary": empty}


# What fails


@pytest.mark.parametrize(
    ("fail_on", "failing"), [("error", {"RB301"}), ("warning", {"RB301"}), ("tip", {"RB301", "RB101"})]
)
def test_a_guess_never_fails(fail_on: str, failing: set[str]) -> None:
    report = Report(REPORT.messages, (), fail_on)  # type: ignore[arg-type]
    assert {one.code for one in report.messages if report.fails(one)} == failing
    assert not Report((GUESS,), (), "tip").failed


# SARIF


def find_misfits(sarif: object) -> list[str]:
    """The complaints of the schema of SARIF."""
    jsonschema = pytest.importorskip("jsonschema")
    schema = json.loads(SCHEMA.read_text("utf-8"))
    checker = jsonschema.validators.validator_for(schema)(schema)
    return [error.message for error in checker.iter_errors(sarif)]


@pytest.mark.parametrize("report", [REPORT, Report((), ())], ids=["some", "none"])
def test_sarif_is_what_its_schema_says(report: Report) -> None:
    assert find_misfits(json.loads(write_sarif(report))) == []
    assert find_misfits({"version": "2.1.0"})


@pytest.mark.slow
def test_sarif_of_every_message_is_what_its_schema_says(everything: Report) -> None:
    assert find_misfits(json.loads(write_sarif(everything))) == []


@pytest.mark.slow
def test_sarif_points_at_its_rules(everything: Report) -> None:
    (run,) = json.loads(write_sarif(everything))["runs"]
    rules = run["tool"]["driver"]["rules"]
    assert [rule["id"] for rule in rules] == list(codes())
    assert all(rules[one["ruleIndex"]]["id"] == one["ruleId"] for one in run["results"])


def test_sarif_says_where_and_how_to_mend() -> None:
    (run,) = json.loads(write_sarif(REPORT))["runs"]
    nowhere, full, guess = run["results"]
    assert "locations" not in nowhere
    physical = full["locations"][0]["physicalLocation"]
    assert physical["artifactLocation"]["uri"] == "cards/my%20game/a.yaml"
    assert physical["region"] == {"startLine": 1, "startColumn": 4, "endLine": 1, "endColumn": 5}
    assert full["relatedLocations"][0]["message"] == {"text": "here"}
    change = full["fixes"][0]["artifactChanges"][0]["replacements"][0]
    assert change == {"deletedRegion": physical["region"], "insertedContent": {"text": "z"}}
    assert full["fixes"][0]["properties"] == {"safe": True}
    assert [one["level"] for one in run["results"]] == ["note", "error", "warning"]
    assert run["columnKind"] == "unicodeCodePoints" and guess["properties"] == {"confidence": "guess"}


# Commands of a workflow


def test_workflow_commands_are_escaped() -> None:
    file = SourceFile("a,b:c%.yaml", "x\n::error::y\n")
    found = Diagnostic("RB301", "100%: a, b\n::error::boo\x1b[31m", Span(file, 0, 1), help="Do.")
    command, summary = write_workflow(Report((found,), ())).splitlines()
    assert command == (
        "::error title=RB301,file=a%2Cb%3Ac%25.yaml,line=1,col=1,endLine=1,endColumn=2"
        "::100%25: a, b%0A::error::boo\ufffd[31m%0ADo."
    )
    assert summary == "1 error in 1 file"


def test_workflow_commands_know_their_severity() -> None:
    nowhere, full, guess, _ = write_workflow(REPORT).splitlines()
    assert nowhere == "::notice title=RB101::Nowhere."
    assert full.startswith("::error title=RB301,file=cards/my game/a.yaml,line=1,col=4,")
    # Several lines have no columns.
    assert guess == "::warning title=RB105 (guess),file=cards/my game/a.yaml,line=1,endLine=2::Perhaps."


# Lines


def test_one_line_a_message() -> None:
    assert write_lines(REPORT).splitlines() == [
        "tip[RB101] Nowhere.",
        "cards/my game/a.yaml:1:4: error[RB301] There is no `x`: 100%, says\ufffd\ufffdsomebody.",
        "cards/my game/a.yaml:1:4: warning[RB105] Perhaps.",
        "1 error, 1 warning, 1 tip in 1 file",
    ]


# JUnit


def test_junit_counts_what_fails() -> None:
    top = ElementTree.fromstring(write_junit(REPORT).encode())
    assert (top.tag, top.get("tests"), top.get("failures")) == ("testsuites", "4", "1")
    mine, other = top
    assert (mine.get("name"), mine.get("tests"), mine.get("failures")) == ("cards/my game", "3", "1")
    assert [case.get("name") for case in mine] == [
        "RB101", "RB301 cards/my game/a.yaml:1:4", "RB105 cards/my game/a.yaml:1:4",
    ]  # fmt: skip
    assert [case[0].tag for case in mine] == ["system-out", "failure", "system-out"]
    assert mine[1][0].get("type") == "RB301" and "^ Do." in (mine[1][0].text or "")
    assert [(case.get("name"), len(case)) for case in other] == [("no problems", 0)]


def test_junit_takes_any_character() -> None:
    file = SourceFile("a\x1b.yaml", "<&>\x00\ud800\n")
    found = Diagnostic("RB301", "\x00\ud800<&>", Span(file, 0, 3))
    text = write_junit(Report((found,), ("a",)))
    assert ElementTree.fromstring(text.encode("utf-8")).get("failures") == "1"


def test_junit_gives_messages_to_the_inner_game() -> None:
    file = SourceFile("cards/a/b/x.yaml", "x")
    found = Diagnostic("RB301", "No.", Span(file, 0, 1))
    top = ElementTree.fromstring(write_junit(Report((found,), ("cards/a", "cards/a/b"))))
    assert [suite.get("failures") for suite in top] == ["0", "1"]
