"""The worth of an option: who is free to choose it against who never does, or always does, on the same deals.

In: a plan, a tally of its games, options. Out: rows of plain values, with intervals by deal and a mark, one family of
lines with its part of the error of a page. Never: calls what goes with winning a cause; each difference is between two
games that are the same up to where the option was chosen, or not.

In each game one seat after the other is restricted, all others are free. Deals in which nothing differs count as 0.

That something is always best where it is offered, or never worth choosing, is asked only of what stands out, as a
second question about the same thing with the same error: another answer is given in one decision alone, and compared
with what came instead, sort by sort. All must be worse, or there must be a better one wherever it is offered. And since
what is worth nothing now and then may be a plan, who always chooses it must get more, or less.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping, Sequence
from itertools import combinations
from math import inf
from shlex import quote
from statistics import fmean

from attrs import define, evolve, field

from rulebook.classes import frozen
from rulebook.interpreter.program import Program
from rulebook.playtest.options import NoSuchOption, Option, find_option, list_options
from rulebook.playtest.pieces import cut
from rulebook.playtest.series.about import Restricted
from rulebook.playtest.series.branching import ALWAYS, NEVER, ONCE, Asked, Branch, branch
from rulebook.playtest.series.naming import grouped, option_name
from rulebook.playtest.series.plan import Plan
from rulebook.playtest.series.tally import Tally
from rulebook.playtest.series.verdicts import FAMILIES, WORTH, decides, find_fair_share, find_grey
from rulebook.playtest.sharing import in_order
from rulebook.statistics.intervals import Interval, Sample, Z, find_reach
from rulebook.statistics.verdicts import ERROR, FACT, LOOK, Judged, Line, judge_lines

__all__ = ["Instead", "Pair", "Replayed", "Wish", "Worth", "measure_pairs", "measure_worth"]

PIECE = 25
_PRETENDED = 2
_MOST_FLAGGED = 3
_FEW = 20
"""In how many deals a thing must have come instead of another before anything is said of the two."""
_WAYS = {NEVER: "never", ALWAYS: "always"}


@frozen
class Instead:
    """The answer that came instead of an option, and the gain of the option over it, with both intervals."""

    about: str
    name: str
    deals: int
    value: float
    low: float
    high: float
    sure_low: float
    sure_high: float


@frozen
class Replayed:
    """A deal on which the option made a difference, and how to see it with and without."""

    seed: int
    seat: int
    replay: str
    replay_free: str


@frozen
class Worth:
    """The worth of an option: the gain of a seat that is free to choose it, with both intervals and a verdict.

    `free` is what they get, and `restricted` what those get who never choose it, or always do.
    """

    about: str
    name: str
    way: str
    level: str
    deals: int
    offered_deals: int
    offered: int
    chosen: int
    value: float
    low: float
    high: float
    sure_low: float
    sure_high: float
    grey: float
    mark: str
    seen: float
    more: int
    beyond: float
    free: float
    restricted: float
    choice: str
    instead: Sequence[Instead]
    command: str
    shown: Replayed | None = None


@frozen
class Pair:
    """Two options, together and apart: the gain, over who may choose neither, of who may choose the first alone, the
    second alone, and both; and how much more the last is than the other two, with both intervals and a verdict.
    """

    first: str
    second: str
    names: tuple[str, str]
    level: str
    deals: int
    offered_deals: int
    """Deals in which both were offered."""
    first_alone: float
    second_alone: float
    together: float
    value: float
    low: float
    high: float
    sure_low: float
    sure_high: float
    grey: float
    mark: str
    seen: float
    more: int
    beyond: float
    command: str


@define
class Wish:
    """A wish for worths: of each option, or of those that people call by these words, never or always chosen; and for
    what two of them are worth together, which stand with a comma between them."""

    each: bool = False
    never: tuple[str, ...] = ()
    always: tuple[str, ...] = ()
    pairs: tuple[str, ...] = ()

    @property
    def is_there(self) -> bool:
        """True if anything is."""
        return bool(self.each or self.never or self.always or self.pairs)

    @property
    def parts(self) -> int:
        """Count what shares the error: single options, and pairs."""
        return bool(self.each or self.never or self.always) + bool(self.pairs)

    def find(self, program: Program) -> list[tuple[int, tuple[Option, ...]]]:
        """Find the options, and in which way they are restricted; what may have keys in common is apart.

        Raises NoSuchOption.
        """
        wishes = [(NEVER, (find_option(program, word),)) for word in self.never]
        wishes += [(ALWAYS, (find_option(program, word),)) for word in self.always]
        return wishes + ([(NEVER, tuple(list_options(program).values()))] if self.each else [])

    def find_pairs(self, program: Program) -> list[tuple[Option, Option]]:
        """Find the two options of each pair. Raises NoSuchOption."""
        found = []
        for words in self.pairs:
            parts = [part.strip() for part in words.split(",")]
            if len(parts) != 2:
                raise NoSuchOption(f"A pair is two things with a comma between them, and `{words}` is not.")
            first, second = (find_option(program, part) for part in parts)
            if {*first.keys} & {*second.keys}:
                raise NoSuchOption(f"`{words}` is the same thing twice. Name two.")
            found.append((first, second))
        return found


@define
class Paired(Sample):
    """Differences between games on the same deals, of which many, or all, may be nothing: that none was seen shows not
    that there is none. So two more are added to what was seen of how they vary, in which one seat gets or loses all.
    """

    farthest: float = inf
    pretended: float = 0.0

    @property
    def variance(self) -> float:
        seen = self.squares / self.count - self.value**2 if self.count else 0.0
        return max(0.0, seen) + (_PRETENDED * self.pretended**2 / self.count if self.count else 0.0)

    def interval(self, z: float = Z) -> Interval:
        """Return the interval of the mean, never beyond what is possible."""
        interval = Sample.interval(self, z)
        return Interval(interval.value, max(-self.farthest, interval.low), min(self.farthest, interval.high))


@define
class _Counted:
    """The counts of one option: the gain of free seats by deal (or, for `always`, of restricted ones)."""

    option: Option
    way: int
    offered: int = 0
    chosen: int = 0
    deals: set[int] = field(factory=set)
    """The deals in which it was offered."""
    more: dict[int, float] = field(factory=dict)
    has_others: bool = False
    """True if something else was ever chosen instead."""
    first: dict[bool, Branch] = field(factory=dict)
    """The first game in which a seat got more, and less, than who is free."""

    def note_branch(self, branched: Branch, deal: int) -> None:
        """Count one more game."""
        self.more[deal] = self.more.get(deal, 0.0) + branched.more
        self.has_others |= branched.other != branched.option
        if branched.more:
            self.first.setdefault(branched.more > 0, branched)

    def sample(self, tally: Tally, deals: int) -> Paired:
        """Return the paired sample of gains per seat, one observation a deal."""
        plan, sign = tally.plan, 1 if self.way == ALWAYS else -1
        seats = plan.players * plan.rotations
        sample = Paired(farthest=inf if plan.is_paid else 1.0, pretended=tally.at_stake / seats)
        for more in self.more.values():
            sample.add(sign * more / seats)
        sample.add(0.0, deals - len(self.more))
        return sample


Progress = Callable[[int, int], None]


def measure_worth(
    tally: Tally,
    program: Program,
    games: int,
    wish: Wish,
    jobs: int = 1,
    on_progress: Progress | None = None,
) -> list[Worth]:
    """Measure what options are worth, in the first `games` of a plan; raises NoSuchOption, BranchFailed, Killed."""
    plan, wishes = tally.plan, wish.find(program)
    if not decides(plan.rulebook):
        return []
    deals, grey, counted = games // plan.rotations, find_grey(tally), list[_Counted]()
    for way, options in ((way, options) for way, options in wishes if options):
        counted += _count(Asked(plan, options, (way,) * len(options)), games, jobs, on_progress)
    # Nobody can miss what nobody chooses.
    counted = [row for row in counted if row.more]
    lines = [Line(Restricted(_WAYS[row.way], row.option.about), row.sample(tally, deals), grey) for row in counted]
    judged = judge_lines({family: lines if family == WORTH else () for family in FAMILIES}, wish.parts)
    rows = [_row(row, line, tally, games) for row, line in zip(counted, judged, strict=True)]
    far = find_reach(ERROR / len(FAMILIES) / max(1, len(lines)))
    for options in (options for way, options in wishes if way == NEVER):
        about = {option.about: option for option in options}
        striking = [at for at, row in enumerate(rows) if row.way == "never" and row.mark == LOOK and row.about in about]
        options_asked = [about[rows[at].about] for at in striking]
        choices = _compare_choices(plan, program, options_asked, games, jobs, far, on_progress)
        for at, (choice, instead) in zip(striking, choices, strict=True):
            rows[at] = evolve(rows[at], choice=choice, instead=instead)
        # What is best of all may be a plan: to do it always.
        strongest = sorted((at for at in striking if rows[at].value > 0), key=lambda at: -rows[at].beyond)
        settled = [at for at in striking if rows[at].choice or at in strongest[:_MOST_FLAGGED]]
        plans = [about[rows[at].about] for at in settled]
        for at, always in zip(settled, _measure_plans(tally, plans, games, jobs, on_progress), strict=True):
            is_best = rows[at].choice == "always"
            agrees = always.sure_low > 0 if is_best else always.sure_high < 0
            if not agrees or (rows[at].value > 0) != is_best:
                rows[at] = evolve(rows[at], choice="")
            if always.mark == LOOK and (always.value > 0 or rows[at].value > 0):
                rows.append(always)
    return sorted(rows, key=lambda row: -row.value)


def measure_pairs(
    tally: Tally,
    program: Program,
    games: int,
    pairs: Sequence[tuple[Option, Option]],
    jobs: int = 1,
    on_progress: Progress | None = None,
    parts: int = 1,
) -> list[Pair]:
    """Measure what pairs of options are worth together, and apart, on the same deals. They are one family of lines,
    which may share the error of that with others: so many `parts`. Raises BranchFailed, Killed."""
    plan, grey, rows = tally.plan, find_grey(tally), list[tuple[list[_Counted], Paired]]()
    if not decides(plan.rulebook):
        return []
    deals, seats = games // plan.rotations, plan.players * plan.rotations
    for first, second in pairs:
        both = Option(f"{first.about}+{second.about}", "", (*first.keys, *second.keys), f"{first.word},{second.word}")
        counted = _count(Asked(plan, (first, second), (NEVER, NEVER)), games, jobs, on_progress)
        counted += _count(Asked(plan, (both,), (NEVER,)), games, jobs, on_progress)
        sample = Paired(farthest=inf if plan.is_paid else 2.0, pretended=2 * tally.at_stake / seats)
        alone, other, together = (row.more for row in counted)
        differing = {*alone, *other, *together}
        for deal in differing:
            # Both, less what each adds where there is no other: all are counted from who is free.
            sample.add((together.get(deal, 0.0) - alone.get(deal, 0.0) - other.get(deal, 0.0)) / seats)
        sample.add(0.0, deals - len(differing))
        rows.append((counted, sample))
    lines = [Line(Restricted("pair", counted[2].option.about), sample, grey) for counted, sample in rows]
    judged = judge_lines({family: lines if family == WORTH else () for family in FAMILIES}, parts)
    return [_pair_row(counted, line, tally, games) for (counted, _), line in zip(rows, judged, strict=True)]


def _pair_row(counted: Sequence[_Counted], judged: Judged, tally: Tally, games: int) -> Pair:
    plan, (first, second, both) = tally.plan, counted
    deals = games // plan.rotations
    without_first, without_second, without_both = (row.sample(tally, deals).value for row in counted)
    # Where nothing else can be chosen, who shall choose neither chooses one of the two.
    is_all = bool(both.more) and not both.has_others
    return Pair(
        first=first.option.about,
        second=second.option.about,
        names=(first.option.name, second.option.name),
        level=" and ".join(dict.fromkeys(plan.bots)),
        deals=deals,
        offered_deals=len(first.deals & second.deals),
        first_alone=without_both - without_second,
        second_alone=without_both - without_first,
        together=without_both,
        value=judged.value,
        low=judged.unadjusted.low,
        high=judged.unadjusted.high,
        sure_low=judged.adjusted.low,
        sure_high=judged.adjusted.high,
        grey=judged.line.grey,
        mark=FACT if is_all else judged.mark,
        seen=judged.detectable,
        more=judged.more * plan.rotations,
        beyond=judged.beyond / tally.at_stake,
        command=plan.command(f"--games {games}", f"--pair {quote(both.option.word)}"),
    )


def find_flagged(rows: Sequence[Worth], program: Program) -> list[tuple[Option, Option]]:
    """Find the pairs among options of which it is shown that they matter: those of the three that matter most."""
    shown = sorted((row for row in rows if row.mark == LOOK and row.way == "never"), key=lambda row: -row.beyond)
    known = list_options(program)
    options = [known[row.about] for row in shown if row.about in known][:_MOST_FLAGGED]
    return [*combinations(options, 2)]


def _measure_plans(
    tally: Tally, options: Sequence[Option], games: int, jobs: int, on_progress: Progress | None
) -> list[Worth]:
    """Measure what who always chooses an option gets more than who is free."""
    if not options:
        return []
    counted = _count(Asked(tally.plan, tuple(options), (ALWAYS,) * len(options)), games, jobs, on_progress)
    deals, grey = games // tally.plan.rotations, find_grey(tally)
    lines = [Line(Restricted(_WAYS[ALWAYS], row.option.about), row.sample(tally, deals), grey) for row in counted]
    judged = judge_lines({family: lines if family == WORTH else () for family in FAMILIES})
    return [_row(row, line, tally, games) for row, line in zip(counted, judged, strict=True)]


def _count(asked: Asked, games: int, jobs: int, on_progress: Progress | None) -> list[_Counted]:
    plan, count = asked.plan, len(asked.options)
    counted = [_Counted(option, way) for option, way in zip(asked.options, asked.ways, strict=True)]
    for piece in in_order(branch, asked, cut(range(games), PIECE), jobs):
        for at in range(0, len(piece.noted), 2 * count):
            number = piece.first + at // (2 * count)
            for row, offered, chosen in zip(
                counted, piece.noted[at : at + 2 * count : 2], piece.noted[at + 1 : at + 2 * count : 2], strict=True
            ):
                if offered:
                    row.offered += offered
                    row.chosen += chosen
                    row.deals.add(plan.deal(number))
        for branched in piece.branches:
            counted[branched.option].note_branch(branched, plan.deal(branched.game))
        if on_progress is not None:
            on_progress(min(games, piece.first + PIECE), games)
    return counted


def _row(counted: _Counted, judged: Judged, tally: Tally, games: int) -> Worth:
    plan, alone, adjusted, value = tally.plan, judged.unadjusted, judged.adjusted, judged.value
    way, fair = _WAYS[counted.way], find_fair_share(tally)
    example, shown = counted.first.get((value > 0) == (counted.way == ALWAYS)), None
    if example is not None:
        replay = plan.replay_otherwise(example.game, example.seat, way, counted.option.word)
        shown = Replayed(plan.seed_of(example.game), example.seat + 1, replay, plan.replay(example.game))
    return Worth(
        about=counted.option.about,
        name=counted.option.name,
        way=way,
        level=" and ".join(dict.fromkeys(plan.bots)),
        deals=games // plan.rotations,
        offered_deals=len(counted.deals),
        offered=counted.offered,
        chosen=counted.chosen,
        value=value,
        low=alone.low,
        high=alone.high,
        sure_low=adjusted.low,
        sure_high=adjusted.high,
        grey=judged.line.grey,
        mark=judged.mark,
        seen=judged.detectable,
        more=judged.more * plan.rotations,
        beyond=judged.beyond / tally.at_stake,
        free=fair,
        restricted=fair + (value if counted.way == ALWAYS else -value),
        choice="",
        instead=[],
        command=plan.command(f"--games {games}", f"--{way} {quote(counted.option.word)}"),
        shown=shown,
    )


# ── always best, never worth choosing ────────────────────────────────────────────────────────────────────────────────

_Groups = dict[tuple[Hashable, str], dict[int, list[float]]]
"""By where something was asked and what came instead, by deal, what the seat got more with the option."""
Compared = tuple[str, list[Instead]]
"""`always` or `never` best, or neither; and what the option was compared with."""


def _compare_choices(
    plan: Plan,
    program: Program,
    options: Sequence[Option],
    games: int,
    jobs: int,
    far: float,
    on_progress: Progress | None,
) -> list[Compared]:
    """Compare options with what came instead in one decision."""
    if not options:
        return []
    keys = {key for option in options for key in option.keys}
    others = [option for key, option in list_options(program).items() if key not in keys]
    ways = (ONCE,) * len(options) + (0,) * len(others)
    groups: list[_Groups] = [{} for _ in options]
    names = [grouped(program, option.about) for option in (*options, *others)]
    for piece in in_order(branch, Asked(plan, (*options, *others), ways), cut(range(games), PIECE), jobs):
        for branched in piece.branches:
            about = "" if branched.other < 0 else names[branched.other][0]
            by_deal = groups[branched.option].setdefault((branched.asked, about), {})
            by_deal.setdefault(plan.deal(branched.game), []).append(-branched.more)
        if on_progress is not None:
            on_progress(min(games, piece.first + PIECE), games)
    called = {about: name or option_name(program, about) for about, name in names}
    return [_compare(group, plan, far, called) for group in groups]


def _compare(groups: _Groups, plan: Plan, far: float, called: Mapping[str, str]) -> Compared:
    """Say whether an option is better, or worse, than whatever came instead."""
    bound = inf if plan.is_paid else 1.0
    samples, rest = list[tuple[Hashable, str, Sample]](), Sample(-bound, bound)
    for (where, about), by_deal in groups.items():
        few = len(by_deal) < _FEW
        sample = rest if few else Sample(-bound, bound)
        sample.add_all(fmean(more) for more in by_deal.values())
        if not few:
            samples.append((where, about, sample))
    if rest.count >= _FEW:
        samples.append(("", "", rest))
    sure = [(where, sample.interval(far)) for where, _, sample in samples]
    choice = ""
    if sure and all(interval.low > 0 for _, interval in sure):
        choice = "always"
    elif sure and all(interval.low <= 0 for _, interval in sure):
        worse = {where for where, interval in sure if interval.high < 0}
        choice = "never" if all(where in worse for where, _ in sure) else ""
    rows = [
        _say_instead(about, called.get(about, ""), sample, interval)
        for (_, about, sample), (_, interval) in zip(samples, sure, strict=True)
    ]
    return choice, sorted(rows, key=lambda row: -row.value)


def _say_instead(about: str, name: str, sample: Sample, sure: Interval) -> Instead:
    alone = sample.interval()
    return Instead(about, name, sample.count, sample.value, alone.low, alone.high, sure.low, sure.high)
