"""Intervals and tests against numbers that others computed, and against chance that is known."""

from math import comb
from random import Random

import pytest

from rulebook.statistics.intervals import Interval, bootstrap, games_needed, wilson
from rulebook.statistics.lifting import Had, Won, lift
from rulebook.statistics.shares import between
from rulebook.statistics.significance import adjusted, chi_square, discordant
from rulebook.statistics.stopping import Running


@pytest.mark.parametrize(
    ("wins", "games", "low", "high"),
    [
        # R. G. Newcombe, Statistics in Medicine 17 (1998), table I, method 3.
        (81, 263, 0.2553, 0.3662),
        (15, 148, 0.0624, 0.1605),
        (0, 20, 0.0000, 0.1611),
        (1, 29, 0.0061, 0.1718),
    ],
)
def test_wilson_gives_the_intervals_that_are_printed(wins: int, games: int, low: float, high: float) -> None:
    found = wilson(wins, games)
    assert [found.low, found.high] == pytest.approx([low, high], abs=6e-5)
    other = wilson(games - wins, games)
    assert [other.low, other.high] == pytest.approx([1 - found.high, 1 - found.low])


def test_of_no_games_nothing_is_known() -> None:
    assert wilson(0, 0) == Interval(0.0, 0.0, 1.0)
    assert bootstrap([[]]) == [Interval(0.0, 0.0, 0.0)]
    assert not Running(0.1).is_narrow


@pytest.mark.parametrize(
    ("first", "second", "p"),
    [
        (0, 0, 1.0),
        (5, 5, 1.0),
        (0, 6, 0.03125),
        (1, 9, 0.021484375),
        # A. Agresti, Categorical data analysis: approval of a prime minister; 86 and 150.
        (86, 150, 3.716e-5),
    ],
)
def test_the_exact_test_on_pairs(first: int, second: int, p: float) -> None:
    assert discordant(first, second) == discordant(second, first) == pytest.approx(p, rel=1e-3)
    pairs = first + second
    exact = 2 * sum(comb(pairs, number) for number in range(min(first, second) + 1)) / 2**pairs
    assert discordant(first, second) == pytest.approx(min(1.0, exact))


def test_many_questions_are_adjusted_as_the_authors_do_it() -> None:
    # The 15 comparisons of Benjamini and Hochberg (1995), section 3.1: four of them are found at 5 %.
    values = [
        0.0001, 0.0004, 0.0019, 0.0095, 0.0201, 0.0278, 0.0298, 0.0344, 0.0459, 0.3240, 0.4262, 0.5719, 0.6528,
        0.7590, 1.0,
    ]  # fmt: skip
    found = adjusted(values)
    assert sum(one <= 0.05 for one in found) == 4
    assert found[3] == pytest.approx(0.0095 * 15 / 4)
    assert found == sorted(found)
    assert adjusted(values[::-1]) == found[::-1]
    assert adjusted([]) == []


@pytest.mark.parametrize(
    ("statistic", "degrees", "p"),
    # Tables of the chi-square distribution.
    [
        (3.841459, 1, 0.05),
        (6.634897, 1, 0.01),
        (5.991465, 2, 0.05),
        (18.307038, 10, 0.05),
        (2.558212, 10, 0.99),
        (0, 3, 1),
    ],
)
def test_the_tail_of_chi_square(statistic: float, degrees: int, p: float) -> None:
    assert chi_square(statistic, degrees) == pytest.approx(p, rel=1e-5)


def test_what_somebody_had_is_compared_within_seats() -> None:
    # The first seat wins more, and gets the thing more often: thrown together it would look like a strong one.
    games = [((0,), (1, 0))] * 30 + [((0,), (0, 1))] * 20 + [((1,), (1, 0))] * 18 + [((1,), (0, 1))] * 12
    won, had = Won(2), Had(2)
    for holders, shares in games:
        won.add(shares)
        had.add(holders, shares)
    found = lift([(won, had)])
    assert found is not None
    # By hand: in each seat (30 + 20, 18 + 12 games with and without it), and the same weight for both.
    assert found[0].value == pytest.approx(0.5 * ((30 / 50 - 18 / 30) + (12 / 30 - 20 / 50)))
    excess = [sum((has - mean) * (wins - rate) for has, mean, wins, rate in zip(*rows, strict=True)) for rows in (
        ([float(seat in holders) for seat in (0, 1)], (50 / 80, 30 / 80), shares, (48 / 80, 32 / 80))
        for holders, shares in games
    )]  # fmt: skip
    spread = 80 * 2 * (50 / 80) * (30 / 80)
    deviation = sum(one * one for one in excess) ** 0.5 / spread
    assert found[0].half_width == pytest.approx(1.959964 * deviation)
    assert found[1] == pytest.approx(1.0)


def test_where_all_had_it_nothing_can_be_compared() -> None:
    won, had = Won(2), Had(2)
    for _ in range(5):
        won.add((1, 0))
        had.add((0, 1), (1, 0))
    assert lift([(won, had)]) is None
    assert lift([(won, Had(2))]) is None
    assert lift([]) is None


def test_seats_of_one_game_are_not_counted_twice() -> None:
    # One of two has it and wins six of ten: one seat knows all that the other does, so both say no more than one.
    won, had = Won(2), Had(2)
    for number in range(100):
        holder, winner = number % 2, number % 2 if number % 10 < 6 else 1 - number % 2
        won.add([float(seat == winner) for seat in (0, 1)])
        had.add([holder], [float(seat == winner) for seat in (0, 1)])
    found = lift([(won, had)])
    assert found is not None
    assert found[0].value == pytest.approx(0.2)
    assert found[0].half_width == pytest.approx(1.96 * 2 * (0.25 / 100) ** 0.5, rel=0.01)


def test_how_many_games_it_takes() -> None:
    assert games_needed(0.5, 0.01) == 9604
    assert games_needed(0.5, 0.02) == 2401


def test_the_bootstrap_is_the_same_each_time_and_about_as_wide_as_theory_says() -> None:
    draw = Random(1).random
    column = [draw() for _ in range(1000)]
    [found] = bootstrap([column])
    assert [found] == bootstrap([column])
    assert found.value == pytest.approx(sum(column) / 1000)
    assert found.half_width == pytest.approx(1.96 * (1 / 12) ** 0.5 / 1000**0.5, rel=0.1)
    # What did not happen in 300 games may happen once in 100.
    assert bootstrap([[0.0] * 300]) == [Interval(0.0, -0.01, 0.01)]


@pytest.mark.parametrize("mean", [0.5, 0.25, 0.03])
def test_an_interval_that_may_be_looked_at_all_the_time(mean: float) -> None:
    missed = 0
    for seed in range(200):
        draw, running = Random(seed).random, Running(0.05)
        held = True
        while not running.is_narrow:
            running.add(float(draw() < mean))
            held = held and running.interval.low <= mean <= running.interval.high
        missed += not held
        assert 2 * running.half_width >= running.interval.high - running.interval.low
    # 5 % of 200 are 10; more than 18 of them would come once in a hundred times.
    assert missed <= 18


def test_less_chance_is_enough_sooner() -> None:
    games = []
    for spread in (1.0, 0.2):
        draw, running = Random(5).random, Running(0.02)
        while not running.is_narrow:
            running.add(0.5 + spread * (0.5 if draw() < 0.5 else -0.5))
        games.append(running.games)
    assert games[1] < games[0] / 4
    assert games[0] == pytest.approx(2 * 3.69 * 0.25 / 0.02**2, rel=0.2)


def test_the_part_between_groups_is_found() -> None:
    draw = Random(1).random

    def rows(part: float, size: int = 4) -> list[tuple[list[float], float]]:
        found = []
        for _ in range(400):
            common = [(draw() - 0.5) * part**0.5 for _ in range(3)]
            games = [[mean + (draw() - 0.5) * (1 - part) ** 0.5 for mean in common] for _ in range(size)]
            sums = [sum(column) for column in zip(*games, strict=True)]
            found.append((sums, sum(one * one for row in games for one in row)))
        return found

    for part in (0.0, 0.2, 0.7):
        found = between(rows(part), 4)
        assert found is not None and found.low - 1e-9 <= part <= found.high and found.half_width < 0.1
    # Of a 1 and a 0 each: nothing lies between groups. Of equal numbers: nothing lies anywhere.
    assert between([([1.0], 1.0)] * 9, 2) == Interval(0.0, 0.0, 0.0)
    assert between([([2.0], 2.0)] * 9, 2) is None
    assert between([([1.0], 1.0)] * 9, 1) is None
