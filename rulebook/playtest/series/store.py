"""A file of games: SQLite, which every computer has and every tool reads.

In: a path, a plan, records. Out: the same records again, in order, and which numbers are missing. Never: the same game
twice; half of a piece; a file that is not ours, or of another format.

Seats are counted from 1 in the file, as people do, and from 0 here.
"""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

from attrs import frozen

from rulebook.interpreter.program import Program
from rulebook.playtest.series.plan import FORMAT, Plan
from rulebook.playtest.series.record import Played, Seen

__all__ = ["COLUMNS", "BadStore", "Kept", "Store"]

_APPLICATION = 0x52424B31  # "RBK1", in the header of the file
_SCHEMA = """
CREATE TABLE series (
    id INTEGER PRIMARY KEY, key TEXT NOT NULL UNIQUE, game TEXT NOT NULL, rules_hash TEXT NOT NULL,
    variants TEXT NOT NULL, options TEXT NOT NULL, players INTEGER NOT NULL, bots TEXT NOT NULL,
    rotations INTEGER NOT NULL, watched INTEGER NOT NULL, seed INTEGER NOT NULL, rules TEXT NOT NULL,
    described TEXT NOT NULL
);
CREATE TABLE games (
    series INTEGER NOT NULL REFERENCES series (id), number INTEGER NOT NULL, deal INTEGER NOT NULL,
    seed INTEGER NOT NULL, bots TEXT NOT NULL, ending TEXT NOT NULL, winners TEXT NOT NULL, places TEXT NOT NULL,
    scores TEXT NOT NULL, decisions TEXT NOT NULL, length INTEGER NOT NULL, turns INTEGER NOT NULL, error TEXT NOT NULL,
    fault TEXT NOT NULL, lead_changes INTEGER, ahead TEXT, behind TEXT, roles TEXT, cards TEXT, choices TEXT,
    offered INTEGER, dealt TEXT, ends TEXT, answers TEXT, measures TEXT NOT NULL, PRIMARY KEY (series, number)
) WITHOUT ROWID;
CREATE VIEW seats AS
    SELECT g.series, g.number, g.deal, g.seed, p.key + 1 AS seat, json_extract(g.bots, '$[' || p.key || ']') AS bot,
        p.value AS place, json_extract(g.scores, '$[' || p.key || ']') AS score,
        json_extract(g.decisions, '$[' || p.key || ']') AS decisions,
        CASE WHEN p.key + 1 IN (SELECT value FROM json_each(g.winners))
            THEN 1.0 / json_array_length(g.winners) ELSE 0.0 END AS won
    FROM games g, json_each(g.places) p;
"""
_COLUMNS = (
    "series number deal seed bots ending winners places scores decisions length turns error fault lead_changes ahead "
    "behind roles cards choices offered dealt ends answers measures"
)
COLUMNS = tuple(_COLUMNS.split())
"""What a row of `games` holds, in order."""


class BadStore(Exception):
    """A file that cannot be used; the sentence says why, and what to do."""


@frozen
class Kept:
    """A series as it stands in a file."""

    id: int
    game: str
    players: int
    bots: tuple[str, ...]
    variants: tuple[str, ...]
    options: dict[str, Any]
    rotations: int
    watched: bool
    seed: int
    rules_hash: str
    rules: dict[str, str]


class Store:
    """An open file. Close it, or use it in `with`."""

    def __init__(self, path: Path) -> None:
        self.path = path
        try:
            self._file = sqlite3.connect(path)
            self._open()
        except sqlite3.Error as error:
            raise BadStore(f"{path} cannot be used: {error}. Name a new file, or one that was made here.") from None

    def _open(self) -> None:
        [application] = self._file.execute("PRAGMA application_id").fetchone()
        [version] = self._file.execute("PRAGMA user_version").fetchone()
        [tables] = self._file.execute("SELECT count(*) FROM sqlite_master").fetchone()
        if not tables:
            self._file.executescript(
                f"PRAGMA application_id = {_APPLICATION}; PRAGMA user_version = {FORMAT};"
                f"PRAGMA journal_mode = WAL; BEGIN; {_SCHEMA} COMMIT;"
            )
        elif application != _APPLICATION:
            raise BadStore(f"{self.path} is a database, but not one of games. Name a new file.")
        elif version != FORMAT:
            raise BadStore(f"{self.path} is of format {version}, and this program uses {FORMAT}. Name a new file.")

    def __enter__(self) -> Store:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Everything is in one file then."""
        self._file.close()

    # ── series ──

    def series(self, plan: Plan, program: Program) -> int:
        """The number of a series in this file, which is begun if it is not there."""
        row = {
            "key": plan.key(program.rules_hash),
            "game": plan.rulebook.id,
            "rules_hash": program.rules_hash,
            "variants": _json(plan.rulebook.variants),
            "options": _json(program.options),
            "players": plan.players,
            "bots": _json(plan.bots),
            "rotations": plan.rotations,
            "watched": int(plan.watched),
            "seed": plan.seed,
            "rules": _json(dict(plan.rulebook.source)),
            "described": _json(plan.described(program.rules_hash)),
        }
        names = ", ".join(row)
        with self._file:
            marks = ", ".join("?" * len(row))
            self._file.execute(f"INSERT OR IGNORE INTO series ({names}) VALUES ({marks})", [*row.values()])
        [found] = self._file.execute("SELECT id FROM series WHERE key = ?", [row["key"]]).fetchone()
        return int(found)

    def all_series(self) -> list[Kept]:
        """All that were played, in order."""
        names = "id, game, players, bots, variants, options, rotations, watched, seed, rules_hash, rules"
        return [
            Kept(
                id=row[0],
                game=row[1],
                players=row[2],
                bots=tuple(json.loads(row[3])),
                variants=tuple(json.loads(row[4])),
                options={name: _in_tuples(value) for name, value in json.loads(row[5]).items()},
                rotations=row[6],
                watched=bool(row[7]),
                seed=row[8],
                rules_hash=row[9],
                rules=json.loads(row[10]),
            )
            for row in self._file.execute(f"SELECT {names} FROM series ORDER BY id")
        ]

    # ── games ──

    def wins(self, series: int, below: int) -> list[tuple[int, tuple[int, ...], bool]]:
        """Of each game that is there its number, who won, and whether it counts."""
        rows = self._file.execute(
            "SELECT number, winners, ending FROM games WHERE series = ? AND number < ? ORDER BY number", [series, below]
        )
        return [(number, _seats(winners), ending != "crashed") for number, winners, ending in rows]

    def add(self, series: int, plan: Plan, played: Iterable[Played]) -> None:
        """All of these, or none; what is there already stays as it is."""
        marks = ", ".join("?" * len(COLUMNS))
        rows = [_row(series, plan, one) for one in played]
        with self._file:
            self._file.executemany(f"INSERT OR IGNORE INTO games ({', '.join(COLUMNS)}) VALUES ({marks})", rows)

    def games(self, series: int, below: int) -> Iterator[Played]:
        """The records, in order."""
        rows = self.rows(series, below)
        return (_played(dict(zip(COLUMNS, row, strict=True))) for row in rows)

    def rows(self, series: int | None = None, below: int | None = None) -> Iterator[tuple[Any, ...]]:
        """The rows as they stand in the file, in order: of one series, or of all."""
        found = self._file.execute(
            f"SELECT {', '.join(COLUMNS)} FROM games WHERE (?1 IS NULL OR series = ?1)"
            " AND (?2 IS NULL OR number < ?2) ORDER BY series, number",
            [series, below],
        )
        yield from found


# ── rows ─────────────────────────────────────────────────────────────────────────────────────────────────────────────


def _row(series: int, plan: Plan, one: Played) -> tuple[Any, ...]:
    seen = one.seen
    watched: tuple[Any, ...] = (None,) * 10
    if seen is not None:
        watched = (
            seen.changes,
            _json([seat + 1 for seat in seen.ahead]),
            _json([seat + 1 for seat in seen.behind]),
            _json(seen.roles),
            _json(seen.cards),
            _json(seen.options),
            seen.offered,
            _json(seen.dealt),
            _json(seen.ends),
            _json(seen.answers),
        )
    return (
        series,
        one.number,
        plan.deal(one.number),
        one.seed,
        _json(plan.seated(one.number)),
        one.ending,
        _json([seat + 1 for seat in one.winners]),
        _json(one.places),
        _json(one.scores),
        _json(one.decisions),
        one.length,
        one.turns,
        one.error,
        one.fault,
        *watched,
        _json(one.measures),
    )


def _played(row: Mapping[str, Any]) -> Played:
    seen = None
    if row["offered"] is not None:
        seen = Seen(
            changes=row["lead_changes"],
            ahead=_seats(row["ahead"]),
            behind=_seats(row["behind"]),
            roles=tuple(json.loads(row["roles"])),
            cards={name: tuple(counts) for name, counts in json.loads(row["cards"]).items()},
            options={name: (one[0], one[1]) for name, one in json.loads(row["choices"]).items()},
            offered=row["offered"],
            dealt=tuple(tuple(ids) for ids in json.loads(row["dealt"])),
            ends=tuple(json.loads(row["ends"])),
            answers={name: tuple(counts) for name, counts in json.loads(row["answers"]).items()},
        )
    return Played(
        number=row["number"],
        seed=row["seed"],
        ending=row["ending"],
        winners=_seats(row["winners"]),
        places=tuple(json.loads(row["places"])),
        scores=tuple(json.loads(row["scores"])),
        decisions=tuple(json.loads(row["decisions"])),
        turns=row["turns"],
        error=row["error"],
        fault=row["fault"],
        seen=seen,
        measures={name: tuple(values) for name, values in json.loads(row["measures"]).items()},
    )


def _seats(text: str) -> tuple[int, ...]:
    return tuple(number - 1 for number in json.loads(text))


def _json(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def _in_tuples(value: Any) -> Any:
    """JSON knows only lists; the table of an option is of tuples."""
    return tuple(map(_in_tuples, value)) if isinstance(value, list) else value
