"""Files of tables as nobody writes them: what is damaged is told, all else opens, and nothing in the file runs."""

from __future__ import annotations

import json
import random
import sqlite3
import time
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from altered_saves import ROWS, VALUES
from stored_tables import keep_tables, serve

from rulebook import databases

pytest.importorskip("starlette", reason="needs the extra `web`")
pytest.importorskip("uvicorn", reason="needs the extra `web`")
pytest.importorskip("segno", reason="needs the extra `web`")

SEED, ALTERED = 7, 70
SECONDS = 5.0
ENDLESS = "WITH RECURSIVE n(id) AS (SELECT 1 UNION ALL SELECT id + 1 FROM n) SELECT id"
CHANGES = (
    "CREATE TRIGGER more AFTER INSERT ON tokens BEGIN DELETE FROM lines; END",
    f"CREATE TRIGGER more AFTER INSERT ON tokens BEGIN DELETE FROM lines WHERE game IN ({ENDLESS} FROM n); END",
    f"DROP TABLE lines; CREATE VIEW lines AS {ENDLESS} AS game, 0 AS number, '' AS text FROM n",
    f"DROP TABLE tables; CREATE VIEW tables AS {ENDLESS}, '' AS made, '{{}}' AS settings, 0 AS closed FROM n",
    "CREATE VIEW more AS SELECT 1",
    "CREATE TABLE more (id)",
    "CREATE INDEX more ON games (began)",
    "ALTER TABLE tables ADD COLUMN more",
    "ALTER TABLE tables ADD COLUMN more AS (zeroblob(100000000))",
    "DROP TABLE notes; CREATE TABLE notes (id, game, seat, answers, question, text, place, at)",
)


@pytest.fixture(scope="module")
def sound(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    return keep_tables(tmp_path_factory.mktemp("tables"))


def changed(sound: bytes, store: Path, change: str, *values: object) -> None:
    for ending in ("", "-wal", "-shm", "-1", "-2"):
        store.with_name(store.name + ending).unlink(missing_ok=True)
    store.write_bytes(sound)
    with closing(sqlite3.connect(store)) as file:
        if values:
            file.execute(change, values)
        else:
            file.executescript(change)
        file.commit()


@pytest.mark.parametrize("change", CHANGES)
def test_nothing_in_a_file_of_tables_runs(sound: bytes, tmp_path: Path, change: str) -> None:
    store = tmp_path / "tables.sqlite3"
    changed(sound, store, change)
    before, began = store.read_bytes(), time.process_time()
    result = serve(store)
    assert result.exit_code == 2, result.output
    assert "Tables cannot be kept in" in result.stderr and "not one of tables" in result.stderr
    assert store.read_bytes() == before
    assert time.process_time() - began < SECONDS


def drawn(sound: bytes, tmp_path: Path) -> Iterator[tuple[str, str, object]]:
    """Values for each column of the rows of the first table, and for each of its settings."""
    with closing(sqlite3.connect(":memory:")) as file:
        file.deserialize(sound)
        first = {"tables": "id = 1"}
        first |= {"tokens": "table_id = 1", "games": "table_id = 1", "lines": "game = 1", "notes": "1"}
        for table, where in first.items():
            for _, column, *_ in file.execute(f"PRAGMA table_info({table})").fetchall():
                for value in ROWS:
                    if (table, column) not in (("tables", "id"), ("games", "table_id")) or value not in (1, 2):
                        yield f"{table}.{column}", f"UPDATE OR IGNORE {table} SET {column} = ? WHERE {where}", value
        ((text,),) = file.execute("SELECT settings FROM tables WHERE id = 1")
    settings = json.loads(text)
    for name in settings:
        without = {key: value for key, value in settings.items() if key != name}
        odd = ["exec:touch started", ["exec:touch started"], [["Ana", "exec:touch started"], ["Bot 1", ""]], *VALUES]
        for value in ({**settings, name: one} for one in odd):
            yield f"settings.{name}", "UPDATE tables SET settings = ? WHERE id = 1", _written(value)
        yield f"no settings.{name}", "UPDATE tables SET settings = ? WHERE id = 1", _written(without)


def _written(value: Any) -> str:
    return json.dumps(value)


@pytest.mark.slow
def test_a_damaged_row_keeps_no_other_table_shut(sound: bytes, tmp_path: Path) -> None:
    store, wrong = tmp_path / "tables.sqlite3", []
    altered = [*drawn(sound, tmp_path)]
    assert len(altered) > 1000
    for name, change, value in random.Random(SEED).sample(altered, min(ALTERED, len(altered))):
        try:
            changed(sound, store, change, value)
        except (sqlite3.Error, OverflowError, UnicodeError):
            continue
        began = time.process_time()
        result = serve(store)
        opened = [number for number in (1, 2) if f"table {number}, goes on where it stood" in result.stdout]
        is_told = "Table 1 cannot be opened again: " in result.stderr
        is_told |= name in ("tables.closed", "tables.id", "games.id", "games.table_id")  # there may be none any more
        if result.exit_code != 0 or 2 not in opened or not (is_told or 1 in opened):
            wrong.append((name, str(value)[:60], result.exit_code, result.stderr[-300:]))
        elif time.process_time() - began > SECONDS:
            wrong.append((name, str(value)[:60], 0, "slow"))
    assert wrong == []


def test_a_file_whose_pages_lead_in_circles_ends(tmp_path: Path) -> None:
    path = tmp_path / "circle.sqlite"
    with closing(sqlite3.connect(path)) as file:
        file.execute("PRAGMA page_size = 512")
        file.execute("CREATE TABLE a (b)")
        file.executemany("INSERT INTO a VALUES (?)", [("x" * 30,)] * 20_000)
        file.commit()
        ((root,),) = file.execute("SELECT rootpage FROM sqlite_master")
    data, start = bytearray(path.read_bytes()), (root - 1) * 512
    assert data[start] == 5, "an inner page"
    # All cells of the root lead to the same child, and that one's to the same, level by level.
    page, levels = root, 0
    while data[(page - 1) * 512] == 5:
        start, levels = (page - 1) * 512, levels + 1
        count = int.from_bytes(data[start + 3 : start + 5], "big")
        cell = int.from_bytes(data[start + 12 : start + 14], "big")
        child = data[start + cell : start + cell + 4]
        for at in range(count):
            place = int.from_bytes(data[start + 12 + 2 * at : start + 14 + 2 * at], "big")
            data[start + place : start + place + 4] = child
        page = int.from_bytes(child, "big")
    assert levels >= 2
    path.write_bytes(data)
    with closing(sqlite3.connect(path)) as file:
        databases.distrust(file, path)
        query = "SELECT count(*) FROM a AS x, a AS y, a AS z"
        with pytest.raises(sqlite3.OperationalError, match="interrupted"):
            databases.fetch_all(file, query)
