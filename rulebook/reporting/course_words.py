"""The course of games in words: when they are decided, how much hangs on their decisions, and one of them told."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import isfinite

from rulebook.reporting.records import Course, Decision, Rate, Report, Shown
from rulebook.reporting.standing_out import count_games
from rulebook.statistics.intervals import Interval

_MOST_LEADERS = 4
_FEW_DECISIONS = 10
"""The fewest decisions of a kind that were looked at before anything is said of it."""
_MANY_KINDS = 3
"""The most kinds of decisions of which the last one is no finding."""
_NO_FOLLOW = "How much hangs on decisions of teams is not looked at."
_FOLLOW = "How much hangs on decisions, and when games are decided: --course."


def word_stakes(report: Report) -> Iterator[str]:
    """Say how many decisions matter, if that was looked at, and on what is asked most and least hangs."""
    rows = report.stakes
    if not rows:
        yield _NO_FOLLOW if report.has_teams else _FOLLOW
        return
    total = rows[0]
    if not any(finding.kind == "dull" for finding in report.stands_out):
        between = f"{word_whole(total.low)} to {word_whole(total.high)}"
        yield f"{word_whole(total.dull)} of 100 decisions make no difference that could be seen ({between})."
    seen = f"{word_whole(total.seen)} games of 100"
    yield f"A difference of {seen} between two answers would have been seen nine times of ten."
    # Rounded so that they add up.
    dull, forced, others, decisive = (
        round(100 * share) for share in (total.dull, total.forced, total.for_others, total.decisive)
    )
    kinds = f"forced {forced}, indifferent {dull - forced}"
    kinds += f", of weight for others only {others}" if others else ""
    kinds += f", interesting {100 - dull - others - decisive}, decisive {decisive}"
    yield f"Of 100 decisions: {kinds}. Decisive: best and worst answer lie 25 games of 100 apart, or more."
    known = list_known_stakes(rows)
    if len(known) > 1 and known[0].matters > known[-1].matters:
        yield f"Most hangs on “{known[0].name}”: {word_whole(known[0].matters)} of 100 matter."
    if len(known) > _MANY_KINDS and known[0].matters > known[-1].matters:
        yield f"Of what was looked at often least hangs on “{known[-1].name}”: {word_whole(known[-1].matters)} of 100."
    yield (
        f"Seen in {total.decisions} decisions of {count_games(total.games or 0)}: after each answer the game was "
        f"finished {total.tries} times by players who answer at random. They waste what a good answer gains, so "
        "between good players more decisions may matter."
    )


def list_known_stakes(rows: Sequence[Decision]) -> list[Decision]:
    """List the kinds of decisions of which enough were looked at, those first that matter most often."""
    known = [row for row in rows[1:] if row.decisions >= _FEW_DECISIONS]
    return sorted(known, key=lambda row: -row.matters)


def word_decided(course: Course | None) -> Iterator[str]:
    """Say when games were decided."""
    if course is None or not course.won_alone:
        return
    half, last, never = (_word_share(rate) for rate in (course.before_half, course.in_last_tenth, course.never))
    yield (
        f"Of 100 games{word_single(course)} the winner is clearly ahead of all others before half way, and the "
        f"favourite from there to the end, in {half}; only in the last tenth in {last}. In {never} the winner is never "
        "clearly behind."
    )
    crowned = course.crowned
    if crowned is not None and crowned.share:
        games = _word_share(crowned)
        yield (
            f"In {games} of 100 games, or more, somebody who won none of all that was played on from there decides who "
            "wins."
        )
    elif crowned is not None:
        yield "Nobody who won none of all that was played on from there was seen to decide who wins."
    changes = course.lead_changes
    # Of hardly a game it is not known how often at most.
    between = f" ({changes.low:.1f} to {changes.high:.1f})" if isfinite(changes.high) else ", in so few games"
    yield f"The favourite changes {changes.value:.1f} times a game{between}."
    yield (
        f"Seen in {count_games(course.games)}, {course.won_alone} of them with a single winner: at each of "
        f"{course.moments} moments the game was finished {course.playouts} times by players who answer at random."
    )


def word_single(course: Course) -> str:
    """Say that only games with a single winner are meant, where there are others."""
    return " with a single winner" if course.won_alone < course.games else ""


def word_course(course: Course) -> Iterator[str]:
    """Say what games were like, and what the one that is shown tells."""
    drama, largest = course.drama, course.killer_move
    yield (
        f"At the worst moment the chance of the later winner is {_word_mean(drama)} of 100 below that of the "
        f"favourite; the largest swing from one moment to the next is {_word_mean(largest)}. "
        f"{_word_share(course.came_back)} of 100 winners came back from less than half of an even chance."
    )
    shown = course.shown
    assert shown is not None, "somebody won alone"
    yield f"One game: {word_leaders(shown)}. Why this one: {shown.why}."
    for step in shown.told:
        yield f"Decision {step.decision} of {shown.decisions}: {step.text}"


def word_leaders(shown: Shown) -> str:
    """Say who was ahead of all others, one after the other, and who won."""
    leaders, [winner] = [f"Bot {seat}" for seat in shown.leaders], [f"Bot {seat}" for seat in shown.winner]
    if len(leaders) > _MOST_LEADERS:
        return f"{leaders[0]} is ahead first, then the lead changes {len(leaders) - 1} times, and {winner} wins"
    ahead = (
        f"{leaders[0]} is ahead{', then '.join([' first' if len(leaders) > 1 else '', *leaders[1:]])}"
        if leaders
        else ""
    )
    if not ahead:
        return f"nobody is clearly ahead, and {winner} wins"
    who = "who" if len(leaders) > 1 else "and"
    return f"{ahead}, {who} wins" if leaders[-1] == winner else f"{ahead}, and {winner} wins"


def _word_share(rate: Rate) -> str:
    return f"{word_whole(rate.share)} ({word_whole(rate.low)} to {word_whole(rate.high)})"


def _word_mean(mean: Interval) -> str:
    # Of few games a range reaches below nothing, and a size does not.
    return f"{word_whole(max(0.0, mean.value))} ({word_whole(max(0.0, mean.low))} to {word_whole(mean.high)})"


def word_whole(share: float) -> str:
    """`51`: so many of a hundred, where more would be too exact."""
    return f"{100 * share:.0f}"
