"""A report in words and tables, before anybody has decided whether a terminal or a page shows them."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, TypeAlias

from attrs import field, frozen

from rulebook.playtest.series.naming import UNNAMED

_MOST_CARDS = 12
_MOST_OPTIONS = 15


@frozen
class Drawn:
    """A cell that a page draws too: an estimate with its interval between `least` and `most`, and a line across."""

    text: str
    rate: Mapping[str, float]
    line: float
    least: float = 0.0
    most: float = 1.0


Cell: TypeAlias = "str | Drawn"


@frozen
class Lines:
    """Sentences below a title, if there is one. `is_aside`: they are about how something was counted."""

    lines: Sequence[str]
    title: str = ""
    is_aside: bool = False
    commands: Sequence[str] = ()
    """A command below each sentence, to be typed."""


@frozen
class Table:
    """Rows below heads; a terminal shows the `most` important. `remarks` stand below."""

    title: str
    heads: Sequence[str]
    rows: Sequence[Sequence[Cell]]
    most: int | None = None
    remarks: Sequence[str] = field(factory=list)


Item: TypeAlias = "Lines | Table"


def describe(report: Mapping[str, Any], points: Callable[[float], str]) -> Iterator[Item]:
    """Describe who won and how long it took; of watched games the details. What has nothing in it is left out."""
    for one in _items(report, points):
        if one.rows if isinstance(one, Table) else one.lines:
            yield one


def _items(report: Mapping[str, Any], points: Callable[[float], str]) -> Iterator[Item]:
    yield _standing_out(report)
    yield _winners(report)
    yield Lines(_fair(report))
    yield Lines(list(_lengths(report, points)), "how long it takes")
    if "details" in report:
        yield from _details(report["details"], report["fair"])


def percent(share: float) -> str:
    """`51.0%`."""
    return f"{share:.1%}"


def between(rate: Mapping[str, float]) -> str:
    """`48.1% to 53.9%`."""
    return f"{percent(rate['low'])} to {percent(rate['high'])}"


def count_games(number: float) -> str:
    """`1 game`, `2 games`."""
    return f"{number:g} game{'' if number == 1 else 's'}"


def head_of(report: Mapping[str, Any]) -> str:
    """Name what was played: the game, how many, by which rules."""
    rules = "".join(f", {name}={value}" for name, value in report["options"].items())
    rules += "".join(f", without {name}" for name in report["without"])
    deals = f" ({report['games'] // report['rotations']} deals)" if report["rotations"] > 1 else ""
    games = f"{report['games']} game{'' if report['games'] == 1 else 's'}{deals}"
    return f"{report['title']}, {report['players']} players, {games}, seed {report['seed']}{rules}"


def _standing_out(report: Mapping[str, Any]) -> Lines:
    found = report["stands_out"]
    if found:
        return Lines([f"{one['name']}: {one['what']}" if one["name"] else one["what"] for one in found], STANDS_OUT)
    nothing = "nothing stands out: no card, role or option goes half the way to always or never"
    return Lines([nothing] if "details" in report else [])


STANDS_OUT = "what stands out"


def _winners(report: Mapping[str, Any]) -> Table:
    fair = report["fair"]
    rows: list[Sequence[Cell]] = [
        (
            f"{one['seat']} Bot {one['seat']}",
            one["bot"],
            f"{one['won']:.2f}",
            percent(one["share"]),
            Drawn(between(one), one, fair),
        )
        for one in report["seats"]
    ]
    for one in report.get("by_bot", ()) if len(set(report["bots"])) > 1 else ():
        rows.append(("in all", one["bot"], "", percent(one["share"]), Drawn(between(one), one, fair)))
    return Table("", ("seat", "bot", "wins", "share", "95 % sure"), rows)


def _fair(report: Mapping[str, Any]) -> list[str]:
    judged = ""
    if len(set(report["bots"])) > 1 and report["rotations"] == 1:
        judged = ", if the bots were alike; with --rotate each of them sits in every seat"
    elif report["games"] > 1 and report["fair_p"] < 0.0005:
        judged = "; chance alone hardly ever differs as much as this"
    elif report["games"] > 1:
        judged = f"; chance alone differs as much in {percent(report['fair_p'])} of such series"
    lines = [f"fair would be {percent(report['fair'])} each{judged}"]
    if report.get("luck") is not None:
        decided = f"{percent(report['luck']['share'])} ({between(report['luck'])})"
        lines.append(f"the deal decides {decided} of who wins; the rest is how it is played")
    return lines


def _lengths(report: Mapping[str, Any], points: Callable[[float], str]) -> Iterator[str]:
    length, turns, (low, high) = report["length"], report["turns"], report["nine_of_ten"]
    yield (
        f"decisions a game: {length['min']:g} to {length['max']:g}, "
        f"median {length['median']:g}, mean {length['mean']:.1f}, "
        f"nine of ten from {low:.0f} to {high:.0f}"
    )
    yield f"turns a game: {turns['min']:g} to {turns['max']:g}, median {turns['median']:g}, mean {turns['mean']:.1f}"
    if any(report["points"]):
        means = ", ".join(points(mean) for mean in report["points"])
        yield f"points on the mean, by seat: {means}; the first is ahead by {points(report['margin']['mean'])}"
    for one in report["measures"]:
        yield f"{one['name']}: {one['min']:g} to {one['max']:g}, mean {one['mean']:.2f}"
    if report["shared"]:
        yield f"{count_games(report['shared'])} had several winners"
    speed = report["decisions"] / report["seconds"] if report["seconds"] > 0 else 0
    yield f"{report['seconds']:.1f} seconds" + (f", {speed:,.0f} decisions a second" if speed else "")
    if report["unfinished"]:
        yield f"{count_games(report['unfinished'])} came to no end and were stopped."
    if report["endings"].get("crashed"):
        yield f"{count_games(report['endings']['crashed'])} crashed, and count for nobody."


# ── of watched games ─────────────────────────────────────────────────────────────────────────────────────────────────


def _details(details: Mapping[str, Any], fair: float) -> Iterator[Item]:
    sample = details["sample"]
    yield Lines(list(_course(details)), "how it goes")
    if sample is not None:
        yield Table(
            "named conditions, and how often they were not met",
            ("", "asked", "not met", "where"),
            [_condition(one) for one in sorted(sample["conditions"], key=lambda one: -_failing(one))],
            most=_MOST_CARDS,
        )
        covered = sample["coverage"]
        text = (
            f"choices and conditions were counted in {count_games(sample['games'])}, played once more: they went "
            f"through {covered['reached']:,} of {covered['of']:,} places in the rules; --coverage lists the others"
        )
        yield Lines([text], is_aside=True)
    for title, name in (("at the start", "at_the_start"), ("at the end", "at_the_end")):
        rows = [
            (
                f"{one['slot']}: {one['name']}",
                f"{one['seats']:g}",
                percent(one["share"]),
                Drawn(between(one), one, fair),
            )
            for one in details[name]
        ]
        yield Table(title, ("", "seats", "wins", "95 % sure"), rows)
    yield Table(
        "what cards said of who held them at the end, and how often each condition alone was met",
        ("", "asked", "yes", "95 % sure", "wins", "95 % sure"),
        list(_answers(details["answers"], fair)),
    )
    yield _cards(details["cards"])
    suspects = details["suspects"]
    yield Lines(
        [f"{one['name']}: {one['what']}" for one in suspects],
        "cards to look at; the same deals without one show what it does",
        commands=[one["command"] for one in suspects],
    )
    yield _choices(details["choices"])
    for name, what in (("never_seen", "nobody ever had"), ("never_played", "nobody ever played, though somebody had")):
        yield _listed(what, [one["name"] for one in details[name]])
    named = [one for one in details["options"] if one["option"].partition(":")[0] not in UNNAMED]
    yield _listed("offered, and never chosen", [one["name"] for one in named if not one["chosen"]])


def _course(details: Mapping[str, Any]) -> Iterator[str]:
    lead = details["lead_changes"]
    yield f"a decision is between {details['options_a_decision']:.1f} options"
    yield f"the lead changes {lead['min']:g} to {lead['max']:g} times a game, mean {lead['mean']:.1f}"
    for name, what in (("ahead_at_half_time", "ahead"), ("behind_at_half_time", "last")):
        one = details[name]
        if one["games"]:
            rate = f"{percent(one['share'])} ({between(one)}; {count_games(one['games'])})"
            yield f"who is {what} at half time wins {rate}"
    sample = details["sample"]
    if sample is not None and sample["decided"] + sample["forced"]:
        forced = percent(sample["forced"] / (sample["decided"] + sample["forced"]))
        yield f"in {forced} of choices there was only one thing to choose, so nobody was asked"


def _condition(one: Mapping[str, Any]) -> Sequence[Cell]:
    name = f"{one['of']}: {one['name']}" if one["of"] else one["name"]
    return name, f"{one['held'] + one['failed']}", percent(_failing(one)), one["at"]


def _failing(one: Mapping[str, Any]) -> float:
    return float(one["failed"]) / float(one["held"] + one["failed"])


def _answers(answers: Sequence[Mapping[str, Any]], fair: float) -> Iterator[Sequence[Cell]]:
    for one in answers:
        wins = one["wins"]
        yes = percent(one["share"]), between(one)
        yield (
            f"{one['name']}: {one['question']}",
            f"{one['asked']:,}",
            *yes,
            percent(wins["share"]),
            Drawn(between(wins), wins, fair),
        )
        for line in one["conditions"]:
            yield f"  {line['name']}", "", percent(line["met"] / one["asked"]), "", "", ""


def _cards(cards: Sequence[Mapping[str, Any]]) -> Table:
    reach = max((abs(one["lift"][end]) for one in cards if one["lift"] for end in ("low", "high")), default=0.1)
    reach = max(0.05, min(1.0, reach))
    rows: list[Sequence[Cell]] = [
        (
            one["name"],
            *(f"{one[name]:.2f}" for name in ("drawn", "played", "held")),
            _lift(one["lift"], one["q"], reach),
            _lift(one["lift_played"], one["q_played"], reach),
        )
        for one in sorted(cards, key=lambda one: (min(one["q"], one["q_played"]), one["id"]))
    ]
    return Table(
        "cards, and what those who got or played one won more than those who did not, in the same seat",
        ("", "got", "played", "held", "got: wins", "played: wins"),
        rows,
        most=_MOST_CARDS,
        remarks=[
            "* of all that are marked, at most one of twenty is chance. Who plays well may play strong cards: that is "
            "no proof that a card is strong."
        ],
    )


def _lift(rate: Mapping[str, float] | None, q: float, reach: float) -> Cell:
    if rate is None:
        return "-"
    mark = "*" if q < 0.05 else " "
    text = f"{100 * rate['share']:+.1f} ({100 * rate['low']:+.1f} to {100 * rate['high']:+.1f}){mark}"
    return Drawn(text, rate, 0.0, -reach, reach)


def _choices(choices: Sequence[Mapping[str, Any]]) -> Table:
    rows = [
        (one["name"], f"{one['offered']:,}", f"{one['chosen']:,}", percent(one["chosen"] / one["offered"]))
        for one in choices[:_MOST_OPTIONS]
    ]
    more = len(choices) - _MOST_OPTIONS
    remarks = [f"and {more} more, offered less often (--json lists them)"] if more > 0 else []
    return Table("options: offered, chosen", ("", "offered", "chosen", ""), rows, remarks=remarks)


def _listed(what: str, names: Sequence[str]) -> Lines:
    return Lines([f"{what} ({len(names)}): {', '.join(names)}"] if names else [])
