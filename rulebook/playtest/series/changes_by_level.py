"""What another rule changes at several levels of play, in one list of answers.

In: the comparison at each level, and a ladder of bots. Out: the questions of one comparison, each with one answer that
says what changes at all levels, what only under good play, and what only among random players.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from rulebook.playtest.series.answering import Answer, Points, word_more
from rulebook.playtest.series.by_level import word_ladder
from rulebook.playtest.series.changes import ORDER, QUESTIONS, answer_units, name_measure, word_size
from rulebook.playtest.series.comparing import NUMBERS, SEATS, TIES
from rulebook.playtest.series.described import Answers
from rulebook.playtest.series.levels import RANDOM, find_worthy
from rulebook.playtest.series.merging import NOTHING, Row, Rows, list_levels, merge_rows, name_players, word_merged
from rulebook.playtest.series.standing_out import word_wins
from rulebook.statistics.verdicts import FACT, FINE, LOOK, OPEN

_ROW = ("sure_low", "sure_high", "grey", "mark", "more", "base", "changed", "is_rate", "group", "name", "tells")

Found = Mapping[str, Any]


def join_changes(levels: Sequence[dict[str, Any]], ladder: Sequence[Found], points: Points) -> dict[str, Any]:
    """Make one comparison of those of all levels: that among random players, with the merged answers beside it."""
    compared: dict[str, Found] = {one["name"]: one["compared"] for one in levels}
    worthy = find_worthy([*compared], ladder)
    return dict(compared[RANDOM]) | {
        "levels": list(levels),
        "ladder": list(ladder),
        "worthy": worthy,
        "lens": [*_merge_changes(compared, worthy, points)],
    }


def _merge_changes(compared: Mapping[str, Found], worthy: Sequence[str], points: Points) -> Iterator[dict[str, Any]]:
    lines: dict[str, dict[str, Row]] = {}
    for level, found in compared.items():
        for one in found["measures"]:
            lines.setdefault(one["name"], {})[level] = one["difference"] | {key: one[key] for key in _ROW}
    for name, rows in lines.items():
        if not any(row["base"] or row["changed"] for row in rows.values()):
            continue
        found_here, first = merge_rows(rows, worthy), next(iter(rows.values()))
        yield {
            "question": QUESTIONS[first["group"]],
            "about": name,
            "name": name_measure(first),
            "group": first["group"],
            "is_rate": first["is_rate"],
            "mark": found_here.mark,
            "way": found_here.way,
            "decided_by": found_here.levels[0],
            "says": "" if found_here.way == NOTHING else word_merged(found_here, rows, _claim, _measure(points), ""),
            "levels": rows,
        }


def _claim(row: Row) -> str:
    name = name_measure(row)
    if row["group"] == SEATS:
        return f"{name[:1].lower()}{name[1:]} {'more' if row['value'] > 0 else 'less'}"
    if row["name"] == "margin":
        return f"a {'larger' if row['value'] > 0 else 'smaller'} lead of the first"
    return f"{'more' if row['value'] > 0 else 'fewer'} {name[:1].lower()}{name[1:]}"


def _measure(points: Points) -> Callable[[Row], str]:
    def measure(row: Row) -> str:
        size, low, high = (word_size(row, row[end], points) for end in ("value", "low", "high"))
        return f"{size}{' of 100' if row['is_rate'] else ''} ({low} to {high})"

    return measure


def answer_changes_by_level(found: Found, base: Points, changed: Points) -> Answers:
    """Answer what the change does. Both put points of their side into words."""
    told = []
    # Where payoffs are judged, wins are no more than numbers.
    rows = [one for one in found["lens"] if one["group"] != NUMBERS or not one["about"].startswith("seat_")]
    for family, question in QUESTIONS.items():
        some = [one for one in rows if one["group"] == family]
        if some:
            mark = min((one["mark"] for one in some), key=ORDER.__getitem__)
            said = [one["says"] for one in sorted(some, key=lambda one: ORDER[one["mark"]]) if one["says"]]
            told.append(Answer(mark, question, [*said, *_word_quiet(found, some, base)]))
    told += answer_units(found, base, changed)
    told.sort(key=lambda one: ORDER[one.mark])
    headline = _find_headline(told)
    return Answers(
        headline,
        [*told, Answer(FACT, "Skill?", [*word_ladder(found, base)] or ["Nobody but random players was asked."])],
    )


def _find_headline(told: Sequence[Answer]) -> str:
    mark = told[0].mark if told else FINE
    if mark == LOOK:
        return told[0].lines[0]
    if mark == OPEN:
        return "No change stands out at any level of play."
    return "Nothing that was looked at changes by more than is too small to notice, at any level of play."


def _word_quiet(found: Found, some: Sequence[Found], points: Points) -> Iterator[str]:
    """Say of rates together how far they may have moved, of numbers one by one what they did at each level."""
    quiet = [one for one in some if not one["says"]]
    other = "other " if len(quiet) < len(some) else ""
    for mark in (OPEN, FINE):
        rates = [one for one in quiet if one["is_rate"] and one["mark"] == mark]
        if rates:
            yield _word_rates(found, rates, mark, other)
    still = [one for one in quiet if not one["is_rate"] and not any(row["tells"] for row in one["levels"].values())]
    still = [one for one in still if one["mark"] == FINE]
    if still:
        names = ", ".join(one["name"] if not number else one["name"].lower() for number, one in enumerate(still))
        yield f"{names}: no change to be seen at any level of play."
    for one in quiet:
        if not one["is_rate"] and one not in still:
            rows: Rows = one["levels"]
            sizes = {level: _measure(points)(row) for level, row in rows.items()}
            end = ": too small to notice" if one["mark"] == FINE else ""
            yield f"{one['name']}: {list_levels(sizes)}{end}."


def _word_rates(found: Found, rates: Sequence[Found], mark: str, other: str) -> str:
    what = "seat" if rates[0]["group"] == SEATS else "change of ties or ends"
    if rates[0]["group"] not in (SEATS, TIES):
        what = "share"
    level = rates[0]["decided_by"]
    rows = [one["levels"][level] for one in rates if level in one["levels"]]
    if mark == OPEN:
        edge, more = word_wins(_find_edge(rows)), max(row["more"] for row in rows)
        needed = f"; {word_more(more)} of each would show {word_wins(rows[0]['grey'])}" if more else ""
        fits = f"Among {name_players(level)} a change of up to {edge} of 100 would still fit{needed}."
        return f"No {other}{what} stands out. {fits}"
    everywhere = [row for one in rates for row in one["levels"].values()]
    if all(row["mark"] == FINE for row in everywhere):
        edge = word_wins(_find_edge(everywhere))
        return f"No {other}{what} moves by more than {edge} of 100 at any level of play."
    return f"No {other}{what} moves by more than {word_wins(_find_edge(rows))} of 100 among {name_players(level)}."


def _find_edge(rows: Sequence[Row]) -> float:
    return max(float(max(-row["sure_low"], row["sure_high"])) for row in rows)
