"""Kuhn poker against an equilibrium: what a bot is worth there, without the luck of the cards.

    python bench/kuhn.py ismcts:200 --seeds 30

A bot with a seed gives one answer to each thing that it can know. So what it gets against the equilibrium is reckoned
exactly, over all six deals and all that the equilibrium may answer; only the seeds are a sample. Printed, for each
seat: the mean over seeds with its 95 % interval, the value of the game, and how often the bot bets or calls with each
card. The exit code is 1 if the interval leaves out the value: nobody can get more against an equilibrium.
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from math import sqrt
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


class Player:
    """A bot in a seat, with one seed."""

    def __init__(self, machine: Machine, spec: str, seed: int, seat: int) -> None:
        self.machine, self.seat, self.bot = machine, seat, make_bot(spec, seed, seat)
        self.answered: Answered = {}

    def gets(self, state: State, history: str = "") -> float:
        """What it gets on average from here."""
        machine, state = self.machine, state[:]
        waits = machine.advance(state, None, "ask")
        if isinstance(waits, Chance):
            return sum(
                weight * self._after_chance(state, number, history) for number, weight in enumerate(waits.weights)
            ) / sum(waits.weights)
        if waits is None:
            return find_outcome(machine.program, state).payoffs[self.seat]
        seat = machine.find_waiting(state)[0]
        options = machine.find_choices(state, seat).make_options()
        card = machine.program.definition[state[machine.program.layout.find_place_of("hand", seat).slot][0]]
        if seat == self.seat:
            bold = float(self._bold(state, card, history, options[1].key))
        else:
            table = Equilibrium.BETS if options[1].label == "Bet" else Equilibrium.CALLS
            bold = table[seat][RANKS.index(card)]
        return sum(
            share * self._after(state, seat, options[number].key, f"{history}{options[number].label[0]}")
            for number, share in enumerate((1 - bold, bold))
            if share
        )

    def _after(self, state: State, seat: int, key: str, history: str) -> float:
        state = state[:]
        self.machine.answer(state, seat, [key])
        return self.gets(state, history)

    def _after_chance(self, state: State, number: int, history: str) -> float:
        state = state[:]
        self.machine.answer_chance(state, number)
        return self.gets(state, history)

    def _bold(self, state: State, card: str, history: str, key: str) -> bool:
        if (card, history) not in self.answered:
            found = self.machine.find_choices(state, self.seat)
            value = self.bot.value(self.machine, state, self.seat)
            self.answered[card, history] = found.key_of(value) == key
        return self.answered[card, history]


def main() -> int:
    """Reckon, and print."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("bot")
    parser.add_argument("--seeds", type=int, default=30)
    given = parser.parse_args()
    rulebook = load(library.find_game("kuhn_poker")).rulebook
    assert rulebook is not None
    machine, wrong = Machine(lower(rulebook, 2)), False
    for seat, value in enumerate(VALUES):
        players = [Player(machine, given.bot, seed, seat) for seed in range(given.seeds)]
        got = [player.gets(machine.new_state(1)) for player in players]
        half = 1.96 * stdev(got) / sqrt(len(got))
        wrong = wrong or mean(got) + half < value - 1e-9 or mean(got) - half > value + 1e-9
        bold = Counter(where for player in players for where, is_bold in player.answered.items() if is_bold)
        told = ", ".join(
            f"{card}{f' after {before}' if before else ''} {bold[card, before] / len(players):.2f}"
            for before, card in sorted({(before, card) for one in players for card, before in one.answered})
        )
        print(
            f"{given.bot} in seat {seat + 1}: {mean(got):+.4f} ± {half:.4f} (value {value:+.4f}); bold: {told}",
            flush=True,
        )
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
