"""Games that never come to their end though everybody decides again and again: which loop of the rules they are in.

In: settings in which games were stopped by the limit of decisions. Out: a message at the loop; a guess where a game was
found that does end, farther than games go, or with answers that are rarely given. Never: a game that goes round without
asking anybody, which is stopped where it stands.
"""

from __future__ import annotations

from array import array
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from itertools import islice, takewhile
from typing import Any

from rulebook.diagnostics import Diagnostic, diagnose
from rulebook.dsl import ir
from rulebook.dsl.document import At
from rulebook.dsl.walk import nodes
from rulebook.interpreter.choosing import Choices
from rulebook.interpreter.core.door import ENDING, SEATS, WHY, Core
from rulebook.interpreter.decisions import RuleError
from rulebook.interpreter.layout import CLOCK, COUNTS, RESULT, STACK
from rulebook.interpreter.machine import Machine
from rulebook.interpreter.ops.asking import MOST_ANSWERS
from rulebook.interpreter.program import Program
from rulebook.interpreter.random import Source
from rulebook.interpreter.state import State
from rulebook.playtest.bots import make_bot
from rulebook.playtest.bots.by_machine import answer_at_random
from rulebook.playtest.hunting.hunt import RUNNING, UNFINISHED, Lost, Programs
from rulebook.playtest.hunting.inspection import CountingMachine

_NEARLY_ALL, _MANY = 0.9, 0.1
"""The share of games of one setting that must come to no end: a few long ones may be a matter of chance. Many of them
are none where one of them does not end either if it is played on and on."""
_LAST = 300
"""The number of last decisions in which a loop is searched for."""
_FRAMES = 50_000
"""The most frames that are read for it; who calls itself again and again leaves many at each decision."""
_FARTHER, _MOST_WORK = 20_000, 10_000_000
"""Limits of playing on to see whether a game ends after all: decisions, and units of work."""
_RARELY, _RARE_WORK = 600, 60_000
"""Limits of playing on with the answers that were given most rarely: decisions, and units of work."""

Spot = tuple[int, int]
"""A script and a step of it, by their numbers."""


def find_lost(programs: Programs, lost: Iterable[Lost]) -> Iterator[Diagnostic]:
    """Make one message of the settings in which nearly all games come to no end, or many surely do not, of the first of
    them."""
    counted = [*lost]
    lost_games = next((one for one in counted if one.unfinished >= _NEARLY_ALL * one.games), None)
    is_nearly_all = lost_games is not None
    lost_games = lost_games or next((one for one in counted if one.unfinished >= max(5, _MANY * one.games)), None)
    if lost_games is None:
        return
    program, core, seed = programs.of(lost_games.setting), programs.core_of(lost_games.setting), lost_games.seed
    last = MOST_ANSWERS
    values: dict[str, Any] = {"players": lost_games.setting.players, "games": f"{lost_games.games:,}"}
    values["unfinished"] = f"{lost_games.unfinished:,}"
    if not is_nearly_all and (lost_games.too_long or _play_farther(program, core, seed) is not None):
        return
    if lost_games.too_long > (1 - _NEARLY_ALL) * lost_games.games:
        code, last = "RB707", _LAST
    elif is_nearly_all and (end := _play_farther(program, core, seed) or _answer_rarely(program, seed)) is not None:
        code, values = "RB706", values | {"decisions": f"{MOST_ANSWERS:,}", "end": f"{end:,}"}
    else:
        code, values = "RB705", values | {"decisions": f"{MOST_ANSWERS:,}", "seed": seed}
    script, at = _find_loop(programs.rulebook, program, _follow(program, core, seed, last))
    yield diagnose(code, None if at is None else at.span, where=script, **values)


def _play_farther(program: Program, core: Core | None, seed: int) -> int | None:
    """Play the game on, farther than games go; the number of decisions at which it ends, if it does."""
    machine = CountingMachine(program)
    state = machine.new_state(seed)
    state[CLOCK] = -_FARTHER
    if core is None:
        with suppress(RuleError):
            for _ in answer_at_random(machine, state, seed):
                if machine.work > _MOST_WORK:
                    return None
        return _count_decisions(state)
    core.bound_work(_MOST_WORK)
    row = core.play_after(core.load_state(state), array("Q", [seed % 2**64]))
    if row[WHY] or row[ENDING] in (RUNNING, UNFINISHED):
        return None
    return sum(row[SEATS : SEATS + program.players])


def _answer_rarely(program: Program, seed: int) -> int | None:
    """Play a game of answers that were given most rarely; the number of decisions at which it ends."""
    machine, counts = CountingMachine(program), Counter[tuple[object, ...]]()
    state, below = machine.new_state(seed), Source(seed, "rarely").below
    with suppress(RuleError):
        machine.advance(state)
        while waiting := machine.find_waiting(state):
            if sum(state[COUNTS]) > _RARELY or machine.work > _RARE_WORK:
                return None
            seat = waiting[0]
            value = _find_rare(machine.find_choices(state, seat), state[STACK][-1][:2], counts, below)
            machine.answer_value(state, seat, value)
            machine.advance(state)
    return _count_decisions(state)


def _find_rare(choices: Choices, spot: Spot, counts: Counter[tuple[object, ...]], below: Callable[[int], int]) -> Any:
    """Find an answer that was rarely given to this question, now and then any; and count it."""
    value = choices.random(below)
    if not choices.pick.many and below(4):
        some = [*choices.values, *([None] if choices.may_pass else [])]
        value = min(some, key=lambda answer: (counts[*spot, answer], below(1000)))
    counts[*spot, value] += 1
    return value


def _count_decisions(state: State) -> int | None:
    """Count the decisions of a game that came to the end that its rules make."""
    return sum(state[COUNTS]) if state[RESULT] is not None and state[RESULT] != ("unfinished",) else None


def _follow(program: Program, core: Core | None, seed: int, last: int) -> Sequence[list[Spot]]:
    """Find where the rules stand at decisions of such a game, up to the last, from the outermost script inwards."""
    spots, frames, first = list[list[Spot]](), 0, last - _LAST
    states = _follow_in_machine(Machine(program), seed, first) if core is None else _follow_in_core(core, seed, first)
    for state in islice(states, _LAST):
        spots.append([(code, max(pc - 1, 0)) for code, pc, *_ in state[STACK] or ()])
        if (frames := frames + len(spots[-1])) > _FRAMES:
            break
    return spots


def _follow_in_machine(machine: Machine, seed: int, first: int) -> Iterator[State]:
    """Yield the states at the decisions from one on."""
    state = machine.new_state(seed)
    for _ in islice(answer_at_random(machine, state, seed), first, None):
        yield state


def _follow_in_core(core: Core, seed: int, first: int) -> Iterator[State]:
    """Yield the states at the decisions from one on."""
    table = core.new_table(seed)
    bots = [make_bot("random", seed, seat) for seat in range(core.program.players)]
    stopped, decisions = table.advance(), 0
    while not stopped:
        seat, number, picked = table.find_asked()
        if seat < 0:
            return
        if (decisions := decisions + 1) > first:
            yield table.machine_state()
        stopped = bots[seat].play(table, seat, number, picked)


def _find_loop(rulebook: ir.Rulebook, program: Program, spots: Sequence[Sequence[Spot]]) -> tuple[str, At | None]:
    """Find the innermost loop that all of this happens in, and its script; else where the game begins."""
    columns = list(zip(*spots, strict=False))
    same = sum(1 for _ in takewhile(lambda column: len({*column}) == 1, columns))
    for column in reversed(columns[: same + 1]):
        if len({code for code, _ in column}) > 1:
            continue
        code = program.codes[column[0][0]]
        ats = {code.ats[pc] for _, pc in column} - {None}
        script = rulebook.scripts.get(code.name)
        loops = [] if script is None else [node for node in nodes(script.body) if _is_endless_loop(node)]
        for loop in reversed(loops):
            if ats <= {node.at for node in nodes(loop) if isinstance(node, ir.Sentence)}:
                return code.name, loop.at
    root = program.codes[program.root]
    return root.name, next((at for at in root.ats if at is not None), None)


def _is_endless_loop(node: object) -> bool:
    return isinstance(node, ir.Iterate) or (isinstance(node, ir.Repeat) and node.count is None)
