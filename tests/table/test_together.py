"""What people at one device settle among themselves: answers taken back if all agree, seats left to bots and back."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from paper import Paper

from rulebook.commands.play import word_standings
from rulebook.interpreter.decisions import Ask
from rulebook.interpreter.lower import lower
from rulebook.interpreter.program import Program
from rulebook.loading import load
from rulebook.table import terminal
from rulebook.table.shared import SharedGame
from rulebook.table.sitting import DeviceSitting

RULES = """
format: 1
name: Numbers
players: 2..2
memory:
  player: {said: 0}
rules:
  game: |
    repeat 3 as n:
      each p in players:
        p chooses answer from 1..3 "Round {n}, {p}?"
        set p.said = answer
"""


class Typed(Paper):
    """A screen at which lines are typed, each at the question that is expected; it keeps all pages."""

    def __init__(self, *lines: tuple[str, str]) -> None:
        super().__init__(80, 24)
        self.left, self.pages = list(lines), list[str]()

    def read_line(self, prompt: str) -> str | None:
        self.pages.append("\n".join([*self.lines, prompt]))
        if not self.left:
            return None
        expected, typed = self.left.pop(0)
        assert expected in self.pages[-1], f"{expected!r} is wanted:\n{self.pages[-1]}"
        return typed


@pytest.fixture
def program(tmp_path: Path) -> Program:
    (tmp_path / "rulebook.yaml").write_text(RULES, "utf-8")
    loaded = load(tmp_path)
    rulebook, problems = loaded.rulebook, loaded.messages
    assert rulebook is not None, problems
    return lower(rulebook, 2)


def played(program: Program, *lines: tuple[str, str], bots: dict[int, Any] | None = None) -> tuple[SharedGame, Typed]:
    """A game that ends when nothing more is typed."""
    game, screen = SharedGame(program, 1, ("Ana", "Ben")), Typed(*lines)

    def stand_in(seat: int) -> Callable[[Ask], None]:
        return lambda ask: game.answer(ask.seat, [ask.keys[2]], ask.number)

    given = {} if bots is None else {seat: stand_in(seat) for seat in bots}
    terminal.play_sitting(DeviceSitting(game, given, stand_in, screen, {}, lambda: Path("here")))
    assert screen.left == []
    return game, screen


ANA, BEN = ("Hand the device to Ana", ""), ("Hand the device to Ben", "")
BEGUN = (ANA, ("Round 1, Ana?", "1"), BEN, ("Round 1, Ben?", "2"), ANA)


def answers(game: SharedGame) -> list[str]:
    return [entry.answer[0].partition(":")[2] for entry in game.entries]


def test_what_others_have_answered_since_is_taken_back_only_if_they_agree(program: Program) -> None:
    game, screen = played(
        program,
        *BEGUN,
        ("Round 2, Ana?", "u"),
        ("Ben has answered since. If everybody agrees it can:\n  type u all.", "u all"),
        BEN,
        ("Ana wants to take back an answer", "perhaps"),
        ("! Type yes or no.", "no"),
        ANA,
        ("Ben does not agree.", "u all"),
        BEN,
        ("Ben, do you agree?", "y"),
        ANA,
        ("Taken back.", "3"),
    )
    assert answers(game) == ["3"]
    asked = [page for page in screen.pages if "do you agree" in page]
    assert all("You (" not in page for page in asked)


def test_nobody_takes_back_the_answer_of_somebody_else(program: Program) -> None:
    played(program, *BEGUN[:3], ("Round 1, Ben?", "u"), ("There is nothing to take back.", "u all"))


def test_a_bot_plays_until_the_person_comes_back(program: Program) -> None:
    game, _ = played(
        program,
        ANA,
        ("Round 1, Ana?", "b"),
        BEN,
        ("Round 1, Ben?", "b nobody"),
        ("A bot plays for Ana. Type b and a name.", "1"),
        ("Round 2, Ben?", "b an"),
        ("Ana plays again.", "1"),
        ANA,
        ("Round 3, Ana?", "2"),
        BEN,
        ("Round 3, Ben?", "1"),
    )
    assert answers(game) == ["3", "1", "3", "1", "2", "1"]


def test_a_bot_waits_where_nobody_else_plays(program: Program) -> None:
    game, screen = played(
        program,
        ("Round 1, Ana?", "b"),
        ("A bot plays for Ana.", ""),
        ("A bot plays for Ana.", "what"),
        ("! “what” says nothing here.", "b"),
        ("Round 2, Ana?", "1"),
        bots={1: None},
    )
    assert answers(game) == ["3", "3", "1", "3"]
    assert not any("Hand the device" in page for page in screen.pages)


def test_where_all_left_their_seats_no_page_is_private(program: Program) -> None:
    _, screen = played(
        program,
        ANA,
        ("Round 1, Ana?", "b"),
        BEN,
        ("Round 1, Ben?", "b"),
        ("A bot plays for Ana and Ben.", ""),
        ("A bot plays for Ana and Ben.", "b ben"),
        BEN,
        ("Round 2, Ben?", "1"),
        ("Round 3, Ben?", "q"),
    )
    assert all("You (" not in page for page in screen.pages if "A bot plays for" in page)


SAVED = "memory: {player: {gold: {type: 0..9, default: 0, seen_by: everyone}}}\nresult: {rank: most gold}\n"


@pytest.mark.parametrize(
    ("game", "more", "told"),
    [
        ("win nobody", "", [["Nobody", "wins."], ["Ana"], ["Ben"], ["Cy"]]),
        # Who did not win shares the second place, whatever they saved.
        ("win players where it.gold is 0", SAVED, [["Ana", "wins."], ["1.", "Ana"], ["2.", "Ben"], ["2.", "Cy"]]),
        ('say "Over."', SAVED, [["Cy", "wins."], ["1.", "Cy", "2"], ["2.", "Ben", "1"], ["3.", "Ana", "0"]]),
    ],
)
def test_what_is_told_of_the_end_contradicts_nothing(
    tmp_path: Path, game: str, more: str, told: list[list[str]]
) -> None:
    saved = "    each p in players as turn:\n      set p.gold = turn - 1\n" if more else ""
    (tmp_path / "rulebook.yaml").write_text(
        f"format: 1\nname: Draw\nplayers: 3..3\n{more}rules:\n  game: |\n{saved}    {game}\n", "utf-8"
    )
    loaded = load(tmp_path)
    rulebook, problems = loaded.rulebook, loaded.messages
    assert rulebook is not None, problems
    table = SharedGame(lower(rulebook, 3), 1, ("Ana", "Ben", "Cy"))
    assert [line.split() for line in word_standings(table, Paper(80, 24))][:4] == told
