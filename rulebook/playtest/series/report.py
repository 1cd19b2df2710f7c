"""What a series says about its game, as one plain object: what the terminal and the page show, and what `--json`
prints. Nothing is rounded.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any

from rulebook.dsl.settling.leaving_out import left_out
from rulebook.interpreter.program import Program
from rulebook.playtest.series.course_report import Followed
from rulebook.playtest.series.naming import conditions_of, grouped, kinds_of, option_name, role_name, told_apart
from rulebook.playtest.series.reading import kinds_to_play
from rulebook.playtest.series.record import STOPPED
from rulebook.playtest.series.sample import sampled
from rulebook.playtest.series.standing_out import find_suspects, standing_out, word_wins
from rulebook.playtest.series.tally import Tally
from rulebook.playtest.series.verdicts import (
    are_alike,
    decides,
    find_card_edge,
    find_edge,
    find_fair_share,
    find_nearest_open,
    find_visible_sizes,
    judge_series,
    make_row,
)
from rulebook.playtest.settings import changed
from rulebook.statistics.intervals import TOGETHER, Interval, Sample, wilson
from rulebook.statistics.verdicts import Judged

Report = dict[str, Any]
_STEPS = 24
_HARDLY = 0.05


def report_of(
    tally: Tally,
    program: Program,
    seconds: float = 0.0,
    points: Callable[[float], str] = "{:.2f}".format,
    pages: int = 1,
    followed: Followed | None = None,
    is_sampled: bool = True,
) -> Report:
    """All that is known. `seconds` is the only number that another run does not give again; `points` puts points into
    words; so many reports that are read as one share the error; `followed` are games whose course was looked at. With
    `is_sampled` a few watched games are played once more, for what only events show."""
    plan, judged = tally.plan, judge_series(tally, program, pages, [] if followed is None else [followed.line])
    found: Report = {
        "game": plan.rulebook.id,
        "variants": list(plan.rulebook.variants),
        "players": plan.players,
        "games": tally.games,
        "seed": plan.seed,
        "decisions": sum(tally.decisions),
        "seconds": round(seconds, 3),
        "wins": tally.seats,
        "length": _spread(tally, tally.lengths),
        "unfinished": tally.endings[STOPPED],
        "title": plan.rulebook.title,
        "aim": plan.rulebook.display.aim,
        "options": changed(plan.rulebook, plan.options),
        "without": list(dict.fromkeys(program.definitions[id] for id in left_out(plan.options))),
        "rules": program.rules_hash,
        "bots": list(plan.bots),
        "rotations": plan.rotations,
        "endings": dict(sorted(tally.endings.items())),
        "fair": sum(tally.seats) / tally.games / plan.players if tally.games else 1 / plan.players,
        "decides": decides(plan.rulebook),
        "are_alike": are_alike(tally),
        "judged_by": "payoff" if tally.is_paid else "wins",
        "seats": list(_seats(tally, judged)),
        "nine_of_ten": [tally.quantile(tally.lengths, part) for part in (0.05, 0.95)],
        "turns": _spread(tally, tally.turns),
        "points": [tally.mean(counted) for counted in tally.scores],
        "margin": _spread(tally, tally.margins),
        "shared": tally.shared,
        "nobody": tally.nobody,
        "measures": [
            {"name": name, "answers": count, "mean": total / count, "min": least, "max": most}
            for name, (count, total, least, most) in tally.measures.items()
        ],
        "histogram": _histogram(tally.lengths),
        "command": plan.command(f"--games {tally.games}", *(["--details"] if plan.watched else [])),
        "to_see": [
            {"what": what, "number": number, "seed": plan.seed_of(number), "replay": plan.replay(number)}
            for what, number in tally.outliers()
        ],
    }
    if plan.rotations > 1:
        found["by_bot"] = list(_report_bots(tally))
        luck = tally.luck()
        found["luck"] = None if luck is None else _rate(luck)
    sample, worded = None, points if tally.is_paid else word_wins
    if tally.watched:
        sample = sampled(plan, tally.watched) if is_sampled else None
        found["details"] = _details(tally, program, judged, worded) | {"sample": sample}
    found["stands_out"] = standing_out(tally, program, sample, judged, worded)
    found["lines"] = [make_row(one, tally, program) for one in judged]
    nearest = find_nearest_open(judged)
    found["nearest_open"] = None if nearest is None else make_row(nearest, tally, program)
    found["seen"] = find_visible_sizes(judged)
    if followed is not None:
        found |= {"course": followed.course, "stakes": followed.decisions}
        found["command"] += " --course"
    return found


def _spread(tally: Tally, counted: Counter[int]) -> dict[str, float]:
    if not counted:
        return dict.fromkeys(("min", "median", "mean", "max"), 0)
    middle = tally.quantile(counted, 0.5)
    return {
        "min": min(counted),
        "median": int(middle) if middle == int(middle) else middle,
        "mean": tally.mean(counted),
        "max": max(counted),
    }


def _histogram(counted: Counter[int]) -> list[tuple[int, int, int]]:
    """From, to, and how many games, in steps that are all as wide."""
    if not counted:
        return []
    least, most = min(counted), max(counted)
    step = max(1, -(-(most - least + 1) // _STEPS))
    found = []
    for start in range(least, most + 1, step):
        found.append((start, start + step - 1, sum(counted[value] for value in range(start, start + step))))
    return found


def _rate(interval: Interval) -> dict[str, float]:
    return {"share": interval.value, "low": interval.low, "high": interval.high}


def _seats(tally: Tally, judged: Sequence[Judged]) -> Iterator[dict[str, Any]]:
    """Report what each seat won, and where payoffs are judged what it got more than all on average."""
    plan, games = tally.plan, tally.games
    marks = {one.line.about: one for one in judged}
    for seat, (won, (share, more)) in enumerate(zip(tally.seats, tally.sample_seats(), strict=True)):
        bot = plan.bots[seat] if plan.rotations == 1 else ""
        decided = tally.decisions[seat] / games if games else 0.0
        line = marks.get(f"seat:{seat + 1}")
        gets = more.interval(TOGETHER) if line is None else line.thin
        wins = share.interval(TOGETHER) if line is None or tally.is_paid else gets.moved(find_fair_share(tally))
        found = {"seat": seat + 1, "bot": bot, "won": won, **_rate(wins), "decisions": decided}
        if tally.is_paid:
            found["gets"] = {"value": gets.value, "low": gets.low, "high": gets.high}
        yield found | {"mark": "" if line is None else line.mark}


def _report_bots(tally: Tally) -> Iterator[dict[str, Any]]:
    """Report what each bot won, wherever it sat, and what it got; who has the same name has one line."""
    together: dict[str, list[int]] = {}
    for bot, spec in enumerate(tally.plan.bots):
        together.setdefault(spec, []).append(bot)
    shares = tally.deal_shares()[0]
    payoffs = tally.deal_payoffs()[0] if tally.is_paid else None

    def mean(columns: Sequence[Sequence[float]], bots: Sequence[int]) -> Iterator[float]:
        return (sum(deal) / len(bots) for deal in zip(*(columns[bot] for bot in bots), strict=True))

    for spec, bots in together.items():
        found = {
            "bot": spec,
            "seats": len(bots),
            **_rate(Sample(0.0, 1.0).add_all(mean(shares, bots)).interval(TOGETHER)),
        }
        if payoffs is not None:
            gets = Sample().add_all(mean(payoffs, bots)).interval(TOGETHER)
            found["gets"] = {"value": gets.value, "low": gets.low, "high": gets.high}
        yield found


# ── of watched games ─────────────────────────────────────────────────────────────────────────────────────────────────


def _details(
    tally: Tally, program: Program, judged: Sequence[Judged], worded: Callable[[float], str]
) -> dict[str, Any]:
    suspects = find_suspects(tally, program, judged, worded)
    return {
        "games": tally.watched,
        "options_a_decision": tally.offered / tally.asked if tally.asked else 0.0,
        "lead_changes": _spread(tally, tally.changes),
        "ahead_at_half_time": {"games": tally.led[0], **_rate(wilson(tally.led[1], int(tally.led[0]), TOGETHER))},
        "behind_at_half_time": {
            "games": tally.trailed[0],
            **_rate(wilson(tally.trailed[1], int(tally.trailed[0]), TOGETHER)),
        },
        "at_the_start": list(_roles(tally, program)),
        "at_the_end": list(_ends(tally, program)),
        "answers": list(_answers(tally, program)),
        "suspects": [one | {"command": tally.plan.to_compare(one["about"], 2000)} for one in suspects],
        "cards": _cards(tally, program, judged),
        "never_seen": _list(program, _never_had(tally, program)),
        "never_played": _list(program, _never_played(tally, program)),
        "options": told_apart(program, _options(tally, program)),
        "choices": _choices(tally.choices, program),
    }


def _list(program: Program, ids: Iterable[str]) -> list[dict[str, Any]]:
    return told_apart(program, ((id, _named(program, id)) for id in ids))


def _never_had(tally: Tally, program: Program) -> Iterator[str]:
    """The cards that were out of the box, and nobody had them or could choose them. One piece of a pool is as good as
    another, so nobody has this one or that one."""
    pooled = {kind for place in tally.plan.rulebook.places.values() if place.kept == "pool" for kind in place.holds}
    for id, kind in kinds_of(program).items():
        if id in tally.there and kind not in pooled and not _was_there(tally, id):
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


def _named(program: Program, id: str) -> dict[str, str]:
    return {"id": id, "name": program.definitions[id]}


def _roles(tally: Tally, program: Program) -> Iterator[dict[str, Any]]:
    """Report what lay in a slot or stood in a memory at the start, where it was not the same for all seats; beside what
    those got who had it, what the same seats get on average."""
    kinds = Counter(slot for slot, _ in tally.roles)
    for (slot, id), by_turn in sorted(tally.roles.items()):
        found = find_edge(tally, by_turn)
        if kinds[slot] > 1 and found is not None:
            called = {"id": id, "name": role_name(program, slot, id), "seats": found.count}
            yield {"slot": slot, **called, **_rate(found.interval(TOGETHER).moved(found.fair)), "fair": found.fair}


def _ends(tally: Tally, program: Program) -> Iterator[dict[str, Any]]:
    """Report the same when the game was over, without what was the same at the start."""
    kinds = Counter(slot for slot, _ in tally.ends)
    for (slot, id), (seats, won) in sorted(tally.ends.items()):
        had = list(tally.roles.get((slot, id), {}).values())
        before = sum(sum(one.had) for one in had), sum(one.own for one in had)
        if kinds[slot] > 1 and (seats, won) != before:
            called = {"id": id, "name": role_name(program, slot, id)}
            yield {"slot": slot, **called, "seats": seats, **_rate(wilson(won, int(seats), TOGETHER))}


def _answers(tally: Tally, program: Program) -> Iterator[dict[str, Any]]:
    """Report what cards said about those who held them at the end, and how often each of their conditions was met."""
    for key, (asked, yes, *met) in tally.answers.items():
        id, _, name = key.rpartition(".")
        lines = conditions_of(program, id, name)
        # Of nothing but a question that the game asks of cards in play, the end of the game says little.
        if lines:
            conditions = [{"name": line, "met": times} for line, times in zip(lines, met, strict=True)]
            rate = _rate(wilson(yes, asked, TOGETHER))
            had = [one for (card, _), one in tally.had["held"].items() if card == id]
            wins = wilson(sum(one.own for one in had), sum(sum(one.had) for one in had), TOGETHER)
            found = {**_named(program, id), "question": name, "asked": asked, **rate, "conditions": conditions}
            yield found | {"wins": _rate(wins)}


def _cards(tally: Tally, program: Program, judged: Sequence[Judged]) -> list[dict[str, Any]]:
    """Each card that somebody had, with what it went with: what those got who got it (or played it) against those who
    did not, in the same seat and by the same bot.
    """
    lines = {one.line.about: one for one in judged}
    found: list[dict[str, Any]] = []
    for id in program.definitions:
        if tally.drawn[id] or tally.played[id] or tally.held[id]:
            row = {
                **_named(program, id),
                "drawn": tally.drawn[id] / tally.watched,
                "played": tally.played[id] / tally.watched,
                "held": tally.held[id] / tally.watched,
            }
            for name, way in (("", "got"), ("_played", "played")):
                line = lines.get(f"{way}:{id}")
                row |= {f"lift{name}": _lift(tally, way, id, line), f"sure{name}": line is not None and line.is_sure}
            found.append(row)
    return told_apart(program, ((one["id"], one) for one in found))


def _lift(tally: Tally, way: str, id: str, line: Judged | None) -> dict[str, float] | None:
    found = find_card_edge(tally, way, id)
    if found is None:
        return None
    inside, times = found.interval(TOGETHER) if line is None else line.thin, found.lift
    low, high = times * inside.low, times * inside.high
    if not tally.is_paid:
        low, high = max(-1.0, low), min(1.0, high)
    return {"share": times * inside.value, "low": low, "high": high}


def _options(tally: Tally, program: Program) -> Iterator[tuple[str, dict[str, Any]]]:
    for key, (offered, chosen) in sorted(tally.choices.items()):
        row = {"option": key, "name": option_name(program, key), "offered": offered, "chosen": chosen}
        yield key.removeprefix("card:"), row | {"deviation": tally.deviate_share(key)}


def _choices(counts: Mapping[str, Sequence[int]], program: Program) -> list[dict[str, Any]]:
    """Count how often each was offered and chosen, the most offered first; cards of one kind together, and numbers,
    players and the like."""
    found: dict[str, list[int]] = {}
    groups: dict[str, str] = {}
    different: Counter[str] = Counter()
    for key, (offered, chosen) in counts.items():
        about, groups[about] = grouped(program, key)
        row = found.setdefault(about, [0, 0])
        row[0] += offered
        row[1] += chosen
        different[about] += 1
    rows = []
    for about, (offered, chosen) in sorted(found.items(), key=lambda one: (-one[1][0], one[0])):
        name = groups[about]
        if about.startswith("kind:"):
            name += f" ({different[about]} card{'' if different[about] == 1 else 's'})"
        elif name:
            name += f" ({different[about]} different)"
        rows.append(
            {"option": about, "name": name or option_name(program, about), "offered": offered, "chosen": chosen}
        )
    return rows
