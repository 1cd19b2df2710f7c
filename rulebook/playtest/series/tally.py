"""What many games say together: counts and sums."""

from __future__ import annotations

from bisect import bisect_right
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from functools import reduce
from itertools import accumulate, islice
from operator import add

from attrs import define, field

from rulebook.interpreter.core.door import TURNS
from rulebook.playtest.series.bulk import Bulk, Told
from rulebook.playtest.series.plan import Plan
from rulebook.playtest.series.record import CRASHED, STOPPED, WAYS, Played, Seen
from rulebook.statistics.intervals import Interval
from rulebook.statistics.lifting import Had, Won
from rulebook.statistics.shares import between

_MOST_NAMED = 5


@define
class Tally:
    """Counts. `seats` are what each seat won in all; where deals are played more than once, `deals`, for each
    deal, what each bot (by its place in the plan) and then what each seat won on it, and how many games of it count.
    """

    plan: Plan
    games: int = 0
    """Those that count."""
    endings: Counter[str] = field(factory=Counter)
    seats: list[float] = field(init=False)
    deals: dict[int, list[float]] = field(factory=dict)
    squares: dict[int, float] = field(factory=dict)
    """For each deal, the sum of the squares of what each seat won in each of its games."""
    lengths: Counter[int] = field(factory=Counter)
    turns: Counter[int] = field(factory=Counter)
    decisions: list[int] = field(init=False)
    scores: list[Counter[int]] = field(init=False)
    margins: Counter[int] = field(factory=Counter)
    shared: int = 0
    """Games that several won together."""
    measures: dict[str, list[float]] = field(factory=dict)
    """By the name of what the rulebook measures: how many answers, their sum, the least, the most."""
    longest: list[tuple[int, int]] = field(factory=list)
    """How long, and which number with its sign turned, so that of equal ones the first is the longest."""
    stopped: list[int] = field(factory=list)
    crashed: dict[str, Played] = field(factory=dict)
    """The first game that shows each mistake."""

    # ── of watched games ──

    watched: int = 0
    changes: Counter[int] = field(factory=Counter)
    offered: int = 0
    asked: int = 0
    led: list[float] = field(factory=lambda: [0, 0.0])
    """In how many games one was ahead of all at half time, and how many of these it won; then the same of who was
    behind."""
    trailed: list[float] = field(factory=lambda: [0, 0.0])
    roles: dict[tuple[str, str], list[float]] = field(factory=lambda: defaultdict(lambda: [0, 0.0]))
    """By the slot and what lay in it at the start: seats that had it, and what they won."""
    held: Counter[str] = field(factory=Counter)
    there: set[str] = field(factory=set)
    """The cards that left the box in some game."""
    drawn: Counter[str] = field(factory=Counter)
    played: Counter[str] = field(factory=Counter)
    won: dict[int, Won] = field(factory=dict)
    """By how far the bots had moved on: what the seats won in watched games."""
    had: dict[str, dict[tuple[str, int], Had]] = field(factory=lambda: {way: {} for way in WAYS})
    """By the way in which seats had it, by card, and by how far the bots had moved on: the games in which they did."""
    ends: dict[tuple[str, str], list[float]] = field(factory=lambda: defaultdict(lambda: [0, 0.0]))
    """As `roles`, when the game was over."""
    answers: dict[str, list[int]] = field(factory=dict)
    """What cards answered about their holders, as in `Seen`."""
    choices: dict[str, list[int]] = field(factory=lambda: defaultdict(lambda: [0, 0]))
    """By the key of an option: how often it was offered, and chosen."""

    def __attrs_post_init__(self) -> None:
        players = self.plan.players
        self.seats, self.decisions = [0.0] * players, [0] * players
        self.scores = [Counter() for _ in range(players)]

    @classmethod
    def of(cls, plan: Plan, told: Iterable[Told]) -> Tally:
        found = cls(plan)
        for one in told:
            if isinstance(one, Bulk):
                found.add_bulk(one)
            else:
                found.add(one)
        return found

    def add_bulk(self, many: Bulk) -> None:
        """Many games more, each by its columns."""
        endings = many.endings()
        self.endings.update(endings)
        stopped = (many.first + at for at, ending in enumerate(endings) if ending == STOPPED)
        self.stopped += islice(stopped, _MOST_NAMED - len(self.stopped))
        self.games += len(many)
        for seat in range(self.plan.players):
            # One after the other, so that thirds add up as they do one by one.
            self.seats[seat] = reduce(add, many.shares(seat), self.seats[seat])
            self.decisions[seat] += sum(many.decisions(seat))
            self.scores[seat].update(many.scores(seat))
        self.shared += many.shared()
        self.lengths.update(many.lengths)
        self.turns.update(many.column(TURNS))
        self.margins.update(many.margins)
        if many:
            longest = max(many.lengths)
            self._is_long(longest, many.first + many.lengths.index(longest))

    def add(self, one: Played) -> None:
        """One more game."""
        self.endings[one.ending] += 1
        if one.ending == CRASHED:
            self.crashed.setdefault(one.fault, one)
            return
        if one.ending == STOPPED and len(self.stopped) < _MOST_NAMED:
            self.stopped.append(one.number)
        plan = self.plan
        self.games += 1
        for seat in one.winners:
            self.seats[seat] += one.share(seat)
        if plan.rotations > 1:
            self._on_deal(one)
        self.shared += len(one.winners) > 1
        self.lengths[one.length] += 1
        self.turns[one.turns] += 1
        for seat, (decided, score) in enumerate(zip(one.decisions, one.scores, strict=True)):
            self.decisions[seat] += decided
            self.scores[seat][score] += 1
        first, second, *_ = sorted(one.scores, reverse=True) if plan.players > 1 else [*one.scores, *one.scores]
        self.margins[first - second] += 1
        for name, values in one.measures.items():
            for value in values:
                if value is not None:
                    measured = self.measures.setdefault(name, [0, 0.0, value, value])
                    count, total, least, most = measured
                    measured[:] = count + 1, total + value, min(least, value), max(most, value)
        self._is_long(one.length, one.number)
        if one.seen is not None:
            self._watched(one, one.seen)

    def _on_deal(self, one: Played) -> None:
        plan, deal = self.plan, self.plan.deal(one.number)
        won = self.deals.setdefault(deal, [0.0] * (2 * plan.players + 1))
        won[-1] += 1
        # So many share the win equally.
        self.squares[deal] = self.squares.get(deal, 0.0) + (1 / len(one.winners) if one.winners else 0.0)
        for seat in one.winners:
            won[plan.bot_at(one.number, seat)] += one.share(seat)
            won[plan.players + seat] += one.share(seat)

    def _is_long(self, length: int, number: int) -> None:
        self.longest = sorted([*self.longest, (length, -number)], reverse=True)[:1]

    def _watched(self, one: Played, seen: Seen) -> None:
        plan = self.plan
        self.watched += 1
        self.changes[seen.changes] += 1
        self.offered += seen.offered
        self.asked += one.length
        if len(seen.ahead) == 1:
            self.led[0] += 1
            self.led[1] += one.share(seen.ahead[0])
        if seen.behind:
            self.trailed[0] += 1
            self.trailed[1] += sum(map(one.share, seen.behind)) / len(seen.behind)
        for into, then in ((self.roles, seen.roles), (self.ends, seen.ends)):
            for seat, roles in enumerate(then):
                for role in roles.items():
                    counted = into[role]
                    counted[0] += 1
                    counted[1] += one.share(seat)
        shares, turned = [one.share(seat) for seat in range(plan.players)], plan.turned(one.number)
        self.won.setdefault(turned, Won(plan.players)).add(shares)
        self.there.update(seen.cards)
        for card, counts in seen.cards.items():
            self.drawn[card] += sum(counts[0::3])
            self.played[card] += sum(counts[1::3])
            self.held[card] += sum(counts[2::3])
        for card in sorted({*seen.cards, *(card for ids in seen.dealt for card in ids)}):
            for way, had in self.had.items():
                if seats := seen.seats_having(way, card):
                    had.setdefault((card, turned), Had(plan.players)).add(seats, shares)
        for question, answered in seen.answers.items():
            known = self.answers.setdefault(question, [0] * len(answered))
            known[:] = map(sum, zip(known, answered, strict=True))
        for key, (offered, chosen) in seen.options.items():
            counted_option = self.choices[key]
            counted_option[0] += offered
            counted_option[1] += chosen

    # ── what follows from counts ──

    def mean(self, counted: Counter[int]) -> float:
        total = sum(counted.values())
        return sum(value * times for value, times in counted.items()) / total if total else 0.0

    @staticmethod
    def quantile(counted: Counter[int], part: float) -> float:
        """The value below which this part of the games lie; half way between two values where it falls between them."""
        values = sorted(counted)
        passed = list(accumulate(counted[value] for value in values))
        if not values:
            return 0.0
        place = part * (passed[-1] - 1)
        low, high = (values[bisect_right(passed, at)] for at in (int(place), min(int(place) + 1, passed[-1] - 1)))
        return low + (high - low) * (place - int(place))

    def outliers(self) -> Iterator[tuple[str, int]]:
        """The games that somebody will want to see, each with a word for why: crashed, stopped, longest."""
        yield from (("crashed", one.number) for one in self.crashed.values())
        yield from (("stopped", number) for number in self.stopped)
        yield from (("longest", -turned) for _, turned in self.longest if -turned not in self.stopped)

    def luck(self) -> Interval | None:
        """The part of what decides who wins that is the deal: the seats and cards that are the same in all games on it,
        whoever sits there. None where no deal was played more than once, or everybody wins the same.
        """
        players, rotations = self.plan.players, self.plan.rotations
        rows = [
            (won[players : 2 * players], self.squares[deal])
            for deal, won in sorted(self.deals.items())
            if won[-1] == rotations
        ]
        return between(rows, rotations) if rows else None

    def deal_shares(self) -> tuple[list[list[float]], list[list[float]]]:
        """For each bot of the plan, and for each seat, what part of its games it won on each deal of which all games
        count.
        """
        players, rotations = self.plan.players, self.plan.rotations
        whole = [won for _, won in sorted(self.deals.items()) if won[-1] == rotations]
        columns = [[won[column] / rotations for won in whole] for column in range(2 * players)]
        return columns[:players], columns[players:]
