"""Named questions become functions: values, what a card is asked, what an action needs to be possible.

In: the tables and an `ir.Function`. Out: a `Question`. Never: a body that does anything but think (`let`, `if`, `each`,
`return`).
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

from rulebook.dsl import ir
from rulebook.dsl.naming.layer_names import plain
from rulebook.interpreter.lowering import probes
from rulebook.interpreter.lowering.builtins import bounded
from rulebook.interpreter.lowering.expressions import formula
from rulebook.interpreter.lowering.probes import Answer
from rulebook.interpreter.lowering.tables import Tables
from rulebook.interpreter.ops import Env, Formula
from rulebook.interpreter.program import Question
from rulebook.interpreter.run import NotThere, Run

Lines = tuple[tuple[str, Formula], ...]
Reader = Callable[[Run, tuple[Any, ...]], list[Any]]
Thought = Callable[[Run, Env], "tuple[Any] | None"]
"""One statement of a pure body: what it returns, in a tuple of one, or None to go on."""


def question(tables: Tables, function: ir.Function) -> Question:
    """A function by its name; `tables.answers` knows it from now on."""
    size, body = len(function.slots.names), function.body
    lines: Lines = ()
    if isinstance(body, ir.Conditions | ir.Total):
        lines = tuple((line.name, _line(tables, body, line)) for line in body.lines)
        read = _reader(function.name, lines, size)
        answer = _conditions(lines, size, read) if isinstance(body, ir.Conditions) else _total(lines, size, read)
    elif isinstance(body, tuple):
        answer = _thinking(_thoughts(tables, body), size)
    else:
        answer = _one(formula(tables, body), size)
    if tables.probes is not None:
        answer = probes.question(tables.probes, function, answer)
    tables.answers[function.name] = answer
    return Question(function.name, function.parameters, size, answer, lines)


def _line(tables: Tables, body: ir.Conditions | ir.Total, line: ir.Line) -> Formula:
    """A named line; that of a condition may be watched."""
    asked = formula(tables, line.value)
    if isinstance(body, ir.Conditions):
        return probes.both(tables.probes, asked, line.at or line.value.at, text=line.name)
    return asked


def _env(arguments: tuple[Any, ...], size: int) -> Env:
    return [*arguments, *([None] * (size - len(arguments)))]


def _one(value: Formula, size: int) -> Answer:
    return lambda run, arguments: value(run, _env(arguments, size))


def _conditions(lines: Lines, size: int, read: Reader) -> Answer:
    def all_hold(run: Run, arguments: tuple[Any, ...]) -> Any:
        if run.watch is not None:
            return all(read(run, arguments))
        env = _env(arguments, size)
        return all(bool(line(run, env)) for _, line in lines)

    return all_hold


def _total(lines: Lines, size: int, read: Reader) -> Answer:
    def total(run: Run, arguments: tuple[Any, ...]) -> Any:
        if run.watch is not None:
            numbers = read(run, arguments)
        else:
            env = _env(arguments, size)
            numbers = [line(run, env) for _, line in lines]
        if None in numbers:
            raise NotThere
        return bounded(sum(numbers))

    return total


def _reader(name: str, lines: Lines, size: int) -> Reader:
    """Reads all lines while somebody watches; the first argument of a hook is the object whose question it is."""
    sort, _, rest = plain(name).partition(".")
    short, is_hook = rest.rpartition(".")[2], sort not in ("values", "result")

    def read(run: Run, arguments: tuple[Any, ...]) -> list[Any]:
        assert run.watch is not None
        env = _env(arguments, size)
        card = arguments[0] if is_hook and arguments[0] < run.program.cards else None
        asked = [(line, partial(value, run, env)) for line, value in lines]
        return run.watch.read(short, card, arguments, asked)

    return read


# ── bodies of several lines ──────────────────────────────────────────────────────────────────────


def _thinking(thoughts: tuple[Thought, ...], size: int) -> Answer:
    def think(run: Run, arguments: tuple[Any, ...]) -> Any:
        found = _until_returned(thoughts, run, _env(arguments, size))
        return None if found is None else found[0]

    return think


def _until_returned(thoughts: tuple[Thought, ...], run: Run, env: Env) -> tuple[Any] | None:
    for thought in thoughts:
        found = thought(run, env)
        if found is not None:
            return found
    return None


def _thoughts(tables: Tables, block: ir.Block) -> tuple[Thought, ...]:
    thoughts = (_thought(tables, statement) for statement in block)
    if tables.probes is None:
        return tuple(thoughts)
    return tuple(_told(tables.probes.point(one.at, "sentence"), it) for one, it in zip(block, thoughts, strict=True))


def _told(count: probes.Count | None, thought: Thought) -> Thought:
    """A statement that tells, if anybody wants to know, that it is thought."""

    def told(run: Run, env: Env) -> tuple[Any] | None:
        if count is not None:
            count()
        return thought(run, env)

    return told


def _thought(tables: Tables, statement: ir.Statement) -> Thought:
    match statement:
        case ir.Let(slot, value):
            return _let(slot, formula(tables, value))
        case ir.If(condition, then, otherwise):
            asked = formula(tables, condition)
            blocks, words = (then, otherwise), ("then", "else")
            asked = probes.both(tables.probes, asked, statement.at, blocks, about=condition.at, words=words)
            return _if(asked, _thoughts(tables, then), _thoughts(tables, otherwise))
        case ir.ForEach(slot, list, index, _, body, _):
            return _each(slot, formula(tables, list), index, _thoughts(tables, body))
        case ir.Return(value):
            result = None if value is None else formula(tables, value)
            return lambda run, env: (None if result is None else result(run, env),)
        case _:
            raise TypeError(f"a question cannot do this: {type(statement).__name__}")


def _let(slot: int, value: Formula) -> Thought:
    def let(run: Run, env: Env) -> None:
        env[slot] = value(run, env)

    return let


def _if(condition: Formula, then: tuple[Thought, ...], otherwise: tuple[Thought, ...]) -> Thought:
    return lambda run, env: _until_returned(then if condition(run, env) else otherwise, run, env)


def _each(slot: int, several: Formula, index: int | None, body: tuple[Thought, ...]) -> Thought:
    def each(run: Run, env: Env) -> tuple[Any] | None:
        members = several(run, env) or ()
        run.look_at(len(members))
        for number, one in enumerate(members, 1):
            env[slot] = one
            if index is not None:
                env[index] = number
            found = _until_returned(body, run, env)
            if found is not None:
                return found
        return None

    return each
