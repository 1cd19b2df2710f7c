"""`# rulebook: ignore CODE reason`: where it works, and what is said about the comments themselves."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
from paths import ROOT

from rulebook.diagnostics import diagnose
from rulebook.dsl.secrets import taint
from rulebook.examples import in_market
from rulebook.loading import load
from rulebook.loading.suppressions import heed_comments
from rulebook.playtest.scenarios.reading import WHEN_RUN
from rulebook.source import SourceFile, Span


def left(text: str, code: str, words: str, complete: bool = True) -> list[str]:
    """What is left of a message about these words of a file, with the messages about its comments."""
    file = SourceFile("a.yaml", text)
    start = text.index(words)
    values: dict[str, Any] = dict.fromkeys(("key", "name", "thing", "field", "wanted"), "x")
    found = diagnose(code, Span(file, start, start + len(words)), **values)
    return [
        f"{one.code} {one.span.line}:{one.span.column}"
        for one in heed_comments([found], [SourceFile("a.yaml", text)], complete)
        if one.span is not None
    ]


@pytest.mark.parametrize(
    "text",
    [
        "a: x  # rulebook: ignore RB105 so it is\n",
        "# rulebook: ignore RB105 so it is\na: x\n",
        "a: x  #rulebook:ignore rb105 so it is\n",
        "# rulebook: ignore RB105 so it is\n\n# more about it\na: x\n",
        "a: |\n  shuffle deck\n  x  # rulebook: ignore RB105 so it is\n",
        "a: |\n  # rulebook: ignore RB105 so it is\n  x\n",
        "a: [x]  # rulebook: ignore RB601, RB105 so it is\n",
        'a: |\n  say "#1" x  # rulebook: ignore RB105 so it is\n',
        "a: isn't x  # rulebook: ignore RB105 so it is\r\n",
        "a: x  # rulebook: ignore RB105 so it is",
    ],
)
def test_it_ignores(text: str) -> None:
    assert left(text, "RB105", "x", complete=False) == []


@pytest.mark.parametrize(
    ("text", "places"),
    [
        ("a: x\n# rulebook: ignore RB105 so it is\n", ["RB105 1:4", "RB901 2:20"]),
        ("a: x\nb: 2  # rulebook: ignore RB105 so it is\n", ["RB105 1:4", "RB901 2:26"]),
        ("a: x  # rulebook: ignore RB601 so it is\n", ["RB105 1:4", "RB901 1:26"]),
        ("a: x  # rulebook: ignore RB105, RB601 so it is\n", ["RB901 1:33"]),
        ("a: x  # rulebook: ignore RB105\n", ["RB902 1:7"]),
        ("a: x  # rulebook: ignore RB199 so it is\n", ["RB105 1:4", "RB903 1:26"]),
        ("a: x  # rulebook: ignore\n", ["RB105 1:4", "RB903 1:7"]),
        ("a: x  # rulebook: ignore this\n", ["RB105 1:4", "RB903 1:26"]),
        ("a: x  # rulebook: ignored RB105 so it is\n", ["RB105 1:4", "RB903 1:19"]),
        ("a: x  # rulebook:\n", ["RB105 1:4", "RB903 1:7"]),
        # No comments
        ('a: "x  # rulebook: ignore RB105 so it is"\n', ["RB105 1:5"]),
        ("a: 'x\n  # rulebook: ignore RB105 so it is'\n", ["RB105 1:5"]),
        ('a: |\n  say "x # rulebook: ignore RB105 so it is"\n', ["RB105 2:8"]),
        ("a: x# rulebook: ignore RB105 so it is\n", ["RB105 1:4"]),
        ("a: x  # the rulebook: ignore RB105 so it is\n", ["RB105 1:4"]),
    ],
)
def test_it_does_not_ignore(text: str, places: list[str]) -> None:
    assert left(text, "RB105", "x") == places


def test_nothing_is_unused_before_everything_was_checked() -> None:
    assert left("a: x\n# rulebook: ignore RB105 so it is\n", "RB105", "x", complete=False) == ["RB105 1:4"]


IGNORING = """\
format: 1
name: Ignoring
players: 2..3
kinds:
  gem: {}
cards:
  ruby: {kind: gem}
places: {player: {hand: {holds: gem, kept: loose, seen_by: owner}}}
memory:
  # rulebook: ignore RB507 it is for a variant
  table: {spare: 0}
rules:
  game: |
    move box to first(players).hand
    win first(players)  # rulebook: ignore RB404 there is somebody
display:
  card:
    gem: {picture: gem.png}  # rulebook: ignore RB118 it is drawn later
"""


def test_only_who_checks_a_game_is_told_of_a_comment_that_ignores_nothing(tmp_path: Path) -> None:
    """Who plays it is not: much of what comments are about was not looked for."""
    (tmp_path / "rulebook.yaml").write_text(IGNORING, "utf-8")
    played, checked = load(tmp_path), load(tmp_path, meant=True)
    assert played.rulebook is not None and played.messages == []
    assert [(one.code, one.span and one.span.text) for one in checked.messages] == [("RB901", "RB404")]


@pytest.mark.parametrize(
    ("codes", "found_by"), [(WHEN_RUN, "playtest/scenarios/empty.py"), (taint.CODES, "dsl/secrets/*.py")]
)
def test_the_codes_of_what_is_looked_for_later_are_those_that_it_reports(codes: frozenset[str], found_by: str) -> None:
    """By these it is known what a look that left it out says nothing of."""
    reporting = [file.read_text("utf-8") for file in (ROOT / "rulebook").glob(found_by)]
    assert {code for text in reporting for code in re.findall(r'"(RB\d+)"', text)} == codes


def test_what_is_certain_is_not_ignored() -> None:
    rulebook, found = in_market("rules:\n  act: drw 2  # rulebook: ignore RB203 my word\n")
    assert rulebook is None
    (one,) = found
    assert one.code == "RB203"
    (label,) = one.labels
    assert label.span.text == "RB203" and "cannot be ignored" in label.text


def test_what_is_only_likely_is_ignored_and_the_game_can_be_played() -> None:
    script = "rules:\n  act(me): |\n    set loudest = count(me.hand where it is jewelry)"
    rulebook, found = in_market(f"{script}\n")
    assert (rulebook, [one.code for one in found]) == (None, ["RB601"])
    rulebook, found = in_market(f"{script}  # rulebook: ignore RB601 all may know\n")
    assert rulebook is not None and found == []
