"""All tables of one server: who may sit where, what each page has been shown, and when it is shown the next thing.

A link holds a token of 128 bits, of which only the hash is kept. A batch of pages is released a fixed time after the
one before, however fast it came, so that the clock does not tell how long a bot thought, or that an answer was forced.
"""

from __future__ import annotations

import asyncio
import json
import secrets
import zlib
from collections import deque
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from functools import partial
from hashlib import sha256
from sys import intern
from typing import Any, NamedTuple, Protocol

import attrs
import segno
from attrs import define, field

from rulebook.dsl.ir import Rulebook
from rulebook.interpreter.decisions import PASS, Ask, NotKept, Refused
from rulebook.interpreter.journal import BadSave, Header, Journal
from rulebook.interpreter.program import Program
from rulebook.interpreter.wording import join_texts
from rulebook.pictures import Picture
from rulebook.playtest.bots import BEST, make_bot
from rulebook.printing import clean
from rulebook.table.faces import Faces, show_pictures
from rulebook.table.handbook import Handbook
from rulebook.table.shared import SharedGame
from rulebook.table.sitting import Bot, Sitting
from rulebook.web.late import Clock, Deadlines, Question
from rulebook.web.messages import HOST, WATCH, find_form
from rulebook.web.offers import Offer, fit_seats
from rulebook.web.projection import Json
from rulebook.web.room import PATIENCE, Room, is_numbered
from rulebook.web.store import Kept, Note, Settings, Store, Unwritten
from rulebook.web.table import Table
from rulebook.web.words import find_words

LONGEST_NOTE = 2000
MOST_NOTES = 200
"""Letters of a note, and notes of one seat in a game."""
LONGEST_LINE = 200
MOST_LINES = 50
"""Letters of what somebody says across the table, and lines that are shown to who comes back."""
_TITLE, _YOURS = 64, 128
_RETRY = 1.0  # seconds until a bot's answer that could not be kept is tried again


class Unplayable(Exception):
    """The rules cannot be played as they are now; the text says why."""


class Begun(NamedTuple):
    """A game that can be played: its rules, and what its save begins with."""

    rulebook: Rulebook
    program: Program
    texts: Mapping[str, str]
    header: Header


class Rules(Protocol):
    """The source of games and their rules."""

    def begin(self, settings: Settings, seed: int | None = None) -> Begun:
        """Read the rules as they are now, and draw a seed where there is none. Raises Unplayable."""

    def resume(self, saved: Journal) -> Begun:
        """Read the rules that a save carries. Raises Unplayable."""

    def list_offers(self) -> Sequence[Offer]:
        """List the games that a host may choose from."""

    def find_pictures(self, settings: Settings, faces: Faces) -> Mapping[str, Picture]:
        """Read the pictures on the faces of a game, by their paths; of one that cannot be used there is none."""

    def check_name(self, name: str, others: Sequence[str]) -> str:
        """Say in words why nobody can be called so beside these others; nothing if somebody can."""

    def check(self, settings: Settings) -> str:
        """Say in words what is wrong with the rules as they are now; nothing if nothing is."""

    def stamp(self, settings: Settings) -> object:
        """Return a value that is another whenever a file of the rules has changed."""


class Line(Protocol):
    """One connection of one page."""

    def send(self, text: str) -> None: ...

    def drop(self) -> None: ...


@define
class Shown:
    """The page and log that one role has been shown so far."""

    packed: bytes = b""
    """The page: of many tables most stand still, and a page of objects takes twenty times as much."""
    log: list[str] = field(factory=list)
    """The texts of its lines, which roles share: they are most of what a table holds."""
    marks: bytearray = field(factory=bytearray)
    """The weight of each line, and whether it is a title or speaks of who sits there."""
    failed: str = ""
    wished: list[str] = field(factory=list)

    @property
    def page(self) -> Json:
        return dict(json.loads(zlib.decompress(self.packed))) if self.packed else {}

    def apply(self, message: Json) -> None:
        if "page" in message:
            self.packed = _pack(message["page"])
            start, lines = message["log_from"], message["log"]
            self.log[start:] = [intern(line["text"]) for line in lines]
            self.marks[start:] = bytes(
                line["weight"] | line["title"] * _TITLE | line["yours"] * _YOURS for line in lines
            )
        if self.packed and (("accepted" in message and "again" not in message) or "asked" in message):
            kept = {name: value for name, value in self.page.items() if name != "ask"}
            self.packed = _pack(kept | {name: message[name] for name in ("undo",) if name in message})
        self.failed = message.get("failed", self.failed)
        self.wished = message.get("wished", self.wished)

    def has(self, message: Json) -> bool:
        """Tell whether this has been shown already."""
        is_short = not message.get("log") and message.get("log_from") == len(self.log)
        return is_short and message.keys() == {"page", "log_from", "log"} and _pack(message["page"]) == self.packed

    def make_message(self) -> Json:
        log = [
            {"text": text, "title": mark & _TITLE > 0, "weight": mark % _TITLE, "yours": mark & _YOURS > 0}
            for text, mark in zip(self.log, self.marks, strict=True)
        ]
        page: Json = {"page": self.page, "log_from": 0, "log": log} if self.packed else {}
        return {**page, "wished": self.wished, **({"failed": self.failed} if self.failed else {})}


def _pack(page: Json) -> bytes:
    """Equal pages are packed alike."""
    return zlib.compress(json.dumps(page, sort_keys=True).encode(), 1)


Message = tuple["int | None", Json]
"""For whom something is (None: whoever watches), and what it is."""


@define
class Gathering:
    """Gathers what a table sends for one batch, and hands it over when it is whole: how long the table takes to make it
    must not decide with which pace a part of it is shown.
    """

    hand_over: Callable[[Sequence[Message], bool], None]
    """Takes messages, and whether they are a batch or go at once."""
    batch: list[Message] = field(factory=list)

    def push(self, seat: int | None, message: Json, batch: int | None) -> None:
        if batch is None:
            self.hand_over([(seat, message)], False)
        else:
            self.batch.append((seat, message))

    def flush(self) -> None:
        if self.batch:
            self.hand_over(self.batch, True)
            self.batch = []


class Open:
    """A table that is open: its game, or the room where people wait for it, its pages, and the connections that show
    them. The first game is dealt by `seed`, if there is one.
    """

    def __init__(self, hall: Hall, id: int, settings: Settings, seed: int | None = None) -> None:
        self.hall, self.id, self.settings, self._seed = hall, id, settings, seed
        self.lock = asyncio.Lock()
        self.lines: dict[str, list[Line]] = {}
        self.shown: dict[int | None, Shown] = {}
        self.links: dict[str, str] = {}
        """The tokens that are known since this server was started, by role."""
        self.table: Table | None = None
        self.room: Room | None = None
        """The room in which people wait, before the first game."""
        self.pictures: Mapping[str, Picture] = {}
        """The pictures of the game, by the names that pages have for them."""
        self.wanting: set[int] = set()
        """The seats that want another game, when one is over."""
        self.game_number = 0
        self.titles: dict[int, tuple[str, str]] = {}
        """The ids and titles of what this table has played, by the numbers of its games."""
        self.checked = ""
        self.rules: list[str] = []
        self._list_rules: Callable[[], Any] = list
        self._stamp: object = None
        self._queue: deque[Sequence[Message]] = deque()
        self._released: asyncio.Task[None] | None = None
        self._retried: asyncio.Task[None] | None = None
        self._said: deque[tuple[str, Json]] = deque(maxlen=MOST_LINES)
        """Lines said across the table, each with the role of who did: no part of any game, and kept nowhere else."""
        self._came: set[str] = set()
        """The seats that somebody has sat down at since this server was started."""
        self._told: dict[str, str] = {}
        """The state of the table, as each role was told last."""
        self.gap = ""
        """The reason why the game goes on from before where it was kept to, if it does."""
        self._round = 0
        self._is_end_told = False
        self.deadlines = Deadlines(settings.within, hall.clock, self._note_late)
        self._late: set[asyncio.Task[None]] = set()

    @property
    def names(self) -> tuple[str, ...]:
        return tuple(name for name, _ in self.settings.seats)

    # ── the game ──

    async def wait(self) -> None:
        """Let people come in before the first game. Raises Unplayable."""
        begun = await asyncio.to_thread(self.hall.rules.begin, self.settings, self._seed)
        self._stamp = await asyncio.to_thread(self.hall.rules.stamp, self.settings)
        handbook = self._read_rules(begun)
        self.room = Room(begun.program.name, handbook.rulebook.display.aim, begun.program.looks.language)
        self.room.missing = self._find_missing()

    def _read_rules(self, begun: Begun) -> Handbook:
        handbook = Handbook(begun.rulebook, begun.program, begun.texts)
        self._list_rules = handbook.list_rules
        self.rules = handbook.list_house_rules([text.partition("=")[0].strip() for text in self.settings.given])
        return handbook

    def _find_missing(self) -> list[int]:
        """Find the seats of persons who are not there."""
        return [seat for seat, (_, bot) in enumerate(self.settings.seats) if not bot and not self.lines.get(str(seat))]

    async def start(self, lent: Sequence[int] = ()) -> None:
        """Deal the first game; for these seats a bot plays meanwhile. Raises Unplayable."""
        async with self.lock:
            if self.room is not None:
                begun = await asyncio.to_thread(self.hall.rules.begin, self.settings, self._seed)
                self.change(lent=lent)
                await self.begin(begun)
        self._show_anew()

    async def begin(
        self, begun: Begun, saved: Journal | None = None, number: int = 0, settings: Settings | None = None
    ) -> None:
        """Sit down to a game: a new one, perhaps by other settings, or one that was saved."""
        game, self.gap = await asyncio.to_thread(_make_game, begun, saved)
        store = self.hall.store
        if saved is None or self.gap:
            # What stands behind a gap stays where it is, in a game that is over for this table.
            with store.together():
                if settings is not None:
                    store.change_settings(self.id, settings)
                kept = store.begin_game(self.id, game.header, game.entries, game.over)
            self.settings = settings or self.settings
        else:
            kept = store.kept_game(number)
        self._round += 1
        self._queue.clear()
        self.shown, self.room, self.wanting = {}, None, set()
        self.deadlines.stop()
        self.checked = ""
        game.keep(kept)
        self.game_number = kept.number
        self.titles[kept.number] = (game.program.id, game.program.name)
        specs = {seat: spec for seat, (_, spec) in enumerate(self.settings.seats) if spec}
        bots = {seat: _make_bot(game, spec, seat) for seat, spec in specs.items()}
        sitting = Sitting(game, bots, lambda seat: _make_bot(game, BEST, seat))
        handbook = self._read_rules(begun)
        found = await asyncio.to_thread(self.hall.rules.find_pictures, self.settings, handbook.faces)
        self.pictures = {picture.hash: picture for picture in found.values()}
        addresses = {name: f"/art/{picture.hash}" for name, picture in found.items()}
        faces = {id: show_pictures(face, addresses) for id, face in handbook.faces.items()}
        gathering = self.gather()
        self.table = Table(sitting, faces, gathering.push, handbook, gathering.flush)
        self._stamp = await asyncio.to_thread(self.hall.rules.stamp, self.settings)
        if saved is None:
            self.hall.tell(f"{game.program.name} begins.")
        self._is_end_told = game.over
        table = self.table
        await self._act(table.begin)
        for seat in self.settings.lent:
            await self._act(table.lend, seat)
        self.tell_status()

    async def _act(self, act: Callable[..., None], *words: Any) -> None:
        """Let something happen at the table. If a bot's answer cannot be kept, the game goes on when it can be."""
        await asyncio.to_thread(act, *words)
        assert self.table is not None
        if self.table.unkept and (self._retried is None or self._retried.done()):
            self._retried = asyncio.create_task(self._try_again())
            self.tell_host()

    async def _try_again(self) -> None:
        while self.table is not None and self.table.unkept:
            await asyncio.sleep(_RETRY)
            async with self.lock:
                await asyncio.to_thread(self.table.go_on)
        self.tell_host()

    def stop(self) -> None:
        """Let nothing happen any more by itself."""
        self.deadlines.stop()
        if self._retried is not None:
            self._retried.cancel()

    def gather(self) -> Gathering:
        """Make what the table sends with, from any thread; what comes from an earlier game is dropped."""
        loop, current = asyncio.get_running_loop(), self._round

        def hand_over(messages: Sequence[Message], is_batch: bool) -> None:
            loop.call_soon_threadsafe(self._enqueue, current, messages, is_batch)

        return Gathering(hand_over)

    def _enqueue(self, round: int, messages: Sequence[Message], is_batch: bool) -> None:
        if round != self._round:
            return
        if not is_batch:
            for seat, message in messages:
                self._deliver(seat, message)
            return
        self._queue.append(messages)
        if self._released is None or self._released.done():
            self._released = asyncio.create_task(self._release())

    async def _release(self) -> None:
        """Show one batch after the other, each a fixed time after the one before."""
        while self._queue:
            for seat, message in self._queue.popleft():
                self._deliver(seat, message)
            if self.hall.pace > 0:
                await asyncio.sleep(self.hall.pace)

    def _deliver(self, seat: int | None, message: Json) -> None:
        shown = self.shown.setdefault(seat, Shown())
        if seat is None and shown.has(message):
            return  # only somebody who sits at the table is shown something new
        shown.apply(message)
        # A page of another game is shown when that is told as a whole.
        deal = {"deal": self.game_number} if "page" in message else {}
        self.send(WATCH if seat is None else str(seat), {**message, **deal, **self._count_down(seat)})
        if seat is None and "page" in message:
            self._tell_end(message["page"].get("over"))
            self.tell_host()

    def _tell_end(self, over: Json | None) -> None:
        """Say in the terminal that a game is over; of one that goes on because an answer was taken back, again."""
        if over is not None and not self._is_end_told and self.table is not None:
            self.hall.tell(f"{self.table.game.program.name} is over. {over['result']}")
        self._is_end_told = over is not None

    # ── who takes long ──

    def _count_down(self, seat: int | None) -> Json:
        """Count from when a seat is shown a question; what its own page is told of that, and no other one."""
        if seat is None or self.table is None:
            return {}
        ask = self.shown.get(seat, Shown()).page.get("ask")
        question = None if ask is None else (self.game_number, ask["number"], ask["picked"])
        self.deadlines.ask(seat, None if self.settings.paused else question)
        left = self.deadlines.find_left(seat)
        return {} if left is None else {"within": left}

    def _note_late(self, seat: int, question: Question) -> None:
        task = asyncio.get_running_loop().create_task(self._answer_late(seat, question))
        self._late.add(task)
        task.add_done_callback(self._late.discard)

    async def _answer_late(self, seat: int, question: Question) -> None:
        """Answer for somebody whose time is over. If that cannot be kept, they have as long again."""
        async with self.lock:
            table, game = self.table, question[0]
            if table is None or game != self.game_number or self.settings.paused:
                return
            choose = partial(_choose_for, table.game, is_passing=self.settings.is_passing)
            is_done = await asyncio.to_thread(table.answer_for, seat, question[1:], choose)
        if not is_done:
            self.deadlines.begin_anew()
        self.tell_status()

    # ── connections ──

    def _make_whole(self, role: str) -> str:
        """All that a page has to show."""
        seat = None if role == WATCH else int(role)
        shown = self.shown.get(seat, Shown())
        about = {**self._about(role), "said": self._list_said(role)}
        return _text({"whole": True, **about, **shown.make_message(), **self._count_down(seat)})

    def enter(self, role: str, line: Line) -> None:
        """A page was opened, or has found its way back."""
        self.lines.setdefault(role, []).append(line)
        if role not in (WATCH, HOST, *self._came):
            self._came.add(role)
            self.hall.tell(f"{self.names[int(role)]} is here.")
        if role != HOST:
            line.send(self._make_whole(role))
        page = self._told.get(role)
        self.tell_status()
        if page is not None and page == self._told.get(role):
            line.send(page)

    def leave(self, role: str, line: Line) -> None:
        self.lines[role].remove(line)
        if not self.lines[role]:
            self._told.pop(role, None)
        self.tell_status()

    def send(self, role: str, message: Json) -> None:
        lines = self.lines.get(role)
        if lines:
            text = _text(message)
            for line in [*lines]:
                line.send(text)

    def drop(self, role: str) -> None:
        for line in self.lines.get(role, []):
            line.drop()

    def _about(self, role: str) -> Json:
        faces = self.table.faces.values() if self.table is not None else ()
        return {
            "cards": [face.to_json() for face in faces if face.kind and face.text],
            "deal": self.game_number,
            "title": self.titles.get(self.game_number, ("", ""))[1],
            # All of them, before anything is dealt: none is asked for when something is seen.
            "pictures": [f"/art/{hash}" for hash in self.pictures],
            "questions": self.settings.questions if role not in (WATCH, HOST) else [],
        }

    def tell_status(self) -> None:
        """Tell every page who is there, and what the host has done, if that is news for it: that it is looked at,
        and by whom, tells that somebody is asked.
        """
        table, room = self.table, self._look_around()
        if table is None and room is None:
            return
        seats = [self._describe_seat(seat) for seat in range(len(self.names))]
        again = [self.names[seat] for seat in sorted(self.wanting)]
        status = {"seats": seats, "paused": self.settings.paused, "wish": "", "again": again}
        if self.settings.within:
            status["late"] = {"seconds": self.settings.within, "is_passing": self.settings.is_passing}
        if room is not None:
            status["room"] = room
        wish = table.front.wish if table is not None else None
        for role in [role for role in self.lines if role != HOST]:
            own: Json = {}
            if role != WATCH and wish is not None and int(role) in wish[1]:
                own["wish"] = self.names[wish[0]]
            if role != WATCH and wish is not None and int(role) == wish[0]:
                own["asking"] = [self.names[other] for other in wish[1]]
            if role != WATCH and room is not None:
                name = self.names[int(role)]
                own["room"] = {**room, "you": name, "is_nameless": is_numbered(name)}
            self._tell(role, {"status": {**status, **own}})
        self.tell_host()

    def _look_around(self) -> Json | None:
        """Look who is in the room where people wait, and again when those who are there need wait no longer."""
        if self.room is None:
            return None
        loop = asyncio.get_running_loop()
        if self.room.look(self._find_missing(), loop.time()):
            loop.call_later(PATIENCE, self.tell_status)
        return self.room.describe(self.names, loop.time())

    def _describe_seat(self, seat: int) -> Json:
        bots = [at for at, (_, bot) in enumerate(self.settings.seats) if bot]
        is_bot = seat in (bots if self.table is None else self.table.sitting.bots)
        is_here, is_lent = bool(self.lines.get(str(seat))), seat in self.settings.lent
        return {"name": self.names[seat], "here": is_here, "bot": is_bot, "lent": is_lent}

    def tell_host(self) -> None:
        if self.lines.get(HOST):
            try:
                self._tell(HOST, {"host": self.about()})
            except Unwritten as failure:
                self.send(HOST, {"refused": find_words("host_unread", why=failure.strerror)})

    def _tell(self, role: str, message: Json) -> None:
        """Tell a role how things stand, if they stand otherwise than it was told last."""
        text = _text(message)
        if self.lines.get(role) and self._told.get(role) != text:
            self._told[role] = text
            for line in [*self.lines[role]]:
                line.send(text)

    def about(self) -> Json:
        """All that the host's page shows: nothing that is hidden in the game."""
        table, shown, room = self.table, self.shown.get(None, Shown()), self._look_around()
        seats = [
            {"seat": seat, **self._describe_seat(seat), **self._find_link(str(seat))} for seat in range(len(self.names))
        ]
        waiting = shown.page.get("waiting", [])
        store = self.hall.store
        notes = [attrs.asdict(note) for note in store.notes(self.game_number)]
        if "over" not in shown.page:
            # They count what was answered in secret, too.
            notes = [{**note, "answers": None} for note in notes]
        games = store.games(self.id)
        return {
            "game": table.game.program.name if table is not None else room["game"] if room is not None else "",
            "room": room,
            "language": table.game.program.looks.language if table is not None else room["language"] if room else "",
            "stages": shown.page.get("stages", []),
            "seats": seats,
            "watchers": {"here": len(self.lines.get(WATCH, [])), **self._find_link(WATCH)},
            "waiting": waiting if isinstance(waiting, list) else [],
            "over": shown.page.get("over"),
            "failed": (table.failed or table.unkept) if table is not None else "",
            "paused": self.settings.paused,
            "rules": self.rules,
            "checked": self.checked,
            "noted": notes,
            "said": self._list_said(HOST),
            "earlier": [
                {"game": game, "number": number, "title": self.titles[game][1], "noted": len(store.notes(game))}
                for number, game in enumerate(games, 1)
                if game != self.game_number
            ],
        }

    def _find_link(self, role: str) -> Json:
        """Find a link, if it is known; a lost one can only be made anew."""
        token = self.links.get(role)
        return {} if token is None else {"link": self.hall.link(token, "watch" if role == WATCH else "seat")}

    def _find_game(self, wanted: object) -> int:
        """Find the game of this table that a page speaks of: the one that is played, unless it names another."""
        if isinstance(wanted, int) and wanted is not True and wanted in self.hall.store.games(self.id):
            return int(wanted)
        return self.game_number

    def _export_game(self, game: int) -> Json:
        """Make a file of a game of this table as it is kept."""
        return {"file": self._name_save(game), "text": self.hall.store.save(game).decode()}

    def _name_save(self, game: int) -> str:
        return f"{self.titles[game][0]}-{self.hall.store.games(self.id).index(game) + 1}.jsonl"

    def _export_notes(self) -> Json:
        """Make a file of all that was noted at this table, game by game."""
        assert self.table is not None
        games = self.hall.store.games(self.id)
        titles = [*dict.fromkeys(title for game in games if (title := self.titles[game][1]))]
        lines = [f"# Notes on {join_texts(titles)}"]
        for number, game in enumerate(games, 1):
            # Of a game that goes on the count of answers tells how many were given in secret.
            may_count = self.table.game.over or game != self.game_number
            title = f": {self.titles[game][1]}" if len(titles) > 1 and self.titles[game][1] else ""
            notes = [self._word_note(note, game, may_count) for note in self.hall.store.notes(game)]
            lines += ["", f"## Game {number}{title}", "", *notes]
        return {"file": f"{self.titles[self.game_number][0]}-notes.md", "text": "\n".join([*lines, ""])}

    def _word_note(self, note: Note, game: int, may_count: bool) -> str:
        is_moment = may_count and not note.question
        at = f" (rulebook replay {self._name_save(game)} --at {note.answers})" if is_moment else ""
        place = f", {note.place}" if note.place else ""
        return f"- {note.seat}{place}{at}: {f'{note.question} ' if note.question else ''}{note.text}"

    # ── what comes in ──

    async def hear(self, role: str, message: Mapping[str, Any]) -> None:
        """Do what a page wants, if it may."""
        try:
            await self._obey(role, find_form(role, message), message)
        except Unwritten as failure:
            self.send(role, {"refused": str(NotKept(failure))})
        except Refused as refused:
            self.send(role, {"refused": str(refused)})

    async def _obey(self, role: str, form: str, message: Mapping[str, Any]) -> None:
        if role == HOST:
            await self._hear_host(form, message)
        elif form == "rules":
            self.send(role, {"rules": await asyncio.to_thread(self._list_rules)})
        elif form == "story":
            if self.table is not None and self.table.game.over:
                self.send(WATCH, {"story": await asyncio.to_thread(self.table.tell_all)})
        elif form == "note":
            self._note(int(role), message)
        elif form == "back":
            # The link is the person's proof; the bot only played for them.
            if int(role) in self.settings.lent:
                await self._hand_over(int(role), to_bot=False)
        elif form == "begin":
            await self._begin_by(int(role))
        elif form == "say":
            self._say(role, " ".join(message["say"].split()))
        elif form == "name":
            self._rename(int(role), message["name"].strip())
        elif form == "again":
            await self._play_again_if_wanted(int(role), message["again"])
        elif self.table is not None:
            await self._hear_seat(int(role), form, message)

    async def _begin_by(self, seat: int) -> None:
        """Begin because somebody at the table wants to. Raises Refused while others may still come."""
        if self.room is None:
            return  # two have touched at once
        if not self.room.may_begin(asyncio.get_running_loop().time()):
            missing = join_texts([self.names[other] for other in self.room.missing])
            raise Refused(find_words("may_still_come", names=missing))
        try:
            await self.start(self._find_missing())
        except Unplayable as why:
            self._tell_unplayable(why)
            raise Refused(find_words("unplayable")) from None

    def _rename(self, seat: int, name: str) -> None:
        """Give somebody who waits another name."""
        if self.room is None:
            raise Refused(find_words("names_stay"))
        others = [other for at, other in enumerate(self.names) if at != seat]
        if wrong := self.hall.rules.check_name(name, others):
            raise Refused(wrong)
        before, seats = self.names[seat], list(self.settings.seats)
        seats[seat] = (name, "")
        self.change(seats=seats)
        self.hall.tell(f"{before} is {name}.")
        self.tell_status()

    def _say(self, role: str, text: str) -> None:
        """Say something to all who have a page of this table, at once: it waits for nothing in the game."""
        if not 0 < len(text) <= LONGEST_LINE:
            raise Refused(find_words("line_long", most=LONGEST_LINE))
        number = self._said[-1][1]["number"] + 1 if self._said else 1
        self._said.append((role, {"number": number, "name": self.names[int(role)], "text": text}))
        for other in [other for other in self.lines if other != HOST]:
            self.send(other, {"said": self._list_said(other)[-1:]})
        self.tell_host()

    def _list_said(self, role: str) -> list[Json]:
        return [{**line, "own": True} if speaker == role else line for speaker, line in self._said]

    async def _play_again_if_wanted(self, seat: int, is_wanted: bool) -> None:
        """Note that somebody wants another game; it begins when all want it who are there, and these are two at least
        where people play each other."""
        if "over" not in self.shown.get(seat, Shown()).page:
            raise Refused(find_words("not_over"))
        self.wanting = self.wanting | {seat} if is_wanted else self.wanting - {seat}
        away = {*self._find_missing(), *self.settings.lent}
        people = {other for other, (_, bot) in enumerate(self.settings.seats) if not bot}
        here = people - away
        # Whoever is left alone at a table of several waits for somebody, or the host begins.
        if here <= self.wanting and len(here) >= min(2, len(people)):
            await self.play_again()
        self.tell_status()

    def _tell_unplayable(self, why: Unplayable) -> None:
        self.checked = str(why)
        self._told.pop(HOST, None)  # who has asked for it is told, though it be the same as before
        self.tell_host()

    async def _hear_seat(self, seat: int, form: str, message: Mapping[str, Any]) -> None:
        if self.settings.paused and form != "try":
            raise Refused(find_words("host_paused"))
        if form == "answer" and message["deal"] != self.game_number:
            raise Refused(find_words("of_another_game"))
        async with self.lock:
            assert self.table is not None
            await self._act(self.table.hear, seat, message)
        self.tell_status()

    def _note(self, seat: int, message: Mapping[str, Any]) -> None:
        """Keep what somebody noted, at the moment that everybody has been shown; what comes late, with its own game."""
        if self.table is None:
            raise Refused(find_words("nothing_yet"))
        store, text, question = self.hall.store, message["note"], message.get("question", "")
        name, game = self.table.game.names[seat], self._find_game(message.get("deal"))
        is_late = game != self.game_number
        notes = [note for note in store.notes(game) if note.seat == name]
        is_asked = question == "" or question in self.settings.questions
        if not 0 < len(text.strip()) <= LONGEST_NOTE or not is_asked:
            raise Refused(find_words("note_long", most=LONGEST_NOTE))
        if len(notes) >= MOST_NOTES:
            raise Refused(find_words("notes_full"))
        # Everybody has been shown the stages; the number of answers counts those given in secret, too.
        is_of_moment = not question and not is_late
        place = " / ".join(self.shown.get(None, Shown()).page.get("stages", [])) if is_of_moment else ""
        answers = store.count_answers(game) if is_late else self.table.answers
        note = Note(name, answers, question, text.strip(), place)
        if note not in notes:  # a page that is not sure that it was heard says it again
            store.add_note(game, note)
            self.hall.tell(f"{name} has written a note; it stands on the host's page.")
        self.send(str(seat), {"noted": True, "question": question, "deal": game})
        self.tell_host()

    async def _hear_host(self, form: str, message: Mapping[str, Any]) -> None:
        persons = range(len(self.names))
        people = [str(seat) for seat, (_, bot) in enumerate(self.settings.seats) if not bot]
        if form == "begin":
            try:
                await self.start(self._find_missing())
            except Unplayable as why:
                self._tell_unplayable(why)
        elif self.table is None and form in ("bot", "pause", "export", "rematch", "other"):
            raise Refused(find_words("not_begun"))
        elif form == "bot" and message["seat"] in persons:
            if message["bot"] or message["seat"] in self.settings.lent:
                await self._hand_over(message["seat"], message["bot"])
            else:
                await self._give_away(message["seat"], message.get("name", "").strip())
        elif form == "link" and message["link"] in (WATCH, *people):
            self.hall.make_link(self, message["link"])
            self.drop(message["link"])
            self.tell_host()
        elif form == "pause":
            self.change(paused=message["pause"])
            self.tell_status()
            for seat in range(len(self.names)):
                if within := self._count_down(seat):
                    self.send(str(seat), within)
        elif form == "code" and (link := self._find_link(message["code"])):
            self.send(HOST, {**link, "code": _draw_code(link["link"])})
        elif form == "export":
            is_of_notes = message["export"] == "noted"
            self.send(
                HOST, self._export_notes() if is_of_notes else self._export_game(self._find_game(message["export"]))
            )
        elif form == "rematch":
            await self.play_again()
        elif form == "games":
            self.send(HOST, {"games": await self._list_games()})
        elif form == "other":
            await self._play_other(message["other"])
        elif form == "close" and self.id in self.hall.tables:
            self.hall.close(self)

    async def _hand_over(self, seat: int, to_bot: bool) -> None:
        assert self.table is not None
        is_bot = seat in self.table.sitting.bots
        if is_bot == to_bot:
            return
        lent = [other for other in self.settings.lent if other != seat]
        async with self.lock:
            self.change(lent=[*lent, seat] if to_bot else lent)
            await self._act(self.table.lend if to_bot else self.table.regain, seat)
        self.tell_status()

    async def _give_away(self, seat: int, name: str) -> None:
        """Give the seat of a bot to somebody, who brings a name: the game goes on as if it had been theirs."""
        async with self.lock:
            assert self.table is not None
            seats, game = self.settings.seats, self.table.game
            others = [other for other, _ in seats[:seat] + seats[seat + 1 :]]
            if seat not in self.table.sitting.bots:
                return
            if wrong := self.hall.rules.check_name(name, others):
                self.send(HOST, {"refused": wrong})
                return
            renamed = await asyncio.to_thread(game.rename, [*others[:seat], name, *others[seat:]])
            begun = await asyncio.to_thread(self.hall.rules.resume, renamed.journal)
            settings = attrs.evolve(self.settings, seats=[*seats[:seat], (name, ""), *seats[seat + 1 :]])
            token, store = make_token(), self.hall.store
            with store.together():
                store.change_settings(self.id, settings)
                store.kept_game(self.game_number).rewrite(renamed.header, renamed.entries, renamed.over)
                store.add_token(self.id, str(seat), hash_token(token), is_only=True)
            self.settings, self.links[str(seat)] = settings, token
            await self.begin(begun, renamed.journal, self.game_number)
        self._show_anew()

    def change(self, **changed: Any) -> None:
        settings = attrs.evolve(self.settings, **changed)
        self.hall.store.change_settings(self.id, settings)
        self.settings = settings

    async def play_again(self, settings: Settings | None = None) -> None:
        """Begin another game with the same links, by the rules as they are now, and perhaps by other settings."""
        try:
            begun = await asyncio.to_thread(self.hall.rules.begin, settings or self.settings)
        except Unplayable as why:
            self._tell_unplayable(why)
            return
        async with self.lock:
            await self.begin(begun, settings=settings)
        self._show_anew()

    async def _list_games(self) -> list[Json]:
        """List the other games that this table may play, and what would become of its seats."""
        offers, listed = await asyncio.to_thread(self.hall.rules.list_offers), []
        for offer in offers:
            if not offer.is_played_by(self.settings):
                fitted = fit_seats(self.settings.seats, offer.numbers)
                names = self.names if fitted is None else [name for name, _ in fitted]
                listed.append(
                    {
                        "game": offer.key,
                        "title": offer.title,
                        "numbers": offer.numbers,
                        "has_rules": offer.has_rules,
                        "fits": fitted is not None,
                        "coming": [name for name in names if name not in self.names],
                        "going": [name for name in self.names if name not in names],
                    }
                )
        return listed

    async def _play_other(self, key: str) -> None:
        """Begin another one of the games that are offered, at the same links. Raises Refused."""
        offers = await asyncio.to_thread(self.hall.rules.list_offers)
        offer = next((offer for offer in offers if offer.key == key), None)
        fitted = fit_seats(self.settings.seats, offer.numbers) if offer is not None else None
        if offer is None or fitted is None:
            raise Refused(find_words("not_offered"))
        await self.play_again(offer.settle(self.settings, fitted))

    def _show_anew(self) -> None:
        for role in [role for role in self.lines if role != HOST]:
            for line in self.lines[role]:
                line.send(self._make_whole(role))

    async def look_at_rules(self, stamp: object) -> None:
        """Tell the host what is wrong with the rules, if their files have changed since they were read."""
        if stamp != self._stamp:
            self._stamp = stamp
            wrong = await asyncio.to_thread(self.hall.rules.check, self.settings)
            button = find_words("begin" if self.room is not None else "play_again")
            self.checked = wrong or find_words("host_changed", button=button)
            self.tell_host()


class Hall:
    """The tables of a server. `address` is what links begin with; `tell` takes a line for whoever runs it."""

    def __init__(
        self, store: Store, rules: Rules, address: str, pace: float, tell: Callable[[str], None] = lambda line: None
    ) -> None:
        self.store, self.rules, self.address, self.pace, self.tell = store, rules, address, pace, tell
        self.clock: Callable[[], Clock] = asyncio.get_running_loop
        self.tables: dict[int, Open] = {}

    async def open(self, settings: Settings, seed: int | None = None) -> Open:
        """Open a new table, at which people wait for its first game. Raises Unplayable."""
        opened = Open(self, 0, settings, seed)
        await opened.wait()
        opened.id = self.store.add_table(settings)
        self.store.hold(opened.id)
        for role in (HOST, WATCH, *(str(seat) for seat, (_, spec) in enumerate(settings.seats) if not spec)):
            self.make_link(opened, role)
        self.tables[opened.id] = opened
        return opened

    async def reopen(self, kept: Kept) -> Open:
        """Open a table again that an earlier server had. Raises Unplayable."""
        opened = Open(self, kept.id, kept.settings)
        begun = await asyncio.to_thread(self.rules.resume, kept.journal) if kept.journal is not None else None
        if begun is None:
            await opened.wait()
        # The token of the link that the host has is known to nobody else; whoever starts the server is shown another.
        self.make_link(opened, HOST, is_only=False)
        if begun is not None:
            opened.titles |= await asyncio.to_thread(self._find_titles, kept)
            await opened.begin(begun, kept.journal, kept.game)
        self.tables[opened.id] = opened
        return opened

    def _find_titles(self, kept: Kept) -> dict[int, tuple[str, str]]:
        """Find what a table has played before; what cannot be read any more goes by its id, or by no name."""
        titles, known = dict[int, tuple[str, str]](), dict[str, str]()
        for number in self.store.games(kept.id):
            titles[number] = ("game", "")
            with suppress(BadSave):
                saved = self.store.journal(number)
                id = saved.header.game
                if id not in known:
                    known[id] = id
                    with suppress(Unplayable):
                        known[id] = self.rules.resume(saved).program.name
                titles[number] = (id, known[id])
        return titles

    def find_picture(self, hash: str) -> Picture | None:
        """A picture of a table that is open, by its name."""
        return next((opened.pictures[hash] for opened in self.tables.values() if hash in opened.pictures), None)

    def close(self, opened: Open) -> None:
        """Close a table for good: its links say so from then on. Its games stay in the store."""
        self.store.close_table(opened.id)
        opened.stop()
        self.store.let_go(opened.id)
        del self.tables[opened.id]
        for role in opened.lines:
            opened.drop(role)

    def make_link(self, opened: Open, role: str, is_only: bool = True) -> None:
        """Make a link that leads to a role from now on."""
        token = make_token()
        self.store.add_token(opened.id, role, hash_token(token), is_only)
        opened.links[role] = token

    def link(self, token: str, page: str) -> str:
        """The address of a page. The token stands where no server and no log ever gets it: behind the #."""
        return f"{self.address}/{page}#{token}"

    def find(self, token: str) -> tuple[Open, str] | None:
        """The table and the role to which a token leads."""
        known = self.store.find_token(hash_token(token))
        opened = self.tables.get(known[0]) if known is not None else None
        if opened is None or known is None:
            return None
        seats = (str(seat) for seat, (_, bot) in enumerate(opened.settings.seats) if not bot)
        return (opened, known[1]) if known[1] in (WATCH, HOST, *seats) else None

    def is_closed(self, token: str) -> bool:
        """Tell whether a token led to a table that its host has closed."""
        known = self.store.find_token(hash_token(token))
        return known is not None and self.store.is_closed(known[0])

    async def watch_rules(self, seconds: float) -> None:
        """Look after the files of all tables, again and again."""
        while True:
            await asyncio.sleep(seconds)
            stamps: dict[str, object] = {}
            for opened in list(self.tables.values()):
                settings = opened.settings
                key = repr((settings.game, settings.variants))
                with suppress(OSError):
                    if key not in stamps:
                        stamps[key] = await asyncio.to_thread(self.rules.stamp, settings)
                    if opened.settings.game == settings.game:  # or another game has begun meanwhile
                        await opened.look_at_rules(stamps[key])


def make_token() -> str:
    return secrets.token_urlsafe(16)


def hash_token(token: str) -> bytes:
    return sha256(token.encode("utf-8", "surrogatepass")).digest()


def _make_game(begun: Begun, saved: Journal | None) -> tuple[SharedGame, str]:
    """A new game, or a saved one as far as it goes; and why it goes no further than that, if something is missing."""
    if saved is None:
        return SharedGame(begun.program, begun.header.seed, begun.header.seats, header=begun.header), ""
    game, gap = SharedGame.replay_sound(begun.program, saved, name="the game")
    assert isinstance(game, SharedGame)
    return game, f"line {gap.line}: {gap.reason}" if gap is not None else saved.notice


def _make_bot(game: SharedGame, spec: str, seat: int) -> Bot:
    bot = make_bot(spec, game.seed, seat)
    return lambda ask: game.answer(ask.seat, bot.answer(game.machine, game.state, ask), ask.number)


def _choose_for(game: SharedGame, ask: Ask, is_passing: bool) -> Sequence[str]:
    """Answer for somebody who is late: with a pass where that is wanted and there is one, else as a bot would."""
    if is_passing and PASS in ask.keys:
        return [PASS]
    return make_bot(BEST, game.seed, ask.seat).answer(game.machine, game.state, ask)


def _draw_code(link: str) -> Json:
    """Draw a link as a QR code: the length of its side, and a path of lines."""
    rows = segno.make(link, error="l").matrix
    dark = [(at, column) for at, row in enumerate(rows) for column, is_dark in enumerate(row) if is_dark]
    return {"side": len(rows), "path": "".join(f"M{column} {at}.5h1" for at, column in dark)}


def _text(message: Json) -> str:
    """A message as JSON, with nothing in it that misleads who reads."""
    return json.dumps(_clean_value(message), ensure_ascii=False, separators=(",", ":"))


def _clean_value(value: Any) -> Any:
    if isinstance(value, str):
        return clean(value)
    if isinstance(value, dict):
        return {name: _clean_value(item) for name, item in value.items()}
    return [_clean_value(item) for item in value] if isinstance(value, list | tuple) else value
