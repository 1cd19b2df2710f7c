"""`rulebook tune`: values of house rules, copies and numbers are searched for a stated aim."""

from __future__ import annotations

import re
import shlex
import time
from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from math import prod
from pathlib import Path

import attrs
import click

from rulebook import files
from rulebook.authoring.knobs import BadKnob, read_knobs
from rulebook.authoring.turning import GameFiles, Settings
from rulebook.commands import folders, games
from rulebook.commands.console import (
    RULES_FAILED,
    BadRequest,
    NewFile,
    Progress,
    RulesFailed,
    Whole,
    color_option,
    columns,
    echo_lines,
    writing,
)
from rulebook.commands.numbers import rows_of
from rulebook.commands.seats import choose_numbers
from rulebook.commands.series import Playing, make_plain, refused, write_page
from rulebook.commands.series_options import (
    SEEDS,
    Request,
    Seconds,
    cluster_option,
    jobs_option,
    json_option,
    report_option,
)
from rulebook.dsl.settling.leaving_out import NoSuchCard, cards_named
from rulebook.dsl.settling.options import write_settings
from rulebook.playtest.bots import check_spec
from rulebook.playtest.series.cluster import Cluster
from rulebook.playtest.series.plan import plan_of
from rulebook.playtest.tuning.aims import BadAim, read_aims
from rulebook.playtest.tuning.counted import list_figures
from rulebook.playtest.tuning.searching import Found, Search
from rulebook.printing import dump_json
from rulebook.reporting.described import Lines, Table
from rulebook.reporting.report import worded_points
from rulebook.reporting.tuned import (
    Tuned,
    describe_tuned,
    find_needed,
    list_costs,
    weigh,
    word_headline,
    word_rest,
    word_values,
    write_outcome,
)
from rulebook.table.columns import wrapped

_PAGED = 1000
SECONDS = 600
"""The length of a search for which nobody gives one."""


@click.command(name="tune")
@folders.game_argument
@click.option(
    "--vary", required=True, multiple=True, metavar="NAME=VALUES",
    help="A house rule, copies(CARD) or the path of a number, and its values: 300..700, 1..9 by 2, yes,no.",
)  # fmt: skip
@click.option(
    "--until", required=True, metavar='"seat_gap < 2"', help="The aim; several are joined by `and`: length = 100..140."
)
@click.option("--players", type=Whole(1), metavar="N", help="How many players; the fewest if not given.")
@click.option(
    "--levels", default="random,greedy", show_default=True, metavar="KIND,…",
    help="Who plays: kinds of bots from weak to strong; the last one judges.",
)  # fmt: skip
@click.option("--games", "most", type=Whole(200), metavar="G", default=4000, show_default=True,
              help="The most games of a setting in the search; up to sixteen times as many in the end.")  # fmt: skip
@click.option("--seconds", type=Seconds("--seconds 600"), metavar="SECONDS", default=SECONDS, show_default=True,
              help="End the search after so long, and say what it did not finish.")  # fmt: skip
@click.option("--seed", type=SEEDS, default=1, show_default=True,
              help="Which deals; the same seed finds the same, where there is time.")  # fmt: skip
@folders.game_options
@jobs_option
@cluster_option
@click.option("--save-variant", type=NewFile(".yaml"), metavar="FILE.yaml", help="Write the best as a variant.")
@report_option("Write all of it as a page, with full reports of the few; the same as JSON beside it.")
@json_option
@color_option
def tune_command(
    game: str, vary: tuple[str, ...], until: str, players: int | None, levels: str, most: int, seconds: float,
    seed: int,
    variants: tuple[str, ...], given: tuple[str, ...], jobs: int, cluster: str | None, save_variant: Path | None,
    report: Path | None, as_json: bool,
) -> None:  # fmt: skip
    """Search values of GAME's house rules, copies and numbers for an aim, such as fair seats or a length."""
    bots = levels.split(",")
    began = time.perf_counter()
    asked = games.find_game(game, variants, given)
    rulebook = asked.rulebook
    now = write_settings(rulebook.options, asked.options, rulebook.units)

    def find_card(word: str) -> str:
        [id, *_] = cards_named(rulebook, word)
        return id

    with refused():
        for bot in bots:
            check_spec(bot)
    number = players or choose_numbers(rulebook, asked.options, None, None, bots[0])[0]
    plan = plan_of(rulebook, number, seed, asked.options, called=game, laid=variants)
    try:
        knobs = read_knobs(asked.game, vary, now)
        aims = read_aims(until, list_figures(plan), find_card)
    except (BadKnob, BadAim, NoSuchCard) as bad:
        raise BadRequest(str(bad)) from None
    plan = attrs.evolve(plan, watched=any(aim.card is not None for aim in aims))
    id = "tuned" if save_variant is None else re.sub(r"\W+", "_", save_variant.stem).lower()
    settings = Settings(GameFiles(asked.folder, asked.variants, asked.game), knobs, plan, id)
    sizes = [len(knob.values) for knob in knobs]
    possible = prod(sizes)
    with refused(), ExitStack() as opened:
        workers = None if cluster is None else opened.enter_context(Cluster(cluster))
        search = Search(
            sizes, settings.make, aims, bots, seed, most, seconds, jobs, workers, Progress.say
        )
        try:
            found = search.run()
        finally:
            Progress.say("")
    if not found.asked:
        raise RulesFailed(f"None of these settings can be played. {settings.why}".rstrip())
    written = [(knob.name, knob.values) for knob in knobs]
    few = [write_outcome(one, written, aims) for one in found.few]
    flags = [f"--players {number}", *(f"--vary {shlex.quote(word)}" for word in vary), f"--until {shlex.quote(until)}"]
    tuned = Tuned(
        title=rulebook.title,
        headline=word_headline(found, few, aims, possible),
        verdict=found.verdict,
        aims=[aim.described for aim in aims],
        bots=bots,
        players=number,
        few=few,
        weights=weigh(found, written, aims),
        costs=list_costs(found, written, aims),
        settings=found.asked,
        judged=found.judged,
        possible=possible,
        unplayable=settings.unplayable + found.broken,
        open=found.open,
        games=found.games,
        seconds=round(time.perf_counter() - began, 1),
        is_late=found.is_late,
        needed=find_needed(found, most, seconds),
        command=" ".join(["rulebook tune", asked.called, *flags, f"--levels {','.join(bots)}", f"--seed {seed}"]),
    )
    items = describe_tuned(tuned, aims)
    variant = _write_best(settings, found, tuned)
    if save_variant is not None:
        _save(save_variant, variant, tuned)
    if report is not None:
        request = _ask_report(game, variants, given, number, seed, jobs, report)
        reports = Playing(request, asked.folder, jobs).report(
            [attrs.evolve(one.plan, watched=True) for one in found.few]
        )
        plain = attrs.asdict(tuned) | {"reports": [make_plain(one) for one in reports]}
        headline = f"{tuned.headline} {word_rest(tuned)}".rstrip()
        write_page(report, reports, worded_points(plan), plain, (headline, items))
    if as_json:
        click.echo(dump_json(attrs.asdict(tuned)))
    else:
        echo_lines(_list_lines(tuned, items, settings.why, variant, save_variant))
    if found.verdict != "found":
        raise click.exceptions.Exit(RULES_FAILED)


def _list_lines(
    tuned: Tuned, items: Sequence[Table | Lines], why: str, variant: str, file: Path | None
) -> Iterator[str]:
    who = " then ".join(tuned.bots)
    played = f"{tuned.games} games of {tuned.settings} settings"
    yield from wrapped(f"{tuned.title}, {tuned.players} players, {who}: {played}", columns())
    yield ""
    yield from wrapped(f"{tuned.headline} {word_rest(tuned)}".rstrip(), columns())
    for item in items:
        yield from rows_of(item) if isinstance(item, Table) else ()
    if tuned.unplayable:
        first = f" The first: {why}" if why else ""
        yield ""
        settings = "1 setting" if tuned.unplayable == 1 else f"{tuned.unplayable} settings"
        were = "was" if tuned.unplayable == 1 else "were"
        yield from wrapped(f"{settings} cannot be played, and {were} left out.{first}", columns())
    if variant:
        yield from ("", "As a variant:" if file is None else f"As a variant, written to {file}:", "")
        yield from (f"  {line}" for line in variant.splitlines())


def _write_best(settings: Settings, found: Found, tuned: Tuned) -> str:
    """Write the best as a variant; nothing if that is the game as it is, or none is near."""
    if found.verdict == "none" or not found.few or found.few[0].values == settings.here:
        return ""
    about = f"Searched for {' and '.join(tuned.aims)}: {word_values(tuned.few[0].values)}."
    name = settings.id.replace("_", " ").capitalize()
    return settings.write_setting(found.few[0].values, name, about, sets=True)


def _save(file: Path, variant: str, tuned: Tuned) -> None:
    if not variant:
        why = "none of these meets the aim" if tuned.verdict == "none" else "the game is best as it is"
        click.echo(f"{file} was not written: {why}.", err=True)
        return
    with writing(file):
        files.replace(file, variant.encode())


def _ask_report(
    game: str, variants: tuple[str, ...], given: tuple[str, ...], players: int, seed: int, jobs: int, report: Path
) -> Request:
    """The request for full reports of the few."""
    return Request(
        game=game, variants=variants, given=given, without=(), players=players, games=_PAGED, seed=seed, bots="",
        rotate=False, lens=None, timeout=60.0, tier="core", jobs=jobs, cluster=None, course=False, out=None,
        report=report, asserts=(), as_json=False, chosen=frozenset({"games"}),
    )  # fmt: skip
