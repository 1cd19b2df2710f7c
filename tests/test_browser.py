"""A whole game in a browser: two people on two devices, by touches alone (`bench/browser.py` plays more of them)."""

from __future__ import annotations

from pathlib import Path

import pytest
from browsers import CHROMIUM, play_on, served, sit_down

playwright = pytest.importorskip("playwright.sync_api", reason="needs the extra `browser`")
for needed in ("starlette", "uvicorn", "websockets", "segno"):
    pytest.importorskip(needed, reason="needs the extra `web`")
pytestmark = pytest.mark.skipif(CHROMIUM is None, reason="there is no Chromium here")

NO_NETWORK = ("--disable-background-networking", "--disable-component-update", "--disable-sync", "--disable-quic")


def test_a_whole_game_is_played_by_touches(tmp_path: Path) -> None:
    words = ("wrong_party", "--seats", "Ana,Ben,bot:random", "--port", "0", "--seed", "1", "--pace", "0")
    with playwright.sync_playwright() as driver, served(tmp_path / "tables.sqlite3", *words) as server:
        browser = driver.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox", "--disable-gpu", *NO_NETWORK])
        phone = {"viewport": {"width": 360, "height": 740}, "reduced_motion": "reduce"}
        persons = sit_down(browser, server.seats, 1, **phone)
        assert play_on(persons)
        # The end of the last round stands there until it has been read.
        for person in persons:
            person.page.get_by_role("button", name="Go on").click()
            assert person.page.locator(".standings li").count() == 3
        assert [trouble for person in persons for trouble in person.troubles] == []
