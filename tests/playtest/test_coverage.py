"""Coverage: a small game with known gaps and its golden report; that watching changes nothing, and costs nothing when
nobody does.

The golden report is `tests/data/coverage/fair.txt`: what `rulebook test fair --coverage` prints there is to be read
and, when it is right, copied.
"""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result
from paths import DATA
from shipped import load_game, lower_game
from simulating import simulate

from rulebook import library
from rulebook.cli import main
from rulebook.dsl import ir
from rulebook.dsl.walk import statements
from rulebook.interpreter.lower import lower
from rulebook.interpreter.ops import flow
from rulebook.playtest.coverage import Coverage, Report

FILES = DATA / "coverage"


@pytest.fixture(autouse=True)
def beside_the_game(monkeypatch: pytest.MonkeyPatch) -> None:
    """Reports name files as one sees them from here."""
    monkeypatch.chdir(FILES)
    monkeypatch.setenv("NO_COLOR", "1")


def run(*words: str) -> Result:
    return CliRunner().invoke(main, list(words))


def played(rulebook: ir.Rulebook, players: int = 2, games: int = 6, jobs: int = 1) -> Report:
    coverage = Coverage(rulebook)
    simulate(rulebook, players, games, 1, jobs=jobs, coverage=coverage)
    return coverage.report()


# ── the report ───────────────────────────────────────────────────────────────────────────────────────────────────────


def test_the_report_of_a_game_with_gaps() -> None:
    result = run("test", "fair", "--coverage")
    assert result.exit_code == 0, result.output
    assert result.stdout == (FILES / "fair.txt").read_text("utf-8")


def test_the_same_for_machines() -> None:
    found = json.loads(run("test", "fair", "--coverage", "--json").stdout)
    assert (found["scenarios"], found["passed"], found["failed"], found["not_run"]) == (1, 1, [], 0)
    report = found["coverage"]["fair"]
    assert report["reached"] < report["total"]
    assert report["percent"] == report["reached"] * 1000 // report["total"] / 10
    assert [one["file"] for one in report["files"]] == ["fair/rulebook.yaml"]
    skipped = [one for one in report["missing"] if one["skipped"]]
    assert [(one["sort"], one["name"], one["source"], one["skipped"]) for one in skipped] == [
        ("sentences", "turn", "add 1 to friend.score", 1)
    ]
    # What is hidden inside of something else is counted there, so that nothing is lost.
    assert sum(1 + one["within"] for one in report["missing"]) == report["total"] - report["reached"]


def test_what_is_required() -> None:
    enough = run("test", "fair", "--require", "20")
    assert (enough.exit_code, "Coverage of Fair" in enough.stdout) == (0, True)
    short = run("test", "fair", "--require", "100")
    assert short.exit_code == 1
    assert "100 % are required" in short.stderr
    assert "fair/rulebook.yaml:8, rain=yes: never played" in short.stderr
    assert run("simulate", "./fair", "--games", "1", "--seed", "1", "--require", "100").exit_code == 1


def test_a_scenario_in_which_nothing_is_done_reaches_no_rule(tmp_path: Path) -> None:
    (tmp_path / "rulebook.yaml").write_text((FILES / "fair" / "rulebook.yaml").read_text("utf-8"), "utf-8")
    (tmp_path / "scenarios").mkdir()
    nothing_done = "scenarios:\n  Nothing: {given: {players: [A, B]}, expect: [rides is 0]}\n"
    (tmp_path / "scenarios" / "none.yaml").write_text(nothing_done, "utf-8")
    report = json.loads(run("test", str(tmp_path), "--coverage", "--json").stdout)["coverage"][tmp_path.name]
    # The house rules under which nothing was done.
    assert report["reached"] == 2


def test_files_of_one_game_are_added() -> None:
    file = "fair/scenarios/gates.yaml"
    once, twice = (json.loads(run("test", *files, "--coverage", "--json").stdout) for files in ([file], [file, file]))
    assert (once["scenarios"], twice["scenarios"]) == (1, 2)
    assert twice["coverage"]["fair"]["reached"] == once["coverage"]["fair"]["reached"]


def test_what_a_variant_puts_into_a_rule_is_named_after_that_rule(tmp_path: Path) -> None:
    variant = tmp_path / "noisy.yaml"
    variant.write_text(NOISY, "utf-8")
    words = ["simulate", "./fair", "--variant", str(variant), "--games", "1", "--seed", "1", "--coverage", "--json"]
    missing = json.loads(run(*words).stdout)["coverage"]["missing"]
    fields = ("name", "what", "source", "within")
    listed = {(one["file"].rpartition("/")[2], *(one[field] for field in fields)) for one in missing}
    assert {one for one in listed if one[0] == "noisy.yaml" or one[1] == "close_gates"} == {
        ("noisy.yaml", "music", "never ran", 'say "La."', 5),
        ("noisy.yaml", "open_gates", "if: never ran", 'say "A throng."', 1),
        # What the variant says there is inside of it, though it stands in another file.
        ("rulebook.yaml", "close_gates", "never ran", "each p in players:", 7),
    }


NOISY = """
variant: noisy
name: Noisy
extends: fair
before:
  rules.open_gates.move cards: |
    if rides > 1000:
      say "A throng."
  rules.close_gates.each p: say "Closing."
after:
  rules.close_gates.each p.set p: say "{p} leaves."
instead of:
  rules.close_gates.set rides: |
    say "Closed."
    original
add:
  rules.music(me): |
    say "La."
    if rides > 99:
      say "La la."
"""

# ── many games ───────────────────────────────────────────────────────────────────────────────────────────────────────


def test_every_number_of_players_and_every_house_rule() -> None:
    words = ["simulate", "./fair", "--players", "all", "--vary", "--games", "2", "--seed", "1"]
    found = json.loads(run(*words, "--coverage", "--json").stdout)
    assert [(one["players"], one["options"]) for one in found["simulations"]] == [
        (2, {}),
        (3, {}),
        (2, {"rain": "yes"}),
        (3, {"prize": "large"}),
    ]
    assert not [one for one in found["coverage"]["missing"] if one["sort"] == "house rules"]
    assert "coverage" not in json.loads(run(*words, "--json").stdout)
    assert "Fair, 3 players (random), 2 games, seed 1, prize=large" in run(*words).stdout
    assert run("simulate", "./fair", "--players", "some").exit_code == 2


def test_processes_that_share_the_work_count_the_same() -> None:
    rulebook = load_game(FILES / "fair")
    assert played(rulebook, jobs=2) == played(rulebook)


# ── watching ─────────────────────────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.slow
@pytest.mark.parametrize("game", library.find_games(), ids=lambda game: game.name)
def test_watching_changes_no_game(game: Path) -> None:
    rulebook = load_game(game)
    players, coverage = rulebook.players[-1], Coverage(rulebook)
    watched = simulate(rulebook, players, 2, 7, coverage=coverage)
    assert watched == simulate(rulebook, players, 2, 7)
    assert coverage.report().reached > 0


@pytest.mark.parametrize("game", [*library.find_games(), FILES / "fair"], ids=lambda game: game.name)
def test_every_sentence_of_a_game_is_a_point_and_nothing_is_written_for_nobody(game: Path) -> None:
    rulebook = load_game(game)
    program = lower_game(game, rulebook.players[0])
    counting = flow.count_probe, flow.count_answer, flow.count_object, flow.count_choice, flow.count_word
    codes = *program.codes, *program.questions.values()
    assert not any(step.does(*counting) for code in codes for step in code.steps)
    coverage = Coverage(rulebook)
    lower(rulebook, rulebook.players[0], probes=coverage)
    blocks = [*(one.body for one in rulebook.scripts.values()), *(one.body for one in rulebook.functions.values())]
    places = {
        (one.at.span.file.name, one.at.span.start, one.at.span.end)
        for block in blocks
        if isinstance(block, tuple)
        for one in statements(block)
        if one.at is not None
    }
    files = coverage.report().files
    assert sum(one.reached["sentences"][1] for one in files) == len(places) > 0


@pytest.mark.slow
def test_the_scenarios_of_a_bundled_game_reach_everything(bundled_game: Path) -> None:
    """What no scenario reaches could be broken without a test noticing it."""
    result = run("test", str(bundled_game), "--coverage", "--require", "100")
    assert (result.exit_code, "RB518" in result.output) == (0, False), result.output
