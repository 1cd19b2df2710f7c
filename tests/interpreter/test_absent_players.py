"""What is asked of somebody who is not there, wherever it may be asked: nothing goes wrong, and the game goes on."""

from __future__ import annotations

import textwrap

import pytest
from drawn_choices import GAME
from leaks import answer_at_random

from rulebook.examples import of_its_own
from rulebook.interpreter.determinize import Twins, determinize
from rulebook.interpreter.game import Game
from rulebook.interpreter.layout import PENDING
from rulebook.interpreter.lower import lower
from rulebook.interpreter.program import Program
from rulebook.interpreter.random import Source
from rulebook.interpreter.views import collect_facts
from rulebook.interpreter.wording import NOTHING

NAMES = ("Ana", "Ben", "Cleo")

NAMINGS = {
    "a choice without an option": "choose x from me.shop where it.value > 9\n",
    "a pick from nothing": "pick x from me.shop where it.value > 9 at random\n",
    "a line that was left out": "choose w from me.shop where it.value > 9\nlet x = w\n",
    "the first of none": "let x = first(me.shop where it.value > 9)\n",
    "an option that was passed": "may choose x from me.shop\n",
    "in a later round": "repeat 2:\n  may choose y from me.shop else skip\n"
    "  choose x from me.shop where it.value > y.value\n",
}
"""How a card comes to be named, or not, by `x`."""

READINGS = (
    'choose one "Which?":\n  "Red" if x.value > 1:\n    set me.score = 2\n  "White"\n  "None"\n',
    'choose one "Which?":\n  "Red {x}":\n    set me.score = 2\n  "It is {x.value}"\n  "None"\n',
    'choose one "Which, {x.value}?":\n  "Red"\n  "White"\n',
    'may "Show it?":\n  reveal x\n',
    'may choose one:\n  "Red" if x is gem:\n    set me.score = 2\n  "White"\n',
    'offer players in turn as p "Now?":\n  "Red" if any(p.shop where it.value is x.value):\n    stop\n  "White"\n',
    'offer others together as p:\n  "Red {x.value}" if x.value > 1:\n    stop\n  "White"\n',
    "choose y from [me.ring, first(red(me)), x]\n",
    "choose y from [first(red(me)), first(me.shop where it.value > 9)]\n",
    "choose y from [first(me.shop), first(others).ring] where it.value > 1\n",
    "choose y from me.shop so that y.value > x.value\n",
    "choose up to (x.value) ys from me.shop\n",
    "choose (x.value) ys from me.shop so that count(ys) > x.value\n",
    "choose a, b from me.shop so that a.value + b.value > x.value\n",
    "each p in players chooses y from p.shop so that y.value > x.value\n",
    "each p in players may choose y from [x, first(p.shop)]\n",
    "each p in players chooses:\n  y from p.shop\n  z from p.shop where it.value > y.value + x.value\n",
    'stage bidding "{x} for {x.value}" until x.value > 2:\n  set me.score = 2\n',
    "pick x2 from me.shop at random\nstage bidding until x2.value > 2:\n"
    "  choose x2 from me.shop where it.value > 9\n  set me.score = 2\n",
    "arrange (me.shop where it.value is x.value)\n",
    "each c in [x, first(me.shop)] as n:\n  reveal c\n",
    "repeat x.value as n:\n  set me.score = n\n",
    "if x.value > 1:\n  set me.score = 2\nelse:\n  set me.score = 3\n",
    "if x is something and x.value > 1:\n  set me.score = 2\nelse:\n  set me.score = 3\n",
    'say "{x.value}"\n',
    "tell others whether x.value > 1\n",
    "show x to others\nreveal [x, first(me.shop)]\n",
    "move [x, first(me.shop)] to me.shop\n",
    "swap x with first(me.shop)\n",
    "draw x.value from sack to me.shop as ys\nreveal ys\n",
    "pick y from [x, first(me.shop)] at random\nreveal y\n",
    "set me.pledge = x\nset me.score = x.value\nadd x.value to me.score\n",
    "do act_with(me, x)\n",
    "do x.effect(me)\n",
    "do ask(me) for x\n",
    "let y = max(c.value for c in [x, first(me.shop)])\nif y is something:\n  set me.score = y\n",
    "let ys = [x, first(me.shop)] sorted by most value\nlet y = first(ys)\nreveal y\n",
    "return x.value\n",
    "win others where count(shop) > x.value\n",
    "eliminate first(others where count(shop) > x.value)\n",
)
"""Sentences that read `x`, in every place of the grammar in which a value may stand."""


def program(script: str) -> Program | None:
    text = GAME.replace("{asked}", '    say "Well?"').replace("{script}", textwrap.indent(script, "    "))
    rulebook, _ = of_its_own(text, "absent.yaml")
    return None if rulebook is None else lower(rulebook, 3)


def play(rules: Program, seed: int) -> Game:
    """A random game; whoever looks on sees every page on the way."""
    game = Game(rules, seed, NAMES)
    below = Source(seed, "absent").below
    while game.decision is not None:
        for seat in range(3):
            assert "\0" not in str(game.view(seat).to_json())
        for ask in game.decision.asks:
            game.barred(ask.seat)
        answer_at_random(game, below)
    return game


@pytest.mark.slow
@pytest.mark.parametrize("naming", NAMINGS)
def test_nothing_goes_wrong_wherever_a_value_is_read(naming: str) -> None:
    """Every sentence after three of the ways in which it may come to be named."""
    played = 0
    for reading in READINGS[[*NAMINGS].index(naming) % 2 :: 2]:
        rules = program(NAMINGS[naming] + reading)
        if rules is not None:
            played += 1
            for seed in range(3):
                play(rules, seed)
    assert played >= 10, "most sentences pass the check"


def test_a_menu_that_asks_of_nobody_is_skipped() -> None:
    rules = program(NAMINGS["a choice without an option"] + READINGS[0])
    assert rules is not None
    assert all(event.kind != "chose" or "label:Red" not in event.facts["what"] for event in play(rules, 1).events(0))


def test_a_label_shows_what_is_not_there_as_nothing() -> None:
    rules = program(NAMINGS["a choice without an option"] + READINGS[1])
    assert rules is not None
    game = Game(rules, 1, NAMES)
    while game.decision is not None and "label:None" not in game.decision.asks[0].keys:
        game.answer(game.decision.asks[0].seat, game.decision.asks[0].keys[0])
    assert game.decision is not None
    labels = [option.label for option in game.decision.asks[0].options]
    assert labels == [f"Red {NOTHING}", f"It is {NOTHING}", "None"]


# ── open decisions, imagined ─────────────────────────────────────────────────────────────────────

OPEN = {
    "who has one card must choose it": "each p in players chooses y from p.hand\nmove y[me] to me.shop\n",
    "one red card is no choice": "each p in players chooses y from p.hand where colour is red\nreveal y[me]\n",
    "a second pick": "each p in players chooses:\n  y from p.hand where it.value > 1\n"
    "  z from p.hand where it.value < y.value\n",
    "picks one after the other": "me chooses a, b, c from me.hand where it.value > 1\nmove a to me.shop\n",
    "secretly": "each p in players secretly chooses y from p.shelf where it.value is 3\nreveal y[me]\n",
    "a number of hidden cards": "each p in players chooses up to (count(red(p))) ys from p.hand\n",
}


@pytest.mark.slow
@pytest.mark.parametrize("title", OPEN)
def test_what_is_imagined_of_an_open_decision_can_be_played_on(title: str) -> None:
    """Also where somebody in it had no choice, or has made a part of it."""
    rules = program(f"draw me.score from sack to me.hand\n{OPEN[title]}")
    assert rules is not None
    tried = 0
    for seed in range(25):
        game, below = Game(rules, seed, NAMES), Source(seed, "open").below
        while game.decision is not None:
            if title == "picks one after the other" or len(game.state[PENDING][1]) > 1:
                for seat in range(3):
                    for twin in (
                        determinize(rules, game.state, seat, below),
                        Twins(rules, game.state, seat).draw_state(below, answered=False),
                    ):
                        assert twin is not None
                        tried += 1
                        fork = game.fork(twin, watch=True)
                        assert (
                            collect_facts(rules, NAMES, twin, seat)["places"]
                            == collect_facts(rules, NAMES, game.state, seat)["places"]
                        )
                        assert fork.view(seat).ask == game.view(seat).ask
                        while fork.decision is not None:
                            answer_at_random(fork, below)
            answer_at_random(game, below)
    assert tried > 30
