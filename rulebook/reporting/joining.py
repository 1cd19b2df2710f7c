"""Several levels of play become one report, or one comparison: that of the cheapest, with what follows from all beside.

In: the report, or the comparison, of each level, and a ladder of bots. Out: each line merged over all levels, with a
sentence that says what holds at all of them, what only under good play, and what only among random players.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import partial

from attrs import evolve

from rulebook.playtest.series.binding import Binding
from rulebook.playtest.series.guessing import Guess
from rulebook.playtest.series.levels import LEARNED, RANDOM, SEARCH, Ladder, find_worthy
from rulebook.playtest.small_games.solution import Solution
from rulebook.reporting.change_words import QUESTIONS, claim_change, name_measure, word_sides
from rulebook.reporting.line_words import name_holder, word_gains, word_rate
from rulebook.reporting.merging import (
    EVERYWHERE,
    NOTHING,
    SOLVED,
    UNSETTLED,
    Trend,
    among,
    merge_lines,
    name_players,
    weigh_row,
    word_merged,
)
from rulebook.reporting.records import (
    Comparison,
    Had,
    LengthRow,
    Level,
    Levels,
    Line,
    Measure,
    Merged,
    Points,
    Report,
    Seat,
    Tie,
)
from rulebook.reporting.standing_out import FAIR, LONG, STRONG, TIES, word_wins
from rulebook.statistics.intervals import Interval
from rulebook.statistics.verdicts import FACT, FINE, LOOK, mark_interval

_BESIDE = 0.25
"""The part of their games, which makes ranges twice as wide."""
_SORTS = {"seat": FAIR, "order": FAIR, "role": FAIR, "tie": TIES, "dealt": STRONG}


def join_reports(
    levels: Sequence[Level[Report]],
    ladder: Ladder,
    points: Points,
    not_played: Sequence[str] = (),
    guesses: Sequence[Guess] = (),
    bindings: Sequence[Binding] = (),
    solution: Solution | None = None,
) -> Report:
    """Make one report of those of all levels. Of a game that is solved the solution has the last word on seats."""
    reports = {level.name: level.result for level in levels}
    worthy = _list_worthy({level.name: level.games for level in levels}, ladder)
    lens = [*_merge_reports(reports, worthy, points, solution)]
    lengths = _merge_lengths(reports)
    play = Levels(levels, ladder, worthy, lens, lengths, not_played, guesses, bindings, solution)
    return evolve(reports[RANDOM], play=play)


def _list_worthy(games: Mapping[str, int], ladder: Ladder) -> list[str]:
    """List the levels that are evidence of good play, the weakest first; players who search only where there are games
    enough of them beside those who learned, so that what these leave open is not opened again by ranges of few games.
    """
    worthy = find_worthy([*games], ladder)
    few = LEARNED in worthy and games.get(SEARCH, 0) < _BESIDE * games[LEARNED]
    return [name for name in worthy if not (few and name == SEARCH)]


def join_comparisons(
    levels: Sequence[Level[Comparison]], ladder: Ladder, points: Points, not_played: Sequence[str] = ()
) -> Comparison:
    """Make one comparison of those of all levels."""
    compared = {level.name: level.result for level in levels}
    worthy = _list_worthy({level.name: level.games for level in levels}, ladder)
    lens = [*merge_comparisons(compared, worthy, points)]
    return evolve(compared[RANDOM], play=Levels(levels, ladder, worthy, lens, None, not_played))


def _merge_reports(
    reports: Mapping[str, Report], worthy: Sequence[str], points: Points, solution: Solution | None
) -> Iterator[Merged[Line]]:
    """Merge what all levels say of who wins and of ties, line by line."""
    first = next(iter(reports.values()))
    lines = {name: [line for line in report.lines if line.about.sort in _SORTS] for name, report in reports.items()}
    if solution is not None:
        lines[SOLVED] = [_solve_line(line, solution) for line in lines[RANDOM] if isinstance(line.about, Seat)]
    say = partial(_say_line, first, points)
    for merged in merge_lines(lines, [*worthy, SOLVED], lambda line: _SORTS[line.about.sort], say):
        yield evolve(merged, weight=weigh_row(merged.decisive) if merged.mark == LOOK else 0.0)


def _solve_line(line: Line, solution: Solution) -> Line:
    """Say of a seat what it gets where nobody errs."""
    assert isinstance(line.about, Seat), "of nothing else is it known"
    low, high, fair = solution.low - solution.fair, solution.high - solution.fair, solution.fair
    if line.about.number == 2:
        low, high = -high, -low
    value = (low + high) / 2
    mark = mark_interval(Interval(value, low, high), value, line.grey)
    line = evolve(line, won=fair + value, won_low=fair + low, won_high=fair + high, fair=fair)
    line = evolve(line, value=value, low=low, high=high, sure_low=low, sure_high=high)
    return evolve(line, games=0, mark=mark, seen=0.0, more=0)


def _merge_lengths(reports: Mapping[str, Report]) -> Merged[LengthRow]:
    lengths = {}
    for name, report in reports.items():
        low, high = report.nine_of_ten
        lengths[name] = LengthRow(report.length.median, low, high, FACT)
    return Merged(
        question=LONG,
        about="length",
        name="",
        mark=FACT,
        way=NOTHING,
        decided_by=None,
        says="",
        weight=0.0,
        levels=lengths,
    )


def _say_line(report: Report, points: Points, skill_trend: Trend, rows: Mapping[str, Line]) -> str:
    """Say what stands out at some level."""
    line, (worded, each) = next(iter(rows.values())), word_gains(report, points)
    if isinstance(line.about, Tie):
        size = partial(word_rate, worded=word_wins)
        return word_merged(skill_trend, rows, lambda _: "most games are ties", size, "")
    verb, much, little = ("gets", "much", "little") if report.judged_by == "payoff" else ("wins", "often", "seldom")
    called = name_holder(line.about, line.name)
    fair = worded(rows[skill_trend.levels[0]].usual)
    return word_merged(
        skill_trend,
        rows,
        lambda row: f"{called} {verb} {_word_little(row)}too {much if row.value > 0 else little}",
        lambda row: word_rate(row, worded, each),
        f", where the same seats {verb.removesuffix('s')} {fair} on average"
        if isinstance(line.about, Had)
        else f", where {fair} would be fair",
    )


def _word_little(row: Line) -> str:
    """`a little `, where it is certainly off, and not certainly by enough to notice."""
    return "a little " if min(abs(row.sure_low), abs(row.sure_high)) < row.grey else ""


def merge_comparisons(
    compared: Mapping[str, Comparison], worthy: Sequence[str], points: Points
) -> Iterator[Merged[Measure]]:
    """Merge what all levels say of each measure that is not nothing everywhere."""
    measures = {name: comparison.measures for name, comparison in compared.items()}
    for merged in merge_lines(measures, worthy, lambda measure: QUESTIONS[measure.group], partial(_say_change, points)):
        rows = [*merged.levels.values()]
        if any(row.base or row.changed for row in rows):
            # What another rule does among weak players, it does: the sentence says among whom.
            mark = LOOK if merged.way == UNSETTLED else merged.mark
            name, group, is_rate = name_measure(rows[0]), rows[0].group, rows[0].is_rate
            yield evolve(merged, name=name, group=group, is_rate=is_rate, mark=mark)


def _say_change(points: Points, skill_trend: Trend, rows: Mapping[str, Measure]) -> str:
    """Say from what to what it goes among the best players who show it, and whether others show it too."""
    first = skill_trend.levels[0]
    sentence = f"{claim_change(rows[first])}{among(first)}: from {word_sides(rows[first], points)}"
    if skill_trend.way == EVERYWHERE and SEARCH in rows:
        return f"{sentence}, and so at all levels of play."
    alike, other = list[str](), list[str]()
    for name, row in rows.items():
        if name == first:
            continue
        if row.mark == LOOK and (row.value > 0) is (rows[first].value > 0):
            alike.append(name_players(name))
        elif row.mark == LOOK:
            other.append(f"the other way round among {name_players(name)}: from {word_sides(row, points)}")
        elif row.mark == FINE:
            other.append(f"not so among {name_players(name)}")
        else:
            other.append(f"open among {name_players(name)} ({word_sides(row, points)})")
    also = [f"so too among {' and '.join(alike)}"] if alike else []
    return "; ".join([sentence, *also, *other]) + "."
