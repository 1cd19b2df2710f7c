"""A screen of paper: it keeps the page that was shown last, and nobody types at it."""

from __future__ import annotations

from typing import Any

from rulebook.table.screen import Screen
from rulebook.table.sitting import Bot

NAMES = ("Ana", "Ben", "Cleo", "Dora", "Eli", "Finn")


def no_bot(seat: int) -> Bot:
    """Nobody leaves a seat here."""
    raise AssertionError(f"a bot is wanted for seat {seat}")


class Paper(Screen):
    """A screen that keeps its last page; nobody types at it."""

    def __init__(self, columns: int, rows: int) -> None:
        super().__init__()
        self.fits = columns, rows
        self.is_terminal = self.is_capable = True
        self.lines: list[str] = []

    @property
    def columns(self) -> int:
        return self.fits[0] - 1

    @property
    def rows(self) -> int:
        return self.fits[1]

    def begin_page(self) -> None:
        self.lines = []

    def show_lines(self, lines: Any) -> None:
        self.lines += lines

    def read_line(self, prompt: str) -> str | None:
        self.lines.append(prompt.rstrip())
        # What happened, on a page of its own, is read.
        return "" if "Enter goes on" in prompt or "Enter shows more" in prompt else None
