"""Games in a browser: a server of their own, and people who touch what may be touched."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from random import Random
from typing import Any

import pytest
from attrs import define, field
from paths import ROOT

try:
    import playwright.sync_api as playwright
except ImportError:
    playwright = None

__all__ = [
    "CHROMIUM", "ROOT", "Person", "Server", "Stuck", "needs_browser", "play_on", "playwright", "served", "sit_down",
    "start",
]  # fmt: skip

CHROMIUM = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
_WHY = "there is no Chromium or no playwright here: install the extra `browser`, and on Debian chromium"
needs_browser = pytest.mark.needs(playwright is not None and CHROMIUM is not None, _WHY)
"""The mark of tests that open pages."""
_WHAT_MAY_BE_TOUCHED = """() => {
  const key = (made) => made.dataset.k ?? made.querySelector('.name')?.dataset.k;
  const keys = (found) => [...document.querySelectorAll(found)].map(key).filter(Boolean);
  const dock = document.getElementById('ask');
  document.dispatchEvent(new PointerEvent('pointerdown'));  // who is used to it touches on while cards move
  return {
    title: document.title, dock: dock.innerText, asked: !dock.classList.contains('wait'),
    may: keys('.may:not([aria-pressed="true"]):not(.chosen)'),
    chosen: keys('.may[aria-pressed="true"], .may.chosen, .menu .chosen'),
    menu: keys('#ask .menu .btn:not([aria-disabled]):not(.chosen)'),
    sends: keys('#ask .main:not([aria-disabled]), #ask [data-k="send"]:not([aria-disabled])'),
    pass: keys('#ask [data-k="pass"]'), order: !!dock.querySelector('.order'), over: document.title.includes('Over · '),
  };
}"""


class Stuck(Exception):
    """Somebody is asked and can touch nothing, or nobody is asked."""


@define
class Server:
    """A server that was started with `rulebook serve`, and the links that it printed, by whose they are."""

    process: subprocess.Popen[str]
    links: dict[str, str]

    @property
    def seats(self) -> dict[str, str]:
        return {name: link for name, link in self.links.items() if "/seat#" in link}


@contextmanager
def served(
    store: Path, *words: str, files: int = 0, errors: int | None = None, waits: bool = False, first: str = ""
) -> Iterator[Server]:
    """Start a server, and end it afterwards. The game begins at once, unless it waits for somebody to begin it."""
    server = start(store, *words, *([] if waits else ["--no-wait"]), files=files, errors=errors, first=first)
    try:
        yield server
    finally:
        server.process.kill()
        server.process.wait()


def start(store: Path, *words: str, files: int = 0, errors: int | None = None, first: str = "") -> Server:
    """Start a server that may have so many files open (0: as many as we), and tells what goes wrong to `errors`. It
    runs lines of Python `first`.
    """
    limit = f"import resource; resource.setrlimit(resource.RLIMIT_NOFILE, ({files}, {files})); " if files else ""
    program = f"{first}\n{limit}from rulebook.cli import main; main()"
    command = [sys.executable, "-c", program, "serve", *words, "--store", str(store)]
    paths = os.pathsep.join([str(ROOT), os.environ.get("PYTHONPATH", "")])
    environment = {**os.environ, "PYTHONPATH": paths}
    process = subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=errors, text=True, env=environment, encoding="utf-8"
    )
    links = {}
    assert process.stdout is not None
    for line in process.stdout:
        if found := re.search(r"  (\S.*?)  +(https?://\S+#\S+)", line):
            links[found[1]] = found[2]
        elif line.startswith("Ctrl-C"):
            return Server(process, links)
    raise AssertionError(f"the server ended with {process.wait()}")


@define
class Person:
    """Somebody at a page, who touches at random what may be touched."""

    name: str
    page: Any
    random: Random
    troubles: list[str] = field(factory=list)
    touches: int = 0

    def look(self) -> dict[str, Any]:
        found = self.page.evaluate(_WHAT_MAY_BE_TOUCHED)
        assert isinstance(found, dict)
        return found

    def act(self) -> bool:
        """Touch one thing, if anything is wanted. Raises Stuck."""
        seen = self.look()
        if not seen["asked"] or seen["over"]:
            return False
        key = self._choose(seen)
        try:
            self.page.locator(f'[data-k="{key}"]').click(timeout=2000)
        except Exception as missed:
            if "Timeout" not in type(missed).__name__:
                raise
            # The page has changed since it was looked at, or something lies above it.
            if self.look() == seen:
                raise Stuck(f"{self.name} cannot touch {key}: {seen['dock']!r}: {missed}") from None
        self.touches += 1
        return True

    def _choose(self, seen: dict[str, Any]) -> str:
        """Choose what to touch: what was chosen is sent as soon as it can be."""
        sends = [key for key in seen["sends"] if key != "agree"] or seen["sends"]
        is_ready = seen["chosen"] or seen["order"] or not (seen["may"] or seen["menu"] or seen["pass"])
        if sends and is_ready:
            return str(sends[0])
        wanted = [*seen["may"], *seen["menu"]] or seen["chosen"]
        if seen["pass"] and (not wanted or self.random.random() < 0.25):
            return "pass"
        if seen["chosen"] and self.random.random() < 0.1:
            wanted = seen["chosen"]
        if not wanted:
            raise Stuck(f"{self.name} is asked and can touch nothing: {seen['dock']!r}")
        return str(self.random.choice(wanted))


def sit_down(browser: Any, links: dict[str, str], seed: int, **context: Any) -> list[Person]:
    """Open each link in a context of its own, as on a device of its own."""
    persons = []
    for number, (name, link) in enumerate(links.items()):
        page = browser.new_context(**context).new_page()
        person = Person(name, page, Random(f"{seed} {number}"))
        page.on("pageerror", lambda error, to=person.troubles: to.append(str(error)))
        page.on("console", lambda said, to=person.troubles: said.type == "error" and to.append(said.text))
        page.goto(link)
        page.wait_for_selector("#game:not(:empty)")
        persons.append(person)
    return persons


def play_on(persons: Sequence[Person], touches: int = 100_000, patience: float = 20) -> bool:
    """Touch until the game is over (yes), or so often in all. Raises Stuck."""
    last, count = time.monotonic(), 0
    while count < touches:
        acted = sum(person.act() for person in persons)
        count += acted
        if acted:
            last = time.monotonic()
        elif all(person.look()["over"] for person in persons):
            return True
        elif time.monotonic() - last > patience:
            raise Stuck(" / ".join(f"{person.name}: {person.look()['dock']!r}" for person in persons))
        else:
            persons[0].page.wait_for_timeout(50)
    return False
