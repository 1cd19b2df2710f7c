"""Small games in which something may be told by what happens, drawn at random: is all of it warned of?

In: a random number. Out: the script of a rule of a small game, and what the two sides say about it: the
pass that follows secrets (RB601, RB605), and the leak tests, which play. No sentence says `publicly`: that is meant,
whatever it tells. Never: decides which of them is right.
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import chain

from leaks import ListenedGame, answer_at_random, goes_on
from planted import GEMS

from rulebook.examples import of_its_own
from rulebook.interpreter.lower import lower
from rulebook.interpreter.random import Source

Below = Callable[[int], int]

CONDITIONS = [
    "ruby in me.hand",
    "any(me.left.hand where it is ruby)",
    "not any(me.hand where it is ruby)",
    "turns > 2",
    "ruby in me.hand and turns > 1",
    "me.marked",
    "seen is 1",
    "count(me.hand) > 1",
]
SENTENCES = [
    "add 1 to turns",
    "set holder = me.left",
    "add 1 to me.score",
    'say "Aha!"',
    "move 1 from supply to me.stash",
    "set me.marked = yes",
    "set seen = 1",
    "set seen = turns",
    "shuffle stock",
    "draw 1 from stock to me.hand",
    "set me.marked = no",
    "return",
    "do trace_of(me)",
]
SECRET_MEMORY = ["if ruby in me.hand:", "  set me.marked = yes"]
FIRST: list[list[str]] = [[], [], ["reveal me.hand"], ["tell players whether ruby in me.hand"]]
"""What lays something open; later on, it would excuse what has happened before it."""
LOOPS = [
    "each c in me.hand where it is ruby:",
    "each p in players where ruby in hand:",
    "each p in players:",
    "repeat 2:",
]


CARDS = """
format: 1
name: Cards laid open
players: 3..3
kinds: {gem: {has: {worth: 1..4}}}
cards: {stone: {kind: gem, each: {worth: 1..4}, copies: 5}}
places:
  table:
    stock: {holds: gem, kept: pile, seen_by: nobody}
    heap: {holds: gem, kept: pile, seen_by: top}
  player:
    hand: {holds: gem, kept: loose, seen_by: owner}
    line: {holds: gem, kept: row, seen_by: everyone}
    tower: {holds: gem, kept: pile, seen_by: top}
memory: {table: {turns: 0, named: player}, player: {score: 0}}
rules:
  game: |
    move cards to stock
    shuffle stock
    deal 2 from stock to each hand
    draw 2 from stock to heap
    deal 1 from stock to each tower
    repeat 2:
      each me in players:
        me chooses one:
          "Wait":
            add 1 to turns
          "Count":
            add 1 to me.score
        do trace(me)
  trace(me): |
    LEAK
result: {rank: most score}
"""
"""A game of cards that are laid open, and of players who are named."""

RULES = {
    "lay": "(me, gem laid): move laid to heap",
    "lay_or_not": "(me, gem laid): |\n    if turns > 2:\n      return\n    move laid to heap",
    "bury": "(me, gem laid): move laid to stock bottom",
    "judge": "(me, gem laid): |\n    if laid.worth > 2:\n      add 1 to me.score",
    "lay_and_judge": "(me, gem laid): |\n    move laid to me.line\n    do judge(me, laid)",
    "name_aloud": "(p): add 1 to p.score",
    "look_up": "(p): |\n    if any(p.hand where worth > 3):\n      add 1 to turns",
    "open_up": "(p): reveal p.hand",
}
"""Rules that it may have."""

NAMES = [
    "let c = first(me.hand)",
    "let face = first(heap)",
    "let known = first(heap, 2)",
    "let suspect = me",
    "each q in players where any(hand where worth > 3):",
    "  set suspect = q",
    "if c is nothing:",
    "  return",
]
OPENINGS = [
    "do lay(me, c)",
    "do lay_or_not(me, c)",
    "do bury(me, c)",
    "do open_up(me)",
    "do open_up(suspect)",
    "do name_aloud(suspect)",
    "do lay_and_judge(me, c)",
    "move c to heap",
    "move c to heap bottom",
    "move c to me.line",
    "move c to stock bottom",
    "move c to stock face up",
    "move c to me.left.hand",
    "move me.hand to heap",
    "move first(heap) to me.hand",
    "move first(heap) to me.line",
    "draw 1 from stock to heap",
    "draw 2 from stock to heap as known",
    "draw 1 from stock to me.hand",
    "draw 1 from stock to suspect.hand",
    "let face = first(heap)",
    "shuffle heap",
    "reveal c",
    "reveal suspect.hand",
    "reveal me.hand",
    "each p in players:\n  reveal p.hand",
    "tell players whether any(me.hand where worth > 2)",
    "if turns > 2:\n  move c to heap",
    "if turns > 2:\n  move c to heap\nelse:\n  reveal c",
]
ASKED = [
    "c.worth > 2",
    "any(first(heap, 1) where worth > 2)",
    "any(first(heap, 2) where worth > 2)",
    "any(last(heap, 1) where worth > 2)",
    "any(first(me.left.tower, 1) where worth > 2)",
    "any(heap where worth > 3)",
    "face is something and face.worth > 2",
    "any(known where worth > 2)",
    "any(me.hand where worth > 2)",
    "any(suspect.line where worth > 1)",
    "suspect is first(players)",
    "c in first(heap, 1)",
    "holder(c) is me",
]
TOLD = [
    "add 1 to me.score",
    "add 1 to me.score",
    'say "Aha!"',
    "do judge(me, c)",
    "do look_up(me)",
    "do name_aloud(me)",
]


def draw_probe(below: Below) -> list[str]:
    """The lines of a rule in which one thing is asked, and everybody sees the answer, behind what may have told it."""
    lines = [*NAMES]
    for _ in range(below(4)):
        lines += OPENINGS[below(len(OPENINGS))].split("\n")
    told = TOLD[below(len(TOLD))]
    if "judge" in told or "look_up" in told:
        return [*lines, told]
    return [*lines, f"if {ASKED[below(len(ASKED))]}:", f"  {told}"]


def draw_script(below: Below, depth: int = 0) -> list[str]:
    """The lines of a block."""
    lines: list[str] = []
    for _ in range(1 + below(3)):
        sort = below(10) if depth < 3 else 0
        if sort < 5:
            lines.append(SENTENCES[below(len(SENTENCES))])
            if lines[-1] == "return":
                return lines
        elif sort < 8:
            lines += [f"if {CONDITIONS[below(len(CONDITIONS))]}:", *_indented(draw_script(below, depth + 1))]
            if below(3) == 0:
                lines += ["else:", *_indented(draw_script(below, depth + 1))]
        else:
            lines += [LOOPS[below(len(LOOPS))], *_indented(draw_script(below, depth + 1))]
            if below(2):
                lines.append(f"  if {CONDITIONS[below(len(CONDITIONS))]}:")
                lines.append("    stop" if below(2) else "    skip")
    return lines


def _indented(lines: list[str]) -> list[str]:
    return ["  " + line for line in lines]


def look(seed: int, games: int = 4, *, cards: bool = False) -> tuple[str, set[str], list[str]]:
    """A drawn script, the codes it is warned with, and what the leak tests see; nothing if it cannot be played."""
    below = Source(seed, "traces").below
    lines = draw_probe(below) if cards else [*SECRET_MEMORY, "let seen = 0", *FIRST[below(4)], *draw_script(below)]
    script = "\n    ".join(lines)
    text = (CARDS if cards else GEMS).replace("LEAK", script)
    done = {name for name in RULES if cards and f"do {name}(" in text}
    done |= {"judge"} if "lay_and_judge" in done else set()
    rules = "".join(f"  {name}{RULES[name]}\n" for name in sorted(done))
    rulebook, found = of_its_own(text.replace("result:", f"{rules}result:"))
    codes = {one.code for one in found}
    if rulebook is None or codes & {"RB601"}:
        return script, codes, []
    program = lower(rulebook, 3)
    seen: list[str] = []
    for number in range(games):
        below = Source(number, "traces").below
        game = ListenedGame(program, number, ("Ana", "Ben", "Cleo"))
        while not game.over and not seen:
            seen += chain.from_iterable(goes_on(game, seat, below) for seat in range(3) for _ in range(2))
            answer_at_random(game, below)
    return script, codes, seen
