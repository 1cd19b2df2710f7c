"""Why a question has the answer no, in words.

In: a question, and the table it was asked at. Out: a sentence that shows the values it was made of. Never:
decides anything.
"""

from __future__ import annotations

from typing import Any

from rulebook.dsl import ir
from rulebook.dsl import types as t
from rulebook.playtest.scenarios.ground import Question
from rulebook.playtest.scenarios.referee import Referee

__all__ = ["reason"]


def reason(question: Question, table: Referee) -> str:
    """What is so instead. `it` is the left side of what was asked."""
    return _Reasons(question.slots, table).why_not(question.expr)


class _Reasons:
    def __init__(self, slots: ir.Slots, table: Referee) -> None:
        self.slots, self.table = slots, table

    def value(self, expr: ir.Expr) -> Any:
        return self.table.value(expr, self.slots)

    def words(self, expr: ir.Expr) -> str:
        return self.table.words(self.value(expr), expr.type)

    def total(self, expr: ir.Expr) -> str:
        """A value, and of a sum of named lines those that add something to it."""
        words = self.words(expr)
        if not isinstance(expr, ir.CallValue) or expr.type not in (t.NUMBER, t.AMOUNT):
            return words
        parts = [
            f"{name} {self.table.words(part, expr.type)}" for name, part in self.table.lines(expr, self.slots) if part
        ]
        return f"{words} ({', '.join(parts)})" if parts else words

    def why_not(self, expr: ir.Expr) -> str:
        """Why it is not yes."""
        match expr:
            case ir.Compare(_, left, right) if _speaks_for_itself(right):
                return f"it is {self.total(left)}"
            case ir.Compare(_, left, right) if _speaks_for_itself(left):
                return f"it is {self.total(right)}"
            case ir.Compare(_, left, right):
                return f"{_source(left)} is {self.total(left)}, and {_source(right)} is {self.total(right)}"
            case (
                ir.SameCards(value, _, _) | ir.IsEmpty(value) | ir.IsNothing(value) | ir.IsCard(value, _)
                | ir.IsKind(value, _)
            ):  # fmt: skip
                return f"it is {self.words(value)}"
            case ir.Within(value, list) if _speaks_for_itself(value):
                return f"the list is {self.words(list)}"
            case ir.Within(value, list):
                return f"{_source(value)} is {self.words(value)}, and the list is {self.words(list)}"
            case ir.And(left, right):
                fault = right if self.value(left) else left
                return f"not so is {_source(fault)}: {self.why_not(fault)}"
            case ir.Or(left, right):
                return f"neither {_source(left)} ({self.why_not(left)}) nor {_source(right)} ({self.why_not(right)})"
            case ir.Not(value):
                return self.why(value)
            case ir.CallValue() | ir.AskHook():
                failed = [name for name, answer in self.table.lines(expr, self.slots) if not answer]
                return f"not so: {', '.join(failed)}" if failed else "it is not so"
        return "it is not so"

    def why(self, expr: ir.Expr) -> str:
        """Why it is not no."""
        match expr:
            case ir.Compare(_, left, _):
                return f"it is {self.words(left)}"
            case ir.IsEmpty():
                return "it is empty"
            case ir.IsNothing():
                return "it is nothing"
            case ir.Not(value):
                return self.why_not(value)
            case ir.CallValue() | ir.AskHook():
                met = [name for name, answer in self.table.lines(expr, self.slots) if answer]
                return f"so: {', '.join(met)}" if met else f"{_source(expr)} is so"
        return "it is so"


def _speaks_for_itself(expr: ir.Expr) -> bool:
    """Whether a reader knows the value from the words: a constant, or a card by its name."""
    match expr:
        case ir.Const():
            return True
        case ir.Listed(items):
            return all(_speaks_for_itself(one) for one in items)
        case ir.BuiltIn("first", (ir.AllCards(str()),)):
            return True
        case ir.Arithmetic(_, left, right):
            return _speaks_for_itself(left) and _speaks_for_itself(right)
    return False


def _source(expr: ir.Expr) -> str:
    at = expr.at
    return f"`{at.scalar.text[at.start : at.end].strip()}`" if at is not None else "one part"
