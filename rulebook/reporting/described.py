"""A report or a comparison in words and tables, before anybody has decided whether a terminal or a page shows them."""

from __future__ import annotations

import itertools
import re
import shlex
from collections.abc import Iterator, Mapping, Sequence
from math import isfinite
from typing import TypeAlias

from attrs import evolve, field

from rulebook.classes import frozen
from rulebook.comparing.in_english import ChangedRule
from rulebook.dsl.words import word_players
from rulebook.playtest.series.levels import RANDOM, SEARCH, Ladder
from rulebook.playtest.series.naming import UNNAMED
from rulebook.playtest.series.sample import NamedCondition
from rulebook.reporting.answering import Answers, answer_questions, find_headline, is_unsure
from rulebook.reporting.change_words import name_measure, word_difference, word_size, word_value
from rulebook.reporting.changes import answer_changes
from rulebook.reporting.course_words import word_course
from rulebook.reporting.merging import among, describe_players, find_known_level, name_players
from rulebook.reporting.records import (
    BestResponse,
    BotRow,
    CardAnswer,
    CardRow,
    ChoiceRow,
    Comparison,
    Details,
    Holder,
    Levels,
    Line,
    Measure,
    Points,
    Rate,
    Report,
    RoleRow,
    Rung,
    SeatRow,
)
from rulebook.reporting.standing_out import count_games
from rulebook.reporting.together_words import list_numbers
from rulebook.reporting.verdict_words import find_speaker, word_quiet_lines
from rulebook.reporting.worth_words import MOST_ROWS, pick_rows

LADDER = "how good the players are"
_MOST_CARDS = 12
_MOST_OPTIONS = 15
_WIDE = 0.5
"""A share whose range is wider says nothing."""
_SENTENCE = re.compile(r"(?<=[.:]) (?=[A-Z•])")
_WAYS = {"dealt": "was dealt it", "got": "got it", "played": "played it", "held": "held it at the end"}


@frozen
class Lines:
    """Sentences, or commands, below a title, if there is one."""

    lines: Sequence[str]
    title: str = ""
    are_commands: bool = False


@frozen
class Table:
    """Rows below heads; a terminal shows the `most` important. `remarks` stand below."""

    title: str
    heads: Sequence[str]
    rows: Sequence[Sequence[str]]
    most: int | None = None
    remarks: Sequence[str] = field(factory=list)


Item: TypeAlias = "Answers | Lines | Table"


def describe(result: Report | Comparison, points: Points, *, has_details: bool = True) -> Iterator[Item]:
    """Answer the questions first; then what was counted, in tables, those of details where they are wanted. What has
    nothing in it is left out."""
    if isinstance(result, Comparison):
        yield answer_changes(result, points)
        items = _describe_change(result, points)
    else:
        yield Answers(find_headline(result, points), [*answer_questions(result, points)], word_quiet_lines(result))
        items = _describe_report(result, points, has_details=has_details)
    for item in items:
        if item.rows if isinstance(item, Table) else item.lines:
            yield item


def list_heads(result: Report | Comparison) -> Iterator[str]:
    """Name what was played: the game, by which rules, how many games and by whom."""
    if isinstance(result, Comparison):
        rules = result.changed
        what = ", ".join([*result.variants, *(f"{name}={value}" for name, value in rules.options.items())])
        what = f"without {' and '.join(rules.without)}" if rules.without else f"with {what}"
        title, given = f"{result.title} as it is and {what}: ", ""
        games = f"{count_games(result.games)} of each"
    else:
        title, given = f"{result.title}, ", "".join(f", {name}={value}" for name, value in result.options.items())
        given += "".join(f", without {name}" for name in result.without)
        deals = f" ({result.games // result.rotations} deals)" if result.rotations > 1 else ""
        games = f"{result.games} game{'' if result.games == 1 else 's'}{deals}"
    if result.play is not None:
        yield f"{title}{_count_players(result.players)}, seed {result.seed}{given}"
        yield _describe_levels(result.play, "deal" if isinstance(result, Comparison) else "game")
        yield _name_speakers(result)
    else:
        bots = " and ".join(dict.fromkeys(result.bots))
        yield f"{title}{_count_players(result.players)} ({bots}), {games}, seed {result.seed}{given}"
    if isinstance(result, Comparison) and result.base.rules == result.changed.rules:
        yield "The rules are the same: nothing that was asked for changes how this game is played."


def _name_speakers(result: Report | Comparison) -> str:
    """Say who is shown to play well, and about whom answers are that do not name anybody."""
    play = result.play
    assert play is not None, "of one level it is plain"
    good, level = " and ".join(name_players(name) for name in play.worthy), find_known_level(play)
    said = f"Shown to play well: {good}." if good else "Nobody of these is shown to play well."
    beating = {row.level for row in play.ladder if isinstance(row, Rung) and row.beats}
    if good and SEARCH in beating and SEARCH not in play.worthy:
        said += f" So do {name_players(SEARCH)}, of whom there are too few games."
    if isinstance(result, Comparison):
        return said
    if good and level not in play.worthy:
        few = "Of them there are too few games to answer by"
        return f"{said} {few}: unless it is said otherwise, answers are about {name_players(level)}."
    return f"{said} Unless it is said otherwise, answers are about {name_players(level)}."


def _count_players(number: int) -> str:
    return f"{number} player{'' if number == 1 else 's'}"


def word_other_numbers(result: Report | Comparison) -> Iterator[str]:
    """Say that other numbers of players were not asked, if there are any."""
    if result.also_for:
        others = word_players(result.also_for)
        yield f"All of this is with {_count_players(result.players)}; with {others} it may be otherwise."


def _describe_levels(play: Levels[Report, Line] | Levels[Comparison, Measure], what: str) -> str:
    """`2,000 games of random players (they take any answer), 300 of greedy players (…).`"""
    counts = [f"{level.games:,} of {describe_players(level.name, level.bots)}" for level in play.levels]
    first = play.levels[0].games
    counts[0] = f"{first:,} {what}{'' if first == 1 else 's'}{counts[0].removeprefix(f'{first:,}')}"
    return f"{', '.join(counts)}."


# ── a report ─────────────────────────────────────────────────────────────────────────────────────────────────────────


def _describe_report(report: Report, points: Points, *, has_details: bool) -> Iterator[Table | Lines]:
    """Say who won and how long it took in numbers; of several levels of play lay that side by side, and say how good
    the players are. Then the details of watched games, and commands."""
    play = report.play
    if play is not None:
        yield _lay_beside(report, play, points)
        yield describe_ladder(play.ladder, points)
    else:
        yield _winners(report, points)
        yield _describe_worth(report, points)
        yield Lines(list(_describe_numbers(report, points)), "in numbers")
    course = report.course
    yield Lines([] if course is None or not course.won_alone else [*word_course(course)], "the course of a game")
    if report.details is not None and has_details:
        results = play.results if play is not None else {"": report}
        watched = {name: each.details for name, each in results.items() if each.details is not None}
        # As the answers do, the tables speak of the best players of whom enough is known.
        level, speaks = find_speaker(report)
        details, whom = (report.details, among(RANDOM)) if speaks.details is None else (speaks.details, among(level))
        details = evolve(details, sample=report.details.sample)
        yield from _describe_details(details, watched, "" if play is None else f",{whom}")
    if play is not None:
        yield _list_commands(report.command, play, "the same again, and one level alone")


def _list_commands(
    command: str, play: Levels[Report, Line] | Levels[Comparison, Measure], title: str
) -> Lines:
    return Lines([command, *(level.command for level in play.levels)], title, are_commands=True)


def _lay_beside(report: Report, play: Levels[Report, Line], points: Points) -> Table:
    reports = [level.result for level in play.levels]
    is_paid = report.judged_by == "payoff"
    worded: Points = points if is_paid else percent
    rows: list[list[str]] = []
    are_together = report.is_together and not is_paid
    for seat in range(1 if are_together else report.players) if report.decides else ():
        sure = [each.seats[seat].gets or each.seats[seat] for each in reports]
        name = "all together" if are_together else f"seat {seat + 1}"
        rows.append([name, *(f"{worded(row.low)} to {worded(row.high)}" for row in sure)])
    rows.append(["decisions", *(f"{each.length.median:g}" for each in reports)])
    if not report.is_together:
        rows.append(["ties", *(percent((each.shared + each.nobody) / each.games) for each in reports)])
    heads = [f"{level.name} {level.games:,}" for level in play.levels]
    return Table(f"{'what seats get' if is_paid else 'wins'} by level of play", ("", *heads), rows)


def describe_ladder(ladder: Ladder, points: Points) -> Table:
    """Say in a table how good the bots are here."""
    rows: list[Sequence[str]] = []
    for rung in ladder:
        if isinstance(rung, BestResponse):
            gain = points(rung.best_response) if rung.unit == "payoff" else percent(rung.best_response)
            rows.append((f"gained from {rung.level}, at best", "", "", gain, "exactly", ""))
            continue
        worded: Points = points if rung.unit == "payoff" else percent
        between = f"{worded(rung.low)} to {worded(rung.high)}"
        beats = "yes" if rung.beats else "a little" if rung.low > rung.fair else "no"
        won = worded(rung.won)
        if is_unsure(rung):
            beats = "too few games"
            won, between = ("", "") if rung.unit == "wins" and rung.high - rung.low > _WIDE else (won, between)
        rows.append((rung.name, beats, f"{rung.games:,}", won, between, worded(rung.fair)))
        if rung.changed is not None:
            won, low, high = (worded(end) for end in (rung.changed.won, rung.changed.low, rung.changed.high))
            rows.append(("  with the change", "", f"{rung.games:,}", won, f"{low} to {high}", ""))
    heads = ("", "better", "games", "wins", "range", "fair")
    remarks = ["A bot that is no better than those of the level below is no evidence of good play."]
    return Table(LADDER, heads, rows, remarks=remarks if rows else ())


def _describe_worth(report: Report, points: Points) -> Table:
    """Say in a table what options are worth."""
    found = pick_rows(report.worth or ())
    worded: Points = points if report.judged_by == "payoff" else "{:+.1%}".format
    rows: list[Sequence[str]] = []
    for row in found:
        chosen = f"{row.chosen / row.offered:.0%}" if row.offered else "-"
        mark = "*" if row.sure_low * row.sure_high > 0 else " "
        text = f"{worded(row.sure_low)} to {worded(row.sure_high)}{mark}"
        name = f"{row.name} ({row.way})" if row.way == "always" else row.name
        rows.append([name, f"{row.offered_deals:,}", chosen, worded(row.value), text])
    always = any(row.way == "always" for row in found)
    title = "what options are worth: what who is free to choose one gets more than who never does, on the same deals"
    remarks = ["* more than chance, also among so many; `always`: who always does against who is free"]
    heads = ("", "deals", "chosen", "worth", "range")
    return Table(title, heads, rows, most=MOST_ROWS, remarks=remarks if always else [remarks[0].partition(";")[0]])


def describe_together(reports: Sequence[Report]) -> Table:
    """Say how often all win with each number of players."""
    heads, rows = list_numbers(reports)
    return Table("how often all win together, by number of players", heads, rows)


def describe_ends(report: Report) -> Table:
    """Say which sentences of the rules ended games that all won or lost together."""
    sample = report.details.sample if report.details is not None else None
    rows = [
        (row.rule or "the end of the rules", row.sentence, row.at, f"{row.games - row.won}", f"{row.won}")
        for row in (sample.ends if sample is not None and report.is_together else ())
    ]
    return Table("what ended games", ("", "sentence", "where", "lost", "won"), rows)


def percent(share: float) -> str:
    """`51.0%`."""
    return f"{share:.1%}"


def word_sure(rate: SeatRow | BotRow | RoleRow | CardAnswer | Rate) -> str:
    """`48.1% to 53.9%`."""
    return f"{percent(rate.low)} to {percent(rate.high)}"


def _winners(report: Report, points: Points) -> Table:
    is_paid = report.judged_by == "payoff"
    rows: list[Sequence[str]] = []
    bots = (report.by_bot or ()) if len(set(report.bots)) > 1 else ()
    places: Sequence[SeatRow | BotRow] = [*report.seats, *bots]
    for place in places:
        name, won = "in all", ""
        if isinstance(place, SeatRow):
            name, won = f"{place.seat} Bot {place.seat}", f"{place.won:.2f}"
        row: list[str] = [name, place.bot, won, percent(place.share), word_sure(place)]
        if place.gets is not None:
            low, high = place.gets.low, place.gets.high
            # Of one game nothing is known but itself.
            ends = f"{points(low)} to {points(high)}" if isfinite(high - low) else "anything"
            row += [points(place.gets.value), ends]
        rows.append(row)
    heads = ("seat", "bot", "wins", "share", "range", *(("gets", "range") if is_paid else ()))
    remarks = ["Who plays for more than to win is judged by what they get."] if is_paid else []
    return Table("", heads, rows, remarks=remarks)


def _describe_numbers(report: Report, points: Points) -> Iterator[str]:
    length, turns = report.length, report.turns
    yield f"decisions a game: {length.min:g} to {length.max:g}, mean {length.mean:.1f}"
    changes = f"{turns.min:g} to {turns.max:g}, median {turns.median:g}, mean {turns.mean:.1f}"
    yield f"how often somebody else is asked: {changes} times a game"
    if any(report.points):
        means = ", ".join(points(mean) for mean in report.points)
        ahead = "" if report.is_together else f"; the first is ahead by {points(report.margin.mean)}"
        yield f"points on the mean, by seat: {means}{ahead}"
    for measure in report.measures:
        yield f"{measure.name}: {measure.min:g} to {measure.max:g}, mean {measure.mean:.2f}"
    speed = report.decisions / report.seconds if report.seconds > 0 else 0
    yield f"{report.seconds:.1f} seconds" + (f", {speed:,.0f} decisions a second" if speed else "")
    if report.endings.get("crashed"):
        yield f"{count_games(report.endings['crashed'])} crashed, and count for nobody."


# ── of watched games ─────────────────────────────────────────────────────────────────────────────────────────────────


def _describe_details(details: Details, levels: Mapping[str, Details], whom: str) -> Iterator[Table | Lines]:
    """Lay out what was counted in watched games, and among whom; what was chosen at each level of play of which that is
    known."""
    sample = details.sample
    if sample is not None:
        yield Table(
            # The games that are played once more are of random players.
            f"conditions with a name, and how often they were not met{f',{among(RANDOM)}' if whom else ''}",
            ("", "times asked", "not met", "where"),
            [_condition(row) for row in sorted(sample.conditions, key=lambda row: -row.failing)],
            most=_MOST_CARDS,
        )
    for title, roles in (("at the start", details.at_the_start), ("at the end", details.at_the_end)):
        rows = [
            (f"{role.slot}: {role.name}", f"{role.seats:g}", percent(role.share), word_sure(role)) for role in roles
        ]
        yield Table(f"{title}{whom}", ("", "seats with it", "wins", "range"), rows)
    yield Table(
        f"what each card says of who held it at the end, and how often each of its conditions was met{whom}",
        ("", "times asked", "yes", "range"),
        list(_answers(details.answers)),
    )
    yield _cards(details.cards, whom)
    yield _choices(details.choices, whom, {name: level.choices for name, level in levels.items()})
    yield _listed(f"never out of the box{whom}", details.in_the_box)
    yield _listed(f"nobody ever had{whom}", [card.name for card in details.never_seen])
    yield _listed(f"nobody ever played, though somebody had{whom}", [card.name for card in details.never_played])
    named = [option for option in details.options if option.option.partition(":")[0] not in UNNAMED]
    yield _listed(f"offered, and never chosen{whom}", [option.name for option in named if not option.chosen])


def _condition(condition: NamedCondition) -> Sequence[str]:
    name = f"{condition.of}: {condition.name}" if condition.of else condition.name
    return name, f"{condition.held + condition.failed}", percent(condition.failing), condition.at


def _answers(answers: Sequence[CardAnswer]) -> Iterator[Sequence[str]]:
    for answer in answers:
        # What who held it wins stands among the cards, where it is judged.
        yield f"{answer.name}: {answer.question}", f"{answer.asked:,}", percent(answer.share), word_sure(answer)
        for line in answer.conditions:
            yield f"  {line.name}", "", percent(line.met / answer.asked), ""


def _cards(cards: Sequence[CardRow], whom: str) -> Table:
    rows: list[Sequence[str]] = [
        (
            card.name,
            *(f"{times:.2f}" for times in (card.drawn, card.played, card.held)),
            _lift(card.lift, card.sure),
            _lift(card.lift_played, card.sure_played),
        )
        for card in sorted(cards, key=_lifted, reverse=True)
    ]
    starred = any(cell.endswith("*") for row in rows for cell in row)
    return Table(
        f"cards: how much more often than others in the same seat those won who got one, or played one{whom}",
        (
            "",
            "got, times a game",
            "played, times a game",
            "held at the end, times a game",
            "wins of 100 more, who got it",
            "wins of 100 more, who played it",
        ),
        rows,
        most=_MOST_CARDS,
        remarks=[
            f"{'* more than chance, also among so many; w' if starred else 'W'}hat goes with winning need not make "
            "anybody win."
        ],
    )


def _lifted(card: CardRow) -> tuple[bool, float]:
    """Sort what is sure before what is not, then by size."""
    lifts = ((card.sure, card.lift), (card.sure_played, card.lift_played))
    return max(((is_sure, abs(lift.share)) for is_sure, lift in lifts if lift is not None), default=(False, 0.0))


def _lift(rate: Rate | None, is_sure: bool) -> str:
    if rate is None:
        return "-"
    if rate.high - rate.low > _WIDE:
        return "too few"
    mark = "*" if is_sure else " "
    return f"{100 * rate.share:+.1f} ({100 * rate.low:+.1f} to {100 * rate.high:+.1f}){mark}"


def _choices(
    choices: Sequence[ChoiceRow], whom: str, levels: Mapping[str, Sequence[ChoiceRow]]
) -> Table:
    shares = [{row.option: percent(row.chosen / row.offered) for row in rows} for rows in levels.values()]
    rows = [
        (choice.name, f"{choice.offered:,}", f"{choice.chosen:,}", *(known.get(choice.option, "-") for known in shares))
        for choice in choices[:_MOST_OPTIONS]
    ]
    more = len(choices) - _MOST_OPTIONS
    remarks = [f"and {more} more, offered less often (--json lists them)"] if more > 0 else []
    heads = ("", "times offered", "times chosen", *levels)
    return Table(f"options: offered, chosen{whom}", heads, rows, remarks=remarks)


def _listed(what: str, names: Sequence[str]) -> Lines:
    return Lines([", ".join(names)] if names else [], f"{what} ({len(names)})")


# ── a comparison ─────────────────────────────────────────────────────────────────────────────────────────────────────


def list_rules_changed(rows: Sequence[ChangedRule]) -> Iterator[list[str]]:
    """List rule by rule its name, what was said, and what is said now, without what stays; of what is gone the name."""
    known = {row.base for row in rows}
    for row in rows:
        if row.base and f"“{row.name} as it was”" in (row.changed or ""):
            yield [f"{row.name}.", f"Now: {row.changed}"]
        elif row.base and row.changed:
            old, new = (
                [text.removeprefix("• ") for text in _SENTENCE.split(side)] for side in (row.base, row.changed)
            )
            was, now = (
                " ".join(text for text in mine if text not in other)
                for mine, other in ((old, new), (new, old))
            )
            if not was and not now:
                yield [f"{row.name}.", "The same sentences, in another order or below other conditions."]
                continue
            both = [f"Was: {was}", f"Now: {now}"]
            lines = both if was and now else [f"No longer: {was}"] if was else [f"Also: {now}"]
            yield [f"{row.name}.", *lines, *(["The rest of the rule stays."] if {*old} & {*new} else [])]
    yield from (
        [f"New: {row.name}.", *([row.changed] if row.changed else [])]
        for row in rows
        if row.base is None and row.changed not in known
    )
    gone = [row.name for row in rows if row.changed is None]
    if gone:
        yield ["Gone:", f"{', '.join(gone)}."]


def fold_rules(comparison: Comparison) -> Iterator[Lines]:
    """Name the rules that are worded otherwise, and the command that tells how."""
    rows = comparison.rule_by_rule
    worded, gone = ([row.name for row in rows if (row.changed is None) is is_gone] for is_gone in (False, True))
    if rows:
        _, _, game, *words = shlex.split(comparison.changed.command)
        laid = [name for word, name in itertools.pairwise(words) if word == "--variant"]
        named = (("Worded otherwise", worded), ("Gone", gone))
        yield Lines([f"{what}: {', '.join(names)}." for what, names in named if names], "rules that the change touches")
        yield Lines([shlex.join(["rulebook", "diff", game, *laid])], are_commands=True)


def _describe_change(comparison: Comparison, points: Points) -> Iterator[Table | Lines]:
    """Lay out all measures, and a deal; of several levels of play how good the players are, and commands."""
    if comparison.play is not None:
        yield describe_ladder(comparison.play.ladder, points)
        yield _list_commands(comparison.command, comparison.play, "the same again, and one level with examples")
        return
    if comparison.holders is not None:
        yield _describe_holders(comparison.holders)
    heads = ("", "as it is", "without" if comparison.changed.without else "changed", "difference", "range")
    rows = [_word_measure(measure, points) for measure in comparison.measures if measure.base or measure.changed]
    yield Table("", heads, rows, remarks=["* more than chance, also among so many lines"])
    moved = comparison.changed_winners
    yield Lines([f"{count_games(moved.games)} ({percent(moved.share)}) had other winners on the same deal."])
    for example in moved.examples[:1]:
        title = f"a deal that somebody else won (of {len(moved.seeds)}; --json lists them)"
        yield Lines([example.replay_base, example.replay_changed], title, are_commands=True)


def _describe_holders(rows: Sequence[Holder]) -> Table | Lines:
    """Compare the wins of those who had a card with those on the same deals without it."""
    shown = []
    for row in rows:
        difference, mark = row.difference, "*" if row.tells else " "
        between = f"{100 * row.sure_low:+.1f} to {100 * row.sure_high:+.1f}{mark}"
        shares = percent(row.with_it), percent(row.without), f"{100 * difference.value:+.1f}"
        shown.append((f"who {_WAYS[row.way]} wins", f"{row.deals:,}", *shares, between))
    if not shown:
        return Lines(["Nobody ever had it."])
    return Table("", ("", "deals", "with it", "without", "it adds", "range"), shown)


def _word_measure(measure: Measure, points: Points) -> tuple[str, ...]:
    """Put a measure into words: its name, as it is, changed, the difference, and its interval with a mark."""
    name = name_measure(measure)
    unit, values = "%" if measure.is_rate else "", (measure.base, measure.changed)
    sides = (f"{word_value(measure, value, points)}{unit}" for value in values)
    low, high = (word_size(measure, end, points) for end in (measure.sure_low, measure.sure_high))
    size, mark = word_difference(measure, points), "*" if measure.tells else " "
    return name[:1].lower() + name[1:], *sides, size, f"{low} to {high}{mark}"
