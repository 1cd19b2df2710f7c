"""Scenarios made of games: they pass at once beside the game, and say what was so."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
import yaml
from click.testing import CliRunner, Result
from coins import GAME
from leaks import answer_at_random
from paths import DATA
from shipped import load_game

from rulebook.cli import main
from rulebook.interpreter.game import Game
from rulebook.interpreter.lower import lower
from rulebook.interpreter.random import Source
from rulebook.loading import load
from rulebook.playtest.scenarios.answers import shown
from rulebook.playtest.scenarios.ground import Grounds
from rulebook.playtest.scenarios.reading import load_scenarios
from rulebook.playtest.scenarios.recording import record, word_answer
from rulebook.playtest.scenarios.trial import run as run_scenario


@pytest.fixture(autouse=True)
def save(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Two have played, and Ana has left when she was asked for the third time."""
    for name in ("NO_COLOR", "FORCE_COLOR", "RULEBOOK_DEBUG", "RULEBOOK_COMMAND"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    monkeypatch.setenv("COLUMNS", "300")
    monkeypatch.chdir(tmp_path)
    Path("coins").mkdir()
    Path("coins/rulebook.yaml").write_text(GAME, "utf-8")
    words = ("play", "./coins", "--seats", "Ana,bot:first", "--seed", "4", "--set", "turns=2")
    assert run(*words, typed="3\ns\n").exit_code == 0
    (path,) = (tmp_path / "data/rulebook/saves").iterdir()
    return path


def run(*words: str, typed: str = "") -> Result:
    return CliRunner().invoke(main, words, input=typed)


@pytest.mark.slow
def test_what_is_recorded_of_any_game_passes(bundled_game: Path, tmp_path: Path) -> None:
    rulebook = load_game(bundled_game)
    low, high = rulebook.players[0], rulebook.players[-1]
    copy = tmp_path / bundled_game.name
    shutil.copytree(bundled_game, copy, ignore=shutil.ignore_patterns("scenarios"))
    (copy / "scenarios").mkdir()
    titles = set()
    # Hearts takes some five hundred answers to its end, which show no more than the end of any other game.
    whole = [] if bundled_game.name == "hearts" else [(10_000, 0)]
    for answers, players in ((0, 0), (9, 1), (40, 0), *whole):
        seats = min(low + players, high)
        names = ("Ana", "Bot 1", "Bot 2", "Dan", "Éva")[:seats]
        game = Game(lower(rulebook, seats), 11, names)
        below = Source(11, "test").below
        while not game.over and len(game.entries) < answers:
            answer_at_random(game, below)
        title = f"A game: of many, #{answers}"
        text = record(Grounds(bundled_game, use_cache=True), rulebook, game, title, "a remark")
        # `record` has run it; below once more, in a file of the game.
        (copy / "scenarios" / f"recorded_{answers}.yaml").write_text(text, "utf-8")
        lines = yaml.safe_load(text)["scenarios"][title]["expect"]
        assert any(("win" in line) if game.over else line.endswith("is asked") for line in lines)
        titles.add(title)
    scenarios, found = load_scenarios(copy)
    assert [one.message for one in found if one.span and "recorded_" in one.span.file.name] == []
    assert {one.title for one in scenarios if run_scenario(one).passed} == titles


def test_copies_are_recorded_as_failures_name_them() -> None:
    rulebook = load(DATA / "requests/tidewater").rulebook
    assert rulebook is not None
    game = Game(lower(rulebook, 2), 4, ("Ana", "Ben"))
    for answer in ("pass", "label:Put a diver on a tile"):
        game.answer(0, [answer])
    decision = game.decision
    assert decision is not None
    (ask,) = decision.asks
    assert any("@square." in key for key in ask.keys)
    assert [word_answer(key, ask, {}) for key in ask.keys] == [shown([key])[1:-1] for key in ask.keys]


def test_it_is_written_and_can_be_run_at_once(save: Path) -> None:
    before = save.read_bytes()
    written = run("record", str(save), "--title", "Ana takes three", "--to", "coins/scenarios/three.yaml")
    assert written.exit_code == 0, written.output
    assert written.stdout.splitlines()[-1] == "Run it: rulebook test coins/scenarios/three.yaml"
    assert yaml.safe_load(Path("coins/scenarios/three.yaml").read_text("utf-8"))["scenarios"] == {
        "Ana takes three": {
            "about": "To be written",
            "options": {"turns": "2"},
            "given": {"players": ["Ana", "Bot1"]},
            "from": "start",
            "seed": 4,
            "do": "game",
            "answers": [{"Ana": 3}, {"Bot1": 1}],
            "expect": ["Ana is asked", "Ana.points is 3", "Bot1.points is 1"],
        }
    }
    tested = run("test", "coins/scenarios/three.yaml")
    assert tested.exit_code == 0, tested.output
    assert save.read_bytes() == before
    again = run("record", str(save), "--to", "coins/scenarios/three.yaml")
    assert again.exit_code == 2 and "is there already" in again.stderr


def test_it_is_printed_and_may_end_anywhere(save: Path) -> None:
    text = run("record", str(save), "--at", "1").stdout
    assert text.startswith(f"# Recorded by `rulebook record` from {save.name}, after 1 answer.\n")
    assert yaml.safe_load(text)["scenarios"]["A game of 1 answer"]["answers"] == [{"Ana": 3}]
    nothing = yaml.safe_load(run("record", str(save), "--at", "0").stdout)["scenarios"]["A game of 0 answers"]
    assert "answers" not in nothing and nothing["expect"][0] == "Ana is asked"


def test_other_rules_that_give_something_else_are_told(save: Path) -> None:
    rules = Path("coins/rulebook.yaml")
    rules.write_text(rules.read_text("utf-8").replace("add n to", "add n + 1 to"), "utf-8")
    result = run("record", str(save), "--to", "coins/scenarios/three.yaml")
    assert result.exit_code == 1
    assert "does not pass by the rules in" in result.stderr and "Ana.points is 3" in result.stderr
    assert not Path("coins/scenarios/three.yaml").exists()


def test_a_name_that_means_something_in_the_game_is_another() -> None:
    words = ("play", "./coins", "--seats", "points,Ben", "--seed", "4")
    assert run(*words, typed="3\ns\n").exit_code == 0
    save = max(Path("data/rulebook/saves").iterdir(), key=lambda one: one.stat().st_mtime_ns)
    text = run("record", str(save)).stdout
    assert yaml.safe_load(text)["scenarios"]["A game of 1 answer"]["given"] == {"players": ["Seat1", "Seat2"]}


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("--at", "9"), "holds 2 answers, and --at asks for number 9."),
        (("--title", "\n"), "a title of one line"),
        (("--to", "elsewhere/x.yaml"), "belongs to no game"),
    ],
)
def test_what_cannot_be_recorded(save: Path, words: tuple[str, ...], message: str) -> None:
    result = run("record", str(save), *words)
    assert result.exit_code == 2 and message in result.stderr
