"""Reports and comparisons as one page of HTML that needs nothing else: no script, no other file, no network.

In: what `report` or `comparing` made. Out: first the answer in a sentence and all answers in their order, then figures
in the same order, how good the players are, what such a page cannot say, commands, and all tables.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Sequence
from functools import partial
from importlib.resources import files
from itertools import takewhile
from math import inf
from typing import TypeVar

from attrs import evolve

from rulebook.classes import frozen
from rulebook.interpreter.wording import join_texts
from rulebook.playtest.bots import ALWAYS, HELPS, NEVER
from rulebook.reporting.answering import CHANGE, Answer, Answers, Command, NextStep
from rulebook.reporting.change_words import claim_change, name_measure, word_difference, word_sides
from rulebook.reporting.comparing import SEATS
from rulebook.reporting.course_words import word_leaders, word_whole
from rulebook.reporting.described import (
    LADDER,
    Item,
    Lines,
    Table,
    describe,
    describe_ends,
    describe_ladder,
    describe_together,
    list_heads,
    list_rules_changed,
    word_other_numbers,
)
from rulebook.reporting.figures import (
    Bar,
    Scale,
    begin,
    draw_bars,
    draw_course,
    draw_decided,
    draw_figure,
    draw_lengths,
    draw_share,
    draw_stakes,
    escape,
    join_bars,
    lay_panels,
    list_told,
    scale_bars,
)
from rulebook.reporting.habits import name_habit
from rulebook.reporting.line_words import FEW_GAMES, is_vague, name_holder, word_gains
from rulebook.reporting.merging import ALONE, among, find_known_level, name_players
from rulebook.reporting.records import (
    Binding,
    Comparison,
    Course,
    Effect,
    Guess,
    Level,
    Levels,
    Line,
    Measure,
    Order,
    Points,
    Report,
    Role,
    Seat,
    Trial,
    Worth,
)
from rulebook.reporting.standing_out import count_games, word_wins
from rulebook.reporting.verdict_words import find_speaker, word_usual_length
from rulebook.statistics.verdicts import FACT, FINE, LOOK, OPEN

_QUESTIONS = {
    "Fair?": "Is it fair?",
    "Long?": "How long is it?",
    "Ties?": "How often is it a tie: several win, or nobody?",
    "Strong?": "What is too strong, or too weak?",
    "Dead?": "What is never used?",
    "Boring?": "Which decisions matter, and which are boring?",
    "Decided?": "When is it decided?",
    "Skill?": "Does skill pay?",
    "Wins?": "Who wins more, and who less?",
    "Numbers?": "What else is different?",
    "Points?": "How many points?",
}
"""The short questions of a terminal in full."""
_MOST_ROLES, _MOST_WORTH, _MOST_STEPS = 8, 12, 2
_DECISIONS = "Where decisions matter"
_ROUNDED = 0.0005
"""The largest difference that is none where tenths of 100 games are said."""
E = TypeVar("E", bound=Effect)
_SORTS = {"seat": "By seat", "order": "By place in turn order", "role": "By what one begins with"}

_TOPICS = {
    "Fair?": "whether it is fair",
    "Long?": "how long it is",
    "Ties?": "ties",
    "Strong?": "what is too strong or too weak",
    "Dead?": "what is never used",
    "Boring?": "how many decisions matter",
    "Decided?": "when it is decided",
    "Skill?": "whether skill pays",
    "Wins?": "who wins",
    "Numbers?": "other numbers",
    "Points?": "points",
}
"""The subject of each question, as a part of a sentence."""
_GOOD = {"Fair?": "it is fair", "Strong?": "nothing is shown to be too strong", "Dead?": "what came up often was used"}
"""The same where it is fine."""
_BAD = {
    "Fair?": "it is not fair",
    "Ties?": "how often it is a tie",
    "Strong?": "something is too strong or too weak",
    "Dead?": "something is never used",
}
"""The same where it is worrying."""
_SUMMARY = {LOOK: "Worrying", CHANGE: "Changed", FINE: "Good", OPEN: "Not known yet"}
"""Marks that say how it is, in words for the first lines."""


@frozen
class _Section:
    """A part of a page: what is measured, what is seen, and figures, to which the answers to some questions point."""

    id: str
    about: str
    title: str
    lead: str
    parts: Sequence[str]
    answers: Sequence[str] = ()


@frozen
class _Page:
    """A page: a head, answers, sections, commands, tables, what is told, what is changed, what is left out."""

    heads: Sequence[str]
    answers: Answers
    sections: Sequence[_Section]
    commands: Sequence[tuple[str, str]]
    tables: Sequence[Item]
    told: Sequence[str] = ()
    changed: Sequence[Sequence[str]] = ()
    left_out: str = ""


def write_pages(
    results: Sequence[Report | Comparison],
    points: Points,
    version: str,
    before: tuple[str, Sequence[Table | Lines]] | None = None,
) -> str:
    """Write the whole page of a series or a comparison, or of several. `points` puts points into words; `before` all
    stands an answer, with its tables.
    """
    pages = [
        _lay_out_change(result, points) if isinstance(result, Comparison) else _lay_out_report(result, points)
        for result in results
    ]
    return _write_document(results[0].title, pages, version, "" if before is None else _write_before(*before))


# ── what stands on a page ────────────────────────────────────────────────────────────────────────────────────────────


def _lay_out_report(report: Report, points: Points) -> _Page:
    commands = [("This page", f"{report.command} --report page.html"), *_list_levels_alone(report.play)]
    return _lay_out(
        report,
        points,
        _draw_report(report, points),
        commands,
        told=[],
        aim=report.aim,
    )


def _lay_out(
    result: Report | Comparison,
    points: Points,
    sections: Iterable[_Section],
    commands: Sequence[tuple[str, str]],
    *,
    told: Sequence[str],
    changed: Sequence[Sequence[str]] = (),
    left_out: str = "",
    aim: str = "",
) -> _Page:
    answers, *items = describe(result, points)
    assert isinstance(answers, Answers), "they come first"
    drawn = [section for section in sections if any(section.parts)]
    title, *played = list_heads(result)
    # Seeds and the words for bots stand where commands do.
    title = title.replace(f", seed {result.seed}", "")
    played = [re.sub(r"\(\w+:\d+; ", "(", line) for line in played]
    heads = [title, aim, *played, "None of them bluffs, talks or tires", *word_other_numbers(result)]
    return _Page(heads, answers, drawn, commands, items, told, changed, left_out)


def _list_levels_alone(
    play: Levels[Report, Line] | Levels[Comparison, Measure] | None
) -> list[tuple[str, str]]:
    return [(f"The level {level.name} alone", level.command) for level in (play.levels if play is not None else ())]


def _draw_report(report: Report, points: Points) -> Iterator[_Section]:
    if report.is_together:
        yield _Section(
            "together",
            "How often all win together, and what ends a game",
            f"All win {word_wins(report.seats[0].share)} games of 100{_among_random(report)}",
            "All win or lose together, so no seat can be unfair. What ended a game was seen in a few that were played "
            "once more.",
            [*_draw_together(report)],
            ("Fair?",),
        )
    yield _Section(
        "fair",
        "Who wins, by where and how one begins",
        _see_seats(report, points),
        "How far each is from what would be fair. Nobody chooses it, so what stands out is a fault of the game.",
        [*_draw_fair(report, points)],
        ("Fair?",),
    )
    play, course = report.play, report.course
    level = find_known_level(play) if play is not None else ALONE
    long = play.results[level] if play is not None else report
    lengths = draw_lengths(long.histogram, long.nine_of_ten, long.length.median)
    yield _Section(
        "long",
        "How long games are",
        word_usual_length(long, level),
        "Each dot is one game of a hundred; the dark ones are the nine of ten in the middle.",
        [draw_figure("Games by how many decisions they took", lengths)] if lengths else [],
        ("Long?",),
    )
    yield _Section(
        "strong",
        "What options and dealt cards are worth" if report.worth is not None else "What dealt cards are worth",
        _see_worth(report, points),
        "Never doing it, on the same deals: what is lost is what it does, and not what goes with winning."
        if report.worth is not None
        else "Nobody chooses what they are dealt, so what stands out is the card itself.",
        [*_draw_worth(report, points), *_draw_dealt(report, points)],
        ("Strong?",),
    )
    if play is not None and play.bindings:
        yield _draw_habits(play.bindings, report, points)
    yield _draw_prompts(play.guesses, report, points) if play is not None and play.guesses else _draw_weighed(report)
    early = course is not None and f"{round(course.before_half.share * course.won_alone)} of {course.won_alone}"
    yield _Section(
        "decided",
        "The course of a game",
        f"In {early or 'no'} games the winner is ahead before half way, and stays ahead{_among_random(report)}",
        "Each chance is how often a seat wins when the game is finished at random from there, many times.",
        [*_draw_course(course)],
        ("Decided?",),
    )
    yield _draw_ladder(play, points)


def _draw_weighed(report: Report) -> _Section:
    """Draw how many decisions matter, by what is asked."""
    weighed = report.stakes or ()
    matters = weighed[0].matters if weighed else 0.0
    return _Section(
        "boring",
        _DECISIONS,
        f"In {word_whole(matters)} of 100 decisions the answer was seen to change who wins{_among_random(report)}",
        "After each answer to a decision the game was finished many times. A smaller difference than "
        f"{word_whole(weighed[0].seen if weighed else 0)} games of 100 may not have been seen.",
        [draw_figure("Decisions by what is asked", draw_stakes(weighed))] if weighed else [],
        ("Boring?",),
    )


def _draw_prompts(guesses: Sequence[Guess], report: Report, points: Points) -> _Section:
    """Draw what those win who answer one question at random, by question."""
    costly = [guess for guess in guesses if guess.costs]
    rows = [(f"“{guess.prompt}”", guess, f"asked {guess.asked:.1f} times") for guess in guesses]
    seen = f"Most hangs on “{costly[0].prompt}”" if costly else "No question is shown to matter"
    lead = "One of the players, in each seat in turn, answers one question at random; all else is answered as learned."
    drawn = _draw_trials("with that at random", rows, report, points)
    return _Section("boring", _DECISIONS, seen, lead, [drawn], ("Boring?",))


def _draw_habits(bindings: Sequence[Binding], report: Report, points: Points) -> _Section:
    """Draw what those win who never, or always, choose one option, by option."""
    rows = [(name_habit(row.habit), row, count_games(row.games)) for row in bindings]
    worst = min(bindings, key=lambda row: row.value)
    best = max(bindings, key=lambda row: row.value)
    habit, does = (worst.habit, "costs most") if worst.costs else (best.habit, "pays")
    seen = f"“{name_habit(habit)}” {does}"
    seen = seen if worst.costs or best.pays else "No habit is shown to make a difference"
    lead = (
        "One of the players, in each seat in turn, never or always chooses one thing where it is offered, or two side "
        "by side choose what is best for both; all else is answered as learned."
    )
    drawn = _draw_trials("with this habit", rows, report, points)
    ways = {row.habit.way for row in bindings}
    asked = [question for question, way in (("Fair?", HELPS), ("Strong?", NEVER), ("Dead?", ALWAYS)) if way in ways]
    return _Section("habits", "What comes of a habit", seen, lead, [drawn], asked)


def _draw_trials(how: str, rows: Sequence[tuple[str, Trial, str]], report: Report, points: Points) -> str:
    """Draw what those win who were tried, each with its name and a note, beside an even share."""
    worded, each = word_gains(report, points)
    fair, is_won = rows[0][1].fair, report.judged_by == "wins"
    bars = [Bar(name, trial, worded(trial.won), note) for name, trial, note in rows]
    ends = (-fair, 1 - fair) if is_won else (-inf, inf)
    drawn = draw_bars(join_bars(bars), scale_bars(bars, *ends, fair), partial(_word_tick, report=report, points=points))
    counted = f"{'Wins' if is_won else 'Gains'} {escape(each)} {how}"
    return draw_figure(f"{counted}; the line is an even share, {escape(worded(fair))}", drawn)


def _draw_together(report: Report) -> Iterator[str]:
    """Lay out how often all win at each level of play, and what ended games."""
    for table in (describe_together([report]), describe_ends(report)):
        if table.rows:
            yield draw_figure(begin(table.title), _write_table(table))


def _see_seats(report: Report, points: Points) -> str:
    """Say in a sentence how far seats are apart."""
    worded, each = word_gains(report, points)
    level, speaks = find_speaker(report)
    got = [line.counted for line in speaks.lines if isinstance(line.about, Seat)]
    verb = "win" if report.judged_by == "wins" else "get"
    loud = [line for line in speaks.lines if isinstance(line.about, Order | Role) and line.mark == LOOK]
    if loud:
        most = max(loud, key=lambda line: abs(line.value))
        said = f"{name_holder(most.about, most.name)} {verb}s {worded(most.counted)} {each}{among(level)}"
        return f"{said[:1].upper()}{said[1:]}, where {worded(most.usual)} is fair"
    sentence = f"Seats {verb} {worded(min(got))} to {worded(max(got))} {each}{among(level)}" if got else ""
    return sentence or "Who begins with what wins"


def _among_random(report: Report) -> str:
    """Return whose games are drawn: of several levels of play those of the cheapest."""
    return " among random players" if report.play is not None else ""


def _see_worth(report: Report, points: Points) -> str:
    """Say in a sentence how far what is drawn is apart, and whether that may be chance."""
    level, speaks = find_speaker(report)
    rows: Sequence[Worth | Line] = report.worth or _list_dealt(speaks)
    if not rows:
        return ""
    sure = [row for row in rows if row.sure_low * row.sure_high > 0]
    if not sure:
        return "All of it may be chance"
    if all(abs(row.value) < row.grey for row in sure):
        return "None of it makes a difference that one would notice"
    most = max(sure, key=lambda row: max(row.sure_low, -row.sure_high))
    each = word_gains(report, points)[1]
    whom = "" if report.worth is not None else among(level)
    return f"{most.name}: {_word_gain(most.value, report, points, '.1f')} {each}{whom}"


def _draw_ladder(
    play: Levels[Report, Line] | Levels[Comparison, Measure] | None, points: Points
) -> _Section:
    lead = "A verdict is worth what the players behind it are worth. "
    lead += "A bot that is no better than those of the level below is no evidence of good play."
    table = [_write_table(describe_ladder(play.ladder, points))] if play is not None and play.ladder else []
    good = " and ".join(name_players(level) for level in (play.worthy if play is not None else ()))
    seen = f"Shown to play well: {good}" if good else "Nobody was shown to play well"
    return _Section("bots", "How good the players are", seen, lead, table, ("Skill?",))


def _draw_fair(report: Report, points: Points) -> Iterator[str]:
    """Draw a panel for each sort of lines; with several levels of play, one for each level."""
    worded, each = word_gains(report, points)
    play = report.play
    levels = [*play.results.items()] if play is not None else [(ALONE, report)]
    for sort, called in _SORTS.items():
        by_level = [[line for line in level.lines if line.about.sort == sort] for _, level in levels]
        by_level = [_pick_furthest(rows, _MOST_ROLES) if sort == "role" else rows for rows in by_level]
        depths = [1] if len(by_level) == 1 else range(len(by_level))
        bars = [
            join_bars([Bar(_shorten(row), row, worded(row.counted), _word_games(row), depth) for row in rows])
            for depth, rows in zip(depths, by_level, strict=True)
        ]
        every = [bar for some in bars for bar in some]
        if not every:
            continue
        # What is fair differs between roles, which sit in other seats.
        fair = 0.0 if sort == "role" else next(row.usual for rows in by_level for row in rows)
        ends = (-1.0, 1.0) if sort == "role" else (-fair, 1 - fair)
        scale = scale_bars(every, *(ends if report.judged_by == "wins" else (-inf, inf)), fair)
        ticked = partial(_word_gain if sort == "role" else _word_tick, report=report, points=points)
        panels, few = list[str](), list[str]()
        for (name, level), some in zip(levels, bars, strict=True):
            if some and all(bar.is_vague for bar in some):
                few.append(f"{level.games:,} games{f' of {name_players(name)}' if name else ''}")
            elif some:
                head = f"<h3>{begin(name)}, {level.games:,} games</h3>" if name else ""
                panels.append(head + draw_bars(some, scale, ticked))
        note = [f'<p class="note">Too few to draw: {escape(join_texts(few))}.</p>'] if few else []
        if not panels:
            yield from note
            continue
        is_even = report.judged_by == "wins" and abs(fair - 1 / report.players) < _ROUNDED
        mark = f"fair, {worded(fair)}" if is_even else f"the average of all, {worded(fair)}"
        mark = "what the same seats get on average" if sort == "role" else mark
        called = "By who acts first in a game" if {bar.name for bar in every} == {"first"} else called
        verb = "wins" if report.judged_by == "wins" else "gets"
        yield draw_figure(f"{called}: {verb} {escape(each)}; the line is {escape(mark)}", lay_panels(panels), *note)


def _word_tick(value: float, report: Report, points: Points) -> str:
    return f"{100 * value:g}" if report.judged_by == "wins" else points(value)


def _shorten(row: Line) -> str:
    """Name a line below a caption that says of what it is: `first` for who acts first."""
    return row.name.removeprefix("who acts ").removeprefix("who is ").removesuffix(" in turn order")


def _word_games(row: Line) -> str:
    return f"{row.games:,} times" if isinstance(row.about, Role) else ""


def _pick_furthest(rows: Sequence[E], most: int) -> list[E]:
    """Pick the rows whose adjusted interval reaches farthest from its mark, in their own order."""
    first = sorted(rows, key=lambda row: -max(row.sure_low, -row.sure_high))[:most]
    return [row for row in rows if row in first]


def _draw_worth(report: Report, points: Points) -> Iterator[str]:
    worth = report.worth or ()
    rows = sorted(_pick_furthest(worth, _MOST_WORTH), key=lambda row: -row.value)
    if not rows:
        return
    _, each = word_gains(report, points)
    bars = [
        Bar(
            row.name if row.way == "never" else f"always {row.name}",
            row,
            f"{_word_gain(row.value, report, points, '.1f')} {each}",
            f"chosen {100 * row.chosen / max(1, row.offered):.0f} of 100 times",
        )
        for row in rows
    ]
    few = f", {len(rows)} of {len(worth)}" if len(rows) < len(worth) else ""
    caption = f"What who is free to do it gets more, among {escape(rows[0].level)} players{few}"
    yield draw_figure(caption, _draw_gains(bars, report, points))


def _draw_gains(gains: Sequence[Bar], report: Report, points: Points) -> str:
    bars = join_bars(gains)
    scale = scale_bars(bars, *((-1.0, 1.0) if report.judged_by == "wins" else (-inf, inf)))
    return draw_bars(bars, scale, partial(_word_gain, report=report, points=points))


def _word_gain(value: float, report: Report, points: Points, form: str = "g") -> str:
    if report.judged_by == "wins":
        return f"{round(100 * value, 1):+{form}}".replace("-", "−") if value else "0"
    return points(value)


def _list_dealt(report: Report) -> list[Line]:
    lines = [line for line in report.lines if line.about.sort == "dealt"]
    # Where all of it may be chance there is nothing to see.
    return lines if any(line.sure_low * line.sure_high > 0 for line in lines) else []


def _draw_dealt(report: Report, points: Points) -> Iterator[str]:
    level, speaks = find_speaker(report)
    every = len(_list_dealt(speaks))
    rows = _pick_furthest(_list_dealt(speaks), _MOST_WORTH)
    if not rows:
        return
    depth = 1 if report.play is None else [*report.play.results].index(level)
    bars = [
        Bar(row.name, row, _word_gain(row.value, report, points, ".1f"), f"dealt {row.games:,} times", depth)
        for row in sorted(rows, key=lambda row: -row.value)
    ]
    who = name_players(level) if report.play is not None else f"{' and '.join(dict.fromkeys(report.bots))} players"
    what = "wins of 100" if report.judged_by == "wins" else "what one gets a game"
    few = f", the {len(rows)} farthest off" if len(rows) < every else ""
    caption = f"Cards that {who} were dealt{few}: {what}, more or less than the same seats; the line is no difference"
    yield draw_figure(caption, _draw_gains(bars, report, points))


def _draw_course(course: Course | None) -> Iterator[str]:
    if course is None:
        return
    shown = course.shown
    if shown is not None:
        why = f'<p class="note">Why this game: {escape(shown.why)}.</p>'
        caption = f"One game: {escape(word_leaders(shown))}. The chance of each to win, of 100"
        yield draw_figure(caption, draw_course(shown), list_told(shown), why)
    if course.when:
        caption = "When the later winner got ahead of all others, and stayed the favourite. One dot a game"
        yield draw_figure(caption, draw_decided(course.when))


def _lay_out_change(comparison: Comparison, points: Points) -> _Page:
    commands = [("This page", f"{comparison.command} --report page.html")] if comparison.play is not None else []
    commands += _list_levels_alone(comparison.play)
    if comparison.play is None:
        for what, side in (("As it is", comparison.base), ("Changed", comparison.changed)):
            commands.append((what, f"{side.command} --games {comparison.games}"))
    for example in comparison.changed_winners.examples[:1]:
        commands += [("A deal that somebody else won, as it is", example.replay_base)]
        commands += [("The same deal, changed", example.replay_changed)]
    return _lay_out(
        comparison,
        points,
        _draw_change(comparison, points),
        commands,
        told=comparison.told,
        changed=[*list_rules_changed(comparison.rule_by_rule)],
        left_out=_UNCOMPARED,
    )


def _draw_change(comparison: Comparison, base: Points) -> Iterator[_Section]:
    alone = Level(ALONE, "", comparison.games, 0.0, "", comparison)
    levels = comparison.play.levels if comparison.play is not None else [alone]
    first = levels[0]
    if first.games >= FEW_GAMES:
        unrelated = word_whole(1 - 1 / comparison.players)
        moved = word_wins(first.result.changed_winners.share)
        caption = f"{first.games:,} deals{among(first.name)}, drawn as a hundred"
        yield _Section(
            "winners",
            "How much hangs on it",
            f"{moved} of 100 deals had other winners{among(first.name)}",
            "Each dot is one deal of a hundred; a filled one has other winners under the other rule. A rule that does "
            f"nothing fills none. If who wins had nothing to do with the deal, about {unrelated} would be filled, and "
            "more with ties.",
            [draw_figure(caption, draw_share(first.result.changed_winners.share, caption))],
            ("Wins?",),
        )
    measures = {measure.name: measure for level in levels for measure in level.result.measures}
    measures = {name: measure for name, measure in measures.items() if measure.base or measure.changed}
    seats = [name for name, measure in measures.items() if measure.group == SEATS]
    others = [name for name in measures if name not in seats]
    # Of two players, what one gains is what the other loses.
    seats = seats[:1] if comparison.players == 2 else seats
    for id, title, names, asked in (
        ("seats", "What each seat wins more, or less", seats, ("Wins?",)),
        ("numbers", "What else is different", others, ("Long?", "Ties?", "Numbers?")),
    ):
        bars = [_list_bars(name, levels, base) for name in names]
        if id == "seats":
            known = {bar.level for some in bars for bar in some if not bar.is_vague}
            bars = [[evolve(bar, is_vague=bar.level not in known) for bar in some] for some in bars]
        every = [bar for some in bars for bar in some]
        figures = [
            _draw_measure(measures[name], some, every if id == "seats" else some)
            for name, some in zip(names, bars, strict=True)
        ]
        lead = "The difference on the same deals; below it in small print as it is → changed."
        seen = _see_change(names, comparison, levels, base)
        yield _Section(id, title, seen, lead, [lay_panels(figures)] if figures else [], asked)
    yield _draw_ladder(comparison.play, base)


def _see_change(
    names: Collection[str], comparison: Comparison, levels: Sequence[Level[Comparison]], base: Points
) -> str:
    """Say in a sentence what changes most of some measures, seen from what is too small to notice: of each what the
    level says that decides."""
    lens = comparison.play.lens if comparison.play is not None else ()
    decides = {merged.about: merged.decided_by for merged in lens}
    rows = [
        (measure, level.name)
        for level in levels
        for measure in level.result.measures
        if measure.name in names and measure.grey
        if (level.name == decides.get(measure.name, level.name) if measure.mark == LOOK else not is_vague(measure))
    ]
    if not rows:
        return "Too few deals to say"
    most, level = max(rows, key=lambda row: (row[0].mark == LOOK, abs(row[0].value) / row[0].grey))
    if not most.value:
        return "No difference"
    sentence = f"{claim_change(most)}{among(level)}: from {word_sides(most, base)}"
    if most.mark == LOOK:
        return sentence
    return f"No large change is shown. Furthest: {sentence[:1].lower()}{sentence[1:]}"


def _list_bars(name: str, levels: Sequence[Level[Comparison]], base: Points) -> list[Bar]:
    """List the changes of one measure, a bar a level of play."""
    bars = []
    for number, level in enumerate(levels):
        for measure in level.result.measures:
            if measure.name == name:
                # No change is a fault, so none is red.
                called = level.name or f"{level.games:,} deals"
                size, depth = word_difference(measure, base), number if level.name else 1
                bars.append(Bar(called, evolve(measure, mark=FACT), size, _word_sides(measure), depth))
    return bars


def _draw_measure(first: Measure, bars: Sequence[Bar], beside: Sequence[Bar]) -> str:
    """Draw the change of one measure on a scale for all that are beside each other."""
    scale = scale_bars(beside, *((-1.0, 1.0) if first.is_rate else (-inf, inf)))
    times = 100 if first.is_rate else 1
    unit = " of 100" if first.is_rate else ""
    return draw_figure(
        begin(name_measure(first)) + unit,
        draw_bars(bars, scale, lambda size: f"{times * size:+g}".replace("-", "−") if size else "0"),
    )


def _word_sides(measure: Measure) -> str:
    """`51.2 → 31.0`: as it is, and changed."""
    before, after = (100 * side if measure.is_rate else side for side in (measure.base, measure.changed))
    return f"{before:.1f} → {after:.1f}"


# ── how it is written ────────────────────────────────────────────────────────────────────────────────────────────────


def _write_before(headline: str, items: Sequence[Table | Lines]) -> str:
    """Write an answer that rests on all that comes below it, with its tables open."""
    first, _, more = headline.partition(". ")
    shown = "\n".join(_write_item(item).replace("<details>", "<details open>", 1) for item in items)
    below = f'<p class="stand">{escape(more)}</p>' if more else ""
    return f"<article>\n<h1>{escape(first.removesuffix('.'))}.</h1>\n{below}\n<section>{shown}</section>\n</article>\n"


def _write_document(title: str, pages: Sequence[_Page], version: str, before: str = "") -> str:
    style = (files(__package__) / "page.css").read_text(encoding="utf-8")
    several = len(pages) > 1
    body = "\n".join(_write_page(page, f"p{number}-" if several else "") for number, page in enumerate(pages, 1))
    return (
        f'<!doctype html>\n<html lang="en">\n<meta charset="utf-8">\n<title>{escape(title)}</title>\n'
        f'<meta name="viewport" content="width=device-width, initial-scale=1">\n<style>\n{style}</style>\n'
        f'<main>\n{before}{body}\n<section class="foot"><p>Made by rulebook {escape(version)}. The data of this '
        "page is in the file beside it.</p></section>\n</main>\n</html>\n"
    )


def _write_page(page: _Page, prefix: str) -> str:
    numbered = list(enumerate(page.sections, 1))
    figures: dict[str, list[str]] = {}
    for number, section in numbered:
        for question in section.answers:
            figures.setdefault(question, []).append(f'<a href="#{prefix}{section.id}">Figure {number}</a>')
    title, aim, *played = page.heads
    parts = [f'<p class="head">{escape(" ".join(filter(None, (f"{title}.", aim))))}</p>']
    # An answer below says how sure that is.
    headline = re.sub(r" \([^()]* to [^()]*\)", "", page.answers.headline)
    is_said = headline in [answer.verdict for answer in page.answers.answers]
    headline, _, more = headline.partition(". ")
    # What the first answer says as well is said once.
    headline, more = (re.split(r": (?=no |a seat )", headline)[0], "") if is_said else (headline, more)
    below = [*([more] if more else []), *page.told]
    parts += [f"<h1>{escape(headline.removesuffix('.'))}.</h1>"]
    parts += [f'<p class="stand">{escape(line)}</p>' for line in below]
    by_whom = " ".join(line.removesuffix(".") + "." for line in played)
    parts += [f'<p class="head">{escape(by_whom)}</p>'] if played else []
    parts += [*_sum_up(page.answers), *_write_rules(page.changed)]
    parts += [_explain_marks({answer.mark for answer in page.answers.answers}), '<ol class="answers">']
    parts += [_write_answer(answer, figures.get(answer.question, ())) for answer in page.answers.answers]
    parts += ["</ol>", *([f'<p class="stand">{escape(page.answers.quiet)}</p>'] if page.answers.quiet else [])]
    parts += [_LIMITS % page.left_out, *([_write_reading()] if numbered else [])]
    for number, section in numbered:
        lead = f'<p class="deck">{escape(section.lead)}</p>'
        head = f'<section id="{prefix}{section.id}"><p class="eyebrow">Figure {number}: {escape(section.about)}</p>'
        head += f"<h2>{escape(section.title)}</h2>"
        parts += [head, lead, *section.parts, "</section>"]
    # Commands stand at the end, and how good the players are has a section.
    tables = [table for table in page.tables if not (isinstance(table, Lines) and table.are_commands)]
    tables = [table for table in tables if not (isinstance(table, Table) and table.title == LADDER)]
    parts += [
        f"<section><h2>{'All numbers' if tables else 'To do it again'}</h2>",
        *map(_write_item, tables),
    ]
    parts += ["<details><summary>Commands, seeds and versions</summary>"]
    for what, command in page.commands:
        parts.append(f'<h3>{begin(what)}</h3><code class="command">{escape(command)}</code>')
    parts.append("</details></section>")
    return "<article>\n" + "\n".join(parts) + "\n</article>"


_MARKS = {
    LOOK: "certainly there, and most probably large enough to notice at a table.",
    CHANGE: "shown to be another than before, and large enough to notice; good or bad is for you to say.",
    OPEN: "not known yet: it takes more games, or better players, to tell.",
    FINE: "too small to notice, or nothing of its kind was found.",
    FACT: "a number for you to judge: good or bad as you want the game to be.",
}


@frozen
class _Sample:
    """An effect of the drawing that says how to read others."""

    value: float
    sure_low: float
    sure_high: float
    grey: float = 0.04
    mark: str = FACT
    more: int = 0


_SAMPLES = {
    "shown": (0.09, 0.02, 0.16),
    "not enough games": (0.05, -0.03, 0.13),
    "too small to notice": (0.01, -0.02, 0.035),
    "certain, and too small to notice": (0.025, 0.004, 0.046),
}


def _explain_marks(marks: Collection[str]) -> str:
    """Say what the marks of the answers mean."""
    explained = " ".join(f"<b>{mark.upper()}</b>: {text}" for mark, text in _MARKS.items() if mark in marks)
    return f'<p class="deck">{explained}</p>'


def _sum_up(answers: Answers) -> Iterator[str]:
    """Sum up which questions have which mark, a line each, and what to do next."""
    for mark, called in _SUMMARY.items():
        subjects = [_name_topic(answer) for answer in answers.answers if answer.mark == mark]
        is_change = any(answer.question in ("Wins?", "Numbers?", "Points?") for answer in answers.answers)
        called = "Changed too little to notice" if mark == FINE and is_change else called
        if subjects:
            yield f'<p class="sum"><b class="{mark}">{called}</b>: {escape(join_texts(subjects))}.</p>'
    for mark in (LOOK, OPEN):
        for answer in (answer for answer in answers.answers if answer.mark == mark):
            lines = [*answer.rests_on]
            for at, line in enumerate(lines):
                if isinstance(line, NextStep):
                    steps = takewhile(lambda one: isinstance(one, Command), lines[at : at + _MOST_STEPS])
                    yield f'<p class="sum"><b>Next</b>: {escape(f"{lines[at - 1][:1].lower()}{lines[at - 1][1:]}")}</p>'
                    yield from map(_write_line, steps)
                    return


def _name_topic(answer: Answer) -> str:
    """Name the subject of an answer, as a part of a sentence that goes with its mark."""
    if answer.question == "Fair?" and answer.mark == OPEN and answer.verdict.startswith("Probably fair"):
        return "how close to fair it is"
    return (_TOPICS | {FINE: _GOOD, LOOK: _BAD}.get(answer.mark, {}))[answer.question]


def _write_reading() -> str:
    """Say how to read bars, with a small drawing."""
    bars = [
        Bar(name, _Sample(value, low, high), "") for name, (value, low, high) in _SAMPLES.items()
    ]
    drawn = draw_bars(bars, Scale(-0.08, 0.18, ()), str)
    return f'<section class="reading"><h2>How to read the figures</h2>{_READING}{drawn}</section>'


_READING = """<p class="deck">In the figures the <b>dot</b> is what was counted, and the <b>bar</b> is where the truth
may lie; in text and tables that is the range, “25.0 (22.2 to 28.1)”. The upright line is fair, or no change; in the
<b>shaded band</b> a difference is too small to notice: four games of 100, or one part in twenty of other numbers.
Something is shown if its bar misses the line and its dot lies outside the band. Bars allow for all that was looked at:
at most one page of twenty raises a false alarm. What goes with winning need not be the reason for it. With another seed
other games are played, and the dots lie elsewhere on these bars.</p>"""
_UNCOMPARED = (
    " What the change does to cards, to dull decisions and to the course: “rulebook simulate” asks that of each game."
)
_LIMITS = """<section><h2>What this page cannot say</h2><p class="deck">Whether it is fun. What people would do: these
players neither bluff nor talk nor tire. What a card does in the hands of an expert. Anything smaller than the
bars.%s</p></section>"""


def _write_answer(answer: Answer, figures: Sequence[str]) -> str:
    """Write the verdict, and folded below it what that rests on."""
    beside = "".join(f'<p class="beside">{begin(line)}</p>' for line in answer.more)
    below = f'<p class="more">{", ".join(figures)}</p>' if figures else ""
    if answer.rests_on:
        inside = "".join(map(_write_line, answer.rests_on))
        below += f"<details><summary>What that rests on</summary>{inside}</details>"
    return (
        f'<li><span class="mark {answer.mark}">{answer.mark.upper()}</span><div>'
        f'<p class="question">{escape(_QUESTIONS[answer.question])}</p>'
        f'<p class="answer">{begin(answer.verdict)}</p>{beside}{below}</div></li>'
    )


def _write_line(line: str) -> str:
    if isinstance(line, Command):
        return f'<code class="command">{escape(line)}</code>'
    return f'<p class="more">{escape(line)}</p>'


def _write_rules(rules: Sequence[Sequence[str]]) -> Iterator[str]:
    """Write what is changed, rule by rule: first what a rule is called, then what was and what is now."""
    if rules:
        yield "<details><summary>What is changed, rule by rule</summary>"
        for name, *texts in rules:
            yield f'<p class="note"><b>{begin(name.rstrip(".:"))}</b><br>{"<br>".join(map(escape, texts))}</p>'
        yield "</details>"


def _write_item(item: Item) -> str:
    """Write a table or lines below a title that opens them."""
    assert not isinstance(item, Answers), "they stand at the beginning"
    title = begin(item.title or ("Who wins" if isinstance(item, Table) else "How it was counted"))
    if isinstance(item, Table):
        inside = _write_table(item) + "".join(f'<p class="note">{begin(remark)}</p>' for remark in item.remarks)
    else:
        inside = "".join(f'<p class="note">{begin(line)}</p>' for line in item.lines)
    return f"<details><summary>{title}</summary>{inside}</details>"


def _write_table(table: Table) -> str:
    # Files and lines are for who edits the rules, who has the terminal.
    kept = [number for number, head in enumerate(table.heads) if head != "where"]
    head = "".join(f"<th>{escape(table.heads[number])}</th>" for number in kept)
    cells = (("".join(f"<td>{escape(row[number])}</td>" for number in kept)) for row in table.rows)
    rows = "\n".join(f"<tr>{row}</tr>" for row in cells)
    return f'<div class="table"><table>\n<tr>{head}</tr>\n{rows}\n</table></div>'
