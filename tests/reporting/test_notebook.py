"""A report for programs: the same as `simulate` says, as a table of data, and as a page that a notebook shows."""

import json
import sys
from html import unescape

import pytest
from click.testing import CliRunner

import rulebook
from rulebook.cli import main

GAME, GAMES = "exposed", 20


@pytest.fixture(scope="module")
def report() -> rulebook.Report:
    return rulebook.open(GAME).simulate(3, GAMES, seed=1)


@pytest.mark.slow
def test_a_report_says_what_simulate_says(report: rulebook.Report) -> None:
    words = ["simulate", GAME, "--players", "3", "--games", str(GAMES), "--seed", "1", "--details"]
    printed = CliRunner().invoke(main, [*words, "--json"])
    told = json.loads(printed.stdout)
    # How long it took is the one number that differs.
    assert report.to_dict() | {"seconds": 0} == told | {"seconds": 0}
    assert " ".join(report.headline.split()) in " ".join(CliRunner().invoke(main, words).stdout.split())
    assert [*report.answers][:2] == ["Fair?", "Long?"]


def test_rows_add_up_to_what_is_reported(report: rulebook.Report) -> None:
    assert len(report.rows) == 3 * GAMES
    for seat in report.record.seats:
        assert sum(row["won"] for row in report.rows if row["seat"] == seat.seat) == seat.won


def test_a_notebook_shows_the_page_in_a_frame_of_its_own(report: rulebook.Report) -> None:
    shown = report._repr_html_()
    assert shown.startswith("<iframe sandbox srcdoc=") and shown.count("<") == 2
    assert "<h1>" in unescape(shown) and "<script" not in unescape(shown)


def test_without_pandas_the_message_says_what_to_install(
    report: rulebook.Report, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "pandas", None)
    with pytest.raises(ImportError, match=r"pip install 'tabletop-rulebook\[frames\]'"):
        report.to_frame()


@pytest.mark.extra("frames", "pandas")
def test_a_data_frame_has_the_rows(report: rulebook.Report) -> None:
    frame = report.to_frame()
    assert frame.to_dict("records")[0]["won"] == report.rows[0]["won"] and len(frame) == 3 * GAMES


def test_who_plays_is_said_for_all_seats_or_for_each() -> None:
    with pytest.raises(rulebook.BadSpec, match="3 players and 2 bots"):
        rulebook.open(GAME).simulate(3, 1, bots=["random", "greedy"])
