"""Does a game lose an answer when the disk fails at any moment?

    python bench/disks.py [--games 100] [--seed 1]

In: how many games of each kind, in a save and in a store of tables (tests/helpers/failing.py). Out: at how many moments
a call of the system or of SQLite failed, how much was refused there, and what was lost or counted twice. Exit code 1 if
anything was, or if something that was refused was done.
"""

from __future__ import annotations

import argparse
import asyncio
import sys
import tempfile
from collections import Counter
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "tests" / "helpers"))

from failing import OneGame, file_complaints, table_complaints
from shipped import load_game, lower_game

from rulebook import library

_GAMES = {"kuhn_poker": 2, "crazy_eights": 3, "hearts": 4, "wrong_party": 3}
_STEPS = 60


def main() -> int:
    """Fail, and look."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--games", type=int, default=100)
    parser.add_argument("--seed", type=int, default=1)
    asked = parser.parse_args()
    seeds = range(asked.seed, asked.seed + asked.games)
    saves, tables, found = Counter[str](), Counter[str](), list[str]()
    with tempfile.TemporaryDirectory() as name:
        for game, players in _GAMES.items():
            folder = library.find_game(game)
            program = lower_game(folder, players)
            for seed in seeds:
                found += file_complaints(program, Path(name) / "game.jsonl", seed, _STEPS, saves)
            if players > 3:
                continue  # the table has seats for two people and a bot
            for seed in seeds[: len(seeds) // 4]:
                rules, store = OneGame(load_game(folder), program), Path(name) / f"{game}-{seed}.sqlite3"
                found += asyncio.run(table_complaints(rules, store, seed, _STEPS, tables))
    print("\n".join(found))
    for title, tried in (("saves", saves), ("tables", tables)):
        print(f"{title}: {', '.join(f'{count} {what}' for what, count in sorted(tried.items()))}")
    print(f"{len(found)} times something was wrong")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
