"""Saves as nobody writes them, drawn from a seed, and what the commands that read saves do with them.

In: a save that is sound, a seed. Out: bytes of altered saves, each with what was altered in it; and, for a command that
was run on one, what was wrong with how it ended. Never: leaves the folder that it is given.
"""

from __future__ import annotations

import copy
import hashlib
import json
import os
import random
import re
import shutil
import sqlite3
import unicodedata
from collections.abc import Callable, Iterator, Mapping
from contextlib import closing, suppress
from pathlib import Path
from typing import Any

from attrs import frozen
from click.testing import CliRunner

from rulebook.cli import main

GAME = """\
format: 1
name: Coins
players: 2..3
units: {cent: 1, crown: 100}
options:
  turns: {type: 1..9, default: 3}
  swift: {type: yes_no, default: no}
  limit: {type: [none, 1, 2], default: none}
  toll: {type: amount, default: 2 crown}
  prizes: {type: steps, default: {2: 1, 4: 5}}
kinds:
  coin: {has: {worth: number}}
cards:
  copper: {kind: coin, worth: 1, copies: 4}
  silver: {kind: coin, worth: 2, copies: 4}
places:
  table:
    bag: {holds: coin, kept: pile, seen_by: nobody}
  player:
    purse: {holds: coin, kept: loose, seen_by: owner}
memory:
  player: {points: 0}
rules:
  game: |
    move cards to bag
    shuffle bag
    repeat options.turns:
      each me in players:
        choose n from 1..3
        add n + options.prizes(n) to me.points
        draw 1 from bag to me.purse
result:
  rank: most points
"""
VARIANT = """\
variant: rich
name: Rich
extends: coins
change:
  cards.silver.worth: 5
"""
PEOPLE = ("play", "./coins", "--seats", "Ana,Ben", "--seed", "4", "--variant", "rich", "--set", "turns=2")
WITH_BOT = ("play", "./coins", "--seats", "Ana,bot:first", "--seed", "5", "--without", "copper")

CONTROL = "\x1b]0;owned\x07\x1b[2J"
DEEP: Any = []
for _ in range(400):
    DEEP = [DEEP]

TEXTS = (
    "",
    " ",
    ".",
    "..",
    "../..",
    "a/..",
    "../../escaped",
    "/etc/passwd",
    "/dev/zero",
    "a\\..\\b",
    "C:\\x",
    "~",
    "-x",
    "a\0b",
    "a\nb",
    "\u2028",
    CONTROL,
    "\ud800",
    "\udcff",
    "x" * 5_000,
    "é" * 300,
    "\u202egnp",
    "exec:touch escaped",
    "ismcts:99999999999",
    "Bot 1",
    "variants/rich.yaml",
    "variants/../../escaped.yaml",
    "rulebook.yaml",
    "wallet",
    "{}",
    "%s%n",
)
SCALARS: tuple[Any, ...] = (
    *TEXTS,
    None,
    True,
    False,
    0,
    1,
    -1,
    2**63,
    2**64,
    -(2**70),
    10**4_000,
    1.5,
    1e308,
    float("nan"),
    float("inf"),
    float("-inf"),
)
LISTS: tuple[Any, ...] = (
    [],
    [[]],
    ["Ana"],
    ["Ana", "Ana"],
    ["Ana", "ANA"],
    ["Ana", "Ben", "Cleo"],
    ["Ana", "Ben", "Cleo", "Dan", "Eve"],
    ["Bot 1", "Bot 2"],
    ["Ana.hand", "Ben"],
    [0, 1],
    [None],
    ["Ana", CONTROL],
    ["Ana", "a\0b"],
    ["Ana", "\udcff"],
    ["x" * 5_000, "Ben"],
    ["Ana"] * 3_000,
    [f"P{n}" for n in range(3_000)],
    DEEP,
)
MAPS: tuple[Any, ...] = (
    {},
    {"": ""},
    {"turns": []},
    {"a": DEEP},
    {"..": "x"},
    {"rulebook.yaml": 1},
    {"rulebook.yaml": "\ud800"},
    {"rulebook.yaml": "nothing"},
    {"a\0b": "x"},
    {"left out": 3},
    {"left out": ["copper"]},
    {"left out": "copper"},
)
VALUES: tuple[Any, ...] = (*SCALARS, *LISTS, *MAPS)
NUMBERS = ("1" * 5_000, "-0", "1e400", "NaN", "-Infinity", "0x10", "01", "1.0")


@frozen
class Altered:
    """Bytes that stand in place of a save, and what was altered."""

    what: str
    data: bytes


def short(value: object) -> str:
    """A value as it is told in a report."""
    text = ascii(value)
    return text if len(text) <= 40 else f"{text[:37]}…"


def joined(rows: list[Any]) -> bytes:
    """The rows of a save as a file; a row that is bytes stays as it is."""
    lines = [row if isinstance(row, bytes) else json.dumps(row, separators=(",", ":")).encode() for row in rows]
    return b"".join(line + b"\n" for line in lines)


def every_field(save: bytes) -> Iterator[Altered]:
    """Each field of each kind of line in turn: without it, with each odd value in its place, given twice."""
    rows = [json.loads(line) for line in save.splitlines()]
    for line in (0, 1, len(rows) - 1):
        for name in rows[line]:
            yield Altered(f"line {line + 1}: no {name}", joined(_with(rows, line, lambda row, n=name: row.pop(n))))
            for value in VALUES:
                told = f"line {line + 1}: {name} = {short(value)}"
                yield Altered(told, joined(_with(rows, line, lambda row, n=name, v=value: row.update({n: v}))))
            for number in NUMBERS:
                text = json.dumps({k: v for k, v in rows[line].items() if k != name})
                raw = f'{text[:-1]},"{name}":{number}}}'.encode()
                yield Altered(f"line {line + 1}: {name} = {number[:12]}", joined(_put(rows, line, raw)))
            twice = json.dumps(rows[line])[:-1] + f",{json.dumps(name)}:{json.dumps(rows[line][name])}}}"
            yield Altered(f"line {line + 1}: {name} twice", joined(_put(rows, line, twice.encode())))
        for value in ("\0", CONTROL, "\ud800", "__class__", "x" * 5_000):
            told = f"line {line + 1}: a field {short(value)} more"
            yield Altered(told, joined(_with(rows, line, lambda row, v=value: row.update({v: 1}))))
        for value in VALUES:
            yield Altered(f"line {line + 1} is {short(value)}", joined(_put(rows, line, value)))


def every_entry(save: bytes) -> Iterator[Altered]:
    """Each list and map of the header in turn: each odd value among what stands there, and each odd name."""
    rows = [json.loads(line) for line in save.splitlines()]
    for name, there in rows[0].items():
        if isinstance(there, list):
            for value in VALUES:
                for at in {0, len(there)}:
                    told = f"{name}[{at}] = {short(value)}"
                    changed = [*there[:at], value, *there[at + 1 :]]
                    yield Altered(told, joined(_with(rows, 0, lambda row, n=name, c=changed: row.update({n: c}))))
        if isinstance(there, dict):
            for key in (*there, *TEXTS):
                for value in VALUES if key in there else (1, "x", GAME):
                    told = f"{name}[{short(key)}] = {short(value)}"
                    changed = {**there, key: value}
                    yield Altered(told, joined(_with(rows, 0, lambda row, n=name, c=changed: row.update({n: c}))))
                if key in there:
                    for other in TEXTS:
                        told = f"{name}: {short(key)} is called {short(other)}"
                        changed = {other if one == key else one: value for one, value in there.items()}
                        yield Altered(told, joined(_with(rows, 0, lambda row, n=name, c=changed: row.update({n: c}))))


def every_encoding(save: bytes) -> Iterator[Altered]:
    """The whole file as other programs would leave it."""
    text = save.decode()
    for name in ("utf-8-sig", "utf-16", "utf-16-le", "utf-32", "cp037"):
        yield Altered(f"in {name}", text.encode(name, "replace"))
    yield Altered("empty", b"")
    yield Altered("only a line break", b"\n")
    yield Altered("a NUL", b"\0")
    yield Altered("half of its first line", save[:200])
    yield Altered("with the line breaks of another system", save.replace(b"\n", b"\r\n"))
    yield Altered("with old line breaks", save.replace(b"\n", b"\r"))
    yield Altered("with an empty line", save + b"\n")
    yield Altered("with a NUL at its end", save + b"\0")
    yield Altered("with NULs at its end", save + b"\0" * 4096)
    yield Altered("twice", save + save)
    yield Altered("brackets", b"[" * 200_000)
    yield Altered("braces", b'{"a":' * 200_000)
    yield Altered("a text without an end", b'{"' + b"x" * 200_000)
    yield Altered("no text", bytes(range(256)) * 20)


def drawn(save: bytes, chance: random.Random) -> Altered:
    """Two or three things altered at once: bytes, fields, whole lines."""
    rows: list[Any] = [json.loads(line) for line in save.splitlines()]
    said = []
    for _ in range(chance.randint(1, 3)):
        line = chance.randrange(len(rows)) if chance.random() < 0.5 else 0
        row = rows[line]
        match chance.randrange(7):
            case 0 if isinstance(row, dict) and row:
                name, value = chance.choice([*row]), chance.choice(VALUES)
                rows = _with(rows, line, lambda one, n=name, v=value: one.update({n: v}))
                said.append(f"line {line + 1}: {name} = {short(value)}")
            case 1 if isinstance(row, dict) and row:
                name = chance.choice([*row])
                rows = _with(rows, line, lambda one, n=name: one.pop(n))
                said.append(f"line {line + 1}: no {name}")
            case 2 if isinstance(row, dict):
                path = _any_path(row, chance)
                value = chance.choice(VALUES)
                rows = _with(rows, line, lambda one, p=path, v=value: _set(one, p, v))
                said.append(f"line {line + 1}: {'.'.join(map(str, path))[:60]} = {short(value)}")
            case 3:
                other = chance.randrange(len(rows))
                rows = [*rows[:line], rows[other], *rows[line + 1 :]]
                said.append(f"line {line + 1} is line {other + 1}")
            case 4:
                rows = [*rows[:line], *rows[line + 1 :]] or [{}]
                said.append(f"without line {line + 1}")
            case 5 if isinstance(row, dict) and isinstance(row.get("rules"), dict):
                name = chance.choice([*row["rules"]] or ["rulebook.yaml"])
                text = _scribbled(str(row["rules"].get(name, "")), chance)
                rows = _with(rows, line, lambda one, n=name, t=text: one["rules"].update({n: t}))
                said.append(f"the text of {short(name)} is scribbled on")
            case _:
                name = chance.choice(TEXTS)
                rows = _with(rows, line, lambda one, n=name: one.update({n: 1}) if isinstance(one, dict) else None)
                said.append(f"line {line + 1}: a field {short(name)} more")
    data = joined(rows)
    if chance.random() < 0.3 and data:
        at = chance.randrange(len(data))
        data = data[:at] + bytes([chance.randrange(256)]) + data[at + chance.randrange(3) :]
        said.append(f"byte {at}")
    return Altered(", ".join(said), data)


def _put(rows: list[Any], line: int, row: Any) -> list[Any]:
    return [*rows[:line], row, *rows[line + 1 :]]


def _with(rows: list[Any], line: int, alter: Callable[[Any], object]) -> list[Any]:
    row = copy.deepcopy(rows[line])
    alter(row)
    return _put(rows, line, row)


def _any_path(row: Any, chance: random.Random) -> list[Any]:
    path: list[Any] = []
    while isinstance(row, dict | list) and row and (not path or chance.random() < 0.7):
        key = chance.choice([*row]) if isinstance(row, dict) else chance.randrange(len(row))
        path.append(key)
        row = row[key]
    return path


def _set(row: Any, path: list[Any], value: Any) -> None:
    for key in path[:-1]:
        row = row[key]
    if path:
        row[path[-1]] = value


def _scribbled(text: str, chance: random.Random) -> str:
    at = chance.randrange(len(text) + 1)
    return text[:at] + chance.choice(TEXTS) + text[at + chance.randrange(20) :]


# ── what the commands do with them ───────────────────────────────────────────────────────────────────────────────────


COMMANDS: Mapping[str, tuple[str, ...]] = {
    "replay": ("replay", "SAVE"),
    "replay --seat": ("replay", "SAVE", "--at", "1", "--seat", "Ana"),
    "fork": ("replay", "SAVE", "--fork"),
    "resume": ("play", "--resume", "SAVE"),
    "resume --bots": ("play", "--resume", "SAVE", "--bots", "first"),
    "list": ("play", "--resume"),
    "record": ("record", "SAVE"),
    "record --to": ("record", "SAVE", "--to", "coins/scenarios/new.yaml"),
}
_PYTHON = re.compile(
    r"Traceback|NoneType|<class|object at 0x|Error\b(?!:)|Errno|codec|embedded|\bint\b|\bstr\b|\bdict\b|must be str"
)
_LONGEST = 700  # letters of a message; paths are part of it


class Sandbox:
    """A folder in which commands are run: a game, a save, a place for saves. `escaped` looks at all around it."""

    def __init__(self, folder: Path) -> None:
        self.outer = folder
        self.here = folder / "in" / "side"
        self.here.mkdir(parents=True)
        (self.here / "coins" / "variants").mkdir(parents=True)
        (self.here / "coins" / "rulebook.yaml").write_text(GAME, "utf-8")
        (self.here / "coins" / "variants" / "rich.yaml").write_text(VARIANT, "utf-8")
        (self.here / "tmp").mkdir()
        self.store = self.here / "games.sqlite"
        self.save = self.here / "data" / "rulebook" / "saves" / "altered.jsonl"

    def environment(self) -> dict[str, str]:
        """What the commands must find in theirs."""
        temporary = str(self.here / "tmp")
        return {"XDG_DATA_HOME": str(self.here / "data"), "TMPDIR": temporary, "COLUMNS": "300", "HOME": str(self.here)}

    def series(self) -> bytes:
        """A sound file of games."""
        done = CliRunner().invoke(main, [str(self.store) if word == "STORE" else word for word in SERIES])
        assert done.exit_code == 0, done.output
        data = self.store.read_bytes()
        self.store.unlink()
        shutil.rmtree(self.store.with_suffix(".games"), ignore_errors=True)
        return data

    def begun(self, words: tuple[str, ...], typed: str = "1\n2\n") -> bytes:
        """A sound save, of a game in which somebody has answered."""
        saves = self.save.parent
        before = set(saves.glob("*.jsonl"))
        done = CliRunner().invoke(main, words, input=typed)
        assert done.exit_code == 0, done.output
        (made,) = set(saves.glob("*.jsonl")) - before
        data = made.read_bytes()
        made.unlink()
        return data

    def tries(self, altered: Altered, command: str) -> list[str]:
        """What is wrong with how a command ends on an altered save, or file of games."""
        is_store = command in STORE_COMMANDS
        path, words = (self.store, STORE_COMMANDS[command]) if is_store else (self.save, COMMANDS[command])
        path.write_bytes(altered.data)
        before = self._all()
        words = tuple(str(path) if word in ("SAVE", "STORE") else word for word in words)
        done = CliRunner().invoke(main, words, input="1\nq\n")
        found = []
        if done.exit_code not in (0, 1, 2):
            found.append(f"exit code {done.exit_code}: {done.stderr.strip()[-200:]}")
        said = done.stderr
        if done.exit_code == 2:
            message = said.split("Error: ")[-1].strip()
            if not message or len(message) > _LONGEST:
                found.append(f"a message of {len(message)} letters: {message[:120]!r}")
            if _PYTHON.search(message):
                found.append(f"not in words for people: {message[:300]!r}")
        if any(unicodedata.category(one) in ("Cc", "Cs") and one not in "\n\t\r" for one in done.stdout + said):
            found.append(f"letters that a terminal obeys: {short(done.stdout + said)}")
        found += self._tidied(before, command)
        return [f"{command}: {altered.what}: {one}" for one in found]

    def _all(self) -> dict[str, str]:
        """Every file around, by what stands in it."""
        found = {}
        for here, folders, files in os.walk(self.outer):
            for name in (*folders, *files):
                path = os.path.join(here, name)
                data = Path(path).read_bytes() if os.path.isfile(path) else b""
                found[path] = hashlib.sha256(data).hexdigest()
        return found

    def _tidied(self, before: dict[str, str], command: str) -> list[str]:
        """What a command changed that it may not; and all as it was before."""
        after = self._all()
        changed = sorted(path for path in {*before, *after} if before.get(path) != after.get(path))
        mine, found = str(self.save.parent), []
        for path in changed:
            # A game goes on in its save, or, where an answer is missing there, in a new one beside it.
            goes_on = command.startswith("resume")
            is_new = path not in before and os.path.dirname(path) == mine
            may = (path == str(self.save) and goes_on) or (is_new and (goes_on or command == "fork"))
            if command == "record --to" and path.startswith(str(self.here / "coins" / "scenarios")):
                may = True
            if command in STORE_COMMANDS:
                # A game that goes wrong, or takes long, is written beside the file.
                theirs = (str(self.store), str(self.store.with_suffix(".games")), str(self.here / "games.csv"))
                may = path.startswith(theirs)
            if not may:
                found.append(f"{os.path.relpath(path, self.outer)} was {'changed' if path in before else 'written'}")
            if path not in before:
                shutil.rmtree(path) if os.path.isdir(path) else os.path.lexists(path) and os.unlink(path)
        return found


# ── files of games ───────────────────────────────────────────────────────────────────────────────────────────────────

SERIES = ("simulate", "./coins", "--games", "4", "--seed", "3", "--out", "STORE", "--details")
STORE_COMMANDS: Mapping[str, tuple[str, ...]] = {
    "replay --game": ("replay", "STORE", "--game", "1"),
    "simulate --out": SERIES,
    "simulate --export": (*SERIES, "--export", "games.csv"),
}
ROWS: tuple[Any, ...] = (
    None,
    "",
    0,
    -1,
    10**6,
    2**62,
    1.5,
    float("inf"),
    b"\xff\0",
    "x",
    "a\0b",
    CONTROL,
    "..",
    "[]",
    "{}",
    "[1]",
    "[99]",
    "[-1, 0]",
    '["a", "b"]',
    "[1.5, 1]",
    "[NaN, 1]",
    "[true, false]",
    "[null, null]",
    "[[1], [2]]",
    '{"a": 1}',
    '{"a": [1]}',
    '{"a": "b", "a": "b"}',
    "[" * 5_000,
    "x" * 5_000,
    '["exec:touch escaped", "random"]',
    '["ismcts:99999999", "random"]',
    '{"rulebook.yaml": "nothing"}',
    '{"../x.yaml": "nothing"}',
)
CHANGES = (
    "DROP TABLE games",
    "DROP VIEW seats",
    "DELETE FROM series",
    "DROP TABLE series; CREATE VIEW series AS SELECT 1 AS id",
    "DROP TABLE series; CREATE VIEW series AS WITH RECURSIVE n(id) AS (SELECT 1 UNION ALL SELECT id + 1 FROM n)"
    " SELECT id FROM n",
    "CREATE TRIGGER t AFTER INSERT ON games BEGIN DELETE FROM games; END",
    "ALTER TABLE games ADD COLUMN more TEXT",
    "CREATE VIEW more AS SELECT 1",
    "CREATE INDEX more ON games (length)",
    "DROP TABLE games; CREATE VIEW games AS WITH RECURSIVE n(series) AS (SELECT 1 UNION ALL SELECT series FROM n)"
    " SELECT series FROM n",
    "DROP TABLE games; CREATE VIRTUAL TABLE games USING fts4(series)",
    "CREATE TRIGGER t AFTER INSERT ON games BEGIN INSERT INTO games SELECT * FROM games, games, games, games; END",
    "PRAGMA user_version = 99",
    "PRAGMA application_id = 1",
)


def altered_stores(store: bytes, folder: Path, chance: random.Random, many: int) -> Iterator[Altered]:
    """Each change of the tables, then values of rows that are drawn, then bytes."""
    for change in CHANGES:
        yield Altered(change[:60], _changed(store, folder, change))
    with closing(sqlite3.connect(_put_down(store, folder))) as file:
        columns = {
            table: [row[1] for row in file.execute(f"PRAGMA table_info({table})")] for table in ("series", "games")
        }
    for _ in range(many):
        table = chance.choice([*columns])
        column, value = chance.choice(columns[table]), chance.choice(ROWS)
        said = f"{table}.{column} = {short(value)}"
        yield Altered(said, _changed(store, folder, f"UPDATE OR IGNORE {table} SET {column} = ?", value))
    for _ in range(many // 4):
        at = chance.randrange(len(store))
        yield Altered(f"cut at {at}", store[:at])
        yield Altered(f"scribbled on at {at}", store[:at] + chance.randbytes(50) + store[at + 50 :])


def _put_down(store: bytes, folder: Path) -> Path:
    path = folder / "being altered.sqlite"
    path.write_bytes(store)
    return path


def _changed(store: bytes, folder: Path, change: str, *values: object) -> bytes:
    path = _put_down(store, folder)
    with closing(sqlite3.connect(path)) as file, suppress(sqlite3.Error):
        file.execute("PRAGMA journal_mode = DELETE")
        if values:
            file.execute(change, values)
        else:
            file.executescript(change)
        file.commit()
    return path.read_bytes()
