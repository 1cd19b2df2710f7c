"""Disks that fail at drawn moments of a game: what was acknowledged is kept, what was refused is not, and it goes on.

In: a program, a seed. Out: complaints, none is what one wants to see, and counts of what was tried. A failure comes at
one of the calls by which something is written (of the system for a save, of SQLite for a store), and may last for some
calls more; a write may get half of its bytes to the disk before. Never: leaves a call broken behind.
"""

from __future__ import annotations

import asyncio
import errno
import os
import sqlite3
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from json import loads
from pathlib import Path
from random import Random
from typing import Any

import pytest
from attrs import define, field
from leaks import answer_at_random

from rulebook.dsl.ir import Rulebook
from rulebook.interpreter import journal
from rulebook.interpreter.decisions import NotKept, Refused
from rulebook.interpreter.game import Game
from rulebook.interpreter.journal import Entry, Header, Journal, KeptFile
from rulebook.interpreter.program import Program
from rulebook.pictures import Picture
from rulebook.table.faces import Faces
from rulebook.table.shared import SharedGame
from rulebook.web import hall
from rulebook.web.hall import Begun, Hall, Open, hash_token
from rulebook.web.messages import HOST, WATCH
from rulebook.web.offers import Offer
from rulebook.web.store import Settings, Store

_CALLS = ("open", "write", "fsync", "ftruncate", "replace", "unlink")
_ERRORS = (errno.ENOSPC, errno.EIO, errno.EDQUOT)
_CODES = (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_FULL, sqlite3.SQLITE_IOERR)
_MOST_CALLS = 16  # of which one begins to fail


@define
class Disk:
    """Counts calls, and lets some of them fail."""

    random: Random
    tried: Counter[str]
    _ahead: int = -1
    _left: int = 0

    def draw_failure(self) -> None:
        """Let one of the next calls fail, and perhaps some behind it."""
        self._ahead, self._left = self.random.randrange(_MOST_CALLS), self.random.choice((1, 1, 2, 3, 100))

    def recover(self) -> None:
        self._ahead, self._left = -1, 0

    def fails(self) -> bool:
        """Count a call, and tell whether it fails."""
        if self._ahead < 0:
            return False
        if self._ahead > 0:
            self._ahead -= 1
            return False
        self._left -= 1
        if self._left == 0:
            self._ahead = -1
        self.tried["failures"] += 1
        return True


@contextmanager
def failing_calls(disk: Disk) -> Iterator[None]:
    """Let calls of the system fail as this disk does."""
    true = {name: getattr(os, name) for name in _CALLS}

    def make(name: str) -> Callable[..., Any]:
        def call(*words: Any, **more: Any) -> Any:
            if not disk.fails():
                return true[name](*words, **more)
            half = words[1][: len(words[1]) // 2] if name == "write" else b""
            if half and disk.random.random() < 0.7:
                return true[name](words[0], half)
            raise _draw_error(disk)

        return call

    for name in _CALLS:
        setattr(os, name, make(name))
    try:
        yield
    finally:
        for name, call in true.items():
            setattr(os, name, call)


def _draw_error(disk: Disk) -> OSError:
    code = disk.random.choice(_ERRORS)
    return OSError(code, os.strerror(code))


@define
class Database:
    """A connection to a store whose statements fail as its disk does. What ends a transaction of lines alone may have
    been carried out all the same, as where the disk has failed behind the last write.
    """

    true: sqlite3.Connection
    disk: Disk
    _is_of_lines: bool = True

    @property
    def in_transaction(self) -> bool:
        return self.true.in_transaction

    def execute(self, statement: str, values: Sequence[Any] = ()) -> sqlite3.Cursor:
        fails = self.disk.fails()
        if statement.startswith("begin"):
            self._is_of_lines = True
        elif statement not in ("commit", "rollback"):
            self._is_of_lines &= " lines " in statement
        if fails and statement == "commit" and self._is_of_lines and self.disk.random.random() < 0.3:
            self.true.execute(statement)
        if fails:
            self._fail()
        return self.true.execute(statement, values)

    def executemany(self, statement: str, values: Sequence[Any]) -> sqlite3.Cursor:
        if self.disk.fails():
            self.true.executemany(statement, values[:1])
            self._fail()
        return self.true.executemany(statement, values)

    def close(self) -> None:
        self.true.close()

    def _fail(self) -> None:
        failure = sqlite3.OperationalError("the disk fails")
        failure.sqlite_errorcode = self.disk.random.choice(_CODES)
        raise failure


# ── a game in a file ──


def file_complaints(program: Program, path: Path, seed: int, steps: int, tried: Counter[str]) -> Iterator[str]:
    """Play on while the disk fails, read the save after each step as somebody would who begins anew, and compare."""
    random = Random(seed)
    disk, names = Disk(random, tried), ("Ana", "Ben", "Cleo", "Dan")[: program.players]
    with suppress(FileNotFoundError):
        path.unlink()
    game = SharedGame(program, seed, names)
    game.save(path)
    game.keep(KeptFile(path))
    for _ in range(steps):
        if game.over:
            break
        before, is_failing = _stand(game), random.random() < 0.6
        try:
            with failing_calls(disk):
                if is_failing:
                    disk.draw_failure()
                _draw_step(game, random)
            tried["done"] += 1
        except NotKept:
            tried["refused"] += 1
            if _stand(game) != before:
                yield f"{program.id} {seed}: what was refused has changed the game"
        except Refused:
            tried["against the rules"] += 1
        finally:
            disk.recover()
        complaint = _compare(game, journal.read_journal(path).entries, tried)
        if complaint:
            yield f"{program.id} {seed}: {complaint}"
            return
    if game._is_unsure:
        return
    again = SharedGame.replay(program, journal.read_journal(path))
    if again.state != game.state:
        yield f"{program.id} {seed}: the game that was kept is another"


def _compare(game: Game, kept: Sequence[Entry], tried: Counter[str]) -> str:
    """Say what is wrong with what is kept of a game. Where the disk failed to the last, what was refused may be there
    all the same, as a whole, until something else is written.
    """
    entries = tuple(game.entries)
    if tuple(kept) == entries:
        return ""
    is_one_more = len(kept) == len(entries) + 1 and tuple(kept[:-1]) == entries
    if game._is_unsure and (is_one_more or tuple(kept) == entries[: len(kept)]):
        tried["refused, and there all the same"] += 1
        return ""
    tried["lost" if len(kept) < len(entries) else "doubled"] += 1
    return f"{len(entries)} answers count, and {len(kept)} are kept"


def _stand(game: SharedGame) -> Any:
    way = game.way
    noticed = [len(game.events(seat)) for seat in range(len(game.names))]
    place = way.gone, way.asking, way.put_at, way.is_quiet, way.points, way.passed, way.whispers
    return repr((game.state, game.entries, noticed, game.decision)), repr(place)


def _draw_step(game: Game, random: Random) -> None:
    """Answer, or take something back."""
    seat = random.randrange(len(game.names))
    match random.randrange(6):
        case 0 if game.entries:
            game.undo(random.randint(1, min(3, len(game.entries))))
        case 1 if game.may_take_back(seat):
            game.take_back(seat)
        case _:
            answer_at_random(game, lambda n: random.randrange(n))


# ── a table in a store ──


@define
class Pages:
    """A page of one role: what it was sent."""

    said: list[dict[str, Any]] = field(factory=list)

    def send(self, text: str) -> None:
        self.said.append(loads(text))

    def drop(self) -> None:
        self.said.append({"dropped": True})

    def take(self, *names: str) -> dict[str, Any]:
        """The last message that has one of these, and forget all."""
        found: dict[str, Any] = next((one for one in reversed(self.said) if any(name in one for name in names)), {})
        self.said.clear()
        return found


@define
class OneGame:
    """Rules that are always the same."""

    rulebook: Rulebook
    program: Program
    seed: int = 0

    def begin(self, settings: Settings, seed: int | None = None) -> Begun:
        self.seed += 1
        program, seats = self.program, tuple(name for name, _ in settings.seats)
        bots = tuple(bot for _, bot in settings.seats)
        header = Header(program.id, program.rules_hash, seats, self.seed, options=dict(program.options), bots=bots)
        return Begun(self.rulebook, program, {}, header)

    def resume(self, saved: Journal) -> Begun:
        return Begun(self.rulebook, self.program, {}, saved.header)

    def list_offers(self) -> Sequence[Offer]:
        """The same game by another key, and one for which somebody would have to go."""
        title, game = self.program.name, self.program.id
        return [Offer("again", title, (self.program.players,), game), Offer("none", title, (1,), game)]

    def find_pictures(self, settings: Settings, faces: Faces) -> Mapping[str, Picture]:
        return {}

    def check_name(self, name: str, others: Sequence[str]) -> str:
        return ""

    def check(self, settings: Settings) -> str:
        return ""

    def stamp(self, settings: Settings) -> object:
        return None


@define
class Evening:
    """A table, people who do all that can be done there, and a store whose disk fails."""

    rules: OneGame
    path: Path
    random: Random
    tried: Counter[str]
    disk: Disk = field(init=False)
    store: Store = field(init=False)
    open: Open = field(init=False)
    pages: dict[str, Pages] = field(factory=dict)
    noted: list[str] = field(factory=list)

    async def begin(self) -> None:
        seats = [["Ana", ""], ["Ben", ""], ["Bot 1", "random"]][: self.rules.program.players]
        self.disk, self.store = Disk(self.random, self.tried), Store(self.path)
        self.open = await Hall(self.store, self.rules, "", 0).open(Settings("drawn", (), (), (), seats))
        await self.open.start()
        self._come()

    def _come(self) -> None:
        self.store._database = Database(self.store._database, self.disk)
        assert self.open.table is not None
        roles = [WATCH, HOST, *map(str, range(len(self.open.table.game.names)))]
        self.pages = {role: Pages() for role in roles}
        for role, page in self.pages.items():
            self.open.enter(role, page)

    async def reopen(self) -> None:
        """The server ends, and another one opens the table."""
        self.open.stop()
        self.store.close()
        self.store = Store(self.path)
        found = Hall(self.store, self.rules, "", 0)
        (table,) = self.store.open_tables()
        self.store.hold(table)
        self.open = await found.reopen(self.store.find_table(table))
        self._come()

    async def act(self) -> None:
        """Do something that is drawn, while the disk may fail."""
        if self.random.random() < 0.5:
            self.disk.draw_failure()
        for page in self.pages.values():
            page.said.clear()
        role, said, wanted = self._draw()
        before = self._stand()
        await self.open.hear(role, said)
        await asyncio.sleep(0)
        await asyncio.sleep(0)
        self.disk.recover()
        heard = self.pages[role].take("refused", *wanted)
        kind = "refused" if "could not be kept" in heard.get("refused", "") else "done"
        self.tried[kind] += 1
        self.tried[f"{kind}: {next(iter(said))}"] += 1
        if kind == "refused":
            assert self._stand() == before, f"{said} was refused, and done"
        elif "note" in said:
            self.noted.append(said["note"])
        while self.open.table is not None and self.open.table.unkept:
            self.tried["waited"] += 1
            await asyncio.sleep(0.001)

    def _draw(self) -> tuple[str, dict[str, Any], tuple[str, ...]]:
        table, random = self.open.table, self.random
        assert table is not None
        persons = [seat for seat in range(len(table.game.names)) if table.front.asked(seat) is not None]
        match random.randrange(24):
            case 0:
                return HOST, {"pause": False}, ("host",)
            case 1:
                return HOST, {"link": WATCH}, ("host",)
            case 2:
                return HOST, {"rematch": True}, ("host",)
            case 11:
                return HOST, {"other": random.choice(("again", "none"))}, ("host",)
            case 3 | 4:
                lent = self.open.settings.lent
                return HOST, {"seat": 0, "bot": 0 not in lent}, ("host",)
            case 5 | 6:
                return "1", {"note": f"note {len(self.noted)} {random.random()}"}, ("noted",)
            case 7 | 8 | 9:
                return str(random.choice((0, 1))), {"undo": True}, ()
            case 10 if len(table.game.names) == 3 and 2 in table.sitting.bots and random.random() < 0.3:
                return HOST, {"seat": 2, "bot": False, "name": "Cleo"}, ("host",)
        if not persons:
            return HOST, {"rematch": True}, ("host",)
        seat = random.choice(persons)
        ask = table.front.asked(seat)
        assert ask is not None
        keys = table.game.machine.random_answer(table.game.state, ask, lambda n: random.randrange(n))
        chosen = [ask.keys.index(key) for key in keys]
        said = {"answer": ask.number, "picked": len(ask.picked), "chosen": chosen, "deal": self.open.game_number}
        return str(seat), said, ("accepted",)

    def _stand(self) -> Any:
        assert self.open.table is not None
        return repr((self.open.table.game.entries, self.open.settings, self.open.links, self.open.game_number))

    def complain(self) -> Iterator[str]:
        """Compare what people know with what another program finds in the file."""
        open, table = self.open, self.open.table
        assert table is not None
        other = Store(self.path)
        try:
            kept, game = other.find_table(open.id), table.game
            if kept.game != open.game_number:
                yield f"game {open.game_number} is played, and {kept.game} is kept"
            elif complaint := _compare(game, kept.journal.entries, self.tried):
                yield complaint
            if kept.settings != open.settings:
                yield f"{open.settings} are settled, and {kept.settings} are kept"
            notes = [note.text for number in other.games(open.id) for note in other.notes(number)]
            if sorted(notes) != sorted(self.noted):
                yield f"{len(self.noted)} notes were taken, and {len(notes)} are kept"
            for role, token in open.links.items():
                if other.find_token(hash_token(token)) != (open.id, role):
                    yield f"the link of {role} leads nowhere"
        finally:
            other.close()


async def table_complaints(rules: OneGame, path: Path, seed: int, steps: int, tried: Counter[str]) -> list[str]:
    """Let an evening go by; now and then the server ends, and another one goes on."""
    patch = pytest.MonkeyPatch()
    patch.setattr(hall, "_RETRY", 0.001)
    patch.setattr(hall, "BEST", "random")
    evening = Evening(rules, path, Random(seed), tried)
    await evening.begin()
    try:
        for step in range(steps):
            await evening.act()
            found = [f"{rules.program.id} {seed}, step {step}: {one}" for one in evening.complain()]
            if found:
                return found
            if step % 25 == 24:
                await evening.reopen()
                tried["reopened"] += 1
    finally:
        evening.open.stop()
        evening.store.close()
        patch.undo()
    return []
