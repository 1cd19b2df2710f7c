"""Small games in which something may be told by what happens, drawn at random: is all of it warned of?

In: a random number. Out: the script of a rule of the game of gems (`planted`), and what the two sides say about it: the
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


def look(seed: int, games: int = 4) -> tuple[str, set[str], list[str]]:
    """A drawn script, the codes it is warned with, and what the leak tests see; nothing if it cannot be played."""
    below = Source(seed, "traces").below
    script = "\n    ".join([*SECRET_MEMORY, "let seen = 0", *FIRST[below(4)], *draw_script(below)])
    rulebook, found = of_its_own(GEMS.replace("LEAK", script))
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
