"""What can be answered before the game begins: questions about what is printed, house rules and how many play.

In: the `Book`, an expression without locals of its own. Out: whether it is settled, and its value. Never: anything that
a sentence may change.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from rulebook.dsl import ir
from rulebook.dsl.walk import is_expression, nodes
from rulebook.interpreter.decisions import RuleError
from rulebook.interpreter.lower_expressions import formula
from rulebook.interpreter.run import MOST_LOOKED_AT, NotThere, Run

if TYPE_CHECKING:
    from rulebook.interpreter.compiled.book import Book

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

CALCULATED = frozenset(["sum", "count", "min", "max", "any", "all", "distinct", "first", "last"])
"""Built-in questions that ask only about their arguments."""


def is_settled(book: Book, expr: ir.Expr) -> bool:
    """Whether an expression has one value for the whole game."""
    if id(expr) not in book.settled:
        book.settled[id(expr)] = expr, _value(book, expr) if _reads_nothing(book, expr, ()) else UNSETTLED
    return book.settled[id(expr)][1] is not UNSETTLED


def settled(book: Book, expr: ir.Expr) -> Any:
    """That value."""
    return book.settled[id(expr)][1]


def _value(book: Book, expr: ir.Expr) -> Any:
    run = Run(book.program, (), list(book.layout.start))
    # What takes long is not worth knowing before; if it never ends, it is for the game to find that out.
    run.looked_at = MOST_LOOKED_AT - MOST_WORTH
    slots = [node.slot for node in nodes(expr) if isinstance(node, ir.Filter | ir.Each | ir.Sorted | ir.Best)]
    try:
        return formula(book.tables, expr)(run, [None] * (max(slots, default=0) + 1))
    except (NotThere, RuleError):
        return UNSETTLED


def _reads_nothing(book: Book, expr: ir.Expr, called: tuple[str, ...]) -> bool:
    """Whether an expression, and all that it calls, reads neither the state nor a local from outside."""
    inside = [node for node in nodes(expr) if is_expression(node)]
    own = {node.slot for node in inside if isinstance(node, ir.Filter | ir.Each | ir.Sorted | ir.Best)}
    for node in inside:
        match node:
            case ir.Local(slot) if slot not in own and not called:
                return False
            case ir.Seats(False) | ir.Clockwise() | ir.Neighbour() if book.eliminates:
                return False
            case ir.BuiltIn(name) if name not in CALCULATED:
                return False
            case ir.CallValue(name):
                if name not in book.lasting:
                    body = book.tables.rulebook.functions[name].body
                    book.lasting[name] = False  # for who asks itself
                    if not isinstance(body, tuple | ir.Conditions | ir.Total):
                        book.lasting[name] = _reads_nothing(book, body, (*called, name))
                if not book.lasting[name]:
                    return False
        if not isinstance(node, LASTING):
            return False
    return True
