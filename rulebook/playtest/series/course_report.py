"""What the course of many games, and what hangs on their decisions, come to: plain values for a report.

In: games that were followed. Out: means with intervals over games, rows by what is asked, and the one line that is
judged. Beyond doubt is said only what is beyond the noise of the games that were played on.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import pairwise
from math import inf, sqrt
from statistics import fmean, median
from typing import Any

from attrs import frozen

from rulebook.playtest.series.course import (
    ANSWERS,
    MOMENTS,
    PLAYOUTS,
    TRIES,
    Course,
    Tell,
    Told,
    Weighed,
    count_games,
    follow_games,
    has_course,
    tell_course,
)
from rulebook.playtest.series.table import Table
from rulebook.playtest.series.tally import Tally
from rulebook.statistics.chances import (
    Moment,
    count_lead_changes,
    find_decided,
    is_comeback,
    measure_drama,
    measure_largest_step,
    measure_uncertainty,
)
from rulebook.statistics.intervals import Sample, wilson
from rulebook.statistics.verdicts import Line

DECISIVE = 0.25
"""So large a difference between answers decides a game: 25 games of a hundred."""
_HALF, _LAST = 0.5, 0.9
_MOST_TOLD, _MOST_LINES = 3, 4
_SURELY = 4.0
"""So many deviations are no noise, also for the largest of many steps."""
FORCED, INDIFFERENT, INTERESTING, DECIDES = "forced", "indifferent", "interesting", "decisive"

Row = dict[str, Any]


@frozen
class Followed:
    """What a report says of the course of games, and the line that is judged."""

    course: Row
    decisions: list[Row]
    line: Line


def follow_series(
    tally: Tally, table: Table, jobs: int, tell: Tell, on_progress: Callable[[int, int], None] | None = None
) -> Followed | None:
    """Follow games of a series that was played; None where nothing can be followed."""
    games = count_games(tally) if has_course(table.plan) else 0
    courses = []
    for done, one in enumerate(follow_games(table, games, jobs), 1):
        courses.append(one)
        if on_progress is not None:
            on_progress(done, games)
    if not courses:
        return None
    return Followed(report_course(courses, table, tell), report_stakes(courses), make_line(courses))


# ── the course ───────────────────────────────────────────────────────────────────────────────────────────────────────


def report_course(courses: Sequence[Course], table: Table, tell: Tell) -> Row:
    """Report what games were like, and tell one of them."""
    pairs = [(one.moments, one.winner) for one in courses if one.winner is not None and one.is_finished]
    when = [find_decided(moments, winner) for moments, winner in pairs]
    came_back = [is_comeback(moments, winner) for moments, winner in pairs]
    found: Row = {
        "games": len(courses),
        "playouts": PLAYOUTS,
        "moments": MOMENTS,
        "completion": fmean(one.is_finished for one in courses),
        "won_alone": len(pairs),
        "when": when,
        "never": _share(one == 0 for one in when),
        "before_half": _share(one < _HALF for one in when),
        "in_last_tenth": _share(one >= _LAST for one in when),
        "drama": _mean((measure_drama(moments, winner) for moments, winner in pairs), -1.0),
        "lead_changes": _mean((float(count_lead_changes(one.moments)) for one in courses), -inf, inf),
        "uncertainty": _mean(measure_uncertainty(one.moments) for one in courses),
        "killer_move": _mean((abs(measure_largest_step(one.moments)) for one in courses), 0.0),
        "comebacks": fmean(came_back) if came_back else 0.0,
        "came_back": _share(came_back),
    }
    if pairs:
        found["shown"] = _report_shown(courses, table, tell)
    return found


def _mean(values: Iterable[float], least: float = 0.0, most: float = 1.0) -> Row:
    found = Sample(least, most).add_all(values).interval()
    return {"value": found.value, "low": found.low, "high": found.high}


def _share(values: Iterable[bool]) -> Row:
    known = list(values)
    found = wilson(sum(known), len(known))
    return {"share": found.value, "low": found.low, "high": found.high}


def _report_shown(courses: Sequence[Course], table: Table, tell: Tell) -> Row:
    """Tell the game whose winner came back from farthest."""
    alone = [one for one in courses if one.winner is not None and one.is_finished]
    course = max(alone, key=lambda one: (measure_drama(one.moments, one.winner or 0), -one.number))
    winner, plan = course.winner, table.plan
    assert winner is not None, "it is one of those that somebody won alone"
    told = tell_course(table, course.number, tell)
    end = Moment(1.0, course.shares, course.shares, 0)
    lowest = min(told, key=lambda one: one.moment.chances[winner])
    why = (
        f"its winner came back from farther behind than in any other of {len(alone):,} games: from "
        f"{_of_100(lowest.moment.chances[winner])}, at decision {lowest.at}. It is not typical"
    )
    # A game that is kept in a file can be looked at answer by answer.
    keep = plan.command(f"--games {course.number + 1}", "--out shown.sqlite")
    steps = list(_tell_steps(told, end, winner))
    at = min(steps, key=lambda one: -abs(one["step"]))["at"] if steps else lowest.at
    return {
        "number": course.number,
        "seed": plan.seed_of(course.number),
        "decisions": course.answers,
        "why": why,
        "winner": [winner + 1],
        "points": [
            *({"at": one.at, "chances": list(one.moment.chances), "stage": one.stage} for one in told),
            {"at": course.answers, "chances": list(course.shares), "stage": ""},
        ],
        "told": steps,
        "watch": plan.replay(course.number),
        "replay": f"{keep} && rulebook replay shown.sqlite --game {course.number} --at {at}",
    }


def _tell_steps(told: Sequence[Told], end: Moment, winner: int) -> Iterator[Row]:
    """Tell the decisions that changed the winner's chance most, by more than noise, in the order of the game."""
    steps = []
    for one, after in pairwise([*((one, one.moment) for one in told), (None, end)]):
        decision, before = one
        old, new = before.chances[winner], after[1].chances[winner]
        deviation = sqrt((old * (1 - old) + new * (1 - new) + 2 / before.games) / before.games)
        if decision is not None and abs(new - old) > _SURELY * deviation:
            steps.append((new - old, old, new, decision))
    largest = sorted(steps, key=lambda one: -abs(one[0]))[:_MOST_TOLD]
    for step, old, new, at in sorted(largest, key=lambda one: one[3].at):
        text = f"{_join_news(at.news)} Bot {winner + 1}'s chance goes from {_of_100(old)} to {_of_100(new)}."
        yield {"at": at.at, "seat": winner + 1, "step": step, "decides": at.seat + 1, "text": text}


def _join_news(news: Sequence[str]) -> str:
    """Join lines of an account to sentences, without the heading of what has only begun. What stands below a line that
    ends in a colon belongs to it."""
    lines = list(news)
    if len(lines) > 2 and not lines[-2] and any(lines[:-2]):
        lines = lines[:-2]
    lines = [line for line in lines if line]
    depths = [len(line) - len(line.lstrip()) for line in lines]
    said, lists = list[str](), False
    for line, depth in zip(lines, depths, strict=True):
        text = " ".join(line.split()).rstrip(".").removesuffix(", because")
        if depth <= min(depths):
            said.append(text)
            lists = text.endswith(":")
        elif lists and depth == min(depths) + 2:
            said[-1] += f"{'' if said[-1].endswith(':') else ','} {text}"
    return ". ".join(said[:_MOST_LINES]) + "."


def _of_100(chance: float) -> str:
    return f"{100 * chance:.0f} of 100"


# ── what hangs on decisions ──────────────────────────────────────────────────────────────────────────────────────────


def report_stakes(courses: Sequence[Course]) -> list[Row]:
    """Report how many decisions matter: of all, then by what is asked, most at stake first."""
    asked = [one.answers for one in courses]
    # What is asked in the same words is one kind, wherever the rules ask it.
    prompts = Counter((one.key, one.prompt) for course in courses for one in course.weighed)
    called = {key: prompt for (key, prompt), _ in reversed(prompts.most_common())}
    by_name: dict[str, list[list[Weighed]]] = {}
    for number, course in enumerate(courses):
        for one in course.weighed:
            by_name.setdefault(called[one.key], [[] for _ in courses])[number].append(one)
    every = [list(course.weighed) for course in courses]
    weighed = sum(map(len, every))
    if not weighed:
        return []
    rows = [_report_row(name, groups, fmean(asked)) for name, groups in by_name.items()]
    for row in rows:
        row["a_game"] *= row["decisions"] / weighed
    rows.sort(key=lambda row: (-row["decisive"], -row["interesting"], row["name"]))
    unasked = find_unasked(courses)
    total = _report_row("All decisions", every, fmean(asked) / (1 - unasked))
    for kind in (FORCED, INDIFFERENT, INTERESTING, DECIDES):
        total[kind] = total[kind] * (1 - unasked) + (unasked if kind == FORCED else 0.0)
    dull = sample_dull(courses).interval()
    total |= {"low": dull.low, "high": dull.high, "unasked": unasked}
    return [total | {"total": True, "games": len(courses), "tries": TRIES, "answers": ANSWERS}, *rows]


def sample_dull(courses: Sequence[Course]) -> Sample:
    """Sample of each game what part of what is decided makes no difference that could be seen, or is forced."""
    unasked, found = find_unasked(courses), Sample(0.0, 1.0)
    for course in courses:
        if course.weighed:
            dull = fmean(classify(one) in (FORCED, INDIFFERENT) for one in course.weighed)
            found.add(unasked + (1 - unasked) * dull)
    return found


def make_line(courses: Sequence[Course]) -> Line:
    """Make the line that is judged: whether more than half of what is decided makes no difference."""
    return Line("dull", sample_dull(courses), clears=(-inf, 0.5))


def find_unasked(courses: Sequence[Course]) -> float:
    """Find for what part of all choices there was one answer, so that nobody was asked."""
    counted = [(one.unasked, one.answers) for one in courses if one.unasked is not None]
    silent = sum(unasked for unasked, _ in counted)
    return silent / max(1, silent + sum(answers for _, answers in counted))


def classify(one: Weighed) -> str:
    """Say what a decision was worth."""
    if one.spread is None:
        return FORCED
    if not one.spread.is_shown:
        return INDIFFERENT
    return DECIDES if one.spread.size >= DECISIVE else INTERESTING


def _report_row(name: str, by_game: Sequence[Sequence[Weighed]], asked: float) -> Row:
    """Report the decisions of a kind, which are given by game."""
    every = [one for some in by_game for one in some]
    kinds = Counter(map(classify, every))
    dull = Sample(0.0, 1.0)
    dull.add_all(fmean(classify(one) in (FORCED, INDIFFERENT) for one in some) for some in by_game if some)
    sure = dull.interval()
    spreads = [one.spread for one in every if one.spread is not None]
    return {
        "name": name,
        "decisions": len(every),
        "a_game": asked,
        **{kind: kinds[kind] / len(every) for kind in (FORCED, INDIFFERENT, INTERESTING, DECIDES)},
        "low": sure.low,
        "high": sure.high,
        "size": fmean(one.size for one in spreads) if spreads else 0.0,
        "seen": median(one.seen for one in spreads) if spreads else 0.0,
    }
