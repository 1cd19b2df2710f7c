"""The playground in a browser: built once, then served as files, with no network but that."""

from __future__ import annotations

import importlib.util
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from browsers import CHROMIUM
from paths import ROOT

try:
    import playwright.sync_api as playwright
except ImportError:
    playwright = None
pytestmark = [
    pytest.mark.slow,
    pytest.mark.needs(playwright is not None, "there is no playwright here: install the extra `browser`"),
    pytest.mark.needs(CHROMIUM is not None, "there is no Chromium here: on Debian, apt-get install chromium"),
    pytest.mark.needs(shutil.which("npm") is not None, "there is no npm here: on Debian, apt-get install npm"),
    pytest.mark.needs(
        importlib.util.find_spec("ziglang") is not None, "there is no zig here: install the extra `targets`"
    ),
]
LONG = 180_000  # milliseconds, for Python to come up on a busy machine


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of a server of files that has the playground."""
    folder = tmp_path_factory.mktemp("playground") / "out"
    built = subprocess.run(
        [sys.executable, ROOT / "playground" / "build.py", folder],
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        check=False,
    )
    assert built.returncode == 0, built.stdout
    serve = "import functools, http.server as h; s = h.ThreadingHTTPServer(('127.0.0.1', 0), functools.partial("
    serve += "h.SimpleHTTPRequestHandler, directory=__import__('sys').argv[1])); print(s.server_port, flush=True); "
    with subprocess.Popen(
        [sys.executable, "-c", f"{serve}s.serve_forever()", folder],
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
    ) as server:
        assert server.stdout is not None
        yield f"http://127.0.0.1:{int(server.stdout.readline())}/"
        server.kill()


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    """A browser that finds nothing but this machine."""
    with playwright.sync_playwright() as driver:
        offline = ["--no-sandbox", "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1"]
        yield driver.chromium.launch(executable_path=CHROMIUM, args=offline)


def sit_down(browser: Any, address: str) -> tuple[Any, list[str]]:
    """Open the page and wait until it has checked something; with all that it complains of."""
    page, complaints = browser.new_page(), list[str]()
    page.on("pageerror", lambda error: complaints.append(str(error)))
    page.on("console", lambda message: complaints.append(message.text) if message.type == "error" else None)
    page.goto(address)
    says(page, "no problems")
    return page, complaints


def says(page: Any, words: str) -> None:
    playwright.expect(page.locator("#state")).to_contain_text(words, timeout=LONG)


def test_a_slip_is_told_under_the_word_and_a_change_is_played(browser: Any, address: str) -> None:
    page, complaints = sit_down(browser, address)
    line = page.locator(".cm-line", has_text="name: Tic-tac-toe")
    line.click()
    page.keyboard.press("End")
    page.keyboard.type(" of three")
    says(page, "Tic-tac-toe of three: no problems")
    page.locator(".cm-line", has_text="players: 2..2").click()
    page.keyboard.press("End")
    page.keyboard.type("x")
    says(page, "1 mistake")
    assert page.locator(".cm-lintRange-error").inner_text() == "2..2x"
    message = page.locator(".message")
    assert "rulebook.yaml, line 4" in message.inner_text()
    assert page.locator("#deal").is_disabled()
    told, wide = page.locator(".told"), page.viewport_size
    assert told.is_hidden()  # the list stands beside the rules
    page.set_viewport_size({"width": 360, "height": 740})
    word, below = page.locator(".cm-lintRange-error").bounding_box(), told.bounding_box()
    assert 0 <= below["y"] - (word["y"] + word["height"]) < word["height"]
    assert "a range like 2..7" in told.inner_text()
    page.set_viewport_size(wide)
    page.keyboard.press("Backspace")
    says(page, "no problems")
    page.click("#test")
    playwright.expect(page.locator("#tested")).to_contain_text("0 failed", timeout=LONG)

    page.click("[data-view=play]")
    page.click("#deal")
    for _ in range(5):
        page.locator("#options button, h2:has-text('The game is over')").first.wait_for(timeout=LONG)
        if page.locator("#options").count() == 0:
            break
        page.locator("#options button").first.click()
        says(page, "seconds")
    assert "of three" in page.locator("#table h2").first.inner_text()
    playwright.expect(page.locator("#table")).to_contain_text("The game is over", timeout=LONG)
    page.click("#undo")
    playwright.expect(page.locator("#options")).to_be_visible(timeout=LONG)

    page.click("[data-view=many]")
    page.click("#simulate")
    playwright.expect(page.locator("#said")).to_contain_text("100 games", timeout=LONG)
    # With the core it is quick, and nothing is said of its want.
    assert "without its core" not in page.locator("#said").inner_text()
    assert complaints == []

    again, complaints = sit_down(browser, page.url)  # the link holds the rules
    assert "Tic-tac-toe of three: no problems." in again.locator("#state").inner_text()
    assert complaints == []


def test_a_link_that_holds_no_game_is_said_to_hold_none(browser: Any, address: str) -> None:
    page = browser.new_page()
    page.goto(f"{address}#bm9uc2Vuc2U")
    says(page, "no problems")
    assert "name: Tic-tac-toe" in page.locator(".cm-content").inner_text()


def test_the_folder_of_something_else_is_left_alone(tmp_path: Path) -> None:
    (tmp_path / "diary.txt").write_text("mine", "utf-8")
    done = subprocess.run([sys.executable, ROOT / "playground" / "build.py", tmp_path], capture_output=True, text=True)
    assert done.returncode == 1
    assert "holds something else" in done.stderr
    assert (tmp_path / "diary.txt").exists()
