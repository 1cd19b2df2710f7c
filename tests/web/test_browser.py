"""A whole game in a browser: two people on two devices, by touches alone (`bench/browser.py` plays more of them)."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from browsers import needs_browser, play_on, served, sit_down

for needed in ("starlette", "uvicorn", "websockets", "segno"):
    pytest.importorskip(needed, reason="needs the extra `web`")
pytestmark = needs_browser

COVERED_WORDS = """() => [...document.querySelectorAll('.card.may, .tile.may')].filter((thing) => {
  const mark = thing.querySelector('.mark').getBoundingClientRect();
  const words = document.createRange();
  return [...thing.querySelectorAll('.title, .attrs, .signs')].some((part) => {
    words.selectNodeContents(part);
    return [...words.getClientRects()].some((line) => line.right > mark.left && line.bottom > mark.top);
  });
}).map((thing) => thing.innerText)"""

OVERHANGING = """() => [...document.querySelectorAll('.board .tile')].filter(
  (thing) => thing.getBoundingClientRect().right > thing.parentElement.getBoundingClientRect().right + 1
).map((thing) => thing.innerText)"""

OUT_OF_SIGHT = """() => {
  const top = document.querySelector('.bar').getBoundingClientRect().bottom;
  const bottom = document.getElementById('ask').getBoundingClientRect().top;
  return [...document.querySelectorAll('.mine .head, .mine .card')].filter((thing) => {
    const place = thing.getBoundingClientRect();
    return place.width && (place.top < top || place.bottom > bottom || place.right > innerWidth);
  }).map((thing) => thing.innerText);
}"""

LONG_MENU = """() => {
  const dock = document.getElementById('ask');
  return dock.querySelector('.menu') !== null && dock.scrollHeight > dock.clientHeight;
}"""

COVERED_OPTIONS = """() => [...document.querySelectorAll('#ask .menu .btn')].filter((option) => {
  option.scrollIntoView({ block: 'nearest' });
  const [dock, place, acts] = ['.dock', '.menu .btn', '.acts'].map((name) =>
    (option.closest(name) ?? document.querySelector(`#ask ${name}`))?.getBoundingClientRect());
  // Buttons below a menu stay in sight, and on nothing.
  if (acts && Math.abs(acts.bottom - dock.bottom) > 1) return true;
  return place.top < dock.top || place.bottom > (acts?.top ?? dock.bottom) + 1;
}).map((option) => option.innerText)"""

LIES_OPEN = """() => {
  const text = document.querySelector('#reader .text'), place = text.getBoundingClientRect();
  return text.contains(document.elementFromPoint(place.x + place.width / 2, place.y + place.height / 2));
}"""


@pytest.mark.slow
def test_a_whole_game_is_played_by_touches(tmp_path: Path, browser: Any) -> None:
    words = ("wrong_party", "--seats", "Ana,Ben,bot:random", "--port", "0", "--seed", "1", "--pace", "0")
    with served(tmp_path / "tables.sqlite3", *words) as server:
        phone = {"viewport": {"width": 360, "height": 740}, "reduced_motion": "reduce"}
        persons = sit_down(browser, server.seats, 1, **phone)
        assert play_on(persons)
        # The end of the last round stands there until it has been read.
        for person in persons:
            person.page.get_by_role("button", name="Go on").click()
            assert person.page.locator(".ranks li").count() == 3
        assert [trouble for person in persons for trouble in person.troubles] == []


@pytest.mark.slow
@pytest.mark.parametrize(("game", "seats"), [("hearts", 4), ("exposed", 3)])
def test_on_a_phone_no_mark_covers_words(game: str, seats: int, tmp_path: Path, browser: Any) -> None:
    sitting = ",".join(["Ana", *["bot:random"] * (seats - 1)])
    words = (game, "--seats", sitting, "--port", "0", "--seed", "5", "--pace", "0")
    with served(tmp_path / "tables.sqlite3", *words) as server:
        (ana,) = sit_down(browser, server.seats, 1, viewport={"width": 360, "height": 740}, reduced_motion="reduce")
        if game == "exposed":
            # What she is asked depends on which deed she chose.
            while not ana.page.locator(".tile.may").count():
                ana.act()
                ana.page.wait_for_timeout(50)
            assert ana.page.locator(".tile.own").count() == 1
            assert "Lock\u00adsmith" in ana.page.locator(".tile .title").all_text_contents()
        ana.page.wait_for_selector(".may .mark")
        assert ana.page.evaluate(COVERED_WORDS) == []
        assert ana.page.evaluate("document.documentElement.scrollWidth") == 360


@pytest.mark.slow
@pytest.mark.parametrize(("game", "seats"), [("wallet", 4), ("exposed", 3)])
def test_on_a_phone_all_of_a_long_menu_can_be_scrolled_into_sight(
    game: str, seats: int, tmp_path: Path, browser: Any
) -> None:
    sitting = ",".join(["Ana", *["bot:random"] * (seats - 1)])
    words = (game, "--seats", sitting, "--port", "0", "--seed", "5", "--pace", "0")
    with served(tmp_path / "tables.sqlite3", *words) as server:
        (ana,) = sit_down(browser, server.seats, 1, viewport={"width": 360, "height": 640}, reduced_motion="reduce")
        while not ana.page.evaluate(LONG_MENU):
            # What a menu says is folded where it leaves no room.
            folded = ana.page.locator("[data-k=tells][aria-expanded=false]")
            if folded.is_visible():
                folded.click()
            else:
                ana.act()
            ana.page.wait_for_timeout(50)
        assert ana.page.locator("#ask .menu .btn").count() >= 2
        assert ana.page.evaluate(COVERED_OPTIONS) == []


@pytest.mark.slow
@pytest.mark.parametrize(("game", "seats"), [("wallet", 4), ("exposed", 6), ("hearts", 4), ("wrong_party", 4)])
def test_on_a_wide_page_ones_own_things_stand_in_sight(game: str, seats: int, tmp_path: Path, browser: Any) -> None:
    sitting = ",".join(["Ana", *["bot:random"] * (seats - 1)])
    words = (game, "--seats", sitting, "--port", "0", "--seed", "5", "--pace", "0")
    with served(tmp_path / "tables.sqlite3", *words) as server:
        (ana,) = sit_down(browser, server.seats, 1, viewport={"width": 1280, "height": 800}, reduced_motion="reduce")
        for _ in range(12):
            play_on([ana], 4)
            ana.page.wait_for_timeout(50)
            assert ana.page.evaluate(OUT_OF_SIGHT) == []
            assert ana.page.evaluate("document.documentElement.scrollHeight") == 800
        ana.page.set_viewport_size({"width": 1090, "height": 720})
        assert ana.page.evaluate(OVERHANGING) == []


@pytest.mark.slow
def test_a_card_that_is_named_can_be_read(tmp_path: Path, browser: Any) -> None:
    words = ("exposed", "--seats", "Ana,bot:random", "--port", "0", "--seed", "5", "--pace", "0")
    with served(tmp_path / "tables.sqlite3", *words) as server:
        for width in (360, 1280):
            (ana,) = sit_down(
                browser, server.seats, 1, viewport={"width": width, "height": 740}, reduced_motion="reduce"
            )
            own = ana.page.locator(".mine .card .title").inner_text()
            if width == 360:
                ana.page.locator("#open-log").click()
            named = ana.page.locator("#log .named", has_text=own).first
            named.click()
            assert ana.page.locator("#reader .title").inner_text() == own
            assert len(ana.page.locator("#reader .text").inner_text()) > 20
            assert ana.page.evaluate(LIES_OPEN)
            ana.page.locator(".tile", has_text=own).first.evaluate("(tile) => tile.click()")
            assert len(ana.page.locator("#reader .text").inner_text()) > 20


def test_the_host_gives_the_seat_of_a_bot_to_somebody_by_name(tmp_path: Path, browser: Any) -> None:
    words = ("kuhn_poker", "--seats", "Ana,bot:random", "--port", "0", "--pace", "0")
    with served(tmp_path / "tables.sqlite3", *words) as server:
        host = browser.new_page()
        host.goto(server.links["For you, the host"])
        host.get_by_text("nobody is watching").wait_for()
        host.get_by_text("No notes yet.").wait_for()
        host.get_by_role("button", name="Give this seat to somebody").click()
        host.locator("#name").fill("ana")
        host.keyboard.press("Enter")
        host.locator("#sure", has_text="Two players").wait_for()
        host.locator("#name").fill("Cleo")
        host.keyboard.press("Enter")
        # Her link stands there at once.
        host.locator(".person", has_text="Cleo").locator(".copy code").wait_for()
        assert host.locator(".person .name").all_inner_texts() == ["Ana", "Cleo", "Watchers"]


@pytest.mark.slow
def test_what_was_being_written_is_asked_about_when_a_new_game_begins(tmp_path: Path, browser: Any) -> None:
    words = ("kuhn_poker", "--seats", "Ana,bot:random", "--port", "0", "--pace", "0")
    words += ("--ask", "What was boring?", "--ask", "What was new?")
    with served(tmp_path / "tables.sqlite3", *words) as server:
        (ana,) = sit_down(browser, server.seats, 1, viewport={"width": 360, "height": 740}, reduced_motion="reduce")
        host = browser.new_page()
        host.goto(server.links["For you, the host"])
        toast, note = ana.page.locator("#toast"), ana.page.locator("#note")
        ana.page.locator("#open-note").click()
        note.locator("textarea").fill("This felt wrong.")
        note.get_by_role("button", name="Keep the note").click()
        ana.page.locator("#toast", has_text="Your note is kept.").wait_for()
        assert play_on([ana])
        # What was sent is no longer being written.
        ana.page.locator(".after textarea").first.fill("The end")
        ana.page.get_by_role("button", name="Send to the host").click()
        ana.page.locator(".after label", has_text="What was boring?").wait_for(state="detached")
        ana.page.locator(".after textarea").fill("Bluf")
        host.get_by_role("button", name="Play again").click()
        host.locator("#sure").get_by_role("button", name="Play again").click()
        note.get_by_role("heading", name="You were still writing").wait_for()
        assert note.locator("textarea").input_value() == "What was new? Bluf"
        ana.page.locator("#toast:empty").wait_for(state="attached")
        note.get_by_role("button", name="Keep the note").click()
        ana.page.locator("#toast", has_text="Your note is kept.").wait_for()
        assert toast.evaluate(
            "(one) => one.getBoundingClientRect().bottom <= document.getElementById('ask').getBoundingClientRect().top"
        )
        host.locator("#earlier .person", has_text="3 notes").wait_for()
        assert ana.troubles == []
