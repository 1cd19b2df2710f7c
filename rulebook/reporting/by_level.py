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
    reports = {one.name: one.report for one in levels}
    worthy = find_worthy([*reports], ladder)
    lens = [*_merge_reports(reports, worthy, points)]
    play = Levels(levels, ladder, worthy, lens, _merge_lengths(reports), not_played)
    return evolve(reports[RANDOM], play=play)


def _merge_reports(reports: Mapping[str, Report], worthy: Sequence[str], points: Points) -> Iterator[Merged]:
    """Merge what all levels say of who wins and of ties, line by line, those worth most first."""
    lines: dict[About, dict[str, Line]] = {}
    for level, report in reports.items():
        for one in report.lines:
            if one.about.sort in _SORTS:
                lines.setdefault(one.about, {})[level] = one
    first = next(iter(reports.values()))
    for about, rows in lines.items():
        found = merge_rows(rows, worthy)
        name = next(iter(rows.values())).name
        says = "" if found.way == NOTHING else _say_line(found, about, name, rows, first, points)
        yield Merged(
            question=_SORTS[about.sort],
            about=about,
            name=name,
            mark=found.mark,
            way=found.way,
            decided_by=found.levels[0],
            says=says,
            weight=weigh_row(rows[found.levels[0]]) if found.mark == LOOK else 0.0,
            levels=rows,
        )


def _merge_lengths(reports: Mapping[str, Report]) -> MergedLength:
    lengths = {
        level: LengthRow(report.length.median, report.nine_of_ten[0], report.nine_of_ten[1], FACT)
        for level, report in reports.items()
    }
    return MergedLength(LONG, "length", "", FACT, NOTHING, "", 0.0, lengths)


def _say_line(
    found: Trend, about: About, name: str, rows: Mapping[str, Line], report: Report, points: Points
) -> str:
    """Say what stands out at some level."""
    worded, each = word_gains(report, points)
    if isinstance(about, Tie):
        return word_merged(found, rows, lambda _: "most games are ties", lambda row: word_rate(row, 0.0, word_wins), "")
    verb, much, little = ("gets", "much", "little") if report.judged_by == "payoff" else ("wins", "often", "seldom")
    called = name_holder(about, name)
    fair = worded(rows[found.levels[0]].usual)
    return word_merged(
        found,
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
    reports = {one.name: one.report for one in play.levels}
    best = _find_best_watched(play)
    watched = {name: one for name, one in reports.items() if name in (RANDOM, best)}
    for one in answer_questions(reports[RANDOM], points, watched):
        match one.question:
            case "Fair?":
                yield _answer_fair(report, one, points)
            case "Long?":
                yield _answer_long(play, one)
            case "Ties?":
                yield _answer_ties(report, play, one)
            case "Strong?":
                yield _answer_strong(report, play, one, points)
            case "Boring?" | "Decided?":
                mark = OPEN if one.mark == LOOK else one.mark
                yield Answer(mark, one.question, [*_among_random(one.lines)], one.commands)
            case "Skill?":
                skill = answer_skill(play, report.judged_by, points)
                yield evolve(skill, lines=[*skill.lines, *_word_habits(report, play)])
            case _:
                yield one


def find_headline_of_levels(report: Report, points: Points) -> str:
    """Find what is most worth knowing: what stands out furthest at some level of good play, else what may."""
    said = _find_headline(report, points)
    return said if get_levels(report).worthy else f"{said} Nobody was shown to play well here."


def _find_headline(report: Report, points: Points) -> str:
    play = get_levels(report)
    broken = [one for level in play.levels for one in level.report.stands_out if one.question == LONG]
    if broken:
        return broken[0].says[:1].upper() + broken[0].says[1:]
    shown = min((one for one in play.lens if one.mark == LOOK), key=_sort_key, default=None)
    if shown is not None:
        return shown.says
    dead = next((one for one in answer_questions(report, points) if one.question == "Dead?" and one.mark == LOOK), None)
    if dead is not None:
        return dead.lines[0]
    unsettled = next((one for one in play.lens if one.way == UNSETTLED), None)
    if unsettled is not None:
        return unsettled.says
    best = play.worthy[-1] if play.worthy else RANDOM
    if best == RANDOM:  # where matters little among them, it may matter among people
        return word_nothing([one.about for one in play.lens], "at any level of play")
    strongest = next(one for one in play.levels if one.name == best)
    said = find_headline(strongest.report, points)
    return f"Among {name_players(strongest.name)} {said[:1].lower()}{said[1:]}"


def _sort_key(one: Merged) -> tuple[float, bool]:
    """Sort by weight; of what is alike, who wins before who loses."""
    return -round(one.weight), _loses(one)


def _loses(one: Merged) -> bool:
    return one.levels[one.decided_by].value < 0 and one.question == FAIR


def _among_random(lines: Sequence[str]) -> Iterator[str]:
    for number, line in enumerate(lines):
        yield f"Among random players: {line[:1].lower()}{line[1:]}" if not number else line


def _answer_fair(report: Report, alone: Answer, points: Points) -> Answer:
    """Say what stands out first, and of all else how far from fair it may be among the best players."""
    play = get_levels(report)
    found = [one for one in play.lens if one.question == FAIR]
    if report.players == 1 and report.decides:
        won = {one.name: one.report.seats[0] for one in play.levels}
        texts = {level: f"{word_wins(one.share)} of 100 games" for level, one in won.items()}
        return Answer(FACT, FAIR, [f"One plays alone, and wins {list_levels(texts)}."])
    if not found:
        return alone
    shown = [one for one in sorted(found, key=_sort_key) if one.says]
    # Of two players, what one of them gains is what the other loses.
    said = [one.says for one in shown if report.players > 2 or not _loses(one)]
    said += _word_quiet(report, [one for one in found if not one.says], points)
    mark = next((mark for mark in (LOOK, OPEN) if any(one.mark == mark for one in found)), FINE)
    return Answer(mark, FAIR, said)


def _word_quiet(report: Report, found: Sequence[Merged], points: Points) -> Iterator[str]:
    """Say of each sort of lines how far each level may be from fair, and how much more of the best players is needed
    where that is open."""
    worded, each = word_gains(report, points)
    play, sorts = get_levels(report), {one.about.sort: list[Merged]() for one in found}
    for one in found:
        sorts[one.about.sort].append(one)
    games = {one.name: one.games for one in play.levels}
    for sort, lines in sorts.items():
        rows = {name: [one.levels[name] for one in lines if name in one.levels] for name in games}
        yield word_sort(sort, rows, games, worded, each)
    best = play.levels[-1].name
    open_rows = [row for one in found if (row := one.levels.get(best)) is not None and row.mark == OPEN]
    if open_rows:
        size = worded(open_rows[0].grey)
        needed = word_needed(open_rows, games[best], size, list_levels({best: ""}, "of")).strip()
        yield from [needed] if needed else []


def find_known_level(play: Levels) -> str:
    """Find the best players of whom there are games enough to see how long nine of ten are."""
    games = {one.name: one.games for one in play.levels}
    return next((one for one in reversed(play.worthy) if games[one] >= _MANY), RANDOM)


def _answer_long(play: Levels, alone: Answer) -> Answer:
    reports = {one.name: one.report for one in play.levels}
    medians = {level: f"{one.length.median:g}" for level, one in reports.items()}
    level = find_known_level(play)
    low, high = reports[level].nine_of_ten
    broken = [one for one in reports.values() if one.unfinished or one.endings.get("crashed")]
    ends = "" if broken else " All came to an end."
    spread = f"Nine games of ten have {low:.0f} to {high:.0f} decisions among {name_players(level)}.{ends}"
    line = f"Decisions: {list_levels(medians)}. {spread}"
    return Answer(alone.mark, LONG, [*(alone.lines[:1] if alone.mark == LOOK else ()), line])


def _answer_ties(report: Report, play: Levels, alone: Answer) -> Answer:
    if report.players == 1 or not report.decides:
        return alone
    looks = [one for one in play.lens if isinstance(one.about, Tie) and one.says]
    if looks:
        return Answer(looks[0].mark, TIES, [looks[0].says])
    said = []
    reports = {one.name: one.report for one in play.levels}
    for what, games in (
        ("several win", {level: one.shared for level, one in reports.items()}),
        ("nobody wins", {level: one.nobody for level, one in reports.items()}),
    ):
        shares = {level: games[level] / one.games if one.games else 0.0 for level, one in reports.items()}
        if any(shares.values()):
            texts = {level: word_wins(share) for level, share in shares.items()}
            said.append(f"Of 100 games {what} {list_levels(texts)}.")
    return Answer(FACT, TIES, said or ["None at any level of play."])


def _answer_strong(report: Report, play: Levels, alone: Answer, points: Points) -> Answer:
    """Say which dealt cards are too strong at several levels; of other cards that go with winning among random players
    also how that is among the best."""
    worded, each = word_gains(report, points)
    shown = sorted((one for one in play.lens if one.question == STRONG and one.says), key=_sort_key)
    best, told = _find_best_watched(play), {one.name: "" for one in shown}
    rows = {row.about: row for one in play.levels if one.name == best for row in one.report.lines}
    for suspect in report.details.suspects if report.details is not None else ():
        row = rows.get(suspect.about)
        if row is not None:
            size = word_rate(row, row.usual, worded, each)
            told.setdefault(suspect.name, f"; {size} among {name_players(best)}.")
    lines = [one.says for one in shown]
    for line in alone.lines:
        more = told.get(line.partition(": ")[0])
        lines += [line] if more is None else [line[:-1] + more] if more else []
    marks = {OPEN if alone.mark == LOOK else alone.mark, *(one.mark for one in shown)}
    return Answer(next(mark for mark in (LOOK, OPEN, FINE, FACT) if mark in marks), STRONG, lines, alone.commands)


def _find_best_watched(play: Levels) -> str:
    """Find the best players who are shown to play well, and of whose games cards and options were counted."""
    watched = {one.name for one in play.levels if one.report.details is not None}
    return next((one for one in reversed(play.worthy) if one in watched), "")


def _word_habits(report: Report, play: Levels) -> Iterator[str]:
    """Say which options good players choose far more often than random ones where they are offered, or less."""
    best = _find_best_watched(play)
    good = next((one.report for one in play.levels if one.name == best), None)
    if good is None or good.details is None or report.details is None or good.games < FEW_GAMES:
        return
    usual, found = {one.option: one for one in report.details.options}, list[tuple[float, str]]()
    for one in good.details.options:
        other = usual.get(one.option)
        if other is None or one.option.partition(":")[0] in UNNAMED:
            continue
        share, before = one.chosen / one.offered, other.chosen / other.offered
        surely = abs(share - before) - TOGETHER * hypot(one.deviation, other.deviation)
        if surely > GREY and min(one.offered, other.offered) >= _MANY:
            found.append((surely, f"{one.name} {100 * share:.0f} and {100 * before:.0f}"))
    told = [text for _, text in sorted(found, reverse=True)[:_MOST_HABITS]]
    if told:
        listed = "; ".join(told)
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
    rungs = [one for one in play.ladder if isinstance(one, Rung)]
    is_open = any(is_unsure(one) and one.level not in play.worthy for one in rungs)
    return Answer(OPEN if is_open else FACT, SKILL, lines)


def is_unsure(one: Rung) -> bool:
    """Tell whether more games could still show that a bot plays better."""
    return not one.beats and one.low <= one.fair and one.high - one.fair > one.grey


def _word_ladder(play: Levels | ComparedLevels, judged_by: Unit, points: Points) -> Iterator[str]:
    """Say how much one bot wins among those of the level below, and what can be got from it at most."""
    worded, each = word_unit(judged_by, points)
    rungs = [one for one in play.ladder if isinstance(one, Rung)]
    for one in sorted(rungs, key=lambda one: one.fair - one.low):
        level, _, below = one.name.partition(" among ")
        who = name_rung(level, below)
        verb = "gets" if one.unit == "payoff" else "wins"
        if is_unsure(one) and one.high - one.low > _VAGUE * one.grey:
            yield f"{who}: {count_games(one.games)} are too few to say who plays better."
            continue
        caveat = ""
        if not one.beats:
            how = "a little better" if one.low > one.fair else "no better"
            caveat = f", {how}: {name_players(level)} are no evidence of good play"
            caveat = ", too few games to show that it plays better" if is_unsure(one) else caveat
            caveat = ", and little can be gained from it" if one.level in play.worthy else caveat
        low, high, fair = (worded(end) for end in (one.low, one.high, one.fair))
        changed = ""
        if one.changed is not None and one.difference is not None:
            changed = _word_changed(one.changed, one.difference, worded)
        yield f"{who} {verb} {worded(one.won)} {each} ({low} to {high}; fair is {fair}){changed}{caveat}."
    for name in play.not_played:
        yield f"There was no time for {name}: --lens 600 gives ten minutes."
    exact = [one for one in play.ladder if isinstance(one, BestResponse)]
    if exact:
        # What a rounded number would call nothing is more than that.
        gains = {name_bot(one.level, one.bot): worded(one.best_response) for one in exact}
        gains = {bot: "next to nothing" if gain == worded(0) else f"{gain} {each}" for bot, gain in gains.items()}
        sizes = ", ".join(f"{gain} from {bot}" for bot, gain in gains.items())
        yield f"Who knows how they play gains at best {sizes}: exactly, over all that can happen."
