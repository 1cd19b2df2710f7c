"""What agents see and may do, byte by byte, depends only on what their seats may know; and planted leaks are found."""

from __future__ import annotations

from array import array
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from random import Random
from typing import Any

import pytest
from cores import has_core
from leaks import twins
from shipped import list_some_tables, load_game

import rulebook
from rulebook.agents.course import Course, Numbered
from rulebook.interpreter.choosing import Choices
from rulebook.interpreter.core.door import Core
from rulebook.interpreter.determinize import NoTable
from rulebook.interpreter.layout import COUNTS, KNOWN
from rulebook.interpreter.program import Program
from rulebook.interpreter.random import Source
from rulebook.interpreter.state import State

pytestmark = [
    pytest.mark.slow,
    pytest.mark.needs(has_core(), "there is no core here: build it with `python3 build_core.py`"),
]

MOMENTS = 12
"""The decisions of a game that are looked at."""


def complaints(folder: Path, players: int, seed: int = 1) -> Iterator[str]:
    """What is shown otherwise beside a state that looks the same, at some decisions of a game played at random."""
    rules, random, below = Numbered(rulebook.open(folder), players), Random(seed), Source(seed, "agents").below
    course = rules.start(seed)
    for number in range(8 * MOMENTS):
        if course.play.over:
            break
        if number % 8 == 0 or number < 3:
            for seat in range(players):
                yield from differing(course, seat, below)
        course = course.act(random.choice(list(course.offer.legal)))


def differing(course: Course, seat: int, below: Any) -> Iterator[str]:
    """What a seat is shown otherwise at a twin of one moment."""
    here = shown(course, seat)
    try:
        for what, state in twins(course.play._game, seat, below):
            there = shown(at(course, state), seat)
            for name, before, after in zip(("observation", "mask", "information"), here, there, strict=True):
                if before != after:
                    yield f"the {name} of seat {seat} is otherwise in {what}"
    except NoTable:
        pass


def at(course: Course, state: State) -> Course:
    """The same course at another state."""
    play = course.play.clone()
    play._game.state = state
    play._game._wait()
    if play.seat != course.play.seat:  # whoever had begun to answer has done so there
        return Course(course.rules, play)
    return Course(course.rules, play, course.taken, course.picked)


def shown(course: Course, seat: int) -> tuple[bytes, Sequence[int], str]:
    """What a seat is shown as numbers, and as OpenSpiel has it as text."""
    return course.observe(seat).tobytes(), course.list_legal(seat), course.play.information(seat)


@pytest.mark.parametrize("table", [*list_some_tables()])
def test_agents_are_shown_what_they_may_know(table: tuple[Path, int]) -> None:
    assert load_game(table[0]).players
    assert list(complaints(*table)) == []


@pytest.mark.parametrize("table", [*list_some_tables()])
def test_observations_hold_the_cards_of_the_view(table: tuple[Path, int]) -> None:
    """No card is in one that the seat's view does not show, and none is missing."""
    rules, random = Numbered(rulebook.open(table[0]), table[1]), Random(2)
    course, program, looked = rules.start(2), rules.program, 0
    while not course.play.over and looked < 20:
        looked += 1
        for seat in range(table[1]):
            rows = numbers_of_cards(program, course.observe(seat))
            known = Counter(program.definition[program.likeness.index(row[2])] for row in rows if row[2] >= 0)
            places = course.play.view(seat)["view"]["places"].values()
            shown = Counter(id for place in places for id in (*place.get("cards", ()), *place.get("among", ())) if id)
            assert known == shown
        course = course.act(random.choice(list(course.offer.legal)))


def numbers_of_cards(program: Program, row: array[int]) -> list[array[int]]:
    """The part of an observation about each card."""
    width = 4 + len(program.changing)
    begin = len(row) - program.cards * width
    return [row[at : at + width] for at in range(begin, len(row), width)]


def test_a_leak_in_observations_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    honest = Core.observe

    def observe_all(self: Core, state: State, seat: int) -> Any:
        everything = state[:]
        everything[KNOWN] = type(state[KNOWN])([self.layout.everyone] * len(state[KNOWN]))
        return honest(self, everything, seat)

    monkeypatch.setattr(Core, "observe", observe_all)
    found = list(complaints(rulebook.open("wallet").folder, 3))
    assert any("observation" in complaint and "other hidden cards" in complaint for complaint in found)


def test_a_count_of_what_others_were_asked_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    honest = Core.observe

    def observe_counts(self: Core, state: State, seat: int) -> Any:
        row = honest(self, state, seat)
        row[0] += sum(state[COUNTS])
        return row

    monkeypatch.setattr(Core, "observe", observe_counts)
    found = list(complaints(rulebook.open("wallet").folder, 3))
    assert any("asked more often" in complaint for complaint in found)


def test_a_leak_in_masks_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Choices, "is_told", lambda self, card, source: True)
    found = list(complaints(rulebook.open("fireworks").folder, 3))
    assert any("mask" in complaint for complaint in found)
