"""Choices of a game that is played to its end: players answer at once, and nothing waits.

In: a `BlindRun` with the numbers of each seat, the values that a choice was found to have. Out: what was chosen, the
same that `offers` would have offered and drawn. Never: a pending decision, a frame; finds values.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from rulebook.interpreter.choosing import choices
from rulebook.interpreter.compiled import steps
from rulebook.interpreter.compiled.blind import BlindRun
from rulebook.interpreter.compiled.offers import (
    CHOSEN,
    MISSED,
    WAITING,
    Likeness,
    Lists,
    brought,
    first_copy,
    is_one,
    random_set,
    settled_set,
)
from rulebook.interpreter.layout import CLOCK, COUNTS, PENDING
from rulebook.interpreter.ops import Choose
from rulebook.interpreter.primitives import asking
from rulebook.interpreter.primitives.asking import MOST_ANSWERS
from rulebook.interpreter.state import State


class Unfinished(Exception):
    """There were so many answers that the game will not end."""


def ask_one(r: BlindRun, s: State, seat: int, values: Sequence[Any], may: bool) -> Any:
    """One of several values that all differ; None for a pass."""
    counted(r, s, seat)
    index = r.below_of[seat](len(values) + may)
    return values[index] if index < len(values) else None


def ask_alike(r: BlindRun, s: State, seat: int, values: Sequence[int], likeness: Likeness, may: bool) -> Any:
    """One of several cards, of equal ones the first; None for a pass."""
    counted(r, s, seat)
    index = r.below_of[seat](len(values) + may)
    return None if index == len(values) else first_copy(values, index, likeness)


def ask_sorted(r: BlindRun, s: State, seat: int, values: Sequence[int], likeness: Likeness, may: bool) -> Any:
    """The same where equal cards stand one behind the other."""
    counted(r, s, seat)
    index = r.below_of[seat](len(values) + may)
    if index == len(values):
        return None
    like = likeness[values[index]]
    while index and likeness[values[index - 1]] == like:
        index -= 1
    return values[index]


def counted(r: BlindRun, s: State, seat: int) -> None:
    """A seat is asked, and answers."""
    clock = s[CLOCK]
    if clock >= MOST_ANSWERS:
        raise Unfinished
    s[CLOCK] = clock + 1
    s[COUNTS][seat] += 1
    r.looked_at = 0


def several(
    r: BlindRun, s: State, seat: int, values: Sequence[Any], likeness: Likeness | None, wanted: Any, may: bool
) -> tuple[int, Any]:
    """What became of the choice of a set, and the set."""
    became, bounds = settled_set(values, likeness, wanted, may)
    if became is not None:
        return became
    counted(r, s, seat)
    chosen = random_set(values, likeness, bounds, may, r.below_of[seat])
    return MISSED if chosen is None else CHOSEN, chosen


def picked(
    r: BlindRun, s: State, seats: Sequence[int], lists: Lists, may: bool, is_sealed: bool
) -> tuple[int, Sequence[Any]]:
    """What became of a choice of one thing after the other, and what each pick brought: by seat, if it is sealed."""
    likeness, *values_of = lists
    begun, answered = s[CLOCK], 0
    picks: dict[int, list[Any]] = {}
    # What is missing anywhere shows before anybody answers.
    first = [(seat, values_of[0](seat)) for seat in seats]
    for seat, values in first:
        mine = picks[seat] = []
        below = None
        for values_for in values_of:
            if mine:
                values = [value for value in values_for(seat, *mine) if value not in mine]
            bound = count = len(values)
            if not count:
                break
            if may and not mine:
                bound += 1
            elif is_one(values, likeness):
                mine.append(values[0])
                continue
            if below is None:
                # All are asked before anybody answers.
                s[CLOCK], below = begun, r.below_of[seat]
                counted(r, s, seat)
            answered += 1
            index = below(bound)
            if index == count:
                break
            mine.append(first_copy(values, index, likeness) if index else values[0])
    s[CLOCK] = begun + answered
    return brought(r, picks, len(values_of), may, is_sealed)


def choose(r: BlindRun, op: Choose) -> int:
    """What the machine offers, answered until nothing is left to ask; what is bound stands in the registers."""
    state = r.state
    state[COUNTS] = tuple(state[COUNTS])
    became = steps.choose(r, op)
    while became == WAITING:
        if state[PENDING] == ("over",):
            raise Unfinished
        seat, _, picks, _ = next(entry for entry in state[PENDING][1] if not entry[3])
        found = choices(r, op, seat, picks)
        assert found is not None, "a seat that is asked has something to choose"
        r.halted, r.looked_at, r.pc = False, 0, -2
        asking.answer(r, op, seat, found.random(r.below_of[seat]))
        if state[PENDING] is None:
            became = CHOSEN if r.pc == -1 else MISSED
    state[COUNTS] = list(state[COUNTS])
    return became


NAMES: dict[str, Any] = {
    "ask_one": ask_one,
    "ask_alike": ask_alike,
    "ask_sorted": ask_sorted,
    "several": several,
    "choose": choose,
    "picked": picked,
}
"""What printed text may call instead of what waits."""
