"""A file of games: SQLite, which every computer has and every tool reads.

A piece is in it whole or not at all, and no game twice. Seats are counted from 1 in the file, as people do, and from 0
here.
"""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from attrs import asdict, evolve

from rulebook import databases, files
from rulebook.classes import frozen
from rulebook.interpreter.journal import in_tuples
from rulebook.interpreter.layout import MOST_PLAYERS
from rulebook.interpreter.program import Program
from rulebook.interpreter.results import find_shares
from rulebook.interpreter.save_schema import HEADER, Misfit, check_fields, is_whole
from rulebook.plain_json import NotPlain, read_object
from rulebook.playtest.series.bulk import Ended
from rulebook.playtest.series.plan import FORMAT, Plan
from rulebook.playtest.series.record import CRASHED, NOT_ASKED, PARTS, RANKED, STOPPED, WON, Played, Seen

if TYPE_CHECKING:
    from cattrs import Converter

Row = TypeVar("Row")

_APPLICATION = 0x52424B31  # "RBK1", in the header of the file
_SCHEMA = (
    """CREATE TABLE series (
    id INTEGER PRIMARY KEY, key TEXT NOT NULL UNIQUE, game TEXT NOT NULL, rules_hash TEXT NOT NULL,
    variants TEXT NOT NULL, options TEXT NOT NULL, players INTEGER NOT NULL, bots TEXT NOT NULL,
    rotations INTEGER NOT NULL, watched INTEGER NOT NULL, seed INTEGER NOT NULL, rules TEXT NOT NULL,
    described TEXT NOT NULL
)""",
    """CREATE TABLE games (
    series INTEGER NOT NULL REFERENCES series (id), number INTEGER NOT NULL, deal INTEGER NOT NULL,
    seed INTEGER NOT NULL, bots TEXT NOT NULL, ending TEXT NOT NULL, winners TEXT NOT NULL, teams TEXT NOT NULL,
    places TEXT NOT NULL, scores TEXT NOT NULL, decisions TEXT NOT NULL, length INTEGER NOT NULL,
    turns INTEGER NOT NULL, asked TEXT NOT NULL, error TEXT NOT NULL, fault TEXT NOT NULL,
    lead_changes INTEGER, ahead TEXT, behind TEXT, roles TEXT, cards TEXT,
    choices TEXT, beyond TEXT, offered INTEGER, dealt TEXT, ends TEXT, answers TEXT,
    true_of TEXT, shown TEXT, stages TEXT,
    measures TEXT NOT NULL, PRIMARY KEY (series, number)
) WITHOUT ROWID""",
    """CREATE VIEW seats AS
    SELECT g.series, g.number, g.deal, g.seed, p.key + 1 AS seat, json_extract(g.bots, '$[' || p.key || ']') AS bot,
        p.value AS place, json_extract(g.scores, '$[' || p.key || ']') AS score,
        json_extract(g.decisions, '$[' || p.key || ']') AS decisions,
        CASE WHEN p.key + 1 IN (SELECT value FROM json_each(g.winners))
            THEN 1.0 / (SELECT count(DISTINCT json_extract(g.teams, '$[' || (w.value - 1) || ']'))
                FROM json_each(g.winners) w) ELSE 0.0 END AS won
    FROM games g, json_each(g.places) p""",
)
"""The SQL that makes a file of games; a file that declares anything else is refused."""
_COLUMNS = (
    "series number deal seed bots ending winners teams places scores decisions length turns asked error fault "
    "lead_changes ahead behind roles cards choices beyond offered dealt ends answers true_of shown stages "
    "measures"
)
COLUMNS = tuple(_COLUMNS.split())
"""The columns of the table `games`, in order."""


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
    """An open file. Close it, or use it in `with`. One that is only read stays as it is, and must be there."""

    def __init__(self, path: Path, only_read: bool = False) -> None:
        self.path, self._is_ours = path, False
        try:
            if only_read:
                files.refuse_extraordinary(path)
                self._file = sqlite3.connect(f"{path.absolute().as_uri()}?mode=ro", uri=True)
            else:
                self._claim()
                self._file = sqlite3.connect(path)
            try:
                self._watch = databases.distrust(self._file, path)
                self._open()
            except BaseException:
                self.close()
                raise
        except sqlite3.Error as error:
            raise self._unusable(str(error)) from None
        except OSError as error:
            raise self._unusable(str(error.strerror)) from None

    def _claim(self) -> None:
        """Make the file, if it is not there: then nobody else did, and it may go again if nothing comes into it."""
        try:
            files.create(self.path, b"")
            self._is_ours = True
        except FileExistsError:
            files.refuse_extraordinary(self.path)

    def _unusable(self, why: str) -> BadStore:
        # Of a damaged file, SQLite may quote what stands in it.
        words = why if why.isprintable() else "it is damaged"
        return BadStore(f"{self.path} cannot be used: {words}. Name a new file, or one that was made here.")

    def _open(self) -> None:
        [version] = self._file.execute("PRAGMA user_version").fetchone()
        if not databases.read_declared(self._file):
            self._file.execute("PRAGMA journal_mode = WAL")
            with self._file:
                self._file.execute("BEGIN IMMEDIATE")
                # Somebody else may have been quicker.
                if not self._file.execute("SELECT count(*) FROM sqlite_master").fetchone()[0]:
                    self._file.execute(f"PRAGMA application_id = {_APPLICATION}")
                    self._file.execute(f"PRAGMA user_version = {FORMAT}")
                    for statement in _SCHEMA:
                        self._file.execute(statement)
            [version] = self._file.execute("PRAGMA user_version").fetchone()
        [application] = self._file.execute("PRAGMA application_id").fetchone()
        if application != _APPLICATION:
            raise BadStore(f"{self.path} is a database, but not one of games. Name a new file.")
        if version != FORMAT:
            raise BadStore(f"{self.path} is of format {version}, and this program uses {FORMAT}. Name a new file.")
        # Tables of the same names may hold anything, and triggers do anything.
        if databases.read_declared(self._file) != databases.declare(*_SCHEMA):
            raise BadStore(f"The tables in {self.path} are not as they were made here. Name a new file.")

    @contextmanager
    def _careful(self) -> Iterator[None]:
        """Turn an error of a damaged file into a sentence. Raises BadStore."""
        self._watch.renew()
        try:
            yield
        except sqlite3.Error as error:
            raise self._unusable(str(error)) from None
        except (Misfit, NotPlain):
            raise self._unusable("what stands in it is damaged") from None

    def __enter__(self) -> Store:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Everything is in one file then; in none, if nothing came into one that was made for it."""
        alone = False
        if self._is_ours:
            with suppress(sqlite3.Error):
                # It cannot be switched while anybody else has the file open.
                [mode] = self._file.execute("PRAGMA journal_mode = DELETE").fetchone()
                alone = mode == "delete" and not self._has_series()
        self._file.close()
        if alone:
            self.path.unlink(missing_ok=True)

    def _has_series(self) -> bool:
        if not self._file.execute("SELECT count(*) FROM sqlite_master").fetchone()[0]:
            return False
        return bool(self._file.execute("SELECT count(*) FROM series").fetchone()[0])

    # ── series ──

    def series(self, plan: Plan, program: Program) -> int:
        """The number of a series in this file, which is begun if it is not there."""
        row = {
            "key": plan.key(program.rules_hash),
            "game": plan.rulebook.id,
            "rules_hash": program.rules_hash,
            "variants": _json([*plan.rulebook.variants]),
            "options": _json(program.options),
            "players": plan.players,
            "bots": _json(plan.bots),
            "rotations": plan.rotations,
            "watched": int(plan.watched),
            "seed": plan.seed,
            "rules": _json(dict(plan.rulebook.source)),
            "described": _json(plan.described(program.rules_hash)),
        }
        names, marks = ", ".join(row), ", ".join("?" * len(row))
        with self._careful():
            with self._file:
                self._file.execute(f"INSERT OR IGNORE INTO series ({names}) VALUES ({marks})", [*row.values()])
            found = self._file.execute("SELECT id, players FROM series WHERE key = ?", [row["key"]]).fetchone()
            if not (found and is_whole(found[0]) and found[1] == plan.players):
                raise Misfit("It is the series of another game.")
        return int(found[0])

    def all_series(self) -> list[Kept]:
        """All that were played, in order."""
        names = "id, game, players, bots, variants, options, rotations, watched, seed, rules_hash, rules"
        with self._careful():
            return [
                _kept(dict(zip(names.split(", "), row, strict=True)))
                for row in self._file.execute(f"SELECT {names} FROM series ORDER BY id")
            ]

    # ── games ──

    def wins(self, series: int, below: int) -> list[Ended]:
        """Read of each game that is there its number, what each seat won, and whether it counts."""
        with self._careful():
            rows = self._file.execute(
                "SELECT g.number, g.winners, g.teams, g.ending, s.players FROM games g JOIN series s ON s.id = g.series"
                " WHERE g.series = ? AND g.number < ? ORDER BY g.number",
                [series, below],
            )
            return [
                (_number(number), find_shares(*_winners(winners, teams, players)), ending != CRASHED)
                for number, winners, teams, ending, players in rows
            ]

    def add(self, series: int, plan: Plan, played: Iterable[Played]) -> None:
        """All of these, or none; what is there already stays as it is."""
        marks = ", ".join("?" * len(COLUMNS))
        rows = [_row(series, plan, one) for one in played]
        with self._careful(), self._file:
            self._file.executemany(f"INSERT OR IGNORE INTO games ({', '.join(COLUMNS)}) VALUES ({marks})", rows)

    def games(self, series: int, below: int) -> Iterator[Played]:
        """The records, in order."""
        with self._careful():
            [players] = self._file.execute("SELECT players FROM series WHERE id = ?", [series]).fetchone()
            for row in self.rows(series, below):
                yield _read_played(dict(zip(COLUMNS, row, strict=True)), players)

    def rows(self, series: int | None = None, below: int | None = None) -> Iterator[tuple[Any, ...]]:
        """The rows as they stand in the file, in order: of one series, or of all."""
        with self._careful():
            known = {id for (id,) in self._file.execute("SELECT id FROM series")}
            for row in self._file.execute(
                f"SELECT {', '.join(COLUMNS)} FROM games WHERE (?1 IS NULL OR series = ?1)"
                " AND (?2 IS NULL OR number < ?2) ORDER BY series, number",
                [series, below],
            ):
                if row[0] not in known:
                    raise Misfit("A game is of no series.")
                yield row


# ── rows ─────────────────────────────────────────────────────────────────────────────────────────────────────────────


def _row(series: int, plan: Plan, one: Played) -> list[Any]:
    """A row of `games`: records by their fields, but for the names of two columns; lists and maps are JSON."""
    found = {**asdict(one, recurse=False), "series": series, "deal": plan.deal(one.number), "length": one.length}
    found |= {"bots": plan.seated(one.number), "asked": _from_one(one.order)}
    found |= {"winners": _from_one(one.winners), "teams": _from_one(one.teams)}
    if (seen := one.seen) is not None:
        found |= asdict(seen, recurse=False) | {"lead_changes": seen.changes, "choices": seen.options}
        found["shown"] = seen.values
        found |= {"ahead": [*map(_from_one, seen.ahead)], "behind": _from_one(seen.behind)}
    values = (found.get(column) for column in COLUMNS)
    return [_json(value) if isinstance(value, tuple | list | dict) else value for value in values]


def _from_one(seats: Iterable[int]) -> list[int]:
    return [seat + 1 for seat in seats]


def _kept(row: Mapping[str, Any]) -> Kept:
    """A row of `series`, of which all that a save could have in its header is read as it is there."""
    plain = {**row} | {name: _list_or_map(row[name]) for name in ("bots", "variants", "options", "rules")}
    wanted = {name: HEADER[name] for name in ("game", "rules_hash", "rules", "bots", "options", "variants", "seed")}
    check_fields({name: plain[name] for name in wanted}, wanted)
    found = _structured(plain | {"watched": bool(row["watched"]), "options": {}}, Kept)
    if not (1 <= found.players <= MOST_PLAYERS and len(found.bots) == found.players and found.rotations >= 1):
        raise Misfit("There is no such number of players.")
    return evolve(found, options=in_tuples(plain["options"]))


def _read_played(row: Mapping[str, Any], players: int) -> Played:
    """Read a row of `games`, of a series with so many players."""
    seen = None
    if row["offered"] is not None:
        wanted = ("roles", "cards", "beyond", "dealt", "ends", "answers", "true_of", "stages")
        plain = {name: _list_or_map(row[name]) for name in wanted}
        leaders = _list_or_map(row["ahead"])
        if not isinstance(leaders, list) or len(leaders) != len(PARTS):
            raise Misfit("After each part of a game somebody leads, or nobody.")
        plain |= {"ahead": tuple(_find_seats(seats, players) for seats in leaders)}
        plain |= {"behind": _read_seats(row["behind"], players)}
        plain |= {"changes": row["lead_changes"], "offered": row["offered"], "options": _list_or_map(row["choices"])}
        plain |= {"values": _list_or_map(row["shown"])}
        seen = _structured(plain, Seen)
        by_seat = [seen.roles, seen.dealt, seen.ends, *seen.values.values()]
        if any(len(one) != players for one in by_seat) or any(len(card) != 3 * players for card in seen.cards.values()):
            raise Misfit("Of each player something is known.")
        if any(len(seats) != players or not {NOT_ASKED, 0, 1} >= {*seats} for seats in seen.true_of.values()):
            raise Misfit("Of each player something is known.")
        if any(len(one) != 2 * players for one in seen.beyond.values()):
            raise Misfit("Of each player something is known.")
        if any(len(counts) < 2 for counts in seen.answers.values()):
            raise Misfit("An answer is counted twice.")
    plain = {name: _list_or_map(row[name]) for name in ("places", "scores", "decisions", "measures")}
    plain |= {name: row[name] for name in ("number", "seed", "ending", "turns", "error", "fault")}
    winners, teams = _winners(row["winners"], row["teams"], players)
    plain |= {"winners": winners, "teams": teams, "order": _read_seats(row["asked"], players), "seen": None}
    found = _structured(plain, Played)
    sizes = {len(found.places), len(found.scores)} - {0} | {len(found.decisions)}
    if sizes - {players} or found.ending not in (WON, RANKED, STOPPED, CRASHED):
        raise Misfit("Of each player something is known.")
    return evolve(found, seen=seen)


def _list_or_map(text: object) -> Any:
    if not isinstance(text, str):
        raise NotPlain("it is no text")
    # A list is read as what stands in an object, so that the same care is taken.
    return read_object(f'{{"": {text}}}'.encode("utf-8", "replace"))[""]


def _read_seats(text: object, players: int) -> tuple[int, ...]:
    return _find_seats(_list_or_map(text), players)


def _find_seats(numbers: object, players: int) -> tuple[int, ...]:
    if not isinstance(numbers, list) or not all(is_whole(one) and 1 <= one <= players for one in numbers):
        raise Misfit("There is no such seat.")
    return tuple(number - 1 for number in numbers)


def _winners(winners: object, teams: object, players: int) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """Read the winners, and the team of each seat, from their columns; none of a game that crashed."""
    won, teamed = _read_seats(winners, players), _read_seats(teams, players)
    if len(teamed) not in (0, players) or (won and not teamed):
        raise Misfit("Of each player something is known.")
    return won, teamed


def _number(value: object) -> int:
    if not is_whole(value) or value < 0:
        raise Misfit("No game has such a number.")
    return value


@cache
def _converter() -> Converter:
    """Takes everything as it is, or not at all: no text for a number, no number for yes or no."""

    def strict(value: object, kind: type) -> Any:
        if type(value) is kind or (kind is float and type(value) is int):
            return value
        raise Misfit("A value is none of its kind.")

    # A series that is not kept needs none.
    from cattrs import Converter

    converter = Converter(detailed_validation=False)
    for kind in (int, float, str, bool):
        converter.register_structure_hook(kind, strict)
    return converter


def _structured(value: Any, kind: type[Row]) -> Row:
    try:
        return _converter().structure(value, kind)
    except (KeyError, TypeError, ValueError, AttributeError):
        # What cattrs raises for a map where a list should be depends on what it tries first.
        raise Misfit("A row is none of its kind.") from None


def _json(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))
