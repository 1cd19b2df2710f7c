"""Many random games of the bundled games, each looked at after every step.

    python bench/games.py [--games 1000] [--jobs 2] [--players N] [GAME…]

In: names of bundled games, all of them if there is none. Out: a table with one line for each game and number
of players, then one line for each game that failed, with its seed; exit code 1 if there is one. A game fails if
it stops with an error, if a state is one that cannot be (`invariants.check`, whenever it has run to the next
decision), if its save, read back at a random decision, is another game, if its journal, played again, ends
elsewhere, or if at a random decision a seat is told what it may not know (`tests/leaks.py`) or could tell a
determinized game from the true one. Never: stops at the first failure.
"""

from __future__ import annotations

import argparse
import multiprocessing
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from functools import cache
from pathlib import Path
from typing import Any

from attrs import frozen

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "tests"))

from leaks import ListenedGame, leaks, overheard

from rulebook import library
from rulebook.interpreter import invariants, views
from rulebook.interpreter.determinize import determinize
from rulebook.interpreter.game import Game
from rulebook.interpreter.journal import Header
from rulebook.interpreter.lower import lower
from rulebook.interpreter.machine import Machine
from rulebook.interpreter.program import Program
from rulebook.interpreter.random import Source
from rulebook.interpreter.state import State, from_json, to_json
from rulebook.loading import load

GAMES_IN_A_PIECE = 25


@frozen
class Played:
    """What came of one game; `failure` is empty if all is well."""

    seed: int
    decisions: int
    failure: str = ""


class CheckedMachine(Machine):
    """A machine that looks at every state it leaves behind."""

    def advance(self, state: State, *rest: Any, **named: Any) -> Any:
        """As always, and then the look."""
        needed = super().advance(state, *rest, **named)
        invariants.check(self.program, state)
        return needed


def play(program: Program, seed: int, folder: Path) -> Played:
    """One game, to its end or to its first failure."""
    decisions = 0
    try:
        watched = ListenedGame(program, seed)
        game: Game = checked(watched)
        below = Source(seed, "bench").below
        # Early decisions more often, because games end at different times.
        saved_at, looked_at = below(below(200) + 1), below(below(200) + 1)
        while not game.over:
            if decisions == looked_at:
                hidden_stays_hidden(watched, below)
            if decisions == saved_at:
                read_back(game, folder)
            decision = game.decision
            assert decision is not None, "nothing is asked, and the game is not over"
            asked = decision.asks[below(len(decision.asks))]
            game.answer(asked.seat, game.machine.random_answer(game.state, asked, below), asked.number)
            decisions += 1
        if decisions <= saved_at:
            read_back(game, folder)
        if decisions <= looked_at:
            hidden_stays_hidden(watched, below)
        for seat in range(program.players):
            for leak in overheard(watched, seat):
                raise AssertionError(leak)
        assert Game.replay(program, game.journal, watch=False).state == game.state, "the replay ends elsewhere"
    except Exception as error:
        return Played(seed, decisions, f"{type(error).__name__}: {error}")
    return Played(seed, decisions)


def hidden_stays_hidden(game: ListenedGame, below: Callable[[int], int]) -> None:
    """Some seat is not told what it may not know, and what could be from where it sits looks the same to it."""
    program, seat = game.program, below(game.program.players)
    for leak in leaks(game, seat, below):
        raise AssertionError(leak)
    twin = determinize(program, game.state, seat, below)
    invariants.check(program, twin)
    seen, would_see = (views.facts(program, game.names, one, seat) for one in (game.state, twin))
    assert seen == would_see, f"{game.names[seat]} could tell a determinized game from the true one"


def checked(game: Game) -> Game:
    """The game, and from now on each of its states is looked at."""
    game.machine = CheckedMachine(game.program, game.names)
    invariants.check(game.program, game.state)
    return game


def read_back(game: Game, folder: Path) -> Game:
    """The game as its save gives it again, which must be the same one."""
    path = folder / "game.jsonl"
    game.save(path)

    def build(header: Header) -> Program:
        assert header == game.header, "the header that was read is another one"
        return game.program

    loaded = Game.load(path, build, watch=False)
    assert loaded.state == game.state, "the save, read back, is another game"
    assert from_json(to_json(game.state)) == game.state, "the state, read back from JSON, is another one"
    return loaded


# ── the work, shared ──


@cache
def program_of(game: Path, players: int) -> Program:
    """The program of a bundled game; each process makes it once."""
    rulebook, found = load(game)
    if rulebook is None:
        raise SystemExit("\n".join(f"{one.code}: {one.message}" for one in found))
    return lower(rulebook, players)


def some(game: Path, players: int, seeds: Sequence[int]) -> list[Played]:
    """Games with these seeds."""
    program = program_of(game, players)
    with tempfile.TemporaryDirectory() as folder:
        return [play(program, seed, Path(folder)) for seed in seeds]


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
    arguments.add_argument("--seed", type=int, default=0, help="the seed of the first game (0); the others follow")
    given = arguments.parse_args()
    seeds = range(given.seed, given.seed + given.games)
    failed: list[str] = []
    print(f"{'game':<16} {'players':>7} {'games':>7} {'decisions/game':>15} {'failures':>9} {'seconds':>8}")
    with ProcessPoolExecutor(given.jobs, multiprocessing.get_context("spawn")) as pool:
        for game in [library.find(name) for name in given.names] or library.games():
            rulebook, _ = load(game)
            low, high = rulebook.players if rulebook is not None else (1, 0)
            for players in range(low, high + 1) if given.players is None else [given.players]:
                started = time.perf_counter()
                work = [pool.submit(some, game, players, piece) for piece in pieces(seeds)]
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
