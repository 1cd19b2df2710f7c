"""Games of a series as files that play them again.

In: a table or a series that was played, the number of a game. Out: a save (see `interpreter/journal`) with every
answer, up to the one with which the rules went wrong if they did. Never: the log of a game in which programs of
somebody else play; they may answer otherwise.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from rulebook.interpreter import journal
from rulebook.interpreter.journal import Entry, Header
from rulebook.playtest.bots import is_command
from rulebook.playtest.series.plan import Plan
from rulebook.playtest.series.playing import Result
from rulebook.playtest.series.table import Table
from rulebook.playtest.series.tally import Tally

__all__ = ["can_be_logged", "header_of", "log", "outliers", "write"]


def can_be_logged(plan: Plan) -> bool:
    """Whether its games come again from their numbers alone."""
    return not any(map(is_command, plan.bots))


def outliers(tally: Tally) -> Iterator[tuple[str, int]]:
    """The games that somebody will want to see, each with what it is called: crashed, stopped, the longest."""
    for one in tally.crashed.values():
        yield "crashed", one.number
    for number in tally.stopped:
        yield "stopped", number
    for _, turned in tally.longest:
        if -turned not in tally.stopped:
            yield "longest", -turned


def header_of(table: Table, number: int) -> Header:
    """What the save of a game begins with; the rules travel with it."""
    plan, program = table.plan, table.program
    names = tuple(f"Bot {seat + 1}" for seat in range(plan.players))
    rules, options = dict(plan.rulebook.source), dict(program.options)
    variants = plan.rulebook.variants
    return Header(plan.rulebook.id, program.rules_hash, names, plan.seed_of(number), rules, options, variants)


def log(table: Table, number: int) -> list[Entry]:
    """Every answer of a game; the last one is that with which the rules went wrong, if they did."""
    entries: list[Entry] = []
    try:
        table.told(number, entries.append)
    except Exception:
        # It crashed when it was played, too: that is what is to be seen.
        return entries
    return entries


def write(folder: Path, result: Result, what: str, number: int) -> Path:
    """Write the save of a game, with the number of its series in the name if it is not the first. Raises OSError."""
    table, series = result.table, f"-series-{result.series}" if result.series > 1 else ""
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / f"{what}-{table.plan.seed_of(number)}{series}.jsonl"
    journal.write(path, header_of(table, number), log(table, number))
    return path
