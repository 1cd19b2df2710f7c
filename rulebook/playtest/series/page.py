"""A report as one page of HTML that needs nothing else: no script, no other file, no network."""

from __future__ import annotations

import html
from collections.abc import Callable, Iterator, Sequence
from typing import Any

from rulebook.playtest.series.described import Answers, Cell, Drawn, Item, Table, describe, head_of, percent
from rulebook.printing import visible

_WIDTH, _BAR = 420, 18
_STYLE = """
body { font: 15px/1.5 system-ui, sans-serif; color: #222; background: #fff; max-width: 62rem; margin: 2rem auto;
padding: 0 1rem } h1 { font-size: 1.6rem; margin-bottom: .2rem } h2 { font-size: 1.15rem; margin: 2rem 0 .5rem }
table { border-collapse: collapse; margin: .5rem 0 } td, th { padding: .15rem .7rem .15rem 0; text-align: right;
vertical-align: top } td:first-child, th:first-child { text-align: left } th { font-weight: 600; border-bottom: 1px
solid #999 } code { background: #f2f2f2; padding: .1rem .3rem; overflow-wrap: anywhere } .note { color: #666;
font-size: .9rem } svg { vertical-align: middle; max-width: 100% } .sure { font-weight: 600 }
.table { overflow-x: auto } td:not(:first-child) { white-space: nowrap } td code { white-space: normal }
.headline { font: 600 1.35rem/1.35 Charter, Cambria, Georgia, serif; margin: 1.2rem 0 } .answers { display: grid;
grid-template-columns: max-content 1fr; gap: .6rem 1rem; margin: 0 0 2rem } .answers dt, .answers dd { margin: 0 }
.answers dt { color: #666 } .answers dt b { display: block; color: #222 }
.answers small { color: #666; font-size: .9rem }
dt.look { color: #b3261e; text-transform: uppercase } dt.open { color: #8a5a00; text-transform: uppercase }
.answers dt b { text-transform: none }
@media (max-width: 40rem) { body { margin: 1rem auto } td, th { padding-right: .3rem } table { font-size: .82rem }
td svg { display: none }
td:first-child { min-width: 6rem } .where { display: none } }
@media (prefers-color-scheme: dark) { body { color: #ddd; background: #181818 } code { background: #2a2a2a }
.note, .answers small, .answers dt { color: #aaa } .answers dt b { color: #ddd } dt.look { color: #ff8a80 }
dt.open { color: #e0b050 } }
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
    yield f"<h1>{escape(report['title'])}</h1>\n<p>{escape(head_of(report))}</p>"
    yield f"<p><code>{escape(report['command'])}</code><br>"
    yield f'<span class="note">rules {escape(report["rules"])}</span></p>'
    for item in describe(report, points):
        yield _item(item)
    yield f"<h2>Games by their length</h2>\n{_bars(report['histogram'])}"
    ends = ", ".join(f"{count:,} {escape(how)}" for how, count in report["endings"].items())
    yield f"<p>Games that ended: {ends}.</p>\n<h2>Games to look at</h2>"
    rows = [(one["what"], f"{one['seed']}", f"<code>{escape(one['replay'])}</code>") for one in report["to_see"]]
    yield _table(("", "seed", "again"), rows)


def _item(item: Item) -> str:
    if isinstance(item, Answers):
        return _answers(item)
    parts = [f"<h2>{_begin(item.title)}</h2>"] if item.title else []
    if isinstance(item, Table):
        parts.append(_table(item.heads, [[_cell(cell) for cell in row] for row in item.rows]))
        parts += [f'<p class="note">{_begin(remark)}</p>' for remark in item.remarks]
    else:
        note = ' class="note"' if item.is_aside else ""
        parts += [f"<p{note}>{_begin(line)}</p>" for line in item.lines]
    return "\n".join(parts)


def _answers(item: Answers) -> str:
    parts = [f'<p class="headline">{escape(item.headline)}</p>', '<dl class="answers">']
    for one in item.answers:
        first, *others = one.lines
        notes = "".join(f"<br><small>{escape(line)}</small>" for line in others)
        notes += "".join(f"<br><code>{escape(command)}</code>" for command in one.commands)
        parts.append(
            f'<dt class="{one.mark}">{one.mark} <b>{escape(one.question)}</b></dt><dd>{escape(first)}{notes}</dd>'
        )
    return "\n".join([*parts, "</dl>"])


def _cell(cell: Cell) -> str:
    return escape(cell) if isinstance(cell, str) else f"{escape(cell.text)} {_dot(cell)}"


def escape(text: str) -> str:
    """A text of a game as part of the page, without what would change the direction or order of what is read."""
    return html.escape(visible(text))


def _begin(sentence: str) -> str:
    return escape(sentence[:1].upper() + sentence[1:])


def _table(heads: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """Cells are HTML already."""
    head = "".join(f"<th>{escape(one)}</th>" for one in heads)
    lines = [f"<tr>{head}</tr>", *("<tr>" + "".join(f"<td>{cell}</td>" for cell in row) + "</tr>" for row in rows)]
    return '<div class="table"><table>\n' + "\n".join(lines) + "\n</table></div>"


def _dot(cell: Drawn) -> str:
    """An estimate with its interval, and a line to compare it with."""
    rate, least, most = cell.rate, cell.least, cell.most

    def at(value: float) -> float:
        return round(4 + (min(most, max(least, value)) - least) / (most - least) * (_WIDTH / 2 - 8), 1)

    middle = _BAR / 2
    return (
        f'<svg width="{_WIDTH // 2}" height="{_BAR}" viewBox="0 0 {_WIDTH // 2} {_BAR}" role="img" '
        f'aria-label="{percent(rate["share"])}">'
        f'<line x1="{at(cell.line)}" y1="0" x2="{at(cell.line)}" y2="{_BAR}" stroke="#999"/>'
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
