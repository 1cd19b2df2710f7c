"""Files from strangers, field by field: whatever stands in one, no program is started and no other file is opened.

Into each field of each kind of file that is read, in turn, goes what would start, read or write something if anybody
took it for a command, a path or an object. The fields are those of the records and tables of the program itself, so
that a new one cannot be forgotten, and every leaf of a sound file. All are tried in one process of their own, in which
Python tells of everything that is opened and started.
"""

from __future__ import annotations

import gc
import itertools
import json
import os
import shutil
import sqlite3
import subprocess
import sys
import sysconfig
import tempfile
import typing
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import closing, suppress
from importlib.util import find_spec
from pathlib import Path
from types import SimpleNamespace
from typing import Any
from urllib.request import urlopen

import attrs
import pytest
import yaml
from altered_saves import Sandbox
from click.testing import CliRunner, Result
from paths import HELPERS
from stored_tables import keep_tables

import rulebook
from rulebook import cache, library
from rulebook.cli import main
from rulebook.dsl import schema
from rulebook.dsl.overlay.variant import FIELDS as VARIANT_FIELDS
from rulebook.dsl.structuring.misfits import find_key
from rulebook.interpreter import journal, save_schema
from rulebook.playtest.scenarios.reading import FIELDS as SCENARIO_FIELDS
from rulebook.playtest.scenarios.reading import HEAD as SCENARIO_HEAD
from rulebook.validation import baseline

MARK, SECRET, PLANTED = "MARK", "secret.txt", "planted"
STARTS = ("exec:touch {mark}", '!!python/object/apply:os.system ["touch {mark}"]', "|touch {mark}")
READS = ("../secret.txt", "/etc/hostname", "!include ../secret.txt", "file:///etc/hostname")
GAMES = ("{outside}/coins",)
"""A sound game that lies elsewhere."""
WRITES = ("{mark}", "file://{mark}")
SORTS = (STARTS, READS, GAMES, WRITES)
VALUES = tuple(value for sort in SORTS for value in sort)
GAME = """\
format: 1
name: Coins
players: 2..3
units: {cent: 1}
words: {hue: {red: Red}}
options: {turns: {type: 1..9, default: 2, text: How many.}}
forbid: {Too many: options.turns > 8}
kinds: {coin: {has: {worth: number}}}
cards: {copper: {kind: coin, worth: 1}}
places: {table: {bag: {holds: coin, kept: pile}}}
memory: {player: {points: 0}}
values: {wealth(p): p.points}
rules:
  game: |
    repeat options.turns:
      each me in players:
        choose n from 1..2
        add n to me.points
actions: {rest: {effect: say "Rest", name: Rest, text: Does nothing.}}
phrases: {points: Points}
result: {rank: most points}
measures: {gain(p): p.points}
display:
  aim: Be rich.
  about: {A turn: Choose a number.}
  titles: {bag: Bag}
  order: [bag]
  sort: {coin: [worth]}
  colours: {coin: red}
  symbols: {coin: coin, worth: {1: I}}
  card: {coin: {corner: [worth], middle: star, picture: coin.svg, back: back.png, cut: token}}
"""
VARIANT = """\
variant: rich
name: Rich
about: More of everything.
extends: coins
set: {turns: 1}
change: {cards.copper.worth: 5}
add: {"values.more(p)": p.points}
remove: [display.aim]
before: {rules.game: shuffle bag}
"""
SCENARIOS = """\
scenarios:
  A turn:
    about: One number each.
    options: {turns: 1}
    given: {players: [Ana, Ben]}
    from: start
    seed: 3
    do: game
    answers: [Ana: 1, Ben: 2]
    expect: [Ana.points is 1]
"""
SAVED = ("play", "./coins", "--seats", "Ana,bot:first", "--seed", "4", "--variant", "rich", "--set", "turns=3")

# ── what is noticed ──────────────────────────────────────────────────────────────────────────────────────────────────

STARTING = (
    "subprocess.Popen",
    "os.system",
    "os.exec",
    "os.posix_spawn",
    "os.spawn",
    "os.fork",
    "os.forkpty",
    "os.startfile",
    "pty.spawn",
    "socket.connect",
    "socket.sendto",
    "socket.getaddrinfo",
    "socket.gethostbyname",
    "urllib.Request",
    "webbrowser.open",
)
LOOKING = (
    "open",
    "sqlite3.connect",
    *(f"os.{name}" for name in ("listdir", "scandir", "mkdir", "rename", "remove", "rmdir", "link", "symlink")),
    *(f"os.{name}" for name in ("truncate", "chdir", "chmod", "chown", "utime")),
)


class Watch:
    """All that is started, and all that is looked at outside of the folders that a command may know."""

    def __init__(self) -> None:
        paths = sysconfig.get_paths()
        own = [paths[name] for name in ("stdlib", "platstdlib", "purelib", "platlib")]
        own += [os.path.dirname(rulebook.__file__), str(library.bundled())]
        self._own = tuple(os.path.realpath(one) + os.sep for one in own)
        self._folders: tuple[str, ...] = ()
        self._needed: set[str] = set()
        self._noticed: list[tuple[str, str]] = []
        self._is_on = False
        sys.addaudithook(self._note)  # which can never be taken away again

    def begin(self, here: Path) -> None:
        self._folders, self._needed, self._is_on = (*self._own, os.path.realpath(here) + os.sep), set(), True

    def end(self) -> None:
        self._is_on = False

    def learn(self) -> None:
        """Allow what has been looked at so far, for a sound file. Nothing may have been started."""
        assert all(event in LOOKING for event, _ in self._noticed), self._noticed
        self._needed |= {path for _, path in self._noticed}
        self._noticed.clear()

    def take(self) -> list[str]:
        """What was noticed since this was last asked."""
        noticed = [f"{event} {what}" for event, what in self._noticed]
        self._noticed.clear()
        return noticed

    def _note(self, event: str, values: tuple[Any, ...]) -> None:
        if not self._is_on:
            return
        if event in STARTING:
            self._noticed.append((event, repr(values)[:200]))
        elif event in LOOKING:
            for path in values[: 2 if event in ("os.rename", "os.link", "os.symlink") else 1]:
                if isinstance(path, str | bytes | os.PathLike) or path is None:
                    self._look(event, os.fsdecode(path or "."))

    def _look(self, event: str, path: str) -> None:
        if event == "sqlite3.connect":
            path = path.removeprefix("file://").split("?")[0]
            if path == ":memory:":
                return
        real = os.path.realpath(path)
        is_trap = os.path.basename(real) in (MARK, SECRET)
        if is_trap or not (f"{real}{os.sep}".startswith(self._folders) or real in self._needed):
            self._noticed.append((event, real))


# ── where things can stand ───────────────────────────────────────────────────────────────────────────────────────────

Place = tuple[Any, ...]
"""The way to a value, by keys and numbers."""


@attrs.frozen
class KeyOf:
    """As the last step of a place: the key itself, and not what stands there."""

    key: str


def list_places(value: Any, place: Place = ()) -> Iterator[Place]:
    """Each leaf of plain data, and the first key of each map in it."""
    if isinstance(value, dict) and value:
        yield (*place, KeyOf(next(iter(value))))
        for key, one in value.items():
            yield from list_places(one, (*place, key))
    elif isinstance(value, list) and value:
        for at, one in enumerate(value):
            yield from list_places(one, (*place, at))
    elif place:
        yield place


def put(value: Any, place: Place, new: Any) -> Any:
    """Plain data with another value at a place; maps on the way there are made."""
    if not place:
        return new
    step, *rest = place
    if isinstance(value, list) and isinstance(step, int):
        return [put(one, tuple(rest), new) if at == step else one for at, one in enumerate(value)]
    known = value if isinstance(value, dict) else {}
    if isinstance(step, KeyOf):
        return {new if key == step.key else key: one for key, one in known.items()}
    return {**known, step: put(known.get(step), tuple(rest), new)}


def list_fields(record: type, sound: Any, place: Place = ()) -> Iterator[Place]:
    """Each field of a record of what authors write, and of the records in it; `sound` gives maps their first key."""
    hints = typing.get_type_hints(record)
    for one in attrs.fields(record):
        if one.name == "key":
            continue
        here = (*place, find_key(record, one.name))
        yield here
        inner = sound.get(here[-1]) if isinstance(sound, dict) else None
        hint = hints[one.name]
        within = typing.get_args(hint)
        for part in (hint, *within, *(more for arg in within for more in typing.get_args(arg))):
            if not attrs.has(part) or part.__module__ != schema.__name__ or part in (schema.Key, schema.TypeName):
                continue
            if part is hint:
                yield from list_fields(part, inner, here)
            else:
                key = next(iter(inner)) if isinstance(inner, dict) and inner else "it"
                below = inner.get(key) if isinstance(inner, dict) else None
                yield from list_fields(part, below, (*here, key))


def write_yaml(value: Any, between: str = " ") -> str:
    """Plain data as YAML in which words stay bare, as authors write them, and a tag is obeyed if anything does."""
    if isinstance(value, dict):
        return "{" + f",{between}".join(f"{_write_key(key)}: {write_yaml(one)}" for key, one in value.items()) + "}"
    if isinstance(value, list):
        return "[" + ", ".join(map(write_yaml, value)) + "]"
    text = str(value)
    return text if text.startswith("!") or text.replace("_", "").replace(".", "").isalnum() else json.dumps(text)


def _write_key(key: str) -> str:
    return f"? {key} " if key.startswith("!") else json.dumps(key)


# ── kinds of files ───────────────────────────────────────────────────────────────────────────────────────────────────

Fields = dict[str, tuple[int, Callable[[str], bytes]]]
"""Each field by name: how many values it is tried with, and the whole file in which one of them stands there."""
ALL, SOME, ONE = len(VALUES), len(SORTS), 1


@attrs.frozen
class Kind:
    """Files of one kind: where they lie, a sound one, its fields, and the commands that read them."""

    path: Path
    sound: bytes
    fields: Fields
    commands: tuple[tuple[str, ...], ...]
    run: Callable[[tuple[str, ...]], Any] = lambda words: CliRunner().invoke(main, words, input="q\n")
    codes: tuple[int, ...] = (0, 1, 2)


def named(place: Place) -> str:
    words = [f"key {step.key}" if isinstance(step, KeyOf) else str(step) for step in place]
    return " / ".join(words)


def of_yaml(path: Path, text: str, places: Iterable[Place], *commands: tuple[str, ...], top: int = 1) -> Kind:
    """A sound file and these places in it. Those of so many steps at most are tried with more values."""
    sound = yaml.load(text, yaml.BaseLoader)
    every = dict.fromkeys((*places, *list_places(sound)))

    def write(changed: Any) -> bytes:
        return write_yaml(changed, "\n").encode()

    fields: Fields = {}
    for one in every:
        fields[named(one)] = (SOME if len(one) <= top else ONE), lambda value, at=one: write(put(sound, at, value))
    return Kind(path, write(sound), fields, commands)


def make_rulebook(box: Sandbox) -> Kind:
    path, sound = box.here / "coins" / "rulebook.yaml", yaml.load(GAME, yaml.BaseLoader)
    commands = ("validate", "./coins"), ("test", "./coins")
    return of_yaml(path, GAME, list_fields(schema.Document, sound), *commands)


def make_variant(box: Sandbox) -> Kind:
    path = box.here / "coins" / "variants" / "rich.yaml"
    commands = ("validate", "./coins"), ("play", "./coins", "--variant", "rich", "--bots", "random")
    return of_yaml(path, VARIANT, ((name,) for name in VARIANT_FIELDS), *commands)


def make_scenario(box: Sandbox) -> Kind:
    path = box.here / "coins" / "scenarios" / "some.yaml"
    inside = (("scenarios", "A turn", name) for name in SCENARIO_FIELDS)
    places = itertools.chain(((name,) for name in SCENARIO_HEAD), inside)
    return of_yaml(path, SCENARIOS, places, ("test", "./coins"), ("validate", "./coins"), top=3)


def _names(record: type, *more: str) -> list[str]:
    return list(dict.fromkeys((*(one.name for one in attrs.fields(record)), *more)))


HEADER = _names(journal.Header, *save_schema.HEADER)
ENTRY = _names(journal.Entry, *save_schema.ENTRY)


def make_save(box: Sandbox) -> Kind:
    rows = [json.loads(line) for line in box.begun(SAVED, typed="1\n").splitlines()]
    places: list[Place] = [(0, name) for name in HEADER] + [(1, name) for name in ENTRY]
    places += [place for place in list_places(rows) if len(place) > 1 and place[0] < 2]

    def write(changed: list[Any]) -> bytes:
        return b"".join(json.dumps(row).encode() + b"\n" for row in changed)

    declared = len(HEADER) + len(ENTRY)
    fields: Fields = {
        named(one): (ALL if number < declared else SOME, lambda value, at=one: write(put(rows, at, value)))
        for number, one in enumerate(dict.fromkeys(places))
    }
    for one in places[: len(HEADER)]:
        fields[f"{named(one)}, a list"] = (ALL, lambda value, at=one: write(put(rows, at, [value])))
    path = box.here / "sent.jsonl"
    words = ("play", "--resume", str(path))
    return Kind(path, write(rows), fields, (words, (*words, "--protocol"), ("replay", str(path))))


def make_baseline(box: Sandbox) -> Kind:
    path = box.here / "known.json"
    done = CliRunner().invoke(main, ("validate", "./coins", "--write-baseline", str(path)))
    assert done.exit_code == 0, done.output
    sound = json.loads(path.read_bytes())
    places = [*list_places(sound), *(("messages", 0, name) for name in _names(baseline.Entry))]
    fields: Fields = {
        named(one): (ONE, lambda value, at=one: json.dumps(put(sound, at, value)).encode()) for one in places
    }
    return Kind(path, path.read_bytes(), fields, (("validate", "./coins", "--baseline", str(path)),))


def of_tables(data: bytes, inside: dict[str, Sequence[str]], shallow: Sequence[str] = ()) -> Fields:
    """The columns of each table, and where JSON stands in one, its fields. `inside` names those that may be there;
    in `shallow` columns no others are tried.
    """
    fields: Fields = {}

    def alter(table: str, column: str, key: list[Any], make: Callable[[str], str]) -> Callable[[str], bytes]:
        def write(value: str) -> bytes:
            with closing(sqlite3.connect(":memory:")) as file:
                file.deserialize(data)
                where = " AND ".join(f"{name} IS ?" for name in columns[table])
                file.execute(f"UPDATE OR IGNORE {table} SET {column} = ? WHERE {where}", [make(value), *key])
                file.commit()
                return file.serialize()

        return write

    columns: dict[str, list[str]] = {}
    with closing(sqlite3.connect(":memory:")) as file:
        file.deserialize(data)
        tables = file.execute("SELECT name FROM sqlite_master WHERE type = 'table'").fetchall()
        for (table,) in tables:
            columns[table] = [row[1] for row in file.execute(f"PRAGMA table_info({table})")]
            row = list(file.execute(f"SELECT * FROM {table} LIMIT 1").fetchone())
            for column, there in zip(columns[table], row, strict=True):
                name = f"{table}.{column}"
                with suppress(sqlite3.IntegrityError):  # the file itself keeps texts out of some columns
                    write = alter(table, column, row, lambda value: value)
                    write("a text")
                    fields[name] = ONE, write
                with suppress(TypeError, ValueError):
                    plain = json.loads(there)
                    known = [(one,) for one in inside.get(name, ())]
                    for place in dict.fromkeys((*known, *(list_places(plain) if name not in shallow else ()))):
                        is_list = place in known and isinstance(plain.get(place[0]), list)
                        many = SOME if place in known and name not in shallow else ONE

                        def make(value: str, at: Place = place, of: Any = plain, is_list: bool = is_list) -> str:
                            return json.dumps(put(of, at, [value] if is_list else value))

                        fields[f"{name}: {named(place)}"] = many, alter(table, column, row, make)
    return fields


def make_results(box: Sandbox) -> Kind:
    data = box.series()
    path = box.store
    words = ("simulate", "./coins", "--games", "4", "--seed", "3", "--out", str(path), "--details")
    return Kind(path, data, of_tables(data, {}), (("replay", str(path), "--game", "1"), words))


def make_tables(box: Sandbox) -> Kind:
    from rulebook.web.hall import Hall, Unplayable
    from rulebook.web.store import SETTINGS

    data = keep_tables(box.here)
    path = box.here / "sent.sqlite3"
    # Lines are those of a save; what stands deeper in one is tried there.
    fields = of_tables(data, {"tables.settings": [*SETTINGS], "lines.text": HEADER}, shallow=["lines.text"])

    async def look(hall: Hall, *_: object) -> None:
        """As a server does while it runs, and when the same people play again."""
        table = next(iter(hall.tables.values()))
        hall.rules.stamp(table.settings)
        with suppress(Unplayable):
            hall.rules.begin(table.settings)

    def serve(words: tuple[str, ...]) -> Result:
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr("rulebook.web.server.make_app", lambda hall, *_: hall)
            patch.setattr("rulebook.web.server.serve", look)
            return CliRunner().invoke(main, words)

    return Kind(path, data, fields, (("serve", "--port", "0", "--pace", "0", "--store", str(path)),), serve)


def make_cache(box: Sandbox) -> Kind:
    """Every nineteenth value of what is kept of a game, signed as only the user's own program can.

    Whoever can sign could as well change the program, so that such a file may stop it; but it starts nothing either.
    """
    for words in (("validate", "./coins"), ("play", "./coins", "--bots", "random", "--seed", "1")):
        assert CliRunner().invoke(main, words).exit_code == 0
    (path,) = (box.here / "cache").glob("loaded-*.json")
    sound = json.loads(path.read_bytes().split(b"\n", 1)[1])
    secret = (box.here / "cache" / "secret").read_bytes()

    def write(value: Any) -> bytes:
        data = json.dumps(value).encode()
        return cache._make_head(data, secret) + data

    fields: Fields = {
        named(one): (ONE, lambda value, at=one: write(put(sound, at, value))) for one in [*list_places(sound)][::19]
    }
    words = ("play", "./coins", "--bots", "random", "--seed", "1")
    return Kind(path, write(sound), fields, (words,), codes=(0, 1, 2, 3))


def make_planted(box: Sandbox) -> Kind:
    """Saves, as a program would read them that obeys whatever stands in them."""
    saves = make_save(box)
    fields = {name: alter for name, alter in saves.fields.items() if name in ("0 / game", "0 / at", "1 / answer")}

    def obey(_: tuple[str, ...]) -> SimpleNamespace:
        for line in saves.path.read_text("utf-8").splitlines():
            for text in filter(lambda one: isinstance(one, str), json.loads(line).values()):
                if text.startswith("exec:"):
                    os.system(text[5:])
                elif text.startswith("|"):
                    subprocess.run(text[1:], shell=True, check=True)
                elif text.startswith("!!"):
                    os.system(json.loads(text.split(" ", 1)[1])[0])
                else:
                    with suppress(OSError):
                        (urlopen if text.startswith("file:") else open)(text.removeprefix("!include ")).close()
        return SimpleNamespace(exit_code=0, output="")

    return Kind(saves.path, saves.sound, fields, (("obey",),), obey)


KINDS: dict[str, Callable[[Sandbox], Kind]] = {
    "rulebook": make_rulebook,
    "variant": make_variant,
    "scenario": make_scenario,
    "save": make_save,
    "baseline": make_baseline,
    "results": make_results,
    "tables": make_tables,
    "cache": make_cache,
    PLANTED: make_planted,
}


FEWEST = {"rulebook": 120, "variant": 20, "scenario": 20, "save": 40, "baseline": 10, "results": 60, "tables": 35}
"""Fields, as far as one can tell without counting them again."""


# ── a process that tries them all ────────────────────────────────────────────────────────────────────────────────────


def choose(number: int, many: int) -> list[str]:
    """The values for a field: all of them, or one of each sort, or one in turn."""
    if many == ALL:
        return [*VALUES]
    if many == SOME:
        return [sort[number % len(sort)] for sort in SORTS]
    return [VALUES[number % len(VALUES)]]


def enter(folder: Path) -> Sandbox:
    """A folder with a game, and around it what nobody may look at."""
    box = Sandbox(folder)
    os.environ |= box.environment() | {cache.SWITCH: str(box.here / "cache")}
    os.chdir(box.here)
    coins = box.here / "coins"
    (coins / "scenarios").mkdir()
    for name, text in (("rulebook", GAME), ("variants/rich", VARIANT), ("scenarios/some", SCENARIOS)):
        (coins / f"{name}.yaml").write_text(text, "utf-8")
    shutil.copytree(coins, folder / "outside" / "coins")
    for near in (coins, box.here, box.here.parent, folder):
        (near / SECRET).write_text("secret", "utf-8")
    return box


def try_all(kind: str, folder: Path, watch: Watch) -> dict[str, Any]:
    """Put everything into every field of a kind of file, and tell what was noticed."""
    box = enter(folder)
    files = KINDS[kind](box)
    watch.begin(box.here)
    for words in files.commands:
        files.path.write_bytes(files.sound)
        done = files.run(words)
        assert done.exit_code == 0, (words, done.output)
    watch.learn()
    found: dict[str, list[str]] = {}
    openings, mark = 0, folder / MARK
    for number, (name, (many, alter)) in enumerate(files.fields.items()):
        for at, value in enumerate(choose(number, many)):
            value = value.replace("{mark}", str(mark)).replace("{outside}", str(folder / "outside"))
            words = files.commands[(number + number // ALL + at) % len(files.commands)]
            files.path.write_bytes(alter(value))
            done = files.run(words)
            openings += 1
            wrong = watch.take()
            if done.exit_code not in files.codes:
                wrong.append(f"exit code {done.exit_code}: {done.output[-300:]}")
            if mark.exists():
                wrong.append("it was obeyed")
                mark.unlink()
                watch.take()
            if wrong:
                found[f"{' '.join(words)}: {name} = {value}"] = wrong
    watch.end()
    return {"fields": [*files.fields], "openings": openings, "found": found}


def main_of_child(folder: Path, kinds: Sequence[str]) -> None:
    """Try these kinds of files, and print what came of it."""
    CliRunner().invoke(main, ("validate", "kuhn_poker"))  # the grammar is made once for all tests
    gc.freeze()
    gc.set_threshold(20_000, 20, 20)
    tempfile.tempdir = None
    watch = Watch()
    json.dump({kind: try_all(kind, folder / kind, watch) for kind in kinds}, sys.stdout)


@pytest.mark.slow
@pytest.mark.skipif(os.name != "posix", reason="paths and commands are those of POSIX")
def test_no_field_starts_reads_or_writes_anything(tmp_path: Path) -> None:
    kinds = [*KINDS]
    if any(find_spec(needed) is None for needed in ("starlette", "uvicorn", "segno")):
        kinds.remove("tables")
    command = [sys.executable, __file__, str(tmp_path), *kinds]
    # Where only the installed package may be found, a started script does not find what lies beside it.
    beside = os.environ | {"PYTHONPATH": str(HELPERS)}
    done = subprocess.run(command, capture_output=True, text=True, timeout=300, check=False, env=beside)
    assert done.returncode == 0, done.stderr
    told = json.loads(done.stdout)
    planted = told.pop(PLANTED)
    assert len(planted["found"]) == planted["openings"] == 3 * len(VALUES), "whatever is obeyed is noticed"
    assert {kind: one["found"] for kind, one in told.items()} == {kind: {} for kind in told}
    for kind, fewest in FEWEST.items():
        assert kind not in told or len(told[kind]["fields"]) >= fewest, kind


if __name__ == "__main__":
    main_of_child(Path(sys.argv[1]), sys.argv[2:])
