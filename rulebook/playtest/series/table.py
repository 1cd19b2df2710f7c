"""The table at which one process plays games by their numbers, those that crash included. None depends on another."""

from __future__ import annotations

import contextlib
import re
from array import array
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cached_property, lru_cache, partial

from attrs import evolve

from rulebook.interpreter.core.door import (
    AS_LEARNED,
    AT_RANDOM,
    BY_OTHERS,
    GREEDILY,
    GUESSES,
    HELPING,
    RESTRICTED,
    WHY,
    Core,
)
from rulebook.interpreter.core.door import Table as CoreTable
from rulebook.interpreter.decisions import Decision, RuleError
from rulebook.interpreter.events import Sink
from rulebook.interpreter.game import Game
from rulebook.interpreter.journal import Entry, Journal
from rulebook.interpreter.layout import COUNTS, PENDING, RESULT
from rulebook.interpreter.lower import lower
from rulebook.interpreter.machine import Machine
from rulebook.interpreter.program import Measure, Program
from rulebook.interpreter.results import Outcome, check_zero_sum, find_outcome
from rulebook.interpreter.state import State
from rulebook.playtest.bots import (
    ALWAYS,
    GUESS,
    HELPS,
    NEVER,
    BadSpec,
    Bot,
    is_command,
    make_bot,
    split_spec,
    teach_core,
)
from rulebook.playtest.coverage import Counts, Coverage
from rulebook.playtest.failures import make_header
from rulebook.playtest.hunting.inspection import fault_of
from rulebook.playtest.options import OptionTable, find_option
from rulebook.playtest.partners import PartnerFailed, seated
from rulebook.playtest.pieces import Worker
from rulebook.playtest.prompts import Stake, find_prompt, find_stakes, mark_picks
from rulebook.playtest.series.bulk import Bulk
from rulebook.playtest.series.counting import Counting
from rulebook.playtest.series.plan import SEEDS, Plan
from rulebook.playtest.series.record import CRASHED, RANKED, STOPPED, WON, Played
from rulebook.playtest.series.tiers import choose_tier, mixes_yes
from rulebook.playtest.series.watching import Lookout, Watched

PIECE = 25
"""Games in a piece of work; always the same, so that nothing depends on the number of processes."""

_WAYS = {"random": AT_RANDOM, "greedy": GREEDILY}
"""The bots whose games the core plays by itself."""
_ADDED = {GUESS: GUESSES, NEVER: RESTRICTED, ALWAYS: RESTRICTED}
"""The additions to a way by which the core knows bots that are not free."""

Pieces = tuple[Sequence[Played] | Bulk, Counts]
"""The result of a piece: its games, and their coverage if that was asked."""


def ready(asked: tuple[Plan, bool, int]) -> Worker[Pieces]:
    """A table of its own, for another process; with or without coverage."""
    plan, covers, crashes = asked
    return Table(plan, Coverage(plan.rulebook) if covers else None, crashes).apart


class _Known(Exception):
    """All answers are known that were given before a game crashed."""


class Table:
    """A program of the plan and a machine that runs it. After so many crashes a piece is not played on. Bots that learn
    may have been `taught_by` other rules, as far as the core plays."""

    def __init__(
        self, plan: Plan, coverage: Coverage | None = None, crashes: int = PIECE, taught_by: Program | None = None
    ) -> None:
        self.plan, self.coverage, self.crashes, self.taught_by = plan, coverage, crashes, taught_by
        self.program: Program = lower(plan.rulebook, plan.players, plan.options, coverage)
        self.machine = Machine(self.program)
        core = choose_tier(plan, self.program, coverage is not None)
        self.core = core if isinstance(core, Core) else None
        self.why_machine = core if isinstance(core, str) else ""
        self.lookout = Lookout(self.machine, plan.rulebook) if plan.watched else None
        self.answered: dict[int, int] = {}
        """The number of answers that were given in each game that crashed here."""

    def generalize(self, prompt: str) -> str:
        """Return what is asked with a word for whichever card came up: `Who gets [a card]?`."""
        return self._card_names.sub("[a card]", prompt)

    @cached_property
    def _card_names(self) -> re.Pattern[str]:
        names = sorted(map(re.escape, {*self.program.definitions.values()} - {""}), key=len, reverse=True)
        return re.compile(rf"(?<!\w)(?:{'|'.join(names) or '(?!)'})(?!\w)")

    def here(self, numbers: range) -> Pieces:
        """The games with these numbers, in order; what ran is told to the coverage as it runs."""
        looks = self.lookout is not None or self.program.measures
        is_known = self.plan.can_be_repeated and not looks and not self._ways.keys().isdisjoint(self.plan.bots)
        found = self._in_bulk(self.core, numbers) if self.core is not None and is_known else None
        return self._one_by_one(numbers) if found is None else found, {}

    def _one_by_one(self, numbers: range) -> list[Played]:
        played: list[Played] = []
        for number in numbers:
            played.append(self.game(number))
            if sum(not one.counts for one in played) == self.crashes:
                break
        return played

    def _in_bulk(self, core: Core, numbers: range) -> Bulk | None:
        """The same games as the core tells them; None if one went wrong: the machine says where."""
        seeds = core.draw_first_numbers(self.plan.seed, self.plan.names_of(numbers), SEEDS)
        rows = core.play_games(seeds) if self.plan.is_random else self._play_seated(core, numbers, seeds)
        found = Bulk(self.plan.players, numbers.start, seeds, rows)
        if any(found.column(WHY)) or (self.program.zero_sum is not None and not found.is_balanced):
            return None
        return found

    def _play_seated(self, core: Core, numbers: range, seeds: array[int]) -> array[int]:
        """Play games in which some bots think, of which the core plays those that it knows."""
        self._tell_core()
        bots = lru_cache(maxsize=1)(self.make_bots)

        def answer_outside(table: CoreTable, game: int) -> int:
            return _answer_asked(table, bots(numbers[game]))

        return core.play_seated(seeds, [self._find_ways(number) for number in numbers], answer_outside)

    def find_stakes(self, numbers: range) -> list[Stake]:
        """Find what hangs on each question in these games, if all players learned; nothing without the core."""
        ways = self._find_ways(0)
        if self.core is None or set(ways) != {AS_LEARNED}:
            return []
        return find_stakes(self.core, array("Q", map(self.plan.seed_of, numbers)), ways)

    def _find_ways(self, number: int) -> bytes:
        """Find how the core knows each seat of a game to answer."""
        return bytes(self._ways.get(spec, BY_OTHERS) for spec in self.plan.seated(number))

    @cached_property
    def _ways(self) -> Mapping[str, int]:
        """The ways in which the core answers, by the words for bots."""
        words = {spec: split_spec(spec) for spec in self.plan.bots}
        free = [free for free, _, _ in words.values()]
        taught = None if self.core is None else teach_core(self.core, free, self.taught_by)
        ways = _WAYS if taught is None else {**_WAYS, taught: AS_LEARNED}
        bound = [(spec, ways.get(free), _ADDED[way]) for spec, (free, way, _) in words.items() if way in _ADDED]
        known = {spec: way + added for spec, way, added in bound if way is not None and added in self._orders}
        known = {spec: way for spec, way in known.items() if way != AT_RANDOM + RESTRICTED}
        helping = {
            spec: ways[free] + HELPING * int(further)
            for spec, (free, way, further) in words.items()
            if way == HELPS and free in ways
        }
        return {**ways, **known, **helping}

    @cached_property
    def _orders(self) -> Mapping[int, Callable[[], None]]:
        """The calls that tell the core at which question bots of the plan guess, and with what they answer never or
        always, by what is added to their ways; it knows one question at a time, and one option."""
        core, orders = self.core, dict[int, Callable[[], None]]()
        words = {split_spec(spec) for spec in self.plan.bots}
        bound = [(_ADDED[way], way, word) for _, way, word in words if way in _ADDED]
        once = [one for one in bound if len({other for other in bound if other[0] == one[0]}) == 1]
        if core is None:
            return orders
        for added, way, word in once:
            if added == GUESSES:
                orders[added] = partial(core.imagining.guess_at, mark_picks(core, find_prompt(self.program, word)))
            elif not mixes_yes(self.plan.rulebook):
                option = OptionTable(self.program, [find_option(self.program, word)])
                packed = option.pack(core.picks, core.image.words)
                orders[added] = partial(core.imagining.restrict_answers, packed, always=way == ALWAYS)
        return orders

    def _tell_core(self) -> None:
        """Tell the core how bots of the plan are bound; tables of one program share it."""
        for tell in self._orders.values():
            tell()

    def apart(self, numbers: range) -> Pieces:
        """The same, and what ran in these games alone."""
        if self.coverage is None:
            return self.here(numbers)
        self.coverage.forget()
        played, _ = self.here(numbers)
        return played, self.coverage.counts()

    def game(self, number: int, events: Sink | None = None) -> Played:
        """One game. Raises BadSpec; whatever else goes wrong is in the record. `events` get what each seat notices,
        which the core does not tell."""
        try:
            if not self.plan.can_be_repeated:
                return self._with_programs(number)
            # What stops in the core is played by the machine, which says what went wrong and where.
            played = None if self.core is None else self._in_core(self.core, number)
            return played or self._to_the_end(number, events)
        except BadSpec:
            raise
        except Exception as error:
            return self._crashed(number, error)

    def between(self, number: int, make_bots: Callable[[], list[Bot]]) -> Played:
        """The same game between other bots. What goes wrong is raised."""
        if self.core is not None:
            played = self._in_core(self.core, number, make_bots)
            if played is not None:
                return played
        return self._to_the_end(number, None, make_bots())

    def noticed(self, number: int) -> Sink:
        """Make the sink of what each seat notices in a game that ends well."""
        events: Sink = [[] for _ in range(self.plan.players)]
        self._to_the_end(number, events)
        return events

    def make_bots(self, number: int) -> list[Bot]:
        """The bots of a game, by seat."""
        seed = self.plan.seed_of(number)
        return [make_bot(spec, seed, seat) for seat, spec in enumerate(self.plan.seated(number))]

    def play_in_core(self, number: int) -> Played | None:
        """The same, if the core plays it to its end."""
        return None if self.core is None else self._in_core(self.core, number)

    def _in_core(
        self, core: Core, number: int, make_bots: Callable[[], list[Bot]] | None = None
    ) -> Played | None:
        """A game that the core plays, with its bots where it does not know how to answer, or between other bots; None
        if it stops there.
        """
        bots = lru_cache(maxsize=1)(make_bots or partial(self.make_bots, number))
        ways = bytes([BY_OTHERS] * self.plan.players) if make_bots else self._find_ways(number)
        counting = self._counting
        self._tell_core()
        log = core.watch_game(
            self.plan.seed_of(number),
            ways,
            lambda table, _: _answer_asked(table, bots()),
            None if counting is None else counting.plan,
        )
        if log is None:
            return None
        watched = None
        if self.lookout is not None and counting is not None and log.counts is not None:
            watched = Watched(self.lookout)
            watched.read(log, counting.read(log.counts))
        return self._ended(number, log.last, log.turns, log.order, watched)

    @cached_property
    def _counting(self) -> Counting | None:
        """Make what counts in the games of the core, where somebody watches."""
        at = self.lookout
        return None if at is None or self.core is None else Counting(self.core, at.owners, at.key)

    def _to_the_end(self, number: int, events: Sink | None = None, seated: Sequence[Bot] | None = None) -> Played:
        plan, machine = self.plan, self.machine
        seed, bots = plan.seed_of(number), self.make_bots(number) if seated is None else seated
        state = machine.new_state(seed)
        watched = None
        if self.lookout is not None:
            watched = Watched(self.lookout, events)
            events = watched.events
        turns, last, order = 0, -1, list[int]()
        self.answered[number] = 0
        while isinstance(machine.advance(state, events), Decision):
            seat = machine.find_waiting(state)[0]
            began = seat != last
            turns, last = turns + began, seat
            _note_order(order, state, seat)
            value = bots[seat].value(machine, state, seat)
            if watched is not None:
                watched.asked(state, seat, value, began)
            self.answered[number] += 1
            machine.answer_value(state, seat, value, events)
        played = self._ended(number, state, turns, order, watched)
        del self.answered[number]
        return played

    def _ended(self, number: int, state: State, turns: int, order: Sequence[int], watched: Watched | None) -> Played:
        outcome = find_outcome(self.program, state, self.machine.names)
        check_zero_sum(self.program, outcome)
        decisions = tuple(state[COUNTS][: self.plan.players])
        played = self._played(number, outcome, decisions, turns, order, is_won=state[RESULT][0] == "win")
        measures = {measure.name: tuple(self._measured(measure, state)) for measure in self.program.measures}
        return evolve(played, seen=None if watched is None else watched.over(state), measures=measures)

    def _played(
        self, number: int, found: Outcome, decisions: tuple[int, ...], turns: int, order: Sequence[int], *, is_won: bool
    ) -> Played:
        return Played(
            number=number,
            seed=self.plan.seed_of(number),
            ending=STOPPED if not found.finished else WON if is_won else RANKED,
            winners=found.winners,
            teams=found.teams,
            places=found.places,
            scores=found.scores,
            decisions=decisions,
            turns=turns,
            order=tuple(order),
        )

    def _measured(self, measure: Measure, state: State) -> Iterator[float | None]:
        for seat in range(self.plan.players) if measure.each else (None,):
            arguments = () if seat is None else (seat,)
            found = self.machine.evaluate(state, measure.value, arguments)
            yield None if found is None else float(found)

    def _crashed(self, number: int, error: Exception) -> Played:
        fault = fault_of(error)
        at = "" if fault.span is None else f"\n{fault.span.file.name}:{fault.span.line}:{fault.span.column}: "
        where = "" if fault.span is None else at + " ".join(fault.span.text.split())
        named = f"{fault.code} {fault.place[0]}:{fault.place[1]} {fault.what}"
        nothing = (0,) * self.plan.players
        return Played(
            number=number,
            seed=self.plan.seed_of(number),
            ending=CRASHED,
            winners=(),
            teams=(),
            places=(),
            scores=(),
            decisions=nothing,
            turns=0,
            error=_sentence(error) + where,
            fault=named,
            ours=not isinstance(error, RuleError | RecursionError | PartnerFailed),
        )

    # ── games that are told ──

    def _with_programs(self, number: int) -> Played:
        """The same, where programs play that must be told what happens; every game starts its own."""
        order = list[int]()
        game = self.told(number, order=order)
        seats = [entry.seat for entry in game.entries]
        turns = sum(seat != last for seat, last in zip(seats, [None, *seats], strict=False))
        return self._ended(number, game.state, turns, order, None)

    def told(self, number: int, before: Callable[[Entry], None] | None = None, order: list[int] | None = None) -> Game:
        """A game of the series with all that each player is told of it. `before` is told each answer of our own bots
        before the game is; `order` gets the seats as they are asked; whatever goes wrong is raised.
        """
        plan = self.plan
        seed = plan.seed_of(number)
        game = Game(self.program, seed, [f"Bot {seat + 1}" for seat in range(plan.players)])
        specs = dict(enumerate(plan.seated(number)))
        bots = {seat: make_bot(spec, seed, seat) for seat, spec in specs.items() if not is_command(spec)}
        programs = {seat: spec for seat, spec in specs.items() if is_command(spec)}
        with seated(game, programs, plan.timeout) as partners:
            while (decision := game.decision) is not None:
                ask = decision.asks[0]
                if order is not None:
                    _note_order(order, game.state, ask.seat)
                if ask.seat in partners:
                    partners[ask.seat].answer(ask)
                else:
                    keys = bots[ask.seat].answer(game.machine, game.state, ask)
                    if before is not None:
                        before(Entry(ask.seat, ask.number, tuple(keys)))
                    game.answer(ask.seat, keys, ask.number)
        return game

    def save(self, number: int) -> Journal:
        """A save of a game: all answers, the last one that with which the rules went wrong, if they did. The rules
        travel with it; there is none of a game in which programs of somebody else play.
        """
        plan, program, entries = self.plan, self.program, list[Entry]()
        names = tuple(f"Bot {seat + 1}" for seat in range(plan.players))
        last = self.answered.get(number)

        def note(entry: Entry) -> None:
            entries.append(entry)
            if len(entries) == last:
                raise _Known

        # What goes round for ever need not do so once more. Elsewhere a game that crashed crashes again.
        if last != 0:
            with contextlib.suppress(Exception):
                self.told(number, note)
        return Journal(make_header(plan.rulebook, program, names, plan.seed_of(number)), tuple(entries))


def _answer_asked(table: CoreTable, bots: Sequence[Bot]) -> int:
    """Answer with the bot of who is asked; what stopped that, or 0."""
    seat, asked, picked = table.find_asked()
    return bots[seat].play(table, seat, asked, picked)


def _note_order(order: list[int], state: State, seat: int) -> None:
    """Note a seat that is asked something alone for the first time as the next. Where several are asked before, who is
    alone then may be so for what they answered.
    """
    *asked, _ = state[COUNTS]
    if seat not in order and len(state[PENDING][1]) == 1 and (order or sum(asked) == 1):
        order.append(seat)


def _sentence(error: Exception) -> str:
    text = str(error) or type(error).__name__
    return text if text.endswith((".", "!", "?")) else f"{text}."
