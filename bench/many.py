"""A game of very many files of cards, for measuring.

In: a folder, how many files, how many scripts in each. Out: the game, written there, without a mistake. Every script is
different: in its shape (one of twelve, with twists), in its numbers, or in both. Never: random; the same numbers make
the same game.
"""

from __future__ import annotations

from pathlib import Path

TOP = """\
format: 1
name: Many
players: 2..4
words:
  timing: [early, late]
kinds:
  trick:
    has: {timing: timing, price: number}
    state: {charge: 0}
    asks: {playable(me): {type: yes_no, default: yes}}
    does: {effect(me): }
places:
  table:
    deck: {holds: trick, kept: pile, seen_by: nobody}
    heap: {holds: trick, kept: loose, seen_by: everyone}
  player:
    hand: {holds: trick, kept: loose, seen_by: owner}
    row: {holds: trick, kept: loose, seen_by: everyone}
memory:
  table: {tide: 0}
  player: {gold: 0, fame: 0}
values:
  rich(p): p.gold > 9
  dear(p): p.row where price > 3 or charge > 0
rules:
  game: |
    move cards to deck
    shuffle deck
    deal 5 from deck to each hand
    loop as lap:
      each me in players:
        do turn(me)
        if tide > 99 or me.hand is empty:
          stop lap
  turn(me): |
    if deck is not empty:
      draw 1 from deck to me.hand
    may choose card from me.hand where playable(me) "Which card do you play?"
    if card is something:
      do card.effect(me)
      if card in me.hand:
        move card to heap
    add 1 to tide
  pay(me, friend, number much): |
    let given = min(much, me.gold)
    add -given to me.gold publicly
    add given to friend.gold publicly
result: {rank: most gold then most fame then count(row)}
"""
_HEAD = """\
  trick_{n}:
    kind: trick
    timing: {timing}
    price: {price}
"""
_SHAPES = (
    """\
    effect: |
      if me.gold > {n} and count(me.hand) > {a}:
        choose friend from others "Who gets a card of yours?"
        choose gift from me.hand "Which card do you give away?"
        move gift to friend.hand
      else:
        add {n} to me.gold
""",
    """\
    playable: deck is not empty and tide < {n}
    effect: |
      draw {a} from deck to me.row
      each c in me.row where charge < {n} and timing is {timing}:
        add {a} to c.charge
      add count(dear(me)) to me.fame
""",
    """\
    effect: |
      each p in players chooses gift from p.hand "What do you give?"
      each p in players:
        move gift[p] to p.left.row
      add sum(price of me.row) + {n} to me.fame
""",
    """\
    playable: any(others where hand is not empty)
    effect: |
      choose friend from others where hand is not empty "Whose card do you look at?" else return
      pick found from friend.hand at random
      show found to me
      may choose one "Do you keep {{found}}?":
        "Keep it":
          move found to me.hand
          add -{n} to me.gold
        "Put it down" if me.gold > {n}:
          move found to heap
""",
    """\
    effect: |
      repeat {a}:
        choose friend from others where it.gold > {n} "Who pays?" else stop
        do pay(friend, me, {n})
      if rich(me):
        add {a} to me.fame
""",
    """\
    effect: |
      let best = 0
      each p in others where p.row is not empty:
        if sum(price of p.row) > best + {n}:
          set best = sum(price of p.row)
      add max(best, {a}) to me.gold
""",
    """\
    playable: count(heap) > {a}
    effect: |
      choose 0..{a} taken from heap where charge < {n} "Which cards do you take?"
      move taken to me.hand
      if count(taken) is 0:
        add {n} to me.gold
      else if count(taken) > 1:
        add -{n} to me.gold
""",
    """\
    effect: |
      choose one "What will you do?":
        "Draw":
          draw {a} from deck to me.hand
        "Buy fame" if me.gold > {n}:
          add -{n} to me.gold
          add {a} to me.fame
        "Put a card back" if me.row is not empty:
          choose back from me.row "Which card goes back?"
          move back to deck
          shuffle deck
""",
    """\
    effect: |
      let givers = others where it.gold > {n} and count(row) < {a}
      each p in givers:
        do pay(p, me, {n} + count(p.row))
      if count(givers) > 1 and not rich(me):
        add 2 * {n} - {a} to me.fame
""",
    """\
    playable: me.hand is not empty
    effect: |
      choose gift from me.hand where timing is {timing} "Which card do you lay out?" else return
      move gift to me.row
      set gift.charge = {n}
      if any(me.row where charge > {n} or price is {price}):
        add gift.price to me.gold
""",
    """\
    effect: |
      each p in players chooses bid from 0..{b} "What do you bid?"
      each p in players:
        if bid[p] is something and bid[p] > {a}:
          add -bid[p] to p.gold publicly
          add bid[p] + {n} to p.fame publicly
      if bid[me] is 0:
        draw 1 from deck to me.hand
""",
    """\
    effect: |
      choose friend from others sorted by most gold "With whom do you swap?"
      let mine = me.hand
      move friend.hand to me.row
      move mine to friend.hand
      if all(c.price > {a} for c in me.row) or friend.gold is {n}:
        set tide = {n}
""",
)
_TWISTS = (
    "",
    "      if tide is {n}:\n        add 1 to me.gold\n",
    "      add {a} to tide\n",
    "      each p in others where p.fame > {n}:\n        add -1 to p.fame\n",
    "      if count(me.hand where price > {a}) > {b}:\n        draw 1 from deck to me.row\n",
)


def _card(n: int) -> str:
    shape, twist = _SHAPES[n % len(_SHAPES)], _TWISTS[n // len(_SHAPES) % len(_TWISTS)]
    timing = ("early", "late")[n % 2]
    return (_HEAD + shape + twist).format(n=n, a=n % 3 + 1, b=n % 7 + 3, price=n % 9, timing=timing)


def written(game: Path, files: int, scripts: int) -> Path:
    """The game in a folder."""
    game.mkdir()
    (game / "rulebook.yaml").write_text(TOP, "utf-8")
    for file in range(files):
        cards = "".join(_card(number) for number in range(file * scripts + 1, (file + 1) * scripts + 1))
        (game / f"cards_{file:04}.yaml").write_text("cards:\n" + cards, "utf-8")
    return game
