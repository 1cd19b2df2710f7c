"""Games of which the exact worth of every answer is known: what does a bot lose there?

    python bench/solved.py ismcts:200                       # all games, 200 each
    python bench/solved.py ismcts:200 nim pig --games 50

Nim, pig, blackjack and tic-tac-toe, each solved by a small program of its own that knows nothing of the engine. The bot
sits in each seat in turn; the others play perfectly, at random among what is equally good. Printed: how many of the
bot's answers lose anything, what they lose a game (of a win, in blackjack of the stake) with its 95 % interval, what it
got, and what a perfect player gets. Of a bot that only wins or draws with luck the loss tells. In tic-tac-toe it also
plays random, greedy and itself: `--games` of each, and how many it lost. The exit code is 1 if one of those is lost.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Iterator
from functools import cache
from math import sqrt
from pathlib import Path
from random import Random
from statistics import mean, stdev
from typing import Any

from attrs import frozen

from rulebook import library
from rulebook.interpreter.decisions import Decision
from rulebook.interpreter.lower import lower
from rulebook.interpreter.machine import Machine
from rulebook.interpreter.results import find_outcome
from rulebook.interpreter.state import State
from rulebook.loading import load
from rulebook.playtest.bots import make_bot

SOLVED = Path(__file__).parent.parent / "tests" / "data" / "solved"
_NOTHING = 1e-9

# ── the games, solved ────────────────────────────────────────────────────────────────────────────────────────────────


@cache
def worth_nim(heap: int, taken: int) -> float:
    """Return what taking so many is worth to who takes them: 1 if it wins."""
    left = heap - taken
    return 1.0 if left == 0 else 1 - max(worth_nim(left, more) for more in range(1, min(3, left) + 1))


@cache
def solve_pig(goal: int) -> dict[tuple[int, int, int], float]:
    """Return the chance of who rolls now, by own points, those of the other, and those of this turn."""
    spots = [(mine, other, turn) for mine in range(goal) for other in range(goal) for turn in range(goal - mine)]
    rolls, moved = dict.fromkeys(spots, 0.5), 1.0
    while moved > 1e-12:
        moved = 0.0
        for mine, other, turn in reversed(spots):
            chance = (1 - rolls[other, mine, 0]) / 6
            for rolled in range(2, 7):
                after = turn + rolled
                won = mine + after >= goal
                chance += (1.0 if won else max(rolls[mine, other, after], 1 - rolls[other, mine + after, 0])) / 6
            moved = max(moved, abs(chance - rolls[mine, other, turn]))
            rolls[mine, other, turn] = chance
    return rolls


def worth_pig(goal: int, mine: int, other: int, turn: int, answer: str) -> float:
    """Return the chance of winning after rolling on, or holding."""
    rolls = solve_pig(goal)
    return rolls[mine, other, turn] if answer == "Roll" else 1 - rolls[other, mine + turn, 0]


def add_card(total: int, soft: bool, card: int) -> tuple[int, bool]:
    """Add a card, where an ace is 11 as long as that is not too much."""
    total += min(card, 10)
    if card == 1 and total + 10 <= 21:
        return total + 10, True
    return (total - 10, False) if total > 21 and soft else (total, soft)


@cache
def stand(mine: int, dealt: int, soft: bool) -> float:
    """Return what a total is worth against a dealer who has so much."""
    if dealt >= 17:
        return 1.0 if dealt > 21 or mine > dealt else 0.0 if mine == dealt else -1.0
    return sum(stand(mine, *add_card(dealt, soft, card)) for card in range(1, 14)) / 13


@cache
def worth_blackjack(mine: int, soft: bool, shown: int, answer: str) -> float:
    """Return what standing or another card is worth, of the stake."""
    if answer == "Stand":
        return stand(mine, 11 if shown == 1 else shown, shown == 1)
    return sum(_go_on(*add_card(mine, soft, card), shown) for card in range(1, 14)) / 13


def _go_on(mine: int, soft: bool, shown: int) -> float:
    if mine > 21:
        return -1.0
    answers = ("Stand",) if mine == 21 else ("Stand", "Hit")
    return max(worth_blackjack(mine, soft, shown, answer) for answer in answers)


LINES = ((0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6), (1, 4, 7), (2, 5, 8), (0, 4, 8), (2, 4, 6))


@cache
def worth_square(board: str, square: int) -> float:
    """Return what a mark on a square is worth to who makes it: 1 for a win, half for a draw."""
    mark = "X" if board.count("X") == board.count("O") else "O"
    board = board[:square] + mark + board[square + 1 :]
    if any(all(board[at] == mark for at in line) for line in LINES):
        return 1.0
    left = [at for at in range(9) if board[at] == "."]
    return 1 - max(worth_square(board, at) for at in left) if left else 0.5


# ── the games, played ────────────────────────────────────────────────────────────────────────────────────────────────

Worth = Callable[[Machine, State, int, str], float]
"""What an answer is worth to its seat, by the words for it."""


def _memory(machine: Machine, state: State, name: str, seat: int | None = None) -> Any:
    layout = machine.program.layout
    return state[layout.memory[name].slot] if seat is None else state[layout.player_memory[name].slot + seat]


def _nim(machine: Machine, state: State, seat: int, answer: str) -> float:
    return worth_nim(_memory(machine, state, "heap"), int(answer))


def _pig(machine: Machine, state: State, seat: int, answer: str) -> float:
    mine, other = (_memory(machine, state, "kept", one) for one in (seat, 1 - seat))
    goal = int(machine.program.options["goal"])
    return worth_pig(goal, mine, other, _memory(machine, state, "kitty"), answer)


def _blackjack(machine: Machine, state: State, seat: int, answer: str) -> float:
    total, soft = _memory(machine, state, "total", 0), bool(_memory(machine, state, "soft", 0))
    return worth_blackjack(total, soft, _memory(machine, state, "upcard"), answer)


def _square(machine: Machine, state: State, seat: int, answer: str) -> float:
    program = machine.program
    there = state[program.layout.find_place("board").slot]
    marks = {"cross_piece": "X", "ring_piece": "O"}
    board = "".join("." if card == program.layout.empty else marks[program.definition[card]] for card in there)
    return worth_square(board, SQUARES.index(answer))


SQUARES = [f"board.{square}" for square in range(1, 10)]
GAMES: dict[str, tuple[Path, int, Worth]] = {
    "nim": (SOLVED / "nim", 2, _nim),
    "pig": (SOLVED / "pig", 2, _pig),
    "blackjack": (SOLVED / "blackjack", 1, _blackjack),
    "tic_tac_toe": (library.find_game("tic_tac_toe"), 2, _square),
}


@frozen
class Game:
    """One game: how many answers the bot gave, what each lost that lost anything, and what the bot got."""

    answers: int
    losses: tuple[float, ...]
    got: float


def make_machine(name: str) -> Machine:
    """Return what runs one of the games."""
    folder, players, _ = GAMES[name]
    rulebook = load(folder).rulebook
    assert rulebook is not None
    return Machine(lower(rulebook, players))


def play_game(name: str, machine: Machine, spec: str, seed: int) -> Game:
    """Play a game against perfect players; the bot has the first seat in even ones."""
    worth, players = GAMES[name][2], machine.program.players
    seat, draw, state = seed % players, Random(seed), machine.new_state(seed)
    bot, answers, losses = make_bot(spec, seed, seat), 0, list[float]()
    while isinstance(machine.advance(state), Decision):
        asked = machine.find_waiting(state)[0]
        found = machine.find_choices(state, asked)
        options = {option.label: option.values[0] for option in found.make_options()}
        worths = {label: worth(machine, state, asked, label) for label in options}
        best = max(worths.values())
        if asked == seat:
            value = bot.value(machine, state, asked)
            given = next(label for label, one in options.items() if one == value)
            answers += 1
            losses += [best - worths[given]] if best - worths[given] > _NOTHING else []
        else:
            value = options[draw.choice([label for label, one in worths.items() if one > best - _NOTHING])]
        machine.answer_value(state, asked, value)
    outcome = find_outcome(machine.program, state)
    got = float(outcome.payoffs[seat]) if machine.program.payoff is not None else (1 + outcome.payoffs[seat]) / 2
    return Game(answers, tuple(losses), got)


def play_games(name: str, machine: Machine, spec: str, games: int) -> list[Game]:
    """Play so many."""
    return [play_game(name, machine, spec, seed) for seed in range(games)]


def count_lost(machine: Machine, spec: str, other: str, games: int) -> int:
    """Count what the bot loses at tic-tac-toe against another, from both seats in turn."""
    lost = 0
    for seed in range(games):
        seat, state = seed % 2, machine.new_state(seed)
        bots = [make_bot(spec if at == seat else other, seed, at) for at in range(2)]
        while isinstance(machine.advance(state), Decision):
            asked = machine.find_waiting(state)[0]
            machine.answer_value(state, asked, bots[asked].value(machine, state, asked))
        lost += find_outcome(machine.program, state).payoffs[seat] < 0
    return lost


def word_games(name: str, spec: str, played: list[Game]) -> str:
    """Put what was played into a line."""
    losses = [sum(one.losses) for one in played]
    got = [one.got for one in played]
    half, about = (1.96 * stdev(some) / sqrt(len(some)) if len(some) > 1 else 0.0 for some in (losses, got))
    wrong, answers = sum(len(one.losses) for one in played), sum(one.answers for one in played)
    return (
        f"{name}: {spec} in {len(played)} games: {wrong} of {answers} answers lose anything; they lose "
        f"{mean(losses):.4f} ± {half:.4f} a game; it got {mean(got):+.3f} ± {about:.3f}"
    )


def word_values() -> Iterator[str]:
    """Say what perfect players get."""
    yield f"nim with 12 stones: {max(worth_nim(12, taken) for taken in (1, 2, 3)):.0f} for who begins"
    yield f"pig to 20: {solve_pig(20)[0, 0, 0]:.4f} for who begins"
    hands = [
        (_go_on(*add_card(*add_card(0, False, one), two), min(shown, 10)))
        for shown in range(1, 14)
        for one in range(1, 14)
        for two in range(1, 14)
    ]
    yield f"blackjack: {mean(hands):+.4f} of the stake"
    yield f"tic-tac-toe: {max(worth_square('.' * 9, square) for square in range(9)):.1f} for who begins"


def main() -> int:
    """Play, and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("bot")
    parser.add_argument("names", nargs="*", metavar="GAME", help=", ".join(GAMES))
    parser.add_argument("--games", type=int, default=200)
    asked = parser.parse_args()
    print(*word_values(), sep="\n", flush=True)
    lost = 0
    for name in asked.names or GAMES:
        machine = make_machine(name)
        print(word_games(name, asked.bot, play_games(name, machine, asked.bot, asked.games)), flush=True)
        for other in ("random", "greedy", asked.bot) if name == "tic_tac_toe" else ():
            times = count_lost(machine, asked.bot, other, asked.games)
            lost += times
            print(f"{name}: {asked.bot} lost {times} of {asked.games} games against {other}", flush=True)
    return 1 if lost else 0


if __name__ == "__main__":
    sys.exit(main())
