"""The games of a file as a table for other tools: CSV, or Parquet.

In: an open store, a path. Out: one row for each game, with what its series is. Never: imports pyarrow before somebody
wants Parquet; numbers and texts are as in the file, lists and maps are JSON.
"""

from __future__ import annotations

import csv
import json
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from typing import Any

from rulebook.playtest.series.store import COLUMNS, Store

__all__ = ["FORMS", "BadExport", "check", "export"]

FORMS = (".csv", ".parquet")
_SERIES = ("game", "variants", "options", "players")
_BATCH = 10_000


class BadExport(Exception):
    """It cannot be written; the sentence says why, and what to do."""


def check(path: Path) -> None:
    """Raise BadExport if there will be no such file."""
    if path.suffix not in FORMS:
        raise BadExport(f"{path} is neither {' nor '.join(FORMS)}: its name says what it shall be.")
    if path.suffix == ".parquet":
        _parquet()


def _parquet() -> tuple[Any, Any]:
    try:
        return import_module("pyarrow"), import_module("pyarrow.parquet")
    except ImportError:
        raise BadExport(
            "Parquet needs pyarrow, which is not installed: pip install 'rulebook[data]'. CSV needs nothing."
        ) from None


def export(store: Store, path: Path) -> int:
    """Write all games; how many there were. Raises BadExport, OSError."""
    check(path)
    return _to_csv(store, path) if path.suffix == ".csv" else _to_parquet(store, path)


def _rows(store: Store) -> Iterator[tuple[Any, ...]]:
    series = {
        one.id: (one.game, json.dumps(one.variants), json.dumps(one.options, ensure_ascii=False), one.players)
        for one in store.all_series()
    }
    for row in store.rows():
        yield (*series[row[0]], *row)


def _to_csv(store: Store, path: Path) -> int:
    count = 0
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file)
        writer.writerow([*_SERIES, *COLUMNS])
        for row in _rows(store):
            writer.writerow(row)
            count += 1
    return count


def _to_parquet(store: Store, path: Path) -> int:
    arrow, parquet = _parquet()
    whole = {"players", "series", "number", "deal", "seed", "length", "turns", "lead_changes", "offered"}
    names = [*_SERIES, *COLUMNS]
    schema = arrow.schema([(name, arrow.int64() if name in whole else arrow.string()) for name in names])
    count, rows = 0, _rows(store)
    with parquet.ParquetWriter(path, schema, compression="zstd") as writer:
        while batch := [row for _, row in zip(range(_BATCH), rows, strict=False)]:
            columns = [list(column) for column in zip(*batch, strict=True)]
            writer.write_table(arrow.table(columns, schema=schema))
            count += len(batch)
    return count
