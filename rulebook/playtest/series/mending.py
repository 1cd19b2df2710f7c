"""Mends: the effect of one other number, or house rule, on something that stands out.

In: a plan, changes of it, what stands out; seconds. Out: of each thing the change by which it stood out least, and what
it comes to on deals on which nothing was chosen. All are played by players who know the game as it is. Never: says that
a change is good; what else it does is for whoever designs the game.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Collection, Mapping, Sequence
from itertools import chain
from math import hypot

from attrs import evolve

from rulebook.classes import frozen
from rulebook.interpreter.features import find_features
from rulebook.interpreter.lower import lower
from rulebook.playtest.pieces import Worker, cut
from rulebook.playtest.series.about import About, Had, Option, Order, Role, Seat
from rulebook.playtest.series.plan import Plan, game_seed
from rulebook.playtest.series.record import STOPPED, Played
from rulebook.playtest.series.table import Table
from rulebook.playtest.series.tally import Tally
from rulebook.playtest.series.verdicts import find_card_edge, find_edge, find_fair_error, find_fair_share
from rulebook.playtest.sharing import in_order
from rulebook.statistics.intervals import LEVEL, Interval, find_reach

__all__ = ["ENOUGH", "MENDING", "Change", "Mend", "Trouble", "measure_mends"]

MENDING = 0.2
"""The part of the time that goes into such games."""
ENOUGH = 120
"""Seconds of a search from which there is time for them."""
_TRIED, _LEAST = 60, 30
"""The games of each change at first: so many are planned, and of fewer nothing is said."""
_NEAR = 3
"""The changes nearest to what is right that are tried once more, for each thing."""
_KNOWN = 200
"""The fewest games of the one that was chosen."""
_ROUNDS = 3
_SETUPS = 7
"""The time in which a change is loaded and lowered in all three rounds, in times of lowering one by itself."""
_PIECE = 5
_FEWEST = 20
"""The fewest times that a thing was had, or offered, before anything is said of it."""


@frozen
class Change:
    """The rules with one other value: its name, what it is and what it would be, what a house rule is about, and the
    plan that plays so."""

    name: str
    before: str
    value: str
    about: str
    plan: Plan
    is_option: bool


@frozen
class Trouble:
    """Something that stands out, by what people call it: what it wins, or how often it is chosen, how far that may be
    from the truth, what would be right, and what is too small to matter."""

    about: About
    name: str
    value: float
    error: float
    target: float
    grey: float


@frozen(kw_only=True)
class Mend:
    """The one of so many changes that were `tried` by which something stands out least: what it was, and is on other
    deals, with an interval; and the median of decisions there."""

    about: About
    name: str
    change: str
    before: str
    set_to: str
    option: str
    """The house rule in words; of anything else nothing."""
    is_option: bool
    rule: str = ""
    sentence: str = ""
    """The sentence that is other then, in English, and the rule in which it stands, if there is one."""
    tried: int
    games: int
    was: float
    error: float
    """The distance to each side in which the truth lies of what it was."""
    value: float
    low: float
    high: float
    target: float
    grey: float
    decisions: float
    places: tuple[float, ...] = ()
    """The wins of all places in turn order then, of a mend of one of them."""

    @property
    def helps(self) -> bool:
        """True if it certainly comes nearer to what it should be, by enough to notice."""
        nearer = abs(self.was - self.target) - abs(self.value - self.target)
        is_above = self.was > self.target
        moved = self.was - self.value if is_above else self.value - self.was
        reach = hypot(self.error, self.high - self.value if is_above else self.value - self.low)
        return moved > reach and nearer >= min(self.grey, abs(self.was - self.target) / 2)


def count_changes(first: Plan, seconds: float, pace: float, jobs: int) -> int:
    """Count the changes that can be tried in so many seconds, where a game takes one process `pace` seconds: each has
    to be loaded and lowered before, in every process, as the `first` is here."""
    began = time.perf_counter()
    lower(first.rulebook, first.players, first.options)
    setup = time.perf_counter() - began
    return int(seconds / (_SETUPS * setup + _ROUNDS * pace * _TRIED / jobs))


def measure_mends(
    plan: Plan, changes: Sequence[Change], troubles: Sequence[Trouble], seconds: float, jobs: int, most: int,
    tell: Callable[[int, int], None],
) -> list[Mend]:  # fmt: skip
    """Measure what changes do to what stands out, in so many seconds and so many games of each at most; nothing where
    too few were played. `tell` is told how many games of each are played. Raises Killed.

    All are tried, then those that came nearest, and of these the nearest once more, each time on other deals: who is
    chosen by luck is not so lucky again.
    """
    began = time.perf_counter()
    plans = {number: change.plan for number, change in enumerate(changes)}
    tried = _play_all(plan, plans, 0, began + seconds / _ROUNDS, jobs, most, tell)
    near = {number for trouble in troubles for number in _list_nearest(trouble, tried, _LEAST)[:_NEAR]}
    again = _play_all(plan, _choose_plans(plans, near), 1, began + 2 * seconds / _ROUNDS, jobs, most, tell)
    chosen = {trouble.about: _list_nearest(trouble, again, _LEAST)[:1] for trouble in troubles}
    last = _play_all(plan, _choose_plans(plans, {*chain(*chosen.values())}), 2, began + seconds, jobs, most, tell)
    reach, mends = find_reach((1 - LEVEL) / max(1, len(troubles))), list[Mend]()
    for trouble in troubles:
        for number in (number for number in chosen[trouble.about] if number in last):
            tally, change = last[number], changes[number]
            found = _find_figure(tally, trouble.about, reach) if tally.games >= _KNOWN else None
            if found is None:
                continue
            mend = Mend(
                about=trouble.about, name=trouble.name, change=change.name, before=change.before, set_to=change.value,
                option=change.about, is_option=change.is_option, tried=len(tried), games=tally.games, was=trouble.value,
                error=trouble.error, value=found.value, low=found.low, high=found.high, target=trouble.target,
                grey=trouble.grey, decisions=tally.quantile(tally.lengths, 0.5),
                places=_list_places(tally) if isinstance(trouble.about, Order) else (),
            )  # fmt: skip
            mends.append(mend)
    return mends


def _choose_plans(plans: Mapping[int, Plan], numbers: Collection[int]) -> dict[int, Plan]:
    return {number: plan for number, plan in plans.items() if number in numbers}


def _list_nearest(trouble: Trouble, tallies: Mapping[int, Tally], least: int) -> list[int]:
    """List the changes of which something is told, those first by which it is nearest to what it should be."""
    figures = {
        number: found.value
        for number, tally in tallies.items()
        if tally.games >= least and (found := _find_figure(tally, trouble.about, 1.0)) is not None
    }
    return sorted(figures, key=lambda number: abs(figures[number] - trouble.target))


def _list_places(tally: Tally) -> tuple[float, ...]:
    edges = [edge for edge in tally.measure_orders() if edge is not None]
    return tuple(edge.fair + edge.value for edge in edges) if len(edges) == tally.plan.players else ()


def _find_figure(tally: Tally, about: About, reach: float) -> Interval | None:
    """Find what was won, or how often something was chosen, with an interval; None if that is not known."""
    match about:
        case Option(key):
            offered, chosen = tally.choices.get(key, (0, 0))
            if offered < _FEWEST:
                return None
            share, far = chosen / offered, reach * tally.deviate_share(key)
            return Interval(share, max(0.0, share - far), min(1.0, share + far))
        case Seat(number):
            return tally.sample_seats()[number - 1][1].interval(reach).moved(find_fair_share(tally))
        case Order(place):
            edge = [*tally.measure_orders(), None][place - 1]
        case Had(way, card):
            edge = find_card_edge(tally, way, card)
        case Role(slot, id):
            edge = find_edge(tally, tally.roles.get((slot, id), {}))
        case _:
            return None
    if edge is None or edge.count < _FEWEST:
        return None
    return edge.interval(reach).moved(edge.fair, find_fair_error(tally, reach))


def _play_all(
    plan: Plan, plans: Mapping[int, Plan], turn: int, ends: float, jobs: int, most: int,
    tell: Callable[[int, int], None],
) -> dict[int, Tally]:  # fmt: skip
    """Play as many games by each plan as there is time for, on other deals each turn; nothing of those that cannot be
    played so, or not to the end."""
    seed = game_seed(plan.seed, -1 - turn)
    fresh = [evolve(changed, seed=seed) for changed in plans.values()]
    played = [list[Played | None]() for _ in fresh]
    pieces = cut(range(most), _PIECE)
    for number, piece in enumerate(in_order(_make_tables, (plan, fresh), pieces, jobs) if fresh else (), 1):
        for games, told in zip(played, piece, strict=True):
            games.extend(told)
        tell(number, len(pieces))
        if time.perf_counter() > ends:
            break
    whole = {
        number: Tally.of(changed, [game for game in games if game is not None])
        for number, changed, games in zip(plans, fresh, played, strict=True)
        if None not in games
    }
    return {number: tally for number, tally in whole.items() if not tally.endings[STOPPED]}


def _make_tables(asked: tuple[Plan, Sequence[Plan]]) -> Worker[list[list[Played | None]]]:
    """Make the worker of another process, which plays some games by each plan."""
    plan, plans = asked
    known = lower(plan.rulebook, plan.players, plan.options)
    tables = [Table(one, taught_by=known) for one in plans]
    # What somebody has learned is about features that the changed rules must have, too.
    alike = [find_features(table.program).names == find_features(known).names for table in tables]

    def play_piece(numbers: range) -> list[list[Played | None]]:
        pairs = [*zip(tables, alike, strict=True)]
        return [[table.play_in_core(number) if is_alike else None for number in numbers] for table, is_alike in pairs]

    return play_piece
