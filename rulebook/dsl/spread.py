"""All the values that a thing may have: whole numbers as a set or a range, and everything else as a set.

In: constants and ranges. Out: `Spread`s, joined, reckoned with and compared. Never: forgets a value that is possible;
what is not known is `None` wherever a spread is handed on.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache
from itertools import repeat
from typing import TypeAlias

from rulebook.dsl.settling.reckoning import SUMS
from rulebook.dsl.world import Value
from rulebook.record import Record, record

_FEW = 48  # so many numbers are kept one by one
_MOST_APART = 48  # printed values of one attribute
_FAR = float("inf")

Truth: TypeAlias = tuple[bool, bool]
"""Whether an answer can be yes, and whether it can be no. Neither: nobody ever asks."""

BOTH: Truth = (True, True)
TURNED = {"==": "==", "!=": "!=", "<": ">", ">": "<", "<=": ">=", ">=": "<="}
"""A comparison, read from its other side."""
_WORDS: dict[object, str] = {None: "nothing", True: "yes", False: "no"}


@record
class Spread(Record):
    """Numbers between `low` and `high`, only those in `few` where that is known; and `others`, which are no numbers."""

    low: float = _FAR
    high: float = -_FAR
    few: frozenset[int] | None = frozenset()
    others: frozenset[str | bool | None] = frozenset()

    @property
    def empty(self) -> bool:
        """Whether no value is possible."""
        return not self.others and self.low > self.high

    @property
    def only(self) -> tuple[Value] | None:
        """The one value there is, if there is only one."""
        if self.low > self.high and len(self.others) == 1:
            return (next(iter(self.others)),)
        if not self.others and self.few is not None and len(self.few) == 1:
            return (next(iter(self.few)),)
        return None

    def words(self) -> str:
        """As people say it: `1, 3 or 5`, `at most 6`."""
        if self.few is not None and len(self.few) + len(self.others) <= 4:
            parts = [str(one) for one in sorted(self.few)]
            parts += sorted(_WORDS.get(one, str(one)) for one in self.others)
            return " or ".join([", ".join(parts[:-1]), parts[-1]] if len(parts) > 2 else parts)
        if self.low == -_FAR:
            return f"at most {self.high:.0f}"
        return f"{self.low:.0f} or more" if self.high == _FAR else f"{self.low:.0f} to {self.high:.0f}"


NO_VALUE = Spread()


def of(values: Iterable[Value]) -> Spread:
    """These values."""
    numbers: set[int] = set()
    others: set[str | bool | None] = set()
    for one in values:
        if isinstance(one, int) and not isinstance(one, bool):
            numbers.add(one)
        else:
            others.add(one)
    return _numbers(numbers, frozenset(others))


@lru_cache(maxsize=4096, typed=True)
def only(value: Value) -> Spread:
    """This one value; most are asked for again and again."""
    return of((value,))


def between(low: float, high: float) -> Spread:
    """All whole numbers of a range, both ends included."""
    if low > high:
        return NO_VALUE
    if high - low < _FEW:
        return _numbers(set(range(int(low), int(high) + 1)))
    return Spread(low, high, None)


def _numbers(numbers: set[int], others: frozenset[str | bool | None] = frozenset()) -> Spread:
    if not numbers:
        return Spread(others=others)
    few = frozenset(numbers) if len(numbers) <= _FEW else None
    return Spread(min(numbers), max(numbers), few, others)


def join(one: Spread | None, other: Spread | None) -> Spread | None:
    """What may be either."""
    if one is None or other is None:
        return None
    if _holds(one, other):
        return one
    if _holds(other, one):
        return other
    few = None if one.few is None or other.few is None else one.few | other.few
    if few is not None and len(few) > _FEW:
        few = None
    return Spread(min(one.low, other.low), max(one.high, other.high), few, one.others | other.others)


def _holds(one: Spread, other: Spread) -> bool:
    """Whether all values of the other are known already: then nothing is new, and nothing has to be made."""
    if one is other:
        return True
    if other.low < one.low or other.high > one.high or not other.others <= one.others:
        return False
    return one.few is None or (other.few is not None and other.few <= one.few)


def widened(before: Spread | None, after: Spread | None) -> Spread | None:
    """What still grows after many rounds grows for ever."""
    if before is None or after is None or before == after:
        return after
    low = after.low if after.low >= before.low else -_FAR
    high = after.high if after.high <= before.high else _FAR
    if low != -_FAR and high != _FAR:
        return Spread(low, high, after.few, after.others)
    return Spread(low, high, None, after.others)


def reckon(operator: str, left: Spread | None, right: Spread | None) -> Spread | None:
    """The sums that are possible. What is not a number has none."""
    if left is None or right is None or left.low > left.high or right.low > right.high:
        return NO_VALUE if left == NO_VALUE or right == NO_VALUE else None
    if left.few is not None and right.few is not None and len(left.few) * len(right.few) <= 400:
        sums: set[int] = set()
        for one in right.few:
            if one or operator not in "/%":
                sums.update(map(SUMS[operator], left.few, repeat(one)))
        return _numbers(sums)
    if operator == "+":
        return between(left.low + right.low, left.high + right.high)
    if operator == "-":
        return between(left.low - right.high, left.high - right.low)
    if operator == "*" and left.low >= 0 and right.low >= 0:
        return between(left.low * right.low, _FAR if _FAR in (left.high, right.high) else left.high * right.high)
    return None


def compare(operator: str, left: Spread | None, right: Spread | None) -> Truth:
    """Whether a comparison can be yes, and whether it can be no."""
    if left is None or right is None:
        return BOTH
    if left.empty or right.empty:
        return False, False
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


def _meet(left: Spread, right: Spread) -> bool:
    if left.low > right.high or right.low > left.high:
        return False
    if left.few is not None and right.few is not None:
        return bool(left.few & right.few)
    return True


def neighbours(printed: dict[Spread | None, int]) -> Iterable[tuple[Spread | None, int]]:
    """What is printed, and on which cards (as bits); of very many values, neighbours are taken together."""
    if len(printed) <= _MOST_APART:
        return printed.items()
    several = -(-len(printed) // _MOST_APART)
    found: list[tuple[Spread | None, int]] = [(None, printed.pop(None, 0))]
    for number, (values, cards) in enumerate(sorted(printed.items(), key=lambda one: one[0].low if one[0] else 0)):
        if number % several:
            before, lying = found.pop()
            values, cards = join(before, values), lying | cards
        found.append((values, cards))
    return found
