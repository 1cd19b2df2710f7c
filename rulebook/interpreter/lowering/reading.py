"""Liveness analysis of a code: whether a register is still read behind a step.

In: a code, a step, a register. Out: whether what it holds there may be read. Ways are followed forward, into pieces
too, until something else is written into it.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from typing import Any

from attrs import fields

from rulebook.interpreter.ops import flow, values
from rulebook.interpreter.program import Choice, Code, Pick, Source, Window

_RECORDS = Choice, Pick, Source, Window
_READ = frozenset({"In", "In | None", "Told", "Told | None"})
_WRITTEN = frozenset({"Out", "Out | None"})
_ENDS = (flow.leave, flow.win, values.answer)


def may_read(code: Code, pc: int, register: int) -> bool:
    """Tell whether what a register holds before a step may be read there or later."""
    left, met = [pc], set[int]()
    while left:
        at = left.pop()
        if at in met:
            continue
        met.add(at)
        reads, writes = False, False
        for kind, operand in zip(code.steps[at].op.operands.values(), code.steps[at].operands, strict=True):
            if kind in _READ:
                reads = reads or operand == register
            elif kind == "First":
                # Of a rank, which has no count, all that follow may be read.
                count = code.steps[at]["count"] if "count" in code.steps[at].op.operands else code.size
                reads = reads or operand <= register < operand + count
            elif kind in _WRITTEN:
                writes = writes or operand == register
            elif kind == "Slots":
                writes = writes or register in operand
            elif kind == "Choice":
                writes = writes or any(pick.slot == register for pick in operand.picks)
        if reads:
            return True
        left += _find_entries(code, at, register)
        if not writes:
            left += _find_next(code, at)
    return False


def _find_entries(code: Code, at: int, register: int) -> Iterator[int]:
    """Find the pieces that a step runs before it writes into a register, and those of the stages in which it stands."""
    for kind, operand in zip(code.steps[at].op.operands.values(), code.steps[at].operands, strict=True):
        if kind.startswith("Entry") and operand is not None:
            yield operand
        elif kind == "Choice":
            yield from _find_before(operand, register)
        elif kind == "Window":
            yield from _find_inside(operand)
    for stage in code.stages[at]:
        yield from (part for part in (code.stage_table[stage].title, code.stage_table[stage].until) if part is not None)


def _find_before(choice: Choice, register: int) -> Iterator[int]:
    """Find the entries of a choice up to where something is picked into a register: those behind it read that."""
    yield from _find_numbers((choice.deciders, choice.prompt))
    for pick in choice.picks:
        if pick.slot == register:
            yield from _find_numbers((pick.least, pick.most))
            yield from (entry for source in pick.sources for entry in _find_inside(source))
            return
        yield from _find_inside(pick)


def _find_inside(record: Any) -> Iterator[int]:
    """Find the entries in the records of a choice."""
    kind: Any = type(record)
    for name, is_entry in _list_fields(kind):
        value = getattr(record, name)
        if is_entry:
            yield from _find_numbers(value)
        else:
            members = value if isinstance(value, tuple) else (value,)
            yield from (entry for member in members if isinstance(member, _RECORDS) for entry in _find_inside(member))


@cache
def _list_fields(kind: Any) -> tuple[tuple[str, bool], ...]:
    """The fields of a class, each with whether entries stand in it."""
    return tuple((field.name, "Entry" in str(field.type)) for field in fields(kind))


def _find_numbers(value: Any) -> Iterator[int]:
    if isinstance(value, tuple):
        for member in value:
            yield from _find_numbers(member)
    elif isinstance(value, int):
        yield value


def _find_next(code: Code, at: int) -> Iterator[int]:
    step = code.steps[at]
    if code.traps[at] >= 0:
        yield code.traps[at]
    yield from (code.stage_table[stage].exit for stage in code.stages[at])
    for kind, operand in zip(step.op.operands.values(), step.operands, strict=True):
        if kind == "Target":
            yield operand
        elif kind == "Targets":
            yield from operand
    if not step.does(*_ENDS, values.jump, flow.switch):
        yield at + 1
