"""The time for an answer: who is late is answered for, once, and only their own page counts."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from failing import OneGame, Pages
from shared_devices import written
from shipped import load_game, lower_game
from stored_tables import serve

from rulebook import library

pytest.importorskip("starlette", reason="needs the extra `web`")
pytest.importorskip("segno", reason="needs the extra `web`")
from click.testing import CliRunner

from rulebook.cli import main
from rulebook.web import hall
from rulebook.web.hall import Hall, Open
from rulebook.web.messages import HOST, WATCH
from rulebook.web.store import Settings, Store

QUIET = """
starter chooses n from 1..2
starter.left may choose one "Hide your badge?":
  "Hide":
    set starter.left.hides = yes
starter chooses m from 1..2
"""


@pytest.fixture(autouse=True)
def quick_bots(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let who is late be answered for at random: how well is another question."""
    monkeypatch.setattr(hall, "BEST", "random")


class Clock:
    """A clock that goes when it is told to."""

    def __init__(self) -> None:
        self.now, self.timers = 0.0, list[Any]()

    def time(self) -> float:
        return self.now

    def call_later(self, delay: float, callback: Callable[[], None]) -> Any:
        clock, entry = self, (self.now + delay, callback)

        class Timer:
            def cancel(self) -> None:
                if entry in clock.timers:
                    clock.timers.remove(entry)

        self.timers.append(entry)
        return Timer()

    def go(self, seconds: float) -> None:
        self.now += seconds
        for entry in [one for one in self.timers if one[0] <= self.now]:
            self.timers.remove(entry)
            entry[1]()


class Evening:
    """A table of Kuhn poker, or of other rules, at which time matters; and what its pages were sent."""

    def __init__(self, path: Path, rules: OneGame | None = None, **said: Any) -> None:
        folder = library.find_game("kuhn_poker")
        self.rules = rules or OneGame(load_game(folder), lower_game(folder, 2))
        self.path, self.said = path, said

    async def open(self, names: tuple[str, ...] = ("Ana", "Ben")) -> Open:
        self.store, self.clock = Store(self.path / "tables.sqlite3"), Clock()
        self.hall = Hall(self.store, self.rules, "", 0)
        self.hall.clock = lambda: self.clock
        self.table = await self.hall.open(Settings("drawn", (), (), (), [(name, "") for name in names], **self.said), 7)
        await self.table.start()
        await self.come(len(names))
        return self.table

    async def come(self, count: int = 2) -> None:
        await asyncio.sleep(0.1)
        self.pages = {role: Pages() for role in (*map(str, range(count)), WATCH, HOST)}
        for role, page in self.pages.items():
            self.table.enter(role, page)

    async def wait(self, seconds: float) -> None:
        """Let time go by, and what happens then."""
        self.clock.go(seconds)
        await asyncio.sleep(0)
        await asyncio.gather(*self.table._late)
        await asyncio.sleep(0.05)

    @property
    def answers(self) -> int:
        assert self.table.table is not None
        return self.table.table.answers

    def find_asked(self) -> int:
        return next(seat for seat, shown in self.table.shown.items() if seat is not None and "ask" in shown.page)


@pytest.mark.parametrize("is_passing", [False, True])
def test_who_is_late_is_answered_for_once(is_passing: bool, tmp_path: Path) -> None:
    async def play() -> None:
        evening = Evening(tmp_path, within=120, is_passing=is_passing)
        await evening.open()
        asked = evening.find_asked()
        whole = evening.pages[str(asked)].said[0]
        assert whole["within"] == 120
        assert not any("within" in said for said in evening.pages[str(1 - asked)].said)
        assert evening.pages[WATCH].take("status")["status"]["late"] == {"seconds": 120, "is_passing": is_passing}
        await evening.wait(119)
        assert evening.answers == 0
        await evening.wait(1)
        assert evening.answers == 1
        assert evening.pages[str(asked)].take("late") == {"late": True}
        # Once: the next question has its own time.
        await evening.wait(60)
        assert evening.answers == 1
        evening.store.close()

    asyncio.run(play())


def test_a_pause_stops_the_time_and_a_new_server_begins_it_anew(tmp_path: Path) -> None:
    async def play() -> None:
        evening = Evening(tmp_path, within=60)
        table = await evening.open()
        await evening.wait(50)
        await table.hear(HOST, {"pause": True})
        await evening.wait(500)
        assert evening.answers == 0
        await table.hear(HOST, {"pause": False})
        await evening.wait(59)
        assert evening.answers == 0
        table.stop()
        evening.table = await evening.hall.reopen(evening.store.find_table(table.id))
        await evening.come()
        assert evening.pages[str(evening.find_asked())].said[0]["within"] == 60
        await evening.wait(59)
        assert evening.answers == 0
        await evening.wait(1)
        assert evening.answers == 1
        evening.store.close()

    asyncio.run(play())


def test_nobody_else_learns_that_somebody_who_was_asked_in_secret_was_late(tmp_path: Path) -> None:
    async def play() -> None:
        program = written(QUIET, tmp_path)
        evening = Evening(tmp_path, OneGame(load_game(tmp_path), program), within=60)
        table = await evening.open(("Ana", "Ben", "Cleo"))
        first = evening.find_asked()
        await table.hear(str(first), {"answer": 1, "picked": 0, "chosen": [0], "deal": table.game_number})
        await asyncio.sleep(0.1)
        asked = evening.find_asked()
        assert asked != first
        for page in evening.pages.values():
            page.said.clear()
        await evening.wait(30)
        assert not any(page.said for page in evening.pages.values())
        await evening.wait(30)
        told = {role: {key for said in page.said for key in said} for role, page in evening.pages.items()}
        assert "late" in told.pop(str(asked))
        assert not any(keys & {"late", "status"} for keys in told.values())
        assert [*filter(None, ("within" in keys for keys in told.values()))] == [True]  # whom it asks next
        evening.store.close()

    asyncio.run(play())


@pytest.mark.parametrize("time", ["2", "m", "0s", "5s", "25h", "2 minutes", "-2m"])
def test_a_time_that_is_none_is_refused(time: str) -> None:
    result = CliRunner().invoke(main, ["serve", "kuhn_poker", "--answer-within", time])
    assert result.exit_code == 2
    assert "such as 90s or 2m" in " ".join(result.output.split())


def test_the_links_of_ones_own_table_come_first_and_older_ones_in_a_line(tmp_path: Path) -> None:
    for seats in ("Ana,bot", "Ben,bot", "Cleo,bot"):
        printed = serve(tmp_path / "tables.sqlite3", "kuhn_poker", "--seats", seats).stdout
    first, *lines = printed.splitlines()
    assert first == "Kuhn Poker, table 3" and lines[0].startswith("  Cleo")
    own = next(line for line in lines if "For you, the host" in line)
    older = [line for line in lines if line.startswith("Also open again: Kuhn Poker, table ")]
    assert len(older) == 2 and lines.index(own) < lines.index(older[0])
    assert all("/host#" in line for line in older)
    alone = serve(tmp_path / "tables.sqlite3").stdout
    assert alone.count("For you, the host") == 3
