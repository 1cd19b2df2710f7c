"""The sentences that say what comes next: let, if, each, repeat, loop, stage, do, return, eliminate, win.

In: a run and the op. Out: the registers at the next op. Never: moves or turns a card.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from rulebook.interpreter import knowledge, ops
from rulebook.interpreter.decisions import Endless, RuleError
from rulebook.interpreter.layout import ALIVE, ELIMINATED
from rulebook.interpreter.ops import Op
from rulebook.interpreter.run import Run, there


def let(run: Run, op: ops.Let) -> None:
    value = op.value(run, run.env)
    if run.env[op.slot] != value:
        run.env[op.slot] = value
        run.changes += 1


def probe(run: Run, op: ops.Probe) -> None:
    op.look(run, run.env)


def branch(run: Run, op: ops.Branch) -> None:
    if not op.condition(run, run.env):
        run.pc = op.otherwise


def switch(run: Run, op: ops.Switch) -> None:
    run.pc = op.targets[run.env[op.slot]]
    run.env[op.slot] = None


def jump(run: Run, op: ops.Jump) -> None:
    run.pc = op.target


def walk(run: Run, op: ops.Walk) -> None:
    items = there(op.list(run, run.env))
    run.env[op.items], run.env[op.at] = tuple(items), 0


def next_item(run: Run, op: ops.NextItem) -> None:
    env = run.env
    items, at = env[op.items], env[op.at]
    while op.players and at < len(items) and items[at] not in run.state[ALIVE]:
        at += 1
    if at >= len(items):
        env[op.items] = env[op.at] = None
        run.pc = op.exit
        return
    env[op.slot], env[op.at] = items[at], at + 1
    if op.index is not None:
        env[op.index] = at + 1


def repeat(run: Run, op: ops.Repeat) -> None:
    count = None if op.count is None else there(op.count(run, run.env))
    run.env[op.limit], run.env[op.at] = count, 0
    run.rounds.pop((run.code_index, run.pc, id(run.parent)), None)


def next_round(run: Run, op: ops.NextRound) -> None:
    env = run.env
    limit, at = env[op.limit], env[op.at]
    if limit is None:
        _must_have_changed(run)
    elif at >= limit:
        env[op.limit] = env[op.at] = None
        run.pc = op.exit
        return
    env[op.at] = at + 1
    if op.index is not None:
        env[op.index] = at + 1


def _must_have_changed(run: Run) -> None:
    """A `loop` whose whole round made no decision, no move and no change goes round for ever.

    A decision ends the run, so what this run remembers of the last round is enough.
    """
    here = (run.code_index, run.pc - 1, id(run.parent))
    if run.rounds.get(here) == run.changes:
        raise Endless("This `loop` goes round without end: a whole round decided, moved and changed nothing.")
    run.rounds[here] = run.changes


def enter_stage(run: Run, op: ops.EnterStage) -> None:
    stage = run.code.stage_table[op.stage]
    if stage.until is not None and run.holds(stage.until, run.env):
        run.pc = stage.exit
        return
    if run.events is not None:
        title = stage.name if stage.title is None else stage.title(run, run.env)
        run.emit("stage_began", stage=stage.name, title=title)


def ask_until(run: Run, op: ops.AskUntil) -> None:
    until = run.code.stage_table[op.stage].until
    if until is not None and run.holds(until, run.env):
        run.end_stage(0, op.stage)


def leave_stages(run: Run, op: ops.LeaveStages) -> None:
    run.leave_stages(op.stages)


def end_stage(run: Run, op: ops.EndStage) -> None:
    for up, frame, stage in reversed(run.open_stages()):
        if run.program.codes[frame[0]].stage_table[stage].name == op.name:
            run.end_stage(up, stage)
            return
    raise RuleError(f"The stage `{op.name}` cannot end here: the game is not in it.")


def leave(run: Run, op: ops.Return) -> None:
    value = None if op.value is None else op.value(run, run.env)
    run.leave_stages(op.stages)
    run.leave(value)


def call(run: Run, op: ops.Call) -> None:
    run.call(op.code, [argument(run, run.env) for argument in op.arguments])


def call_hook(run: Run, op: ops.CallHook) -> None:
    target = there(op.target(run, run.env))
    arguments = [argument(run, run.env) for argument in op.arguments]
    this = target if op.stand_in is None else op.stand_in(run, run.env)
    code = op.codes[target]
    if code is not None:
        run.call(code, [this, *arguments])
    elif op.slot is not None:
        run.env[op.slot] = None


def eliminate(run: Run, op: ops.Eliminate) -> None:
    seats = run.alive(op.players(run, run.env))
    if not seats:
        return
    state = run.state
    state[ALIVE] = tuple(seat for seat in state[ALIVE] if seat not in seats)
    state[ELIMINATED] += (seats,)
    knowledge.leave_game(run.program, state, sum(1 << seat for seat in seats))
    run.touch()
    run.emit("eliminated", players=run.names_of(seats))


def win(run: Run, op: ops.Win) -> None:
    winners = () if op.players is None else there(op.players(run, run.env))
    seats = (winners,) if isinstance(winners, int) else tuple(dict.fromkeys(winners))
    run.emit("won", players=run.names_of(seats))
    run.finish(("win", seats))


HANDLERS: dict[type[Op], Callable[[Run, Any], None]] = {
    ops.Let: let,
    ops.Probe: probe,
    ops.Branch: branch,
    ops.Switch: switch,
    ops.Jump: jump,
    ops.Walk: walk,
    ops.NextItem: next_item,
    ops.Repeat: repeat,
    ops.NextRound: next_round,
    ops.EnterStage: enter_stage,
    ops.AskUntil: ask_until,
    ops.LeaveStages: leave_stages,
    ops.EndStage: end_stage,
    ops.Return: leave,
    ops.Call: call,
    ops.CallHook: call_hook,
    ops.Eliminate: eliminate,
    ops.Win: win,
}
