"""What people wait for: commands as they are typed, in seconds of the processor, all their processes together.

    python bench/waiting.py                       # five minutes
    python bench/waiting.py --runs 5 simulate "an edit"
    python bench/waiting.py --small               # a twentieth of the games

Each command runs in a process of its own with a cache folder of its own, which is empty only where it says so; where
several are compared they run in turn, and the figures are medians. `simulate` is also given as a multiple of what the
core itself needs for these games.
"""

from __future__ import annotations

import argparse
import os
import resource
import subprocess
import sys
import tempfile
import time
from array import array
from pathlib import Path
from statistics import median

from rulebook import library
from rulebook.interpreter.core.door import Core
from rulebook.interpreter.lower import lower
from rulebook.loading import load

PAIRS, GAMES = 2_000, 100_000
COMMAND = "import sys; from rulebook.cli import main; main(sys.argv[1:])"


def spend(*words: str, cache: Path) -> float:
    """Run a command; its seconds of the processor."""
    environment = dict(os.environ, RULEBOOK_CACHE=str(cache))
    environment.pop("PYTHONDONTWRITEBYTECODE", None)  # modules are compiled once, as for whoever has installed it
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run([sys.executable, "-c", COMMAND, *words], env=environment, check=True, capture_output=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def spend_in_core(games: int) -> float:
    """Play random games of Wallet in the core alone; its seconds."""
    rulebook = load(library.find_game("wallet")).rulebook
    assert rulebook is not None
    core, seeds = Core(lower(rulebook, 4)), array("Q", range(games))
    began = time.process_time()
    core.play_games(seeds)
    return time.process_time() - began


def compare(share: float, runs: int, cache: Path) -> None:
    """`compare --bots greedy`."""
    pairs = round(PAIRS * share)
    words = ("compare", "wallet", "--variant", "hard_cash", "--games", str(pairs), "--bots", "greedy")
    print(f"compare wallet, {pairs} pairs of greedy        {spend(*words, cache=cache):7.2f} s")


def search(share: float, runs: int, cache: Path) -> None:
    """Whole games of `ismcts:200`."""
    for name, players in (("wallet", 4), ("wrong_party", 5)):
        words = ("simulate", name, "--players", str(players), "--games", "2", "--jobs", "1", "--bots", "ismcts:200")
        print(f"ismcts:200, {name}, {players} players, a game   {spend(*words, cache=cache) / 2:7.2f} s")


def simulate(share: float, runs: int, cache: Path) -> None:
    """`simulate` as it is typed, and what the core needs of that."""
    games = round(GAMES * share)
    words, typed, inside = ("simulate", "wallet", "--players", "4", "--games", str(games)), [], []
    for _ in range(runs):
        typed.append(spend(*words, cache=cache))
        inside.append(spend_in_core(games))
    times = median(one / two for one, two in zip(typed, inside, strict=True))
    spent = f"{median(typed):7.2f} s, {times:.2f} times the core's {median(inside):.2f} s"
    print(f"simulate wallet, {games} games               {spent}")


def edit(share: float, runs: int, cache: Path) -> None:
    """The first game after an edit: nothing is kept."""
    spent: dict[str, list[float]] = {"core": [], "machine": []}
    for _ in range(runs):
        for tier, times in spent.items():
            with tempfile.TemporaryDirectory() as folder:
                words = ("simulate", "wallet", "--players", "4", "--games", "1", "--tier", tier)
                times.append(spend(*words, cache=Path(folder)))
    figures = ", ".join(f"{tier} {median(times):.2f} s" for tier, times in spent.items())
    print(f"first game after an edit, wallet             {figures}")


ROWS = {"compare": compare, "ismcts": search, "simulate": simulate, "an edit": edit}


def main() -> None:
    """Measure the rows that are named, or all."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("rows", nargs="*", metavar="ROW", help=", ".join(ROWS))
    parser.add_argument("--runs", type=int, default=3, help="how often what is compared is run")
    parser.add_argument("--small", action="store_true", help="a twentieth of the games")
    asked = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        spend("simulate", "wallet", "--players", "4", "--games", "1", cache=Path(folder))
        for row in asked.rows or ROWS:
            ROWS[row](0.05 if asked.small else 1, asked.runs, Path(folder))


if __name__ == "__main__":
    main()
