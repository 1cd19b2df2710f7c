"""Try every sentence with every sort of value in it: `python bench/every_value.py`, about ten minutes.

Prints each pair that ends neither in a message nor in a game that machine and core play alike, and the numbers.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "tests" / "helpers"))

from every_value import list_pairs, try_pair


def main() -> int:
    """Try all pairs; return 1 if one went wrong."""
    argparse.ArgumentParser(description=__doc__).parse_args()
    tried = played = wrong = 0
    for sentence, value in list_pairs():
        tried += 1
        try:
            played += try_pair(sentence, value)
        except Exception as error:
            wrong += 1
            print(f"{sentence!r} with {value!r}: {type(error).__name__}: {error}", flush=True)
    print(f"{tried} tried, {played} played, {wrong} wrong.")
    return int(wrong > 0)


if __name__ == "__main__":
    sys.exit(main())
