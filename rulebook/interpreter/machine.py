"""The machine: it runs a state until it needs somebody, and takes answers. All of a game stands in the state."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import Any, Literal

from rulebook.interpreter.choosing import Barred, Choices, find_choices, make_ask
from rulebook.interpreter.decisions import NAMED_CALLERS, Ask, Chance, Decision, Endless, Refused, RuleError
from rulebook.interpreter.events import Sink
from rulebook.interpreter.layout import ANSWER, COUNTS, PENDING, RESULT, SEED, STACK
from rulebook.interpreter.op_table import Step
from rulebook.interpreter.ops import asking
from rulebook.interpreter.program import Choice, Code, Program
from rulebook.interpreter.results import tell_over
from rulebook.interpreter.run import TOO_MANY_ASK, NotThere, Run, TooMuch
from rulebook.interpreter.state import State, clone

_MOST_NAMED = 3
"""The most scripts that a message names in which the rules go round."""
_ROUND = 1000
"""The steps watched of rules that go round, to say where."""


class Machine:
    """Runs the states of one program. `names` are what the players are called, in seat order.

    An `exhaustive` machine is for those who walk a whole game: it also asks a choice with one legal answer, and where
    chance is asked, equal dice that lie in no order are rolled as one outcome.
    """

    def __init__(self, program: Program, names: Sequence[str] | None = None, exhaustive: bool = False) -> None:
        self.names = tuple(names or (f"Player {seat + 1}" for seat in range(program.players)))
        self.program, self.exhaustive = program.call_seats(self.names), exhaustive

    def new_state(self, seed: int, code: int | None = None) -> State:
        """A game before its first step; it begins with the given script, else with the game's own."""
        state = list(self.program.layout.start)
        index = self.program.root if code is None else code
        state[STACK] = ((index, 0, *([None] * self.program.codes[index].size)),)
        state[SEED] = seed
        return state

    # ── running ──

    def advance(
        self, state: State, events: Sink | None = None, chance: Literal["sample", "ask"] = "sample"
    ) -> Decision | Chance | None:
        """Run until somebody is needed: a decision, an outcome (if chance is asked), or None when the game is over.

        On a state that waits already, nothing happens and the same is returned.
        """
        if state[PENDING] == ("chance",):
            state[PENDING] = None
        if state[PENDING] is None:
            run = self._make_run(state, events, chance == "ask")
            self._guarded(run, self._run_steps)
            if run.chance is not None:
                return run.chance
        return self.decision(state)

    def step(self, state: State, events: Sink | None = None) -> Step | None:
        """Run one step, for who wants to watch; None if the state waits or is over."""
        if state[PENDING] is not None:
            return None
        run = self._make_run(state, events)
        step: Step = run.code.steps[run.pc]
        self._guarded(run, self._run_step)
        return step

    def _guarded(self, run: Run, work: Callable[[Run], None]) -> None:
        """Do the work, and say of every error where the rules stood."""
        try:
            work(run)
        except TooMuch as error:
            raise self._runaway(run, error.message) from error
        except RuleError as error:
            placed = self._place_error(run, type(error), error.message)
            if error.at is not None:
                placed.chain = (placed.script, *placed.chain)
                placed.script, placed.at = error.script, error.at
            raise placed from error
        except RecursionError as error:
            raise self._place_error(run, Endless, TOO_MANY_ASK) from error
        run.save_frame()
        if run.halted and run.state[STACK] is None:
            tell_over(run)

    def _run_steps(self, run: Run) -> None:
        """Run until somebody is needed."""
        while not run.halted:
            self._run_step(run)

    def _run_step(self, run: Run) -> None:
        """The loop's body: fetch, do; leave out a sentence that asks something of nothing."""
        do, operands = run.code.calls[run.pc]
        run.pc += 1
        try:
            to = do(run, run.env, *operands)
        except NotThere:
            run.leave_out()
            return
        if to is not None:
            run.pc = to

    def _runaway(self, run: Run, message: str) -> RuleError:
        """Go round a little more, to see where; the error stands at the first sentence of those that come again."""
        run.pc = max(run.pc - 1, 0)  # the step that went too far did not do its work
        seen = {(run.code_index, run.pc): (run.code, self._place_error(run, Endless, "", run.pc))}
        with suppress(RuleError):
            run.allow(_ROUND)
            run.most_kept *= 2
            for _ in range(_ROUND):
                if run.halted or run.state[PENDING] is not None:  # too much was looked at for an answer
                    break
                here = run.code_index, run.pc
                if here not in seen:
                    seen[here] = run.code, self._place_error(run, Endless, "", run.pc)
                self._run_step(run)
        codes, errors = zip(*(seen[here] for here in sorted(seen)), strict=True)
        first = next((error for error in errors if error.at is not None), errors[0])
        lines: dict[str, list[int]] = {code.name: [] for code in codes}
        for code, error in zip(codes, errors, strict=True):
            lines[code.name] += [] if error.at is None else [error.at.span.line]
        where = [f"{name}{_name_lines(numbers)}" for name, numbers in lines.items()]
        more = [f"{len(where) - _MOST_NAMED} more"] if len(where) > _MOST_NAMED else []
        message = f"{message}; the rules go round in {', '.join(where[:_MOST_NAMED] + more)}."
        return Endless(message, first.script, first.at, first.chain, first.between)

    def _place_error(self, run: Run, kind: type[RuleError], message: str, pc: int | None = None) -> RuleError:
        """Place an error at an op, which is the one that just ran if none is named."""
        codes = self.program.codes
        at = run.code.ats[max(run.pc - 1, 0) if pc is None else pc]
        callers, most = run.callers, 2 * NAMED_CALLERS
        ends = callers if len(callers) <= most else [*callers[:NAMED_CALLERS], *callers[-NAMED_CALLERS:]]
        chain = tuple(codes[frame[0]].name for frame in reversed(ends))
        return kind(message, run.code.name, at, chain, len(callers) - len(ends))

    def _make_run(self, state: State, events: Sink | None = None, asks_chance: bool = False) -> Run:
        run = Run(self.program, self.names, state, events, asks_chance, self.exhaustive)
        if state[STACK] is not None:
            run.load_frame()
        return run

    # ── decisions ──

    def decision(self, state: State) -> Decision | None:
        """Return the decision that the state waits for, or None if it waits for no player."""
        if state[PENDING] is None or state[PENDING][0] != "ask":
            return None
        snapshot = clone(state)
        return Decision(lambda: self._make_asks(snapshot))

    def _make_asks(self, state: State) -> tuple[Ask, ...]:
        run = self._make_run(state)
        op = self.choosing(run.state)
        return tuple(make_ask(run, op, entry) for entry in state[PENDING][1] if not entry[3])

    def answer(self, state: State, seat: int, keys: Sequence[str], events: Sink | None = None) -> None:
        """Take the answer of a seat. Raises `Refused`, and changes nothing, if it may not be given."""
        choices = self.find_choices(state, seat)
        self.answer_value(state, seat, choices.read_answer(keys), events)

    def answer_value(self, state: State, seat: int, value: Any, events: Sink | None = None) -> None:
        """Take an answer that is known to be legal, as the machine's own value (None to pass)."""
        run = self._make_run(state, events)

        def work(run: Run) -> None:
            asking.take_answer(run, self.choosing(run.state), seat, value)

        self._guarded(run, work)

    def answer_chance(self, state: State, outcome: int) -> None:
        """Say which outcome happened, by its index in the `Chance` that was returned."""
        if state[PENDING] != ("chance",):
            raise Refused("No outcome is asked for now.")
        chance = self.advance(state, None, "ask")
        if not isinstance(chance, Chance) or not 0 <= outcome < len(chance.outcomes):
            raise Refused("There is no such outcome.")
        *counts, number = state[COUNTS]
        state[COUNTS] = (*counts, number + 1)
        state[PENDING], state[ANSWER] = None, outcome

    def barred(self, state: State, seat: int) -> list[Barred]:
        """List what this seat may not choose now though it is there, and the named rules that forbid it."""
        return self.find_choices(state, seat).barred()

    def random_answer(self, state: State, ask: Ask, below: Callable[[int], int]) -> list[str]:
        """Keys at random, uniform over copies; `below(n)` gives a number from 0 to n - 1."""
        choices = self.find_choices(state, ask.seat)
        value = choices.random(below)
        if value is None:
            return ["pass"]
        options = choices.make_options()
        chosen = value if choices.pick.many else (value,)
        return [next(option.key for option in options if value in option.values) for value in chosen]

    def random_value(self, state: State, seat: int, below: Callable[[int], int]) -> Any:
        """The same as a value for `answer_value`, for those who play very many games."""
        return self.find_choices(state, seat).random(below)

    def offered(self, state: State, seat: int) -> tuple[Sequence[Any], bool]:
        """The values that a seat may choose from now, and whether it may pass instead."""
        choices = self.find_choices(state, seat)
        return choices.values, choices.may_pass

    def find_waiting(self, state: State) -> tuple[int, ...]:
        """The seats that are asked now."""
        pending = state[PENDING]
        if pending is None or pending[0] != "ask":
            return ()
        return tuple(seat for seat, _, _, done in pending[1] if not done)

    def find_choices(self, state: State, seat: int) -> Choices:
        """Return the answers open to a seat now, as the machine's own values. Raises `Refused` if it is not asked."""
        pending = state[PENDING]
        if pending == ("over",):
            raise Refused("The game is over.")
        if seat not in self.find_waiting(state):
            raise Refused(f"{self._name_seat(seat)} is not asked anything now.")
        run = self._make_run(state)
        picks = next(picks for player, _, picks, _ in pending[1] if player == seat)
        choices = find_choices(run, self.choosing(run.state), seat, picks)
        assert choices is not None, "a seat that is asked has something to choose"
        return choices

    def _name_seat(self, seat: int) -> str:
        return self.names[seat] if 0 <= seat < len(self.names) else f"Seat {seat}"

    def choosing(self, state: State) -> Choice:
        """The choice at which a state waits."""
        op = self.program.choice_at(state)
        assert op is not None, "a state that asks stands at a choice"
        return op

    # ── questions ──

    def evaluate(self, state: State, formula: Code, arguments: Sequence[Any] = ()) -> Any:
        """The answer to a question about a state; nothing, about somebody who is not there."""
        return self._make_run(state).ask_question(formula, *arguments)

    def ask(self, state: State, name: str, *arguments: Any) -> Any:
        """The answer of a named value: `ask(state, "values.money", 0)`."""
        return self._make_run(state).ask_question(self.program.questions[name], *arguments)

    def failing(self, state: State, hook: str, target: int, arguments: Sequence[Any]) -> list[tuple[str, bool]]:
        """The named conditions of a card's question, each with its answer: why a verdict is what it is."""
        question = self.program.asks[hook][target]
        if question is None:
            return []
        run = self._make_run(state)
        lines = self.program.lowering.lower_lines(question.name)
        return [(name, bool(run.ask_question(line, target, *arguments))) for name, line in lines]

    def list_stages(self, state: State) -> list[tuple[str, str]]:
        """The stages the game is in, outermost first: name and title."""
        if state[STACK] is None:
            return []
        return self._make_run(state).titled_stages()

    def is_over(self, state: State) -> bool:
        return state[RESULT] is not None


def _name_lines(lines: Sequence[int]) -> str:
    """Name from which line to which; nothing of none."""
    if not lines:
        return ""
    first, last = min(lines), max(lines)
    return f" line {first}" if first == last else f" lines {first} to {last}"
