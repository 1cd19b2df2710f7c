"""Many games at once are the games of the machine, and tell a seat nothing that it does not know."""

from __future__ import annotations

from array import array

import pytest
from shipped import load_game, lower_game

from rulebook import library
from rulebook.front_door import vector
from rulebook.interpreter.core.library import NoCore
from rulebook.interpreter.core.library import library as find_library
from rulebook.interpreter.determinize import NoTable, determinize, find_walks
from rulebook.interpreter.game import Game
from rulebook.interpreter.random import Source
from rulebook.interpreter.results import find_outcome
from rulebook.interpreter.views import collect_facts
from rulebook.playtest.vector import OVER, Games

pytestmark = pytest.mark.slow

try:
    find_library()
except NoCore as missing:
    pytest.skip(str(missing), allow_module_level=True)

NAMES = [path.name for path in library.find_games()]


def any_of(name: str, n: int = 3) -> Games:
    folder = library.find_game(name)
    return Games(lower_game(folder, min(load_game(folder).players[-1], 4)), n, answers=256, observe=True)


@pytest.mark.parametrize("name", NAMES)
def test_games_of_the_machine(name: str) -> None:
    games, below = any_of(name, 2), Source(3, "answers").below
    games.reset([5, 6])
    told = Game(games.program, 5, [f"Player {seat + 1}" for seat in range(games.program.players)])
    while games.seats[0] != OVER:
        assert told.decision is not None
        ask, keys = told.decision.asks[0], games.keys(0)
        assert (ask.seat, len(keys)) == (games.seats[0], games.counts[0])
        assert len({games.marks[0, number] for number in range(len(keys))}) == len(keys)
        assert bytes(games.mask[0, number] for number in range(games.answers)).count(1) == len(keys)
        number = below(len(keys))
        told.answer(ask.seat, keys[number], ask.number)
        games.step([number, below(games.counts[1]) if games.seats[1] >= 0 else -1])
    assert told.decision is None
    payoffs = find_outcome(games.program, told.state).payoffs
    assert tuple(games.payoffs[0, seat] for seat in range(games.program.players)) == payoffs


@pytest.mark.parametrize("name", NAMES)
def test_a_seat_is_told_what_it_knows(name: str) -> None:
    games, below, imagined = any_of(name), Source(4, "twins").below, 0
    games.reset([7, 7, 7])
    names = [f"Player {seat + 1}" for seat in range(games.program.players)]
    for number in range(60):
        if games.seats[0] < 0:
            break
        state, before = games.state(0), games.counts[0]
        for seat in range(games.program.players):
            try:
                twin = determinize(games.program, state, seat, below)
            except NoTable:  # who is asked finds nothing only where a script remembers what this seat cannot know
                assert seat != games.seats[0] or find_walks(games.program, state, seat) is None
                continue
            imagined += 1
            assert collect_facts(games.program, names, twin, seat) == collect_facts(games.program, names, state, seat)
            games.put(1, twin)
            assert games.observe(0, seat) == games.observe(1, seat), (number, seat)
        games.put(2, state)
        assert (games.seats[2], games.counts[2]) == (games.seats[0], before)
        games.step([below(before), -1, -1])
    assert imagined


def test_what_differs_is_told_apart() -> None:
    games = vector("wallet", 4, 2)
    games.reset([1, 2])
    assert games.observe(0, 0) != games.observe(1, 0)
    assert games.observe(0, 0) != games.observe(0, 1)
    assert array("q", [games.observations[0, at] for at in range(games.width)]) == games.observe(0, games.seats[0])


def test_wrong_numbers_are_refused_and_nothing_happens() -> None:
    games = vector("tic_tac_toe", 2, 2)
    games.reset([1, 2])
    with pytest.raises(ValueError, match="Game 1 has 9 answers, and no number 9"):
        games.step([0, 9])
    assert list(games.counts) == [9, 9]
    with pytest.raises(ValueError, match="2 answers are needed"):
        games.step([0])
    with pytest.raises(IndexError):
        games.reset([1], [2])


def test_games_begin_anew_one_by_one() -> None:
    games = vector("kuhn_poker", 2, 2)
    games.reset([1, 2])
    while games.seats[0] >= 0:
        games.step([0, -1])
    assert sum(games.payoffs[0, seat] for seat in (0, 1)) == 0
    assert any(games.payoffs[0, seat] for seat in (0, 1))
    games.step([4, -1])
    games.reset([1], [0])
    assert games.seats[0] >= 0
    assert not any(games.payoffs[0, seat] for seat in (0, 1))


def test_settings_are_those_of_the_command_line() -> None:
    games = vector("wallet", 3, 1, variants=["long_night"], options={"rounds": 2})
    games.reset([1])
    assert games.seats[0] >= 0
    with pytest.raises(ValueError, match="rounds"):
        vector("wallet", 3, 1, options={"rounds": "many"})
