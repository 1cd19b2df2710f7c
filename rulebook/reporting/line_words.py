"""Lines of a report in words: how far something is from its mark, how far it may be, and what it takes to know.

"Is" is said only of what is shown, "would fit" of what is open.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from math import ceil

from rulebook.interpreter.wording import join_texts
from rulebook.plurals import ordinal
from rulebook.reporting.merging import TOO_FEW, word_edges
from rulebook.reporting.records import About, Comparison, Effect, Had, Line, Order, Points, Report, Role, Row
from rulebook.reporting.standing_out import count_games, word_more, word_settled, word_wins

FEW_GAMES = 50
"""The fewest games that say something."""
_FAR = 3
"""The widest half-interval that still says something, in smallest effects of interest."""
_SORTS = {"seat": "seat", "order": "place in turn order", "role": "role", "dealt": "dealt card"}
"""Sorts of lines that say who wins, by what they are about, as a noun."""


def name_holder(about: About, name: str) -> str:
    """Return what people call those of whom a line speaks."""
    match about:
        case Role():
            return f"a player who begins with {name}"
        case Had("dealt"):
            return f"a player dealt {name}"
        case _:
            return name


def word_nothing(looked_at: Iterable[About], where: str) -> str:
    """Say that nothing stands out, of what was looked at."""
    sorts = {about.sort for about in looked_at}
    names = [name for sort, name in _SORTS.items() if sort in sorts]
    if not names:
        return f"Nothing stands out {where}."
    *first, last = names
    return f"No {', '.join(first)}{' or ' if first else ''}{last} stands out {where}."


def word_gains(result: Report | Comparison, points: Points) -> tuple[Points, str]:
    """Return what puts gains into words, and of how much they are."""
    return (points, "a game") if result.judged_by == "payoff" else (word_wins, "of 100")


def is_vague(row: Effect) -> bool:
    """Tell whether so little is known of a line that whatever is said of it, or drawn, would mislead."""
    holds_mark = row.sure_low <= 0 <= row.sure_high
    return holds_mark and row.sure_high - row.sure_low > 2 * _FAR * row.grey > 0


def find_edge(rows: Sequence[Effect]) -> float:
    """Find how far off the furthest of several lines may be."""
    return max(max(-row.sure_low, row.sure_high) for row in rows)


def word_needed(rows: Sequence[Effect], games: int, size: str, whose: str = "") -> str:
    """Say how many games more would narrow lines to what is too small to matter, which is of that size: four times as
    many halve a range. A few games do not even say that. `whose` games they are may be added."""
    if games < FEW_GAMES:
        return ""
    more = count_needed(rows, games)
    if not more:  # it is narrow enough, and lies to one side
        return f" {word_settled(max(row.more for row in rows), whose)}"
    return f" With about {word_more(more)}{whose} this would be known to ±{size}."


def count_needed(rows: Sequence[Effect], games: int) -> int:
    """Count the games more that would narrow lines to what is too small to matter; none where they are so narrow."""
    widest = max(rows, key=lambda row: row.sure_high - row.sure_low)
    more = games * (((widest.sure_high - widest.sure_low) / 2 / widest.grey) ** 2 - 1) if widest.grey else 0
    digits: int = 10 ** max(2, len(str(int(more))) - 2)
    return max(0, digits * ceil(more / digits))


def word_rate(row: Line, worded: Points, each: str = "of 100") -> str:
    """`28.0 of 100 (22.1 to 34.8)`: what is won, with its range, if it is not known exactly."""
    if is_vague(row):
        return TOO_FEW
    value, low, high = map(worded, (row.counted, *row.counted_between))
    return f"{value} {each} ({low} to {high})" if low != high else f"{value} {each}"


def word_sort(
    sort: str, rows: Mapping[str, Sequence[Row]], games: Mapping[str, int], worded: Points, each: str
) -> str:
    """Say how far lines of one sort may be from fair at each level of play."""
    few = {level: count_games(games[level]) for level, some in rows.items() if any(map(is_vague, some))}
    edges = {level: worded(find_edge(some)) for level, some in rows.items() if some and level not in few}
    claim, named = f"No {_SORTS[sort]} stands out: each may still be off its share by up to", _SORTS[sort]
    places = sorted({row.about.place for some in rows.values() for row in some if isinstance(row.about, Order)})
    if places == [1]:
        claim, named = "Who acts first does not stand out, and may still be off an even share by up to", "first player"
    elif places:  # what is shown of other places was said
        quiet = join_texts([ordinal(place - 1) for place in places])
        said = f"{quiet[:1].upper()}{quiet[1:]} in turn order {'do' if places[1:] else 'does'} not stand out"
        claim, named = f"{said}: each may still be off its share by up to", "place in turn order"
    return word_edges(claim, named, edges, each, few)
