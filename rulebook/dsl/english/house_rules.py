"""House rules in a telling: settled, asked for one after the other, or kept in words.

In: the options of a rulebook and what is settled of them. Out: their values, and what a condition comes to with them.
Never: guesses; what is not settled is asked for (`Undecided`) or left open.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeAlias

from rulebook.dsl import ir
from rulebook.dsl import types as t
from rulebook.dsl.settling.reckoning import Env, Reckoning, Unsettled

Value: TypeAlias = Any
"""What an option may be: an `int`, `bool`, `str`, None, or the steps of a table."""

_SMALL = 12  # values of a number that a text may be told for, one by one
OPEN, CLOSE = "\ue000", "\ue001"
"""Around the name of an option in a text: its value belongs there."""


class Undecided(Exception):
    """A telling needs to know an option: once for each of these values."""

    def __init__(self, name: str, values: tuple[Value, ...]) -> None:
        super().__init__(name)
        self.name, self.values = name, values


class HouseRules(Reckoning):
    """What is settled. `asking`: an option that has few choices and is not settled is asked for."""

    def __init__(
        self, options: Mapping[str, ir.OptionDef], settled: Mapping[str, Value], *, asking: bool = False
    ) -> None:
        super().__init__(settled, players=0)
        self.defined, self.asking = options, asking

    def known(self, name: str) -> bool:
        """Whether the value of an option is settled. Raises `Undecided` where it can be asked for."""
        if name in self.options:
            return True
        if self.asking and (values := self._few(name)):
            raise Undecided(name, values)
        return False

    def countable(self, name: str) -> bool:
        """Whether the number that an option stands for is settled, where a noun has to know. Raises `Undecided`."""
        option = self.defined[name]
        low, high = option.low, option.high
        if name not in self.options and self.asking and low is not None and high is not None and high - low < _SMALL:
            raise Undecided(name, tuple(range(low, high + 1)))
        return name in self.options

    def _few(self, name: str) -> tuple[Value, ...]:
        option = self.defined[name]
        return (False, True) if option.type == t.YES_NO else option.choices or ()

    # ── what they settle ─────────────────────────────────────────────────────────────────────────────────────────

    def decided(self, expr: ir.Expr) -> bool | None:
        """What a question comes to, as far as house rules say; None where play has to say."""
        known, found = self.constant(expr)
        return found if known and isinstance(found, bool) else None

    def constant(self, expr: ir.Expr) -> tuple[bool, Value]:
        """Whether house rules settle a value, and the value."""
        try:
            return True, self.value(expr, {})
        except Unsettled:
            return False, None

    def value(self, expr: ir.Expr, env: Env) -> Value:
        if isinstance(expr, ir.Seats):
            raise Unsettled  # how many play is not known
        return super().value(expr, env)

    def _option(self, name: str, key: ir.Expr | None, env: Env) -> Value:
        if not self.known(name):
            raise Unsettled
        return super()._option(name, key, env)
