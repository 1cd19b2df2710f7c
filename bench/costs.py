"""What it costs to begin, and how costs grow: loads, the start of each command, players, cards.

    python bench/costs.py [--runs 5] [--beside FOLDER] [load|start|players|cards]…

In: which of the four, all of them if none is named. Out: a table for each, medians of runs in turn, in time of the
processor. *Load*: in a process of its own, behind its imports; `first` reads, checks and lowers Wallet, `again`
does the same once more in the same process, and `kept` is another process that finds the game in the cache folder.
*Start*: whole processes; with `--beside` also the ratio to another checkout, in turn. *Players*: decisions of Wallet
with two to seven. *Cards*: a game of which only the number of cards differs. The exit code is 1 if the first load, or
one that was kept, takes longer than it may.
"""

from __future__ import annotations

import argparse
import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path
from statistics import median

from rulebook.interpreter import views
from rulebook.interpreter.decisions import Decision
from rulebook.interpreter.lower import lower
from rulebook.interpreter.machine import Machine
from rulebook.interpreter.program import Program
from rulebook.interpreter.random import Source
from rulebook.interpreter.state import State, clone, from_json, to_json
from rulebook.library import find_game
from rulebook.loading import load

LOAD_LIMITS = {"first": 0.15, "kept": 0.03}
"""Seconds until there is a program of Wallet that the machine plays."""
LOADING = """
import hashlib, sys, time
import rulebook.dsl.flat
from rulebook.interpreter.lower import lower
from rulebook.library import find
from rulebook.loading import load
times, use_cache = int(sys.argv[1]), sys.argv[2] == "kept"
if not use_cache:
    import rulebook.loading.frontend
for _ in range(times):
    begun = time.process_time()
    rulebook = load(find("wallet"), use_cache=use_cache).rulebook
    checked = time.process_time()
    program = lower(rulebook, 7)
    lowered = time.process_time()
    print(checked - begun, lowered - checked)
"""
COMMANDS = (
    "--version", "--help", "list", "show wallet inspection", "dis wallet inspection", "explain RB203", "schema wallet",
    "validate cards/wallet", "fmt --check cards/wallet", "test cards/classics/kuhn_poker", "tree kuhn_poker",
    "simulate kuhn_poker --games 1", "simulate wallet --players 4 --games 1", "play wallet --seats bot,bot,bot,bot",
)  # fmt: skip
ANEW = ", nothing kept"
FIRST = f"validate cards/wallet{ANEW}"
STACK = """\
format: 1
name: Stack
players: 2..2
kinds:
  chip: {{has: {{height: number}}}}
places:
  table:
    deck: {{holds: chip, kept: pile, seen_by: nobody}}
    heap: {{holds: chip, kept: loose, seen_by: everyone}}
  player:
    hand: {{holds: chip, kept: loose, seen_by: owner}}
cards:
  low: {{kind: chip, height: 1, copies: {half}}}
  high: {{kind: chip, height: 2, copies: {half}}}
rules:
  game: |
    move cards to deck
    shuffle deck
    repeat 50:
      each me in players:
        if count(deck) < 5:
          move heap to deck
          shuffle deck
        draw 2 from deck to me.hand
        choose gift from me.hand "Which chip do you lay down?"
        move gift to heap
        if count(me.hand) > 3:
          move me.hand to heap
result:
  rank: most count(hand)
"""
"""A game that does the same however many cards it has."""


def environment(folder: str) -> dict[str, str]:
    """Where a program runs that has been started before: its translations and the parse table are kept."""
    kept = {"RULEBOOK_CACHE": f"{folder}/kept", "PYTHONPYCACHEPREFIX": f"{folder}/translated"}
    return {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"} | kept


def process(folder: str, *words: str, checkout: str) -> float:
    """Seconds of the processor that a process takes with the program of a checkout."""
    before = os.times()
    subprocess.run([sys.executable, *words], capture_output=True, env=environment(folder), cwd=checkout, check=True)
    after = os.times()
    return after[2] + after[3] - before[2] - before[3]


def loads(runs: int) -> bool:
    """The load of Wallet for seven players; whether it is fast enough."""
    taken: dict[str, list[list[float]]] = {"first": [], "again": [], "kept": []}
    with tempfile.TemporaryDirectory() as folder:
        for run in range(runs + 1):
            lines = []
            for words in (["2", "anew"], ["1", "kept"]):
                words = [sys.executable, "-c", LOADING, *words]
                done = subprocess.run(words, stdout=subprocess.PIPE, text=True, env=environment(folder), check=True)
                lines += done.stdout.splitlines()
            for rows, line in zip(taken.values(), lines if run else [], strict=bool(run)):
                rows.append([float(word) for word in line.split()])
    print(f"{'Wallet, seven players':<26}{'read, check':>12}{'lower':>12}{'both':>12}")
    fast = True
    for name, rows in taken.items():
        parts = [median(row[part] for row in rows) for part in range(2)]
        figures = [f"{seconds * 1000:.0f} ms" for seconds in (*parts, sum(parts))]
        print(f"{name:<26}" + "".join(f"{one:>12}" for one in figures))
        fast &= sum(parts) <= LOAD_LIMITS.get(name, 9)
    return fast


def starts(runs: int, beside: str | None = None) -> None:
    """Each command, as a whole process; beside another checkout also its part of the time that it takes there."""
    command = "import sys; from rulebook.cli import main; main(sys.argv[1:])"
    checkouts = [str(Path(__file__).resolve().parent.parent), *([beside] if beside else [])]
    with tempfile.TemporaryDirectory() as folder:
        taken: dict[str, list[list[float]]] = {name: [[] for _ in checkouts] for name in ("Python", FIRST, *COMMANDS)}
        for run in range(runs + 1):
            for name, sides in taken.items():
                words = ["-c", "pass"] if name == "Python" else ["-c", command, *name.removesuffix(ANEW).split()]
                for number, (checkout, seconds) in enumerate(zip(checkouts, sides, strict=True)):
                    own = f"{folder}/{number}{' anew' if name == FIRST else ''}"
                    if name == FIRST:
                        shutil.rmtree(f"{own}/kept", ignore_errors=True)
                    seconds += [process(own, *words, checkout=checkout)] * (run > 0)
    for name, sides in taken.items():
        here, *there = map(median, sides)
        print(f"{name:<40}{here * 1000:>8.0f} ms" + "".join(f"{here / other:>8.2f}" for other in there))


def played(machine: Machine, seed: int) -> int:
    """One game, and how many decisions it had."""
    below, state, decisions = Source(seed, "costs").below, machine.new_state(seed), 0
    while isinstance(machine.advance(state), Decision):
        seat = machine.find_waiting(state)[0]
        machine.answer_value(state, seat, machine.random_value(state, seat, below))
        decisions += 1
    return decisions


def each(play: Callable[[int], int], seconds: float = 0.3) -> float:
    """Seconds of the processor for one of what `play` counts."""
    begun, done, seed = time.process_time(), 0, 0
    while (spent := time.process_time() - begun) < seconds or not done:
        done, seed = done + play(seed), seed + 1
    return spent / done


def middle(machine: Machine, decisions: int) -> State:
    """A state after some answers."""
    below, state = Source(0, "costs").below, machine.new_state(0)
    while isinstance(machine.advance(state), Decision) and decisions:
        seat = machine.find_waiting(state)[0]
        machine.answer_value(state, seat, machine.random_value(state, seat, below))
        decisions -= 1
    return state


def growth(programs: dict[int, Program], what: str, runs: int) -> None:
    """What decisions and readings of a state cost in several programs, by the number of something."""
    columns = ("machine", "view", "clone", "JSON and back")
    taken: dict[int, list[list[float]]] = {number: [] for number in programs}
    prepared = {}
    for number, program in programs.items():
        machine = Machine(program)
        prepared[number] = machine, middle(machine, 20)
    for _ in range(runs):
        for number, (machine, state) in prepared.items():
            names, program = machine.names, machine.program

            def view(_: int, program: Program = program, names: object = names, state: State = state) -> int:
                views.collect_facts(program, names, state, 0)
                return 1

            def copies(_: int, state: State = state) -> int:
                for _ in range(1000):
                    clone(state)
                return 1000

            def text(_: int, state: State = state) -> int:
                from_json(to_json(state))
                return 1

            def watched(seed: int, machine: Machine = machine) -> int:
                return played(machine, seed)

            taken[number].append([each(one, 0.2) for one in (watched, view, copies, text)])
    print(f"{what:>8}" + "".join(f"{name:>16}" for name in columns))
    for number, rows in taken.items():
        print(
            f"{number:>8}"
            + "".join(f"{median(row[column] for row in rows) * 1e6:>13.2f} µs" for column in range(len(columns)))
        )


def players(runs: int) -> None:
    """Wallet with two to seven players."""
    rulebook = load(find_game("wallet")).rulebook
    assert rulebook is not None
    growth({number: lower(rulebook, number) for number in range(2, 8)}, "players", runs)


def cards(runs: int) -> None:
    """A game of which only the number of cards differs."""
    programs = {}
    with tempfile.TemporaryDirectory() as folder:
        for number in (10, 30, 100, 250, 300, 1000):
            (Path(folder) / "rulebook.yaml").write_text(STACK.format(half=number // 2), "utf-8")
            loaded = load(Path(folder))
            rulebook = loaded.rulebook
            assert rulebook is not None, loaded.messages
            programs[number] = lower(rulebook, 2)
    growth(programs, "cards", runs)


def main() -> int:
    """Measure what is wanted."""
    arguments = argparse.ArgumentParser(description="What it costs to begin, and how costs grow.")
    arguments.add_argument("wanted", nargs="*", metavar="load|start|players|cards")
    arguments.add_argument("--runs", type=int, default=5, help="how often each is measured (5)")
    arguments.add_argument("--beside", metavar="FOLDER", help="another checkout, which is started in turn")
    given = arguments.parse_args()
    parts = {"load": loads, "start": partial(starts, beside=given.beside), "players": players, "cards": cards}
    if not set(given.wanted) <= set(parts):
        arguments.error(f"there is {', '.join(parts)}")
    kept = [parts[name](given.runs) for name in parts if not given.wanted or name in given.wanted]
    return 1 if False in kept else 0


if __name__ == "__main__":
    sys.exit(main())
