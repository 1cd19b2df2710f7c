"""Many games as one tidy table: a row for each seat of each game, and in each cell one value.

In: series that were played. Out: rows of numbers and words, which any spreadsheet or data frame reads as they are.
Seats and games are counted as people do: seats from 1, games as `replay --game` counts them, from 0.
"""

from __future__ import annotations

import csv
import re
from collections.abc import Iterator, Mapping, Sequence
from io import StringIO
from pathlib import Path
from typing import TypeAlias

from rulebook import files
from rulebook.dsl.settling.leaving_out import left_out
from rulebook.playtest.series.measured import asked_for
from rulebook.playtest.series.playing import Result
from rulebook.playtest.series.record import Played
from rulebook.playtest.settings import changed

Cell: TypeAlias = int | float | str | None
"""A number or a word; None where there is nothing to say."""
Row: TypeAlias = Mapping[str, Cell]


def write_csv(rows: Sequence[Row], path: Path) -> None:
    """Write the rows of one or several series as CSV, below the names of all columns. Raises OSError."""
    table, columns = StringIO(newline=""), dict.fromkeys(column for row in rows for column in row)
    writer = csv.DictWriter(table, columns)
    writer.writeheader()
    writer.writerows(rows)
    files.replace(path, table.getvalue().encode())


def list_rows(result: Result) -> Iterator[Row]:
    """List the rows of a series; a column that has nothing in it is missing from a row."""
    plan = result.plan
    rules = [f"{name}={value}" for name, value in changed(plan.rulebook, plan.options).items()]
    rules += [f"without {id}" for id in left_out(plan.options)]
    same: dict[str, Cell] = {
        "game": plan.rulebook.id,
        "variants": " + ".join(plan.rulebook.variants),
        "house_rules": "; ".join(rules),
        "players": plan.players,
    }
    for played in result.played():
        seated = plan.seated(played.number)
        of_game: dict[str, Cell] = {
            "number": played.number,
            "deal": plan.deal(played.number),
            "seed": played.seed,
            "ending": played.ending,
            "length": played.length,
            "turns": played.turns,
        }
        for seat, bot in enumerate(seated):
            of_seat = _tell_seat(played, seat) | _tell_more(played, seat)
            yield {**same, **of_game, "seat": seat + 1, "bot": bot, **of_seat}


def _tell_seat(played: Played, seat: int) -> dict[str, Cell]:
    """Tell how a game went for a seat. A game that crashed says nothing of who won."""
    acts = played.order.index(seat) + 1 if seat in played.order else None
    return {
        "acts": acts,
        "won": played.shares[seat] if played.counts else None,
        "place": played.places[seat] if played.places else None,
        "score": played.scores[seat] if played.scores else None,
        "decisions": played.decisions[seat],
    }


def _tell_more(played: Played, seat: int) -> dict[str, Cell]:
    """Tell what a seat began and ended with, what the rulebook shows beside it at the end, and what it measures."""
    found: dict[str, Cell] = {}
    seen = played.seen
    if seen is not None:
        found |= {f"start.{name}": value for name, value in seen.roles[seat].items()}
        found |= {f"end.{name}": value for name, value in seen.ends[seat].items()}
        found |= {f"value.{name}": _read_cell(cells[seat]) for name, cells in seen.values.items()}
    for name, numbers in played.measures.items():
        number = numbers[seat if len(numbers) > 1 else 0]
        found[f"measure.{asked_for(name)}"] = int(number) if number is not None and number.is_integer() else number
    return found


def _read_cell(text: str) -> Cell:
    return int(text) if re.fullmatch(r"-?[0-9]+", text) else text or None
