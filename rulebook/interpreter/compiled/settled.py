"""What can be answered before the game begins: questions about what is printed, house rules and how many play.

In: the `Book`, an expression. Out: whether it is settled, and its value; of one that asks about one card or action and
about nothing else, the value for each of these. Never: anything that a sentence may change.
"""

from __future__ import annotations

from functools import partial, reduce
from typing import Any

from rulebook.dsl import ir
from rulebook.dsl import types as t
from rulebook.dsl.walk import children, nodes
from rulebook.interpreter.compiled.book import Book
from rulebook.interpreter.decisions import RuleError
from rulebook.interpreter.lowering.expressions import formula
from rulebook.interpreter.run import MOST_LOOKED_AT, NotThere, Run

LASTING = (
    ir.Const | ir.Local | ir.OptionValue | ir.ByOption | ir.Attribute | ir.AllCards | ir.AllActions | ir.TheAction
    | ir.Seats | ir.Clockwise | ir.Neighbour | ir.Listed | ir.Span | ir.Chain | ir.Arithmetic | ir.Compare | ir.Within
    | ir.IsKind | ir.IsCard | ir.IsNothing | ir.IsEmpty | ir.Not | ir.And | ir.Or | ir.IfElse | ir.Filter | ir.Each
    | ir.Sorted | ir.Best | ir.CallValue | ir.BuiltIn
)  # fmt: skip
"""Expressions that answer the same as long as their parts do."""

MOST_WORTH = 5_000
"""So many things may be looked at to know an answer before the game."""

UNSETTLED = object()

FOLDED = (
    ir.Arithmetic | ir.Compare | ir.Within | ir.IsNothing | ir.IsEmpty | ir.Not | ir.And | ir.Or | ir.IfElse
    | ir.CallValue | ir.BuiltIn | ir.Attribute
)  # fmt: skip
"""Expressions that are worth a table of their values, if all that they read is one object."""

CALCULATED = frozenset(["sum", "count", "min", "max", "any", "all", "distinct", "first", "last"])
"""Built-in questions that ask only about their arguments."""


def is_settled(book: Book, expr: ir.Expr) -> bool:
    """Whether an expression has one value for the whole game."""
    if id(expr) not in book.settled:
        free = _reads(book, expr)
        book.settled[id(expr)] = expr, UNSETTLED if free is None or free else _values(book, expr, [{}])[0]
    return book.settled[id(expr)][1] is not UNSETTLED


def settled(book: Book, expr: ir.Expr) -> Any:
    """That value."""
    return book.settled[id(expr)][1]


def by_object(book: Book, name: str, expr: ir.Expr) -> tuple[int, dict[int, Any]] | None:
    """Of an expression in the script or question of that name which asks about one card or action, and else about
    nothing that changes: the local in which that stands, and the value by object; None if it is no such expression.
    """
    if id(expr) not in book.by_object:
        book.by_object[id(expr)] = expr, _by_object(book, name, expr)
    return book.by_object[id(expr)][1]


def _by_object(book: Book, name: str, expr: ir.Expr) -> tuple[int, dict[int, Any]] | None:
    free = _reads(book, expr) if isinstance(expr, FOLDED) else None
    if free is None or len(free) != 1:
        return None
    [(slot, local)] = free.items()
    objects = None if book.absence.may(name, local) else objects_of(book, local.type)
    values = [UNSETTLED] if objects is None else _values(book, expr, [{slot: one} for one in objects])
    return None if objects is None or UNSETTLED in values else (slot, dict(zip(objects, values, strict=True)))


def objects_of(book: Book, of: t.Type) -> list[int] | None:
    """The cards and actions that are of a type; None if something else may be."""
    if of not in book.objects:
        members, tables = t.members(of), book.tables
        cards = tables.of_kinds(frozenset().union(*(one.kinds for one in members if isinstance(one, t.Card))))
        only = members and all(isinstance(one, t.Card | t.Action) for one in members)
        actions = range(tables.cards, tables.objects) if t.ACTION in members else ()
        book.objects[of] = [*sorted(cards), *actions] if only else None
    return book.objects[of]


def answers_known(book: Book, hook: str, objects: list[int]) -> dict[int, Any]:
    """What those of some objects answer for a hook whose answer is known before the game."""
    known: dict[int, Any] = {}
    names = book.tables.by_object(hook)
    for one in objects:
        name = names[one]
        body = None if name is None else as_one(book, name)
        if name is None:
            known[one] = one >= book.tables.cards
        elif body is not None and is_settled(book, body):
            known[one] = settled(book, body)
    return known


def as_one(book: Book, name: str) -> ir.Expr | None:
    """The answer of a question as one expression, if it needs no names for its thoughts; else None."""
    if name not in book.bodies:
        function = book.tables.rulebook.functions[name]
        book.bodies[name] = _as_one(function.body, function.type)
    return book.bodies[name]


def _as_one(body: ir.Body, of: t.Type) -> ir.Expr | None:
    match body:
        case ir.Conditions(lines):
            return reduce(partial(ir.And, type=t.YES_NO), [line.value for line in lines])
        case ir.Total(lines):
            return reduce(partial(ir.Arithmetic, "+", type=of), [line.value for line in lines])
        case ():
            return ir.Const(None, type=t.NOTHING)
        case (ir.Return(value), *_):
            return ir.Const(None, type=t.NOTHING) if value is None else value
        case (ir.If(condition, (ir.Return(),) as then, ()), *rest):
            first, last = _as_one(then, of), _as_one(tuple(rest), of)
            return None if first is None or last is None else ir.IfElse(condition, first, last, type=of)
        case tuple():
            return None
    return body


def _values(book: Book, expr: ir.Expr, known: list[dict[int, Any]]) -> list[Any]:
    """What an expression answers, for each of some locals; `UNSETTLED` if that is not to be known before the game."""
    run = Run(book.program, (), list(book.layout.start))
    # What takes long is not worth knowing before; if it never ends, it is for the game to find that out.
    run.looked_at = MOST_LOOKED_AT - MOST_WORTH
    naming = ir.Local | ir.Filter | ir.Each | ir.Sorted | ir.Best
    slots = [node.slot for node in nodes(expr) if isinstance(node, naming)]
    asked, values = formula(book.tables, expr), []
    for locals in known:
        try:
            values.append(asked(run, [locals.get(slot) for slot in range(max(slots, default=0) + 1)]))
        except (NotThere, RuleError):
            return [UNSETTLED]
    return values


def _reads(book: Book, expr: ir.Expr) -> dict[int, ir.Local] | None:
    """The locals from outside that an expression reads, by slot; None if it, or what it calls, reads the state."""
    if id(expr) not in book.reads:
        book.reads[id(expr)] = expr, _reads_anew(book, expr)
    return book.reads[id(expr)][1]


def _reads_anew(book: Book, expr: ir.Expr) -> dict[int, ir.Local] | None:
    if not isinstance(expr, LASTING):
        return None
    found: dict[int, ir.Local] = {}
    match expr:
        case ir.Local(slot):
            return {slot: expr}
        case ir.Seats(False) | ir.Clockwise() | ir.Neighbour() if book.eliminates:
            return None
        case ir.BuiltIn(name) if name not in CALCULATED:
            return None
        case ir.CallValue(name):
            if name not in book.lasting:
                body = as_one(book, name)
                book.lasting[name] = False  # for who asks itself
                book.lasting[name] = body is not None and _reads(book, body) is not None
            if not book.lasting[name]:
                return None
    for part in children(expr):
        inside = _reads(book, part)
        if inside is None:
            return None
        # Of a local that a test narrows, like `it is ghost and it.r > 3`, the first mention is the widest.
        found = inside | found
    if isinstance(expr, ir.Filter | ir.Each | ir.Sorted | ir.Best):
        found.pop(expr.slot, None)
    return found
