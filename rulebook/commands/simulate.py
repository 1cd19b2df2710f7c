"""`rulebook simulate`: many games between bots, counted.

In: a game, a number of players and of games, a seed, house rules, bots. Out: one table or one JSON object on
stdout, progress on stderr; perhaps a file of all games. Never: gives other numbers for the same seed, however many
processes share the work.
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

import click

from rulebook.commands import games
from rulebook.commands.colours import color_option
from rulebook.commands.coverage import coverage_options, lines, required
from rulebook.commands.failures import RULES_FAILED, BadRequest, Choices
from rulebook.commands.numbers import report_lines
from rulebook.commands.seats import seats, timeout_option
from rulebook.commands.series import (
    Playing,
    assert_option,
    asserted,
    named,
    out_option,
    questions,
    sharing_options,
    worded_points,
    write_page,
)
from rulebook.printing import dump_json, one_line

if TYPE_CHECKING:
    from rulebook.dsl.ir import Rulebook


class Narrow(click.FloatRange):
    """How far an interval may reach to each side: `0.01`, `±0.01` or `1%`."""

    def __init__(self) -> None:
        super().__init__(0.0005, 0.5)

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        text = str(value).strip().removeprefix("±").removeprefix("+-")
        try:
            distance = float(text.removesuffix("%")) / (100 if text.endswith("%") else 1)
        except ValueError:
            self.fail(f"{value!r} is no distance; write 0.01 for one in a hundred.", param, ctx)
        return super().convert(distance, param, ctx)


class HowMany(click.IntRange):
    """A number of players, or `all`: every number that can play, one after the other."""

    def __init__(self) -> None:
        super().__init__(1)

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        return value if value == "all" else super().convert(value, param, ctx)


@click.command(name="simulate")
@click.argument("game")
@click.option("--players", type=HowMany(), metavar="N|all", help="How many players; the fewest if not given.")
@click.option("--games", "number", type=click.IntRange(1), metavar="G", help="How many; 100 if not given.")
@click.option(
    "--until",
    type=Narrow(),
    metavar="±0.01",
    help="Until it is known that closely what each seat wins (--rotate: each bot), but --games at most.",
)
@click.option("--seed", type=click.IntRange(0, 2**63 - 1), help="The same seed gives the same numbers.")
@games.game_options
@games.without_option
@click.option("--bots", metavar="KIND,…", default="random", show_default=True, help="One kind, or one for each seat.")
@click.option("--rotate", is_flag=True, help="Play each deal again until every bot has sat in every seat.")
@click.option("--vary", is_flag=True, help="Then also play each other choice of each house rule, one at a time.")
@timeout_option
@click.option(
    "--tier",
    type=Choices(["machine", "python", "native"]),
    default="python",
    show_default=True,
    help="What plays the same games: the machine, or rules printed as Python, or as C, which needs a compiler.",
)
@sharing_options
@click.option("--details", is_flag=True, help="Count cards, options and leads too, which takes longer.")
@out_option("Keep every game here, with details; the same command goes on where it was interrupted.")
@click.option(
    "--export",
    "exported",
    type=click.Path(dir_okay=False, path_type=Path),
    metavar="FILE.csv|FILE.parquet",
    help="Write all games of --out as a table.",
)
@click.option(
    "--report",
    "paper",
    type=click.Path(dir_okay=False, path_type=Path),
    metavar="FILE.html",
    help="Write all of it, with details, as a page with drawings; the same as JSON beside it.",
)
@assert_option
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
@coverage_options
@color_option
def simulate_command(
    game: str,
    players: int | Literal["all"] | None,
    number: int | None,
    until: float | None,
    seed: int | None,
    variants: tuple[str, ...],
    given: tuple[str, ...],
    without: tuple[str, ...],
    bots: str,
    rotate: bool,
    vary: bool,
    timeout: float,
    tier: str,
    jobs: int,
    cluster: str | None,
    details: bool,
    out: Path | None,
    exported: Path | None,
    paper: Path | None,
    asserts: tuple[str, ...],
    as_json: bool,
    coverage: bool,
    require: float | None,
) -> None:
    """Play many games of GAME between bots, and count."""
    import secrets

    asked = games.asked(game, variants, given, without)
    rulebook, options = asked.rulebook, asked.options
    count = len(seats(rulebook.players, None, None, bots)) if players is None else players
    settings = _settings(rulebook, count, options, vary)
    tables = [seats(rulebook.players, number, None, bots) for number, _ in settings]
    from rulebook.playtest.coverage import Coverage
    from rulebook.playtest.series.plan import plan_of

    if seed is None:
        if out is not None and os.path.exists(out):
            raise BadRequest(f"{out} is there already: give the --seed of the games in it to go on, or of new ones.")
        # Short, to be typed again: nobody plays against these games, and so it is no secret.
        seed = secrets.randbelow(1_000_000_000)
    covered = Coverage(rulebook) if coverage or require is not None else None
    watched = details or out is not None or exported is not None or paper is not None
    plans = [
        plan_of(
            rulebook,
            len(seated),
            seed,
            settled,
            [seat.bot or "" for seat in seated],
            rotate,
            watched,
            timeout,
            game,
            tier,
        )
        for seated, (_, settled) in zip(tables, settings, strict=True)
    ]
    wanted = [questions(asserts, named(plan)) for plan in plans]
    reports = Playing(asked.folder, number, until, jobs, covered, out, exported, cluster).reports(plans)
    if paper is not None:
        write_page(paper, reports, worded_points(plans[0]))
    report = None if covered is None else covered.report()
    if as_json:
        found: dict[str, Any] = reports[0]
        if len(reports) > 1 or report is not None:
            found = {"simulations": reports}
        if report is not None:
            found["coverage"] = report.to_json()
        click.echo(dump_json(found))
    else:
        for one, plan in zip(reports, plans, strict=True):
            for line in [*report_lines(one, worded_points(plan)), ""]:
                click.echo(one_line(line))
        for line in [] if report is None else lines(rulebook.title, report):
            click.echo(one_line(line))
    if report is not None:
        required({rulebook.title: report}, require)
    if any(one["endings"].get("crashed") for one in reports):
        raise click.exceptions.Exit(RULES_FAILED)
    for one, asked_of_it in zip(reports, wanted, strict=True):
        asserted(asked_of_it, one["measured"])


def _settings(
    rulebook: Rulebook, players: int | Literal["all"], options: dict[str, Any], vary: bool
) -> list[tuple[int, dict[str, Any]]]:
    """What is played: how many sit there, under which house rules.

    The numbers of players take turns with the house rules that vary: all of both, not each with each. What is forbidden
    is left out, but for what was asked for itself.
    """
    from rulebook.playtest.settings import numbers, others

    wanted = [players] if players != "all" else numbers(rulebook, options) or [rulebook.players[0]]
    found = [(number, options) for number in wanted]
    turn = 0
    for other in others(rulebook, options) if vary else ():
        here = [number for number in wanted if number in numbers(rulebook, other)]
        if here:
            found.append((here[turn % len(here)], other))
            turn += 1
    return found
