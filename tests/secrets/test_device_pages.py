"""What a shared device shows a person, page after page, and how often it is handed over, tells nothing about others."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from random import Random

import pytest
from device_pages import Typing, draw_play, page_complaints
from shared_devices import CASES, NAMES, TOP, program, shipped, written

from rulebook.interpreter.lowering import reasons
from rulebook.interpreter.program import Program
from rulebook.table import terminal
from rulebook.table.shared import SharedGame
from rulebook.table.sitting import Bot, DeviceSitting, lend

LEAKED = {
    "an empty page shows what came after others had nothing to choose": CASES[
        "a veiled question to all at once, when one of them has the device"
    ]["play"],
    "so does the page before handing on": """
starter chooses n from 1..2
draw 1 from deck to starter.hand
each p in players where it is not starter chooses given from p.hand where it is not blank "Which badge?"
draw 1 from deck to starter.hand
starter.left chooses n from 1..2
""",
    "the empty page shows the stage that came after": """
starter chooses n from 1..2
each p in players chooses given from p.hand where it is not blank "Which badge?"
stage later "Later":
  starter.left chooses n from 1..2
""",
    "who else was told the same": """
starter chooses n from 1..2
say "Be ready." to (players where it is starter or any(it.hand where it is not blank))
starter.left chooses n from 1..2
""",
}
"""Plays in which a page, or how often the device was handed on, once told what somebody held."""


@pytest.mark.slow
@pytest.mark.parametrize("play", LEAKED.values(), ids=LEAKED)
def test_a_page_that_told_something(play: str, tmp_path: Path) -> None:
    rules = written(play, tmp_path)
    assert [one for seed in (0, 1, 4) for one in page_complaints(rules, 1, seed, most=2)] == []


VERDICTS = """
values:
  fair(p):
    one badge at most: count(p.hand where it is badge) <= 1
    a high rank: p.rank > 5 and count(p.hand where it is star) <= 1
"""
JUDGED = """
repeat 3 as n:
  stage day "Day {n}":
    stage morning "Morning":
      each p in players chooses given from p.hand "Which do you pass on?"
      each p in players:
        move given[p] to p.left.hand
    each p in players:
      if p is starter:
        reveal p.hand
      set p.judged = fair(p) publicly
    draw 1 from deck to starter.hand
"""


def judged(folder: Path) -> Program:
    """A game with a page at the end of each round, which says what is compared in hands that not everybody saw."""
    memory = "judged: {type: yes_no, lasts: day}, hides"
    return written(JUDGED, folder, TOP.replace("hides", memory) + VERDICTS)


@pytest.mark.slow
def test_the_page_of_a_round_tells_nothing_of_hands_that_stay_hidden(tmp_path: Path) -> None:
    rules, tried = judged(tmp_path), Counter[str]()
    assert [one for seed in range(2) for one in page_complaints(rules, 1, seed, most=4, tried=tried)] == []
    assert tried["pages"] > 100 and tried["twins"] > tried["states"]


@pytest.mark.slow
def test_a_value_that_somebody_may_not_know_is_found_on_the_page_of_a_round(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    true = reasons._About.look_up
    monkeypatch.setattr(reasons._About, "look_up", lambda self, expr: (true(self, expr)[0], True))
    rules = judged(tmp_path)
    found = (one for seed in range(2) for one in page_complaints(rules, 1, seed, most=4))
    assert any(" is over" in one and "not met" in one for one in found)


def count_stops(game: SharedGame) -> int:
    """Play a game in which bots stand in for everybody; how often the device waits for a key."""
    waited: list[str] = []

    def stand_in(seat: int) -> Bot:
        return lambda ask: game.answer(seat, [ask.keys[0]])

    def lend_all() -> None:
        for seat in range(3):
            lend(sitting, seat)

    def wait(prompt: str) -> str:
        waited.append(prompt)
        return ""

    sitting = DeviceSitting(game, {}, stand_in, Typing(lend_all, wait), {}, Path)
    assert terminal.play_sitting(sitting)
    return len(waited)


def test_bots_for_everybody_stop_as_often_whoever_has_a_choice(tmp_path: Path) -> None:
    sealed = 'repeat 3:\n  each p in players chooses given from p.hand where it is not blank "Which?"\n'
    rules = written(f"{sealed}starter chooses n from 1..2\n", tmp_path)
    assert {count_stops(SharedGame(rules, seed, NAMES)) for seed in range(12)} == {4}


@pytest.mark.parametrize("title", CASES)
def test_a_small_game_shows_everybody_the_same_pages(title: str, tmp_path: Path) -> None:
    assert list(page_complaints(program(title, tmp_path), 1, most=6)) == []


@pytest.mark.slow
def test_drawn_games_show_everybody_the_same_pages(tmp_path: Path) -> None:
    tried = Counter[str]()
    for seed in range(6):
        rules = written(draw_play(Random(seed)), tmp_path)
        assert list(page_complaints(rules, 1, seed, most=6, tried=tried)) == []
    assert tried["pages"] > 100 and tried["twins"] > tried["states"]


def test_a_bundled_game_shows_everybody_the_same_pages() -> None:
    assert list(page_complaints(shipped("kuhn_poker"), 2, most=6)) == []
