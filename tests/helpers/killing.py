"""A person at a terminal whose computer stops at any moment: what was answered is there afterwards.

In: how often, and a seed for the moments. Out: what was lost, if anything was. An answer counts from the moment at
which the next question is on the screen. Never: lets a process live that it has started.
"""

from __future__ import annotations

import os
import random
import re
import signal
import sys
import time
from pathlib import Path
from typing import Any

from rulebook.interpreter import journal
from rulebook.interpreter.journal import Entry

PROGRAM = "from rulebook.cli import main; main(prog_name='rulebook')"
_QUESTION = r"Ana \[.*\] > "
_OVER = r"── Enter leaves"  # the page after the last answer
_READ = r"── Enter (goes on|shows more)"  # what happened, on a page of its own
_LONGEST = 0.4  # seconds until the computer stops, at most, counted from the first question


class Sitting:
    """One game that goes on however often it is killed."""

    def __init__(self, folder: Path, seed: int) -> None:
        self.folder, self.chance = folder, random.Random(seed)
        self.answers = self.undone = self.torn = self.games = 0
        self.save: Path | None = None
        self._known: tuple[Entry, ...] = ()

    def kill(self) -> list[str]:
        """Play for a moment, stop the process there, and say what was lost."""
        import pexpect

        words = ["play", "wallet", "--seats", "Ana,bot", "--seed", str(self.chance.randrange(1000))]
        if self.save is not None:
            words = ["play", "--resume", str(self.save)]
        environ = {**os.environ, "TERM": "dumb", "XDG_DATA_HOME": str(self.folder), "LC_ALL": "C.UTF-8"}
        environ["PYTHONPATH"] = os.pathsep.join(map(os.path.abspath, sys.path))
        child = pexpect.spawn(
            sys.executable, ["-c", PROGRAM, *words], env=environ, dimensions=(99, 80), encoding="utf-8", timeout=20
        )
        child.delaybeforesend = None
        try:
            could_be = self._play(child)
        finally:
            child.kill(signal.SIGKILL)
            child.close(force=True)
        self.save = next((self.folder / "rulebook/saves").glob("*.jsonl"))
        return self._lost(could_be)

    def _play(self, child: Any) -> set[int]:
        """How many answers of hers may be in the save when everything stops; none if the game was over."""
        while (found := child.expect([_QUESTION, _OVER, _READ])) == 2:
            child.sendline("")
        if found == 1:
            return set()  # it stopped behind her last answer, before the game was over
        own = sum(entry.seat == 0 for entry in self._known)
        until = time.monotonic() + self.chance.uniform(0, _LONGEST)
        while True:
            typed = self.chance.choice(("1", "1", "1", "2", "u"))
            child.sendline(typed)
            if time.monotonic() >= until:
                # In the middle of whatever it does now.
                time.sleep(self.chance.choice((0, 0.001, 0.003, 0.01)))
                return {own, own - 1 if typed == "u" else own + 1}
            while (found := child.expect([_QUESTION, _OVER, _READ])) == 2:
                child.sendline("")
            if found == 1:
                return set()
            said = re.search(r"^! (.*)$", child.before, re.MULTILINE)
            if said is None:
                own, self.answers = own + 1, self.answers + 1
            elif said[1].startswith("Taken back."):
                own, self.undone = own - 1, self.undone + 1

    def _lost(self, could_be: set[int]) -> list[str]:
        assert self.save is not None
        found = journal.read_journal(self.save)
        self.torn += bool(found.notice)
        there = sum(entry.seat == 0 for entry in found.entries)
        lost = []
        if could_be and there not in could_be:
            lost = [f"{there} answers of Ana are in the save, and she knows of {sorted(could_be)}"]
        if not could_be and not found.over:
            lost = ["The game was over, and the save does not say so."]
        if found.over:
            # Another game: this one has nothing more to lose.
            self.games += 1
            self.save.unlink()
            self.save, found = None, journal.Journal(found.header, ())
        self._known = found.entries
        return lost
