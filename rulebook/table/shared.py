"""A game at which people sit: besides whom it waits for, it says to whom a shared device has to go, and past which
points it came that everybody may notice.

In: a program and answers, as for any game. Out: `gone` and `asking`, seats to which the device goes in turn, whether
or not they have anything to choose; `points`, what may be shown to everybody and when. Never: lets the way of the
device, or the points, show who could choose and who could not.

What everybody around the table sees is where the device goes. So it goes to all to whom a choice is put, though there
was nothing to choose, where the others may not learn that (it is *veiled*); and where somebody may be asked *quietly*
in a round of an `each`, it goes to everyone gone round.

A point is where everybody may know that the game came: a choice that is put in public, be it veiled or with nothing to
choose, and a choice in the open that waits. Where somebody is asked quietly there is none (decision 29). Where the
rules may say something to a few, or leave it out for a reason that nobody sees, is found in the program alone: an op
whispers, or what it may go past does, whichever way was taken.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from functools import lru_cache
from typing import ClassVar

from attrs import frozen

from rulebook.interpreter import ops
from rulebook.interpreter.game import Game
from rulebook.interpreter.layout import ALIVE
from rulebook.interpreter.machine import Machine
from rulebook.interpreter.program import Program
from rulebook.interpreter.run import NotThere, Run
from rulebook.interpreter.state import State, clone


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
    often something was, or may have been, said to a few.
    """

    def __init__(self, program: Program, names: Sequence[str] | None = None, exhaustive: bool = False) -> None:
        super().__init__(program, names, exhaustive)
        self.gone: list[Chance] = []
        self.asking: list[int] = []
        self.put_at = Moment([], ())
        self.is_quiet = False
        self.points: list[Point] = []
        self.passed = self.whispers = 0

    def _steps(self, run: Run, budget: int) -> None:
        whispers = find_whispers(self.program)
        for _ in range(budget):
            op = run.ops[run.pc]
            self.whispers += run.pc in whispers[run.code_index]
            if isinstance(op, ops.Choose) and op.veiled and not op.quiet:
                self._pass(run, is_veiled=True)
            if isinstance(op, ops.NextItem) and op.among is not None:
                self._goes_round(run, op, op.among)
            if not isinstance(op, ops.Choose):
                super()._steps(run, 1)
            else:
                deciders, moment = _deciders(run, op), _stand(run)
                super()._steps(run, 1)
                self._put(run, op, deciders, moment)
                if run.halted and self.waiting(run.state) and not op.veiled and not op.quiet:
                    self._pass(run, is_veiled=False)
            if run.halted:
                return

    def _pass(self, run: Run, is_veiled: bool) -> None:
        """The game is where everybody may know it to be."""
        moment = _stand(run)
        self.points.append(Point(moment.state, moment.noticed, is_veiled))
        self.passed += 1

    def _goes_round(self, run: Run, op: ops.NextItem, among: ops.Formula) -> None:
        """A round begins, or the last one is over: everyone up to the next one had a chance."""
        items, at = run.env[op.items], run.env[op.at]
        alive = run.state[ALIVE]
        everyone = [seat for seat in among(run, run.env) or () if seat in alive]
        after = next((seat for seat in items[at:] if seat in alive), None)
        before = items[at - 1] if at else None
        start = everyone.index(before) + 1 if before in everyone else 0
        end = everyone.index(after) + 1 if after in everyone else len(everyone)
        # Where the order of the rounds is not that of the whole list, nobody can be put in between.
        between = everyone[start:end] if start < end or after is None else [after]
        moment = _stand(run)
        self._go_on()
        self.gone += [Chance([seat], moment, in_round=True) for seat in between]
        if after is None:
            self.gone.append(Chance([], moment))  # what is asked from now on is asked in no round

    def _put(self, run: Run, op: ops.Choose, deciders: Sequence[int], moment: Moment) -> None:
        """A choice was put to somebody; it waits, or went by with nothing to choose."""
        waiting = self.waiting(run.state) if run.halted else ()
        # That a quiet one was put to anybody may not be seen, unless somebody has to answer.
        put = list(deciders if op.veiled and not op.quiet else waiting)
        self._go_on()
        self.put_at = moment
        if waiting:
            self.asking, self.is_quiet = put, op.quiet
        else:
            self.gone.append(Chance(put, moment))

    def _go_on(self) -> None:
        """The choice is over at which the game stood: whoever has not had the device yet had a chance too."""
        if self.asking:
            self.gone.append(Chance(self.asking, self.put_at))
        self.asking = []

    def begin_anew(self, state: State, noticed: tuple[int, ...]) -> None:
        """The game stands elsewhere than where it came to: as if the choice at which it waits had just been put."""
        self.gone, self.asking, self.points = [], [], []
        if not self.waiting(state):
            return
        run = self._run(state)
        run.halted = True
        op = self.choosing(run.state)
        self._put(run, op, _deciders(run, op), Moment(clone(state), noticed))


def _stand(run: Run) -> Moment:
    run.save()
    return Moment(clone(run.state), tuple(map(len, run.events or ())))


def _deciders(run: Run, op: ops.Choose) -> tuple[int, ...]:
    try:
        return run.alive(op.deciders(run, run.env))
    except NotThere:
        return ()


class SharedGame(Game):
    """A game of several persons at one device."""

    machine_kind: ClassVar[type[Machine]] = SharedMachine

    @property
    def way(self) -> SharedMachine:
        """Where the device has to go."""
        assert isinstance(self.machine, SharedMachine)
        return self.machine

    @property
    def is_quiet(self) -> bool:
        """Whether it waits at a quiet choice."""
        return self.decision is not None and self.machine.choosing(self.state).quiet

    def undo(self, answers: int = 1) -> None:
        """As any game; what was put to somebody since is as if it had never been."""
        super().undo(answers)
        self.begin_anew()

    def begin_anew(self) -> None:
        """Forget to whom the device should have gone before, as where a saved game goes on."""
        self.way.begin_anew(self.state, tuple(len(self.events(seat)) for seat in range(len(self.names))))

    def take_back(self, seat: int) -> None:
        """As any game; whoever took an answer back is asked first."""
        super().take_back(seat)
        self.way.asking = [seat, *(one for one in self.way.asking if one != seat)]


@lru_cache(maxsize=64)
def asks_quietly(program: Program) -> bool:
    """Whether any choice of the game is a quiet one."""
    return any(isinstance(op, ops.Choose) and op.quiet for code in program.codes for op in code.ops)


@lru_cache(maxsize=64)
def find_whispers(program: Program) -> tuple[frozenset[int], ...]:
    """For each code of the program, the ops at which something may be said to a few, or be left out."""
    whispering: set[int] = set()
    while more := {
        index
        for index, code in enumerate(program.codes)
        if index not in whispering and any(_whispers(op, whispering) for op in code.ops)
    }:
        whispering |= more
    return tuple(
        frozenset(at for at in range(len(code.ops)) if _may_whisper(code.ops, at, whispering))
        if index in whispering
        else frozenset()
        for index, code in enumerate(program.codes)
    )


def _may_whisper(code: Sequence[ops.Op], at: int, whispering: Collection[int]) -> bool:
    op = code[at]
    if isinstance(op, ops.Say | ops.CallHook) and _whispers(op, whispering):
        return True  # which script a hook runs may be a secret by itself
    return any(_whispers(one, whispering) for one in code[at + 1 : _end_of_ways(code, at)])


def _whispers(op: ops.Op, whispering: Collection[int]) -> bool:
    match op:
        case ops.Say():
            return op.to is not None
        case ops.Call():
            return op.code in whispering
        case ops.CallHook():
            return any(code in whispering for code in op.codes if code is not None)
    return False


def _end_of_ways(code: Sequence[ops.Op], at: int) -> int:
    """Where all ways from this op have met again; the end of the code if one of them leaves it or goes back."""
    end = max(_targets(code[at]), default=at + 1)
    here = at + 1
    while here < end:
        match code[here]:
            case ops.Jump(target=target):
                end = max(end, target if target >= at else len(code))
            case ops.Return():
                end = len(code)
            case op:
                end = max([end, *_targets(op)])
        here += 1
    return end


def _targets(op: ops.Op) -> list[int]:
    """Where else the script may go on than at the next op."""
    found = [op.skip] if op.skip else []
    match op:
        case ops.Branch() | ops.Choose() | ops.Taken():
            found.append(op.otherwise)
        case ops.NextItem() | ops.NextRound():
            found.append(op.exit)
        case ops.Switch():
            found += op.targets
    return found
