"""Every variant of a game alone, and every two of them together.

    python bench/variants.py [--games 4] [--more 0] [--jobs 2] [--players N] [--only NAME] GAME…

In: names of bundled games. Out: a line for each variant and each pair. A pair that cannot be played says why, with a
place in each of the two; every other is played at each number of players (or at one), by seats that answer at random,
and looked at as `bench/games.py` does; `--more` games, at all numbers of players together, are played fast and looked
at when they are over. The exit code is 1 if a game failed, or if something is refused in any other way. Of the two
orders of a pair the first that can be played counts. Never: stops at the first failure.
"""

from __future__ import annotations

import argparse
import multiprocessing
import sys
import time
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from itertools import combinations
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))

from attrs import frozen
from games import play

from rulebook import library
from rulebook.diagnostics import Diagnostic
from rulebook.dsl.ir import Rulebook
from rulebook.interpreter import invariants
from rulebook.interpreter.layout import COUNTS
from rulebook.interpreter.lower import lower
from rulebook.interpreter.machine import Machine
from rulebook.interpreter.random import Source
from rulebook.interpreter.results import check_zero_sum, find_outcome
from rulebook.loading import load
from rulebook.source import show_path


@frozen
class Tried:
    """What came of variants laid over a game in this order.

    `failures` are games that failed, or that it is refused and why is not said. `refusal` are the messages, if it is
    refused.
    """

    variants: tuple[str, ...]
    players: list[int]
    games: int
    decisions: int
    seconds: float
    failures: tuple[str, ...]
    refusal: tuple[str, ...]

    @property
    def line(self) -> str:
        """A line of the table, and one below for each reason why it is refused."""
        title = f"{' + '.join(self.variants):<48}"
        if self.refusal:
            return "\n".join([f"{title} refused", *(f"    {one}" for one in self.refusal)])
        counts, mean = ",".join(map(str, self.players)), self.decisions / max(1, self.games)
        return f"{title} {counts:>11} {self.games:>7} {mean:>15.1f} {len(self.failures):>9} {self.seconds:>8.1f}"


def tried(game: Path, variants: tuple[Path, ...], games: int, more: int, only: int | None) -> Tried:
    """The game under these variants, played so often at each number of players, or only at one, and so often more."""
    started = time.perf_counter()
    order, rulebook, found = _resolved(game, variants)
    names = tuple(one.stem for one in order)
    title = f"{game.name}, {' + '.join(names)}"
    if rulebook is None:
        refusal = tuple(_said(one) for one in found)
        apart = len(order) == 2 and all({show_path(one) for one in order} <= _files(one) for one in found)
        failures = () if apart else (f"{title}: refused without a place in each of two variants",)
        return Tried(names, [], 0, 0, 0.0, failures, refusal)
    low, high = rulebook.players[0], rulebook.players[-1]
    counts = [players for players in range(low, high + 1) if only in (None, players)]
    failed: list[str] = []
    decisions = 0
    for players in counts:
        program = lower(rulebook, players)
        for seed in range(games):
            played = play(program, seed)
            decisions += played.decisions
            if played.failure:
                failed.append(f"{title}, {players} players, seed {seed}: {played.failure}")
        machine = Machine(program)
        for seed in range(games, games + -(-more // len(counts))):
            try:
                decisions += to_the_end(machine, seed)
            except Exception as error:
                failed.append(f"{title}, {players} players, seed {seed}: {type(error).__name__}: {error}")
    games += -(-more // len(counts))
    seconds = time.perf_counter() - started
    return Tried(names, counts, games * len(counts), decisions, seconds, tuple(failed), ())


def to_the_end(machine: Machine, seed: int) -> int:
    """One game in which nobody looks, but for the state with which it ends; how many decisions there were."""
    state, bots = (
        machine.new_state(seed),
        [Source(seed, f"bot:{seat}").below for seat in range(machine.program.players)],
    )
    machine.advance(state)
    while waiting := machine.find_waiting(state):
        machine.answer_value(state, waiting[0], machine.random_value(state, waiting[0], bots[waiting[0]]))
        machine.advance(state)
    invariants.check_state(machine.program, state)
    check_zero_sum(machine.program, find_outcome(machine.program, state, machine.names))
    return sum(state[COUNTS][: machine.program.players])


def _resolved(game: Path, variants: tuple[Path, ...]) -> tuple[tuple[Path, ...], Rulebook | None, Sequence[Diagnostic]]:
    """An order in which the variants can be played; or one in which they cannot, and the errors.

    If both orders are wrong, it is the one with fewer errors: the other only adds that the order is wrong as well.
    """
    refused = []
    for order in dict.fromkeys([variants, variants[::-1]]):
        loaded = load(game, order)
        rulebook, found = loaded.rulebook, loaded.messages
        if rulebook is not None:
            return order, rulebook, ()
        refused.append((order, rulebook, [one for one in found if one.severity == "error"]))
    return min(refused, key=lambda one: len(one[2]))


def _said(one: Diagnostic) -> str:
    spans = [one.span, *(label.span for label in one.labels)]
    places = [f"{span.file.name.rpartition('/')[2]}:{span.line}" for span in spans if span is not None]
    return f"{one.code} {one.message} ({', '.join(places)})"


def _files(one: Diagnostic) -> set[str]:
    return {span.file.name for span in (one.span, *(label.span for label in one.labels)) if span is not None}


def main() -> int:
    """Play, print a line for each, and say whether all went well."""
    arguments = argparse.ArgumentParser(description="Play every variant of a game alone, and every two together.")
    arguments.add_argument("names", nargs="+", metavar="GAME", help="bundled games")
    arguments.add_argument("--games", type=int, default=4, help="games at each number of players (4)")
    arguments.add_argument("--more", type=int, default=0, help="games in which nobody looks, at all numbers (0)")
    arguments.add_argument("--jobs", type=int, default=2, help="processes (2)")
    arguments.add_argument("--players", type=int, help="only this number of players")
    arguments.add_argument("--only", metavar="NAME", help="only this variant, and the pairs that it is in")
    given = arguments.parse_args()
    print(f"{'variants':<48} {'players':>11} {'games':>7} {'decisions/game':>15} {'failures':>9} {'seconds':>8}")
    every: list[Tried] = []
    with ProcessPoolExecutor(given.jobs, multiprocessing.get_context("spawn")) as pool:
        for game in [library.find_game(name) for name in given.names]:
            beside = library.variants_of(game)
            asked = [one for size in (1, 2) for one in combinations(beside, size)]
            asked = [one for one in asked if given.only in (None, *(each.stem for each in one))]
            for future in [pool.submit(tried, game, one, given.games, given.more, given.players) for one in asked]:
                every.append(future.result())
                print(every[-1].line, flush=True)
    alone, pairs = ([one for one in every if len(one.variants) == size] for size in (1, 2))
    apart, games = [one for one in pairs if one.refusal], sum(one.games for one in every)
    failures = [failure for one in every for failure in one.failures]
    print(f"{len(alone)} variants, {len(pairs)} pairs of which {len(apart)} cannot be played together,", end=" ")
    print(f"{games} games, {len(failures)} failures")
    for failure in failures:
        print(failure)
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
