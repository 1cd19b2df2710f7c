"""Many games at once, played by bots, and what is counted of them.

In: a game, how many players, how many games, a seed, house rules, bots. Out: a `Summary`: the same numbers
for the same seed, however many processes share the work. Never: prints, keeps a game, or goes on after a game
that crashed.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from pathlib import Path
from statistics import mean, median
from typing import Any

from attrs import field, frozen

from rulebook.dsl import ir
from rulebook.dsl.settling.options import Settled
from rulebook.playtest.bots import check_spec
from rulebook.playtest.coverage import Coverage
from rulebook.playtest.partners import TIMEOUT
from rulebook.playtest.series.plan import Plan, game_seed, plan_of
from rulebook.playtest.series.record import STOPPED, Played
from rulebook.playtest.series.table import Table, pieces, ready
from rulebook.playtest.sharing import in_order
from rulebook.recalled import load

__all__ = ["BrokenGame", "GameCrashed", "Summary", "game_seed", "simulate"]

Progress = Callable[[int, int], None]
"""Called now and then with how many games are played, and how many there will be."""


class BrokenGame(Exception):
    """The game cannot be loaded; `rulebook validate` says what is wrong with it."""


class GameCrashed(Exception):
    """A game came to no end; the sentence says which one, why, and how to see it again."""

    def __init__(self, seed: int, reason: str, replay: str) -> None:
        super().__init__(seed, reason, replay)
        self.seed, self.reason, self.replay = seed, reason, replay

    def __str__(self) -> str:
        return f"The game with seed {self.seed} stopped: {self.reason} To see it again: {self.replay}"


@frozen
class Summary:
    """What was counted. `wins` are by seat; players who share the first place share the win. `length` is in decisions.

    `unfinished` games were ended by the limit of decisions; they count as they stood.
    """

    game: str
    variants: tuple[str, ...]
    players: int
    games: int
    seed: int
    decisions: int
    seconds: float
    wins: tuple[float, ...]
    length: dict[str, float]
    unfinished: int = 0
    bots: tuple[str, ...] = ()
    options: dict[str, Settled] = field(factory=dict)

    def to_json(self) -> dict[str, Any]:
        """One plain object; `seconds` is the only number that another run does not give again."""
        return {
            "game": self.game,
            "variants": list(self.variants),
            "players": self.players,
            "games": self.games,
            "seed": self.seed,
            "decisions": self.decisions,
            "seconds": round(self.seconds, 3),
            "wins": list(self.wins),
            "length": self.length,
            "unfinished": self.unfinished,
        }


def simulate(
    game: ir.Rulebook | Path,
    players: int,
    games: int,
    seed: int,
    options: Mapping[str, Settled] | None = None,
    bots: Sequence[str] = ("random",),
    jobs: int = 1,
    on_progress: Progress | None = None,
    timeout: float = TIMEOUT,
    coverage: Coverage | None = None,
    tier: str = "python",
) -> Summary:
    """Play the games and count. `options` are settled; fewer bots than players are repeated in turn. `timeout` is for
    programs that play: the seconds for one answer. `coverage`, of the same rulebook, is told what ran. `tier` is one of
    `TIERS`; the numbers are the same with each.

    Raises BadSpec, BadSetup, NoTier or BrokenGame before the first game, GameCrashed if one stops.
    """
    rulebook = _loaded(game) if isinstance(game, Path) else game
    for spec in bots:
        check_spec(spec)
    plan = plan_of(rulebook, players, seed, options, bots, timeout=timeout, tier=tier)
    started = time.perf_counter()
    table = Table(plan, coverage)
    if coverage is not None:
        coverage.played(table.program.options)
    played: list[Played] = []
    make, asked = (ready, (plan, coverage is not None)) if jobs > 1 else (lambda _: table.here, (plan, False))
    for some, counts in in_order(make, asked, pieces(range(games)), jobs):
        for one in some:
            if not one.counts:
                raise GameCrashed(one.seed, one.error, plan.replay(one.number))
        played += some
        if coverage is not None:
            coverage.add(counts)
        if on_progress is not None:
            on_progress(len(played), games)
    return _count(plan, played, time.perf_counter() - started)


def _loaded(path: Path) -> ir.Rulebook:
    rulebook, found = load(path)
    if rulebook is None:
        raise BrokenGame(f"{path} has {sum(one.severity == 'error' for one in found)} mistakes.")
    return rulebook


def _count(plan: Plan, played: Sequence[Played], seconds: float) -> Summary:
    wins = [Fraction()] * plan.players
    for one in played:
        for seat in one.winners:
            wins[seat] += Fraction(1, len(one.winners))
    lengths = [one.length for one in played] or [0]
    return Summary(
        game=plan.rulebook.id,
        variants=plan.rulebook.variants,
        players=plan.players,
        games=len(played),
        seed=plan.seed,
        decisions=sum(lengths),
        seconds=seconds,
        wins=tuple(float(won) for won in wins),
        length={
            "min": min(lengths),
            "median": median(lengths),
            "mean": float(mean(lengths)),
            "max": max(lengths),
        },
        unfinished=sum(one.ending == STOPPED for one in played),
        bots=plan.bots,
        options=plan.options,
    )
