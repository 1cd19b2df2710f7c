"""How much of what drawn games tell is warned of (decision 30).

    .venv/bin/python bench/drawn_traces.py 1000 [first seed] [--cards]

In: how many games, of questions about what nobody sees or (`--cards`) about what all may have seen. Out: how often the
pass that follows secrets warns, and how often the leak tests see something; the scripts in which they see what nobody
warned of. Exit code 1 if there are any.
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "tests" / "helpers"))

from traces import look


def main(games: int, first: int = 0, *, cards: bool = False) -> int:
    """Draw so many games and print what both sides say."""
    counts: Counter[str] = Counter()
    missed = 0
    for seed in range(first, first + games):
        script, codes, seen = look(seed, cards=cards)
        warned = bool(codes & {"RB601", "RB605"})
        counts[f"{'warned' if warned else 'silent'}, {'seen' if seen else 'nothing seen'}"] += 1
        if seen and not warned:
            missed += 1
            print(f"seed {seed}: {seen[0]}\n    {script}\n")
    print(*(f"{name}: {number}" for name, number in sorted(counts.items())), sep="\n")
    return 1 if missed else 0


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("games", type=int)
    parser.add_argument("first", type=int, nargs="?", default=0)
    parser.add_argument("--cards", action="store_true")
    given = parser.parse_args()
    sys.exit(main(given.games, given.first, cards=given.cards))
