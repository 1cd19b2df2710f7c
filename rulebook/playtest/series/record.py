"""The record of one game that is over: plain values by seat."""

from __future__ import annotations

from attrs import field

from rulebook.classes import frozen
from rulebook.interpreter.results import count_teams, find_shares, is_one_team

WON, RANKED, STOPPED, CRASHED = "won", "ranked", "stopped", "crashed"
"""The endings of a game: a sentence `win` named who wins; it went to its end and the standings decide; the limit of
decisions stopped it, and it counts as it stood; the rules went wrong, and it counts for nobody."""
WAYS = ("dealt", "got", "played", "held")
"""The ways of having a card: at the first decision, at any time, as one that was chosen, at the end."""


NOT_ASKED = -1
"""Stands where no card was asked about a seat."""
PARTS = (0.25, 0.5, 0.75, 0.9)
"""The parts of a game after which it is noted who is first."""


@frozen
class Seen:
    """The notes on the course of a watched game.

    `changes` is how often the lead passed to somebody else; `ahead` who was first when each of the PARTS of its
    decisions was made, and `behind` who was last at half of them. `roles` are, by seat, what lay in each of its slots
    and stood in its memories when the first decision was made, by the name of the slot or memory, and `ends` the same
    when the game was over. `dealt` are, by seat, the ids of the cards that it had at the first decision. `cards` are,
    by the id of the card, how often each seat got one, played one, and held one at the end (three numbers for each
    seat, the first three of seat 0). `options` are, by their keys, how often each was offered and chosen. `offered` is
    how many options there were in all decisions together.
    """

    changes: int
    ahead: tuple[tuple[int, ...], ...]
    behind: tuple[int, ...]
    roles: tuple[dict[str, str], ...]
    cards: dict[str, tuple[int, ...]]
    options: dict[str, tuple[int, int]]
    offered: int
    dealt: tuple[tuple[str, ...], ...]
    ends: tuple[dict[str, str], ...]
    answers: dict[str, tuple[int, ...]]
    """The answers of the cards that players had at the end, by card and question (`ids.name`): the number that were
    asked, that said yes, and on which each named condition was met, whether or not the others were.
    """
    true_of: dict[str, tuple[int, ...]]
    """By the name of such a question, by seat: 1 if a card that it had said yes, 0 if all that were asked said no,
    NOT_ASKED if none was."""
    beyond: dict[str, tuple[int, ...]]
    """By the key of an option that the rules name or a card is, where one thing is chosen: two numbers for each seat,
    in millionths. How much more often it chose that than it would at random, and the variance of that number at random.
    """
    values: dict[str, tuple[str, ...]] = field(factory=dict)
    """By the name of a value that the rulebook shows, what it was for each seat when the game was over, as a cell of a
    table; of one that stands beside the table the same for all. Empty where there was none."""
    stages: dict[str, int] = field(factory=dict)
    """By the name of a stage, how often it began."""

    def seats_having(self, way: str, id: str) -> list[int]:
        """Find the seats that had a card in one of the WAYS."""
        if way == "dealt":
            return [seat for seat, ids in enumerate(self.dealt) if id in ids]
        return [seat for seat, times in enumerate(self.cards.get(id, ())[WAYS.index(way) - 1 :: 3]) if times]


@frozen
class Played:
    """One game of a series. `decisions` are by seat; `turns` counts how often somebody else was asked than before;
    `order` are the seats as they were asked something alone for the first time, so the first of them began; none where
    several were asked first. `teams` are
    by seat the first seats of their teams.

    `error` says what went wrong in a game that crashed, and where in which file; it has no places and no scores.
    """

    number: int
    seed: int
    ending: str
    winners: tuple[int, ...]
    teams: tuple[int, ...]
    places: tuple[int, ...]
    scores: tuple[int, ...]
    decisions: tuple[int, ...]
    turns: int
    order: tuple[int, ...] = ()
    error: str = ""
    fault: str = field(default="", repr=False)
    """The same for the same mistake, whatever the game."""
    ours: bool = field(default=False, repr=False)
    """True where neither the rules nor a program at the table is to blame, but we are."""
    seen: Seen | None = None
    measures: dict[str, tuple[float | None, ...]] = field(factory=dict)
    """The rulebook's own measures of a game that is over, by name: one number, or one for each seat; None where there
    is no answer.
    """

    @property
    def length(self) -> int:
        """The number of decisions."""
        return sum(self.decisions)

    @property
    def counts(self) -> bool:
        """True if it says anything about who wins."""
        return self.ending != CRASHED

    @property
    def shares(self) -> tuple[float, ...]:
        """The share of the win of each seat; none if it does not count."""
        return find_shares(self.winners, self.teams)

    @property
    def winning(self) -> int:
        """The number of teams that won; of players, where everybody plays alone."""
        return count_teams(self.winners, self.teams)

    @property
    def is_tied(self) -> bool:
        """True if no team won alone, though there are several."""
        return self.winning != 1 and not is_one_team(self.teams)
