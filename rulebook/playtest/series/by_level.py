"""What a game is like at several levels of play, in one list of answers.

In: the report, or the comparison, of each level, and a ladder of bots. Out: the same questions as those of one level,
each with one answer that says what holds at all levels, what only under good play, and what only among random players.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from math import hypot
from typing import Any

from attrs import evolve

from rulebook.playtest.series.answering import (
    FEW_GAMES,
    SKILL,
    Answer,
    Points,
    answer_questions,
    find_headline,
    name_holder,
    word_gains,
    word_needed,
    word_nothing,
    word_rate,
    word_sort,
)
from rulebook.playtest.series.levels import RANDOM, find_worthy
from rulebook.playtest.series.merging import (
    NOTHING,
    UNSETTLED,
    Merged,
    Row,
    Rows,
    list_levels,
    merge_rows,
    name_bot,
    name_players,
    name_rung,
    weigh_row,
    word_merged,
)
from rulebook.playtest.series.naming import UNNAMED
from rulebook.playtest.series.standing_out import FAIR, LONG, STRONG, TIES, count_games, word_wins
from rulebook.playtest.series.verdicts import GREY
from rulebook.statistics.intervals import TOGETHER
from rulebook.statistics.verdicts import FACT, FINE, LOOK, OPEN

_SORTS = {"seat": FAIR, "order": FAIR, "role": FAIR, "tie": TIES, "dealt": STRONG}
_MANY = 100
"""In so many games it is seen how long nine of ten are."""
_MOST_HABITS = 4
_VAGUE = 6
"""A range so many times as wide as what is too small to matter says nothing."""
_ENDS = ("value", "low", "high")
_ROW = ("value", "low", "high", "sure_low", "sure_high", "grey", "mark", "more", "won", "fair")

Report = Mapping[str, Any]


def join_levels(levels: Sequence[dict[str, Any]], ladder: Sequence[Report], points: Points) -> dict[str, Any]:
    """Make one report of those of all levels: what random players show, with the merged answers beside it."""
    reports: dict[str, Report] = {one["name"]: one["report"] for one in levels}
    worthy = find_worthy([*reports], ladder)
    return dict(reports[RANDOM]) | {
        "levels": list(levels),
        "ladder": list(ladder),
        "worthy": worthy,
        "lens": [*_merge_reports(reports, worthy, points)],
    }


def _merge_reports(reports: Mapping[str, Report], worthy: Sequence[str], points: Points) -> Iterator[dict[str, Any]]:
    """Merge what all levels say of who wins and of ties, line by line, those worth most first."""
    lines: dict[str, dict[str, Row]] = {}
    for level, report in reports.items():
        for one in report["lines"]:
            if one["about"].partition(":")[0] in _SORTS:
                lines.setdefault(one["about"], {})[level] = one
    first = next(iter(reports.values()))
    for about, rows in lines.items():
        found, sort = merge_rows(rows, worthy), about.partition(":")[0]
        name = next(iter(rows.values()))["name"]
        says = "" if found.way == NOTHING else _say_line(found, about, name, rows, first, points)
        yield {
            "question": _SORTS[sort],
            "about": about,
            "name": name,
            "mark": found.mark,
            "way": found.way,
            "decided_by": found.levels[0],
            "says": says,
            "weight": weigh_row(rows[found.levels[0]]) if found.mark == LOOK else 0.0,
            "levels": {level: {key: row[key] for key in _ROW if key in row} for level, row in rows.items()},
        }
    lengths = {
        level: {"value": report["length"]["median"], "low": report["nine_of_ten"][0], "high": report["nine_of_ten"][1]}
        for level, report in reports.items()
    }
    yield {"question": LONG, "about": "length", "name": "", "mark": FACT, "way": NOTHING, "says": "", "weight": 0.0} | {
        "levels": {level: one | {"mark": FACT} for level, one in lengths.items()}
    }


def _say_line(found: Merged, about: str, name: str, rows: Rows, report: Report, points: Points) -> str:
    """Say what stands out at some level."""
    worded, each = word_gains(report, points)
    sort = about.partition(":")[0]
    if sort == "tie":
        return word_merged(found, rows, lambda _: "most games are ties", lambda row: word_rate(row, 0.0, word_wins), "")
    verb, much, little = ("gets", "much", "little") if report["judged_by"] == "payoff" else ("wins", "often", "seldom")
    called = name_holder(about, name)
    fair = worded(rows[found.levels[0]]["fair"])
    return word_merged(
        found,
        rows,
        lambda row: f"{called} {verb} too {much if row['value'] > 0 else little}",
        lambda row: word_rate(row, row["fair"], worded, each),
        f", where the same seats {verb.removesuffix('s')} {fair} on average"
        if sort == "dealt"
        else f", where {fair} would be fair",
    )


# ── the answers of a series ──────────────────────────────────────────────────────────────────────────────────────────


def answer_levels(report: Report, points: Points) -> Iterator[Answer]:
    """Answer the questions of one level, for all of them."""
    reports = {one["name"]: one["report"] for one in report["levels"]}
    best = _find_best_watched(report, reports)
    watched = {name: one for name, one in reports.items() if name in (RANDOM, best)}
    for one in answer_questions(reports[RANDOM], points, watched):
        match one.question:
            case "Fair?":
                yield _answer_fair(report, one, points)
            case "Long?":
                yield _answer_long(report, reports, one)
            case "Ties?":
                yield _answer_ties(report, reports, one)
            case "Strong?":
                yield _answer_strong(report, reports, one, points)
            case "Boring?" | "Decided?":
                mark = OPEN if one.mark == LOOK else one.mark
                yield Answer(mark, one.question, [*_among_random(one.lines)], one.commands)
            case "Skill?":
                skill = answer_skill(report, points)
                yield evolve(skill, lines=[*skill.lines, *_word_habits(report, reports)])
            case _:
                yield one


def find_headline_of_levels(report: Report, points: Points) -> str:
    """Find what is most worth knowing: what stands out furthest at some level of good play, else what may."""
    said = _find_headline(report, points)
    return said if report["worthy"] else f"{said} Nobody was shown to play well here."


def _find_headline(report: Report, points: Points) -> str:
    broken = [one for level in report["levels"] for one in level["report"]["stands_out"] if one["question"] == LONG]
    if broken:
        return str(broken[0]["what"][:1].upper() + broken[0]["what"][1:])
    shown = min((one for one in report["lens"] if one["mark"] == LOOK), key=_sort_key, default=None)
    if shown is not None:
        return str(shown["says"])
    dead = next((one for one in answer_questions(report, points) if one.question == "Dead?" and one.mark == LOOK), None)
    if dead is not None:
        return dead.lines[0]
    unsettled = next((one for one in report["lens"] if one["way"] == UNSETTLED), None)
    if unsettled is not None:
        return str(unsettled["says"])
    best = report["worthy"][-1] if report["worthy"] else RANDOM
    if best == RANDOM:  # where matters little among them, it may matter among people
        return word_nothing(report["lens"], "at any level of play")
    strongest = next(one for one in report["levels"] if one["name"] == best)
    said = find_headline(strongest["report"], points)
    return f"Among {name_players(strongest['name'])} {said[:1].lower()}{said[1:]}"


def _sort_key(one: Report) -> tuple[float, bool]:
    """Sort by weight; of what is alike, who wins before who loses."""
    return -round(one["weight"]), _loses(one)


def _loses(one: Report) -> bool:
    return bool(one["levels"][one["decided_by"]]["value"] < 0) and one["question"] == FAIR


def _among_random(lines: Sequence[str]) -> Iterator[str]:
    for number, line in enumerate(lines):
        yield f"Among random players: {line[:1].lower()}{line[1:]}" if not number else line


def _answer_fair(report: Report, alone: Answer, points: Points) -> Answer:
    """Say what stands out first, and of all else how far from fair it may be among the best players."""
    found = [one for one in report["lens"] if one["question"] == FAIR]
    if report["players"] == 1 and report["decides"]:
        won = {one["name"]: one["report"]["seats"][0] for one in report["levels"]}
        texts = {level: f"{word_wins(one['share'])} of 100 games" for level, one in won.items()}
        return Answer(FACT, FAIR, [f"One plays alone, and wins {list_levels(texts)}."])
    if not found:
        return alone
    shown = [one for one in sorted(found, key=_sort_key) if one["says"]]
    # Of two players, what one of them gains is what the other loses.
    said = [one["says"] for one in shown if report["players"] > 2 or not _loses(one)]
    said += _word_quiet(report, [one for one in found if not one["says"]], points)
    mark = next((mark for mark in (LOOK, OPEN) if any(one["mark"] == mark for one in found)), FINE)
    return Answer(mark, FAIR, said)


def _word_quiet(report: Report, found: Sequence[Report], points: Points) -> Iterator[str]:
    """Say of each sort of lines how far each level may be from fair, and how much more of the best players is needed
    where that is open."""
    worded, each = word_gains(report, points)
    sorts = {one["about"].partition(":")[0]: list[Report]() for one in found}
    for one in found:
        sorts[one["about"].partition(":")[0]].append(one)
    games = {one["name"]: one["games"] for one in report["levels"]}
    for sort, lines in sorts.items():
        rows = {name: [one["levels"][name] for one in lines if name in one["levels"]] for name in games}
        yield word_sort(sort, rows, games, worded, each)
    best = report["levels"][-1]["name"]
    open_rows = [row for one in found if (row := one["levels"].get(best)) is not None and row["mark"] == OPEN]
    if open_rows:
        size = worded(open_rows[0]["grey"])
        needed = word_needed(open_rows, games[best], size, list_levels({best: ""}, "of")).strip()
        yield from [needed] if needed else []


def find_known_level(report: Report) -> str:
    """Find the best players of whom there are games enough to see how long nine of ten are."""
    games = {one["name"]: one["games"] for one in report["levels"]}
    return next((one for one in reversed(report["worthy"]) if games[one] >= _MANY), RANDOM)


def _answer_long(report: Report, reports: Mapping[str, Report], alone: Answer) -> Answer:
    medians = {level: f"{one['length']['median']:g}" for level, one in reports.items()}
    level = find_known_level(report)
    low, high = reports[level]["nine_of_ten"]
    broken = [one for one in reports.values() if one["unfinished"] or one["endings"].get("crashed")]
    ends = "" if broken else " All came to an end."
    spread = f"Nine games of ten have {low:.0f} to {high:.0f} decisions among {name_players(level)}.{ends}"
    line = f"Decisions: {list_levels(medians)}. {spread}"
    return Answer(alone.mark, LONG, [*(alone.lines[:1] if alone.mark == LOOK else ()), line])


def _answer_ties(report: Report, reports: Mapping[str, Report], alone: Answer) -> Answer:
    if report["players"] == 1 or not report["decides"]:
        return alone
    looks = [one for one in report["lens"] if one["about"] == "tie" and one["says"]]
    if looks:
        return Answer(looks[0]["mark"], TIES, [looks[0]["says"]])
    said = []
    for how, what in (("shared", "several win"), ("nobody", "nobody wins")):
        shares = {level: one[how] / one["games"] if one["games"] else 0.0 for level, one in reports.items()}
        if any(shares.values()):
            texts = {level: word_wins(share) for level, share in shares.items()}
            said.append(f"Of 100 games {what} {list_levels(texts)}.")
    return Answer(FACT, TIES, said or ["None at any level of play."])


def _answer_strong(report: Report, reports: Mapping[str, Report], alone: Answer, points: Points) -> Answer:
    """Say which dealt cards are too strong at several levels; of other cards that go with winning among random players
    also how that is among the best."""
    worded, each = word_gains(report, points)
    shown = sorted((one for one in report["lens"] if one["question"] == STRONG and one["says"]), key=_sort_key)
    best, told = _find_best_watched(report, reports), {one["name"]: "" for one in shown}
    rows = {one["about"]: one for one in reports[best]["lines"]} if best else {}
    for one in report.get("details", {}).get("suspects", ()):
        row = rows.get(f"{one['having']}:{one['about']}")
        if row is not None:
            size = word_rate(row, row["fair"], worded, each)
            told.setdefault(one["name"], f"; {size} among {name_players(best)}.")
    lines = [one["says"] for one in shown]
    for line in alone.lines:
        more = told.get(line.partition(": ")[0])
        lines += [line] if more is None else [line[:-1] + more] if more else []
    marks = {OPEN if alone.mark == LOOK else alone.mark, *(one["mark"] for one in shown)}
    return Answer(next(mark for mark in (LOOK, OPEN, FINE, FACT) if mark in marks), STRONG, lines, alone.commands)


def _find_best_watched(report: Report, reports: Mapping[str, Report]) -> str:
    """Find the best players who are shown to play well, and of whose games cards and options were counted."""
    return next((one for one in reversed(report["worthy"]) if "details" in reports[one]), "")


def _word_habits(report: Report, reports: Mapping[str, Report]) -> Iterator[str]:
    """Say which options good players choose far more often than random ones where they are offered, or less."""
    best = _find_best_watched(report, reports)
    if not best or "details" not in report or reports[best]["games"] < FEW_GAMES:
        return
    usual, found = {one["option"]: one for one in report["details"]["options"]}, list[tuple[float, str]]()
    for one in reports[best]["details"]["options"]:
        other = usual.get(one["option"])
        if other is None or one["option"].partition(":")[0] in UNNAMED:
            continue
        share, before = one["chosen"] / one["offered"], other["chosen"] / other["offered"]
        surely = abs(share - before) - TOGETHER * hypot(one["deviation"], other["deviation"])
        if surely > GREY and min(one["offered"], other["offered"]) >= _MANY:
            found.append((surely, f"{one['name']} {100 * share:.0f} and {100 * before:.0f}"))
    told = [text for _, text in sorted(found, reverse=True)[:_MOST_HABITS]]
    if told:
        listed = "; ".join(told)
        yield f"Chosen of 100 times that it was offered, by {name_players(best)} and by random ones: {listed}."


def _word_changed(one: Row, worded: Points) -> str:
    """Say how often the same bot wins by the changed rules, and how much more or less that is."""
    size, low, high = (
        f"{'−' if value < 0 else '+'}{worded(abs(value))}" for value in (one["difference"][end] for end in _ENDS)
    )
    return f"; with the change {worded(one['changed']['won'])}, {size} ({low} to {high})"


def answer_skill(report: Report, points: Points) -> Answer:
    """Say how good the players are; that is open where there were too few games to tell."""
    lines = [*_word_ladder(report, points)] or ["Nobody but random players was asked."]
    is_open = any(is_unsure(one) and not _is_worthy(one, report) for one in report["ladder"])
    return Answer(OPEN if is_open else FACT, SKILL, lines)


def is_unsure(one: Report) -> bool:
    """Tell whether more games could still show that a bot plays better."""
    is_open = "best_response" not in one and not one["beats"] and one["low"] <= one["fair"]
    return is_open and bool(one["high"] - one["fair"] > one["grey"])


def _is_worthy(one: Report, report: Report) -> bool:
    return one["level"] in report["worthy"]


def _word_ladder(report: Report, points: Points) -> Iterator[str]:
    """Say how much one bot wins among those of the level below, and what can be got from it at most."""
    worded, each = word_gains(report, points)
    rungs = [one for one in report["ladder"] if "best_response" not in one]
    for one in sorted(rungs, key=lambda one: float(one["fair"] - one["low"])):
        level, _, below = one["name"].partition(" among ")
        who = name_rung(level, below)
        verb = "gets" if one["in"] == "payoff" else "wins"
        if is_unsure(one) and one["high"] - one["low"] > _VAGUE * one["grey"]:
            yield f"{who}: {count_games(one['games'])} are too few to say who plays better."
            continue
        caveat = ""
        if not one["beats"]:
            how = "a little better" if one["low"] > one["fair"] else "no better"
            caveat = f", {how}: {name_players(level)} are no evidence of good play"
            caveat = ", too few games to show that it plays better" if is_unsure(one) else caveat
            caveat = ", and little can be gained from it" if _is_worthy(one, report) else caveat
        low, high, fair = (worded(one[end]) for end in ("low", "high", "fair"))
        changed = _word_changed(one, worded) if "changed" in one else ""
        yield f"{who} {verb} {worded(one['won'])} {each} ({low} to {high}; fair is {fair}){changed}{caveat}."
    for name in report.get("not_played", ()):
        yield f"There was no time for {name}: --lens 600 gives ten minutes."
    exact = [one for one in report["ladder"] if "best_response" in one]
    if exact:
        # What a rounded number would call nothing is more than that.
        gains = {name_bot(one["level"], one["bot"]): worded(one["best_response"]) for one in exact}
        gains = {bot: "next to nothing" if gain == worded(0) else f"{gain} {each}" for bot, gain in gains.items()}
        sizes = ", ".join(f"{gain} from {bot}" for bot, gain in gains.items())
        yield f"Who knows how they play gains at best {sizes}: exactly, over all that can happen."
