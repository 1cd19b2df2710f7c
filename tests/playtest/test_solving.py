"""What is left of a small game in which nothing is hidden is played without a mistake."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import pytest
from cores import has_core
from paths import DATA
from shipped import load_game

from rulebook import library
from rulebook.interpreter.core.door import Core, core_of
from rulebook.interpreter.decisions import Decision
from rulebook.interpreter.lower import lower
from rulebook.interpreter.machine import Machine
from rulebook.interpreter.random import Source
from rulebook.interpreter.results import find_outcome
from rulebook.interpreter.state import State
from rulebook.playtest.bots import make_bot
from rulebook.playtest.bots.by_core import ByCore
from rulebook.playtest.bots.by_machine import ByMachine

TIC_TAC_TOE, NIM, PIG = library.find_game("tic_tac_toe"), DATA / "solved" / "nim", DATA / "solved" / "pig"
LAST_ROLL = DATA / "series" / "worth"
"""A die decides it at last, when nobody is asked any more."""
LINES = ("012", "345", "678", "036", "147", "258", "048", "246")
needs_core = pytest.mark.needs(has_core(), "there is no core here: a C compiler builds it when rulebook is installed")


@cache
def worth(board: str, square: int) -> int:
    """What a mark on a square is worth to who makes it, against perfect play: a win 1, a draw 0."""
    mark = "X" if board.count("X") == board.count("O") else "O"
    board = board[:square] + mark + board[square + 1 :]
    if any(all(board[int(at)] == mark for at in line) for line in LINES):
        return 1
    return -max((worth(board, at) for at in empty_of(board)), default=0)


def empty_of(board: str) -> list[int]:
    return [at for at in range(9) if board[at] == "."]


def board_of(machine: Machine, state: State) -> str:
    program = machine.program
    signs = {"cross_piece": "X", "ring_piece": "O"}
    there = state[program.layout.find_place("board").slot]
    return "".join("." if card == program.layout.empty else signs[program.definition[card]] for card in there)


@needs_core
@pytest.mark.slow
@pytest.mark.parametrize("spec", ["ismcts", "ismcts:200"])
def test_tic_tac_toe_is_never_lost(spec: str) -> None:
    """Against a perfect player, who answers at random among what is equally good, and loses nothing on the way."""
    machine = Machine(lower(load_game(TIC_TAC_TOE), 2))
    for seed in range(16):
        state, seat, below = machine.new_state(seed), seed % 2, Source(seed, "perfect").below
        bot = make_bot(spec, seed, seat)
        while isinstance(machine.advance(state), Decision):
            asked, board = machine.find_waiting(state)[0], board_of(machine, state)
            choices, squares = machine.find_choices(state, asked), empty_of(board)
            if asked == seat:
                value = bot.value(machine, state, seat)
                square = squares[choices.values.index(value)]
                assert worth(board, square) == max(worth(board, at) for at in squares)
            else:
                best = [at for at in squares if worth(board, at) == max(worth(board, at) for at in squares)]
                value = choices.values[squares.index(best[below(len(best))])]
            machine.answer_value(state, asked, value)
        assert find_outcome(machine.program, state).payoffs[seat] >= 0


@needs_core
@pytest.mark.slow
def test_no_won_position_of_nim_is_given_away() -> None:
    """Who takes the last stone wins: whoever leaves a multiple of four does."""
    rulebook, met = load_game(NIM), 0
    for stones in (number for number in range(2, 41) if number % 4):
        machine = Machine(lower(rulebook, 2, {"stones": stones}))
        for seed in range(2):
            state = machine.new_state(seed)
            machine.advance(state)
            assert (stones - make_bot("ismcts:200", seed, 0).value(machine, state, 0)) % 4 == 0
            met += 1
    assert met == 58


@needs_core
@pytest.mark.parametrize("game", [TIC_TAC_TOE, NIM, PIG, LAST_ROLL])
def test_the_core_finds_the_best_answers_that_the_machine_finds(game: Path) -> None:
    """At every decision of a game at random, with few tables and with many."""
    machine = Machine(lower(load_game(game), 2))
    core, found = core_of(machine.program), list[object]()
    assert isinstance(core, Core)
    state, below = machine.new_state(3), Source(3, "moments").below
    for _ in range(12):
        if not isinstance(machine.advance(state), Decision):
            break
        seat = machine.find_waiting(state)[0]
        for most in (30, 1000):
            fast = ByCore(core.load_state(state), seat, Source(1, "bot").below, at_random=False)
            slow = ByMachine(machine, state, seat, Source(1, "bot").below, at_random=False)
            found.append(slow.solve(most))
            assert fast.solve(most) == found[-1]
        machine.answer_value(state, seat, machine.random_value(state, seat, below))
    if game in (PIG, LAST_ROLL):
        assert found == [None] * len(found)
    else:
        assert [] in found and any(found)


@needs_core
@pytest.mark.parametrize("name", ["kuhn_poker", "leduc_poker", "goofspiel", "wallet"])
def test_where_something_is_hidden_nothing_is_looked_at_as_if_all_were_known(name: str) -> None:
    machine = Machine(lower(load_game(library.find_game(name)), 2))
    core = core_of(machine.program)
    assert isinstance(core, Core)
    state, below = machine.new_state(3), Source(3, "moments").below
    while isinstance(machine.advance(state), Decision):
        seat = machine.find_waiting(state)[0]
        assert ByCore(core.load_state(state), seat, Source(1, "bot").below, at_random=False).solve(100) is None
        assert ByMachine(machine, state, seat, Source(1, "bot").below, at_random=False).solve(100) is None
        machine.answer_value(state, seat, machine.random_value(state, seat, below))
