"""How fast the interpreter plays, against the same games by hand.

    python bench/tiers_speed.py [--runs 9] [--games 5] [--players N] [--tier NAME]… [GAME…]

In: names of published games, all of them if there is none. Out: a line for each number of players: what a game costs by
hand and in each tier of the interpreter, in microseconds of the processor, and the speed of the tier as a part of that
of the games by hand (1 is as fast). Nobody watches, all answer at random, and all play the same games, which is looked
at first; the exit code is 1 if they do not. A run measures everything once, in turn; figures are medians of the runs.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Callable
from pathlib import Path
from statistics import median

sys.path.append(str(Path(__file__).resolve().parent))

from reference.chance import RandomPlayers
from reference.check import GAMES, by_hand, by_rules, difference, program, reference

from rulebook.interpreter.decisions import Decision
from rulebook.interpreter.machine import Machine
from rulebook.interpreter.program import Program
from rulebook.interpreter.random import Source

LEAST_SECONDS = 0.02
"""How long one measurement takes at least; the games are played again until then."""

Play = Callable[[int], None]
"""Plays the game with that seed."""


def hand(game: str, players: int) -> Play:
    """The games by hand."""
    module = reference(game)

    def play(seed: int) -> None:
        module.play(players, seed, RandomPlayers(seed, players))

    return play


def machine(program: Program) -> Play:
    """The machine, which stops at every decision."""
    runs, seats = Machine(program), range(program.players)

    def play(seed: int) -> None:
        bots = [Source(seed, f"bot:{seat}").below for seat in seats]
        state = runs.new_state(seed)
        while isinstance(runs.advance(state), Decision):
            seat = runs.find_waiting(state)[0]
            runs.answer_value(state, seat, runs.random_value(state, seat, bots[seat]))

    return play


TIERS: dict[str, Callable[[Program], Play]] = {"machine": machine}
"""The ways in which the interpreter can play."""


def timed(play: Play, seeds: range, least: float) -> float:
    """Microseconds of the processor for one game."""
    rounds, begun = 0, time.process_time()
    while (spent := time.process_time() - begun) < least or not rounds:
        for seed in seeds:
            play(seed)
        rounds += 1
    return spent / rounds / len(seeds) * 1e6


def main() -> int:
    """Look whether the games are the same, measure, and print."""
    arguments = argparse.ArgumentParser(description="Measure the interpreter against games by hand.")
    arguments.add_argument("names", nargs="*", metavar="GAME", help="published games; all of them if none is named")
    arguments.add_argument("--runs", type=int, default=9, help="how often everything is measured (9)")
    arguments.add_argument("--games", type=int, default=5, help="games of each run (5)")
    arguments.add_argument("--players", type=int, help="only this number of players")
    arguments.add_argument("--tier", action="append", choices=TIERS, help="only this one; may be given more than once")
    given = arguments.parse_args()
    tiers = {name: tier for name, tier in TIERS.items() if given.tier is None or name in given.tier}
    seeds = range(given.games)
    tables = [
        (game, players)
        for game in given.names or GAMES
        for players in reference(game).PLAYERS
        if given.players in (None, players)
    ]
    programs = {(game, players): program(game, players) for game, players in tables}
    decisions: dict[tuple[str, int], float] = {}
    for (game, players), lowered in programs.items():
        played = [by_rules(lowered, seed) for seed in seeds]
        decisions[game, players] = sum(len(one.asked) for one in played) / given.games
        for seed, one in zip(seeds, played, strict=True):
            if found := difference(by_hand(game, players, seed), one):
                print(f"{game}, {players} players, seed {seed}: {found}")
                return 1
    plays = {
        table: {"by hand": hand(*table), **{name: tier(lowered) for name, tier in tiers.items()}}
        for table, lowered in programs.items()
    }
    taken: dict[tuple[str, int, str], list[float]] = {}
    for _ in range(given.runs):
        for table, ways in plays.items():
            for name, play in ways.items():
                found = timed(play, seeds, LEAST_SECONDS)
                taken.setdefault((*table, name), []).append(found)
    print(f"{given.games} games a run, median of {given.runs} runs, µs a game\n")
    heads = "".join(f" {name:>12} {'x by hand':>10}" for name in tiers)
    print(f"{'game':<16} {'players':>7} {'decisions':>10} {'by hand':>10}{heads}")
    for game, players in tables:
        by_hands = taken[game, players, "by hand"]
        line = f"{game:<16} {players:>7} {decisions[game, players]:>10.1f} {median(by_hands):>10,.0f}"
        for name in tiers:
            by_tier = taken[game, players, name]
            # The ratio of each run, so that a computer that is busy for a while does not move it.
            ratio = median(one / other for one, other in zip(by_hands, by_tier, strict=True))
            line += f" {median(by_tier):>12,.0f} {ratio:>10.4f}"
        print(line)
    return 0


if __name__ == "__main__":
    sys.exit(main())
