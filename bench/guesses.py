"""Drawn games in which bots are asked: do they know what their seat may not?

    python bench/guesses.py [--games 300] [--seed 1] [--bots]

In: how many games, which ones. Each has sealed, secret and quiet choices that hang on hidden cards
(`tests/helpers/drawn_guesses.py`). It is begun with other hidden things that one seat cannot tell apart, and wherever
that seat is asked and has been sent the same, what is imagined is compared; with `--bots` also what bots answer. Out:
how many games there were and what became of them, how many moments were compared, and at how many of them a bot
imagines. Exit code 1 if there is a difference.
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "tests" / "helpers"))

from drawn_guesses import BOTS, Compared, compare_guesses, draw_game

from rulebook.interpreter.lower import lower


def main() -> int:
    """Draw, play and print."""
    arguments = argparse.ArgumentParser(description="Look for bots that know what their seat may not.")
    arguments.add_argument("--games", type=int, default=300, help="how many are drawn (300)")
    arguments.add_argument("--seed", type=int, default=1, help="the number of the first one (1)")
    arguments.add_argument("--bots", action="store_true", help="compare what bots answer, too, which takes long")
    given = arguments.parse_args()
    became: Counter[str] = Counter()
    counted = Compared()
    for number in range(given.seed, given.seed + given.games):
        script, rulebook, found = draw_game(number)
        if rulebook is None:
            became[f"refused, {min(one.code for one in found)}"] += 1
            continue
        known = compare_guesses(lower(rulebook, 3), number, counted, BOTS if given.bots else ())
        became["in which a bot knows too much" if known else "in which none does"] += 1
        if known:
            print(f"\n{number}:", script, known, sep="\n")
    for what, many in became.most_common():
        print(f"{many:6} games {what}")
    print(f"{counted.alike:6} moments like another one, at {counted.imagined} of which bots imagine")
    return int(became["in which a bot knows too much"] > 0)


if __name__ == "__main__":
    sys.exit(main())
