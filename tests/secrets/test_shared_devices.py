"""People who share one device: that the way it goes tells nobody who could choose something and who could not."""

from __future__ import annotations

from functools import partial
from pathlib import Path

import pytest
from paper import Paper, no_bot
from shared_devices import CASES, NAMES, program

from rulebook.interpreter.decisions import Ask
from rulebook.table import terminal
from rulebook.table.shared import SharedGame
from rulebook.table.sitting import Bot, DeviceSitting


class Handed(Paper):
    """A screen at which everybody answers with the first option; it notes to whom the device went."""

    def __init__(self) -> None:
        super().__init__(80, 24)
        self.way: list[str] = []
        self.asked: list[str] = []

    def read_line(self, prompt: str) -> str | None:
        if prompt.startswith("Hand the device to "):
            self.way.append(prompt.removeprefix("Hand the device to ").partition(",")[0])
        elif " > " in prompt:
            self.asked.append(prompt.partition(" ")[0])
            return "1"
        return ""


def answer_first(game: SharedGame, ask: Ask) -> None:
    game.answer(ask.seat, [ask.keys[0]])


@pytest.mark.parametrize("title", CASES)
def test_the_way_of_the_device_is_the_same_whatever_anybody_holds(title: str, tmp_path: Path) -> None:
    rules, ways, asked = program(title, tmp_path), set(), set()
    for seed in range(30):
        screen = Handed()
        assert terminal.play_sitting(DeviceSitting(SharedGame(rules, seed, NAMES), {}, no_bot, screen, {}, Path))
        ways.add(tuple(screen.way))
        asked.add(tuple(screen.asked))
    expected = CASES[title].get("ways") or [CASES[title]["way"]]
    assert ways == {tuple(way) for way in expected}
    # Else nothing was hidden.
    assert len(asked) > 1 or "without" in title


def test_who_shares_it_with_bots_is_gone_round_without_them(tmp_path: Path) -> None:
    rules = program("a quiet question in a round of all", tmp_path)
    ways = set()
    for seed in range(20):
        screen, game = Handed(), SharedGame(rules, seed, NAMES)
        bots: dict[int, Bot] = {1: partial(answer_first, game)}
        assert terminal.play_sitting(DeviceSitting(game, bots, no_bot, screen, {}, Path))
        ways.add(tuple(screen.way))
    assert ways == {("Ana", "Cleo", "Ana")}


def test_one_person_alone_is_never_shown_an_empty_page(tmp_path: Path) -> None:
    rules = program("a quiet question in a round of all", tmp_path)
    for seed in range(10):
        screen, game = Handed(), SharedGame(rules, seed, NAMES)
        bots: dict[int, Bot] = {seat: partial(answer_first, game) for seat in (1, 2)}
        assert terminal.play_sitting(DeviceSitting(game, bots, no_bot, screen, {}, Path))
        assert screen.way == []
        assert "nothing for you to choose" not in "\n".join(screen.lines)
