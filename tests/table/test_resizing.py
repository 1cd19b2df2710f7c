"""A window that becomes wider or narrower while somebody types: the page is drawn anew, and nothing typed is lost."""

from __future__ import annotations

import re
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from terminals import LEAVE, LOOKS, WIPE, Window, needs_tmux, window

pytestmark = needs_tmux
PROMPT = "Ana [1-2, ? help] >"


@pytest.fixture
def begun(tmp_path: Path, looks: list[str]) -> Iterator[Window]:
    words = ("play", "wallet", "--seats", "Ana,bot", "--seed", "3", *looks)
    with window(tmp_path, *words) as at:
        at.wait_for("? help] >")
        yield at


def settled(at: Window, is_so: Callable[[str], bool]) -> str:
    """The screen, once it is so, and stays so."""
    for _ in range(200):
        screen = at.screen
        if is_so(screen) and screen == at.screen:
            return screen
        time.sleep(0.05)
    raise AssertionError(f"it never became so:\n{screen}")


def last(screen: str) -> str:
    return (screen.rstrip().splitlines() or [""])[-1]


def fits(screen: str, columns: int) -> bool:
    """Whether a page has been drawn for so many columns: lines across it are as long as they may be."""
    rules = max((len(rule) for rule in re.findall("─+", screen)), default=0)
    return max(map(len, screen.splitlines())) < columns and rules >= min(columns - 1, 79) - 2


@LOOKS
def test_what_was_typed_stands_there_once_after_a_resize(begun: Window) -> None:
    at = begun
    prompt = re.search(r"^Ana \[.*\] >", last(at.screen))
    assert prompt is not None
    at.type("nonzense", enter=False)
    settled(at, lambda screen: screen.rstrip().endswith("nonzense"))
    for columns in (50, 100, 80):
        at.do("resize-window", "-x", str(columns), "-y", "30")
        screen = settled(at, lambda screen, columns=columns: fits(screen, columns) and "nonzense" in screen)
        assert screen.count("nonzense") == 1
        assert last(screen) == f"{prompt[0]} nonzense"
        assert screen.splitlines()[0].strip().startswith("Wallet · ")
    # What was typed can still be mended.
    at.do("send-keys", *["BSpace"] * 5)
    at.type("sense")
    assert "“nonsense” is none of the options" in at.wait_for("“nonsense”", "“nonzen")


@LOOKS
def test_a_page_to_read_is_drawn_anew_too(begun: Window) -> None:
    at = begun
    at.type("?")
    at.wait_for("q goes back ──", "goes back ──")
    at.do("resize-window", "-x", "44", "-y", "12")
    first = settled(at, lambda screen: screen.strip().startswith("Keys") and last(screen).endswith("──"))
    # It has become more pages than it was.
    at.type()
    settled(at, lambda screen: screen != first and screen.startswith(first.splitlines()[0]) and "──" in last(screen))
    at.type("q")
    at.wait_for("? help] >")


@LOOKS
def test_who_reads_may_ask_for_more(begun: Window) -> None:
    at = begun
    at.type("? rules")
    at.wait_for("q goes back ──", "goes back ──")
    at.type("? tie pin")
    # The rules, which stood there before, speak of tie pins, too.
    at.wait_for("piece of jewelry", "goes back ──")
    at.type("? nobody at all")
    assert "nothing called “nobody at all”" in at.wait_for("nothing called", "? help] >")


@LOOKS
def test_keys_that_edit_a_line(begun: Window) -> None:
    at = begun
    at.type("gone", enter=False)
    at.do("send-keys", "C-u")
    at.type("two words", enter=False)
    at.do("send-keys", "C-w", "Left", "Up")
    at.type("骰子x", enter=False)
    at.do("send-keys", "BSpace", "BSpace")
    at.type("!")
    assert "“two 骰!” is none of the options" in " ".join(at.wait_for("“two").split())
    at.type("q")
    at.wait_for("left 0")
    # The shell has its terminal back: what is typed is seen.
    at.type("echo", enter=False)
    settled(at, lambda screen: screen.rstrip().endswith("echo"))
    assert WIPE not in at.bytes.rpartition(LEAVE)[2]
