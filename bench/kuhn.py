"""Kuhn poker against an equilibrium: what a bot is worth there, without the luck of the cards.

    python bench/kuhn.py ismcts:200 --seeds 500

A bot with a seed gives one answer to each thing that it can know. So what it gets against the equilibrium is reckoned
exactly, over all six deals and all that the equilibrium may answer; only the seeds are a sample. Printed, for each
seat: the mean over seeds with its 95 % interval, the value of the game, and how often the bot bets or calls with each
card (`B?` is asked to bet, `C?` to call; behind it what was answered before). Then what somebody gets who knows how
often the bot bets and calls, but not its seed: from an equilibrium nothing. The exit code is 1 if the interval leaves
out the value: nobody can get more against an equilibrium.
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from collections.abc import Callable
from itertools import product
from math import inf, sqrt
from statistics import mean, stdev

from ladder import Equilibrium

from rulebook import library
from rulebook.interpreter.decisions import Chance
from rulebook.interpreter.lower import lower
from rulebook.interpreter.machine import Machine
from rulebook.interpreter.results import find_outcome
from rulebook.interpreter.state import State
from rulebook.loading import load
from rulebook.playtest.bots import make_bot

RANKS = ("jack", "queen", "king")
VALUES = (-1 / 18, 1 / 18)
Answered = dict[tuple[str, str], bool]
"""By card and what was asked before: whether the bot bets, or calls."""


Bold = Callable[[int, State, str, str, str], float]
"""How likely a seat bets or calls: of the seat, the state, its card, what was answered before, and the key of that."""


def reckon(machine: Machine, state: State, bold: Bold, history: str = "") -> float:
    """What the first seat gets on average from here, and the second seat loses."""
    state = state[:]
    waits = machine.advance(state, None, "ask")
    if waits is None:
        return find_outcome(machine.program, state).payoffs[0]
    got = 0.0
    if isinstance(waits, Chance):
        for number, weight in enumerate(waits.weights):
            after = state[:]
            machine.answer_chance(after, number)
            got += weight / sum(waits.weights) * reckon(machine, after, bold, history)
        return got
    seat = machine.find_waiting(state)[0]
    options = machine.find_choices(state, seat).make_options()
    card = machine.program.definition[state[machine.program.layout.find_place_of("hand", seat).slot][0]]
    share = bold(seat, state, card, f"{options[1].label[0]}?{history}", options[1].key)
    for option, part in zip(options, (1 - share, share), strict=True):
        if part:
            after = state[:]
            machine.answer(after, seat, [option.key])
            got += part * reckon(machine, after, bold, f"{history}{option.label[0]}")
    return got


class Player:
    """A bot in a seat, with one seed."""

    def __init__(self, machine: Machine, spec: str, seed: int, seat: int) -> None:
        self.machine, self.seat, self.bot = machine, seat, make_bot(spec, seed, seat)
        self.answered: Answered = {}

    def gets(self) -> float:
        """What it gets against the equilibrium."""
        got = reckon(self.machine, self.machine.new_state(1), self._bold)
        return got if self.seat == 0 else -got

    def _bold(self, seat: int, state: State, card: str, asked: str, key: str) -> float:
        if seat != self.seat:
            table = Equilibrium.BETS if asked.startswith("B") else Equilibrium.CALLS
            return table[seat][RANKS.index(card)]
        if (card, asked) not in self.answered:
            found = self.machine.find_choices(state, seat)
            self.answered[card, asked] = found.key_of(self.bot.value(self.machine, state, seat)) == key
        return float(self.answered[card, asked])


def exploit(machine: Machine, seat: int, players: list[Player]) -> float:
    """What the best answer in the other seat gets against a bot of which nobody knows the seed: of all pure ways to
    play the best, against the shares of seeds that bet or call.
    """
    said: dict[tuple[str, str], list[bool]] = {}
    for player in players:
        for where, is_bold in player.answered.items():
            said.setdefault(where, []).append(is_bold)
    asked = ("B?", "C?CB") if seat == 1 else ("B?C", "C?B")
    places = [(card, one) for card in RANKS for one in asked]
    best = -inf
    for way in product((0.0, 1.0), repeat=len(places)):
        mine = dict(zip(places, way, strict=True))

        def bold(at: int, _: State, card: str, asked: str, __: str, mine: dict[tuple[str, str], float] = mine) -> float:
            return mean(said[card, asked]) if at == seat else mine[card, asked]

        got = reckon(machine, machine.new_state(1), bold)
        best = max(best, got if seat == 1 else -got)
    return best


def main() -> int:
    """Reckon, and print."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("bot")
    parser.add_argument("--seeds", type=int, default=500)
    given = parser.parse_args()
    rulebook = load(library.find_game("kuhn_poker")).rulebook
    assert rulebook is not None
    machine, wrong, exploited = Machine(lower(rulebook, 2)), False, 0.0
    for seat, value in enumerate(VALUES):
        players = [Player(machine, given.bot, seed, seat) for seed in range(given.seeds)]
        got = [player.gets() for player in players]
        half = 1.96 * stdev(got) / sqrt(len(got))
        wrong = wrong or mean(got) + half < value - 1e-9 or mean(got) - half > value + 1e-9
        bold = Counter(where for player in players for where, is_bold in player.answered.items() if is_bold)
        told = ", ".join(
            f"{card} {before} {bold[card, before] / sum((card, before) in one.answered for one in players):.2f}"
            for before, card in sorted({(before, card) for one in players for card, before in one.answered})
        )
        print(
            f"{given.bot} in seat {seat + 1}: {mean(got):+.4f} ± {half:.4f} (value {value:+.4f}); bold: {told}",
            flush=True,
        )
        exploited += exploit(machine, seat, players) / 2
    print(f"the best answer to it gains {exploited:+.4f} a game, on average over both seats")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
