"""A run: the machine's registers while it works on a state, between two times that it waits.

It can be dropped between any two steps after `save_frame`: all that a game must remember stands in the state.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from itertools import chain
from typing import Any

from rulebook.interpreter import random
from rulebook.interpreter.decisions import Chance, Endless
from rulebook.interpreter.events import Event, EventKind, Sink
from rulebook.interpreter.knowledge import recognisers
from rulebook.interpreter.layout import (
    ALIVE,
    ANSWER,
    COUNTS,
    PENDING,
    RESULT,
    SEED,
    STACK,
)
from rulebook.interpreter.op_table import ABSENT, Entry, Env
from rulebook.interpreter.program import Code, Lasting, Program, StageCode
from rulebook.interpreter.state import State
from rulebook.interpreter.wording import Names

MOST_ASKING = 200
"""The most questions that may ask each other: each that waits takes a piece of Python's own stack."""
MOST_LOOKED_AT = 250_000
"""The most work without a decision: members of lists gone through, rounds, calls, questions asked."""
MOST_KEPT = 500_000
"""The most values that scripts which wait for each other may keep: each its place in the rules, which is two, and its
locals. However deep they are, that is a bound of memory alone.
"""
MOST_SEARCHED = 16 * MOST_LOOKED_AT
"""The most work to find out whether a set may be chosen, beside that."""


TOO_MANY_ASK = f"More than {MOST_ASKING} questions wait for each other's answers."


class NotThere(Exception):
    """A formula asked something of nothing: the sentence speaks of somebody who is not there, and is skipped."""


def there(value: Any) -> Any:
    """The value of something that must be there; a question about nothing is about somebody who is not there."""
    if value is None:
        raise NotThere
    return value


class Watch:
    """The parts of an explained value: the named lines of each question that was asked on the way.

    `seats` are those who know every card, size and memory that was read. The key of a group of lines is the name of the
    question, the card whose question it is (None: a value), and what it was asked about; a group holds for each line
    its name, its answer, and who may be told. Asked twice, a question is told once.
    """

    def __init__(self, everyone: int) -> None:
        self.everyone = everyone
        self.seats = everyone
        self.groups: dict[tuple[str, int | None, tuple[Any, ...]], list[tuple[str, Any, int]]] = {}
        self._open: list[tuple[list[tuple[str, Any, int]], bool]] = []
        self._outside: list[int] = []

    def note(self, seats: int) -> None:
        """Note that something was read which these seats know."""
        self.seats &= seats

    def note_own(self, owner: int, is_alive: bool) -> None:
        """Note that something was read which its owner alone knows, and nobody once the owner is out."""
        self.note(1 << owner if is_alive else 0)

    @property
    def depth(self) -> tuple[int, int]:
        """The numbers of open groups and lines."""
        return len(self._open), len(self._outside)

    def return_to(self, depth: tuple[int, int]) -> None:
        """Close what was opened since: a question has been answered, or asked something of nothing."""
        groups, lines = depth
        del self._open[groups:], self._outside[lines:]

    def open_group(self, name: str, card: int | None, about: tuple[Any, ...]) -> None:
        """Begin the lines of a question; those of questions within it come behind it."""
        lines = self.groups.setdefault((name, card, about), [])
        self._open.append((lines, bool(lines)))

    def open_line(self) -> None:
        """Begin a line; it is told to those who know all that it reads."""
        self._outside.append(self.seats)
        self.seats = self.everyone

    def close_line(self, name: str, value: Any) -> None:
        """Note the value of a line."""
        lines, again = self._open[-1]
        if not again:
            lines.append((name, value, self.seats))
        self.seats &= self._outside.pop()


class NotKnown(Exception):
    """Somebody looks for the answer to a question, and does not know all that it reads."""


class Look(Watch):
    """Ends a question with `NotKnown` at the first thing it reads that these seats do not know, each of them. Where a
    look is everybody's, what its owner alone knows is not known, though nobody else may be left to look.
    """

    def __init__(self, seats: int, is_everybodys: bool = False) -> None:
        super().__init__(seats)
        self._is_everybodys = is_everybodys

    def note(self, seats: int) -> None:
        if self.everyone & ~seats:
            raise NotKnown

    def note_own(self, owner: int, is_alive: bool) -> None:
        self.note(1 << owner if is_alive and not self._is_everybodys else 0)


class TooMuch(Endless):
    """More is done without a decision than may be; the machine says where."""


class Run:
    """A code that runs: `env` are its registers, `pc` is the step after the one that runs."""

    def __init__(
        self,
        program: Program,
        names: Names,
        state: State,
        events: Sink | None = None,
        asks_chance: bool = False,
        exhaustive: bool = False,
    ) -> None:
        self.program, self.names, self.state, self.events = program, names, state, events
        self.layout = program.layout
        self.asks_chance, self.exhaustive = asks_chance, exhaustive
        self.chance: Chance | None = None
        self.halted = False
        self.changes = 0
        """The number of moves and changes: a loop whose round adds none will never end."""
        self.rounds: dict[tuple[int, int, int], int] = {}
        self.untested = True
        """True if something changed since the stages in which this runs were last asked for their end."""
        self.unheeded = program.triggers is not None
        """True if something changed since it was last asked what has become so."""
        self.watch: Watch | None = None
        self.looked_at = self.asking = 0
        self.kept, self.most_kept = 0, MOST_KEPT
        self.callers: list[tuple[Any, ...]] = []
        """The frames that wait for this one, outermost first."""
        self._staged: list[int] = []
        """The frames among them that are in a stage."""

    def look_at(self, number: int) -> None:
        """Count what is done: members of a list, rounds, calls, questions."""
        self.looked_at += number
        if self.looked_at > MOST_LOOKED_AT:
            raise TooMuch("Too many steps without a decision")

    def allow(self, more: int) -> None:
        """Let only so much more be done."""
        self.looked_at = MOST_LOOKED_AT - more

    @contextmanager
    def searching(self) -> Iterator[None]:
        """Look for sets that may be chosen: that has a budget of its own, for it is no part of the rules."""
        before = self.looked_at
        self.allow(MOST_SEARCHED)
        try:
            yield
        finally:
            self.looked_at = before

    # ── frames ───────────────────────────────────────────────────────────────────────────────────────────────────────

    def load_frame(self) -> None:
        """Take the frames of the state into the registers."""
        *self.callers, (index, self.pc, *env) = self.state[STACK]
        self.kept, codes = sum(map(len, self.callers)), self.program.codes
        self._staged = [depth for depth, (code, pc, *_) in enumerate(self.callers) if codes[code].stages[pc]]
        self._enter(index, env)

    def save_frame(self) -> None:
        """Put the registers into the state."""
        if self.state[STACK] is not None:
            self.state[STACK] = (*self.callers, self._frame())

    def _frame(self) -> tuple[Any, ...]:
        env = self.env[: self.code.size]
        for slot in self.code.scratch:
            env[slot] = None
        return (self.code_index, self.pc, *env)

    def _enter(self, index: int, values: Sequence[Any]) -> None:
        self.code_index, self.code = index, self.program.codes[index]
        self.env = self.code.window(values)

    def call_script(self, index: int, arguments: Sequence[Any]) -> None:
        """Go into a script; it comes back to the op that is next here."""
        self.look_at(1)
        self.kept += 2 + self.code.size
        if self.kept > self.most_kept:
            raise TooMuch("Too many scripts wait for each other")
        if self.code.stages[self.pc]:
            self._staged.append(len(self.callers))
        self.callers.append(self._frame())
        self._enter(index, arguments)
        self.pc = 0

    def _return(self) -> None:
        """Take the frame of whoever called into the registers."""
        frame = self.callers.pop()
        self.kept -= len(frame)
        index, self.pc, *env = frame
        if self._staged and self._staged[-1] == len(self.callers):
            self._staged.pop()
        self._enter(index, env)

    def leave_script(self, value: Any) -> None:
        """Come back from a script with its answer; the game is over when nobody called it."""
        if not self.callers:
            self.finish(("rank",))
            return
        asks, has_heeded = self.code.asks_stages, self.code_index == self.program.triggers
        self._return()
        if has_heeded:  # no step has called it
            self.unheeded = False
        else:
            slot: int | None = self.code.steps[self.pc - 1]["to"]
            if slot is not None:
                self.env[slot] = None if value == ABSENT else value
        if asks and not self.ask_triggers() and self.untested:
            self.ask_stages()

    def ask_triggers(self) -> bool:
        """Go into the script that asks what has become so, if something changed; not while it runs."""
        if not self.unheeded or self.program.triggers is None:
            return False
        if self.program.triggers in (self.code_index, *(frame[0] for frame in self.callers)):
            return False
        self.call_script(self.program.triggers, ())
        return True

    def finish(self, result: tuple[Any, ...]) -> None:
        """The game is over."""
        self.state[STACK], self.state[RESULT], self.state[PENDING] = None, result, ("over",)
        self.halted = True

    def wait(self, pending: tuple[Any, ...]) -> None:
        """Stop before the op that runs, until somebody has answered."""
        self.state[PENDING] = pending
        self.pc -= 1
        self.halted = True

    def leave_out(self) -> None:
        """Leave out the sentence whose step has just run: it asks something of nothing."""
        self.pc = self.code.traps[self.pc - 1]

    # ── stages ───────────────────────────────────────────────────────────────────────────────────────────────────────

    def open_stages(self) -> Iterator[tuple[int, tuple[Any, ...], int]]:
        """The stages the game is in, innermost first: how many calls up, the frame, the index in its code's table."""
        above, codes = len(self.callers), self.program.codes
        callers = ((above - depth, self.callers[depth]) for depth in reversed(self._staged))
        for up, frame in chain([(0, self._frame())], callers):
            for stage in reversed(codes[frame[0]].stages[frame[1]]):
                yield up, frame, stage

    def titled_stages(self) -> list[tuple[str, str]]:
        """Name and title of the stages the game is in, outermost first."""
        titled = []
        for _, frame, index in reversed([*self.open_stages()]):
            stage = self.program.codes[frame[0]].stage_table[index]
            code = self.program.codes[frame[0]]
            title = stage.name if stage.title is None else self.evaluate(code, stage.title, code.window(frame[2:]))
            titled.append((stage.name, title))
        return titled

    def ask_stages(self) -> bool:
        """End the outermost stage whose `until` has become true; whether there was one."""
        self.untested = False
        codes, stages = self.program.codes, reversed([*self.open_stages()])
        untils = [(*at, until) for at in stages if (until := codes[at[1][0]].stage_table[at[2]].until) is not None]
        self.look_at(len(untils))
        for up, frame, stage, until in untils:
            if self.holds(codes[frame[0]], until, codes[frame[0]].window(frame[2:])):
                self.end_stage(up, stage)
                return True
        return False

    def end_stage(self, up: int, stage: int) -> None:
        """Leave a stage, the frames that it called, and every stage within; go on behind it."""
        for _ in range(up):
            self.leave_stages(reversed(self.code.stages[self.pc]))
            self._return()
        inner = self.code.stages[self.pc]
        self.leave_stages(reversed(inner[inner.index(stage) :]))
        self.pc = self.code.stage_table[stage].exit

    def leave_stages(self, stages: Iterator[int] | Sequence[int]) -> None:
        """Set what lasts as long as these stages back to its start."""
        for stage in stages:
            self.leave_stage(self.code.stage_table[stage])

    def leave_stage(self, stage: StageCode) -> None:
        """Set what lasts as long as this stage back to its start, or to what it was in the one of its name around."""
        lasting = self.program.lasting.get(stage.name)
        if lasting is not None:
            self._restart(lasting)
            self.put_back(stage)
        self.emit("stage_ended", stage=stage.name)

    def keep_outer(self, stage: StageCode) -> None:
        """Keep what lasts as long as a stage in which another of its name begins, for which it begins at its start."""
        if not stage.kept:
            return
        if not self._is_stage_open(stage.name):
            return
        lasting, registers = self.program.lasting[stage.name], iter(stage.kept)
        for memory in lasting.memories:
            owners = self.layout.players if memory.owned_by == "player" else 1
            self.env[next(registers)] = tuple(self.state[memory.slot : memory.slot + owners])
        for state in lasting.states:
            values = self.state[state.slot]
            changed = tuple(card for card, start in enumerate(state.starts) if values[card] != start)
            self.env[next(registers)], self.env[next(registers)] = changed, tuple(values[card] for card in changed)
        self._restart(lasting)

    def _is_stage_open(self, name: str) -> bool:
        """Tell whether a stage begins within another one of its name."""
        if any(self.code.stage_table[index].name == name for index in self.code.stages[self.pc - 1]):
            return True
        for depth in reversed(self._staged):
            self.look_at(1)
            index, pc, *_ = self.callers[depth]
            code = self.program.codes[index]
            if any(code.stage_table[number].name == name for number in code.stages[pc]):
                return True
        return False

    def put_back(self, stage: StageCode) -> None:
        """Make what lasts as long as a stage again what was kept of the one around it."""
        if not stage.kept or self.env[stage.kept[0]] is None:
            return
        lasting, registers = self.program.lasting[stage.name], iter(stage.kept)
        for memory in lasting.memories:
            values = self.env[next(registers)]
            self.state[memory.slot : memory.slot + len(values)] = values
        for state in lasting.states:
            kept = dict(zip(self.env[next(registers)], self.env[next(registers)], strict=True))
            if kept:
                self.state[state.slot] = tuple(kept.get(card, start) for card, start in enumerate(state.starts))
        for register in stage.kept:
            self.env[register] = None

    def _restart(self, lasting: Lasting) -> None:
        self.touch()
        for memory in lasting.memories:
            owners = self.layout.players if memory.owned_by == "player" else 1
            self.state[memory.slot : memory.slot + owners] = [memory.start] * owners
        for state in lasting.states:
            self.state[state.slot] = state.starts

    # ── what formulas and handlers ask ───────────────────────────────────────────────────────────────────────────────

    def evaluate(self, code: Code, entry: Entry, env: Env) -> Any:
        """The value of a piece of code that is run on its own. Raises NotThere if it asks something of nothing."""
        calls, traps, pc = code.calls, code.traps, entry
        while True:
            do, operands = calls[pc]
            try:
                to = do(self, env, *operands)
            except NotThere:
                if traps[pc] < 0:
                    raise
                pc = traps[pc]
                continue
            except Endless as error:
                # Of questions in a circle the one that a card asks is told: without it the others may be right.
                if error.at is None or (code.name.startswith("cards.") and not error.script.startswith("cards.")):
                    error.script, error.at = code.name, code.ats[pc]
                raise
            pc += 1
            if to is not None:
                if to < 0:
                    return env[~to]
                pc = to

    def run_piece(self, entry: Entry, env: Env) -> Any:
        """The value of a piece of the code that runs."""
        return self.evaluate(self.code, entry, env)

    def holds(self, code: Code, entry: Entry, env: Env) -> bool:
        """Tell whether a condition is true; about somebody who is not there, nothing is."""
        try:
            return bool(self.evaluate(code, entry, env))
        except NotThere:
            return False

    def answer_to(self, question: Code, arguments: Sequence[Any]) -> Any:
        """The answer to a question. Raises NotThere if it asks something of nothing."""
        self.asking += 1
        if self.asking > MOST_ASKING:
            raise Endless(TOO_MANY_ASK)
        depth = None if self.watch is None else self.watch.depth
        try:
            return self.evaluate(question, 0, question.window(arguments))
        finally:
            self.asking -= 1
            if self.watch is not None and depth is not None:
                self.watch.return_to(depth)

    def ask_question(self, question: Code, *arguments: Any) -> Any:
        """The answer to a question; nothing, about somebody who is not there."""
        try:
            return self.answer_to(question, arguments)
        except NotThere:
            return None

    def touch(self) -> None:
        """Something changed."""
        self.changes += 1
        self.untested = self.unheeded = True

    def draw_below(self, stream: int, bound: int) -> int:
        """The next number of a stream of the state, below the bound."""
        times, number = self.state[stream] or (1, 0)
        if not number:
            number = random.start_stream(self.state[SEED], self.layout.streams[stream], times)
        number, result = random.below(number, bound)
        self.state[stream] = (times, number)
        return result

    def restart(self, stream: int) -> None:
        """Begin a stream once more, so that what it gave so far does not matter for what it will give."""
        times, _ = self.state[stream] or (0, 0)
        self.state[stream] = (times + 1, 0)

    @property
    def is_asking(self) -> bool:
        """Tell whether outcomes are asked for now, and not drawn: also while one that was asked has yet to be used."""
        return self.asks_chance or self.state[ANSWER] is not None

    def draw_outcome(self, outcomes: Sequence[str], weights: Sequence[int], seen_by: int) -> int | None:
        """Return which of several outcomes happens, by the answer of whoever draws; None while there is no answer."""
        chosen: int | None = self.state[ANSWER]
        if chosen is not None:
            self.state[ANSWER] = None
            return chosen
        number = self.state[COUNTS][-1] + 1
        self.chance = Chance(number, tuple(outcomes), tuple(weights), self.seats_of(seen_by))
        self.wait(("chance",))
        return None

    # ── events ───────────────────────────────────────────────────────────────────────────────────────────────────────

    def seats_of(self, mask: int) -> tuple[int, ...]:
        return tuple(seat for seat in range(self.layout.players) if mask >> seat & 1)

    def names_of(self, seats: Sequence[int]) -> list[str]:
        return [self.names[seat] for seat in seats]

    def emit(self, kind: EventKind, seats: int = -1, *, aside: bool = False, **facts: Any) -> None:
        """Every seat of the mask notices the same."""
        if self.events is not None:
            event = Event(kind, facts, aside)
            for seat, sink in enumerate(self.events):
                if seats >> seat & 1:
                    sink.append(event)

    def emit_cards(
        self, kind: EventKind, cards: Sequence[int], known: Sequence[int] | None = None, **facts: Any
    ) -> None:
        """Every seat notices that something happened to cards, and which cards they are as far as it may be told.

        `known` holds a mask of seats for each card; without it, those that recognise the cards where they lie.
        """
        if self.events is None:
            return
        definition = self.program.definition
        masks = [recognisers(self.program, self.state, card) for card in cards] if known is None else known
        noticed: dict[tuple[str, ...], Event] = {}  # seats that see the same share it
        for seat, sink in enumerate(self.events):
            shown = [definition[card] for card, mask in zip(cards, masks, strict=True) if mask >> seat & 1]
            if (key := tuple(shown)) in noticed:
                sink.append(noticed[key])
                continue
            hidden = len(cards) - len(shown)
            seen: dict[str, Any] = dict(facts)
            if shown:
                seen["cards"] = shown
            if hidden:
                seen["count"] = hidden
            noticed[key] = Event(kind, seen)
            sink.append(noticed[key])

    def alive(self, seats: Any) -> tuple[int, ...]:
        """Return the seats of a player or several who still play, each once."""
        listed = (seats,) if isinstance(seats, int) else seats or ()
        alive = self.state[ALIVE]
        return tuple(dict.fromkeys(seat for seat in listed if seat in alive))
