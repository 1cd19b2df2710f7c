"""The options of `simulate` and `compare`, and the request that they fill: one frozen record of all that was asked.

An option is said twice: here or above its command, as click shows it, and as a field of `Request` of the same name.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, Literal

import click
from click.core import ParameterSource

from rulebook.classes import frozen
from rulebook.commands.console import BadRequest, Choices, Command, NewFile, Number, Whole, refuse_same
from rulebook.commands.seats import choose_numbers, seat_players, timeout_option
from rulebook.dsl.ir import Rulebook
from rulebook.playtest.series.levels import MOST, SECONDS
from rulebook.playtest.series.plan import Plan, plan_of


class Narrow(Number):
    """The half-width of an interval: `0.01`, `±0.01` or `1%`."""

    def __init__(self) -> None:
        super().__init__(0.0005, 0.5)

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        text = str(value).strip().removeprefix("±").removeprefix("+-")
        try:
            return super().convert(float(text.removesuffix("%")) / (100 if text.endswith("%") else 1), param, ctx)
        except (ValueError, click.BadParameter):
            self.fail(f"{value!r} is no distance from 0.0005 to 0.5; write 0.01 for one in a hundred.", param, ctx)


class HowMany(Whole):
    """A number of players, or `all`: every number that can play, one after the other."""

    def __init__(self) -> None:
        super().__init__(1)

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        if value == "all":
            return value
        try:
            return super().convert(value, param, ctx)
        except click.BadParameter as refused:
            self.fail(f"{refused.message} All numbers that can play are `all`.", param, ctx)


class Seconds(Number):
    """A length of time, from a second to a day; how it is said by example."""

    def __init__(self, example: str) -> None:
        super().__init__(1, 86_400)
        self.example = example

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        try:
            return super().convert(value, param, ctx)
        except click.BadParameter:
            self.fail(f"{value!r} is no number of seconds; write {self.example}.", param, ctx)


def _check_scheduler(_: click.Context, __: click.Parameter, value: str | None) -> str | None:
    if value is not None and re.fullmatch(r"(tcp|tls)://[^/\s]+:[0-9]{1,5}", value) is None:
        raise click.BadParameter(f"{value!r} is no address of a scheduler; write it like this: tcp://192.168.0.7:8786")
    return value


# ── options of both commands ─────────────────────────────────────────────────────────────────────────────────────────


def add_options(*options: Callable[[Command], Command]) -> Callable[[Command], Command]:
    """Make what adds these options to a command, in this order."""

    def add_all(command: Command) -> Command:
        for option in reversed(options):
            command = option(command)
        return command

    return add_all


SEEDS = Whole(0, 2**63 - 1)
bots_options = add_options(
    click.option(
        "--bots", metavar="KIND,…", default="random", show_default=True, help="One kind, or one for each seat."
    ),
    click.option("--rotate", is_flag=True, help="Play each deal again until every bot has sat in every seat."),
    click.option(
        "--lens",
        type=Seconds("--lens 60, or --lens at the end"),
        is_flag=False,
        flag_value=str(SECONDS),
        metavar="[SECONDS]",
        help=f"Ask random, greedy and searching players, and how good they are, in {SECONDS} seconds or so many.",
    ),
)
jobs_option = click.option(
    "--jobs", type=Whole(1, 1024), metavar="J", default=1, show_default=True, help="Processes to use."
)
cluster_option = click.option(
    "--cluster",
    callback=_check_scheduler,
    metavar="tcp://HOST:PORT",
    help="Let the workers of a Dask scheduler play, on other computers too.",
)
playing_options = add_options(
    timeout_option,
    click.option(
        "--tier",
        type=Choices(["core", "machine"]),
        default="core",
        show_default=True,
        help="What plays the same games: the core, where it can, or the machine.",
    ),
    jobs_option,
    cluster_option,
)
assert_option = click.option(
    "--assert",
    "asserts",
    multiple=True,
    metavar='"seat_gap < 0.04"',
    help="Exit with 1 if this does not hold; may be repeated.",
)
json_option = click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")


def out_option(help: str) -> Callable[[Command], Command]:
    """Make `--out`: where games are kept."""
    return click.option("--out", type=NewFile(), metavar="FILE.sqlite", help=help)


def report_option(help: str) -> Callable[[Command], Command]:
    """Make `--report`: where a page is written."""
    return click.option("--report", type=NewFile(".html", ".htm", beside=".json"), metavar="FILE.html", help=help)


# ── what was asked ───────────────────────────────────────────────────────────────────────────────────────────────────

_WORTHS = ("never", "always", "pair", "each_card")
_BESIDE_LENS = ("bots", "rotate", "until", "out", "cluster", "asserts", "coverage", "require", *_WORTHS)
"""The options that have no meaning where levels of play are asked for, in the order in which they are refused."""
_OF_ITS_OWN = "--lens has bots, deals and numbers of games of its own: leave out {}, or --lens."
_WORTH = "{0} asks one sort of players: leave out --lens, and say which, as in --bots greedy {0}."
_INSTEAD = dict.fromkeys(_WORTHS, _WORTH) | {
    "asserts": "What --lens counts hangs on how many games fit the time, so {} might hold on one computer only: leave "
    "out --lens, and say how many, as in --bots greedy --games 2000."
}
"""The advice of a refusal beside `--lens`, by the option that is refused."""


@frozen(kw_only=True)
class Request:
    """All that was asked of `simulate` or `compare`; what only one of them has is at its default in the other."""

    game: str
    variants: tuple[str, ...]
    given: tuple[str, ...]
    without: tuple[str, ...]
    players: int | Literal["all"] | None
    games: int | None
    until: float | None = None
    seed: int | None
    bots: str
    rotate: bool
    lens: float | None
    vary: bool = False
    timeout: float
    tier: str
    jobs: int
    cluster: str | None
    details: bool = False
    course: bool | None = None
    out: Path | None
    export: Path | None = None
    report: Path | None
    never: tuple[str, ...] = ()
    always: tuple[str, ...] = ()
    pair: tuple[str, ...] = ()
    each_card: bool = False
    asserts: tuple[str, ...]
    as_json: bool
    coverage: bool = False
    require: float | None = None
    chosen: frozenset[str]
    """The names of the options that were given, and are not at their defaults."""

    @property
    def follows(self) -> bool:
        """True if the course of games is looked at too."""
        return self.report is not None if self.course is None else self.course

    @property
    def most(self) -> int:
        """The most games of a level of play."""
        return self.games if self.games is not None and "games" in self.chosen else MOST

    def count_jobs(self, *, is_long: bool) -> int:
        """Find how many processes play, where all of them are wanted for what is long, if nobody says."""
        return _count_processors() if is_long and "jobs" not in self.chosen else self.jobs

    def make_plan(
        self, rulebook: Rulebook, players: int | None, options: Mapping[str, Any], seed: int, *, is_watched: bool
    ) -> Plan:
        """Make the plan of a series, with bots in all seats."""
        numbers = choose_numbers(rulebook, options, players, None, self.bots)
        seats = seat_players(numbers, players, None, self.bots)
        bots = [seat.bot or "" for seat in seats]
        how = self.rotate, is_watched, self.timeout, self.game, self.tier
        return plan_of(rulebook, len(seats), seed, options, bots, *how, laid=self.variants)


def read_request(words: Mapping[str, Any]) -> Request:
    """Make the request of what click has read. Raises BadRequest where options do not go together."""
    context = click.get_current_context()
    chosen = frozenset(name for name in words if context.get_parameter_source(name) is not ParameterSource.DEFAULT)
    request = Request(**words, chosen=chosen)
    for option in _BESIDE_LENS if request.lens is not None else ():
        if option in chosen:
            flag = "--assert" if option == "asserts" else f"--{option.replace('_', '-')}"
            raise BadRequest(_INSTEAD.get(option, _OF_ITS_OWN).format(flag))
    page = request.report
    refuse_same(request.out, request.export, page, page and page.with_suffix(".json"))
    return request


def _count_processors() -> int:
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
