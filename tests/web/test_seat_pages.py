"""The page as people see it: sizes, contrast, what lies on what, in several windows, light and dark."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from browsers import needs_browser, play_on, served, sit_down
from looking import SIZES, look

for needed in ("starlette", "uvicorn", "websockets", "segno"):
    pytest.importorskip(needed, reason="needs the extra `web`")

pytestmark = [needs_browser, pytest.mark.slow]


def find_faults(page: Any) -> list[str]:
    """The faults of a page in all windows, light and dark."""
    looks = [look(page, *size, theme) for size in SIZES for theme in ("light", "dark")]
    return [f"{one.width} {one.theme}: {fault}" for one in looks for fault in one.complain()]


@pytest.mark.parametrize(("game", "seats", "touches"), [("hearts", 4, 12), ("wallet", 3, 10), ("exposed", 3, 3)])
def test_all_can_be_read_and_touched(game: str, seats: int, touches: int, tmp_path: Path, browser: Any) -> None:
    sitting = ",".join(["Ana", *["bot:random"] * (seats - 1)])
    words = (game, "--seats", sitting, "--port", "0", "--seed", "5", "--pace", "0")
    with served(tmp_path / "tables.sqlite3", *words, waits=True) as server:
        (ana,) = sit_down(browser, server.seats, 1, viewport={"width": 360, "height": 740}, reduced_motion="reduce")
        faults = find_faults(ana.page)
        ana.page.get_by_role("button", name="Begin the game").click()
        ana.page.locator(".mine .card").first.wait_for()
        play_on([ana], touches)
        ana.page.locator("#ask:not(.wait)").wait_for()
        faults += find_faults(ana.page)
        assert faults == []


def test_a_hand_of_thirteen_and_the_trick_stand_in_sight(tmp_path: Path, browser: Any) -> None:
    words = ("hearts", "--seats", "Ana,bot:random,bot:random,bot:random", "--port", "0", "--seed", "5", "--pace", "0")
    with served(tmp_path / "tables.sqlite3", *words) as server:
        (ana,) = sit_down(browser, server.seats, 1, viewport={"width": 360, "height": 740}, reduced_motion="reduce")
        page = ana.page
        page.locator(".mine .card").nth(12).wait_for()
        assert page.locator("main").evaluate("(main) => main.scrollHeight <= main.clientHeight")
        assert page.locator(".trick .spot").count() == 4
        # A card whose corner tells all says it aloud, too.
        labels = page.locator(".mine .card").evaluate_all("(all) => all.map((one) => one.ariaLabel)")
        assert all(" of " in label for label in labels)
        assert page.locator(".mine .card.small svg.sign").count() >= 13


def test_faces_are_drawn_by_what_there_is_of_them(tmp_path: Path, browser: Any) -> None:
    """The part that draws cards, by itself: small, pictured, in words; and what a name holds stays a name."""
    words = ("hearts", "--seats", "Ana,bot,bot,bot", "--port", "0")
    with served(tmp_path / "s", *words, waits=True) as server:
        page = browser.new_page()
        page.goto(server.links["Ana"].partition("seat#")[0])
        drawn = page.evaluate(
            """async () => {
              const { drawFace, drawPlayed, drawSign } = await import('/files/faces.js');
              const made = (...parts) => {
                const box = document.createElement('div');
                box.append(...parts.flat().filter(Boolean));
                return box.innerHTML;
              };
              const small = { title: 'J', corner: [{ letters: 'J' }, { glyph: 'heart' }], small: true };
              const pictured = { title: 'Fox', picture: '/art/1', corner: [{ letters: '6' }], text: 'Says.' };
              const evil = { title: '<img src=x onerror=alert(1)>', text: '<b>' };
              return {
                small: made(drawFace(small, true, true)), words: made(drawFace(small, true, false)),
                pictured: made(drawFace(pictured, true, false)), played: made(drawPlayed(evil)),
                evil: made(drawFace(evil, false, false)), nothing: drawSign(null),
                unknown: made([drawSign({ glyph: 'no such' })]),
              };
            }"""
        )
        assert "title" not in drawn["small"]
        assert drawn["small"].count("<path") == 2 and drawn["small"].count(">J</text>") == 1
        assert 'class="title"' in drawn["words"]
        assert drawn["pictured"].index("/art/1") < drawn["pictured"].index("Fox")
        assert "<img" not in drawn["evil"] + drawn["played"]
        assert "&lt;b&gt;" in drawn["evil"]
        assert drawn["nothing"] is None
        assert 'd=""' in drawn["unknown"]


def test_what_lies_alone_is_drawn_as_a_card_and_a_question_tells_what_others_did(tmp_path: Path, browser: Any) -> None:
    words = ("crazy_eights", "--seats", "Ana,bot:random", "--port", "0", "--seed", "7", "--pace", "0")
    with served(tmp_path / "s", *words) as server:
        (ana,) = sit_down(browser, server.seats, 1, viewport={"width": 360, "height": 740}, reduced_motion="reduce")
        page, causes = ana.page, list[str]()
        for _ in range(6):
            page.locator("#ask:not(.wait)").wait_for()
            top = page.locator(".laid .card")
            assert top.count() == 1 and top.get_attribute("data-face")
            causes += page.locator("#ask .cause").all_inner_texts()
            play_on([ana], 1)
        assert any("Bot 1 plays" in text for text in causes), causes
        # One's own move before that is no news.
        assert not any(text.startswith("You play") for text in causes), causes
