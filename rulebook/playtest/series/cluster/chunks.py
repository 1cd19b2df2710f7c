"""Which games one worker is asked for at once, and what a question is called.

In: the numbers of games that are wanted. Out: chunks of them, in order, and their keys. Never: depends on how many
workers there are or how fast they are: whoever asks for the same games asks by the same keys.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from hashlib import blake2b

from rulebook.playtest.bots import is_command, looks
from rulebook.playtest.series.plan import Plan

__all__ = ["chunks", "grain", "key", "series_key"]

_LARGEST = 16
"""Of how many grains a chunk is at most."""
_PART = 64
"""A chunk is about this part of all games before it, so that few games are shared out as well as many."""


def grain(plan: Plan) -> int:
    """How many games the smallest chunks have: a game of bots that think may take a minute."""
    return 1 if any(looks(bot) or is_command(bot) for bot in plan.bots) else 25


def chunks(wanted: Iterable[range], grain: int) -> Iterator[range]:
    """The wanted games, in chunks that end where a grid ends that is the same for all series.

    The first chunks are small, since somebody may only want a hundred games of very many machines.
    """
    start = end = 0
    for piece in wanted:
        if piece.start != end or start == end:
            yield from _cut(start, end, grain)
            start = piece.start
        end = piece.stop
    yield from _cut(start, end, grain)


def _cut(start: int, end: int, grain: int) -> Iterator[range]:
    while start < end:
        size = grain
        while size < grain * _LARGEST and size * 2 * _PART <= start:
            size *= 2
        stop = min(end, start - start % size + size)
        yield range(start, stop)
        start = stop


def series_key(plan: Plan, rules_hash: str, covers: bool, sources: str) -> str:
    """What all chunks of a series have in common in their keys: rules, variants, house rules, players, bots, seed; and
    what else decides what comes back.
    """
    text = repr([plan.key(rules_hash), plan.tier, plan.timeout, covers, sources])
    return blake2b(text.encode(), digest_size=12).hexdigest()


def key(series: str, chunk: range) -> str:
    """The name of one question; equal questions have equal names, whoever asks."""
    return f"rulebook_games-{series}-{chunk.start}-{chunk.stop}"
