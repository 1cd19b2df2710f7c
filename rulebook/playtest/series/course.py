"""The course of games of a series: the chance of each seat at moments of them, and what hung on sampled decisions.

In: a plan. Out: of each game what the chances were and how far answers to some decisions lie apart, as they come out if
all players answer at random from there on. A game hangs on its number alone, so more games begin with fewer.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Collection, Iterator, Sequence
from functools import partial
from itertools import pairwise
from math import inf
from typing import Any

from attrs import evolve

from rulebook.classes import frozen
from rulebook.interpreter.choosing import Choices
from rulebook.interpreter.decisions import RuleError
from rulebook.interpreter.game import Game
from rulebook.interpreter.layout import STACK
from rulebook.interpreter.matching import shuffled
from rulebook.interpreter.random import Source
from rulebook.interpreter.views import list_stages
from rulebook.playtest.bots import looks
from rulebook.playtest.bots.by_machine import answers
from rulebook.playtest.pieces import Worker, cut
from rulebook.playtest.series.forking import Given, Shares, Stop, draw_seeds, stop_at, visit
from rulebook.playtest.series.plan import Plan
from rulebook.playtest.series.table import Table
from rulebook.playtest.series.tally import Tally
from rulebook.playtest.series.verdicts import decides
from rulebook.playtest.sharing import in_order
from rulebook.statistics.chances import Moment
from rulebook.statistics.spreads import WRONG, Spread, measure_spread

PLAYOUTS = 200
"""Playouts from each moment of a game at which chances are measured."""
ANSWERS, TRIES = 8, 200
"""The most answers tried at a decision that is weighed, and playouts after each."""
DECISIVE = 0.25
"""The smallest difference between answers that decides a game: 25 games of a hundred."""
SHOWN = 200
"""The most decisions of the game that is shown at which chances are told."""
COUNTED = 10
"""The number of games in which choices are counted that nobody was asked for."""
_MOST, _LEAST = 100, 10
_BUDGET, _SLOWER = 30_000_000, 100
"""The budget in answers, about a minute of the core; and the factor by which the machine is slower."""
_THINKING = 4
"""The divisor of games for bots that think, since their games take longer."""


@frozen
class Effort:
    """The moments of a game at which chances are measured, and the decisions of it that are weighed."""

    moments: int
    decisions: int


THOROUGH, BRIEF = Effort(20, 6), Effort(10, 3)
"""The effort for a game; and where there is little time, since twice as many games say more than half of them twice."""


Tell = Callable[[Game], Callable[[], Sequence[str]]]
"""Makes of a game what tells in lines whatever is new in it."""


@frozen
class Weighed:
    """A decision of which each answer was tried; without a spread there was only one. `for_others` is what the answers
    do to the other seat to which they do most, where they do nothing to who decides; `is_lost` is true if who decides
    won after none of them, however often it was tried.
    """

    key: str
    prompt: str
    spread: Spread | None
    for_others: Spread | None = None
    is_lost: bool = False

    @property
    def crowns(self) -> bool:
        """True if who cannot win decides who does."""
        return self.is_lost and self.for_others is not None and self.for_others.size >= DECISIVE


@frozen
class FollowedGame:
    """A game, with so many decisions: the chances in it, what was weighed, how many choices nobody was asked for (None
    where that was not counted), how many of the decisions that were to be weighed are the pressing of a button, and
    whether somebody who cannot win was seen to decide who does.
    """

    number: int
    decisions: int
    moments: tuple[Moment, ...]
    weighed: tuple[Weighed, ...]
    shares: Shares
    is_finished: bool
    unasked: int | None = None
    buttons: int = 0
    is_crowned: bool = False

    @property
    def winner(self) -> int | None:
        """The seat that won alone; None where several share the win or nobody has it."""
        return self.shares.index(1.0) if 1.0 in self.shares else None


@frozen
class Told:
    """A decision of the game that is shown, after so many answers, with its number from 1: who decides, what is asked
    and answered, the chances before, in which stage, and then what happened."""

    at: int
    number: int
    seat: int
    prompt: str
    answer: str
    moment: Moment
    stage: str
    news: tuple[str, ...]


def has_course(plan: Plan) -> bool:
    """True if there are chances to tell: several play, each for one, somebody can win, and the games come again.

    Of partners each has the chances of the other, so none of them would ever be ahead of all.
    """
    alone = plan.players > 1 and plan.rulebook.result.team is None
    return alone and decides(plan.rulebook) and plan.can_be_repeated


def count_games(tally: Tally) -> int:
    """Return how many games of a series are looked at at most."""
    thinking = any(map(looks, tally.plan.bots))
    return min(_MOST, max(1, tally.games // _THINKING) if thinking else tally.games) if tally.games else 0


def follow_games(
    table: Table, games: int, jobs: int = 1, effort: Effort = THOROUGH, seconds: float | None = None
) -> Iterator[FollowedGame]:
    """Follow the first games of a series, in order, as many as are cheap enough, and no more than fit in the seconds,
    but some; those that crash are left out."""
    left = _BUDGET if table.core is not None else _BUDGET // _SLOWER
    until = inf if seconds is None else time.perf_counter() + seconds
    make = partial(make_follower, effort=effort)
    pieces = in_order(make, evolve(table.plan, watched=False), cut(range(games), 1), jobs)
    for number, some in enumerate(pieces, 1):
        for one in some:
            yield one
            tried = len(one.moments) * PLAYOUTS + len(one.weighed) * ANSWERS // 2 * TRIES
            left -= tried * one.decisions // 2
        if left < 0 or (number >= _LEAST and time.perf_counter() > until):
            return


def make_follower(plan: Plan, effort: Effort) -> Worker[list[FollowedGame]]:
    """Make the worker of another process."""
    table = Table(plan)
    return lambda numbers: [one for number in numbers for one in follow(table, number, effort)]


def follow(table: Table, number: int, effort: Effort = THOROUGH) -> Iterator[FollowedGame]:
    """Follow one game, if it does not crash."""
    try:
        yield _follow(table, number, effort)
    except (RuleError, RecursionError):
        return


def _follow(table: Table, number: int, effort: Effort) -> FollowedGame:
    seed, moments, sampled = table.plan.seed_of(number), set[int](), set[int]()

    def choose_stops(many: int) -> Collection[int]:
        moments.update(_spaced(many, effort.moments))
        sampled.update(shuffled(range(many), Source(seed, "weighed").below)[: effort.decisions])
        return moments | sampled

    def look(stop: Stop) -> tuple[int, Moment | None, Weighed | None]:
        moment = find_chances(stop, seed, PLAYOUTS) if stop.at in moments else None
        may_crown = moment is not None and not moment.chances[stop.seat] and max(moment.chances) < 1
        return stop.at, moment, weigh(table, stop, seed) if stop.at in sampled or may_crown else None

    found = visit(table, number, choose_stops, look)
    unasked = None if number >= COUNTED else _count_unasked(table, number)
    chances = [evolve(moment, at=at / found.decisions) for at, moment, _ in found.seen if moment is not None]
    chances.append(Moment(1.0, found.shares, found.shares, 0))
    weighed = tuple(one for at, _, one in found.seen if one is not None and at in sampled)
    buttons = len(sampled) - len(weighed)
    is_crowned = any(one.crowns for _, _, one in found.seen if one is not None)
    return FollowedGame(
        number, found.decisions, tuple(chances), weighed, found.shares, found.is_finished, unasked, buttons, is_crowned
    )


def _spaced(many: int, wanted: int) -> list[int]:
    """Space so many numbers evenly below another one, or take them all."""
    return sorted({place * many // wanted for place in range(wanted)}) if many > wanted else list(range(many))


def _count_unasked(table: Table, number: int) -> int:
    """Count the choices of a game for which there was one answer only, so that nobody was asked."""
    names = table.machine.names
    return sum(
        event.kind == "chose" and event.facts["player"] == names[seat] and "forced" in event.facts
        for seat, noticed in enumerate(table.noticed(number))
        for event in noticed
    )


def find_chances(stop: Stop, seed: int, games: int) -> Moment:
    """Find the chances of all seats at a stop, by so many games."""
    shares, half = stop.play_on(draw_seeds(seed, f"course:{stop.at}", games), None), games // 2
    return Moment(0.0, _average(shares[:half]), _average(shares[half:]), games)


def _average(shares: Sequence[Shares]) -> Shares:
    return tuple(sum(seat) / len(shares) for seat in zip(*shares, strict=True))


# ── what hangs on a decision ─────────────────────────────────────────────────────────────────────────────────────────


def weigh(table: Table, stop: Stop, seed: int) -> Weighed | None:
    """Try each answer to a decision equally often, or of many some: what do they do for who decides, and if nothing,
    what for others? Whoever presses a button decides nothing.
    """
    state, below = stop.find_state(), Source(seed, f"weighed:{stop.at}").below
    choices = table.machine.find_choices(state, stop.seat)
    if choices.pick.is_button:
        return None
    values = list(answers(choices, below).values())
    if len(values) > ANSWERS:
        values = shuffled(values, below)[:ANSWERS]
    code, pc, *_ = state[STACK][-1]
    key = f"{table.program.codes[code].name}:{pc}"
    decision = table.machine.decision(state)
    asked = None if decision is None else decision.find_ask(stop.seat)
    prompt = table.generalize("" if asked is None else asked.prompt or asked.name) or "another choice"
    if len(values) < 2:
        return Weighed(key, prompt, None)
    seeds = draw_seeds(seed, f"tried:{stop.at}", TRIES)
    tries = [stop.play_on(seeds, _number(choices, stop.seat, value)) for value in values]
    spread = measure_spread([[won[stop.seat] for won in tried] for tried in tries])
    if spread.is_shown:
        return Weighed(key, prompt, spread)
    is_lost = not any(won[stop.seat] for tried in tries for won in tried)
    return Weighed(key, prompt, spread, _measure_for_others(tries, stop.seat), is_lost)


def _measure_for_others(tries: Sequence[Sequence[Shares]], decides: int) -> Spread | None:
    """Return what answers do to the other seat to which they do most; None if nothing that could be seen."""
    others = [seat for seat in range(len(tries[0][0])) if seat != decides]
    wrong = WRONG / len(others)
    spreads = (measure_spread([[won[seat] for won in tried] for tried in tries], wrong) for seat in others)
    return max((spread for spread in spreads if spread.is_shown), key=lambda spread: spread.size, default=None)


def _number(choices: Choices, seat: int, value: Any) -> Given:
    """Return an answer by the numbers of what is offered."""
    if value is None:
        return seat, None
    several = value if choices.pick.many else (value,)
    return seat, [choices.values.index(one) for one in several]


# ── one game, told ───────────────────────────────────────────────────────────────────────────────────────────────────


def tell_course(table: Table, number: int, tell: Tell, playouts: int = PLAYOUTS) -> list[Told]:
    """Tell one game decision by decision: the chances, by so many playouts, and then what happened; of long ones only
    some."""
    plan, program = table.plan, table.program
    seed, entries = plan.seed_of(number), table.save(number).entries
    game = Game(program, seed, [f"Bot {seat + 1}" for seat in range(plan.players)])
    word_news, found = tell(game), list[Told]()
    word_news()
    # Who picks several things one after the other makes one decision.
    begun = sorted({(entry.seat, entry.number): at for at, entry in reversed([*enumerate(entries)])}.values())
    shown = _spaced(len(begun), SHOWN)
    for number, (at, end) in zip(shown, pairwise([*(begun[one] for one in shown), len(entries)]), strict=True):
        seat = game.machine.find_waiting(game.state)[0]
        moment = find_chances(stop_at(table, game.state[:], at, seat), seed, playouts)
        stages = list_stages(program, game.names, game.state)
        prompt, said = "", list[str]()
        for entry in entries[at:end]:
            if (entry.seat, entry.number) == (entries[at].seat, entries[at].number):
                prompt, answer = _word_answer(game, seat, entry.answer)
                said.append(answer)
            game.repeat(entry)
        moment = evolve(moment, at=at / len(entries))
        told = ", ".join(said), moment, stages[0] if stages else "", tuple(word_news())
        found.append(Told(at, number + 1, seat, prompt, *told))
    return found


def _word_answer(game: Game, seat: int, keys: Sequence[str]) -> tuple[str, str]:
    """Put into words what a seat is asked, and what it answers."""
    asked = None if game.decision is None else game.decision.find_ask(seat)
    assert asked is not None, "it is waited for"
    labels = {option.key: option.label for option in asked.options}
    return asked.prompt or asked.name, ", ".join(labels[key] for key in keys) or "nothing"
