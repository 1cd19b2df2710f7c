"""`rulebook simulate`: many games between bots, counted.

In: a game, a number of players and of games, a seed, house rules, bots. Out: one table or one JSON object on
stdout, progress on stderr. Never: gives other numbers for the same seed, however many processes share the work.
"""

from __future__ import annotations

import json
import sys
from typing import TYPE_CHECKING

import click

from rulebook.commands import games
from rulebook.commands.colours import color_option
from rulebook.commands.failures import BadRequest, RulesFailed
from rulebook.commands.seats import seats, timeout_option

if TYPE_CHECKING:
    from rulebook.playtest.simulation import Summary


@click.command(name="simulate")
@click.argument("game")
@click.option("--players", type=click.IntRange(1), metavar="N", help="How many players; the fewest if not given.")
@click.option(
    "--games", "number", type=click.IntRange(1), metavar="G", default=100, show_default=True, help="How many."
)
@click.option("--seed", type=click.IntRange(0, 2**63 - 1), help="The same seed gives the same numbers.")
@click.option("--set", "given", multiple=True, metavar="OPTION=VALUE", help="A house rule; may be repeated.")
@click.option("--bots", metavar="KIND,…", default="random", show_default=True, help="One kind, or one for each seat.")
@timeout_option
@click.option("--jobs", type=click.IntRange(1), metavar="J", default=1, show_default=True, help="Processes to use.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
@color_option
def simulate_command(
    game: str,
    players: int | None,
    number: int,
    seed: int | None,
    given: tuple[str, ...],
    bots: str,
    timeout: float,
    jobs: int,
    as_json: bool,
) -> None:
    """Play many games of GAME between bots, and count."""
    import secrets

    rulebook = games.checked(games.folder_of(game))
    options = games.settled(rulebook, given)
    seated = seats(rulebook.players, players, None, bots)
    specs = [seat.bot for seat in seated if seat.bot is not None]
    from rulebook.interpreter.decisions import BadSetup
    from rulebook.playtest.bots import BadSpec
    from rulebook.playtest.simulation import GameCrashed, simulate

    seed = secrets.randbelow(1_000_000_000) if seed is None else seed
    try:
        summary = simulate(rulebook, len(seated), number, seed, options, specs, jobs, _progress, timeout)
    except (BadSetup, BadSpec) as refused:
        raise BadRequest(str(refused)) from None
    except GameCrashed as crashed:
        raise RulesFailed(str(crashed)) from crashed
    finally:
        _progress(0, 0)
    if as_json:
        click.echo(json.dumps(summary.to_json(), ensure_ascii=False))
    else:
        for line in _table(rulebook.name, summary, [seat.name for seat in seated], specs):
            click.echo(line)


def _progress(done: int, games: int) -> None:
    """How far it is, in one line that goes away again (0 of 0)."""
    if sys.stderr.isatty():
        text = f"{done} of {games} games" if games else ""
        click.echo(f"\r{text:<40}" + ("" if games else "\r"), nl=False, err=True)


def _table(name: str, summary: Summary, names: list[str], specs: list[str]) -> list[str]:
    from rulebook.table.columns import padded, shortened
    from rulebook.widths import width

    length = summary.length
    per_second = f", {summary.decisions / summary.seconds:,.0f} decisions a second" if summary.seconds > 0 else ""
    lines = [f"{name}, {summary.players} players, {_counted(summary.games)}, seed {summary.seed}", ""]
    bots = [shortened(spec, 30) for spec in specs]
    widest = max(10, *map(width, bots))
    lines.append(f"  {'seat':<8} {'bot':<{widest}} {'wins':>10} {'share':>7}")
    for seat, (player, spec, won) in enumerate(zip(names, bots, summary.wins, strict=True), 1):
        share = won / summary.games
        lines.append(f"  {f'{seat} {player}':<8} {padded(spec, widest)} {won:>10.2f} {share:>7.1%}")
    lines += [
        "",
        f"  decisions a game: {length['min']:g} to {length['max']:g}, "
        f"median {length['median']:g}, mean {length['mean']:.1f}",
        f"  {summary.seconds:.1f} seconds{per_second}",
    ]
    if summary.unfinished:
        lines.append(f"  {_counted(summary.unfinished)} came to no end and were stopped.")
    return lines


def _counted(number: int) -> str:
    return f"{number} game{'' if number == 1 else 's'}"
