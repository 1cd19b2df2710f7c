"""Every bundled game, played at random by few players and by many: it ends, and it can be stopped anywhere.

`bench/games.py` plays many more, with every number of players.
"""

from functools import cache
from pathlib import Path
from typing import Any

import pytest
from shipped import list_outer_tables, list_some_tables, load_game, lower_game

from rulebook import library
from rulebook.dsl.settling.forbidding import list_numbers
from rulebook.interpreter import invariants
from rulebook.interpreter.decisions import Decision
from rulebook.interpreter.events import Event, Sink
from rulebook.interpreter.game import Game
from rulebook.interpreter.journal import Header
from rulebook.interpreter.lower import lower
from rulebook.interpreter.machine import Machine
from rulebook.interpreter.program import Program
from rulebook.interpreter.random import Source
from rulebook.interpreter.results import check_zero_sum
from rulebook.interpreter.state import State, clone, from_json, to_json
from rulebook.playtest.settings import others


class CheckedMachine(Machine):
    """A machine that looks at every state it leaves behind."""

    looked = 0

    def advance(self, state: State, *rest: Any, **named: Any) -> Any:
        needed = super().advance(state, *rest, **named)
        self.look(state)
        return needed

    def answer_value(self, state: State, seat: int, value: Any, events: Sink | None = None) -> None:
        super().answer_value(state, seat, value, events)
        self.look(state)

    def look(self, state: State) -> None:
        invariants.check_state(self.program, state, through_json=self.looked % 10 == 0)
        self.looked += 1


def begin(program: Program, seed: int) -> Game:
    game = Game(program, seed)
    game.machine = CheckedMachine(program, game.names)
    return game


def answer(game: Game, source: Source) -> None:
    """One of those who are asked answers something."""
    assert game.decision is not None, "nobody is asked, and the game is not over"
    asks = game.decision.asks
    asked = asks[source.below(len(asks))]
    game.answer(asked.seat, game.machine.random_answer(game.state, asked, source.below), asked.number)


def finish(game: Game, source: Source) -> Game:
    while not game.over:
        answer(game, source)
    return game


def noticed(game: Game) -> list[list[Event]]:
    return [list(game.events(seat)) for seat in range(len(game.names))]


def middle(program: Program, seed: int) -> Game:
    """A game that stands at a decision somewhere in it."""
    whole = count_answers(program, seed)
    game, source = Game(program, seed), Source(seed, "answers")
    for _ in range(Source(seed, "middle").below(whole)):
        answer(game, source)
    assert not game.over
    return game


@cache
def count_answers(program: Program, seed: int) -> int:
    return len(finish(Game(program, seed), Source(seed, "answers")).entries)


@pytest.fixture(params=[*list_some_tables()])
def program(request: pytest.FixtureRequest) -> Program:
    return lower_game(*request.param)


@pytest.fixture
def seed(program: Program) -> int:
    """Another for each number of players."""
    return program.players % 2


@pytest.mark.slow
@pytest.mark.parametrize("table", [*list_outer_tables()])
def test_a_game_ends_and_its_journal_gives_it_again(table: tuple[Path, int]) -> None:
    program, seed = lower_game(*table), table[1]
    game = finish(begin(program, seed), Source(seed, "answers"))
    assert game.entries, "somebody should have been asked something"
    assert isinstance(game.machine, CheckedMachine)
    assert game.machine.looked >= 2 * len(game.entries)
    assert game.outcome.finished
    check_zero_sum(program, game.outcome)
    again = Game.replay(program, game.journal)
    assert again.state == game.state
    assert noticed(again) == noticed(game)


@pytest.mark.slow
def test_a_save_goes_on_as_if_nothing_had_happened(program: Program, seed: int, tmp_path: Path) -> None:
    game = middle(program, seed)
    game.save(tmp_path / "game.jsonl")

    def build(header: Header) -> Program:
        assert header == game.header
        return program

    loaded = Game.load(tmp_path / "game.jsonl", build)
    assert loaded.state == game.state
    assert noticed(loaded) == noticed(game)
    assert loaded.decision == game.decision
    finish(game, Source(seed, "rest"))
    finish(loaded, Source(seed, "rest"))
    assert loaded.state == game.state
    assert noticed(loaded) == noticed(game)


def test_a_state_goes_on_after_json(program: Program, seed: int) -> None:
    game = middle(program, seed)
    state = from_json(to_json(game.state))
    assert state == game.state
    assert [type(slot) for slot in state] == [type(slot) for slot in game.state]
    assert hash(tuple(state)) == hash(tuple(game.state))
    other = finish(game.fork(state), Source(seed, "rest"))
    assert other.state == finish(game, Source(seed, "rest")).state


def test_a_clone_is_a_game_of_its_own(program: Program, seed: int) -> None:
    game = middle(program, seed)
    before = to_json(game.state)
    copy = clone(game.state)
    machine, below = Machine(program), Source(seed, "rest").below
    while isinstance(machine.advance(copy), Decision):
        seat = machine.find_waiting(copy)[0]
        machine.answer_value(copy, seat, machine.random_value(copy, seat, below))
    assert machine.is_over(copy)
    assert to_json(game.state) == before
    assert not game.over


@pytest.mark.slow
def test_undo_returns_to_every_state(program: Program, seed: int) -> None:
    game, source = begin(program, seed), Source(seed, "answers")
    past = []
    while not game.over:
        past.append((clone(game.state), [len(events) for events in noticed(game)], game.decision))
        answer(game, source)
    for state, lengths, decision in reversed(past):
        game.undo()
        assert game.state == state
        assert [len(events) for events in noticed(game)] == lengths
        assert game.decision == decision
    assert game.entries == []


@pytest.mark.parametrize("name", ["cheat", "crazy_eights", "goofspiel", "hearts", "liars_dice"])
def test_every_choice_of_each_house_rule_can_be_laid_out(name: str) -> None:
    rulebook = load_game(library.find_game(name))
    for options in others(rulebook, {name: option.default for name, option in rulebook.options.items()}):
        for players in list_numbers(rulebook, options)[-1:]:
            machine = Machine(lower(rulebook, players, options))
            assert machine.advance(machine.new_state(1)) is not None
