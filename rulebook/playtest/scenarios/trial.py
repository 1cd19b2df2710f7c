"""A scenario, run: its calls, with its answers, its outcomes of chance, and then what it expects."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress

from attrs import define, evolve, field

from rulebook.classes import frozen
from rulebook.diagnostics import Diagnostic
from rulebook.dsl import ir
from rulebook.interpreter.decisions import Ask, BadSetup, Chance, Decision, Refused, RuleError
from rulebook.interpreter.events import Sink
from rulebook.interpreter.layout import PENDING, RESULT, STACK
from rulebook.interpreter.machine import Machine
from rulebook.interpreter.program import Program
from rulebook.interpreter.results import check_zero_sum, find_outcome
from rulebook.interpreter.state import State
from rulebook.playtest.bots import Bot, make_bot
from rulebook.playtest.coverage import Coverage
from rulebook.playtest.scenarios.answers import (
    Answer,
    Positions,
    Rest,
    Unfit,
    Wanted,
    map_positions,
    matching,
    shown,
    wanted_by,
)
from rulebook.playtest.scenarios.empty import find_empty, find_skipped_aims
from rulebook.playtest.scenarios.laying import Misplaced, lay_out
from rulebook.playtest.scenarios.noting import NotingMachine
from rulebook.playtest.scenarios.reading import Scenario
from rulebook.playtest.scenarios.referee import Referee, find_fault
from rulebook.source import Span

_MOST_TRIES = 64


@frozen
class Failure:
    """One thing that is not as the scenario says: the line, what came instead, and where the line stands."""

    line: str
    instead: str
    span: Span | None = field(default=None, eq=False, repr=False)

    def __str__(self) -> str:
        return f"{self.line}: {self.instead}" if self.line else self.instead


@frozen
class ScenarioResult:
    """The outcome of a scenario: everything that was otherwise, in order; hints for one that has passed."""

    scenario: Scenario
    failures: tuple[Failure, ...]
    hints: tuple[Diagnostic, ...] = ()

    @property
    def passed(self) -> bool:
        return not self.failures


class _Failed(Exception):
    """The game went otherwise than the scenario says."""

    def __init__(self, line: str, instead: str, span: Span | None = None) -> None:
        super().__init__(line, instead)
        self.failure = Failure(line, instead, span)


def run(scenario: Scenario, machine_kind: type[Machine] = NotingMachine) -> ScenarioResult:
    """Run a scenario to its end, and ask all that it expects."""
    try:
        course = _begin(scenario, machine_kind)
    except (BadSetup, Misplaced) as error:
        return ScenarioResult(scenario, (Failure("given", str(error), scenario.span),))
    begun = course.state[:]
    failures = _play(course)
    if failures or scenario.calls is None:
        return ScenarioResult(scenario, tuple(failures))
    hints = [*find_empty(scenario, course.machine, begun, course.state)]
    if not hints and isinstance(course.machine, NotingMachine) and course.machine.has_skipped:
        hints += find_skipped_aims(scenario, course.machine, begun, course.state, lambda: _count_skips(scenario))
    return ScenarioResult(scenario, (), tuple(hints))


def passes(
    scenario: Scenario, make_machine: Callable[[Program, Sequence[str]], Machine],
    make_course: Callable[[Scenario, Machine, State, Sink], Course],
) -> bool:  # fmt: skip
    """Run a scenario until something is otherwise than it says."""
    try:
        course = _begin(scenario, make_machine, make_course)
        course.play()
    except (BadSetup, Misplaced, _Failed, RuleError):
        return False
    return next(_faults(scenario, course.referee()), None) is None


def find_skipped(scenario: Scenario) -> tuple[Span, ...]:
    """Run a scenario again, and find the sentences that it skips, since they speak of somebody or something that is not
    there, in the order of the files. Most are skipped because a rule means it so.
    """
    return _count_skips(scenario).skipped()


def _count_skips(scenario: Scenario) -> Coverage:
    """Run a scenario again, and count what runs and what is skipped."""
    ground = scenario.ground.counting
    assert ground.coverage is not None, "it was asked to count"
    ground.coverage.forget()
    with suppress(BadSetup, Misplaced):
        _play(_begin(evolve(scenario, ground=ground), Machine))
    return ground.coverage


def _play(course: Course) -> list[Failure]:
    """Play a scenario to its end, and find all that is otherwise than it says."""
    scenario = course.scenario
    try:
        course.play()
    except _Failed as failed:
        return [failed.failure]
    except RuleError as error:
        at = error.at.span if error.at is not None else scenario.span
        return [Failure("the rules went wrong", str(error), at)]
    failures = [*_faults(scenario, course.referee())]
    # Often it is an answer that is missing, and not a rule that is wrong.
    if (
        failures
        and course.decision is not None
        and not any(course.say_asked() in failure.instead for failure in failures)
    ):
        failures.append(Failure("", course.waiting(), scenario.span))
    return failures


def _faults(scenario: Scenario, referee: Referee) -> Iterator[Failure]:
    """Find what is otherwise in the end than the scenario expects."""
    for line in scenario.expect:
        try:
            instead = find_fault(line.form, referee)
        except RuleError as error:
            instead = str(error)
        if instead is not None:
            yield Failure(line.text, instead, line.span)


def _begin(
    scenario: Scenario, make_machine: Callable[[Program, Sequence[str]], Machine],
    make_course: Callable[[Scenario, Machine, State, Sink], Course] | None = None,
) -> Course:  # fmt: skip
    """The state before the first call."""
    program, coverage = scenario.ground.program(len(scenario.seats), scenario.options), scenario.ground.coverage
    if coverage is not None:
        coverage.played(program.options)
    code: int | None = None
    if scenario.calls is not None:
        program, code = program.lowering.with_script(program, scenario.calls)
    machine = make_machine(program, scenario.seats)
    state = machine.new_state(scenario.seed, code)
    referee = Referee(machine, state)
    lay_out(machine, state, scenario.given, referee.value)
    if code is None:
        # Nothing is done, so nobody will be asked.
        state[STACK], state[PENDING] = None, ("over",)
    return (make_course or Course)(scenario, machine, state, [[] for _ in scenario.seats])


@define
class Course:
    """A run on its way."""

    scenario: Scenario
    machine: Machine
    state: State
    events: Sink
    decision: Decision | None = None
    outcomes: int = 0
    """The number of outcomes of chance that were named so far."""
    positions: Positions = field(init=False)

    @positions.default
    def _map_positions(self) -> Positions:
        return map_positions(self.machine)

    def play(self) -> None:
        self.play_answers()
        if self.scenario.rest is not None:
            self.play_on(self.scenario.rest)
        self.close()
        left = self.scenario.chance[self.outcomes :]
        if left:
            raise _Failed("chance", f"nothing was drawn for {', '.join(chance.text for chance in left)}", left[0].span)

    def play_answers(self) -> None:
        """Play until the answers of the scenario are used up."""
        self.advance()
        for number, answer in enumerate(self.scenario.answers, 1):
            self.answer(answer, f"answer {number}")

    def advance(self) -> None:
        """Run until a player is asked; outcomes happen as the scenario names them."""
        while True:
            named = self.outcomes < len(self.scenario.chance)
            needed = self.machine.advance(self.state, self.events, "ask" if named else "sample")
            if not isinstance(needed, Chance):
                self.decision = needed
                return
            self.machine.answer_chance(self.state, self._outcome(needed))

    def _outcome(self, chance: Chance) -> int:
        if len(set(chance.outcomes)) == 1:
            # Copies that only some players can tell apart: nothing that a scenario could name.
            return 0
        wanted = self.scenario.chance[self.outcomes]
        outcomes = matching(wanted, [(key, key) for key in chance.outcomes])
        if len(outcomes) != 1:
            problem = f"it could be {' or '.join(outcomes)}"
            if not outcomes:
                problem = f"what can happen is {shown(dict.fromkeys(chance.outcomes))}"
            raise _Failed(f"chance: {wanted.text}", problem, wanted.span)
        self.outcomes += 1
        return chance.outcomes.index(outcomes[0])

    # ── answers ──

    def answer(self, answer: Answer, line: str) -> None:
        """One entry of the scenario: all whom it names are asked now."""
        names = self.scenario.seats
        for seat, _ in answer.by_seat:
            if self.ask(seat) is None:
                texts = [f"{names[number]}: {_list_wanted(wanted)}" for number, wanted in answer.by_seat]
                instead = f"{names[seat]} is not asked; {self.say_asked()}. {self._describe_forced(seat)}".rstrip(". ")
                raise _Failed(f"{line} ({'; '.join(texts)})", instead, answer.span)
        for seat, wanted in answer.by_seat:
            self._answer(seat, wanted, f"{line} ({names[seat]}: {_list_wanted(wanted)})", answer.span)

    def _answer(self, seat: int, wanted: Sequence[Wanted], line: str, span: Span) -> None:
        """Give the answer of one seat: one option, a set, or one pick after the other."""
        whole = self.ask(seat)
        assert whole is not None, "whoever answers is asked"
        ask, left = whole, _split_picks(wanted, whole)
        while True:
            count = 1 if ask.at_least == ask.at_most == 1 else len(left)
            try:
                keys = [wanted_by(part, ask.options, self.positions) for part in left[:count]]
                self.machine.answer(self.state, seat, keys, self.events)
            except Unfit as unfit:
                instead = f"{unfit}. {self._describe_forced(seat)}".rstrip(". ")
                raise _Failed(line, instead, span) from None
            except Refused as refused:
                raise _Failed(line, f"{refused} The options are {shown(ask.keys)}", span) from None
            self._forget_forced()
            del left[:count]
            self.advance()
            following = self.ask(seat)
            more = following is not None and following.number == ask.number
            if not more and left:
                instead = f"no further pick is wanted for {_list_wanted(left)}: there were enough, or only one was left"
                raise _Failed(line, instead, span)
            if following is None or not more:
                return
            if not left:
                raise _Failed(line, f"one more pick is wanted, of {shown(following.keys)}", span)
            ask = following

    def _describe_forced(self, seat: int) -> str:
        """Tell of the choices of a seat that went by themselves since the last answer."""
        noted = self.machine.noted if isinstance(self.machine, NotingMachine) else []
        return " ".join(note.describe(self.scenario.seats) for note in noted if note.seat == seat)

    def _forget_forced(self) -> None:
        if isinstance(self.machine, NotingMachine):
            self.machine.noted.clear()

    def ask(self, seat: int) -> Ask | None:
        return self.decision.find_ask(seat) if self.decision is not None else None

    def say_asked(self) -> str:
        if self.decision is None:
            return "nobody is asked any more"
        texts = [f"{self.scenario.seats[ask.seat]} is asked for one of {shown(ask.keys)}" for ask in self.decision.asks]
        return " and ".join(texts)

    def waiting(self) -> str:
        asks = self.decision.asks if self.decision is not None else ()
        texts = [f"{self.scenario.seats[ask.seat]}: one of {shown(ask.keys)}" for ask in asks]
        return f"the game waits for {' and for '.join(texts) or 'nobody'}"

    # ── the rest ──

    def play_on(self, rest: Rest) -> None:
        """Bots answer until the question of `until` has the answer yes, or nobody is asked."""
        until = self.scenario.until
        bots = [make_bot(rest.how, self.scenario.seed, seat) for seat in range(len(self.scenario.seats))]
        while self.decision is not None:
            self.come_to(bots)
            if until is not None and self.referee().value(until):
                return
            ask = self.decision.asks[0]
            keys = self._choose_allowed(rest, ask, bots[ask.seat])
            self.machine.answer(self.state, ask.seat, keys, self.events)
            self.advance()
        if until is not None and not self.referee().value(until):
            raise _Failed("until", "the scenario is over, and it is still not so", self.scenario.span)

    def come_to(self, bots: list[Bot]) -> None:
        """Come to a decision that one of the bots answers."""

    def _choose_allowed(self, rest: Rest, ask: Ask, bot: Bot) -> list[str]:
        """Choose as a bot does, without the options that are to be avoided, if there is such an answer."""
        pairs = [(option.key, option.label) for option in ask.options]
        avoided = {key for answer in rest.avoid for key in matching(answer, pairs, self.positions)}
        for _ in range(_MOST_TRIES):
            keys = bot.answer(self.machine, self.state, ask)
            if not avoided.intersection(keys):
                return keys
        others = [key for key in ask.keys if key not in avoided]
        return others[:1] if others and ask.at_least == ask.at_most == 1 else keys

    # ── the end ──

    def close(self) -> None:
        """Calls that came to their end are not the end of a game, unless the game itself or its `result` is called."""
        called = self.scenario.calls.body[-1:] if self.scenario.calls is not None else ()
        whole = any(isinstance(call, ir.DoRule) and call.script == ir.GAME for call in called)
        whole = whole or self.scenario.ends
        if self.state[RESULT] == ("rank",) and not whole:
            self.state[RESULT] = None
            for events in self.events:
                events[:] = [event for event in events if event.kind not in ("over", "opened")]
        elif self.machine.is_over(self.state):
            check_zero_sum(self.machine.program, find_outcome(self.machine.program, self.state, self.machine.names))

    def referee(self) -> Referee:
        return Referee(self.machine, self.state, self.events, self.decision)


def _split_picks(wanted: Sequence[Wanted], ask: Ask) -> list[Wanted]:
    """Split an answer into picks: `[ruby, opal]` is one pick where one is wanted and that list is an option."""
    whole = Wanted.list_of(wanted)
    is_option = matching(whole, [(option.key, option.label) for option in ask.options])
    return [whole] if is_option and ask.at_least == ask.at_most == 1 else list(wanted)


def _list_wanted(wanted: Sequence[Wanted]) -> str:
    return ", ".join(answer.text for answer in wanted)
