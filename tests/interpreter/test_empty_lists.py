"""Every sentence and question that goes through something, where there is nothing.

There are kinds without a card, lists without an item, and ranges that end before they begin.
"""

from __future__ import annotations

import textwrap
from pathlib import Path

import pytest
from sound import play_soundly

from rulebook.interpreter.lower import lower
from rulebook.loading import load

GAME = """
format: 1
name: Empty
players: 2..3
words: {suit: [red, blue]}
kinds:
  pawn: {has: {rank: number}}
  ghost:
    has: {r: number, s: suit}
    state: {pips: 0, q: suit}
    asks: {worth(me): {type: number, default: 0}}
    places: {home: {holds: [pawn, ghost], kept: row, seen_by: everyone}}
cards:
  piece: {kind: pawn, rank: 1, copies: 3}
places:
  table:
    box: {seen_by: everyone}
    heap: {holds: [pawn, ghost], kept: pile, seen_by: everyone}
    bag: {holds: [pawn, ghost], kept: bag, seen_by: nobody}
    slot: {holds: ghost, kept: slot, seen_by: everyone}
    pool: {holds: ghost, kept: pool, seen_by: everyone}
  player:
    hand: {holds: [pawn, ghost], kept: loose, seen_by: owner}
memory: {table: {total: {type: number, default: 0, seen_by: nobody}, w: suit}, player: {score: 0}}
result: {payoff(p): p.score}
rules:
  game: |
    move cards to heap
"""
GHOSTS = ("heap where it is ghost", "cards where it is ghost", "first(heap where it is ghost, 2)")
OF_GHOSTS = (
    "sum(r of {})", "max(r of {})", "min(r of {})", "max(r of {}, 0)", "min(r of {}, 7)", "count({})",
    "count(distinct(r of {}))",
    "first(r of {})", "last(r of {})", "count({} with most r)", "count({} with least r then pips)", "sum(pips of {})",
    "sum(r of last({}, 2))", "max(count(x.home) for x in {})", "count({} sorted by least r)",
    "count(x.home for x in {})",
    "sum(r of (({}) + ({})))",
)  # fmt: skip
OF_NOTHING = (
    "sum(1..0)", "max(1..0)", "max(3..1, 2)", "max([])", "sum([])", "count([])", "max([], 3)", "max(1, max([]))",
    "first([])",
    "count([] with most it)", "count([] sorted by least it)", "count(distinct([]))",
)  # fmt: skip
SENTENCES = (
    "each c in heap where it is ghost:\n  set c.pips = c.r",
    "pick c from heap where it is ghost at random\nset total = c.r",
    "each p in players:\n  p chooses c from heap where it is ghost\n  set total = c.r", "set total = slot.pips",
    "set total = slot.r",
    "draw 1 from pool to pool", "set total = count(pool)", "swap slot with slot", "move slot to bag",
    "reveal slot", 'say "{slot.r}"',
    "each c in heap where it is ghost:\n  move c to c.home", "each c in heap where it is ghost:\n  move c.home to bag",
    "each n in 5..1:\n  add n to total", "repeat 0 - 3:\n  add 1 to total", "pick n from 3..1 at random\nset total = n",
    "each p in players:\n  p chooses n from 3..1\n  set total = n",
    "each p in players:\n  p chooses n from []\n  set total = n",
    "each p in players:\n  each c in heap where it is ghost:\n    set total = c.worth(p)",
    "each c in []:\n  move c to heap",
    "if any(heap where it is ghost and it.r > 3):\n  win nobody", "set w = first(s of cards where it is ghost)",
    "win []", "reveal []",
    'say "{max(r of heap where it is ghost)}"', "move [] to heap", "set w = first([])", "shuffle bag",
    "repeat max([]):\n  add 1 to total",
    "each n in 1..max([]):\n  add 1 to total", "show heap where it is ghost to players",
    "reveal cards where it is ghost",
    "each p in players:\n  p arranges heap where it is ghost", "tell players whether any([])", "eliminate first([])",
)  # fmt: skip
SCRIPTS = (
    *(
        f"let x = {one.format(*[ghosts] * 2)}\nif x is something:\n  add x to total"
        for one in OF_GHOSTS
        for ghosts in GHOSTS
    ),
    *(f"let x = {one}\nif x is something:\n  set total = x" for one in OF_NOTHING),
    *SENTENCES,
)


@pytest.mark.slow
@pytest.mark.parametrize("players", [2, 3])
def test_what_goes_through_nothing_runs(tmp_path: Path, players: int) -> None:
    refused = []
    for script in SCRIPTS:
        (tmp_path / "rulebook.yaml").write_text(GAME + textwrap.indent(script, "    ") + "\n", "utf-8")
        loaded = load(tmp_path, meant=players == 2)
        rulebook, found = loaded.rulebook, loaded.messages
        if rulebook is None:
            refused.append((script, [one.message for one in found if one.severity == "error"]))
            continue
        play_soundly(lower(rulebook, players), 1)
    assert not refused
