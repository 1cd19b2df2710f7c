"""Who sees the whole table at the end of a scenario, and answers what is asked about it.

In: the ground of a scenario, its machine and state, what each player was told. Out: values of questions,
values in words, views, logs and the outcome. Never: changes the state.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import Any

from attrs import define, field

from rulebook.dsl import ir
from rulebook.dsl import types as t
from rulebook.interpreter.account import describe
from rulebook.interpreter.decisions import Decision
from rulebook.interpreter.events import Sink
from rulebook.interpreter.machine import Machine
from rulebook.interpreter.results import Outcome, outcome
from rulebook.interpreter.state import State
from rulebook.interpreter.views import facts
from rulebook.interpreter.wording import label, place_key
from rulebook.playtest.scenarios.ground import Question

__all__ = ["Referee"]


@define(eq=False, slots=False)
class Referee:
    """A table that stands still. Views and logs are made when first asked for."""

    machine: Machine
    state: State
    events: Sink = field(factory=list)
    decision: Decision | None = None

    @property
    def names(self) -> Sequence[str]:
        """What the players are called, by seat."""
        return self.machine.names

    def answer(self, question: Question) -> Any:
        """The answer to a question; nothing, about somebody who is not there."""
        return self.value(question.expr, question.slots)

    def value(self, expr: ir.Expr, slots: ir.Slots) -> Any:
        """The value of an expression, or of a part of one."""
        formula = self.machine.program.lowering.formula(expr)
        return self.machine.evaluate(self.state, formula, len(slots.names))

    def outcome(self) -> Outcome:
        """How the game stands, and who has won if it is over."""
        return outcome(self.machine.program, self.state, self.machine.names)

    def lines(self, expr: ir.CallValue | ir.AskHook, slots: ir.Slots) -> list[tuple[str, Any]]:
        """The named conditions of what is asked, each with its answer; none if it has no names for them."""
        program, arguments = self.machine.program, [self.value(one, slots) for one in expr.arguments]
        if isinstance(expr, ir.AskHook):
            target = self.value(expr.target, slots)
            return [] if target is None else list(self.machine.failing(self.state, expr.hook, target, arguments))
        question = program.questions[expr.function]
        return [
            (name, self.machine.evaluate(self.state, line, question.size, arguments)) for name, line in question.lines
        ]

    def words(self, value: Any, type: t.Type) -> str:
        """A value as a scenario would write it: cards by their ids, lists in brackets."""
        program = self.machine.program
        if value is None:
            return "nothing"
        if isinstance(value, tuple):
            items = type.item if isinstance(type, t.ListOf | t.PerPlayer) else t.UNKNOWN
            return f"[{', '.join(self.words(one, items) for one in value)}]" if value else "empty"
        if isinstance(value, bool):
            return "yes" if value else "no"
        if isinstance(value, str):
            return value
        sorts = t.members(t.surely(type))
        if t.PLAYER in sorts:
            return str(self.names[value])
        if any(isinstance(one, t.Card | t.Action) for one in sorts):
            number = value - program.cards
            return str(program.definition[value] if number < 0 else program.actions[number])
        if any(isinstance(one, t.Place) for one in sorts):
            return self.place_key(value)
        return label(program, self.names, value, "amount" if t.AMOUNT in sorts else "number")

    def place_key(self, place: int) -> str:
        """The place as a view calls it."""
        return place_key(self.machine.program, self.names, self.machine.program.layout.places[place])

    def view(self, seat: int) -> dict[str, Any]:
        """The table as a player knows it."""
        return self._views[seat]

    @cached_property
    def _views(self) -> list[dict[str, Any]]:
        seats = range(len(self.names))
        return [facts(self.machine.program, self.names, self.state, seat) for seat in seats]

    def log(self, seat: int) -> list[str]:
        """What a player has been told, line by line."""
        program = self.machine.program
        return [describe(program, self.names, event) for event in self.events[seat]]
