"""Levels of play: the same deals by bots that play better and better, and how many of them fit a time.

In: plans, and seconds. Out: what was played at each level, and how often one bot wins among those of the level below.
The seed settles how games go and how much the best bot thinks; the time settles only how many there are. Apart from
`playing`, which knows one series.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Literal

from attrs import evolve

from rulebook.classes import frozen
from rulebook.interpreter.lower import lower
from rulebook.playtest.series.bulk import Bulk
from rulebook.playtest.series.plan import Plan
from rulebook.playtest.series.playing import Result
from rulebook.playtest.series.table import PIECE, Table
from rulebook.playtest.series.tally import Tally
from rulebook.playtest.series.trials import Trial, list_first, tell_trial
from rulebook.playtest.series.verdicts import GREY
from rulebook.statistics.intervals import TOGETHER, Sample
from rulebook.statistics.verdicts import mark_interval

if TYPE_CHECKING:
    from rulebook.playtest.bots.knowledge import Standing

COURSE, PLAYED_AGAIN = 0.3, 0.5
"""The part of the time that goes into the course of games, where that is followed, and how many games a second are
played again for what only events show."""
SECONDS = 60
"""The default time for all levels together, in seconds."""
RANDOM, GREEDY, LEARNED, SEARCH = "random", "greedy", "learned", "search"
SKILLS = (RANDOM, GREEDY, LEARNED, SEARCH)
"""All levels, the weakest first."""
NAMES = (RANDOM, GREEDY, SEARCH)
"""The levels that are always asked, the cheapest first."""
LEARNING_PAYS = 30
"""Seconds that are enough to ask those who learn, too: they play against themselves first."""
MOST = 10_000
"""The most games of a level: by then an effect of the smallest size of interest is detected."""
_DETAILS = {RANDOM: 3.0, GREEDY: 1.5}
"""The factor on the time of a level where cards and options are counted, which takes long beside such games."""
_SHARES = {
    RANDOM: 0.5,
    GREEDY: 1.5,
    f"{GREEDY} among {RANDOM}": 1.0,
    f"{SEARCH} among {GREEDY}": 2.5,
    SEARCH: 5.0,
    f"{LEARNED} among {GREEDY}": 1.0,
    LEARNED: 6.0,
}
"""Parts of the time by level, in the order of play. Time that one leaves over is for all that follow."""
_YIELDED = 0.3
"""The factor on the time of greedy players where those who learned are known to play better."""
_BUDGETS = (200, 100, 50, 20, 10)
_WORK = 2000
"""Search imagines so many games in one game, or less; more where a game has so many decisions."""
_TRIED, _TRIED_LONG = 0.1, 0.8
"""In this part of the time, and in so many seconds at most, a few games say how long one takes."""
_STARTING = 1.5
"""Seconds until another process plays."""
_SPARE = 0.85
"""This part of the time is planned; several processes are slower than one by itself."""
_LOOKED_AT = 1000
"""Games of no more histories are small enough to find the best response to a bot in a moment."""
_LEAST, _LEAST_BESIDE = 10, 400
"""Fewer games of a level say nothing; and where others who play well can have the time, fewer are not worth it."""


@frozen
class Part:
    """Something to be played: a level, or one bot `among` those of the level below; by one plan, or by two."""

    name: str
    plans: tuple[Plan, ...]
    among: str = ""
    yields: bool = False
    """True of players whose time others need more, who are known to play better."""
    is_followed: bool = True
    """False of players whose games are not followed, since better ones say when they are decided and by what."""

    @property
    def bots(self) -> str:
        return self.plans[0].bots[0]

    @property
    def share(self) -> float:
        """Its share of the time, beside those of others."""
        details = _DETAILS.get(self.name, 1.0) if self.plans[0].watched else 1.0
        return _SHARES[self.name] * details * (_YIELDED if self.yields else 1.0)


@frozen
class Gain:
    """The wins, or payoffs, of a bot by the changed rules."""

    won: float
    low: float
    high: float


@frozen
class Difference:
    """The difference that changed rules make to a bot's wins on the same deals, with its interval and verdict."""

    value: float
    low: float
    high: float
    mark: str


@frozen(kw_only=True)
class Rung(Trial):
    """A trial of a bot among those of the level below. It `beats` them where it certainly gets more than is fair, by
    more than the smallest effect of interest."""

    name: str
    level: str
    bot: str
    among: str
    deals: int
    seconds: float
    beats: bool
    changed: Gain | None = None
    difference: Difference | None = None


@frozen
class BestResponse:
    """The exploitability of a bot: the exact gain of a best response to it; known of small games alone."""

    name: str
    level: str
    bot: str
    grey: float
    unit: Literal["wins", "payoff"]
    best_response: float
    exact: bool = True


Ladder = Sequence[Rung | BestResponse]


@frozen
class Done:
    """A part that was played: what came of each of its plans, in how many seconds; or, with none, how long it would
    have taken."""

    part: Part
    played: tuple[tuple[Result, Tally], ...]
    seconds: float


def choose_search(plan: Plan) -> str:
    """Choose how much the best bot thinks: the shorter a game, the more. Raises BadSetup."""
    table = Table(evolve(plan, bots=("random",) * plan.players, rotate=False, watched=False))
    played, _ = table.here(range(PIECE))
    decisions = sum(played.lengths if isinstance(played, Bulk) else (game.length for game in played)) / PIECE
    return f"ismcts:{next((budget for budget in _BUDGETS if budget * decisions <= _WORK), _BUDGETS[-1])}"


def learn_games(plans: Sequence[Plan], seconds: float, jobs: int, tell: Callable[[str], None]) -> list[Rung] | None:
    """Let a bot learn each game, which `tell` is told. Return what its trial in the first of them says of how well it
    plays; None if it does not certainly play better than random and greedy ones in each. Where time is short nobody
    learns.
    """
    if seconds < LEARNING_PAYS:
        return None
    # Many a command knows these records, and few let somebody learn.
    from rulebook.playtest.bots import learn_game

    known = [learn_game(lower(plan.rulebook, plan.players, plan.options), LEARNED, tell, jobs) for plan in plans]
    if not all(knowledge.is_better for knowledge in known):
        return None
    return [*_rank_learned(plans[0], known[0].standings)]


def _rank_learned(plan: Plan, standings: Iterable[Standing]) -> Iterator[Rung]:
    """Report the trial of who has learned as other bots are ranked. Where payoffs are judged it counts otherwise."""
    for standing in standings:
        if not standing.against or standing.is_paid:
            continue
        got, bots = standing.between(TOGETHER), (standing.bot, *(standing.against,) * (plan.players - 1))
        yield Rung(
            name=f"{standing.bot} among {standing.against}",
            level=standing.bot,
            bot=standing.bot,
            among=standing.against,
            games=standing.games,
            deals=-(-standing.games // plan.players),
            seconds=0.0,
            unit="wins",
            won=got.value,
            low=got.low,
            high=got.high,
            fair=standing.even,
            grey=GREY,
            beats=got.low - standing.even > GREY,
            command=evolve(plan, bots=bots, rotate=True, watched=False).command(f"--games {standing.games}"),
        )


def join_ladders(trial: Sequence[Rung], played: Sequence[Rung | BestResponse]) -> list[Rung | BestResponse]:
    """Join the trial of who has learned with what was played; of what is in both that of which more is known."""
    games = {row.name: row.games for row in played if isinstance(row, Rung)}
    kept = {row.name: row for row in trial if row.games > games.get(row.name, 0)}
    return [*(row for row in played if row.name not in kept), *kept.values()]


def list_parts(*plans: Plan, trial: Sequence[Rung] | None = None, follows: bool = True) -> list[Part]:
    """List what is played, in this order, those who learned if there is their `trial`: whom they beat there is not
    asked once more. Details are counted at each level. The games of random players are followed if it `follows` any.
    """
    first, learned = plans[0], trial is not None
    tried = {rung.name for rung in trial or () if rung.beats and len(plans) == 1}
    specs = {RANDOM: "random", GREEDY: "greedy", SEARCH: choose_search(first)} | ({LEARNED: LEARNED} if learned else {})
    parts = []
    for name in _SHARES:
        level, _, below = name.partition(" among ")
        if level not in specs or name in tried:
            continue
        yields = learned and level == GREEDY
        if not below:
            bots = (specs[level],) * first.players
            parts.append(Part(name, tuple(evolve(plan, bots=bots) for plan in plans), "", yields, follows))
        elif first.players > 1 and not first.is_together:
            seated = (specs[level], *(specs[below],) * (first.players - 1))
            rotated = tuple(evolve(plan, bots=seated, rotate=True, watched=False) for plan in plans)
            parts.append(Part(name, rotated, below, yields))
    return parts


def play_parts(
    parts: Sequence[Part],
    seconds: float,
    jobs: int,
    most: int,
    play: Callable[[Part, Plan, int, int, float], tuple[Result, Tally]],
    begin: Callable[[Part, float], None],
) -> Iterator[Done]:
    """Play all parts, each for its share of the seconds, and at most so many games.

    `begin` is told which part it is, and when all of them will be done; `play` too, what to play, how many games, and
    by how many processes. What the caller does between two parts counts as time, too.
    """
    ends, in_all = time.perf_counter() + seconds, sum(each_part.share for each_part in parts)
    skipped = set[str]()
    for number, part in enumerate(parts):
        began = time.perf_counter()
        to_come = sum(each_part.share for each_part in parts[number:])
        mine = max((ends - began) * part.share / to_come, seconds * part.share / in_all / 4)
        begin(part, ends)
        is_beside = any(other.plans[0].bots[0] == LEARNED for other in parts) and part.name.startswith(SEARCH)
        games = processes = 0
        # If one of them takes too long, so do several.
        if not (is_beside and part.bots in skipped):
            games, processes = _plan_games(part, mine, jobs, most, _LEAST_BESIDE if is_beside else _LEAST)
        if processes:
            played = tuple(play(part, plan, games, processes, ends) for plan in part.plans)
            yield Done(part, played, time.perf_counter() - began)
        else:
            skipped.add(part.bots)
            yield Done(part, (), mine)


def _plan_games(part: Part, seconds: float, jobs: int, most: int, wanted: int) -> tuple[int, int]:
    """Find how many games of each plan fit, and how many processes play them; none if far fewer than is wanted do."""
    began = time.perf_counter()
    by = part.plans[0].rotations
    fixed, each = _try_out(part, min(seconds * _TRIED, _TRIED_LONG), most)
    left = seconds - (time.perf_counter() - began) - fixed * len(part.plans)
    alone, together = left, (left - _STARTING * len(part.plans)) * jobs
    takes_long = min(alone / each, most) * each > 2 * _STARTING * len(part.plans)
    processes = jobs if jobs > 1 and together > alone and takes_long else 1
    fits = int(max(alone, together if processes > 1 else 0.0) * _SPARE / each)
    least = -(-min(wanted, most) // by) * by
    if fits < least:
        # A little late is better than nothing.
        return (least, jobs) if wanted == _LEAST and least * each <= 2 * seconds * jobs else (0, 0)
    games = min(_round_down(fits), most)
    return max(least, games // by * by if games < most else -(-games // by) * by), processes


def _try_out(part: Part, seconds: float, most: int) -> tuple[float, float]:
    """Play the first games, twice as many each time, and return what the first of all took longer, and how long one
    takes (by all plans)."""
    tables = [Table(plan) for plan in part.plans]
    size, start, spent = part.plans[0].rotations, 0, 0.0
    first = each = 0.0
    while True:
        began = time.perf_counter()
        for table in tables:
            table.here(range(start, start + size))
        took = time.perf_counter() - began
        spent, each = spent + took, max(took / size, 1e-7)
        first = first or took
        # The first game of all says little.
        if start + size >= most or (spent >= seconds and (start or spent >= 5 * seconds)):
            return max(0.0, first - each * part.plans[0].rotations), each
        start, size = start + size, 2 * size


def _round_down(number: int) -> int:
    """Round to two digits, so that the same time gives the same number more often."""
    step = int(10 ** max(0, len(str(number)) - 2))
    return number // step * step


def size_piece(games: int, jobs: int) -> int:
    """Return how many games to hand over at once, so that no process waits long for the last one."""
    return max(1, min(PIECE, -(-games // (4 * jobs))))


def rank_bots(done: Sequence[Done]) -> list[Rung | BestResponse]:
    """Report how often one bot wins among those of the level below, or what it gets where payoffs are judged: `beats`
    where it is certainly more than fair by more than is too small to matter; where rules are compared, also by the
    `changed` ones. Of small games also what is gained by who knows how a bot plays, exactly."""
    played = [part_done for part_done in done if part_done.played]
    rungs = [_rank(part_done) for part_done in played if part_done.part.among]
    return [*rungs, *(row for part_done in played if not part_done.part.among for row in _find_gains(part_done))]


def _find_gains(done: Done) -> Iterator[BestResponse]:
    # Many a command knows these records, and few look at small games whole.
    from rulebook.playtest.bots.small import play_search
    from rulebook.playtest.small_games.best_response import find_gain, play_random

    (result, tally), spec = done.played[0], done.part.bots
    word, _, budget = spec.partition(":")
    shares = {"random": play_random, "ismcts": play_search(int(budget or 0))}.get(word)
    gain = None if shares is None else find_gain(result.table.program, _LOOKED_AT, shares)
    if gain is not None:
        name, grey = done.part.name, GREY * tally.at_stake
        yield BestResponse(name, name, spec, grey, "payoff" if tally.is_paid else "wins", gain)


def _rank(done: Done) -> Rung:
    part, tallies = done.part, [tally for _, tally in done.played]
    plan, won = part.plans[0], [list_first(side) for side in tallies]
    got, *others = [tell_trial(side, TOGETHER) for side in tallies]
    changed = difference = None
    # What is paid in other units is another number.
    if others and not any(side.is_paid for side in tallies):
        gap = Sample(-1.0, 1.0).add_all(after - before for before, after in zip(*won, strict=True)).interval(TOGETHER)
        changed = Gain(others[0]["won"], others[0]["low"], others[0]["high"])
        difference = Difference(gap.value, gap.low, gap.high, mark_interval(gap, gap.value, GREY))
    return Rung(
        name=part.name,
        level=part.name.partition(" among ")[0],
        bot=plan.bots[0],
        among=plan.bots[1],
        deals=len(won[0]),
        seconds=round(done.seconds, 3),
        beats=got["low"] - got["fair"] > got["grey"],
        changed=changed,
        difference=difference,
        **got,
    )


def find_worthy(names: Sequence[str], ladder: Ladder) -> list[str]:
    """Find the levels that are evidence of good play: those whose bot wins more among those of a level below, or from
    which nobody gains much. Where one plays alone, or all together, there is nobody to beat."""
    good = (rung.beats if isinstance(rung, Rung) else rung.best_response <= rung.grey for rung in ladder)
    beats = {rung.level for rung, is_good in zip(ladder, good, strict=True) if is_good}
    return [name for name in names if name != RANDOM and (name in beats or not ladder)]
