"""Several persons at one terminal: nothing that one of them has seen is ever left for another one to read."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from terminals import ENTER, LEAVE, LOOKS, PROGRAM, Window, needs_tmux, window

from rulebook.interpreter.game import Game
from rulebook.interpreter.lower import lower
from rulebook.loading import load

NAMES = ("Ana", "Ben", "Cleo")
LETTERS = ", ".join(f"secret_{n}: {{kind: letter, name: Planted{n}q}}" for n in range(12))
RULES = f"""
format: 1
name: Envelopes
players: 3..3
kinds: {{letter: {{}}}}
cards: {{{LETTERS}}}
places:
  table: {{heap: {{holds: letter, kept: pile, seen_by: nobody}}}}
  player: {{envelope: {{holds: letter, kept: loose, seen_by: owner}}}}
rules:
  game: |
    move cards to heap
    shuffle heap
    deal 3 from heap to each envelope
    repeat 2:
      each p in players chooses kept from p.envelope "Which letter do you hide?"
      each p in players:
        move kept[p] to heap bottom
        p chooses n from 1..3 "How many do you claim to hold?"
        say "{{p}} claims to hold {{n}}."
"""
# A bug of ours, in the middle of a page, with a secret in its message.
CRASH = """
from rulebook.table import answers
made, pages = answers.make_menu, []
def broken(*given):
    pages.append(given)
    if len(pages) == 3:
        raise KeyError(given[1].options[0].label)
    return made(*given)
answers.make_menu = broken
"""


@pytest.fixture
def envelopes(tmp_path: Path) -> Path:
    folder = tmp_path / "envelopes"
    folder.mkdir()
    (folder / "rulebook.yaml").write_text(RULES, "utf-8")
    return folder


def holds(folder: Path, seed: int) -> dict[str, set[str]]:
    """The planted names of the letters that each of them holds at the beginning."""
    loaded = load(folder)
    rulebook, problems = loaded.rulebook, loaded.messages
    assert rulebook is not None, problems
    game = Game(lower(rulebook, 3), seed, NAMES)
    names = game.program.definitions
    facts = [game.view(seat).facts for seat in range(3)]
    return {
        name: {names[one] for one in facts[seat]["places"][f"{name}.envelope"]["cards"]}
        for seat, name in enumerate(NAMES)
    }


def planted(text: str) -> set[str]:
    return set(re.findall(r"Planted\d+q", text))


def hand(at: Window, name: str, secrets: dict[str, set[str]]) -> None:
    """The neutral page for somebody, on which and behind which there is nothing to read; then it is taken."""
    page = at.wait_for(f"Hand the device to {name}", f"{name} [")
    if f"{name} [" in page:
        return  # who acts again keeps the device
    assert planted(at.kept) == set()
    assert planted(at.page_with(f"Hand the device to {name}")) == set()
    at.type()
    page = at.wait_for(f"{name} [")
    assert planted(page) <= secrets[name]
    # Nothing of it had been sent before Enter was pressed.
    assert planted(at.bytes.rpartition(f"Hand the device to {name}")[2]) <= secrets[name]


@pytest.mark.slow
@needs_tmux
@LOOKS
def test_a_whole_game_leaves_nothing_of_anybody(envelopes: Path, tmp_path: Path, looks: list[str]) -> None:
    secrets = holds(envelopes, 5)
    with window(tmp_path, "play", str(envelopes), "--seats", ",".join(NAMES), "--seed", "5", *looks) as at:
        for first, *others in (NAMES, ("Cleo", "Ana", "Ben")):
            # Who has the device answers first, where all choose at once.
            for name in (first, *others):
                hand(at, name, secrets)
                at.type("?")
                assert planted(at.wait_for("goes back ──")) <= secrets[name]
                at.type()
                at.wait_for(f"{name} [")
                at.type("l")
                assert planted(at.wait_for("goes back ──")) <= secrets[name]
                at.type("q")
                at.wait_for(f"{name} [")
                at.type("1")
            for name in NAMES:
                hand(at, name, secrets)
                at.type("2")
        at.wait_for("left 0")
        # They have been on the screen, or this says nothing.
        assert ("╭" in at.bytes) == (not looks)
        assert {name for name in NAMES if secrets[name] <= planted(at.bytes)} == set(NAMES)
        assert planted(at.kept) == set()
        assert planted(at.bytes.rpartition(LEAVE)[2]) == set()
        assert planted(at.bytes.partition(ENTER)[0]) == set()


@pytest.mark.slow
@needs_tmux
@LOOKS
@pytest.mark.parametrize(
    ("keys", "program", "code"),
    [("q", PROGRAM, 0), ("C-d", PROGRAM, 0), ("C-c", PROGRAM, 130), ("1", CRASH + PROGRAM, 3)],
    ids=["quit", "end of input", "Ctrl-C", "crash"],
)
def test_however_it_ends_nothing_stays(
    envelopes: Path, tmp_path: Path, keys: str, program: str, code: int, looks: list[str]
) -> None:
    secrets = holds(envelopes, 5)
    words = ("play", str(envelopes), "--seats", ",".join(NAMES), "--seed", "5", *looks)
    with window(tmp_path, *words, program=program) as at:
        hand(at, "Ana", secrets)
        at.type("1")
        hand(at, "Ben", secrets)
        assert planted(at.screen)
        at.do("send-keys", keys)
        at.type()
        if code == 3:
            at.wait_for("Hand the device to Cleo")
            at.type()
        at.wait_for(f"left {code}")
        assert "The game is saved" in at.screen
        assert planted(at.kept) == set()
        assert planted(at.bytes.rpartition(LEAVE)[2]) == set()
        assert "Traceback" not in at.kept
