"""Chance from integers: the same numbers on every machine, in every language. A stream is a value in a state.

The generator is multiplicative and congruential modulo 2**128; its upper half is used. It starts from SplitMix64's
finaliser. It is not proof against a player who computes: such a table asks for chance and draws itself.
"""

from __future__ import annotations

from functools import lru_cache
from hashlib import blake2b

MULTIPLIER = 0xDA942042E4DD58B5
_GOLDEN = 0x9E3779B97F4A7C15
_MASK_64 = (1 << 64) - 1
MASK = (1 << 128) - 1


def start_stream(seed: int, name: str, times: int) -> int:
    """The stream `name` of a game, started for the `times`-th time."""
    upper = _mix(_mix((seed & _MASK_64) ^ name_hash(name)) + times * _GOLDEN)
    lower = _mix(upper + _GOLDEN)
    return (upper << 64) | lower | 1


def below(stream: int, bound: int) -> tuple[int, int]:
    """The stream that follows, and a number from 0 up to, but not including, the bound."""
    stream = stream * MULTIPLIER & MASK
    return stream, (stream >> 64) * bound >> 64


def _mix(number: int) -> int:
    """SplitMix64's finaliser: every bit of the number changes half of the result."""
    number &= _MASK_64
    number = (number ^ (number >> 30)) * 0xBF58476D1CE4E5B9 & _MASK_64
    number = (number ^ (number >> 27)) * 0x94D049BB133111EB & _MASK_64
    return number ^ (number >> 31)


def hash_name(name: str) -> int:
    """Hash the name of a stream to the number that it adds to a seed."""
    return int.from_bytes(blake2b(name.encode(), digest_size=8).digest(), "little")


name_hash = lru_cache(maxsize=1024)(hash_name)
"""The same, for names that come again."""


class Source:
    """A stream for those who need many numbers outside a state, such as a player who answers at random."""

    def __init__(self, seed: int, name: str, times: int = 1) -> None:
        self._stream = start_stream(seed, name, times)

    def below(self, bound: int) -> int:
        """The next number from 0 up to, but not including, the bound."""
        # The same as `below`, here because a game asks for very many.
        self._stream = stream = self._stream * MULTIPLIER & MASK
        return (stream >> 64) * bound >> 64

    @property
    def halves(self) -> tuple[int, int]:
        """The upper half of the stream and the lower one, as the core has them."""
        return self._stream >> 64, self._stream & _MASK_64
