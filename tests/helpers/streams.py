"""Is what a seat is sent at a table the same, whatever it may not know? Asked of games that go on from states which the
seat cannot tell apart.

In: a program, a state, a seat, random numbers. Out: complaints, one for each difference; none is what one wants to see.
1. Two games go on, and the seat notices the same in both for a while: for as long it must be sent the same lines, and
as many, whoever else was asked meanwhile. 2. Wherever it has been sent the same lines,
it must be sent the same when it wants to take something back, to answer out of turn, or to hear everything again. 3. So
it must when somebody else has wished to take something back, others have said whether they agree, and it says so, too.
"""

from __future__ import annotations

import asyncio
import json
from collections import Counter, deque
from collections.abc import Awaitable, Callable, Iterator, Sequence
from itertools import permutations, product
from typing import Any, cast

import pytest
from attrs import define, field, frozen
from leaks import Below, answer_at_random, look_alike

from rulebook.interpreter.decisions import Refused
from rulebook.interpreter.game import Game
from rulebook.interpreter.layout import PENDING
from rulebook.interpreter.program import Program
from rulebook.interpreter.random import Source
from rulebook.interpreter.state import State
from rulebook.table.faces import Face
from rulebook.table.front import Front, as_lines
from rulebook.table.handbook import Handbook
from rulebook.table.shared import SharedGame
from rulebook.table.sitting import Sitting
from rulebook.web import hall
from rulebook.web.hall import Hall, Open
from rulebook.web.messages import WATCH
from rulebook.web.store import Settings
from rulebook.web.table import Push, Table

NAMES = ("Ana", "Ben", "Cleo", "Dan", "Eve", "Finn", "Gwen", "Hugo")
MOMENTS = 5
"""How many answers are given before something else is sent, and one more."""
PROBES = ({"undo": True}, {"undo": "all"}, {"keys": []}, {"resync": True}, {"agree": True})
WISHES = (True, True, None, False)
"""What all others say to it that somebody else wants to take something back."""
REPLIES = ({"agree": True}, {"agree": True}, {"agree": False}, {"undo": "all"})

Chosen = dict[tuple[int, int], tuple[str, ...]]
"""What was answered, by seat and the number of its decision."""


@frozen
class Wish:
    """Somebody wants to take something back `after` so many answers; all but the seat say whether they agree."""

    wisher: int
    agree: bool | None
    after: int


@define
class Played:
    """A game that went on: what the seat noticed, the lines that it was sent, and where others were asked in secret.

    What is noticed is an event, a question to the seat, or that everybody sees whom the game waits for. A line goes
    with how many events the seat had been told with it, a question in secret with how many it had noticed.
    """

    noticed: list[str] = field(factory=list)
    lines: list[tuple[int, str]] = field(factory=list)
    hidden: list[int] = field(factory=list)
    paces: list[int] = field(factory=list)
    """How many paces had gone by when each line was sent; -1 of what is no page and goes at once."""
    chosen: Chosen = field(factory=dict)


class Playing:
    """A game that goes on from a state: what the seat notices of it, and answers that may follow those of a twin."""

    def __init__(self, program: Program, state: State, seat: int, below: Below, answers: int) -> None:
        self.game = SharedGame(program, 1, NAMES[: program.players], state=state)
        self.seat, self.below, self.answers = seat, below, answers
        self.found = Played()
        self.follow: Chosen = {}
        self._events = 0

    def _notice(self) -> None:
        """Whatever the seat may know by now, in its order."""
        self._notice_events()
        decision = self.game.decision
        ask = decision.find_ask(self.seat) if decision is not None else None
        if decision is None:
            return
        if ask is None and any(one.quiet for one in decision.asks):
            self.found.hidden.append(self._events)
            return
        waits = f"waits for {self.game.view(self.seat).facts['waiting']}"
        seen = waits if ask is None else f"{waits}, asked {json.dumps(ask.to_json())}"
        if self.found.noticed[-1:] != [seen]:
            self.found.noticed.append(seen)

    def _notice_events(self, end: int | None = None) -> None:
        events = self.game.events(self.seat)[:end]
        for event in events[self._events :]:
            self.found.noticed.append(json.dumps(event.to_json()))
        self._events = max(self._events, len(events))

    def _stand_in(self, seat: int) -> Any:
        return self._answer_for

    def _answer_for(self, ask: Any) -> None:
        self._notice()
        self.game.answer(ask.seat, self._keys(ask), ask.number)
        self._notice()

    def _keys(self, ask: Any) -> tuple[str, ...]:
        """The same as in the game that is followed, where that may be answered too."""
        drawn = tuple(self.game.machine.random_answer(self.game.state, ask, self.below))
        wanted = self.follow.get((ask.seat, ask.number), drawn)
        keys = wanted if self._may_answer(ask, wanted) else drawn
        self.found.chosen.setdefault((ask.seat, ask.number), keys)
        return keys

    def _may_answer(self, ask: Any, keys: tuple[str, ...]) -> bool:
        try:
            self.game.machine.find_choices(self.game.state, ask.seat).read_answer(list(keys))
        except Refused:
            return False
        return True


class PlayingByLines(Playing):
    """The same at a table at which everybody but `bots` is a person behind the line protocol, in process."""

    def __init__(
        self,
        program: Program,
        state: State,
        seat: int,
        below: Below,
        answers: int,
        bots: Sequence[int] = (),
    ) -> None:
        super().__init__(program, state, seat, below, answers)
        self.probe: dict[str, Any] | None = None
        self.probed_at = -1
        self.wish: Wish | None = None
        self._given, self._lines = 0, deque[str]()
        sitting = Sitting(self.game, dict.fromkeys(bots, self._answer_for), self._stand_in)
        self.front = Front(sitting, self._read, as_lines(self.game.names, self._write))
        self._told = 0

    def play(self) -> Played:
        self.front.serve()
        self._notice()
        return self.found

    def _write(self, line: str) -> None:
        message = json.loads(line)
        if message.get("to") == self.game.names[self.seat]:
            self._told += len(message.get("events", ()))
            self.found.lines.append((self._told, line))

    def _read(self) -> str | None:
        self._notice()
        if self.wish is not None and self._given == self.wish.after:
            self._lines.extend(self._wish_for(self.wish))
            self.wish = None
        if self._lines:
            return self._lines.popleft()
        if self.answers == 0 and self.probe is not None and self.probed_at < 0:
            self.probed_at = len(self.found.lines)
            return json.dumps({"seat": self.seat, **self.probe}) + "\n"
        decision = self.game.decision
        if self.answers == 0 or decision is None:
            return None
        self.answers -= 1
        self._given += 1
        ask = decision.asks[self.below(len(decision.asks))]
        return json.dumps({"seat": ask.seat, "keys": self._keys(ask), "number": ask.number}) + "\n"

    def _wish_for(self, wish: Wish) -> Iterator[str]:
        yield json.dumps({"seat": wish.wisher, "undo": "all"}) + "\n"
        for other in range(len(self.game.names) if wish.agree is not None else 0):
            if other not in (self.seat, wish.wisher):
                yield json.dumps({"seat": other, "agree": wish.agree}) + "\n"


class Socket:
    """A connection of a page, in process."""

    def __init__(self, hear: Callable[[str], None] = lambda _: None) -> None:
        self.send = hear

    def drop(self) -> None:
        raise AssertionError("nobody is sent away here")


class _Clock:
    """The module asyncio, by a clock that stands still: a pace goes by at once, and is counted."""

    def __init__(self, playing: PlayingBySockets) -> None:
        self._playing = playing

    def __getattr__(self, name: str) -> Any:
        return getattr(asyncio, name)

    async def sleep(self, seconds: float) -> None:
        if seconds > 0:
            self._playing.tick()
        await asyncio.sleep(0)


class _StandingClock:
    """A clock at which nobody is ever late."""

    def time(self) -> float:
        return 0

    def call_later(self, delay: float, callback: Callable[[], None]) -> Any:
        return self

    def cancel(self) -> None:
        pass


@define
class _Hall:
    pace: float = 0.01
    clock: Callable[[], Any] = field(default=lambda: _StandingClock())

    def tell(self, line: str) -> None:
        pass


class PlayingBySockets(Playing):
    """The same at a table by link, in process: all messages to the socket of the seat, in their order, with the number
    of paces that had gone by. It is opened anew whenever the seat has been asked something.
    """

    def __init__(
        self,
        program: Program,
        state: State,
        seat: int,
        below: Below,
        answers: int,
        bots: Sequence[int] = (),
        handbook: Handbook | None = None,
    ) -> None:
        super().__init__(program, state, seat, below, answers)
        self.sitting = Sitting(self.game, dict.fromkeys(bots, self._answer_for), self._stand_in)
        faces = {id: Face(name, "", "", "", "") for id, name in program.definitions.items()}
        self.faces = faces | {id: Face(id, "", "", "", "") for id in program.actions}
        self.handbook = handbook
        self._paces = 0
        self._pages, self._told = deque[int](), 0

    def play(self) -> Played:
        return asyncio.run(self._play())

    async def _play(self) -> Played:
        self._notice()
        names = self.game.names
        settings = Settings("", (), (), (), [(name, "") for name in names], within=60)
        patch = pytest.MonkeyPatch()
        patch.setattr(hall, "asyncio", _Clock(self))
        opened = Open(cast(Hall, _Hall()), 1, settings)
        gathering = opened.gather()
        push = self._count(opened, gathering.push)
        opened.table = table = Table(self.sitting, self.faces, push, self.handbook, gathering.flush)
        for role in [WATCH, *(str(seat) for seat in range(len(names)) if seat != self.seat)]:
            opened.enter(role, Socket())
        opened.enter(str(self.seat), self._open_socket(opened))
        await self._wait(opened, asyncio.to_thread(table.begin))
        while self.answers > 0 and (decision := self.game.decision) is not None:
            self.answers -= 1
            ask = decision.asks[self.below(len(decision.asks))]
            chosen = [ask.keys.index(key) for key in self._keys(ask)]
            said = {"answer": ask.number, "picked": len(ask.picked), "chosen": chosen, "deal": opened.game_number}
            await self._wait(opened, opened.hear(str(ask.seat), said))
        patch.undo()
        return self.found

    def tick(self) -> None:
        """Note that a pace goes by."""
        self._paces += 1

    async def _wait(self, opened: Open, doing: Awaitable[object]) -> None:
        """Wait until something is done, and shown."""
        await doing
        for _ in range(3):
            await asyncio.sleep(0)
        if opened._released is not None:
            await opened._released
        self._notice()

    def _count(self, opened: Open, push: Push) -> Push:
        """Note with each page of the seat of how many events it tells."""

        def pushed(seat: int | None, message: dict[str, Any], batch: int | None) -> None:
            if seat == self.seat and "page" in message:
                assert opened.table is not None
                self._pages.append(opened.table._told[seat].events)
            push(seat, message, batch)

        return pushed

    def _open_socket(self, opened: Open) -> Socket:
        def hear(text: str) -> None:
            message = json.loads(text)
            is_news = "page" in message and "whole" not in message
            if is_news:
                self._told = self._pages.popleft()
            for one in message.get("status", {}).get("seats", ()):
                del one["bot"]  # that everybody may know, and it differs between the games that are compared
            self.found.lines.append((self._told, json.dumps(message, sort_keys=True)))
            self.found.paces.append(self._paces if is_news else -1)
            if is_news and "ask" in message["page"]:
                opened.leave(str(self.seat), socket)
                opened.enter(str(self.seat), self._open_socket(opened))

        socket = Socket(hear)
        return socket


def differ(one: Played, other: Played) -> str:
    """What the seat was sent otherwise, though it had noticed the same; nothing if that never happened."""
    same = agreed(one, other)
    if one.lines[:1] != other.lines[:1]:
        return "the first line"
    here, there = ([line for told, line in played.lines if told <= same] for played in (one, other))
    if here == there:
        return ""
    at = next((at for at, (a, b) in enumerate(zip(here, there, strict=False)) if a != b), min(len(here), len(there)))
    shown = [lines[at][:200] if at < len(lines) else "nothing" for lines in (here, there)]
    return f"{len(here)} lines and {len(there)} after the same {same} events: {shown[0]} / {shown[1]}"


def differ_in_time(one: Played, other: Played) -> str:
    """At how many paces the same lines were sent to the seat, where it had noticed the same; nothing if at as many."""
    same = agreed(one, other)
    pairs = zip(one.lines, other.lines, one.paces, other.paces, strict=False)
    times = [(here, there) for (told, _), (also, _), here, there in pairs if told <= same and also <= same]
    differing = [pair for pair in times if pair[0] != pair[1]]
    return f"the same after {differing[0][0]} paces and after {differing[0][1]}" if differing else ""


def agreed(one: Played, other: Played) -> int:
    """How many events the seat noticed alike, and was told of before it noticed anything else."""
    pairs = list(zip(one.noticed, other.noticed, strict=False))
    same = next((at for at, (a, b) in enumerate(pairs) if a != b), None)
    events = sum(noticed.startswith("{") for noticed in one.noticed[: len(pairs) if same is None else same])
    # Where one game did not come so far, or stopped for something else than an event, that may be seen.
    is_seen = same is None or not all(played.noticed[same].startswith("{") for played in (one, other))
    return events - is_seen


def told_apart(one: Played, other: Played) -> bool:
    """Whether somebody was asked in secret in only one of them, while the seat noticed the same."""
    same = agreed(one, other)
    here, there = (Counter(at for at in played.hidden if at < same) for played in (one, other))
    return set(here) != set(there)


def drawn_state(program: Program, below: Below, most: int) -> State:
    """A state at which somebody is asked, after fewer than `most` answers at random."""
    game = Game(program, below(1 << 30), NAMES[: program.players])
    states = list[State]()
    while game.decision is not None and len(states) < most:
        states.append(game.state[:])
        answer_at_random(game, below)
    return states[below(len(states))] if states else drawn_state(program, below, most)


def stream_complaints(
    program: Program,
    states: int,
    seed: int = 0,
    most: int = 60,
    tried: Counter[str] | None = None,
    by_sockets: bool = False,
    handbook: Handbook | None = None,
) -> Iterator[str]:
    """Question 1, of games that go on from drawn states; `tried` counts what was compared. With a handbook, pages say
    what only the rules can tell.
    """
    below, counted = Source(seed, "streams").below, Counter() if tried is None else tried
    for _ in range(states):
        state = drawn_state(program, below, most)
        counted["states"] += 1
        for seat in range(program.players):
            others = [other for other in range(program.players) if other != seat]
            first, runs = below(1 << 30), list[Played]()
            # Bots answer at once, so that only where they play time says anything.
            for number in range(5 if by_sockets else 4):
                twin = state if number == 0 else look_alike(program, state, seat, below)
                bots = others if number >= 3 else ()
                answers = 2 if bots else 8
                numbers = Source(first, f"{number}").below
                playing: PlayingByLines | PlayingBySockets
                if by_sockets:
                    playing = PlayingBySockets(program, twin, seat, numbers, answers, bots, handbook)
                else:
                    playing = PlayingByLines(program, twin, seat, numbers, answers, bots)
                if runs:
                    playing.follow = runs[0].chosen
                one = playing.play()
                for before, other in enumerate(runs):  # at once: who looks for one complaint needs no further game
                    counted["pairs"] += 1
                    counted["hidden"] += told_apart(one, other)
                    found = differ(one, other) or (differ_in_time(one, other) if before >= 3 else "")
                    if found:
                        counted["found"] += 1
                        yield f"{program.id}: {NAMES[seat]} was sent {found}"
                runs.append(one)


def probe_complaints(
    program: Program, states: int, seed: int = 0, most: int = 60, tried: Counter[str] | None = None
) -> Iterator[str]:
    """Question 2, at every moment of games that go on from drawn states at which the seat is asked."""
    below, counted = Source(seed, "probes").below, Counter() if tried is None else tried
    for _ in range(states):
        state = drawn_state(program, below, most)
        counted["states"] += 1
        seat = next(entry[0] for entry in state[PENDING][1] if not entry[3])
        first, heard = below(1 << 30), dict[tuple[Any, ...], list[str]]()
        chosen = PlayingByLines(program, state, seat, Source(first, "0").below, MOMENTS).play().chosen
        twins = [state, *(look_alike(program, state, seat, below) for _ in range(3))]
        for number, twin in enumerate(twins):
            for probe, answers in product(PROBES, range(1, MOMENTS)):
                playing = PlayingByLines(program, twin, seat, Source(first, f"{number}").below, answers)
                playing.follow, playing.probe = chosen, probe
                played = playing.play()
                if playing.probed_at < 0:
                    continue
                lines = [line for _, line in played.lines]
                sent, answer = lines[: playing.probed_at], lines[playing.probed_at :]
                key = (json.dumps(probe), *sent)
                counted["moments"] += 1
                counted["alike"] += key in heard
                if heard.setdefault(key, answer) != answer:
                    counted["found"] += 1
                    yield f"{program.id}: {NAMES[seat]} sent {probe} and heard {heard[key]} or {answer}"


def wish_complaints(
    program: Program, states: int, seed: int = 0, most: int = 60, tried: Counter[str] | None = None
) -> Iterator[str]:
    """Question 3, of each seat, wherever it has been sent the same."""
    below, counted = Source(seed, "wishes").below, Counter() if tried is None else tried
    for _ in range(states):
        state = drawn_state(program, below, most)
        counted["states"] += 1
        for seat, wisher in permutations(range(program.players), 2):
            first, heard = below(1 << 30), dict[tuple[str, ...], list[str]]()
            chosen = PlayingByLines(program, state, seat, Source(first, "0").below, MOMENTS).play().chosen
            agree = WISHES[below(len(WISHES))]
            probe = REPLIES[below(len(REPLIES))]
            twins = [state, *(look_alike(program, state, seat, below) for _ in range(3))]
            moments = [(after, answers) for answers in range(1, MOMENTS) for after in range(answers + 1)]
            for (number, twin), (after, answers) in product(enumerate(twins), moments):
                playing = PlayingByLines(program, twin, seat, Source(first, f"{number}").below, answers)
                playing.follow, playing.probe = chosen, probe
                playing.wish = Wish(wisher, agree, after)
                played = playing.play()
                if playing.probed_at < 0:
                    continue
                lines = [line for _, line in played.lines]
                sent, answer = tuple(lines[: playing.probed_at]), lines[playing.probed_at :]
                counted["moments"] += 1
                counted["alike"] += sent in heard
                counted["wished"] += any("undo_wanted_by" in line for line in sent)
                counted["taken back"] += any("taken_back" in line for line in lines)
                if heard.setdefault(sent, answer) != answer:
                    counted["found"] += 1
                    yield (
                        f"{program.id}: after a wish of {NAMES[wisher]} ({agree}), {NAMES[seat]} sent {probe} "
                        f"and heard {heard[sent]} or {answer}"
                    )
