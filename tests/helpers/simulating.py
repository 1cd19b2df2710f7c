"""Many games as the tests play them: one call, and what the report says of them."""

from collections.abc import Mapping, Sequence
from typing import Any

from attrs import evolve

from rulebook.dsl import ir
from rulebook.dsl.settling.options import Settled
from rulebook.playtest.coverage import Coverage
from rulebook.playtest.series.about import About, Tie
from rulebook.playtest.series.levels import Rung
from rulebook.playtest.series.plan import plan_of
from rulebook.playtest.series.playing import Progress, play
from rulebook.playtest.series.tally import Tally
from rulebook.reporting.records import Line
from rulebook.reporting.report import report_of
from rulebook.reporting.writing import write_json


class Crashed(Exception):
    """A game crashed; with its seed, what went wrong, and the command that shows it again."""


def simulate(
    rulebook: ir.Rulebook,
    players: int,
    games: int,
    seed: int,
    options: Mapping[str, Settled] | None = None,
    bots: Sequence[str] = ("random",),
    jobs: int = 1,
    on_progress: Progress | None = None,
    coverage: Coverage | None = None,
    tier: str = "machine",
) -> dict[str, Any]:
    """Play the games and report; raise Crashed at the first that crashes."""
    plan = plan_of(rulebook, players, seed, options, bots, tier=tier)
    result = play(plan, games, jobs, coverage=coverage, on_progress=on_progress, crashes=1)
    tally = Tally.of(plan, result.played())
    for one in tally.crashed.values():
        raise Crashed(one.seed, one.error, plan.replay(one.number))
    return write_json(report_of(tally, result.table.program))


def make_line(mark: str, value: float = 0.1, about: About | None = None, **more: Any) -> Line:
    """Make a line of a report, with nothing but what is said of it."""
    ends = {"low": value, "high": value, "sure_low": value, "sure_high": value, "grey": 0.04}
    line = Line(group="", about=about or Tie(), name="", games=9, value=value, mark=mark, seen=0.1, more=0, **ends)
    return evolve(line, **more)


def make_rung(name: str, level: str, bot: str, among: str, games: int, *wins: float, beats: bool) -> Rung:
    """A rung of a ladder: `wins` are the share of wins, its range, what is fair, and what is too small to matter."""
    won, low, high, fair, grey = wins
    return Rung(
        name=name,
        level=level,
        bot=bot,
        among=among,
        games=games,
        deals=games,
        seconds=0.0,
        unit="wins",
        won=won,
        low=low,
        high=high,
        fair=fair,
        grey=grey,
        beats=beats,
        command="",
    )
