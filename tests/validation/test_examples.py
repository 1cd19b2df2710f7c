"""The examples of every code: a bad one gives its code at its marks and nothing else, a good one gives nothing."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from rulebook import diagnostics
from rulebook.diagnostics import codes, template
from rulebook.diagnostics.registry import Example, unmarked
from rulebook.diagnostics.render import render_text
from rulebook.examples import find_messages, in_market


def examples(kind: str) -> list[object]:
    return [
        pytest.param(code, example, id=f"{code} {number}")
        for code in codes()
        for number, example in enumerate(getattr(template(code), kind), 1)
    ]


@pytest.mark.parametrize("code", codes())
def test_a_code_has_examples_of_both_sorts(code: str) -> None:
    found = template(code)
    assert found.bad and found.good
    assert all(example.text.strip() and example.places for example in found.bad)
    assert all(example.text.strip() and not example.places for example in found.good)


@pytest.mark.slow
@pytest.mark.parametrize(("code", "example"), examples("bad"))
def test_a_bad_example_gives_its_code_at_its_marks(code: str, example: Example) -> None:
    found = find_messages(example)
    places = [(one.code, one.span.start, one.span.end) for one in found if one.span is not None]
    assert places == [(code, *place) for place in example.places], "\n" + render_text(found)
    assert len(places) == len(found)


@pytest.mark.parametrize(("code", "example"), examples("good"))
def test_a_good_example_gives_nothing(code: str, example: Example) -> None:
    found = find_messages(example)
    assert found == [], "\n" + render_text(found)


@pytest.mark.parametrize("code", codes())
def test_a_code_says_what_it_means_and_why(code: str) -> None:
    found = template(code)
    for text in (found.means, found.why):
        assert re.fullmatch(r"[A-Z0-9`].*[.?]", text), text
        assert text.count("`") % 2 == 0, text


def test_the_small_game_has_no_mistakes_of_its_own() -> None:
    rulebook, found = in_market("memory: {table: {laps: 0}}\n")
    assert found == [] and rulebook is not None


def test_a_message_names_no_folder_of_this_machine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    text = (Path(diagnostics.__file__).parent / "fair.yaml").read_text("utf-8")
    (tmp_path / "fair.yaml").write_text(text.replace("      reveal card\n", ""), "utf-8")
    monkeypatch.setattr("rulebook.examples._GAMES", tmp_path)
    [found] = find_messages(Example("scenarios", template("RB518").good[0].text))
    assert found.span is not None and found.labels
    assert {found.span.file.name, *(one.span.file.name for one in found.labels)} == {"fair.yaml"}
    assert found.span.text.startswith("move given")


def test_marks_are_taken_out() -> None:
    assert unmarked("a «b «c»» «»d") == ("a b c d", ((2, 5), (4, 5), (6, 6)))
    for broken in ("a «b", "a» b"):
        with pytest.raises(ValueError, match="mark"):
            unmarked(broken)
