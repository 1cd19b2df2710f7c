"""What games cost in which bots think: processor seconds a game, microseconds a decision.

    python bench/bots.py                            # greedy, flat:100 and ismcts:200 where they are wanted most
    python bench/bots.py --only wallet --bots greedy --games 50

Each line is one series, played in one process as `simulate` plays it.
"""

from __future__ import annotations

import time
from argparse import ArgumentParser

from rulebook import library
from rulebook.loading import load
from rulebook.playtest.series.plan import plan_of
from rulebook.playtest.series.table import Table

TABLES = (("wallet", 4), ("wrong_party", 5))
BOTS = {"greedy": 20, "flat:100": 4, "ismcts:200": 1}
"""How many games of each."""


def main() -> None:
    """Play, and print one line for each series."""
    parser = ArgumentParser(description=__doc__)
    parser.add_argument("--only", help="the id of a game")
    parser.add_argument("--bots", choices=list(BOTS), help="who sits in every seat")
    parser.add_argument("--games", type=int, help="how many, instead of 20, 4 and 1")
    parser.add_argument("--seed", type=int, default=1)
    asked = parser.parse_args()
    for name, players in TABLES:
        for spec, games in BOTS.items():
            if asked.only in (None, name) and asked.bots in (None, spec):
                measure(name, players, spec, asked.games or games, asked.seed)


def measure(name: str, players: int, spec: str, games: int, seed: int) -> None:
    """Play one series."""
    rulebook = load(library.find_game(name)).rulebook
    assert rulebook is not None
    table = Table(plan_of(rulebook, players, seed, bots=(spec,)))
    began = time.process_time()
    played, _ = table.here(range(games))
    spent = time.process_time() - began
    decisions = sum(sum(game.decisions) for game in played)
    print(f"{name:12} {players}  {spec:11} {spent / games:8.3f} s a game {1e6 * spent / decisions:9.0f} us a decision")


if __name__ == "__main__":
    main()
