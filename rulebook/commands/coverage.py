"""`--coverage` and `--require`: what of the rules has run, printed, and refused if it is not enough.

In: reports of coverage. Out: lines: how much of each file was reached, then what never was, each with its place and its
line; exit code 1 if less was reached than was required. Never: counts.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any, TypeVar

import click

from rulebook.commands.colours import is_wanted
from rulebook.commands.failures import RulesFailed
from rulebook.printing import paint

if TYPE_CHECKING:
    from rulebook.playtest.coverage import Missing, Report

Command = TypeVar("Command", bound=Callable[..., Any])


def coverage_options(command: Command) -> Command:
    """Add `--coverage` and `--require`."""
    require = click.option(
        "--require",
        type=click.FloatRange(0, 100),
        metavar="PERCENT",
        help="Fail if less of the rules was reached. Asks for --coverage.",
    )
    return click.option("--coverage", is_flag=True, help="Say which rules ran, and what never did.")(require(command))


def lines(name: str, report: Report) -> list[str]:
    """A report, for people."""
    found = [f"Coverage of {name}: {_percent(report)} % ({report.reached} of {report.total})", "", *_table(report), ""]
    if not report.missing:
        return [*found, "Everything was reached."]
    found += [f"Never reached: {len(report.missing)}", ""]
    for one in report.missing:
        found += _missing(one)
    return found


def required(reports: Mapping[str, Report], percent: float | None) -> None:
    """Raise RulesFailed if a game falls short of what is required."""
    short = {name: one for name, one in reports.items() if percent is not None and one.percent < percent}
    if short:
        said = [
            f"{name}: {_percent(one)} % of the rules were reached, and {percent:g} % are required; the first of "
            f"{len(one.missing)} that never were is {_place(one.missing[0])}, {_what(one.missing[0])}."
            for name, one in short.items()
        ]
        raise RulesFailed("\n".join(said))


def _percent(report: Report) -> str:
    """Rounded down, so that 100 is said of nothing less."""
    return f"{report.percent * 10 // 1 / 10:g}"


def _table(report: Report) -> list[str]:
    from rulebook.playtest.coverage import SORTS

    sorts = [sort for sort in SORTS if any(one.reached[sort][1] for one in report.files)]
    rows = [["", *sorts]]
    for one in report.files:
        rows.append([one.file, *(f"{n}/{of}" if of else "" for n, of in (one.reached[sort] for sort in sorts))])
    widths = [max(len(row[column]) for row in rows) for column in range(len(sorts) + 1)]
    return [_row(row, widths) for row in rows]


def _row(row: list[str], widths: list[int]) -> str:
    from rulebook.table.columns import padded

    numbers = [f"{cell:>{columns}}" for cell, columns in zip(row[1:], widths[1:], strict=True)]
    return "  ".join(["", padded(row[0], widths[0]), *numbers]).rstrip()


def _missing(one: Missing) -> list[str]:
    place = _place(one)
    title = paint("1", place) if is_wanted() else place
    return [f"  {title}  {_what(one)}", f"      {one.source}"]


def _place(one: Missing) -> str:
    return f"{one.file}:{one.line}"


def _what(one: Missing) -> str:
    inside = f" (and {one.within} more inside)" if one.within else ""
    return f"{one.name}, {one.what}{inside}" if one.name else f"{one.what}{inside}"
