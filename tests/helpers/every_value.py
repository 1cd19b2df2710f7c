"""Every sentence and expression of the language with every sort of value in its hole, in a small game.

Most are refused; what the checker lets pass, machine and core must play alike, and nothing else may go wrong.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from cores import play_both

from rulebook.examples import of_its_own
from rulebook.interpreter.lower import lower

VALUES = (
    "here_bag", "here_loose", "here_pile", "here_row", "here_slot", "here_pool", "here_grid", "box", "me.hand",
    "me.purse", "first(deck)", "last(here_slot)", "deck", "[first(deck),last(deck)]", "[]",
    "[[first(deck)],[last(deck)]]", "me", "others", "players", "seats", "[me,first(others)]", "me.left", "3", "-1",
    "0", "[1,2]", "1..3", "5 CU", '"word"', '"{me}"', "red", "[red,red]", "yes", "no", "nothing", "every shade",
    "take", "actions", "first(cells(here_grid))", "cells(here_grid)", "card_a", "paper", "me.score", "gold",
    "me.flag", "mood", "options.rounds", "options.big", "rows(here_grid)", "(first(deck) if yes else nothing)",
    "first(deck).worth", "first(deck).tint", "first(deck).spin", "first(others).hand", "hand of players",
    "(worth of deck)", "deck where worth > 1", "deck with most worth", "deck sorted by most worth", "count(deck)",
    "sum(worth of deck)", "max(worth of deck)", "clockwise from me", "gift[me]", "gift", "size(me)",
    "first(deck).ask(me)", "boat.hold", "boat", "x", "sealed", "distinct(tint of deck)", "2 * 3", "worth_in_CU",
)  # fmt: skip
SENTENCES = (
    "draw 1 from # to dump", "draw # from deck to dump", "draw 1 from deck to #", "deal # from deck to each hand",
    "deal 1 from # to each hand", "move # to dump", "move first(deck) to #", "move # from here_pool to lost",
    "move 1 from # to lost", "move 1 from lost to #", "move all from # to dump", "move all from deck to #",
    "swap # with first(here_row)", "swap here_slot with #", "swap # with #", "shuffle #", "arrange #", "roll #",
    "pick y from # at random", "pick # y from deck at random", "reveal #", "turn # face down", "show # to all",
    "show deck to #", "tell # whether yes", "tell all whether #", 'say "{#}"', 'say "a" to #', "set gold = #",
    "set me.score = #", "set mood = #", "set me.flag = #", "set # = 1", "add # to gold", "add 1 to #",
    "add # to me.cash", "let y = #\n    let z = y", "let y = #\n    set gold = y", 'let y = #\n    say "{y}"',
    "do act2(#)", "do act3(#)", "do act4(#)", "do first(deck).use(#)", "do take.effect(#)", "do #.use(me)", "win #",
    "eliminate #", "return #", "me chooses y from #", "me chooses y from # so that y is #",
    "me chooses # y from deck", "me chooses 1..(#) y from deck", "me chooses 2 y from # so that sum(y) > 1",
    "me chooses any number of y from # so that count(y) > 1", "me chooses order y from #", "# chooses y from deck",
    "me secretly chooses y from #", "each q in players secretly chooses y from #",
    "each q in # chooses y from deck", 'each q in #:\n      say "{q}"', 'each q in # as n:\n      say "{q}"',
    'repeat #:\n      say "r"', 'if #:\n      say "i"', 'if # is nothing:\n      say "i"',
    'if # is empty:\n      say "i"', 'if # is something:\n      say "i"', 'if # is #:\n      say "i"',
    'if # is 1:\n      say "i"', 'if # is first(deck):\n      say "i"', 'if # is not red:\n      say "i"',
    'if # in deck:\n      say "i"', 'if first(deck) in #:\n      say "i"', 'if me in #:\n      say "i"',
    'if 1 in #:\n      say "i"', 'if # > 1:\n      say "i"', 'if # >= #:\n      say "i"',
    'if # is note:\n      say "i"', 'stage st until #:\n      say "s"',
    'offer # in turn as q "o":\n      "a":\n        say "x"',
    'offer # together as q "o":\n      "a":\n        say "x"', "let y = # + 1", "let y = # + #", "let y = -#",
    "let y = # * 2", "let y = # / #", "let y = # % 2", "let y = 1..#", "let y = count(#)", "let y = sum(#)",
    "let y = max(#)", "let y = min(#, 1)", "let y = max(#, #)", "let y = first(#)", "let y = last(#)",
    "let y = first(#, 2)", "let y = first(deck, #)", "let y = distinct(#)", "let y = any(# for it in deck)",
    "let y = all(it.worth > 1 for it in #)", "let y = sum(worth of #)", "let y = # where it is red",
    "let y = deck where #", "let y = # where yes", "let y = # sorted by most worth",
    "let y = deck sorted by most #", "let y = # with most worth", "let y = deck with least #", "let y = worth of #",
    "let y = hand of #", "let y = #.worth", "let y = #.hand", "let y = #.left", "let y = #.score", "let y = #.tint",
    "let y = #[1]", "let y = #[me]", "let y = deck[#]", "let y = clockwise from #", "let y = # if yes else 1",
    "let y = 1 if # else #", "let y = [#, #]", "let y = [#, 1]", "let y = rows(#)", "let y = lines(#, 2)",
    "let y = cells(#)", "let y = around(#)", "let y = beside(#)", "let y = row(#)", "let y = column(#)",
    "let y = size(#)", "let y = # for q in deck", "let y = q for q in #", "let y = not #", "let y = # and yes",
    "let y = # or yes", "let y = combos(#)", "let y = runs(#)", "let y = owner(#)", "let y = place(#)",
    "let y = lap(#)", "let y = random(#)", "let y = abs(#)", "let y = steps(#)", "let y = options.ladder(#)",
)  # fmt: skip
"""Each `#` is the hole."""
GAME = """\
format: 1
name: Every value
players: 2..3
units: {CU: 1}
words: {shade: [red, blue]}
options:
  rounds: {type: 1..9, default: 3}
  big: {type: yes_no, default: no}
  ladder: {type: steps, default: {1: 3, 4: 5}}
kinds:
  note:
    has: {worth: {type: number, default: 1}, tint: {type: shade, default: red}}
    state: {spin: 0}
    asks: {"ask(me)": number}
    does: {use(me): }
  coin: {is: note}
  boat: {places: {hold: {holds: note, kept: loose, seen_by: everyone}}}
  die: {state: {pips: {type: 1..6}}}
places:
  table:
    deck: {holds: [note], kept: pile, seen_by: everyone}
    dump: {holds: [note, boat, die], kept: loose, seen_by: everyone}
    lost: {holds: [note], kept: pool, seen_by: everyone}
    here_bag: {holds: [note], kept: bag, seen_by: everyone}
    here_loose: {holds: [note], kept: loose, seen_by: everyone}
    here_pile: {holds: [note], kept: pile, seen_by: everyone}
    here_row: {holds: [note], kept: row, seen_by: everyone}
    here_slot: {holds: [note], kept: slot, seen_by: everyone}
    here_pool: {holds: [note], kept: pool, seen_by: everyone}
    here_grid: {holds: [note], kept: grid, size: [2, 2], seen_by: everyone}
  player:
    hand: {holds: [note], kept: loose, seen_by: everyone}
    purse: {holds: [note], kept: pool, seen_by: everyone}
memory:
  table:
    gold: 0
    mood: shade
  player:
    score: 0
    flag: no
    cash: 0 CU
cards:
  paper: {kind: note, copies: 15, ask: "3", use: say "used"}
  card_a: {kind: coin, worth: 4, ask: "2", use: draw 1 from deck to me.hand}
  ship: {kind: boat}
  cube: {kind: die, copies: 2}
values:
  size(p): count(p.hand)
actions:
  take:
    possible: yes
    effect: draw 1 from deck to me.hand
rules:
  act2(me): draw 1 from deck to me.hand
  act3(note c): move c to dump
  act4(number n): draw n from deck to dump
  act(me): |
    PRE
    FORM
  game: |
    move first(box where it is note, 6) to deck
    move first(box where it is note) to here_bag
    move first(box where it is note) to here_loose
    move first(box where it is note) to here_pile
    move first(box where it is note) to here_row
    move first(box where it is note) to here_slot
    move first(box where it is note) to here_pool
    move first(box where it is note) to here_grid
    move first(box where it is note) to first(players).hand
    each p in players:
      do act(p)
    win nobody
"""
_NAMED = {
    "boat": "let boat = first(cards where it is boat)",
    "gift": "each q in players chooses gift from deck",
    "x": "me chooses x from deck",
    "sealed": "each q in players secretly chooses sealed from 1..3",
}
"""By name that a value uses, the sentence before it that gives the name."""


def list_pairs() -> Iterator[tuple[str, str]]:
    """Yield each sentence with each value."""
    return ((sentence, value) for sentence in SENTENCES for value in VALUES)


def try_pair(sentence: str, value: str) -> bool:
    """Check the game with a value in the hole of a sentence, and play it for two and three; tell whether it may be."""
    before = [line for name, line in _NAMED.items() if re.search(rf"\b{name}\b", value)] or ["let unused = 1"]
    text = GAME.replace("FORM", sentence.replace("#", value)).replace("PRE", "\n    ".join(before))
    rulebook, _ = of_its_own(text)
    if rulebook is None:
        return False
    for players in (2, 3):
        program = lower(rulebook, players)
        for seed in (0, 1):
            play_both(program, seed, 60)
    return True
