"""A series of games in numbers, and what of the rules has run, as lines; with the options that ask for it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

import click

from rulebook.commands.console import Command, Number, RulesFailed, columns, is_wanted
from rulebook.playtest.coverage import SORTS, Missing
from rulebook.playtest.coverage import Report as Reached
from rulebook.printing import paint
from rulebook.reporting.answering import CHANGE, Answers
from rulebook.reporting.answering import Command as Typed
from rulebook.reporting.described import (
    Item,
    Lines,
    Table,
    describe,
    fold_rules,
    list_heads,
    word_other_numbers,
)
from rulebook.reporting.records import Comparison, Points, Report
from rulebook.statistics.verdicts import LOOK, OPEN
from rulebook.table.columns import padded, shortened, wrapped
from rulebook.widths import width

_NARROW = 20
"""Names with less room than that are hard to tell apart."""


def result_lines(result: Report | Comparison, points: Points, *, has_details: bool = True) -> Iterator[str]:
    """A head, the answers, and tables, those of details where they are wanted; of a comparison also what is changed.
    `points` puts points into words."""
    told = result.told if isinstance(result, Comparison) else ()
    for line in (*list_heads(result), *told):
        yield from wrapped(line, columns())
    for item in describe(result, points, has_details=has_details):
        yield from _item_lines(item)
    if isinstance(result, Comparison):
        for item in fold_rules(result):
            yield from _item_lines(item)
    for line in word_other_numbers(result):
        yield ""
        yield from wrapped(line, columns())


def _item_lines(item: Item) -> Iterator[str]:
    if isinstance(item, Answers):
        yield from answer_lines(item)
    elif isinstance(item, Lines):
        yield ""
        if item.title:
            yield from (f"  {part}" for part in wrapped(item.title, columns() - 2))
        for line in item.lines:
            # A command is to be copied, and so never broken.
            parts = [f"  {line}"] if item.are_commands else wrapped(line, columns() - 2, "  ")
            yield from (f"  {part}" for part in parts)
    else:
        yield from rows_of(item)


def answer_lines(item: Answers) -> Iterator[str]:
    """The headline, and each verdict behind its mark and question; below that what they rest on."""
    if item.headline not in [response.verdict for response in item.answers[:1]]:
        yield from wrapped(item.headline, columns())
    yield ""
    marks = [answer.mark.upper() if answer.mark in (LOOK, CHANGE, OPEN) else answer.mark for answer in item.answers]
    wide = max(map(len, marks)) + 2
    for response, mark in zip(item.answers, marks, strict=True):
        begin = f"{mark:<{wide}}{response.question:<10}"
        for line in (response.verdict, *response.more):
            for part in wrapped(line, columns() - len(begin)):
                yield begin + part
                begin = " " * len(begin)
    if item.quiet:
        yield ""
        yield from wrapped(item.quiet, columns())
    resting = [response for response in item.answers if response.rests_on]
    yield from ["", "  what that rests on"] if resting else ()
    for response in resting:
        begin = f"  {response.question:<10}"
        for line in response.rests_on:
            # A command is to be copied, and so never broken.
            parts = [line] if isinstance(line, Typed) else wrapped(line, columns() - len(begin))
            for part in parts:
                yield begin + part
                begin = " " * len(begin)


def rows_of(table: Table) -> Iterator[str]:
    """A title, heads and rows; what is first in a row stands left, the rest right."""
    shown = table.rows[: table.most]
    if not shown:
        return
    yield ""
    if table.title:
        few = f" ({len(shown)} of {len(table.rows)})" if len(shown) < len(table.rows) else ""
        yield from (f"  {part}" for part in wrapped(f"{table.title}{few}", columns() - 2))
    cells = [list(table.heads), *map(list, shown)]
    names, *others = [max(map(width, column)) for column in zip(*cells, strict=True)]
    for gap in ("   ", " "):
        room = columns() - 2 - sum(others) - len(gap) * len(others)
        if room >= min(names, _NARROW):
            yield from columns_of([[shortened(first, min(36, room)), *rest] for first, *rest in cells], gap)
            break
    else:
        yield from _rows_below_names(cells, others)
    for remark in table.remarks:
        yield from (f"  {line}" for line in wrapped(remark, columns() - 2, "  "))


def _rows_below_names(cells: Sequence[Sequence[str]], widths: Sequence[int]) -> Iterator[str]:
    """Rows whose names have no room beside their numbers and stand above them; numbers that have none beside each
    other follow on the words of their heads."""
    if 2 + sum(widths) + 2 * len(widths) <= columns():
        for (first, *_), line in zip(cells, columns_of([["", *rest] for _, *rest in cells], "  "), strict=True):
            yield from [f"  {first}"] if first else []
            yield line
        return
    (_, *heads), *rows = cells
    for first, *rest in rows:
        pairs = ", ".join(f"{head} {cell}".strip() for head, cell in zip(heads, rest, strict=True) if cell)
        yield from (f"  {part}" for part in wrapped(first, columns() - 2))
        yield from (f"    {part}" for part in wrapped(pairs, columns() - 4))


def columns_of(rows: Sequence[Sequence[str]], gap: str = "   ") -> Iterator[str]:
    """Cells below each other; what is first in a row stands left, the rest right."""
    widths = [max(map(width, column)) for column in zip(*rows, strict=True)]
    for first, *rest in rows:
        right = [" " * (size - width(cell)) + cell for cell, size in zip(rest, widths[1:], strict=True)]
        yield "  " + gap.join([padded(first, widths[0]), *right]).rstrip()


def coverage_options(command: Command) -> Command:
    """Add `--coverage` and `--require`."""
    require = click.option(
        "--require",
        type=Number(0, 100),
        metavar="PERCENT",
        help="Fail if less of the rules was reached. Asks for --coverage.",
    )
    return click.option("--coverage", is_flag=True, help="Say which rules ran, and what never did.")(require(command))


def print_coverage(name: str, report: Reached) -> list[str]:
    lines = [
        f"Coverage of {name}: {_round_down(report)} % ({report.reached} of {report.total})",
        "",
        *_print_table(report),
        "",
    ]
    if not report.missing:
        return [*lines, "Everything was reached."]
    lines += [f"Never reached: {len(report.missing)}", ""]
    for point in report.missing:
        lines += _missing_lines(point)
    return lines


def check_required(reports: Mapping[str, Reached], percent: float | None) -> None:
    """Raise RulesFailed if a game falls short of what is required."""
    short = {name: report for name, report in reports.items() if percent is not None and report.percent < percent}
    if short:
        short_texts = [
            f"{name}: {_round_down(report)} % of the rules were reached, and {percent:g} % are required; the first "
            f"of {len(report.missing)} that never were is {_word_line(report.missing[0])}, "
            f"{_word_point(report.missing[0])}."
            for name, report in short.items()
        ]
        raise RulesFailed("\n".join(short_texts))


def _round_down(report: Reached) -> str:
    """Round a percentage down, so that 100 is said of nothing less."""
    return f"{report.percent * 10 // 1 / 10:g}"


def _print_table(report: Reached) -> list[str]:
    sorts = [sort for sort in SORTS if any(file.reached[sort][1] for file in report.files)]
    rows = [["", *sorts]]
    for file in report.files:
        rows.append([file.file, *(f"{n}/{of}" if of else "" for n, of in (file.reached[sort] for sort in sorts))])
    return list(columns_of(rows, gap="  "))


def _missing_lines(missing: Missing) -> list[str]:
    place = _word_line(missing)
    title = paint("1", place) if is_wanted() else place
    return [f"  {title}  {_word_point(missing)}", f"      {missing.source}"]


def _word_line(missing: Missing) -> str:
    return f"{missing.file}:{missing.line}"


def _word_point(missing: Missing) -> str:
    inside = f" (and {missing.within} more inside)" if missing.within else ""
    return f"{missing.name}, {missing.what}{inside}" if missing.name else f"{missing.what}{inside}"
