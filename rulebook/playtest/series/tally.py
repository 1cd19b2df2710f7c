"""The tally of many games: counts and sums of their records, which can be added up in any order."""

from __future__ import annotations

from bisect import bisect_right
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from functools import reduce
from itertools import accumulate, islice, pairwise
from math import inf, sqrt
from operator import add
from typing import TypeVar

from attrs import define, field

from rulebook.interpreter.core.door import ORDER, TEAMS, TURNS, WINNERS, unpack_order, unpack_teams
from rulebook.interpreter.results import count_teams, find_margin, find_shares
from rulebook.playtest.series.bulk import Bulk, Told, seats_of
from rulebook.playtest.series.plan import Plan
from rulebook.playtest.series.record import CRASHED, PARTS, STOPPED, WAYS, Played, Seen
from rulebook.statistics.intervals import Interval, Sample
from rulebook.statistics.lifting import Edge, Had, Tried, Won, measure_edge
from rulebook.statistics.shares import between

_MOST_NAMED = 5

K = TypeVar("K")

Outcome = tuple[tuple[int, ...], tuple[int, ...], tuple[int, ...], tuple[int, ...]]
"""In which order the seats were first asked, who won, the teams, and the payoffs, where the game has them."""


@define
class Tally:
    """Counts. `seats` are what each seat won in all; where deals are played more than once, `deals`, for each
    deal, what each bot (by its place in the plan) and then what each seat won on it, and how many games of it count.
    What is *judged* is what a seat gets: its payoff, where the game has one, or else its share of the win.
    """

    plan: Plan
    games: int = 0
    """The games that count."""
    endings: Counter[str] = field(factory=Counter)
    seats: list[float] = field(init=False)
    outcomes: Counter[Outcome] = field(factory=Counter)
    deals: dict[int, list[float]] = field(factory=dict)
    deals_paid: dict[int, list[float]] = field(factory=dict)
    """The same as `deals`, with payoffs, where the game has them."""
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
    """By the name of a measure of the rulebook: the number of answers, their sum, the least, the most."""
    longest: list[tuple[int, int]] = field(factory=list)
    """The length and the negated number of the longest games, so that of equal ones the first comes first."""
    stopped: list[int] = field(factory=list)
    crashed: dict[str, Played] = field(factory=dict)
    """The first game that shows each mistake."""

    # ── of watched games ──

    watched: int = 0
    changes: Counter[int] = field(factory=Counter)
    stages: dict[str, Counter[int]] = field(factory=dict)
    """By the name of a stage, how often it began in a game."""
    offered: int = 0
    asked: int = 0
    led: list[list[float]] = field(factory=lambda: [[0, 0.0] for _ in PARTS])
    """After each part of the decisions in how many games one was ahead of all, and how many of these it won; then the
    same of who was last at half time."""
    trailed: list[float] = field(factory=lambda: [0, 0.0])
    roles: dict[tuple[str, str], dict[int, Had]] = field(factory=lambda: defaultdict(dict))
    """By the slot and what lay in it at the start, and by how far the bots had moved on: the games in which seats had
    it."""
    held: Counter[str] = field(factory=Counter)
    there: set[str] = field(factory=set)
    """The cards that left the box in some game."""
    drawn: Counter[str] = field(factory=Counter)
    played: Counter[str] = field(factory=Counter)
    won: dict[int, Won] = field(factory=dict)
    """By how far the bots had moved on: what the seats got in watched games."""
    had: dict[str, dict[tuple[str, int], Had]] = field(factory=lambda: {way: {} for way in WAYS})
    """By the way in which seats had it, by card, and by how far the bots had moved on: the games in which they did."""
    ends: dict[tuple[str, str], list[float]] = field(factory=lambda: defaultdict(lambda: [0, 0.0]))
    """By the slot and what lay in it when the game was over: seats that had it, and what they won."""
    answers: dict[str, list[int]] = field(factory=dict)
    """The answers of cards about their holders, added up, as in `Seen`."""
    judged: dict[tuple[str, int], list[float]] = field(factory=lambda: defaultdict(lambda: [0, 0.0]))
    """By the name of a question and its answer, as `Seen.true_of` has it: how many seats, and what they won."""
    choices: dict[str, list[int]] = field(factory=lambda: defaultdict(lambda: [0, 0]))
    """By the key of an option: how often it was offered, and chosen."""
    squares_of_choices: dict[str, list[int]] = field(factory=lambda: defaultdict(lambda: [0, 0, 0]))
    """By the key of an option: over games, sums of offered times offered, offered times chosen, chosen times chosen."""
    tried: dict[str, Tried] = field(factory=dict)
    """By the key of an option, what came of it where players at random chose it."""

    def __attrs_post_init__(self) -> None:
        players = self.plan.players
        self.seats, self.decisions = [0.0] * players, [0] * players
        self.scores = [Counter() for _ in range(players)]

    @property
    def is_paid(self) -> bool:
        """True if payoffs are judged."""
        return self.plan.is_paid

    @classmethod
    def of(cls, plan: Plan, told: Iterable[Told]) -> Tally:
        tally = cls(plan)
        for game in told:
            if isinstance(game, Bulk):
                tally.add_bulk(game)
            else:
                tally.add(game)
        return tally

    def add_bulk(self, games: Bulk) -> None:
        """Many games more, each by its columns."""
        endings = games.endings()
        self.endings.update(endings)
        stopped = (games.first + at for at, ending in enumerate(endings) if ending == STOPPED)
        self.stopped += islice(stopped, _MOST_NAMED - len(self.stopped))
        self.games += len(games)
        for seat in range(self.plan.players):
            # One after the other, so that thirds add up as they do one by one.
            self.seats[seat] = reduce(add, games.shares(seat), self.seats[seat])
            self.decisions[seat] += sum(games.decisions(seat))
            self.scores[seat].update(games.scores(seat))
        columns = (games.column(ORDER), games.column(WINNERS), games.column(TEAMS), games.payoffs(self.is_paid))
        for (order, mask, packed, payoffs), times in Counter(zip(*columns, strict=True)).items():
            teams = unpack_teams(packed, self.plan.players)
            self.outcomes[unpack_order(order), seats_of(mask), teams, payoffs] += times
        self.shared += games.shared()
        self.lengths.update(games.lengths)
        self.turns.update(games.column(TURNS))
        self.margins.update(games.margins)
        for game in games if self.plan.rotations > 1 else ():
            self._on_deal(game, game.shares)
        if games:
            longest = max(games.lengths)
            self._is_long(longest, games.first + games.lengths.index(longest))

    def add(self, game: Played) -> None:
        """One more game."""
        self.endings[game.ending] += 1
        if game.ending == CRASHED:
            self.crashed.setdefault(game.fault, game)
            return
        if game.ending == STOPPED and len(self.stopped) < _MOST_NAMED:
            self.stopped.append(game.number)
        plan = self.plan
        self.games += 1
        shares = game.shares
        for seat, share in enumerate(shares):
            self.seats[seat] += share
        self.outcomes[game.order, game.winners, game.teams, game.scores if self.is_paid else ()] += 1
        if plan.rotations > 1:
            self._on_deal(game, shares)
        self.shared += game.winning > 1
        self.lengths[game.length] += 1
        self.turns[game.turns] += 1
        for seat, (decided, score) in enumerate(zip(game.decisions, game.scores, strict=True)):
            self.decisions[seat] += decided
            self.scores[seat][score] += 1
        self.margins[find_margin(game.scores, game.teams)] += 1
        for name, values in game.measures.items():
            for value in values:
                if value is not None:
                    measured = self.measures.setdefault(name, [0, 0.0, value, value])
                    count, total, least, most = measured
                    measured[:] = count + 1, total + value, min(least, value), max(most, value)
        self._is_long(game.length, game.number)
        if game.seen is not None:
            self._watched(game, game.seen)

    def _on_deal(self, played: Played, shares: Sequence[float]) -> None:
        plan, deal = self.plan, self.plan.deal(played.number)
        won = self.deals.setdefault(deal, [0.0] * (2 * plan.players + 1))
        won[-1] += 1
        self.squares[deal] = self.squares.get(deal, 0.0) + sum(share * share for share in shares)
        for seat in played.winners:
            won[plan.bot_at(played.number, seat)] += shares[seat]
            won[plan.players + seat] += shares[seat]
        if self.is_paid:
            payoffs = self.deals_paid.setdefault(deal, [0.0] * (2 * plan.players))
            for seat, payoff in enumerate(played.scores):
                payoffs[plan.bot_at(played.number, seat)] += payoff
                payoffs[plan.players + seat] += payoff

    def list_gains(self, winners: Sequence[int], teams: Sequence[int], payoffs: Sequence[float]) -> Sequence[float]:
        """List what each seat got in a game, as it is judged."""
        return payoffs if self.is_paid else find_shares(winners, teams)

    def deviate_share(self, key: str) -> float:
        """Return the standard deviation of how often an option is chosen where it is offered: a ratio over games."""
        (offered, chosen), (squared, both, squared_chosen) = self.choices[key], self.squares_of_choices[key]
        share = chosen / offered
        return sqrt(max(0.0, squared_chosen - 2 * share * both + share * share * squared)) / offered

    def _is_long(self, length: int, number: int) -> None:
        self.longest = sorted([*self.longest, (length, -number)], reverse=True)[:1]

    def _watched(self, played: Played, seen: Seen) -> None:
        plan, shares = self.plan, played.shares
        self.watched += 1
        self.changes[seen.changes] += 1
        for name, times in seen.stages.items():
            self.stages.setdefault(name, Counter())[times] += 1
        self.offered += seen.offered
        self.asked += played.length
        for led, ahead in zip(self.led, seen.ahead, strict=True):
            if ahead and count_teams(ahead, played.teams) == 1:
                led[0] += 1
                led[1] += shares[ahead[0]]
        if seen.behind:
            self.trailed[0] += 1
            self.trailed[1] += sum(shares[seat] for seat in seen.behind) / len(seen.behind)
        for seat, roles in enumerate(seen.ends):
            for role in roles.items():
                counted = self.ends[role]
                counted[0] += 1
                counted[1] += shares[seat]
        got, turned = self.list_gains(played.winners, played.teams, played.scores), plan.turned(played.number)
        if turned not in self.won:
            self.won[turned] = Won(plan.players)
        self.won[turned].add(got)
        began: dict[tuple[str, str], list[int]] = {}
        for seat, roles in enumerate(seen.roles):
            for role in roles.items():
                began.setdefault(role, []).append(seat)
        for role, seats in began.items():
            self._add_holders(self.roles[role], turned, seats, got)
        self.there.update(seen.cards)
        for card, counts in seen.cards.items():
            self.drawn[card] += sum(counts[0::3])
            self.played[card] += sum(counts[1::3])
            self.held[card] += sum(counts[2::3])
        for card in sorted({*seen.cards, *(card for ids in seen.dealt for card in ids)}):
            for way, had in self.had.items():
                if seats := seen.seats_having(way, card):
                    self._add_holders(had, (card, turned), seats, got)
        for question, answered in seen.answers.items():
            known = self.answers.setdefault(question, [0] * len(answered))
            known[:] = map(sum, zip(known, answered, strict=True))
        for question, of_seats in seen.true_of.items():
            for seat, answer in enumerate(of_seats):
                counted = self.judged[question, answer]
                counted[0] += 1
                counted[1] += shares[seat]
        for key, (offered, chosen) in seen.options.items():
            counted_option = self.choices[key]
            counted_option[0] += offered
            counted_option[1] += chosen
            squares = offered * offered, offered * chosen, chosen * chosen
            self.squares_of_choices[key][:] = map(add, self.squares_of_choices[key], squares)
        # Whatever else is subtracted for all seats alike does nothing on average, and less chance is left.
        usual = sum(got) / plan.players if self.is_paid else 1 / plan.players
        at_random = [bot == "random" for bot in plan.seated(played.number)]
        for key, numbers in seen.beyond.items() if any(at_random) else ():
            if any(numbers):
                pairs = zip(numbers[::2], numbers[1::2], got, at_random, strict=True)
                beyond = [(more / 1e6, spread / 1e6, won - usual) for more, spread, won, drawn in pairs if drawn]
                if key not in self.tried:
                    self.tried[key] = Tried(most=inf if self.is_paid else 1.0)
                self.tried[key].add(beyond)

    def _add_holders(self, groups: dict[K, Had], key: K, seats: Sequence[int], got: Sequence[float]) -> None:
        """Add to one of the groups a game in which these seats had a thing, and what each seat got."""
        if key not in groups:
            groups[key] = Had(self.plan.players)
        groups[key].add(seats, got)

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
        yield from (("crashed", game.number) for game in self.crashed.values())
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

    def sample_seats(self) -> list[tuple[Sample, Sample]]:
        """Sample for each seat the part of the games it won, and how much more it got than the mean of all; of deals
        that are played more than once, each deal is one observation."""
        plan, rotations, first = self.plan, self.plan.rotations, self.first_seats
        players, samples = plan.players, list[tuple[Sample, Sample]]()
        most = 1 - 1 / players
        least = -1 / players if plan.rulebook.result.team is None else -most
        bounds = (-inf, inf) if self.is_paid else (least, most)
        if rotations > 1:
            columns = self.deal_shares()[1]
            judged = self.deal_payoffs()[1] if self.is_paid else columns
            means = [sum(deal[seat] for seat in first) / len(first) for deal in zip(*judged, strict=True)]
            for column, own in zip(columns, judged, strict=True):
                above = (gained - mean for gained, mean in zip(own, means, strict=True))
                samples.append((Sample(0.0, 1.0).add_all(column), Sample(*bounds).add_all(above)))
            return samples
        samples = [(Sample(0.0, 1.0), Sample(*bounds)) for _ in range(players)]
        for (_, winners, teams, payoffs), times in sorted(self.outcomes.items()):
            got, shares = self.list_gains(winners, teams, payoffs), find_shares(winners, teams)
            mean = sum(got[seat] for seat in first) / len(first)
            for seat, (share, more) in enumerate(samples):
                share.add(shares[seat], times)
                more.add(got[seat] - mean, times)
        return samples

    def sample_means(self) -> Sample:
        """Sample what a seat got on average, by game or by deal: always the same where one of them wins each game, and
        not where they win together, or nobody may.
        """
        plan, first = self.plan, self.first_seats
        if plan.rotations > 1:
            columns = (self.deal_payoffs() if self.is_paid else self.deal_shares())[1]
            deals = zip(*columns, strict=True)
            return Sample().add_all(sum(deal[seat] for seat in first) / len(first) for deal in deals)
        sample = Sample()
        for (_, winners, teams, payoffs), times in sorted(self.outcomes.items()):
            got = self.list_gains(winners, teams, payoffs)
            sample.add(sum(got[seat] for seat in first) / len(first), times)
        return sample

    def measure_orders(self) -> list[Edge | None]:
        """Measure what those got more who were asked first, and who sit one, two and more seats from them, than others
        did in the same seat. None where it was always the same seat. Who is asked second may be so for what the first
        one did; who sits where is not. It goes to the left, or to the right where all games do. Of two, what one gains
        the other loses.
        """
        players = self.plan.players
        won, had = Won(players), [Had(players) for _ in range(players if players > 2 else 1)]
        pairs = {pair for order, *_ in self.outcomes for pair in pairwise(order)}
        step = -1 if pairs and all((before - after) % players == 1 for before, after in pairs) else 1
        for (order, winners, teams, payoffs), times in sorted(self.outcomes.items()):
            got = self.list_gains(winners, teams, payoffs)
            won.add(got, times)
            for place, having in enumerate(had if order else ()):
                having.add([(order[0] + step * place) % players], got, times)
        return [measure_edge([(won, having)], self.plan.rotations, are_shares=not self.is_paid) for having in had]

    @property
    def teams(self) -> Sequence[int]:
        """The team of each seat, if they are the same in every game; else each seat is judged by itself, and where each
        has a payoff of its own."""
        met = {teams for _, _, teams, _ in self.outcomes}
        return met.pop() if len(met) == 1 and not self.is_paid else range(self.plan.players)

    @property
    def first_seats(self) -> list[int]:
        """The first seat of each team."""
        return sorted(set(self.teams))

    @property
    def even(self) -> float:
        """The part of a win that each would have if all had the same: with teams, what they got on average."""
        if self.plan.rulebook.result.team is None or not self.games:
            return 1 / self.plan.players
        return sum(self.seats) / self.games / self.plan.players

    @property
    def nobody(self) -> int:
        """The number of games that nobody won."""
        return sum(times for (_, winners, *_), times in self.outcomes.items() if not winners)

    @property
    def at_stake(self) -> float:
        """The difference between the best and the worst gain, on average; 1 where a win is shared."""
        if not self.is_paid or not self.games:
            return 1.0
        return (
            sum(times * (max(payoffs) - min(payoffs)) for (*_, payoffs), times in self.outcomes.items()) / self.games
        )

    def deal_payoffs(self) -> tuple[list[list[float]], list[list[float]]]:
        """Return the same as `deal_shares`, of payoffs."""
        players, rotations = self.plan.players, self.plan.rotations
        whole = [self.deals_paid[deal] for deal, won in sorted(self.deals.items()) if won[-1] == rotations]
        columns = [[payoffs[column] / rotations for payoffs in whole] for column in range(2 * players)]
        return columns[:players], columns[players:]

    def deal_shares(self) -> tuple[list[list[float]], list[list[float]]]:
        """For each bot of the plan, and for each seat, what part of its games it won on each deal of which all games
        count.
        """
        players, rotations = self.plan.players, self.plan.rotations
        whole = [won for _, won in sorted(self.deals.items()) if won[-1] == rotations]
        columns = [[won[column] / rotations for won in whole] for column in range(2 * players)]
        return columns[:players], columns[players:]
