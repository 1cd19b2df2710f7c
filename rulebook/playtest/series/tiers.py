"""What plays the games of a series: the machine, or the core, where that is enough.

In: a plan, a program. Out: the core, or None where the machine plays. Never: another game than the machine plays.
"""

from __future__ import annotations

from rulebook.interpreter.core.door import Core, core_of
from rulebook.interpreter.program import Program
from rulebook.playtest.series.plan import Plan

__all__ = ["TIERS", "find_core"]

TIERS = ("core", "machine")
"""Both play the same games."""


def find_core(plan: Plan, program: Program, covers: bool) -> Core | None:
    """The core, if it may play, is there, and nothing is wanted of the games but how they end."""
    is_plain = not (covers or plan.watched or program.measures) and set(plan.bots) == {"random"}
    if plan.tier != "core" or not is_plain:
        return None
    found = core_of(program)
    return found if isinstance(found, Core) else None
