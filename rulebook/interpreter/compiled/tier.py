"""The machine that runs printed text.

In: a program whose lowering keeps its IR. Out: a `CompiledMachine`, which has the machine's states and does what the
machine does. Never: text that is not ours; nothing that a rulebook names stands in what is run here.
"""

from __future__ import annotations

import linecache
from collections.abc import Callable, Sequence
from typing import Any, Literal

from rulebook.interpreter.compiled import answers, steps
from rulebook.interpreter.compiled.paper import Paper
from rulebook.interpreter.compiled.questions import Book
from rulebook.interpreter.compiled.scripts import ScriptPrinter
from rulebook.interpreter.compiled.steps import WAITS
from rulebook.interpreter.compiled.waiting import Waiting
from rulebook.interpreter.decisions import Chance, Decision
from rulebook.interpreter.events import Sink
from rulebook.interpreter.layout import PENDING, STACK
from rulebook.interpreter.machine import Machine
from rulebook.interpreter.program import Program
from rulebook.interpreter.results import tell_over
from rulebook.interpreter.run import Run
from rulebook.interpreter.state import State

Resume = Callable[[Run, State, tuple[Any, ...]], Any]


def printed(program: Program, watched: bool) -> tuple[Paper, list[set[int]]]:
    """A program as text, and by script the ops at which it can be resumed."""
    tables, paper = program.lowering.tables, Paper()
    book, waiting = Book(tables, paper, program.lasting), Waiting(tables.rulebook)
    paper.names.update({**answers.NAMES, **steps.NAMES})
    book.print_questions()
    resumes = []
    for index, script in enumerate(tables.rulebook.scripts.values()):
        resumes.append(ScriptPrinter(book, waiting, script, index, program.codes[index], watched).functions())
    book.print_tables()
    indexes = {name: index for index, name in enumerate(tables.rulebook.scripts)}
    for hook, table in book.hooks.items():
        entries = [
            "None" if name not in indexes else f"{'c' if name in waiting.scripts else 'q'}{indexes[name]}"
            for name in tables.by_object(hook)
        ]
        paper.put(f"{table} = ({', '.join(entries)},)")
    return paper, resumes


def run_text(text: str, names: dict[str, Any], called: str) -> dict[str, Any]:
    """What printed text defines; a debugger finds its lines under the name that it is called by."""
    linecache.cache[called] = len(text), None, text.splitlines(keepends=True), called
    exec(compile(text, called, "exec"), names)
    return names


class CompiledMachine(Machine):
    """A machine that goes from one state to the next by printed functions, and is in all else the machine."""

    watched = True

    def __init__(self, program: Program, names: Sequence[str] | None = None, exhaustive: bool = False) -> None:
        super().__init__(program, names, exhaustive)
        paper, resumes = printed(program, self.watched)
        found = run_text(paper.text, dict(paper.names), f"<{type(self).__name__} of {program.id}>")
        self.resume: list[dict[int, Resume]] = [
            {pc: found[f"g{index}_{pc}"] for pc in sorted(ops)} if f"c{index}" in found else {}
            for index, ops in enumerate(resumes)
        ]

    def advance(
        self, state: State, events: Sink | None = None, chance: Literal["sample", "ask"] = "sample"
    ) -> Decision | Chance | None:
        """As the machine does it."""
        if chance == "sample" and not self.exhaustive and state[PENDING] is None:
            self._go_on(Run(self.program, self.names, state, events), state)
        return super().advance(state, events, chance)

    def _go_on(self, r: Run, s: State) -> None:
        """Go from function to function until somebody is asked, or there is no function: the machine goes on."""
        resume = self.resume
        while s[PENDING] is None:
            frame = s[STACK]
            function = resume[frame[0]].get(frame[1]) if frame[0] < len(resume) else None
            if function is None:
                return
            answer = function(r, s, frame)
            if answer is not WAITS:
                s[STACK] = frame
                r.load()
                r.leave(answer)
                r.save()
        if s[STACK] is None:
            tell_over(r)


class BlindMachine(CompiledMachine):
    """The same without events and knowledge, for players that never look."""

    watched = False


TIERS: tuple[type[CompiledMachine], ...] = (CompiledMachine, BlindMachine)
"""All compiled tiers."""
