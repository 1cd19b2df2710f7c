"""What a seat is sent at a table, and when it may take something back, depends only on what that seat may know."""

from __future__ import annotations

import asyncio
import json
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from failing import OneGame, Pages
from paper import Paper, no_bot
from shared_devices import CASES, QUIET, SHIPPED, program, shipped, written
from shipped import load_game, lower_game
from streams import probe_complaints, stream_complaints, wish_complaints

from rulebook import library
from rulebook.interpreter.layout import WHERE
from rulebook.interpreter.program import Program
from rulebook.table import terminal
from rulebook.table.causes import Causes
from rulebook.table.front import Front, as_lines
from rulebook.table.handbook import Handbook
from rulebook.table.scores import Scores
from rulebook.table.shared import SharedGame
from rulebook.table.sitting import DeviceSitting, Sitting
from rulebook.web.hall import Hall, Open
from rulebook.web.messages import HOST, WATCH
from rulebook.web.store import Settings, Store
from rulebook.web.table import Table

VEILED = """
starter chooses n from 1..2
starter.left may choose given from starter.left.hand where it is badge "Give a badge?"
starter.left.left chooses given from starter.left.left.hand where it is not blank "Which badge?"
starter chooses m from 1..2
"""
WHISPERED = """
starter chooses n from 1..2
if any(starter.left.hand where it is badge):
  say "Be ready." to starter.left
starter chooses m from 1..2
"""
_HIDING = """
each p in clockwise from starter.left:
  if any(p.hand where it is badge):
    p may choose one "Hide your badge?":
      "Hide":
        set p.hides = yes
"""
TWO_ROUNDS = f"""
starter chooses n from 1..2
{_HIDING.strip()}
{_HIDING.strip()}
starter chooses m from 1..2
"""
TWO_GIFTS = """
starter chooses n from 1..2
starter.left chooses n from 1..2
starter.left may choose given from starter.left.hand where it is badge "Give a badge?"
starter.left may choose given from starter.left.hand where it is badge "Give a badge?"
starter chooses m from 1..2
"""
OPEN = """
starter chooses n from 1..2
starter.left chooses n from 1..2
starter chooses m from 1..2
"""
BACK: dict[str, tuple[str, set[str]]] = {
    "a quiet choice is no reason": (QUIET, {"taken back"}),
    "nor is a pass that is veiled": (VEILED, {"taken back", "Ben has answered since.", "Cleo has answered since."}),
    "what may have been said is one": (WHISPERED, {"somebody may have been told something since."}),
    "so is an answer that everybody saw": (OPEN, {"Ben has answered since."}),
}


@pytest.mark.slow
@pytest.mark.parametrize("title", CASES)
def test_a_small_game_tells_nobody_who_was_asked(title: str, tmp_path: Path) -> None:
    rules = program(title, tmp_path)
    assert list(stream_complaints(rules, 3, most=6)) == []
    assert list(probe_complaints(rules, 1, most=6)) == []


@pytest.mark.slow
@pytest.mark.parametrize("name", SHIPPED)
def test_a_bundled_game_tells_nobody_who_was_asked(name: str) -> None:
    tried = Counter[str]()
    assert list(stream_complaints(shipped(name), 3 if name == "hearts" else 2, tried=tried)) == []
    # Else nothing was hidden.
    assert tried["hidden"] or name not in ("crazy_eights", "hearts")


# ── sockets ──


@pytest.mark.slow
@pytest.mark.parametrize("name", ["wallet", "crazy_eights", "wrong_party", "cheat"])
def test_a_socket_tells_nobody_who_was_asked(name: str) -> None:
    program, handbook = _read_game(name)
    assert list(stream_complaints(program, 1, by_sockets=True, handbook=handbook)) == []


def _read_game(name: str) -> tuple[Program, Handbook]:
    folder = library.find_game(name)
    program = lower_game(folder, 3)
    return program, Handbook(load_game(folder), program, {})


def _tell_on_each_page(tell: Callable[[Table], Any]) -> Callable[[pytest.MonkeyPatch], None]:
    def plant(monkeypatch: pytest.MonkeyPatch) -> None:
        show = Table._show
        leaking = lambda self, seat, page, *rest: show(self, seat, page | {"leak": tell(self)}, *rest)  # noqa: E731
        monkeypatch.setattr(Table, "_show", leaking)

    return plant


def _tell_all_that_somebody_answered(monkeypatch: pytest.MonkeyPatch) -> None:
    send = Table._send

    def leaking(self: Table, seat: int | None, message: dict[str, Any]) -> None:
        for other in range(len(self.game.names) if "accepted" in message else 0):
            self._push(other, {"accepted": message["accepted"], "again": True}, None)
        send(self, seat, message)

    monkeypatch.setattr(Table, "_send", leaking)


def _tell_who_is_there_at_each_answer(monkeypatch: pytest.MonkeyPatch) -> None:
    hear = Open._hear_seat

    async def leaking(self: Open, seat: int, form: str, said: dict[str, Any]) -> None:
        await hear(self, seat, form, said)
        self._told.clear()
        self.tell_status()

    monkeypatch.setattr(Open, "_hear_seat", leaking)


def _tell_who_comes_back_how_much_was_answered(monkeypatch: pytest.MonkeyPatch) -> None:
    about = Open._about

    def leaking(self: Open, role: str) -> dict[str, Any]:
        return about(self, role) | {"answers": self.table.answers}

    monkeypatch.setattr(Open, "_about", leaking)


def _offer_to_take_back_after_each_second_answer(monkeypatch: pytest.MonkeyPatch) -> None:
    find = Front.find_since

    def leaking(self: Front, seat: int) -> Any:
        return find(self, seat) if len(self.game.entries) % 2 else None

    monkeypatch.setattr(Front, "find_since", leaking)


def _tell_hidden_cards_by_moves(monkeypatch: pytest.MonkeyPatch) -> None:
    show = Table._show

    def leaking(self: Table, seat: int | None, *rest: Any) -> None:
        beats = [{"from": "deck", "to": "deck", "how": "move", "cards": [], "count": hash(self.game.state[WHERE]) % 7}]
        with monkeypatch.context() as planted:
            planted.setattr("rulebook.web.table.make_beats", lambda *_: beats)
            show(self, seat, *rest)

    monkeypatch.setattr(Table, "_show", leaking)


def _tell_hidden_cards_by_causes(monkeypatch: pytest.MonkeyPatch) -> None:
    def leaking(self: Causes, game: SharedGame, *_: object) -> str:
        return f"Card {hash(tuple(game.state[WHERE])) % 7} asks."

    monkeypatch.setattr(Causes, "word_cause", leaking)


def _tell_hidden_cards_by_points(monkeypatch: pytest.MonkeyPatch) -> None:
    """The sheet is made of where all cards are, instead of what the seat was sent."""
    show = Table._show

    def leaking(self: Table, seat: int | None, *rest: Any) -> None:
        points = Scores(["points"], [("Ana", [str(hash(tuple(self.game.state[WHERE])) % 7)])], "", ())
        with monkeypatch.context() as planted:
            planted.setattr("rulebook.web.table.find_scores", lambda *_: points)
            show(self, seat, *rest)

    monkeypatch.setattr(Table, "_show", leaking)


def _tell_how_it_would_end(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each page has an end, in which it stands what nobody has seen."""
    show = Table._show

    def leaking(self: Table, seat: int | None, page: dict[str, Any], *rest: Any) -> None:
        end = {"result": "", "winners": [], "why": f"It ended with card {hash(tuple(self.game.state[WHERE])) % 7}."}
        show(self, seat, page | {"over": end}, *rest)

    monkeypatch.setattr(Table, "_show", leaking)


def _wait_for_who_is_asked(monkeypatch: pytest.MonkeyPatch) -> None:
    """A pace more goes by for each answer of a bot, whoever may know of it."""
    let = Front._let_bot

    def leaking(self: Front) -> bool:
        self._send(None, {"accepted": 0})
        return let(self)

    def send(self: Table, seat: int | None, message: dict[str, Any]) -> None:
        if seat is None:
            self._push(None, {"paused": False}, self._batch)
            self._end_batch()
        else:
            true(self, seat, message)

    true = Table._send
    monkeypatch.setattr(Table, "_send", send)
    monkeypatch.setattr(Front, "_let_bot", leaking)


def _count_down_for_all(monkeypatch: pytest.MonkeyPatch) -> None:
    """All pages show how long somebody has left, whoever it is."""
    count = Open._count_down

    def leaking(self: Open, seat: int | None) -> dict[str, Any]:
        told = count(self, seat)
        if told:
            for role in [role for role in self.lines if role not in (HOST, str(seat))]:
                self.send(role, told)
        return told

    monkeypatch.setattr(Open, "_count_down", leaking)


def _name_the_asked(table: Table) -> list[int]:
    return [ask.seat for ask in table.game.decision.asks] if table.game.decision is not None else []


SOCKET_LEAKS: dict[str, Callable[[pytest.MonkeyPatch], None]] = {
    "where all cards are": _tell_on_each_page(lambda table: list(table.game.state[WHERE])),
    "hidden cards, by moves": _tell_hidden_cards_by_moves,
    "hidden cards, by the cause of a question": _tell_hidden_cards_by_causes,
    "hidden cards, by points": _tell_hidden_cards_by_points,
    "how it would end": _tell_how_it_would_end,
    "who is asked": _tell_on_each_page(_name_the_asked),
    "how many have answered": _tell_on_each_page(lambda table: table.answers),
    "that somebody has answered": _tell_all_that_somebody_answered,
    "somebody who was asked, by time": _wait_for_who_is_asked,
    "who is asked, by the time that is left": _count_down_for_all,
    "who is there, at each answer": _tell_who_is_there_at_each_answer,
    "how many have answered, to who comes back": _tell_who_comes_back_how_much_was_answered,
    "how many have answered, by what may be taken back": _offer_to_take_back_after_each_second_answer,
    "a page more, when somebody is asked": lambda monkeypatch: a_line_more_when_somebody_is_asked(monkeypatch),
}


@pytest.mark.slow
@pytest.mark.parametrize("leak", SOCKET_LEAKS)
def test_a_leak_in_a_socket_is_found(leak: str, monkeypatch: pytest.MonkeyPatch) -> None:
    SOCKET_LEAKS[leak](monkeypatch)
    program, handbook = _read_game("wrong_party")
    assert any(stream_complaints(program, 3, by_sockets=True, handbook=handbook))


# ── taking back ──────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(("play", "heard"), BACK.values(), ids=list(BACK))
def test_what_cannot_be_noticed_is_no_reason_to_refuse(play: str, heard: set[str], tmp_path: Path) -> None:
    """Ana wants to take her answer back when she is asked again; what she hears goes by what she has noticed."""
    rules, by_events = written(play, tmp_path), dict[str, str]()
    for seed in range(25):
        game, lines = SharedGame(rules, seed, ("Ana", "Ben", "Cleo")), list[dict[str, Any]]()

        def read(game: SharedGame = game, passes: bool = seed % 2 == 1) -> str | None:
            assert game.decision is not None
            ask = game.decision.asks[0]
            if ask.seat == 0 and ask.number == 2:
                return json.dumps({"seat": 0, "undo": True})
            key = "pass" if "pass" in ask.keys and passes else ask.keys[0]
            return json.dumps({"seat": ask.seat, "keys": [key], "number": ask.number})

        def write(line: str, lines: list[dict[str, Any]] = lines) -> None:
            lines.extend(one for one in [json.loads(line)] if one.get("to") == "Ana")
            if "refused" in line or "taken_back" in line:
                raise Done

        with pytest.raises(Done):
            Front(Sitting(game, {}, no_bot), read, as_lines(game.names, write)).serve()
        said = lines[-1].get("refused", "taken back").removeprefix("It cannot be taken back: ").partition(" If ")[0]
        noticed = json.dumps([event for line in lines for event in line.get("events", ())])
        own = json.dumps([one for one in json.loads(noticed) if one["kind"] != "moved"])
        assert by_events.setdefault(own, said) == said
    assert set(by_events.values()) == heard


def test_handing_on_does_not_show_that_others_are_still_asked(tmp_path: Path) -> None:
    """The neutral page offers to take an answer back only where everybody may know that others have still to answer."""
    offered = dict[str, set[bool]]()
    plays = {
        "veiled": CASES["a veiled question to all at once"]["play"],
        "open": "each p in players chooses n from 1..2\n",
    }
    for title, play in plays.items():
        rules = written(play, tmp_path)
        for seed in range(120):
            game = SharedGame(rules, seed, ("Ana", "Ben", "Cleo"))
            assert game.decision is not None
            ask = game.decision.asks[0]
            game.answer(ask.seat, [ask.keys[0]], ask.number)
            if game.may_take_back(ask.seat):
                sitting = DeviceSitting(game, {}, no_bot, Paper(80, 24), {}, Path)
                offered.setdefault(title, set()).add(terminal._may_offer_undo(sitting, ask.seat))
    assert offered == {"veiled": {False}, "open": {True}}


class Done(Exception):
    """All that was wanted has been heard."""


@pytest.mark.slow
@pytest.mark.parametrize("play", [TWO_ROUNDS, TWO_GIFTS], ids=["quiet", "veiled"])
def test_a_wish_tells_nobody_who_was_asked(play: str, tmp_path: Path) -> None:
    tried = Counter[str]()
    assert list(wish_complaints(written(play, tmp_path), 1, seed=7, most=1, tried=tried)) == []
    assert tried["wished"]
    assert tried["taken back"]


def _drop_a_wish_at_each_answer(monkeypatch: pytest.MonkeyPatch) -> None:
    take = Front._take_answer

    def leaking(self: Front, seat: int, said: dict[str, Any]) -> None:
        take(self, seat, said)
        if self.wish is not None and self.wish[0] == seat:
            self._give_up("The game went on.")

    monkeypatch.setattr(Front, "_take_answer", leaking)


def _drop_a_wish_at_each_point(monkeypatch: pytest.MonkeyPatch) -> None:
    go_on = Front._go_on

    def leaking(self: Front) -> None:
        if self.game.way.points:
            self._give_up("The game went on.")
        go_on(self)

    monkeypatch.setattr(Front, "_go_on", leaking)


def _take_back_what_was_answered_last(monkeypatch: pytest.MonkeyPatch) -> None:
    def find_last(sitting: Any, seat: int, others: Any) -> Any:
        return [mark for mark in sitting.marks if mark.seat == seat][-1]

    monkeypatch.setattr("rulebook.table.front.find_agreed", find_last)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("plant", "play"),
    [
        (_drop_a_wish_at_each_answer, TWO_ROUNDS),
        (_take_back_what_was_answered_last, TWO_ROUNDS),
        (_drop_a_wish_at_each_point, TWO_GIFTS),
    ],
    ids=["it falls at each answer", "the last answer is taken back", "it falls at each point"],
)
def test_a_leak_by_a_wish_is_found(
    plant: Callable[[pytest.MonkeyPatch], None], play: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    plant(monkeypatch)
    assert any(wish_complaints(written(play, tmp_path), 1, seed=7, most=1))


# ── planted leaks ────────────────────────────────────────────────────────────────────────────────


def a_line_more_when_somebody_is_asked(monkeypatch: pytest.MonkeyPatch) -> None:
    true = Front._ask_next

    def leaking(self: Front) -> None:
        true(self)
        decision = self.game.decision
        for seat in self.sitting.persons:
            if decision is not None and decision.find_ask(seat) is None and decision.asks[0].quiet:
                self._send(seat, {"view": self.game.view(seat).facts, "events": []})

    monkeypatch.setattr(Front, "_ask_next", leaking)


def no_line_when_nobody_is_asked(monkeypatch: pytest.MonkeyPatch) -> None:
    true = Front._go_on

    def leaking(self: Front) -> None:
        del self.game.way.points[:-1]
        true(self)

    monkeypatch.setattr(Front, "_go_on", leaking)


@pytest.mark.parametrize("plant", [a_line_more_when_somebody_is_asked, no_line_when_nobody_is_asked])
@pytest.mark.parametrize("name", ["crazy_eights"])
def test_a_planted_leak_is_found(name: str, plant, monkeypatch: pytest.MonkeyPatch) -> None:  # type: ignore[no-untyped-def]
    plant(monkeypatch)
    assert any(stream_complaints(shipped(name), 6))


# ── what others try ──────────────────────────────────────────────────────────────────────────────


def test_a_word_across_the_table_sends_that_word_and_nothing_else(tmp_path: Path) -> None:
    """Who talks may be asked quietly, and so may who does not."""
    folder = library.find_game("kuhn_poker")
    rules = OneGame(load_game(folder), lower_game(folder, 2))

    async def play() -> dict[str, list[Any]]:
        store = Store(tmp_path / "tables.sqlite3")
        table = await Hall(store, rules, "", 0).open(Settings("drawn", (), (), (), [["Ana", ""], ["Ben", ""]]))
        await table.start()
        pages = {role: Pages() for role in ("0", "1", WATCH)}
        for role, page in pages.items():
            table.enter(role, page)
        await asyncio.sleep(0.05)
        for page in pages.values():
            page.said.clear()
        async with table.lock:  # it waits for nothing that the game does
            for seat in ("0", "1"):
                await table.hear(seat, {"say": f"I am {seat}"})
        await asyncio.sleep(0.05)
        store.close()
        return {role: page.said for role, page in pages.items()}

    first, second = (
        {"number": seat + 1, "name": name, "text": f"I am {seat}"} for seat, name in enumerate(("Ana", "Ben"))
    )
    assert asyncio.run(play()) == {
        "0": [{"said": [{**first, "own": True}]}, {"said": [second]}],
        "1": [{"said": [first]}, {"said": [{**second, "own": True}]}],
        WATCH: [{"said": [first]}, {"said": [second]}],
    }


@pytest.mark.parametrize("is_wished", [False, True], ids=["nothing is wished for", "somebody wants to take back"])
def test_what_another_one_tries_in_vain_sends_nobody_else_anything(is_wished: bool, tmp_path: Path) -> None:
    """A page that touches, or is refused, may be that of somebody who is asked quietly."""
    folder = library.find_game("kuhn_poker")
    rules, names = OneGame(load_game(folder), lower_game(folder, 2)), ["Ana", "Ben"]
    settings = Settings("drawn", (), (), (), [(one, "") for one in names])

    async def play() -> dict[str, list[Any]]:
        store = Store(tmp_path / "tables.sqlite3")
        table = await Hall(store, rules, "", 0).open(settings)
        await table.start()
        pages = {role: Pages() for role in ("0", "1", WATCH, HOST)}
        for role, page in pages.items():
            table.enter(role, page)
        if is_wished:
            for seat in ("0", "1"):
                asked = table.table.front.asked(int(seat)) if table.table is not None else None
                assert asked is not None
                said = {"answer": asked.number, "picked": 0, "chosen": [0], "deal": table.game_number}
                await table.hear(seat, said)
            await table.hear("0", {"undo": "all"})
        await asyncio.sleep(0.05)
        for page in pages.values():
            page.said.clear()
        for said in ({"undo": True}, {"try": [0]}, {"try": []}, {"agree": True}, {"undo": True, "try": [0]}):
            if said != {"agree": True} or not is_wished:
                await table.hear("1" if not is_wished else "0", said)
        await asyncio.sleep(0.05)
        store.close()
        return {role: page.said for role, page in pages.items()}

    heard = asyncio.run(play())
    trying = "0" if is_wished else "1"
    assert any("refused" in said for said in heard[trying])
    assert {role: said for role, said in heard.items() if role != trying and said} == {}
