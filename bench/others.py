"""Decisions a second, beside OpenSpiel and RLCard: the same games, in one process, in turn.

    python bench/others.py [--runs 7] [--seconds 0.3] [GAME…]

In: names of classics, all of them if there is none. Out: a line for each way to play each game: decisions of a game,
what one costs in microseconds of the processor, how many a second that are, and how that stands to OpenSpiel driven
from Python. The core is stepped from Python too (`rulebook.vector`, one game or 256 in a call), and plays whole games
without Python between. All seats answer at random, nobody watches. Who has only one thing to do makes no decision, here
as there. A run measures everything once, in turn; figures are medians of the runs. Needs the extras `openspiel` and
`rlcard`; what is not installed is left out. Where rules differ, `DIFFERENCES` says how.
"""

from __future__ import annotations

import argparse
import importlib
import random
import sys
import time
from array import array
from collections.abc import Callable, Sequence
from statistics import median
from typing import Any, NamedTuple

from rulebook.dsl.settling.options import settle_options
from rulebook.interpreter.core.door import SEATS, Core
from rulebook.interpreter.decisions import Decision
from rulebook.interpreter.lower import lower
from rulebook.interpreter.machine import Machine
from rulebook.interpreter.program import Program
from rulebook.library import find_game
from rulebook.loading import load
from rulebook.playtest.vector import Games

DIFFERENCES = {
    "crazy_eights": "in OpenSpiel up to five cards are drawn a turn, and a game of a hundred turns is over",
    "leduc_poker": "in RLCard blinds of 1 and 2 are paid instead of an ante, and one may always fold",
    "hearts": "one deal, three cards to the left",
}

Play = Callable[[Sequence[int]], int]
"""Plays the games with these seeds, and says how many decisions they had."""


class Classic(NamedTuple):
    """A game, with the options and the number of players for which the rules are the same."""

    name: str
    players: int
    options: dict[str, str]
    openspiel: tuple[str, ...]
    rlcard: str = ""
    together: bool = False
    """All answer at once, which the search of OpenSpiel does not play."""


CLASSICS = (
    Classic("kuhn_poker", 2, {}, ("kuhn_poker", "python_kuhn_poker")),
    Classic("leduc_poker", 2, {}, ("leduc_poker",), "leduc-holdem"),
    Classic("tic_tac_toe", 2, {}, ("tic_tac_toe", "python_tic_tac_toe")),
    Classic("goofspiel", 2, {}, ("goofspiel",), together=True),
    Classic("crazy_eights", 5, {}, ("crazy_eights(players=5)",)),
    Classic("hearts", 4, {"limit": "1", "passing": "always_left"}, ("hearts",)),
)


def below(number: int) -> int:
    """One of so many numbers, the same way for all."""
    return int(random.random() * number)


# ── ours ─────────────────────────────────────────────────────────────────────────────────────────────────────────────


def program_of(classic: Classic) -> Program:
    loaded = load(find_game(classic.name))
    rulebook, found = loaded.rulebook, loaded.messages
    assert rulebook is not None, found
    options, refused = settle_options(rulebook.options, classic.options, rulebook.units)
    assert not refused, refused
    return lower(rulebook, classic.players, options)


def machine(program: Program) -> Play:
    """The machine, which is the definition of the language."""
    runs = Machine(program)

    def play(seeds: Sequence[int]) -> int:
        decisions = 0
        for seed in seeds:
            state = runs.new_state(seed)
            while isinstance(runs.advance(state), Decision):
                seat = runs.find_waiting(state)[0]
                runs.answer_value(state, seat, runs.random_value(state, seat, below))
                decisions += 1
        return decisions

    return play


def core(program: Program, together: int) -> Play:
    """The core, asked for one decision of so many games in a call; what a seat sees is not told."""
    games = Games(program, together, observe=False)

    def play(seeds: Sequence[int]) -> int:
        decisions = 0
        for start in range(0, len(seeds), together):
            some = seeds[start : start + together]
            games.reset(some, range(len(some)))
            while any(count for count in games.counts):
                decisions += sum(count > 1 for count in games.counts)
                games.step(array("q", [below(count) if count else -1 for count in games.counts]))
        return decisions

    return play


def whole(program: Program) -> Play:
    """The core, which plays each game to its end in one call."""
    games, width = Core(program), SEATS + 3 * program.players

    def play(seeds: Sequence[int]) -> int:
        told = games.play_games(array("Q", seeds))
        return sum(sum(told[at : at + program.players]) for at in range(SEATS, len(told), width))

    return play


# ── theirs ───────────────────────────────────────────────────────────────────────────────────────────────────────────


def openspiel(name: str) -> Play | None:
    """A game of OpenSpiel, driven from Python; those called `python_…` are written in it."""
    try:
        spiel: Any = importlib.import_module("pyspiel")
        importlib.import_module("open_spiel.python.games")
    except ImportError:
        return None
    game = spiel.load_game(name)

    def play(seeds: Sequence[int]) -> int:
        decisions = 0
        for _ in seeds:
            state = game.new_initial_state()
            while not state.is_terminal():
                if state.is_chance_node():
                    outcomes, odds = zip(*state.chance_outcomes(), strict=True)
                    even = odds[0] * len(odds) > 0.999
                    state.apply_action(outcomes[below(len(odds))] if even else random.choices(outcomes, odds)[0])
                elif state.is_simultaneous_node():
                    several = [state.legal_actions(player) for player in range(game.num_players())]
                    state.apply_actions([legal[below(len(legal))] for legal in several])
                    decisions += sum(len(legal) > 1 for legal in several)
                else:
                    legal = state.legal_actions()
                    state.apply_action(legal[below(len(legal))])
                    decisions += len(legal) > 1
        return decisions

    return play


def openspiel_whole(name: str) -> Play | None:
    """A game of OpenSpiel that goes on at random in C++ from behind its deal; decisions are those of a mean game."""
    driven = openspiel(name)
    if driven is None:
        return None
    spiel: Any = importlib.import_module("pyspiel")
    game = spiel.load_game(name)
    length = driven(range(200)) / 200

    def play(seeds: Sequence[int]) -> int:
        state = game.new_initial_state()
        while state.is_chance_node():
            state.apply_action(random.choice(state.legal_actions()))
        rollouts = spiel.RandomRolloutEvaluator(len(seeds), seeds[0])  # nothing else of it plays in C++ alone
        spiel.MCTSBot(game, rollouts, 1.0, 1, 100, False, 1, False).mcts_search(state)
        return round(length * len(seeds))

    return play


def rlcard(name: str) -> Play | None:
    """A game of RLCard, without what its environment makes of a state for those who learn."""
    try:
        cards: Any = importlib.import_module("rlcard")
    except ImportError:
        return None
    game = cards.make(name).game

    def play(seeds: Sequence[int]) -> int:
        decisions = 0
        for _ in seeds:
            game.init_game()
            while not game.is_over():
                legal = game.get_legal_actions()
                game.step(legal[below(len(legal))])
                decisions += len(legal) > 1
        return decisions

    return play


# ── measuring ────────────────────────────────────────────────────────────────────────────────────────────────────────


def ways(classic: Classic) -> dict[str, Play]:
    """All ways to play a game, by what they are called."""
    program = program_of(classic)
    found: dict[str, Play | None] = {
        "OpenSpiel, from Python": openspiel(classic.openspiel[0]),
        **{f"OpenSpiel, {name}": openspiel(name) for name in classic.openspiel[1:]},
        "OpenSpiel, whole games": None if classic.together else openspiel_whole(classic.openspiel[0]),
        "RLCard": rlcard(classic.rlcard) if classic.rlcard else None,
        "machine": machine(program),
        "core, one game a call": core(program, 1),
        "core, 256 games a call": core(program, 256),
        "core, whole games": whole(program),
    }
    return {name: play for name, play in found.items() if play is not None}


def once(play: Play, seconds: float) -> tuple[float, int, int]:
    """Seconds of the processor, games and decisions; games are played until it took so long, more and more at once."""
    begun, decisions, games = time.process_time(), 0, 0
    while (spent := time.process_time() - begun) < seconds or not games:
        more = max(games, 10)
        decisions += play(range(games, games + more))
        games += more
    return spent, games, decisions


def main() -> None:
    """Measure, and print."""
    arguments = argparse.ArgumentParser(description="Decisions a second, beside OpenSpiel and RLCard.")
    arguments.add_argument("games", nargs="*", metavar="GAME", help="names of classics; all of them if there is none")
    arguments.add_argument("--runs", type=int, default=7, help="how often each is measured (7)")
    arguments.add_argument("--seconds", type=float, default=0.3, help="how long each time at least (0.3)")
    given = arguments.parse_args()
    wanted = [one for one in CLASSICS if not given.games or one.name in given.games]
    if len(wanted) < len(set(given.games)):
        sys.exit(f"The games are {', '.join(one.name for one in CLASSICS)}.")
    for classic in wanted:
        found = ways(classic)
        runs = [{name: once(play, given.seconds) for name, play in found.items()} for _ in range(given.runs)]
        print(f"{classic.name}, {classic.players} players")
        first = next(iter(found))
        base = median(run[first][2] / run[first][0] for run in runs)
        for name in found:
            rate = median(run[name][2] / run[name][0] for run in runs)
            length = sum(run[name][2] for run in runs) / sum(run[name][1] for run in runs)
            print(f"  {name:<32}{length:>8.1f}{1e6 / rate:>10.2f} µs{rate:>14,.0f} /s{rate / base:>9.2f}")
        if classic.name in DIFFERENCES:
            print(f"  ({DIFFERENCES[classic.name]})")


if __name__ == "__main__":
    main()
