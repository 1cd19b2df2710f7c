"""Named questions become codes: values, what a card is asked, what an action needs to be possible.

In: the tables and an `ir.Function`. Out: a `Code` that ends with an answer. Never: a body that does anything but think
(`let`, `if`, `each`, `repeat`, `return`).
"""

from __future__ import annotations

from rulebook.dsl import ir
from rulebook.dsl import types as t
from rulebook.dsl.naming.layer_names import name_plainly
from rulebook.interpreter.lowering.expressions import (
    always_holds,
    as_expression,
    aside,
    count_answers,
    is_told_of_none,
    jump_when,
    lower_expr,
    lower_formula,
)
from rulebook.interpreter.lowering.tables import Tables
from rulebook.interpreter.lowering.writer import Label, Writer
from rulebook.interpreter.ops import flow, lists, values, watching
from rulebook.interpreter.program import Code


def lower_question(tables: Tables, function: ir.Function) -> Code:
    """The code of a function."""
    w, body = Writer(tables, function.slots, function.parameters), function.body
    w.keeps = True
    named = body.lines if isinstance(body, ir.Conditions | ir.Total) else ()
    block = body if isinstance(body, tuple) else named
    w.at, target = function.at or (named[0].at if named else None), w.add_registers()
    if tables.probes is not None:
        probe = tables.probes.point(w.at, "question", function.name, block)
        if probe is not None:
            w.emit(flow.count_probe, probe)
    end = Label()
    untold = as_expression(function) if isinstance(body, ir.Conditions) and is_told_of_none(w, function) else None
    if untold is not None:
        w.emit(values.copy, target, w.constant(False))
        jump_when(w, untold, False, end)
        w.emit(values.copy, target, w.constant(True))
    elif isinstance(body, ir.Conditions | ir.Total):
        _read_lines(w, function, body, target)
    elif isinstance(body, tuple):
        w.emit(values.copy, target, w.constant(None))
        _lower_body(w, body, target, end)
    else:
        lower_expr(w, body, target)
    w.place_labels(end)
    _count_answer(w, function, target)
    w.emit(values.answer, target)
    return w.finish(function.name)


def lower_lines(tables: Tables, function: ir.Function) -> tuple[tuple[str, Code], ...]:
    """The named lines of a question, each as a code of its own."""
    body = function.body
    if not isinstance(body, ir.Conditions | ir.Total):
        return ()
    return tuple(
        (line.name, lower_formula(tables, line.value, function.slots, function.parameters)) for line in body.lines
    )


def _read_lines(w: Writer, function: ir.Function, body: ir.Conditions | ir.Total, target: int) -> None:
    """All conditions, until one is not met, or the total of all numbers."""
    is_claim, end, before = isinstance(body, ir.Conditions), Label(), w.top
    sort, _, rest = name_plainly(function.name).partition(".")
    w.emit(values.open_lines, rest.rpartition(".")[2], sort not in ("values", "result"), function.parameters)
    w.emit(values.copy, target, w.constant(True if is_claim else 0))
    for line in body.lines:
        w.emit(values.open_line)
        value = lower_expr(w, line.value)
        if is_claim and w.tables.probes is not None:
            at = line.at or line.value.at
            yes, no = (w.tables.probes.point(at, word, line.name) for word in ("yes", "no"))
            w.emit(flow.count_answer, value, yes, no)
        w.emit(values.close_line, line.name, value)
        if is_claim and not always_holds(w, line.value):
            w.emit(values.require, target, value, end)
        elif not is_claim:
            w.emit(values.add_line, target, value)
        w.top = before
    if not is_claim:
        w.emit(values.total, target)
    w.place_labels(end)


def _count_answer(w: Writer, function: ir.Function, target: int) -> None:
    """Tell whoever counts what ran how a question of yes or no was answered; of named lines each has its own no."""
    probes, body = w.tables.probes, function.body
    if probes is None or function.type != t.YES_NO or isinstance(body, ir.Const):
        return
    yes = probes.point(w.at, "answers yes", function.name)
    no = None if isinstance(body, ir.Conditions | ir.Total) else probes.point(w.at, "answers no", function.name)
    w.emit(flow.count_answer, target, yes, no)


def _lower_body(w: Writer, block: ir.Block, target: int, end: Label) -> None:
    """Write the statements of a pure body; `return` goes to its end."""
    for statement in block:
        outside, before = w.at, w.top
        w.at = statement.at or w.at
        if w.tables.probes is not None:
            count = w.tables.probes.point(statement.at, "sentence")
            if count is not None:
                w.emit(flow.count_probe, count)
        left_out = Label()
        if (mutant := w.tables.find_mutant(statement)) is not None:
            w.emit(watching.jump_if_mutant, mutant, True, left_out)
        match statement:
            case ir.Let(slot, value):
                w.emit(values.copy, slot, aside(w, value))
            case ir.If(condition, then, otherwise):
                other, behind = Label(), Label()
                count_answers(w, condition, statement.at, other, ("then", "else"), (then, otherwise))
                _lower_body(w, then, target, end)
                if otherwise:
                    w.emit(values.jump, behind)
                w.place_labels(other)
                _lower_body(w, otherwise, target, end)
                w.place_labels(behind)
            case ir.ForEach(slot, listed, index, _, body, _):
                items, at, exit = w.add_registers(), w.add_registers(), Label()
                lower_expr(w, listed, items)
                w.emit(values.jump_if_nothing, items, exit)
                w.emit(lists.walk, items, at)
                again = w.label_here()
                w.emit(lists.next_member, items, at, slot, exit)
                if index is not None:
                    w.emit(values.copy, index, at)
                _lower_body(w, body, target, end)
                w.emit(values.jump, again)
                w.place_labels(exit)
            case ir.Repeat(ir.Node() as rounds, index, _, body):
                items, at, exit = w.add_registers(), w.add_registers(), Label()
                w.emit(lists.count_up, items, w.constant(1), lower_expr(w, rounds))
                w.emit(lists.walk, items, at)
                again = w.label_here()
                w.emit(lists.next_member, items, at, w.add_registers() if index is None else index, exit)
                _lower_body(w, body, target, end)
                w.emit(values.jump, again)
                w.place_labels(exit)
            case ir.Return(value):
                if value is not None:
                    lower_expr(w, value, target)
                w.emit(values.jump, end)
            case _:
                raise TypeError(f"a question cannot do this: {type(statement).__name__}")
        w.place_labels(left_out)
        w.at, w.top = outside, before
