"""Games that differ only in what a seat may not know give it the same screens, byte for byte: the page of a question,
what happened, every help, the log, the table, the pages at the end of rounds, the replay as that seat saw it, and the
page in the browser.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from attrs import evolve
from leaks import Below, answer_at_random, twins
from paper import NAMES, Paper, no_bot
from shipped import list_some_tables, lower_game

from rulebook import library
from rulebook.interpreter.decisions import Ask, Refused
from rulebook.interpreter.layout import WHERE
from rulebook.interpreter.program import Program
from rulebook.interpreter.random import Source
from rulebook.interpreter.state import State
from rulebook.table import asking, reckoning, story
from rulebook.table.blocks import HEAVY, Told
from rulebook.table.replaying import Eyes, Replay
from rulebook.table.shared import SharedGame
from rulebook.table.sitting import Bot, DeviceSitting, Left
from rulebook.web.projection import make_page

TYPED = ["?", "l", "v", "? yours", "? a1", "nonsense"]
ON = 9
"""So many answers are given from a moment on, at most."""
SEATS = (*NAMES, "Gwen", "Hugo", "Ida", "Jon")


class Typing(Paper):
    """A screen that keeps all its pages; somebody types these lines at questions, and reads every page to its end."""

    def __init__(self) -> None:
        super().__init__(70, 24)
        self.typed, self.pages = list(TYPED), list[str]()

    def read_line(self, prompt: str) -> str | None:
        self.pages.append("\n".join([*self.lines, prompt]))
        if prompt.startswith("── "):
            return ""
        return self.typed.pop(0) if self.typed else None


def _be_silent(ask: Ask) -> None:
    raise AssertionError("only one seat is looked at")


def screens(game: SharedGame, seat: int) -> list[str]:
    """All that this seat can bring to the screen where it is asked, and what a replay shows it."""
    screen = Typing()
    bots: dict[int, Bot] = {other: _be_silent for other in range(len(game.names)) if other != seat}
    sitting = DeviceSitting(game, bots, no_bot, screen, {}, lambda: Path("kept"))
    sitting.seen[seat] = 0
    with pytest.raises(Left):
        reckoning.tell_rounds(sitting, seat)
        asking.ask_person(sitting, seat)
    replay, eyes = Replay(game, 70), Eyes(seat)
    lines = [line for told in replay.tell_story(eyes, 0) for line in told.wrap_lines(70)]
    page = json.dumps(make_page(game.program, {}, game.view(seat).facts))
    return [page, *screen.pages, *lines, *screen.looks.draw_blocks([replay.collect_table(eyes)], screen.size)]


def seated(program: Program, state: State, seed: int) -> SharedGame:
    return SharedGame(program, seed, SEATS[: program.players], state=state)


def pairs(program: Program, seed: int, moments: int) -> Iterator[tuple[SharedGame, SharedGame, int]]:
    """Two games that a seat that is asked cannot tell apart, after the same answers since they were different."""
    below = Source(seed, "test").below
    game = SharedGame(program, seed, SEATS[: program.players])
    while not game.over and moments:
        if below(9) == 0:
            moments -= 1
            asks = game.decision.asks if game.decision is not None else ()
            seat = asks[below(len(asks))].seat
            for _, twin in twins(game, seat, below):
                yield from go_on(seated(program, game.state, seed), seated(program, twin, seed + 1), seat, below)
        answer_at_random(game, below)


def go_on(here: SharedGame, there: SharedGame, seat: int, below: Below) -> Iterator[tuple[SharedGame, SharedGame, int]]:
    """Play on in both while the seat is told the same; what others answer is theirs."""
    for _ in range(ON):
        asked = [game.decision.find_ask(seat) if game.decision is not None else None for game in (here, there)]
        if list(here.events(seat)) != list(there.events(seat)) or here.over or there.over:
            return
        if None not in asked and below(3) == 0:
            assert asked[0] == asked[1]
            yield here, there, seat
        if asked.count(None) == 1 or not answer_both(here, there, below):
            return


def answer_both(here: SharedGame, there: SharedGame, below: Below) -> bool:
    """Give the same answer in both, if it can be given in both."""
    assert here.decision is not None and there.decision is not None
    ask = here.decision.asks[0]
    other = there.decision.find_ask(ask.seat)
    keys = here.machine.random_answer(here.state, ask, below)
    here.answer(ask.seat, keys, ask.number)
    try:
        there.answer(ask.seat, keys, other.number if other is not None else None)
    except Refused:
        return False
    return True


def differences(program: Program, seeds: range, moments: int) -> Iterator[tuple[list[str], list[str]]]:
    for seed in seeds:
        for here, there, seat in pairs(program, seed, moments):
            yield screens(here, seat), screens(there, seat)


@pytest.mark.slow
@pytest.mark.parametrize("table", [*list_some_tables()])
def test_what_a_seat_may_not_know_changes_no_screen(table: tuple[Path, int]) -> None:
    for here, there in differences(lower_game(*table), range(1), 1):
        assert here == there


def name_hidden(game: SharedGame) -> str:
    """Name all cards that lie face down."""
    program = game.program
    place = next(number for number, one in enumerate(program.layout.places) if one.name == "wallet")
    return " ".join(program.definition[card] for card in range(program.cards) if game.state[WHERE][card] == place)


@pytest.mark.parametrize("page", ["make_page", "list_everything", "told_to"])
def test_a_secret_on_any_screen_is_found(page: str, monkeypatch: pytest.MonkeyPatch) -> None:
    module = story if page == "told_to" else asking
    before: Any = getattr(module, page)

    def planted(sitting: DeviceSitting, *rest: Any) -> Any:
        secret, made = name_hidden(sitting.game), before(sitting, *rest)
        return evolve(made, notice=secret) if page == "make_page" else [*made, Told(secret[:300], weight=HEAVY)]

    monkeypatch.setattr(module, page, planted)
    program = lower_game(library.find_game("wallet"), 3)
    assert any(here != there for here, there in differences(program, range(8), 1))
