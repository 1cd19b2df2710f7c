"""The checks on states: a good state passes, and each way to break one is named."""

from collections.abc import Callable
from typing import Any

import pytest
from leaks import answer_at_random
from secret_game import secret_game

from rulebook.interpreter.game import Game
from rulebook.interpreter.invariants import Broken, check_state
from rulebook.interpreter.layout import ALIVE, COUNTS, ELIMINATED, FACES, KNOWN, PENDING, RESULT, STACK, WHERE
from rulebook.interpreter.lower import lower
from rulebook.interpreter.random import Source
from rulebook.interpreter.state import State

PROGRAM = lower(secret_game(), 3)
LAYOUT = PROGRAM.layout
DECK, HAND, SLOT = LAYOUT.find_place("deck"), LAYOUT.find_place_of("hand", 0), LAYOUT.find_place_of("secret", 0)


@pytest.fixture
def state() -> State:
    game = Game(PROGRAM, 5, ("Ana", "Ben", "Cleo"))
    below = Source(1, "test").below
    for _ in range(8):
        answer_at_random(game, below)
    check_state(PROGRAM, game.state, through_json=True)
    return game.state


def put(index: int, value: Callable[[Any], Any]) -> Callable[[State], None]:
    def change(state: State) -> None:
        state[index] = value(state[index])

    return change


def eliminate_who_still_knows(state: State) -> None:
    state[ALIVE], state[ELIMINATED] = (0, 1), ((2,),)


BREAKS: dict[str, Callable[[State], None]] = {
    "slots instead of": lambda state: state.append(None),
    "lies nowhere": put(HAND.slot, lambda cards: cards[1:]),
    "lies in hand of player 0 and in": put(DECK.slot, lambda cards: cards),
    "but WHERE says": put(WHERE, lambda where: bytes([*where[1:], where[0]])),
    "has no order, but is stored as": put(HAND.slot, lambda cards: cards[::-1]),
    "is a list": put(HAND.slot, list),
    "are settled": put(DECK.settled or 0, lambda pair: (99, 0)),
    "neither up nor down": put(FACES, lambda faces: b"\2" + faces[1:]),
    "seats that do not exist": put(KNOWN, lambda known: bytes([*known[:-1], 255])),
    "seen by seats that do not know it": put(KNOWN, lambda known: bytes(len(known))),
    "one number for each": put(KNOWN, lambda known: known[1:]),
    "The seats that still play": put(ALIVE, lambda alive: (1, 0, 2)),
    "is known to seats that left": eliminate_who_still_knows,
    "seats 2 play": put(ALIVE, lambda alive: (0, 1)),
    "counts of decisions": put(COUNTS, lambda counts: counts[:-1]),
    "do not go together": put(RESULT, lambda result: ("rank",)),
    "PENDING is": put(PENDING, lambda pending: ("asleep",)),
    "which does not exist": put(STACK, lambda frames: ((99, *frames[0][1:]),)),
    "stands at step": put(STACK, lambda frames: ((frames[0][0], 9999, *frames[0][2:]),)),
    "locals instead of": put(STACK, lambda frames: (frames[0][:-1],)),
    "The memory vote holds": put(LAYOUT.player_memory["vote"].slot, lambda value: 77),
    "The cracked of": put(LAYOUT.states["cracked"].slot, lambda values: ("no",) * len(values)),
    "The pool bank": put(LAYOUT.find_place("bank").slot, lambda value: -1),
    "cards have become pieces": put(LAYOUT.find_place("bank").slot, lambda value: value + 1),
    "positions instead of": put(LAYOUT.find_place("board").slot, lambda value: b""),
    "The stream": put(DECK.stream, lambda value: 7),
}


@pytest.mark.parametrize("words", BREAKS)
def test_each_break_is_named(state: State, words: str) -> None:
    BREAKS[words](state)
    if words.startswith("lies in hand"):
        state[DECK.slot] += state[HAND.slot][:1]
    with pytest.raises(Broken, match=words):
        check_state(PROGRAM, state)


def test_a_slot_is_for_one_card(state: State) -> None:
    state[SLOT.slot] += state[HAND.slot]
    state[WHERE] = bytes(SLOT.ordinal if card in state[HAND.slot] else at for card, at in enumerate(state[WHERE]))
    state[HAND.slot] = b""
    with pytest.raises(Broken, match="is for one card"):
        check_state(PROGRAM, state)
