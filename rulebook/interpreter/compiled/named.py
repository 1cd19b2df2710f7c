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
            begin, raising = len(self.paper.lines), self.paper.raising
            if isinstance(function.body, tuple):
                self.thoughts(function.body)
            else:
                self.constants = frozenset(f"v{slot}" for slot in range(function.parameters))
                answer = self.answer(function.body)
                for line in self.thought_before(answer):
                    self.paper.put(line)
            # Questions that ask one another can be many more than the things they look at.
            if self.paper.raising == raising:
                self.paper.safe.add(f"{self.book.functions[function.name]}(")
            if any(map(ASKS.search, self.paper.lines[begin:])):
                self.paper.lines.insert(begin, "    r.look_at(1)")

    def thought_before(self, answer: str) -> list[str]:
        """Lines that find an answer: first what it asks more than once, or in a loop."""
        lines = [f"return {answer}"]
        for name, text in reversed(self.before.items()):
            used = [(line, found.start()) for line in lines for found in re.finditer(rf"\b{name}\b", line)]
            if not used:
                continue
            line, at = used[0]
            in_loop = line.count("[", 0, at) > line.count("]", 0, at) or "lambda" in line[:at]
            if len(used) == 1 and not in_loop:
                lines[lines.index(line)] = line[:at] + text + line[at + len(name) :]
            else:
                lines.insert(0, f"{name} = {text}")
        return lines

    def answer(self, body: ir.Expr | ir.Conditions | ir.Total) -> str:
        """A body that is one answer."""
        match body:
            case ir.Conditions(lines):
                asked = "True"
                for line in lines:
                    asked = self.both("and", asked, self.yes_no(line.value))
                return asked
            case ir.Total(lines):
                return " + ".join(self.sure(line.value) for line in lines)
            case value:
                return self.expr(value)

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
