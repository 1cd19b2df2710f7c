"""Standings: who is where, with how many points, at any time of a game.

Who won by `win` is first, and all others are tied behind; else `payoff` or the keys of `rank` decide, and equal ones
share a place. Eliminated players are behind, the later the better, those of one sentence tied. Who plays alone and ends
with less than nothing has not won.
"""

from __future__ import annotations

from attrs import frozen

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
    `payoffs` are what a player wants most of: the payoff, else how many are placed behind minus how many ahead.
    """

    finished: bool
    places: tuple[int, ...]
    winners: tuple[int, ...]
    scores: tuple[int, ...]
    payoffs: tuple[int, ...]


def find_outcome(program: Program, state: State, names: Names = ()) -> Outcome:
    """Work out the standings of the players now."""
    return _find_outcome(Run(program, names, state))


def _find_outcome(run: Run) -> Outcome:
    program, state = run.program, run.state
    seats = range(program.players)
    groups = standing(run)
    places = [0] * program.players
    ahead = 0
    for group in groups:
        for seat in group:
            places[seat] = ahead + 1
        ahead += len(group)
    result = state[RESULT]
    scores = tuple(_score(run, seat) for seat in seats)
    counts_up = program.payoff is not None or any(key.most for key in program.rank[:1])
    is_lost = len(seats) == 1 and counts_up and scores[0] < 0
    first = [seat for seat in seats if places[seat] == 1 and not is_lost]
    won = result[1] if result is not None and result[0] == "win" else first
    # Rules may name winners in any order; how a game stands is told by seat.
    winners = tuple(sorted(won))
    finished = result is not None and result[0] != "unfinished"
    payoffs = scores
    if program.payoff is None:
        payoffs = tuple(sum((q > p) - (q < p) for q in places) for p in places)
    return Outcome(finished, tuple(places), winners, scores, payoffs)


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


def standing(run: Run) -> list[tuple[int, ...]]:
    """Groups of seats that share a place, the first first."""
    state = run.state
    result = state[RESULT]
    won = result[1] if result is not None and result[0] == "win" else ()
    playing = [seat for seat in state[ALIVE] if seat not in won]
    groups = [won] if won else []
    if result is not None and result[0] == "win":
        groups.append(tuple(playing))
    else:
        keys = {seat: _rank_keys(run, seat) for seat in playing}
        for best in sorted(set(keys.values()), reverse=True):
            groups.append(tuple(seat for seat in playing if keys[seat] == best))
    for seats in reversed(state[ELIMINATED]):
        groups.append(tuple(seat for seat in seats if seat not in won))
    return [group for group in groups if group]


def _rank_keys(run: Run, seat: int) -> tuple[tuple[bool, int], ...]:
    """Return the ranking keys of a player who still plays, greater for better; what is not there is worst."""
    program = run.program
    if program.payoff is not None:
        return (_sortable(_reckon(run, program.payoff, seat), True),)
    return tuple(_sortable(_reckon(run, key.value, seat), key.most) for key in program.rank)


def _sortable(number: int | None, most: bool) -> tuple[bool, int]:
    if number is None:
        return (False, 0)
    return (True, number if most else -number)


def _score(run: Run, seat: int) -> int:
    formula = run.program.payoff or (run.program.rank[0].value if run.program.rank else None)
    return 0 if formula is None else _reckon(run, formula, seat) or 0


def _reckon(run: Run, formula: Code, seat: int) -> int | None:
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
    run.emit("over", ranks=ranks, scores=scores)
