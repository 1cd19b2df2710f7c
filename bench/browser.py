"""Are whole games played in a browser by touches alone?

    python bench/browser.py [GAME …] [--seed 1] [--pictures FOLDER]

In: which games. Out: for each, how many touches two people needed who sat in two browsers, each with its own cookies,
beside bots, and what their browsers complained of; with `--pictures`, what the first of them saw at three widths, light
and dark, in the middle and at the end. Exit code 1 if a game is not played to its end, or a browser complains. It needs
Chromium and the extra `browser`.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "tests" / "helpers"))

from browsers import CHROMIUM, Stuck, play_on, served, sit_down

GAMES = ["wallet", "exposed", "wrong_party", "hearts", "cheat"]
_SIZES = [(360, 740), (768, 1024), (1280, 800)]
_MIDDLE = 40  # touches before the first pictures


def main() -> int:
    """Play, and count."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("games", nargs="*", default=GAMES)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--bots", type=int, default=2)
    parser.add_argument("--pictures", type=Path)
    asked = parser.parse_args()
    from playwright.sync_api import sync_playwright  # `--help` needs none

    is_sound = True
    with sync_playwright() as playwright, tempfile.TemporaryDirectory() as folder:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox", "--disable-gpu"])
        for game in asked.games:
            began = time.monotonic()
            store, seats = Path(folder, f"{game}.sqlite3"), ",".join(["Ana", "Ben", *["bot:random"] * asked.bots])
            with served(
                store, game, "--seats", seats, "--port", "0", "--seed", str(asked.seed), "--pace", "0"
            ) as server:
                persons = sit_down(browser, server.seats, asked.seed, viewport={"width": 360, "height": 740})
                try:
                    is_over = play_on(persons, _MIDDLE)
                    _picture(asked.pictures, f"{game}-middle", persons[0].page)
                    is_over = is_over or play_on(persons)
                    _picture(asked.pictures, f"{game}-end", persons[0].page)
                    said = "played to its end" if is_over else "NOT PLAYED TO ITS END"
                except Stuck as stuck:
                    is_over, said = False, f"STUCK: {stuck}"
                    _picture(asked.pictures, f"{game}-stuck", persons[0].page)
                troubles = [trouble for person in persons for trouble in person.troubles]
                touches = " and ".join(str(person.touches) for person in persons)
                print(
                    f"{game}: {said}, {touches} touches in {time.monotonic() - began:.0f} s",
                    *troubles,
                    sep="\n  ",
                    flush=True,
                )
                is_sound &= is_over and not troubles
                for person in persons:
                    person.page.context.close()
    return 0 if is_sound else 1


def _picture(folder: Path | None, name: str, page: Any) -> None:
    if folder is None:
        return
    folder.mkdir(parents=True, exist_ok=True)
    for width, height in _SIZES:
        for theme in ("light", "dark"):
            page.set_viewport_size({"width": width, "height": height})
            page.emulate_media(color_scheme=theme)
            page.wait_for_timeout(200)
            page.screenshot(path=folder / f"{name}-{width}-{theme}.png")
    page.set_viewport_size({"width": 360, "height": 740})


if __name__ == "__main__":
    sys.exit(main())
