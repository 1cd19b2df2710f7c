"""Whatever is typed, at every place where anything can be typed, there is a sentence and never a traceback."""

from __future__ import annotations

import select
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import yaml
from paths import DATA
from terminals import LEAVE, NONSENSE, PROGRAM, environment

from rulebook.table import keyboard

PLACES: dict[str, dict[str, Any]] = yaml.safe_load((DATA / "prompts.yaml").read_text("utf-8"))
WAITING = r"(> $|Enter $|── $)"
RESIZES = """
import os, random, signal, time
parent = os.getppid()
while os.getppid() == parent:
    os.kill(parent, signal.SIGWINCH)
    time.sleep(random.uniform(0, 0.0001))
"""
"""A program that tells the one that started it that its window has changed, at any moment and again and again."""


@pytest.mark.slow
@pytest.mark.skipif(sys.platform == "win32", reason="SKIPPED: there are no pseudo-terminals here")
@pytest.mark.parametrize("end", ["end of input", "Ctrl-C"])
@pytest.mark.parametrize("place", PLACES)
def test_nothing_that_is_typed_breaks_it(place: str, end: str, tmp_path: Path) -> None:
    pexpect = pytest.importorskip("pexpect")
    found = PLACES[place]
    child = pexpect.spawn(
        sys.executable,
        ["-c", PROGRAM, *found["words"]],
        env={**environment(tmp_path), "TERM": "xterm"},
        dimensions=(24, 80),
        encoding="utf-8",
        codec_errors="replace",
        timeout=60,
        maxread=100_000,
    )
    child.delaybeforesend = None
    try:
        for expected, typed in found["way"]:
            child.expect(expected)
            child.expect(WAITING)
            child.sendline(typed)
        child.expect(found["at"])
        child.expect(WAITING)
        if end == "Ctrl-C":
            # One run is enough for what is typed; in the other input ends at the very place.
            for number, typed in enumerate(NONSENSE):
                child.setwinsize(*((8, 20), (60, 200), (24, 80))[number % 3])
                child.sendline(typed)
                child.expect(WAITING)
                assert "Traceback" not in child.before, child.before
            child.sendintr()
        else:
            child.sendeof()
        child.expect_exact(LEAVE)
        child.expect_exact("The game is saved.")
        assert "Traceback" not in child.read()
        child.wait()
        assert child.exitstatus == (130 if end == "Ctrl-C" else 0)
    finally:
        child.close(force=True)


@pytest.mark.skipif(sys.platform == "win32", reason="SKIPPED: there are no signals of windows here")
def test_a_resize_at_any_moment_is_no_error(monkeypatch: pytest.MonkeyPatch) -> None:
    """Python prints a traceback, and raises nothing, for a signal whose handler is taken away as it comes."""
    errors: list[object] = []
    monkeypatch.setattr(sys, "unraisablehook", lambda unraisable: errors.append(unraisable.exc_value))
    with keyboard._watch_window():
        pass  # a signal without a handler would do nothing
    with subprocess.Popen([sys.executable, "-c", RESIZES]) as resizing:
        try:
            for _ in range(20_000):
                with keyboard._watch_window():
                    pass
            with keyboard._watch_window() as changed:
                assert select.select([changed], [], [], 10)[0]
        finally:
            resizing.kill()
    assert errors == []


@pytest.mark.skipif(sys.platform == "win32", reason="SKIPPED: there are no signals of windows here")
@pytest.mark.parametrize("heard", ["SIGWINCH", "SIGCONT", "SIGWINCH of somebody else"])
def test_only_what_comes_while_a_prompt_waits_wakes_it(heard: str) -> None:
    number = getattr(signal, heard.split()[0])
    others: list[int] = []
    before = signal.getsignal(number)
    if "else" in heard:
        signal.signal(number, lambda number, _: others.append(number))
    try:
        with keyboard._watch_window():
            signal.raise_signal(number)
        signal.raise_signal(number)
        with keyboard._watch_window() as changed:
            assert not select.select([changed], [], [], 0)[0]
            signal.raise_signal(number)
            assert select.select([changed], [], [], 0)[0]
        assert others == ([number] * 3 if "else" in heard else [])
        assert signal.set_wakeup_fd(-1) == -1
    finally:
        if "else" in heard:
            signal.signal(number, before)
