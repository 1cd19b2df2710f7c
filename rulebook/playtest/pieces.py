"""Pieces of some work on many games: which games are in each, who plays them, and how one may be lost."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias, TypeVar

__all__ = ["TRIES", "Killed", "Worker", "cut"]

T = TypeVar("T")
Worker: TypeAlias = Callable[[range], T]
"""Plays the games with these numbers."""

TRIES = 3
"""The number of processes that may die over one piece before it is given up."""


def cut(numbers: range, size: int) -> list[range]:
    """Cut games into pieces of this size; the last one may be smaller."""
    return [numbers[start : start + size] for start in range(0, len(numbers), size)]


class Killed(Exception):
    """Process after process ended while it played these games: something outside kills them, or a game does."""

    def __init__(self, first: int, last: int) -> None:
        super().__init__(first, last)
        self.first, self.last = first, last

    def __str__(self) -> str:
        return (
            f"{TRIES} processes were killed while they played the games {self.first} to {self.last}. "
            "Perhaps there is too little memory for so many processes; with --jobs 1 it will show."
        )
