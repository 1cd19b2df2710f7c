"""Figures of the games of one setting, each with an interval of any width."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from itertools import combinations
from math import inf

from attrs import define, field

from rulebook.playtest.series.bulk import Bulk, Told
from rulebook.playtest.series.measured import asked_for, columns, find_mean, list_answers, list_columns
from rulebook.playtest.series.plan import Plan
from rulebook.playtest.tuning.aims import Aim
from rulebook.statistics.intervals import Interval, Sample, find_reach

_OTHER = ("seat_gap", "win_rate", "share")


def list_figures(plan: Plan) -> list[str]:
    """List the figures that an aim may name: what `--assert` has, and what part of the games somebody won, and what
    part of its games a card won for who had it."""
    own = [asked_for(measure.name) for measure in plan.rulebook.measures]
    return [*own, *columns(plan.players), *_OTHER]


@define
class Counted:
    """The sums of figures that aims ask for, over so many games."""

    players: int
    aims: Sequence[Aim]
    games: int = 0
    crashed: int = 0
    samples: dict[str, Sample] = field(factory=dict)
    pairs: dict[tuple[int, int], Sample] = field(factory=dict)
    """By pair of seats, the wins of one more than of the other."""

    def __attrs_post_init__(self) -> None:
        for aim in self.aims:
            self.samples[aim.key] = Sample(0.0, 1.0) if aim.is_share else Sample()
        self.pairs = {pair: Sample(-1.0, 1.0) for pair in combinations(range(self.players), 2)}

    def add_games(self, told: Iterable[Told]) -> None:
        for one in told:
            if isinstance(one, Bulk):
                self._add_many(one)
            elif one.counts:
                self.games += 1
                known = columns(self.players)
                for aim in self.aims:
                    sample = self.samples[aim.key]
                    if aim.name == "win_rate":
                        sample.add(float(one.winning > 0))
                    elif aim.card is not None:
                        assert one.seen is not None, "cards are counted in watched games only"
                        had = one.seen.seats_having("got", aim.card)
                        sample.add_all([sum(one.shares[seat] for seat in had) / len(had)] if had else [])
                    elif aim.name in known:
                        sample.add(known[aim.name](one))
                    elif aim.name != "seat_gap":
                        own = next(own for own in one.measures if asked_for(own) == aim.name)
                        sample.add_all(find_mean(list_answers(own, one)))
                self._add_shares(one.shares, 1)
            else:
                self.crashed += 1

    def join(self, more: Counted) -> None:
        """Add the games of another count of the same."""
        self.games, self.crashed = self.games + more.games, self.crashed + more.crashed
        pairs = [(sample, more.samples[key]) for key, sample in self.samples.items()]
        for sample, other in [*pairs, *((sample, more.pairs[pair]) for pair, sample in self.pairs.items())]:
            sample.count += other.count
            sample.total += other.total
            sample.squares += other.squares

    def _add_many(self, many: Bulk) -> None:
        self.games += len(many)
        found = list_columns(many)
        for aim in self.aims:
            if aim.name != "seat_gap":
                values = (won > 0 for won in many.winning()) if aim.name == "win_rate" else found[aim.name]
                for value, times in Counter(values).items():
                    self.samples[aim.key].add(float(value), times)
        for shares, times in Counter(shares for _, shares, _ in many.wins()).items():
            self._add_shares(shares, times)

    def _add_shares(self, shares: Sequence[float], times: int) -> None:
        for (one, other), sample in self.pairs.items():
            sample.add(shares[one] - shares[other], times)

    def find(self, aim: Aim, wrong: float) -> Interval:
        """The interval of a figure, which is wrong with this probability. The gap between seats is that of the two
        that are farthest apart, and the interval allows for all pairs."""
        if aim.name != "seat_gap":
            return self.samples[aim.key].interval(find_reach(wrong)) if self.games else Interval(0.0, -inf, inf)
        z = find_reach(wrong / max(1, len(self.pairs)))
        found = [sample.interval(z) for sample in self.pairs.values()] or [Interval(0.0, 0.0, 0.0)]
        low = max(max(one.low, -one.high, 0.0) for one in found)
        return Interval(max(abs(one.value) for one in found), low, max(max(one.high, -one.low) for one in found))
