"""How many right rules are complained of, and who tells those that leak: `python bench/drawn_secrets.py 1000`.

In: how many games of either sort (`tests/helpers/drawn_secrets.py`), and the first seed. Out: of the right ones, how
many have a message; of the leaking ones, how many the analysis tells, how many twin games, how many nobody; each that
is not as it should be. Exit code 1 if there is any.
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "tests" / "helpers"))

from drawn_secrets import comes_out, draw_game, find_codes


def main(games: int, first: int = 0) -> int:
    """Draw so many games of either sort, and print what is said about them."""
    counts: Counter[str] = Counter()
    for seed in range(first, first + games):
        right, leaking = (draw_game(seed, is_right=is_right) for is_right in (True, False))
        if codes := find_codes(right):
            print(f"seed {seed}, right: {', '.join(sorted(codes))}\n{right.script}\n", flush=True)
        counts["right, a message" if codes else "right, clean"] += 1
        told = "analysis" if find_codes(leaking) - {"RB404"} else "twins" if comes_out(leaking) else "nobody"
        if told != "analysis":
            print(f"seed {seed}, leaking, told by {told}: {', '.join(leaking.parts)}\n{leaking.script}\n", flush=True)
        counts[f"leaking, told by {told}"] += 1
    print(*(f"{name}: {number}" for name, number in sorted(counts.items())), sep="\n")
    return int(bool(counts["right, a message"] or counts["leaking, told by nobody"]))


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("games", type=int)
    parser.add_argument("first", type=int, nargs="?", default=0)
    given = parser.parse_args()
    sys.exit(main(given.games, given.first))
