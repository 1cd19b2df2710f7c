"""What agents see and may do, byte by byte, depends only on what their seats may know; and planted leaks are found."""

from collections.abc import Iterator, Sequence
from pathlib import Path
from random import Random
from typing import Any

import pytest
from cores import has_core
from leaks import twins
from shipped import list_outer_tables, load_game

import rulebook
from rulebook.agents.course import Course, Numbered
from rulebook.interpreter.choosing import Choices
from rulebook.interpreter.core.door import Core
from rulebook.interpreter.determinize import NoTable
from rulebook.interpreter.layout import COUNTS, KNOWN
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


@pytest.mark.parametrize("table", [*list_outer_tables()])
def test_agents_are_shown_what_they_may_know(table: tuple[Path, int]) -> None:
    assert load_game(table[0]).players
    assert list(complaints(*table)) == []


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
