"""Games in which one seat answers otherwise: never with an option, always where it can, or another answer this once.

In: a plan, options, in which ways. Out: how often each option was offered and chosen in games of the plan, and what
each branch (the same game, in which one seat answers otherwise) gave that seat more or less. Never: plays what cannot
differ. A bot that will not answer so thinks again, and till then nothing has changed (`bots.restricted`); so only where
a seat did choose what it shall never choose there is another game. Between random players the core plays all of it.
"""

from __future__ import annotations

from array import array
from collections.abc import Hashable, Iterator, Sequence
from typing import Any

from attrs import define

from rulebook.classes import frozen
from rulebook.interpreter.choosing import Choices
from rulebook.interpreter.core.door import ALWAYS, BRANCH, NEVER, ONCE, SEATS, TEAMS, WHY, WINNERS, Core, unpack_teams
from rulebook.interpreter.layout import STACK
from rulebook.interpreter.machine import Machine
from rulebook.interpreter.results import find_shares
from rulebook.interpreter.state import State
from rulebook.playtest.bots import Bot
from rulebook.playtest.bots.restricted import ByValue, Restricted
from rulebook.playtest.options import Option, OptionTable
from rulebook.playtest.pieces import Worker
from rulebook.playtest.series.bulk import seats_of
from rulebook.playtest.series.plan import SEEDS, Plan
from rulebook.playtest.series.table import Table
from rulebook.playtest.series.tiers import mixes_yes

__all__ = ["ALWAYS", "NEVER", "ONCE", "Branch", "BranchFailed", "Branched", "branch"]

_WORDS = {NEVER: "never", ALWAYS: "always", ONCE: "never"}
_ROOM = 4000
"""The room for branches at first; it grows when they need more."""


@frozen
class Branch:
    """A game in which one seat answered otherwise: `more` is what it got more than in the game as it was. `asked` is
    where in the rules it did so first, `other` the number of the option that came instead, or -1.
    """

    game: int
    seat: int
    option: int
    way: int
    asked: Hashable
    other: int
    more: float


class BranchFailed(Exception):
    """The rules went wrong in a game in which a seat answered otherwise; the sentence says which."""


@frozen
class Branched:
    """Games with their branches; `noted` has two numbers for each option of each game: in how many decisions it was
    offered, and in how many chosen.
    """

    first: int
    noted: Sequence[int]
    branches: Sequence[Branch]


@frozen
class Asked:
    """A job for `branch`: games of a plan, with all options restricted in each of some ways, which are added up."""

    plan: Plan
    options: tuple[Option, ...]
    ways: tuple[int, ...]


def branch(asked: Asked) -> Worker[Branched]:
    """A table that plays such games with all their branches."""
    return _Brancher(asked).play


class _Brancher:
    def __init__(self, asked: Asked) -> None:
        self.plan, self.ways, self.table = asked.plan, asked.ways, Table(asked.plan)
        self.options = OptionTable(self.table.program, asked.options)

    def play(self, numbers: range) -> Branched:
        core, plan = self.table.core, self.plan
        in_core = core is not None and plan.is_random and not mixes_yes(plan.rulebook)
        found = self._in_core(core, numbers) if in_core and core is not None else None
        return found or self._one_by_one(numbers)

    def _gain(self, winners: Sequence[int], teams: Sequence[int], score: int, seat: int) -> float:
        """Return the payoff of a seat, or its share of the win where the game has no payoff."""
        return score if self.plan.is_paid else find_shares(winners, teams)[seat]

    # ── by the core ──

    def _in_core(self, core: Core, numbers: range) -> Branched | None:
        """None where something went wrong: the machine says what."""
        plan, players = self.plan, self.plan.players
        seeds = core.draw_first_numbers(plan.seed, plan.names_of(numbers), SEEDS)
        packed = self.options.pack(core.picks, core.image.words)
        told, noted, rows = core.play_branches(seeds, packed, array("i", self.ways), _ROOM)
        width, branches = SEATS + 3 * players, list[Branch]()
        if any(told[WHY::width]):
            return None
        for at in range(0, len(rows), BRANCH):
            game, seat, option, way, asked, other, why, winners, teams, score = rows[at : at + BRANCH]
            if why:
                return None
            base = told[width * game :]
            base_teams = unpack_teams(base[TEAMS], players)
            before = self._gain(seats_of(base[WINNERS]), base_teams, base[SEATS + 2 * players + seat], seat)
            more = self._gain(seats_of(winners), unpack_teams(teams, players), score, seat) - before
            branches.append(Branch(numbers[game], seat, option, way, asked, other, more))
        return Branched(numbers.start, noted, branches)

    # ── by bots, one game after the other ──

    def _one_by_one(self, numbers: range) -> Branched:
        noted, branches = array("i"), list[Branch]()
        for number in numbers:
            counts = array("i", bytes(8 * len(self.ways)))
            branches += self._branches(number, counts)
            noted.extend(counts)
        return Branched(numbers.start, noted, branches)

    def _branches(self, number: int, counts: array[int]) -> Iterator[Branch]:
        notes = list[_Note]()

        def watch() -> list[Bot]:
            notes.clear()
            bots = enumerate(self.table.make_bots(number))
            return [_Noting(bot, bot.spec, seat, self.options, notes) for seat, bot in bots]

        base = self.table.between(number, watch)
        begun = set[tuple[int, int, int]]()
        for note in notes:
            for option in note.offered:
                chosen = option in note.chosen
                counts[2 * option] += 1
                counts[2 * option + 1] += chosen
                for way in (NEVER, ALWAYS, ONCE):
                    key = note.seat, option, way
                    if not self.ways[option] & way or chosen == (way == ALWAYS) or (key in begun and way != ONCE):
                        continue
                    begun.add(key)
                    yield self._played_otherwise(number, note, option, way, base)

    def _played_otherwise(self, number: int, note: _Note, option: int, way: int, base: Any) -> Branch:
        seat, table = note.seat, self.options
        at = note.asked if way == ONCE else None
        alone = OptionTable(table.program, [table.options[option]])
        notes = list[_Note]()

        def make() -> list[Bot]:
            notes.clear()
            bots = self.table.make_bots(number)
            restricted = Restricted(bots[seat], bots[seat].spec, _WORDS[way], "", alone, at)
            bots[seat] = _Noting(restricted, bots[seat].spec, seat, table, notes)
            return bots

        try:
            played = self.table.between(number, make)
        except Exception as error:
            asked = "" if way != ONCE else " (once)"
            seen = self.plan.replay_otherwise(number, seat, _WORDS[way], table.options[option].word)
            raise BranchFailed(f"The game stopped{asked}: {error} To see it again: {seen}") from error
        there = next(one for one in notes if one.asked == note.asked)
        before = self._gain(base.winners, base.teams, base.scores[seat], seat)
        more = self._gain(played.winners, played.teams, played.scores[seat], seat) - before
        return Branch(number, seat, option, way, note.where, there.only, more)


@define
class _Note:
    """A decision: the seat, how many it made before, where in the rules it stands, and the options in it."""

    seat: int
    asked: int
    where: Hashable
    offered: list[int]
    chosen: set[int]
    only: int
    """The number of the option that was chosen, where one thing is; else, and of all others, -1."""


class _Noting(ByValue):
    """A bot whose decisions are noted."""

    def __init__(self, inner: Bot, spec: str, seat: int, options: OptionTable, notes: list[_Note]) -> None:
        super().__init__(inner, spec)
        self._seat, self._options, self._notes, self._asked = seat, options, notes, 0

    def value_of(self, machine: Machine, state: State, choices: Choices) -> Any:
        """Return the inner bot's answer, and note which options were offered and chosen."""
        options, is_set = self._options, choices.pick.many
        answer = self.inner.value(machine, state, choices.seat)
        numbers = options.number_values(choices)
        offered = dict.fromkeys([options.of_pass] if choices.may_pass and options.of_pass >= 0 else [])
        offered |= dict.fromkeys(numbers[value] for value in choices.values if value in numbers)
        chosen = options.in_answer(numbers, answer, is_set=is_set)
        code, pc, *_ = state[STACK][-1]
        only = -1 if is_set and answer is not None else next(iter(chosen), -1)
        self._notes.append(_Note(self._seat, self._asked, (code, pc, choices.pick.name), [*offered], chosen, only))
        self._asked += 1
        return answer
