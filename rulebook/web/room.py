"""The waiting room of a table: nothing is dealt before somebody begins, and who is late is waited for a while."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from attrs import define, field

PATIENCE = 20.0
"""Seconds for which those who are there wait for others, before they may begin without them."""
_EARLY = 0.05  # a clock that wakes somebody may be so much ahead of the one that is read
_NUMBERED = re.compile(r"Player \d+")


@define
class Room:
    """The name, subject and language of a game; the seats of persons that are not there, and since when
    it has been just these.
    """

    game: str
    aim: str
    language: str
    missing: Sequence[int] = field(factory=list)
    since: float = 0.0

    def look(self, missing: Sequence[int], now: float) -> bool:
        """Take notice of who is missing; yes if those are others than before."""
        if missing == self.missing:
            return False
        self.missing, self.since = missing, now
        return True

    def may_begin(self, now: float) -> bool:
        return not self.missing or now >= self.since + PATIENCE - _EARLY

    def describe(self, names: Sequence[str], now: float) -> dict[str, Any]:
        """All that a page shows of it."""
        missing = [names[seat] for seat in self.missing]
        return {
            "game": self.game,
            "aim": self.aim,
            "language": self.language,
            "missing": missing,
            "may_begin": self.may_begin(now),
        }


def is_numbered(name: str) -> bool:
    """Tell whether a seat has no name yet but its number."""
    return _NUMBERED.fullmatch(name) is not None
