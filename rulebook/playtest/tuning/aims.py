"""Aims: figures of a game, each with what it shall be, as `seat_gap < 2 and length = 100..140`.

A share is of 1, as `--assert` has it; a number of 1 or more, which would say nothing of a share, is of 100.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from math import inf
from typing import Literal

from rulebook.classes import frozen
from rulebook.diagnostics import did_you_mean
from rulebook.statistics.intervals import Interval

Standing = Literal["met", "missed", "open"]
RARE = 0.005
"""The share below which something that is never seen is none."""
_NUMBER = r"[-+]?(?:[0-9]+(?:\.[0-9]+)?|\.[0-9]+)"
_NAME = re.compile(r"\s*([A-Za-z_]\w*)\s*")
_CARD = re.compile(r"\(\s*([^()]+?)\s*\)\s*")
_WANTED = re.compile(rf"(<=|>=|<|>|=)\s*({_NUMBER})\s*(%?)\s*(?:(\.\.|±|\+-)\s*({_NUMBER})\s*(%?)\s*)?(?=and\b|$)")
_AND = re.compile(r"and\b")
_SHARES = re.compile(r"seat_[0-9]+|seat_gap|ties|shared|stopped|crashed|win_rate|share")


class BadAim(ValueError):
    """It cannot be read; the sentence says what is wrong, at which column."""

    def __init__(self, text: str, at: int, problem: str) -> None:
        super().__init__(f"At column {at + 1} of `{text}`: {problem}")
        self.column = at + 1


@frozen
class Aim:
    """A figure and between which numbers it shall lie; `is_none` asks that there be no such game at all."""

    text: str
    name: str
    card: str | None
    low: float
    high: float
    is_none: bool = False

    @property
    def key(self) -> str:
        """The figure as it is counted: `length`, `share(dove)`."""
        return self.name if self.card is None else f"{self.name}({self.card})"

    @property
    def is_share(self) -> bool:
        return _SHARES.fullmatch(self.name) is not None

    def assess(self, found: Interval) -> Standing:
        """Judge by where the truth lies. A game that was seen refutes that there is none."""
        if self.is_none:
            return "missed" if found.value > 0 else "met" if found.high <= RARE else "open"
        if found.low >= self.low and found.high <= self.high:
            return "met"
        return "missed" if found.high < self.low or found.low > self.high else "open"

    def measure_miss(self, value: float) -> float:
        """Return by how much a value misses: in hundredths of a share, or of the number that is asked for."""
        by = max(self.low - value, value - self.high, 0.0)
        bound = min((abs(end) for end in (self.low, self.high) if abs(end) < inf), default=1.0)
        return by / (0.01 if self.is_share else max(bound, 1.0) / 100)

    def measure_room(self, found: Interval) -> float:
        """Return how far within its bounds a value lies, in half widths of its interval."""
        room = min(found.value - self.low, self.high - found.value)
        return room / max((found.high - found.low) / 2, 1e-9)

    def measure_doubt(self, found: Interval) -> float:
        """Return about how many times as many games would tell on which side of its bounds the truth lies: an interval
        is half as wide after four times as many; that of what was never seen after twice as many.
        """
        if self.is_none:
            return found.high / RARE
        above = (found.high - found.value) if found.value <= self.high else (found.value - found.low)
        below = (found.value - found.low) if found.value >= self.low else (found.high - found.value)
        reached = (above / max(abs(self.high - found.value), 1e-9), below / max(abs(found.value - self.low), 1e-9))
        return max(reached) ** 2

    def word(self, value: float) -> str:
        """A value of this figure for people."""
        rare = self.is_share and 0 < abs(value) < 0.0005
        return f"{100 * value:.2f}" if rare else f"{100 * value:.1f}" if self.is_share else f"{value:.4g}"

    @property
    def described(self) -> str:
        """The aim as it was understood: `seat_gap < 2 of 100`."""
        of = " of 100" if self.is_share else ""
        if self.is_none:
            return f"no {self.key}"
        low, high = (
            "" if abs(end) == inf else f"{100 * end if self.is_share else end:g}" for end in (self.low, self.high)
        )
        return f"{self.key} {f'from {low} to {high}' if low and high else f'< {high}' if high else f'> {low}'}{of}"


def read_aims(text: str, names: Sequence[str], find_card: Callable[[str], str]) -> list[Aim]:
    """Read aims that are joined by `and`. `names` are the figures that there are; `find_card` finds the id of a card by
    what it is called, or raises ValueError. Raises BadAim."""
    return [*_read_all(text, names, find_card)]


def _read_all(text: str, names: Sequence[str], find_card: Callable[[str], str]) -> Iterator[Aim]:
    at = 0
    while True:
        named = _NAME.match(text, at)
        if named is None:
            raise BadAim(text, at, "here a figure must be named, as in seat_gap < 2 and length = 100..140")
        name, card, begins = named[1], None, named.start(1)
        if name not in names:
            known = did_you_mean(name, names) or f"There is {', '.join(names)}."
            raise BadAim(text, begins, f"nothing called `{name}` is measured here. {known}")
        at = named.end()
        if name == "share":
            found = _CARD.match(text, at)
            if found is None:
                raise BadAim(text, at, "`share` needs a card, as in share(pickpocket) < 30")
            try:
                card = find_card(found[1])
            except ValueError as missing:
                raise BadAim(text, found.start(1), str(missing)) from None
            at = found.end()
        wanted = _WANTED.match(text, at)
        if wanted is None:
            raise BadAim(text, at, f"say what `{name}` shall be: < 2, > 30, = 100..140, = 120 ± 5; join aims by `and`.")
        yield _make_aim(text, text[begins : wanted.end()].strip(), name, card, wanted)
        at = wanted.end()
        if at == len(text):
            return
        more = _AND.match(text, at)
        assert more is not None
        at = more.end()


def _make_aim(text: str, part: str, name: str, card: str | None, wanted: re.Match[str]) -> Aim:
    is_share = _SHARES.fullmatch(name) is not None
    sign, first, percent, joint, second, also = wanted.groups()

    def read(number: str, is_percent: bool) -> float:
        value = float(number)
        return value / 100 if is_share and (is_percent or abs(value) >= 1) else value

    if not is_share and (percent or also):
        raise BadAim(text, wanted.start(2), f"`{name}` is no share, and cannot be a percentage.")
    number = read(first, bool(percent or (joint and also)))
    if sign != "=":
        if joint:
            raise BadAim(text, wanted.start(4), "a range stands behind `=`, as in length = 100..140")
        return Aim(part, name, card, *((-inf, number) if "<" in sign else (number, inf)))
    if not joint:
        if number == 0 and is_share and name != "seat_gap":
            return Aim(part, name, card, -inf, 0.0, is_none=True)
        problem = f"no figure is known so exactly: write a range, as in {name} = {first} ± 5"
        raise BadAim(text, wanted.start(1), problem)
    other = read(second, bool(also or percent))
    low, high = (number, other) if joint == ".." else (number - abs(other), number + abs(other))
    if low >= high:
        raise BadAim(text, wanted.start(2), "the first number of a range must be the smaller one.")
    return Aim(part, name, card, low, high)
