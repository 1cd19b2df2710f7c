"""A machine that notes the choices at which nobody is asked, since at most one answer is legal.

In: the steps of a scenario. Out: each such choice, who would have been asked, what was chosen, and where it stands. It
stands apart from the machine, which has no use for them.
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from typing import Any

from rulebook.classes import frozen
from rulebook.interpreter.events import Sink
from rulebook.interpreter.layout import PENDING
from rulebook.interpreter.machine import Machine
from rulebook.interpreter.ops import asking, values
from rulebook.interpreter.run import NotThere, Run
from rulebook.playtest.scenarios.answers import shown
from rulebook.source import Span


@frozen
class Forced:
    """A choice that was made without asking a seat: the keys of what was chosen, none if nothing could be."""

    seat: int
    keys: tuple[str, ...]
    span: Span | None

    def describe(self, names: Sequence[str]) -> str:
        """Say it in a sentence: `Ana had only one answer, ruby, so nobody was asked (cards.yaml:12).`"""
        where = f" ({self.span.file.name}:{self.span.line})" if self.span is not None else ""
        if not self.keys:
            return f"{names[self.seat]} had nothing to choose, so nobody was asked{where}."
        return f"{names[self.seat]} had only one answer, {shown(self.keys)[1:-1]}, so nobody was asked{where}."


class NotingMachine(Machine):
    """A machine that notes choices without a question, in order, and whether a sentence was skipped; `noted` is emptied
    by whoever reads it.
    """

    def __init__(self, *given: Any) -> None:
        super().__init__(*given)
        self.noted: list[Forced] = []
        self.has_skipped = False

    def _run_step(self, run: Run) -> None:
        code, pc = run.code, run.pc
        step = code.steps[pc]
        if step.does(asking.choose) and run.events is not None:
            self._note_forced(run, run.events)
        else:
            super()._run_step(run)
        if run.code is code and run.pc != pc + 1:
            self.has_skipped |= run.pc == code.traps[pc] or step.does(values.jump_if_absent)

    def _note_forced(self, run: Run, events: Sink) -> None:
        at, choice = run.code.ats[run.pc], run.code.steps[run.pc]["choice"]
        seats: Sequence[int] = ()
        with suppress(NotThere):
            seats = run.alive(run.run_piece(choice.deciders, run.env))
        before = [len(event) for event in events]
        super()._run_step(run)
        for seat in seats if run.state[PENDING] is None else ():
            chosen = [event.facts["what"] for event in events[seat][before[seat] :] if event.facts.get("forced")]
            keys = tuple(key for what in chosen for key in what)
            self.noted.append(Forced(seat, keys, None if at is None else at.span))
