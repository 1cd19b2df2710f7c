"""A machine that can be asked, while it tells of something, what it is doing.

In: what a machine plays. Out: for each event that a seat is told, a `Heard`. Never: changes a game.
"""

from __future__ import annotations

from collections.abc import Mapping

from rulebook.classes import frozen
from rulebook.dsl.document import At
from rulebook.interpreter.decisions import RuleError
from rulebook.interpreter.events import Event, Sink
from rulebook.interpreter.knowledge import sight
from rulebook.interpreter.layout import KNOWN, PENDING, RESULT, WHERE
from rulebook.interpreter.machine import Machine
from rulebook.interpreter.ops.asking import choose
from rulebook.interpreter.ops.cards import show
from rulebook.interpreter.ops.memory import say, tell
from rulebook.interpreter.program import Program
from rulebook.interpreter.run import Run
from rulebook.interpreter.state import State


@frozen(eq=False)
class Heard:
    """Something a seat was sent: the event, the sentence that told it, and the states before that sentence and as it
    told. `is_meant`: the sentence says `publicly`, or speaks to some. `is_untimely`: it tells an answer to others while
    somebody has still to give one, or that of a secret choice.
    """

    event: Event
    at: At | None
    is_meant: bool
    is_untimely: bool
    before: State
    state: State

    def is_named_unseen(self, program: Program, seat: int) -> bool:
        """Tell whether it names cards of which the seat has seen none, neither before nor as it was told."""
        named = {*self.event.facts.get("cards", ())}
        seen = {
            program.definition[card]
            for state in (self.before, self.state)
            for card in range(program.cards if named else 0)
            if (state[KNOWN][card] | sight(program, state, card)) >> seat & 1
            or (state[RESULT] is not None and program.layout.places[state[WHERE][card]].opened_at_end)
        }
        return not named <= seen


class ListeningMachine(Machine):
    """A machine that notes what it is doing."""

    at_work: Run | None = None
    before: State | None = None
    """The state before the step that is taken."""
    come_by: Mapping[tuple[int, int], int] = {}
    """The times that rules came by each choice since somebody last made this empty, asked or not, by code and step."""

    @property
    def means_to_tell(self) -> bool:
        """True at a sentence that says `publicly`, or speaks to some."""
        assert self.at_work is not None, "somebody is at work when something is told"
        code, pc = self.at_work.code, max(self.at_work.pc - 1, 0)
        return code.public[pc] or (code.steps[pc].does(say, tell, show) and code.steps[pc]["to"] is not None)

    def _run_step(self, run: Run) -> None:
        if run.events is not None:
            self.before = run.state[:]
            if run.code.calls[run.pc][0] is choose:
                question = run.code_index, run.pc
                self.come_by = {**self.come_by, question: self.come_by.get(question, 0) + 1}
        super()._run_step(run)

    def _make_run(self, state: State, events: Sink | None = None, asks_chance: bool = False) -> Run:
        run = super()._make_run(state, events, asks_chance)
        if events is not None:
            self.at_work, self.before = run, state[:]
        return run


_MOST_HEARD = 5_000
"""The events that a seat hears between two decisions, behind which the rules are taken to go round."""


class Ear(list[Event]):
    """The events of one seat, each with what the machine did when it told it."""

    def __init__(self, machine: ListeningMachine, seat: int) -> None:
        super().__init__()
        self.machine, self.name = machine, machine.names[seat]
        self.heard: list[Heard] = []

    def append(self, event: Event) -> None:
        run, before = self.machine.at_work, self.machine.before
        if len(self.heard) == _MOST_HEARD:
            raise RuleError(f"More than {_MOST_HEARD} things happened, and nobody was asked.")
        assert run is not None and before is not None, "somebody is at work when something is told"
        pc = max(run.pc - 1, 0)
        is_untimely = "what" in event.facts and event.facts.get("player") != self.name and self._is_untimely(run, pc)
        heard = Heard(event, run.code.ats[pc], self.machine.means_to_tell, is_untimely, before, run.state[:])
        self.heard.append(heard)
        super().append(event)

    @staticmethod
    def _is_untimely(run: Run, pc: int) -> bool:
        step = run.code.steps[pc]
        return run.state[PENDING] is not None or (step.does(choose) and step["choice"].told == "chooser")
