"""The speeds that are aimed at, all in one run, in turn.

    python bench/aims.py [--rounds 3] [WORD…]

In: words that the names of figures begin with; without words all of them. Out: a line for each figure with its median,
the least and the most of the rounds, what is aimed at, and whether that is so. Times are of the processor, so a busy
machine makes them longer; ratios stay as they are. It is `core.py`, `others.py` and `waiting.py` that measure. Never:
ends with an exit code that says so, since seconds are of the computer that runs this.
"""

from __future__ import annotations

import argparse
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path
from statistics import median
from typing import NamedTuple

from core import Measured
from others import CLASSICS, Classic, Play, once, openspiel_whole, program_of, whole
from waiting import PAIRS, spend

BY_HAND = {"wallet": 8, "exposed": 7, "wrong_party": 5}
"""Times as fast as by hand, four players."""
INSIDE = {"kuhn_poker": 0.5, "leduc_poker": 0.5, "tic_tac_toe": 0.5, "crazy_eights": 1.0, "hearts": 0.5}
"""Decisions of whole games beside those of OpenSpiel's C++, of which the deal is not counted."""
THROUGH_THE_DOOR = 300_000
SEARCHED = 2
"""Games of `ismcts:200` in one measurement."""


class Aim(NamedTuple):
    """A figure that is to be `wanted` at least, or at most."""

    name: str
    wanted: float
    at_least: bool
    measure: Callable[[], float]


def list_aims(scratch: Path) -> Iterator[Aim]:
    """All of them; nothing is measured yet."""
    for game, times in BY_HAND.items():
        yield Aim(f"by hand: {game}, times", times, True, against_hand(Measured(game, 4, 200)))
    hearts = Measured("hearts", 4, 10)
    yield Aim("door: hearts, decisions a second", THROUGH_THE_DOOR, True, lambda: 1e9 / hearts.measure_way("together"))
    for classic in CLASSICS:
        theirs = None if classic.together else openspiel_whole(classic.openspiel[0])
        if theirs is not None:
            name = f"inside: {classic.name}, of OpenSpiel"
            yield Aim(name, INSIDE[classic.name], True, against_spiel(classic, theirs))
    kept = scratch / "kept"

    def search() -> float:
        words = ("--players", "4", "--games", str(SEARCHED), "--jobs", "1", "--bots", "ismcts:200")
        return spend("simulate", "wallet", *words, cache=kept) / SEARCHED

    def compare() -> float:
        words = ("--variant", "hard_cash", "--games", str(PAIRS), "--bots", "greedy")
        return spend("compare", "wallet", *words, cache=kept)

    def validate() -> float:
        with tempfile.TemporaryDirectory(dir=scratch) as empty:
            return spend("validate", "wallet", cache=Path(empty))

    def begin() -> float:
        return spend("simulate", "wallet", "--games", "1", cache=kept)

    yield Aim("command: simulate wallet --games 1, s", 0.18, False, begin)
    yield Aim("command: first validate wallet, s", 1.8, False, validate)
    yield Aim("search: a game of ismcts:200, wallet 4, s", 2.5, False, search)
    yield Aim("search: compare greedy, 2,000 pairs, s", 6, False, compare)


def against_hand(table: Measured) -> Callable[[], float]:
    """Measure whole games as times those by hand."""
    return lambda: table.measure_way("hand") / table.measure_way("whole")


def against_spiel(classic: Classic, theirs: Play) -> Callable[[], float]:
    """Measure whole games beside those of OpenSpiel."""
    ours = whole(program_of(classic))

    def compare() -> float:
        rates = [decisions / spent for spent, _, decisions in (once(play, 0.2) for play in (ours, theirs))]
        return rates[0] / rates[1]

    return compare


def main() -> None:
    """Measure, and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("words", nargs="*", metavar="WORD", help="what the names of figures begin with")
    parser.add_argument("--rounds", type=int, default=3, help="how often each is measured (3)")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        aims = [aim for aim in list_aims(Path(folder)) if aim.name.startswith(tuple(given.words or [""]))]
        spend("simulate", "wallet", "--games", "1", cache=Path(folder, "kept"))  # the first fills the cache
        rounds = [[aim.measure() for aim in aims] for _ in range(given.rounds)]
    for aim, figures in zip(aims, zip(*rounds, strict=True), strict=True):
        middle = median(figures)
        so = "so" if (middle >= aim.wanted) is aim.at_least else "missed"
        bound = "at least" if aim.at_least else "at most"
        spread = f"({min(figures):,.2f} to {max(figures):,.2f})"
        print(f"{aim.name:<42}{middle:>12,.2f} {spread:<26} {bound} {aim.wanted:,}: {so}")


if __name__ == "__main__":
    main()
