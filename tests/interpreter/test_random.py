"""Chance: the same numbers everywhere, and no stream disturbs another."""

import pytest

from rulebook.interpreter.random import Source, below, start_stream

GOLDEN = [
    ((0, "", 1), 0x884FE9A86C5B888FE317EF42CA4FCDF5, [2, 16, 256, 862159979]),
    ((1, "place:wallet", 1), 0xCD173747104BF02585E03501EB0FD293, [2, 40, 97, 37587332]),
    ((1, "place:wallet", 2), 0x2CC5F6D97C6FAFCAB6386EF9AF346901, [4, 27, 606, 1122761283]),
    ((2**64 + 5, "at:rules.game", 1), 0x8FD39B30663DC2838AB306B70AA64F7F, [0, 15, 222, 1438263713]),
    ((-1, "bot:0", 7), 0x259F7E7984E0008496CACC306EE1AF83, [1, 31, 396, 1638229362]),
]


@pytest.mark.parametrize(("stream", "number", "results"), GOLDEN)
def test_golden_vectors(stream: tuple[int, str, int], number: int, results: list[int]) -> None:
    assert start_stream(*stream) == number
    for bound, expected in zip((6, 52, 1000, 2**31), results, strict=True):
        number, result = below(number, bound)
        assert result == expected


def test_streams_start_odd_and_differ() -> None:
    starts = {start_stream(seed, name, times) for seed in range(20) for name in "abc" for times in (1, 2, 3)}
    assert len(starts) == 180
    assert all(number % 2 for number in starts)


def test_results_are_spread_evenly_over_seeds_and_along_a_stream() -> None:
    across = [below(start_stream(seed, "place:deck", 1), 10)[1] for seed in range(10_000)]
    source = Source(1, "bot:0")
    along = [source.below(10) for _ in range(10_000)]
    for results in (across, along):
        assert all(850 < results.count(digit) < 1150 for digit in range(10))
