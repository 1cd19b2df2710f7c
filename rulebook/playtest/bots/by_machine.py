"""Imagined tables (determinizations) in the machine: the readable definition, used where there is no core.

In: a machine, a state, the seat that is asked, a source of numbers. Out: what `thinking.Imagined` promises. Never:
looks at the state but through `Twins`, which draws the same for all states that the seat could not tell apart, and
through what is offered there, of which the seat is told.

Each table has numbers of its own, from a seed that is drawn from the bot's: with them it is drawn, and what is chosen
at random at it. What a seat gets is `Outcome.payoffs`: the game's own payoff, else how many are placed behind minus how
many ahead. A game that is to be cut is told that nearly all its answers were given already: the machine ends it there
as unfinished, and says how it stands.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from math import comb, perm
from operator import mul
from typing import Any

from rulebook.interpreter.choosing import PASSED, Choices, Mark
from rulebook.interpreter.core.imagining import SEARCH, STREAM, Ended, Manner, Outlook
from rulebook.interpreter.decisions import PASS, Refused, RuleError
from rulebook.interpreter.determinize import Twins
from rulebook.interpreter.features import MOST_AHEAD, find_features
from rulebook.interpreter.layout import CLOCK, STACK
from rulebook.interpreter.machine import Machine
from rulebook.interpreter.matching import Below, shuffled
from rulebook.interpreter.ops.asking import MOST_ANSWERS
from rulebook.interpreter.program import Program
from rulebook.interpreter.random import Source
from rulebook.interpreter.results import Outcome, find_outcome
from rulebook.interpreter.state import State
from rulebook.playtest.bots.knowledge import SHIFT, Member
from rulebook.playtest.bots.solving import find_best
from rulebook.playtest.bots.tree_search import search_tree
from rulebook.playtest.knowing import known_to, laid, may_be_open

__all__ = ["MOST_SETS", "ByMachine", "Mark", "Situation", "answers", "keys_of", "margin", "play_on"]

Situation = tuple[int, Hashable, Sequence[Mark]]
"""The information state of the seat that is asked: the seat; the key made of the question and of all that the seat sees
and knows; the marks of the answers that are offered."""

MOST_SETS = 64
"""The most answers of several things that are thought about; of more, a random sample of this size."""

MOST_OWN = 8
"""The most further decisions of its own that are answered at random before a bot looks at how it stands."""

SEEDS = 1 << 62


class ByMachine:
    """One decision, as its seat sees it, and games at tables that may be the true one. The first table is drawn with
    `seed`, if one is given.
    """

    def __init__(
        self, machine: Machine, state: State, seat: int, below: Below, at_random: bool, seed: int | None = None
    ) -> None:
        self.program, self.seat, self.below = machine.program, seat, below
        self.machine = Machine(machine.program)
        self._twins, self._true = Twins(machine.program, state, seat), machine.find_choices(state, seat)
        choices = self._true
        self.is_drawn = self._imagine(below(SEEDS) if seed is None else seed) and _offer_same(self._found, choices)
        if self.is_drawn:
            choices = self._found  # else it hangs on something that the seat is not told. It is told what is offered.
        if at_random:
            value = choices.random(self._numbers)
            may = {choices.mark_answer(value): value}
        else:
            may = answers(choices, self._numbers)
        self.legal, self._here, self._keeps_some = list(may), list(may.values()), False

    def _imagine(self, seed: int) -> bool:
        """Imagine a table; False if none was found."""
        self._numbers = Source(seed, STREAM).below
        table = self._twins.draw_state(self._numbers, answered=False)
        if table is None:
            return False
        self._table, self._found = table, self.machine.find_choices(table, self.seat)
        return True

    def true_answer(self, number: int) -> list[int] | None:
        """The numbers of the values that are meant."""
        values = list(meant(self._true, [self.legal[number]]).values())
        if not values:
            raise Refused("The answer that was thought of may not be given.")
        chosen = values[0] if self._true.pick.many else (*values,)
        return None if values == [None] else [self._true.values.index(value) for value in chosen]

    def keep(self, numbers: Sequence[int]) -> None:
        """Think only of these."""
        self.legal, self._here = [self.legal[number] for number in numbers], [self._here[number] for number in numbers]
        self._keeps_some = True

    def draw(self) -> list[Mark] | None:
        """Another table; None if none was found."""
        if not self._imagine(self.below(SEEDS)):
            return None
        may = meant(self._found, self.legal)
        self._here = list(may.values())
        return list(may)

    def rate(self, number: int) -> tuple[float, float]:
        """Payoff and margin."""
        machine, state, seat = self.machine, self._table[:], self.seat
        goes_on = _play_value(machine, state, seat, self._here[number])
        for _ in range(MOST_OWN):
            if not goes_on or machine.find_waiting(state) != (seat,):
                break
            goes_on = _play_value(machine, state, seat, machine.random_value(state, seat, self._numbers))
        outcome = _judge(self.program, state)
        return outcome.payoffs[seat], margin(self.program, outcome, seat)

    def look_on(self, number: int) -> Outlook:
        """Look at the table with the features of the program."""
        state, outcome, is_over = self._go_on_after(number)
        stands = outcome.payoffs[self.seat], margin(self.program, outcome, self.seat)
        if is_over:
            return Ended(*stands)
        found = enumerate(find_features(self.program).tell(state, self.seat, stands))
        return [one for pair in found if pair[1] for one in pair]

    def weigh_answer(self, number: int, member: Member, seats: Sequence[int]) -> int:
        """Weigh the same features of each seat."""
        state, outcome, is_over = self._go_on_after(number)
        whole = 0
        for seat in seats:
            stands = outcome.payoffs[seat], margin(self.program, outcome, seat)
            if is_over:
                whole += member.scale.rate(Ended(*stands)) << SHIFT
            else:
                found = find_features(self.program).tell(state, seat, stands)
                whole += member.weights[-1] + sum(map(mul, member.weights, found))
        return whole

    def _go_on_after(self, number: int) -> tuple[State, Outcome, bool]:
        """Return the table at which the seat is asked again after an answer, how it stands there, and True if the game
        is over."""
        machine, state, seat = self.machine, self._table[:], self.seat
        goes_on = _play_value(machine, state, seat, self._here[number])
        for _ in range(MOST_AHEAD):
            waiting = machine.find_waiting(state)
            if not goes_on or not waiting or seat in waiting:
                break
            goes_on = _play_value(machine, state, waiting[0], machine.random_value(state, waiting[0], self._numbers))
        return state, _judge(self.program, state), not machine.find_waiting(state)

    def play(self, number: int) -> float:
        """The payoff."""
        state = self._table[:]
        if not _play_value(self.machine, state, self.seat, self._here[number]):
            return _judge(self.program, state).payoffs[self.seat]
        return self._play_on(state, 1, MOST_ANSWERS)[0].payoffs[self.seat]

    def give(self, number: int) -> None:
        """Go on at the table itself, as far as that goes."""
        self._give(number)

    def _give(self, number: int) -> bool:
        return _play_value(self.machine, self._table, self._found.seat, self._here[number])

    def give_and_look(self, number: int) -> Situation | None:
        """Go on at the table itself."""
        if not self._give(number):
            return None
        waiting = self.machine.find_waiting(self._table)
        if not waiting:
            return None
        seat = self.seat if self.seat in waiting else waiting[0]
        self._found = self.machine.find_choices(self._table, seat)
        may = answers(self._found, self._numbers)
        self._here = list(may.values())
        code, pc, *_ = self._table[STACK][-1]
        return seat, (seat, code, pc, known_to(self.program, self._table, seat)), list(may)

    def play_on(self, games: int, most: int) -> tuple[list[int], list[int]]:
        """Payoffs and margins, in all."""
        ends = self._play_on(self._table, games, most)
        seats = range(self.program.players)
        payoffs = [sum(end.payoffs[seat] for end in ends) for seat in seats]
        return payoffs, [sum(margin(self.program, end, seat) for end in ends) for seat in seats]

    def _play_on(self, state: State, games: int, most: int) -> list[Outcome]:
        return [play_on(self.machine, state, seed, most) for seed in [self._numbers(SEEDS) for _ in range(games)]]

    def solve(self, most: int) -> list[int] | None:
        """Look at the rest in Python."""
        if not may_be_open(self.program) or not self._imagine(self.below(SEEDS)):
            return None
        return find_best(self.machine, self._table, self.seat, self.legal, most)

    def search(self, manner: Manner, most: int, is_hurried: Callable[[], bool]) -> int | None:
        """Search in Python, with numbers of its own."""
        own, self.below = self.below, Source(self.below(SEEDS), SEARCH).below
        try:
            return search_tree(self, manner, most, is_hurried)
        finally:
            self.below = own  # as in the core: who finds no table guesses with these

    def tables(self, seeds: Sequence[int]) -> list[State]:
        """The tables that are drawn from these seeds; of some there may be none."""
        drawn = [self._twins.draw_state(Source(seed, STREAM).below, answered=False) for seed in seeds]
        return [table for table in drawn if table is not None]

    def all_differ(self, seeds: Sequence[int]) -> bool:
        """Tell whether the tables of these seeds all differ, as far as tables can that look alike."""
        tables = self.tables(seeds)
        return self._keeps_some or len({laid(self.program, table) for table in tables}) == len(tables)

    def by_machine(self) -> ByMachine:
        """Itself."""
        return self


def play_on(machine: Machine, before: State, seed: int, most: int) -> Outcome:
    """The end of a game, or how it stands after so many answers; each seat answers as `random` does with a seed."""
    state = before[:]
    state[CLOCK] = max(state[CLOCK], MOST_ANSWERS - most)
    kept = state[:]
    try:
        for _ in answer_at_random(machine, state, seed):
            kept = state[:]
    except RuleError:
        state = kept
    return _judge(machine.program, state)


def _play_value(machine: Machine, state: State, seat: int, value: Any) -> bool:
    """Answer at an imagined table, and go on. Where its rules would stop the game it stays as it was, and this is
    False: nobody has played that.
    """
    before = state[:]
    try:
        machine.answer_value(state, seat, value)
        machine.advance(state)
    except RuleError:
        state[:] = before
        return False
    return True


def _judge(program: Program, state: State) -> Outcome:
    """Judge how an imagined game stands; as if all were equal where its rules cannot say so."""
    try:
        return find_outcome(program, state)
    except RuleError:
        alike = (0,) * program.players
        return Outcome(False, (1,) * program.players, (), alike, alike, tuple(range(program.players)), alike)


def answer_at_random(machine: Machine, state: State, seed: int) -> Iterator[None]:
    """Play a state to its end, where each seat answers as `random` does with a seed; yield before each answer."""
    sources = [Source(seed, f"bot:{seat}").below for seat in range(machine.program.players)]
    machine.advance(state)
    while waiting := machine.find_waiting(state):
        yield
        seat = waiting[0]
        machine.answer_value(state, seat, machine.random_value(state, seat, sources[seat]))
        machine.advance(state)


def margin(program: Program, outcome: Outcome, seat: int) -> int:
    """Return how far the team of a seat is ahead of the best of the others (or behind), in scores."""
    sign = -1 if program.payoff is None and program.rank and not program.rank[0].most else 1
    teams, totals = outcome.teams, outcome.totals
    others = [sign * total for team, total in zip(teams, totals, strict=True) if team != teams[seat]]
    return sign * totals[seat] - max(others, default=0)


# ── answers ──────────────────────────────────────────────────────────────────────────────────────────────────────────


def answers(choices: Choices, below: Below, most: int = MOST_SETS) -> dict[Mark, Any]:
    """Map each legal answer, equal answers once, to what it means at this table."""
    if not choices.pick.many:
        single: dict[Mark, Any] = {}
        for like, value in zip(choices.alike, choices.values, strict=True):
            single.setdefault((like,), value)
        return {**single, PASSED: None} if choices.may_pass else single
    count = perm if choices.pick.ordered else comb
    number = sum(count(len(choices.values), size) for size in range(choices.least, choices.most + 1))
    if number <= most * 8:
        listed = list(choices.find_answers())
        values = listed if len(listed) <= most else shuffled(listed, below)[:most]
    else:
        values = [choices.random(below) for _ in range(most)]
    return {choices.mark_answer(value): value for value in values}


def meant(choices: Choices, marks: Iterable[Mark]) -> dict[Mark, Any]:
    """Map each mark that is legal at this table to its value there."""
    offered: dict[Any, list[Any]] = {}
    for like, value in zip(choices.alike, choices.values, strict=True):
        offered.setdefault(like, []).append(value)
    may: dict[Mark, Any] = {}
    for mark in marks:
        assert isinstance(mark, tuple), "these are the machine's"
        if mark == PASSED:
            if choices.may_pass:
                may[mark] = None
        elif not choices.pick.many:
            if mark[0] in offered:
                may[mark] = offered[mark[0]][0]
        else:
            chosen = _choose_likenesses(offered, mark)
            if chosen is None or not choices.least <= len(chosen) <= choices.most:
                continue
            chosen = chosen if choices.pick.ordered else tuple(sorted(chosen, key=choices.values.index))
            if choices.allows(chosen):
                may[mark] = chosen
    return may


def _offer_same(choices: Choices, other: Choices) -> bool:
    """Tell whether the same is offered, as far as who is asked is told."""
    bounds = [(offer.may_pass, offer.least, offer.most) for offer in (choices, other)]
    return bounds[0] == bounds[1] and Counter(choices.alike) == Counter(other.alike)


def _choose_likenesses(offered: dict[Any, list[Any]], mark: tuple[Any, ...]) -> tuple[Any, ...] | None:
    """Choose one value for each likeness of a set; None if there are not so many."""
    times = Counter(mark)
    if any(number > len(offered.get(like, ())) for like, number in times.items()):
        return None
    taken = {like: iter(offered[like]) for like in times}
    return tuple(next(taken[like]) for like in mark)


def name_values(choices: Choices) -> dict[Any, str]:
    """The key of each value that is offered."""
    return {value: option.key for option in choices.make_options() for value in option.values}


def keys_of(choices: Choices, value: Any, names: Mapping[Any, str] | None = None) -> tuple[str, ...]:
    """The keys that mean a value; `names` are those of `name_values`, for who asks about many."""
    if value is None:
        return (PASS,)
    names = name_values(choices) if names is None else names
    keys = [names[value] for value in (value if choices.pick.many else (value,))]
    return tuple(keys if choices.pick.ordered else sorted(keys))
