"""Events in words: one sentence each, for who did it and for who looks on."""

from collections.abc import Iterable
from typing import Any, get_args

import ir_samples as s
import pytest
from attrs import evolve
from leaks import HANDS, answer_at_random
from secret_game import secret_game

from rulebook.dsl import types as t
from rulebook.interpreter import account
from rulebook.interpreter.account import describe_event
from rulebook.interpreter.events import Event, EventKind
from rulebook.interpreter.game import Game
from rulebook.interpreter.lower import lower
from rulebook.interpreter.program import Program
from rulebook.interpreter.random import Source
from rulebook.playtest.leaking import twins
from rulebook.table import laying_out, story, undoing
from rulebook.web import beats

NAMES = ("Ana", "Boris", "Cleo")


CHOICES: set[EventKind] = {"chose", "passed"}
STAGES: set[EventKind] = {"stage_began", "stage_ended"}
ENDS: set[EventKind] = {"eliminated", "won", "over"}
TOLD: set[EventKind] = {"told", "said", "set", "because"}
DECIDED: dict[str, tuple[Iterable[EventKind], set[EventKind]]] = {
    "how it is told": (account._SENTENCES, set()),
    "whether others must agree to take it back": (
        {*undoing._SENTENCES, "moved"},
        {"picked", "pieces", "covered", "set", "opened", *CHOICES, *STAGES, *ENDS},
    ),
    "how much it weighs in a story": (
        {*story._RESULTS, *story._BUSTLE, *story._OF_OTHERS, *story._OWN_DOING},
        {"moved", "pieces", "rolled", "revealed", "told", "set", "over", *STAGES},
    ),
    "whether the table is laid out by it": (
        laying_out._LAID,
        {"picked", "rolled", "revealed", "shown", "opened", *CHOICES, *STAGES, *TOLD, *ENDS},
    ),
    "whether it is told whatever hangs on it": (
        twins._ANNOUNCED,
        {"moved", "pieces", "shuffled", "revealed", "covered", "uncovered", "shown", "said", "set", "because"}
        | {"eliminated", *STAGES},
    ),
    "whether hands do it": (HANDS, {"pieces", "rolled", "said", "set", "because", "eliminated", *STAGES}),
    "whether a page plays it": (
        beats.PLAYED,
        {"picked", "pieces", "shuffled", "rolled", "covered", "uncovered", "shown", "opened"}
        | {*CHOICES, *STAGES, *TOLD, *ENDS},
    ),
}
"""By what is asked of every event, the kinds of which it is so, and those of which it is not."""


@pytest.mark.parametrize("asked", DECIDED)
def test_of_every_kind_of_event_it_is_decided(asked: str) -> None:
    named, others = DECIDED[asked]
    assert sorted([*named, *others]) == sorted(get_args(EventKind))


@pytest.fixture(scope="module")
def program() -> Program:
    memories = (
        s.memory_def("turns"),
        s.memory_def("points", "player"),
        s.memory_def("last_wealth", "player", type=t.AMOUNT),
        s.memory_def("innocent", "player", type=t.YES_NO, start=False),
        s.memory_def("shade", type=t.Symbol("shade"), start=None),
        s.memory_def("starter", type=t.PLAYER, start=None),
        s.memory_def("prize", type=s.CARD, start=None),
    )
    rules = s.game(memories=memories, states=(s.state_def("cracked"),), gems={"ruby": (3, 5), "old_coin": (1, 1)})
    return lower(evolve(rules, units={"cent": 1, "CU": 100}), 3)


def moved(how: str, source: str, goal: str, face: str = "down", **cards: Any) -> dict[str, Any]:
    return {"kind": "moved", "from": source, "to": goal, "how": how, "face": face, **cards}


SENTENCES: list[tuple[dict[str, Any], str]] = [
    ({"kind": "stage_began", "stage": "round", "title": "Round 2"}, "Round 2 begins."),
    ({"kind": "stage_ended", "stage": "last_round"}, "The last round ends."),
    ({"kind": "chose", "player": "Ana", "what": ["card:ruby"]}, "You choose Ruby."),
    (
        {"kind": "chose", "player": "Ana", "what": ["word:dark"], "forced": True},
        "You choose Dark, the only choice.",
    ),
    ({"kind": "chose", "player": "Boris", "what": ["card:ruby", "card:ruby"]}, "Boris chooses 2 × Ruby."),
    (
        {"kind": "chose", "player": "Boris", "what": ["card:?@Cleo.area.2"]},
        "Boris chooses the card in position 2 of Cleo's area.",
    ),
    (
        {"kind": "chose", "player": "Boris", "what": ["card:ruby[cracked=yes]@Ana.hand"]},
        "Boris chooses Ruby (cracked) in your hand.",
    ),
    ({"kind": "chose", "player": "Boris", "what": ["player:Ana"]}, "Boris chooses you."),
    ({"kind": "chose", "player": "Boris", "what": ["number:4"]}, "Boris chooses 4."),
    ({"kind": "chose", "player": "Boris", "what": ["amount:2050"]}, "Boris chooses 20 CU 50 cents."),
    ({"kind": "chose", "player": "Boris", "what": ["label:Cheat!"]}, "Boris chooses “Cheat!”."),
    (
        {"kind": "chose", "player": "Boris", "what": ["cell:board.3"]},
        "Boris chooses c1 of the board.",
    ),
    ({"kind": "chose", "player": "Boris", "what": []}, "Boris chooses nothing."),
    ({"kind": "chose", "player": "Boris", "count": 1}, "Boris chooses a card."),
    ({"kind": "chose", "player": "Boris"}, "Boris has answered."),
    ({"kind": "passed", "player": "Boris"}, "Boris passes."),
    ({"kind": "passed", "player": "Ana"}, "You pass."),
    (moved("draw", "bag", "Boris.hand", count=1), "Boris draws a card from the bag."),
    (moved("draw", "bag", "Ana.hand", cards=["ruby"]), "You draw Ruby from the bag."),
    (
        moved("draw", "bag", "Ana.hand", cards=["ruby"], count=2),
        "You draw Ruby and 2 more cards from the bag.",
    ),
    (moved("draw", "bag", "box", count=2), "2 cards are drawn from the bag to the box."),
    (moved("deal", "deck", "Boris.hand", count=3), "Boris is dealt 3 cards from the deck."),
    (moved("deal", "deck", "Ana.hand", cards=["ruby", "ruby"]), "You are dealt 2 × Ruby from the deck."),
    (moved("pass", "Boris.hand", "Ana.hand", count=3), "Boris passes 3 cards to you."),
    (moved("move", "Boris.hand", "open", "up", cards=["ruby"]), "Ruby goes from Boris' hand to the open."),
    (moved("move", "Ana.hand", "open", count=2), "2 cards go from your hand to the open, face down."),
    (moved("swap", "row", "Ana.hand", count=1), "A card goes from the row to your hand in exchange."),
    (
        {"kind": "pieces", "count": 2, "from": "bank", "to": "Cleo.purse"},
        "2 gems go from the bank to Cleo's purse.",
    ),
    ({"kind": "shuffled", "place": "deck"}, "The deck is shuffled."),
    ({"kind": "picked", "what": ["card:old_coin"]}, "Old_Coin is picked at random."),
    ({"kind": "picked", "what": ["player:Ana"]}, "You are picked at random."),
    ({"kind": "picked", "what": ["player:Boris"]}, "Boris is picked at random."),
    ({"kind": "picked", "count": 2}, "2 cards are picked at random."),
    ({"kind": "picked", "what": ["number:2"], "name": "lucky_number"}, "2 is picked at random."),
    ({"kind": "picked", "what": ["number:2"], "name": "n", "player": "Boris"}, "Boris picks 2 at random."),
    ({"kind": "picked", "count": 1, "name": "loot", "player": "Ana"}, "You pick a card at random."),
    (
        {"kind": "chose", "player": "Boris", "what": ["word:gold"], "count": 1},
        "Boris chooses gold and a card.",
    ),
    (
        {"kind": "rolled", "place": "row", "dice": [["ruby", 3], ["ruby", 4]], "count": 0},
        "A roll in the row: 3 and 4.",
    ),
    (
        {"kind": "rolled", "place": "row", "dice": [["ruby", 3], ["old_coin", 1], ["ruby", 4]], "count": 0},
        "A roll in the row: Ruby 3, 4 and Old_Coin 1.",
    ),
    (
        {"kind": "chose", "player": "Boris", "what": ["list:ruby+old_coin"]},
        "Boris chooses Ruby and Old_Coin.",
    ),
    ({"kind": "chose", "player": "Boris", "what": ["list:Ana+board.4"]}, "Boris chooses you and a2 of the board."),
    ({"kind": "rolled", "place": "row", "dice": [], "count": 2}, "A roll in the row: 2 dice stay hidden."),
    ({"kind": "revealed", "place": "Cleo.hand", "cards": ["ruby"]}, "Ruby in Cleo's hand is turned face up."),
    ({"kind": "uncovered", "place": "deck", "cards": ["ruby"]}, "Ruby now lies open on the deck."),
    ({"kind": "opened", "place": "Cleo.hand", "cards": ["ruby"]}, "Ruby was in Cleo's hand."),
    ({"kind": "covered", "place": "row", "count": 2}, "2 cards in the row are turned face down."),
    (
        {"kind": "shown", "to": ["Ana"], "place": "Boris.hand", "cards": ["ruby"]},
        "You are shown Ruby in Boris' hand.",
    ),
    (
        {"kind": "shown", "to": ["Boris", "Cleo"], "place": "deck", "count": 1},
        "Boris and Cleo are shown a card in the deck.",
    ),
    ({"kind": "told", "to": ["Ana"], "question": "x is y", "answer": False}, "You learn whether x is y: no."),
    ({"kind": "told", "to": ["Boris"], "question": "x is y"}, "Boris learns whether x is y."),
    ({"kind": "said", "text": "so be it"}, "so be it"),
    ({"kind": "set", "what": "turns", "value": 5}, "Turns: 5."),
    ({"kind": "set", "what": "shade", "value": "dark"}, "Shade: Dark."),
    ({"kind": "set", "what": "starter", "value": "Ana"}, "Starter: you."),
    ({"kind": "set", "what": "prize", "value": "ruby"}, "Prize: Ruby."),
    ({"kind": "set", "what": "prize", "value": "?"}, "Prize: a card."),
    ({"kind": "set", "what": "prize", "value": None}, "Prize: nothing."),
    ({"kind": "set", "what": "Ana.last_wealth", "value": 50000}, "Your last wealth: 500 CU."),
    ({"kind": "set", "what": "Boris.last_wealth", "value": 50001}, "Boris' last wealth: 500 CU 1 cent."),
    ({"kind": "set", "what": "ruby.cracked", "value": True}, "Ruby: cracked."),
    ({"kind": "set", "what": "?@Boris.hand.cracked", "value": True}, "A card in Boris' hand: cracked."),
    (
        {
            "kind": "because",
            "what": "Ana.innocent",
            "value": False,
            "lines": [
                {"card": None, "name": "verdict", "lines": [["something to show", True]]},
                {"card": "ruby", "name": "fine", "lines": [["red", True], ["no scratch", False], ["cut", True]]},
                {"card": "old_coin", "name": "fine", "lines": [["no scratch", False]]},
                {"card": None, "name": "last_hope", "lines": [["in hand", 3], ["elsewhere", 4]]},
            ],
        },
        "You, innocent: no. Not met: no scratch (Ruby and Old_Coin). Last hope: in hand 3 + elsewhere 4.",
    ),
    (
        {
            "kind": "because",
            "what": "Ana.innocent",
            "value": True,
            "lines": [
                {"card": None, "name": "verdict", "lines": [["something to show", True]]},
                {"card": "ruby", "name": "fine", "lines": [["red", True], ["cut", True]]},
                {"card": "old_coin", "name": "fine", "lines": [["no scratch", False]]},
            ],
        },
        "You, innocent: yes. Met: red and cut (Ruby).",
    ),
    (
        {
            "kind": "because",
            "what": "Cleo.last_wealth",
            "value": 30001,
            "lines": [{"card": None, "name": "wealth", "lines": [["in hand", 30000], ["debts", 0], ["coin", 1]]}],
        },
        "Cleo's last wealth: 300 CU 1 cent = in hand 300 CU + coin 1 cent.",
    ),
    (
        {
            "kind": "because",
            "what": "Cleo.last_wealth",
            "value": 30001,
            "lines": [{"card": None, "name": "wealth", "lines": [["coin", 1]]}],
        },
        "Cleo's last wealth: 300 CU 1 cent. Wealth: coin 1 cent.",
    ),
    ({"kind": "eliminated", "players": ["Boris"]}, "Boris is eliminated."),
    ({"kind": "won", "players": ["Ana", "Cleo"]}, "You and Cleo win."),
    ({"kind": "won", "players": []}, "Nobody wins."),
    (
        {
            "kind": "over",
            "ranks": {"Ana": 2, "Boris": 1, "Cleo": 3},
            "scores": {"Ana": 4, "Boris": 7, "Cleo": 0},
        },
        "The game is over: 1. Boris (7), 2. you (4), 3. Cleo (0).",
    ),
]


@pytest.mark.parametrize(
    ("event", "sentence"), SENTENCES, ids=[f"{i}-{one[0]['kind']}" for i, one in enumerate(SENTENCES)]
)
def test_an_event_is_one_sentence(program: Program, event: dict[str, Any], sentence: str) -> None:
    facts = dict(event)
    assert describe_event(program, NAMES, Event(facts.pop("kind"), facts), you=0) == sentence


def test_without_a_reader_everybody_has_a_name(program: Program) -> None:
    facts = moved("draw", "bag", "Ana.hand", count=1)
    assert describe_event(program, NAMES, Event(facts.pop("kind"), facts)) == "Ana draws a card from the bag."


def test_every_kind_of_event_has_a_sentence() -> None:
    assert {event["kind"] for event, _ in SENTENCES} == set(account._SENTENCES)


def test_whole_games_are_told() -> None:
    game = Game(lower(secret_game(), 3), 3, NAMES)
    below = Source(1, "test").below
    while not game.over:
        answer_at_random(game, below)
    for seat in range(3):
        told = [describe_event(game.program, NAMES, event, seat) for event in game.events(seat)]
        assert all(told)
        assert any(sentence.startswith("You are dealt ") for sentence in told)
