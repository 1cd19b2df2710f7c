"""Many games on the machine and on a compiled tier, held against each other at every decision.

    python bench/tiers.py [--games 100] [--players N] [--carried] [GAME…]

In: names of bundled games, all of them if there is none. Out: one line for each game, number of players and tier,
with the first difference if there is one; exit code 1 then. `--carried`: states of the tier go through JSON at each
decision.
"""

from __future__ import annotations

import argparse
import sys
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "tests"))

from tiers import compare, compare_end

from rulebook import library
from rulebook.interpreter.compiled.tier import TIERS, BlindMachine
from rulebook.interpreter.lower import lower
from rulebook.interpreter.machine import Machine
from rulebook.loading import load


def main() -> int:
    """Play, print, and say whether all tiers agree."""
    arguments = argparse.ArgumentParser(description="Hold compiled tiers against the machine.")
    arguments.add_argument("names", nargs="*", metavar="GAME", help="bundled games; all of them if none is named")
    arguments.add_argument("--games", type=int, default=100, help="games for each number of players and tier (100)")
    arguments.add_argument("--players", type=int, help="only this number of players")
    arguments.add_argument("--seed", type=int, default=0, help="the seed of the first game (0)")
    arguments.add_argument("--carried", action="store_true", help="write and read the state at each decision")
    given = arguments.parse_args()
    failed = 0
    for folder in [library.find(name) for name in given.names] or library.games():
        rulebook, _ = load(folder)
        assert rulebook is not None
        low, high = rulebook.players
        for players in range(low, high + 1) if given.players is None else [given.players]:
            program = lower(rulebook, players)
            oracle = Machine(program)
            for kind in TIERS:
                tier, started, decisions, wrong = kind(program), time.process_time(), 0, None
                for seed in range(given.seed, given.seed + given.games):
                    many, wrong = compare(oracle, tier, seed, kind.watched, given.carried)
                    decisions += many
                    if isinstance(tier, BlindMachine) and not wrong:
                        wrong = compare_end(oracle, tier, seed, seed % max(many, 1))
                    if wrong:
                        break
                failed += wrong is not None
                seconds = time.process_time() - started
                print(f"{folder.name:<16} {players} {kind.__name__:<16} {decisions:>8} {seconds:>7.1f} s", flush=True)
                if wrong:
                    print(f"  {wrong}")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
