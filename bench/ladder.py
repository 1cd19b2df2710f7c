"""Which bot is stronger: two of them play the same deals from every seat.

    python bench/ladder.py wallet ismcts:200 greedy --deals 100 --kept ladder.json
    python bench/ladder.py kuhn_poker ismcts:200 equilibrium --deals 1000

In each game one seat is the first bot's and all others are the second's; each deal is played once for each seat, so
that a good seat favours nobody. Printed: the share of games that the first bot wins (of a shared first place its part)
with Wilson's 95 % interval, beside the share of one among equals; what it gets on average, with the interval over
deals; and from which seat. `--until` stops as soon as both intervals leave out the even share.
`--kept` is a file of lines in which deals are written down when they are played: the same command goes on from there.
"""

from __future__ import annotations

import argparse
import json
import time
from collections.abc import Iterator
from math import sqrt
from pathlib import Path
from statistics import mean, stdev
from typing import Any

from rulebook import library
from rulebook.interpreter.decisions import Decision
from rulebook.interpreter.lower import lower
from rulebook.interpreter.machine import Machine
from rulebook.interpreter.program import Program
from rulebook.interpreter.random import Source
from rulebook.interpreter.results import find_outcome
from rulebook.interpreter.state import State
from rulebook.loading import load
from rulebook.playtest.bots import make_bot
from rulebook.playtest.pieces import Worker
from rulebook.playtest.series.plan import game_seed
from rulebook.playtest.sharing import in_pieces

Setting = tuple[str, int, int, str, str]
"""Game, players, seed, and the two bots."""
Deal = list[tuple[float, float]]
"""By the seat of the first bot: its part of the win, and its payoff."""


class Equilibrium:
    """Kuhn poker in equilibrium: the first player bluffs with the jack one time in six, and bets the king in half."""

    spec = "equilibrium"
    BETS = ((1 / 6, 0.0, 1 / 2), (1 / 3, 0.0, 1.0))  # by seat and rank
    CALLS = ((0.0, 1 / 6 + 1 / 3, 1.0), (0.0, 1 / 3, 1.0))

    def __init__(self, seed: int, seat: int) -> None:
        self.below, self.seat = Source(seed, f"equilibrium:{seat}").below, seat

    def value(self, machine: Machine, state: State, seat: int) -> Any:
        """The second option (bet, call) as often as it should be."""
        options = machine.find_choices(state, seat).make_options()
        card = state[machine.program.layout.find_place_of("hand", seat).slot][0]
        rank = ("jack", "queen", "king").index(machine.program.definition[card])
        table = self.BETS if options[1].label == "Bet" else self.CALLS
        chosen = options[self.below(10**9) < table[seat][rank] * 10**9]
        return chosen.values[0]


def wilson(share: float, games: int) -> tuple[float, float]:
    """The interval in which the true share lies, 95 times in 100."""
    z = 1.96
    middle = share + z * z / (2 * games)
    half = z * sqrt(share * (1 - share) / games + z * z / (4 * games * games))
    return (middle - half) / (1 + z * z / games), (middle + half) / (1 + z * z / games)


def ready(match: tuple[Setting, int]) -> Worker[list[Deal]]:
    """What plays deals; so many were played before."""
    (game, players, seed, one, other), had = match
    rulebook = load(library.find_game(game)).rulebook
    assert rulebook is not None
    program = lower(rulebook, players)
    machine = Machine(program)

    def deal(number: int) -> Deal:
        return [played(program, machine, game_seed(seed, number), seat, one, other) for seat in range(players)]

    return lambda numbers: [deal(had + number) for number in numbers]


def played(program: Program, machine: Machine, seed: int, seat: int, one: str, other: str) -> tuple[float, float]:
    """One game: the first bot's part of the win, and its payoff."""
    bots = [bot(one if here == seat else other, seed, here) for here in range(program.players)]
    state = machine.new_state(seed)
    while isinstance(machine.advance(state), Decision):
        asked = machine.find_waiting(state)[0]
        machine.answer_value(state, asked, bots[asked].value(machine, state, asked))
    found = find_outcome(program, state)
    return (seat in found.winners) / max(1, len(found.winners)), found.payoffs[seat]


def bot(spec: str, seed: int, seat: int) -> Any:
    """A bot by its word; `equilibrium` is known only here."""
    return Equilibrium(seed, seat) if spec == "equilibrium" else make_bot(spec, seed, seat)


def told(setting: Setting, deals: list[Deal], seconds: float) -> tuple[str, bool]:
    """The line for people, and whether the intervals are apart."""
    game, players, _, one, other = setting
    games = len(deals) * players
    share = sum(won for deal in deals for won, _ in deal) / games
    low, high = wilson(share, games)
    gains = [mean(payoff for _, payoff in deal) for deal in deals]
    half = 1.96 * stdev(gains) / sqrt(len(gains)) if len(gains) > 1 else float("inf")
    gain = mean(gains)
    seats = ", ".join(f"{mean(deal[seat][1] for deal in deals):+.4f}" for seat in range(players))
    text = (
        f"{game} {players}: {one} against {other}: wins {share:.3f} [{low:.3f}, {high:.3f}] of {games} games "
        f"(even: {1 / players:.3f}); gets {gain:+.4f} ± {half:.4f} a game (by seat {seats}); {seconds:.0f} s"
    )
    apart = (low > 1 / players or high < 1 / players) and abs(gain) > half
    return text, apart


def main() -> None:
    """Play, and print."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("game")
    parser.add_argument("one")
    parser.add_argument("other")
    parser.add_argument("--players", type=int, default=2)
    parser.add_argument("--deals", type=int, default=50)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--until", action="store_true")
    parser.add_argument("--least", type=int, default=15, help="deals before --until may stop")
    parser.add_argument("--kept", type=Path)
    given = parser.parse_args()
    setting = given.game, given.players, given.seed, given.one, given.other
    deals = resumed(given.kept, setting)[: given.deals]
    began = time.perf_counter()
    for some in dealt(setting, len(deals), given.deals, given.jobs):
        deals += some
        if given.kept is not None:
            with given.kept.open("a") as file:
                file.writelines(json.dumps([*setting, deal]) + "\n" for deal in some)
        if given.until and len(deals) >= given.least and told(setting, deals, 0)[1]:
            break
    print(told(setting, deals, time.perf_counter() - began)[0], flush=True)


def dealt(setting: Setting, had: int, deals: int, jobs: int) -> Iterator[list[Deal]]:
    """The deals that are not yet played, in order; one at a time if one process plays them."""
    if jobs > 1:
        yield from in_pieces(ready, (setting, had), deals - had, jobs)
    elif had < deals:
        worker = ready((setting, had))
        for number in range(deals - had):
            yield worker(range(number, number + 1))


def resumed(kept: Path | None, setting: Setting) -> list[Deal]:
    """The deals of this very match that were written down."""
    if kept is None or not kept.exists():
        return []
    lines = [json.loads(line) for line in kept.read_text().splitlines()]
    return [[tuple(one) for one in deal] for *of, deal in lines if tuple(of) == setting]


if __name__ == "__main__":
    main()
