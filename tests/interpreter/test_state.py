"""The flat state: clones, equality, JSON, and the shape of places."""

from typing import Any

import ir_samples as s
import pytest

from rulebook.dsl import ir
from rulebook.interpreter.decisions import BadSetup
from rulebook.interpreter.layout import ALIVE, BOX, COUNTS, FACES, KNOWN, PENDING, STACK, WHERE
from rulebook.interpreter.lower import lower
from rulebook.interpreter.machine import Machine
from rulebook.interpreter.random import Source
from rulebook.interpreter.state import State, cards_in, clone, count_in, from_json, to_json


def states(rulebook: ir.Rulebook, seed: int = 1) -> list[State]:
    """Every state of a random game in which somebody is asked, and the last one."""
    machine = Machine(lower(rulebook, 3))
    state, found = machine.new_state(seed), []
    source = Source(seed, "bot")
    while machine.advance(state) is not None:
        found.append(clone(state))
        seat = machine.find_waiting(state)[0]
        machine.answer_value(state, seat, machine.random_value(state, seat, source.below))
    return [*found, state]


def test_every_state_survives_json() -> None:
    for seed in range(5):
        for state in states(s.small_game(), seed):
            again = from_json(to_json(state))
            assert again == state
            assert hash(tuple(again)) == hash(tuple(state))


def test_a_game_goes_on_from_json_as_it_would_have() -> None:
    machine = Machine(lower(s.small_game(), 3))
    state, twin = machine.new_state(3), machine.new_state(3)
    source = Source(3, "bot")
    while machine.advance(state) is not None:
        twin = from_json(to_json(twin))
        machine.advance(twin)
        assert twin == state
        seat = machine.find_waiting(state)[0]
        value = machine.random_value(state, seat, source.below)
        machine.answer_value(state, seat, value)
        machine.answer_value(twin, seat, value)


def test_a_clone_is_its_own() -> None:
    state = states(s.small_game())[0]
    twin = clone(state)
    twin[PENDING] = None
    assert state[PENDING] is not None


def test_cards_are_conserved_and_lie_where_the_state_says() -> None:
    layout = lower(s.small_game(), 3).layout
    for seed in range(10):
        for state in states(s.small_game(), seed):
            for place in layout.places:
                for card in cards_in(layout, state, place):
                    assert state[WHERE][card] == place.ordinal
                if not place.ordered and place.kept != "pool":
                    assert list(state[place.slot]) == sorted(state[place.slot])
            assert sum(count_in(layout, state, place) for place in layout.places) == layout.cards


def test_where_a_game_begins() -> None:
    program = lower(s.small_game(), 3)
    layout, state = program.layout, Machine(program).new_state(1)
    assert layout.places[BOX].name == "box"
    assert state[ALIVE] == (0, 1, 2)
    assert state[COUNTS] == (0, 0, 0, 0)
    assert cards_in(layout, state, layout.find_place("box")) == tuple(range(9))
    assert set(state[FACES]) == {0}
    assert set(state[KNOWN]) == {0b111}
    assert [frame[:2] for frame in state[STACK]] == [(program.root, 0)]


@pytest.mark.parametrize(("copies", "kind"), [(255, bytes), (256, tuple)])
def test_many_cards_need_wider_places(copies: int, kind: type) -> None:
    rulebook = s.game(
        s.move(ir.AllCards(type=s.CARDS), s.place("deck", kept="pile")),
        ir.Shuffle(s.place("deck", kept="pile")),
        ir.Deal(s.const(20), s.place("deck", kept="pile"), "hand"),
        s.move(s.first(s.cards("hand", s.first(s.players()))), s.place("board", kept="grid")),
        gems={"ruby": (copies, 1)},
    )
    [state] = states(rulebook)
    layout = lower(rulebook, 3).layout
    assert type(state[layout.find_place("deck").slot]) is kind
    assert count_in(layout, state, layout.find_place_of("hand", 1)) == 20
    assert len(cards_in(layout, state, layout.find_place("board"))) == 1


@pytest.mark.parametrize("players", [1, 13])
def test_too_few_or_too_many_players(players: int) -> None:
    with pytest.raises(BadSetup, match="Gems is for 2 to 12 players"):
        lower(s.small_game(), players)


def test_the_rules_hash_covers_rules_and_options_and_no_texts() -> None:
    def hash_of(rulebook: ir.Rulebook, players: int = 2, **options: Any) -> str:
        return lower(rulebook, players, options).rules_hash

    rulebook = s.small_game()
    assert hash_of(rulebook) == hash_of(s.small_game(), 3)
    assert hash_of(rulebook) != hash_of(s.game())
    assert hash_of(rulebook) != hash_of(rulebook, rounds=3)
