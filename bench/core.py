"""What a decision costs in the core, in whole random games, and how that stands to the same games by hand.

    python bench/core.py [--rounds 5] [--games 400] [--players 4] [GAME…]

In: names of bundled games, all of them if there is none. Out: a line for each: nanoseconds of the processor a decision,
and the speed beside that of the games by hand, for those that `reference/` has (1 is as fast). A round measures
everything once, in turn; figures are medians of the rounds.
"""

from __future__ import annotations

import sys
import time
from argparse import ArgumentParser
from array import array
from pathlib import Path
from statistics import median

sys.path.append(str(Path(__file__).resolve().parent))

from reference.check import GAMES
from tiers_speed import hand, timed

from rulebook import library
from rulebook.interpreter.core.door import SEATS, Core
from rulebook.interpreter.lower import lower
from rulebook.loading import load


class Measured:
    """A game at one table, with what was measured so far."""

    def __init__(self, name: str, players: int, games: int) -> None:
        rulebook = load(library.find(name)).rulebook
        assert rulebook is not None
        least, most = rulebook.players
        self.name, self.players = name, max(least, min(players, most))
        self.core, self.seeds = Core(lower(rulebook, self.players)), array("Q", range(games))
        told, width = self.core.games(self.seeds), SEATS + 3 * self.players
        self.decisions = sum(sum(told[at : at + self.players]) for at in range(SEATS, len(told), width))
        self.by_hand = hand(name, self.players) if name in GAMES else None
        self.spent, self.beside_hand = list[float](), list[float]()

    def measure(self) -> None:
        """Measure once."""
        began = time.process_time()
        self.core.games(self.seeds)
        self.spent.append(time.process_time() - began)
        if self.by_hand is not None:
            a_game = self.spent[-1] / len(self.seeds)
            self.beside_hand.append(timed(self.by_hand, range(5), 0.02) / 1e6 / a_game)


def main() -> None:
    """Measure, and print."""
    parser = ArgumentParser(description=__doc__)
    parser.add_argument("names", nargs="*", metavar="GAME", help="bundled games; all of them if none is named")
    parser.add_argument("--rounds", type=int, default=5, help="how often everything is measured (5)")
    parser.add_argument("--games", type=int, default=400, help="games of each round (400)")
    parser.add_argument("--players", type=int, default=4, help="as many as a game allows, up to this (4)")
    given = parser.parse_args()
    names = given.names or [folder.name for folder in library.games()]
    tables = [Measured(name, given.players, given.games) for name in names]
    for _ in range(given.rounds):
        for table in tables:
            table.measure()
    print(f"{'game':<16} {'players':>7} {'decisions a game':>17} {'ns a decision':>14} {'x by hand':>10}")
    for table in tables:
        line = f"{table.name:<16} {table.players:>7} {table.decisions / given.games:>17.1f}"
        line += f" {median(table.spent) / table.decisions * 1e9:>14,.0f}"
        print(line + (f" {median(table.beside_hand):>10.1f}" if table.by_hand else ""))


if __name__ == "__main__":
    main()
