"""A word across the table: who may say something, who reads it, and that it is text and nothing else."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import pytest
from browsers import CHROMIUM, needs_browser, playwright, served
from failing import OneGame, Pages
from shipped import load_game, lower_game

from rulebook import library

pytest.importorskip("starlette", reason="needs the extra `web`")
pytest.importorskip("segno", reason="needs the extra `web`")
from rulebook.web.hall import Hall, Open
from rulebook.web.messages import HOST, WATCH
from rulebook.web.store import Settings, Store


def _come(table: Open, role: str) -> dict[str, Any]:
    """Open a page, and return what it is told first."""
    page = Pages()
    table.enter(role, page)
    return page.take("whole", "host")


def _list_texts(said: list[dict[str, Any]]) -> list[str]:
    return [line["text"] for line in said]


def test_who_sits_at_the_table_talks_and_all_read_it(tmp_path: Path) -> None:
    folder = library.find_game("kuhn_poker")
    rules = OneGame(load_game(folder), lower_game(folder, 2))

    async def run() -> None:
        store = Store(tmp_path / "tables.sqlite3")
        table = await Hall(store, rules, "", 0).open(Settings("drawn", (), (), (), [["Ana", ""], ["Ben", ""]]))
        pages = {role: Pages() for role in ("0", WATCH, HOST)}
        for role, page in pages.items():
            table.enter(role, page)

        async def say(role: str, text: str) -> Any:
            pages[role].said.clear()
            await table.hear(role, {"say": text})
            return pages[role].take("said", "refused", "host")

        # Before the game, too; whoever comes later reads it.
        await say("0", "  Hello \n there\u202e! ")
        assert _list_texts(_come(table, "1")["said"]) == ["Hello there\ufffd!"]
        await table.start()
        for text in ("", "  \n ", "x" * 201):
            assert await say("0", text) == {"refused": "A line has 1 to 200 letters."}
        for role in (WATCH, HOST):
            assert (await say(role, "x"))["refused"] == "That is no message."
        before = table.table.answers if table.table is not None else 0
        for number in range(60):
            await say("0", f"line {number}")
        for role in ("0", "1", WATCH):
            said = _come(table, role)["said"]
            assert _list_texts(said) == [f"line {number}" for number in range(10, 60)]
            assert {line.get("own", False) for line in said} == {role == "0"}
        assert len(_come(table, HOST)["host"]["said"]) == 50
        assert table.table is not None
        assert table.table.answers == before
        assert "line 59" not in str(table.shown)
        assert b"line 59" not in store.save(table.game_number)
        # It goes on through the next game.
        await table.hear(HOST, {"rematch": True})
        assert _come(table, "1")["said"][-1] == {"number": 61, "name": "Ana", "text": "line 59"}
        store.close()

    asyncio.run(run())
    assert b"line 59" not in b"".join(file.read_bytes() for file in tmp_path.iterdir())


@needs_browser
@pytest.mark.slow
def test_a_line_is_seen_on_a_phone_and_stands_there_after_a_reload(tmp_path: Path) -> None:
    words = ("kuhn_poker", "--seats", "Ana,Ben", "--port", "0", "--pace", "0")
    with playwright.sync_playwright() as driver, served(tmp_path / "s", *words) as server:
        browser = driver.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox", "--disable-gpu"])
        ana = browser.new_page(viewport={"width": 360, "height": 740})
        ben = browser.new_page(viewport={"width": 1280, "height": 800})
        watching = browser.new_page(viewport={"width": 360, "height": 740})
        troubles = list[str]()
        for page, name in ((ana, "Ana"), (ben, "Ben"), (watching, "For watchers")):
            page.on("pageerror", lambda error: troubles.append(str(error)))
            page.goto(server.links[name])
            page.locator("#seats .seat").first.wait_for()
        ben.locator("#talk input").fill("<img src=x onerror=alert(1)>")
        ben.keyboard.press("Enter")
        heard = ana.locator("#heard", has_text="Ben <img src=x onerror=alert(1)>")
        heard.wait_for()
        assert heard.get_attribute("aria-live") == "polite"
        assert ben.locator("#talk input").input_value() == ""
        button = ana.locator("#open-talk")
        assert (button.get_attribute("aria-label"), button.locator(".new").is_visible()) == ("Talk, 1 new", True)
        ana.reload()
        ana.locator("#open-talk[aria-label='Talk, 1 new']").click()
        assert ana.locator("#talk .lines").inner_text().splitlines() == ["Ben", "<img src=x onerror=alert(1)>"]
        assert not button.locator(".new").is_visible()
        field = ana.locator("#talk input").bounding_box()
        assert field is not None
        assert field["y"] + field["height"] < 740 * 0.6, "above the keyboard of a phone"
        ana.locator("#talk input").fill("x" * 300)
        ana.locator("#talk button.main").click()
        ben.locator("#talk .own + p", has_text="x" * 200).wait_for()
        assert ana.locator("#heard").inner_text() == "", "who said it has read it"
        assert ana.evaluate("document.documentElement.scrollWidth") == 360
        # What lies over the table says that one is asked, as the log does.
        watching.locator("#open-talk").click()
        assert not watching.locator("#talk input").is_visible()
        assert watching.locator("#talk .lines p").count() == 2
        ana.keyboard.press("Escape")
        assert not ana.locator("#talk").is_visible()
        assert troubles == []
