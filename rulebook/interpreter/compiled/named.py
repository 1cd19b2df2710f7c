"""Questions with a name, printed: each a function of its arguments.

In: an `ir.Function`. Out: a function of Python. Never: a statement that changes anything.
"""

from __future__ import annotations

import re

from rulebook.dsl import ir
from rulebook.interpreter.compiled.questions import Questions

ASKS = re.compile(r"\bf\d+\(|\ba\d+\[|\bask\(")
"""Text that asks another question with a name."""


class Named(Questions):
    """Prints the question whose name it has."""

    def function(self, function: ir.Function) -> None:
        """One named question as a function of its arguments."""
        given = "".join(f", v{slot}" for slot in range(function.parameters))
        with self.paper.inside(f"def {self.book.functions[function.name]}(r, s{given}):"):
            begin = len(self.paper.lines)
            match function.body:
                case ir.Conditions(lines):
                    asked = "True"
                    for line in lines:
                        asked = self.both("and", asked, self.yes_no(line.value))
                    self.paper.put(f"return {asked}")
                case ir.Total(lines):
                    self.paper.put(f"return {' + '.join(self.sure(line.value) for line in lines)}")
                case tuple(block):
                    self.thoughts(block)
                case value:
                    self.paper.put(f"return {self.expr(value)}")
            # Questions that ask one another can be many more than the things they look at.
            if any(map(ASKS.search, self.paper.lines[begin:])):
                self.paper.lines.insert(begin, "    r.look_at(1)")

    def thoughts(self, block: ir.Block) -> None:
        """A body that only thinks."""
        for statement in block:
            match statement:
                case ir.Let(slot, value):
                    self.paper.put(f"v{slot} = {self.expr(value)}")
                case ir.If(condition, then, otherwise):
                    asked = self.expr(condition)
                    if asked in ("True", "False"):
                        self.thoughts(then if asked == "True" else otherwise)
                        continue
                    with self.paper.inside(f"if {asked}:"):
                        self.thoughts(then)
                    if otherwise:
                        with self.paper.inside("else:"):
                            self.thoughts(otherwise)
                case ir.ForEach(slot, list, index, _, body, _):
                    several = f"{self.raw(list)} or ()" if self.may(list) else self.raw(list)
                    head = f"v{slot} in {several}" if index is None else f"v{index}, v{slot} in enumerate({several}, 1)"
                    with self.paper.inside(f"for {head}:"):
                        self.thoughts(body)
                case ir.Return(value):
                    self.paper.put(f"return {'None' if value is None else self.expr(value)}")
                case _:
                    raise TypeError(f"a question cannot do this: {type(statement).__name__}")
