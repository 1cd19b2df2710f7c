"""Work on many games, in pieces, by one process or by several; what the pieces give comes in their order.

What a piece gives depends on nothing but the piece, so one that was lost with its process is simply done again.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import TypeVar

from rulebook.playtest.pieces import Worker, cut

__all__ = ["in_order", "in_pieces"]

S = TypeVar("S")
T = TypeVar("T")

_MOST_IN_A_PIECE = 25


def in_pieces(ready: Callable[[S], Worker[T]], setting: S, games: int, jobs: int) -> Iterator[T]:
    """Do as `in_order` for games that are counted from 0, in pieces that suit the number of processes."""
    size = max(1, min(_MOST_IN_A_PIECE, -(-games // (jobs * 4))))
    yield from in_order(ready, setting, cut(range(games), size), jobs)


def in_order(ready: Callable[[S], Worker[T]], setting: S, pieces: Sequence[range], jobs: int) -> Iterator[T]:
    """Yield what the worker that `ready` makes of the setting gives for each piece, in order.

    `ready` is a function of a module, and the setting and what comes back can be pickled, if there are several jobs.
    What a worker raises is raised when its turn comes. Raises Killed.
    """
    if jobs <= 1 or len(pieces) < 2:
        worker = ready(setting)
        for piece in pieces:
            yield worker(piece)
        return
    from rulebook.playtest.crew import Crew  # processes cost time to import, and not every system has them

    crew = Crew(ready, setting, pieces, min(jobs, len(pieces)))
    try:
        for number in range(len(pieces)):
            yield crew.result(number)
    finally:
        crew.go_home()
