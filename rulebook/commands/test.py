"""`rulebook test`: the scenarios of games, run."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

import click

from rulebook.commands.console import (
    RULES_FAILED,
    BadRequest,
    Progress,
    color_option,
    echo_lines,
    is_wanted,
    terminal_width,
)
from rulebook.commands.folders import (
    as_typed,
    find_extended,
    game_options,
    games_at,
    is_stray,
    name_game,
    variants_at,
)
from rulebook.commands.games import no_such_settings, settings
from rulebook.commands.numbers import check_required, coverage_options, print_coverage
from rulebook.diagnostics import Diagnostic
from rulebook.diagnostics.render import count_noun, render_text
from rulebook.dsl.overlay.variant import name_id
from rulebook.dsl.settling.forbidding import BadSettings
from rulebook.loading.suppressions import heed_comments
from rulebook.playtest.coverage import Coverage, Report
from rulebook.playtest.scenarios.ground import Grounds
from rulebook.playtest.scenarios.mutants import Tried, describe_mutant, place_mutant, try_mutants
from rulebook.playtest.scenarios.reading import Scenario, count_scenarios, find_variant_beside, load_scenarios
from rulebook.playtest.scenarios.trial import ScenarioResult, find_skipped, run
from rulebook.printing import dump_json, one_line, paint
from rulebook.source import Span
from rulebook.table.columns import labelled

_FOLDERS = ("scenarios", "failures")
_MOST_SKIPS = 3


@click.command(name="test")
@click.argument("paths", nargs=-1, type=click.Path(path_type=Path), metavar="[PATH]…")
@game_options
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
@coverage_options
@click.option("--mutants", is_flag=True, help="Say what can be left out of the rules, and no scenario notices.")
@click.option("--begin", is_flag=True, help="Print scenarios to begin with, which notice it. Asks for --mutants.")
@color_option
@click.pass_context
def test_command(
    ctx: click.Context,
    paths: tuple[Path, ...],
    variants: tuple[str, ...],
    given: tuple[str, ...],
    as_json: bool,
    coverage: bool,
    require: float | None,
    mutants: bool,
    begin: bool,
) -> None:
    """Run the scenarios of games.

    A PATH is a file of scenarios or a folder of such, a game's folder, or a folder of games. Without one: the game in
    the folder where you are, or all games below it. With --variant all scenarios are of the game under that
    variant. A file of scenarios may lie beside a variant that is given by its path, too.
    """
    total, left_out, broken = 0, 0, False
    failed: list[ScenarioResult] = []
    unnamed = 0
    covered: dict[str, Coverage] = {}
    by_folder: dict[Path, list[Scenario]] = {}
    width = terminal_width()
    for folder, only in _find_wanted(paths, variants):
        laid = variants_at(folder, variants)
        try:
            scenarios, messages = load_scenarios(folder, only, laid, settings(given), use_cache=True)
        except BadSettings as refused:
            raise no_such_settings(refused.rulebook, refused.problems, as_typed(*name_game(folder, variants))) from None
        if messages:
            click.echo(render_text(messages, width, is_wanted(err=as_json)), nl=False, err=as_json)
        counted = _begin_coverage(folder, scenarios, laid) if coverage or require is not None else None
        if any(message.severity == "error" for message in messages):
            broken = True
            left_out += count_scenarios(folder, only) - len(scenarios)
        hints: list[Diagnostic] = []
        for scenario in scenarios:
            result = run(scenario)
            total += 1
            hints += result.hints
            if not result.passed:
                failed.append(result)
                unnamed += not {name_id(file) for file in laid} <= {*scenario.variants}
                echo_lines([] if as_json else _failure(result, width))
        # What is wrong with the comments themselves was found with the scenarios.
        heeded = heed_comments(hints, dict.fromkeys(scenario.span.file for scenario in scenarios), complete=False)
        shown = [hint for hint in heeded if hint in hints]
        if shown:
            click.echo(render_text(shown, width, is_wanted(err=as_json)), nl=False, err=as_json)
        if mutants or begin:
            # Several files of one game may be named; together they say what is noticed.
            by_folder.setdefault(folder, []).extend(_find_about(scenarios, laid))
        if counted is not None and counted.rulebook.id in covered:
            # Several files of one game were named, and each was read for itself.
            covered[counted.rulebook.id].add(counted.counts())
        elif counted is not None:
            covered[counted.rulebook.id] = counted
    if total == 0 and not broken:
        raise BadRequest("There are no scenarios there. They stand in the folder scenarios beside a game's files.")
    reports = {id: coverage.report() for id, coverage in covered.items()}
    tried = {} if failed or broken else _try_mutants(by_folder.values())
    folders = dict(zip(tried, (folder for folder, about in by_folder.items() if about), strict=True)) if begin else {}
    beginnings = {id: _find_beginnings(tried[id], folder, variants) for id, folder in folders.items()}
    if as_json:
        click.echo(dump_json(_json(total, left_out, failed, reports, tried, beginnings)))
    else:
        for id, mutated in tried.items():
            echo_lines([*_list_mutants(mutated), ""])
            if begin:
                echo_lines([*_list_beginnings(mutated, beginnings[id]), ""])
        for id, report in reports.items():
            echo_lines([*print_coverage(covered[id].rulebook.title, report), ""])
        if unnamed:
            where = "under a variant that their files do not name: they are about the game without it"
            click.echo(f"{unnamed} failed {where}.")
        there, not_run = total + left_out, f", {left_out} not run" if left_out else ""
        counts = f"{total - len(failed)} passed, {len(failed)} failed{not_run}."
        click.echo(f"{count_noun(there, 'scenario')}: {counts}")
    if by_folder and (failed or broken):
        click.echo("Nothing was left out of the rules: all scenarios must pass first.", err=True)
    if failed or broken:
        ctx.exit(RULES_FAILED)
    check_required({covered[id].rulebook.title: report for id, report in reports.items()}, require)


def _begin_coverage(folder: Path, scenarios: Sequence[Scenario], variants: Sequence[Path]) -> Coverage | None:
    """Begin to count what these scenarios will run of a game; a game without any has rules too, which nothing reaches.

    What scenarios run that ask for variants of their own is not counted: they are few, and their game is another one.
    """
    ids = tuple(name_id(file) for file in variants)
    grounds = [scenario.ground for scenario in scenarios if (*scenario.ground.rulebook.variants,) == ids]
    ground = grounds[0] if grounds else Grounds(folder, variants, use_cache=True).under()
    return None if ground is None else ground.cover()


def _json(
    total: int, left_out: int, failed: Sequence[ScenarioResult], reports: Mapping[str, Report],
    tried: Mapping[str, Tried], beginnings: Mapping[str, Mapping[int, str]],
) -> dict[str, object]:
    """The same for machines; `coverage` and `mutants` are by game, if they were asked for."""
    results: dict[str, object] = {
        "scenarios": total + left_out,
        "passed": total - len(failed),
        "failed": [
            {
                "file": trial.scenario.file,
                "line": trial.scenario.span.line,
                "title": trial.scenario.title,
                "expected": [{"line": failure.line, "got": failure.instead} for failure in trial.failures],
            }
            for trial in failed
        ],
        "not_run": left_out,
    }
    results |= {"mutants": {id: mutated.to_json(beginnings.get(id)) for id, mutated in tried.items()}} if tried else {}
    return results | {"coverage": {id: report.to_json() for id, report in reports.items()}} if reports else results


def _find_about(scenarios: Sequence[Scenario], variants: Sequence[Path]) -> list[Scenario]:
    """Find the scenarios that are about no further variant: only those say something of this game."""
    ids = tuple(name_id(file) for file in variants)
    return [scenario for scenario in scenarios if (*scenario.ground.rulebook.variants,) == ids]


def _try_mutants(games: Iterable[Sequence[Scenario]]) -> dict[str, Tried]:
    """Try the mutants of each game against its scenarios."""
    tried = dict[str, Tried]()
    for scenarios in filter(None, games):
        rulebook = scenarios[0].ground.rulebook

        def say(done: int, mutants: int, title: str = one_line(rulebook.title)) -> None:
            Progress.say(f"{title}: {done} of {count_noun(mutants, 'change')} of the rules")

        tried[rulebook.id] = try_mutants(scenarios, say)
        Progress.say("")
    return tried


def _list_mutants(tried: Tried) -> list[str]:
    """List what no scenario notices, and what none comes by."""
    lost = len(tried.unnoticed) + len(tried.unmet)
    title, changes = one_line(tried.rulebook.title), f"{count_noun(tried.mutants, 'change')} of the rules"
    if not lost:
        return [f"{title}: scenarios notice each of {changes}."]
    lines = [f"{title}: {lost} of {changes} can be made, and no scenario notices."]
    for heading, mutants in (("Not noticed:", tried.unnoticed), ("In no scenario:", tried.unmet)):
        rows = (f"  {place_mutant(mutant)}: {describe_mutant(mutant)}" for mutant in mutants)
        lines += ["", heading, *rows] if mutants else []
    return lines


def _find_beginnings(tried: Tried, folder: Path, variants: Sequence[str]) -> dict[int, str]:
    """Find scenarios to begin with, beside the game in this folder."""
    from rulebook.playtest.scenarios.beginnings import Beginnings

    grounds = Grounds(folder, variants_at(folder, variants), use_cache=True)

    def say(done: int, settings: int) -> None:
        Progress.say(f"{one_line(tried.rulebook.title)}: games in {done} of {count_noun(settings, 'setting')}")

    texts = Beginnings(tried, grounds).record_all(say)
    Progress.say("")
    return texts


def _list_beginnings(tried: Tried, texts: Mapping[int, str]) -> list[str]:
    """List scenarios to begin with as one file, and say for what there is none."""
    lost = (mutant for mutant in (*tried.unnoticed, *tried.unmet) if mutant.number not in texts)
    without = [f"#   {place_mutant(mutant)}: {describe_mutant(mutant)}" for mutant in lost]
    lines = ["# Of these no game was found in which somebody would notice:", *without] if without else []
    if texts:
        head = next(iter(texts.values())).partition("scenarios:\n")[0]
        title = "# Scenarios to begin with. Each passes, and fails with the change that it is called after."
        lines += [title, head.strip(), "scenarios:"]
    return [*filter(None, lines), *(line for text in texts.values() for line in _skip_head(text))]


def _skip_head(text: str) -> list[str]:
    """The lines of a file of scenarios without what stands above the first one."""
    return text.partition("scenarios:\n")[2].splitlines()


def _find_wanted(paths: tuple[Path, ...], names: tuple[str, ...]) -> list[tuple[Path, Path | None]]:
    """Find the games, each with the one file of scenarios that is meant, or None for all.

    One that lies beside no game is about what a variant extends: a file that is named, or one that it names itself.
    """
    files: list[Path] = []
    others: list[Path] = []
    wanted: list[tuple[Path, Path | None]] = []
    for path in paths:
        named = next((Path(name) for name in names if os.path.isfile(name)), None)
        if is_stray(path) and (variant := named or find_variant_beside(path)) is not None:
            wanted.append((find_extended(variant), path))
        elif os.path.isfile(path) and path.parent.name in _FOLDERS:
            files.append(path)
        elif path.resolve().name in _FOLDERS and os.path.isdir(path):
            files += sorted(path.glob("*.yaml"))
        else:
            others.append(path)
    wanted += [(games_at((file,))[0], file) for file in files]
    if others or not paths:
        wanted += [(folder, None) for folder in games_at(tuple(others))]
    return wanted


def _failure(result: ScenarioResult, width: int) -> list[str]:
    scenario = result.scenario
    title = f"{scenario.file}:{scenario.span.line}: {scenario.title}"
    lines = [paint("31;1", title) if is_wanted() else title]
    for failure in result.failures:
        rows = [("expected", failure.line), ("got", failure.instead)] if failure.line else [("got", failure.instead)]
        if failure.span is not None and failure.span.line != scenario.span.line:
            rows.append(("at", f"{failure.span.file.name}:{failure.span.line}"))
        lines += labelled(rows, max(width - 1, 20))
    return [*lines, *labelled(_list_skipped(find_skipped(scenario)), max(width - 1, 20)), ""]


def _list_skipped(spans: tuple[Span, ...]) -> list[tuple[str, str]]:
    """List the sentences skipped because they name somebody who is not there: often nobody thought of that."""
    rows = [f"{span.file.name}:{span.line} `{span.file.line(span.line).strip()}`" for span in spans[:_MOST_SKIPS]]
    if len(spans) > _MOST_SKIPS:
        rows.append(f"and {len(spans) - _MOST_SKIPS} more")
    if rows:
        rows.append("because somebody or something was not there")
    return [("" if number else "skipped ", row) for number, row in enumerate(rows)]
