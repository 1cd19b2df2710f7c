"""Does a file of a game exist, however it was changed, at which the program falls, sits for long, or takes the memory?

    python bench/mutants.py [--mutants 1000] [--way text|structure] [--seed 1] [--jobs 1] [--keep FOLDER] [GAME…]

In: how many mutants (`tests/helpers/mutating.py`), changed in which way (both if it is not said), which ones, and names
of bundled games, all of them and those of the tests if there is none. Each is checked by `rulebook validate` in a
process of its own, which may have so much memory and time; what passes is played there by `--play 3`. A game that is
slower unchanged may take half as much again as it did then, in the same run. Out: how many passed and were played, the
slowest, the largest, and each that ended with exit code 3, was killed, or took too much, with the last line that it
said; with `--keep`, these lie there as folders. Exit code 1 if there is one. Ctrl-C prints what is known by then.
Never: changes the games. It needs `fork`.
"""

from __future__ import annotations

import argparse
import contextlib
import multiprocessing
import os
import random
import resource
import shutil
import signal
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from attrs import frozen

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "tests" / "helpers"))

from mutating import STRUCTURE, TEXT, Mutant, Stock

from rulebook import library
from rulebook.cli import main as rulebook_main
from rulebook.dsl.parsing.grammar import grammar

SECONDS, MEGABYTES = 5.0, 500
"""The most that a mutant may take, the three games included, of the processor and of memory."""
SLACK = 1.5
"""How often the time of its own game unchanged a mutant may take, where that is more than `SECONDS`."""
LONGEST, LARGEST = 60, 3 * 1024**3
"""Seconds and bytes of address space after which a process is ended."""
# Games that come to no end are stopped by a budget of steps and answers (docs/language.md).
ENDLESS = ("came to no end and were stopped", "without a decision", "never end", "go round")
"""What is said of a game that the budget stopped."""
GAMES = 3
TIERS = Path(__file__).resolve().parent.parent / "tests" / "data" / "tiers"
"""Small games which do what no bundled game does."""
SMALL, LARGE = 3, 1
"""How often a small game is chosen, for each time that a large one is."""


@frozen
class Verdict:
    """What became of one mutant: exit codes of the check and of the games (-1: not played), and what they took."""

    number: int
    game: str
    file: str
    how: str
    checked: int
    played: int
    seconds: float
    check_seconds: float
    megabytes: int
    endless: bool
    allowed: float
    said: str = ""

    @property
    def fell(self) -> bool:
        """Whether it ended in any way that is not documented."""
        return self.checked not in (0, 1) or self.played not in (-1, 0, 1)

    @property
    def bad(self) -> bool:
        """Whether it should not have been so."""
        return self.fell or self.seconds > self.allowed or self.megabytes > MEGABYTES


def judge(number: int, game: str, mutant: Mutant, folder: Path, allowed: float) -> Verdict:
    """Write a mutant down, and see what becomes of it in a process of its own."""
    shutil.rmtree(folder, ignore_errors=True)
    for name, data in mutant.files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_bytes(data)
    check, check_seconds, check_size, said = run(["validate", str(folder)], folder)
    play, play_seconds, play_size, endless = -1, 0.0, 0, False
    variant = mutant.file.startswith(f"{library.VARIANTS}/")
    if check == 0:
        words = ["validate", str(folder), "--play", str(GAMES), "--seed", str(number)]
        words += ["--variant", str(folder / mutant.file)] if variant else []
        play, play_seconds, play_size, said = run(words, folder)
        log = folder.with_suffix(".log").read_text("utf-8", "replace")
        endless = any(words in log for words in ENDLESS)
    return Verdict(
        number, game, mutant.file, mutant.how, check, play, max(check_seconds, play_seconds), check_seconds,
        max(check_size, play_size), endless, allowed, said,
    )  # fmt: skip


def run(words: list[str], folder: Path) -> tuple[int, float, int, str]:
    """Run a command in a process of its own: exit code, seconds of the processor, megabytes, the last that it said."""
    log = folder.with_suffix(".log")
    child = os.fork()
    if child == 0:
        _be_limited(log)
        code: object = 3
        try:
            rulebook_main(words)
        except SystemExit as end:
            code = end.code
        finally:
            with contextlib.suppress(Exception):
                sys.stdout.flush()
            os._exit(code if isinstance(code, int) else 0)
    _, status, used = os.wait4(child, 0)
    code = os.waitstatus_to_exitcode(status)
    said = log.read_text("utf-8", "replace").strip().split("\n")
    last = next((line for line in reversed(said) if line.startswith("rulebook: ")), said[-1])
    return code, used.ru_utime + used.ru_stime, used.ru_maxrss // 1024, last[:300]


def _be_limited(log: Path) -> None:
    """Say everything to a file, and be ended when it takes too much."""
    goal = os.open(log, os.O_WRONLY | os.O_CREAT | os.O_TRUNC)
    os.dup2(goal, 1)
    os.dup2(goal, 2)
    resource.setrlimit(resource.RLIMIT_AS, (LARGEST, LARGEST))
    resource.setrlimit(resource.RLIMIT_CPU, (LONGEST, LONGEST))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    signal.alarm(30 * LONGEST)  # for one that waits; the machine may be busy


def measure_allowed(stock: Stock, folder: Path) -> float:
    """The seconds of the processor that a mutant of a game may take; as a mutant, it is without its variants."""
    for name, data in stock.rules.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_bytes(data)
    _, seconds, _, _ = run(["validate", str(folder), "--play", str(GAMES)], folder)
    return max(SECONDS, SLACK * seconds)


def gather_stocks(names: list[str], scratch: Path) -> list[Stock]:
    """The games that mutants are made of, each with the others to take pieces from."""
    folders = [library.find_game(name) for name in names] or library.find_games()
    for file in sorted(TIERS.glob("*.yaml")) if not names else ():
        folders.append(scratch / file.stem)
        folders[-1].mkdir()
        shutil.copy(file, folders[-1] / "rulebook.yaml")
    stocks = [Stock(folder) for folder in folders]
    for stock in stocks:
        stock.others = stocks
    return stocks


def verdicts(numbers: range, way: str, seed: int, stocks: list[Stock], keep: Path | None) -> Iterator[Verdict]:
    """The verdicts on mutants. Which one a number is depends on the games, the way, the seed and the number alone."""
    with tempfile.TemporaryDirectory() as scratch:
        allowed = {stock.name: measure_allowed(stock, Path(scratch) / stock.name) for stock in stocks}
    weights = [LARGE if sum(map(len, stock.rules.values())) > 20_000 else SMALL for stock in stocks]
    with tempfile.TemporaryDirectory() as scratch:
        for number in numbers:
            chance = random.Random(f"{seed} {number} {way}".rstrip())
            stock = chance.choices(stocks, weights)[0]
            folder = Path(scratch) / stock.name
            verdict = judge(number, stock.name, stock.mutant(chance, way), folder, allowed[stock.name])
            if verdict.bad and keep is not None:
                shutil.copytree(folder, keep / str(number), dirs_exist_ok=True)
                shutil.copy(folder.with_suffix(".log"), keep / str(number) / "log")
            yield verdict


def share(given: argparse.Namespace, stocks: list[Stock], keep: Path | None) -> Iterator[Verdict]:
    """The verdicts of several processes, as they come."""
    numbers = range(given.first, given.first + given.mutants)
    context = multiprocessing.get_context("fork")
    said: Any = context.SimpleQueue()

    def work(own: range) -> None:
        signal.signal(signal.SIGINT, signal.SIG_IGN)
        signal.signal(signal.SIGTERM, signal.SIG_DFL)
        for one in verdicts(own, given.way, given.seed, stocks, keep):
            said.put(one)
        said.put(None)

    crew = [context.Process(target=work, args=(numbers[at :: given.jobs],), daemon=True) for at in range(given.jobs)]
    for process in crew:
        process.start()
    busy = given.jobs
    try:
        while busy:
            one = said.get()
            busy -= one is None
            yield from () if one is None else (one,)
    finally:
        for process in crew:
            process.terminate()


def _warm() -> None:
    """Import all that a mutant needs, so that no fork has to."""
    os.environ |= {"RULEBOOK_CACHE": "off", "RULEBOOK_DEBUG": "1"}
    grammar()
    game = str(library.find_game("kuhn_poker"))
    out = sys.stdout
    with open(os.devnull, "w") as sys.stdout:
        rulebook_main(["validate", game, "--play", "3"], standalone_mode=False)
    sys.stdout = out


def main() -> int:
    """Make mutants, and print what became of them."""
    arguments = argparse.ArgumentParser(description="What becomes of files that were changed at random?")
    arguments.add_argument("names", nargs="*", metavar="GAME", help="bundled games; all of them if none is named")
    arguments.add_argument("--mutants", type=int, default=1000, help="how many (1000)")
    arguments.add_argument("--first", type=int, default=0, help="the number of the first one (0)")
    arguments.add_argument("--seed", type=int, default=1, help="which ones (1)")
    arguments.add_argument("--keep", default="", metavar="FOLDER", help="keep those that should not have been so")
    arguments.add_argument("--way", choices=("", TEXT, STRUCTURE), default="", help="how they are changed (any way)")
    arguments.add_argument("--jobs", type=int, default=1, help="processes (1)")
    given = arguments.parse_args()
    for ending in (signal.SIGINT, signal.SIGTERM):  # also where it runs in the background
        signal.signal(ending, signal.default_int_handler)
    begun, all = time.monotonic(), []
    with contextlib.suppress(KeyboardInterrupt), tempfile.TemporaryDirectory() as scratch:
        stocks = gather_stocks(given.names, Path(scratch))
        _warm()
        for one in share(given, stocks, Path(given.keep) if given.keep else None):
            all.append(one)
            if one.bad:
                print(f"{one.number} {one.game} {one.file} ({one.how}): {one.checked} {one.played}", end=" ")
                print(f"{one.seconds:.1f} s {one.megabytes} MB: {one.said}", flush=True)
    ways = Counter("passed" if one.checked == 0 else "refused" if one.checked == 1 else "fell" for one in all)
    played = [one for one in all if one.played >= 0]
    print(f"{len(all)} mutants: {ways['passed']} passed the check, {ways['refused']} were refused")
    wrong = sum(one.played == 1 for one in played)
    print(f"{len(played)} mutants played {GAMES} games with each number of players, {wrong} of them went wrong")
    endless = [one for one in played if one.endless]
    longest = max((one.seconds for one in endless), default=0)
    print(f"{len(endless)} of these mutants played until the budget, {longest:.1f} s at most")
    print(f"{sum(one.fell for one in all)} fell, {sum(one.bad for one in all)} should not have been so")
    for title, key in (("slowest", "seconds"), ("slowest check", "check_seconds"), ("largest", "megabytes")):
        worst = sorted(all, key=lambda one: -getattr(one, key))[:3]
        print(f"{title}: " + ", ".join(f"{getattr(one, key):.2f} ({one.number}, {one.game})" for one in worst))
    print(f"{time.monotonic() - begun:.0f} s")
    return int(any(one.bad for one in all))


if __name__ == "__main__":
    sys.exit(main())
