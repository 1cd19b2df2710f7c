"""Some files that were changed at random: each is refused or can be played; `bench/mutants.py` has more of them."""

from __future__ import annotations

import random
from pathlib import Path

import pytest
from click.testing import CliRunner
from mutating import Stock, written

from rulebook import library
from rulebook.cli import main
from rulebook.interpreter.ops import asking
from rulebook.loading import load

MANY = 60


@pytest.fixture(autouse=True)
def soon(monkeypatch: pytest.MonkeyPatch) -> None:
    """What goes on for ever is stopped sooner."""
    monkeypatch.setattr("rulebook.interpreter.run.MOST_LOOKED_AT", 5_000)
    monkeypatch.setattr(asking, "MOST_ANSWERS", 200)


@pytest.mark.slow
def test_mutants_are_refused_or_played(tmp_path: Path) -> None:
    stocks = [Stock(library.find_game(name)) for name in ("kuhn_poker", "tic_tac_toe", "liars_dice")]
    chance = random.Random(7)
    played = 0
    for number in range(MANY):
        mutant = chance.choice(stocks).mutant(chance)
        folder = tmp_path / str(number)
        for name, data in mutant.files.items():
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            (folder / name).write_bytes(data)
        done = CliRunner().invoke(main, ["validate", str(folder)])
        assert done.exit_code in (0, 1), f"{mutant.file} ({mutant.how}): {done.output}"
        if done.exit_code == 0:
            words = ["simulate", str(folder), "--games", "3", "--seed", "1", "--jobs", "1", "--tier", "machine"]
            done = CliRunner().invoke(main, words)
            assert done.exit_code in (0, 1), f"{mutant.file} ({mutant.how}): {done.output}"
            played += 1
    assert played > MANY / 10


def test_a_file_that_is_only_written_anew_says_the_same(tmp_path: Path) -> None:
    stock = Stock(library.find_game("hearts"), scenarios=False)
    for name in stock.rules:
        (tmp_path / name).write_text(written(stock.trees[name]), "utf-8")
    assert load(tmp_path).messages == []


def test_a_game_that_stops_because_of_us_is_no_mistake_of_the_rules(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    def broken(*_: object) -> None:
        raise KeyError("slot")

    monkeypatch.setattr("rulebook.interpreter.machine.Machine.new_state", broken)
    monkeypatch.chdir(tmp_path)
    words = ["simulate", "kuhn_poker", "--games", "1", "--seed", "1", "--tier", "machine"]
    done = CliRunner().invoke(main, words)
    assert done.exit_code == 3
    assert "our bug, not yours" in done.output
