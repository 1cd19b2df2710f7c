"""A game that is being played: a state, what was answered so far, and what each player noticed.

No seat is told anything about another seat's secrets, be it in a refusal, and a refused answer changes nothing. Every
answer leaves a copy of the state behind (a copy is a list that shares everything), so that answers can be taken back
one by one, in the middle of any effect.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import ClassVar, Literal

from attrs import evolve

from rulebook.interpreter import journal, results, views
from rulebook.interpreter.choosing import Barred
from rulebook.interpreter.decisions import Ask, BadSetup, Chance, Decision, NotKept, Refused, RuleError
from rulebook.interpreter.events import Event, Sink
from rulebook.interpreter.journal import CHANCE, BadSave, Entry, Header, Journal, Keeper, KeptFile
from rulebook.interpreter.layout import PENDING
from rulebook.interpreter.machine import Machine
from rulebook.interpreter.program import Program
from rulebook.interpreter.results import Outcome
from rulebook.interpreter.save_schema import LONGEST_NAME, is_players_name
from rulebook.interpreter.state import State
from rulebook.interpreter.views import View
from rulebook.interpreter.wording import join_texts

Draws = Literal["sample", "ask"]
Past = tuple[State, tuple[int, ...]]
"""A state that waited for an answer, and how many events each seat had noticed by then."""


class Game:
    """One game. It runs until somebody is needed, and stands still until that seat has answered.

    `names` are the players in seat order, "Player 1" … if not given. `watch=False` keeps no events, for who
    plays many games. With `chance="ask"` nothing is drawn: `chance` holds what may happen, and
    `answer_chance` says what did. `state` begins in the middle, with a state of this program; `header` is
    what a save of this game will begin with.
    """

    machine_kind: ClassVar[type[Machine]] = Machine
    """The class of the machine that runs it; another one may look on."""

    def __init__(
        self,
        program: Program,
        seed: int = 0,
        names: Sequence[str] | None = None,
        watch: bool = True,
        chance: Draws = "sample",
        state: State | None = None,
        header: Header | None = None,
    ) -> None:
        self.names = _check_names(names, program.players)
        self.seed = seed
        self.machine = self.machine_kind(program, self.names)
        self.program = self.machine.program
        self.state = self.machine.new_state(seed) if state is None else state[:]
        self.header = header or Header(
            game=program.id,
            rules_hash=program.rules_hash,
            seats=self.names,
            seed=seed,
            options=dict(program.options),
        )
        self.entries: list[Entry] = []
        self._draws: Draws = chance
        self._events: Sink | None = self._make_sink() if watch else None
        self._past: list[Past] = []
        self._kept: Keeper | None = None
        self._is_unsure = False
        """True if the last thing could not be kept, so that nobody knows how much of it was written."""
        self._needed: Decision | Chance | None = None
        self._wait()

    # ── where it stands ──

    @property
    def decision(self) -> Decision | None:
        """The pending decision, or None: the game is over, or it waits for an outcome."""
        return self._needed if isinstance(self._needed, Decision) else None

    @property
    def chance(self) -> Chance | None:
        """The pending chance with its odds, if the game waits to be told; only when chance is asked."""
        return self._needed if isinstance(self._needed, Chance) else None

    @property
    def over(self) -> bool:
        """True if nobody will be asked any more."""
        return self.machine.is_over(self.state)

    @property
    def outcome(self) -> Outcome:
        """Return the standings of the players, now or at the end."""
        return results.find_outcome(self.program, self.state, self.names)

    def view(self, seat: int) -> View:
        """Everything this seat is sent."""
        decision = self.decision
        ask = decision.find_ask(seat) if decision is not None else None
        return View(seat, self._collect_facts(seat), tuple(self.events(seat)), ask)

    def events(self, seat: int) -> Sequence[Event]:
        """Return the events that this seat noticed so far; none where the game is not watched."""
        return self._events[seat] if self._events is not None else ()

    def recall(self, seat: int) -> Iterator[Event | tuple[str, ...]]:
        """Yield all that this seat noticed and, as keys, all that it answered, in order; of what it noticed nothing
        where the game is not watched.
        """
        events, at = self.events(seat), 0
        for (_, lengths), entry in zip(self._past, self.entries, strict=True):
            if entry.seat == seat:
                until = lengths[seat] if lengths else 0
                yield from events[at:until]
                yield entry.answer
                at = until
        yield from events[at:]

    def count_seen(self, seat: int) -> int:
        """Count the events that this seat had noticed when it answered last; none if it never did."""
        last = max((at for at, entry in enumerate(self.entries) if entry.seat == seat), default=None)
        return 0 if last is None else self._past[last][1][seat]

    def _make_sink(self) -> Sink:
        """Make the sink of events: a list for each seat."""
        return [[] for _ in self.names]

    def _collect_facts(self, seat: int) -> views.Facts:
        return views.collect_facts(self.program, self.names, self.state, seat)

    def barred(self, seat: int) -> list[Barred]:
        """List what this seat, which is asked, may not choose now, and the lines of the rules that forbid it."""
        return self.machine.barred(self.state, self._find_ask(seat).seat)

    # ── answers ──

    def answer(self, seat: int, keys: Sequence[str], number: int | None = None) -> None:
        """Answer for a seat, with keys of its options; `number` is the decision it believes to answer.

        Raises `Refused`, or `RuleError` if the rules go wrong on the way; then nothing has changed. `NotKept` is
        raised where the answer cannot be written down: it does not count before that.
        """
        keys = [keys] if isinstance(keys, str) else list(keys)
        ask = self._find_ask(seat)
        if number is not None and number != ask.number:
            raise Refused(_stale(number, ask.number))
        self._give_answer(Entry(seat, ask.number, tuple(keys)))

    def _give_answer(self, entry: Entry, is_kept: bool = False) -> None:
        """Carry out an answer of a seat, be it one that is kept already."""
        seat = entry.seat
        assert seat != CHANCE, "an outcome is no answer of a seat"
        self._carry_out(entry, lambda: self.machine.answer(self.state, seat, entry.answer, self._events), is_kept)

    def answer_chance(self, outcome: str | int) -> None:
        """Say what happened, by its key or its index among `chance.outcomes`."""
        chance = self.chance
        if chance is None:
            raise Refused("No outcome is asked for now.")
        index = chance.outcomes.index(outcome) if outcome in chance.outcomes else outcome
        if not isinstance(index, int) or not 0 <= index < len(chance.outcomes):
            raise Refused(f"`{outcome}` cannot happen now.")
        entry = Entry(CHANCE, chance.number, (chance.outcomes[index],))
        self._carry_out(entry, lambda: self.machine.answer_chance(self.state, index))

    def repeat(self, entry: Entry) -> None:
        """Give an answer that was given before, or say what happened then."""
        if entry.seat == CHANCE:
            self.answer_chance(*entry.answer)
        else:
            self.answer(entry.seat, entry.answer, entry.number)

    def undo(self, answers: int = 1) -> None:
        """Take back the last answer, or so many, and everything that came of them, for every seat.

        Raises `Refused` if there are not so many, or `NotKept`; then nothing has changed.
        """
        if not 1 <= answers <= len(self._past):
            raise Refused("There is no answer to take back.")
        self._keep(self.entries[:-answers], is_one_more=False)
        self._return_to(self._past[-answers])
        del self._past[-answers:], self.entries[-answers:]

    def take_back(self, seat: int) -> None:
        """Take back all that this seat answered in the decision that is still open; what others answered stays.

        Raises `Refused` if it has not answered, or the decision is closed, or `NotKept`; then nothing has changed.
        """
        if not self.may_take_back(seat):
            raise Refused("There is no answer of yours to take back: the decision is closed, or you have not answered.")
        answered = self._open_entries()
        left = [entry for entry in answered if entry.seat != seat]
        self._keep([*self.entries[: -len(answered)], *left], is_one_more=False)
        self._return_to(self._past[-len(answered)])
        del self._past[-len(answered) :], self.entries[-len(answered) :]
        # No answer of a decision that is open changes what another one may be, so all that are left can be given again.
        for entry in left:
            self._give_answer(entry, is_kept=True)

    def may_take_back(self, seat: int) -> bool:
        """Tell whether this seat has answered in the decision that is still open."""
        return any(entry.seat == seat for entry in self._open_entries())

    def _open_entries(self) -> list[Entry]:
        """List the answers so far in the decision that is open, in the order in which they came."""
        pending = self.state[PENDING]
        entries = pending[1] if pending is not None and pending[0] == "ask" else ()
        decided = {(seat, number) for seat, number, *_ in entries}
        open_entries = itertools.takewhile(lambda entry: (entry.seat, entry.number) in decided, reversed(self.entries))
        return list(open_entries)[::-1]

    def _find_ask(self, seat: int) -> Ask:
        if not 0 <= seat < len(self.names):
            raise Refused(f"There is no seat {seat}; seats are counted from 0 to {len(self.names) - 1}.")
        decision = self.decision
        ask = decision.find_ask(seat) if decision is not None else None
        if ask is None:
            raise Refused(self._why_not(seat))
        return ask

    def _why_not(self, seat: int) -> str:
        """Say why this seat may not answer now, in words that name only those whom it sees being asked."""
        if self.over:
            return "The game is over."
        waiting = views.find_waiting(self.program, self.names, self.state, seat)
        if waiting == CHANCE:
            return "First an outcome of chance has to be told."
        whom = join_texts(waiting) if isinstance(waiting, list) and waiting else "somebody else"
        pending = self.state[PENDING]
        had_its_turn = pending is not None and any(player == seat and number for player, number, _, _ in pending[1])
        start = "You have answered already" if had_its_turn else "You are not asked anything now"
        return f"{start}; the game waits for {whom}."

    def _carry_out(self, entry: Entry, answer: Callable[[], None], is_kept: bool = False) -> None:
        """Take an answer, run on and write it down; what goes wrong leaves everything as it was."""
        past = self.state[:], tuple(len(noticed) for noticed in self._events or ())
        needed = self._needed
        try:
            answer()
            self._wait()
            if self._kept is not None and not is_kept:
                self._keep([*self.entries, entry], is_one_more=True)
        except (Refused, RuleError):
            self._restore(past)
            self._needed = needed  # whose words may have been made already
            raise
        self._past.append(past)
        self.entries.append(entry)

    def _return_to(self, past: Past) -> None:
        self._restore(past)
        self._wait()

    def _restore(self, past: Past) -> None:
        state, lengths = past
        self.state = state[:]
        for noticed, length in zip(self._events or (), lengths, strict=False):
            del noticed[length:]

    def _wait(self) -> None:
        """Run until somebody is needed."""
        self._needed = self.machine.advance(self.state, self._events, self._draws)

    # ── saves ──

    @property
    def journal(self) -> Journal:
        """The journal from which this game comes again."""
        return Journal(self.header, tuple(self.entries), over=bool(self.entries) and self.over)

    def save(self, path: Path, keep: bool = False, is_new: bool = False) -> None:
        """Write the game to a file; with `keep`, every further answer too, and what is taken back. With `is_new` no
        file may be there yet.
        """
        journal.write_journal(path, self.header, self.entries, self.over, is_new)
        self._kept, self._is_unsure = KeptFile(path) if keep else None, False

    def keep(self, kept: Keeper) -> None:
        """Write every further answer to where this game was read from; until then that stays as it is."""
        self._kept, self._is_unsure = kept, False

    def _keep(self, entries: Sequence[Entry], is_one_more: bool) -> None:
        """Write these answers down, before they count: one more than there were, or others. Raises NotKept."""
        if self._kept is None:
            return
        over = is_one_more and self.over  # where something was taken back, somebody is asked again
        try:
            if is_one_more and not self._is_unsure:
                self._kept.append(entries[-1], over)
            else:
                self._kept.rewrite(self.header, entries, over)
        except OSError as failure:
            self._is_unsure = True
            raise NotKept(failure) from failure
        self._is_unsure = False

    @classmethod
    def replay(
        cls,
        program: Program,
        saved: Journal,
        watch: bool = True,
        chance: Draws | None = None,
        state: State | None = None,
        name: str = "save",
    ) -> Game:
        """The same game again, from its journal. `state` is what its `given` began with, if it has one.

        Raises `BadSave` (with `name` as the file) if the rules are others, or do not allow one of the
        answers.
        """
        game, gap = cls.replay_sound(program, saved, watch, chance, state, name)
        if gap is not None:
            raise gap
        return game

    @classmethod
    def replay_sound(
        cls,
        program: Program,
        saved: Journal,
        watch: bool = True,
        chance: Draws | None = None,
        state: State | None = None,
        name: str = "save",
    ) -> tuple[Game, BadSave | None]:
        """The same game again, up to the first answer that its rules do not allow there; and about that one, if there
        is one. Raises `BadSave` if the rules are others.
        """
        header = saved.header
        if header.rules_hash != program.rules_hash or len(header.seats) != program.players:
            reason = "The game was played by other rules, or by another number of players."
            raise BadSave(name, 1, reason, "Play it with the rules that the save carries.")
        if header.given is not None and state is None:
            raise ValueError("a game that began with a table laid by hand needs that state to be replayed")
        if chance is None:
            chance = "ask" if any(entry.seat == CHANCE for entry in saved.entries) else "sample"
        game = cls(program, header.seed, header.seats, watch, chance, state, header)
        for line, entry in enumerate(saved.entries, 2):
            try:
                game.repeat(entry)
            except Refused as refused:
                return game, journal.impossible(name, line, refused)
        return game, None

    @classmethod
    def load(cls, path: Path, build: Callable[[Header], Program], watch: bool = True, keep: bool = False) -> Game:
        """A saved game, ready to go on; `build` makes the program that the header speaks of.

        With `keep`, every further answer is written there; the file stays as it is until the first of them.
        """
        saved = journal.read_journal(path)
        game = cls.replay(build(saved.header), saved, watch, name=str(path))
        if keep:
            game.keep(KeptFile(path))
        return game

    def rename(self, names: Sequence[str]) -> Game:
        """Play the same game again under other names, which stand in the keys of answers, too."""
        before, renamed = (
            type(self)(self.program, self.seed, header.seats, header=header)
            for header in (self.header, evolve(self.header, seats=tuple(names)))
        )
        for entry in self.entries:
            seat = entry.seat
            assert seat != CHANCE, "games whose chance is asked have no people"
            keys, now = before._find_ask(seat).keys, renamed._find_ask(seat).keys
            renamed.answer(seat, [now[keys.index(key)] for key in entry.answer], entry.number)
            before.repeat(entry)
        return renamed

    def clone(self) -> Game:
        """A game of its own that goes on from here, with the same past."""
        copy = self.fork(watch=self._events is not None)
        copy.entries, copy._past = self.entries[:], self._past[:]
        if self._events is not None:
            copy._events = [noticed[:] for noticed in self._events]
        return copy

    def fork(self, state: State | None = None, watch: bool = False) -> Game:
        """A game of its own that goes on from here, or from another state of this program; with no past."""
        start = self.state if state is None else state
        return Game(self.program, self.seed, self.names, watch, self._draws, start, self.header)


def _check_names(names: Sequence[str] | None, players: int) -> tuple[str, ...]:
    seated = tuple(names) if names is not None else tuple(f"Player {seat + 1}" for seat in range(players))
    if len(seated) != players:
        raise BadSetup(f"{players} players need {players} names, not {len(seated)}.")
    if len(set(seated)) < players:
        raise BadSetup("Two players have the same name; nobody could tell them apart.")
    if not all(map(is_players_name, seated)):
        raise BadSetup(f"A player's name is one line of 1 to {LONGEST_NAME} letters.")
    return seated


def _stale(number: int, current: int) -> str:
    return f"That answers your decision {number}, but you are asked your decision {current} now."
