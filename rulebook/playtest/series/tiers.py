"""What plays the games of a series: the machine, rules printed as Python, or as C.

In: a plan, a program, whether it is told what ran. Out: a machine, and the native tier if that was asked for. Never:
another tier than the one that was asked for without a word: what that cannot play is refused, or there is a note.
"""

from __future__ import annotations

from rulebook.interpreter.compiled.tier import BlindMachine, CompiledMachine
from rulebook.interpreter.machine import Machine
from rulebook.interpreter.native.tier import Native
from rulebook.interpreter.program import Program
from rulebook.playtest.bots import looks
from rulebook.playtest.series.plan import Plan

__all__ = ["TIERS", "NoTier", "machine_of", "native_of", "remarks"]

TIERS = ("machine", "python", "native")
"""All play the same games, each several times as fast as the one before."""


class NoTier(Exception):
    """What was asked to play cannot play this; the sentence says why."""


def machine_of(plan: Plan, program: Program, covers: bool) -> Machine:
    """What goes from decision to decision. Who plays at random looks at nothing, so that nobody's knowledge need be
    kept; what ran is known only to the machine.
    """
    if covers or plan.tier == "machine":
        return Machine(program)
    return CompiledMachine(program) if any(map(looks, plan.bots)) else BlindMachine(program)


def remarks(plan: Plan, program: Program) -> list[str]:
    """What is to be said about who played."""
    if plan.tier == "native" and program.measures:
        names = ", ".join(one.name for one in program.measures)
        return [f"Played by the tier `python`: the native tier cannot ask for what is measured here ({names})."]
    return []


def native_of(plan: Plan, program: Program, covers: bool) -> Native | None:
    """The native tier, if that is to play. Raises NoTier."""
    if plan.tier != "native":
        return None
    if covers:
        raise NoTier("The native tier does not know what ran; leave out `--coverage` or `--tier native`.")
    if plan.watched:
        raise NoTier(
            "The native tier counts no cards, options and leads: leave out `--tier native`, or `--details`, `--out` "
            "and `--export`."
        )
    if set(plan.bots) != {"random"}:
        raise NoTier("The native tier has bots of the kind `random` only; leave out `--tier native`.")
    if program.measures:
        return None
    found = Native.of(program)
    if isinstance(found, Native):
        return found
    raise NoTier(f"The native tier cannot play this. {found.reason} Without `--tier native` it is played.")
