"""The same deals by two rules, and what became different.

Both play the same seeds. Every place and every script draws from a stream of its own, so a rule that rolls once more
does not change what is dealt later: most of what is chance is the same on both sides and falls out of the difference.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from math import inf

from rulebook.classes import frozen
from rulebook.dsl.settling.leaving_out import left_out
from rulebook.playtest.series.measured import columns, find_mean, list_answers, measures
from rulebook.playtest.series.plan import Plan
from rulebook.playtest.series.playing import Result
from rulebook.playtest.series.record import CRASHED, WAYS, Played
from rulebook.playtest.series.verdicts import GREY, decides
from rulebook.playtest.settings import changed as house_rules
from rulebook.reporting.records import ChangedWinners, Comparison, Example, Holder, Measure, Side
from rulebook.statistics.intervals import Sample
from rulebook.statistics.verdicts import Judged, Line, judge_lines

CLOSE = 0.01
"""The half-width of an interval of a difference in wins, for saying how many games it takes to be known so closely."""
SEATS, COURSE, TIES, NUMBERS, HOLDERS = "seats", "length", "ties and ends", "points and measures", "holders"
"""They share the error of a comparison equally."""
TOGETHER = "together"
"""The name of how often all win, where they win or lose together on both sides."""
_FAMILIES = {"length": COURSE, "turns": COURSE, "ties": TIES, "stopped": TIES}
_POINTS = ("points", "margin")
_GREY_PART = 0.05
"""Less than this part of a number is too small to matter."""
_MOST_EXAMPLES = 5


@frozen
class _Pair:
    """One game by both rules."""

    base: Played
    changed: Played

    @property
    def moved(self) -> bool:
        return self.base.winners != self.changed.winners


def compared(base: Result, changed: Result, pages: int = 1) -> Comparison:
    """Compare two series on the same deals; `pages` comparisons that are read as one share the error."""
    plan, other = base.plan, changed.plan
    first, second = list(base.played()), list(changed.played())
    pairs = [_Pair(*both) for both in zip(first, second, strict=False) if both[0].counts and both[1].counts]
    before, after = measures(first, plan.players), measures(second, plan.players)
    moved = [pair for pair in pairs if pair.moved]
    gone = [id for id in left_out(other.options) if id not in left_out(plan.options)]
    is_held = bool(gone and plan.watched)
    rows, holders = _judge(base, changed, pairs, gone if is_held else [], pages)
    share = len(moved) / len(pairs) if pairs else 0.0
    return Comparison(
        game=plan.rulebook.id,
        title=plan.rulebook.title,
        players=plan.players,
        also_for=sorted({*plan.rulebook.players} & {*other.rulebook.players} - {plan.players}),
        games=len(pairs),
        seed=plan.seed,
        bots=list(plan.bots),
        rotations=plan.rotations,
        base=_describe_side(plan, base, first),
        changed=_describe_side(other, changed, second),
        decides=decides(plan.rulebook) and decides(other.rulebook),
        judged_by="payoff" if _is_paid(base, changed) else "wins",
        are_alike_in_units=_are_alike_in_units(base, changed),
        measures=rows,
        changed_winners=ChangedWinners(
            games=len(moved),
            share=share,
            examples=[_make_example(plan, other, pair) for pair in moved[:_MOST_EXAMPLES]],
            seeds=[pair.base.seed for pair in moved],
        ),
        measured={
            **after,
            **{f"base.{name}": value for name, value in before.items()},
            **{f"difference.{name}": after[name] - value for name, value in before.items() if name in after},
            "changed_winners": share,
        },
        holders=holders if is_held else None,
    )


def _describe_side(plan: Plan, result: Result, played: Sequence[Played]) -> Side:
    return Side(
        variants=list(plan.rulebook.variants),
        options=house_rules(plan.rulebook, plan.options),
        without=list(dict.fromkeys(result.table.program.definitions[id] for id in left_out(plan.options))),
        rules=result.table.program.rules_hash,
        crashed=sum(game.ending == CRASHED for game in played),
        command=plan.command(),
    )


def _are_alike_in_units(base: Result, changed: Result) -> bool:
    """Tell whether points of both sides are of one kind, so that they can be subtracted."""
    sides = [(result.table.program.score_sort, result.plan.rulebook.units) for result in (base, changed)]
    return sides[0] == sides[1]


def _is_paid(base: Result, changed: Result) -> bool:
    return base.plan.is_paid and changed.plan.is_paid and _are_alike_in_units(base, changed)


@frozen
class _Measured:
    """A measure of each deal on both sides. Games on one deal are one observation."""

    name: str
    family: str
    is_rate: bool
    grey: float
    before: list[float]
    after: list[float]

    @property
    def gaps(self) -> list[float]:
        return [new - old for old, new in zip(self.before, self.after, strict=True)]


def _judge(
    base: Result, changed: Result, pairs: Sequence[_Pair], gone: Sequence[str], pages: int
) -> tuple[list[Measure], list[Holder]]:
    """Judge every measure, and what those won who had a card that is `gone`, with one error rate for all of them."""
    plan, deals = base.plan, dict[int, list[_Pair]]()
    for pair in pairs:
        deals.setdefault(plan.deal(pair.base.number), []).append(pair)
    measured = [*_measure(base, changed, list(deals.values()))]
    held = [*_list_holders(plan, pairs, gone)] if gone else []
    families: dict[str, list[Line]] = {family: [] for family in (SEATS, COURSE, TIES, NUMBERS)}
    families |= {HOLDERS: []} if gone else {}
    for measure in measured:
        bounds = (-1.0, 1.0) if measure.is_rate else (-inf, inf)
        # The gain of two seats is one number.
        question = SEATS if measure.family == SEATS and plan.players == 2 else ""
        sample = Sample(*bounds).add_all(measure.gaps)
        families[measure.family].append(Line(measure.name, sample, measure.grey, question))
    for having in held:
        families[HOLDERS].append(Line(having.way, having.sample, GREY))
    judged = {(judged_line.family, judged_line.line.about): judged_line for judged_line in judge_lines(families, pages)}
    rows = [_make_measure(plan, measure, judged[measure.family, measure.name]) for measure in measured]
    return rows, [_make_holder(having, judged[HOLDERS, having.way]) for having in held]


def _measure(base: Result, changed: Result, deals: Sequence[Sequence[_Pair]]) -> Iterator[_Measured]:
    """Measure each deal on both sides: seats where somebody can win on both, points where they are of one kind."""
    players, is_paid = base.plan.players, _is_paid(base, changed)
    can_win = decides(base.plan.rulebook) and decides(changed.plan.rulebook)
    are_alike = _are_alike_in_units(base, changed)
    are_together = base.plan.is_together and changed.plan.is_together
    for name, of in columns(players).items():
        if name == "shared":  # these are ties
            continue
        if are_together and (name == "ties" or name.startswith("seat_")):
            if name == "seat_1" and can_win:
                yield _measure_one(TOGETHER, of, deals, SEATS, is_rate=True)
            continue
        is_seat = name.startswith("seat_")
        if can_win if is_seat else are_alike or name not in _POINTS:
            family = SEATS if is_seat and not is_paid else _FAMILIES.get(name, NUMBERS)
            yield _measure_one(name, of, deals, family, is_rate=is_seat or family == TIES)
    for seat in range(players) if is_paid else ():
        yield _measure_one(f"payoff_{seat + 1}", _payoff_of(seat), deals, SEATS, is_rate=False)
    pairs = [pair for some in deals for pair in some]
    for name in (name for pair in pairs[:1] for name in pair.base.measures if name in pair.changed.measures):
        answered = [[pair for pair in some if _is_answered(name, pair)] for some in deals]
        if any(answered):
            of = partial(_find_answer, name)
            yield _measure_one(name, of, [*filter(None, answered)], NUMBERS, is_rate=False)


def _is_answered(name: str, pair: _Pair) -> bool:
    return bool(list_answers(name, pair.base) and list_answers(name, pair.changed))


def _find_answer(name: str, game: Played) -> float:
    return find_mean(list_answers(name, game))[0]


def _payoff_of(seat: int) -> Callable[[Played], float]:
    return lambda game: float(game.scores[seat])


def _measure_one(
    name: str, of: Callable[[Played], float], deals: Sequence[Sequence[_Pair]], family: str, *, is_rate: bool
) -> _Measured:
    before = [sum(of(pair.base) for pair in some) / len(some) for some in deals]
    after = [sum(of(pair.changed) for pair in some) / len(some) for some in deals]
    grey = GREY
    if family == SEATS and not is_rate:
        scores = [pair.base.scores for some in deals for pair in some]
        grey = GREY * sum(max(score) - min(score) for score in scores) / max(1, len(scores))
    elif not is_rate:
        grey = _GREY_PART * abs(sum(before)) / max(1, len(before))
    return _Measured(name, family, is_rate, grey, before, after)


def _make_measure(plan: Plan, measured: _Measured, judged: Judged) -> Measure:
    count, gaps, unadjusted, adjusted = max(len(measured.before), 1), measured.gaps, judged.unadjusted, judged.adjusted
    is_seat = measured.family == SEATS
    return Measure(
        name=measured.name,
        group=measured.family,
        is_rate=measured.is_rate,
        grey=measured.grey,
        base=sum(measured.before) / count,
        changed=sum(measured.after) / count,
        difference=unadjusted,
        sure_low=adjusted.low,
        sure_high=adjusted.high,
        tells=judged.is_sure,
        mark=judged.mark,
        more=judged.more * plan.rotations,
        gained=sum(gap > 1e-9 for gap in gaps) if is_seat else None,
        lost=sum(gap < -1e-9 for gap in gaps) if is_seat else None,
    )


def _make_example(base: Plan, changed: Plan, pair: _Pair) -> Example:
    number = pair.base.number
    return Example(
        number=number,
        seed=pair.base.seed,
        base=[seat + 1 for seat in pair.base.winners],
        changed=[seat + 1 for seat in pair.changed.winners],
        replay_base=base.replay(number),
        replay_changed=changed.replay(number),
    )


@frozen
class _Held:
    """The seats that had a card in one way, on how many deals; their wins with it and without, and what it adds."""

    way: str
    sample: Sample
    deals: int
    seats: int
    with_it: float
    without: float


def _list_holders(plan: Plan, pairs: Sequence[_Pair], ids: Sequence[str]) -> Iterator[_Held]:
    """Compare the same seats on the same deals with these cards and without, for each way of having one.

    Who is dealt a card did nothing for it, so that difference is what the card does. Who got, played or held it may
    have done so because the game went well, or long; without the card the same luck does not come again. Games on one
    deal are one observation.
    """
    for way in WAYS:
        deals: dict[int, list[tuple[float, float]]] = {}
        for pair in pairs:
            assert pair.base.seen is not None, "games with the card are watched"
            for seat in sorted({seat for id in ids for seat in pair.base.seen.seats_having(way, id)}):
                shares = deals.setdefault(plan.deal(pair.base.number), [])
                shares.append((pair.base.shares[seat], pair.changed.shares[seat]))
        if deals:
            steps = (sum(before - after for before, after in shares) / len(shares) for shares in deals.values())
            both = [shares for deal in deals.values() for shares in deal]
            with_it, without = (sum(side) / len(both) for side in zip(*both, strict=True))
            yield _Held(way, Sample(-1.0, 1.0).add_all(steps), len(deals), len(both), with_it, without)


def _make_holder(held: _Held, judged: Judged) -> Holder:
    unadjusted, adjusted = judged.unadjusted, judged.adjusted
    return Holder(
        way=held.way,
        deals=held.deals,
        seats=held.seats,
        with_it=held.with_it,
        without=held.without,
        difference=unadjusted,
        sure_low=adjusted.low,
        sure_high=adjusted.high,
        tells=judged.is_sure,
        mark=judged.mark,
    )
