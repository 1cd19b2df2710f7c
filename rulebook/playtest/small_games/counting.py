"""The exact counts of a game tree: histories, information sets, wins, and the value of random play.

In: a program. Out: a `Tree`. A choice with one answer is a move like any other (at a table it is not asked). *Random
play* is that of the bot `random`: every answer is as likely as any other, and equal cards count one by one.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from fractions import Fraction
from typing import Any

from rulebook.classes import frozen
from rulebook.interpreter.decisions import Chance, RuleError
from rulebook.interpreter.program import Program
from rulebook.interpreter.results import Outcome, check_zero_sum, count_teams
from rulebook.playtest.small_games.game_tree import GameTree, History, mark_information

MOST_HISTORIES = 1_000_000
"""The default limit of histories that are walked: some minutes."""

Progress = Callable[[int], None]
"""Called now and then with how many histories are walked."""

_TOLD_EVERY = 5_000


@frozen
class Tree:
    """The counts of a game tree; tuples are by seat.

    `histories` are all, `terminal` those at whose end the game is over, `chance` those at which chance decides; at the
    others a player decides, at `forced` of them with one answer only. `states` are the information states, of which
    `forced_states` have one answer only. `wins` count the terminal histories that this seat alone wins, `draws` those
    that nobody wins alone; `win_chances` and `draw_chance` are their probabilities in random play, and `values`
    what each seat gets then on average, in the smallest unit where it is an `amount`. `unfinished` are the terminal
    histories that the limit of decisions ended.
    """

    players: int
    histories: int
    terminal: int
    chance: int
    forced: int
    unfinished: int
    states: tuple[int, ...]
    forced_states: tuple[int, ...]
    wins: tuple[int, ...]
    draws: int
    win_chances: tuple[Fraction, ...]
    draw_chance: Fraction
    values: tuple[Fraction, ...]
    is_amount: bool
    seconds: float

    def to_json(self) -> dict[str, Any]:
        """One plain object; fractions are texts such as `1/8`, and `seconds` is all that another walk gives anew."""
        seats = [
            {
                "information_states": self.states[seat],
                "forced_information_states": self.forced_states[seat],
                "wins": self.wins[seat],
                "win_probability": str(self.win_chances[seat]),
                "value": str(self.values[seat]),
            }
            for seat in range(self.players)
        ]
        return {
            "players": self.players,
            "histories": self.histories,
            "terminal": self.terminal,
            "chance": self.chance,
            "forced": self.forced,
            "unfinished": self.unfinished,
            "draws": self.draws,
            "draw_probability": str(self.draw_chance),
            "seats": seats,
            "seconds": round(self.seconds, 3),
        }


class Astray(Exception):
    """The rules went wrong at the end of one history; `moves` are what was answered and what happened until then."""

    def __init__(self, error: RuleError, moves: Sequence[str]) -> None:
        super().__init__(error, moves)
        self.error, self.moves = error, tuple(moves)

    def __str__(self) -> str:
        return f"{self.error} It went so: {', '.join(self.moves) or 'nothing was asked'}."


def count_tree(
    program: Program,
    limit: int = MOST_HISTORIES,
    names: Sequence[str] | None = None,
    on_progress: Progress | None = None,
) -> Tree:
    """Count all histories of a game. Raises `TooLarge` as soon as there must be more of them than `limit`, and `Astray`
    where the rules go wrong, also where payoffs do not add up to nothing although the game is `zero_sum`."""
    started = time.perf_counter()
    tree, counts = GameTree(program, limit, names, exhaustive=True), _Counts(program)
    try:
        # Of one walk, the probability in random play of each history that is still to be walked, the next one last.
        odds = [(1, 1)]
        for history in tree.walk([tree.machine.new_state(0)]):
            odds += counts.count_history(history, *odds.pop())
            if on_progress is not None and counts.histories % _TOLD_EVERY == 0:
                on_progress(counts.histories)
    except RuleError as error:
        raise Astray(error, tree.word_history()) from error
    return counts.total(time.perf_counter() - started)


class _Counts:
    """The counts of a walk on its way."""

    def __init__(self, program: Program) -> None:
        self.program, self.seats = program, range(program.players)
        self.histories = self.terminal = self.chance = self.forced = self.unfinished = self.draws = 0
        self.states: list[dict[bytes, bool]] = [{} for _ in self.seats]
        self.wins = [0] * program.players
        self.sums: dict[int, list[int]] = {}
        """By the denominator of terminal histories' probabilities, the sums of numerators: of those that each seat
        wins, times what each seat gets, and of those that are drawn."""

    def count_history(self, history: History, numerator: int, denominator: int) -> list[tuple[int, int]]:
        """Count a history of this probability, and return those of the histories after it, the first last."""
        needs, moves = history.needs, history.moves
        self.histories += 1
        if isinstance(needs, Outcome):
            self._count_end(needs, numerator, denominator)
            return []
        if isinstance(needs, Chance):
            self.chance += 1
            weights = needs.weights
        else:
            weights = tuple(map(needs.count_ways, moves))
            self.forced += len(moves) == 1
            self.states[needs.seat][mark_information(history.known[needs.seat], needs)] = len(moves) == 1
        total = denominator * sum(weights)
        return [(numerator * weight, total) for weight in reversed(weights)]

    def _count_end(self, outcome: Outcome, numerator: int, denominator: int) -> None:
        check_zero_sum(self.program, outcome)
        self.terminal += 1
        self.unfinished += not outcome.finished
        sums = self.sums.setdefault(denominator, [0] * (2 * len(self.seats) + 1))
        if count_teams(outcome.winners, outcome.teams) == 1:
            for seat in outcome.winners:
                self.wins[seat] += 1
                sums[seat] += numerator
        else:
            self.draws += 1
            sums[-1] += numerator
        for seat, payoff in enumerate(outcome.payoffs, len(self.seats)):
            sums[seat] += numerator * payoff

    def total(self, seconds: float) -> Tree:
        """The tree as it was counted."""
        count = len(self.seats)
        exact = [sum((Fraction(sums[i], d) for d, sums in self.sums.items()), Fraction()) for i in range(2 * count + 1)]
        return Tree(
            players=count,
            histories=self.histories,
            terminal=self.terminal,
            chance=self.chance,
            forced=self.forced,
            unfinished=self.unfinished,
            states=tuple(map(len, self.states)),
            forced_states=tuple(sum(states.values()) for states in self.states),
            wins=tuple(self.wins),
            draws=self.draws,
            win_chances=tuple(exact[:count]),
            draw_chance=exact[-1],
            values=tuple(exact[count:-1]),
            is_amount=self.program.payoff is not None and self.program.score_sort == "amount",
            seconds=seconds,
        )

