"""The worth of options in words: findings beside all others that stand out, and sentences.

"Is worth" is said only of what is shown.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from attrs import evolve

from rulebook.interpreter.wording import join_texts
from rulebook.playtest.series.about import Had, Restricted, find_subject
from rulebook.playtest.series.verdicts import HALF
from rulebook.reporting.records import Finding, Pair, Points, Report, Worth
from rulebook.reporting.standing_out import STRONG, word_settled, word_wins
from rulebook.statistics.verdicts import FACT, FINE, LOOK, OPEN

MOST_ROWS = 12
"""The most rows shown, those of which most is known."""
_MOST_NAMED = 3
_CHOICES = {
    "always": " It is always best where it is offered: it is no choice.",
    "never": " It is never worth choosing.",
}


def add_worth(report: Report, rows: Sequence[Worth], pairs: Sequence[Pair], points: Points) -> Report:
    """Return a report with what options are worth, and what stands out of that among what stands out. What only went
    with winning is left out where it is known what it does."""
    known = {name for row in rows for name in (row.about, row.about.partition(":")[2])}
    findings = [*_list_findings(rows, report, points), *_list_pairs(pairs, report, points)]
    for finding in report.stands_out:
        if not (_is_correlation(finding) and find_subject(finding.about) in known):
            findings.append(finding)
    findings.sort(key=lambda finding: -finding.weight)
    return evolve(report, worth=list(rows), pairs=list(pairs) or None, stands_out=findings)


def _is_correlation(finding: Finding) -> bool:
    is_dealt = isinstance(finding.about, Had) and finding.about.way == "dealt"
    return finding.kind in ("wins", "loses") and finding.question == STRONG and not is_dealt


def _list_findings(rows: Sequence[Worth], report: Report, points: Points) -> Iterator[Finding]:
    shown = sorted((row for row in rows if row.mark == LOOK), key=lambda row: -row.beyond)
    for row in shown[:_MOST_NAMED] + [row for row in shown[_MOST_NAMED:] if row.choice]:
        kind, weight = "worth" if row.value > 0 else "costs", min(0.99, HALF + row.beyond / 2)
        about = Restricted(row.way, row.about)
        yield Finding(about, row.name, kind, weight, STRONG, _say(row, report, points))


def _list_pairs(pairs: Sequence[Pair], report: Report, points: Points) -> Iterator[Finding]:
    for row in pairs:
        if row.mark == LOOK:
            kind, weight = "together" if row.value > 0 else "instead", min(0.99, HALF + row.beyond / 2)
            about = Restricted("pair", f"{row.first}+{row.second}")
            yield Finding(about, join_texts(row.names), kind, weight, STRONG, _say_pair(row, report, points))


def word_pairs(report: Report, points: Points) -> Iterator[str]:
    """Say of pairs that do not stand out how much they may be worth more together, or that this is open."""
    for row in report.pairs or ():
        if row.mark != LOOK:
            yield f"{join_texts(row.names)} {_say_pair(row, report, points)}"


def _say_pair(row: Pair, report: Report, points: Points) -> str:
    if row.mark == FACT:
        return "are all that can be chosen there: whoever may not do either does one of them."
    worded, each, _ = _units(report, points)
    low, high = (-row.sure_high, -row.sure_low) if row.mark == LOOK and row.value < 0 else (row.sure_low, row.sure_high)
    apart = f"alone {worded(row.first_alone)} and {worded(row.second_alone)}, together {worded(row.together)}"
    rest = f"({worded(low)} to {worded(high)}; {row.level}): {apart}."
    if row.mark == LOOK:
        what, side = ("go together", "more") if row.value > 0 else ("stand in for each other", "less")
        return f"{what}: both are worth {worded(abs(row.value))}{each} {side} than the two alone {rest}"
    if row.mark == FINE:
        near = f"to less than {worded(row.grey)}{each}"
        return f"do not need each other: both are worth what the two alone are, {near} {rest}"
    edge = max(-row.sure_low, row.sure_high)
    size = f"up to {worded(edge)}{each} more or less than the two alone"
    return f"are open: both may be worth {size} {rest} {word_settled(row.more) if row.more else ''}".rstrip()


def _units(report: Report, points: Points) -> tuple[Points, str, str]:
    """Return what puts a gain into words, of how much it is, and the verb."""
    return (points, " a game", "gets") if report.judged_by == "payoff" else (word_wins, " games of 100", "wins")


def _range(row: Worth, worded: Points, *, turned: bool = False) -> str:
    low, high = (-row.sure_high, -row.sure_low) if turned else (row.sure_low, row.sure_high)
    return f"{worded(low)} to {worded(high)}"


def _say(row: Worth, report: Report, points: Points) -> str:
    worded, each, verb = _units(report, points)
    more = row.value > 0
    size = f"{worded(abs(row.value))}{each} ({_range(row, worded, turned=not more)}; {row.level})"
    instead = f"{verb} {worded(row.restricted)} instead of {worded(row.free)}."
    if row.way == "always":
        side = "more" if more else "less"
        return f"chosen wherever it is offered {instead[:-1]}: {side} by {size}."
    does = "is worth" if more else "costs who does it"
    return f"{does} {size}. Who never does it {instead}{_CHOICES.get(row.choice, '')}"


def word_worth(report: Report, points: Points) -> Iterator[str]:
    """Say of what does not stand out how little it is worth, or what is open; of many together."""
    named = report.worth or ()
    rows = [row for row in named if row.mark != LOOK]
    if len(named) <= _MOST_NAMED:
        yield from (f"{row.name} {_say_little(row, report, points)}" for row in rows)
        return
    worded, each, _ = _units(report, points)
    small, unsettled = ([row for row in rows if row.mark == mark] for mark in (FINE, OPEN))
    if small:
        edge = max(max(abs(row.value) for row in small), 0.0)
        begin = "All" if len(small) == len(named) else f"{len(small)} others"
        yield (
            f"{begin} that can be chosen do too little to notice: {worded(edge)}{each} at most, where "
            f"{worded(small[0].grey)} would be noticed ({small[0].level})."
        )
    if unsettled:
        edge = max(max(-row.sure_low, row.sure_high) for row in unsettled)
        more = max(row.more for row in unsettled)
        yield (
            f"{len(unsettled)} are open: up to {worded(edge)}{each} would still fit ({unsettled[0].level}). "
            f"{word_settled(more)}"
        )


def _say_little(row: Worth, report: Report, points: Points) -> str:
    worded, each, _ = _units(report, points)
    between = f"{_range(row, worded)}; {row.level}"
    always = " always" if row.way == "always" else ""
    if row.mark == FINE:
        sure = row.sure_low > 0 or row.sure_high < 0
        size = f"{worded(row.value)}{each}, certain, and too small to notice" if sure else "less than "
        size = size if sure else f"{size}{worded(row.grey)}{each}"
        return f"is worth {size} to who{always} chooses it ({between})."
    edge = max(-row.sure_low, row.sure_high)
    return (
        f"is open: up to {worded(edge)}{each} would still fit for who{always} chooses it ({between}). "
        f"{word_settled(row.more)}"
    )


def pick_rows(rows: Sequence[Worth]) -> list[Worth]:
    """List the rows of which most is known, those by what they are worth, then all others."""
    known = sorted(rows, key=lambda row: -max(float(row.sure_low), -row.sure_high))
    first = sorted(known[:MOST_ROWS], key=lambda row: -row.value)
    return [*first, *known[MOST_ROWS:]]
