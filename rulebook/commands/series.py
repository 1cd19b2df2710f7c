"""`rulebook simulate`, `rulebook compare`: many games between bots, counted; and the same deals by two rules.

The same seed gives the same numbers, however many processes share the work. The table or the JSON object goes to
stdout, progress to stderr.
"""

from __future__ import annotations

import os
import re
import secrets
import shlex
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from functools import partial
from itertools import islice
from math import ceil
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, TypeAlias, TypeVar

import click
from attrs import evolve, field

from rulebook import files
from rulebook.authoring.turning import GameFiles, list_changes
from rulebook.classes import frozen
from rulebook.commands import folders, games
from rulebook.commands.console import (
    RULES_FAILED,
    BadRequest,
    NewFile,
    OurBug,
    Progress,
    RulesFailed,
    Whole,
    color_option,
    echo_lines,
    in_words,
    name_command,
    writing,
)
from rulebook.commands.numbers import check_required, coverage_options, print_coverage, result_lines, rows_of
from rulebook.commands.seats import choose_numbers, seat_players
from rulebook.commands.series_options import (
    SEEDS,
    HowMany,
    Narrow,
    Request,
    assert_option,
    bots_options,
    json_option,
    out_option,
    playing_options,
    read_request,
    report_option,
)
from rulebook.comparing.in_english import find_changed_sentence, list_changed_rules, sum_up_change
from rulebook.dsl.ir import Rulebook
from rulebook.dsl.settling.forbidding import list_numbers
from rulebook.dsl.settling.options import write_settings
from rulebook.interpreter.decisions import BadSetup
from rulebook.interpreter.game import Game
from rulebook.interpreter.lower import lower
from rulebook.playtest.bots import BadSpec, learns, ready_bots
from rulebook.playtest.coverage import Coverage
from rulebook.playtest.failures import find_failures
from rulebook.playtest.options import NoSuchOption
from rulebook.playtest.pieces import Killed
from rulebook.playtest.series.binding import BINDING, measure_bindings
from rulebook.playtest.series.branching import BranchFailed
from rulebook.playtest.series.cluster import BadCluster, Cluster
from rulebook.playtest.series.guessing import GUESSING, choose_prompts, measure_guesses
from rulebook.playtest.series.levels import (
    COURSE,
    LEARNED,
    MOST,
    PLAYED_AGAIN,
    RANDOM,
    SEARCH,
    SKILLS,
    Done,
    Ladder,
    Part,
    Rung,
    join_ladders,
    learn_games,
    list_parts,
    play_parts,
    rank_bots,
    size_piece,
)
from rulebook.playtest.series.measured import BadQuestion, Question, measures, names, question
from rulebook.playtest.series.mending import ENOUGH, MENDING, Mend, count_changes, measure_mends
from rulebook.playtest.series.plan import Plan
from rulebook.playtest.series.playing import MOST_CRASHES, MOST_GAMES, Result, play
from rulebook.playtest.series.record import Played
from rulebook.playtest.series.sample import GAMES as GAMES_AGAIN
from rulebook.playtest.series.store import BadStore, Store
from rulebook.playtest.series.table import PIECE, Table
from rulebook.playtest.series.tally import Tally
from rulebook.playtest.series.tidy import Row, list_rows, write_csv
from rulebook.playtest.series.worth import Pair, Wish, Worth, find_flagged, measure_pairs, measure_worth
from rulebook.playtest.settings import others
from rulebook.playtest.small_games.solution import MOST_SOLVED, Solution, solve_game
from rulebook.printing import dump_json
from rulebook.reporting.comparing import compared
from rulebook.reporting.course import Followed, follow_series
from rulebook.reporting.habits import choose_habits
from rulebook.reporting.joining import join_comparisons, join_reports
from rulebook.reporting.mends import choose_troubles, find_paths
from rulebook.reporting.records import Comparison, Level, Points, Report
from rulebook.reporting.report import report_of, worded_points
from rulebook.reporting.verdict_words import find_speaker
from rulebook.reporting.worth_words import add_worth
from rulebook.version import __version__

if TYPE_CHECKING:
    from rulebook.reporting.described import Lines
    from rulebook.reporting.described import Table as Rows

Before: TypeAlias = "tuple[str, Sequence[Rows | Lines]]"
R = TypeVar("R", Report, Comparison)
T = TypeVar("T")
GAMES = 100
"""The default number of games."""
_MANY = 500
"""The number of games of each from which starting processes pays."""
_UNBROKEN = 1_000_000


def make_plain(result: Report | Comparison) -> dict[str, Any]:
    """Make plain data of a result."""
    # Most want to read it, and what writes it takes longer to load than a game to play; so below.
    from rulebook.reporting.writing import write_json

    return write_json(result)


def write_page(
    file: Path,
    results: Sequence[Report | Comparison],
    points: Points,
    data: Any,
    before: Before | None = None,
) -> None:
    """Write a page for people, with commands as they are to be typed here, and beside it the same for programs.

    `before` all else stands an answer, with its tables.
    """
    from rulebook.reporting.figures import escape
    from rulebook.reporting.page import write_pages

    page = write_pages(results, points, __version__, before)
    begin = r'(<code class="command">|&amp;&amp; )rulebook (?=[a-z]+ )'
    page = re.sub(begin, lambda found: f"{found[1]}{escape(name_command())} ", page)
    with writing(file):
        files.replace(file, page.encode())
        text = dump_json(data, "utf-8", indent=1) + "\n"
        files.replace(file.with_suffix(".json"), text.encode())


def read_assertions(request: Request, names: Sequence[str]) -> list[Question]:
    """Parse assertions about measures of these `names`, before anything is played."""
    try:
        return [question(text, names) for text in request.asserts]
    except BadQuestion as refused:
        raise BadRequest(str(refused)) from None


def _list_measures(plan: Plan) -> list[str]:
    return names(plan.players, [measure.name for measure in plan.rulebook.measures])


def check_assertions(assertions: Sequence[Question], measured: Mapping[str, float]) -> None:
    """Say what does not hold, in which games had an answer or none; the command ends here if anything does not."""
    failed = [one for one in assertions if one.name not in measured or not one.holds(measured)]
    for assertion in failed:
        value = f"is {measured[assertion.name]:.4g}" if assertion.name in measured else "had an answer in no game"
        click.echo(f"Not so: {assertion.text} ({assertion.name} {value}).", err=True)
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


def read_wish(request: Request, plans: Sequence[Plan]) -> Wish:
    """Read what is to be known of options, before anything is played."""
    wish = Wish(request.each_card, request.never, request.always, request.pair)
    with refused():
        for plan in plans if wish.is_there else ():
            program = lower(plan.rulebook, plan.players, plan.options)
            wish.find(program)
            wish.find_pairs(program)
            if not plan.can_be_repeated:
                asking = "--never, --always and --pair"
                raise BadSpec(f"Programs cannot be told what never to choose: leave out exec, or {asking}.")
    if wish.is_there and request.cluster is not None:
        raise BadRequest("What options are worth is measured on this computer: leave out --cluster.")
    return wish


@frozen
class Playing:
    """The way of playing plans: as was requested, by so many processes. Games that crash are written below `folder`."""

    request: Request
    folder: Path
    jobs: int
    coverage: Coverage | None = None
    wish: Wish = field(factory=Wish)
    """The options of which the worth is measured."""
    readied: set[str] = field(factory=set)
    """Sentences about bots that learned, as they were said."""
    exported: list[Row] = field(factory=list)
    """The rows of the table that is asked for."""
    source: GameFiles | None = None
    """The game where it lies, if its values may be changed."""

    def report(self, plans: Sequence[Plan]) -> list[Report]:
        """Play them all, one after the other, and report each."""
        with refused(), ExitStack() as opened:
            cluster, store = self._open(opened)
            reports, reasons = list[Report](), set[str]()
            for plan in plans:
                started = time.perf_counter()
                result, tally = self._play_series(plan, store, cluster)
                self._export(result)
                _say_who_played(result, reasons)
                report = self._report(result, tally, time.perf_counter() - started)
                if self.wish.is_there:
                    report = add_worth(report, *self._measure(result, tally), worded_points(plan))
                reports.append(report)
        return reports

    def _export(self, result: Result) -> None:
        if self.request.export is not None:
            self.exported.extend(list_rows(result))

    def _report(
        self,
        result: Result,
        tally: Tally,
        seconds: float,
        pages: int = 1,
        *,
        is_first: bool = True,
        is_followed: bool = True,
    ) -> Report:
        """Report a series; the course of its games, and a few played again, only of the `first` of several levels."""
        followed = self._follow(tally, result) if self.request.follows and is_first and is_followed else None
        most = GAMES_AGAIN if self.request.lens is None else min(GAMES_AGAIN, ceil(PLAYED_AGAIN * self.request.lens))
        how = seconds, worded_points(tally.plan), pages, followed, most if is_first else 0
        report = report_of(tally, result.table.program, *how)
        return evolve(report, measured=measures(result.told(), tally.plan.players))

    def _measure(self, result: Result, tally: Tally) -> tuple[list[Worth], list[Pair]]:
        """Measure what options are worth, and pairs: those that were asked for, else those of what matters most."""
        progress, program, wish = Progress("what options are worth: "), result.table.program, self.wish
        how = self.jobs, progress
        try:
            rows = measure_worth(tally, program, result.games, wish, *how)
            pairs = wish.find_pairs(program) or (find_flagged(rows, program) if wish.each else [])
            return rows, measure_pairs(tally, program, result.games, pairs, *how, parts=wish.parts)
        except BranchFailed as failed:
            raise RulesFailed(in_words(str(failed))) from None
        finally:
            progress.say("")

    def compare(self, base: Plan, changed: Plan) -> Comparison:
        """Play both, and say what is different."""
        with refused(), ExitStack() as opened:
            cluster, store = self._open(opened)
            before, after = (self._play_series(plan, store, cluster)[0] for plan in (base, changed))
            reasons = set[str]()
            for result in (before, after):
                _say_who_played(result, reasons)
            return compared(before, after)

    def report_levels(self, plan: Plan) -> Report:
        """Play at all levels, and make one report of them."""

        solutions = list[Solution | None]()

        def report(done: Done, pages: int) -> tuple[str, float, Report]:
            [(result, tally)] = done.played
            self._export(result)
            if not solutions:
                solutions.append(solve_game(result.table.program, MOST_SOLVED))
            # Whoever plays, it is at random that games are played on.
            how = {"is_first": done.part.name == RANDOM, "is_followed": done.part.is_followed}
            of_level = self._report(result, tally, done.seconds, pages, **how)
            return of_level.command, of_level.seconds, of_level

        with refused():
            began = time.perf_counter()
            trial = self._learn(plan)
            left = self._time_left(began, trial)
            mending = MENDING * left if self.source is not None and (self.request.lens or 0) >= ENOUGH else 0.0
            left -= mending
            guessing, binding = (part * left if trial is not None else 0.0 for part in (GUESSING, BINDING))
            stakes = choose_prompts(plan, guessing, self.jobs) if guessing else []
            parts = list_parts(plan, trial=trial, follows=not stakes or self.request.course is True)
            left -= guessing * bool(stakes) + binding
            levels, ladder, skipped = self._play_levels(report, parts, trial, left)
            guesses = self._try("guessing: ", guessing, partial(measure_guesses, plan, stakes))
            results = {level.name: level.result for level in levels}
            habits = choose_habits(results[LEARNED], results[RANDOM]) if LEARNED in results else []
            bindings = self._try("habits: ", binding, partial(measure_bindings, plan, habits))
            solution = solutions[0] if solutions else None
            joined = join_reports(levels, ladder, worded_points(plan), skipped, guesses, bindings, solution)
            if mending and joined.play is not None:
                joined = evolve(joined, play=evolve(joined.play, mends=self._mend(joined, plan, mending)))
        return evolve(joined, command=self._ask_again("simulate", plan))

    def compare_levels(self, base: Plan, changed: Plan) -> Comparison:
        """Play both at all levels, and make one comparison of them."""

        def compare(done: Done, pages: int) -> tuple[str, float, Comparison]:
            (before, _), (after, _) = done.played
            command = after.plan.command(f"--games {before.games}").replace("simulate", "compare", 1)
            return command, round(done.seconds, 3), compared(before, after, pages)

        with refused():
            began = time.perf_counter()
            trial = self._learn(base, changed)
            parts = list_parts(base, changed, trial=trial)
            played = self._play_levels(compare, parts, trial, self._time_left(began, trial))
        levels, ladder, skipped = played
        joined = join_comparisons(levels, ladder, worded_points(base), skipped)
        return evolve(joined, command=self._ask_again("compare", changed))

    def _ask_again(self, verb: str, plan: Plan) -> str:
        most = "" if self.request.most == MOST else f" --games {self.request.most}"
        return plan.ask_levels(verb, self.request.lens or 0) + most

    def _learn(self, *plans: Plan) -> list[Rung] | None:
        """Let a bot learn the games, as far as there is time; return how well it plays, if it does."""
        return learn_games(plans, self.request.lens or 0, self.jobs, lambda line: click.echo(line, err=True))

    def _time_left(self, began: float, trial: list[Rung] | None) -> float:
        """Find how much time is left: who has to learn first takes some of it, but half of it at most."""
        seconds = self.request.lens or 0
        return max(seconds / 2, seconds - (time.perf_counter() - began)) if trial is not None else seconds

    def _play_levels(
        self,
        make: Callable[[Done, int], tuple[str, float, R]],
        parts: Sequence[Part],
        trial: Sequence[Rung] | None,
        seconds: float,
    ) -> tuple[list[Level[R]], Ladder, list[str]]:
        """Play all levels, and make of each, of which there are so many, its command, its seconds and its result; then
        how good the bots are, and for which parts there was no time at all."""
        reasons, levels, every = set[str](), list[Level[R]](), list[Done]()

        def begin(part: Part, ends: float) -> None:
            Progress(f"{part.name}: ", ends).begin()

        def play_part(part: Part, plan: Plan, games: int, jobs: int, ends: float) -> tuple[Result, Tally]:
            progress, piece = Progress(f"{part.name}: ", ends), size_piece(games, jobs)
            result, tally = evolve(self, jobs=jobs)._play_series(plan, None, None, progress, games, piece)
            if part.name != SEARCH:  # it takes its time to think
                _say_who_played(result, reasons)
            return result, tally

        pages = sum(not part.among for part in parts)
        for done in play_parts(parts, seconds, self.jobs, self.request.most, play_part, begin):
            every.append(done)
            if done.played and not done.part.among:
                command, took, result = make(done, pages)
                levels.append(Level(done.part.name, done.part.bots, result.games, took, command, result))
        Progress.say("")
        # Who learned is asked last, when it is known what time is left, and stands where it plays.
        levels.sort(key=lambda level: SKILLS.index(level.name))
        ladder = join_ladders(trial or (), rank_bots(every))
        return levels, ladder, [done.part.name for done in every if not done.played]

    def _try(
        self, prompt: str, seconds: float, measure: Callable[[float, int, int, Callable[[int, int], None]], list[T]]
    ) -> list[T]:
        """Measure bots that are tried, in so many seconds."""
        progress = Progress(prompt, time.perf_counter() + seconds)
        try:
            return measure(seconds, self.jobs, self.request.most, progress)
        finally:
            progress.say("")

    def _mend(self, report: Report, plan: Plan, seconds: float) -> list[Mend]:
        """Try other values for what stands out, in so many seconds."""
        assert self.source is not None and report.play is not None, "only what can be changed is mended"
        troubles, began = choose_troubles(report), time.perf_counter()
        level = next(level for level in report.play.levels if level.result is find_speaker(report)[1])
        pace = level.seconds * self.jobs / max(1, level.games)
        plan = evolve(plan, bots=(level.bots,) * plan.players, rotate=False, watched=True)
        now = write_settings(plan.rulebook.options, plan.options, plan.rulebook.units)
        own = [keys for trouble in troubles for keys in find_paths(trouble)]
        possible = list_changes(self.source, plan, own, now) if troubles else iter(())
        changes = [*islice(possible, 1)]
        many = count_changes(changes[0].plan, seconds, pace, self.jobs) if changes else 0
        if many < 2:
            return []
        changes += islice(possible, many - 1)
        left = seconds - (time.perf_counter() - began)
        progress = Progress("changes: ", time.perf_counter() + left)
        try:
            mends = measure_mends(plan, changes, troubles, left, self.jobs, self.request.most, progress)
        finally:
            progress.say("")
        books = {(change.name, change.value): change.plan.rulebook for change in changes}
        told = [find_changed_sentence(plan.rulebook, books[mend.change, mend.set_to]) for mend in mends]
        return [
            mend if sentence is None else evolve(mend, rule=sentence[0], sentence=sentence[1])
            for mend, sentence in zip(mends, told, strict=True)
        ]

    def _open(self, opened: ExitStack) -> tuple[Cluster | None, Store | None]:
        """Open the cluster, then the store: if the cluster cannot be reached, no file is left behind."""
        request, cluster = self.request, None
        if request.cluster is not None:
            if self.jobs > 1:
                raise BadRequest("A cluster has as many workers as were started: leave out --jobs or --cluster.")
            cluster = opened.enter_context(Cluster(request.cluster))
        return cluster, None if request.out is None else opened.enter_context(Store(request.out))

    def _play_series(
        self,
        plan: Plan,
        store: Store | None,
        cluster: Cluster | None,
        progress: Progress | None = None,
        games: int | None = None,
        piece: int = PIECE,
    ) -> tuple[Result, Tally]:
        out, until = self.request.out, self.request.until
        games = games or self.request.games or (MOST_GAMES if until is not None else GAMES)
        _ready_learners(plan, self.jobs, self.readied)
        progress, crashes = progress or Progress(), 1 if out is None else MOST_CRASHES
        try:
            result = play(plan, games, self.jobs, until, store, self.coverage, progress, crashes, cluster, piece)
        except (KeyboardInterrupt, BadCluster, Killed):
            if out is not None:
                progress.say("")
                there = f"{progress.done} games are in {out}; the same command goes on from there."
                click.echo(in_words(there), err=True)
            raise
        finally:
            progress.say("")
        tally = Tally.of(plan, result.told())
        self._keep_outliers(result, tally)
        return result, tally

    def _follow(self, tally: Tally, result: Result) -> Followed | None:
        """Follow the course of games, by our own processes."""
        progress = Progress("course: ")
        try:
            table = Table(evolve(result.plan, watched=False))
            seconds = None if self.request.lens is None else COURSE * self.request.lens
            return follow_series(tally, table, self.jobs, tell_account, progress, seconds)
        finally:
            progress.say("")

    def _keep_outliers(self, result: Result, tally: Tally) -> None:
        """Write the games that somebody will want to see into files of their own; a crash without a file for games
        ends it."""
        written, out = {}, self.request.out
        if out is None:
            into, wanted = find_failures(self.folder), [("crashed", game.number) for game in tally.crashed.values()]
        else:
            into, wanted = out.with_suffix(".games"), list(tally.outliers())
        for what, number in wanted if result.plan.can_be_repeated else ():
            try:
                written[number] = result.write_save(into, what, number)
            except OSError as error:
                click.echo(f"The game could not be written to {into}: {error.strerror}.", err=True)
        for game in tally.crashed.values():
            words = _describe_crash(result.plan, game, written.get(game.number))
            if out is None:
                raise OurBug(words) if game.ours else RulesFailed(words)
            click.echo(words, err=True)
        if result.given_up:
            click.echo(f"Given up after {result.games} games: {tally.endings['crashed']} crashed.", err=True)


def tell_account(game: Game) -> Callable[[], Sequence[str]]:
    """Make what tells, in lines as long as they are, what is new in a game."""
    from rulebook.table.story import Account

    return Account(game, _UNBROKEN).word_news


def _ready_learners(plan: Plan, jobs: int, told: set[str]) -> None:
    """Let bots that learn do so before games are counted, and say once how well they play."""
    learners = [spec for spec in plan.bots if learns(spec)]
    program = lower(plan.rulebook, plan.players, plan.options) if learners else None
    if program is not None:
        line = " ".join(ready_bots(program, learners, lambda line: click.echo(line, err=True), jobs))
        if line not in told:
            told.add(line)
            click.echo(line, err=True)


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


@click.command(name="simulate")
@folders.game_argument
@click.option("--players", type=HowMany(), metavar="N|all", help="How many players; the fewest if not given.")
@click.option("--games", type=Whole(1), metavar="G", help="How many; 100 if not given.")
@click.option(
    "--until",
    type=Narrow(),
    metavar="±0.01",
    help="Until it is known that closely what each seat wins (--rotate: each bot), but --games at most.",
)
@click.option("--seed", type=SEEDS, help="The same seed gives the same numbers.")
@folders.game_options
@folders.without_option
@bots_options
@click.option("--vary", is_flag=True, help="Then also play each other choice of each house rule, one at a time.")
@playing_options
@click.option("--details", is_flag=True, help="Count cards, options and leads too, which takes longer.")
@click.option(
    "--course/--no-course",
    default=None,
    help="Play on from moments of games: when they are decided, what hangs on decisions. --report does.",
)
@out_option("Keep every game here, with details; the same command goes on where it was interrupted.")
@click.option(
    "--export", type=NewFile(".csv"), metavar="FILE.csv", help="Write a table with a row for each seat of each game."
)
@report_option("Write all of it, with details, as a page with drawings; the same as JSON beside it.")
@click.option(
    "--never",
    multiple=True,
    metavar="OPTION",
    help="Play the same deals, in which one player never chooses this card, action or answer.",
)
@click.option(
    "--always",
    multiple=True,
    metavar="OPTION",
    help="Play the same deals, in which one player always chooses it where it is offered.",
)
@click.option(
    "--pair",
    multiple=True,
    metavar="OPTION,OPTION",
    help="Play the same deals without each of the two and without both: what they are worth together.",
)
@click.option("--each-card", is_flag=True, help="Do --never of everything that can be chosen.")
@assert_option
@json_option
@coverage_options
@color_option
def simulate_command(**words: Any) -> None:
    """Play many games of GAME between bots, and count."""
    request = read_request(words)
    asked = games.find_game(request.game, request.variants, request.given, request.without)
    rulebook, seed, out = asked.rulebook, request.seed, request.out
    players = request.players
    if players is None:
        numbers_here = choose_numbers(rulebook, asked.options, None, None, request.bots)
        players = len(seat_players(numbers_here, None, None, request.bots))
    if seed is None:
        if out is not None and os.path.exists(out):
            raise BadRequest(f"{out} is there already: give the --seed of the games in it to go on, or of new ones.")
        # Short, to be typed again: nobody plays against these games, and so it is no secret.
        seed = secrets.randbelow(1_000_000_000)
    covered = Coverage(rulebook) if request.coverage or request.require is not None else None
    has_details = request.details or any(file is not None for file in (out, request.export, request.report))
    is_watched = has_details or request.lens is not None
    plans = [
        request.make_plan(rulebook, number, options, seed, is_watched=is_watched)
        for number, options in _list_settings(rulebook, players, asked.options, request.vary)
    ]
    assertions = [read_assertions(request, _list_measures(plan)) for plan in plans]
    wish = read_wish(request, plans)
    jobs = request.count_jobs(is_long=request.lens is not None)
    source = GameFiles(asked.folder, asked.variants, asked.game)
    playing = Playing(request, asked.folder, jobs, covered, wish, source=source)
    reports = playing.report(plans) if request.lens is None else [playing.report_levels(plan) for plan in plans]
    if request.export is not None:
        with writing(request.export):
            write_csv(playing.exported, request.export)
    before = _lay_together(reports)
    if request.report is not None:
        data = [make_plain(report) for report in reports]
        write_page(request.report, reports, worded_points(plans[0]), data, before)
    coverage = None if covered is None else covered.report()
    if request.as_json:
        plain = make_plain(reports[0])
        if len(reports) > 1 or coverage is not None:
            plain = {"simulations": [make_plain(report) for report in reports]}
        if coverage is not None:
            plain["coverage"] = coverage.to_json()
        click.echo(dump_json(plain))
    else:
        for table in before[1] if before is not None else ():
            echo_lines([*rows_of(table), ""])
        for report, plan in zip(reports, plans, strict=True):
            echo_lines([*result_lines(report, worded_points(plan), has_details=has_details), ""])
        echo_lines([] if coverage is None else print_coverage(rulebook.title, coverage))
    if coverage is not None:
        check_required({rulebook.title: coverage}, request.require)
    if any(report.endings.get("crashed") for report in reports):
        raise click.exceptions.Exit(RULES_FAILED)
    for report, of_report in zip(reports, assertions, strict=True):
        check_assertions(of_report, report.measured or {})


def _lay_together(reports: Sequence[Report]) -> tuple[str, list[Rows]] | None:
    """Lay out before all reports how often all win together with each number of players, if that was asked."""
    if len(reports) < 2 or not all(report.is_together and report.decides for report in reports):
        return None
    from rulebook.reporting.described import describe_together

    return "How often all win together, by how many play", [describe_together(reports)]


def _list_settings(
    rulebook: Rulebook, players: int | Literal["all"], options: dict[str, Any], vary: bool
) -> list[tuple[int, dict[str, Any]]]:
    """List the settings to play: numbers of players, each with its house rules.

    The numbers of players take turns with the house rules that vary: all of both, not each with each. What is forbidden
    is left out, but for what was asked for itself.
    """
    wanted = [players] if players != "all" else list_numbers(rulebook, options) or [rulebook.players[0]]
    found = [(number, options) for number in wanted]
    turn = 0
    for other in others(rulebook, options) if vary else ():
        here = [number for number in wanted if number in list_numbers(rulebook, other)]
        if here:
            found.append((here[turn % len(here)], other))
            turn += 1
    return found


@click.command(name="compare")
@folders.game_argument
@folders.game_options
@folders.without_option
@click.option("--players", type=Whole(1), metavar="N", help="How many players; the fewest if not given.")
@click.option("--games", type=Whole(2), metavar="G", default=2000, show_default=True, help="How many of each.")
@click.option("--seed", type=SEEDS, default=1, show_default=True, help="Which deals.")
@bots_options
@playing_options
@out_option("Keep every game of both here; the same command goes on where it was interrupted.")
@report_option("Write all of it as a page with drawings; the same as JSON beside it.")
@assert_option
@json_option
@color_option
def compare_command(**words: Any) -> None:
    """Play GAME as it is and with --variant or --set, on the same deals, and say what is different.

    With --without, the game is as --variant and --set make it, and the same deals are played without that card.
    """
    if not words["variants"] and not words["given"] and not words["without"]:
        raise click.UsageError(
            "Say what to change: --variant NAME or --set NAME=VALUE or --without CARD, once or several times."
        )
    request = read_request(words)
    rules = request.variants, request.given
    base = games.find_game(request.game, *(rules if request.without else ((), ())))
    changed = games.find_game(request.game, *rules, request.without)
    # What a card did for those who had it shows only where cards are counted.
    plans = [
        request.make_plan(side.rulebook, words["players"], side.options, words["seed"], is_watched=is_watched)
        for side, is_watched in ((base, bool(request.without)), (changed, False))
    ]
    if plans[0].players != plans[1].players:
        raise BadRequest("The two games are for different numbers of players. Say how many shall play: --players N.")
    before, after = map(_list_measures, plans)
    both = [f"difference.{name}" for name in before if name in after]
    assertions = read_assertions(request, [*after, *(f"base.{name}" for name in before), *both, "changed_winners"])
    is_long = request.lens is not None or (request.cluster is None and words["games"] >= _MANY)
    playing = Playing(request, base.folder, request.count_jobs(is_long=is_long))
    comparison = playing.compare(*plans) if request.lens is None else playing.compare_levels(*plans)
    aim = plans[0].rulebook.display.aim
    changes = sum_up_change(base.game, changed.game, base.options, changed.options)
    comparison = evolve(
        comparison,
        told=[*([aim] if aim else []), *changes],
        variants=[*changed.rulebook.variants.values()],
        rule_by_rule=[*list_changed_rules(base.game, changed.game)] if base.variants != changed.variants else (),
    )
    points = worded_points(plans[0])
    if request.report is not None:
        write_page(request.report, [comparison], points, make_plain(comparison))
    if request.as_json:
        click.echo(dump_json(make_plain(comparison)))
    else:
        echo_lines(map(in_words, result_lines(comparison, points)))
    check_assertions(assertions, comparison.measured)
