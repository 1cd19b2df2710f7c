"""Ops that are written only where somebody watches a game, or plays it with something left out.

The core notes what they come by; the machine plays the same game, and notes the mutants alone.
"""

from __future__ import annotations

from rulebook.interpreter.op_table import Env, In, Out, Target, op
from rulebook.interpreter.run import Run


@op
def jump_if_mutant(run: Run, env: Env, mutant: int, matters: bool, to: Target) -> int | None:
    """Go on elsewhere in a mutant; `matters` if that changes something wherever the game comes by."""
    return to if _is_played(run, mutant, True) else None


@op
def mutate(run: Run, env: Env, to: Out, value: In, other: In, mutant: int) -> None:
    """Take a value, or in a mutant another one."""
    env[to] = env[other if _is_played(run, mutant, env[other] != env[value]) else value]


@op
def note_value(run: Run, env: Env, value: In, site: int) -> None:
    """Note a value."""


@op
def note_effect(run: Run, env: Env, mutant: int) -> None:
    """Note whether a sentence has changed anything, which a mutant leaves out."""


@op
def hear(run: Run, env: Env, value: In | None) -> None:
    """Let everybody notice a value that is said."""


def _is_played(run: Run, mutant: int, matters: bool) -> bool:
    mutation = run.program.mutation
    if mutation.met is not None:
        moments = mutation.met.setdefault(mutant, set())
        if matters:
            moments.add(mutation.moment)
    return mutation.mutant == mutant
