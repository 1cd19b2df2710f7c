"""How large what the rules make can get: far beyond any table, and far below what a computer cannot bear.

In: a number or a list that was just made. Out: the same, or a `RuleError`. Never: a limit on what is declared; such
a rulebook is refused before it is played.
"""

from __future__ import annotations

from typing import Any

from rulebook.dsl.ir import MOST_LISTED, MOST_VALUE
from rulebook.interpreter.decisions import RuleError


def listed(found: tuple[Any, ...] | range) -> tuple[Any, ...]:
    """A list, if it is not too long."""
    if len(found) > MOST_LISTED:
        raise RuleError(f"This makes a list of more than {MOST_LISTED:,} things.")
    return tuple(found)


def bounded(number: Any) -> Any:
    """What was reckoned, if it is not too large."""
    if not -MOST_VALUE < number < MOST_VALUE:
        raise RuleError("This makes a number of more than 15 digits.")
    return number
