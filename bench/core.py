"""What a decision costs in the core, and how that stands to the same games by hand.

    python bench/core.py [--rounds 5] [--games 400] [--players 4] [GAME…]

In: names of bundled games, all of them if there is none. Out: a line for each game, in nanoseconds of the processor a
decision, and behind each figure the speed beside that of the games by hand, for those that `reference/` has (1 is as
fast): *whole* games; decisions of `rulebook.vector` with who is asked and what may be answered, *one by one* and of 256
games *together*; the same with what each seat that is asked *sees*. A round measures everything
once, in turn; figures are medians of the rounds. What is chosen at random from Python is counted too.
"""

from __future__ import annotations

import sys
import time
from argparse import ArgumentParser
from array import array
from collections.abc import Callable
from pathlib import Path
from random import Random
from statistics import median

sys.path.append(str(Path(__file__).resolve().parent))

from reference.check import GAMES
from tiers_speed import hand, timed

from rulebook import library
from rulebook.interpreter.core.door import SEATS, Core
from rulebook.interpreter.lower import lower
from rulebook.loading import load
from rulebook.playtest.vector import Games

TOGETHER, SEEING, STEPS = 256, 255, 20_000
"""So many games are stepped together, and decisions in all."""


class Measured:
    """A game at one table, with what was measured so far: nanoseconds a decision, by hand first."""

    def __init__(self, name: str, players: int, games: int) -> None:
        rulebook = load(library.find_game(name)).rulebook
        assert rulebook is not None
        least, most = rulebook.players[0], rulebook.players[-1]
        self.name, self.players = name, max(least, min(players, most))
        program = lower(rulebook, self.players)
        self.core, self.seeds, self.chance = Core(program), array("Q", range(games)), Random(1)
        told, width = self.core.play_games(self.seeds), SEATS + 3 * self.players
        self.decisions = sum(sum(told[at : at + self.players]) for at in range(SEATS, len(told), width))
        self.by_hand = hand(name, self.players) if name in GAMES else None
        one, many, seeing = (Games(program, n, observe=n == SEEING) for n in (1, TOGETHER, SEEING))
        self.ways: dict[str, Callable[[], int]] = {
            "whole": self.whole, "one by one": lambda: self.step(one), "together": lambda: self.step(many),
            "seeing": lambda: self.step(seeing),
        }  # fmt: skip
        self.spent: dict[str, list[float]] = {name: [] for name in ("hand", *self.ways)}

    def measure(self) -> None:
        """Measure once."""
        for name, spent in self.spent.items():
            if name != "hand" or self.by_hand is not None:
                spent.append(self.measure_way(name))

    def measure_way(self, name: str) -> float:
        """Measure one way once: nanoseconds a decision."""
        if name == "hand":
            assert self.by_hand is not None
            return timed(self.by_hand, range(5), 0.02) * 1e3 * len(self.seeds) / self.decisions
        began = time.process_time()
        decisions = self.ways[name]()
        return (time.process_time() - began) / decisions * 1e9

    def whole(self) -> int:
        """Play whole games in the core, and count decisions."""
        self.core.play_games(self.seeds)
        return self.decisions

    def step(self, games: Games) -> int:
        """Play so many games decision by decision."""
        seed = games.n
        games.reset(range(games.n))
        for _ in range(STEPS // games.n):
            games.step(array("q", [int(self.chance.random() * count) if count else -1 for count in games.counts]))
            over = [game for game, at in enumerate(games.seats) if at < 0]
            if over:
                games.reset(range(seed, seed + len(over)), over)
                seed += len(over)
        return STEPS // games.n * games.n


def main() -> None:
    """Measure, and print."""
    parser = ArgumentParser(description=__doc__)
    parser.add_argument("names", nargs="*", metavar="GAME", help="bundled games; all of them if none is named")
    parser.add_argument("--rounds", type=int, default=5, help="how often everything is measured (5)")
    parser.add_argument("--games", type=int, default=400, help="games of each round (400)")
    parser.add_argument("--players", type=int, default=4, help="as many as a game allows, up to this (4)")
    given = parser.parse_args()
    names = given.names or [folder.name for folder in library.find_games()]
    tables = [Measured(name, given.players, given.games) for name in names]
    for _ in range(given.rounds):
        for table in tables:
            table.measure()
    print(f"{'game':<16} {'players':>7}" + "".join(f"{way:>17}" for way in tables[0].ways))
    for table in tables:
        line = f"{table.name:<16} {table.players:>7}"
        for way in table.ways:
            times = f"x {median(table.spent['hand']) / median(table.spent[way]):.1f}" if table.by_hand else ""
            line += f"{median(table.spent[way]):>11,.0f} {times:<5}"
        print(line)


if __name__ == "__main__":
    main()
