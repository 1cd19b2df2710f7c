"""What a comparison says, in sentences: what another rule changes of who wins, how long it takes, ties, and points.

In: what `comparing` made. Out: a headline and answers, those first that are worth a look.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from rulebook.playtest.series.answering import Answer, Points, word_more
from rulebook.playtest.series.comparing import CLOSE, COURSE, NUMBERS, SEATS, TIES
from rulebook.playtest.series.described import Answers
from rulebook.playtest.series.standing_out import word_wins
from rulebook.statistics.verdicts import FACT, FINE, LOOK, OPEN

ORDER = {LOOK: 0, OPEN: 1, FINE: 2, FACT: 3}
QUESTIONS = {SEATS: "Wins?", COURSE: "Long?", TIES: "Ties?", NUMBERS: "Numbers?"}
_NAMES = {
    "length": "decisions a game",
    "turns": "turns a game",
    "shared": "shared wins",
    "stopped": "games without an end",
    "points": "points of a player",
    "margin": "lead of the first",
}

Row = Mapping[str, Any]


def answer_changes(found: Mapping[str, Any], base: Points, changed: Points) -> Answers:
    """Answer what the change does. Both put points of their side into words."""
    rows = [one for one in found["measures"] if one["base"] or one["changed"]]
    # Where payoffs are judged, wins are no more than numbers.
    rows = [one for one in rows if one["group"] != NUMBERS or not one["name"].startswith("seat_")]
    told = []
    for family, question in QUESTIONS.items():
        some = [one for one in rows if one["group"] == family]
        if some:
            mark = min((one["mark"] for one in some), key=ORDER.__getitem__)
            told.append(Answer(mark, question, [*_sentences(some, base)]))
    told += answer_units(found, base, changed)
    told.sort(key=lambda one: ORDER[one.mark])
    return Answers(_find_headline(found, told), told)


def answer_units(found: Mapping[str, Any], base: Points, changed: Points) -> Iterator[Answer]:
    """Say what cannot be compared."""
    if not found["decides"]:
        yield Answer(FACT, "Wins?", ["Nothing in the rules of one side says who wins, so nobody can."])
    if not found["are_alike_in_units"]:
        sides = f"one side counts {base(1)}, the other {changed(1)}"
        yield Answer(FACT, "Points?", [f"Cannot be compared: {sides}."])


def _find_headline(found: Mapping[str, Any], told: Sequence[Answer]) -> str:
    if not told or told[0].mark in (FINE, FACT):
        return "Nothing that was looked at changes by more than is too small to notice."
    if told[0].mark == OPEN:
        return f"No change stands out in {found['games']:,} games of each."
    return told[0].lines[0]


def _sentences(rows: Sequence[Row], points: Points) -> Iterator[str]:
    """Say each change that is worth a look by itself; of rates together how large one may be, of numbers one by one."""
    yield from (_word_change(one, points) for one in rows if one["mark"] == LOOK)
    for mark in (OPEN, FINE):
        rates = [one for one in rows if one["mark"] == mark and one["is_rate"]]
        if rates:
            yield _word_rates(rates, mark, "other " if len(rates) < len(rows) else "")
        for one in rows:
            if one["mark"] == mark and not one["is_rate"]:
                yield _word_number(one, mark, points)


def _word_change(one: Row, points: Points) -> str:
    found = one["difference"]
    size, low, high = (word_size(one, found[end], points) for end in ("value", "low", "high"))
    each = " of 100" if one["is_rate"] else ""
    sides = f"{_word_value(one, one['changed'], points)}{each} instead of {_word_value(one, one['base'], points)}"
    return f"{name_measure(one)}: {sides}, {size} ({low} to {high})."


def _word_rates(rows: Sequence[Row], mark: str, other: str) -> str:
    """Say how far several rates may have moved."""
    furthest = max(max(-one["sure_low"], one["sure_high"]) for one in rows)
    what = "seat" if rows[0]["group"] == SEATS else "change of ties or ends"
    if mark == OPEN:
        more = max(one["more"] for one in rows)
        needed = f"; {word_more(more)} of each would show {word_wins(rows[0]['grey'])}" if more else ""
        return f"No {other}{what} stands out. A change of up to {word_wins(furthest)} of 100 would still fit{needed}."
    if furthest <= CLOSE:
        return f"Every {other}{what} is shown to be within ±1 of 100."
    certain = " What moves is certain, and too small to notice." if any(one["tells"] for one in rows) else ""
    return f"No {other}{what} moves by more than {word_wins(furthest)} of 100.{certain}"


def _word_number(one: Row, mark: str, points: Points) -> str:
    found = one["difference"]
    size, low, high = (word_size(one, found[end], points) for end in ("value", "low", "high"))
    begin = f"{name_measure(one)}: {size} ({low} to {high}) to {_word_value(one, one['base'], points)}"
    if mark == OPEN:
        more = f"; {word_more(one['more'])} of each would settle it" if one["more"] else ""
        return f"{begin}, which is open{more}."
    return f"{begin}: {'certain, and too small to notice' if one['tells'] else 'no change to be seen'}."


def name_measure(one: Row) -> str:
    """Return what people call a measure."""
    name = str(one["name"])
    for begin, verb in (("seat_", "wins"), ("payoff_", "gets")):
        if one["group"] == SEATS and name.startswith(begin):
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
    return f"{sign}{abs(value):.{1 if abs(one['base']) >= 10 else 2}f}"
