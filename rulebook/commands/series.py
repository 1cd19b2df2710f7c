"""`rulebook simulate`, `rulebook compare`: many games between bots, counted; and the same deals by two rules.

The same seed gives the same numbers, however many processes share the work. The table or the JSON object goes to
stdout, progress to stderr.
"""

from __future__ import annotations

import json
import os
import re
import secrets
import shlex
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any, Literal, NamedTuple

import click
from attrs import evolve
from click.core import ParameterSource

from rulebook import files
from rulebook.commands import folders, games
from rulebook.commands.console import (
    RULES_FAILED,
    BadRequest,
    Choices,
    Command,
    NewFile,
    Number,
    OurBug,
    Progress,
    RulesFailed,
    Whole,
    color_option,
    echo_lines,
    in_words,
    name_command,
    refuse_same,
    writing,
)
from rulebook.commands.numbers import check_required, coverage_options, print_coverage, result_lines
from rulebook.commands.seats import seat_players, timeout_option
from rulebook.comparing.in_english import list_changed_rules, sum_up_change
from rulebook.dsl.ir import Rulebook
from rulebook.dsl.settling.options import amount_text
from rulebook.interpreter.decisions import BadSetup
from rulebook.interpreter.game import Game
from rulebook.interpreter.lower import lower
from rulebook.playtest.bots import BadSpec
from rulebook.playtest.coverage import Coverage
from rulebook.playtest.options import NoSuchOption
from rulebook.playtest.series.branching import BranchFailed
from rulebook.playtest.series.cluster import BadCluster, Cluster
from rulebook.playtest.series.levels import (
    MOST,
    RANDOM,
    SEARCH,
    SECONDS,
    Done,
    Part,
    list_parts,
    play_parts,
    rank_bots,
    size_piece,
)
from rulebook.playtest.series.levels import NAMES as LEVELS
from rulebook.playtest.series.measured import BadQuestion, Question, measures, names, question
from rulebook.playtest.series.plan import Plan, plan_of
from rulebook.playtest.series.playing import MOST_CRASHES, MOST_GAMES, Result, play
from rulebook.playtest.series.record import Played
from rulebook.playtest.series.store import BadStore, Store, export
from rulebook.playtest.series.table import PIECE, Table
from rulebook.playtest.series.tally import Tally
from rulebook.playtest.series.worth import Wish, Worth, measure_worth
from rulebook.playtest.settings import numbers, others
from rulebook.playtest.sharing import Killed
from rulebook.printing import dump_json, one_line
from rulebook.reporting.comparing import compared
from rulebook.reporting.course import Followed, follow_series
from rulebook.reporting.figures import escape
from rulebook.reporting.joining import join_comparisons, join_reports
from rulebook.reporting.page import write_pages
from rulebook.reporting.records import Comparison, Level, Points, Report
from rulebook.reporting.report import report_of
from rulebook.reporting.worth_words import add_worth
from rulebook.reporting.writing import write_json
from rulebook.table.story import Account
from rulebook.version import __version__

GAMES = 100
"""The default number of games."""
_UNBROKEN = 1_000_000


def worded_points(plan: Plan) -> Points:
    """Make the function that words points of this game; a mean has two decimals, if no smaller unit says as much."""
    units = plan.rulebook.units
    if not units or not _in_units(plan):
        return lambda points: f"{round(points, 2) + 0.0:g}"
    if len(units) == 1:
        [(unit, size)] = units.items()
        return lambda points: f"{round(points / size, 2) + 0.0:g} {unit}"
    return lambda points: amount_text(round(points), units)


def _in_units(plan: Plan) -> bool:
    return lower(plan.rulebook, plan.players, plan.options).score_sort == "amount"


def write_page(file: Path, page: str, data: Any) -> None:
    """Write a page for people, with commands as they are to be typed here, and beside it the same for programs."""
    begin = r'(<code class="command">|&amp;&amp; )rulebook (?=[a-z]+ )'
    page = re.sub(begin, lambda found: f"{found[1]}{escape(name_command())} ", page)
    with writing(file):
        files.replace(file, page.encode())
        text = json.dumps(data, ensure_ascii=False, indent=1) + "\n"
        files.replace(file.with_suffix(".json"), text.encode())


def sharing_options(command: Command) -> Command:
    """Add `--jobs` (as `jobs`) and `--cluster` (as `cluster`): who plays."""
    jobs = click.option(
        "--jobs", type=Whole(1, 1024), metavar="J", default=1, show_default=True, help="Processes to use."
    )
    cluster = click.option(
        "--cluster",
        callback=_address,
        metavar="tcp://HOST:PORT",
        help="Let the workers of a Dask scheduler play, on other computers too.",
    )
    return jobs(cluster(command))


def _address(_: click.Context, __: click.Parameter, value: str | None) -> str | None:
    if value is not None and re.fullmatch(r"(tcp|tls)://[^/\s]+:[0-9]{1,5}", value) is None:
        raise click.BadParameter(f"{value!r} is no address of a scheduler; write it like this: tcp://192.168.0.7:8786")
    return value


def tier_option(command: Command) -> Command:
    """Add `--tier` (as `tier`)."""
    return click.option(
        "--tier",
        type=Choices(["core", "machine"]),
        default="core",
        show_default=True,
        help="What plays the same games: the core, where it can, or the machine.",
    )(command)


def worth_options(command: Command) -> Command:
    """Add `--never`, `--always` and `--each-card` (as `each_card`): what options are worth."""
    never = click.option(
        "--never",
        multiple=True,
        metavar="OPTION",
        help="Play the same deals, in which one player never chooses this card, action or answer.",
    )
    always = click.option(
        "--always",
        multiple=True,
        metavar="OPTION",
        help="Play the same deals, in which one player always chooses it where it is offered.",
    )
    each = click.option("--each-card", is_flag=True, help="Do --never of everything that can be chosen.")
    return never(always(each(command)))


def read_wish(never: Sequence[str], always: Sequence[str], each_card: bool, plans: Sequence[Plan]) -> Wish:
    """Read what is to be known of options, before anything is played."""
    wish = Wish(each_card, tuple(never), tuple(always))
    with refused():
        for plan in plans if wish.is_there else ():
            wish.find(lower(plan.rulebook, plan.players, plan.options))
            if not plan.can_be_repeated:
                raise BadSpec("Programs cannot be told what never to choose: leave out exec, or --never and --always.")
    return wish


def out_option(help: str) -> Callable[[Command], Command]:
    """Add `--out` (as `out`): where games are kept."""
    return click.option("--out", type=NewFile(), metavar="FILE.sqlite", help=help)


def page_option(help: str) -> Callable[[Command], Command]:
    """Add `--report` (as `paper`): where a page is written."""
    page = NewFile(".html", ".htm", beside=".json")
    return click.option("--report", "paper", type=page, metavar="FILE.html", help=help)


def assert_option(command: Command) -> Command:
    """Add `--assert` (as `asserts`)."""
    return click.option(
        "--assert",
        "asserts",
        multiple=True,
        metavar='"seat_gap < 0.04"',
        help="Exit with 1 if this does not hold; may be repeated.",
    )(command)


def named(plan: Plan) -> list[str]:
    """List the measures of the games of a plan."""
    return names(plan.players, [measure.name for measure in plan.rulebook.measures])


def questions(asserts: Sequence[str], named: Sequence[str]) -> list[Question]:
    """Parse assertions about `named` measures, before anything is played."""
    try:
        return [question(text, named) for text in asserts]
    except BadQuestion as refused:
        raise BadRequest(str(refused)) from None


def asserted(asked: Sequence[Question], found: Mapping[str, float]) -> None:
    """Say what does not hold; the command ends here if anything does not."""
    try:
        failed = [one for one in asked if not one.holds(found)]
    except BadQuestion as refused:
        raise BadRequest(str(refused)) from None
    for one in failed:
        click.echo(f"Not so: {one.text} ({one.name} is {found[one.name]:.4g}).", err=True)
    if failed:
        raise click.exceptions.Exit(RULES_FAILED)


@contextmanager
def refused() -> Iterator[None]:
    """Report what cannot be played, or not be written, in one sentence."""
    try:
        yield
    except (BadSetup, BadSpec, BadStore, BadCluster, NoSuchOption) as error:
        raise BadRequest(str(error)) from None
    except Killed as killed:
        raise RulesFailed(str(killed)) from None


class Playing(NamedTuple):
    """The way of playing plans. Games are kept in `out`, and written to `exported`, if there is one."""

    folder: Path
    games: int | None
    until: float | None
    jobs: int
    coverage: Coverage | None = None
    out: Path | None = None
    exported: Path | None = None
    cluster: str | None = None
    """The address of a cluster that plays, instead of `jobs` processes."""
    follows: bool = False
    """True if the course of games is looked at too."""
    wish: Wish = Wish()
    """The options of which the worth is measured."""

    def reports(self, plans: Sequence[Plan]) -> list[Report]:
        """Play them all, one after the other, and say what each of them says."""
        with refused(), ExitStack() as opened:
            cluster, store = self._open(opened)
            opened.enter_context(writing(self.exported))
            found, said = list[Report](), set[str]()
            for plan in plans:
                started = time.perf_counter()
                result, tally = self._played(plan, store, cluster)
                _say_who_played(result, said)
                seconds = time.perf_counter() - started
                followed = self._follow(tally, result) if self.follows else None
                report = report_of(tally, result.table.program, seconds, worded_points(plan), followed=followed)
                if self.wish.is_there:
                    report = add_worth(report, self._measure(result, tally), worded_points(plan))
                found.append(evolve(report, measured=measures(result.told(), plan.players)))
            if store is not None and self.exported is not None:
                export(store, self.exported)
        return found

    def _measure(self, result: Result, tally: Tally) -> list[Worth]:
        progress = Progress("what options are worth: ")
        try:
            return measure_worth(tally, result.table.program, result.games, self.wish, self.jobs, progress)
        except BranchFailed as failed:
            raise RulesFailed(in_words(str(failed))) from None
        finally:
            progress.say("")

    def compared(self, base: Plan, changed: Plan) -> Comparison:
        """Play both, and say what is different."""
        with refused(), ExitStack() as opened:
            cluster, store = self._open(opened)
            results = [self._played(plan, store, cluster)[0] for plan in (base, changed)]
            said = set[str]()
            for result in results:
                _say_who_played(result, said)
            return compared(results[0], results[1])

    def by_levels(self, plan: Plan, seconds: float) -> Report:
        """Play at all levels, and make one report of them."""
        points, levels, done = worded_points(plan), list[Level[Report]](), list[Done]()
        for level in self._play_levels(seconds, plan):
            done.append(level)
            if level.played and not level.part.among:
                [(result, tally)] = level.played
                # Whoever plays, it is at random that games are played on.
                followed = self._follow(tally, result) if self.follows and level.part.name == RANDOM else None
                asked = level.seconds, points, len(LEVELS), followed, level.part.name == RANDOM
                report = report_of(tally, result.table.program, *asked)
                report = evolve(report, measured=measures(result.told(), plan.players))
                name, bots = level.part.name, level.part.bots
                levels.append(Level(name, bots, report.games, report.seconds, report.command, report))
        joined = join_reports(levels, rank_bots(done), points, _list_skipped(done))
        return evolve(joined, command=plan.ask_levels("simulate", seconds) + self._most())

    def compared_by_levels(self, base: Plan, changed: Plan, seconds: float) -> Comparison:
        """Play both at all levels, and make one comparison of them."""
        levels, done = list[Level[Comparison]](), list[Done]()
        for level in self._play_levels(seconds, base, changed):
            done.append(level)
            if level.played and not level.part.among:
                (before, _), (after, _) = level.played
                found = compared(before, after, len(LEVELS))
                command = after.plan.command(f"--games {before.games}").replace("simulate", "compare", 1)
                seconds_taken = round(level.seconds, 3)
                levels.append(Level(level.part.name, level.part.bots, found.games, seconds_taken, command, found))
        joined = join_comparisons(levels, rank_bots(done), worded_points(base), _list_skipped(done))
        return evolve(joined, command=changed.ask_levels("compare", seconds) + self._most())

    def _most(self) -> str:
        return "" if self.games in (None, MOST) else f" --games {self.games}"

    def _play_levels(self, seconds: float, *plans: Plan) -> Iterator[Done]:
        said = set[str]()

        def begin(part: Part, ends: float) -> None:
            Progress(f"{part.name}: ", ends).begin()

        def play_part(part: Part, plan: Plan, games: int, jobs: int, ends: float) -> tuple[Result, Tally]:
            progress, asked = Progress(f"{part.name}: ", ends), self._replace(games=games, jobs=jobs)
            found = asked._played(plan, None, None, progress, size_piece(games, jobs))
            if part.name != SEARCH:  # it takes its time to think
                _say_who_played(found[0], said)
            return found

        with refused():
            parts = list_parts(*plans)
            yield from play_parts(parts, seconds, self.jobs, self.games or MOST, play_part, begin)
        Progress.say("")

    def _open(self, opened: ExitStack) -> tuple[Cluster | None, Store | None]:
        """Open the cluster, then the store: if the cluster cannot be reached, no file is left behind."""
        if self.cluster is not None and self.jobs > 1:
            raise BadRequest("A cluster has as many workers as were started: leave out --jobs or --cluster.")
        cluster = None
        if self.cluster is not None:
            cluster = opened.enter_context(Cluster(self.cluster))
        if self.out is None and self.exported is None:
            return cluster, None
        return cluster, opened.enter_context(Store(self.out if self.out is not None else Path(":memory:")))

    def _played(
        self,
        plan: Plan,
        store: Store | None,
        cluster: Cluster | None,
        progress: Progress | None = None,
        piece: int = PIECE,
    ) -> tuple[Result, Tally]:
        games = self.games or (MOST_GAMES if self.until is not None else GAMES)
        progress, crashes = progress or Progress(), 1 if self.out is None else MOST_CRASHES
        asked = games, self.jobs, self.until, store, self.coverage, progress, crashes, cluster, piece
        try:
            result = play(plan, *asked)
        except (KeyboardInterrupt, BadCluster, Killed):
            if self.out is not None:
                progress.say("")
                there = f"{progress.done} games are in {self.out}; the same command goes on from there."
                click.echo(in_words(there), err=True)
            raise
        finally:
            progress.say("")
        tally = Tally.of(plan, result.told())
        self._outliers(result, tally)
        return result, tally

    def _follow(self, tally: Tally, result: Result) -> Followed | None:
        """Follow the course of games, by our own processes."""
        progress = Progress("course: ")
        try:
            table = Table(evolve(result.plan, watched=False))
            return follow_series(tally, table, self.jobs, tell_account, progress)
        finally:
            progress.say("")

    def _outliers(self, result: Result, tally: Tally) -> None:
        """The games that somebody will want to see go into files of their own; a crash without a file for games ends
        it."""
        files = {}
        if self.out is None:
            into, wanted = self.folder / "failures", [("crashed", one.number) for one in tally.crashed.values()]
        else:
            into, wanted = self.out.with_suffix(".games"), list(tally.outliers())
        for what, number in wanted if result.plan.can_be_repeated else ():
            try:
                files[number] = result.write_save(into, what, number)
            except OSError as error:
                click.echo(f"The game could not be written to {into}: {error.strerror}.", err=True)
        for one in tally.crashed.values():
            words = _describe_crash(result.plan, one, files.get(one.number))
            if self.out is None:
                raise OurBug(words) if one.ours else RulesFailed(words)
            click.echo(words, err=True)
        if result.given_up:
            click.echo(f"Given up after {result.games} games: {tally.endings['crashed']} crashed.", err=True)


def _list_skipped(done: Sequence[Done]) -> list[str]:
    """List the parts for which there was no time at all."""
    return [one.part.name for one in done if not one.played]


def tell_account(game: Game) -> Callable[[], Sequence[str]]:
    """Make what tells, in lines as long as they are, what is new in a game."""
    return Account(game, _UNBROKEN).word_news


def _say_who_played(result: Result, said: set[str]) -> None:
    """Say once that the machine played, and why, where nobody asked for it."""
    why = result.table.why_machine
    if why and why not in said:
        said.add(why)
        click.echo(in_words(f"Played more slowly, in Python. {why}"), err=True)


def _describe_crash(plan: Plan, played: Played, file: Path | None) -> str:
    """Say which game of a series crashed, why and where, how to see it again, and which file keeps it."""
    first, *where = played.error.split("\n")
    replay = plan.replay(played.number).replace("rulebook", name_command(), 1)
    words = [f"The game with seed {played.seed} stopped: {first} To see it again: {replay}", *where]
    if file is not None:
        words.append(f"All of it, up to there: {name_command()} replay {shlex.quote(str(file))}")
    return "\n".join(words)


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
    """A length of time, from a second to a day."""

    def __init__(self) -> None:
        super().__init__(1, 86_400)

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        try:
            return super().convert(value, param, ctx)
        except click.BadParameter:
            self.fail(f"{value!r} is no number of seconds; write --lens 60, or --lens at the end.", param, ctx)


def lens_option(command: Command) -> Command:
    """Add `--lens` (as `lens`): how long all levels of play may take."""
    return click.option(
        "--lens",
        type=Seconds(),
        is_flag=False,
        flag_value=str(SECONDS),
        metavar="[SECONDS]",
        help=f"Ask random, greedy and searching players, and how good they are, in {SECONDS} seconds or so many.",
    )(command)


_OF_ITS_OWN = "--lens has bots, deals and numbers of games of its own: leave out {}, or --lens."
_WORTH = "{0} asks one sort of players: leave out --lens, and say which, as in --bots greedy {0}."
_INSTEAD = dict.fromkeys(("never", "always", "each_card"), _WORTH) | {
    "asserts": "What --lens counts hangs on how many games fit the time, so {} might hold on one computer only: leave "
    "out --lens, and say how many, as in --bots greedy --games 2000."
}
"""The advice of a refusal beside `--lens`, by the option that is refused."""


def refuse_beside_lens(*options: str) -> None:
    """Refuse what has no meaning where levels of play are asked for."""
    flags = {"exported": "--export", "asserts": "--assert", "require": "--require", "each_card": "--each-card"}
    for option in options:
        if not _is_default(option):
            flag = flags.get(option, f"--{option}")
            raise BadRequest(_INSTEAD.get(option, _OF_ITS_OWN).format(flag))


def _find_jobs(jobs: int) -> int:
    """Find how many processes play where all of them are wanted if nobody says."""
    return _processors() if _is_default("jobs") else jobs


@click.command(name="simulate")
@click.argument("game")
@click.option("--players", type=HowMany(), metavar="N|all", help="How many players; the fewest if not given.")
@click.option("--games", "number", type=Whole(1), metavar="G", help="How many; 100 if not given.")
@click.option(
    "--until",
    type=Narrow(),
    metavar="±0.01",
    help="Until it is known that closely what each seat wins (--rotate: each bot), but --games at most.",
)
@click.option("--seed", type=Whole(0, 2**63 - 1), help="The same seed gives the same numbers.")
@folders.game_options
@folders.without_option
@click.option("--bots", metavar="KIND,…", default="random", show_default=True, help="One kind, or one for each seat.")
@click.option("--rotate", is_flag=True, help="Play each deal again until every bot has sat in every seat.")
@lens_option
@click.option("--vary", is_flag=True, help="Then also play each other choice of each house rule, one at a time.")
@timeout_option
@tier_option
@sharing_options
@click.option("--details", is_flag=True, help="Count cards, options and leads too, which takes longer.")
@click.option(
    "--course/--no-course",
    default=None,
    help="Play on from moments of games: when they are decided, what hangs on decisions. --report does.",
)
@out_option("Keep every game here, with details; the same command goes on where it was interrupted.")
@click.option(
    "--export",
    "exported",
    type=NewFile(".csv"),
    metavar="FILE.csv",
    help="Write all games of --out as a table.",
)
@page_option("Write all of it, with details, as a page with drawings; the same as JSON beside it.")
@worth_options
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
    lens: float | None,
    vary: bool,
    timeout: float,
    tier: str,
    jobs: int,
    cluster: str | None,
    details: bool,
    course: bool | None,
    out: Path | None,
    exported: Path | None,
    paper: Path | None,
    never: tuple[str, ...],
    always: tuple[str, ...],
    each_card: bool,
    asserts: tuple[str, ...],
    as_json: bool,
    coverage: bool,
    require: float | None,
) -> None:
    """Play many games of GAME between bots, and count."""
    if lens is not None:
        refuse_beside_lens("bots", "rotate", "until", "out", "exported", "cluster", "asserts", "coverage", "require")
        refuse_beside_lens("never", "always", "each_card")
    refuse_same(out, exported, paper, paper and paper.with_suffix(".json"))
    asked = games.find_game(game, variants, given, without)
    rulebook, options = asked.rulebook, asked.options
    count = len(seat_players(rulebook.players, None, None, bots)) if players is None else players
    settings = _settings_of(rulebook, count, options, vary)
    tables = [seat_players(rulebook.players, number, None, bots) for number, _ in settings]
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
    follows = paper is not None if course is None else course
    wish = read_wish(never, always, each_card, plans)
    if wish.is_there and cluster is not None:
        raise BadRequest("What options are worth is measured on this computer: leave out --cluster.")
    if lens is None:
        playing = Playing(asked.folder, number, until, jobs, covered, out, exported, cluster, follows, wish)
        reports = playing.reports(plans)
    else:
        playing = Playing(asked.folder, number, None, _find_jobs(jobs), follows=follows)
        reports = [playing.by_levels(plan, lens) for plan in plans]
    if paper is not None:
        page = write_pages(reports, worded_points(plans[0]), __version__)
        write_page(paper, page, [write_json(one) for one in reports])
    report = None if covered is None else covered.report()
    if as_json:
        found = write_json(reports[0])
        if len(reports) > 1 or report is not None:
            found = {"simulations": [write_json(one) for one in reports]}
        if report is not None:
            found["coverage"] = report.to_json()
        click.echo(dump_json(found))
    else:
        for one, plan in zip(reports, plans, strict=True):
            echo_lines([*result_lines(one, worded_points(plan)), ""])
        echo_lines([] if report is None else print_coverage(rulebook.title, report))
    if report is not None:
        check_required({rulebook.title: report}, require)
    if any(one.endings.get("crashed") for one in reports):
        raise click.exceptions.Exit(RULES_FAILED)
    for one, asked_of_it in zip(reports, wanted, strict=True):
        asserted(asked_of_it, one.measured or {})


def _settings_of(
    rulebook: Rulebook, players: int | Literal["all"], options: dict[str, Any], vary: bool
) -> list[tuple[int, dict[str, Any]]]:
    """List the settings to play: numbers of players, each with its house rules.

    The numbers of players take turns with the house rules that vary: all of both, not each with each. What is forbidden
    is left out, but for what was asked for itself.
    """
    wanted = [players] if players != "all" else numbers(rulebook, options) or [rulebook.players[0]]
    found = [(number, options) for number in wanted]
    turn = 0
    for other in others(rulebook, options) if vary else ():
        here = [number for number in wanted if number in numbers(rulebook, other)]
        if here:
            found.append((here[turn % len(here)], other))
            turn += 1
    return found


_MANY = 500
"""The number of games of each from which starting processes pays."""


@click.command(name="compare")
@click.argument("game")
@folders.game_options
@folders.without_option
@click.option("--players", type=Whole(1), metavar="N", help="How many players; the fewest if not given.")
@click.option(
    "--games", "number", type=Whole(2), metavar="G", default=2000, show_default=True, help="How many of each."
)
@click.option("--seed", type=Whole(0, 2**63 - 1), default=1, show_default=True, help="Which deals.")
@click.option("--bots", metavar="KIND,…", default="random", show_default=True, help="One kind, or one for each seat.")
@click.option("--rotate", is_flag=True, help="Play each deal again until every bot has sat in every seat.")
@lens_option
@timeout_option
@tier_option
@sharing_options
@out_option("Keep every game of both here; the same command goes on where it was interrupted.")
@page_option("Write all of it as a page with drawings; the same as JSON beside it.")
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
    lens: float | None,
    timeout: float,
    tier: str,
    jobs: int,
    cluster: str | None,
    out: Path | None,
    paper: Path | None,
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
    if lens is not None:
        refuse_beside_lens("bots", "rotate", "out", "cluster", "asserts")
    refuse_same(out, paper, paper and paper.with_suffix(".json"))
    rules = (variants, given) if without else ((), ())
    base, changed = games.find_game(game, *rules), games.find_game(game, variants, given, without)
    tables = [seat_players(one.rulebook.players, players, None, bots) for one in (base, changed)]
    if len(tables[0]) != len(tables[1]):
        raise BadRequest("The two games are for different numbers of players. Say how many shall play: --players N.")
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
            tier=tier,
        )
        for one, table in zip((base, changed), tables, strict=True)
    ]
    before, after = map(named, plans)
    both = [f"difference.{name}" for name in before if name in after]
    asked = questions(asserts, [*after, *(f"base.{name}" for name in before), *both, "changed_winners"])
    if cluster is None and number >= _MANY and _is_default("jobs"):
        jobs = _processors()
    if lens is None:
        found = Playing(base.folder, number, None, jobs, out=out, cluster=cluster).compared(*plans)
    else:
        most = MOST if _is_default("number") else number
        found = Playing(base.folder, most, None, _find_jobs(jobs)).compared_by_levels(plans[0], plans[1], lens)
    aim = plans[0].rulebook.display.aim
    rule_by_rule = list_changed_rules(base.game, changed.game) if base.variants != changed.variants else ()
    found = evolve(
        found,
        told=[*([aim] if aim else []), *sum_up_change(base.game, changed.game, base.options, changed.options)],
        variants=[*changed.rulebook.variants.values()],
        rule_by_rule=[*rule_by_rule],
    )
    points = worded_points(plans[0])
    if paper is not None:
        write_page(paper, write_pages([found], points, __version__), write_json(found))
    if as_json:
        click.echo(dump_json(write_json(found)))
    else:
        for line in result_lines(found, points):
            click.echo(one_line(in_words(line)))
    asserted(asked, found.measured)


def _is_default(option: str) -> bool:
    """Tell whether an option of the command was left at its default."""
    return click.get_current_context().get_parameter_source(option) is ParameterSource.DEFAULT


def _processors() -> int:
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
