"""The front door for programs, as its page tells it: games are opened, read, played, and nothing else is raised."""

import json
import re
import subprocess
import sys
from itertools import islice
from pathlib import Path
from random import Random

import pytest
from click.testing import CliRunner
from paths import ROOT

import rulebook
from rulebook import library
from rulebook.cli import main

GAMES = [folder.name for folder in library.find_games()]


def test_every_public_name_is_on_the_page() -> None:
    page = (ROOT / "docs" / "api.md").read_text("utf-8")
    for name in rulebook.__all__:
        assert name == "__version__" or f"`{name}" in page or f"rulebook.{name}(" in page, name
        assert getattr(rulebook, name) is not None


def test_every_method_on_the_page_is_there_and_no_other() -> None:
    page = (ROOT / "docs" / "api.md").read_text("utf-8")
    for heading, kind in (("## A game", rulebook.Game), ("## A play", rulebook.Play)):
        part = page.partition(heading)[2].partition("\n## ")[0]
        told = {
            name
            for line in part.splitlines()
            if line[:3] == "| `"
            for name in re.findall(r"`(\w+)", line.split("|")[1])
        }
        public = {name for name in vars(kind) if not name.startswith("_")} - {
            "lower",
            "to_dict",
            "rulebook",
            "variants",
        }
        assert public <= told, public - told
        made = rulebook.open("tic_tac_toe")
        there = made if kind is rulebook.Game else made.start()
        assert all(hasattr(there, name) for name in told)


@pytest.mark.slow
def test_what_the_page_prints_runs() -> None:
    page = (ROOT / "docs" / "api.md").read_text("utf-8")
    examples = re.findall(r"```python\n(.*?)```", page, re.DOTALL)
    assert len(examples) >= 2
    for example in examples:
        done = subprocess.run(
            [sys.executable, "-c", example], capture_output=True, text=True, check=False, cwd=ROOT, env=_environment()
        )
        assert done.returncode == 0 and done.stdout, done.stderr


def _environment() -> dict[str, str]:
    import os

    return {**os.environ, "PYTHONPATH": str(ROOT)}


@pytest.mark.parametrize("name", GAMES)
def test_every_game_is_played_through_the_door(name: str) -> None:
    game = rulebook.open(name)
    random = Random(3)
    play = game.start(game.players[0], seed=5)
    for _ in range(400):
        if play.over:
            break
        for seat in play.seats:
            legal = set(islice(play.legal(seat), 50))
            assert legal and all(set(answer) <= {*play.ask(seat).keys, "pass"} for answer in legal)
        play.step(play.sample(random))
    if play.over:
        assert play.seat is None and len(play.payoffs) == len(play.names)
        with pytest.raises(rulebook.Refused):
            play.step("pass")


@pytest.mark.parametrize("name", GAMES)
def test_cards_are_all_there_with_their_words(name: str) -> None:
    game = rulebook.open(name)
    for players in {game.players[0], game.players[-1]}:
        cards = game.cards(players)
        assert sum(card.copies for card in cards) == game.lower(players).cards
        for card in cards:
            assert card.name and set(card.attributes) == set(card.shown)
            assert json.loads(json.dumps(card.to_dict())) == card.to_dict() | {
                "attributes": json.loads(json.dumps(dict(card.attributes)))
            }
        told = [(card.id, tuple(card.shown.items())) for card in cards]
        assert len(told) == len(set(told))


def test_a_clone_goes_on_alone_and_what_is_saved_comes_again(tmp_path: Path) -> None:
    play = rulebook.open("wallet").start(["Ana", "Ben"], seed=1)
    for _ in range(6):
        play.step(play.advise("greedy"))
    other, before = play.clone(), play.view(0)
    other.step(other.sample(Random(1)))
    assert play.view(0) == before != other.view(0)
    other.undo()
    assert other.view(0) == before
    other.undo(3)
    play.save(tmp_path / "kept.jsonl")
    other.save(tmp_path / "less.jsonl")
    told = [CliRunner().invoke(main, ["replay", str(tmp_path / name)]) for name in ("kept.jsonl", "less.jsonl")]
    assert all(one.exit_code == 0 for one in told), told[0].output
    assert len((tmp_path / "kept.jsonl").read_text().splitlines()) == 7
    assert len((tmp_path / "less.jsonl").read_text().splitlines()) == 4


def test_all_that_is_wrong_is_one_error(tmp_path: Path) -> None:
    (tmp_path / "rulebook.yaml").write_text("format: 1\nname: Broken\nplayers: 2..2\nrules: {game: win nobdy}\n")
    with pytest.raises(rulebook.CannotOpen) as broken:
        rulebook.open(tmp_path)
    assert [one.code for one in broken.value.diagnostics] and "nobdy" in str(broken.value)
    for words in (
        ("no_such_game",),
        ("wallet", ["no_such"]),
        ("wallet", [], {"rounds": "many"}),
        ("wallet", [], {"x": 1}),
    ):
        with pytest.raises(rulebook.CannotOpen):
            rulebook.open(*words)
    game = rulebook.open("kuhn_poker")
    with pytest.raises(rulebook.BadSetup):
        game.start(7)
    play = game.start(seed=2)
    with pytest.raises(rulebook.Refused):
        play.step("no such key")
    with pytest.raises(rulebook.Refused):
        play.undo()
    with pytest.raises(rulebook.BadSpec):
        play.advise("nobody")


def test_commands_tell_the_same_as_the_door() -> None:
    listed = json.loads(CliRunner().invoke(main, ["list", "--json"]).stdout)
    assert [one["id"] for one in listed] == GAMES
    shown = json.loads(CliRunner().invoke(main, ["show", "wallet", "--json", "--set", "rounds=2"]).stdout)
    game = rulebook.open("wallet", options={"rounds": 2})
    assert shown["options"]["rounds"] == 2
    assert [card["id"] for card in shown["cards"]] == [card.id for card in game.cards()]


def test_the_package_runs_as_a_module() -> None:
    done = subprocess.run(
        [sys.executable, "-m", "rulebook", "--version"], capture_output=True, text=True, check=False, env=_environment()
    )
    assert done.returncode == 0 and rulebook.__version__ in done.stdout
