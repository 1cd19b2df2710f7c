"""One answer from several levels of play: what holds at all of them, what only under good play, what turns with skill.

In: each line at all levels, the cheapest first, and which of them are evidence of good play. Out: for each line one
mark and one sentence. Never: a mean over levels; a LOOK that only random players show.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from typing import TypeVar

from rulebook.classes import frozen
from rulebook.playtest.series.levels import RANDOM
from rulebook.reporting.records import Comparison, Effect, Levels, Line, Measure, Merged, Report, Row
from rulebook.statistics.verdicts import FACT, FINE, LOOK, OPEN

E = TypeVar("E", bound=Effect)
R = TypeVar("R", bound=Row)
Effects = Mapping[str, Effect]
"""A line by level, the cheapest first."""

EVERYWHERE, GOOD, SOME, ELSEWHERE, UNSETTLED, TURNS, NOTHING = (
    "at all levels",
    "only under good play",
    "at some levels",
    "not under good play",
    "unsettled",
    "turns with skill",
    "nothing",
)
"""The ways in which a line can go with skill."""

ALONE = ""
"""The name of a level beside which there is no other."""
TOO_FEW = "too few games"
_SAID = {
    "random": "take any answer",
    "greedy": "take what looks best at once",
    "learned": "trained by playing against themselves, each apart, and do what paid",
    "search": "try answers out in imagined games",
}
"""The manner of play at each level."""
SOLVED = "solved"
"""The name of the level of those who never err: where a game is solved, it is known what they get."""
_PLAYERS = {
    "random": "random players",
    "greedy": "greedy players",
    "learned": "players who learned",
    "search": "players who search",
    SOLVED: "players who never err",
}
_THOSE = {
    "random": "random ones",
    "greedy": "greedy ones",
    "learned": "those who learned",
    "search": "those who search",
    SOLVED: "those who never err",
}


@frozen
class Trend:
    """The trend of a line over levels of skill, its mark, and the levels that show it, the most telling first."""

    way: str
    mark: str
    levels: tuple[str, ...]


def merge_rows(rows: Effects, worthy: Collection[str]) -> Trend:
    """Merge the verdicts of one line. The best players of whom it is settled have the last word."""
    names, looks = list(rows), [name for name in rows if rows[name].mark == LOOK]
    above, below = ([name for name in looks if (rows[name].value > 0) is side] for side in (True, False))
    if above and below:
        return Trend(TURNS, LOOK, tuple(sorted((above[0], below[0]), key=names.index)))
    best = next((name for name in reversed(names) if name in worthy), "")
    if not looks:
        marks = {row.mark for row in rows.values()}
        if marks == {FACT}:
            return Trend(NOTHING, FACT, (best or names[-1],))
        is_fine = rows[best].mark == FINE if best else OPEN not in marks
        return Trend(NOTHING, FINE if is_fine else OPEN, (best or names[-1],))
    if looks == names and len(names) > 1:
        return Trend(EVERYWHERE, LOOK, (names[-1],))
    settled = next((name for name in reversed(names) if name in worthy and rows[name].mark != OPEN), "")
    if settled in looks:
        others = tuple(name for name in names if name != settled)
        return Trend(SOME if names[0] in looks else GOOD, LOOK, (settled, *others))
    if settled and names.index(settled) > names.index(looks[-1]):
        return Trend(ELSEWHERE, FINE, (looks[-1], settled))
    return Trend(UNSETTLED, OPEN, (looks[-1], *(name for name in names[-1:] if name != looks[-1])))


def merge_lines(
    levels: Mapping[str, Iterable[R]],
    worthy: Collection[str],
    question: Callable[[R], str],
    say: Callable[[Trend, Mapping[str, R]], str],
) -> Iterator[Merged[R]]:
    """Merge the lines of all levels that are about the same: each answers a question, and says a sentence, if there is
    anything to say."""
    by_about: dict[object, dict[str, R]] = {}
    for level, rows in levels.items():
        for row in rows:
            by_about.setdefault(row.about, {})[level] = row
    for same in by_about.values():
        skill_trend, first = merge_rows(same, worthy), next(iter(same.values()))
        yield Merged(
            question=question(first),
            about=first.about,
            name=first.name,
            mark=skill_trend.mark,
            way=skill_trend.way,
            decided_by=skill_trend.levels[0],
            says="" if skill_trend.way == NOTHING else say(skill_trend, same),
            levels=same,
        )


def weigh_row(row: Effect) -> float:
    """Weigh a line by how far the end of its range that is nearer lies beyond what is too small to matter."""
    nearer = max(row.sure_low, -row.sure_high)
    return nearer / row.grey if row.grey else 1.0


def word_merged(
    skill_trend: Trend, rows: Mapping[str, E], claim: Callable[[E], str], measure: Callable[[E], str], fair: str
) -> str:
    """Say it in a sentence. `claim` says what a level shows ("seat 1 wins too often"), `measure` how much it is, and
    `fair` what it would be otherwise, if that is worth saying."""
    first, *others = skill_trend.levels
    what, size = claim(rows[first]), f"{measure(rows[first])} among {_PLAYERS[first]}"
    also = "".join(f"; {_doubt(measure(rows[name]), rows[name], _THOSE[name])}" for name in others)
    better = f"{also[1:]}, so that is open" if others else " among better players that was not counted"
    has_better = not rows.keys().isdisjoint(("search", "learned"))
    alike = "at every level of play asked" if has_better else "among random and greedy players alike"
    only = "Only among" if _is_fine(rows, others) else "Among"
    best = rows[others[0]] if others else rows[first]
    is_same = best.sure_low > 0 if rows[first].value > 0 else best.sure_high < 0
    sentences = {
        EVERYWHERE: f"{_begin(what)}, {alike}: {size}{fair}.",
        GOOD: f"{only} the best players, {what}: {size}{fair}{also}.",
        SOME: f"{_begin(what)}: {size}{fair}{also}.",
        UNSETTLED: f"Among {_PLAYERS[first]} {what}: {measure(rows[first])}{fair};{better}.",
        ELSEWHERE: f"Enough to notice only among {_PLAYERS[first]}, {what}: {measure(rows[first])}{fair}{also}."
        if is_same
        else f"Only among {_PLAYERS[first]} {what}: {measure(rows[first])}{fair}; not so{also[1:]}.",
        TURNS: f"It turns with skill. Among {_PLAYERS[first]} {what}: {measure(rows[first])}{fair}{also}.",
    }
    return sentences[skill_trend.way]


def _is_fine(rows: Effects, names: Sequence[str]) -> bool:
    """Tell whether nothing is shown of any of these, nor anything that is too small to notice."""
    return all(rows[name].mark == FINE and rows[name].sure_low <= 0 <= rows[name].sure_high for name in names)


def _doubt(size: str, row: Effect, players: str) -> str:
    return f"{size} among {players}{' (open)' if row.mark == OPEN and size != TOO_FEW else ''}"


def _begin(text: str) -> str:
    return text[:1].upper() + text[1:]


MANY = 100
"""The fewest games of a level that speaks for all."""


def find_known_level(play: Levels[Report, Line] | Levels[Comparison, Measure]) -> str:
    """Find the level that answers all questions: the best players who are shown to play well, and of whom there are
    games enough; else random ones."""
    return next((name for name in reversed(play.worthy) if play.games[name] >= MANY), RANDOM)


def name_players(level: str) -> str:
    """Return what people call those who play at a level."""
    return _PLAYERS[level]


def describe_players(level: str, bot: str) -> str:
    """Say how those play who play at a level: `random players (they take any answer)`."""
    return f"{_PLAYERS[level]} ({'' if level == bot else f'{bot}; '}they {_SAID[level]})"


def among(level: str) -> str:
    """Return ` among random players`; of the only level nothing."""
    return "" if level == ALONE else f" among {_PLAYERS[level]}"


def name_bot(level: str, bot: str) -> str:
    """Return `random`, or `search (ismcts:20)`: the word for people before what is typed."""
    return level if level == bot else f"{level} ({bot})"


def name_rung(level: str, below: str) -> str:
    """Return `A greedy player among random ones`."""
    one = {"search": "A player who searches", "learned": "A player who learned"}.get(level, f"A {level} player")
    return f"{one} among {_THOSE[below]}"


def list_levels(texts: Mapping[str, str], joined: str = "among") -> str:
    """Say one thing of each level: `62 among random players, 58 among greedy ones`."""
    if ALONE in texts:
        return texts[ALONE]
    if len(texts) > 1 == len({*texts.values()}):
        return f"{next(iter(texts.values()))} at each level of play"
    named = [_PLAYERS, *[_THOSE] * len(texts)]
    return ", ".join(
        f"{text} {joined} {names[level]}" for names, (level, text) in zip(named, texts.items(), strict=False)
    )


def word_too_few(counted: str) -> str:
    """Say that what was counted is too little: `1 game is too few`, `30 games of random players are too few`."""
    return f"{counted} {'is' if counted.startswith('1 ') and ',' not in counted else 'are'} too few"


def word_edges(claim: str, name: str, edges: Mapping[str, str], unit: str, few: Mapping[str, str]) -> str:
    """Say how far off something may be at each level: `claim` and the edge of a level of which enough is known, and of
    how `few` games too little is."""
    are_alike = len({*edges.values()}) == 1
    known = {
        level: f"{edge} {unit}" if are_alike or not number else edge
        for number, (level, edge) in enumerate(edges.items())
    }
    said = [f"{claim} {list_levels(known)}"] if known else []
    if few:
        said.append(f"{word_too_few(list_levels(few, 'of'))} to say{'' if known else f' of a {name}'}")
    return f"{'; '.join(said)}."
