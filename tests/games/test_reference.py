"""The published games by hand and the interpreter play the same games; `bench/reference/check.py` plays very many."""

from __future__ import annotations

import sys

import pytest
from paths import BENCH

# At the end, so that the files there hide no module of the tests.
sys.path.append(str(BENCH))

from reference.check import GAMES, by_hand, by_rules, difference, program, reference

TABLES = [(game, players) for game in GAMES for players in reference(game).PLAYERS]


@pytest.mark.slow
@pytest.mark.parametrize(("game", "players"), TABLES)
def test_the_same_seed_is_the_same_game(game: str, players: int) -> None:
    lowered = program(game, players)
    for seed, bot in ((5000 + players, "random"), (5003, "first")):
        rules = by_rules(lowered, seed, bot)
        assert rules.asked
        assert difference(by_hand(game, players, seed, bot), rules) == ""


@pytest.mark.parametrize("game", GAMES)
def test_another_seed_is_another_game(game: str) -> None:
    """A check that could not fail would be none."""
    players = reference(game).PLAYERS[-1]
    assert difference(by_hand(game, players, 1), by_rules(program(game, players), 2))
