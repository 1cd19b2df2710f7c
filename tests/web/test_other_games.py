"""An evening at one table: the host chooses the next game, people keep their seats and links, bots come and go."""

from __future__ import annotations

import asyncio
import json
import sqlite3
from pathlib import Path
from typing import Any

import pytest
from browsers import CHROMIUM, needs_browser, playwright, served
from sockets import connect, hear, host_of

from rulebook.playtest.bots import BEST

pytest.importorskip("starlette", reason="needs the extra `web`")
pytest.importorskip("segno", reason="needs the extra `web`")
from rulebook.commands.serve import _Rules
from rulebook.web.hall import Hall
from rulebook.web.messages import HOST, WATCH
from rulebook.web.offers import fit_seats
from rulebook.web.store import Settings, Store

pytestmark = pytest.mark.filterwarnings("ignore:connect")

ANA, BEN, CLEO = ("Ana", ""), ("Ben", ""), ("Cleo", "")
FIRST, SECOND = ("Bot 1", "first"), ("Bot 2", "random")


@pytest.mark.parametrize(
    ("seats", "numbers", "fitted"),
    [
        ((ANA, BEN), (2, 3), (ANA, BEN)),
        ((ANA, BEN), (3, 4), (ANA, BEN, ("Bot 1", BEST))),
        ((ANA, FIRST), (4,), (ANA, FIRST, ("Bot 2", "first"), ("Bot 3", "first"))),
        ((ANA, BEN, FIRST, SECOND), (2,), (ANA, BEN)),
        ((ANA, BEN, FIRST, SECOND), (2, 3, 6), (ANA, BEN, FIRST)),
        # One whose name is taken already: the seat of Bot 1 was given to somebody.
        ((ANA, BEN, SECOND), (4,), (ANA, BEN, SECOND, ("Bot 1", "random"))),
        ((ANA, BEN, CLEO), (2,), None),
        ((ANA, FIRST, BEN), (2,), None),
        ((ANA, FIRST, BEN), (4,), (ANA, FIRST, BEN, ("Bot 2", "first"))),
        ((ANA, BEN), (), None),
    ],
)
def test_bots_come_and_go_at_the_end_and_people_never(seats: Any, numbers: Any, fitted: Any) -> None:
    assert fit_seats(seats, numbers) == fitted


@pytest.mark.slow
def test_another_game_at_the_same_links_outlives_the_server(tmp_path: Path) -> None:
    store = tmp_path / "tables.sqlite3"
    words = ("hearts", "--set", "limit=20", "--seats", "Ana,Ben,bot:first,bot:first", "--ask", "Fun?")
    with served(store, *words, "--port", "0", "--pace", "0") as server:
        ana, host = connect(server.links["Ana"]), connect(server.links["For you, the host"])
        watching = connect(server.links["For watchers"])
        hear(ana, "whole")
        hear(watching, "whole")
        ana.send(json.dumps({"note": "slow"}))
        hear(ana, "noted")
        host.send(json.dumps({"games": True}))
        offered = {one["game"]: one for one in hear(host, "games")["games"]}
        assert "hearts" not in offered, "it is played now"
        assert offered["liars_dice"]["title"] == "Liar's Dice"
        assert (offered["liars_dice"]["coming"], offered["liars_dice"]["going"]) == ([], [])
        assert offered["kuhn_poker"]["going"] == ["Bot 1", "Bot 2"]
        assert offered["crazy_eights"]["numbers"] == [2, 3, 4, 5, 6, 7]
        for strange in ("", "nothing", "./liars_dice", "/etc", "cards/classics/cheat", str(tmp_path)):
            host.send(json.dumps({"other": strange}))
            assert "cannot be played at this table" in hear(host, "refused")["refused"], strange
        ana.send(json.dumps({"other": "kuhn_poker"}))
        assert hear(ana, "refused") == {"refused": "That is no message."}
        host.send(json.dumps({"other": "kuhn_poker"}))
        for page in (ana, watching):
            while (whole := hear(page, "whole"))["title"] == "Hearts":
                pass
            assert (whole["title"], whole["deal"]) == ("Kuhn Poker", 2)
        assert whole["questions"] == []
        host.send(json.dumps({"games": True}))
        hearts = hear(host, "games")["games"][0]
        assert (hearts["game"], hearts["has_rules"], hearts["coming"]) == ("hearts", True, ["Bot 1", "Bot 2"])
        host.send(json.dumps({"other": "liars_dice"}))
        while (whole := hear(ana, "whole"))["title"] != "Liar's Dice":
            pass
        assert whole["questions"] == ["Fun?"]
        while (about := hear(host, "host")["host"])["game"] != "Liar's Dice":
            pass
        assert about["rules"] == []
        assert [seat["name"] for seat in about["seats"]] == ["Ana", "Ben"]
        host.send(json.dumps({"export": "noted"}))
        notes = hear(host, "file")
        assert notes["file"] == "liars_dice-notes.md"
        assert "# Notes on Hearts, Kuhn Poker and Liar's Dice" in notes["text"]
        assert "## Game 1: Hearts" in notes["text"]
        assert "hearts-1.jsonl" in notes["text"]
    with sqlite3.connect(store) as database:
        settings = json.loads(database.execute("select settings from tables").fetchone()[0])
    assert (settings["game"], settings["given"]) == ("liars_dice", [])
    with served(store, "--port", "0", "--pace", "0") as again:
        link = again.links["For you, the host"]
        ana = connect(f"http://{host_of(link)}/seat#{server.links['Ana'].partition('#')[2]}")
        assert hear(ana, "whole")["title"] == "Liar's Dice"
        host = connect(link)
        assert [game["title"] for game in hear(host, "host")["host"]["earlier"]] == ["Hearts", "Kuhn Poker"]
        host.send(json.dumps({"export": 1}))
        assert hear(host, "file")["file"] == "hearts-1.jsonl"
        host.send(json.dumps({"other": "hearts"}))
        while (whole := hear(ana, "whole"))["title"] != "Hearts":
            pass


def test_only_bundled_games_and_that_of_the_command_line_are_offered(tmp_path: Path) -> None:
    folder = tmp_path / "mine"
    folder.mkdir()
    source = (Path(__file__).parents[2] / "cards" / "classics" / "kuhn_poker" / "rulebook.yaml").read_text("utf-8")
    (folder / "rulebook.yaml").write_text(source.replace("Kuhn Poker", "My Poker"), "utf-8")
    named = Settings(str(folder), (), (), (), [["Ana", ""], ["Ben", ""]])
    assert "My Poker" not in [offer.title for offer in _Rules(None, is_own=True).list_offers()]
    rules = _Rules(named, is_own=False)
    first = rules.list_offers()[0]
    assert (first.title, first.numbers, first.game) == ("My Poker", (2,), str(folder))

    async def run() -> None:
        store = Store(tmp_path / "tables.sqlite3")
        table = await Hall(store, rules, "", 0).open(named)
        await table.start()
        (tmp_path / "mine" / "rulebook.yaml").write_text("format: 1\nname: [", "utf-8")
        before = (table.settings, table.game_number)
        assert "My Poker" not in [offer.title for offer in rules.list_offers()], "it cannot be played now"
        await table.hear(HOST, {"other": str(folder)})
        assert (table.settings, table.game_number) == before
        await table.hear(HOST, {"other": "goofspiel"})
        assert (table.settings.game, table.game_number) == ("goofspiel", 2)
        assert store.find_table(table.id).settings == table.settings
        store.close()

    asyncio.run(run())


def test_no_link_leads_to_the_seat_of_a_bot(tmp_path: Path) -> None:
    """One that did would lead to whichever bot comes to that seat later."""

    async def run() -> None:
        store = Store(tmp_path / "tables.sqlite3")
        seats = [["Ana", ""], ["Bot 1", "first"]]
        settings = Settings("kuhn_poker", (), (), (), seats)
        hall = Hall(store, _Rules(settings, is_own=False), "", 0)
        table = await hall.open(settings)
        await table.start()
        await table.hear(HOST, {"link": "1"})
        assert {*table.links} == {"0", WATCH, HOST}
        hall.make_link(table, "1")
        assert hall.find(table.links["1"]) is None
        store.close()

    asyncio.run(run())


@needs_browser
@pytest.mark.slow
def test_a_host_chooses_from_a_list_and_all_pages_change_over(tmp_path: Path) -> None:
    words = ("kuhn_poker", "--seats", "Ana,Ben", "--port", "0", "--pace", "0")
    with playwright.sync_playwright() as driver, served(tmp_path / "s", *words) as server:
        browser = driver.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox", "--disable-gpu"])
        ana, host = browser.new_page(viewport={"width": 360, "height": 740}), browser.new_page()
        ana.goto(server.links["Ana"])
        host.goto(server.links["For you, the host"])
        host.locator("#other").click()
        host.locator(".offer").first.wait_for()
        assert host.locator("#games .main").is_disabled()
        host.get_by_role("radio", name="Hearts").check()
        assert "Bot 1 and Bot 2 join" in host.locator(".offer:has(:checked)").inner_text()
        host.get_by_role("button", name="Play Hearts").click()
        ana.get_by_text("The next game: Hearts.").wait_for()
        ana.locator("#game", has_text="Hearts").wait_for()
        assert ana.locator("#seats .seat").count() == 3
        host.locator(".person", has_text="Bot 2").wait_for()
        host.get_by_text("Game 1: Kuhn Poker").wait_for()
