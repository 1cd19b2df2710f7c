"""The choice of the interpreter for a series: the core, or the machine with the reason."""

from __future__ import annotations

from rulebook.dsl import ir
from rulebook.dsl import types as t
from rulebook.dsl.walk import nodes
from rulebook.interpreter.core.door import Core, core_of
from rulebook.interpreter.program import Program
from rulebook.playtest.series.plan import Plan


def choose_tier(plan: Plan, program: Program, covers: bool) -> Core | str:
    """The core, or why it does not play, as a sentence; nothing where nobody asked for it."""
    if plan.tier != "core":
        return ""
    if covers:
        return "The core does not count which lines run."
    if not plan.can_be_repeated:
        return "The core does not talk to programs."
    if plan.watched and mixes_yes(plan.rulebook):
        return "One choice offers yes or no beside numbers, which the core does not tell apart."
    return core_of(program)


def mixes_yes(rulebook: ir.Rulebook) -> bool:
    """Tell whether yes and no may be offered in one list with values of another sort."""
    picks = (node for script in rulebook.scripts.values() for node in nodes(script.body) if isinstance(node, ir.Pick))
    lists = (source.list.type for pick in picks for source in pick.sources)
    offered = (t.members(one.item) for one in lists if isinstance(one, t.ListOf | t.TableOf))
    return any(t.YES_NO in several and len(several) > 1 for several in offered)
