"""`rulebook test`: the scenarios of games, run.

In: paths. Out: each failed scenario with what it expected and what it got, then how many there were, with those that
could not be run because of mistakes; exit code 1 if one failed or could not be read. Never: stops at the first failure,
or takes a path without scenarios for a success.
"""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import TYPE_CHECKING

import click

from rulebook.commands.colours import color_option, is_wanted
from rulebook.commands.failures import RULES_FAILED, BadRequest
from rulebook.commands.validate import games_at

if TYPE_CHECKING:
    from rulebook.playtest.scenarios import ScenarioResult


@click.command(name="test")
@click.argument("paths", nargs=-1, type=click.Path(path_type=Path), metavar="[PATH]…")
@color_option
@click.pass_context
def test_command(ctx: click.Context, paths: tuple[Path, ...]) -> None:
    """Run the scenarios of games.

    A PATH is a file of scenarios, a game's folder, or a folder of games. Without one: the game in the folder where you
    are, or else the bundled games.
    """
    from rulebook.diagnostics.render import render_text
    from rulebook.playtest.scenarios import load_scenarios, run, titled

    total, failed, left_out, broken = 0, 0, 0, False
    width = shutil.get_terminal_size((80, 24)).columns
    for folder, only in _wanted(paths):
        scenarios, found = load_scenarios(folder, only)
        if found:
            click.echo(render_text(found, width, is_wanted()), nl=False)
        if any(one.severity == "error" for one in found):
            broken = True
            left_out += titled(folder, only) - len(scenarios)
        for scenario in scenarios:
            result = run(scenario)
            total += 1
            if not result.passed:
                failed += 1
                for line in _failure(result, width):
                    click.echo(line)
    if total == 0 and not broken:
        raise BadRequest("There are no scenarios there. They stand in the folder scenarios beside a game's files.")
    there, not_run = total + left_out, f", {left_out} not run" if left_out else ""
    click.echo(f"{there} scenario{'' if there == 1 else 's'}: {total - failed} passed, {failed} failed{not_run}.")
    if failed or broken:
        ctx.exit(RULES_FAILED)


def _wanted(paths: tuple[Path, ...]) -> list[tuple[Path, Path | None]]:
    """Games, each with the one file of scenarios that is meant, or None for all."""
    files = [path for path in paths if path.is_file() and path.parent.name == "scenarios"]
    others = tuple(path for path in paths if path not in files)
    wanted: list[tuple[Path, Path | None]] = [(games_at((file,))[0], file) for file in files]
    if others or not files:
        wanted += [(folder, None) for folder in games_at(others)]
    return wanted


def _failure(result: ScenarioResult, width: int) -> list[str]:
    """One scenario that went otherwise."""
    from rulebook.table.columns import labelled

    scenario = result.scenario
    title = f"{scenario.file}:{scenario.span.line}: {scenario.title}"
    lines = [click.style(title, fg="red", bold=True) if is_wanted() else title]
    for failure in result.failures:
        rows = [("expected", failure.line), ("got", failure.instead)] if failure.line else [("got", failure.instead)]
        if failure.span is not None and failure.span.line != scenario.span.line:
            rows.append(("at", f"{failure.span.file.name}:{failure.span.line}"))
        lines += labelled(rows, max(width - 1, 20))
    return [*lines, ""]
