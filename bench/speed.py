"""How fast the machine is, on the computer that runs this.

    python bench/speed.py [--runs 7] [--seconds 0.5] [GAME]

In: a bundled game (`wallet` if none is named), played by as many as can. Out: one line for each thing that is
measured: the median of several runs and their spread. All things are measured once a run, in turn, so that a
computer which is busy for a while slows all of them and not one. Exit code 1 if a clone takes longer than the
limit, the one figure on which search depends; the others are for comparing two versions on one computer.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from statistics import median

from attrs import frozen

from rulebook import library
from rulebook.interpreter import views
from rulebook.interpreter.decisions import Decision
from rulebook.interpreter.determinize import determinize
from rulebook.interpreter.events import Sink
from rulebook.interpreter.game import Game
from rulebook.interpreter.invariants import check_state
from rulebook.interpreter.layout import STACK
from rulebook.interpreter.lower import lower
from rulebook.interpreter.machine import Machine
from rulebook.interpreter.program import Program
from rulebook.interpreter.random import Source
from rulebook.interpreter.state import State, clone, from_json, to_json
from rulebook.loading import load

CLONE_LIMIT = 0.5
"""In microseconds."""


@frozen
class Measured:
    """One thing that is measured: `work` does it so many times and says how many times that was."""

    name: str
    unit: str
    work: Callable[[], int]

    def once(self, seconds: float) -> float:
        """Seconds for one time; the work is repeated until it took long enough to be believed."""
        done, begun = 0, time.perf_counter()
        while (spent := time.perf_counter() - begun) < seconds or not done:
            done += self.work()
        return spent / done

    def shown(self, one: float) -> float:
        """That time in the unit of this line; a rate is so many in a second."""
        return 1 / one if self.unit.endswith("/s") else one * {"µs": 1e6, "ms": 1e3}[self.unit]


def depth(state: State) -> int:
    """How many frames run, one called by the other."""
    return len(state[STACK] or ())


def in_the_middle(program: Program) -> Game:
    """A game that waits in the middle of an effect: the deepest stack of calls in some games at random."""
    deepest: Game | None = None
    for seed in range(5):
        game, below = Game(program, seed), Source(seed, "speed").below
        while game.decision is not None:
            if deepest is None or depth(game.state) > depth(deepest.state):
                deepest = Game.replay(program, game.journal)
            asked = game.decision.asks[0]
            game.answer(asked.seat, game.machine.random_answer(game.state, asked, below), asked.number)
    assert deepest is not None and not deepest.over
    return deepest


def finished(program: Program, seed: int) -> Game:
    """A game that was played to its end."""
    game, below = Game(program, seed), Source(seed, "speed").below
    while game.decision is not None:
        asked = game.decision.asks[0]
        game.answer(asked.seat, game.machine.random_answer(game.state, asked, below), asked.number)
    return game


def playing(program: Program, watched: bool) -> Callable[[], int]:
    """Plays one game after the other, and says how many decisions the latest had."""
    machine = Machine(program)
    seeds = iter(range(1_000_000))

    def play() -> int:
        seed = next(seeds)
        below, state, decisions = Source(seed, "speed").below, machine.new_state(seed), 0
        events: Sink | None = [[] for _ in range(program.players)] if watched else None
        while isinstance(machine.advance(state, events), Decision):
            seat = machine.find_waiting(state)[0]
            machine.answer_value(state, seat, machine.random_value(state, seat, below), events)
            decisions += 1
        return decisions

    return play


def repeated(times: int, work: Callable[[], object]) -> Callable[[], int]:
    """The same work several times between two looks at the clock."""

    def repeat() -> int:
        for _ in range(times):
            work()
        return times

    return repeat


def measures(program: Program, folder: Path) -> list[Measured]:
    """Everything that is measured."""
    game, whole = in_the_middle(program), finished(program, 0)
    state, seat, below = game.state, 0, Source(0, "twins").below
    text, path = to_json(state), folder / "game.jsonl"
    whole.save(path)
    return [
        Measured("clone of a state in mid-effect", "µs", repeated(10_000, lambda: clone(state))),
        Measured("decisions, blind", "/s", playing(program, watched=False)),
        Measured("decisions, watched", "/s", playing(program, watched=True)),
        Measured("view of one seat", "µs", repeated(10, lambda: views.collect_facts(program, game.names, state, seat))),
        Measured("determinize for one seat", "µs", repeated(10, lambda: determinize(program, state, seat, below))),
        Measured("state to JSON", "µs", repeated(100, lambda: to_json(state))),
        Measured("state from JSON", "µs", repeated(100, lambda: from_json(text))),
        Measured("check of all invariants", "µs", repeated(10, lambda: check_state(program, state))),
        Measured("save of a whole game", "ms", repeated(1, lambda: whole.save(path))),
        Measured("load of a whole game, blind", "ms", repeated(1, lambda: Game.load(path, lambda _: program, False))),
        Measured("load of a whole game, watched", "ms", repeated(1, lambda: Game.load(path, lambda _: program))),
    ]


def main() -> int:
    """Measure, print, and say whether the limit is kept."""
    arguments = argparse.ArgumentParser(description="Measure the machine.")
    arguments.add_argument("game", nargs="?", default="wallet")
    arguments.add_argument("--runs", type=int, default=7, help="how often each thing is measured (7)")
    arguments.add_argument("--seconds", type=float, default=0.5, help="how long each time at least (0.5)")
    given = arguments.parse_args()
    loaded = load(library.find_game(given.game))
    rulebook, found = loaded.rulebook, loaded.messages
    if rulebook is None:
        print("\n".join(one.message for one in found))
        return 1
    program = lower(rulebook, rulebook.players[-1])
    with tempfile.TemporaryDirectory() as folder:
        measured = measures(program, Path(folder))
        taken: dict[str, list[float]] = {one.name: [] for one in measured}
        for _ in range(given.runs):
            for one in measured:
                taken[one.name].append(one.once(given.seconds))
    print(f"{rulebook.name}, {program.players} players, median of {given.runs} runs\n")
    for one in measured:
        figures = sorted(one.shown(seconds) for seconds in taken[one.name])
        print(f"  {one.name:<32} {median(figures):>12,.2f} {one.unit:<3} ({figures[0]:,.2f} to {figures[-1]:,.2f})")
    cost = median(taken["clone of a state in mid-effect"]) * 1e6
    if cost >= CLONE_LIMIT:
        print(f"\nA clone takes {cost:.2f} µs; the limit is {CLONE_LIMIT} µs.")
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
