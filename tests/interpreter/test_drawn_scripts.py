"""Scripts drawn from the whole language, and small games of what they found, run; every state on the way is sound.

`bench/drawn.py` draws many more.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from ir_games import game
from ir_scripts import BLOCKS
from paths import DATA
from sound import play_soundly

from rulebook.interpreter import run
from rulebook.interpreter.decisions import Decision
from rulebook.interpreter.lower import lower
from rulebook.interpreter.machine import Machine
from rulebook.interpreter.ops import asking
from rulebook.interpreter.program import Program
from rulebook.interpreter.random import Source
from rulebook.interpreter.results import find_outcome
from rulebook.loading import load

FILES = DATA / "tiers"


@pytest.fixture(autouse=True)
def soon(monkeypatch: pytest.MonkeyPatch) -> None:
    """What goes on for ever is stopped sooner."""
    monkeypatch.setattr(run, "MOST_LOOKED_AT", 30_000)
    monkeypatch.setattr(asking, "MOST_ANSWERS", 150)


@pytest.mark.slow
@settings(max_examples=50, deadline=None, database=None, derandomize=True, suppress_health_check=list(HealthCheck))
@given(BLOCKS)
def test_a_drawn_script_runs(body: Any) -> None:
    play_soundly(lower(game(body), 3), seed=1)


def small(file: Path, folder: Path) -> Program:
    (folder / "rulebook.yaml").write_bytes(file.read_bytes())
    loaded = load(folder)
    assert loaded.rulebook is not None, loaded.messages
    return lower(loaded.rulebook, 3)


@pytest.mark.parametrize("file", sorted(FILES.glob("*.yaml")), ids=lambda file: file.stem)
@pytest.mark.parametrize("seed", range(5))
def test_what_no_bundled_game_does_runs(file: Path, seed: int, tmp_path: Path) -> None:
    program = small(file, tmp_path)
    state, error = play_soundly(program, seed)
    assert error is None and find_outcome(program, state).finished


def test_what_people_read_may_be_about_nobody(tmp_path: Path) -> None:
    machine, below = (
        Machine(small(FILES / "about_nothing.yaml", tmp_path), ["Ana", "Ben", "Cleo"]),
        Source(1, "test").below,
    )
    state, asked = machine.new_state(1), []
    while isinstance(needed := machine.advance(state), Decision):
        asked += needed.asks
        seat = machine.find_waiting(state)[0]
        machine.answer_value(state, seat, machine.random_value(state, seat, below))
    assert {"What, with nothing?", "What, with 3?"} <= {ask.prompt for ask in asked}
    keys = {key for ask in asked for key in ask.keys}
    assert {"label:Take nothing", "label:Take 3", "label:Wait for nothing"} <= keys
