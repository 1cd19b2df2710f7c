"""Make the report of a series from its counts: who wins, how long it takes, what stands out."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence

from attrs import evolve

from rulebook.dsl.settling.leaving_out import left_out
from rulebook.interpreter.lower import find_score_sort
from rulebook.interpreter.program import Program
from rulebook.playtest.bots import learns, ready_bots
from rulebook.playtest.series.about import Had, Seat, find_subject
from rulebook.playtest.series.naming import conditions_of, grouped, kinds_of, option_name, role_name, tell_apart
from rulebook.playtest.series.plan import Plan
from rulebook.playtest.series.reading import kinds_to_play
from rulebook.playtest.series.record import PARTS, STOPPED
from rulebook.playtest.series.sample import GAMES, Sampled, sampled
from rulebook.playtest.series.tally import Tally
from rulebook.playtest.series.verdicts import (
    are_alike,
    decides,
    find_about,
    find_card_edge,
    find_counted,
    find_edge,
    find_fair_error,
    find_fair_share,
    find_visible_sizes,
    judge_series,
    name_line,
)
from rulebook.playtest.settings import changed
from rulebook.plurals import count_unit, word_amount
from rulebook.reporting.course import Followed
from rulebook.reporting.records import (
    BotRow,
    Card,
    CardAnswer,
    CardRow,
    ChoiceRow,
    Condition,
    Details,
    Line,
    Measured,
    OptionRow,
    Points,
    Rate,
    Report,
    RoleRow,
    SeatRow,
    Spread,
    StageRow,
    Standing,
    ToSee,
    Truth,
)
from rulebook.reporting.standing_out import find_suspects, standing_out, word_wins
from rulebook.statistics.intervals import TOGETHER, Interval, Sample, wilson
from rulebook.statistics.lifting import Edge
from rulebook.statistics.verdicts import Judged

_STEPS = 24
_HARDLY = 0.05


def worded_points(plan: Plan) -> Points:
    """Make the function that words points of this game; a mean has two decimals, if no smaller unit says as much."""
    units = plan.rulebook.units
    if not units or find_score_sort(plan.rulebook) != "amount":
        return lambda points: f"{round(points, 2) + 0.0:g}"
    if len(units) == 1:
        [(unit, size)] = units.items()
        return lambda points: count_unit(round(points / size, 2) + 0.0, unit)
    return lambda points: word_amount(round(points), units)


def report_of(
    tally: Tally,
    program: Program,
    seconds: float = 0.0,
    points: Points = "{:.2f}".format,
    pages: int = 1,
    followed: Followed | None = None,
    most_sampled: int = GAMES,
) -> Report:
    """Report all that is known. `points` puts points into words; `pages` reports that are read as one share the error;
    `followed` are games whose course was looked at. So many watched games at most are played once more, for
    what only events show."""
    plan, judged = tally.plan, judge_series(tally, program, pages, [] if followed is None else [followed.line])
    details, sample, worded = None, None, points if tally.is_paid else word_wins
    if tally.watched:
        sample = sampled(plan, min(tally.watched, most_sampled))
        details = _report_details(tally, program, judged, worded, sample)
    luck = tally.luck() if plan.rotations > 1 else None
    watched = ["--details"] if plan.watched else []
    return Report(
        game=plan.rulebook.id,
        variants=list(plan.rulebook.variants),
        players=plan.players,
        games=tally.games,
        seed=plan.seed,
        decisions=sum(tally.decisions),
        seconds=round(seconds, 3),
        wins=tally.seats,
        length=_spread(tally, tally.lengths),
        unfinished=tally.endings[STOPPED],
        title=plan.rulebook.title,
        aim=plan.rulebook.display.aim,
        options=changed(plan.rulebook, plan.options),
        without=list(dict.fromkeys(program.definitions[id] for id in left_out(plan.options))),
        rules=program.rules_hash,
        bots=list(plan.bots),
        rotations=plan.rotations,
        endings=dict(sorted(tally.endings.items())),
        fair=sum(tally.seats) / tally.games / plan.players if tally.games else 1 / plan.players,
        decides=decides(plan.rulebook),
        are_alike=are_alike(tally),
        has_teams=plan.rulebook.result.team is not None,
        is_together=plan.is_together,
        judged_by="payoff" if tally.is_paid else "wins",
        seats=list(_report_seats(tally, judged)),
        nine_of_ten=[tally.quantile(tally.lengths, part) for part in (0.05, 0.95)],
        turns=_spread(tally, tally.turns),
        points=[tally.mean(counted) for counted in tally.scores],
        margin=_spread(tally, tally.margins),
        shared=tally.shared,
        nobody=tally.nobody,
        measures=[
            Measured(name, count, total / count, least, most)
            for name, (count, total, least, most) in tally.measures.items()
        ],
        histogram=make_histogram(tally.lengths),
        command=plan.command(f"--games {tally.games}", *watched) + ("" if followed is None else " --course"),
        to_see=[
            ToSee(what, number, plan.seed_of(number), plan.replay(number)) for what, number in tally.outliers()
        ],
        by_bot=list(_report_bots(tally)) if plan.rotations > 1 else None,
        luck=None if luck is None else _rate(luck),
        details=details,
        stands_out=standing_out(tally, program, sample, judged, worded),
        lines=[make_line(line, tally, program) for line in judged],
        seen=find_visible_sizes(judged, tally.at_stake),
        also_for=[number for number in plan.rulebook.players if number != plan.players],
        course=None if followed is None else followed.course,
        stakes=None if followed is None else followed.decisions,
        learned=ready_bots(program, filter(learns, plan.bots)) or None,
    )


def make_line(judged: Judged, tally: Tally, program: Program) -> Line:
    """Make a record of a line with its verdict."""
    of, unadjusted, adjusted, about = judged.line.estimate, judged.unadjusted, judged.adjusted, find_about(judged)
    counted = find_counted(judged, tally)
    return Line(
        group=judged.family,
        about=about,
        name=name_line(about, program),
        games=of.count,
        value=unadjusted.value,
        low=unadjusted.low,
        high=unadjusted.high,
        sure_low=adjusted.low,
        sure_high=adjusted.high,
        grey=judged.line.grey,
        mark=judged.mark,
        seen=judged.detectable,
        more=judged.more * tally.plan.rotations,
        won=None if counted is None else counted.value,
        won_low=None if counted is None else counted.low,
        won_high=None if counted is None else counted.high,
        fair=None if counted is None else of.fair if isinstance(of, Edge) else find_fair_share(tally),
    )


def _spread(tally: Tally, counted: Counter[int]) -> Spread:
    if not counted:
        return Spread(0, 0, 0, 0)
    middle = tally.quantile(counted, 0.5)
    middle = int(middle) if middle == int(middle) else middle
    return Spread(min(counted), middle, tally.mean(counted), max(counted))


def make_histogram(counted: Counter[int]) -> list[tuple[int, int, int]]:
    """Return bins of one width, each with its lowest and highest number and its count of games."""
    if not counted:
        return []
    least, most = min(counted), max(counted)
    step = max(1, -(-(most - least + 1) // _STEPS))
    bins = []
    for start in range(least, most + 1, step):
        bins.append((start, start + step - 1, sum(counted[value] for value in range(start, start + step))))
    return bins


def _rate(interval: Interval) -> Rate:
    return Rate(interval.value, interval.low, interval.high)


def _report_seats(tally: Tally, judged: Sequence[Judged]) -> Iterator[SeatRow]:
    """Report what each seat won, and where payoffs are judged what it got more than all on average."""
    plan, games = tally.plan, tally.games
    marks = {line.line.about: line for line in judged}
    for seat, (won, (share, more)) in enumerate(zip(tally.seats, tally.sample_seats(), strict=True)):
        bot = plan.bots[seat] if plan.rotations == 1 else ""
        decided = tally.decisions[seat] / games if games else 0.0
        line = marks.get(Seat(tally.teams[seat] + 1))
        gets = more.interval(TOGETHER) if line is None else line.adjusted
        counted = None if line is None or tally.is_paid else find_counted(line, tally)
        wins = counted or share.interval(TOGETHER)
        yield SeatRow(
            seat=seat + 1,
            bot=bot,
            won=won,
            share=wins.value,
            low=wins.low,
            high=wins.high,
            decisions=decided,
            gets=gets if tally.is_paid else None,
            mark="" if line is None else line.mark,
        )


def _report_bots(tally: Tally) -> Iterator[BotRow]:
    """Report what each bot won, wherever it sat, and what it got; who has the same name has one line."""
    together: dict[str, list[int]] = {}
    for bot, spec in enumerate(tally.plan.bots):
        together.setdefault(spec, []).append(bot)
    shares = tally.deal_shares()[0]
    payoffs = tally.deal_payoffs()[0] if tally.is_paid else None

    def mean(columns: Sequence[Sequence[float]], bots: Sequence[int]) -> Iterator[float]:
        return (sum(deal) / len(bots) for deal in zip(*(columns[bot] for bot in bots), strict=True))

    for spec, bots in together.items():
        wins = Sample(0.0, 1.0).add_all(mean(shares, bots)).interval(TOGETHER)
        gets = None if payoffs is None else Sample().add_all(mean(payoffs, bots)).interval(TOGETHER)
        yield BotRow(spec, len(bots), wins.value, wins.low, wins.high, gets)


# ── of watched games ─────────────────────────────────────────────────────────────────────────────────────────────────


def _report_details(
    tally: Tally, program: Program, judged: Sequence[Judged], worded: Points, sample: Sampled | None
) -> Details:
    suspects = find_suspects(tally, program, judged, worded)
    return Details(
        games=tally.watched,
        options_a_decision=tally.offered / tally.asked if tally.asked else 0.0,
        lead_changes=_spread(tally, tally.changes),
        ahead=[_report_standing(part, *led) for part, led in zip(PARTS, tally.led, strict=True)],
        behind_at_half_time=_report_standing(0.5, *tally.trailed),
        at_the_start=list(_report_roles(tally, program)),
        at_the_end=list(_report_ends(tally, program)),
        answers=(answers := list(_report_answers(tally, program))),
        truths=[_report_truth(tally, question) for question in dict.fromkeys(row.question for row in answers)],
        suspects=[
            evolve(suspect, command=tally.plan.to_compare(find_subject(suspect.about), 2000)) for suspect in suspects
        ],
        cards=_report_cards(tally, program, judged),
        in_the_box=list(_list_in_box(tally, program)),
        never_seen=_name_cards(program, _never_had(tally, program)),
        never_played=_name_cards(program, _never_played(tally, program)),
        options=_report_options(tally, program),
        choices=_report_choices(tally.choices, program),
        stages=[StageRow(name, _spread(tally, times)) for name, times in tally.stages.items()],
        sample=sample,
    )


def _report_standing(part: float, games: float, won: float) -> Standing:
    share = wilson(won, int(games), TOGETHER)
    return Standing(part, games, share.value, share.low, share.high)


def _name_cards(program: Program, ids: Iterable[str]) -> list[Card]:
    listed = list(ids)
    return [Card(id, name) for id, name in zip(listed, tell_apart(program, listed), strict=True)]


def _list_in_box(tally: Tally, program: Program) -> Iterator[str]:
    """List the names of cards of which none was in any game."""
    named: dict[str, bool] = {}
    for id in kinds_of(program):
        name = program.definitions.get(id, id)
        named[name] = named.get(name, False) or id in tally.there
    yield from (name for name, is_there in named.items() if not is_there)


def _never_had(tally: Tally, program: Program) -> Iterator[str]:
    """The cards that were out of the box, and nobody had them or could choose them, where a player can hold their kind.
    One piece of a pool is as good as another, so nobody has this one or that one."""
    places = tally.plan.rulebook.places.values()
    pooled = {kind for place in places if place.kept == "pool" for kind in place.holds}
    held = {kind for place in places if place.owner == "player" for kind in place.holds}
    for id, kind in kinds_of(program).items():
        if id in tally.there and kind in held - pooled and not _was_there(tally, id):
            yield id


def _never_played(tally: Tally, program: Program) -> Iterator[str]:
    """The cards that came to players and were never chosen by them, where that says something: others of the kind were
    played so often that chance alone hardly leaves it out, or players could play the kind and never did."""
    kinds = kinds_of(program)
    came, played = Counter[str](), Counter[str]()
    for id, kind in kinds.items():
        came[kind] += tally.drawn[id]
        played[kind] += tally.played[id]
    could = kinds_to_play(tally.plan.rulebook)
    for id, kind in kinds.items():
        if tally.drawn[id] and not tally.played[id] and not tally.choices.get(f"card:{id}", (0, 0))[1]:
            by_chance = max(0.0, 1 - played[kind] / came[kind]) ** tally.drawn[id]
            if by_chance < _HARDLY if played[kind] else kind in could:
                yield id


def _was_there(tally: Tally, id: str) -> bool:
    return bool(tally.drawn[id] or tally.held[id] or tally.played[id] or f"card:{id}" in tally.choices)


def _report_roles(tally: Tally, program: Program) -> Iterator[RoleRow]:
    """Report what lay in a slot or stood in a memory at the start, where it was not the same for all seats; beside what
    those got who had it, what the same seats get on average."""
    kinds = Counter(slot for slot, _ in tally.roles)
    for (slot, id), by_turn in sorted(tally.roles.items()):
        edge = find_edge(tally, by_turn)
        if kinds[slot] > 1 and edge is not None:
            wins = edge.interval(TOGETHER).moved(edge.fair, find_fair_error(tally, TOGETHER))
            name = role_name(program, slot, id)
            yield RoleRow(slot, id, name, edge.count, wins.value, wins.low, wins.high, edge.fair)


def _report_ends(tally: Tally, program: Program) -> Iterator[RoleRow]:
    """Report the same when the game was over, without what was the same at the start."""
    kinds = Counter(slot for slot, _ in tally.ends)
    for (slot, id), (seats, won) in sorted(tally.ends.items()):
        had = list(tally.roles.get((slot, id), {}).values())
        before = sum(sum(games.had) for games in had), sum(games.own for games in had)
        if kinds[slot] > 1 and (seats, won) != before:
            wins = wilson(won, int(seats), TOGETHER)
            yield RoleRow(slot, id, role_name(program, slot, id), seats, wins.value, wins.low, wins.high)


def _report_answers(tally: Tally, program: Program) -> Iterator[CardAnswer]:
    """Report what cards said about those who held them at the end, and how often each of their conditions was met."""
    for key, (times, yes, *met) in tally.answers.items():
        id, _, name = key.rpartition(".")
        lines = conditions_of(program, id, name)
        # Of nothing but a question that the game asks of cards in play, the end of the game says little.
        if lines:
            conditions = [Condition(line, times) for line, times in zip(lines, met, strict=True)]
            rate = wilson(yes, times, TOGETHER)
            had = [games for (card, _), games in tally.had["held"].items() if card == id]
            wins = wilson(sum(games.own for games in had), sum(sum(games.had) for games in had), TOGETHER)
            share = rate.value, rate.low, rate.high
            command = tally.plan.to_compare(id, 2000)
            yield CardAnswer(id, program.definitions[id], name, times, *share, conditions, _rate(wins), command)


def _report_truth(tally: Tally, question: str) -> Truth:
    """Report what those won of whom a question was true at the end, and of whom it was not."""
    true, false = (tally.judged[question, answer] for answer in (1, 0))
    wins, others = (_rate(wilson(won, int(seats), TOGETHER)) for seats, won in (true, false))
    return Truth(question, int(true[0]), wins, int(false[0]), others)


def _report_cards(tally: Tally, program: Program, judged: Sequence[Judged]) -> list[CardRow]:
    """Each card that somebody had, with what it went with: what those got who got it (or played it) against those who
    did not, in the same seat and by the same bot.
    """
    lines = {line.line.about: line for line in judged}
    ids = [id for id in program.definitions if tally.drawn[id] or tally.played[id] or tally.held[id]]
    rows = []
    for id, name in zip(ids, tell_apart(program, ids), strict=True):
        got, played = (lines.get(Had(way, id)) for way in ("got", "played"))
        rows.append(
            CardRow(
                id=id,
                name=name,
                drawn=tally.drawn[id] / tally.watched,
                played=tally.played[id] / tally.watched,
                held=tally.held[id] / tally.watched,
                lift=_lift(tally, "got", id, got),
                sure=got is not None and got.is_sure,
                lift_played=_lift(tally, "played", id, played),
                sure_played=played is not None and played.is_sure,
            )
        )
    return rows


def _lift(tally: Tally, way: str, id: str, line: Judged | None) -> Rate | None:
    card_edge = find_card_edge(tally, way, id)
    if card_edge is None:
        return None
    inside, times = card_edge.interval(TOGETHER) if line is None else line.adjusted, card_edge.lift
    low, high = times * inside.low, times * inside.high
    if not tally.is_paid:
        low, high = max(-1.0, low), min(1.0, high)
    return Rate(times * inside.value, low, high)


def _report_options(tally: Tally, program: Program) -> list[OptionRow]:
    keys = sorted(tally.choices)
    ids, names = [key.removeprefix("card:") for key in keys], [option_name(program, key) for key in keys]
    rows = []
    for key, name in zip(keys, tell_apart(program, ids, names), strict=True):
        offered, chosen = tally.choices[key]
        rows.append(OptionRow(key, name, offered, chosen, tally.deviate_share(key)))
    return rows


def _report_choices(counts: Mapping[str, Sequence[int]], program: Program) -> list[ChoiceRow]:
    """Count how often each was offered and chosen, the most offered first; cards of one kind together, and numbers,
    players and the like."""
    groups_counted: dict[str, list[int]] = {}
    groups: dict[str, str] = {}
    different: Counter[str] = Counter()
    for key, (offered, chosen) in counts.items():
        about, groups[about] = grouped(program, key)
        row = groups_counted.setdefault(about, [0, 0])
        row[0] += offered
        row[1] += chosen
        different[about] += 1
    rows = []
    for about, (offered, chosen) in sorted(groups_counted.items(), key=lambda group: (-group[1][0], group[0])):
        name = groups[about]
        if about.startswith("kind:"):
            name += f" ({different[about]} card{'' if different[about] == 1 else 's'})"
        elif name:
            name += f" ({different[about]} different)"
        rows.append(ChoiceRow(about, name or option_name(program, about), offered, chosen))
    return rows
