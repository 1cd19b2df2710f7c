"""The search for settings that meet an aim: all of them little, the better half more, a few deeply on fresh deals.

All settings play the same deals. What is ruled out is ruled out at an error that allows for all settings and for every
time that somebody looks; what is said of the few in the end comes from deals on which nothing was chosen.
Where the time is over, what was not asked is not ruled out.
"""

from __future__ import annotations

import time
from collections import OrderedDict
from collections.abc import Callable, Iterator, Sequence
from math import prod
from random import Random
from typing import TYPE_CHECKING, Literal

from attrs import define, evolve, field

from rulebook.classes import frozen
from rulebook.interpreter.lower import lower
from rulebook.playtest.bots import learn_game, learns, looks
from rulebook.playtest.pieces import cut
from rulebook.playtest.series.bulk import Bulk
from rulebook.playtest.series.plan import Plan, game_seed
from rulebook.playtest.series.table import Table
from rulebook.playtest.sharing import in_order
from rulebook.playtest.tuning.aims import Aim, Standing
from rulebook.playtest.tuning.counted import Counted
from rulebook.statistics.intervals import LEVEL, Interval

if TYPE_CHECKING:
    from rulebook.playtest.series.cluster import Cluster

MOST_SETTINGS = 256
"""The settings that are asked first; where there are more, so many are drawn, and then those beside the best."""
FEW = 3
"""The settings that are asked deeply: the best, and the nearest misses."""
_FIRST = 200
_PIECE, _PIECE_OF_THINKERS = 250, 5
"""The games that are played at once: after these somebody looks at the clock."""
_PART = 4000
"""The games of a setting that one process plays."""
_MAKING, _WEAKEST, SEARCHING, _ASKING = 0.2, 0.3, 0.6, 1.0
"""By which part of the time settings are made, the weakest have played, the search is over, and the few are asked."""
_TABLES = 16
"""The most programs that are kept, for settings that are played again."""
_STEPS = 8
_SURE = 2.0
DEEP = (1, 4, 16)
"""By how many times the most games of the search the few are asked: more where the first do not show it."""
_FRESH = 2**52
"""The number of the stream from which the seed of fresh deals is drawn, far behind all deals."""

Values = tuple[int, ...]
"""A setting: of each number that is varied, which of its values."""
Verdict = Literal["found", "open", "none"]


@define(eq=False)
class Tried:
    """A setting, and what was counted of it at the level that judges."""

    values: Values
    plan: Plan
    changes: int
    counted: Counted
    is_out: bool = False

    def rank(self, aims: Sequence[Aim]) -> tuple[float, float, int, Values]:
        """Rank the nearest first; of those that meet all, what is surely inside, then what changes least."""
        found = [self.counted.find(aim, 1 - LEVEL) for aim in aims]
        miss = max(aim.measure_miss(one.value) for aim, one in zip(aims, found, strict=True))
        room = min(aim.measure_room(one) for aim, one in zip(aims, found, strict=True))
        return miss, -min(room, _SURE), self.changes, self.values


@frozen
class Asked:
    """One of the few, asked deeply: its figures by aim, each interval right together with all others."""

    values: Values
    plan: Plan
    games: int
    found: tuple[Interval, ...]
    standings: tuple[Standing, ...]

    @property
    def is_met(self) -> bool:
        return set(self.standings) == {"met"}


@frozen
class Found:
    """The result of a search. `few` begins with the best; `first` are all settings of the first round, with their
    figures; `judged` is how many of those that were asked played at the level that judges, `open` how many are not
    ruled out. Where the time was over before the search was,
    `is_late`. `needed` is about how many games of the best would tell whether it meets the aim, 0 if that is told,
    and `pace` how many seconds of one processor such a game takes.
    """

    verdict: Verdict
    few: tuple[Asked, ...]
    first: dict[Values, tuple[float, ...]]
    asked: int
    judged: int
    open: int
    games: int
    broken: int
    is_late: bool
    needed: float
    pace: float


@define
class Search:
    """Settings and how they are played. `make` makes the plan of a setting and says how many things it changes; None
    where nobody can play so."""

    sizes: Sequence[int]
    make: Callable[[Values], tuple[Plan, int] | None]
    aims: Sequence[Aim]
    bots: Sequence[str]
    seed: int
    most: int
    seconds: float
    jobs: int = 1
    cluster: Cluster | None = None
    say: Callable[[str], None] = lambda _: None
    games: int = field(default=0, init=False)
    _began: float = field(factory=time.monotonic, init=False)
    _end: float = field(default=0.0, init=False)
    _is_late: bool = field(default=False, init=False)
    _judged: int = field(default=0, init=False)
    _spent: float = field(default=0.0, init=False)
    _tables: Tables = field(factory=OrderedDict, init=False)

    def run(self) -> Found:
        """Search. Raises what playing raises."""
        every = dict[Values, Tried]()
        self._allow(_MAKING)
        for values in self._list_first():
            if every and self._is_over():
                break
            if (one := self._try(values)) is not None:
                every[values] = one
        tried = [*every.values()]
        self._allow(_WEAKEST)
        self._play_on(tried, _FIRST, self.bots[0])
        alive = [one for one in tried if one.counted.games and not one.counted.crashed]
        start = self._list_found(alive)
        if len(self.bots) > 1:
            alive = self._sort_playable(alive)[: max(2 * FEW, len(alive) // 4)]
            for one in tried:
                one.counted = Counted(one.plan.players, self.aims)
        games, looks = _FIRST, max(1, (self.most // _FIRST).bit_length() + 1)
        is_drawn = prod(self.sizes) > MOST_SETTINGS
        settings = len(tried) + (2 * len(self.sizes) * _STEPS if is_drawn else 0)
        wrong = (1 - LEVEL) / (max(1, settings) * looks * len(self.aims))
        self._allow(SEARCHING)
        while alive:
            # The best come first, so that those are left which promise least, if the time is over.
            self._play_on(alive, games)
            alive = [one for one in alive if one.counted.games]
            self._rule_out(alive, wrong)
            alive = self._sort_playable([one for one in alive if not one.is_out])
            if games >= self.most or (alive and self._is_met(alive[0], wrong)) or self._is_over():
                break
            alive, games = alive[: max(FEW, (len(alive) + 1) // 2)], min(games * 2, self.most)
        if is_drawn and tried and not (alive and self._is_met(alive[0], wrong)):
            played = [one for one in tried if one.counted.games]
            near = alive or sorted(played, key=lambda one: one.rank(self.aims))[:1]
            alive = self._look_beside(near, every, games) if near else []
        self._allow(_ASKING)
        ranked = alive + self._sort_playable([one for one in every.values() if one not in alive and one.counted.games])
        few = sorted(self._ask_deeply(ranked[:FEW]), key=self.rank_asked)
        is_met = any(one.is_met for one in few)
        tried = [*every.values()]
        # Whether all others are out says nothing as long as one of the few may meet the aim.
        if all("missed" in one.standings for one in few):
            self._exclude([one for one in tried if not one.is_out and not one.counted.crashed], wrong)
        unknown = sum(not one.is_out and not one.counted.crashed for one in tried)
        return Found(
            verdict="found" if is_met else "open" if unknown else "none",
            few=tuple(few),
            first=start,
            asked=len(tried),
            judged=sum(one.counted.games > 0 for one in tried),
            open=unknown,
            games=self.games,
            broken=sum(one.counted.crashed > 0 for one in tried),
            is_late=self._is_late,
            needed=self._find_needed(few[0]) if few else 0.0,
            pace=self._spent / max(1, self._judged),
        )

    def _allow(self, part: float) -> None:
        """Play until this part of the time is over."""
        self._end = self._began + part * self.seconds

    def _is_over(self) -> bool:
        """Tell whether the time is over, where there is more to do."""
        self._is_late |= time.monotonic() >= self._end
        return time.monotonic() >= self._end

    def _list_first(self) -> Iterator[Values]:
        """All settings, or as many as are asked first, drawn."""
        count = prod(self.sizes)
        # In no order, so that where the time is over those were made which anybody might have drawn.
        for number in Random(self.seed).sample(range(count), min(count, MOST_SETTINGS)):
            values = []
            for size in self.sizes:
                number, value = divmod(number, size)
                values.append(value)
            yield tuple(values)

    def _try(self, values: Values) -> Tried | None:
        made = self.make(values)
        return None if made is None else Tried(values, *made, Counted(made[0].players, self.aims))

    def _list_found(self, tried: Sequence[Tried]) -> dict[Values, tuple[float, ...]]:
        """The figures of settings as they are known now."""
        return {one.values: tuple(one.counted.find(aim, 1 - LEVEL).value for aim in self.aims) for one in tried}

    def _rule_out(self, tried: Sequence[Tried], wrong: float) -> None:
        for one in tried:
            judged = {aim.assess(one.counted.find(aim, wrong)) for aim in self.aims}
            one.is_out = bool(one.counted.crashed) or "missed" in judged

    def _look_beside(self, alive: list[Tried], every: dict[Values, Tried], games: int) -> list[Tried]:
        """Ask the settings one step beside the best, as long as one of them is better."""
        for _ in range(_STEPS):
            if self._is_over():
                break
            best = alive[0].values
            beside = [
                (*best[:at], value + by, *best[at + 1 :])
                for at, value in enumerate(best)
                for by in (-1, 1)
                if 0 <= value + by < self.sizes[at]
            ]
            fresh = [one for values in beside if values not in every and (one := self._try(values)) is not None]
            every.update({one.values: one for one in fresh})
            # The first deals tell which of them may be better at all.
            self._play_on(fresh, min(games, 2 * _FIRST))
            alive = self._sort_playable([*alive, *(one for one in fresh if one.counted.games)])[:FEW]
            self._play_on(alive, games)
            alive = self._sort_playable(alive)
            if alive[0].values == best:
                break
        return alive

    def _sort_playable(self, tried: Sequence[Tried]) -> list[Tried]:
        return sorted((one for one in tried if not one.counted.crashed), key=lambda one: one.rank(self.aims))

    def _is_met(self, one: Tried, wrong: float) -> bool:
        """Tell whether a setting surely meets all aims."""
        return all(aim.assess(one.counted.find(aim, wrong)) == "met" for aim in self.aims)

    def _exclude(self, rest: Sequence[Tried], wrong: float) -> None:
        """Play on with what is not ruled out, until it is or has had all its games."""
        games = _FIRST
        while rest:
            self._play_on(rest, games)
            self._rule_out(rest, wrong)
            rest = [one for one in rest if not one.is_out]
            if games >= self.most or self._is_over():
                break
            games = min(games * 2, self.most)

    def _ask_deeply(self, few: Sequence[Tried]) -> list[Asked]:
        """Ask on deals on which nothing was chosen: all of them, and then the best that may still meet the aim."""
        if not few:
            return []
        deals = game_seed(self.seed, _FRESH) % 1_000_000_000
        again = [
            Tried(one.values, evolve(one.plan, seed=deals), one.changes, Counted(one.plan.players, self.aims))
            for one in few
        ]
        wrong = (1 - LEVEL) / (len(few) * len(self.aims) * len(DEEP))
        asked: list[Asked] = []
        near = again
        for times in DEEP:
            self._play_on(near, times * self.most)
            again = [one for one in again if one.counted.games]
            asked = [self._assess_few(one, wrong) for one in again]
            ranked = sorted(zip(asked, again, strict=True), key=lambda pair: self.rank_asked(pair[0]))
            near = [one for told, one in ranked if "missed" not in told.standings][:1]
            if not near or times == DEEP[-1] or any(one.is_met for one in asked) or self._is_over():
                break
        return asked

    def _assess_few(self, one: Tried, wrong: float) -> Asked:
        found = tuple(one.counted.find(aim, wrong) for aim in self.aims)
        judged = tuple(aim.assess(interval) for aim, interval in zip(self.aims, found, strict=True))
        return Asked(one.values, self._seat_alike(one.plan, self.bots[-1]), one.counted.games, found, judged)

    def rank_asked(self, one: Asked) -> tuple[int, float, int]:
        """Rank a setting: those that meet all aims first, then by misses and their size, then those of most games."""
        misses = [aim.measure_miss(found.value) for aim, found in zip(self.aims, one.found, strict=True)]
        return one.standings.count("missed") + (not one.is_met), max(misses), -one.games

    def _find_needed(self, one: Asked) -> float:
        """Find about how many games would tell whether a setting meets the aims; 0 where that is told."""
        found = zip(self.aims, one.found, one.standings, strict=True)
        ratios = [aim.measure_doubt(interval) for aim, interval, standing in found if standing == "open"]
        return one.games * max(ratios) if ratios and "missed" not in one.standings else 0.0

    def _seat_alike(self, plan: Plan, bot: str) -> Plan:
        return evolve(plan, bots=(bot,) * plan.players)

    def _play_on(self, tried: Sequence[Tried], games: int, bot: str = "") -> None:
        """Play so many games of each, but for those that are there already, as long as there is time."""
        bot = bot or self.bots[-1]
        wanted = [one for one in tried if one.counted.games < games and not one.counted.crashed]
        before = sum(one.counted.games for one in wanted)
        # Cut alike for any number of processes, so that all sums are the same.
        cuts = [(one, part) for one in wanted for part in cut(range(one.counted.games, games), _PART)]
        self.say(f"{len(wanted)} settings, {games} games of each, {bot}")
        began = time.monotonic()
        if learns(bot) and self.cluster is None:
            self._let_learn(wanted, bot)
        for (one, part), counted in zip(cuts, self._count_all(cuts, bot), strict=True):
            if part.start == one.counted.games:
                one.counted.join(counted)
        self._is_late |= any(one.counted.games < games and not one.counted.crashed for one in wanted)
        played = sum(one.counted.games for one in wanted) - before
        self.games += played
        if bot == self.bots[-1]:
            self._judged += played
            self._spent += (time.monotonic() - began) * min(self.jobs, max(1, len(cuts)))

    def _let_learn(self, tried: Sequence[Tried], bot: str) -> None:
        """Let a bot learn each setting, with all processes, as long as there is time: whoever plays finds it known."""
        for one in tried:
            if self._is_over():
                break
            learn_game(lower(one.plan.rulebook, one.plan.players, one.plan.options), bot, lambda line: None, self.jobs)

    def _count_all(self, cuts: Sequence[tuple[Tried, range]], bot: str) -> Iterator[Counted]:
        """Count games of settings, in order; fewer of each where the time is over."""
        work = [(one.values, self._seat_alike(one.plan, bot), part) for one, part in cuts]
        if self.cluster is None:
            asked = work, tuple(self.aims), self._end, self._tables if self.jobs == 1 else OrderedDict()
            yield from in_order(ready, asked, [range(at, at + 1) for at in range(len(work))], self.jobs)
            return
        for _, plan, part in work:
            counted = Counted(plan.players, self.aims)
            for told, _ in self.cluster.in_order(plan, False, cut(part, _find_piece(bot))):
                counted.add_games([told] if isinstance(told, Bulk) else told)
                if time.monotonic() >= self._end:
                    break
            yield counted


Tables = OrderedDict[Values, Table]
"""The tables of settings, those that were used last at the end."""


def _find_piece(bot: str) -> int:
    return _PIECE_OF_THINKERS if looks(bot) and bot != "greedy" else _PIECE


def ready(
    asked: tuple[Sequence[tuple[Values, Plan, range]], tuple[Aim, ...], float, Tables],
) -> Callable[[range], Counted]:
    """Make what plays the games of settings, by the numbers of the settings, and counts them until the time is over."""
    work, aims, end, tables = asked

    def find_table(values: Values, plan: Plan) -> Table:
        table = tables[values] = tables.pop(values) if values in tables else Table(plan, crashes=1)
        table.plan = plan
        while len(tables) > _TABLES:
            tables.popitem(last=False)
        return table

    def count(numbers: range) -> Counted:
        values, plan, part = work[numbers[0]]
        counted = Counted(plan.players, aims)
        if time.monotonic() >= end:
            return counted
        table = find_table(values, plan)
        for piece in cut(part, _find_piece(plan.bots[0])):
            told, _ = table.here(piece)
            counted.add_games([told] if isinstance(told, Bulk) else told)
            if counted.crashed or time.monotonic() >= end:
                break
        return counted

    return count
