"""Does a game in the terminal lose an answer when its process is killed at any moment?

    python bench/kills.py [--kills 100] [--seed 1]

In: how often. Out: what was lost, and how many answers were given meanwhile. Exit code 1 if an answer is lost that
the player knew to be taken, or a save could not be read afterwards. It needs pseudo-terminals, and pexpect.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "tests" / "helpers"))

from killing import Sitting


def main() -> int:
    """Kill, and look."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--kills", type=int, default=100)
    parser.add_argument("--seed", type=int, default=1)
    asked = parser.parse_args()
    lost: list[str] = []
    with tempfile.TemporaryDirectory() as folder:
        sitting = Sitting(Path(folder), asked.seed)
        for number in range(1, asked.kills + 1):
            found = sitting.kill()
            lost += [f"kill {number}: {one}" for one in found]
    print("\n".join([*lost, f"{asked.kills} kills, {sitting.answers} answers taken and {sitting.undone} taken back"]))
    print(f"{len(lost)} times something was lost; {sitting.torn} saves ended in the middle of a line")
    return 1 if lost else 0


if __name__ == "__main__":
    sys.exit(main())
