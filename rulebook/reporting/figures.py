"""Figures of the pages of reports, each a piece of HTML without script: a question to the eye, and what it answers.

In: plain values of a report. Out: HTML. Text is no part of a drawing: it stands beside, so that it is as large on a
phone as anywhere. Never: draws a bar that says nothing; a few words stand there.
"""

from __future__ import annotations

import html
from collections import Counter
from collections.abc import Callable, Sequence
from itertools import pairwise
from math import ceil, floor, log10

from attrs import Factory, evolve, field

from rulebook.classes import frozen
from rulebook.printing import visible
from rulebook.reporting.course_words import list_known_stakes
from rulebook.reporting.line_words import is_vague
from rulebook.reporting.records import Decision, Effect, Shown

_HUNDRED = 100
_MOST_STAKES = 12
_RIVALS = ("rival1", "rival2", "rival3")
"""The styles of the lines of losers that are drawn in a colour; all others are pale."""
_HIGH = 230
"""The height of the drawing of a course in pixels, as in the style."""
_WIDE, _STEP, _RADIUS = 420, 11, 4.4
"""The width of a box of dots, the step from one dot to that above it, and the radius of a dot."""
_MARK, _MARK_WIDTH = 15, 4.0
"""The height of the mark of a moment in pixels, as in the style, and its width in per cent of a course on a phone."""
_EDGE, _APART = 8, 22
"""The least distances of a text from an end of an axis, and of two texts, in per cent of it on a phone."""
_KINDS = {
    "decisive": "decisive: worth 25 games of 100 or more",
    "interesting": "interesting: answers differ",
    "others": "for others: only they win more or less",
    "indifferent": "indifferent: no difference was seen",
    "forced": "forced: only one answer",
}

Worded = Callable[[float], str]


def escape(text: str) -> str:
    """Write a text of a game as part of a page, without what would change the direction or order of what is read."""
    return html.escape(visible(text))


def begin(sentence: str) -> str:
    """Write a text as the beginning of a sentence."""
    return escape(sentence[:1].upper() + sentence[1:])


def draw_figure(caption: str, *parts: str) -> str:
    """Put a caption above what was drawn."""
    inside = "\n".join(part for part in parts if part)
    return f"<figure><figcaption>{caption}</figcaption>\n{inside}</figure>"


# ── intervals ────────────────────────────────────────────────────────────────────────────────────────────────────────


@frozen
class Scale:
    """A linear scale from the left of a drawing to its right, as distances from a mark; `ticks` are named below it,
    each with its value."""

    least: float
    most: float
    ticks: Sequence[tuple[float, float]]

    def at(self, value: float) -> float:
        """Return where a value lies, in per cent of the width."""
        return round(100 * (min(self.most, max(self.least, value)) - self.least) / (self.most - self.least), 2)


@frozen
class Bar:
    """An estimate with the range that verdicts follow, as distances from what is fair, or as before; `level` is how
    well the players play, from 0. One of which too little is known is not drawn."""

    name: str
    row: Effect
    worded: str
    note: str = ""
    level: int = 1
    is_vague: bool = field(default=Factory(lambda bar: is_vague(bar.row), takes_self=True))


def join_bars(bars: Sequence[Bar]) -> list[Bar]:
    """Draw all bars of a family, or none: left out one by one, those with wide ranges would be missing, and these are
    the high ones."""
    return [evolve(bar, is_vague=all(bar.is_vague for bar in bars)) for bar in bars]


def scale_bars(bars: Sequence[Bar], least: float, most: float, mark: float = 0.0) -> Scale:
    """Make a scale on which all bars and what is too small to matter can be seen, from `least` to `most` at most. Its
    ticks are round numbers, counted from nothing instead of from the mark."""
    rows = [bar.row for bar in bars if not bar.is_vague]
    reach = max((max(abs(row.sure_low), abs(row.sure_high), 1.5 * row.grey) for row in rows), default=0.0)
    reach = 1.05 * reach or 1.0
    low, high = max(least, -reach), min(most, reach)
    edge = _EDGE / 100 * (high - low)
    return Scale(low, high, [(value - mark, value) for value in _find_ticks(low + mark + edge, high + mark - edge)])


def _find_ticks(low: float, high: float) -> list[float]:
    """Find the roundest numbers of which three or more lie there."""
    size = 10 ** floor(log10(high - low))
    for step in (5 * size, 2.5 * size, 2 * size, size, size / 2, size / 4, size / 5):
        ticks = [round(number * step, 9) for number in range(ceil(low / step), floor(high / step) + 1)]
        if len(ticks) >= 3:
            break
    return ticks


def draw_bars(bars: Sequence[Bar], scale: Scale, ticked: Worded) -> str:
    """Draw bars below each other on one scale."""
    parts = [_draw_row(bar, scale) for bar in bars]
    if all(bar.is_vague for bar in bars) or not scale.ticks:
        return "\n".join(parts)
    ticks = "".join(
        f'<span class="tick" style="left:{scale.at(at)}%">{escape(ticked(value))}</span>' for at, value in scale.ticks
    )
    axis = f'<div class="row scale"><span class="name"></span><div class="bar axis">{ticks}</div>'
    return "\n".join([*parts, f'{axis}<span class="value"></span></div>'])


def _draw_row(bar: Bar, scale: Scale) -> str:
    """Draw a bar beside its name and value; a striking one is named by its colour and by its place beyond the grey."""
    note = f"<small>{escape(bar.note)}</small>" if bar.note else ""
    name = f'<span class="name">{begin(bar.name)}</span>'
    value = f'<span class="value">{escape(bar.worded)}{note}</span>'
    if bar.is_vague:
        return f'<div class="row">{name}<span class="bar wide">too few games</span><span class="value"></span></div>'
    row = bar.row
    colour = "striking" if row.mark == "look" else f"level{bar.level + 1}"
    drawn = "".join(
        (
            _rectangle(scale, -row.grey, row.grey),
            _draw_upright("fair", scale.at(0), 0, 26),
            _line("range", scale, row.sure_low, row.sure_high),
            # A range as narrow as its dot is seen by its ends.
            *(_draw_upright("end", scale.at(end), 5, 21) for end in (row.sure_low, row.sure_high)),
            f'<circle class="dot" cx="{scale.at(row.value)}%" cy="13" r="3.5"/>',
        )
    )
    svg = f'<svg class="{colour}" height="26" role="img" aria-label="{escape(bar.worded)}">{drawn}</svg>'
    return f'<div class="row">{name}<div class="bar">{svg}</div>{value}</div>'


def _rectangle(scale: Scale, low: float, high: float) -> str:
    left, right = scale.at(low), scale.at(high)
    return f'<rect class="band" x="{left}%" width="{round(right - left, 2)}%" y="0" height="26"/>'


def _draw_upright(sort: str, at: float, top: int, bottom: int) -> str:
    return f'<line class="{sort}" x1="{at}%" x2="{at}%" y1="{top}" y2="{bottom}"/>'


def _line(sort: str, scale: Scale, low: float, high: float) -> str:
    return f'<line class="{sort}" x1="{scale.at(low)}%" x2="{scale.at(high)}%" y1="13" y2="13"/>'


# ── dots, one for each game of a hundred ─────────────────────────────────────────────────────────────────────────────


def draw_lengths(histogram: Sequence[tuple[int, int, int]], nine_of_ten: Sequence[float], median: float) -> str:
    """Draw a hundred dots, each one game of a hundred, over how long it was; nine of ten are dark."""
    games = sum(count for _, _, count in histogram)
    if not games:
        return ""
    columns, before = list[tuple[int, bool]](), 0
    for low, end, count in histogram:
        # Rounded down together, so that there are a hundred.
        here = _HUNDRED * (before + count) // games - _HUNDRED * before // games
        columns.append((here, low <= nine_of_ten[1] and end >= nine_of_ten[0]))
        before += count
    shown = _draw_columns([["dark" if is_usual else "pale"] * here for here, is_usual in columns], "games by length")
    first, last = histogram[0][0], histogram[-1][1]
    ends = f'<span class="first">{first}</span><span class="last" style="left:100%">{last} decisions</span>'
    middle = round(100 * (median - first) / (last + 1 - first), 2)
    ends += f'<span style="left:{middle}%">{median:g}</span>' if _APART < middle < 100 - 2 * _APART else ""
    return f'<div class="dots">{shown}<div class="axis">{ends}</div></div>'


def draw_decided(when: Sequence[float]) -> str:
    """Draw a dot a game over the tenth of it from which on its winner is the favourite."""
    tenths = Counter(min(9, int(10 * moment)) for moment in when)
    drawn = _draw_columns([["dark"] * tenths[tenth] for tenth in range(10)], "when games were decided")
    ends = '<span class="first">first tenth</span><span style="left:50%">half way</span>'
    ends += '<span class="last" style="left:100%">last tenth</span>'
    return f'<div class="dots">{drawn}<div class="axis">{ends}</div></div>'


def _draw_columns(columns: Sequence[Sequence[str]], label: str) -> str:
    """Draw columns of dots from the bottom up; large ones are more than one column wide."""
    wide = _WIDE / len(columns)
    beside = max(1, int(wide / _STEP))
    high = max(1, max(-(-len(column) // beside) for column in columns)) * _STEP + 2
    parts = []
    for number, column in enumerate(columns):
        for place, sort in enumerate(column):
            x = wide * number + (wide - _STEP * min(beside, len(column))) / 2 + _STEP * (place % beside + 0.5)
            y = high - _STEP * (place // beside + 0.5)
            parts.append(f'<circle class="{sort}" cx="{x:.1f}" cy="{y:.1f}" r="{_RADIUS}"/>')
    ground = f'<line class="fair" x1="0" x2="{_WIDE}" y1="{high}" y2="{high}"/>'
    return f'<svg viewBox="0 0 {_WIDE} {high}" role="img" aria-label="{escape(label)}">{"".join(parts)}{ground}</svg>'


def draw_share(share: float, label: str) -> str:
    """Draw how many of a hundred."""
    count = round(_HUNDRED * share)
    dots = '<i class="on"></i>' * count + "<i></i>" * (_HUNDRED - count)
    return f'<div class="hundred" role="img" aria-label="{escape(label)}">{dots}</div>'


# ── decisions ────────────────────────────────────────────────────────────────────────────────────────────────────────


def _divide(row: Decision) -> dict[str, float]:
    """Divide the decisions of a row by kind, without kinds of which there are none."""
    shares = (row.decisive, row.interesting, row.for_others, row.indifferent, row.forced)
    return {kind: share for kind, share in zip(_KINDS, shares, strict=True) if share > 0}


def draw_stakes(rows: Sequence[Decision]) -> str:
    """Draw of all decisions, and of each kind of which enough were seen, how many were decisive, interesting,
    for others only, indifferent and forced; those that matter most first, with the last of them."""
    known = list_known_stakes(rows)
    known = known if len(known) <= _MOST_STAKES else [*known[: _MOST_STAKES - 1], known[-1]]
    drawn = [(row, _divide(row)) for row in (rows[0], *known)]
    kinds = [(kind, text) for kind, text in _KINDS.items() if any(kind in shares for _, shares in drawn)]
    key = "".join(f'<span><i class="{kind}"></i>{text}</span>' for kind, text in kinds)
    parts = [f'<p class="key">{key}</p>']
    for row, shares in drawn:
        pieces = "".join(f'<i class="{kind}" style="width:{100 * share:.2f}%"></i>' for kind, share in shares.items())
        text = ", ".join(f"{100 * share:.0f} of 100 {kind}" for kind, share in shares.items())
        stack = f'<div class="bar stack" role="img" aria-label="{text}">{pieces}</div>'
        value = f"{100 * row.matters:.0f} of 100 matter"
        note = f"{100 * row.for_others:.0f} to others only; " if round(100 * row.for_others) else ""
        note += f"{row.decisions:,} looked at"
        parts.append(
            f'<div class="row"><span class="name">{begin(row.name)}</span>{stack}'
            f'<span class="value">{value}<small>{note}</small></span></div>'
        )
    left = rows[0].decisions - sum(row.decisions for row in known)
    if left:
        parts.append(f'<p class="note">{left:,} decisions of other kinds are left out here.</p>')
    return "\n".join(parts)


# ── the course of a game ─────────────────────────────────────────────────────────────────────────────────────────────


def draw_course(shown: Shown) -> str:
    """Draw each seat's chance over the course of a game: the winner, whoever else was ahead and who is told of strong,
    others pale."""
    points = shown.points
    first, end = points[0].at, points[-1].at
    winners = [seat - 1 for seat in shown.winner]
    seats = [seat for seat in range(len(points[0].chances)) if seat not in winners]
    ahead_or_told = dict.fromkeys([*shown.leaders, *(step.seat for step in shown.told)])
    rivals = [number - 1 for number in ahead_or_told if number - 1 in seats][: len(_RIVALS)]
    others = [seat for seat in seats if seat not in rivals]

    def across(at: float) -> float:
        return round(100 * (at - first) / max(1, end - first), 2)

    def trace(seat: int, sort: str) -> str:
        spots = " ".join(f"{across(point.at)},{round(100 - 100 * point.chances[seat], 2)}" for point in points)
        return f'<polyline class="trace {sort}" points="{spots}"/>'

    stages = [(points[0].at, points[0].stage)]
    stages += [(after.at, after.stage) for before, after in pairwise(points) if after.stage != before.stage]
    stages = [(at, name) for at, name in stages if name]
    lines = [f'<line class="stage" x1="{across(at)}" x2="{across(at)}" y1="0" y2="100"/>' for at, _ in stages]
    lines += [f'<line class="stage" x1="0" x2="100" y1="{y}" y2="{y}"/>' for y in (0, 50, 100)]
    lines += [trace(seat, "") for seat in others]
    lines += [trace(seat, sort) for sort, seat in zip(_RIVALS, rivals, strict=False)]
    lines += [trace(seat, "winner") for seat in winners]
    tops = {share: f"{_HIGH * (100 - share) / 100:g}px" for share in (0, 50, 100)}
    spots = list[tuple[float, float]]()
    for step in shown.told:
        near = min(points, key=lambda other: abs(other.at - step.decision))
        x, y = across(step.decision), _HIGH * (1 - near.chances[step.seat - 1])
        taken = [top for left, top in spots if abs(x - left) < _MARK_WIDTH]
        rows = (y + step * _MARK for row in range(len(taken) + 1) for step in (-row, row))
        spots.append((x, next(top for top in rows if all(abs(top - other) >= _MARK for other in taken))))
    heights = "".join(f'<span class="height" style="top:{top}">{share}</span>' for share, top in tops.items())
    marks = "".join(
        f'<span class="told" style="left:min({left}%, 100% - 7px);top:{top:.0f}px">{_number_told(number)}</span>'
        for number, (left, top) in enumerate(spots)
    )
    named, free = "", 0.0
    for at, name in stages:
        if across(at) >= free:
            named += f'<span class="{"last" if across(at) > 100 - _APART else "first"}" style="left:{across(at)}%">'
            named, free = f"{named}{escape(name)}</span>", across(at) + _APART
    key = [_key_line("winner", f"Bot {seat + 1}, who won") for seat in winners]
    key += [_key_line(sort, f"Bot {seat + 1}") for sort, seat in zip(_RIVALS, rivals, strict=False)]
    key += [_key_line("", ", ".join(f"Bot {seat + 1}" for seat in others))] if others else []
    box = 'viewBox="0 0 100 100" preserveAspectRatio="none" role="img" aria-label="chances"'
    svg = f"<svg {box}>{''.join(lines)}</svg>"
    below = f'<div class="axis">{named}</div><div class="axis"><span class="first">decision 1</span>'
    below += f'<span class="last" style="left:100%">decision {shown.decisions}</span></div>'
    return f'<p class="key">{"".join(key)}</p><div class="course">{heights}{marks}{svg}{below}</div>'


def _key_line(sort: str, name: str) -> str:
    line = f'<svg viewBox="0 0 26 10"><line class="trace {sort}" x1="0" x2="26" y1="5" y2="5"/></svg>'
    return f"<span>{line}{escape(name)}</span>"


def _number_told(number: int) -> str:
    return chr(ord("①") + number) if number < 20 else str(number + 1)


def list_told(shown: Shown) -> str:
    """Tell the moments that are numbered in the drawing."""
    return "".join(
        f'<p class="note"><b>{_number_told(number)}</b> Decision {step.decision}: {begin(step.text)}</p>'
        for number, step in enumerate(shown.told)
    )


def lay_panels(panels: Sequence[str]) -> str:
    """Lay panels beside each other where there is room; one alone has all of it."""
    if len(panels) == 1:
        return panels[0]
    return f'<div class="panels">{"".join(f"<div>{panel}</div>" for panel in panels)}</div>'
