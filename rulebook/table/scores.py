"""The points of everybody, as one person may know them: how many there are now, and how many after each round.

Which values are points a rulebook says with `display.scores`, or else with what decides who wins. How many there are
now comes from the facts of a view, and how many there were from that person's own events.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from attrs import asdict

from rulebook.classes import frozen
from rulebook.interpreter.events import Event
from rulebook.interpreter.program import Program
from rulebook.printing import visible
from rulebook.table.blocks import Block, Part, Row, row
from rulebook.table.reckoning import find_rounds
from rulebook.table.view import word_shown

NOT_KNOWN = "–"


@frozen
class Tally:
    """The points after a round (or now, in one that goes on) by player, and how many more or fewer they are than before
    it: `+13`.
    """

    title: str
    points: Sequence[str]
    changes: Sequence[str]


@frozen
class Scores:
    """The names of what counts, what each player has of it, and how much there was after each round of one of them."""

    columns: Sequence[str]
    rows: Sequence[tuple[str, Sequence[str]]]
    counted: str
    rounds: Sequence[Tally]

    @property
    def says_more(self) -> bool:
        """Tell whether there is more than one number for each player, so that they say more than who won."""
        return bool(self.rounds) or len(self.columns) > 1

    @property
    def is_listed(self) -> bool:
        """Tell whether the rows say more than the last round does."""
        return not self.rounds or len(self.columns) > 1

    def as_fields(self) -> dict[str, Any]:
        return asdict(self)

    def lay_out(self) -> list[Block]:
        """Lay them out to be read in a terminal."""
        is_alone = len(self.columns) == 1
        now = [row(name, points[0] if is_alone else self._word_all(points)) for name, points in self.rows]
        rounds = [self._lay_out_round(tally) for tally in self.rounds]
        parts = [Part(_capitalise(self.columns[0]) if is_alone else "Scores", now)] if self.is_listed else []
        parts += [Part(f"{_capitalise(self.counted)} after each round", rounds)] if rounds else []
        blocks: list[Block] = [block for part in parts for block in ("", part)]
        return blocks[1:]

    def _word_all(self, points: Sequence[str]) -> str:
        return " · ".join(f"{title} {count}" for title, count in zip(self.columns, points, strict=True))

    def _lay_out_round(self, tally: Tally) -> Row:
        those = zip(self.rows, tally.points, tally.changes, strict=True)
        texts = [f"{name} {points}{f' ({change})' if change else ''}" for (name, _), points, change in those]
        return row(tally.title, " · ".join(texts))


def _capitalise(text: str) -> str:
    return text[:1].upper() + text[1:]


def find_scores(program: Program, facts: Mapping[str, Any], rounds: Sequence[Tally]) -> Scores | None:
    """Find the points that stand in these facts; None where there are none, or none that is known."""
    players, shown = facts["players"], {value.name: value for value in program.shown}
    titles, columns = dict[str, str](), dict[str, Sequence[str]]()
    for name in program.looks.scores:
        slot, known = program.layout.player_memory.get(name), facts["values"] if name in shown else facts["memory"]
        sort = shown[name].sort if name in shown else slot.sort if slot is not None else "number"
        values = [known.get(f"{player}.{name}") for player in players]
        if any(value is not None for value in values):
            titles[name] = visible(shown[name].title if name in shown else program.looks.called(name))
            columns[name] = [NOT_KNOWN if value is None else word_shown(program, value, sort) for value in values]
    if not columns:
        return None
    rows = [(visible(player), [column[at] for column in columns.values()]) for at, player in enumerate(players)]
    counted = _find_counted(program, facts)
    if not rounds or counted not in columns:
        return Scores([*titles.values()], rows, "", ())
    now = columns[counted]
    since = [] if now == rounds[-1].points else [Tally("Now", now, [""] * len(now))]
    return Scores([*titles.values()], rows, titles[counted], [*rounds, *since])


def _find_counted(program: Program, facts: Mapping[str, Any]) -> str:
    """Find the points of which rounds tell: the first that are numbers in a memory, and that this person sees."""
    for name in program.looks.scores:
        slot = program.layout.player_memory.get(name)
        is_known = any(f"{player}.{name}" in facts["memory"] for player in facts["players"])
        if slot is not None and slot.sort in ("number", "amount") and is_known:
            return name
    return ""


def count_rounds(program: Program, facts: Mapping[str, Any], events: Sequence[Event]) -> list[Tally]:
    """Count the points after each round that has ended, as far as they are written down."""
    name = _find_counted(program, facts)
    return [*_count_rounds(program, facts, events, name)] if name else []


def _count_rounds(program: Program, facts: Mapping[str, Any], events: Sequence[Event], name: str) -> Iterator[Tally]:
    slot, players = program.layout.player_memory[name], facts["players"]
    keys = [f"{player}.{name}" for player in players]
    start = slot.start if isinstance(slot.start, int) else None
    points: dict[str, int | None] = {key: start for key in keys if key in facts["memory"]}
    at = 0
    for ended in find_rounds(program, players, events):
        before = dict(points)
        for event in events[at : ended.end]:
            if event.kind == "set" and event.facts["what"] in points:
                points[event.facts["what"]] = event.facts["value"]
        at = ended.end
        yield Tally(
            visible(ended.title),
            [NOT_KNOWN if (now := points.get(key)) is None else word_shown(program, now, slot.sort) for key in keys],
            [_word_change(program, before.get(key), points.get(key), slot.sort) for key in keys],
        )


def _word_change(program: Program, before: int | None, now: int | None, sort: str) -> str:
    change = 0 if now is None else now - (before or 0)
    return f"{'+' if change > 0 else '−'}{word_shown(program, abs(change), sort)}" if change else ""
