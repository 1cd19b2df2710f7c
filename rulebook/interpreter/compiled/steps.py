"""What printed scripts ask of the engine: to wait, to end a stage, to do an op as the machine does.

In: a run, a state, ops. Out: changes of the state. Never: a rule of its own; every function here calls the machine's.
"""

from __future__ import annotations

from typing import Any

from rulebook.interpreter.compiled.offers import CHOSEN, MISSED, NO_ANSWER, SKIPPED, WAITING, WAITS
from rulebook.interpreter.layout import PENDING, STACK, MemorySlot
from rulebook.interpreter.machine import HANDLERS
from rulebook.interpreter.ops import ABSENT, Choose, EndStage, Op, Taken
from rulebook.interpreter.primitives import asking, flow
from rulebook.interpreter.primitives.memory import within
from rulebook.interpreter.program import StageCode
from rulebook.interpreter.run import NotThere, Run
from rulebook.interpreter.state import State


def wait(s: State, frame: tuple[Any, ...]) -> Any:
    """Go on at a frame: when somebody has answered, or at once if nobody is asked."""
    if s[PENDING] is None or s[PENDING][0] == "ask":
        s[STACK] = frame
    return WAITS


def do(r: Run, op: Op) -> bool:
    """One op, by its handler; whether it was not left out."""
    try:
        HANDLERS[type(op)](r, op)
    except NotThere:
        r.skip(op, None)
        return False
    return True


def choose(r: Run, op: Choose) -> int:
    """A choice; what is bound stands in the registers."""
    r.pc = -1
    try:
        asking.choose(r, op)
    except NotThere:
        r.skip(op, None)
        return SKIPPED
    if r.halted:
        return WAITING
    return CHOSEN if r.pc == -1 else MISSED


def took(r: Run, op: Taken) -> bool:
    """Whether the option that a player of a window took may still be carried out."""
    r.pc = -1
    try:
        asking.taken(r, op)
    except NotThere:
        r.skip(op, None)
    return bool(r.pc == -1)


def began(r: Run, stage: StageCode) -> None:
    """Everyone notices that a stage begins."""
    if r.events is not None:
        title = stage.name if stage.title is None else stage.title(r, r.env)
        r.emit("stage_began", stage=stage.name, title=title)


def ends(r: Run, s: State, frame: tuple[Any, ...]) -> bool:
    """Whether a stage ends, now that a hook has come back to a frame; then the state says where the rules go on."""
    at: tuple[Any, ...] | None = frame
    while at is not None:
        code = r.program.codes[at[0]]
        for stage in code.stages[at[1]]:
            until = code.stage_table[stage].until
            if until is not None and r.holds(until, list(at[3:])):
                s[STACK] = frame
                r.load()
                r.ask_stages()
                r.save()
                return True
        at = at[2]
    return False


def end(r: Run, s: State, frame: tuple[Any, ...], op: EndStage) -> Any:
    """`end name`, at a frame."""
    s[STACK] = frame
    r.load()
    flow.end_stage(r, op)
    r.save()
    return WAITS


def outside(memory: MemorySlot, value: Any) -> None:
    """A number leaves the range that is declared for it."""
    within(memory.name, memory.values or (), value)


NAMES: dict[str, Any] = {
    "A": ABSENT,
    "N": NO_ANSWER,
    "W": WAITS,
    "wait": wait,
    "do": do,
    "choose": choose,
    "took": took,
    "began": began,
    "ends": ends,
    "end": end,
    "within": outside,
}
"""What printed text may call."""
