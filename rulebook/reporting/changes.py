"""Answers of a comparison, in sentences: the changes that another rule makes to wins, length, ties, and points.

In: the comparison at one level of play, or at several with a ladder of bots. Out: a headline and answers, those first
that are worth a look; of several levels each answer says what changes at all of them, and what only at some.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from attrs import evolve

from rulebook.playtest.series.levels import RANDOM, SEARCH, Ladder, find_worthy
from rulebook.reporting.answering import Answer, find_edge, is_vague, word_needed
from rulebook.reporting.by_level import answer_skill
from rulebook.reporting.change_words import (
    NOTHING_CHANGES,
    ORDER,
    QUESTIONS,
    answer_units,
    claim_change,
    name_measure,
    sort_answers,
    word_range,
    word_sides,
)
from rulebook.reporting.comparing import NUMBERS, SEATS, TIES
from rulebook.reporting.described import Answers
from rulebook.reporting.merging import (
    ALONE,
    EVERYWHERE,
    NOTHING,
    UNSETTLED,
    Trend,
    among,
    list_levels,
    merge_rows,
    name_players,
    weigh_row,
    word_edges,
)
from rulebook.reporting.records import (
    ComparedLevel,
    ComparedLevels,
    Comparison,
    Measure,
    MergedChange,
    Points,
    Rung,
    Unit,
)
from rulebook.reporting.standing_out import word_wins
from rulebook.statistics.verdicts import FINE, LOOK, OPEN


def join_changes(
    levels: Sequence[ComparedLevel], ladder: Ladder, points: Points, not_played: Sequence[str] = ()
) -> Comparison:
    """Make one comparison of those of all levels: that among random players, with the merged answers beside it."""
    compared = {level.name: level.compared for level in levels}
    worthy = find_worthy([*compared], ladder)
    lens = [*_merge_changes(compared, worthy, points)]
    return evolve(compared[RANDOM], play=ComparedLevels(levels, ladder, worthy, lens, not_played))


def _merge_changes(
    compared: Mapping[str, Comparison], worthy: Sequence[str], points: Points
) -> Iterator[MergedChange]:
    lines: dict[str, dict[str, Measure]] = {}
    for level, found in compared.items():
        for measure in found.measures:
            lines.setdefault(measure.name, {})[level] = measure
    for name, rows in lines.items():
        if not any(row.base or row.changed for row in rows.values()):
            continue
        merged, first = merge_rows(rows, worthy), next(iter(rows.values()))
        yield MergedChange(
            question=QUESTIONS[first.group],
            about=name,
            name=name_measure(first),
            group=first.group,
            is_rate=first.is_rate,
            # What another rule does among weak players, it does: the sentence says among whom.
            mark=LOOK if merged.way == UNSETTLED else merged.mark,
            way=merged.way,
            decided_by=merged.levels[0],
            says="" if merged.way == NOTHING else _say_change(merged, rows, points),
            levels=rows,
        )


def _say_change(merged: Trend, rows: Mapping[str, Measure], points: Points) -> str:
    """Say from what to what it goes among the best players who show it, and whether others show it too."""
    first = merged.levels[0]
    said = f"{claim_change(rows[first])}{among(first)}: from {word_sides(rows[first], points)}"
    if merged.way == EVERYWHERE and SEARCH in rows:
        return f"{said}, and so at all levels of play."
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
    return "; ".join([said, *also, *other]) + "."


def answer_changes(comparison: Comparison, points: Points) -> Answers:
    """Answer what the change does. `points` puts points into words."""
    several = comparison.play
    if several is not None:
        pairs, lens = {level.name: level.pairs for level in several.levels}, several.lens
    else:
        pairs, lens = {ALONE: comparison.games}, [*_merge_changes({ALONE: comparison}, [ALONE], points)]
    told = []
    # Where payoffs are judged, wins are no more than numbers.
    rows = [one for one in lens if one.group != NUMBERS or not one.about.startswith("seat_")]
    # Of two players, what one gains is what the other loses.
    rows = [row for row in rows if comparison.players > 2 or row.group != SEATS or row.about.endswith("_1")]
    vague = _find_vague_levels(pairs, lens)
    rows = [_leave_out(row, vague) for row in rows]
    shown = min((row for row in rows if row.says), key=lambda one: (ORDER[one.mark], -_weigh(one)), default=None)
    for family, question in QUESTIONS.items():
        some = [row for row in rows if row.group == family]
        if some:
            mark = min((one.mark for one in some), key=ORDER.__getitem__)
            said = []
            for one in sorted((one for one in some if one.says), key=lambda one: ORDER[one.mark]):
                # The headline says it already.
                said += [one.says] if one is not shown and several is not None else []
                said += [*_list_levels(pairs, one, points, is_said=one is shown)]
            told.append(Answer(mark, question, [*said, *_word_quiet(pairs, some, points)]))
    told += answer_units(comparison)
    where = "at any level of play" if several is not None else f"in {comparison.games:,} games of each"
    headline = f"No change is shown {where}."
    if shown is not None:
        headline = shown.says
    elif all(one.mark != OPEN for one in told):
        headline = NOTHING_CHANGES
    told += [_answer_skill(several, comparison.judged_by, vague, points)] if several is not None else []
    return Answers(headline, sort_answers(told))


def _answer_skill(play: ComparedLevels, judged_by: Unit, vague: Mapping[str, int], points: Points) -> Answer:
    """Say how good the players are by both rules, and which of them played too few deals."""
    skill = answer_skill(play, judged_by, points)
    too_few = [
        f"{pairs:,} deals of {name_players(level)} are too few to say what changes." for level, pairs in vague.items()
    ]
    both = [one.difference for one in play.ladder if isinstance(one, Rung) and one.difference is not None]
    if not both:
        first, *others = skill.lines
        first = f"By the rules as they are: {first[:1].lower()}{first[1:]}"
        return evolve(skill, lines=[first, *others, *too_few])
    return evolve(skill, mark=both[-1].mark, lines=[*skill.lines, *too_few])


def _weigh(merged_change: MergedChange) -> float:
    return weigh_row(merged_change.levels[merged_change.decided_by])


def _find_vague_levels(pairs: Mapping[str, int], lens: Sequence[MergedChange]) -> dict[str, int]:
    """Find the levels of which too little is known to say anything, with their pairs; none if that is so of all."""
    rows = {level: [line.levels[level] for line in lens if level in line.levels] for level in pairs}
    vague = {level: many for level, many in pairs.items() if all(map(is_vague, rows[level]))}
    return vague if len(vague) < len(rows) else {}


def _leave_out(merged_change: MergedChange, vague: Mapping[str, int]) -> MergedChange:
    """A line without levels that say nothing; what is open only among these is settled as far as it is known."""
    levels = {level: row for level, row in merged_change.levels.items() if level not in vague}
    is_settled = merged_change.mark == OPEN and all(row.mark == FINE for row in levels.values())
    return evolve(merged_change, levels=levels, mark=FINE if is_settled else merged_change.mark)


def _list_levels(
    pairs: Mapping[str, int], merged_change: MergedChange, points: Points, is_said: bool = False
) -> Iterator[str]:
    """Say of a number what it does at each level, those first that say most. A headline may have said from what to
    what."""
    rows = merged_change.levels
    for level in sorted(rows, key=lambda level: (is_vague(rows[level]), level != merged_change.decided_by)):
        row = rows[level]
        if is_vague(row):
            deals = list_levels({level: f"{pairs[level]:,} deals"}, "of")
            yield f"{deals} are too few to say of {merged_change.name.lower()}."
            continue
        sides = "" if is_said and level == ALONE else f"from {word_sides(row, points)}, "
        whose = "" if level == ALONE else f", {name_players(level)}"
        yield f"{merged_change.name}{whose}: {sides}{word_range(row, points)}."


def _word_quiet(pairs: Mapping[str, int], some: Sequence[MergedChange], points: Points) -> Iterator[str]:
    """Say of rates together how far they may have moved, of numbers one by one what they did at each level."""
    quiet = [one for one in some if not one.says]
    other = "other " if len(quiet) < len(some) else ""
    rates = [one for one in quiet if one.is_rate]
    if rates:
        yield from _word_rates(pairs, rates, [one for one in some if one.is_rate], other)
    for one in quiet:
        if one.is_rate:
            continue
        if one.mark == FINE:
            yield f"{one.name}: no change that could be noticed."
        elif any(map(is_vague, one.levels.values())):
            yield from _list_levels(pairs, one, points)
        else:
            sides = {level: _word_sides(row, points) for level, row in reversed([*one.levels.items()])}
            yield f"{one.name}: no change large enough to notice is shown; {list_levels(sides)}."


def _word_sides(row: Measure, points: Points) -> str:
    return f"from {word_sides(row, points)}, {word_range(row, points)}"


def _word_rates(
    pairs: Mapping[str, int], rates: Sequence[MergedChange], family: Sequence[MergedChange], other: str
) -> Iterator[str]:
    """Say how far several rates may have moved at each level, but where too little is known of their whole family."""
    what = {SEATS: "seat", TIES: "share of ties or games without an end"}.get(rates[0].group, "share")
    rows = {name: [rate.levels[name] for rate in rates if name in rate.levels] for name in pairs}
    known = {name for one in family for name, row in one.levels.items() if not is_vague(row)}
    few = {name: f"{pairs[name]:,} deals" for name, some in rows.items() if some and name not in known}
    edges = {name: word_wins(find_edge(some)) for name, some in rows.items() if some and name in known}
    needed, best = "", [*pairs][-1]
    open_rows = [row for row in rows[best] if row.mark == OPEN]
    if open_rows:
        size = word_wins(open_rows[0].grey)
        needed = word_needed(open_rows, pairs[best], size, list_levels({best: ""}, "of")).replace(" game", " deal")
    yield word_edges(f"No {other}{what} can move by more than", f"{other}{what}", edges, "of 100", few) + needed
