"""The waist between numbers and words: what many games say, as frozen records.

In: nothing; `report`, `course`, `standing_out` and `comparing` make these records of counts. Out: everything that puts
a result into words or draws it reads only these, and `write_json` writes them as they are. Nothing is rounded. Names of
fields are the keys of `--json`, in this order; a field that is none is left out there, but where `NULL` says otherwise.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Generic, Literal, Protocol, TypeAlias, TypeVar

from attrs import field

from rulebook.classes import frozen
from rulebook.comparing.in_english import ChangedRule
from rulebook.playtest.series.about import About, Dull, Had, Option, Order, Role, Seat, Tie
from rulebook.playtest.series.binding import Binding, Habit
from rulebook.playtest.series.guessing import Guess
from rulebook.playtest.series.levels import BestResponse, Rung
from rulebook.playtest.series.mending import Mend
from rulebook.playtest.series.sample import Sampled
from rulebook.playtest.series.trials import Trial
from rulebook.playtest.series.worth import Pair, Worth
from rulebook.playtest.small_games.solution import Solution
from rulebook.statistics.intervals import Interval

__all__ = [
    "About",
    "BestResponse",
    "Binding",
    "Dull",
    "Guess",
    "Habit",
    "Had",
    "Mend",
    "Option",
    "Order",
    "Pair",
    "Role",
    "Rung",
    "Sampled",
    "Seat",
    "Tie",
    "Trial",
    "Worth",
]

Unit: TypeAlias = Literal["wins", "payoff"]
"""Either shares of wins, or points that are paid."""
Points: TypeAlias = Callable[[float], str]
"""Puts points of a game into words."""
R = TypeVar("R")
"""The outcome of one level of play: a report, or a comparison."""
E = TypeVar("E")
"""A line of that."""
NULL = {"null": True}
"""Marks a field that is written as null where there is nothing."""


class Effect(Protocol):
    """An estimate with the range that verdicts follow, its verdict, and the smallest effect of interest (`grey`)."""

    @property
    def value(self) -> float: ...
    @property
    def sure_low(self) -> float: ...
    @property
    def sure_high(self) -> float: ...
    @property
    def grey(self) -> float: ...
    @property
    def mark(self) -> str: ...
    @property
    def more(self) -> int: ...


class Row(Effect, Protocol):
    """The same, of something that has a name."""

    @property
    def about(self) -> About | str: ...
    @property
    def name(self) -> str: ...


@frozen
class Rate:
    """A share with its range."""

    share: float
    low: float
    high: float


@frozen
class Spread:
    """A distribution in four numbers."""

    min: float
    median: float
    mean: float
    max: float


# ── lines and findings ───────────────────────────────────────────────────────────────────────────────────────────────


@frozen
class Line:
    """A judged estimate of how far something is from its mark, with both intervals and its verdict.

    `low` and `high` hold the truth 95 times of 100 by themselves, `sure_low` and `sure_high` together with all others.
    """

    group: str
    about: About
    name: str
    games: int
    value: float
    low: float
    high: float
    sure_low: float
    sure_high: float
    grey: float
    """Smallest effect of interest."""
    mark: str
    seen: float
    """Minimum detectable effect, at a power of 90 %."""
    more: int
    """Games that would settle it, if it stays as it looks."""
    won: float | None = None
    won_low: float | None = None
    won_high: float | None = None
    """The adjusted interval of what was won: the average that it is compared with is an estimate, too."""
    fair: float | None = None

    @property
    def usual(self) -> float:
        """The mark that it is counted from: fair, what the same seats get on average, or nothing."""
        return self.fair or 0.0

    @property
    def counted(self) -> float:
        """The number that was counted: wins or payoffs where that is known, else the distance from the mark."""
        return self.value if self.won is None else self.won

    @property
    def counted_between(self) -> tuple[float, float]:
        """The numbers between which that lies, together with all others."""
        if self.won_low is None or self.won_high is None:
            return self.sure_low, self.sure_high
        return self.won_low, self.won_high


@frozen
class Finding:
    """Something that stands out: the question it answers, its weight beside others, and a sentence."""

    about: About
    name: str
    kind: str
    weight: float
    question: str
    says: str
    times: int | None = None
    """The number of times that a card came to players, or was asked."""
    command: str | None = None


@frozen
class SeatRow:
    """Wins and payoffs of a seat."""

    seat: int
    bot: str
    won: float
    share: float
    low: float
    high: float
    decisions: float
    gets: Interval | None
    mark: str


@frozen
class BotRow:
    """Wins and payoffs of a bot, wherever it sat."""

    bot: str
    seats: int
    share: float
    low: float
    high: float
    gets: Interval | None = None


@frozen
class Measured:
    """A number that the rulebook asks to be measured, over all games."""

    name: str
    answers: float
    mean: float
    min: float
    max: float


@frozen
class ToSee:
    """A game that somebody will want to look at, and why."""

    what: str
    number: int
    seed: int
    replay: str


# ── watched games ────────────────────────────────────────────────────────────────────────────────────────────────────


@frozen
class Standing:
    """The wins of who was ahead, or behind, when such a part of the decisions of a game was made."""

    part: float
    games: float
    share: float
    low: float
    high: float


@frozen
class RoleRow:
    """The wins of who had something in a slot or a memory."""

    slot: str
    id: str
    name: str
    seats: float
    share: float
    low: float
    high: float
    fair: float | None = None
    """The mean share of wins of the same seats."""


@frozen
class Condition:
    """A condition of a card, and how often it was met."""

    name: str
    met: int


@frozen
class CardAnswer:
    """The answers of a card about its holders at the end, and the wins of these; and the command that plays without the
    card."""

    id: str
    name: str
    question: str
    asked: int
    share: float
    low: float
    high: float
    conditions: Sequence[Condition]
    wins: Rate
    command: str = ""


@frozen
class Truth:
    """The wins of the seats of which a question that cards answer was true at the end, and of all others of which it
    was asked."""

    question: str
    seats: int
    wins: Rate
    others: int
    others_win: Rate


@frozen
class Card:
    """A card by what people call it."""

    id: str
    name: str


@frozen
class CardRow:
    """The use of a card: copies that players drew, played and held a game, and the lift in wins of who had it."""

    id: str
    name: str
    drawn: float
    played: float
    held: float
    lift: Rate | None = field(metadata=NULL)
    sure: bool
    lift_played: Rate | None = field(metadata=NULL)
    sure_played: bool


@frozen
class OptionRow:
    """The offers and choices of an option, with the standard deviation of its share."""

    option: str
    name: str
    offered: int
    chosen: int
    deviation: float


@frozen
class ChoiceRow:
    """The same of a group of options: cards of a kind, numbers, players."""

    option: str
    name: str
    offered: int
    chosen: int


@frozen
class StageRow:
    """The times that a stage began in a game."""

    name: str
    times: Spread


@frozen
class Details:
    """All that is counted in watched games."""

    games: int
    options_a_decision: float
    lead_changes: Spread
    ahead: Sequence[Standing]
    """The wins of who was ahead of all others, after each part of a game."""
    behind_at_half_time: Standing
    at_the_start: Sequence[RoleRow]
    at_the_end: Sequence[RoleRow]
    answers: Sequence[CardAnswer]
    truths: Sequence[Truth]
    suspects: Sequence[Finding]
    cards: Sequence[CardRow]
    in_the_box: Sequence[str]
    """The names of cards of which none left the box in any game."""
    never_seen: Sequence[Card]
    never_played: Sequence[Card]
    options: Sequence[OptionRow]
    choices: Sequence[ChoiceRow]
    stages: Sequence[StageRow]
    sample: Sampled | None = field(metadata=NULL)


# ── the course of games ──────────────────────────────────────────────────────────────────────────────────────────────


@frozen
class Point:
    """The chances of all seats at a moment of a game, and the stage it is in."""

    at: int
    chances: Sequence[float]
    stage: str


@frozen
class Step:
    """A decision that changed a chance, after so many answers, with its number from 1, told."""

    at: int
    decision: int
    seat: int
    step: float
    decides: int
    text: str


@frozen
class Shown:
    """A game near the middle of all, told by its turning points."""

    number: int
    seed: int
    decisions: int
    why: str
    winner: Sequence[int]
    leaders: Sequence[int]
    points: Sequence[Point]
    told: Sequence[Step]
    watch: str
    replay: str


@frozen
class Course:
    """The course of games: the part at which they are decided, and measures of how open they are till then."""

    games: int
    playouts: int
    moments: int
    completion: float
    won_alone: int
    when: Sequence[float]
    never: Rate
    before_half: Rate
    in_last_tenth: Rate
    drama: Interval
    lead_changes: Interval
    uncertainty: Interval
    killer_move: Interval
    comebacks: float
    came_back: Rate
    crowned: Rate | None = None
    shown: Shown | None = None


@frozen
class Decision:
    """The stakes of the decisions of a kind: shares of those that are forced, indifferent, of weight for others
    only, interesting, decisive.

    The first of a report is that of all decisions, and says how they were looked at.
    """

    name: str
    decisions: int
    a_game: float
    forced: float
    indifferent: float
    for_others: float
    interesting: float
    decisive: float
    low: float
    high: float
    size: float
    seen: float
    unasked: float | None = None
    total: bool | None = None
    games: int | None = None
    tries: int | None = None
    answers: int | None = None

    @property
    def dull(self) -> float:
        """The share of decisions that make no difference that could be seen."""
        return self.forced + self.indifferent

    @property
    def matters(self) -> float:
        """The share of decisions whose answers differ."""
        return self.interesting + self.decisive


# ── a report ─────────────────────────────────────────────────────────────────────────────────────────────────────────


@frozen
class LengthRow:
    """The median length of games at a level of play, and between which lengths nine of ten lie."""

    value: float
    low: float
    high: float
    mark: str


@frozen(kw_only=True)
class Merged(Generic[E]):
    """A line at all levels of play: how it goes with skill, and a sentence, if it is worth one."""

    question: str
    about: About | str
    name: str
    group: str | None = None
    is_rate: bool | None = None
    mark: str
    way: str
    decided_by: str | None
    """The level that decides; of lengths none does."""
    says: str
    weight: float | None = None
    levels: Mapping[str, E]

    @property
    def decisive(self) -> E:
        """The line of the level that decides."""
        return self.levels[self.decided_by or ""]


@frozen
class Level(Generic[R]):
    """A level of play: so many games, or deals by two rules, between bots of one kind, and what came of them."""

    name: str
    bots: str
    games: int
    seconds: float
    command: str
    result: R


@frozen
class Levels(Generic[R, E]):
    """Several levels of play: their results, how good their bots are, and what follows from all of them."""

    levels: Sequence[Level[R]]
    ladder: Sequence[Rung | BestResponse]
    worthy: Sequence[str]
    """The levels that are evidence of good play."""
    lens: Sequence[Merged[E]]
    lengths: Merged[LengthRow] | None = None
    not_played: Sequence[str] = ()
    guesses: Sequence[Guess] = ()
    """The cost of guessing at questions among players who learned, the most costly first."""
    bindings: Sequence[Binding] = ()
    """The outcome of habits of one of these players."""
    solution: Solution | None = None
    """The gain of the first of two seats where nobody errs, if the game is so small that this is known."""
    mends: Sequence[Mend] = ()
    """The outcome of other values, by what stands out."""

    @property
    def results(self) -> dict[str, R]:
        """The outcome of each level, by its name."""
        return {level.name: level.result for level in self.levels}

    @property
    def games(self) -> dict[str, int]:
        """The number of games, or deals, of each level."""
        return {level.name: level.games for level in self.levels}


@frozen
class Report:
    """The report of a series. Of several levels of play it is that of the cheapest, with `play` beside."""

    game: str
    variants: Sequence[str]
    players: int
    games: int
    seed: int
    decisions: int
    seconds: float
    """The only number that another run does not give again."""
    wins: Sequence[float]
    length: Spread
    unfinished: int
    title: str
    aim: str
    options: Mapping[str, object]
    without: Sequence[str]
    rules: str
    bots: Sequence[str]
    rotations: int
    endings: Mapping[str, int]
    fair: float
    decides: bool
    are_alike: bool
    has_teams: bool
    is_together: bool
    judged_by: Unit
    seats: Sequence[SeatRow]
    nine_of_ten: Sequence[float]
    turns: Spread
    points: Sequence[float]
    margin: Spread
    shared: int
    nobody: int
    measures: Sequence[Measured]
    histogram: Sequence[tuple[int, int, int]]
    command: str
    to_see: Sequence[ToSee]
    by_bot: Sequence[BotRow] | None
    luck: Rate | None
    details: Details | None
    stands_out: Sequence[Finding]
    lines: Sequence[Line]
    seen: Mapping[str, float]
    course: Course | None = None
    stakes: Sequence[Decision] | None = None
    worth: Sequence[Worth] | None = None
    pairs: Sequence[Pair] | None = None
    measured: Mapping[str, float] | None = None
    play: Levels[Report, Line] | None = None
    also_for: Sequence[int] = ()
    """The other numbers of players that the rules are for."""
    learned: Sequence[str] | None = None
    """The strength of the bots that learned in this game, in sentences."""


# ── a comparison ─────────────────────────────────────────────────────────────────────────────────────────────────────


@frozen
class Measure:
    """A number by both rules on the same deals, and the judged difference."""

    name: str
    group: str
    is_rate: bool
    grey: float
    base: float
    changed: float
    difference: Interval
    sure_low: float
    sure_high: float
    tells: bool
    mark: str
    more: int
    gained: int | None = None
    lost: int | None = None

    @property
    def about(self) -> str:
        """The name, by which the same measure is found at other levels of play."""
        return self.name

    @property
    def value(self) -> float:
        """The difference."""
        return self.difference.value


@frozen
class Holder:
    """The wins of who had a card, and of the same seats on the same deals without it."""

    way: str
    deals: int
    seats: int
    with_it: float
    without: float
    difference: Interval
    sure_low: float
    sure_high: float
    tells: bool
    mark: str


@frozen
class Side:
    """The rules of one side of a comparison."""

    variants: Sequence[str]
    options: Mapping[str, object]
    without: Sequence[str]
    rules: str
    crashed: int
    command: str


@frozen
class Example:
    """A deal that somebody else won by the other rules."""

    number: int
    seed: int
    base: Sequence[int]
    changed: Sequence[int]
    replay_base: str
    replay_changed: str


@frozen
class ChangedWinners:
    """The deals that somebody else won by the other rules."""

    games: int
    share: float
    examples: Sequence[Example]
    seeds: Sequence[int]


@frozen
class Comparison:
    """A report of differences: the same deals by two rules. Of several levels it is that of the cheapest."""

    game: str
    title: str
    players: int
    games: int
    seed: int
    bots: Sequence[str]
    rotations: int
    base: Side
    changed: Side
    decides: bool
    judged_by: Unit
    are_alike_in_units: bool
    measures: Sequence[Measure]
    changed_winners: ChangedWinners
    measured: Mapping[str, float]
    holders: Sequence[Holder] | None = None
    play: Levels[Comparison, Measure] | None = None
    command: str = ""
    also_for: Sequence[int] = ()
    """The other numbers of players that both rules are for."""
    told: Sequence[str] = ()
    variants: Sequence[str] = ()
    rule_by_rule: Sequence[ChangedRule] = ()
