"""Intervals and tests against numbers that others computed, and against chance that is known."""

from collections.abc import Callable
from itertools import count
from random import Random

import pytest

from rulebook.statistics.intervals import Interval, Sample, wilson
from rulebook.statistics.lifting import Had, Tried, Won, measure_edge
from rulebook.statistics.shares import between
from rulebook.statistics.stopping import Running
from rulebook.statistics.verdicts import FACT, FINE, LOOK, OPEN, Line, judge_lines


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
    assert Sample(-1.0, 1.0).interval() == Interval(0.0, -1.0, 1.0)
    assert not Running(0.1).is_narrow


@pytest.mark.parametrize(("wins", "games"), [(81, 263), (0, 20), (24, 24), (2, 3)])
def test_a_sample_of_wins_is_a_rate_and_never_more_than_all(wins: int, games: int) -> None:
    sample, rate = Sample(0.0, 1.0).add_all([1.0] * wins + [0.0] * (games - wins)), wilson(wins, games)
    found = sample.interval()
    assert 0 <= found.low <= found.value == rate.value <= found.high <= 1
    # No narrower than that of a rate, and with many games hardly wider.
    assert found.low <= rate.low + 1e-9 and found.high >= rate.high - 1e-9
    assert games < 100 or found.half_width == pytest.approx(rate.half_width, rel=0.01)
    if games < 4:
        assert (found.low, found.high) == (0.0, 1.0)


DRAWN: dict[str, tuple[Callable[[Random], float], float, float, float]] = {
    "a deal of two games that cancel out": (lambda draw: draw.choice((0.0, 0.5, 0.5, 1.0)), 0.5, 0.0, 1.0),
    "a difference, mostly nothing": (lambda draw: draw.choice((0.0,) * 17 + (1.0, 1.0, -1.0)), 0.05, -1.0, 1.0),
    "a win that four share": (lambda draw: draw.choice((0.0, 0.0, 0.25, 1.0)), 0.3125, 0.0, 1.0),
    "a length": (lambda draw: draw.gauss(60, 12), 60.0, float("-inf"), float("inf")),
}


@pytest.mark.parametrize(("value", "mean", "least", "most"), DRAWN.values(), ids=DRAWN)
def test_an_interval_holds_the_mean_as_often_as_it_says(
    value: Callable[[Random], float], mean: float, least: float, most: float
) -> None:
    held = 0
    for seed in range(1000):
        draw = Random(seed)
        found = Sample(least, most).add_all(value(draw) for _ in range(60)).interval()
        held += found.low <= mean <= found.high
        assert least <= found.low <= found.high <= most
    assert 930 <= held <= 985


def test_verdicts_look_at_all_lines_together() -> None:
    numbers = count()

    def line(mean: float, games: int = 400, grey: float = 0.04, **named: object) -> Line:
        wins = round(games * (0.5 + mean))
        sample = Sample(-0.5, 0.5).add_all([0.5] * wins + [-0.5] * (games - wins))
        return Line(str(next(numbers)), sample, grey, **named)  # type: ignore[arg-type]

    def marks(**families: list[Line]) -> list[str]:
        return [one.mark for one in judge_lines(families)]

    assert marks(a=[line(0.06)]) == [LOOK]
    # The same alone among many is nothing to look at; nor is it beside a family of which nothing is known.
    assert marks(a=[line(0.06), *(line(0.0) for _ in range(9))])[0] == OPEN
    assert marks(a=[line(0.055)]) == [LOOK] and marks(a=[line(0.055)], b=[], c=[], d=[]) == [OPEN]
    # What says the same in other words is asked once.
    assert marks(a=[line(0.06, question="seats"), line(-0.06, question="seats")]) == [LOOK, LOOK]
    assert marks(a=[line(0.0, 40_000)]) == [FINE]
    # Certain, and too small to notice.
    [small] = judge_lines({"a": [line(0.03, 40_000)]})
    assert (small.mark, small.is_sure) == (FINE, True) and small.adjusted.high <= small.line.grey
    assert marks(a=[line(0.2, clears=(-0.5, 0.3))]) == [FACT]
    assert marks(a=[line(0.4, clears=(-0.5, 0.3))]) == [LOOK]
    [wide] = judge_lines({"a": [line(0.0)]})
    assert wide.more == 100 * -(-400 * ((wide.adjusted.half_width / 0.04) ** 2 - 1) // 100)
    # So many are enough, also for what lies on the edge of what is too small to notice.
    for value in (0.0, 0.02, 0.038, 0.05):
        [unsettled] = judge_lines({"a": [line(value)], "b": [], "c": []})
        [settled] = judge_lines({"a": [line(value, 400 + unsettled.more + 100)], "b": [], "c": []})
        assert unsettled.mark == OPEN != settled.mark, value


def test_what_is_chosen_at_random_is_known_by_what_it_does() -> None:
    """Who is ahead is offered the thing more often, which does nothing; then choosing it adds a fifth."""
    for adds in (0.0, 0.2):
        held = 0
        for seed in range(200):
            draw, tried = Random(seed), Tried(most=1.0)
            for _ in range(200):
                is_ahead = draw.random() < 0.5
                is_offered = draw.random() < (0.9 if is_ahead else 0.3)
                chose = is_offered and draw.random() < 0.25
                won = draw.random() < (0.7 if is_ahead else 0.2) + adds * chose
                tried.add([(chose - 0.25 * is_offered, 0.1875 * is_offered, won - 0.5)])
            found = tried.interval()
            held += found.low <= adds <= found.high
        assert 180 <= held <= 198


def test_what_somebody_had_is_compared_within_seats() -> None:
    # The first seat wins more, and gets the thing more often: thrown together it would look like a strong one.
    games = [((0,), (1, 0))] * 30 + [((0,), (0, 1))] * 20 + [((1,), (1, 0))] * 18 + [((1,), (0, 1))] * 12
    won, had = Won(2), Had(2)
    for holders, shares in games:
        won.add(shares)
        had.add(holders, shares)
    found = measure_edge([(won, had)])
    assert found is not None
    # By hand: in each seat (30 + 20, 18 + 12 games with and without it), and the same weight for both.
    assert found.value == pytest.approx(0.5 * ((30 / 50 - 18 / 30) + (12 / 30 - 20 / 50)))
    excess = [sum((has - mean) * (wins - rate) for has, mean, wins, rate in zip(*rows, strict=True)) for rows in (
        ([float(seat in holders) for seat in (0, 1)], (50 / 80, 30 / 80), shares, (48 / 80, 32 / 80))
        for holders, shares in games
    )]  # fmt: skip
    assert found.deviation == pytest.approx(sum(one * one for one in excess) ** 0.5 / 80, rel=0.02)
    assert (found.count, found.won, found.fair) == (80, 42 / 80, pytest.approx(42 / 80))


def test_who_has_it_and_never_wins_is_known_soon() -> None:
    won, had = Won(2), Had(2)
    for number in range(20):
        holder = number % 2
        won.add([float(seat != holder) for seat in (0, 1)])
        had.add([holder], [float(seat != holder) for seat in (0, 1)])
    found = measure_edge([(won, had)])
    assert found is not None and (found.value, found.fair) == (-0.5, 0.5)
    assert found.interval(4).low == -0.5 and -0.4 < found.interval(4).high < -0.05


def test_where_all_had_it_nothing_can_be_compared() -> None:
    won, had = Won(2), Had(2)
    for _ in range(5):
        won.add((1, 0))
        had.add((0, 1), (1, 0))
    assert measure_edge([(won, had)]) is None
    assert measure_edge([(won, Had(2))]) is None
    assert measure_edge([]) is None


def test_seats_of_one_game_are_not_counted_twice() -> None:
    # One of two has it and wins six of ten: one seat knows all that the other does, so both say no more than one.
    won, had = Won(2), Had(2)
    for number in range(100):
        holder, winner = number % 2, number % 2 if number % 10 < 6 else 1 - number % 2
        won.add([float(seat == winner) for seat in (0, 1)])
        had.add([holder], [float(seat == winner) for seat in (0, 1)])
    found = measure_edge([(won, had)])
    assert found is not None
    assert found.value == pytest.approx(0.1) and found.lift * found.value == pytest.approx(0.2)
    assert found.deviation == pytest.approx((0.25 / 100) ** 0.5, rel=0.01)


@pytest.mark.slow
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


@pytest.mark.slow
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
