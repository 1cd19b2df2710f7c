"""Search planted games again and again: how often the true setting is found, and how many ranges hold the truth.

python3 bench/tuning.py [RUNS]
python3 bench/tuning.py --wallet [--games G] [RUNS]

Wallet has no truth that was planted: it is what 200,000 games of each setting say, on other deals.
"""

from __future__ import annotations

import argparse
import json
import time
from collections import Counter
from pathlib import Path
from typing import Any

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


VARIED = ("--vary", "limit=400..600 by 100", "--vary", "copies(double_turn)=1,2")
LIMITS, COPIES, TRUE_GAMES = ("400 CU", "500 CU", "600 CU"), ("1", "2"), 12_500
"""Three limits and two counts of one card; a setting is asked on sixteen times as many games in the end."""


def tune_wallet(aim: str, games: int, seed: int, *words: str) -> Any:
    """Search Wallet for four random players, and return what `--json` says."""
    common = ["--players", "4", "--levels", "random", "--until", f"{aim} and length = 100..140", "--seconds", "86400"]
    asked = ["tune", "wallet", *common, "--games", str(games), "--seed", str(seed), "--json", *words]
    return json.loads(CliRunner().invoke(main, asked).stdout)


def find_truth(limit: str, copies: str) -> list[float]:
    """Find the figures of one setting: an aim that nothing meets has all games played."""
    words = ["--set", f"limit={limit}", "--vary", f"copies(double_turn)={copies}..{copies}"]
    [one] = tune_wallet("seat_gap < 0.001", TRUE_GAMES, 2**40, *words)["few"]
    return [figure["value"] for figure in one["figures"]]


def run_wallet(runs: int, games: int) -> None:
    truth = {(limit, copies): find_truth(limit, copies) for limit in LIMITS for copies in COPIES}
    for (limit, copies), (gap, length) in truth.items():
        print(f"limit {limit}, copies(double_turn) {copies}: seat_gap {100 * gap:.2f} of 100, length {length:.2f}")
    began, verdicts = time.process_time(), Counter[str]()
    together, held, ranges, sound = 0, 0, 0, 0
    for seed in range(1, runs + 1):
        told = tune_wallet("seat_gap < 2", games, seed, *VARIED)
        true, met = list[bool](), list[bool]()
        for one in told["few"]:
            gap, length = truth[one["values"]["limit"], one["values"]["copies(double_turn)"]]
            met.append(gap < 0.02 and 100 <= length <= 140)
            pairs = zip(one["figures"], (gap, length), strict=True)
            true += [figure["low"] <= value <= figure["high"] for figure, value in pairs]
        verdicts[told["verdict"]] += 1
        sound += told["verdict"] != "found" or met[0]
        together, held, ranges = together + all(true), held + sum(true), ranges + len(true)
    seconds = (time.process_time() - began) / runs
    print(f"all ranges of a search hold the truth in {together} of {runs}, {held} of {ranges} ranges; {dict(verdicts)}")
    print(f"{sound} of {runs} name no setting that does not meet the aim; {seconds:.1f} s a search")


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
    parser.add_argument("--wallet", action="store_true", help="search Wallet instead, for four random players")
    parser.add_argument("--games", type=int, default=500, help="the most games of a setting of Wallet in the search")
    asked = parser.parse_args()
    if asked.wallet:
        run_wallet(asked.runs, asked.games)
    else:
        run(asked.runs)
