"""Answers of a comparison, in sentences: the changes that another rule makes to wins, length, ties, and points.

In: the comparison at one level of play, or at several with a ladder of bots. Out: a headline and answers, those first
that are worth a look; of several levels each answer says what changes at all of them, and what only at some.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from attrs import evolve

from rulebook.reporting.answering import CHANGE, Answer, Answers, answer_skill
from rulebook.reporting.change_words import QUESTIONS, word_range, word_sides
from rulebook.reporting.comparing import NUMBERS, SEATS, TIES
from rulebook.reporting.joining import merge_comparisons
from rulebook.reporting.line_words import find_edge, is_vague, word_needed
from rulebook.reporting.merging import ALONE, list_levels, name_players, weigh_row, word_edges
from rulebook.reporting.records import Comparison, Levels, Measure, Merged, Points, Rung
from rulebook.reporting.standing_out import word_wins
from rulebook.reporting.verdict_words import strip_ranges
from rulebook.statistics.verdicts import FACT, FINE, LOOK, OPEN

_ORDER = {CHANGE: 0, LOOK: 0, OPEN: 1, FINE: 2, FACT: 3}


def answer_changes(comparison: Comparison, points: Points) -> Answers:
    """Answer what the change does. `points` puts points into words."""
    play = comparison.play
    pairs = play.games if play is not None else {ALONE: comparison.games}
    lens = play.lens if play is not None else [*merge_comparisons({ALONE: comparison}, [ALONE], points)]
    vague = _find_vague_levels(pairs, lens)
    rows = [_leave_out(row, vague) for row in lens if _is_told(row, comparison)]
    shown = min(
        (row for row in rows if row.says),
        key=lambda row: (_ORDER[row.mark], -weigh_row(row.decisive)),
        default=None,
    )
    answers = []
    for family, question in QUESTIONS.items():
        of_family = [row for row in rows if row.group == family]
        sentences = list[str]()
        for row in sorted((row for row in of_family if row.says), key=lambda row: _ORDER[row.mark]):
            # The headline says it already.
            sentences += [row.says] if row is not shown and play is not None else []
            sentences += _list_levels(pairs, row, points, is_said=row is shown)
        sentences += _word_quiet(pairs, of_family, points)
        if of_family:
            mark = min((row.mark for row in of_family), key=_ORDER.__getitem__)
            verdict = next((row.says for row in of_family if row is shown), sentences[0])
            verdict = "No change that could be noticed." if mark == FINE else strip_ranges(verdict)
            answers.append(Answer(mark, question, sentences, verdict))
    if not comparison.decides:
        answers.append(Answer(FACT, "Wins?", ["Nothing in the rules of one side says who wins, so nobody can."]))
    if not comparison.are_alike_in_units:
        answers.append(Answer(FACT, "Points?", ["Not compared: with the change they are counted in something else."]))
    where = "at any level of play" if play is not None else f"in {comparison.games:,} games of each"
    headline = f"No change is shown {where}."
    if shown is not None:
        headline = shown.says
    elif all(answer.mark != OPEN for answer in answers):
        headline = "Nothing that was looked at changes by more than is too small to notice."
    if play is not None:
        answers.append(_answer_skill(play, comparison, vague, points))
    # What another rule does is no fault, so a change is called that.
    answers = [evolve(answer, mark=CHANGE) if answer.mark == LOOK else answer for answer in answers]
    answers = [evolve(answer, verdict=answer.verdict or strip_ranges(answer.lines[0])) for answer in answers]
    return Answers(headline, sorted(answers, key=lambda answer: _ORDER[answer.mark]))


def _is_told(row: Merged[Measure], comparison: Comparison) -> bool:
    """Tell whether a measure is worth a sentence: where payoffs are judged, wins are no more than numbers; and of two
    players, what one gains is what the other loses."""
    if row.group == NUMBERS:
        return not str(row.about).startswith("seat_")
    return row.group != SEATS or comparison.players > 2 or not str(row.about).endswith("_2")


def _answer_skill(
    play: Levels[Comparison, Measure], comparison: Comparison, vague: Mapping[str, int], points: Points
) -> Answer:
    """Say how good the players are by both rules, and which of them played too few deals."""
    skill = answer_skill(play, comparison, points)
    too_few = [
        f"{pairs:,} deals of {name_players(level)} are too few to say what changes." for level, pairs in vague.items()
    ]
    both = [rung.difference for rung in play.ladder if isinstance(rung, Rung) and rung.difference is not None]
    if not both:
        first, *others = skill.lines
        first = f"By the rules as they are: {first[:1].lower()}{first[1:]}"
        return evolve(skill, lines=[first, *others, *too_few])
    return evolve(skill, mark=both[-1].mark, lines=[*skill.lines, *too_few])


def _find_vague_levels(pairs: Mapping[str, int], lens: Sequence[Merged[Measure]]) -> dict[str, int]:
    """Find the levels of which too little is known to say anything, with their pairs; none if that is so of all."""
    rows = {level: [line.levels[level] for line in lens if level in line.levels] for level in pairs}
    vague = {level: deals for level, deals in pairs.items() if all(map(is_vague, rows[level]))}
    return vague if len(vague) < len(rows) else {}


def _leave_out(merged: Merged[Measure], vague: Mapping[str, int]) -> Merged[Measure]:
    """A line without levels that say nothing; what is open only among these is settled as far as it is known."""
    levels = {level: row for level, row in merged.levels.items() if level not in vague}
    is_settled = merged.mark == OPEN and all(row.mark == FINE for row in levels.values())
    return evolve(merged, levels=levels, mark=FINE if is_settled else merged.mark)


def _list_levels(
    pairs: Mapping[str, int], merged: Merged[Measure], points: Points, is_said: bool = False
) -> Iterator[str]:
    """Say of a number what it does at each level, those first that say most. A headline may have said from what to
    what."""
    rows = merged.levels
    for level in sorted(rows, key=lambda level: (is_vague(rows[level]), level != merged.decided_by)):
        row = rows[level]
        if is_vague(row):
            deals = list_levels({level: f"{pairs[level]:,} deals"}, "of")
            yield f"{deals} are too few to say of {merged.name.lower()}."
            continue
        sides = "" if is_said and level == ALONE else f"from {word_sides(row, points)}, "
        whose = "" if level == ALONE else f", {name_players(level)}"
        yield f"{merged.name}{whose}: {sides}{word_range(row, points)}."


def _word_quiet(pairs: Mapping[str, int], rows: Sequence[Merged[Measure]], points: Points) -> Iterator[str]:
    """Say of rates together how far they may have moved, of numbers one by one what they did at each level."""
    quiet = [row for row in rows if not row.says]
    other = "other " if len(quiet) < len(rows) else ""
    rates = [row for row in quiet if row.is_rate]
    if rates:
        yield from _word_rates(pairs, rates, [row for row in rows if row.is_rate], other)
    for row in quiet:
        if row.is_rate:
            continue
        if row.mark == FINE:
            yield f"{row.name}: no change that could be noticed."
        elif any(map(is_vague, row.levels.values())):
            yield from _list_levels(pairs, row, points)
        else:
            measures = reversed([*row.levels.items()])
            sides = {name: f"from {word_sides(side, points)}, {word_range(side, points)}" for name, side in measures}
            yield f"{row.name}: no change large enough to notice is shown; {list_levels(sides)}."


def _word_rates(
    pairs: Mapping[str, int], rates: Sequence[Merged[Measure]], family: Sequence[Merged[Measure]], other: str
) -> Iterator[str]:
    """Say how far several rates may have moved at each level, but where too little is known of their whole family."""
    what = {SEATS: "seat", TIES: "share of ties or games without an end"}.get(rates[0].group or "", "share")
    rows = {name: [rate.levels[name] for rate in rates if name in rate.levels] for name in pairs}
    known = {name for line in family for name, row in line.levels.items() if not is_vague(row)}
    few = {name: f"{pairs[name]:,} deals" for name, some in rows.items() if some and name not in known}
    edges = {name: word_wins(find_edge(some)) for name, some in rows.items() if some and name in known}
    needed, best = "", [*pairs][-1]
    open_rows = [row for row in rows[best] if row.mark == OPEN]
    if open_rows:
        size = word_wins(open_rows[0].grey)
        needed = word_needed(open_rows, pairs[best], size, list_levels({best: ""}, "of")).replace(" game", " deal")
    yield word_edges(f"No {other}{what} can move by more than", f"{other}{what}", edges, "of 100", few) + needed
