"""The cause of a question: what the seat noticed of the card or action that asks so, and nothing that it did not."""

from __future__ import annotations

from collections import defaultdict

from shipped import load_game, lower_game

from rulebook import library
from rulebook.playtest.bots import make_bot
from rulebook.table.causes import Causes
from rulebook.table.shared import SharedGame

NAMES = ("Ana", "Ben", "Cleo")


def _list_causes(name: str, answers: int) -> dict[str, set[str]]:
    """The causes of each question of a random game, by its words."""
    folder = library.find_game(name)
    game, causes = SharedGame(lower_game(folder, 3), 5, NAMES), Causes(load_game(folder))
    bots = [make_bot("random", 5, seat) for seat in range(3)]
    found = defaultdict[str, set[str]](set)
    for _ in range(answers):
        if game.decision is None:
            break
        ask = game.decision.asks[0]
        found[ask.prompt].add(causes.word_cause(game, ask, game.events(ask.seat)))
        game.answer(ask.seat, bots[ask.seat].answer(game.machine, game.state, ask), ask.number)
    return found


def test_a_question_has_a_cause() -> None:
    wallet, exposed = _list_causes("wallet", 250), _list_causes("exposed", 60)
    passed = wallet["Which card do you pass to the right?"]
    assert passed == {f"{name} To the Right." for name in ("Ana plays", "Ben plays", "You play")}
    assert wallet["Which card do you put into the wallet?"] == {"You choose Put a card."}
    # Two cards ask so; the one that was played is named.
    assert wallet["Which card do you give away?"] >= {"You play Exchange Cards.", "Ana plays Exchange Cards."}
    # A rule asks, and no card that was played before it.
    assert wallet["What do you do?"] == {""}
    assert exposed["Which tile moves?"] == {"You choose Move."}
    assert "You choose Move: Magician." in exposed["With which neighbour does Magician change places?"]


def test_a_cause_goes_by_what_the_seat_was_sent() -> None:
    folder = library.find_game("wallet")
    program, causes = lower_game(folder, 3), Causes(load_game(folder))
    game = SharedGame(program, 5, NAMES)
    bots = [make_bot("random", 5, seat) for seat in range(3)]
    tried = 0
    while game.decision is not None and tried < 10:
        ask = game.decision.asks[0]
        events = game.events(ask.seat)
        if cause := causes.word_cause(game, ask, events):
            tried += 1
            # Another state of the game says the same; without the event that it names it says nothing, or less.
            other = SharedGame(program, 6, NAMES)
            assert causes.word_cause(other, ask, events) == cause
            assert causes.word_cause(game, ask, []) == ""
        game.answer(ask.seat, bots[ask.seat].answer(game.machine, game.state, ask), ask.number)
    assert tried == 10
