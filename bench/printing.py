"""Games of drawn texts through every command, in several encodings: what of it a terminal would obey.

Prints the seed, the command and the characters of each fault, then how many commands ran and how much they printed.
"""

from __future__ import annotations

import argparse
import random
import sys
import tempfile
from collections import Counter
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent / "tests" / "helpers"))

from printed import commands, faults, put

CHARSETS = ("utf-8", "ascii", "latin-1", "cp1252")
WILD = (0.0, 0.004, 0.02)
"""How likely each text or key of the game is broken besides."""


def main() -> int:
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("games", nargs="?", type=int, default=24)
    options.add_argument("first", nargs="?", type=int, default=1)
    given = options.parse_args()
    games, first = given.games, given.first
    codes: Counter[int] = Counter()
    printed = found = 0
    for seed in range(first, first + games):
        chance = random.Random(seed)
        with tempfile.TemporaryDirectory() as folder:
            game = put(Path(folder) / "table", chance, WILD[seed % len(WILD)])
            for done in commands(game, chance, CHARSETS[seed % len(CHARSETS)]):
                codes[done.code] += 1
                printed += len(done.data)
                if odd := faults(done.data):
                    found += 1
                    print(seed, done.words, sorted(map(ascii, odd)))
                if done.code not in (0, 1, 2):
                    print(seed, done.words, f"exit code {done.code}")
    print(f"{games} games, {codes.total()} commands, {printed:,} characters, {found} with faults; codes {dict(codes)}")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
