"""A report as one page that needs nothing else: no script, no other file, no network.

In: reports (`series/report`), one for each series. Out: HTML, with drawings in it. Never: a text of a game that is not
escaped.
"""

from __future__ import annotations

import html
from collections.abc import Callable, Iterator, Sequence
from typing import Any

from rulebook.printing import visible

__all__ = ["page"]

_WIDTH, _BAR = 420, 18
_MOST_OPTIONS = 15
_STYLE = """
body { font: 15px/1.5 system-ui, sans-serif; color: #222; background: #fff; max-width: 62rem; margin: 2rem auto;
padding: 0 1rem } h1 { font-size: 1.6rem; margin-bottom: .2rem } h2 { font-size: 1.15rem; margin: 2rem 0 .5rem }
table { border-collapse: collapse; margin: .5rem 0 } td, th { padding: .15rem .7rem .15rem 0; text-align: right;
vertical-align: top } td:first-child, th:first-child { text-align: left } th { font-weight: 600; border-bottom: 1px
solid #999 } code { background: #f2f2f2; padding: .1rem .3rem; overflow-wrap: anywhere } .note { color: #666;
font-size: .9rem } svg { vertical-align: middle; max-width: 100% } .sure { font-weight: 600 }
.table { overflow-x: auto } td:not(:first-child) { white-space: nowrap } td code { white-space: normal }
@media (max-width: 40rem) { body { margin: 1rem auto } td, th { padding-right: .3rem } table { font-size: .82rem }
td svg { display: none }
td:first-child { min-width: 6rem } .where { display: none } }
@media (prefers-color-scheme: dark) { body { color: #ddd; background: #181818 } code { background: #2a2a2a } .note {
color: #999 } }
"""


def page(reports: Sequence[dict[str, Any]], points: Callable[[float], str], version: str) -> str:
    """The whole page. `points` puts points into words."""
    title = escape(reports[0]["title"])
    body = "\n".join(line for report in reports for line in _series(report, points))
    return (
        f'<!doctype html>\n<html lang="en">\n<meta charset="utf-8">\n<title>{title}</title>\n'
        f'<meta name="viewport" content="width=device-width">\n<style>{_STYLE}</style>\n{body}\n'
        f'<p class="note">Made by rulebook {escape(version)}. The same as data lies beside this page.</p>\n</html>\n'
    )


def _series(report: dict[str, Any], points: Callable[[float], str]) -> Iterator[str]:
    yield f"<h1>{escape(report['title'])}</h1>"
    games = f"{report['games']:,} games" + (
        f" on {report['games'] // report['rotations']:,} deals" if report["rotations"] > 1 else ""
    )
    without = "".join(f", without {escape(name)}" for name in report["without"])
    yield f"<p>{report['players']} players, {games}, played by {escape(', '.join(report['bots']))}{without}.</p>"
    yield f"<p><code>{escape(report['command'])}</code><br>"
    yield f'<span class="note">rules {escape(report["rules"])}, seed {report["seed"]}</span></p>'
    yield from (f'<p class="note">{escape(note)}</p>' for note in report["remarks"])
    yield from _standing_out(report)
    yield "<h2>Who wins</h2>"
    yield from _winners(report)
    yield "<h2>How long it takes</h2>"
    yield from _lengths(report, points)
    if "details" in report:
        yield from _details(report["details"], report["fair"])
    yield "<h2>Games to look at</h2>"
    rows = [(one["what"], f"{one['seed']}", f"<code>{escape(one['replay'])}</code>") for one in report["to_see"]]
    yield _table(("", "seed", "again"), rows)


def _standing_out(report: dict[str, Any]) -> Iterator[str]:
    found = report["stands_out"]
    if found:
        yield "<h2>What stands out</h2>"
        names = [f"<strong>{escape(one['name'])}</strong>: " if one["name"] else "" for one in found]
        lines = [f"<li>{name}{escape(one['what'])}</li>" for name, one in zip(names, found, strict=True)]
        yield f"<ol>{''.join(lines)}</ol>"
    elif "details" in report:
        yield '<p class="note">Nothing stands out: no card, role or option goes half the way to always or never.</p>'


def _winners(report: dict[str, Any]) -> Iterator[str]:
    fair = report["fair"]
    rows = []
    for one in [*report["seats"], *report.get("by_bot", ())]:
        name = f"seat {one['seat']} {one['bot']}" if "seat" in one else f"{one['bot']}, wherever it sits"
        rows.append((escape(name.strip()), _percent(one["share"]), _between(one), _dot(one, fair, 0.0, 1.0)))
    yield _table(("", "wins", "95 % sure", ""), rows)
    if report["rotations"] == 1 and len(set(report["bots"])) > 1:
        yield '<p class="note">The bots differ, and each sits in one seat only.</p>'
    else:
        if report.get("luck") is not None:
            luck = report["luck"]
            yield (
                f"<p>The deal decides {_percent(luck['share'])} ({_between(luck)}) of who wins; the rest is how it is "
                "played.</p>"
            )
        yield (
            f'<p class="note">Fair would be {_percent(fair)}, the line on a wide page. Seats that are all alike '
            f"differ as much by chance in {_percent(report['fair_p'])} of such series.</p>"
        )


def _lengths(report: dict[str, Any], points: Callable[[float], str]) -> Iterator[str]:
    length, turns, (low, high) = report["length"], report["turns"], report["nine_of_ten"]
    yield _bars(report["histogram"])
    rows = [
        (
            "decisions",
            f"{length['mean']:.1f}",
            f"{length['median']:g}",
            f"{low:.0f} to {high:.0f}",
            f"{length['max']:g}",
        ),
        ("turns", f"{turns['mean']:.1f}", f"{turns['median']:g}", "", f"{turns['max']:g}"),
    ]
    yield _table(("", "mean", "median", "nine of ten", "most"), rows)
    ends = ", ".join(f"{count:,} {escape(how)}" for how, count in report["endings"].items())
    yield f"<p>Games that ended: {ends}. {report['shared']:,} had several winners.</p>"
    for one in report["measures"]:
        yield f"<p>{escape(one['name'])}: {one['min']:g} to {one['max']:g}, mean {one['mean']:.2f}.</p>"
    if any(report["points"]):
        means = ", ".join(escape(points(mean)) for mean in report["points"])
        yield f"<p>Mean points by seat: {means}; the first is ahead by {escape(points(report['margin']['mean']))}.</p>"


def _details(details: dict[str, Any], fair: float) -> Iterator[str]:
    yield "<h2>How it goes</h2>"
    ahead, behind, lead = details["ahead_at_half_time"], details["behind_at_half_time"], details["lead_changes"]
    rows = [
        ("options in a decision", f"{details['options_a_decision']:.1f}", ""),
        ("the lead changes, times a game", f"{lead['mean']:.1f}", f"up to {lead['max']:g}"),
        ("who is ahead at half time wins", _percent(ahead["share"]), _of_games(ahead)),
        ("who is last at half time wins", _percent(behind["share"]), _of_games(behind)),
    ]
    yield _table(("", "", ""), rows)
    if details["sample"] is not None:
        yield from _sample(details["sample"])
    for name, when in (("at_the_start", "at the start"), ("at_the_end", "at the end")):
        if not details[name]:
            continue
        yield f"<h2>What somebody had {when}</h2>"
        rows_of_roles = [
            (
                escape(f"{one['slot']}: {one['name']}"),
                f"{one['seats']:g}",
                _percent(one["share"]),
                _between(one),
                _dot(one, fair, 0.0, 1.0),
            )
            for one in details[name]
        ]
        yield _table(("", "seats", "wins", "95 % sure", ""), rows_of_roles)
    yield from _answers(details["answers"], fair)
    if details["cards"]:
        yield "<h2>Cards</h2>"
        yield from _cards(details["cards"])
    if details["suspects"]:
        yield "<p>Cards to look at; the same deals without one show what it does:</p>"
        again = [
            f"<li><strong>{escape(one['name'])}</strong>: {escape(one['what'])}<br>"
            f"<code>{escape(one['command'])}</code></li>"
            for one in details["suspects"]
        ]
        yield f"<ul>{''.join(again)}</ul>"
    yield from _choices(details["choices"])
    for name, what in (("never_seen", "Nobody ever had"), ("never_played", "Somebody had, and nobody ever played")):
        if details[name]:
            yield f"<p>{what}: {escape(', '.join(one['name'] for one in details[name]))}.</p>"
    never = [one["name"] for one in details["options"] if not one["chosen"]]
    if never:
        yield f"<p>Offered, and never chosen: {escape(', '.join(never))}.</p>"


def _choices(choices: Sequence[dict[str, Any]]) -> Iterator[str]:
    if not choices:
        return
    yield "<h2>Options: offered, chosen</h2>"
    rows = [
        (escape(one["name"]), f"{one['offered']:,}", f"{one['chosen']:,}", _percent(one["chosen"] / one["offered"]))
        for one in choices[:_MOST_OPTIONS]
    ]
    yield _table(("", "offered", "chosen", ""), rows)
    if len(choices) > _MOST_OPTIONS:
        more = f"And {len(choices) - _MOST_OPTIONS} more, offered less often; the data beside this page lists them."
        yield f'<p class="note">{more}</p>'


def _answers(answers: Sequence[dict[str, Any]], fair: float) -> Iterator[str]:
    if not answers:
        return
    yield "<h2>What cards said of who held them at the end</h2>"
    rows = []
    for one in answers:
        name = f"<strong>{escape(one['name'])}</strong>: {escape(one['question'])}"
        yes = f"<strong>{_percent(one['share'])}</strong>"
        wins = one["wins"]
        rows.append((name, f"{one['asked']:,}", yes, _percent(wins["share"]), _aside(wins), _dot(wins, fair, 0, 1)))
        rows += [
            (f"· {escape(line['name'])}", "", _percent(line["met"] / one["asked"]), "", "", "")
            for line in one["conditions"]
        ]
    yield _table(("", "asked", "yes", "wins", "95 % sure", ""), rows)
    yield '<p class="note">Each condition is looked at alone, whether or not the others were met.</p>'


def _sample(sample: dict[str, Any]) -> Iterator[str]:
    choices = sample["decided"] + sample["forced"]
    if choices:
        yield f"<p>In {_percent(sample['forced'] / choices)} of choices there was only one thing to choose.</p>"
    if sample["conditions"]:
        yield "<h2>Named conditions</h2>"
        rows = []
        for one in sample["conditions"]:
            asked = one["held"] + one["failed"]
            of = f"<strong>{escape(one['of'])}</strong>: " if one["of"] else ""
            where = f'<span class="where">{escape(one["at"])}</span>'
            rows.append((of + escape(one["name"]), f"{asked}", _percent(one["failed"] / asked), where))
        yield _table(("", "asked", "not met", ""), rows)
    covered = sample["coverage"]
    yield (
        f'<p class="note">Counted in {sample["games"]} games, played once more, which went through '
        f"{covered['reached']:,} of {covered['of']:,} places in the rules; "
        "with <code>--coverage</code> the command lists the others.</p>"
    )


def _cards(cards: Sequence[dict[str, Any]]) -> Iterator[str]:
    reach = max((abs(one["lift"][end]) for one in cards if one["lift"] for end in ("low", "high")), default=0.1)
    reach = max(0.05, min(1.0, reach))
    rows = []
    for one in sorted(cards, key=lambda card: (min(card["q"], card["q_played"]), card["id"])):
        rows.append(
            (
                escape(one["name"]),
                *(f"{one[name]:.2f}" for name in ("drawn", "played", "held")),
                _lift(one["lift"], one["q"]),
                "" if one["lift"] is None else _dot(one["lift"], 0.0, -reach, reach),
                _lift(one["lift_played"], one["q_played"]),
            )
        )
    yield _table(("", "got", "played", "held", "who got it wins more", "", "who played it"), rows)
    yield (
        '<p class="note">Times a game; then the difference in wins, in percentage points, to those who did not, in the '
        "same seat. In bold: of all that are, one of twenty may be chance. Who plays well may play strong cards: that "
        "is no proof that a card is strong.</p>"
    )


def escape(text: str) -> str:
    """A text of a game as part of the page, without what would change the direction or order of what is read."""
    return html.escape(visible(text))


# ── pieces ───────────────────────────────────────────────────────────────────────────────────────────────────────────


def _percent(share: float) -> str:
    return f"{share:.1%}"


def _between(rate: dict[str, float]) -> str:
    return f"{_percent(rate['low'])} to {_percent(rate['high'])}"


def _of_games(rate: dict[str, float]) -> str:
    return f'{_between(rate)} <span class="where">({rate["games"]:g} games)</span>'


def _aside(rate: dict[str, float]) -> str:
    return f'<span class="where">{_between(rate)}</span>'


def _lift(rate: dict[str, float] | None, q: float) -> str:
    if rate is None:
        return ""
    words = f"{100 * rate['share']:+.1f}"
    return f'<span class="sure">{words}</span>' if q < 0.05 else words


def _table(heads: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """Cells are HTML already."""
    head = "".join(f"<th>{escape(one)}</th>" for one in heads) if any(heads) else ""
    lines = [f"<tr>{head}</tr>"] if head else []
    lines += ["<tr>" + "".join(f"<td>{cell}</td>" for cell in row) + "</tr>" for row in rows]
    return '<div class="table"><table>\n' + "\n".join(lines) + "\n</table></div>"


def _dot(rate: dict[str, float], line: float, least: float, most: float) -> str:
    """An estimate with its interval, and a line to compare it with."""

    def at(value: float) -> float:
        return round(4 + (min(most, max(least, value)) - least) / (most - least) * (_WIDTH / 2 - 8), 1)

    middle = _BAR / 2
    return (
        f'<svg width="{_WIDTH // 2}" height="{_BAR}" viewBox="0 0 {_WIDTH // 2} {_BAR}" role="img" '
        f'aria-label="{_percent(rate["share"])}">'
        f'<line x1="{at(line)}" y1="0" x2="{at(line)}" y2="{_BAR}" stroke="#999"/>'
        f'<line x1="{at(rate["low"])}" y1="{middle}" x2="{at(rate["high"])}" y2="{middle}" stroke="#36c" '
        'stroke-width="3"/>'
        f'<circle cx="{at(rate["share"])}" cy="{middle}" r="4" fill="#36c"/></svg>'
    )


def _bars(histogram: Sequence[tuple[int, int, int]]) -> str:
    """Plot how many games were how long."""
    if not histogram:
        return ""
    tallest, wide, high = max(count for _, _, count in histogram), _WIDTH / len(histogram), 100
    parts = []
    for place, (low, end, count) in enumerate(histogram):
        tall = round(high * count / tallest, 1)
        parts.append(
            f'<rect x="{round(place * wide, 1)}" y="{high - tall}" width="{round(wide - 1, 1)}" height="{tall}" '
            f'fill="#36c">'
            f"<title>{low} to {end} decisions: {count} games</title></rect>"
        )
    first, last = histogram[0][0], histogram[-1][1]
    return (
        f'<svg width="{_WIDTH}" viewBox="0 0 {_WIDTH} {high + 18}" role="img" aria-label="games by decisions">'
        f"{''.join(parts)}"
        f'<text x="0" y="{high + 14}" font-size="12" fill="#888">{first}</text>'
        f'<text x="{_WIDTH}" y="{high + 14}" font-size="12" fill="#888" text-anchor="end">{last} decisions</text></svg>'
    )
