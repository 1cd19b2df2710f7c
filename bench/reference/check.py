"""Whether the games by hand and the interpreter play the same game.

    python bench/reference/check.py [--games 200] [--seed 0] [--players N] [--bot random] [GAME…]

In: names of published games, all of them if there is none. Out: a line for each number of players. With the same seed
and the same kind of players, both must ask the same players, in the same order, with as many options, draw the same
numbers for the answers, and come to the same points and places; the first difference of every game that has one is
printed, and the exit code is 1 then. Players who always take what comes first go where chance seldom leads.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from types import ModuleType
from typing import Any

from attrs import frozen

sys.path.append(str(Path(__file__).resolve().parent.parent))

from reference.chance import RandomPlayers
from rulebook import library
from rulebook.interpreter.decisions import Decision
from rulebook.interpreter.lower import lower
from rulebook.interpreter.machine import Machine
from rulebook.interpreter.program import Program
from rulebook.interpreter.random import Source
from rulebook.interpreter.results import find_outcome
from rulebook.loading import load

GAMES = ("wallet", "exposed", "wrong_party")

Asked = tuple[int, int, tuple[int, ...]]
"""Who answered, among how many options, and the numbers that were drawn for the answer."""


@frozen
class Played:
    """A game: all that was asked, then the points and the place of each seat."""

    asked: list[Asked]
    scores: tuple[int, ...]
    places: tuple[int, ...]


Below = Callable[[int], int]
"""Draws a number from 0 up to, but not including, the bound."""

BOTS: dict[str, Callable[[int, int], Below]] = {
    "random": lambda seed, seat: Source(seed, f"bot:{seat}").below,
    "first": lambda seed, seat: lambda bound: 0,
}
"""How players draw who answer by drawing numbers: by the seed and the seat, as the bots of the table do."""


class Recorded(RandomPlayers):
    """Players of whom it is written down what they were asked, and what they drew for their answers."""

    def __init__(self, seed: int, players: int, bot: str) -> None:
        super().__init__(seed, players)
        if bot != "random":
            self.below = [BOTS[bot](seed, seat) for seat in range(players)]
        self.asked: list[Asked] = []
        self.drawn: list[int] = []
        self.below = [self._recording(below) for below in self.below]

    def _recording(self, below: Below) -> Below:
        def recorded(bound: int) -> int:
            self.drawn.append(below(bound))
            return self.drawn[-1]

        return recorded

    def _record(self, player: int, options: int, answer: Any) -> Any:
        if self.drawn:
            self.asked.append((player, options, tuple(self.drawn)))
            self.drawn.clear()
        return answer

    def choose(self, player: int, options: Any) -> Any:
        return self._record(player, len(options), super().choose(player, options))

    def may_choose(self, player: int, options: Any) -> Any:
        return self._record(player, len(options) + 1, super().may_choose(player, options))

    def choose_set(self, player: int, options: Any, *bounds: Any) -> list[Any]:
        return self._record(player, len(options), super().choose_set(player, options, *bounds))

    def choose_order(self, player: int, options: Any) -> list[Any]:
        return self._record(player, len(options), super().choose_order(player, options))


def reference(game: str) -> ModuleType:
    """The module of a game by hand."""
    return import_module(f"reference.{game}")


def program(game: str, players: int) -> Program:
    """A published game for the interpreter. Raises SystemExit if it has mistakes."""
    loaded = load(library.find_game(game))
    rulebook, found = loaded.rulebook, loaded.messages
    if rulebook is None:
        raise SystemExit("\n".join(one.message for one in found))
    return lower(rulebook, players)


def by_hand(game: str, players: int, seed: int, bot: str = "random") -> Played:
    """What the reference plays."""
    bots = Recorded(seed, players, bot)
    scores, places = reference(game).play(players, seed, bots)
    return Played(bots.asked, tuple(scores), tuple(places))


def by_rules(program: Program, seed: int, bot: str = "random") -> Played:
    """What the interpreter plays."""
    machine = Machine(program)
    bots = [BOTS[bot](seed, seat) for seat in range(program.players)]
    asked: list[Asked] = []
    state = machine.new_state(seed)
    while isinstance(machine.advance(state), Decision):
        seat = machine.find_waiting(state)[0]
        found, drawn = machine.find_choices(state, seat), []

        def below(bound: int, seat: int = seat, drawn: list[int] = drawn) -> int:
            drawn.append(bots[seat](bound))
            return drawn[-1]

        machine.answer_value(state, seat, found.random(below))
        asked.append((seat, len(found.values) + found.may_pass, tuple(drawn)))
    standing = find_outcome(program, state)
    return Played(asked, standing.scores, standing.places)


def difference(hand: Played, rules: Played) -> str:
    """The first thing in which two games differ, in words; empty if nothing does."""
    for number, (one, other) in enumerate(zip(hand.asked, rules.asked, strict=False)):
        if one != other:
            return f"decision {number + 1} by hand is {one}, by the rules {other}"
    if len(hand.asked) != len(rules.asked):
        return f"by hand there are {len(hand.asked)} decisions, by the rules {len(rules.asked)}"
    if (hand.scores, hand.places) != (rules.scores, rules.places):
        return f"by hand it ends {hand.scores} in places {hand.places}, by the rules {rules.scores}, {rules.places}"
    return ""


def main() -> int:
    """Play, compare, and say whether all is the same."""
    arguments = argparse.ArgumentParser(description="Hold the games by hand against the interpreter.")
    arguments.add_argument("names", nargs="*", metavar="GAME", help="published games; all of them if none is named")
    arguments.add_argument("--games", type=int, default=200, help="games at each number of players (200)")
    arguments.add_argument("--players", type=int, help="only this number of players")
    arguments.add_argument("--seed", type=int, default=0, help="the seed of the first game (0); the others follow")
    arguments.add_argument("--bot", choices=list(BOTS), default="random", help="how everybody answers (random)")
    given = arguments.parse_args()
    failed = 0
    print(f"{'game':<16} {'players':>7} {'games':>7} {'decisions/game':>15} {'different':>10}")
    for game in given.names or GAMES:
        for players in reference(game).PLAYERS if given.players is None else [given.players]:
            lowered, decisions, differences = program(game, players), 0, []
            for seed in range(given.seed, given.seed + given.games):
                rules = by_rules(lowered, seed, given.bot)
                found = difference(by_hand(game, players, seed, given.bot), rules)
                decisions += len(rules.asked)
                if found:
                    differences.append(f"{game}, {players} players, seed {seed}: {found}")
            line = f"{game:<16} {players:>7} {given.games:>7} {decisions / given.games:>15.1f} {len(differences):>10}"
            print("\n".join([line, *differences]), flush=True)
            failed += len(differences)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
