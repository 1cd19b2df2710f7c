"""Search planted games again and again: how often the true setting is found, and how many ranges hold the truth.

python3 bench/tuning.py [RUNS]
"""

from __future__ import annotations

import argparse
import json
import time
from pathlib import Path

from click.testing import CliRunner

from rulebook.cli import main

GAMES = Path(__file__).parents[1] / "tests" / "data" / "tuned"
PLANTED = {
    "seats": (["rules.game.if drawn <= 8=1..9"], "seat_gap < 3", "5", lambda value: abs(2 * int(value) - 10) / 10),
    "length": (["laps=1..9"], "length = 17..19", "6", lambda value: 3.0 * int(value)),
    "copies": (["copies(storm)=1..9"], "seat_gap < 4", "6", lambda value: abs(int(value) - 6) / (int(value) + 6)),
    "draws": (["duel=all"], "ties = 0", "yes", lambda value: 0.0 if value == "yes" else 0.25),
    "hopeless": (["laps=1..9"], "seat_gap < 5", None, lambda _: 0.4),
}
"""By game: what is varied, the aim, the true value (none if there is none), and the figure of each value."""


def search(name: str, seed: int) -> tuple[bool, int, int]:
    """Search once: was the truth found, how many ranges hold it, and how many there are."""
    vary, aim, truth, find_figure = PLANTED[name]
    words = [word for one in vary for word in ("--vary", one)]
    found = CliRunner().invoke(
        main, ["tune", str(GAMES / name), *words, "--until", aim, "--seed", str(seed), "--games", "2000", "--json"]
    )
    told = json.loads(found.stdout)
    best = next(iter(told["few"][0]["values"].values())) if told["few"] else None
    good = told["verdict"] == "none" if truth is None else (told["verdict"], best) == ("found", truth)
    true = [
        one["figures"][0]["low"] <= find_figure(next(iter(one["values"].values()))) <= one["figures"][0]["high"]
        for one in told["few"]
    ]
    return good, sum(true), len(true)


def run(runs: int) -> None:
    for name in PLANTED:
        began = time.process_time()
        found = [search(name, seed) for seed in range(1, runs + 1)]
        right, held, ranges = (sum(column) for column in zip(*found, strict=True))
        seconds = (time.process_time() - began) / runs
        print(f"{name:<9} found {right} of {runs}; {held} of {ranges} ranges hold the truth; {seconds:.2f} s a search")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("runs", type=int, nargs="?", default=100, help="how often each planted game is searched")
    run(parser.parse_args().runs)
