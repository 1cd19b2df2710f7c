"""Sets drawn with conditions on them: is anybody passed over because a search ran out, and is nobody asked in vain?

    python bench/sets.py [--draws 500] [--seed 1] [--most 18]

In: how many are drawn, which ones, how many cards a hand has at most. Each is a hand and a condition on the set that is
chosen from it (`tests/helpers/drawn_sets.py`), played in the machine and in the core, beside all sets, found without
either. Out: how many there were and what became of them; each that went wrong, and how. Exit code 1 if one did.
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from pathlib import Path
from random import Random

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "tests" / "helpers"))

from drawn_sets import compare_asked, draw_asked

_LEGAL = ("no set is legal", "one set is legal", "several are legal")


def main() -> int:
    """Draw, play and print."""
    arguments = argparse.ArgumentParser(description="Look for sets that are chosen, or not, without asking.")
    arguments.add_argument("--draws", type=int, default=500, help="how many are drawn (500)")
    arguments.add_argument("--seed", type=int, default=1, help="the number of the first one (1)")
    arguments.add_argument("--most", type=int, default=18, help="how many cards a hand has at most, or some more (18)")
    given = arguments.parse_args()
    became: Counter[str] = Counter()
    wrong = 0
    for seed in range(given.seed, given.seed + given.draws):
        asked = draw_asked(Random(seed), most=given.most)
        found = compare_asked(asked, seed)
        how = "asked, and nobody knows" if found.is_undecided else "asked" if found.is_asked else "not asked"
        became[f"{_LEGAL[found.legal]}: {how}"] += 1
        if found.wrong:
            wrong += 1
            print(f"\n{seed}: {found.wrong}", asked.cards, f"{asked.number} … so that {asked.condition}", sep="\n")
    for what, many in became.most_common():
        print(f"{many:6} {what}")
    return int(wrong > 0)


if __name__ == "__main__":
    sys.exit(main())
