"""Habits of good players: options that they use hardly ever, or nearly always, and what comes of such a habit; and of
two who help one another.

In: a report of players who are shown to play well, and one of random players. Out: findings, what is worth a trial of
players who never, or always, answer so, and the outcome of such trials in sentences.
"""

from __future__ import annotations

import shlex
from collections.abc import Iterator, Sequence

from rulebook.interpreter.wording import join_texts
from rulebook.playtest.bots import ALWAYS, HELPS, NEVER
from rulebook.playtest.series.about import Card, Had
from rulebook.playtest.series.binding import HELPING
from rulebook.playtest.series.naming import UNNAMED
from rulebook.reporting.line_words import word_gains
from rulebook.reporting.merging import name_players
from rulebook.reporting.records import Binding, Details, Finding, Habit, Option, OptionRow, Points, Report
from rulebook.reporting.standing_out import DEAD, PROPOSED, count_games

MANY = 100
"""In so many offers it is seen how often an option is chosen."""
SHUNNED = "hardly_used"
"""The kind of finding of what good players hardly ever use."""
_HARDLY, _OFTEN, _CROWDING = 0.01, 0.1, 0.95
"""The part of times that is hardly ever, the one that is often, and the one that leaves no room for anything else."""
_MOST = 4
"""The most habits that are tried."""


def find_shunned(good: Report, usual: Report) -> Iterator[Finding]:
    """Find the options that good players use hardly ever, and random ones often."""
    if good.details is None or usual.details is None:
        return
    for row, other in pair_options(good.details, usual.details):
        share, before = row.chosen / row.offered, other.chosen / other.offered
        if min(row.offered, other.offered) >= MANY and row.chosen and share <= _HARDLY and before >= _OFTEN:
            series = good.command.partition(" --games ")[0]
            always = f"{series} --games {PROPOSED} --always {shlex.quote(row.option)}"
            yield Finding(Option(row.option), row.name, SHUNNED, 1.0, DEAD, "", command=always)


def find_crowding(good: Report, usual: Report) -> Iterator[tuple[OptionRow, OptionRow]]:
    """Find the answers that good players choose nearly always, and random ones do not, so that no other one is worth
    it; with what random ones choose."""
    if good.details is None or usual.details is None:
        return
    for row, other in pair_options(good.details, usual.details):
        share, random = row.chosen / row.offered, other.chosen / other.offered
        if row.offered >= max(MANY, good.details.games) and share >= _CROWDING and random <= _CROWDING / 2:
            yield row, other


def pair_options(good: Details, usual: Details) -> Iterator[tuple[OptionRow, OptionRow]]:
    """Pair the options that the rules name one by one with what other players make of them."""
    others = {row.option: row for row in usual.options}
    for row in good.options:
        if row.option in others and row.option.partition(":")[0] not in UNNAMED:
            yield row, others[row.option]


def choose_habits(good: Report, usual: Report) -> list[Habit]:
    """Choose what is worth a trial: that two help one another, where each wins alone; always what good players hardly
    ever use, never what they nearly always choose, nor what goes with winning or losing."""
    helping = [HELPING] if good.players > 2 and good.decides and not (good.is_together or good.has_teams) else []
    if good.details is None:
        return helping
    unused = [found for found in good.stands_out if found.question == DEAD and found.command is not None]
    shunned = [Habit(find_key(found), found.name, ALWAYS) for found in [*unused, *find_shunned(good, usual)]]
    crowding = [Habit(row.option, row.name, NEVER) for row, _ in find_crowding(good, usual)]
    keys = {row.option for row in good.details.options}
    suspects = [
        Habit(f"card:{found.about.card}", found.name, NEVER)
        for found in good.details.suspects
        if isinstance(found.about, Had) and found.about.sort == "played" and f"card:{found.about.card}" in keys
    ]
    half = _MOST // 2
    first = [*shunned[:half], *crowding[:half], *suspects, *shunned[half:], *crowding[half:]]
    return helping + list({habit.option: habit for habit in reversed(first)}.values())[::-1][:_MOST]


def find_key(found: Finding) -> str:
    """Find the key of the option that a finding is about."""
    match found.about:
        case Option(key):
            return key
        case Card(id):
            return f"card:{id}"
        case _:
            raise AssertionError("only options and cards are hardly used")


def word_crowding(level: str, good: Report, usual: Report) -> Iterator[str]:
    """Say which answers good players choose nearly always, and random ones do not."""
    for row, other in find_crowding(good, usual):
        share, random = row.chosen / row.offered, other.chosen / other.offered
        times = f"{100 * share:.0f} of 100 times that it is offered, random ones {100 * random:.0f}"
        who = name_players(level)
        yield f"{who[:1].upper()}{who[1:]} choose {row.name} {times}."


def name_habit(habit: Habit) -> str:
    """Name what somebody does who has a habit, in a few words."""
    return "Two help one another" if habit == HELPING else f"{habit.way[:1].upper()}{habit.way[1:]} {habit.name}"


def judge_help(bindings: Sequence[Binding], report: Report, points: Points) -> Iterator[str]:
    """Say that it pays to help one another, if it certainly does."""
    worded, each = word_gains(report, points)
    verb = "get" if report.judged_by == "payoff" else "win"
    for row in bindings:
        if row.habit.way == HELPS and row.pays:
            yield (
                f"Two players who play for one another, without a word, {verb} {worded(row.won)} {each} each, where "
                f"{worded(row.fair)} is an even share: the others pay for it."
            )


def judge_bindings(bindings: Sequence[Binding], report: Report, points: Points) -> Iterator[str]:
    """Say what comes of habits: first what costs, then what pays, then what is not shown to do either."""
    worded, each = word_gains(report, points)
    verb = "gets" if report.judged_by == "payoff" else "wins"
    changes = sorted((row for row in bindings if row.costs or row.pays), key=lambda row: row.value)
    texts = [f"who {row.habit.way} chooses {row.habit.name} {verb} {worded(row.won)} {each}" for row in changes]
    if texts:
        listed = join_texts([f"{'one' if number else 'A player'} {text}" for number, text in enumerate(texts)])
        yield f"{listed}, where {worded(bindings[0].fair)} is an even share."
    quiet = [row for row in bindings if not (row.costs or row.pays)]
    for way in dict.fromkeys(row.habit.way for row in quiet):
        rows = [row for row in quiet if row.habit.way == way]
        between = f"{worded(min(row.low for row in rows))} to {worded(max(row.high for row in rows))} {each}"
        names = " or ".join(row.habit.name for row in rows)
        even = f"where {worded(rows[0].fair)} is an even share"
        yield f"{way[:1].upper()}{way[1:]} choosing {names} made no clear difference: {between}, {even}."


def word_bindings(bindings: Sequence[Binding], report: Report, points: Points) -> Iterator[tuple[str, str]]:
    """Say of each habit what was played, and what came of it; with the command that plays it again."""
    worded, each = word_gains(report, points)
    verb = "gets" if report.judged_by == "payoff" else "wins"
    for row in bindings:
        between = f"{worded(row.low)} to {worded(row.high)}; fair is {worded(row.fair)}; {count_games(row.games)}"
        who = f"One player who {row.habit.way} chooses {row.habit.name} where it is offered, and else plays as learned,"
        if row.habit.way == HELPS:
            does = "pays" if row.pays else "does not pay" if row.costs else "is not shown to pay"
            who = f"To help one another {does}: each of two side by side, who choose what is best for both together,"
        yield f"{who} {verb} {worded(row.won)} {each} ({between}):", row.command
