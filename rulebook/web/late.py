"""The time that a table leaves for an answer, counted from when a page was shown its question."""

from __future__ import annotations

from collections.abc import Callable
from math import ceil
from typing import Protocol

from attrs import define, field

Question = tuple[int, int, int]
"""A question: the game, the number of the decision, how many picks it has had."""


class Timer(Protocol):
    """Something that will happen later, unless it is cancelled."""

    def cancel(self) -> None: ...


class Clock(Protocol):
    """The clock by which answers are late."""

    def time(self) -> float: ...

    def call_later(self, delay: float, callback: Callable[[], None], /) -> Timer: ...


@define
class Deadlines:
    """The open questions of seats, each with so many `seconds` (0: as many as it takes). `expire` is called with the
    seat and the question when they have gone by.
    """

    seconds: int
    clock: Callable[[], Clock]
    expire: Callable[[int, Question], None]
    _open: dict[int, tuple[Question, float, Timer]] = field(factory=dict, init=False)

    def ask(self, seat: int, question: Question | None) -> None:
        """Note what a seat is asked now. The time of a question that it has already goes on."""
        known = self._open.get(seat)
        if not self.seconds or (known is not None and known[0] == question):
            return
        self.stop(seat)
        if question is not None:
            self._count_question(seat, question)

    def _count_question(self, seat: int, question: Question) -> None:
        clock = self.clock()
        timer = clock.call_later(self.seconds, lambda: self.expire(seat, question))
        self._open[seat] = question, clock.time() + self.seconds, timer

    def find_left(self, seat: int) -> int | None:
        """Find how many seconds a seat has left for its answer; None if it may take as long as it likes."""
        return max(0, ceil(self._open[seat][1] - self.clock().time())) if seat in self._open else None

    def begin_anew(self) -> None:
        """Count the time of all open questions from now on."""
        for seat, (question, _, timer) in [*self._open.items()]:
            timer.cancel()
            self._count_question(seat, question)

    def stop(self, seat: int | None = None) -> None:
        """Count no longer: for one seat, or for all."""
        for one in [*self._open] if seat is None else [seat] if seat in self._open else []:
            self._open.pop(one)[2].cancel()
