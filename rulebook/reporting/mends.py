"""The choice of what is to be mended in a report, and the outcome of changes of one value each, in sentences.

In: a report of several levels of play, and mends of what stands out in it. Out: what is worth a trial of other values,
and sentences that say what the nearest of them came to, with what to type to know it for certain.
"""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterator, Sequence

from rulebook.dsl.overlay.paths import Keys
from rulebook.interpreter.wording import join_texts
from rulebook.playtest.bots import learns
from rulebook.playtest.series.about import Had, Option
from rulebook.playtest.series.levels import RANDOM, SEARCH
from rulebook.playtest.series.mending import Mend, Trouble
from rulebook.playtest.series.verdicts import GREY
from rulebook.plurals import count_unit
from rulebook.reporting.habits import find_crowding, find_key, find_shunned
from rulebook.reporting.line_words import name_holder, word_gains
from rulebook.reporting.merging import ALONE
from rulebook.reporting.records import Finding, Line, Points, Report
from rulebook.reporting.standing_out import DEAD, FAIR, STRONG, count_games
from rulebook.reporting.verdict_words import find_speaker
from rulebook.statistics.intervals import Z
from rulebook.statistics.verdicts import LOOK

_MOST = 3
"""The most things that are mended."""
_EVEN = 0.5
"""The share of offers at which an option is neither left nor always taken."""


def choose_troubles(report: Report) -> list[Trouble]:
    """Choose what of all that stands out among the players who speak is to be mended, the heaviest first: who wins too
    often or too seldom, of seats and places the heaviest alone; then options that crowd out the rest, and unused ones.
    """
    level, speaks = find_speaker(report)
    if report.play is None or level in (ALONE, SEARCH) or report.play.solution is not None:
        return []
    shown = [line for line in report.play.lens if line.mark == LOOK and level in line.levels]
    shown = [line for line in shown if line.levels[level].mark == LOOK]
    shown.sort(key=lambda line: -(line.weight or 0.0))
    first_unfair = next((line for line in shown if line.question == FAIR), None)
    lines = [line.levels[level] for line in shown if line.question == STRONG or line is first_unfair]
    return [*map(_make_trouble, lines), *_list_options(report, level, speaks)][:_MOST]


def _make_trouble(line: Line) -> Trouble:
    name, error = name_holder(line.about, line.name), (line.high - line.low) / 2
    return Trouble(line.about, name, line.counted, error, line.usual, line.grey)


def _list_options(report: Report, level: str, speaks: Report) -> Iterator[Trouble]:
    """List the options that it costs to leave, or to use, as trials have shown."""
    if level == RANDOM or report.play is None or speaks.details is None:
        return
    costly = {row.habit.option for row in report.play.bindings if row.fair - row.high > row.grey}
    rows = {row.option: row for row in speaks.details.options if row.offered}
    unused = [found for found in speaks.stands_out if found.question == DEAD and found.command is not None]
    crowding = [(row.option, row.name) for row, _ in find_crowding(speaks, report)]
    for key, name in [*crowding, *map(_name_option, [*unused, *find_shunned(speaks, report)])]:
        if key in costly and key in rows:
            share, error = rows[key].chosen / rows[key].offered, Z * rows[key].deviation
            yield Trouble(Option(key), name, share, error, _EVEN, GREY)


def _name_option(found: Finding) -> tuple[str, str]:
    return find_key(found), found.name


def find_paths(trouble: Trouble) -> list[Keys]:
    """Find where in the rules that stands of which it is about: a card, or an action."""
    match trouble.about:
        case Had(_, id):
            return [("cards", id)]
        case Option(key):
            section = {"card": "cards", "action": "actions"}.get(key.partition(":")[0])
            return [] if section is None else [(section, key.partition(":")[2])]
        case _:
            return []


def find_question(mend: Mend) -> str:
    """Find the question of a page that a mend is about."""
    match mend.about:
        case Option():
            return STRONG if mend.was > mend.target else DEAD
        case Had():
            return STRONG
        case _:
            return FAIR


def judge_mends(mends: Sequence[Mend], report: Report, points: Points) -> Iterator[str]:
    """Say of each thing what the change that was nearest made of it; or that none was seen to help."""
    for mend in mends:
        if mend.helps:
            now, was = _word_size(mend, mend.value, report, points), _word_number(mend, mend.was, report, points)
            verb = "is chosen" if isinstance(mend.about, Option) else _word_verb(report)
            places = _word_places(mend, report, points)
            yield f"With {_word_change(mend)} {mend.name} {verb} {now} instead of {was}{places}."
        else:
            helped = f"make {mend.name} fairer"
            if isinstance(mend.about, Option):
                helped = f"leave more room beside {mend.name}"
                helped = helped if mend.was > mend.target else f"bring {mend.name} into use"
            yield f"Of {count_unit(mend.tried, 'change')} of one number or house rule none was seen to {helped}."


def word_mends(
    mends: Sequence[Mend], before: Sequence[Mend], report: Report, points: Points
) -> Iterator[tuple[str, Sequence[str]]]:
    """Say of each thing what was tried, and what came of it; with what to type to be certain, but for changes of which
    that was said `before`."""
    _, speaks = find_speaker(report)
    told = {(mend.change, mend.set_to) for mend in before if mend.helps}
    for mend in mends:
        low, high, right = (_word_number(mend, value, report, points) for value in (mend.low, mend.high, mend.target))
        now = _word_size(mend, mend.value, report, points)
        verb = "was chosen" if isinstance(mend.about, Option) else _word_verb(report, past=True)
        tried = f"{count_unit(mend.tried, 'change')} of one number or house rule"
        fair = "" if isinstance(mend.about, Option) else f", where {right} would be fair"
        length = f"A game had {mend.decisions:g} decisions then, where it has {speaks.length.median:g}."
        known = " They had learned the game as it is, and not yet the change." if learns(speaks.bots[0]) else ""
        yield (
            f"Of {tried}, {_word_change(mend)} came nearest: on other deals {mend.name} {verb} {now} ({low} to {high}; "
            f"{count_games(mend.games)}){fair}{_word_places(mend, report, points)}. {length}{known}"
        ), ()
        if mend.helps and (mend.change, mend.set_to) not in told:
            told.add((mend.change, mend.set_to))
            yield f"{_word_pass(mend, report, points)}{_word_minutes(report)}", [_word_command(mend, report)]


def _word_pass(mend: Mend, report: Report, points: Points) -> str:
    """Say what is asked next: the same questions of the changed game, once players have learned it."""
    if isinstance(mend.about, Option):
        return f"To see {mend.name} among players who know the change, and what else it does"
    low, high = (_word_number(mend, mend.target + side * mend.grey, report, points) for side in (-1, 1))
    _, each = word_gains(report, points)
    return (
        "To see what else it does, among players who know the change; it has done its work if "
        f"{mend.name} {_word_verb(report)} {low} to {high} {each}"
    )


def _word_minutes(report: Report) -> str:
    seconds = max(map(float, re.findall(r"--lens (\d+)", report.command)), default=0.0)
    return f" (about {count_unit(round(seconds / 60), 'minute')}):" if seconds >= 60 else ":"


def _word_command(mend: Mend, report: Report) -> str:
    """Word what to type: the series with the other house rule, or a variant that has the other number, and the series
    with that."""
    series, lens, rest = report.command.partition(" --seed ")
    changed = shlex.quote(f"{mend.change}={mend.set_to}")
    if mend.is_option:
        return f"{series} --set {changed}{lens}{rest}"
    begun = f"rulebook new variant {shlex.quote(shlex.split(series)[2])} mended --change {changed}"
    return f"{begun} && {series} --variant mended{lens}{rest}"


def _word_change(mend: Mend) -> str:
    """Say what is other: of a house rule in its words, of a number by the sentence in which it stands, if there is one.
    """
    values = f"{mend.set_to} instead of {mend.before}"
    if mend.sentence:
        return f"“{mend.sentence}” ({mend.rule}, {values})"
    return f"“{mend.option}” {values}" if mend.option else f"`{mend.change}` {values}"


def _word_places(mend: Mend, report: Report, points: Points) -> str:
    """Say what all places in turn order win then."""
    texts = [_word_number(mend, value, report, points) for value in mend.places]
    return f" (in turn order {join_texts(texts)})" if texts else ""


def _word_verb(report: Report, *, past: bool = False) -> str:
    return ("got" if past else "gets") if report.judged_by == "payoff" else ("won" if past else "wins")


def _word_size(mend: Mend, value: float, report: Report, points: Points) -> str:
    """Word a share of wins or of offers, or a payoff."""
    if isinstance(mend.about, Option):
        return f"{100 * value:.0f} of 100 times"
    return f"{_word_number(mend, value, report, points)} {word_gains(report, points)[1]}"


def _word_number(mend: Mend, value: float, report: Report, points: Points) -> str:
    return f"{100 * value:.0f}" if isinstance(mend.about, Option) else word_gains(report, points)[0](value)
