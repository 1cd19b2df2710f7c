"""Words of one change: what another rule does to a seat, to lengths, ties and points, with its size and its range."""

from __future__ import annotations

from rulebook.reporting.comparing import COURSE, NUMBERS, SEATS, TIES
from rulebook.reporting.records import Measure, Points
from rulebook.reporting.standing_out import word_wins

QUESTIONS = {SEATS: "Wins?", COURSE: "Long?", TIES: "Ties?", NUMBERS: "Numbers?"}
_NAMES = {
    "length": "decisions a game",
    "turns": "times that somebody else is asked",
    "ties": "ties",
    "stopped": "games without an end",
    "points": "points of a player",
    "margin": "lead of the first",
    "together": "all together win",
}


def claim_change(measure: Measure) -> str:
    """Say which way it goes: `Seat 1 wins more`, `Fewer ties`."""
    name, more = name_measure(measure), measure.changed > measure.base
    if measure.group == SEATS:
        return f"{name} {'more' if more else 'less'}"
    if measure.name == "margin":
        return f"A {'larger' if more else 'smaller'} lead of the first"
    return f"{'More' if more else 'Fewer'} {name[:1].lower()}{name[1:]}"


def word_sides(measure: Measure, points: Points) -> str:
    """`38.9 to 18.0 of 100`: as it is, and changed."""
    before, after = (word_value(measure, side, points) for side in (measure.base, measure.changed))
    return f"{before} to {after}{' of 100' if measure.is_rate else ''}"


def word_range(measure: Measure, points: Points) -> str:
    """`−20.9 (−29.0 to −12.1)`: the difference, and the range that verdicts follow."""
    low, high = (word_size(measure, end, points) for end in (measure.sure_low, measure.sure_high))
    return f"{word_difference(measure, points)} ({low} to {high})"


def word_difference(measure: Measure, points: Points) -> str:
    """Put a difference into words: that of the rounded numbers beside it, so that it is what readers get."""
    try:
        before, after = (float(word_value(measure, side, points)) for side in (measure.base, measure.changed))
    except ValueError:  # an amount with a unit
        return word_size(measure, measure.value, points)
    return word_size(measure, (after - before) / (100 if measure.is_rate else 1), points)


def name_measure(measure: Measure) -> str:
    """Return what people call a measure."""
    name = measure.name
    for begin, verb in (("seat_", "wins"), ("payoff_", "gets")):
        if measure.group in (SEATS, NUMBERS) and name.startswith(begin):
            return f"Seat {name.removeprefix(begin)} {verb}"
    named = _NAMES.get(name, name)
    return named[:1].upper() + named[1:]


def _is_in_points(measure: Measure) -> bool:
    return measure.name in ("points", "margin") or (measure.group == SEATS and not measure.is_rate)


def word_value(measure: Measure, value: float, points: Points) -> str:
    if _is_in_points(measure):
        return points(value)
    return word_wins(value) if measure.is_rate else f"{value:.{_count_digits(measure)}f}"


def _count_digits(measure: Measure) -> int:
    """Return how many digits behind the point say enough of numbers of this size."""
    return 1 if abs(measure.base) >= 10 else 2


def word_size(measure: Measure, value: float, points: Points) -> str:
    """Put a difference into words, with its sign."""
    sign = "−" if value < 0 else "+"
    if measure.is_rate or _is_in_points(measure):
        return sign + word_value(measure, abs(value), points)
    size = f"{abs(value):.{_count_digits(measure)}f}"
    return sign + size if float(size) else size
