"""What stands on a page so that nobody has to look for it: who has been found out, what lies below, a new note."""

from __future__ import annotations

from pathlib import Path

import pytest
from browsers import CHROMIUM, needs_browser, playwright, served

pytest.importorskip("starlette", reason="needs the extra `web`")
pytest.importorskip("segno", reason="needs the extra `web`")

MASKS = """
format: 1
name: Masks
players: 3..3
kinds: {mask: {}}
cards:
  fox: {kind: mask, name: The Fox}
  owl: {kind: mask, name: The Owl}
  hare: {kind: mask, name: The Hare}
  mole: {kind: mask, name: The Mole, copies: 4}
places:
  table:
    stock: {holds: mask, kept: pile, seen_by: nobody}
    heap: {holds: mask, kept: pile, seen_by: top, recall: no}
  player: {face: {holds: mask, kept: slot, seen_by: owner}}
rules:
  game: |
    let ben = first(players).left
    let cleo = ben.left
    move fox to first(players).face
    move owl to ben.face
    move hare to cleo.face
    move cards where it is mole to stock
    repeat 3:
      draw 1 from stock to heap
    reveal ben.face
    show cleo.face to first(players)
    each me in players:
      choose one "Well?":
        "Good":
          stop
        "Bad":
          stop
result: {rank: most luck}
memory: {player: {luck: 0}}
"""


@needs_browser
@pytest.mark.slow
def test_the_only_card_of_somebody_is_named_at_their_seat(tmp_path: Path) -> None:
    (tmp_path / "masks").mkdir()
    (tmp_path / "masks" / "rulebook.yaml").write_text(MASKS, "utf-8")
    words = (str(tmp_path / "masks"), "--seats", "Ana,Ben,Cleo", "--port", "0", "--pace", "0")
    with playwright.sync_playwright() as driver, served(tmp_path / "s", *words) as server:
        browser = driver.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox", "--disable-gpu"])
        ana, ben, cleo = (browser.new_page(reduced_motion="reduce") for _ in range(3))
        for page, name in ((ana, "Ana"), (ben, "Ben"), (cleo, "Cleo")):
            page.goto(server.links[name])
            page.locator("#seats .seat").first.wait_for()
        ana.locator("[data-seat=Ben] .only b", has_text="The Owl").wait_for()
        assert ana.locator("[data-seat=Ben] .only svg").count() == 0, "all have seen it"
        assert ana.locator("[data-seat=Cleo] .only b").inner_text() == "The Hare"
        assert ana.locator("[data-seat=Cleo] .only svg").count() == 1, "only Ana has"
        assert ben.locator("[data-seat=Cleo] .only").count() == 0
        assert ana.locator(".chip", has_text="2 below").count() == 1


@needs_browser
@pytest.mark.slow
def test_a_host_is_told_of_a_note_and_has_nothing_to_press_when_the_table_is_closed(tmp_path: Path) -> None:
    words = ("kuhn_poker", "--seats", "Ana,Ben", "--port", "0", "--pace", "0")
    with playwright.sync_playwright() as driver, served(tmp_path / "s", *words) as server:
        browser = driver.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox", "--disable-gpu"])
        ana = browser.new_page()
        host = browser.new_page(viewport={"width": 360, "height": 400})
        ana.goto(server.links["Ana"])
        host.goto(server.links["For you, the host"])
        ana.locator("#open-note").click()
        ana.locator("#note textarea").fill("slow")
        ana.locator("#note .main").click()
        host.get_by_role("button", name="One new note").click()
        host.get_by_text("slow").wait_for()
        host.locator("#new-notes").wait_for(state="hidden")
        assert host.title() == "Host · Kuhn Poker"
        ana.locator("#open-note").click()
        ana.locator("#note textarea").fill("slower")
        ana.locator("#note .main").click()
        host.get_by_text("slower").wait_for()
        assert host.title() == "Host · Kuhn Poker", "it is in sight"
        host.locator("#close").click()
        host.get_by_role("button", name="Close it").click()
        host.get_by_text("This table is closed.").wait_for()
        assert [button for button in host.locator("button").all() if button.is_visible()] == []
    assert server.process.stdout is not None
    said = server.process.stdout.read().splitlines()
    assert said.count("Ana has written a note; it stands on the host's page.") == 2
