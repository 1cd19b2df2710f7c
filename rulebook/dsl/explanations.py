"""Which expressions can be explained line by line: those that reach named conditions or sums.

In: IR expressions. Out: yes or no; the lines of such a value stand in the log when it is set. Never: asks who may
read them.
"""

from __future__ import annotations

from rulebook.dsl import ir
from rulebook.dsl.walk import children, statements


class Explanations:
    """Answers for one rulebook; each function is looked into once."""

    def __init__(self, rulebook: ir.Rulebook) -> None:
        self.rulebook = rulebook
        self._known: dict[str, bool] = {}

    def explains(self, expr: ir.Expr) -> bool:
        """Whether the expression reaches named conditions or sums, through values and hooks too."""
        match expr:
            case ir.CallValue(name, _) if self._reaches(name):
                return True
            case ir.AskHook(hook, _, _):
                if any(self._reaches(name) for name in set(self.rulebook.hooks.get(hook, {}).values())):
                    return True
        return any(self.explains(one) for one in children(expr))

    def _reaches(self, name: str) -> bool:
        if name not in self._known:
            self._known[name] = False
            function = self.rulebook.functions.get(name)
            match function and function.body:
                case ir.Conditions() | ir.Total():
                    self._known[name] = True
                case ir.Node() as body:
                    self._known[name] = self.explains(body)
                case tuple() as block:
                    given = [one.value for one in statements(block) if isinstance(one, ir.Return)]
                    self._known[name] = any(value is not None and self.explains(value) for value in given)
        return self._known[name]
