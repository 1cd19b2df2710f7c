"""A report in words and tables, before anybody has decided whether a terminal or a page shows them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TypeAlias

from attrs import field, frozen

from rulebook.playtest.series.levels import Ladder
from rulebook.playtest.series.naming import UNNAMED
from rulebook.playtest.series.sample import NamedCondition
from rulebook.reporting.answering import Answer, answer_questions, find_headline, word_course
from rulebook.reporting.by_level import answer_levels, find_headline_of_levels, get_levels, is_unsure
from rulebook.reporting.merging import name_bot
from rulebook.reporting.records import (
    BestResponse,
    BotRow,
    CardAnswer,
    CardRow,
    ChoiceRow,
    ComparedLevel,
    Details,
    Level,
    Points,
    Rate,
    Report,
    RoleRow,
    SeatRow,
)
from rulebook.reporting.standing_out import count_games
from rulebook.reporting.worth_words import MOST_ROWS, pick_rows

LADDER = "how good the players are"
_MOST_CARDS = 12
_MOST_OPTIONS = 15


@frozen
class Lines:
    """Sentences, or commands, below a title, if there is one."""

    lines: Sequence[str]
    title: str = ""
    are_commands: bool = False


@frozen
class Answers:
    """Answers to questions, with the most important of it above them."""

    headline: str
    answers: Sequence[Answer]


@frozen
class Table:
    """Rows below heads; a terminal shows the `most` important. `remarks` stand below."""

    title: str
    heads: Sequence[str]
    rows: Sequence[Sequence[str]]
    most: int | None = None
    remarks: Sequence[str] = field(factory=list)


Item: TypeAlias = "Answers | Lines | Table"


def describe(report: Report, points: Points) -> Iterator[Item]:
    """Answer the questions first; then who won and how long it took in numbers; of watched games the details. What has
    nothing in it is left out.
    """
    if report.play is not None:
        yield Answers(find_headline_of_levels(report, points), [*answer_levels(report, points)])
        items = describe_levels(report, points)
    else:
        yield Answers(find_headline(report, points), [*answer_questions(report, points)])
        items = _items(report, points)
    for item in items:
        if item.rows if isinstance(item, Table) else item.lines:
            yield item


def describe_levels(report: Report, points: Points) -> Iterator[Table | Lines]:
    """Lay the levels side by side, then the ladder of bots; what was counted among random players; commands."""
    yield from _lay_beside(report, points)
    yield _describe_course(report)
    levels = get_levels(report).levels
    if report.details is not None:
        watched = {level.name: level.report.details for level in levels if level.report.details is not None}
        yield from _describe_details(report.details, watched)
    commands = [report.command, *(level.report.command for level in levels)]
    yield Lines(commands, "the same again, and one level alone", are_commands=True)


def _lay_beside(report: Report, points: Points) -> Iterator[Table]:
    levels = get_levels(report).levels
    reports = [level.report for level in levels]
    is_paid = report.judged_by == "payoff"
    worded: Points = points if is_paid else "{:.1%}".format
    rows: list[list[str]] = []
    for seat in range(report.players) if report.decides else ():
        row: list[str] = [f"seat {seat + 1}"]
        for each in reports:
            got = each.seats[seat]
            sure = got.gets or got
            row.append(f"{worded(sure.low)} to {worded(sure.high)}")
        rows.append(row)
    rows.append(["decisions", *(f"{each.length.median:g}" for each in reports)])
    rows.append(["ties", *(percent((each.shared + each.nobody) / each.games) for each in reports)])
    heads = [f"{level.name} {level.games:,}" for level in levels]
    what = "what seats get" if is_paid else "wins"
    yield Table(f"{what} by level of play", ("", *heads), rows)
    yield describe_ladder(get_levels(report).ladder, points)


def describe_ladder(ladder: Ladder, points: Points) -> Table:
    """Say in a table how good the bots are here."""
    rows: list[Sequence[str]] = []
    for rung in ladder:
        if isinstance(rung, BestResponse):
            gain = points(rung.best_response) if rung.unit == "payoff" else percent(rung.best_response)
            rows.append((f"gained from {rung.level}, at best", "", gain, "exactly", "", ""))
            continue
        worded: Points = points if rung.unit == "payoff" else percent
        between = f"{worded(rung.low)} to {worded(rung.high)}"
        beats = "yes" if rung.beats else "a little" if rung.low > rung.fair else "no"
        if is_unsure(rung):
            beats = "too few games"
        name = rung.name
        rows.append((name, f"{rung.games:,}", worded(rung.won), between, worded(rung.fair), beats))
        if rung.changed is not None:
            won, low, high = (worded(end) for end in (rung.changed.won, rung.changed.low, rung.changed.high))
            rows.append(("  with the change", f"{rung.games:,}", won, f"{low} to {high}", "", ""))
    heads = ("", "games", "wins", "range", "fair", "better")
    remarks = ["A bot that is no better than those of the level below is no evidence of good play."]
    return Table(LADDER, heads, rows, remarks=remarks if rows else ())


def name_levels(levels: Sequence[Level | ComparedLevel]) -> str:
    """`2,000 games random, 300 greedy, 40 search (ismcts:20)`; the same of deals."""
    counts = []
    for number, level in enumerate(levels):
        count, what = (level.games, "games") if isinstance(level, Level) else (level.pairs, "deals")
        played = f"{count:,} {what}" if not number else f"{count:,}"
        counts.append(f"{played} {name_bot(level.name, level.bots)}")
    return ", ".join(counts)


def _items(report: Report, points: Points) -> Iterator[Table | Lines]:
    yield _winners(report, points)
    yield _describe_worth(report, points)
    yield Lines(list(_numbers(report, points)), "in numbers")
    yield _describe_course(report)
    if report.details is not None:
        yield from _describe_details(report.details, {"": report.details})


def _describe_course(report: Report) -> Lines:
    course = report.course
    return Lines([] if course is None or not course.won_alone else [*word_course(course)], "the course of a game")


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


def percent(share: float) -> str:
    """`51.0%`."""
    return f"{share:.1%}"


def between(rate: SeatRow | BotRow | RoleRow | CardAnswer | Rate) -> str:
    """`48.1% to 53.9%`."""
    return f"{percent(rate.low)} to {percent(rate.high)}"


def head_of(report: Report) -> str:
    """Name what was played: the game, how many, by which rules."""
    rules = "".join(f", {name}={value}" for name, value in report.options.items())
    rules += "".join(f", without {name}" for name in report.without)
    if report.play is not None:
        return f"{report.title}, {report.players} players, seed {report.seed}{rules}"
    deals = f" ({report.games // report.rotations} deals)" if report.rotations > 1 else ""
    games = f"{report.games} game{'' if report.games == 1 else 's'}{deals}"
    bots = " and ".join(dict.fromkeys(report.bots))
    return f"{report.title}, {report.players} players ({bots}), {games}, seed {report.seed}{rules}"


def _winners(report: Report, points: Points) -> Table:
    is_paid = report.judged_by == "payoff"
    rows: list[Sequence[str]] = []
    bots = (report.by_bot or ()) if len(set(report.bots)) > 1 else ()
    places: Sequence[SeatRow | BotRow] = [*report.seats, *bots]
    for place in places:
        name, won = "in all", ""
        if isinstance(place, SeatRow):
            name, won = f"{place.seat} Bot {place.seat}", f"{place.won:.2f}"
        row: list[str] = [name, place.bot, won, percent(place.share), between(place)]
        if place.gets is not None:
            row += [points(place.gets.value), f"{points(place.gets.low)} to {points(place.gets.high)}"]
        rows.append(row)
    heads = ("seat", "bot", "wins", "share", "range", *(("gets", "range") if is_paid else ()))
    remarks = ["Who plays for more than to win is judged by what they get."] if is_paid else []
    return Table("", heads, rows, remarks=remarks)


def _numbers(report: Report, points: Points) -> Iterator[str]:
    length, turns = report.length, report.turns
    yield f"decisions a game: {length.min:g} to {length.max:g}, mean {length.mean:.1f}"
    yield f"turns a game: {turns.min:g} to {turns.max:g}, median {turns.median:g}, mean {turns.mean:.1f}"
    if any(report.points):
        means = ", ".join(points(mean) for mean in report.points)
        yield f"points on the mean, by seat: {means}; the first is ahead by {points(report.margin.mean)}"
    for measure in report.measures:
        yield f"{measure.name}: {measure.min:g} to {measure.max:g}, mean {measure.mean:.2f}"
    speed = report.decisions / report.seconds if report.seconds > 0 else 0
    yield f"{report.seconds:.1f} seconds" + (f", {speed:,.0f} decisions a second" if speed else "")
    if report.endings.get("crashed"):
        yield f"{count_games(report.endings['crashed'])} crashed, and count for nobody."


# ── of watched games ─────────────────────────────────────────────────────────────────────────────────────────────────


def _describe_details(details: Details, levels: Mapping[str, Details]) -> Iterator[Table | Lines]:
    """Lay out what was counted in watched games; what was chosen at each level of play of which that is known."""
    sample = details.sample
    if sample is not None:
        yield Table(
            "conditions with a name, and how often they were not met",
            ("", "asked", "not met", "where"),
            [_condition(row) for row in sorted(sample.conditions, key=lambda row: -row.failing)],
            most=_MOST_CARDS,
        )
        covered = sample.coverage
        text = (
            f"choices and conditions were counted in {count_games(sample.games)}, played once more: they went "
            f"through {covered.reached:,} of {covered.of:,} places in the rules; --coverage lists the others"
        )
        yield Lines([text])
    for title, roles in (("at the start", details.at_the_start), ("at the end", details.at_the_end)):
        rows = [(f"{role.slot}: {role.name}", f"{role.seats:g}", percent(role.share), between(role)) for role in roles]
        yield Table(title, ("", "seats", "wins", "range"), rows)
    yield Table(
        "what cards decided of who held them at the end, and how often each condition was met",
        ("", "asked", "yes", "range", "wins", "range"),
        list(_answers(details.answers)),
    )
    yield _cards(details.cards)
    yield _choices(details.choices, {name: level.choices for name, level in levels.items()})
    yield _listed("nobody ever had", [card.name for card in details.never_seen])
    yield _listed("nobody ever played, though somebody had", [card.name for card in details.never_played])
    named = [option for option in details.options if option.option.partition(":")[0] not in UNNAMED]
    yield _listed("offered, and never chosen", [option.name for option in named if not option.chosen])


def _condition(condition: NamedCondition) -> Sequence[str]:
    name = f"{condition.of}: {condition.name}" if condition.of else condition.name
    return name, f"{condition.held + condition.failed}", percent(condition.failing), condition.at


def _answers(answers: Sequence[CardAnswer]) -> Iterator[Sequence[str]]:
    for answer in answers:
        wins = answer.wins
        yes = percent(answer.share), between(answer)
        yield (f"{answer.name}: {answer.question}", f"{answer.asked:,}", *yes, percent(wins.share), between(wins))
        for line in answer.conditions:
            yield f"  {line.name}", "", percent(line.met / answer.asked), "", "", ""


def _cards(cards: Sequence[CardRow]) -> Table:
    rows: list[Sequence[str]] = [
        (
            card.name,
            *(f"{times:.2f}" for times in (card.drawn, card.played, card.held)),
            _lift(card.lift, card.sure),
            _lift(card.lift_played, card.sure_played),
        )
        for card in sorted(cards, key=_lifted, reverse=True)
    ]
    return Table(
        "cards: how much more often than others in the same seat those won who got one, or played one",
        ("", "got", "played", "held", "got: wins", "played: wins"),
        rows,
        most=_MOST_CARDS,
        remarks=[
            "* more than chance, also among so many. Who plays well may play strong cards: that is no proof that a "
            "card is strong."
        ],
    )


def _lifted(card: CardRow) -> tuple[bool, float]:
    """Sort what is sure before what is not, then by size."""
    lifts = ((card.sure, card.lift), (card.sure_played, card.lift_played))
    return max(((is_sure, abs(lift.share)) for is_sure, lift in lifts if lift is not None), default=(False, 0.0))


def _lift(rate: Rate | None, is_sure: bool) -> str:
    if rate is None:
        return "-"
    mark = "*" if is_sure else " "
    return f"{100 * rate.share:+.1f} ({100 * rate.low:+.1f} to {100 * rate.high:+.1f}){mark}"


def _choices(choices: Sequence[ChoiceRow], levels: Mapping[str, Sequence[ChoiceRow]]) -> Table:
    shares = [{row.option: percent(row.chosen / row.offered) for row in rows} for rows in levels.values()]
    rows = [
        (choice.name, f"{choice.offered:,}", f"{choice.chosen:,}", *(known.get(choice.option, "-") for known in shares))
        for choice in choices[:_MOST_OPTIONS]
    ]
    more = len(choices) - _MOST_OPTIONS
    remarks = [f"and {more} more, offered less often (--json lists them)"] if more > 0 else []
    return Table("options: offered, chosen", ("", "offered", "chosen", *levels), rows, remarks=remarks)


def _listed(what: str, names: Sequence[str]) -> Lines:
    return Lines([f"{what} ({len(names)}): {', '.join(names)}"] if names else [])
