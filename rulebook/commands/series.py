"""What commands that play many games have in common: a file for them, progress, what is said of games that crash.

In: plans. Out: a report for each. Never: goes on with a game that crashed as if nothing had happened.
"""

from __future__ import annotations

import re
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

import click

from rulebook.commands.failures import RULES_FAILED, BadRequest, OurBug, RulesFailed
from rulebook.commands.names import command, in_words
from rulebook.commands.progress import Progress

if TYPE_CHECKING:
    from rulebook.playtest.coverage import Coverage
    from rulebook.playtest.series.cluster import Cluster
    from rulebook.playtest.series.measured import Question
    from rulebook.playtest.series.plan import Plan
    from rulebook.playtest.series.playing import Result
    from rulebook.playtest.series.record import Played
    from rulebook.playtest.series.store import Store
    from rulebook.playtest.series.tally import Tally

__all__ = [
    "GAMES",
    "Playing",
    "assert_option",
    "asserted",
    "named",
    "out_option",
    "questions",
    "refused",
    "sharing_options",
    "worded_points",
    "write_page",
]

Command = TypeVar("Command", bound=Callable[..., Any])

GAMES = 100
"""How many games are played if nobody says."""


def worded_points(plan: Plan) -> Callable[[float], str]:
    """What points of this game are in words; a mean has one place behind the point, if no smaller unit says as much."""
    from rulebook.dsl.settling.options import amount_text

    units = plan.rulebook.units
    if not units or not _in_units(plan):
        return lambda points: f"{points:.1f}"
    if len(units) == 1:
        [(unit, size)] = units.items()
        return lambda points: f"{points / size:.1f} {unit}"
    return lambda points: amount_text(round(points), units)


def _in_units(plan: Plan) -> bool:
    from rulebook.interpreter.lower import lower

    return lower(plan.rulebook, plan.players, plan.options).score_sort == "amount"


def write_page(file: Path, reports: Sequence[dict[str, Any]], points: Callable[[float], str]) -> None:
    """A page for people, and beside it the same for programs."""
    import json

    from rulebook import files
    from rulebook.playtest.series.page import page
    from rulebook.version import __version__

    try:
        files.replace(file, page(reports, points, __version__).encode())
        data = json.dumps(list(reports), ensure_ascii=False, indent=1) + "\n"
        files.replace(file.with_suffix(".json"), data.encode())
    except OSError as error:
        raise BadRequest(f"{file} cannot be written: {error.strerror}.") from None


def sharing_options(command: Command) -> Command:
    """Add `--jobs` (as `jobs`) and `--cluster` (as `cluster`): who plays."""
    jobs = click.option(
        "--jobs", type=click.IntRange(1), metavar="J", default=1, show_default=True, help="Processes to use."
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


def out_option(help: str) -> Callable[[Command], Command]:
    """Add `--out` (as `out`): where games are kept."""
    file = click.Path(dir_okay=False, path_type=Path)
    return click.option("--out", type=file, metavar="FILE.sqlite", help=help)


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
    """What is measured in the games of a plan."""
    from rulebook.playtest.series.measured import names

    return names(plan.players, [one.name for one in plan.rulebook.measures])


def questions(asserts: Sequence[str], named: Sequence[str]) -> list[Question]:
    """What is asserted of what is `named`, before anything is played."""
    from rulebook.playtest.series.measured import BadQuestion, question

    try:
        return [question(text, named) for text in asserts]
    except BadQuestion as refused:
        raise BadRequest(str(refused)) from None


def asserted(asked: Sequence[Question], found: Mapping[str, float]) -> None:
    """Say what does not hold; the command ends here if anything does not."""
    from rulebook.playtest.series.measured import BadQuestion

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
    """What cannot be played, or not be written, is said in one sentence."""
    from rulebook.interpreter.decisions import BadSetup
    from rulebook.playtest.bots import BadSpec
    from rulebook.playtest.series.cluster import BadCluster
    from rulebook.playtest.series.store import BadExport, BadStore
    from rulebook.playtest.series.tiers import NoTier
    from rulebook.playtest.sharing import Killed

    try:
        yield
    except (BadSetup, BadSpec, NoTier, BadStore, BadExport, BadCluster) as error:
        raise BadRequest(str(error)) from None
    except Killed as killed:
        raise RulesFailed(str(killed)) from None


class Playing(NamedTuple):
    """How plans are played. Games are kept in `out`, and written to `exported`, if there is one."""

    folder: Path
    games: int | None
    until: float | None
    jobs: int
    coverage: Coverage | None = None
    out: Path | None = None
    exported: Path | None = None
    cluster: str | None = None
    """The address of one that plays, instead of `jobs` processes."""

    def reports(self, plans: Sequence[Plan]) -> list[dict[str, Any]]:
        """Play them all, one after the other, and say what each of them says."""
        from rulebook.playtest.series.measured import measures
        from rulebook.playtest.series.report import report_of
        from rulebook.playtest.series.store import check_export, export

        with refused(), ExitStack() as opened:
            if self.exported is not None:
                check_export(self.exported)
            cluster, store = self._open(opened)
            try:
                found = []
                for plan in plans:
                    started = time.perf_counter()
                    result, tally = self._played(plan, store, cluster)
                    report = report_of(tally, result.table.program, time.perf_counter() - started)
                    found.append(report | {"measured": measures(result.played(), plan.players)})
                if store is not None and self.exported is not None:
                    export(store, self.exported)
            except OSError as error:
                raise BadRequest(f"{self.exported} cannot be written: {error.strerror}.") from None
        return found

    def compared(self, base: Plan, changed: Plan) -> dict[str, Any]:
        """Play both, and say what is different."""
        from rulebook.playtest.series.comparing import compared

        with refused(), ExitStack() as opened:
            cluster, store = self._open(opened)
            return compared(*(self._played(plan, store, cluster)[0] for plan in (base, changed)))

    def _open(self, opened: ExitStack) -> tuple[Cluster | None, Store | None]:
        """Whoever cannot be reached leaves no file."""
        if self.cluster is not None and self.jobs > 1:
            raise BadRequest("A cluster has as many workers as were started: leave out --jobs or --cluster.")
        from rulebook.playtest.series.store import Store

        cluster = None
        if self.cluster is not None:
            from rulebook.playtest.series.cluster import Cluster

            cluster = opened.enter_context(Cluster(self.cluster))
        if self.out is None and self.exported is None:
            return cluster, None
        return cluster, opened.enter_context(Store(self.out if self.out is not None else Path(":memory:")))

    def _played(self, plan: Plan, store: Store | None, cluster: Cluster | None) -> tuple[Result, Tally]:
        from rulebook.playtest.series.cluster import BadCluster
        from rulebook.playtest.series.playing import MOST_CRASHES, MOST_GAMES, play
        from rulebook.playtest.series.tally import Tally
        from rulebook.playtest.sharing import Killed

        games = self.games or (MOST_GAMES if self.until is not None else GAMES)
        progress, crashes = Progress(), 1 if self.out is None else MOST_CRASHES
        done = 0

        def tell(played: int, planned: int) -> None:
            nonlocal done
            done = played
            progress(played, planned)

        try:
            result = play(plan, games, self.jobs, self.until, store, self.coverage, tell, crashes, cluster)
        except (KeyboardInterrupt, BadCluster, Killed):
            if self.out is not None:
                progress(0, 0)
                click.echo(in_words(f"{done} games are in {self.out}; the same command goes on from there."), err=True)
            raise
        finally:
            progress(0, 0)
        tally = Tally.of(plan, result.played())
        self._outliers(result, tally)
        return result, tally

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
            words = _crash(result.plan, one, files.get(one.number))
            if self.out is None:
                raise OurBug(words) if one.ours else RulesFailed(words)
            click.echo(words, err=True)
        if result.given_up:
            click.echo(f"Given up after {result.games} games: {tally.endings['crashed']} crashed.", err=True)


def _crash(plan: Plan, one: Played, file: Path | None) -> str:
    first, *where = one.error.split("\n")
    replay = plan.replay(one.number).replace("rulebook", command(), 1)
    words = [f"The game with seed {one.seed} stopped: {first} To see it again: {replay}", *where]
    if file is not None:
        words.append(f"All of it, up to there: {command()} replay {file}")
    return "\n".join(words)
