"""`rulebook simulate`: many games between bots, counted.

In: a game, a number of players and of games, a seed, house rules, bots. Out: one table or one JSON object on
stdout, progress on stderr. Never: gives other numbers for the same seed, however many processes share the work.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, Literal

import click

from rulebook.commands import games
from rulebook.commands.colours import color_option
from rulebook.commands.coverage import coverage_options, lines, required
from rulebook.commands.failures import BadRequest, RulesFailed
from rulebook.commands.progress import progress
from rulebook.commands.seats import seats, timeout_option

if TYPE_CHECKING:
    from rulebook.dsl.ir import Rulebook
    from rulebook.playtest.simulation import Summary


class HowMany(click.IntRange):
    """A number of players, or `all`: every number that can play, one after the other."""

    def __init__(self) -> None:
        super().__init__(1)

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        return value if value == "all" else super().convert(value, param, ctx)


@click.command(name="simulate")
@click.argument("game")
@click.option("--players", type=HowMany(), metavar="N|all", help="How many players; the fewest if not given.")
@click.option(
    "--games", "number", type=click.IntRange(1), metavar="G", default=100, show_default=True, help="How many."
)
@click.option("--seed", type=click.IntRange(0, 2**63 - 1), help="The same seed gives the same numbers.")
@games.game_options
@click.option("--bots", metavar="KIND,…", default="random", show_default=True, help="One kind, or one for each seat.")
@click.option("--vary", is_flag=True, help="Then also play each other choice of each house rule, one at a time.")
@timeout_option
@click.option("--jobs", type=click.IntRange(1), metavar="J", default=1, show_default=True, help="Processes to use.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
@coverage_options
@color_option
def simulate_command(
    game: str,
    players: int | Literal["all"] | None,
    number: int,
    seed: int | None,
    variants: tuple[str, ...],
    given: tuple[str, ...],
    bots: str,
    vary: bool,
    timeout: float,
    jobs: int,
    as_json: bool,
    coverage: bool,
    require: float | None,
) -> None:
    """Play many games of GAME between bots, and count."""
    import secrets

    asked = games.asked(game, variants, given)
    rulebook, options = asked.rulebook, asked.options
    count = len(seats(rulebook.players, None, None, bots)) if players is None else players
    settings = _settings(rulebook, count, options, vary)
    tables = [seats(rulebook.players, number, None, bots) for number, _ in settings]
    from rulebook.interpreter.decisions import BadSetup
    from rulebook.playtest.bots import BadSpec
    from rulebook.playtest.coverage import Coverage
    from rulebook.playtest.settings import changed
    from rulebook.playtest.simulation import GameCrashed, simulate

    seed = secrets.randbelow(1_000_000_000) if seed is None else seed
    covered = Coverage(rulebook) if coverage or require is not None else None
    summaries = []
    try:
        for seated, (_, settled) in zip(tables, settings, strict=True):
            specs = [seat.bot for seat in seated if seat.bot is not None]
            summaries.append(
                simulate(rulebook, len(seated), number, seed, settled, specs, jobs, progress, timeout, covered)
            )
    except (BadSetup, BadSpec) as refused:
        raise BadRequest(str(refused)) from None
    except GameCrashed as crashed:
        raise RulesFailed("\n".join([str(crashed), *games.where(crashed.__cause__)])) from crashed
    finally:
        progress(0, 0)
    report = None if covered is None else covered.report()
    if as_json:
        found: dict[str, Any] = summaries[0].to_json()
        if len(summaries) > 1 or report is not None:
            found = {"simulations": [one.to_json() | {"options": changed(rulebook, one.options)} for one in summaries]}
        if report is not None:
            found["coverage"] = report.to_json()
        click.echo(json.dumps(found, ensure_ascii=False))
    else:
        for summary, seated in zip(summaries, tables, strict=True):
            for line in [*_table(rulebook, summary, [seat.name for seat in seated]), ""]:
                click.echo(line)
        for line in [] if report is None else lines(rulebook.title, report):
            click.echo(line)
    if report is not None:
        required({rulebook.title: report}, require)


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


def _table(rulebook: Rulebook, summary: Summary, names: list[str]) -> list[str]:
    from rulebook.playtest.settings import changed
    from rulebook.table.columns import padded, shortened
    from rulebook.widths import width

    length = summary.length
    per_second = f", {summary.decisions / summary.seconds:,.0f} decisions a second" if summary.seconds > 0 else ""
    rules = "".join(f", {name}={value}" for name, value in changed(rulebook, summary.options).items())
    head = f"{rulebook.title}, {summary.players} players, {_counted(summary.games)}, seed {summary.seed}{rules}"
    found = [head, ""]
    bots = [shortened(spec, 30) for spec in summary.bots]
    widest = max(10, *map(width, bots))
    found.append(f"  {'seat':<8} {'bot':<{widest}} {'wins':>10} {'share':>7}")
    for seat, (player, spec, won) in enumerate(zip(names, bots, summary.wins, strict=True), 1):
        share = won / summary.games
        found.append(f"  {f'{seat} {player}':<8} {padded(spec, widest)} {won:>10.2f} {share:>7.1%}")
    found += [
        "",
        f"  decisions a game: {length['min']:g} to {length['max']:g}, "
        f"median {length['median']:g}, mean {length['mean']:.1f}",
        f"  {summary.seconds:.1f} seconds{per_second}",
    ]
    if summary.unfinished:
        found.append(f"  {_counted(summary.unfinished)} came to no end and were stopped.")
    return found


def _counted(number: int) -> str:
    return f"{number} game{'' if number == 1 else 's'}"
