"""What a series of games says, and what of the rules has run, as lines; with the options that ask for it.

In: a report (`playtest/series/report`), reports of coverage. Out: lines; exit code 1 if less was reached than was
required. Never: reckons or counts.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import click

from rulebook.commands.console import Command, RulesFailed, count, is_wanted
from rulebook.printing import paint
from rulebook.table.columns import padded, shortened, wrapped
from rulebook.widths import width

if TYPE_CHECKING:
    from rulebook.playtest.coverage import Missing, Report


_MOST_CARDS = 12
_MOST_OPTIONS = 15


def report_lines(report: dict[str, Any], score: Any) -> Iterator[str]:
    """A head, who won, how long it took; of watched games the details. `score` puts points into words."""
    yield _head(report)
    yield ""
    for note in report["remarks"]:
        yield f"  {note}"
        yield ""
    yield from _standing_out(report)
    yield from _winners(report)
    yield ""
    yield from _lengths(report, score)
    if "details" in report:
        yield from _details(report["details"])


def _standing_out(report: dict[str, Any]) -> Iterator[str]:
    found = report["stands_out"]
    if found:
        yield "  what stands out"
        for one in found:
            for number, line in enumerate(wrapped(f"{one['name']}: {one['what']}" if one["name"] else one["what"], 96)):
                yield ("    " if number else "  ! ") + line
        yield ""
    elif "details" in report:
        yield "  nothing stands out: no card, role or option goes half the way to always or never"
        yield ""


def percent(share: float) -> str:
    """`51.0%`."""
    return f"{share:.1%}"


def _between(rate: dict[str, float]) -> str:
    return f"{percent(rate['low'])} to {percent(rate['high'])}"


def _head(report: dict[str, Any]) -> str:
    rules = "".join(f", {name}={value}" for name, value in report["options"].items())
    rules += "".join(f", without {name}" for name in report["without"])
    deals = f" ({report['games'] // report['rotations']} deals)" if report["rotations"] > 1 else ""
    games = count(report["games"], "game") + deals
    return f"{report['title']}, {report['players']} players, {games}, seed {report['seed']}{rules}"


def _winners(report: dict[str, Any]) -> Iterator[str]:
    rows = []
    for one in report["seats"]:
        rows.append([f"{one['seat']} Bot {one['seat']}", shortened(one["bot"], 30), f"{one['won']:.2f}", one])
    widest = max(10, *(width(row[1]) for row in rows))
    yield f"  {'seat':<8} {padded('bot', widest)} {'wins':>10} {'share':>7}   95 % sure"
    for name, bot, won, one in rows:
        yield f"  {name:<8} {padded(bot, widest)} {won:>10} {percent(one['share']):>7}   {_between(one)}"
    mixed = len(set(report["bots"])) > 1
    for one in report.get("by_bot", ()) if mixed else ():
        spec = padded(shortened(one["bot"], 30), widest)
        yield f"  {'in all':<8} {spec} {'':>10} {percent(one['share']):>7}   {_between(one)}"
    yield ""
    yield f"  fair would be {percent(report['fair'])} each{_judged(report, mixed)}"
    if report.get("luck") is not None:
        decided = f"{percent(report['luck']['share'])} ({_between(report['luck'])})"
        yield f"  the deal decides {decided} of who wins; the rest is how it is played"


def _judged(report: dict[str, Any], mixed: bool) -> str:
    if mixed and report["rotations"] == 1:
        return ", if the bots were alike; with --rotate each of them sits in every seat"
    if report["games"] < 2:
        return ""
    if report["fair_p"] < 0.0005:
        return "; chance alone hardly ever differs as much as this"
    return f"; chance alone differs as much in {percent(report['fair_p'])} of such series"


def _lengths(report: dict[str, Any], score: Any) -> Iterator[str]:
    length, turns, (low, high) = report["length"], report["turns"], report["nine_of_ten"]
    yield (
        f"  decisions a game: {length['min']:g} to {length['max']:g}, "
        f"median {length['median']:g}, mean {length['mean']:.1f}, "
        f"nine of ten from {low:.0f} to {high:.0f}"
    )
    yield f"  turns a game: {turns['min']:g} to {turns['max']:g}, median {turns['median']:g}, mean {turns['mean']:.1f}"
    points = ", ".join(score(mean) for mean in report["points"])
    if any(report["points"]):
        yield f"  points on the mean, by seat: {points}; the first is ahead by {score(report['margin']['mean'])}"
    for one in report["measures"]:
        yield f"  {one['name']}: {one['min']:g} to {one['max']:g}, mean {one['mean']:.2f}"
    if report["shared"]:
        yield f"  {count(report['shared'], 'game')} had several winners"
    speed = report["decisions"] / report["seconds"] if report["seconds"] > 0 else 0
    yield f"  {report['seconds']:.1f} seconds" + (f", {speed:,.0f} decisions a second" if speed else "")
    if report["unfinished"]:
        yield f"  {count(report['unfinished'], 'game')} came to no end and were stopped."
    if report["endings"].get("crashed"):
        yield f"  {count(report['endings']['crashed'], 'game')} crashed, and count for nobody."


def _details(details: dict[str, Any]) -> Iterator[str]:
    yield ""
    lead = details["lead_changes"]
    yield f"  a decision is between {details['options_a_decision']:.1f} options"
    yield f"  the lead changes {lead['min']:g} to {lead['max']:g} times a game, mean {lead['mean']:.1f}"
    for name, what in (("ahead_at_half_time", "ahead"), ("behind_at_half_time", "last")):
        one = details[name]
        if one["games"]:
            rate = f"{percent(one['share'])} ({_between(one)}; {count(one['games'], 'game')})"
            yield f"  who is {what} at half time wins {rate}"
    if details["sample"] is not None:
        yield from _sample(details["sample"])
    for title, name in (("at the start", "at_the_start"), ("at the end", "at_the_end")):
        yield from rows_of(
            title,
            ("", "seats", "wins", "95 % sure"),
            [
                (f"{one['slot']}: {one['name']}", f"{one['seats']:g}", percent(one["share"]), _between(one))
                for one in details[name]
            ],
        )
    yield from rows_of(
        "what cards said of who held them at the end, and how often each condition alone was met",
        ("", "asked", "yes", "95 % sure", "wins", "95 % sure"),
        list(_answers(details["answers"])),
    )
    cards = sorted(details["cards"], key=lambda one: (min(one["q"], one["q_played"]), one["id"]))
    shown = cards[:_MOST_CARDS]
    yield from rows_of(
        f"cards ({len(shown)} of {len(cards)}; what those who got or played one won more than those who did not)",
        ("", "got", "played", "held", "got: wins", "played: wins"),
        [
            (
                one["name"],
                f"{one['drawn']:.2f}",
                f"{one['played']:.2f}",
                f"{one['held']:.2f}",
                _lift(one["lift"], one["q"]),
                _lift(one["lift_played"], one["q_played"]),
            )
            for one in shown
        ],
    )
    if shown:
        yield "  * of all that are marked, at most one of twenty is chance. Who plays well may play strong"
        yield "    cards: that is no proof that a card is strong."
    if details["suspects"]:
        yield ""
        yield "  cards to look at; the same deals without one show what it does"
        for one in details["suspects"]:
            yield f"    {one['name']}: {one['what']}"
            yield f"      {one['command']}"
    yield from _choices(details["choices"])
    for name, what in (("never_seen", "nobody ever had"), ("never_played", "nobody ever played, though somebody had")):
        if details[name]:
            yield from _listed(what, [one["name"] for one in details[name]])
    never = [one["name"] for one in details["options"] if not one["chosen"]]
    if never:
        yield from _listed("offered, and never chosen", never)


def _choices(choices: Sequence[dict[str, Any]]) -> Iterator[str]:
    rows = [
        (one["name"], f"{one['offered']:,}", f"{one['chosen']:,}", percent(one["chosen"] / one["offered"]))
        for one in choices[:_MOST_OPTIONS]
    ]
    yield from rows_of("options: offered, chosen", ("", "offered", "chosen", ""), rows)
    if len(choices) > _MOST_OPTIONS:
        yield f"  and {len(choices) - _MOST_OPTIONS} more, offered less often (--json lists them)"


def _answers(answers: Sequence[dict[str, Any]]) -> Iterator[tuple[str, ...]]:
    for one in answers:
        wins = one["wins"]
        yes, won = (percent(one["share"]), _between(one)), (percent(wins["share"]), _between(wins))
        yield f"{one['name']}: {one['question']}", f"{one['asked']:,}", *yes, *won
        for line in one["conditions"]:
            yield f"  {line['name']}", "", percent(line["met"] / one["asked"]), "", "", ""


def _sample(sample: dict[str, Any]) -> Iterator[str]:
    choices = sample["decided"] + sample["forced"]
    if choices:
        forced = percent(sample["forced"] / choices)
        yield f"  in {forced} of choices there was only one thing to choose, so nobody was asked"
    yield from rows_of(
        "named conditions, and how often they were not met",
        ("", "asked", "not met", "where"),
        [_condition(one) for one in sorted(sample["conditions"], key=_failing)][:_MOST_CARDS],
    )
    covered, games = sample["coverage"], count(sample["games"], "game")
    yield f"    (choices and conditions were counted in {games}, played once more: they went through"
    yield f"    {covered['reached']:,} of {covered['of']:,} places in the rules; --coverage lists the others)"


def _condition(one: dict[str, Any]) -> tuple[str, ...]:
    asked = one["held"] + one["failed"]
    name = f"{one['of']}: {one['name']}" if one["of"] else one["name"]
    return name, f"{asked}", percent(one["failed"] / asked), one["at"]


def _failing(one: dict[str, Any]) -> float:
    failed, asked = float(one["failed"]), float(one["held"] + one["failed"])
    return -failed / asked


def _lift(rate: dict[str, float] | None, q: float) -> str:
    if rate is None:
        return "-"
    return (
        f"{100 * rate['share']:+.1f} ({100 * rate['low']:+.1f} to {100 * rate['high']:+.1f}){'*' if q < 0.05 else ' '}"
    )


def rows_of(title: str, heads: Sequence[str], rows: Sequence[Sequence[str]]) -> Iterator[str]:
    """A title, heads and rows; what is first in a row stands left, the rest right."""
    if not rows:
        return
    cut = [[shortened(row[0], 36), *row[1:]] for row in rows]
    widths = [max(width(row[column]) for row in [heads, *cut]) for column in range(len(heads))]
    yield ""
    if title:
        yield f"  {title}"
    for row in [heads, *cut]:
        right = [" " * (size - width(cell)) + cell for cell, size in zip(row[1:], widths[1:], strict=True)]
        yield "  " + "   ".join([padded(row[0], widths[0]), *right]).rstrip()


def _listed(what: str, names: Sequence[str]) -> Iterator[str]:
    yield ""
    for number, line in enumerate(wrapped(f"{what} ({len(names)}): {', '.join(names)}", 100)):
        yield ("  " if not number else "    ") + line


def coverage_options(command: Command) -> Command:
    """Add `--coverage` and `--require`."""
    require = click.option(
        "--require",
        type=click.FloatRange(0, 100),
        metavar="PERCENT",
        help="Fail if less of the rules was reached. Asks for --coverage.",
    )
    return click.option("--coverage", is_flag=True, help="Say which rules ran, and what never did.")(require(command))


def lines(name: str, report: Report) -> list[str]:
    """A report, for people."""
    found = [f"Coverage of {name}: {_floored(report)} % ({report.reached} of {report.total})", "", *_table(report), ""]
    if not report.missing:
        return [*found, "Everything was reached."]
    found += [f"Never reached: {len(report.missing)}", ""]
    for one in report.missing:
        found += _missing_lines(one)
    return found


def required(reports: Mapping[str, Report], percent: float | None) -> None:
    """Raise RulesFailed if a game falls short of what is required."""
    short = {name: one for name, one in reports.items() if percent is not None and one.percent < percent}
    if short:
        said = [
            f"{name}: {_floored(one)} % of the rules were reached, and {percent:g} % are required; the first of "
            f"{len(one.missing)} that never were is {_place(one.missing[0])}, {_what(one.missing[0])}."
            for name, one in short.items()
        ]
        raise RulesFailed("\n".join(said))


def _floored(report: Report) -> str:
    """Rounded down, so that 100 is said of nothing less."""
    return f"{report.percent * 10 // 1 / 10:g}"


def _table(report: Report) -> list[str]:
    from rulebook.playtest.coverage import SORTS

    sorts = [sort for sort in SORTS if any(one.reached[sort][1] for one in report.files)]
    rows = [["", *sorts]]
    for one in report.files:
        rows.append([one.file, *(f"{n}/{of}" if of else "" for n, of in (one.reached[sort] for sort in sorts))])
    widths = [max(len(row[column]) for row in rows) for column in range(len(sorts) + 1)]
    return [_row(row, widths) for row in rows]


def _row(row: list[str], widths: list[int]) -> str:
    numbers = [f"{cell:>{columns}}" for cell, columns in zip(row[1:], widths[1:], strict=True)]
    return "  ".join(["", padded(row[0], widths[0]), *numbers]).rstrip()


def _missing_lines(one: Missing) -> list[str]:
    place = _place(one)
    title = paint("1", place) if is_wanted() else place
    return [f"  {title}  {_what(one)}", f"      {one.source}"]


def _place(one: Missing) -> str:
    return f"{one.file}:{one.line}"


def _what(one: Missing) -> str:
    inside = f" (and {one.within} more inside)" if one.within else ""
    return f"{one.name}, {one.what}{inside}" if one.name else f"{one.what}{inside}"
