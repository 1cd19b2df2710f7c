"""The machine that runs printed text.

In: a program whose lowering keeps its IR. Out: a `CompiledMachine`, which has the machine's states and does what the
machine does. Never: text that is not ours; nothing that a rulebook names stands in what is run here.
"""

from __future__ import annotations

import linecache
from collections.abc import Callable, Sequence
from functools import cached_property
from typing import Any, Literal

from attrs import frozen

from rulebook.interpreter.compiled import answers, finish, hands, known, offers, steps
from rulebook.interpreter.compiled.blind import BlindRun
from rulebook.interpreter.compiled.book import Book
from rulebook.interpreter.compiled.named import Named
from rulebook.interpreter.compiled.offers import NO_ANSWER, WAITS
from rulebook.interpreter.compiled.paper import Paper
from rulebook.interpreter.compiled.scripts import ScriptPrinter
from rulebook.interpreter.compiled.sources import keeps_knowledge
from rulebook.interpreter.compiled.ways import Ways
from rulebook.interpreter.decisions import Chance, Decision
from rulebook.interpreter.events import Sink
from rulebook.interpreter.layout import CLOCK, COUNTS, PENDING, STACK
from rulebook.interpreter.machine import Machine
from rulebook.interpreter.ops import Choose
from rulebook.interpreter.program import Code, Program
from rulebook.interpreter.results import tell_over
from rulebook.interpreter.run import Run
from rulebook.interpreter.state import State

Resume = Callable[[Run, State, tuple[Any, ...], Any], Any]


@frozen
class Printed:
    """A program as text; by script, the ops at which it can be resumed, and those of choices of one thing after the
    other; what the tables in the text are called, each with its hook.
    """

    paper: Paper
    resumes: list[set[int]]
    lists: list[set[int]]
    hooks: dict[str, str]


def printed(program: Program, watched: bool, inline: bool = False) -> Printed:
    """A program as text; `inline`: a choice calls a player, and nothing waits for an answer."""
    tables, paper = program.lowering.tables, Paper()
    book = Book(program, paper, watched, inline)
    paper.names.update(
        {
            **answers.NAMES,
            **steps.NAMES,
            **hands.NAMES,
            **known.NAMES,
            **offers.NAMES,
            **(finish.NAMES if inline else {}),
        }
    )
    for function in tables.rulebook.functions.values():
        Named(book, function.name).function(function)
    resumes, lists = [], []
    for index, script in enumerate(tables.rulebook.scripts.values()):
        printer = ScriptPrinter(book, script, index, program.codes[index])
        resumes.append(printer.functions())
        lists.append({*printer.lists})
    book.print_tables()
    indexes = {name: index for index, name in enumerate(tables.rulebook.scripts)}
    for hook, table in book.hooks.items():
        entries = [
            "None" if name not in indexes else f"{'c' if name in book.waiting.scripts else 'q'}{indexes[name]}"
            for name in tables.by_object(hook)
        ]
        paper.put(f"{table} = ({', '.join(entries)},)")
    book.print_ends()
    Ways(book).print_all()
    hooks = {table: hook for hook, table in (*book.asks.items(), *book.hooks.items())}
    return Printed(paper, resumes, lists, hooks)


def run_text(text: str, names: dict[str, Any], called: str) -> dict[str, Any]:
    """What printed text defines; a debugger finds its lines under the name that it is called by."""
    linecache.cache[called] = len(text), None, text.splitlines(keepends=True), called
    exec(compile(text, called, "exec"), names)
    return names


def functions(printed: Printed, called: str) -> tuple[list[dict[int, Resume]], list[dict[int, Any]]]:
    """By script, the function of each op at which it can be resumed, and what lists the options of choices of one thing
    after the other.
    """
    found = run_text(printed.paper.text, dict(printed.paper.names), called)
    resume = [{pc: found[f"g{index}_{pc}"] for pc in sorted(ops)} for index, ops in enumerate(printed.resumes)]
    return resume, [{pc: found[f"l{index}_{pc}"] for pc in sorted(ops)} for index, ops in enumerate(printed.lists)]


def go_on(resume: list[dict[int, Resume]], r: Run, s: State, frame: Any, pc: int, answer: Any) -> None:
    """Go from function to function until somebody is asked, or there is no function: the machine goes on."""
    child, many = frame, len(resume)
    while frame is not None:
        function = resume[frame[0]].get(pc) if frame[0] < many else None
        if function is None:
            break
        answer = function(r, s, frame, answer)
        if answer is WAITS:
            if s[PENDING] is not None:
                if s[STACK] is None:
                    tell_over(r)
                return
            frame, answer = s[STACK], NO_ANSWER
            pc = frame[1]
        else:
            child, frame = frame, frame[2]
            if frame is not None:
                pc = frame[1]
    if answer is not NO_ANSWER:
        s[STACK], r.untested = child, True
        r.load()
        r.leave(answer)
        r.save()
        if s[STACK] is None:
            tell_over(r)


def _plain(code: Code) -> dict[int, tuple[int, int]]:
    chooses = [(pc, op) for pc, op in enumerate(code.ops) if isinstance(op, Choose)]
    return {pc: (op.picks[0].slot + 3, op.otherwise) for pc, op in chooses if len(op.picks) == 1 and not op.sealed}


class CompiledMachine(Machine):
    """A machine that goes from one state to the next by printed functions, and is in all else the machine."""

    watched = True

    def __init__(self, program: Program, names: Sequence[str] | None = None, exhaustive: bool = False) -> None:
        super().__init__(program, names, exhaustive)
        self.plain = [_plain(code) for code in program.codes]
        """By script and the op of a choice of one player with one pick: where the answer goes in a frame, and the op
        behind it when there is none.
        """
        self._run_on = BlindRun(program, self.names)
        self._run_on.remembers = self.keeps

    @cached_property
    def keeps(self) -> bool:
        """Whether its states say who knows which card."""
        return keeps_knowledge(Book(self.program, Paper(), self.watched))

    @cached_property
    def functions(self) -> tuple[list[dict[int, Resume]], list[dict[int, Any]]]:
        """By script, what goes on at an op, and what lists the options of a choice of one thing after the other."""
        return functions(printed(self.program, self.watched), f"<{type(self).__name__} of {self.program.id}>")

    def go(self, state: State, events: Sink | None = None) -> None:
        """Run until somebody is needed, as `advance` does, without putting into words for what."""
        if state[PENDING] is None:
            frame = state[STACK]
            self._resume(state, frame, frame[1], NO_ANSWER, events)

    def take(self, state: State, seat: int, value: Any) -> None:
        """Take an answer, as `answer_value` does, and go on."""
        frame = state[STACK]
        plain = self.plain[frame[0]].get(frame[1]) if frame[0] < len(self.plain) else None
        if plain is None:
            self.answer_value(state, seat, value)
            if state[PENDING] is None:
                frame = state[STACK]
                self._resume(state, frame, frame[1], NO_ANSWER)
            return
        state[CLOCK] += 1
        state[PENDING] = None
        if value is None:
            slot, pc = plain
            frame = (*frame[:1], pc, *frame[2:slot], None, *frame[slot + 1 :])
            self._resume(state, frame, pc, NO_ANSWER)
        else:
            self._resume(state, frame, frame[1] + 1, value)

    def _resume(self, state: State, frame: Any, pc: int, answer: Any, events: Sink | None = None) -> None:
        r = self._run_on
        r.state, r.halted, r.untested, r.looked_at, r.events = state, False, True, 0, events
        try:
            go_on(self.functions[0], r, state, frame, pc, answer)
        finally:
            if r.hot:
                r.cool(state)
        if state[PENDING] is None:
            Machine.advance(self, state, events)

    def advance(
        self, state: State, events: Sink | None = None, chance: Literal["sample", "ask"] = "sample"
    ) -> Decision | Chance | None:
        """As the machine does it."""
        if chance == "sample" and not self.exhaustive:
            self.go(state, events)
        return Machine.advance(self, state, events, chance)

    def waiting(self, state: State) -> tuple[int, ...]:
        """As the machine does it; who was just asked alone is known."""
        r, pending = self._run_on, state[PENDING]
        if pending is None or r.pending is not pending:
            return super().waiting(state)
        asked = pending[1]
        return (asked[0][0],) if r.several is None else tuple([entry[0] for entry in asked if not entry[3]])

    def random_value(self, state: State, seat: int, below: Callable[[int], int]) -> Any:
        """As the machine does it; of what has just been offered there is a list."""
        r = self._run_on
        if r.pending is not state[PENDING] or state is not r.state:
            return super().random_value(state, seat, below)
        return offers.at_random(r, seat, below)

    def offered(self, state: State, seat: int) -> tuple[Sequence[Any], bool]:
        """As the machine does it; of what has just been offered there is a list."""
        r = self._run_on
        if r.pending is not state[PENDING] or state is not r.state:
            return super().offered(state, seat)
        return (r.offered, r.may_pass) if r.several is None else r.several[seat]

    def answer_value(self, state: State, seat: int, value: Any, events: Sink | None = None) -> None:
        """As the machine does it; an answer to a plain choice only goes into the frame."""
        frame, r = state[STACK], self._run_on
        plain = self.plain[frame[0]].get(frame[1]) if frame[0] < len(self.plain) else None
        if events is None and plain is not None:
            offers.answer(state, value, *plain)
            return
        lists = None
        printed = events is None and not self.exhaustive and frame[0] < len(self.plain)
        if printed and (list_picks := self.functions[1][frame[0]].get(frame[1])):
            if r.pending is not state[PENDING] or state is not r.state:
                r.pending, r.state, r.looked_at = None, state, 0
                r.lists = list_picks(r, state, *frame[3:])
            lists = r.lists
        if lists is None:
            super().answer_value(state, seat, value, events)
        else:
            offers.pick(r, state, seat, value, self.choosing(state), lists)


class BlindMachine(CompiledMachine):
    """The same without events and knowledge, for players that never look."""

    watched = False

    @cached_property
    def to_end(self) -> list[dict[int, Resume]]:
        """The same functions, but each runs on to the end of the game."""
        return functions(printed(self.program, self.watched, inline=True), f"<finish of {self.program.id}>")[0]

    def _run(self, state: State, events: Sink | None = None, asks_chance: bool = False) -> Run:
        run = super()._run(state, events, asks_chance)
        run.remembers = self.keeps
        return run

    def advance(
        self, state: State, events: Sink | None = None, chance: Literal["sample", "ask"] = "sample"
    ) -> Decision | Chance | None:
        """As the machine does it, but tells nobody."""
        return super().advance(state, None, chance)

    def play(self, state: State, below: Sequence[Callable[[int], int]]) -> None:
        """Play to the end, from wherever the game stands; each seat answers at random, from its own numbers."""
        while state[PENDING] is None or state[PENDING][0] == "ask":
            if state[PENDING] is not None:
                seat = self.waiting(state)[0]
                self.answer_value(state, seat, self.random_value(state, seat, below[seat]))
            else:
                self._finish(state, below)

    def _finish(self, state: State, below: Sequence[Callable[[int], int]]) -> None:
        """Run until the game is over; if there is no function for what stands there, until somebody is asked."""
        r = self._run_on
        r.state, r.halted, r.untested, r.looked_at, r.below_of = state, False, True, 0, below
        state[COUNTS] = list(state[COUNTS])
        frame = state[STACK]
        try:
            go_on(self.to_end, r, state, frame, frame[1], NO_ANSWER)
        except finish.Unfinished:
            r.finish(("unfinished",))
        finally:
            state[COUNTS] = tuple(state[COUNTS])
            r.cool(state)
        if state[PENDING] is None:
            Machine.advance(self, state)


TIERS: tuple[type[CompiledMachine], ...] = (CompiledMachine, BlindMachine)
"""All compiled tiers."""
