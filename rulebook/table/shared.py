"""A game at which people sit: besides whom it waits for, it says to whom a shared device has to go, and past which
points it came that everybody may notice.

What everybody around the table sees is where the device goes, and that must not show who could choose and who could
not. So it goes to all to whom a choice is put, though there was nothing to choose, where the others may not learn that
(it is *veiled*); and where somebody may be asked *quietly* in a round of an `each`, it goes to everyone gone round.

A point is where everybody may know that the game came: a choice that is put in public, be it veiled or with nothing to
choose, and a choice in the open that waits. Where somebody is asked quietly there is none (decision 29). Where the
rules may say something to a few, or leave it out for a reason that nobody sees, is found in the program alone: a step
whispers, or what it may go past does, whichever way was taken.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Sequence
from functools import lru_cache, reduce
from operator import and_
from typing import ClassVar

from rulebook.classes import frozen
from rulebook.interpreter.decisions import Refused, RuleError
from rulebook.interpreter.events import Sink
from rulebook.interpreter.game import Game, Past
from rulebook.interpreter.journal import Entry
from rulebook.interpreter.layout import ALIVE
from rulebook.interpreter.machine import Machine
from rulebook.interpreter.op_table import Step
from rulebook.interpreter.ops import flow, memory, values
from rulebook.interpreter.ops.asking import choose
from rulebook.interpreter.ops.cards import reveal
from rulebook.interpreter.ops.lists import next_player
from rulebook.interpreter.program import Choice, Code, Program, Values
from rulebook.interpreter.run import NotThere, Run
from rulebook.interpreter.state import State, clone
from rulebook.interpreter.views import Facts, collect_states


@frozen
class Moment:
    """The game as it stood: a state, and how many events each seat had noticed."""

    state: State
    noticed: tuple[int, ...]


@frozen
class Point(Moment):
    """The game as it stood where everybody may know that it stood.

    `is_veiled`: a veiled choice was put, and it may not be seen whether anybody had to answer.
    """

    is_veiled: bool


@frozen
class Chance:
    """Seats to which the device goes for one choice, and the game as it stood when that was put to them.

    What came later is not shown before all of them have had the device: it would tell that nobody else had to answer.
    `in_round`: a round began in which somebody may be asked quietly; who is asked there gets the device for that alone.
    """

    seats: Sequence[int]
    moment: Moment
    in_round: bool = False


class SharedMachine(Machine):
    """A machine that notes to whom the device goes, and what everybody may notice.

    `gone` are those who had their chance before the game came to where it stands, all of one choice together; `asking`
    are those to whom the choice is put at which it stands, at the moment `put_at`; `is_quiet`: it is a quiet one.
    Whoever hands the device on takes them out.

    `points` were passed since somebody took them out last, `passed` is how many there were in all, and `whispers` how
    often something was, or may have been, said to a few. `compared` is what conditions compare that were told as not
    met, by the seat and the number of the event that told it; `changed` are so the cards that are not as printed when
    cards are revealed, as far as the seat sees that.
    """

    def __init__(self, program: Program, names: Sequence[str] | None = None, exhaustive: bool = False) -> None:
        super().__init__(program, names, exhaustive)
        self.gone: list[Chance] = []
        self.asking: list[int] = []
        self.put_at = Moment([], ())
        self.is_quiet = False
        self.points: list[Point] = []
        self.passed = self.whispers = 0
        self.compared: dict[tuple[int, int], Values] = {}
        self.changed: dict[tuple[int, int], list[Facts]] = {}

    def _run_step(self, run: Run) -> None:
        step = run.code.steps[run.pc]
        if run.events is not None and step.does(memory.explain_memory, memory.explain_state):
            self._note_values(run, run.events, step)
        self.whispers += run.pc in find_whispers(self.program)[run.code_index]
        if step.does(next_player) and step["among"] is not None:
            self._goes_round(run, step)
        if not step.does(choose):
            noticed = [len(sink) for sink in run.events or ()]
            super()._run_step(run)
            if step.does(reveal):
                self._note_changed(run, noticed)
            return
        choice: Choice = step["choice"]
        if choice.veiled and not choice.quiet:
            self._pass(run, is_veiled=True)
        deciders, moment = _deciders(run, choice), _stand(run)
        super()._run_step(run)
        self._note_choice(run, choice, deciders, moment)
        if run.halted and self.find_waiting(run.state) and not choice.veiled and not choice.quiet:
            self._pass(run, is_veiled=False)

    def _note_values(self, run: Run, events: Sink, step: Step) -> None:
        """Note what the conditions compare that are about to be told as not met, for each seat by the number of the
        event that will tell it."""
        looked_at = run.looked_at  # to look twice is not to do more
        try:
            _, watch = memory.watch_value(run, step["value"], run.env)
        except NotThere:
            return
        finally:
            run.looked_at = looked_at
        for seat, noticed in enumerate(events if watch is not None else ()):
            self.compared[seat, len(noticed)] = self.program.lowering.find_values(run, watch, seat)

    def _note_changed(self, run: Run, noticed: Sequence[int]) -> None:
        """Note what each seat sees that has changed on cards, for the events since so many that it had noticed."""
        for seat, (before, sink) in enumerate(zip(noticed, run.events or (), strict=True)):
            cards = collect_states(self.program, run.names, run.state, seat)
            self.changed |= {(seat, number): cards for number in range(before, len(sink))}

    def _pass(self, run: Run, is_veiled: bool) -> None:
        """The game is where everybody may know it to be."""
        moment = _stand(run)
        self.points.append(Point(moment.state, moment.noticed, is_veiled))
        self.passed += 1

    def _goes_round(self, run: Run, step: Step) -> None:
        """A round begins, or the last one is over: everyone up to the next one had a chance."""
        items, at = run.env[step["listed"]], run.env[step["at"]]
        alive = run.state[ALIVE]
        if at < len(items) and not step["playing"] and items[at] not in alive:
            return  # whoever is out is gone through, and asked nothing
        everyone = [seat for seat in run.run_piece(step["among"], run.env) or () if seat in alive]
        after = next((seat for seat in items[at:] if seat in alive), None)
        before = next((seat for seat in reversed(items[:at]) if seat in alive), None)
        start = everyone.index(before) + 1 if before in everyone else 0
        end = everyone.index(after) + 1 if after in everyone else len(everyone)
        # Where the order of the rounds is not that of the whole list, nobody can be put in between.
        between = everyone[start:end] if start < end or after is None else [after]
        moment = _stand(run)
        self._close_choice()
        self.gone += [Chance([seat], moment, in_round=True) for seat in between]
        if after is None:
            self.gone.append(Chance([], moment))  # what is asked from now on is asked in no round

    def _note_choice(self, run: Run, choice: Choice, deciders: Sequence[int], moment: Moment) -> None:
        """A choice was put to somebody; it waits, or went by with nothing to choose."""
        waiting = self.find_waiting(run.state) if run.halted else ()
        # That a quiet one was put to anybody may not be seen, unless somebody has to answer.
        put = list(deciders if choice.veiled and not choice.quiet else waiting)
        self._close_choice()
        self.put_at = moment
        if waiting:
            self.asking, self.is_quiet = put, choice.quiet
        else:
            self.gone.append(Chance(put, moment))

    def _close_choice(self) -> None:
        """The choice is over at which the game stood: whoever has not had the device yet had a chance too."""
        if self.asking:
            self.gone.append(Chance(self.asking, self.put_at))
        self.asking = []

    def begin_anew(self, state: State, noticed: tuple[int, ...]) -> None:
        """The game stands elsewhere than where it came to: as if the choice at which it waits had just been put."""
        self.gone, self.asking, self.points = [], [], []
        if not self.find_waiting(state):
            return
        run = self._make_run(state)
        run.halted = True
        choice = self.choosing(run.state)
        self._note_choice(run, choice, _deciders(run, choice), Moment(clone(state), noticed))


def _stand(run: Run) -> Moment:
    run.save_frame()
    return Moment(clone(run.state), tuple(map(len, run.events or ())))


def _deciders(run: Run, choice: Choice) -> tuple[int, ...]:
    try:
        return run.alive(run.run_piece(choice.deciders, run.env))
    except NotThere:
        return ()


class SharedGame(Game):
    """A game of several persons at one device."""

    machine_kind: ClassVar[type[Machine]] = SharedMachine

    @property
    def way(self) -> SharedMachine:
        """The shared machine, where the device has to go."""
        assert isinstance(self.machine, SharedMachine)
        return self.machine

    @property
    def is_quiet(self) -> bool:
        return self.decision is not None and self.machine.choosing(self.state).quiet

    def _carry_out(self, entry: Entry, answer: Callable[[], None], is_kept: bool = False) -> None:
        """Take an answer as any game; one that is refused has not led the game anywhere."""
        way = self.way
        before = way.gone[:], way.asking[:], way.put_at, way.is_quiet, way.points[:], way.passed, way.whispers
        try:
            super()._carry_out(entry, answer, is_kept)
        except (Refused, RuleError):
            way.gone, way.asking, way.put_at, way.is_quiet, way.points, way.passed, way.whispers = before
            raise

    def _return_to(self, past: Past) -> None:
        """Return as any game; what was noted of events that have not happened is forgotten."""
        super()._return_to(past)
        way = self.way
        for noted in (way.compared, way.changed):
            for seat, number in [key for key in noted if key[1] >= len(self.events(key[0]))]:
                del noted[seat, number]

    def undo(self, answers: int = 1) -> None:
        """Undo as any game; what was put to somebody since is as if it had never been."""
        super().undo(answers)
        self.begin_anew()

    def begin_anew(self) -> None:
        """Forget to whom the device should have gone before, as where a saved game goes on."""
        self.way.begin_anew(self.state, tuple(len(self.events(seat)) for seat in range(len(self.names))))

    def take_back(self, seat: int) -> None:
        """Take back as any game; whoever took an answer back is asked first."""
        super().take_back(seat)
        self.way.asking = [seat, *(other for other in self.way.asking if other != seat)]


@lru_cache(maxsize=64)
def asks_quietly(program: Program) -> bool:
    """Tell whether any choice of the game is a quiet one."""
    return any(step["choice"].quiet for code in program.codes for step in code.steps if step.does(choose))


@lru_cache(maxsize=64)
def find_whispers(program: Program) -> tuple[frozenset[int], ...]:
    """For each code of the program, the steps at which something may be said to a few, or be left out."""
    whispering: set[int] = set()
    while more := {
        index
        for index, code in enumerate(program.codes)
        if index not in whispering and any(_whispers(step, whispering) for step in code.steps)
    }:
        whispering |= more
    return tuple(
        frozenset(_find_whispers(code, whispering)) if index in whispering else frozenset()
        for index, code in enumerate(program.codes)
    )


def _find_whispers(code: Code, whispering: Collection[int]) -> Iterator[int]:
    ways = [_find_next_steps(code, at) for at in range(len(code.steps))]
    always = _postdominators(ways)
    for at, step in enumerate(code.steps):
        if step.does(memory.say, flow.call_hook) and _whispers(step, whispering):
            yield at  # which script a hook runs may be a secret by itself
        # What a `do` is given stands in its own sentence, and goes past nothing.
        elif any(
            _whispers(code.steps[pc], whispering)
            for pc in _find_steps_between(ways, always, at)
            if not (code.steps[pc].does(flow.call) and _is_in_one_sentence(code, at, pc))
        ):
            yield at


def _is_in_one_sentence(code: Code, first: int, other: int) -> bool:
    return code.ats[first] is not None and code.ats[first] == code.ats[other]


def _whispers(step: Step, whispering: Collection[int]) -> bool:
    if step.does(memory.say):
        return step["to"] is not None
    if step.does(flow.call):
        return step["code"] in whispering
    return step.does(flow.call_hook) and any(code in whispering for code in step["codes"] if code is not None)


def _find_next_steps(code: Code, at: int) -> set[int]:
    """Return the steps that may follow a step; the number of all steps is the end of the script."""
    step, end = code.steps[at], len(code.steps)
    if step.does(flow.leave):
        return {end}
    if step.does(values.jump):
        return {step["to"]}
    targets = {step[name] for name, kind in step.op.operands.items() if kind == "Target"}
    if step.does(flow.switch):
        targets.update(step["targets"])
    return targets | {at + 1} | {code.traps[at]} - {-1}


def _postdominators(ways: Sequence[set[int]]) -> list[int]:
    """For each step those that every way from it to the end comes by, as a mask: the greatest fixed point."""
    end = len(ways)
    always = [(2 << end) - 1] * end + [1 << end]
    changed = True
    while changed:
        changed = False
        for at in reversed(range(end)):
            met = 1 << at | reduce(and_, (always[to] for to in ways[at]))
            changed |= met != always[at]
            always[at] = met
    return always


def _find_steps_between(ways: Sequence[set[int]], always: Sequence[int], at: int) -> set[int]:
    """The steps that may come behind one, up to where all ways have met again."""
    met, steps_between, ahead = always[at] & ~(1 << at), set[int](), [*ways[at]]
    while ahead:
        step = ahead.pop()
        if step not in steps_between and not met >> step & 1:
            steps_between.add(step)
            ahead += ways[step]
    return steps_between
