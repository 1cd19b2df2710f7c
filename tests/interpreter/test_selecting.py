"""Conditions that are asked of a whole list at once choose the same members as one by one."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from ir_games import game
from ir_scripts import BLOCKS
from moments import ALL, GAMES, lower_whole, recorded, rulebook_of

from rulebook.dsl import ir
from rulebook.interpreter.lowering import expressions, selecting
from rulebook.interpreter.program import Program


def lower_one_by_one(rulebook: ir.Rulebook, players: int) -> Program:
    """The rules with a loop for each condition that is not settled before the game."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(expressions, "choose_at_once", lambda *_: None)
        patch.setattr(expressions, "_choose_deciding", lambda *_: None)
        return lower_whole(rulebook, players)


def differ(rulebook: ir.Rulebook, players: int, seed: int = 4) -> bool:
    whole = recorded(lower_whole(rulebook, players), seed)
    return [*whole] != [*recorded(lower_one_by_one(rulebook, players), seed)]


def count_ops(program: Program) -> int:
    steps = [step for code in (*program.codes, *program.questions.values()) for step in code.steps]
    return sum(step.op.name in ("select_by", "select_within", "select_empty") for step in steps)


@pytest.mark.parametrize("name", ALL)
def test_games_choose_the_same(name: str, tmp_path: Path) -> None:
    rulebook = rulebook_of(name, tmp_path)
    assert not differ(rulebook, min(rulebook.players[-1], 4))


def test_most_bundled_games_have_such_conditions(tmp_path: Path) -> None:
    rulebooks = [rulebook_of(name, tmp_path) for name in GAMES]
    assert sum(count_ops(lower_whole(rulebook, rulebook.players[0])) > 0 for rulebook in rulebooks) > len(GAMES) / 2


@pytest.mark.slow
@settings(max_examples=60, deadline=None, database=None, derandomize=True, suppress_health_check=list(HealthCheck))
@given(BLOCKS)
def test_drawn_games_choose_the_same(body: Any) -> None:
    assert not differ(game(body), 3)


@pytest.mark.slow
def test_a_wrong_sign_is_found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(selecting, "_OTHERWISE", {"==": "==", "!=": "!="})
    rulebooks = (rulebook_of(name, tmp_path / name) for name in ALL)
    assert any(differ(rulebook, min(rulebook.players[-1], 4)) for rulebook in rulebooks)
