"""Saves and files of games as nobody writes them: what does every command do that reads them?

    python bench/saves.py [--seed 1] [--saves 1000] [--stores 200]

In: how many altered files of each kind. Out: how many tries there were, and every one that ended otherwise than with
what it was to do or one sentence: with our own bug, with a file beside its own, with letters that a terminal obeys.
Exit code 1 if there is any. `tests/helpers/altered_saves.py` says what is altered; of the values in every field and
entry a sample is taken, the rest are two or three changes at once.
"""

from __future__ import annotations

import argparse
import os
import random
import sys
import tempfile
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "tests" / "helpers"))

from altered_saves import (
    COMMANDS,
    PEOPLE,
    STORE_COMMANDS,
    WITH_BOT,
    Sandbox,
    altered_stores,
    drawn,
    every_encoding,
    every_entry,
    every_field,
)


def main() -> int:
    """Try all of them, and print what was found."""
    arguments = argparse.ArgumentParser(description="What becomes of saves that nobody wrote?")
    arguments.add_argument("--seed", type=int, default=1, help="which are drawn (1)")
    arguments.add_argument("--saves", type=int, default=1000, help="how many altered saves, a third drawn (1000)")
    arguments.add_argument("--stores", type=int, default=200, help="how many rows of files of games (200)")
    given = arguments.parse_args()
    chance, tries, found, started = random.Random(given.seed), 0, [], time.perf_counter()
    with tempfile.TemporaryDirectory() as folder, tempfile.TemporaryDirectory() as scratch:
        sandbox = Sandbox(Path(folder))
        os.environ |= sandbox.environment() | {"RULEBOOK_CACHE": "off"}
        os.chdir(sandbox.here)
        sound = [sandbox.begun(PEOPLE), sandbox.begun(WITH_BOT)]
        altered = [one for data in sound for one in (*every_field(data), *every_entry(data))]
        several = given.saves // 3
        altered = chance.sample(altered, min(given.saves - several, len(altered)))
        altered += [one for data in sound for one in every_encoding(data)]
        altered += [drawn(chance.choice(sound), chance) for _ in range(several)]
        stores = list(altered_stores(sandbox.series(), Path(scratch), chance, given.stores))
        for files, commands in ((altered, COMMANDS), (stores, STORE_COMMANDS)):
            for one in files:
                for command in commands:
                    tries += 1
                    found += sandbox.tries(one, command)
        os.chdir(scratch)
    print("\n".join(found[:100]))
    print(f"{tries} tries, {len(found)} found, {time.perf_counter() - started:.0f} s")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
