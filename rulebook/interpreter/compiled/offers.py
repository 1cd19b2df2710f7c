"""Plain choices: whether anybody is asked, what is offered, and an answer at random.

In: a `BlindRun`, the values that a choice was found to have. Out: a pending decision in the state and an `Offer` beside
it, or what became of a choice that asks nobody. Never: finds values; says which of them are equal.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from rulebook.interpreter import knowledge, sets
from rulebook.interpreter.compiled.answers import ABSENCES
from rulebook.interpreter.compiled.blind import BlindRun, Bounds
from rulebook.interpreter.layout import CLOCK, COUNTS, PENDING, STACK
from rulebook.interpreter.ops import ABSENT, Choose
from rulebook.interpreter.primitives.asking import MOST_ANSWERS
from rulebook.interpreter.state import State

Likeness = Sequence[int] | dict[int, Any]
"""By object, what it shares with those that are the same option."""

Lists = tuple[Any, ...]
"""Of a choice of one thing after the other: what equal options share (None if all differ), and for each pick what lists
its options, given a seat and what that has picked.
"""

WAITS = object()
"""What a function returns whose frame stands in the state: nobody above has anything to do."""

NO_ANSWER = object()
"""What a function is handed that nobody has anything to tell."""

_ALL_TRIED = sets.MOST_TRIED.bit_length() - 1
"""Of so many values all sets are tried."""

MISSED, CHOSEN, WAITING, SKIPPED = range(4)
"""What became of a choice: nothing could be or was chosen, something was, somebody is asked, it was left out."""


def alike(values: Sequence[int], likeness: Likeness) -> bool:
    """Whether all of these objects are one option."""
    first = likeness[values[0]]
    if likeness[values[-1]] != first:
        return False
    like = shared(values, likeness)
    return like.count(first) == len(like)


def is_one(values: Sequence[Any], likeness: Likeness | None) -> bool:
    """Whether all of these values, of which there are some, are one option."""
    if likeness is None or len(values) == 1 or likeness[values[0]] != likeness[values[-1]]:
        return len(values) == 1
    return alike(values, likeness)


def shared(values: Sequence[int], likeness: Likeness) -> Sequence[Any]:
    """For each object, what it shares with those that are the same option."""
    return bytes(values).translate(likeness) if isinstance(likeness, bytes) else [likeness[value] for value in values]


def first_copy(values: Sequence[Any], index: int, likeness: Likeness | None) -> Any:
    """The first of the values that are one option with that at an index."""
    if likeness is not None and index:
        like, index = likeness[values[index]], 0
        while likeness[values[index]] != like:
            index += 1
    return values[index]


def told_apart(r: BlindRun, s: State, values: Sequence[int]) -> Likeness:
    """The same by object, where states of cards have changed."""
    cards = r.program.cards
    return {one: knowledge.likeness(r.program, s, one) if one < cards else (one,) for one in values}


def asks(
    r: BlindRun,
    s: State,
    frame: tuple[Any, ...],
    seat: int,
    values: Sequence[Any],
    likeness: Likeness | None,
    may: bool,
) -> Any:
    """Wait at a plain choice; what is offered is kept beside the state, for whoever answers at once."""
    if s[CLOCK] >= MOST_ANSWERS:
        r.finish(("unfinished",))
        return WAITS
    counts = s[COUNTS]
    number = counts[seat] + 1
    s[COUNTS] = (*counts[:seat], number, *counts[seat + 1 :])
    s[STACK] = frame
    s[PENDING] = r.pending = ("ask", ((seat, number, (), False),))
    r.offered, r.several, r.likeness, r.may_pass, r.bounds = values, None, likeness, may, None
    return WAITS


def settle(lists: Lists, may: bool, seat: int, picks: tuple[Any, ...]) -> tuple[tuple[Any, ...], Sequence[Any] | None]:
    """Pick for a seat as long as it has one option; all that it picked then, and what it picks from next if it does."""
    likeness, *values_of = lists
    for values_for in values_of[len(picks) :]:
        values = values_for(seat, *picks)
        if picks:
            values = [value for value in values if value not in picks]
        if not values:
            break
        if (may and not picks) or not is_one(values, likeness):
            return picks, values
        picks = (*picks, values[0])
    return picks, None


def picked(
    r: BlindRun, s: State, seats: Sequence[int], lists: Lists, may: bool, is_sealed: bool
) -> tuple[int, Sequence[Any]]:
    """Ask for one thing after the other, all at once who have more than one option; what became of it, and what each
    pick brought: by seat, if it is sealed.
    """
    counts, entries = list(s[COUNTS]), []
    found: dict[int, tuple[Sequence[Any], bool]] = {}
    for seat in seats:
        picks, values = settle(lists, may, seat, ())
        if values is None:
            entries.append((seat, 0, picks, True))
        else:
            counts[seat] += 1
            entries.append((seat, counts[seat], picks, False))
            found[seat] = values, may and not picks
    if not found:
        return brought(r, {entry[0]: entry[2] for entry in entries}, len(lists) - 1, may, is_sealed)
    if s[CLOCK] >= MOST_ANSWERS:
        r.finish(("unfinished",))
    else:
        s[COUNTS] = tuple(counts)
        s[PENDING] = r.pending = ("ask", tuple(entries))
        r.several, r.likeness, r.bounds, r.lists = found, lists[0], None, lists
    return WAITING, [None] * (len(lists) - 1)


def brought(
    r: BlindRun, picks: Mapping[int, Sequence[Any]], count: int, may: bool, is_sealed: bool
) -> tuple[int, Sequence[Any]]:
    """What became of a choice of one thing after the other when all have picked, and what each pick brought."""
    found: list[Any]
    if is_sealed:
        by_pick: list[list[Any]] = [[None] * r.layout.players for _ in range(count)]
        for seat, mine in picks.items():
            for number, value in enumerate(mine):
                by_pick[number][seat] = value
        found = [*map(tuple, by_pick)]
    else:
        [alone] = picks.values()
        found = [*alone, *[None if may else ABSENT] * count][:count]
    return CHOSEN if any(picks.values()) else MISSED, found


def pick(r: BlindRun, s: State, seat: int, value: Any, op: Choose, lists: Lists) -> None:
    """Take an answer at a choice of one thing after the other."""
    frame, (_, asked) = s[STACK], s[PENDING]
    fresh = r.pending is s[PENDING] and r.several is not None
    entries, at = [*asked], 0
    while asked[at][0] != seat:
        at += 1
    _, number, picks, _ = asked[at]
    picks, values = ((), None) if value is None else settle(lists, op.may, seat, (*picks, value))
    entries[at] = seat, number, picks, values is None
    if values is not None and fresh and r.several is not None:
        r.several[seat] = values, False
    s[CLOCK] += 1
    if values is not None or False in [entry[3] for entry in entries]:
        s[PENDING] = pending = "ask", tuple(entries)
        if fresh:
            r.pending = pending
        return
    s[PENDING] = None
    became, chosen = brought(r, {entry[0]: entry[2] for entry in entries}, len(op.picks), op.may, op.sealed)
    changed = [frame[0], frame[1] + 1 if became == CHOSEN else op.otherwise, *frame[2:]]
    for one, value in zip(op.picks, chosen, strict=True):
        changed[one.slot + 3] = value
    s[STACK] = tuple(changed)


def held(condition: Callable[[], Any]) -> bool:
    """Whether a condition is true; about somebody who is not there, nothing is."""
    try:
        return bool(condition())
    except ABSENCES:
        return False


def settled_set(
    values: Sequence[Any], likeness: Likeness | None, wanted: Any, may: bool
) -> tuple[tuple[int, Any] | None, Bounds]:
    """What became of the choice of a set if nobody need be asked, else None; and the sets to choose from."""
    least, most, allows = wanted
    missed = MISSED, None if may else ABSENT
    if not values and least > 0:
        return missed, (0, 0, None)
    least = max(0, min(least, len(values)))
    most = max(least, len(values) if most is None else min(most, len(values)))
    alike = values if likeness is None else shared(values, likeness)
    if allows is not None:
        legal = sets.legal(values, alike, least, most, allows)
        first = next(legal, None)
        if first is None:
            return missed, (0, 0, None)
        # Where all sets would be tried, it is one that lacks little that is most likely to be another one.
        fewer = (
            first[:at] + first[at + 1 :]
            for at in range(len(first) if least < len(first) and len(values) <= _ALL_TRIED else 0)
        )
        forced = not may and not any(map(allows, fewer)) and next(legal, None) is None
    else:
        first, same = tuple(values[:least]), not most or least == len(values) or len(set(alike)) == 1
        forced = not may and least == most and same
    return (CHOSEN, first) if forced else None, (least, most, allows)


def several(
    r: BlindRun, s: State, seat: int, values: Sequence[Any], likeness: Likeness | None, wanted: Any, may: bool
) -> tuple[int, Any]:
    """Ask a player for a set, if there is more than one that is legal; else what became of it, and the set."""
    became, bounds = settled_set(values, likeness, wanted, may)
    if became is not None:
        return became
    if s[CLOCK] >= MOST_ANSWERS:
        r.finish(("unfinished",))
        return WAITING, None
    counts = s[COUNTS]
    number = counts[seat] + 1
    s[COUNTS] = (*counts[:seat], number, *counts[seat + 1 :])
    s[PENDING] = r.pending = ("ask", ((seat, number, (), False),))
    r.offered, r.several, r.likeness, r.may_pass, r.bounds = values, None, likeness, may, bounds
    return WAITING, None


def at_random(r: BlindRun, seat: int, below: Callable[[int], int]) -> Any:
    """An answer of a seat at random to what is offered, as the machine draws it."""
    values, may_pass = (r.offered, r.may_pass) if r.several is None else r.several[seat]
    if r.bounds is not None:
        return random_set(values, r.likeness, r.bounds, may_pass, below)
    count = len(values)
    index = below(count + may_pass)
    if index == count:
        return None
    return first_copy(values, index, r.likeness)


def random_set(
    values: Sequence[Any], likeness: Likeness | None, bounds: Bounds, may: bool, below: Callable[[int], int]
) -> Any:
    """A set that is allowed, of equal values the first; None for a pass."""
    if may and below(len(values) + 1) == len(values):
        return None
    least, most, allows = bounds
    tested = allows or (lambda chosen: True)
    alike = values if likeness is None else shared(values, likeness)
    chosen = sets.random_one(values, least, most, tested, below)
    if chosen is None:
        legal = list(sets.legal(values, alike, least, most, tested))
        return legal[below(len(legal))]
    return tuple(sorted(sets.first_copies(values, alike, chosen), key=values.index))


def answer(s: State, value: Any, slot: int, missed: int) -> None:
    """Take an answer at a choice of one player with one pick: it goes into that slot of the frame, and the rules go on
    behind the choice, or at the op `missed` if nothing is chosen.
    """
    frame = s[STACK]
    s[CLOCK] += 1
    s[PENDING] = None
    s[STACK] = (frame[0], missed if value is None else frame[1] + 1, *frame[2:slot], value, *frame[slot + 1 :])


NAMES: dict[str, Any] = {
    "alike": alike,
    "asks": asks,
    "told_apart": told_apart,
    "several": several,
    "picked": picked,
    "held": held,
}
"""What printed text may call."""
