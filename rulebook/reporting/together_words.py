"""Games that all win or lose together, in words: how often, with how many players and at which level, and what ends
them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from rulebook.reporting.merging import ALONE, list_levels
from rulebook.reporting.records import Report, Sampled
from rulebook.reporting.standing_out import count_games, word_wins

_MOST_ENDS = 4


def list_wins(report: Report) -> dict[str, str]:
    """Say how often one who plays alone wins, or all together do, at each level of play."""
    levels = report.play.results if report.play is not None else {ALONE: report}
    seats = {name: level.seats[0] for name, level in levels.items()}
    return {
        name: f"{word_wins(seat.share)} of 100 games ({word_wins(seat.low)} to {word_wins(seat.high)})"
        for name, seat in seats.items()
    }


def word_together(report: Report) -> Iterator[str]:
    """Say how often all win, and what lost the games that were played once more, and what won them."""
    yield f"With {report.players} players all win or lose together, and win {list_levels(list_wins(report))}."
    sample = report.details.sample if report.details is not None else None
    if sample is not None and sample.ends:
        whom = " among random players" if report.play is not None else ""
        lost, won = ([*_list_endings(sample, is_won=is_won)] for is_won in (False, True))
        told = [f"{what} {', '.join(parts)}" for what, parts in (("lost", lost), ("won", won)) if parts]
        yield f"Of {count_games(sample.games)}{whom} that were played once more, {'; '.join(told)}."


def _list_endings(sample: Sampled, *, is_won: bool) -> Iterator[str]:
    counts = [(row.won if is_won else row.games - row.won, row) for row in sample.ends]
    shown = sorted(((count, row) for count, row in counts if count), key=lambda pair: -pair[0])
    for count, row in shown[:_MOST_ENDS]:
        where = f"“{row.rule}” ({row.sentence}, {row.at})" if row.sentence else "coming to the end of the rules"
        yield f"{count} by {where}"
    if len(shown) > _MOST_ENDS:
        yield f"{sum(count for count, _ in shown[_MOST_ENDS:])} in other ways"


def list_numbers(reports: Sequence[Report]) -> tuple[list[str], list[list[str]]]:
    """List how often all win with each number of players, at each level of play: heads and rows."""
    levels = list(dict.fromkeys(level for report in reports for level in list_wins(report)))
    rows = [[str(report.players), *(list_wins(report).get(level, "") for level in levels)] for report in reports]
    return ["players", *(level or "all win" for level in levels)], rows
