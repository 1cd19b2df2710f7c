"""A card that somebody takes from where everyone looks is known to all, whatever it had to be to be taken."""

from __future__ import annotations

import pytest

from rulebook.examples import of_its_own
from rulebook.playtest.leaking.messages import search_leaks

GAME = """
format: 1
name: Shop
players: 2..3
kinds: {ware: {has: {worth: 1..4}}}
cards: {basket: {kind: ware, name: "{worth}", each: {worth: 1..4}, copies: 9}}
places:
  table:
    deck: {holds: ware, kept: pile, seen_by: nobody}
    shop: {holds: ware, kept: row, seen_by: everyone}
  player:
    hand: {holds: ware, kept: loose, seen_by: owner}
    bought: {holds: ware, kept: row, seen_by: everyone}
memory: {player: {spent: 0, coins: {type: 0..99, default: 2, seen_by: owner}}}
rules:
  game: |
    move cards to deck
    shuffle deck
    deal 2 from deck to each hand
    repeat 3:
      each me in players:
        add 1 if count(me.hand where worth > 2) > 1 else 0 to me.coins
        draw 3 - count(shop) from deck to shop
        do buy(me)
  buy(me): |
    CHOOSE
    do pay(me, c)
  pay(me, ware c): |
    if c.worth > 1:
      add 1 to me.spent
    add c.worth to me.spent
    if c in shop:
      move c to me.bought
result: {rank: most spent}
"""


@pytest.mark.parametrize(
    ("choose", "is_told"),
    [
        ("may choose c from shop where worth <= me.coins", True),
        ("may choose c from shop where worth <= me.coins sorted by most worth", True),
        ("may choose c from shop where worth <= me.coins, me.bought where worth <= me.coins", True),
        # A single answer is taken without a word, and nobody else hears of it.
        ("choose c from shop where worth <= me.coins", False),
        ("me secretly chooses c from shop where worth <= me.coins", False),
        ("may choose c from shop where worth <= me.coins, me.hand", False),
        ("may choose c from me.hand where worth <= me.coins", False),
    ],
)
def test_what_is_taken_in_the_open_is_told(choose: str, is_told: bool) -> None:
    rulebook, found = of_its_own(GAME.replace("CHOOSE", choose))
    codes = {message.code for message in found if message.severity == "error"}
    assert codes == (set() if is_told else {"RB601"}), [message.message for message in found]
    if is_told:
        assert rulebook is not None
        assert search_leaks(rulebook, None, {}, 20, 2000).messages == ()
