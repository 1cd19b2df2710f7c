"""What a comparison says, in sentences: what another rule changes of who wins, how long it takes, ties, and points.

In: what `comparing` made. Out: a headline and answers, those first that are worth a look.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from attrs import evolve

from rulebook.playtest.series.answering import CHANGE, Answer, Points, find_edge, is_vague, word_needed
from rulebook.playtest.series.comparing import CLOSE, COURSE, NUMBERS, SEATS, TIES
from rulebook.playtest.series.described import Answers
from rulebook.playtest.series.standing_out import word_settled, word_wins
from rulebook.statistics.verdicts import FACT, FINE, LOOK, OPEN

ORDER = {CHANGE: 0, LOOK: 0, OPEN: 1, FINE: 2, FACT: 3}
QUESTIONS = {SEATS: "Wins?", COURSE: "Long?", TIES: "Ties?", NUMBERS: "Numbers?"}
_NAMES = {
    "length": "decisions a game",
    "turns": "turns a game",
    "ties": "ties",
    "stopped": "games without an end",
    "points": "points of a player",
    "margin": "lead of the first",
}

_LARGE = 10
"""A number so large needs no second digit behind the point."""
NOTHING_CHANGES = "Nothing that was looked at changes by more than is too small to notice."

Row = Mapping[str, Any]


def answer_changes(found: Mapping[str, Any], base: Points) -> Answers:
    """Answer what the change does. `base` puts points into words."""
    rows = [one for one in found["measures"] if one["base"] or one["changed"]]
    # Where payoffs are judged, wins are no more than numbers.
    rows = [one for one in rows if one["group"] != NUMBERS or not one["name"].startswith("seat_")]
    told, shown = [], max((one for one in rows if one["mark"] == LOOK), key=measure_size, default=None)
    for family, question in QUESTIONS.items():
        some = [one for one in rows if one["group"] == family]
        if some:
            mark = min((one["mark"] for one in some), key=ORDER.__getitem__)
            told.append(Answer(mark, question, [*_sentences(some, base, found["games"], shown)]))
    told += answer_units(found)
    told = sort_answers(told)
    headline = f"No change is shown in {found['games']:,} games of each."
    if shown is not None:
        headline = f"{claim_change(shown)}: from {word_sides(shown, base)}."
    elif all(one.mark in (FINE, FACT) for one in told):
        headline = NOTHING_CHANGES
    return Answers(headline, told)


def measure_size(one: Row) -> float:
    """Measure a change in steps that are just large enough to notice."""
    difference = one.get("difference", one)
    return abs(float(difference["value"])) / (float(one["grey"]) or 1.0)


def claim_change(one: Row) -> str:
    """Say which way it goes: `Seat 1 wins more`, `Fewer ties`."""
    name, more = name_measure(one), one["changed"] > one["base"]
    if one["group"] == SEATS:
        return f"{name} {'more' if more else 'less'}"
    if one["name"] == "margin":
        return f"A {'larger' if more else 'smaller'} lead of the first"
    return f"{'More' if more else 'Fewer'} {name[:1].lower()}{name[1:]}"


def sort_answers(told: Sequence[Answer]) -> list[Answer]:
    """Put what is worth a look first, and call it a change: what another rule does is no fault."""
    found = [evolve(one, mark=CHANGE) if one.mark == LOOK else one for one in told]
    return sorted(found, key=lambda one: ORDER[one.mark])


def answer_units(found: Mapping[str, Any]) -> Iterator[Answer]:
    """Say what cannot be compared."""
    if not found["decides"]:
        yield Answer(FACT, "Wins?", ["Nothing in the rules of one side says who wins, so nobody can."])
    if not found["are_alike_in_units"]:
        yield Answer(FACT, "Points?", ["Not compared: with the change they are points of another kind."])


def _sentences(rows: Sequence[Row], points: Points, games: int, shown: Row | None) -> Iterator[str]:
    """Say each change that is worth a look by itself, without what the headline says of one that is `shown` there; of
    rates together how large one may be, of numbers one by one."""
    for one in (one for one in rows if one["mark"] == LOOK):
        sides = "" if one is shown else f"from {word_sides(one, points)}, "
        yield f"{name_measure(one)}: {sides}{word_range(one, one['difference'], points)}.{judge_change(one, rows)}"
    for mark in (OPEN, FINE):
        rates = [one for one in rows if one["mark"] == mark and one["is_rate"]]
        if rates:
            yield _word_rates(rates, mark, "other " if len(rates) < len(rows) else "", games)
        for one in rows:
            if one["mark"] == mark and not one["is_rate"]:
                yield _word_number(one, mark, points)


def judge_change(one: Row, rows: Sequence[Row]) -> str:
    """Say whether a change is for the better, where a game itself says so: ends, and seats that are alike."""
    if one["name"] == "stopped":
        return f" That is {'worse' if one['changed'] > one['base'] else 'better'}."
    if one["group"] != SEATS:
        return ""
    seats = [other for other in rows if other["group"] == SEATS]
    before, after = (abs(one[side] - sum(other[side] for other in seats) / len(seats)) for side in ("base", "changed"))
    return " That is further from fair: worse." if after > before else " That is nearer to fair: better."


def word_sides(one: Row, points: Points) -> str:
    """`38.9 to 18.0 of 100`: as it is, and changed."""
    before, after = (_word_value(one, one[side], points) for side in ("base", "changed"))
    return f"{before} to {after}{' of 100' if one['is_rate'] else ''}"


def word_range(one: Row, found: Row, points: Points) -> str:
    """`−20.9 (−29.0 to −12.1)`: the difference, and the range that verdicts follow."""
    low, high = (word_size(one, end, points) for end in (one["sure_low"], one["sure_high"]))
    return f"{word_difference(one, found['value'], points)} ({low} to {high})"


def word_difference(one: Row, value: float, points: Points) -> str:
    """Put a difference into words; of what is rounded to one digit beside it, so that it is what readers get."""
    if _is_in_points(one) or not (one["is_rate"] or abs(one["base"]) >= _LARGE):
        return word_size(one, value, points)
    before, after = (float(_word_value(one, one[side], points)) for side in ("base", "changed"))
    return word_size(one, (after - before) / (100 if one["is_rate"] else 1), points)


def _word_rates(rows: Sequence[Row], mark: str, other: str, games: int) -> str:
    """Say how far several rates may have moved."""
    furthest = find_edge(rows)
    what = "change of a seat" if rows[0]["group"] == SEATS else "change of ties or games without an end"
    if mark == OPEN:
        needed = word_needed(rows, games, word_wins(rows[0]["grey"]))
        if any(map(is_vague, rows)):
            return f"{games:,} deals are too few to say of a {other}{what}.{needed}"
        return f"No {other}{what} is shown. A change of up to {word_wins(furthest)} of 100 would still fit.{needed}"
    what = what.replace("change of a seat", "seat")
    if furthest <= CLOSE:
        return f"Every {other}{what} is shown to be within ±1 of 100."
    certain = " What moves is certain, and too small to notice." if any(one["tells"] for one in rows) else ""
    return f"No {other}{what} moves by more than {word_wins(furthest)} of 100.{certain}"


def _word_number(one: Row, mark: str, points: Points) -> str:
    begin = f"{name_measure(one)}: from {word_sides(one, points)}, {word_range(one, one['difference'], points)}"
    if mark == OPEN:
        return f"{begin}; that is open.{' ' + word_settled(one['more'], ' of each') if one['more'] else ''}"
    return f"{begin}: {'certain, and too small to notice' if one['tells'] else 'no change to be seen'}."


def name_measure(one: Row) -> str:
    """Return what people call a measure."""
    name = str(one["name"])
    for begin, verb in (("seat_", "wins"), ("payoff_", "gets")):
        if one["group"] in (SEATS, NUMBERS) and name.startswith(begin):
            return f"Seat {name.removeprefix(begin)} {verb}"
    named = _NAMES.get(name, name)
    return named[:1].upper() + named[1:]


def _is_in_points(one: Row) -> bool:
    return one["name"] in ("points", "margin") or (one["group"] == SEATS and not one["is_rate"])


def _word_value(one: Row, value: float, points: Points) -> str:
    if _is_in_points(one):
        return points(value)
    return word_wins(value) if one["is_rate"] else f"{value:.1f}"


def word_size(one: Row, value: float, points: Points) -> str:
    """Put a difference into words, with its sign."""
    sign = "−" if value < 0 else "+"
    if one["is_rate"] or _is_in_points(one):
        return sign + _word_value(one, abs(value), points)
    size = f"{abs(value):.{1 if abs(one['base']) >= _LARGE else 2}f}"
    return sign + size if float(size) else size
