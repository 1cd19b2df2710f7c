"""No seat is told what it may not know; and the checker that says so finds every leak that is planted."""

import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from attrs import evolve
from ir_samples import small_game
from leaks import Below, ListenedGame, answer_at_random, leaks, quiet
from secret_game import secret_game
from test_games import program_of, tables

from rulebook import library
from rulebook.interpreter import choosing, invariants, knowledge, machine, views
from rulebook.interpreter.choosing import Choices
from rulebook.interpreter.decisions import Ask, Decision, Refused
from rulebook.interpreter.determinize import determinize, hidden_cards
from rulebook.interpreter.game import Game
from rulebook.interpreter.lower import lower
from rulebook.interpreter.machine import Machine
from rulebook.interpreter.program import Program
from rulebook.interpreter.random import Source
from rulebook.interpreter.results import outcome
from rulebook.interpreter.run import Run
from rulebook.interpreter.state import CLOCK

NAMES = ("Ana", "Ben", "Cleo", "Dan", "Eve", "Finn", "Gwen", "Hugo")
SMALL = lower(small_game(), 3)
SECRET = lower(secret_game(noted=False), 3)
NOTED = lower(secret_game(), 3)
LEAVING = lower(secret_game(leaving=True), 3)


def complaints(program: Program, seeds: range, one_in: int = 1) -> Iterator[str]:
    """What the checker says about games played at random, asked for every seat at one decision of so many."""
    for game, below in moments(program, seeds, one_in):
        for seat in range(program.players):
            yield from leaks(game, seat, below)


def moments(program: Program, seeds: range, one_in: int) -> Iterator[tuple[ListenedGame, Below]]:
    """Games played at random, as they stand at some decisions and at their end; in long games ever fewer."""
    for seed in seeds:
        below = Source(seed, "test").below
        game = ListenedGame(program, seed, NAMES[: program.players])
        found = 0
        while not game.over:
            if below(one_in + (one_in - 1) * (found // 5)) == 0:
                found += 1
                yield game, below
            answer_at_random(game, below)
        yield game, below


@pytest.mark.parametrize("program", [SMALL, SECRET, NOTED, LEAVING], ids=["small", "secret", "noted", "leaving"])
def test_games_do_not_leak(program: Program) -> None:
    assert list(complaints(program, range(6))) == []


def test_the_games_have_what_could_leak() -> None:
    """Else the test above could pass by finding nothing to hide."""
    was_quiet = hidden = 0
    for seed in range(6):
        below = Source(seed, "test").below
        game = ListenedGame(SECRET, seed, NAMES[:3])
        while not game.over:
            was_quiet += quiet(game.program, game.state)
            hidden += len(hidden_cards(game.program, game.state, 0)) > 5
            answer_at_random(game, below)
    assert was_quiet > 3
    assert hidden > 50


# ── bundled games ────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("table", [*tables()])
def test_bundled_games_do_not_leak(table: tuple[Path, int]) -> None:
    assert list(complaints(program_of(*table), range(1), one_in=12)) == []


@pytest.mark.parametrize("table", [*tables()])
def test_what_could_be_is_a_game_that_looks_the_same(table: tuple[Path, int]) -> None:
    program = program_of(*table)
    for game, below in moments(program, range(1), one_in=12):
        for seat in range(program.players):
            twin = determinize(program, game.state, seat, below)
            invariants.check(program, twin, through_json=True)
            assert views.facts(program, game.names, twin, seat) == views.facts(program, game.names, game.state, seat)
            other = game.fork(twin)
            assert other.view(seat).ask == game.view(seat).ask
            for _ in range(10):
                if not other.over:
                    answer_at_random(other, below)
                    invariants.check(program, other.state)


@pytest.mark.parametrize("table", [*tables()])
def test_what_could_be_can_be_played_to_its_end(table: tuple[Path, int]) -> None:
    program = program_of(*table)
    player = Machine(program, NAMES[: program.players])
    for game, below in moments(program, range(2), one_in=40):
        state = determinize(program, game.state, below(program.players), below)
        while isinstance(player.advance(state), Decision):
            seat = player.waiting(state)[0]
            player.answer_value(state, seat, player.random_value(state, seat, below))
        invariants.check(program, state)
        assert outcome(program, state, player.names).finished


# ── planted leaks ────────────────────────────────────────────────────────────────────────────────


def secret_of(run: Run, seat: int) -> str:
    """The name of a card in the next player's hand that the seat does not know."""
    held = run.state[run.layout.of("hand", (seat + 1) % 3).slot]
    hidden = set(hidden_cards(run.program, run.state, seat)).intersection(held)
    return run.program.names[min(hidden)] if hidden else ""


def instance_number_in_an_option(monkeypatch: pytest.MonkeyPatch) -> None:
    true = Choices._key

    def leaking(self: Choices, index: int) -> str:
        return f"{true(self, index)}#{self.values[index]}"

    monkeypatch.setattr(Choices, "_key", leaking)


def instance_number_in_a_label(monkeypatch: pytest.MonkeyPatch) -> None:
    true = Choices._label

    def leaking(self: Choices, index: int) -> str:
        return f"{true(self, index)} {self.values[index]}"

    monkeypatch.setattr(Choices, "_label", leaking)


def slot_order_in_a_hand(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(views, "_ids", lambda program, cards: [program.definition[card] for card in cards][::-1])


def change_ask(monkeypatch: pytest.MonkeyPatch, change: Callable[[Run, Ask], Ask]) -> None:
    true = choosing.ask
    monkeypatch.setattr(machine, "ask", lambda run, op, entry: change(run, true(run, op, entry)))


def card_in_a_prompt(monkeypatch: pytest.MonkeyPatch) -> None:
    def leaking(run: Run, asked: Ask) -> Ask:
        return evolve(asked, prompt=f"{asked.prompt} Not {secret_of(run, asked.seat)}!")

    change_ask(monkeypatch, leaking)


def decision_number(monkeypatch: pytest.MonkeyPatch) -> None:
    change_ask(monkeypatch, lambda run, asked: evolve(asked, number=run.state[CLOCK] + 1))


def decider_of_a_quiet_choice(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(views, "is_quiet", lambda program, state: False)


def decider_in_a_refusal(monkeypatch: pytest.MonkeyPatch) -> None:
    def leaking(self: Game, seat: int) -> str:
        return f"The game waits for {', '.join(self.names[one] for one in self.machine.waiting(self.state))}."

    monkeypatch.setattr(Game, "_why_not", leaking)


def log_line(monkeypatch: pytest.MonkeyPatch) -> None:
    true = Run.emit_cards

    def leaking(self: Run, kind: str, cards: Any, known: Any = None, **facts: Any) -> None:
        true(self, kind, cards, [self.layout.everyone] * len(cards), **facts)

    monkeypatch.setattr(Run, "emit_cards", leaking)


def spoken_log_line(monkeypatch: pytest.MonkeyPatch) -> None:
    true = Run.emit

    def leaking(self: Run, kind: str, to: int = -1, **facts: Any) -> None:
        if kind == "said":
            facts["text"] += f" (she holds {secret_of(self, 1)})"
        true(self, kind, to, **facts)

    monkeypatch.setattr(Run, "emit", leaking)


def error_text(monkeypatch: pytest.MonkeyPatch) -> None:
    true = Choices.read

    def leaking(self: Choices, keys: Any) -> Any:
        try:
            return true(self, keys)
        except Refused as refused:
            raise Refused(f"{refused} Not while {secret_of(self.run, self.seat)} is out.") from None

    monkeypatch.setattr(Choices, "read", leaking)


def hidden_card_in_a_place(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(views, "recognises", lambda program, state, seat, card: True)


def hidden_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(views, "sees_memory", lambda state, slot, owner, seat: True)


def what_who_left_knew(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(knowledge, "leave_game", lambda program, state, seats: None)


def places_of_who_left(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(knowledge, "watchers", lambda state, place: place.watchers)


def memory_of_who_left(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(
        views, "sees_memory", lambda state, slot, owner, seat: slot.seen_by == "everyone" or owner == seat
    )


Plant = Callable[[pytest.MonkeyPatch], None]
PLANTS: dict[Plant, str] = {
    instance_number_in_an_option: "key that is no card's|counts further|other numbers",
    instance_number_in_a_label: '"label"',
    slot_order_in_a_hand: "has no order, but shows one",
    card_in_a_prompt: '"prompt"',
    decision_number: "asked more often",
    decider_of_a_quiet_choice: "may not learn that",
    decider_in_a_refusal: "names who is quietly asked",
    log_line: "does not know .*'moved'",
    spoken_log_line: "does not know .*'said'",
    error_text: "other hidden cards .*Not while",
    hidden_card_in_a_place: "other hidden cards",
    hidden_memory: "other hidden cards",
}
"""Each leak, and what the checker must say about it."""


@pytest.mark.parametrize("plant", PLANTS, ids=lambda plant: plant.__name__)
def test_a_planted_leak_is_found(plant: Plant, monkeypatch: pytest.MonkeyPatch) -> None:
    plant(monkeypatch)
    assert any(re.search(PLANTS[plant], complaint) for complaint in complaints(SECRET, range(6)))


LEFT: dict[Plant, str] = {
    what_who_left_knew: "is shown what .* is not: in ",
    places_of_who_left: "is shown what .* is not: in ",
    memory_of_who_left: "is shown what .* is not: the memory",
}


@pytest.mark.parametrize("plant", LEFT, ids=lambda plant: plant.__name__)
def test_a_planted_leak_to_who_was_eliminated_is_found(plant: Plant, monkeypatch: pytest.MonkeyPatch) -> None:
    plant(monkeypatch)
    assert any(re.search(LEFT[plant], complaint) for complaint in complaints(LEAVING, range(6)))


SEVEN = [
    instance_number_in_an_option,
    slot_order_in_a_hand,
    card_in_a_prompt,
    decision_number,
    decider_of_a_quiet_choice,
    log_line,
    error_text,
]
"""One of each sort, for a game that people play."""


@pytest.mark.parametrize("plant", SEVEN, ids=lambda plant: plant.__name__)
def test_a_planted_leak_is_found_in_a_bundled_game(plant: Plant, monkeypatch: pytest.MonkeyPatch) -> None:
    plant(monkeypatch)
    found = complaints(program_of(library.find("wallet"), 3), range(6), one_in=3)
    assert any(re.search(PLANTS[plant], complaint) for complaint in found)
