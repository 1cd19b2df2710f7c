"""How long `rulebook validate` takes for a game of very many card files.

    python bench/validate.py [--files 1000] [--scripts 7] [--runs 5] [--profile]

In: how many files of cards, how many scripts, all different, in each, how many runs. Out: medians of runs in turn,
each a process of its own: seconds by the clock, seconds of the processor, and these as a multiple of the start of a
Python that reads the two largest libraries. The exit code is 1 if one takes longer by the clock than it may, which is
how long somebody waits; several processors share the work. With `--profile`, where the time goes, and nothing else.
Never: measures the first start of a program, which Python translates then.
"""

from __future__ import annotations

import argparse
import cProfile
import os
import pstats
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from many import written

from rulebook.validation import problems

START = "import lark, yaml"
COMMAND = "import sys; from rulebook.cli import main; main(['validate', '--format', 'concise', *sys.argv[1:]])"

Times = tuple[float, float]
"""Seconds by the clock, and of the processor."""


def measured(where: Path, *words: str) -> Times:
    """One process, which must find nothing wrong."""
    kept = {"RULEBOOK_CACHE": str(where / "kept"), "PYTHONPYCACHEPREFIX": str(where / "translated")}
    settings = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"} | kept
    before, began = os.times(), time.perf_counter()
    subprocess.run([sys.executable, "-c", *words], check=True, stdout=subprocess.DEVNULL, env=settings)
    after, ended = os.times(), time.perf_counter()
    return ended - began, after[2] + after[3] - before[2] - before[3]


def forget(where: Path) -> None:
    """Nothing was ever checked; the parse table of the language is there after the first start of all."""
    for kept in ("checked-*", "share-*"):
        for file in (where / "kept").glob(kept):
            file.unlink()


def measures(where: Path, files: int, scripts: int) -> list[tuple[str, float | None, Callable[[], Times]]]:
    """What is measured, in turn, with its limit in seconds."""
    one, many = written(where / "one", 1, scripts), written(where / "many", files, scripts)
    changed = sorted(many.glob("cards_*.yaml"))[files // 2]

    def first(game: Path) -> Times:
        forget(where)
        return measured(where, COMMAND, str(game))

    def after_a_change() -> Times:
        changed.write_text(changed.read_text("utf-8") + "# changed\n", "utf-8")
        return measured(where, COMMAND, str(many))

    return [
        ("Python, lark and yaml", None, lambda: measured(where, START)),
        ("one file", 0.25, lambda: first(one)),
        ("one file, again", 0.25, lambda: measured(where, COMMAND, str(one))),
        (f"{files:,} files", 5.0, lambda: first(many)),
        (f"{files:,} files, again", 1.0, lambda: measured(where, COMMAND, str(many))),
        (f"{files:,} files, one of them changed", 5.0, after_a_change),
    ]


def profiled(where: Path, files: int, scripts: int) -> None:
    """Where the time of a check goes."""
    many = written(where / "many", files, scripts)
    profile = cProfile.Profile()
    profile.enable()
    problems(many)
    profile.disable()
    pstats.Stats(profile).sort_stats("cumulative").print_stats(60)


def main() -> None:
    """Write the games, and measure."""
    arguments = argparse.ArgumentParser(description="Measure the check of a game with many card files.")
    arguments.add_argument("--files", type=int, default=1000, help="how many files of cards (1000)")
    arguments.add_argument("--scripts", type=int, default=7, help="how many scripts in each (7)")
    arguments.add_argument("--runs", type=int, default=5, help="how many times each is measured (5)")
    arguments.add_argument("--profile", action="store_true", help="say where the time goes")
    given = arguments.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        where = Path(folder)
        if given.profile:
            profiled(where, given.files, given.scripts)
            return
        wanted = measures(where, given.files, given.scripts)
        wanted[0][2](), wanted[1][2]()  # Python translates each module once
        runs = [[measure() for _, _, measure in wanted] for _ in range(given.runs)]
    slow = False
    start = statistics.median(run[0][1] for run in runs)
    print(f"{'what':<36}{'clock':>9}{'processor':>11}{'starts':>9}{'limit':>9}")
    for number, (what, limit, _) in enumerate(wanted):
        clock, processor = (statistics.median(run[number][unit] for run in runs) for unit in (0, 1))
        over = limit is not None and clock > limit
        slow |= over
        said = "" if limit is None else f"{limit:.2f} s{' !' if over else ''}"
        print(f"{what:<36}{clock:>7.2f} s{processor:>9.2f} s{processor / start:>9.1f}{said:>9}")
    sys.exit(1 if slow else 0)


if __name__ == "__main__":
    main()
