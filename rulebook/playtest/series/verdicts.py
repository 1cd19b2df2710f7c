"""The lines of hypotheses of a series: seats and who moves when, roles and cards, options, ties.

In: counts. Out: lines with their verdicts (`statistics.verdicts`), each about something (`about`).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from math import ceil, inf
from statistics import median

from attrs import evolve

from rulebook.dsl import ir
from rulebook.dsl.walk import nodes
from rulebook.interpreter.program import Program
from rulebook.interpreter.wording import join_texts
from rulebook.playtest.series.about import About, Had, Option, Order, Role, Seat, Tie
from rulebook.playtest.series.naming import kinds_of, option_name, role_name
from rulebook.playtest.series.reading import kinds_worth_points
from rulebook.playtest.series.tally import Tally
from rulebook.plurals import ordinal
from rulebook.statistics.intervals import Interval, Sample
from rulebook.statistics.lifting import Edge, measure_edge
from rulebook.statistics.lifting import Had as Having
from rulebook.statistics.verdicts import FACT, LOOK, Judged, Line, judge_lines

SEATS, CARDS, OPTIONS, COURSE = "seats and order", "roles and cards", "options", "length, ties and course"
WORTH = "restricted play"
FAMILIES = (SEATS, CARDS, OPTIONS, COURSE, WORTH)
"""They share the error of a page equally, also where one is empty: so a verdict on seats does not depend on whether
cards were looked at."""
GREY = 0.04
"""The smallest effect of interest, in shares of wins: four games of a hundred."""
HALF = 0.5
"""The part of the way from fair to always or never beyond which more than the course of a game is at work."""
_FEW = 20
"""The fewest times that a thing was had, or an option offered, before anything is said of it."""
_OFTEN = 0.9
"""The part of all that was looked at which came up often."""
_CHOICES = 10
"""The variance of how often an option was chosen at random, before anything is said of it."""
WAYS = ("dealt", "played", "got", "held")
"""The ways of having a card, the most telling first. Who is dealt one did nothing for it; who came to have one in the
course of the game may have it because the game went well."""


def judge_series(tally: Tally, program: Program, pages: int = 1, of_course: Sequence[Line] = ()) -> list[Judged]:
    """List everything that is looked at, with its verdict; so many series on one page share the error. `of_course` is
    what was seen by following games.
    """
    families: dict[str, list[Line]] = {family: [] for family in FAMILIES}
    families[COURSE] += of_course
    if tally.games and decides(tally.plan.rulebook):
        families[SEATS] += _seats(tally)
        families[SEATS] += _orders(tally)
        families[CARDS] += _roles(tally, program)
        families[CARDS] += _cards(tally, program)
        families[OPTIONS] += _options(tally)
        families[COURSE] += _ties(tally)
    judged = judge_lines(families, pages)
    return [evolve(line, mark=FACT) if _is_usual(line, judged, program) else line for line in judged]


def decides(rulebook: ir.Rulebook) -> bool:
    """True if anything in the rules says who wins, or who is out of it."""
    if rulebook.result.rank or rulebook.result.payoff is not None:
        return True
    scripts = (node for script in rulebook.scripts.values() for node in nodes(script.body))
    return any(isinstance(statement, ir.Win | ir.Eliminate) for statement in scripts)


def are_alike(tally: Tally) -> bool:
    """True if all seats are played by bots that are alike, or by all bots equally often."""
    return len(set(tally.plan.bots)) == 1 or tally.plan.rotations > 1


def find_grey(tally: Tally) -> float:
    """Return what is too small to matter, in what is judged."""
    return GREY * tally.at_stake


def _seats(tally: Tally) -> Iterator[Line]:
    players = tally.plan.players
    if players < 2 or tally.plan.is_together or not are_alike(tally):
        return
    teams = tally.teams
    for seat, (_, more) in enumerate(tally.sample_seats()):
        if teams[seat] == seat:
            others = tuple(other + 1 for other in range(seat + 1, players) if teams[other] == seat)
            # What two of them win is one number.
            yield Line(Seat(seat + 1, others), more, find_grey(tally), "seats" if len({*teams}) == 2 else "")


def _orders(tally: Tally) -> Iterator[Line]:
    players, is_shared = tally.plan.players, tally.plan.is_together
    for place, edge in enumerate(tally.measure_orders(), 1) if players > 1 and not is_shared else ():
        if edge is not None and edge.count >= _FEW:
            yield Line(Order(place), edge, find_grey(tally), "order" if players == 2 else "")


def _roles(tally: Tally, program: Program) -> Iterator[Line]:
    """List memories that differed between seats at the start; what lay in slots is among the cards."""
    for (name, value), by_turn in sorted(tally.roles.items()):
        edge = find_edge(tally, by_turn) if name in program.layout.player_memory else None
        if edge is not None and edge.count >= _FEW:
            yield Line(Role(name, value), edge, find_grey(tally))


def find_edge(tally: Tally, by_turn: Mapping[int, Having]) -> Edge | None:
    """Find the edge of those who had a thing, by how far the bots had moved on."""
    none, rotations = Having(tally.plan.players), tally.plan.rotations
    groups = [(won, by_turn.get(turned, none)) for turned, won in tally.won.items()]
    return measure_edge(groups, rotations, are_shares=not tally.is_paid)


def find_card_edge(tally: Tally, way: str, id: str) -> Edge | None:
    """Find the same of a card, for one way of having it."""
    had = tally.had[way]
    return find_edge(tally, {turned: had[id, turned] for turned in tally.won if (id, turned) in had})


def _cards(tally: Tally, program: Program) -> Iterator[Line]:
    """List cards. One that was dealt is judged as a role is. One that a player came to have may follow from how the
    game went, so it must go half of the way to always or never; and of what the result reads nothing is said, since
    points win.
    """
    points = kinds_worth_points(tally.plan.rulebook)
    for way in WAYS:
        for id, kind in kinds_of(program).items():
            card_edge = find_card_edge(tally, way, id)
            if card_edge is None or card_edge.count < _FEW:
                continue
            if way == "dealt":
                yield Line(Had(way, id), card_edge, find_grey(tally))
            elif kind in points:
                yield Line(Had(way, id), card_edge, clears=(-inf, inf))
            else:
                fair = tally.even if tally.is_paid else card_edge.fair
                yield Line(Had(way, id), card_edge, find_grey(tally), clears=_find_halves(tally, fair))


def _options(tally: Tally) -> Iterator[Line]:
    """List options where players at random could choose something else: so what they did is what the choice did. That
    one is better than others is what makes a choice; one that goes half of the way to always or never is none.
    """
    for key, tried in sorted(tally.tried.items()):
        if tried.games >= _FEW and tried.spread >= _CHOICES:
            yield Line(Option(key), tried, clears=_find_halves(tally, tally.even))


def _find_halves(tally: Tally, fair: float) -> tuple[float, float]:
    """Find what lies half of the way to never and to always."""
    return -HALF * tally.at_stake * fair, HALF * tally.at_stake * (1 - fair)


def _ties(tally: Tally) -> Iterator[Line]:
    """List games that nobody wins alone; more than half of all are worth a look in any game."""
    sample = Sample(0.0, 1.0)
    sample.add(1.0, tally.shared + tally.nobody)
    sample.add(0.0, tally.games - sample.count)
    if tally.plan.players > 1 and not tally.plan.is_together:
        yield Line(Tie(), sample, clears=(-inf, HALF))


# ── what may follow from how a game goes ──


def _is_usual(judged: Judged, lines: Sequence[Judged], program: Program) -> bool:
    """True if a card does no more than others of its kind do: whoever is ahead may get and hold most of them."""
    about = judged.line.about
    if judged.mark != LOOK or not isinstance(about, Had) or about.way not in ("got", "held"):
        return False
    kinds = kinds_of(program)
    kin = [
        _nearer_end(other.adjusted)
        for other in lines
        if other is not judged
        and isinstance(other.line.about, Had)
        and other.line.about.way == about.way
        and kinds[other.line.about.card] == kinds[about.card]
    ]
    return len(kin) < 2 or abs(median(kin)) >= abs(_nearer_end(judged.adjusted)) / 2


def _nearer_end(interval: Interval) -> float:
    return max(interval.low, 0.0) + min(interval.high, 0.0)


def find_fair_share(tally: Tally) -> float:
    """Return what each seat would get if all got the same."""
    if tally.is_paid:
        return sum(map(tally.mean, tally.scores)) / tally.plan.players
    first = tally.first_seats
    return sum(tally.seats[seat] for seat in first) / max(1, tally.games) / len(first)


def find_fair_error(tally: Tally, reach: float) -> float:
    """Return how far the average of all seats may be from what it is in the long run: to each side, so many standard
    deviations."""
    means = tally.sample_means()
    return reach * means.deviation if means.count else 0.0


def find_counted(judged: Judged, tally: Tally) -> Interval | None:
    """Find what was won, or got, in the adjusted interval; None for a line that counts something else. A distance from
    an average is better known than that average where games are shared or have no winner."""
    of = judged.line.estimate
    if not isinstance(of, Edge) and not isinstance(judged.line.about, Seat):
        return None
    fair = of.fair if isinstance(of, Edge) else find_fair_share(tally)
    counted = judged.adjusted.moved(fair, find_fair_error(tally, judged.reach))
    return counted if tally.is_paid else evolve(counted, low=max(0.0, counted.low), high=min(1.0, counted.high))


def name_line(about: About, program: Program) -> str:
    """Return what people call what a line is about."""
    match about:
        case Seat(number, others):
            return f"seats {join_texts([str(one) for one in (number, *others)])}" if others else f"seat {number}"
        case Order(place):
            return "who acts first" if place == 1 else f"who is {ordinal(place - 1)} in turn order"
        case Role(slot, id):
            return f"{program.looks.called(slot)}: {role_name(program, slot, id)}"
        case Option(key):
            return option_name(program, key)
        case Had(_, card):
            return program.definitions[card]
        case _:
            return ""


def find_about(judged: Judged) -> About:
    """Return what a line of a series is about; in statistics that may be anything."""
    about = judged.line.about
    assert isinstance(about, About), "lines of a series are about one of these"
    return about


def find_visible_sizes(judged: Sequence[Judged], at_stake: float) -> dict[str, float]:
    """Find how far off something had to be to be found nine times of ten, by what lines are about: all but the rarest
    tenth of those of which there is anything to find, since nobody can gain more than what is at stake."""
    sorts: dict[str, list[float]] = {}
    for line in judged:
        if line.line.clears != (-inf, inf) and line.detectable <= at_stake:
            sorts.setdefault(find_about(line).sort, []).append(line.detectable)
    return {sort: sorted(seen)[ceil(_OFTEN * len(seen)) - 1] for sort, seen in sorts.items()}
