"""Records of a report on the course of many games, and on the stakes of their decisions.

In: games that were followed. Out: means with intervals over games, rows by the question of a decision, and the one
hypothesis that is judged. Only a difference beyond the noise of the playouts is called certain.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import pairwise
from math import inf, sqrt
from statistics import fmean, median, median_high

from attrs import evolve

from rulebook.classes import frozen
from rulebook.playtest.series.about import Dull
from rulebook.playtest.series.course import (
    ANSWERS,
    BRIEF,
    DECISIVE,
    PLAYOUTS,
    THOROUGH,
    TRIES,
    Effort,
    FollowedGame,
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
from rulebook.reporting.records import Course, Decision, Point, Rate, Shown, Step
from rulebook.statistics.chances import (
    Moment,
    count_lead_changes,
    find_decided,
    find_leaders,
    is_comeback,
    is_never_behind,
    measure_drama,
    measure_largest_step,
    measure_uncertainty,
)
from rulebook.statistics.intervals import TOGETHER, Interval, Sample, wilson
from rulebook.statistics.verdicts import Line

_HALF, _LAST, _USUAL = 0.5, 0.9, 0.1
_MOST_TOLD, _MOST_LINES = 4, 3
_LOOKS, _FEWER_LOOKS = (2, 200), (1, 100)
"""The most games that are looked at decision by decision until one is usual, and playouts at each decision; the same
where there is little time."""
_SURELY = 4.0
"""The `z` beyond which a step is no noise, also where it is the largest of many."""
FORCED, INDIFFERENT, FOR_OTHERS = "forced", "indifferent", "for_others"
INTERESTING, DECIDES = "interesting", "decisive"


@frozen
class Followed:
    """The part of a report on the course of games, and the line that is judged."""

    course: Course
    decisions: list[Decision]
    line: Line


def follow_series(
    tally: Tally,
    table: Table,
    jobs: int,
    tell: Tell,
    on_progress: Callable[[int, int], None] | None = None,
    seconds: float | None = None,
) -> Followed | None:
    """Follow games of a series that was played, for so many seconds; None where nothing can be followed."""
    games = count_games(tally) if has_course(table.plan) else 0
    courses, effort = [], THOROUGH if seconds is None else BRIEF
    for done, course in enumerate(follow_games(table, games, jobs, effort, seconds), 1):
        courses.append(course)
        if on_progress is not None:
            on_progress(done, games)
    if not courses:
        return None
    return Followed(report_course(courses, table, tell, effort), report_stakes(courses), make_line(courses))


# ── the course ───────────────────────────────────────────────────────────────────────────────────────────────────────


def report_course(
    courses: Sequence[FollowedGame], table: Table, tell: Tell, effort: Effort = THOROUGH
) -> Course:
    """Report what games were like, and tell one of them."""
    looks = _LOOKS if effort == THOROUGH else _FEWER_LOOKS
    pairs = [(course.moments, course.winner) for course in courses if course.winner is not None and course.is_finished]
    when = [find_decided(moments, winner) for moments, winner in pairs]
    came_back = [is_comeback(moments, winner) for moments, winner in pairs]
    return Course(
        games=len(courses),
        playouts=PLAYOUTS,
        moments=effort.moments,
        completion=fmean(course.is_finished for course in courses),
        won_alone=len(pairs),
        when=when,
        never=_share(is_never_behind(moments, winner) for moments, winner in pairs),
        before_half=_share(moment < _HALF for moment in when),
        in_last_tenth=_share(moment >= _LAST for moment in when),
        drama=_mean((measure_drama(moments, winner) for moments, winner in pairs), -1.0),
        lead_changes=_mean((float(count_lead_changes(course.moments)) for course in courses), 0.0, inf),
        uncertainty=_mean(measure_uncertainty(course.moments) for course in courses),
        killer_move=_mean((abs(measure_largest_step(course.moments)) for course in courses), 0.0),
        comebacks=fmean(came_back) if came_back else 0.0,
        came_back=_share(came_back),
        crowned=_share(course.is_crowned for course in courses) if table.plan.players > 2 else None,
        shown=_report_shown(courses, table, tell, *looks) if pairs else None,
    )


def _mean(values: Iterable[float], least: float = 0.0, most: float = 1.0) -> Interval:
    interval = Sample(least, most).add_all(values).interval(TOGETHER)
    return evolve(interval, low=max(least, interval.low), high=min(most, interval.high))


def _share(values: Iterable[bool]) -> Rate:
    known = list(values)
    share = wilson(sum(known), len(known), TOGETHER)
    return Rate(share.value, share.low, share.high)


def _report_shown(courses: Sequence[FollowedGame], table: Table, tell: Tell, looks: int, playouts: int) -> Shown:
    """Tell the most usual game: in how often the favourite changes, in how long it is, then in when it is decided.

    Looked at decision by decision the favourite may change more often, so a few are, until one is as usual as that.
    """
    alone = [(course, course.winner) for course in courses if course.winner is not None and course.is_finished]
    traits = {
        course.number: (count_lead_changes(course.moments), find_decided(course.moments, winner), course.decisions)
        for course, winner in alone
    }
    usual = [median_high(values) for values in zip(*traits.values(), strict=True)]
    by_length = sorted(length for _, _, length in traits.values())
    middle = by_length[len(by_length) // 4], by_length[-1 - len(by_length) // 4]

    def measure_oddness(course: FollowedGame) -> tuple[float, ...]:
        changes, decided, length = traits[course.number]
        odd = abs(changes - usual[0]), not middle[0] <= length <= middle[1], abs(decided - usual[1]) > _USUAL
        return *odd, abs(length - usual[2]), course.number

    found = list[tuple[int, FollowedGame, int, list[Told], list[Moment]]]()
    for course, winner in sorted(alone, key=lambda pair: measure_oddness(pair[0]))[:looks]:
        decisions = tell_course(table, course.number, tell, playouts)
        moments = [*(decision.moment for decision in decisions), Moment(1.0, course.shares, course.shares, 0)]
        odd = abs(count_lead_changes(moments) - int(usual[0]))
        found.append((odd, course, winner, decisions, moments))
        if not odd:
            break
    _, course, winner, decisions, moments = min(found, key=lambda one: one[0])
    plan, changes = table.plan, count_lead_changes(moments)
    decided = find_decided(course.moments, winner)
    why = (
        f"of {len(alone):,} games with a single winner it is nearest to the middle. The favourite changes "
        f"{_word_times(changes)} in it, it has {course.decisions} decisions, and it is decided after "
        f"{100 * decided:.0f} of 100 of them; in the middle of all games that is {usual[0]:g}, {usual[2]:g} and "
        f"{100 * usual[1]:.0f}"
    )
    # A game that is kept in a file can be looked at answer by answer.
    keep = plan.command(f"--games {course.number + 1}", "--out shown.sqlite")
    steps = list(_tell_steps(decisions, moments))
    at = max(steps, key=lambda step: abs(step.step)).at if steps else decisions[-1].at
    points = [Point(decision.number, list(decision.moment.chances), decision.stage) for decision in decisions]
    end = course.decisions + 1
    return Shown(
        number=course.number,
        seed=plan.seed_of(course.number),
        decisions=course.decisions,
        why=why,
        winner=[winner + 1],
        leaders=[seat + 1 for seat in find_leaders(moments[:-1])],
        points=[*points, Point(end, list(course.shares), "")],
        told=steps,
        watch=plan.replay(course.number),
        replay=f"{keep} && rulebook replay shown.sqlite --game {course.number} --at {at}",
    )


def _word_times(number: int) -> str:
    return "once" if number == 1 else f"{number or 'no'} times"


def _tell_steps(decisions: Sequence[Told], moments: Sequence[Moment]) -> Iterator[Step]:
    """Tell the decisions that changed a chance most, by more than noise, in the order of the game: what the log says
    there, and what became of the chance; those first that made somebody else the favourite."""
    steps = []
    for decision, (before, after) in zip(decisions, pairwise(moments), strict=True):
        was = before.find_favourite()
        changed = [
            (new - old, old, new, seat)
            for seat, (old, new) in enumerate(zip(before.chances, after.chances, strict=True))
        ]
        step, old, new, seat = max(changed, key=lambda change: abs(change[0]))
        deviation = sqrt((old * (1 - old) + new * (1 - new) + 2 / before.games) / before.games)
        if abs(step) > _SURELY * deviation:
            best = after.find_favourite()
            leads = best if best != was and after.leads(best) else None
            steps.append((decision, step, old, new, seat, was, leads))
    largest = sorted(steps, key=lambda step: (step[-1] is None, -abs(step[1])))[:_MOST_TOLD]
    for decision, step, old, new, seat, was, leads in sorted(largest, key=lambda step: step[0].at):
        goes = "rises" if step > 0 else "falls"
        text = f"{_say_decision(decision)} Bot {seat + 1} {goes} from {100 * old:.0f} to {_of_100(new)}"
        text += "." if leads is None else f", and Bot {leads + 1} is the favourite instead of Bot {was + 1}."
        yield Step(decision.at, decision.number, seat + 1, step, decision.seat + 1, text)


def _say_decision(decision: Told) -> str:
    """Say what the log says, and before it what was answered where the log does not say that."""
    news = f"“{_join_news(decision.news)}”" if any(decision.news) else ""
    if decision.answer in news and news:
        return news
    secretly = "" if news else " in secret"
    sentence = f"Bot {decision.seat + 1} is asked “{decision.prompt}”, and answers{secretly}: “{decision.answer}”."
    return f"{sentence} {news}".rstrip()


def _join_news(news: Sequence[str]) -> str:
    """Join lines of an account to sentences, without the heading of what has only begun. What stands below a line that
    ends in a colon belongs to it."""
    lines = list(news)
    if len(lines) > 2 and not lines[-2] and any(lines[:-2]):
        lines = lines[:-2]
    lines = [line for line in lines if line]
    depths = [len(line) - len(line.lstrip()) for line in lines]
    sentences, is_list = list[str](), False
    for line, depth in zip(lines, depths, strict=True):
        text = " ".join(line.split()).rstrip(".").removesuffix(", because")
        if depth <= min(depths):
            sentences.append(text)
            is_list = text.endswith(":")
        elif is_list and depth == min(depths) + 2:
            sentences[-1] += f"{'' if sentences[-1].endswith(':') else ','} {text}"
    return ". ".join(sentences[:_MOST_LINES]) + "."


def _of_100(chance: float) -> str:
    return f"{100 * chance:.0f} of 100"


# ── what hangs on decisions ──────────────────────────────────────────────────────────────────────────────────────────


def report_stakes(courses: Sequence[FollowedGame]) -> list[Decision]:
    """Report how many decisions matter: of all, then by what is asked, most at stake first."""
    answers = fmean(course.decisions for course in courses)
    # What is asked in the same words is one kind, wherever the rules ask it.
    prompts = Counter((decision.key, decision.prompt) for course in courses for decision in course.weighed)
    called = {key: prompt for (key, prompt), _ in reversed(prompts.most_common())}
    by_name: dict[str, list[list[Weighed]]] = {}
    for number, course in enumerate(courses):
        for decision in course.weighed:
            by_name.setdefault(called[decision.key], [[] for _ in courses])[number].append(decision)
    every = [list(course.weighed) for course in courses]
    weighed = sum(map(len, every))
    if not weighed:
        return []
    decided = answers * find_decided_share(courses)
    rows = [_report_row(name, groups, decided) for name, groups in by_name.items()]
    rows = [evolve(row, a_game=row.a_game * (row.decisions / weighed)) for row in rows]
    rows.sort(key=lambda row: (-row.decisive, -row.interesting, row.name))
    unasked = find_unasked(courses)
    seen = _report_row("All decisions", every, decided / (1 - unasked))
    dull = sample_dull(courses).interval(TOGETHER)
    total = evolve(
        seen,
        forced=seen.forced * (1 - unasked) + unasked,
        indifferent=seen.indifferent * (1 - unasked),
        for_others=seen.for_others * (1 - unasked),
        interesting=seen.interesting * (1 - unasked),
        decisive=seen.decisive * (1 - unasked),
        low=dull.low,
        high=dull.high,
        unasked=unasked,
        total=True,
        games=len(courses),
        tries=TRIES,
        answers=ANSWERS,
    )
    return [total, *rows]


def sample_dull(courses: Sequence[FollowedGame]) -> Sample:
    """Sample of each game what part of what is decided makes no difference that could be seen, or is forced."""
    unasked, sample = find_unasked(courses), Sample(0.0, 1.0)
    for course in courses:
        if course.weighed:
            dull = fmean(classify(decision) in (FORCED, INDIFFERENT) for decision in course.weighed)
            sample.add(unasked + (1 - unasked) * dull)
    return sample


def make_line(courses: Sequence[FollowedGame]) -> Line:
    """Make the line that is judged: whether more than half of what is decided makes no difference."""
    return Line(Dull(), sample_dull(courses), clears=(-inf, 0.5))


def find_unasked(courses: Sequence[FollowedGame]) -> float:
    """Find for what part of all choices there was one answer, so that nobody was asked."""
    counted = [(course.unasked, course.decisions) for course in courses if course.unasked is not None]
    silent = sum(unasked for unasked, _ in counted)
    return silent / max(1, silent + find_decided_share(courses) * sum(answers for _, answers in counted))


def find_decided_share(courses: Sequence[FollowedGame]) -> float:
    """Find what part of all answers decides something, and is not the pressing of a button."""
    weighed = sum(len(course.weighed) for course in courses)
    buttons = sum(course.buttons for course in courses)
    return weighed / (weighed + buttons) if buttons else 1.0


def classify(weighed: Weighed) -> str:
    """Say what a decision was worth."""
    if weighed.spread is None:
        return FORCED
    if not weighed.spread.is_shown:
        return INDIFFERENT if weighed.for_others is None else FOR_OTHERS
    return DECIDES if weighed.spread.size >= DECISIVE else INTERESTING


def _report_row(name: str, by_game: Sequence[Sequence[Weighed]], a_game: float) -> Decision:
    """Report the decisions of a kind, which are given by game."""
    every = [decision for decisions in by_game for decision in decisions]
    kinds = Counter(map(classify, every))
    dull = Sample(0.0, 1.0)
    for decisions in filter(None, by_game):
        dull.add(fmean(classify(decision) in (FORCED, INDIFFERENT) for decision in decisions))
    sure = dull.interval(TOGETHER)
    spreads = [decision.spread for decision in every if decision.spread is not None]
    return Decision(
        name=name,
        decisions=len(every),
        a_game=a_game,
        forced=kinds[FORCED] / len(every),
        indifferent=kinds[INDIFFERENT] / len(every),
        for_others=kinds[FOR_OTHERS] / len(every),
        interesting=kinds[INTERESTING] / len(every),
        decisive=kinds[DECIDES] / len(every),
        low=sure.low,
        high=sure.high,
        size=fmean(spread.size for spread in spreads) if spreads else 0.0,
        seen=median(spread.seen for spread in spreads) if spreads else 0.0,
    )
