"""The published games, played to their end at a real terminal by two people who read what stands there and answer.

Beside the terminal the same game is played from the save, answer by answer, so that it is known what each of them may
know. Nothing that the terminal ever held names a card that whoever had the device could not know.
"""

from __future__ import annotations

import json
import re
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from leaks import meanings
from shipped import load_game
from terminals import LEAVE, WIPE, Window, needs_tmux, window

from rulebook import library
from rulebook.interpreter import journal
from rulebook.interpreter.game import Game
from rulebook.interpreter.lower import lower

NAMES = ("Ana", "Ben")
PROMPT = re.compile(r"(Ana|Ben) \[([^\]]*), \? help\] > $")
SAYINGS = ("1", "2", "all", "1 2", "1 2 3", "3", "none")
"""What somebody types who wants to get on: where one thing is refused, the next."""


class Beside:
    """The same game without a terminal, as far as it has been saved."""

    def __init__(self, name: str, seed: int) -> None:
        rulebook = load_game(library.find_game(name))
        options = {id: option.default for id, option in rulebook.options.items()}
        self.game = Game(lower(rulebook, 2, options), seed, NAMES)

    def follow(self, home: Path) -> None:
        """Up to what has been answered by now."""
        for file in home.glob("rulebook/saves/*.jsonl"):
            for entry in journal.read_journal(file).entries[len(self.game.entries) :]:
                assert entry.seat != "chance"
                self.game.answer(entry.seat, entry.answer, entry.number)

    def unknown(self, page: str, seat: int) -> set[str]:
        """The cards that a page names and this person cannot know of."""
        program = self.game.program
        means = meanings(program)
        assert means.pattern is not None
        view = self.game.view(seat).to_json()
        # At the beginning everything comes out of the box, and everybody sees that; so it tells only on that page.
        if "from the box" not in flat(page):
            view["events"] = [event for event in view["events"] if event.get("from") != "box"]
        told = set(re.findall(r"[\w.]+", json.dumps(view)))
        named = {word for word in means.pattern.findall(flat(page)) if word in program.definitions.values()}
        return {word for word in named if not means.definitions[word] & told and word not in json.dumps(view)}


def flat(page: str) -> str:
    """Without the breaks of lines, and without boxes."""
    return " ".join(re.sub(r"\x1b\[[0-9;?]*[A-Za-z]|[─│╭╮╰╯]", "", page).split())


def pages(at: Window) -> Iterator[tuple[str, str]]:
    """Each page that waits for somebody, with what waits at its end: `ask`, `hand`, `read` or `left`."""
    while True:
        for _ in range(1000):
            page = at.screen.rstrip()
            last = page.splitlines()[-1] if page else ""
            if PROMPT.search(last + " "):
                yield "ask", page
            elif last.endswith("then press Enter") or "to hand on ──" in last:
                yield ("hand" if last.startswith("Hand") else "read"), page
            elif last.endswith("──"):
                yield "read", page
            elif last.startswith("left "):
                yield "left", page
                return
            else:
                time.sleep(0.03)
                continue
            break
        else:
            raise AssertionError(f"nothing that anybody can answer:\n{page}")


def type_and_wait(at: Window, text: str) -> None:
    """Type, until something came of it."""
    before = len(at.bytes)
    at.type(text)
    for _ in range(500):
        now = len(at.bytes)
        # What is typed is echoed: an answer of the program is longer.
        if now > before + len(text) + 6 and at.screen.strip():
            return
        time.sleep(0.02)
    raise AssertionError(f"nothing came of {text!r}:\n{at.screen}")


@pytest.mark.slow
@needs_tmux
@pytest.mark.parametrize(
    ("name", "seed", "looks"),
    [("wallet", 3, []), ("exposed", 1, ["--plain"]), ("wrong_party", 2, ["--plain"])],
    ids=["wallet in boxes", "exposed in plain text", "wrong_party in plain text"],
)
def test_two_people_play_to_the_end(name: str, seed: int, tmp_path: Path, looks: list[str]) -> None:
    beside, holder, tried, asked = Beside(name, seed), 0, 0, ""
    with window(tmp_path, "play", name, "--seats", ",".join(NAMES), "--seed", str(seed), *looks) as at:
        for waits, page in pages(at):
            if waits == "left":
                break
            beside.follow(tmp_path)
            sent = at.bytes.rpartition(WIPE)[2]
            if waits == "hand":
                assert meanings(beside.game.program).pattern.findall(flat(sent)) == [], page
                holder = NAMES.index(re.findall(r"Hand the device to (\w+)", page)[-1])
                type_and_wait(at, "")
                continue
            found = PROMPT.search(page.splitlines()[-1] + " ")
            if found:
                assert NAMES[holder] == found[1], page
            assert beside.unknown(sent, holder) == set(), page
            if not found:
                type_and_wait(at, "")
                continue
            question = f"{len(beside.game.entries)} {found[1]}"
            tried, asked = (tried + 1 if question == asked else 0), question
            # Who always says the same plays for ever.
            first = str(1 + len(beside.game.entries) * 7 % 3)
            sayings = (first, re.split(r"[ -]", found[2])[0], *SAYINGS)
            assert tried < len(sayings), page
            type_and_wait(at, sayings[tried])
        assert page.endswith("left 0"), page
        assert re.search(r"wins\.|share the victory|Nobody wins", page)
        after = at.bytes.rpartition(LEAVE)[2]
        assert meanings(beside.game.program).pattern.findall(flat(after)) == []
        assert "You (" not in at.kept
        assert "Traceback" not in at.bytes


def test_what_one_may_not_know_is_found() -> None:
    """Else the test above could pass by finding nothing."""
    beside = Beside("wallet", 3)
    facts: dict[str, Any] = beside.game.view(1).facts
    names = [beside.game.program.definitions[one] for one in facts["places"]["Ben.specials"]["cards"]]
    assert beside.unknown(", ".join(names), 1) == set()
    assert beside.unknown(", ".join(names), 0) == set(names)
