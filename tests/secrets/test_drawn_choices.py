"""Who cannot choose looks like who does not: twin games of drawn choices look the same to whoever looks on.

`bench/choices.py` draws many more.
"""

from __future__ import annotations

from random import Random

import pytest
from drawn_choices import Drawn, TooMuch, build_game, compare_twins, draw_script

from rulebook.interpreter import views
from rulebook.interpreter.lower import lower

ASK = "choose y from me.hand"

LEAKED = {
    "a condition on the whole choice": "choose any number of x from me.hand so that sum(value of x) >= 3",
    "the same, sealed": "each p in players may choose any number of x from p.hand so that sum(value of x) >= 5",
    "in a sealed block": "each p in players may choose:\n  x from p.hand so that p.mark\n  y from p.shelf",
    "a condition about something else": "may choose x from players so that me.mark",
    "a condition on a number": "each p in players may choose x from 1..3 so that x < p.plan",
    "a condition on a player": "may choose x from [me.left, me.friendly] so that x is not me.friendly",
    "how many at most": "friend chooses up to (friend.plan) x from market",
    "numbers that may be the same": "each p in players chooses x from [p.plan, 1]",
    "players that may be the same": "choose x from [me.left, me.friendly]",
    "words that may be the same": "choose x from (colour of me.hand)",
    "cards that may be the same": "choose x from [me.pledge, me.treasure]",
    "lists that may have a card in common": (
        "choose x from first(me.shelf, 1) + first((me.shelf sorted by least value), 1)"
    ),
    "cards that are alike": "each p in players chooses x from p.hand",
    "an order of cards that are alike": "choose order x from me.hand",
    "cards on a row that are alike": "arrange me.shelf",
    "a return behind a secret, in the block": (
        'choose x from me.hand:\n  if me.mark:\n    return\nfriend chooses one "Which?":\n  "A"\n  "B"'
    ),
    "a return behind a secret, in a window": (
        'offer players in turn as q "Well?":\n  "Yes":\n    if q.mark:\n      return\nfriend may "Well":\n  let u = 1'
    ),
    "a return behind a secret, where nobody answers": (
        "may choose x from me.hand where value > 1:\n  let u = 1\nelse:\n  if me.mark:\n    return\n"
        'friend chooses one "Which?":\n  "A"\n  "B"'
    ),
    "a stop that decides whether there is another round": (
        "repeat 2:\n  friend chooses x from 1..2\n  if me.mark:\n    stop"
    ),
    "a return that does": "repeat 2:\n  friend chooses x from 1..2\n  if me.mark:\n    return",
    "a stop out of a loop inside": (
        "repeat 2 as lap:\n  friend chooses x from 1..2\n  each c in me.hand:\n    if me.mark:\n      stop lap"
    ),
    "a return behind a quiet answer": 'if me.mark:\n  may "Go":\n    return\nfriend may "Well":\n  let u = 1',
}
"""Scripts by which an onlooker once could tell what Ana or Ben held."""


@pytest.mark.parametrize("script", LEAKED.values(), ids=LEAKED)
def test_who_cannot_looks_like_who_does_not(script: str) -> None:
    rulebook, found = build_game(Drawn(script, ASK))
    assert rulebook is not None, found
    assert compare_twins(lower(rulebook, 3), Random(2), twins=10) is None


@pytest.mark.slow
def test_drawn_choices_tell_nothing() -> None:
    compared = 0
    for seed in range(7000, 7025):
        random = Random(seed)
        drawn = draw_script(random)
        rulebook, _ = build_game(drawn)
        if rulebook is None:
            continue
        try:
            assert compare_twins(lower(rulebook, 3), random, twins=3) is None, drawn
        except TooMuch:
            continue
        compared += 1
    assert compared > 12


@pytest.mark.parametrize("script", [LEAKED["a condition on the whole choice"], LEAKED["cards that are alike"]])
def test_who_is_named_is_found(script: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Show that the tests above do compare something."""
    rulebook, _ = build_game(Drawn(script, ASK))
    assert rulebook is not None
    monkeypatch.setattr(views, "is_quiet", lambda program, state: False)
    assert compare_twins(lower(rulebook, 3), Random(2), twins=10) is not None
