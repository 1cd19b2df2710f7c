"""Odd letters in every name that a game declares, and in every key: a message, and never a fall."""

from __future__ import annotations

import random
from pathlib import Path

import pytest
from mutating import Leaf, Map, at, changed, spots, tree_of, written

from rulebook.loading import load

GAME = """
format: 1
name: Names
players: 2..3
units: {penny: 1, crown: 12}
words: {suit: {red: Red, blue: Blue}, mood: [glad, sad]}
options: {pace: {type: 1..9, default: 3}, bonus: {type: steps, default: {2: 1}}}
forbid: {Too fast: options.pace > 8}
kinds:
  thing: {}
  pawn:
    is: thing
    has: {rank: number, suit: suit, cost: amount}
    state: {pips: {type: 1..6, seen: with_face}, mad: no}
    places: {lap: {holds: pawn, kept: row, seen_by: everyone}}
    asks: {worth(me): {type: number, default: 0}, fine(me): conditions}
    does: {effect(me): }
    may_do:
      ends(me, pawn other):
    may_change: {rank: {lasts: day}}
    comes_with: {hat: thing}
places:
  table:
    heap: {holds: [pawn, thing], kept: pile, seen_by: everyone, refill: rest}
    rest: {holds: [pawn, thing], kept: pile}
  player: {hand: {holds: [pawn, thing], kept: loose, seen_by: owner}}
memory:
  table: {total: 0, trump: suit}
  player: {score: {type: number, default: 0, lasts: day}}
cards:
  piece:
    kind: pawn
    name: "Piece {rank}"
    each: {rank: 1..3}
    suit: red
    cost: 1 crown
    copies: {suit: {red: 2, blue: 1}}
    fine: {rich: me.score > 3, sad: this.mad}
    effect: add 1 to me.score
    ends: |
      move this to me.hand
values:
  points(p): {score: p.score, cards: count(p.hand)}
  best(): max(points(p) for p in players)
rules:
  game: |
    move cards to heap
    stage day:
      each p in players:
        do take(p)
  take(me): |
    draw 1 from heap to me.hand
actions:
  rest_now: {name: Rest, text: Rest., possible: me.score > 1, effect: add 1 to me.score}
phrases: {heap: the heap}
measures: {height: best()}
display: {titles: {heap: Heap}, order: [heap], sort: {pawn: [rank]}, hidden: [total], colours: {pawn: red},
  symbols: {pawn: star, rank: {1: A}}, card: {pawn: {corner: [rank], cut: token}}}
result: {rank: most points}
"""
LETTERS = "#()[]{}.,:;-_ \t\n'\"äß0AÀ名\u00a0\u200b&*!|>%@`$/\\~^=+?\U0001f600"
NAMES = ("", "a(", "a)", "a(b", "a#b", "a(b)c", "a (b)", "(b)", "a(b#c)", "a b(c)", "a()b", "by", "<<", "9", "x" * 3000)


@pytest.mark.slow
def test_odd_letters_in_keys_are_no_bug(tmp_path: Path) -> None:
    chance = random.Random(1)
    path = tmp_path / "rulebook.yaml"
    path.write_text(GAME, "utf-8")
    found = load(tmp_path).messages
    assert [(one.message, one.where) for one in found if one.severity == "error"] == []
    tree = tree_of(path)
    keys = [spot for spot in spots(tree) if isinstance(at(tree, spot[:-1]), Map)]
    assert len(keys) > 90
    for number, spot in enumerate(keys):
        path.write_bytes(written(changed(tree, spot, lambda key, value: [(spoilt(key, chance), value)])).encode())
        found = load(tmp_path, meant=number % 4 == 0).messages
        assert isinstance(found, list)


def test_a_comment_in_a_signature_is_no_bug(tmp_path: Path) -> None:
    path = tmp_path / "rulebook.yaml"
    path.write_text(GAME, "utf-8")
    tree = tree_of(path)
    for spot in spots(tree):
        above = at(tree, spot[:-1])
        key = above.entries[spot[-1]][0] if isinstance(above, Map) else None
        for place in range(len(key.text) + 1) if key is not None and "(" in key.text else ():
            assert key is not None
            name = Leaf(f"{key.text[:place]}#{key.text[place:]}", "double")
            path.write_bytes(written(changed(tree, spot, lambda _, value, name=name: [(name, value)])).encode())
            load(tmp_path)


def spoilt(key: Leaf | None, chance: random.Random) -> Leaf:
    """A key with an odd letter in it, in front of its brackets, in them or behind them; or an odd one instead."""
    assert key is not None
    if chance.random() < 0.2:
        return Leaf(chance.choice(NAMES), "double")
    place = chance.randrange(len(key.text) + 1)
    return Leaf(key.text[:place] + chance.choice(LETTERS) + key.text[place + chance.randrange(2) :], "double")
