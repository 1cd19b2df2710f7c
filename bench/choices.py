"""Choices drawn from the grammar: does an onlooker see who could not choose?

    python bench/choices.py [--scripts 500] [--seed 1]

In: how many scripts, which ones. Each is a few sentences in which somebody chooses from what the onlooker does not see
(`tests/helpers/drawn_choices.py`). It is played through with all answers in games that differ only in what is hidden
from her, and all that she is sent is compared. Out: how many scripts there were and what became of them; each that
tells something, and what. Exit code 1 if there is one. A script that the rulebook's own messages refuse is not played.
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from pathlib import Path
from random import Random

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "tests" / "helpers"))

from drawn_choices import TooMuch, build_game, compare_twins, draw_script

from rulebook.interpreter.lower import lower


def main() -> int:
    """Draw, play and print."""
    arguments = argparse.ArgumentParser(description="Look for choices by which an onlooker learns what is hidden.")
    arguments.add_argument("--scripts", type=int, default=500, help="how many are drawn (500)")
    arguments.add_argument("--seed", type=int, default=1, help="the number of the first one (1)")
    given = arguments.parse_args()
    became: Counter[str] = Counter()
    for number in range(given.seed, given.seed + given.scripts):
        random = Random(number)
        drawn = draw_script(random)
        rulebook, found = build_game(drawn)
        if rulebook is None:
            became[f"refused, {min(one.code for one in found)}"] += 1
            continue
        try:
            leak = compare_twins(lower(rulebook, 3), random)
        except TooMuch:
            became["with too many ways to play"] += 1
            continue
        became["that tell something" if leak else "that tell nothing"] += 1
        if leak:
            print(
                f"\n{number}:",
                drawn.script,
                *(["ask:", drawn.asked] if "do ask" in drawn.script else []),
                leak,
                sep="\n",
            )
    for what, many in became.most_common():
        print(f"{many:6} scripts {what}")
    return int(became["that tell something"] > 0)


if __name__ == "__main__":
    sys.exit(main())
