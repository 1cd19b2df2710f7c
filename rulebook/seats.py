"""Names of cards that belong to a seat: whoever sits there is put in at the table.

Elsewhere, where nobody sits anywhere, the words are `seat 2`, with a blank that no author writes.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

_SEAT = re.compile("seat\u00a0(\\d+)")


def word_seat(seat: int) -> str:
    """Word a seat, counted from 0, for whoever sits there."""
    return f"seat\u00a0{seat + 1}"


def is_of_a_seat(text: str) -> bool:
    """Tell whether a seat is in a text for which nobody has been put in."""
    return _SEAT.search(text) is not None


def name_seats(text: str, names: Sequence[str]) -> str:
    """Put the names of those who sit there for the seats in a text."""

    def name(match: re.Match[str]) -> str:
        seat = int(match[1]) - 1
        return names[seat] if seat < len(names) else match[0]

    return _SEAT.sub(name, text) if "\u00a0" in text else text
