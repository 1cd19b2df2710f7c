"""Standings: who is where, with how many points, at any time of a game.

Who won by `win` is first, and all others are tied behind; else `payoff` or the keys of `rank` decide, and equal ones
share a place. Players of whom `team` answers the same share all: of a team, keys are added up over those who still
play. Teams of which nobody does are behind, the later the better, those of one sentence tied. A team that is alone, as
who plays alone is, has not won if it ends with less than nothing.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from rulebook.classes import frozen
from rulebook.interpreter.decisions import Unbalanced
from rulebook.interpreter.layout import ALIVE, ELIMINATED, RESULT
from rulebook.interpreter.program import Code, Program
from rulebook.interpreter.run import Run
from rulebook.interpreter.state import State, cards_in
from rulebook.interpreter.wording import Names, place_key, word_value


@frozen
class Outcome:
    """The standings of a game, by seat.

    `places` are 1 for the first. `scores` are what people read: the payoff, else the first key of the rank, else 0.
    `payoffs` are what a player wants most of: the payoff, else how many are placed behind minus how many ahead; if all
    are one team, 1 if they have won and -1 if they have lost. `teams` are the first seats of their teams, and `totals`
    the scores of these.
    """

    finished: bool
    places: tuple[int, ...]
    winners: tuple[int, ...]
    scores: tuple[int, ...]
    payoffs: tuple[int, ...]
    teams: tuple[int, ...]
    totals: tuple[int, ...]


def find_teams(run: Run) -> tuple[int, ...]:
    """Return the team of each seat: the first seat that answers the same. Who has no answer is alone."""
    seats, team = range(run.program.players), run.program.team
    if team is None:
        return tuple(seats)
    answers = [run.ask_question(team, seat) for seat in seats]
    return tuple(seat if answer is None else answers.index(answer) for seat, answer in enumerate(answers))


def list_team(teams: Sequence[int], seat: int) -> tuple[int, ...]:
    """List the seats of somebody's team."""
    return tuple(one for one, team in enumerate(teams) if team == teams[seat])


def count_teams(winners: Iterable[int], teams: Sequence[int]) -> int:
    """Count the teams that won."""
    return len({teams[seat] for seat in winners})


def find_shares(winners: Sequence[int], teams: Sequence[int]) -> tuple[float, ...]:
    """Return the share of the win of each seat: teams that are first together share it, and all of a team have its."""
    share = 1 / max(1, count_teams(winners, teams))
    return tuple(share if seat in winners else 0.0 for seat in range(len(teams)))


def find_margin(scores: Sequence[int], teams: Sequence[int]) -> int:
    """Return by how many points the first team is ahead of the second; 0 where there is one."""
    totals = [sum(score for score, its in zip(scores, teams, strict=True) if its == team) for team in set(teams)]
    first, second, *_ = sorted([*totals, *totals] if len(totals) == 1 else totals, reverse=True)
    return first - second


def is_one_team(teams: Sequence[int]) -> bool:
    """Tell whether all win or lose together; who plays alone does."""
    return not any(teams)


def name_teams(program: Program, outcome: Outcome, names: Names) -> dict[str, Any]:
    """The names of each team, for whoever is told how a game ended; nothing where everybody plays alone."""
    if program.team is None:
        return {}
    return {"teams": [[names[seat] for seat in list_team(outcome.teams, team)] for team in sorted(set(outcome.teams))]}


def find_outcome(program: Program, state: State, names: Names = ()) -> Outcome:
    """Work out the standings of the players now."""
    return _find_outcome(Run(program, names, state))


def _find_outcome(run: Run) -> Outcome:
    program, state = run.program, run.state
    seats, teams = range(program.players), find_teams(run)
    groups = standing(run, teams)
    places = [0] * program.players
    ahead = 0
    for group in groups:
        for seat in group:
            places[seat] = ahead + 1
        ahead += len({teams[seat] for seat in group})
    result = state[RESULT]
    scores = tuple(_score(run, seat) for seat in seats)
    totals = tuple(sum(scores[one] for one in _list_counted(run, teams, seat)) for seat in seats)
    if result is not None and result[0] == "win":
        # Rules may name winners in any order; how a game stands is told by seat.
        winners = tuple(sorted(seat for group in result[1][:1] for seat in group))
    else:
        winners = tuple(seat for seat in seats if places[seat] == 1)
        counts_up = program.payoff is not None or any(key.most for key in program.rank[:1])
        if is_one_team(teams) and (not state[ALIVE] or (counts_up and totals[0] < 0)):
            winners = ()
    payoffs = scores
    if program.payoff is None:
        payoffs = tuple(sum((q > p) - (q < p) for q in places) for p in places)
        if is_one_team(teams) and (result is not None or program.rank):
            payoffs = (1 if winners else -1,) * len(seats)
    finished = result is not None and result[0] != "unfinished"
    return Outcome(finished, tuple(places), winners, scores, payoffs, teams, totals)


def _list_counted(run: Run, teams: Sequence[int], seat: int) -> tuple[int, ...]:
    """List the seats whose scores count for somebody's team: those who still play, or all if nobody does."""
    team = list_team(teams, seat)
    return tuple(one for one in team if one in run.state[ALIVE]) or team


def check_zero_sum(program: Program, outcome: Outcome) -> None:
    """Raise `Unbalanced` if a finished game says `zero_sum: yes`, and its payoffs do not add up to nothing."""
    total = sum(outcome.payoffs)
    if program.zero_sum is None or not outcome.finished or not total:
        return
    payoffs = ", ".join(word_value(program, (), payoff, program.score_sort) for payoff in outcome.payoffs)
    raise Unbalanced(
        f"The result says `zero_sum: yes`, but the payoffs {payoffs} add up to "
        f"{word_value(program, (), total, program.score_sort)}. "
        "Either the payoff is wrong, or the game is not zero-sum.",
        "result, payoff",
        program.zero_sum,
    )


def standing(run: Run, teams: Sequence[int]) -> list[tuple[int, ...]]:
    """Groups of seats that share a place, the first first."""
    result, alive = run.state[RESULT], run.state[ALIVE]
    groups: list[tuple[int, ...]] = [*result[1]] if result is not None and result[0] == "win" else []
    placed = {seat for group in groups for seat in group}

    def place(some: Iterable[int]) -> None:
        """Put the teams of some seats at the next place, whole."""
        group = [one for seat in some for one in list_team(teams, seat) if one not in placed]
        placed.update(group)
        if group:
            groups.append(tuple(dict.fromkeys(group)))

    if result is not None and result[0] == "win":
        place(alive)
    else:
        keys = {seat: _rank_keys(run, [one for one in alive if teams[one] == teams[seat]]) for seat in alive}
        for best in sorted(set(keys.values()), reverse=True):
            place([seat for seat in alive if keys[seat] == best])
    for seats in reversed(run.state[ELIMINATED]):
        place(seats)
    return groups


def _rank_keys(run: Run, seats: Sequence[int]) -> tuple[tuple[bool, int], ...]:
    """Return the ranking keys of the players of a team, greater for better; what is not there is worst."""
    program = run.program
    if program.payoff is not None:
        return (_add_up(run, program.payoff, True, seats),)
    return tuple(_add_up(run, key.value, key.most, seats) for key in program.rank)


def _add_up(run: Run, formula: Code, most: bool, seats: Sequence[int]) -> tuple[bool, int]:
    numbers = [number for seat in seats if (number := _ask_formula(run, formula, seat)) is not None]
    return (bool(numbers), sum(numbers) if most else -sum(numbers))


def _score(run: Run, seat: int) -> int:
    formula = run.program.payoff or (run.program.rank[0].value if run.program.rank else None)
    return 0 if formula is None else _ask_formula(run, formula, seat) or 0


def _ask_formula(run: Run, formula: Code, seat: int) -> int | None:
    number: int | None = run.ask_question(formula, seat)
    return number


def tell_over(run: Run) -> None:
    """Everyone notices what lay in the places that open at the end, that the game is over, and how it ended."""
    if run.events is None:
        return
    for place in run.layout.places:
        cards = cards_in(run.layout, run.state, place) if place.opened_at_end and place.kept != "pool" else ()
        if cards:
            if not place.ordered:
                cards = tuple(sorted(cards, key=run.program.definition.__getitem__))
            seen = [run.layout.everyone] * len(cards)
            run.emit_cards("opened", cards, seen, place=place_key(run.program, run.names, place))
    outcome = _find_outcome(run)
    ranks = dict(zip(run.names, outcome.places, strict=True))
    scores = dict(zip(run.names, outcome.scores, strict=True))
    run.emit("over", ranks=ranks, scores=scores, **name_teams(run.program, outcome, run.names))
