"""Family-wise verdicts (C. E. Bonferroni): each of many hypotheses stands out, is open, or is fine.

In: families of lines, each an effect estimate (the distance from fair, or from before) with its smallest effect of
interest. Out: two intervals for each line, and a mark. The unadjusted one is the 95 % confidence interval of the line
by itself. The adjusted ones hold for all lines together: with a probability of `ERROR` one of them does not. Each
family has an equal part of that, and so has each question in a family. Marks look at the adjusted one alone.
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from math import ceil, inf, isfinite
from typing import Protocol

from attrs import evolve

from rulebook.classes import frozen
from rulebook.statistics.intervals import LEVEL, Interval, find_reach

ERROR = 1 - LEVEL
LOOK, OPEN, FINE, FACT = "look", "open", "fine", "fact"
_POWER = 1.4
"""The `z` of a power of 90 % (1.28), and a little more, since a deviation is an estimate itself."""


class Estimate(Protocol):
    """An effect estimate: the distance of something from its mark."""

    @property
    def value(self) -> float: ...

    @property
    def deviation(self) -> float:
        """The standard deviation of that."""

    def deviation_at(self, value: float) -> float:
        """Return the same if it were so far."""

    @property
    def count(self) -> int:
        """The number of games or deals behind it."""

    def interval(self, z: float) -> Interval: ...


@frozen
class Line:
    """A hypothesis with its estimate. `grey` is the smallest effect of interest: nearer to the mark is negligible.

    Lines of one `question` say the same in other words, as two seats do. A line with `clears` has no right or wrong
    between these two numbers.
    """

    about: Hashable
    estimate: Estimate
    grey: float = 0.0
    question: str = ""
    clears: tuple[float, float] | None = None


@frozen
class Judged:
    """A line with its verdict. `detectable` is the minimum detectable effect at 90 % power, `reach` the `z` of the
    adjusted interval.
    """

    line: Line
    family: str
    unadjusted: Interval
    adjusted: Interval
    mark: str
    detectable: float
    reach: float

    @property
    def value(self) -> float:
        """The estimate."""
        return self.unadjusted.value

    @property
    def is_sure(self) -> bool:
        """True if it is more than chance that it differs from its mark."""
        return self.adjusted.low > 0 or self.adjusted.high < 0

    @property
    def beyond(self) -> float:
        """The distance of the adjusted interval from what is negligible; less than 0 if it reaches into that."""
        low, high = self.line.clears or (-self.line.grey, self.line.grey)
        return max(self.adjusted.low - high, low - self.adjusted.high)

    @property
    def more(self) -> int:
        """The number of games or deals more that would settle it, if it stays as it looks: until its interval is clear
        of the mark, or within what is too small to matter. 0 where nothing is open."""
        if self.mark != OPEN:
            return 0
        wanted = max(abs(self.value), self.line.grey - abs(self.value))
        again = self.line.estimate.count * ((self.adjusted.half_width / wanted) ** 2 - 1) if wanted else 0.0
        return max(100, 100 * ceil(again / 100)) if again < inf else 0


def judge_lines(families: Mapping[str, Sequence[Line]], pages: int = 1) -> list[Judged]:
    """Give all lines their verdicts. A family in which nothing was found to look at has its part of the error, too.
    Where so many `pages` are read as one, each has an equal part of it.
    """
    judged = []
    for family, lines in families.items():
        questions = len({line.question or line.about for line in lines})
        far = find_reach(ERROR / pages / len(families) / max(1, questions))
        judged += [_judge_line(line, family, far) for line in lines]
    return judged


def _judge_line(line: Line, family: str, far: float) -> Judged:
    of = line.estimate
    judged = Judged(
        line, family, of.interval(find_reach(ERROR)), of.interval(far), FACT, _find_detectable(line, far), far
    )
    return evolve(judged, mark=_mark(judged))


def _find_detectable(line: Line, far: float) -> float:
    """Find the minimum detectable effect at 90 % power; where it may lie to either side, that of the farther one."""
    of, ends = line.estimate, (0.0,) if line.clears is None else [end for end in line.clears if isfinite(end)]
    sizes = list[float]()
    for end in ends or line.clears or ():
        sign = -1.0 if end < 0 else 1.0
        least = detectable = max(abs(end) + far * of.deviation_at(end), line.grey)
        # What is larger may vary more.
        for _ in range(3):
            detectable = least + _POWER * of.deviation_at(sign * detectable)
        sizes.append(detectable)
    return max(sizes)


def _mark(judged: Judged) -> str:
    if judged.line.clears is not None:
        return LOOK if judged.beyond > 0 else FACT
    return mark_interval(judged.adjusted, judged.value, judged.line.grey)


def mark_interval(sure: Interval, value: float, grey: float) -> str:
    """Mark an estimate with its interval: it may be shown, open, or too small to matter, which `grey` is."""
    if sure.low > 0 or sure.high < 0:
        return LOOK if abs(value) > grey else FINE
    return FINE if -grey <= sure.low and sure.high <= grey else OPEN
