"""Answers about a game at several levels of play, merged into one list.

In: the report, or the comparison, of each level, and a ladder of bots. Out: the same questions as those of one level,
each with one answer that says what holds at all levels, what only under good play, and what only among random players.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from math import hypot

from attrs import evolve

from rulebook.playtest.series.levels import RANDOM, Difference, Gain, Ladder, find_worthy
from rulebook.playtest.series.naming import UNNAMED
from rulebook.playtest.series.verdicts import GREY
from rulebook.reporting.answering import (
    FEW_GAMES,
    SKILL,
    Answer,
    answer_questions,
    find_headline,
    name_holder,
    word_gains,
    word_needed,
    word_nothing,
    word_rate,
    word_sort,
    word_unit,
)
from rulebook.reporting.merging import (
    NOTHING,
    UNSETTLED,
    Trend,
    list_levels,
    merge_rows,
    name_bot,
    name_players,
    name_rung,
    weigh_row,
    word_merged,
)
from rulebook.reporting.records import (
    About,
    BestResponse,
    ComparedLevels,
    Had,
    LengthRow,
    Level,
    Levels,
    Line,
    Merged,
    MergedLength,
    Points,
    Report,
    Rung,
    Tie,
    Unit,
)
from rulebook.reporting.standing_out import FAIR, LONG, STRONG, TIES, count_games, word_wins
from rulebook.statistics.intervals import TOGETHER
from rulebook.statistics.verdicts import FACT, FINE, LOOK, OPEN

_SORTS = {"seat": FAIR, "order": FAIR, "role": FAIR, "tie": TIES, "dealt": STRONG}
_MANY = 100
"""In so many games it is seen how long nine of ten are."""
_MOST_HABITS = 4
_VAGUE = 6
"""A range so many times as wide as what is too small to matter says nothing."""


def join_levels(levels: Sequence[Level], ladder: Ladder, points: Points, not_played: Sequence[str] = ()) -> Report:
    """Make one report of those of all levels: what random players show, with the merged answers beside it."""
    reports = {level.name: level.report for level in levels}
    worthy = find_worthy([*reports], ladder)
    lens = [*_merge_reports(reports, worthy, points)]
    play = Levels(levels, ladder, worthy, lens, _merge_lengths(reports), not_played)
    return evolve(reports[RANDOM], play=play)


def _merge_reports(reports: Mapping[str, Report], worthy: Sequence[str], points: Points) -> Iterator[Merged]:
    """Merge what all levels say of who wins and of ties, line by line, those worth most first."""
    lines: dict[About, dict[str, Line]] = {}
    for level, report in reports.items():
        for line in report.lines:
            if line.about.sort in _SORTS:
                lines.setdefault(line.about, {})[level] = line
    first = next(iter(reports.values()))
    for about, rows in lines.items():
        overall = merge_rows(rows, worthy)
        name = next(iter(rows.values())).name
        says = "" if overall.way == NOTHING else _say_line(overall, about, name, rows, first, points)
        yield Merged(
            question=_SORTS[about.sort],
            about=about,
            name=name,
            mark=overall.mark,
            way=overall.way,
            decided_by=overall.levels[0],
            says=says,
            weight=weigh_row(rows[overall.levels[0]]) if overall.mark == LOOK else 0.0,
            levels=rows,
        )


def _merge_lengths(reports: Mapping[str, Report]) -> MergedLength:
    lengths = {
        level: LengthRow(report.length.median, report.nine_of_ten[0], report.nine_of_ten[1], FACT)
        for level, report in reports.items()
    }
    return MergedLength(LONG, "length", "", FACT, NOTHING, "", 0.0, lengths)


def _say_line(
    overall: Trend, about: About, name: str, rows: Mapping[str, Line], report: Report, points: Points
) -> str:
    """Say what stands out at some level."""
    worded, each = word_gains(report, points)
    if isinstance(about, Tie):
        return word_merged(
            overall, rows, lambda _: "most games are ties", lambda row: word_rate(row, 0.0, word_wins), ""
        )
    verb, much, little = ("gets", "much", "little") if report.judged_by == "payoff" else ("wins", "often", "seldom")
    called = name_holder(about, name)
    fair = worded(rows[overall.levels[0]].usual)
    return word_merged(
        overall,
        rows,
        lambda row: f"{called} {verb} too {much if row.value > 0 else little}",
        lambda row: word_rate(row, row.usual, worded, each),
        f", where the same seats {verb.removesuffix('s')} {fair} on average"
        if isinstance(about, Had)
        else f", where {fair} would be fair",
    )


def get_levels(report: Report) -> Levels:
    """Return the levels of play of a report that has several."""
    assert report.play is not None, "several levels of play were asked"
    return report.play


# ── the answers of a series ──────────────────────────────────────────────────────────────────────────────────────────


def answer_levels(report: Report, points: Points) -> Iterator[Answer]:
    """Answer the questions of one level, for all of them."""
    play = get_levels(report)
    reports = {level.name: level.report for level in play.levels}
    best = _find_best_watched(play)
    watched = {name: report for name, report in reports.items() if name in (RANDOM, best)}
    for answer in answer_questions(reports[RANDOM], points, watched):
        match answer.question:
            case "Fair?":
                yield _answer_fair(report, answer, points)
            case "Long?":
                yield _answer_long(play, answer)
            case "Ties?":
                yield _answer_ties(report, play, answer)
            case "Strong?":
                yield _answer_strong(report, play, answer, points)
            case "Boring?" | "Decided?":
                mark = OPEN if answer.mark == LOOK else answer.mark
                yield Answer(mark, answer.question, [*_among_random(answer.lines)], answer.commands)
            case "Skill?":
                skill = answer_skill(play, report.judged_by, points)
                yield evolve(skill, lines=[*skill.lines, *_word_habits(report, play)])
            case _:
                yield answer


def find_headline_of_levels(report: Report, points: Points) -> str:
    """Find what is most worth knowing: what stands out furthest at some level of good play, else what may."""
    headline = _find_headline(report, points)
    return headline if get_levels(report).worthy else f"{headline} Nobody was shown to play well here."


def _find_headline(report: Report, points: Points) -> str:
    play = get_levels(report)
    broken = [finding for level in play.levels for finding in level.report.stands_out if finding.question == LONG]
    if broken:
        return broken[0].says[:1].upper() + broken[0].says[1:]
    shown = min((merged for merged in play.lens if merged.mark == LOOK), key=_sort_key, default=None)
    if shown is not None:
        return shown.says
    answers = answer_questions(report, points)
    dead = next((answer for answer in answers if answer.question == "Dead?" and answer.mark == LOOK), None)
    if dead is not None:
        return dead.lines[0]
    unsettled = next((merged for merged in play.lens if merged.way == UNSETTLED), None)
    if unsettled is not None:
        return unsettled.says
    best = play.worthy[-1] if play.worthy else RANDOM
    if best == RANDOM:  # where matters little among them, it may matter among people
        return word_nothing([merged.about for merged in play.lens], "at any level of play")
    strongest = next(level for level in play.levels if level.name == best)
    headline = find_headline(strongest.report, points)
    return f"Among {name_players(strongest.name)} {headline[:1].lower()}{headline[1:]}"


def _sort_key(merged: Merged) -> tuple[float, bool]:
    """Sort by weight; of what is alike, who wins before who loses."""
    return -round(merged.weight), _loses(merged)


def _loses(merged: Merged) -> bool:
    return merged.levels[merged.decided_by].value < 0 and merged.question == FAIR


def _among_random(lines: Sequence[str]) -> Iterator[str]:
    for number, line in enumerate(lines):
        yield f"Among random players: {line[:1].lower()}{line[1:]}" if not number else line


def _answer_fair(report: Report, alone: Answer, points: Points) -> Answer:
    """Say what stands out first, and of all else how far from fair it may be among the best players."""
    play = get_levels(report)
    lines = [merged for merged in play.lens if merged.question == FAIR]
    if report.players == 1 and report.decides:
        won = {level.name: level.report.seats[0] for level in play.levels}
        texts = {level: f"{word_wins(seat.share)} of 100 games" for level, seat in won.items()}
        return Answer(FACT, FAIR, [f"One plays alone, and wins {list_levels(texts)}."])
    if not lines:
        return alone
    shown = [merged for merged in sorted(lines, key=_sort_key) if merged.says]
    # Of two players, what one of them gains is what the other loses.
    sentences = [merged.says for merged in shown if report.players > 2 or not _loses(merged)]
    sentences += _word_quiet(report, [merged for merged in lines if not merged.says], points)
    mark = next((mark for mark in (LOOK, OPEN) if any(merged.mark == mark for merged in lines)), FINE)
    return Answer(mark, FAIR, sentences)


def _word_quiet(report: Report, quiet: Sequence[Merged], points: Points) -> Iterator[str]:
    """Say of each sort of lines how far each level may be from fair, and how much more of the best players is needed
    where that is open."""
    worded, each = word_gains(report, points)
    play, sorts = get_levels(report), {merged.about.sort: list[Merged]() for merged in quiet}
    for merged in quiet:
        sorts[merged.about.sort].append(merged)
    games = {level.name: level.games for level in play.levels}
    for sort, lines in sorts.items():
        rows = {name: [merged.levels[name] for merged in lines if name in merged.levels] for name in games}
        yield word_sort(sort, rows, games, worded, each)
    best = play.levels[-1].name
    open_rows = [row for merged in quiet if (row := merged.levels.get(best)) is not None and row.mark == OPEN]
    if open_rows:
        size = worded(open_rows[0].grey)
        needed = word_needed(open_rows, games[best], size, list_levels({best: ""}, "of")).strip()
        yield from [needed] if needed else []


def find_known_level(play: Levels) -> str:
    """Find the best players of whom there are games enough to see how long nine of ten are."""
    games = {level.name: level.games for level in play.levels}
    return next((name for name in reversed(play.worthy) if games[name] >= _MANY), RANDOM)


def _answer_long(play: Levels, alone: Answer) -> Answer:
    reports = {level.name: level.report for level in play.levels}
    medians = {level: f"{report.length.median:g}" for level, report in reports.items()}
    level = find_known_level(play)
    low, high = reports[level].nine_of_ten
    broken = [report for report in reports.values() if report.unfinished or report.endings.get("crashed")]
    ends = "" if broken else " All came to an end."
    spread = f"Nine games of ten have {low:.0f} to {high:.0f} decisions among {name_players(level)}.{ends}"
    line = f"Decisions: {list_levels(medians)}. {spread}"
    return Answer(alone.mark, LONG, [*(alone.lines[:1] if alone.mark == LOOK else ()), line])


def _answer_ties(report: Report, play: Levels, alone: Answer) -> Answer:
    if report.players == 1 or not report.decides:
        return alone
    looks = [merged for merged in play.lens if isinstance(merged.about, Tie) and merged.says]
    if looks:
        return Answer(looks[0].mark, TIES, [looks[0].says])
    sentences = []
    reports = {level.name: level.report for level in play.levels}
    for what, games in (
        ("several win", {level: each.shared for level, each in reports.items()}),
        ("nobody wins", {level: each.nobody for level, each in reports.items()}),
    ):
        shares = {level: games[level] / each.games if each.games else 0.0 for level, each in reports.items()}
        if any(shares.values()):
            texts = {level: word_wins(share) for level, share in shares.items()}
            sentences.append(f"Of 100 games {what} {list_levels(texts)}.")
    return Answer(FACT, TIES, sentences or ["None at any level of play."])


def _answer_strong(report: Report, play: Levels, alone: Answer, points: Points) -> Answer:
    """Say which dealt cards are too strong at several levels; of other cards that go with winning among random players
    also how that is among the best."""
    worded, each = word_gains(report, points)
    shown = sorted((merged for merged in play.lens if merged.question == STRONG and merged.says), key=_sort_key)
    best, habits = _find_best_watched(play), {merged.name: "" for merged in shown}
    rows = {row.about: row for level in play.levels if level.name == best for row in level.report.lines}
    for suspect in report.details.suspects if report.details is not None else ():
        row = rows.get(suspect.about)
        if row is not None:
            size = word_rate(row, row.usual, worded, each)
            habits.setdefault(suspect.name, f"; {size} among {name_players(best)}.")
    lines = [merged.says for merged in shown]
    for line in alone.lines:
        more = habits.get(line.partition(": ")[0])
        lines += [line] if more is None else [line[:-1] + more] if more else []
    marks = {OPEN if alone.mark == LOOK else alone.mark, *(merged.mark for merged in shown)}
    return Answer(next(mark for mark in (LOOK, OPEN, FINE, FACT) if mark in marks), STRONG, lines, alone.commands)


def _find_best_watched(play: Levels) -> str:
    """Find the best players who are shown to play well, and of whose games cards and options were counted."""
    watched = {level.name for level in play.levels if level.report.details is not None}
    return next((name for name in reversed(play.worthy) if name in watched), "")


def _word_habits(report: Report, play: Levels) -> Iterator[str]:
    """Say which options good players choose far more often than random ones where they are offered, or less."""
    best = _find_best_watched(play)
    good = next((level.report for level in play.levels if level.name == best), None)
    if good is None or good.details is None or report.details is None or good.games < FEW_GAMES:
        return
    usual, habits = {option.option: option for option in report.details.options}, list[tuple[float, str]]()
    for option in good.details.options:
        other = usual.get(option.option)
        if other is None or option.option.partition(":")[0] in UNNAMED:
            continue
        share, before = option.chosen / option.offered, other.chosen / other.offered
        surely = abs(share - before) - TOGETHER * hypot(option.deviation, other.deviation)
        if surely > GREY and min(option.offered, other.offered) >= _MANY:
            habits.append((surely, f"{option.name} {100 * share:.0f} and {100 * before:.0f}"))
    texts = [text for _, text in sorted(habits, reverse=True)[:_MOST_HABITS]]
    if texts:
        listed = "; ".join(texts)
        yield f"Chosen of 100 times that it was offered, by {name_players(best)} and by random ones: {listed}."


def _word_changed(changed: Gain, difference: Difference, worded: Points) -> str:
    """Say how often the same bot wins by the changed rules, and how much more or less that is."""
    size, low, high = (
        f"{'−' if value < 0 else '+'}{worded(abs(value))}"
        for value in (difference.value, difference.low, difference.high)
    )
    return f"; with the change {worded(changed.won)}, {size} ({low} to {high})"


def answer_skill(play: Levels | ComparedLevels, judged_by: Unit, points: Points) -> Answer:
    """Say how good the players are; that is open where there were too few games to tell."""
    lines = [*_word_ladder(play, judged_by, points)] or ["Nobody but random players was asked."]
    rungs = [rung for rung in play.ladder if isinstance(rung, Rung)]
    is_open = any(is_unsure(rung) and rung.level not in play.worthy for rung in rungs)
    return Answer(OPEN if is_open else FACT, SKILL, lines)


def is_unsure(rung: Rung) -> bool:
    """Tell whether more games could still show that a bot plays better."""
    return not rung.beats and rung.low <= rung.fair and rung.high - rung.fair > rung.grey


def _word_ladder(play: Levels | ComparedLevels, judged_by: Unit, points: Points) -> Iterator[str]:
    """Say how much one bot wins among those of the level below, and what can be got from it at most."""
    worded, each = word_unit(judged_by, points)
    rungs = [rung for rung in play.ladder if isinstance(rung, Rung)]
    for rung in sorted(rungs, key=lambda rung: rung.fair - rung.low):
        level, _, below = rung.name.partition(" among ")
        who = name_rung(level, below)
        verb = "gets" if rung.unit == "payoff" else "wins"
        if is_unsure(rung) and rung.high - rung.low > _VAGUE * rung.grey:
            yield f"{who}: {count_games(rung.games)} are too few to say who plays better."
            continue
        caveat = ""
        if not rung.beats:
            how = "a little better" if rung.low > rung.fair else "no better"
            caveat = f", {how}: {name_players(level)} are no evidence of good play"
            caveat = ", too few games to show that it plays better" if is_unsure(rung) else caveat
            caveat = ", and little can be gained from it" if rung.level in play.worthy else caveat
        low, high, fair = (worded(end) for end in (rung.low, rung.high, rung.fair))
        changed = ""
        if rung.changed is not None and rung.difference is not None:
            changed = _word_changed(rung.changed, rung.difference, worded)
        yield f"{who} {verb} {worded(rung.won)} {each} ({low} to {high}; fair is {fair}){changed}{caveat}."
    for name in play.not_played:
        yield f"There was no time for {name}: --lens 600 gives ten minutes."
    exact = [best for best in play.ladder if isinstance(best, BestResponse)]
    if exact:
        # What a rounded number would call nothing is more than that.
        gains = {name_bot(best.level, best.bot): worded(best.best_response) for best in exact}
        gains = {bot: "next to nothing" if gain == worded(0) else f"{gain} {each}" for bot, gain in gains.items()}
        sizes = ", ".join(f"{gain} from {bot}" for bot, gain in gains.items())
        yield f"Who knows how they play gains at best {sizes}: exactly, over all that can happen."
