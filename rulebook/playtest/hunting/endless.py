"""Games that never come to their end though everybody decides again and again: which loop of the rules they are in.

In: settings in which games were stopped by the limit of decisions. Out: a message at the loop. Never: a game that goes
round without asking anybody, which is stopped where it stands.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from itertools import takewhile

from rulebook.diagnostics import Diagnostic, diagnose
from rulebook.dsl import ir
from rulebook.dsl.document import At
from rulebook.dsl.walk import nodes
from rulebook.interpreter.layout import STACK
from rulebook.interpreter.machine import Machine
from rulebook.interpreter.ops.asking import MOST_ANSWERS
from rulebook.interpreter.program import Program
from rulebook.playtest.bots.by_machine import answer_at_random
from rulebook.playtest.hunting.hunt import Lost, Programs

_NEARLY_ALL = 0.9
"""How many of the games in one setting must come to no end: a few long ones may be a matter of chance."""
_LAST = 1000
"""So many decisions at the end of a game show what goes round."""

Spot = tuple[int, int]
"""A script and a step of it, by their numbers."""


def find_lost(programs: Programs, lost: Iterable[Lost]) -> Iterator[Diagnostic]:
    """Make one message of the settings in which nearly all games come to no end, of the first of them."""
    one = next((one for one in lost if one.unfinished >= _NEARLY_ALL * one.games), None)
    if one is None:
        return
    rulebook, program = programs.rulebook, programs.of(one.setting)
    script, at = _find_loop(rulebook, program, _follow(program, one.seed))
    yield diagnose(
        "RB705",
        None if at is None else at.span,
        where=script,
        players=one.setting.players,
        games=f"{one.games:,}",
        unfinished=f"{one.unfinished:,}",
        decisions=f"{MOST_ANSWERS:,}",
        seed=one.seed,
    )


def _follow(program: Program, seed: int) -> Sequence[list[Spot]]:
    """Find where the rules stand at each of the last decisions of such a game, from the outermost script inwards."""
    machine = Machine(program)
    state, asked = machine.new_state(seed), deque[list[Spot]](maxlen=_LAST)
    for _ in answer_at_random(machine, state, seed):
        frame, spots = state[STACK], list[Spot]()
        while frame is not None:
            spots.append((frame[0], max(frame[1] - 1, 0)))
            frame = frame[2]
        asked.append(spots[::-1])
    return asked


def _find_loop(rulebook: ir.Rulebook, program: Program, asked: Sequence[Sequence[Spot]]) -> tuple[str, At | None]:
    """Find the innermost loop that all of this happens in, and its script; else where the game begins."""
    columns = list(zip(*asked, strict=False))
    same = sum(1 for _ in takewhile(lambda column: len({*column}) == 1, columns))
    for column in reversed(columns[: same + 1]):
        if len({code for code, _ in column}) > 1:
            continue
        code = program.codes[column[0][0]]
        ats = {code.ats[pc] for _, pc in column} - {None}
        script = rulebook.scripts.get(code.name)
        loops = [] if script is None else [one for one in nodes(script.body) if _goes_on(one)]
        for loop in reversed(loops):
            if ats <= {one.at for one in nodes(loop) if isinstance(one, ir.Sentence)}:
                return code.name, loop.at
    root = program.codes[program.root]
    return root.name, next((at for at in root.ats if at is not None), None)


def _goes_on(node: object) -> bool:
    """True for a `loop`, which ends only when something in it ends it."""
    return isinstance(node, ir.Repeat) and node.count is None
