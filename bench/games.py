"""Many random games of the bundled games, each looked at after every step.

    python bench/games.py [--games 1000] [--jobs 2] [--players N] [--variant NAME]… [GAME…]

In: names of bundled games, all of them if there is none, and of variants that are laid over each. Out: a table with
one line for each game and number of players, then one line for each game that failed, with its seed; exit code 1 if
there is one. A game fails if it stops with an error, if a state is one that cannot be (`invariants.check_state`,
whenever it has run to the next decision), if its save, read back at a random decision, is another game, if its
journal, played again, ends elsewhere, or if at a random decision a seat is told what it may not know
(`tests/helpers/leaks.py`) or could tell a determinized game from the true one. Never: stops at the first failure.
"""

from __future__ import annotations

import argparse
import multiprocessing
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from functools import cache
from pathlib import Path

from attrs import frozen

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "tests" / "helpers"))

from leaks import ListenedGame, leaks, look_alike, overheard

from rulebook import library
from rulebook.interpreter import invariants, views
from rulebook.interpreter.game import Game
from rulebook.interpreter.lower import lower
from rulebook.interpreter.program import Program
from rulebook.loading import load
from rulebook.playtest.hunting.inspection import CheckedMachine, at_random
from rulebook.playtest.leaking.listening import ListeningMachine

GAMES_IN_A_PIECE = 25


@frozen
class Played:
    """What came of one game; `failure` is empty if all is well."""

    seed: int
    decisions: int
    failure: str = ""


class BothMachine(CheckedMachine, ListeningMachine):
    """A machine that looks at every state, and can be asked what it is doing."""


class Watched(ListenedGame):
    """A game of which each state is looked at, and each event when it comes."""

    machine_kind = BothMachine


def play(program: Program, seed: int) -> Played:
    """One game, to its end or to its first failure."""

    def look(game: Game, below: Callable[[int], int]) -> None:
        assert isinstance(game, Watched)
        hidden_stays_hidden(game, below)

    def at_the_end(game: Game) -> None:
        assert isinstance(game, Watched)
        for seat in range(program.players):
            for leak in overheard(game, seat):
                raise AssertionError(leak)

    course = at_random(program, seed, None, Watched, look, at_the_end)
    error = course.error
    return Played(seed, len(course.entries), "" if error is None else f"{type(error).__name__}: {error}")


def hidden_stays_hidden(game: ListenedGame, below: Callable[[int], int]) -> None:
    """Some seat is not told what it may not know, and what could be from where it sits looks the same to it."""
    program, seat = game.program, below(game.program.players)
    for leak in leaks(game, seat, below):
        raise AssertionError(leak)
    twin = look_alike(program, game.state, seat, below)
    invariants.check_state(program, twin)
    seen, would_see = (views.collect_facts(program, game.names, one, seat) for one in (game.state, twin))
    assert seen == would_see, f"{game.names[seat]} could tell a determinized game from the true one"


# ── the work, shared ──


@cache
def program_of(game: Path, players: int, variants: tuple[Path, ...] = ()) -> Program:
    """The program of a bundled game; each process makes it once."""
    loaded = load(game, variants)
    rulebook, found = loaded.rulebook, loaded.messages
    if rulebook is None:
        raise SystemExit("\n".join(f"{one.code}: {one.message}" for one in found))
    return lower(rulebook, players)


def some(game: Path, players: int, seeds: Sequence[int], variants: tuple[Path, ...] = ()) -> list[Played]:
    """Games with these seeds."""
    program = program_of(game, players, variants)
    return [play(program, seed) for seed in seeds]


def pieces(seeds: range) -> Iterator[range]:
    """The seeds, some at a time."""
    for start in range(seeds.start, seeds.stop, GAMES_IN_A_PIECE):
        yield range(start, min(start + GAMES_IN_A_PIECE, seeds.stop))


def main() -> int:
    """Play, print the table, and say whether all went well."""
    arguments = argparse.ArgumentParser(description="Play many random games and look at each step.")
    arguments.add_argument("names", nargs="*", metavar="GAME", help="bundled games; all of them if none is named")
    arguments.add_argument("--games", type=int, default=1000, help="games at each number of players (1000)")
    arguments.add_argument("--jobs", type=int, default=2, help="processes (2)")
    arguments.add_argument("--players", type=int, help="only this number of players")
    arguments.add_argument("--variant", action="append", default=[], metavar="NAME", help="lay this variant over it")
    arguments.add_argument("--seed", type=int, default=0, help="the seed of the first game (0); the others follow")
    given = arguments.parse_args()
    seeds = range(given.seed, given.seed + given.games)
    failed: list[str] = []
    print(f"{'game':<16} {'players':>7} {'games':>7} {'decisions/game':>15} {'failures':>9} {'seconds':>8}")
    with ProcessPoolExecutor(given.jobs, multiprocessing.get_context("spawn")) as pool:
        for game in [library.find_game(name) for name in given.names] or library.find_games():
            variants = tuple(library.find_variant(game, name) for name in given.variant)
            rulebook = load(game, variants).rulebook
            low, high = rulebook.players if rulebook is not None else (1, 0)
            for players in range(low, high + 1) if given.players is None else [given.players]:
                started = time.perf_counter()
                work = [pool.submit(some, game, players, piece, variants) for piece in pieces(seeds)]
                played = [one for future in work for one in future.result()]
                bad = [one for one in played if one.failure]
                mean = sum(one.decisions for one in played) / max(1, len(played))
                seconds = time.perf_counter() - started
                line = f"{game.name:<16} {players:>7} {len(played):>7} {mean:>15.1f} {len(bad):>9} {seconds:>8.1f}"
                print(line, flush=True)
                failed += [f"{game.name}, {players} players, seed {one.seed}: {one.failure}" for one in bad]
            if rulebook is None:
                failed.append(f"{game.name}: it has mistakes (`rulebook validate {game.name}`)")
    for line in failed:
        print(line)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
