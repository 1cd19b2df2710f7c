"""Does twice as much of anything that can be declared take more than twice as long to check?

    python bench/doubling.py [--many 2000] [NAME…]

In: how many to begin with, and which things of `tests/helpers/many.py`, all of them if none is named. Each is checked
so many times, twice, and four times, in a process of its own. Out: seconds of the processor and megabytes. Exit code 1
if one fell, or if the last step took more than three times as long as the one before and more than a second.
"""

from __future__ import annotations

import argparse
import os
import resource
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "tests" / "helpers"))

from many import MANY

from rulebook.validation import find_problems

LONGEST, LARGEST = 120, 3 * 1024**3
"""Seconds and bytes of address space after which a process is ended."""


def measured(name: str, many: int) -> tuple[float, int, bool]:
    """Seconds, megabytes, and whether it came to its end, of a game with so many."""
    with tempfile.TemporaryDirectory() as scratch:
        folder = Path(scratch) / "many"
        for file, text in MANY[name](many).items():
            (folder / file).parent.mkdir(parents=True, exist_ok=True)
            (folder / file).write_text(text, "utf-8")
        child = os.fork()
        if child == 0:
            resource.setrlimit(resource.RLIMIT_CPU, (LONGEST, LONGEST))
            resource.setrlimit(resource.RLIMIT_AS, (LARGEST, LARGEST))
            code = 3
            try:
                find_problems(folder)
                code = 0
            finally:
                os._exit(code)
        _, status, used = os.wait4(child, 0)
        return used.ru_utime + used.ru_stime, used.ru_maxrss // 1024, status == 0


def main() -> int:
    """Double, and print."""
    arguments = argparse.ArgumentParser(description="Does twice as much take more than twice as long to check?")
    arguments.add_argument("names", nargs="*", metavar="NAME", help="things; all of them if none is named")
    arguments.add_argument("--many", type=int, default=2000, help="how many to begin with (2000)")
    given = arguments.parse_args()
    measured("kinds", 10)
    nothing = measured("kinds", 1)[0]
    failed = False
    for name in given.names or MANY:
        found = [measured(name, given.many * times) for times in (1, 2, 4)]
        first, second, third = (max(seconds - nothing, 0.01) for seconds, _, _ in found)
        bad = not all(good for _, _, good in found) or (third > 1 and third > 3 * second)
        failed |= bad
        row = f"{name:<34} {first:>7.2f} {second:>7.2f} {third:>7.2f} s {max(size for _, size, _ in found):>5} MB"
        print(row + ("  <--" if bad else ""), flush=True)
    return failed


if __name__ == "__main__":
    sys.exit(main())
