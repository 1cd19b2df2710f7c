"""What many games say of teams: a win is a team's, and nobody is judged against a partner."""

from __future__ import annotations

import json
import sqlite3
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from paths import DATA

from rulebook.cli import main
from rulebook.interpreter.results import find_margin, find_shares


def game(tmp_path: Path, name: str) -> str:
    folder = tmp_path / name
    folder.mkdir()
    (folder / "rulebook.yaml").write_bytes((DATA / "teams" / f"{name}.yaml").read_bytes())
    return str(folder)


def run(*args: str) -> str:
    result = CliRunner().invoke(main, [*args], catch_exceptions=False)
    assert result.exit_code == 0, result.output
    return " ".join(result.output.split())


def report(*args: str) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(CliRunner().invoke(main, [*args, "--json"], catch_exceptions=False).stdout)
    return found


@pytest.mark.parametrize(
    ("winners", "teams", "shares"),
    [
        ((0, 2), (0, 1, 0, 1), (1, 0, 1, 0)),
        ((0, 1, 2, 3), (0, 1, 0, 1), (0.5, 0.5, 0.5, 0.5)),
        ((0, 1, 2), (0, 0, 0), (1, 1, 1)),
        ((), (0, 0, 0), (0, 0, 0)),
        ((1, 2), (0, 1, 2), (0, 0.5, 0.5)),
        ((0, 1, 2), (0, 1, 0), (0.5, 0.5, 0.5)),
    ],
)
def test_each_of_a_team_has_the_share_of_the_team(
    winners: tuple[int, ...], teams: tuple[int, ...], shares: tuple[float, ...]
) -> None:
    assert find_shares(winners, teams) == shares


def test_a_lead_is_one_of_teams() -> None:
    assert find_margin((3, 1, 3, 2), (0, 1, 0, 1)) == 3
    assert find_margin((3, 1, 3, 2), (0, 1, 2, 3)) == 0
    assert find_margin((3, 1), (0, 0)) == 0


@pytest.mark.slow
def test_what_loses_a_game_of_all_together_is_named(tmp_path: Path) -> None:
    crew = game(tmp_path, "crew")
    words = ["simulate", crew, "--players", "2", "--games", "40", "--seed", "1", "--details"]
    ends = report(*words)["details"]["sample"]["ends"]
    assert {(one["rule"], one["sentence"]) for one in ends} == {("game", "win nobody"), ("game", "win players")}
    # A game was won by the sentence that says so, and lost by the other.
    assert all(one["won"] == (one["games"] if one["sentence"] == "win players" else 0) for one in ends)
    won = sum(one["won"] for one in ends)
    assert sum(one["games"] for one in ends) == 40 and 0 < won < 40
    said = run(*words)
    assert f"With 2 players all win or lose together, and win {100 * won / 40:.1f} of 100 games." in said
    assert f"lost {40 - won} by “game” (win nobody, rulebook.yaml:33); won {won} by “game” (win players" in said


@pytest.mark.slow
def test_who_comes_to_the_end_of_the_rules_is_ended_by_no_sentence(tmp_path: Path) -> None:
    text = TOGETHER.replace("    win nobody\n", "").replace("everyone}", "everyone, rank: most depth}")
    (tmp_path / "rulebook.yaml").write_text(text.replace("depth > 0", "depth > 9"), "utf-8")
    words = ("simulate", str(tmp_path), "--games", "20", "--seed", "1", "--details")
    ends = report(*words)["details"]["sample"]["ends"]
    assert [(one["rule"], one["sentence"], one["games"]) for one in ends] == [("", "", 20)]
    assert "by coming to the end of the rules" in run(*words)


@pytest.mark.slow
def test_how_often_all_win_is_told_by_number_of_players(tmp_path: Path) -> None:
    crew, page = game(tmp_path, "crew"), tmp_path / "page.html"
    words = ["--players", "all", "--games", "30", "--seed", "1", "--no-course", "--report", str(page)]
    said = run("simulate", crew, *words)
    assert said.startswith("how often all win together, by number of players players all win 2 ")
    html = page.read_text("utf-8")
    assert "<h1>How often all win together, by how many play.</h1>" in html
    assert html.count("How often all win together, and what ends a game") == 3
    pairs = game(tmp_path, "pairs")
    assert "how often all win" not in run("simulate", pairs, "--games", "10", "--seed", "1")


def test_a_game_of_all_together_has_no_ties_and_nobody_is_judged_against_others(tmp_path: Path) -> None:
    crew = game(tmp_path, "crew")
    found = report("simulate", crew, "--players", "3", "--games", "200", "--seed", "1", "--details")
    sorts = {line["about"].partition(":")[0] for line in found["lines"]}
    assert not {"seat", "order", "tie"} & sorts
    rows = [(row["share"], row["low"], row["high"]) for row in found["seats"]]
    assert len(set(rows)) == 1 and rows[0][1] < rows[0][0] < rows[0][2]
    told = run("simulate", crew, "--players", "3", "--games", "400", "--seed", "1")
    assert "With 3 players all win or lose together, and win" in told
    assert "Ties? None: all win or lose together." in told and "are ties" not in told


def test_two_rules_that_all_win_or_lose_by_are_compared_once(tmp_path: Path) -> None:
    crew = game(tmp_path, "crew")
    told = run("compare", crew, "--players", "2", "--without", "bag.1", "--games", "200", "--seed", "1")
    assert "All together win: from" in told and "Seat 1" not in told and "ties" not in told


def test_two_teams_are_two_lines_and_each_should_win_half(tmp_path: Path) -> None:
    pairs = game(tmp_path, "pairs")
    for players, names in (("4", {"seats 1 and 3", "seats 2 and 4"}), ("3", {"seats 1 and 3", "seat 2"})):
        found = report("simulate", pairs, "--players", players, "--games", "600", "--seed", "1")
        lines = [line for line in found["lines"] if line["about"].startswith("seat:")]
        assert {line["name"] for line in lines} == names
        assert {round(line["fair"], 6) for line in lines} == {0.5}
    told = run("simulate", pairs, "--players", "3", "--games", "600", "--seed", "1")
    assert "Seats 1 and 3: won" in told and "where 50.0 would be fair" in told


def test_hidden_teams_are_judged_seat_by_seat(tmp_path: Path) -> None:
    found = report("simulate", game(tmp_path, "moles"), "--players", "4", "--games", "300", "--seed", "1")
    assert [line["name"] for line in found["lines"] if line["about"].startswith("seat:")] == [
        "seat 1", "seat 2", "seat 3", "seat 4"
    ]  # fmt: skip
    assert found["shared"] == found["nobody"] == 0


def test_kept_games_say_what_each_won(tmp_path: Path) -> None:
    pairs, out = game(tmp_path, "pairs"), tmp_path / "games.sqlite"
    args = ("simulate", pairs, "--players", "4", "--games", "60", "--seed", "1")
    anew = report(*args)
    kept = report(*args, "--out", str(out))
    again = report(*args, "--out", str(out))
    assert anew["wins"] == kept["wins"] == again["wins"]
    with sqlite3.connect(out) as file:
        won = dict(file.execute("SELECT seat, sum(won) FROM seats GROUP BY seat").fetchall())
    assert [won[seat] for seat in (1, 2, 3, 4)] == anew["wins"]


def test_a_tree_counts_the_wins_of_whole_teams(tmp_path: Path) -> None:
    (tmp_path / "rulebook.yaml").write_text(
        "format: 1\nname: Coin\nplayers: 4..4\nmemory: {table: {heads: no}}\nresult: {team: seat(it) % 2}\n"
        "rules:\n  game: |\n    pick side from [1, 2, 3] at random\n    if side is 1:\n      win first(players)\n"
        "    win last(players)\n",
        "utf-8",
    )
    found = json.loads(CliRunner().invoke(main, ["tree", str(tmp_path), "--json"], catch_exceptions=False).stdout)
    assert [seat["wins"] for seat in found["seats"]] == [1, 2, 1, 2]
    assert [seat["win_probability"] for seat in found["seats"]] == ["1/3", "2/3", "1/3", "2/3"]


@pytest.mark.parametrize(
    ("name", "players", "seed", "words"),
    [
        ("crew", 2, 1, "You have lost together. Bot 1 Bot 2"),
        ("crew", 2, 6, "Bot 1 and Bot 2 win together. Bot 1 Bot 2"),
        ("pairs", 4, 1, "Bot 2 and Bot 4 win together. 1. Bot 2 and Bot 4"),
        ("pairs", 4, 2, "The team of Bot 1 and Bot 3 and the team of Bot 2 and Bot 4 share the victory."),
        ("moles", 4, 1, "Bot 3 wins. 1. Bot 3 2. Bot 1, Bot 2 and Bot 4"),
    ],
)
def test_how_a_game_of_teams_ended_is_said(name: str, players: int, seed: int, words: str, tmp_path: Path) -> None:
    args = ("play", game(tmp_path, name), "--players", str(players), "--bots", "random", "--seed", str(seed))
    told = CliRunner().invoke(main, [*args], catch_exceptions=False).output
    assert words in " ".join(told.split())


TOGETHER = """
format: 1
name: Well
players: 2..3
memory: {table: {depth: 0}}
rules:
  game: |
    each me in players:
      me chooses dug from 0..1 "How deep?"
      add dug to depth
    if depth > 0:
      win players
    win nobody
result: {team: everyone}
"""


@pytest.mark.parametrize("asked", [(), ("--details",), ("--course",), ("--course", "--details"), ("--each-card",)])
def test_a_game_without_a_rank_has_a_page(asked: tuple[str, ...], tmp_path: Path) -> None:
    (tmp_path / "rulebook.yaml").write_text(TOGETHER, "utf-8")
    page = tmp_path / "page.html"
    told = run(
        "simulate", str(tmp_path), "--games", "12", "--players", "3", "--seed", "1", *asked, "--report", str(page)
    )
    assert "fact Fair? With 3 players all win or lose together" in told
    assert "win or lose together" in page.read_text("utf-8")
    if "--course" in asked and "--details" not in asked:
        assert "Not by who is ahead: all win or lose together." in told


SHARED = """
format: 1
name: Shared luck
players: 3..3
kinds: {charm: {}}
places:
  table: {deck: {holds: charm, kept: pile, seen_by: nobody}}
  player: {pouch: {holds: charm, kept: loose, seen_by: everyone}}
cards:
  charm_a: {kind: charm, copies: 3}
  charm_b: {kind: charm, copies: 3}
rules:
  game: |
    move cards to deck
    shuffle deck
    deal 1 from deck to each pouch
    each me in players:
      me chooses one "Call it.":
        "Heads":
          let a = 1
        "Tails":
          let a = 2
    pick side from 1..2 at random
    if side is 1:
      win players
    win nobody
"""


@pytest.mark.slow
def test_what_all_share_is_known_no_better_than_how_often_it_comes(tmp_path: Path) -> None:
    """Each seat has exactly what all have on average; that average is a guess."""
    folder = tmp_path / "shared"
    folder.mkdir()
    (folder / "rulebook.yaml").write_text(SHARED)
    held = {"seat": 0, "dealt": 0, "row": 0}
    for seed in range(40):
        told = report("simulate", str(folder), "--games", "100", "--seed", str(seed), "--details")
        lines = {line["about"].partition(":")[0]: line for line in told["lines"]}
        for sort in ("seat", "dealt"):
            held[sort] += lines[sort]["won_low"] <= 1 / 6 <= lines[sort]["won_high"]
        held["row"] += told["seats"][0]["low"] <= 1 / 6 <= told["seats"][0]["high"]
    assert all(times >= 39 for times in held.values()), held
