"""Leaving untold what is laid out before anybody chooses, at the beginning or for a new round: whoever reads sees it on
the table, so that only what the reader is dealt is told. The log has all of it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from rulebook.interpreter.account import Teller
from rulebook.interpreter.events import Event, EventKind, How

_CUTS = ("stage_began", "stage_ended", "chose", "passed")
_LAID: tuple[EventKind, ...] = ("moved", "pieces", "shuffled", "covered", "uncovered")


def find_laid_out(teller: Teller, events: Sequence[Event]) -> set[int]:
    """Find, by number, what is laid out for others than the reader; `events` are all since the game began."""
    return {
        number
        for run in _find_runs(teller, events)
        for number in run
        if events[number].kind in _LAID and not _is_dealt_to_reader(teller, events[number])
    }


def _find_runs(teller: Teller, events: Sequence[Event]) -> Iterator[range]:
    """Yield the runs of events in which the table is laid out: the first one, and each below a title in which several
    players are dealt cards, or the only one.
    """
    start: int | None = 0
    for number, kind in enumerate([*(event.kind for event in events), "chose"]):
        if kind not in _CUTS:
            continue
        if start is not None:
            dealt = {
                teller.find_owner(event.facts["to"]) for event in events[start:number] if event.how is How.DEAL
            }
            if start == 0 or len(dealt - {None}) >= min(2, len(teller.names)):
                yield range(start, number)
        start = number + 1 if kind == "stage_began" else None


def _is_dealt_to_reader(teller: Teller, event: Event) -> bool:
    owner = teller.find_owner(event.facts["to"]) if event.how is not None and event.how.is_drawn else None
    return owner is not None and teller.is_you(owner)
