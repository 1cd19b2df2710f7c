"""Where the rules may ask or tell somebody without everybody noticing.

In: a program. Out: whether it asks anybody quietly; at which ops something may be said to a few only, or be left out
for a reason that nobody sees. Never: looks at a state, so that the answer is the same whatever lies hidden.

An op belongs to the answer if it says something to a few, or if such an op stands in what it may go past: the block of
an `if`, the rounds of a loop. Which way was taken makes no difference.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from functools import lru_cache

from rulebook.interpreter import ops
from rulebook.interpreter.program import Program

__all__ = ["asks_quietly", "find_whispers"]


@lru_cache(maxsize=64)
def asks_quietly(program: Program) -> bool:
    """Whether any choice of the game is a quiet one."""
    return any(isinstance(op, ops.Choose) and op.quiet for code in program.codes for op in code.ops)


@lru_cache(maxsize=64)
def find_whispers(program: Program) -> tuple[frozenset[int], ...]:
    """For each code of the program, the ops at which something may be said to a few, or be left out."""
    whispering: set[int] = set()
    while more := {
        index
        for index, code in enumerate(program.codes)
        if index not in whispering and any(_whispers(op, whispering) for op in code.ops)
    }:
        whispering |= more
    return tuple(
        frozenset(at for at in range(len(code.ops)) if _may_whisper(code.ops, at, whispering))
        if index in whispering
        else frozenset()
        for index, code in enumerate(program.codes)
    )


def _may_whisper(code: Sequence[ops.Op], at: int, whispering: Collection[int]) -> bool:
    op = code[at]
    if isinstance(op, ops.Say | ops.CallHook) and _whispers(op, whispering):
        return True  # which script a hook runs may be a secret by itself
    return any(_whispers(one, whispering) for one in code[at + 1 : _end_of_ways(code, at)])


def _whispers(op: ops.Op, whispering: Collection[int]) -> bool:
    match op:
        case ops.Say():
            return op.to is not None
        case ops.Call():
            return op.code in whispering
        case ops.CallHook():
            return any(code in whispering for code in op.codes if code is not None)
    return False


def _end_of_ways(code: Sequence[ops.Op], at: int) -> int:
    """Where all ways from this op have met again; the end of the code if one of them leaves it or goes back."""
    end = max(_targets(code[at]), default=at + 1)
    here = at + 1
    while here < end:
        match code[here]:
            case ops.Jump(target=target):
                end = max(end, target if target >= at else len(code))
            case ops.Return():
                end = len(code)
            case op:
                end = max([end, *_targets(op)])
        here += 1
    return end


def _targets(op: ops.Op) -> list[int]:
    """Where else the script may go on than at the next op."""
    found = [op.skip] if op.skip else []
    match op:
        case ops.Branch() | ops.Choose() | ops.Taken():
            found.append(op.otherwise)
        case ops.NextItem() | ops.NextRound():
            found.append(op.exit)
        case ops.Switch():
            found += op.targets
    return found
