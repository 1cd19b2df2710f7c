"""Before the first card is dealt, and after the last one: who may begin, why it ended, and who wants another game."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import pytest
from browsers import CHROMIUM, needs_browser, play_on, playwright, served, sit_down
from failing import OneGame, Pages
from shipped import load_game, lower_game

from rulebook import library
from rulebook.playtest.bots import make_bot
from rulebook.table.handbook import Handbook
from rulebook.table.reckoning import word_why
from rulebook.table.shared import SharedGame

pytest.importorskip("starlette", reason="needs the extra `web`")
pytest.importorskip("segno", reason="needs the extra `web`")
from rulebook.web import room
from rulebook.web.hall import Hall, Open
from rulebook.web.messages import HOST, WATCH
from rulebook.web.store import Settings, Store


class Evening:
    """A table at which nobody has begun, and the pages that are opened there."""

    def __init__(self, path: Path, *names: str) -> None:
        folder = library.find_game("kuhn_poker")
        self.rules = OneGame(load_game(folder), lower_game(folder, 2))
        self.store, self.told = Store(path / "tables.sqlite3"), list[str]()
        self.hall = Hall(self.store, self.rules, "", 0, self.told.append)
        self.settings = Settings("drawn", (), (), (), [(name, "") for name in names])
        self.pages: dict[str, Pages] = {}

    async def open(self) -> Open:
        self.table = await self.hall.open(self.settings)
        return self.table

    def come(self, *roles: str) -> None:
        for role in roles:
            self.pages[role] = Pages()
            self.table.enter(role, self.pages[role])

    async def say(self, role: str, **said: Any) -> dict[str, Any]:
        self.pages[role].said.clear()
        await self.table.hear(role, said)
        await asyncio.sleep(0.02)
        return self.pages[role].take("refused", "status", "page", "host")

    async def play(self) -> None:
        """Answer for everybody until the game is over."""
        assert self.table.table is not None
        game = self.table.table.game
        while (decision := game.decision) is not None:
            ask = decision.asks[0]
            said = {"answer": ask.number, "picked": 0, "chosen": [0], "deal": self.table.game_number}
            await self.table.hear(str(ask.seat), said)
            await asyncio.sleep(0.01)


def test_nothing_is_dealt_before_somebody_begins(tmp_path: Path) -> None:
    async def run() -> None:
        evening = Evening(tmp_path, "Ana", "Ben")
        table = await evening.open()
        evening.come("0", WATCH, HOST)
        shown = evening.pages["0"].take("status")["status"]["room"]
        assert (shown["you"], shown["missing"], shown["may_begin"]) == ("Ana", ["Ben"], False)
        for said in ({"begin": True}, {"note": "x"}):
            assert "refused" in await evening.say("0", **said)
        assert "refused" in await evening.say(HOST, rematch=True)
        evening.come("1")
        assert evening.pages["0"].take("status")["status"]["room"]["may_begin"]
        assert (table.table, evening.store.games(table.id)) == (None, [])
        await asyncio.gather(evening.say("0", begin=True), evening.say("1", begin=True))
        assert len(evening.store.games(table.id)) == 1
        assert table.settings.lent == ()
        assert table.shown[1].page["mine"]
        assert evening.told == ["Ana is here.", "Ben is here.", "Kuhn Poker begins."]
        evening.store.close()

    asyncio.run(run())


def test_who_is_late_is_waited_for_and_then_a_bot_plays(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(room, "PATIENCE", 0.2)
    monkeypatch.setattr("rulebook.web.hall.PATIENCE", 0.2)
    monkeypatch.setattr("rulebook.web.hall.BEST", "random")

    async def run() -> None:
        evening = Evening(tmp_path, "Ana", "Ben")
        table = await evening.open()
        evening.come("0")
        assert "Ben may still come" in (await evening.say("0", begin=True))["refused"]
        evening.pages["0"].said.clear()
        await asyncio.sleep(0.3)
        assert evening.pages["0"].take("status")["status"]["room"]["may_begin"], "without a touch"
        await evening.say("0", begin=True)
        assert [*table.settings.lent] == [1]
        evening.come("1")
        await evening.say("1", back=True)
        assert [*table.settings.lent] == []
        evening.store.close()

    asyncio.run(run())


def test_a_table_at_which_people_wait_is_opened_again(tmp_path: Path) -> None:
    async def run() -> None:
        evening = Evening(tmp_path, "Player 1", "Ben")
        await evening.open()
        evening.come("0")
        assert evening.pages["0"].take("status")["status"]["room"]["is_nameless"]
        shown = await evening.say("0", name=" Cleo ")
        assert (shown["status"]["room"]["you"], shown["status"]["room"]["is_nameless"]) == ("Cleo", False)
        assert evening.told[-1] == "Player 1 is Cleo."
        evening.store.close()
        store = Store(tmp_path / "tables.sqlite3")
        (number,) = store.open_tables()
        store.hold(number)
        again = await Hall(store, evening.rules, "", 0).reopen(store.find_table(number))
        assert (again.names, again.table) == (("Cleo", "Ben"), None)
        await again.start()
        assert again.table is not None
        assert again.table.game.names == ("Cleo", "Ben")
        store.close()

    asyncio.run(run())


def test_another_game_begins_when_all_who_are_there_want_it(tmp_path: Path) -> None:
    async def run() -> None:
        evening = Evening(tmp_path, "Ana", "Ben")
        table = await evening.open()
        evening.come("0", "1", WATCH)
        await evening.say("0", begin=True)
        assert (await evening.say("0", again=True)) == {"refused": "The game is not over."}
        await evening.play()
        over = table.shown[0].page["over"]
        assert set(over["winners"]) < {"Ana", "Ben"}
        assert over["why"]
        assert (await evening.say("0", again=True))["status"]["again"] == ["Ana"]
        assert (await evening.say("0", again=False))["status"]["again"] == []
        assert len(evening.store.games(table.id)) == 1
        # Nobody is left alone in a game with somebody who has gone.
        table.leave("1", evening.pages["1"])
        await evening.say("0", again=True)
        assert len(evening.store.games(table.id)) == 1
        evening.come("1")
        await evening.say("1", again=True)
        assert len(evening.store.games(table.id)) == 2
        assert "over" not in table.shown[0].page
        assert table.wanting == set()
        evening.store.close()

    asyncio.run(run())


@pytest.mark.parametrize(
    ("name", "players", "said"),
    [("hearts", 4, "The fewest points: "), ("wallet", 3, "The most points: "), ("tic_tac_toe", 2, "")],
)
def test_it_is_said_why_a_game_ended(name: str, players: int, said: str) -> None:
    folder = library.find_game(name)
    rules, program = load_game(folder), lower_game(folder, players)
    game = SharedGame(program, 3, ("Ana", "Ben", "Cleo", "Dora")[:players])
    bots = [make_bot("random", 3, seat) for seat in range(players)]
    while game.decision is not None:
        ask = game.decision.asks[0]
        game.answer(ask.seat, bots[ask.seat].answer(game.machine, game.state, ask), ask.number)
    best = Handbook(rules, program, {}).best
    for seat in range(players):
        why = word_why(game, seat, game.events(seat), best)
        assert why.startswith(said)
        assert not said or any(letter.isdigit() for letter in why)
        assert why


@pytest.mark.slow
@needs_browser
def test_two_people_begin_play_and_play_again_by_touches(tmp_path: Path) -> None:
    words = ("kuhn_poker", "--players", "2", "--port", "0", "--pace", "0")
    with playwright.sync_playwright() as driver, served(tmp_path / "tables.sqlite3", *words, waits=True) as server:
        browser = driver.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox", "--disable-gpu"])
        phone = {"viewport": {"width": 360, "height": 740}, "reduced_motion": "reduce"}
        ana, ben = sit_down(browser, server.seats, 1, **phone)
        for person, name in ((ana, "Ana"), (ben, "Ben")):
            person.page.get_by_label("Your name").fill(name)
            person.page.get_by_role("button", name="Take it").click()
            person.page.get_by_text(f"You ({name})").wait_for()
        ana.page.get_by_role("heading", name="Everybody is here").wait_for()
        assert ana.page.locator(".card").count() == 0
        ana.page.get_by_role("button", name="Begin the game").click()
        for number in range(2):
            for person in (ana, ben):
                person.page.locator(".mine .card").first.wait_for()
            assert play_on([ana, ben])
            titles = [person.page.locator(".crowned h2").inner_text() for person in (ana, ben)]
            assert sorted(titles) in (["Ana wins.", "You win"], ["Ben wins.", "You win"])
            if number == 0:
                ana.page.get_by_role("button", name="Play again").click()
                ben.page.get_by_role("heading", name="Ana would play again").wait_for()
                ben.page.get_by_role("button", name="I am in").click()
        assert [trouble for person in (ana, ben) for trouble in person.troubles] == []
