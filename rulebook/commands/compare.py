"""`rulebook compare`: a game as it is against the same game with other rules, on the same deals.

In: a game, variants and house rules that change it, bots, how many games. Out: what became different, with intervals,
or one JSON object; exit code 1 if something that was asserted does not hold. Never: other numbers for the same seed.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import click
from click.core import ParameterSource

from rulebook.commands import games
from rulebook.commands.colours import color_option
from rulebook.commands.failures import BadRequest
from rulebook.commands.names import in_words
from rulebook.commands.numbers import counted, percent, rows_of
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
)
from rulebook.printing import dump_json, one_line

_MANY = 500
"""So many games of each are worth starting processes for."""
_RATES = ("seat_", "shared", "stopped")
_WORDS = {
    "length": "decisions a game",
    "turns": "turns a game",
    "points": "points of a player",
    "margin": "the first is ahead by",
    "shared": "several winners",
    "stopped": "came to no end",
}


@click.command(name="compare")
@click.argument("game")
@games.game_options
@games.without_option
@click.option("--players", type=click.IntRange(1), metavar="N", help="How many players; the fewest if not given.")
@click.option(
    "--games", "number", type=click.IntRange(2), metavar="G", default=2000, show_default=True, help="How many of each."
)
@click.option("--seed", type=click.IntRange(0, 2**63 - 1), default=1, show_default=True, help="Which deals.")
@click.option("--bots", metavar="KIND,…", default="random", show_default=True, help="One kind, or one for each seat.")
@click.option("--rotate", is_flag=True, help="Play each deal again until every bot has sat in every seat.")
@timeout_option
@sharing_options
@out_option("Keep every game of both here; the same command goes on where it was interrupted.")
@assert_option
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
@color_option
def compare_command(
    game: str,
    variants: tuple[str, ...],
    given: tuple[str, ...],
    without: tuple[str, ...],
    players: int | None,
    number: int,
    seed: int,
    bots: str,
    rotate: bool,
    timeout: float,
    jobs: int,
    cluster: str | None,
    out: Path | None,
    asserts: tuple[str, ...],
    as_json: bool,
) -> None:
    """Play GAME as it is and with --variant or --set, on the same deals, and say what is different.

    With --without, the game is as --variant and --set make it, and the same deals are played without that card.
    """
    if not variants and not given and not without:
        raise click.UsageError(
            "Say what to change: --variant NAME or --set NAME=VALUE or --without CARD, once or several times."
        )
    rules = (variants, given) if without else ((), ())
    base, changed = games.asked(game, *rules), games.asked(game, variants, given, without)
    tables = [seats(one.rulebook.players, players, None, bots) for one in (base, changed)]
    if len(tables[0]) != len(tables[1]):
        raise BadRequest("The two games are for different numbers of players. Say how many shall play: --players N.")
    from rulebook.playtest.series.plan import plan_of

    plans = [
        plan_of(
            one.rulebook,
            len(table),
            seed,
            one.options,
            [seat.bot or "" for seat in table],
            rotate,
            # What a card did for those who had it shows only where cards are counted.
            watched=bool(without) and one is base,
            timeout=timeout,
            called=game,
        )
        for one, table in zip((base, changed), tables, strict=True)
    ]
    before, after = map(named, plans)
    both = [f"difference.{name}" for name in before if name in after]
    asked = questions(asserts, [*after, *(f"base.{name}" for name in before), *both, "changed_winners"])
    if cluster is None and number >= _MANY and _is_default("jobs"):
        jobs = _processors()
    found = Playing(base.folder, number, None, jobs, out=out, cluster=cluster).compared(*plans)
    if as_json:
        click.echo(dump_json(found))
    else:
        for line in _lines(found, worded_points(plans[0])):
            click.echo(one_line(in_words(line)))
    asserted(asked, found["measured"])


def _is_default(option: str) -> bool:
    """Whether nobody has said it."""
    return click.get_current_context().get_parameter_source(option) is ParameterSource.DEFAULT


def _processors() -> int:
    import os

    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def _lines(found: dict[str, Any], points: Any) -> Iterator[str]:
    rules = found["changed"]
    what = ", ".join([*rules["variants"], *(f"{name}={value}" for name, value in rules["options"].items())])
    what = f"without {' and '.join(rules['without'])}" if rules["without"] else f"with {what}"
    played = f"{found['players']} players, {counted(found['games'])} of each, seed {found['seed']}"
    yield f"{found['title']} as it is and {what}: {played}"
    if "holders" in found:
        yield from _holders(found["holders"])
    if found["base"]["rules"] == found["changed"]["rules"]:
        yield "The rules are the same: nothing that was asked for changes how this game is played."
    yield from rows_of(
        "",
        ("", "as it is", "without" if rules["without"] else "changed", "difference", "95 % sure"),
        [_row(one, points) for one in found["measures"] if one["base"] or one["changed"]],
    )
    yield "  * the difference is more than chance"
    moved = found["changed_winners"]
    yield ""
    yield f"  {counted(moved['games'])} ({percent(moved['share'])}) had other winners on the same deal."
    for one in found["seats"]:
        p = "hardly ever" if one["p"] < 0.0005 else f"in {percent(one['p'])} of cases"
        yield f"  seat {one['seat']} won more in {one['gained']} and less in {one['lost']}: chance alone does that {p}"
    needed = [one for one in found["measures"] if "games_needed" in one]
    if needed:
        most = max(needed, key=lambda one: one["games_needed"])
        known = percent(max(one["known_to"] for one in needed))
        apart = f"{most['games_needed_unpaired']:,} if the deals were not the same"
        yield ""
        yield f"  Wins are known to ±{known}; ±1% needs {most['games_needed']:,} games of each, and {apart}."
    for one in moved["examples"][:1]:
        yield ""
        yield f"  A deal that somebody else won (of {len(moved['seeds'])}; --json lists them):"
        yield f"    {one['replay_base']}"
        yield f"    {one['replay_changed']}"


_WAYS = {"dealt": "was dealt it", "got": "got it", "played": "played it", "held": "held it at the end"}


def _holders(rows: Sequence[dict[str, Any]]) -> Iterator[str]:
    """What those won who had the card, and on the same deals without it."""
    shown = []
    for one in rows:
        difference, mark = one["difference"], "*" if one["tells"] else " "
        between = f"{100 * difference['low']:+.1f} to {100 * difference['high']:+.1f}{mark}"
        shares = percent(one["with"]), percent(one["without"]), f"{100 * difference['value']:+.1f}"
        shown.append((f"who {_WAYS[one['way']]} wins", f"{one['deals']:,}", *shares, between))
    if not shown:
        yield ""
        yield "  Nobody ever had it."
    yield from rows_of("", ("", "deals", "with it", "without", "it adds", "95 % sure"), shown)


def _row(one: dict[str, Any], points: Any) -> tuple[str, ...]:
    name, difference = one["name"], one["difference"]
    worded = name.replace("seat_", "seat ") + " wins" if one.get("known_to") else _WORDS.get(name, name)

    def shown(value: float, signed: bool = False) -> str:
        if name.startswith(_RATES):
            return f"{100 * value:+.1f}" if signed else percent(value)
        if name in ("points", "margin") and not signed:
            return str(points(value))
        return f"{value:+.2f}" if signed else f"{value:.1f}"

    mark = "*" if one["tells"] else " "
    between = f"{shown(difference['low'], True)} to {shown(difference['high'], True)}{mark}"
    return worded, shown(one["base"]), shown(one["changed"]), shown(difference["value"], True), between
