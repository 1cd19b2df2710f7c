"""How long it takes to follow the course of games, and how often noise is taken for something.

    python bench/course.py [--games 1000] [--planted 400]

In: the three games with four players, as `simulate --course` follows them. Out: for each, the seconds of one process,
how many games and decisions that were, and what they say; then, for a decision whose answers differ by nothing, by as
much as is said to be seen, and by 25 games of 100, how often it was called interesting or decisive. Exit code 1
if a game took longer than the limit, if what differs by nothing was called interesting in more than one of fifty
cases, or if what should be seen was missed in more than one of six.
"""

from __future__ import annotations

import argparse
import random
import sys
import time
from statistics import fmean

from rulebook import library
from rulebook.commands.series import tell_account
from rulebook.loading import load
from rulebook.playtest.series.course import TRIES
from rulebook.playtest.series.plan import plan_of
from rulebook.playtest.series.playing import play
from rulebook.playtest.series.table import Table
from rulebook.playtest.series.tally import Tally
from rulebook.reporting.course import DECISIVE, follow_series
from rulebook.statistics.spreads import measure_spread

GAMES = ("wallet", "exposed", "wrong_party")
LIMIT = 60.0
"""In seconds of a processor."""
FAIR = 0.25
"""The chance after each answer but the best."""


def follow_game(name: str, games: int) -> float:
    """Follow a game, say what came of it, and return the seconds of the processor."""
    rulebook = load(library.find_game(name)).rulebook
    assert rulebook is not None
    options = {name: option.default for name, option in rulebook.options.items()}
    result = play(plan_of(rulebook, 4, 1, options), games)
    began = time.process_time()
    found = follow_series(Tally.of(result.plan, result.told()), Table(result.plan), 1, tell_account)
    seconds = time.process_time() - began
    assert found is not None, "all three have winners"
    total, course = found.decisions[0], found.course
    dull = total.dull
    print(
        f"{name:<12} {seconds:5.1f} s  {course.games} games, {total.decisions} decisions; "
        f"{100 * dull:.0f} of 100 make no difference that could be seen, {100 * total.decisive:.0f} decide; "
        f"{100 * course.before_half.share:.0f} of 100 games decided before half way"
    )
    return seconds


def count_kinds(planted: int, answers: int, gain: float, chance: random.Random) -> tuple[float, float, float]:
    """Return how often the best of so many answers, which gains so much, was called interesting or decisive, and the
    difference that is said to be seen.
    """
    shown = decisive = 0
    seen = list[float]()
    for _ in range(planted):
        chances = [FAIR + gain, *[FAIR] * (answers - 1)]
        found = measure_spread([[float(chance.random() < one) for _ in range(TRIES)] for one in chances])
        shown += found.is_shown
        decisive += found.is_shown and found.size >= DECISIVE
        seen.append(found.seen)
    return shown / planted, decisive / planted, fmean(seen)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--games", type=int, default=1000)
    parser.add_argument("--planted", type=int, default=400)
    given = parser.parse_args()
    is_good = max([follow_game(name, given.games) for name in GAMES]) < LIMIT
    chance = random.Random(1)
    for answers in (2, 4, 8):
        false, _, seen = count_kinds(given.planted, answers, 0.0, chance)
        true, _, _ = count_kinds(given.planted, answers, seen, chance)
        _, decisive, _ = count_kinds(given.planted, answers, DECISIVE, chance)
        print(
            f"{answers} answers: alike, and called interesting in {100 * false:.1f} of 100; {100 * seen:.0f} games of "
            f"100 apart, and seen in {100 * true:.0f}; {100 * DECISIVE:.0f} apart, and called decisive in "
            f"{100 * decisive:.0f}"
        )
        is_good = is_good and false <= 0.02 + 2 / given.planted and true >= 5 / 6
    return 0 if is_good else 1


if __name__ == "__main__":
    sys.exit(main())
