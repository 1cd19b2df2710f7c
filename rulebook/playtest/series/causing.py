"""What a card did for those who had it: the same seats on the same deals, with the card and without.

In: games with the card, in which cards were counted, and the same deals without it. Out: for each way of having it, how
much the seats that had it won in either, with the interval of the difference. Never: compares a seat with another one.

Who is dealt a card did nothing for it, so that difference is what the card does. Who got, played or held it may have
done so because the game went well, or long; without the card the same luck does not come again. So of these the
difference holds some luck too, most of that of who held it at the end.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from rulebook.playtest.series.plan import Plan
from rulebook.playtest.series.record import Played
from rulebook.statistics.intervals import bootstrap

__all__ = ["holders"]

_WAYS = ("dealt", "got", "played", "held")


def holders(plan: Plan, pairs: Sequence[tuple[Played, Played]], ids: Sequence[str]) -> list[dict[str, Any]]:
    """For each way of having one of these cards: on how many deals somebody had it so, what those seats won with it and
    without it, and the difference. Games on one deal are one observation.
    """
    found = []
    for way in _WAYS:
        deals: dict[int, list[tuple[float, float]]] = {}
        for base, without in pairs:
            for seat in _seats(base, way, ids):
                deals.setdefault(plan.deal(base.number), []).append((base.share(seat), without.share(seat)))
        if deals:
            steps = [sum(before - after for before, after in shares) / len(shares) for shares in deals.values()]
            [interval] = bootstrap([steps])
            shares = [one for several in deals.values() for one in several]
            found.append(
                {
                    "way": way,
                    "deals": len(deals),
                    "seats": len(shares),
                    "with": sum(before for before, _ in shares) / len(shares),
                    "without": sum(after for _, after in shares) / len(shares),
                    "difference": {"value": interval.value, "low": interval.low, "high": interval.high},
                    "tells": interval.tells,
                }
            )
    return found


def _seats(one: Played, way: str, ids: Sequence[str]) -> Iterator[int]:
    """The seats that had one of the cards so."""
    seen = one.seen
    assert seen is not None, "games with the card are watched"
    for seat in range(len(one.places)):
        if way == "dealt":
            had = any(id in seen.dealt[seat] for id in ids)
        else:
            column = 3 * seat + ("got", "played", "held").index(way)
            had = any(seen.cards[id][column] for id in ids if id in seen.cards)
        if had:
            yield seat
