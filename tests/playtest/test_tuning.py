"""Searches for an aim: the planted setting is found, what cannot be mended is said to be so, and aims are read."""

from __future__ import annotations

import json
import re
import time
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result
from cores import has_core
from paths import DATA

from rulebook import cache
from rulebook.authoring.knobs import BadKnob, read_knobs
from rulebook.cli import main
from rulebook.interpreter.program import Program
from rulebook.loading import load
from rulebook.playtest.bots import self_play
from rulebook.playtest.bots.knowledge import Knowledge
from rulebook.playtest.series.plan import plan_of
from rulebook.playtest.tuning.aims import BadAim, read_aims
from rulebook.playtest.tuning.searching import Asked, Search
from rulebook.statistics.intervals import Interval

GAMES = DATA / "tuned"
NAMES = ["length", "seat_gap", "seat_1", "ties", "share"]


def tune(game: str, vary: str, aim: str, *more: str) -> Result:
    words = ["tune", str(GAMES / game), "--vary", vary, "--until", aim, "--games", "1600", *more]
    return CliRunner().invoke(main, words)


def told(found: Result) -> dict[str, Any]:
    data = json.loads(found.stdout)
    assert isinstance(data, dict)
    return data


def find_card(word: str) -> str:
    if word != "dove":
        raise ValueError(f"There is no card `{word}`.")
    return word


# ── what is found ──

PLANTED = [
    ("seats", "rules.game.if drawn <= 8=1..9", "seat_gap < 4", "5"),
    ("length", "laps=1..9", "length = 17..19", "6"),
    ("copies", "copies(storm)=1..9", "seat_gap < 5", "6"),
    ("draws", "duel=all", "ties = 0", "yes"),
]


@pytest.mark.slow
@pytest.mark.needs(has_core(), "there is no core here: a C compiler builds it when rulebook is installed")
@pytest.mark.parametrize(("game", "vary", "aim", "truth"), PLANTED, ids=[one[0] for one in PLANTED])
def test_the_planted_setting_is_found(game: str, vary: str, aim: str, truth: str) -> None:
    found = tune(game, vary, aim, "--json")
    assert found.exit_code == 0, found.output
    data = told(found)
    assert data["verdict"] == "found"
    assert [*data["few"][0]["values"].values()] == [truth]
    assert {figure["standing"] for figure in data["few"][0]["figures"]} == {"met"}


@pytest.mark.slow
@pytest.mark.needs(has_core(), "there is no core here: a C compiler builds it when rulebook is installed")
def test_what_cannot_be_mended_is_said_to_be_so() -> None:
    found = tune("hopeless", "laps=1..5", "seat_gap < 5")
    assert found.exit_code == 1
    assert "No setting of these meets seat_gap < 5 of 100. The nearest is laps =" in found.stdout
    assert "As a variant" not in found.stdout


@pytest.mark.slow
@pytest.mark.needs(has_core(), "there is no core here: a C compiler builds it when rulebook is installed")
def test_the_best_is_written_as_a_variant_that_plays_the_same(tmp_path: Path) -> None:
    file, page = tmp_path / "even.yaml", tmp_path / "page.html"
    more = ("--levels", "random", "--json", "--save-variant", str(file), "--report", str(page))
    data = told(tune("seats", "rules.game.if drawn <= 8=4..6", "seat_gap < 5", *more))
    best = data["few"][0]
    assert best["values"] == {"rules.game.if drawn <= 8": "5"}
    valid = CliRunner().invoke(main, ["validate", str(GAMES / "seats"), "--variant", str(file)])
    assert valid.exit_code == 0, valid.output
    words = ["simulate", str(GAMES / "seats"), "--variant", str(file), "--games", str(best["games"])]
    again = json.loads(CliRunner().invoke(main, [*words, "--seed", str(best["seed"]), "--json"]).stdout)
    assert again["measured"]["seat_gap"] == pytest.approx(best["figures"][0]["value"])
    assert "rules.game.if drawn &lt;= 8: 5 meets seat_gap" in page.read_text("utf-8")
    assert len(json.loads(page.with_suffix(".json").read_text("utf-8"))["reports"]) == 3


@pytest.mark.slow
@pytest.mark.needs(has_core(), "there is no core here: a C compiler builds it when rulebook is installed")
def test_the_number_of_processes_changes_nothing() -> None:
    words = ("seats", "rules.game.if drawn <= 8=4..6", "seat_gap < 5", "--levels", "random", "--json")
    one, two = (told(tune(*words, *jobs)) for jobs in ((), ("--jobs", "2")))
    assert one | {"seconds": 0} == two | {"seconds": 0}


@pytest.mark.slow
@pytest.mark.slow
@pytest.mark.needs(has_core(), "there is no core here: a C compiler builds it when rulebook is installed")
def test_each_setting_is_learned_once_before_it_is_played(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """By all processes together; those that play find it known."""
    monkeypatch.setenv(cache.SWITCH, str(tmp_path))
    self_play.forget_all()
    learned = list[tuple[str, int]]()

    def note(program: Program, games: int, jobs: int = 1) -> Knowledge:
        learned.append((program.rules_hash, jobs))
        return learn_game(program, games, jobs)

    learn_game = self_play.learn_game
    monkeypatch.setattr(self_play, "learn_game", note)
    more = ("--levels", "random,learned:20", "--games", "200", "--json", "--jobs", "2")
    assert told(tune("draws", "highest=2..3", "ties < 30", *more))["settings"]
    assert len({*learned}) == len(learned) == 2 and {jobs for _, jobs in learned} == {2}


def test_several_aims_say_what_they_cost_each_other() -> None:
    aim = "length < 13 and ties < 15"
    found = tune("draws", "highest=2..9", aim, "--levels", "random")
    assert "What the aims take from each other" in found.stdout


@pytest.mark.slow
@pytest.mark.needs(has_core(), "there is no core here: a C compiler builds it when rulebook is installed")
def test_a_search_ends_when_its_time_is_over_and_says_what_it_did_not_finish() -> None:
    began = time.process_time()
    found = tune("seats", "rules.game.if drawn <= 8=1..9", "seat_gap < 0.001", "--games", "1000000", "--seconds", "2")
    assert found.exit_code == 1
    said = " ".join(found.stdout.split())
    assert "The time was over after" in said
    assert re.search(r"\b([1-9]) of [1-9] settings (?:is|are) not ruled out", said)
    # Two seconds, and what was begun before they were over.
    assert time.process_time() - began < 10


@pytest.mark.slow
@pytest.mark.needs(has_core(), "there is no core here: a C compiler builds it when rulebook is installed")
def test_what_is_left_open_says_how_many_games_would_tell() -> None:
    more = ("--games", "200", "--levels", "random", "--json")
    data = told(tune("seats", "rules.game.if drawn <= 8=5", "seat_gap < 2", *more))
    needed = data["needed"]
    assert (data["verdict"], data["is_late"]) == ("open", False)
    assert needed["games"] > data["few"][0]["games"]
    assert needed["most"] >= needed["games"] / 16


def test_of_settings_that_may_meet_the_aim_the_best_known_is_named_first() -> None:
    rulebook = load(GAMES / "seats").rulebook
    assert rulebook is not None
    aims, plan = read_aims("seat_gap < 2", NAMES, find_card), plan_of(rulebook, 2, 1)
    search = Search([3], lambda _: None, aims, ["random"], seed=1, most=200, seconds=1)
    few = [
        Asked((0,), plan, 200, (Interval(0.03, 0.0, 0.1),), ("open",)),
        Asked((1,), plan, 200, (Interval(0.01, 0.0, 0.1),), ("open",)),
        Asked((2,), plan, 3200, (Interval(0.015, 0.0, 0.025),), ("open",)),
        Asked((3,), plan, 200, (Interval(0.5, 0.4, 0.6),), ("missed",)),
    ]
    assert [one.values for one in sorted(few, key=search.rank_asked)] == [(2,), (1,), (0,), (3,)]


# ── aims ──


def test_a_share_of_one_or_more_is_of_a_hundred() -> None:
    one, two, three = read_aims("seat_gap < 2 and length = 100..140 and ties<=0.04", NAMES, find_card)
    assert (one.high, two.low, two.high, three.high) == (0.02, 100, 140, 0.04)
    [four] = read_aims("share(dove) = 30 ± 5%", NAMES, find_card)
    assert (four.key, four.low, four.high) == ("share(dove)", pytest.approx(0.25), pytest.approx(0.35))


@pytest.mark.parametrize(
    ("text", "column", "says"),
    [
        ("seat_gap < 2 and lenght > 4", 18, "Did you mean `length`?"),
        ("share < 4", 7, "needs a card"),
        ("share(dvoe) < 4", 7, "no card `dvoe`"),
        ("length = 4", 8, "length = 4 ± 5"),
        ("length > 4%", 10, "no share"),
        ("length = 5..4", 10, "smaller"),
        ("length", 7, "say what `length` shall be"),
        ("", 1, "figure must be named"),
    ],
)
def test_an_aim_that_cannot_be_read_says_where(text: str, column: int, says: str) -> None:
    with pytest.raises(BadAim) as bad:
        read_aims(text, NAMES, find_card)
    assert bad.value.column == column
    assert says in str(bad.value)


def test_as_many_games_are_needed_as_make_the_interval_end_at_the_bound() -> None:
    [aim] = read_aims("length = 100..140", NAMES, find_card)
    assert aim.measure_doubt(Interval(130, 110, 150)) == pytest.approx(4)
    assert aim.measure_doubt(Interval(110, 80, 140)) == pytest.approx(9)
    assert aim.measure_doubt(Interval(150, 130, 170)) == pytest.approx(4)
    [none] = read_aims("ties = 0", NAMES, find_card)
    assert none.measure_doubt(Interval(0, 0, 0.015)) == pytest.approx(3)


def test_an_aim_is_met_only_where_all_of_the_range_is() -> None:
    [aim] = read_aims("length = 100..140", NAMES, find_card)
    assert aim.assess(Interval(120, 101, 139)) == "met"
    assert aim.assess(Interval(120, 99, 139)) == "open"
    assert aim.assess(Interval(150, 141, 159)) == "missed"
    [none] = read_aims("ties = 0", NAMES, find_card)
    assert none.assess(Interval(0.0, 0.0, 0.001)) == "met"
    assert none.assess(Interval(0.0, 0.0, 0.2)) == "open"
    assert none.assess(Interval(0.0001, 0.0, 0.001)) == "missed"


# ── what is varied ──


@pytest.mark.parametrize(
    ("vary", "says"),
    [
        ("laps", "does not say what to vary"),
        ("lap=1..2", "Did you mean `laps`?"),
        ("laps=1..20", "cannot be `11`"),
        ("laps=5..2", "goes down: write 2..5"),
        ("copies(dove)=1..2", "no card `dove`"),
        ("rules.game.pick winner=1..2", "holds no number"),
        ("rules.game.each him=1..2", "leads to no one sentence"),
        ("players=2..3", "is no number"),
    ],
)
def test_what_cannot_be_varied_is_said(vary: str, says: str) -> None:
    game = load(GAMES / "length").game
    assert game is not None
    with pytest.raises(BadKnob) as bad:
        read_knobs(game, [vary], {"laps": "2", "flags": "no"})
    assert says in str(bad.value)


def test_a_path_names_the_number_at_its_end() -> None:
    game = load(GAMES / "seats").game
    assert game is not None
    [knob] = read_knobs(game, ["rules.game.pick drawn from 1..10=4..20 by 8"], {})
    assert (knob.values, knob.turns[0].before, knob.turns[0].behind) == (
        ("4", "12", "20"), "pick drawn from 1..", " at random",
    )  # fmt: skip
