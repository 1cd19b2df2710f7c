"""Sets of values: whole numbers as a set or a range, everything else as a set; None where nothing is known.

A value that is possible is never left out.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from itertools import product
from typing import TypeAlias

from attrs import frozen

from rulebook.dsl.settling.reckoning import SUMS
from rulebook.dsl.world import Value

_FEW = 48  # so many numbers are kept one by one
_MOST_SUMS = 400
FAR = float("inf")

Truth: TypeAlias = tuple[bool, bool]
"""The possible answers of a question: True first if it can be yes, True second if it can be no."""

BOTH: Truth = (True, True)
TURNED = {"==": "==", "!=": "!=", "<": ">", ">": "<", "<=": ">=", ">=": "<="}
"""A comparison, read from its other side."""
_WORDS: dict[object, str] = {None: "nothing", True: "yes", False: "no"}


@frozen
class ValueSet:
    """Numbers from `low` to `high`, only those in `few` where that is known; and `others`, which are no numbers."""

    low: float = FAR
    high: float = -FAR
    few: frozenset[int] | None = frozenset()
    others: frozenset[str | bool | None] = frozenset()

    @property
    def empty(self) -> bool:
        return not self.others and self.low > self.high

    @property
    def only(self) -> tuple[Value] | None:
        """The one value there is, if there is only one."""
        if self.low > self.high and len(self.others) == 1:
            return (next(iter(self.others)),)
        if not self.others and self.few is not None and len(self.few) == 1:
            return (next(iter(self.few)),)
        return None

    def words(self, word: Callable[[int], str] = str) -> str:
        """Word the set for people: `1, 3 or 5`, `at most 6`; each number as `word` has it."""
        if self.few is not None and len(self.few) + len(self.others) <= 4:
            parts = [word(number) for number in sorted(self.few)]
            parts += sorted(_WORDS.get(value, str(value)) for value in self.others)
            return " or ".join([", ".join(parts[:-1]), parts[-1]] if len(parts) > 2 else parts)
        if self.low == -FAR:
            return f"at most {word(int(self.high))}"
        low = word(int(self.low))
        return f"{low} or more" if self.high == FAR else f"{low} to {word(int(self.high))}"


NO_VALUE = ValueSet()


def values(*members: Value) -> ValueSet:
    numbers = frozenset(value for value in members if isinstance(value, int) and not isinstance(value, bool))
    others = frozenset(value for value in members if not isinstance(value, int) or isinstance(value, bool))
    if not numbers:
        return ValueSet(others=others)
    return ValueSet(min(numbers), max(numbers), numbers if len(numbers) <= _FEW else None, others)


def between(low: float, high: float) -> ValueSet:
    """All whole numbers of a range, both ends included."""
    if low > high:
        return NO_VALUE
    return values(*range(int(low), int(high) + 1)) if high - low < _FEW else ValueSet(low, high, None)


def join(sets: Iterable[ValueSet | None]) -> ValueSet | None:
    joined = NO_VALUE
    for more in sets:
        if more is None:
            return None
        few = None if joined.few is None or more.few is None else joined.few | more.few
        few = few if few is not None and len(few) <= _FEW else None
        joined = ValueSet(min(joined.low, more.low), max(joined.high, more.high), few, joined.others | more.others)
    return joined


def reckon(operator: str, left: ValueSet | None, right: ValueSet | None) -> ValueSet | None:
    """The sums that are possible. What is not a number has none."""
    if operator == "%" and left is None:
        left = ValueSet(-FAR, FAR, None)
    if left is None or right is None or left.low > left.high or right.low > right.high:
        return None
    if left.few is not None and right.few is not None and len(left.few) * len(right.few) <= _MOST_SUMS:
        pairs = product(left.few, right.few)
        return values(*(SUMS[operator](first, second) for first, second in pairs if second or operator not in "/%"))
    if operator == "+":
        return between(left.low + right.low, left.high + right.high)
    if operator == "-":
        return between(left.low - right.high, left.high - right.low)
    if operator == "%" and right.low > 0 and right.high < FAR:
        return between(0, right.high - 1)
    return None


def compare(operator: str, left: ValueSet | None, right: ValueSet | None) -> Truth:
    """Tell whether a comparison can be yes, and whether it can be no."""
    if left is None or right is None or left.empty or right.empty:
        return BOTH
    if operator in ("==", "!="):
        same = bool(left.others & right.others) or _meet(left, right)
        other = left.only is None or left.only != right.only
        return (same, other) if operator == "==" else (other, same)
    if left.low > left.high or right.low > right.high:
        return BOTH
    if operator in (">", ">="):
        left, right = right, left
    if operator in ("<", ">"):
        return left.low < right.high, left.high >= right.low
    return left.low <= right.high, left.high > right.low


def _meet(left: ValueSet, right: ValueSet) -> bool:
    if left.low > right.high or right.low > left.high:
        return False
    if left.few is not None and right.few is not None:
        return bool(left.few & right.few)
    return True
