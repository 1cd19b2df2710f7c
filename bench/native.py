"""The native tier: whether its games are those of the blind tier, and how fast it plays.

    python bench/native.py [--check 100] [--runs 9] [--games 500] [--players N] [GAME…]

In: names of bundled games, all of them if there is none. Out: a line for each number of players. First so many games
are played on both tiers: the states in which they end must be the same, and so must playouts from the middle of every
tenth game; the exit code is 1 if anything differs. Then times are measured, in microseconds of the processor: a whole
game and a playout from the middle of a game natively, the same on the blind tier, and, of published games, the game by
hand. A run measures everything once, in turn; figures are medians, and ratios are medians of the ratios of each run.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Callable
from pathlib import Path
from statistics import median

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "tests"))
sys.path.append(str(Path(__file__).resolve().parent))

from reference.check import GAMES
from tiers import differences
from tiers_speed import finish, hand

from rulebook import library
from rulebook.interpreter.compiled.tier import BlindMachine
from rulebook.interpreter.layout import COUNTS, PENDING
from rulebook.interpreter.lower import lower
from rulebook.interpreter.native.tier import Native
from rulebook.interpreter.program import Program
from rulebook.interpreter.random import Source
from rulebook.interpreter.state import State, clone
from rulebook.loading import load

Work = Callable[[], int]
"""Plays some games, and says how many."""


def bots(program: Program, seed: int) -> list[Callable[[int], int]]:
    """How everybody draws who answers at random."""
    return [Source(seed, f"bot:{seat}").below for seat in range(program.players)]


def middle(blind: BlindMachine, seed: int) -> State:
    """A state that waits about halfway through a game."""
    state, waits = blind.new_state(seed), []
    below = bots(blind.program, seed)
    blind.advance(state)
    while state[PENDING][0] == "ask":
        waits.append(clone(state))
        seat = blind.waiting(state)[0]
        blind.answer_value(state, seat, blind.random_value(state, seat, below[seat]))
        blind.advance(state)
    return waits[len(waits) // 2]


def checked(program: Program, native: Native, seeds: range) -> str:
    """The first difference between the two tiers, in words; empty if there is none."""
    blind = BlindMachine(program)
    for seed in seeds:
        for before in [blind.new_state(seed), *([middle(blind, seed)] if seed % 10 == 0 else [])]:
            state = clone(before)
            blind.play(state, bots(program, seed))
            whole = before[PENDING] is None
            found, *_ = native.games([seed]) if whole else native.rollouts(before, [seed])
            if found.stopped or found.decisions != state[COUNTS][: program.players]:
                return f"seed {seed}: {found.stopped or found.decisions}"
            if told := [*differences(program, native.last_state(before), state, blind=True)]:
                return f"seed {seed}: {told[0]}"
    return ""


def timed(work: Work) -> float:
    """Microseconds of the processor for one game."""
    begun = time.process_time()
    played = work()
    return (time.process_time() - begun) / played * 1e6


def works(game: str, program: Program, native: Native, seeds: range) -> dict[str, Work]:
    """What is measured."""
    blind, few = BlindMachine(program), range(5)
    whole, halfway = finish(program), middle(blind, 1)

    def several(play: Callable[[int], object]) -> Work:
        return lambda: len([play(seed) for seed in few])

    found: dict[str, Work] = {
        "game": lambda: len(native.games(seeds)),
        "playout": lambda: len(native.rollouts(halfway, seeds)),
        "blind game": several(whole),
        "blind playout": several(lambda seed: blind.play(clone(halfway), bots(program, seed))),
    }
    if game in GAMES:
        found["by hand"] = several(hand(game, program.players))
    return found


def main() -> int:
    """Compare, measure, print; say whether anything differed."""
    arguments = argparse.ArgumentParser(description="Hold native games against the blind tier, and measure them.")
    arguments.add_argument("names", nargs="*", metavar="GAME", help="bundled games; all of them if none is named")
    arguments.add_argument("--check", type=int, default=100, help="games on both tiers at each number of players (100)")
    arguments.add_argument("--runs", type=int, default=9, help="how often everything is measured (9); 0 for not at all")
    arguments.add_argument("--games", type=int, default=500, help="native games of each run (500)")
    arguments.add_argument("--players", type=int, help="only this number of players")
    given = arguments.parse_args()
    heads = ("game", "x by hand", "x blind", "playout", "x blind", "decisions/s", "compiled in s")
    print(f"{'':<14} {'players':>7} " + " ".join(f"{head:>13}" for head in heads))
    failed = 0
    for folder in [library.find(name) for name in given.names] or library.games():
        rulebook = load(folder).rulebook
        assert rulebook is not None
        low, high = rulebook.players
        for players in range(low, high + 1) if given.players is None else [given.players]:
            program, begun = lower(rulebook, players), time.perf_counter()
            native = Native.of(program)
            if not isinstance(native, Native):
                print(f"{folder.name:<14} {players:>7} {native.reason}")
                continue
            compiled = time.perf_counter() - begun
            if wrong := checked(program, native, range(given.check)):
                failed += 1
                print(f"{folder.name:<14} {players:>7} {wrong}")
                continue
            measured = works(folder.name, program, native, range(given.games))
            taken: dict[str, list[float]] = {name: [] for name in measured}
            for _ in range(given.runs):
                for name, work in measured.items():
                    taken[name].append(timed(work))
            if not given.runs:
                print(f"{folder.name:<14} {players:>7} {given.check} games are the same", flush=True)
                continue

            def times(one: str, other: str, taken: dict[str, list[float]] = taken) -> str:
                if one not in taken:
                    return "-"
                return f"{median(a / b for a, b in zip(taken[one], taken[other], strict=True)):.1f}"

            decisions = sum(sum(one.decisions) for one in native.games(range(200))) / 200
            rate = decisions / median(taken["game"])
            figures = (
                f"{median(taken['game']):.1f}", times("by hand", "game"), times("blind game", "game"),
                f"{median(taken['playout']):.1f}", times("blind playout", "playout"),
                f"{rate:.2f} M", f"{compiled:.1f}",
            )  # fmt: skip
            print(f"{folder.name:<14} {players:>7} " + " ".join(f"{one:>13}" for one in figures), flush=True)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
