"""Counts that only events and probes can give, from a few games of a series that are played again."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from attrs import evolve

from rulebook.classes import frozen
from rulebook.dsl import ir
from rulebook.dsl.document import At
from rulebook.dsl.walk import nodes
from rulebook.interpreter.events import Sink
from rulebook.interpreter.lowering.probes import Count, Piece
from rulebook.interpreter.program import Program
from rulebook.playtest.coverage import Coverage, Point, Tally
from rulebook.playtest.series.naming import option_name
from rulebook.playtest.series.plan import Plan
from rulebook.playtest.series.record import CRASHED
from rulebook.playtest.series.table import Table

GAMES = 50
"""The most games played again, if nothing is said; enough for shares that nobody needs exactly."""
_LISTED = 500
"""The games that are proposed to list what never ran."""


@frozen
class Covered:
    """The coverage of the rules: places that ran, of all places; the cards and actions of which nothing ran, by name;
    and the command that lists every place that did not."""

    reached: int
    of: int
    unreached: Sequence[str] = ()
    command: str = ""


@frozen
class NamedCondition:
    """A condition with a name: whose it is, where it stands, and how often it held and failed."""

    of: str
    at: str
    name: str
    held: int
    failed: int

    @property
    def failing(self) -> float:
        """The share of times that it was not met."""
        return self.failed / (self.held + self.failed)


@frozen
class EndedBy:
    """A sentence `win …` that ended games, and how many of them were won by somebody; whose it is, where it stands, and
    how it is written. All empty for games that came to the end of the rules."""

    rule: str
    at: str
    sentence: str
    games: int
    won: int


@frozen
class Sampled:
    """The counts of a few games that were played again.

    `decided` and `forced` are choices with several answers and with one (a button is none); `ran` is how
    often scripts of a card or action ran, and `said` how often a card's question was answered yes.
    """

    games: int
    decided: int
    forced: int
    coverage: Covered
    ran: Mapping[str, int]
    said: Mapping[str, int]
    conditions: Sequence[NamedCondition]
    ends: Sequence[EndedBy] = ()
    """The sentences that ended them, the most frequent first."""


def sampled(plan: Plan, games: int) -> Sampled | None:
    """The counts of the first games of a series; None if they cannot be played again."""
    if not plan.can_be_repeated or not games:
        return None
    numbers = range(games)
    coverage = _Ran(plan.rulebook)
    again = evolve(plan, watched=False, tier="machine")
    table = Table(again, coverage)
    seen, played, ends = Counter[str](), 0, Counter[tuple[Point | None, bool]]()
    for number in numbers:
        events: Sink = [[] for _ in range(plan.players)]
        coverage.ended_by = None
        game = table.game(number, events)
        if game.ending != CRASHED:
            seen.update(_noticed(table.machine.names, events))
            ends[coverage.ended_by, bool(game.winners)] += 1
            played += 1
    owners = _owners(plan.rulebook, table.program)
    conditions = [
        NamedCondition(owners.get((file, line, name), ""), f"{Path(file).name}:{line}", name, held, failed)
        for (file, line, name), (held, failed) in sorted(coverage.conditions().items())
        if held or failed
    ]
    return Sampled(
        games=played,
        decided=seen["chosen"] - seen["forced"],
        forced=seen["forced"],
        coverage=_sum_up(coverage, table.program, plan.command(f"--games {_LISTED}", "--coverage")),
        ran=coverage.ran,
        said=coverage.answers(),
        conditions=conditions,
        ends=_list_ends(ends, coverage, table.program),
    )


def _sum_up(coverage: _Ran, program: Program, command: str) -> Covered:
    """Sum up what ran, but for choices of house rules: no game comes by those that it is not played with."""
    files = coverage.report().files
    counts = [count for file in files for sort, count in file.reached.items() if sort != "house rules"]
    idle = [id for id, times in coverage.ran.items() if not times]
    names = [program.definitions.get(id, program.looks.called(id)) for id in idle]
    return Covered(sum(reached for reached, _ in counts), sum(of for _, of in counts), names, command)


def _list_ends(counts: Counter[tuple[Point | None, bool]], coverage: Coverage, program: Program) -> list[EndedBy]:
    """List what ended games, the most frequent first."""
    rows = []
    for point in dict.fromkeys(point for point, _ in counts):
        lost, won = counts[point, False], counts[point, True]
        if point is None:
            rows.append(EndedBy("", "", "", lost + won, won))
            continue
        section, _, rest = coverage.find_owner(point).partition(".")
        id = rest.partition(".")[0]
        key = f"{section.removesuffix('s')}:{id}"
        rule = option_name(program, key) if section in ("cards", "actions") else program.looks.called(id)
        at = f"{point.at.file.name.rpartition('/')[2]}:{point.at.line}"
        rows.append(EndedBy(rule, at, " ".join(point.at.text.split()), lost + won, won))
    return sorted(rows, key=lambda row: -row.games)


def _owners(rulebook: ir.Rulebook, program: Program) -> dict[tuple[str, int, str], str]:
    """Find whose each named condition is, by file, line and name: the card, the action or the value that asks it."""
    found = {}
    for name, function in rulebook.functions.items():
        section, _, rest = name.partition(".")
        id = rest.partition(".")[0]
        shown = program.definitions.get(id, id) if section == "cards" else program.looks.called(id)
        for line in function.body.lines if isinstance(function.body, ir.Conditions) else ():
            if line.at is not None:
                found[line.at.span.file.name, line.at.span.line, line.name] = shown
    return found


class _Ran(Coverage):
    """Counts also what each card did by itself: what one entry makes is one thing to a writer, not to players."""

    def __init__(self, rulebook: ir.Rulebook) -> None:
        super().__init__(rulebook)
        self.ran: dict[str, int] = {}
        """By card or action, how often a script of its own ran."""
        self.ended_by: Point | None = None
        """The last sentence that said who wins."""
        bodies = [*(one.body for one in rulebook.scripts.values()), *(one.body for one in rulebook.functions.values())]
        wins = (node for body in bodies for node in nodes(body) if isinstance(node, ir.Win))
        self._wins = {_place(win.at) for win in wins if win.at is not None}

    def point(self, at: At | None, what: str, text: str = "", block: Sequence[Piece] = ()) -> Count | None:
        count = super().point(at, what, text, block)
        if what != "sentence" or at is None or _place(at) not in self._wins or not isinstance(count, Tally):
            return count

        def counted() -> None:
            self.ended_by = count.point
            count()

        return counted

    def hook(self, id: str, hook: str) -> Count | None:
        count = super().hook(id, hook)
        if self.rulebook.hooks.get(hook, {}).get(id) not in self.rulebook.scripts:
            return count
        self.ran.setdefault(id, 0)

        def counted() -> None:
            self.ran[id] += 1
            if count is not None:
                count()

        return counted


def _place(at: At) -> tuple[str, int, int]:
    return at.span.file.name, at.span.start, at.span.end


def _noticed(names: Sequence[str], events: Sink) -> Iterator[str]:
    """List what each seat noticed of its own choices."""
    for seat, name in enumerate(names):
        for event in events[seat]:
            if event.kind == "chose" and event.facts["player"] == name and "button" not in event.facts:
                yield from ("chosen", "forced") if "forced" in event.facts else ("chosen",)
