"""One game at random, looked at after every step.

What goes wrong may be the rules, or a promise of the machine: a state that cannot be, a save that gives another game, a
journal that ends elsewhere.
"""

from __future__ import annotations

import re
import tempfile
from collections.abc import Callable, Sequence
from functools import lru_cache
from pathlib import Path
from typing import Any

from attrs import field

from rulebook.classes import frozen
from rulebook.interpreter import invariants, journal
from rulebook.interpreter.core.door import ENDLESS, CannotPack, Core, core_of
from rulebook.interpreter.decisions import Ask, Endless, Refused, RuleError, Unbalanced
from rulebook.interpreter.game import Game
from rulebook.interpreter.invariants import Broken
from rulebook.interpreter.journal import Entry, Header
from rulebook.interpreter.layout import PENDING
from rulebook.interpreter.machine import Machine
from rulebook.interpreter.program import Program
from rulebook.interpreter.random import Source
from rulebook.interpreter.results import check_zero_sum
from rulebook.interpreter.run import MOST_LOOKED_AT, Run
from rulebook.interpreter.state import State, from_json, to_json
from rulebook.playtest.bots import make_bot
from rulebook.source import Span

Below = Callable[[int], int]
Look = Callable[[Game, Below], None]
"""One more look at a game, at a random decision of it; raises what is wrong."""
Pick = tuple[int, tuple[str, ...]]
"""A seat and the keys that it answers."""

_PATIENCE = 50_000
"""The most work between two decisions, after which a hasty machine takes the game for endless."""
_PATIENCE_FORESEEN = 3_000
"""The same where the core has found that it is endless, and it is only asked where it goes round."""

_A_DECISION, _AN_OPTION, _A_REFUSAL = 100, 10, 300
"""Units of work: the time that a decision takes the machine, or each of many options, or to say why it cannot be."""
_MANY_CARDS = 500
"""The number of cards of which every state is looked at; with twice as many every second one."""


class CountingMachine(Machine):
    """A machine that counts what is done."""

    work = 0

    def _guarded(self, run: Run, work: Callable[[Run], None]) -> None:
        before = run.looked_at
        try:
            super()._guarded(run, work)
        finally:
            self.work += run.looked_at - before


class CheckedMachine(CountingMachine):
    """A machine that looks at every state in which it stops; with thousands of cards at as many as take no longer."""

    _stops = 0

    def advance(self, state: State, *rest: Any, **named: Any) -> Any:
        needed = super().advance(state, *rest, **named)
        self._stops += 1
        if self._stops % (1 + self.program.cards // _MANY_CARDS) == 0:
            invariants.check_state(self.program, state)
        return needed


class CheckedGame(Game):
    """A game of which each state is looked at."""

    machine_kind = CheckedMachine


@lru_cache(maxsize=64)
def find_core(program: Program) -> Core | None:
    """The core with a program, if there is one that can play it; made once, since that takes time."""
    core = core_of(program)
    return core if isinstance(core, Core) else None


class HastyMachine(CheckedMachine):
    """A checked machine that finds early what goes round for ever: the core looks ahead, and where there is none, the
    budget between two decisions is small.
    """

    _patience = _PATIENCE

    def advance(self, state: State, *rest: Any, **named: Any) -> Any:
        if state[PENDING] is None:
            self._patience = self._look_ahead(state)
        return super().advance(state, *rest, **named)

    def _look_ahead(self, state: State) -> int:
        """Ask the core how much patience the machine needs."""
        core = find_core(self.program)
        if core is None:
            return _PATIENCE
        try:
            is_endless = core.load_state(state).advance() == ENDLESS
        except CannotPack:
            return _PATIENCE
        return _PATIENCE_FORESEEN if is_endless else MOST_LOOKED_AT

    def _make_run(self, *arguments: Any) -> Run:
        run = super()._make_run(*arguments)
        run.allow(self._patience)
        return run


class HastyGame(Game):
    """A game that is taken for endless early; without a core, whoever finds one so asks a patient machine again."""

    machine_kind = HastyMachine


@frozen
class Course:
    """A game as it was played. `entries` are all answers, that with which it went wrong too; the first `by_hand` of
    them were given, the rest came by themselves. `finished` says whether it came to the end that its rules make,
    `is_cut` that nobody waited for it; `work` is the amount of work done.
    """

    seed: int
    entries: tuple[Entry, ...]
    by_hand: int = 0
    error: Exception | None = field(default=None, eq=False)
    finished: bool = False
    is_cut: bool = False
    work: int = field(default=0, eq=False)

    @property
    def weight(self) -> int:
        """Return how much there is to read: its decisions, and those of them that have to be written down."""
        return len(self.entries) + self.by_hand


def at_random(
    program: Program,
    seed: int,
    names: Sequence[str] | None = None,
    kind: type[Game] = CheckedGame,
    look: Look | None = None,
    at_the_end: Callable[[Game], None] | None = None,
    most: int | None = None,
    is_read_back: bool = True,
) -> Course:
    """A game in which everybody answers as `bot:random` does in the core, in any order; with `is_read_back` saved and
    read back at a random decision, and played again from its journal when it is over. `look` and `at_the_end` raise
    what else may be wrong. With `most` it is left when more than that was done in it.
    """
    entries: list[Entry] = []
    finished, is_cut, error, game, work = False, False, None, None, 0
    try:
        game = kind(program, seed, names)
        below = Source(seed, "bench").below
        bots = [make_bot("random", seed, seat) for seat in range(program.players)]
        # Early decisions more often, because games end at different times.
        saved_at, looked_at = below(below(200) + 1), below(below(200) + 1)
        while (decision := game.decision) is not None and not is_cut:
            if len(entries) == looked_at and look is not None:
                look(game, below)
            if len(entries) == saved_at and is_read_back:
                _read_back(game)
            ask = decision.asks[below(len(decision.asks))]
            keys = bots[ask.seat].answer(game.machine, game.state, ask)
            entries.append(Entry(ask.seat, ask.number, tuple(keys)))
            game.answer(ask.seat, keys, ask.number)
            work += _weigh_decision(ask)
            is_cut = most is not None and _count_work(game, work) > most
        if len(entries) <= looked_at and look is not None:
            look(game, below)
        is_cut &= game.decision is not None
        is_read_back &= not is_cut
        if len(entries) <= saved_at and is_read_back:
            _read_back(game)
        if at_the_end is not None:
            at_the_end(game)
        finished = not is_cut and _ended(game)
        if is_read_back and Game.replay(program, game.journal, watch=False).state != game.state:
            raise Broken("The journal, played again, ends elsewhere.")
    except Exception as wrong:
        error = wrong
    return Course(seed, tuple(entries), len(entries), error, finished, is_cut, _count_work(game, work))


def by_hand(
    program: Program,
    seed: int,
    names: Sequence[str] | None,
    answers: Sequence[Pick],
    kind: type[Game] = CheckedGame,
    lighter: int | None = None,
    most: int | None = None,
) -> Course:
    """A game with these answers, as far as they are possible when their turn comes, and then with the first option of
    whoever is asked first. It is left when it cannot weigh less than `lighter` any more, or when more than `most` was
    done in it; what is refused is work, too.
    """
    entries: list[Entry] = []
    answered, left, work = 0, list(answers)[::-1], 0
    finished, is_cut, error, game = False, False, None, None
    try:
        game = kind(program, seed, names)
        bots = [make_bot("first", seed, seat) for seat in range(program.players)]
        while (decision := game.decision) is not None and not is_cut:
            while left:
                seat, keys = left.pop()
                # Where answers were cut out, the next one may come to somebody else.
                ask = decision.find_ask(seat) or decision.asks[0]
                entries.append(Entry(ask.seat, ask.number, keys))
                answered += 1
                try:
                    game.answer(ask.seat, keys)
                except Refused:
                    entries.pop()
                    answered -= 1
                    work += _A_REFUSAL
                    if most is not None and work > most:
                        break
                    continue
                break
            else:
                ask = decision.asks[0]
                keys = tuple(bots[ask.seat].answer(game.machine, game.state, ask))
                entries.append(Entry(ask.seat, ask.number, keys))
                game.answer(ask.seat, keys)
            work += _weigh_decision(ask)
            is_cut = most is not None and _count_work(game, work) > most
            is_cut |= lighter is not None and len(entries) + answered >= lighter
        is_cut &= game.decision is not None
        finished = not is_cut and _ended(game)
    except Exception as wrong:
        error = wrong
    return Course(seed, tuple(entries), answered, error, finished, is_cut, _count_work(game, work))


def _weigh_decision(ask: Ask) -> int:
    """The work of a decision, as much as looking at so many things."""
    return max(_A_DECISION, _AN_OPTION * len(ask.options))


def _count_work(game: Game | None, decisions: int) -> int:
    """Count what was done in a game and in its decisions. One that stopped before anybody was asked, and is not there,
    may have gone round for as long as a hasty machine lets it.
    """
    return _PATIENCE_FORESEEN if game is None else decisions + getattr(game.machine, "work", 0)


def _ended(game: Game) -> bool:
    """True if it came to an end of its rules; and what they say of the end must be so."""
    standing = game.outcome
    check_zero_sum(game.program, standing)
    return standing.finished


def _read_back(game: Game) -> None:
    """The game as its save gives it again must be the same one."""

    def build(header: Header) -> Program:
        if header != game.header:
            raise Broken("The header of the save, read back, is another one.")
        return game.program

    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "game.jsonl"
        path.write_text("".join(f"{line}\n" for line in journal.format_journal(game.header, game.entries)), "utf-8")
        if Game.load(path, build, watch=False).state != game.state:
            raise Broken("The save, read back, is another game.")
    if from_json(to_json(game.state)) != game.state:
        raise Broken("The state, read back from JSON, is another one.")


# ── faults ───────────────────────────────────────────────────────────────────────────────────────────────────────────

_CODES: tuple[tuple[type[RuleError], str], ...] = ((Endless, "RB702"), (Unbalanced, "RB703"), (RuleError, "RB701"))


@frozen
class Fault:
    """A mistake that shows in play. `code` is None if it is our own. `place` is the file and line of the sentence, if
    there is one; two games with equal faults show the same mistake.
    """

    code: str | None
    place: tuple[str, int]
    what: str
    """The exception, for those that are told apart by it alone: our own, and rules that go wrong nowhere."""
    message: str = field(eq=False)
    script: str = field(default="", eq=False)
    span: Span | None = field(default=None, eq=False, repr=False)


def fault_of(error: Exception) -> Fault:
    """Tell what an exception says about the game or about us."""
    for kind, code in _CODES:
        if isinstance(error, kind):
            span = None if error.at is None else error.at.span
            place = ("", 0) if span is None else (span.file.name, span.line)
            return Fault(code, place, "" if span else _shape(error), error.message, error.script, span)
    return Fault(None, ("", 0), _shape(error), f"{type(error).__name__}: {error}")


def _shape(error: Exception) -> str:
    """Describe an exception without what differs from game to game."""
    return f"{type(error).__name__}: {re.sub(r'[0-9]+', '0', str(error))}"
