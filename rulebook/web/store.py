"""The store of tables while they go on: one SQLite file, written before an answer is acknowledged.

A game is the lines of its save, so that what is exported is a save like any other. Of the links only hashes are kept.
What cannot be written raises Unwritten, and is as if it had never been asked for; so does what cannot be read.
"""

from __future__ import annotations

import errno
import json
import os
import sqlite3
import threading
from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from datetime import datetime
from pathlib import Path
from typing import Any

from attrs import asdict, astuple, define, evolve, field

from rulebook import databases, files
from rulebook.classes import frozen
from rulebook.interpreter import journal
from rulebook.interpreter.journal import BadSave, Entry, Header, Journal
from rulebook.interpreter.save_schema import (
    LONGEST_PATH,
    Field,
    Misfit,
    check_fields,
    is_list,
    is_number,
    is_players_name,
    is_text,
)
from rulebook.plain_json import NotPlain, read_object
from rulebook.playtest.bots import BadSpec, check_spec, is_command
from rulebook.table.saves import Held, Lock

_PATIENCE = 2  # seconds for which a file is waited for that another program holds
_SCHEMA = """
create table if not exists tables (
    id integer primary key, made text not null, settings text not null, closed integer not null default 0);
create table if not exists tokens (
    hash blob primary key, table_id integer not null references tables, role text not null);
create table if not exists games (
    id integer primary key, table_id integer not null references tables, began text not null);
create table if not exists lines (
    game integer not null references games, number integer not null, text text not null,
    primary key (game, number)) without rowid;
create table if not exists notes (
    id integer primary key, game integer not null references games, seat text not null,
    answers integer not null, question text not null, text text not null, place text not null, at text not null);
"""
_WITHOUT_PLACE = _SCHEMA.replace(" place text not null,", "")
_PLACE = "alter table notes add column place text not null default ''"
_KNOWN = ((_SCHEMA,), (_WITHOUT_PLACE,), (_WITHOUT_PLACE, _PLACE))
"""The SQL that makes a file of tables, now and in earlier versions; a file with any other is refused."""
_LONGEST_TEXT = 10_000  # letters of a note, and of what the host says on the command line


def _is_line(value: object) -> bool:
    return is_text(value, LONGEST_PATH)


def _is_seat(value: object) -> bool:
    """Tell whether it is a name and a kind of bot, which is never a program."""
    if not isinstance(value, list) or len(value) != 2 or not (is_players_name(value[0]) and is_text(value[1])):
        return False
    if not value[1]:
        return True
    try:
        check_spec(value[1])
    except BadSpec:
        return False
    return not is_command(value[1])


SETTINGS: dict[str, Field] = {
    "game": Field(lambda value: _is_line(value) and value != "", "how the game was named", required=True),
    "variants": Field(lambda value: is_list(value, _is_line), "how variants were named", required=True),
    "given": Field(lambda value: is_list(value, _is_line), "house rules as they were given", required=True),
    "without": Field(lambda value: is_list(value, _is_line), "the cards that are left out", required=True),
    "seats": Field(lambda value: is_list(value, _is_seat), "the name and the bot of each seat", required=True),
    "lent": Field(lambda value: is_list(value, is_number), "the seats for which a bot plays", required=True),
    "paused": Field(lambda value: isinstance(value, bool), "whether the table waits", required=True),
    "questions": Field(lambda value: is_list(value, _is_line), "what is asked after the end", required=True),
    "within": Field(lambda value: is_number(value) and value >= 0, "the seconds for an answer, 0 for any number"),
    "is_passing": Field(lambda value: isinstance(value, bool), "whether who is late passes"),
}
"""The fields in the settings of a table. `game` and `variants` may be paths; `commands.serve` says who looks there."""


def _hold_texts(texts: Iterable[str]) -> tuple[str, ...]:
    return tuple(texts)


def _hold_numbers(numbers: Iterable[int]) -> tuple[int, ...]:
    return tuple(numbers)


def _hold_seats(seats: Iterable[Sequence[str]]) -> tuple[tuple[str, str], ...]:
    return tuple((name, bot) for name, bot in seats)


@frozen
class Settings:
    """The game of a table with its house rules, and who sits there: for each seat a name and a bot, empty for a person.
    For the seats of `lent` a bot plays meanwhile. For who has not answered `within` so many seconds (0: whenever) a bot
    answers once, or they pass.
    """

    game: str
    variants: tuple[str, ...] = field(converter=_hold_texts)
    given: tuple[str, ...] = field(converter=_hold_texts)
    without: tuple[str, ...] = field(converter=_hold_texts)
    seats: tuple[tuple[str, str], ...] = field(converter=_hold_seats)
    lent: tuple[int, ...] = field(default=(), converter=_hold_numbers)
    paused: bool = False
    questions: tuple[str, ...] = field(default=(), converter=_hold_texts)
    within: int = 0
    is_passing: bool = False


@frozen
class Kept:
    """A table that was open: its number, what it plays, and its last game; none (0) where people wait for the first."""

    id: int
    settings: Settings
    game: int
    journal: Journal | None


@frozen
class Note:
    """A note of a seat, after so many answers, in these stages; `question` is empty unless it answers one."""

    seat: str
    answers: int
    question: str
    text: str
    place: str


NOTE: dict[str, Field] = {
    "seat": Field(is_text, "the name of a player", required=True),
    "answers": Field(lambda value: is_number(value) and value >= 0, "a number of answers", required=True),
    "question": Field(_is_line, "what was asked", required=True),
    "text": Field(lambda value: isinstance(value, str) and len(value) <= _LONGEST_TEXT, "a text", required=True),
    "place": Field(_is_line, "the stages in which it was written", required=True),
}


class Unwritten(OSError):
    """The file cannot be written, or read, now; the text says why."""

    def __str__(self) -> str:
        return str(self.strerror)


@contextmanager
def _say_in_words() -> Iterator[None]:
    try:
        yield
    except sqlite3.Error as error:
        words = {sqlite3.SQLITE_BUSY: "another program holds the file", sqlite3.SQLITE_FULL: os.strerror(errno.ENOSPC)}
        code = getattr(error, "sqlite_errorcode", None) or 0
        raise Unwritten(errno.EIO, words.get(code & 0xFF, str(error))) from error


@define(eq=False)
class _Line:
    """A line of a save that waits until the disk is free."""

    game: int
    text: str
    tried: bool = False
    failure: OSError | None = None


class Store:
    """The file. Every method may be called from any thread, and comes back when what it wrote is on the disk."""

    def __init__(self, path: Path) -> None:
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        files.refuse_extraordinary(path)
        # It holds what is hidden in every game.
        os.close(os.open(path, os.O_RDWR | os.O_CREAT | getattr(os, "O_NOFOLLOW", 0), 0o600))
        self._path, self._held = path, dict[int, Lock]()
        self._lock, self._reading = threading.RLock(), threading.Lock()
        self._waiting = deque[_Line]()
        self._is_together = False
        self._database, self._watch = self._connect()
        path.chmod(0o600)
        self._database.execute("pragma journal_mode = wal")
        self._database.execute("pragma synchronous = full")
        self._database.execute("pragma foreign_keys = on")
        self._database.executescript(_SCHEMA)
        if "place" not in [row[1] for row in self._database.execute("pragma table_info(notes)")]:
            self._database.execute(_PLACE)
        # Who reads does not wait until somebody has written.
        self._reader, self._reading_watch = self._connect()

    def _connect(self) -> tuple[sqlite3.Connection, databases.Watch]:
        database = sqlite3.connect(self._path, check_same_thread=False, isolation_level=None, timeout=_PATIENCE)
        try:
            return database, _open_strange(database, self._path)
        except BaseException:
            database.close()
            raise

    def close(self) -> None:
        for table in [*self._held]:
            self.let_go(table)
        with self._lock, self._reading:
            self._reader.close()
            self._database.close()

    def hold(self, table: int) -> bool:
        """Take a table for this server alone; no if another one has it. Raises OSError where files cannot be locked."""
        try:
            self._held[table] = Lock(self._path.with_name(f"{self._path.name}-{table}"))
        except Held:
            return False
        return True

    def let_go(self, table: int) -> None:
        self._held.pop(table).release()

    @contextmanager
    def together(self) -> Iterator[sqlite3.Connection]:
        """Write all that is written in it, or nothing."""
        with self._lock, _say_in_words():
            if self._is_together:
                yield self._database
                return
            self._is_together = True
            try:
                yield from self._make_transaction()
            finally:
                self._is_together = False

    def _make_transaction(self) -> Iterator[sqlite3.Connection]:
        if self._database.in_transaction:
            self._database.execute("rollback")  # which could not be done when it was due
        self._watch.renew()
        self._database.execute("begin immediate")
        try:
            yield self._database
            self._database.execute("commit")
        except BaseException:
            if self._database.in_transaction:
                with suppress(sqlite3.Error):
                    self._database.execute("rollback")
            raise

    def _read(self, query: str, values: Sequence[Any] = ()) -> list[tuple[Any, ...]]:
        with self._reading, _say_in_words():
            self._reading_watch.renew()
            return databases.fetch_all(self._reader, query, values)

    # ── tables and their links ──

    def add_table(self, settings: Settings) -> int:
        with self.together() as database:
            values = _now(), json.dumps(asdict(settings))
            return _number(database.execute("insert into tables (made, settings) values (?, ?)", values))

    def change_settings(self, table: int, settings: Settings) -> None:
        with self.together() as database:
            database.execute("update tables set settings = ? where id = ?", (json.dumps(asdict(settings)), table))

    def close_table(self, table: int) -> None:
        with self.together() as database:
            database.execute("update tables set closed = 1 where id = ?", (table,))

    def is_closed(self, table: int) -> bool:
        return self._read("select closed from tables where id = ?", (table,)) == [(1,)]

    def add_token(self, table: int, role: str, hash: bytes, is_only: bool) -> None:
        """Let a link lead to a role; no earlier one does any more if it is to be the only one."""
        with self.together() as database:
            if is_only:
                database.execute("delete from tokens where table_id = ? and role = ?", (table, role))
            database.execute("insert into tokens (hash, table_id, role) values (?, ?, ?)", (hash, table, role))

    def find_token(self, hash: bytes) -> tuple[int, str] | None:
        """The table and the role to which a link leads."""
        rows = self._read("select table_id, role from tokens where hash = ?", (hash,))
        return (rows[0][0], rows[0][1]) if rows and isinstance(rows[0][1], str) else None

    def open_tables(self) -> list[int]:
        """The numbers of all tables that were not closed."""
        rows = self._read("select id from tables where not closed order by id")
        return [table for (table,) in rows]

    def find_table(self, table: int) -> Kept:
        """A table with its last game. Raises BadSave."""
        ((settings, game),) = self._read(
            "select settings, max(games.id) from tables left join games on table_id = tables.id where tables.id = ?",
            (table,),
        )
        journal = None if game is None else self.journal(game)
        kept = Kept(table, _read_settings(settings), game or 0, journal)
        _check_together(kept)
        for number in self.games(table):
            self.notes(number)
        return kept

    # ── games ──

    def begin_game(self, table: int, header: Header, entries: Sequence[Entry], over: bool) -> KeptGame:
        with self.together() as database:
            game = _number(database.execute("insert into games (table_id, began) values (?, ?)", (table, _now())))
            self.rewrite(game, journal.format_journal(header, entries, over))
        return KeptGame(self, game)

    def kept_game(self, game: int) -> KeptGame:
        return KeptGame(self, game)

    def games(self, table: int) -> list[int]:
        """The numbers of all games of a table, in the order in which they began."""
        return [game for (game,) in self._read("select id from games where table_id = ? order by id", (table,))]

    def count_answers(self, game: int) -> int:
        ((lines,),) = self._read("select count(*) from lines where game = ?", (game,))
        return int(lines) - 1  # the first one is its header

    def journal(self, game: int) -> Journal:
        """A game as it was kept, up to the first line that is missing. Raises BadSave."""
        rows = self._read("select number, text from lines where game = ? order by number", (game,))
        whole = [text for at, (number, text) in enumerate(rows) if number == at]
        parsed = journal.parse_journal(_write_save(whole), f"game {game}")
        missing = f"game {game}, line {len(whole) + 1}: it is missing."
        return parsed if len(whole) == len(rows) else evolve(parsed, notice=missing)

    def save(self, game: int) -> bytes:
        """A game as the bytes of a save."""
        rows = self._read("select text from lines where game = ? order by number", (game,))
        return _write_save([text for (text,) in rows])

    def append(self, game: int, text: str) -> None:
        """Write a line of a save. Lines of several tables that come while the disk is busy are written together."""
        mine = _Line(game, text)
        self._waiting.append(mine)
        with self._lock:
            if not mine.tried:
                lines = [self._waiting.popleft() for _ in range(len(self._waiting))]
                try:
                    self._write(lines)
                except Unwritten as failure:
                    for line in lines:
                        line.failure = failure
                except BaseException as failure:
                    for line in lines:
                        line.failure = Unwritten(errno.EIO, str(failure))
                    raise
                finally:
                    for line in lines:
                        line.tried = True
        if mine.failure is not None:
            raise mine.failure

    def _write(self, lines: Sequence[_Line]) -> None:
        with self.together() as database:
            for line in lines:
                database.execute(
                    "insert into lines select ?, max(number) + 1, ? from lines where game = ?",
                    (line.game, line.text, line.game),
                )

    def rewrite(self, game: int, texts: Sequence[str]) -> None:
        with self.together() as database:
            database.execute("delete from lines where game = ?", (game,))
            database.executemany(
                "insert into lines values (?, ?, ?)", [(game, at, text) for at, text in enumerate(texts)]
            )

    # ── notes ──

    def add_note(self, game: int, note: Note) -> None:
        with self.together() as database:
            database.execute(
                "insert into notes (game, seat, answers, question, text, place, at) values (?, ?, ?, ?, ?, ?, ?)",
                (game, *astuple(note), _now()),
            )

    def notes(self, game: int) -> list[Note]:
        """The notes of a game. Raises BadSave."""
        columns = "seat, answers, question, text, place"
        rows = self._read(f"select {columns} from notes where game = ? order by id", (game,))
        for row in rows:
            try:
                check_fields(dict(zip(columns.split(", "), row, strict=True)), NOTE)
            except Misfit as misfit:
                raise BadSave(f"a note on game {game}", 0, str(misfit), _HELP) from None
        return [Note(*row) for row in rows]


@frozen
class KeptGame:
    """One game of the store, as a game keeps itself there."""

    store: Store
    number: int

    def append(self, entry: Entry, over: bool) -> None:
        self.store.append(self.number, journal.format_line(entry.to_json(over)))

    def rewrite(self, header: Header, entries: Sequence[Entry], over: bool) -> None:
        self.store.rewrite(self.number, journal.format_journal(header, entries, over))


_HELP = "Take the file of tables from a backup."


def _open_strange(database: sqlite3.Connection, path: Path) -> databases.Watch:
    """Make sure that a file of tables is one, before anything in it is used. Raises sqlite3.Error."""
    # A text that is none is a damaged line, as any other.
    database.text_factory = lambda data: data.decode("utf-8", "replace")
    watch = databases.distrust(database, path)
    declared = databases.read_declared(database)
    # Another server may be making it at this moment.
    if not any(declared <= databases.declare(*scripts) for scripts in _KNOWN):
        raise databases.Strange("it is a database, but not one of tables")
    return watch


def _read_settings(text: object) -> Settings:
    try:
        settings = read_object(text.encode() if isinstance(text, str) else b"")
        check_fields(settings, SETTINGS)
    except (NotPlain, Misfit) as wrong:
        raise BadSave("its settings", 0, f"They are damaged: {wrong}", _HELP) from None
    return Settings(**settings)


def _check_together(kept: Kept) -> None:
    """Raise BadSave if the settings of a table are not those of its last game: a bot may have become a person since."""
    specs = [spec for _, spec in kept.settings.seats]
    people = {seat for seat, spec in enumerate(specs) if not spec}
    if kept.journal is not None and not _have_same_seats(specs, kept.journal.header):
        raise BadSave("its settings", 0, "They are of other seats than its game.", _HELP)
    if not people or not {*kept.settings.lent} <= people:
        raise BadSave("its settings", 0, "They lend seats that are nobody's.", _HELP)


def _have_same_seats(specs: Sequence[str], header: Header) -> bool:
    bots = header.bots or ("",) * len(specs)
    is_same = len(specs) == len(header.seats) == len(bots)
    return is_same and all(spec in ("", bot) for spec, bot in zip(specs, bots, strict=True))


def _write_save(texts: Sequence[str]) -> bytes:
    return "".join(f"{text}\n" for text in texts).encode("utf-8", "replace")


def _number(done: sqlite3.Cursor) -> int:
    assert done.lastrowid is not None
    return done.lastrowid


def _now() -> str:
    return datetime.now().isoformat(timespec="seconds")
