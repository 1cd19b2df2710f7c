"""Random streams, and players who answer at random.

In: a seed and the name of a stream. Out: the same numbers that `rulebook.interpreter.random` gives, and the answers
that `bot:random` gives. Never: imports the package; the generator is a part of what a game by hand costs.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import lru_cache
from hashlib import blake2b
from itertools import accumulate, combinations
from math import comb, prod
from typing import Any

MULTIPLIER = 0xDA942042E4DD58B5
GOLDEN = 0x9E3779B97F4A7C15
MASK_64 = (1 << 64) - 1
MASK_128 = (1 << 128) - 1


class Stream:
    """A stream of random numbers that begins when the first number is needed."""

    __slots__ = ("name", "number", "seed", "times")

    def __init__(self, seed: int, name: str) -> None:
        self.seed, self.name = seed, name
        self.times = self.number = 0

    def restart(self) -> None:
        """Begin anew, with other numbers: what happens to a bag or pile that is shuffled."""
        self.times += 1
        self.number = 0

    def below(self, bound: int) -> int:
        """The next number from 0 up to, but not including, the bound."""
        self.number = number = (self.number or self._first()) * MULTIPLIER & MASK_128
        return (number >> 64) * bound >> 64

    def _first(self) -> int:
        self.times = self.times or 1
        upper = _mix(_mix((self.seed & MASK_64) ^ _hash(self.name)) + self.times * GOLDEN)
        return (upper << 64) | _mix(upper + GOLDEN) | 1


def _mix(number: int) -> int:
    number &= MASK_64
    number = (number ^ (number >> 30)) * 0xBF58476D1CE4E5B9 & MASK_64
    number = (number ^ (number >> 27)) * 0x94D049BB133111EB & MASK_64
    return number ^ (number >> 31)


@lru_cache(maxsize=256)
def _hash(name: str) -> int:
    return int.from_bytes(blake2b(name.encode(), digest_size=8).digest(), "little")


class RandomPlayers:
    """All players of a game, who answer at random, each from a stream of their own.

    Options that are interchangeable, such as copies of a card, are equal. Who has one answer only is not asked.
    """

    def __init__(self, seed: int, players: int) -> None:
        self.below = [Stream(seed, f"bot:{player}").below for player in range(players)]

    def choose(self, player: int, options: Sequence[Any]) -> Any:
        """One of the options; None if there is none."""
        count = len(options)
        if count == 0:
            return None
        if count == 1 or options.count(options[0]) == count:
            return options[0]
        return options[self.below[player](count)]

    def may_choose(self, player: int, options: Sequence[Any]) -> Any:
        """One of the options, or None."""
        count = len(options)
        if count == 0:
            return None
        index = self.below[player](count + 1)
        return None if index == count else options[index]

    def choose_set(
        self,
        player: int,
        options: Sequence[Any],
        least: int,
        most: int,
        allowed: Callable[[Sequence[Any]], bool] | None = None,
    ) -> list[Any]:
        """So many of the options, in their order, each set alike. If not every set is allowed, at least two are."""
        most = min(most, len(options))
        if allowed is None and least == most and most in (0, len(options)):
            return list(options[:most])
        below = self.below[player]
        of_size = [comb(len(options), size) for size in range(least, most + 1)]
        for _ in range(64):
            left, at, size = list(range(len(options))), below(sum(of_size)), 0
            while at >= of_size[size]:
                at, size = at - of_size[size], size + 1
            picked = [left.pop(below(len(left))) for _ in range(least + size)]
            picked.sort()
            chosen = [options[index] for index in picked]
            if allowed is None or allowed(chosen):
                return chosen
        assert allowed is not None
        legal = [found for found in sets(options, least, most) if allowed(found)]
        # Copies count one by one.
        ways = [prod(comb(options.count(one), found.count(one)) for one in dict.fromkeys(found)) for found in legal]
        at = below(sum(ways))
        return list(next(found for found, before in zip(legal, accumulate(ways), strict=True) if at < before))

    def choose_order(self, player: int, options: Sequence[Any]) -> list[Any]:
        """All of the options, in an order of the player's choice."""
        left = list(options)
        if len(left) < 2:
            return left
        below = self.below[player]
        below(1)
        return [left.pop(below(len(left))) for _ in options]


def sets(options: Sequence[Any], least: int, most: int) -> Iterator[tuple[Any, ...]]:
    """The sets of so many options, the largest first and then from small to large, equal ones once."""
    tried: set[tuple[Any, ...]] = set()
    for size in (most, *range(least, most)):
        for chosen in combinations(options, size):
            if chosen not in tried:
                if len(tried) == 4096:
                    return
                tried.add(chosen)
                yield chosen
