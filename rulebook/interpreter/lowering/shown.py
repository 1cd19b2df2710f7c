"""What people read beside what happens: a question, the label of an option, the title of a stage.

In: the expression of a text. Out: a formula. Never: decides anything, also not by what it asks of nothing.
"""

from __future__ import annotations

from collections.abc import Callable

from rulebook.dsl import ir
from rulebook.interpreter.lowering.expressions import label_of
from rulebook.interpreter.lowering.formulas import joined
from rulebook.interpreter.lowering.tables import Tables
from rulebook.interpreter.ops import Env
from rulebook.interpreter.run import NotThere, Run
from rulebook.interpreter.wording import NOTHING


def shown_of(tables: Tables, expr: ir.Expr) -> Callable[[Run, Env], str]:
    """The value of an expression in words, by which nothing is decided: what is not there is `nothing` in it."""
    if isinstance(expr, ir.Joined):
        return joined([part if isinstance(part, str) else shown_of(tables, part) for part in expr.parts])
    written = label_of(tables, expr)

    def shown(run: Run, env: Env) -> str:
        try:
            return written(run, env)
        except NotThere:
            return NOTHING

    return shown
