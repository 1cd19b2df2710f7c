"""How people are called to their turn: as they have chosen, twice at most, and never where their turn is a secret."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from browsers import needs_browser, served
from paper import no_bot
from shared_devices import QUIET, shipped, written

from rulebook.interpreter.program import Program
from rulebook.interpreter.random import Source
from rulebook.table.faces import Face
from rulebook.table.shared import SharedGame
from rulebook.table.sitting import Sitting

pytest.importorskip("starlette", reason="needs the extra `web`")
pytest.importorskip("segno", reason="needs the extra `web`")
from rulebook.web.table import Table

NAMES = ("Ana", "Ben", "Cleo", "Dan")
OPEN = """
starter chooses n from 1..2
starter.left chooses n from 1..2
starter chooses m from 1..2
"""
LISTEN = """
window.called = [];
window.AudioContext = class {
  constructor() { this.currentTime = 0; this.state = 'running'; }
  resume() {}
  createGain() { return { gain: {}, connect: (to) => to }; }
  createOscillator() {
    return { frequency: {}, connect: (to) => to, start: (at) => at === 0 && called.push('sound'), stop() {} };
  }
};
Object.defineProperty(navigator, 'vibrate', { value: () => called.push('shake') });
window.Notification = class { constructor(text) { called.push(text); } close() { called.push('closed'); } };
Notification.requestPermission = async () => 'granted';
localStorage.setItem('signals', '["sound","notice"]');
"""


def find_false_calls(program: Program, games: int) -> Iterator[tuple[bool, str]]:
    """Play at random; whether somebody who is asked would be called, and what is wrong with that."""
    faces = {id: Face(name, "", "", "", "") for id, name in program.definitions.items()}
    for seed in range(games):
        game = SharedGame(program, seed, NAMES[: program.players])
        pages: dict[int | None, dict[str, Any]] = {}

        def push(seat: int | None, message: dict[str, Any], batch: int | None, pages: Any = pages) -> None:
            if "page" in message:
                pages[seat] = message["page"]

        table = Table(Sitting(game, {}, no_bot), faces, push)
        table.begin()
        below = Source(seed, "signals").below
        for _ in range(30):
            if game.decision is None:
                break
            for seat, page in pages.items():
                if seat is not None and "ask" in page:
                    is_called, seen = "public" in page["ask"], pages[None]["waiting"]
                    is_wrong = is_called and game.names[seat] not in seen
                    yield is_called, f"{game.names[seat]} is called, and others see {seen}" if is_wrong else ""
            ask = game.decision.asks[below(len(game.decision.asks))]
            chosen = [ask.keys.index(key) for key in game.machine.random_answer(game.state, ask, below)]
            table.hear(ask.seat, {"answer": ask.number, "picked": len(ask.picked), "chosen": chosen})


@pytest.mark.slow
def test_nobody_is_called_whose_turn_is_a_secret(tmp_path: Path) -> None:
    quiet = [*find_false_calls(written(QUIET, tmp_path), 12)]
    assert {called for called, _ in quiet} == {True, False}
    assert not [wrong for _, wrong in quiet if wrong]
    assert not [wrong for _, wrong in find_false_calls(shipped("wallet"), 1) if wrong]


def test_a_call_that_tells_who_is_asked_is_found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Table, "_is_public", lambda self: True)
    assert any(wrong for _, wrong in find_false_calls(written(QUIET, tmp_path), 12))


@needs_browser
@pytest.mark.slow
@pytest.mark.parametrize(("play", "is_public"), [(QUIET, False), (OPEN, True)], ids=["secret", "open"])
def test_a_page_calls_once_and_once_again_and_never_to_a_secret(
    play: str, is_public: bool, tmp_path: Path, browser: Any
) -> None:
    written(play, tmp_path)
    words = (str(tmp_path), "--seats", "bot:random,Ana,bot:random", "--port", "0", "--pace", "0", "--seed", "4")
    with served(tmp_path / "tables.sqlite3", *words) as server:
        page = browser.new_page()
        page.add_init_script(LISTEN)
        page.clock.install()
        page.goto(server.links["Ana"])
        page.locator("#ask:not(.wait)").wait_for()
        assert page.title().startswith("▶ Your turn")
        assert page.evaluate("called") == ["sound"] * is_public
        page.clock.fast_forward(44000)
        assert page.evaluate("called") == ["sound"] * is_public
        page.clock.fast_forward(2000)
        assert page.evaluate("called") == ["sound"] * 2 * is_public
        page.clock.fast_forward(600000)
        assert page.evaluate("called") == ["sound"] * 2 * is_public


@pytest.mark.slow
@needs_browser
def test_ways_to_be_called_are_chosen_on_the_device(tmp_path: Path, browser: Any) -> None:
    words = ("kuhn_poker", "--seats", "Ana,bot", "--port", "0", "--pace", "0")
    with served(tmp_path / "s", *words, waits=True) as server:
        page = browser.new_page()
        page.add_init_script(LISTEN.replace('["sound","notice"]', "[]"))
        page.goto(server.links["Ana"])
        page.get_by_role("button", name="Turn alerts").click()
        page.get_by_label("Two quiet tones").check()
        assert page.evaluate("[called, localStorage.getItem('signals')]") == [["sound"], '["sound"]']
        page.get_by_label("A message").check()
        page.keyboard.press("Escape")
        called = page.evaluate(
            """async () => {
              const { makeSignals } = await import('/files/signals.js');
              const signals = makeSignals();
              called.length = 0;
              Object.defineProperty(document, 'hidden', { value: true, configurable: true });
              signals.tell('1', true, 'Your turn');
              signals.tell('1', true, 'Your turn');
              signals.tell('2', false, 'Your turn');
              const first = [...called];
              signals.tell('3', true, 'Your turn');
              Object.defineProperty(document, 'hidden', { value: false });
              document.dispatchEvent(new Event('visibilitychange'));
              return [first, called.slice(first.length)];
            }"""
        )
        assert called == [["sound", "Your turn", "closed"], ["sound", "Your turn", "closed"]]
