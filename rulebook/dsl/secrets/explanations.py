"""Which expressions can be explained line by line: those that reach named conditions or sums.

In: IR expressions. Out: yes or no; the lines of such a value stand in the log when it is set. Never: asks who may
read them.
"""

from __future__ import annotations

from rulebook.dsl import ir
from rulebook.dsl.walk import everything, statements


class Explanations:
    """Answers for one rulebook; each function is looked into once."""

    def __init__(self, rulebook: ir.Rulebook) -> None:
        self.rulebook = rulebook
        self._below: dict[str, frozenset[str]] = {}

    def explains(self, expr: ir.Expr) -> bool:
        """Whether the expression reaches named conditions or sums, through values and hooks too."""
        left = set(self._asked(expr))
        met: set[str] = set()
        while left:
            name = left.pop()
            met.add(name)
            function = self.rulebook.functions.get(name)
            if function is None:
                continue
            if isinstance(function.body, ir.Conditions | ir.Total):
                return True
            if name not in self._below:
                self._below[name] = self._asked(*_answers(function))
            left |= self._below[name] - met
        return False

    def _asked(self, *exprs: ir.Expr) -> frozenset[str]:
        """The functions that expressions ask themselves."""
        found: set[str] = set()
        for one in everything(*exprs):
            match one:
                case ir.CallValue(name, _):
                    found.add(name)
                case ir.AskHook(hook, _, _):
                    found.update(self.rulebook.hooks.get(hook, {}).values())
        return frozenset(found)


def _answers(function: ir.Function) -> list[ir.Expr]:
    match function.body:
        case ir.Node() as body:
            return [body]
        case tuple() as block:
            return [one.value for one in statements(block) if isinstance(one, ir.Return) and one.value is not None]
    return []
