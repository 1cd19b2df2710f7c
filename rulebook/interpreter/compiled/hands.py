"""Cards that move while nobody looks: contents of places, faces, and where each card lies; no knowledge, no events.

In: a `BlindRun`, a state, cards by number and places by ordinal. Out: the state as the machine's `carry` and draws
leave it, but for KNOWN. Never: another number of a stream, or in another order, than the machine takes.
"""

from __future__ import annotations

from bisect import insort
from collections.abc import Iterable, Sequence
from typing import Any

from rulebook.interpreter import moving, random
from rulebook.interpreter.compiled.blind import OTHER, PILE, ROW, SLOT, SORTED, BlindRun
from rulebook.interpreter.layout import ALIVE, BOX, FACES, SEED, WHERE, PlaceSlot
from rulebook.interpreter.ops import ABSENT
from rulebook.interpreter.primitives import chance
from rulebook.interpreter.primitives.cards import cards_of
from rulebook.interpreter.run import Run
from rulebook.interpreter.state import State, cards_in


def begun(r: Run, s: State, stream: int, times: int) -> int:
    """A stream before its first number."""
    return random.start(s[SEED], r.layout.streams[stream], times)


def below(r: Run, s: State, stream: int, bound: int) -> int:
    """The next number of a stream, below the bound."""
    times, number = s[stream] or (1, 0)
    number = (number or begun(r, s, stream, times)) * random.MULTIPLIER & random.MASK
    s[stream] = times, number
    return (number >> 64) * bound >> 64


def some(r: Run, s: State, stream: int, left: Any, count: int) -> list[int]:
    """So many of those that are left, which then are no longer there."""
    if not count:
        return []
    times, number = s[stream] or (1, 0)
    number = number or begun(r, s, stream, times)
    taken, pop, factor, mask = [], left.pop, random.MULTIPLIER, random.MASK
    for many in range(len(left), len(left) - count, -1):
        number = number * factor & mask
        taken.append(pop((number >> 64) * many >> 64))
    s[stream] = times, number
    return taken


def move(r: BlindRun, s: State, card: int | None, goal: int, end: str, face: int | None) -> None:
    """One card, from wherever it lies."""
    if card is None:
        return
    spots = r.spots
    slot, kind, settled, stream, _ = spots[s[WHERE][card]]
    to, how, _, _, _ = spots[goal]
    if (
        kind == OTHER
        or how == OTHER
        or (goal == BOX and r.restores)
        or (s[to] and (how == SLOT or kind == how == PILE))
    ):
        carry(r, s, (card,), goal, end, face)  # which says so if there is no room
        return
    contents = s[slot]
    if type(contents) is bytes:
        contents = r.heat(s, slot)
    if kind == PILE:
        index, (top, bottom) = contents.index(card), s[settled]
        if index < top:
            s[settled] = top - 1, bottom
        elif index >= len(contents) - bottom:
            s[settled] = top, bottom - 1
        elif how != SORTED:
            below(r, s, stream, 1)  # what goes into an order gets one, even if it is alone
        del contents[index]
    else:
        contents.remove(card)
    lay(r, s, card, goal, end, face)
    if goal == BOX and r.restores:
        moving.restore(r, (card,))


def lay(r: BlindRun, s: State, card: int, goal: int, end: str, face: int | None) -> None:
    """Lay one card, which was just taken, into a place that has room."""
    to, how, settled, _, face_there = r.spots[goal]
    contents, where, faces = s[to], s[WHERE], s[FACES]
    if type(contents) is bytes:
        contents = r.heat(s, to)
    if how == SORTED:
        insort(contents, card)
    elif how == PILE:
        first, last = s[settled]
        if end == "bottom":
            contents.append(card)
            s[settled] = first, last + 1
        else:
            contents.insert(0, card)
            s[settled] = first + 1, last
    elif end == "top":
        contents.insert(0, card)
    else:
        contents.append(card)
    if type(where) is bytes:
        where = r.heat(s, WHERE)
    where[card] = goal
    if face is None:
        face = face_there
    if faces[card] != face:
        if type(faces) is bytes:
            faces = r.heat(s, FACES)
        faces[card] = face


def move_all(r: BlindRun, s: State, cards: Any, goal: int, end: str, face: int | None) -> None:
    """Cards, one after the other."""
    several = cards if type(cards) is bytes and len({*cards}) == len(cards) else cards_of(cards)
    where, spots, (to, how, settled, _, _) = s[WHERE], r.spots, r.spots[goal]
    if not several:
        return
    if how in (SLOT, OTHER):
        carry(r, s, several, goal, end, face)
        return
    gone = bytes(several)
    sources = {where[gone[0]]}
    if s[spots[where[gone[0]]][0]] != gone:
        sources = {*gone.translate(where.ljust(256))} if len(gone) > MANY else {where[card] for card in gone}
    kinds = [spots[one][1] for one in sources]
    # A pile that moves as a whole onto an empty one stays as it is.
    if OTHER in kinds or (how == PILE and kinds == [PILE] and not s[to]):
        carry(r, s, gone, goal, end, face)
        return
    if how != SORTED and (PILE in kinds or len(kinds) > 1):
        by_source: dict[int, list[int]] = {}
        for card in gone:
            by_source.setdefault(where[card], []).append(card)
        gone = b"".join([_in_order(r, s, one, leaving) for one, leaving in by_source.items()])
    for one in sources:
        slot, kept, order, _, _ = spots[one]
        contents = s[slot]
        if kept == PILE:
            top, bottom = s[order]
            ends = contents[:top], contents[len(contents) - bottom :]
            s[order] = len(ends[0].translate(None, gone)), len(ends[1].translate(None, gone))
        s[slot] = contents.translate(None, gone)
    if how == SORTED:
        s[to] = bytearray(sorted(s[to] + gone))
        r.hot.append(to)
    elif end == "bottom" or (how == ROW and end != "top"):
        s[to] = bytes(s[to] + gone)
    else:
        s[to] = (gone[::-1] if how == PILE else gone) + s[to]
    if how == PILE:
        first, last = s[settled]
        s[settled] = (first, last + len(gone)) if end == "bottom" else (first + len(gone), last)
    rest(r, s, ((goal, gone),), face)
    if goal == BOX and r.restores:
        moving.restore(r, gone)


SAID = {1: "up", 0: "down", None: ""}
"""How a sentence says with which face cards come to a place."""

MANY = 8
"""So many cards are looked up one by one."""

NUMBERS = bytes(range(256))


def _in_order(r: BlindRun, s: State, source: int, leaving: list[int]) -> bytes:
    """Cards in the order in which they leave a place; those that had none get one now."""
    slot, kept, settled, stream, _ = r.spots[source]
    contents, (top, bottom) = s[slot], s[settled] if kept == PILE else (len(s[slot]), 0)
    if top + bottom == len(contents):
        return bytes(leaving)
    known = contents[:top] + contents[len(contents) - bottom :]
    loose = [card for card in leaving if card not in known]
    order = iter(some(r, s, stream, sorted(loose), len(loose)))
    return bytes([card if card in known else next(order) for card in leaving])


def rest(r: BlindRun, s: State, lying: Iterable[tuple[int, Sequence[int]]], face: int | None) -> None:
    """Cards lie in these places from now on, each with its face as it comes there."""
    where, faces, turns, known = s[WHERE], s[FACES], False, None
    if type(where) is bytes:
        where = r.heat(s, WHERE)
    for goal, cards in lying:
        up = r.spots[goal][4] if face is None else face
        if up != known:
            known, turns = up, faces.count(1 - up) > 0
        if turns and type(faces) is bytes:
            faces = r.heat(s, FACES)
        if len(cards) > MANY and NUMBERS[cards[0] : cards[-1] + 1] == cards:
            # A whole deck, whose cards are numbered one after the other.
            where[cards[0] : cards[-1] + 1] = bytes((goal,)) * len(cards)
            if turns:
                faces[cards[0] : cards[-1] + 1] = bytes((up,)) * len(cards)
            continue
        for card in cards:
            where[card] = goal
        if turns:
            for card in cards:
                faces[card] = up


def carry(r: BlindRun, s: State, cards: Sequence[int], goal: int, end: str, face: int | None) -> None:
    """Any cards to any place, as the machine moves them."""
    r.cool(s)
    moving.carry(r, cards, (r.layout.places[goal], None), end, SAID[face], tell=False)


def draw(
    r: BlindRun, s: State, source: int, goals: Sequence[int], total: int, end: str, face: int | None
) -> tuple[int, ...]:
    """So many cards of a bag or pile, to one place after the other, while there are any."""
    slot, kind, settled, stream, _ = r.spots[source]
    loose = kind == SORTED or (kind == PILE and s[settled] == (0, 0))
    # All goals are places of one name, and so keep cards in one way.
    if loose and len(s[slot]) >= total > 1 and r.spots[goals[0]][1] == SORTED and source not in goals:
        left = s[slot] if type(s[slot]) is bytearray else r.heat(s, slot)
        taken = some(r, s, stream, left, total)
        dealt = [(goal, taken[at :: len(goals)]) for at, goal in enumerate(goals)]
        for goal, cards in dealt:
            to = r.spots[goal][0]
            s[to] = bytearray(sorted([*s[to], *cards]))
            r.hot.append(to)
        rest(r, s, dealt, face)
        return tuple(taken)
    taken = []
    while len(taken) < total:
        card = draw_one(r, s, source, goals[len(taken) % len(goals)], end, face)
        if card is None:
            break
        taken.append(card)
    return tuple(taken)


def draw_one(r: BlindRun, s: State, source: int, goal: int, end: str, face: int | None) -> int | None:
    """A card of a bag or pile, if there is one."""
    spots = r.spots
    slot, kind, settled, stream, _ = spots[source]
    contents = s[slot]
    if not contents:
        if not refill(r, s, r.layout.places[source]):
            return None
        contents = s[slot]
    to, how, _, _, _ = spots[goal]
    if how > PILE or kind > PILE or kind == how == PILE or (how == SLOT and s[to]):
        r.cool(s)
        seen = chance.next_card(r, r.layout.places[source], r.layout.places[goal], "")
        assert seen is not None, "nobody asks for outcomes of chance here"
        carry(r, s, (seen,), goal, end, face)
        return seen
    if type(contents) is bytes:
        contents = r.heat(s, slot)
    if kind == SORTED:
        card = contents.pop(below(r, s, stream, len(contents)))
    elif kind == PILE:
        first, last = s[settled]
        if first or last == len(contents):
            card = contents.pop(0)
            s[settled] = (first - 1, last) if first else (0, last - 1)
        else:
            card = contents.pop(below(r, s, stream, len(contents) - last))
            if how != SORTED:
                below(r, s, stream, 1)  # what goes into an order gets one, even if it is alone
    else:
        card = contents.pop(0)
    lay(r, s, card, goal, end, face)
    return int(card)


def refill(r: BlindRun, s: State, place: PlaceSlot) -> bool:
    """Shuffle the refill pile in; whether there is something to draw now."""
    if place.refill is None:
        return False
    cards = cards_in(r.layout, s, r.layout.places[place.refill])
    carry(r, s, cards, place.ordinal, "", None)
    shuffle(r, s, place.ordinal)
    return bool(cards)


def shuffle(r: BlindRun, s: State, ordinal: int) -> None:
    """A bag or a pile has no order any more, and its stream begins anew; a row or grid gets another one."""
    place = r.layout.places[ordinal]
    r.restart(place.stream)
    if place.settled is not None:
        if any(s[place.settled]):
            s[place.slot] = r.layout.pack(sorted(s[place.slot]))
        s[place.settled] = (0, 0)
    elif place.ordered:
        left, empty = sorted(cards_in(r.layout, s, place)), r.layout.empty
        order = iter(some(r, s, place.stream, left, len(left)))
        s[place.slot] = r.layout.pack([card if card == empty else next(order) for card in s[place.slot]])


def pour(s: State, source: int, goal: int, count: int | None) -> None:
    """Pieces from one pool to another, by their slots; None: all."""
    there = s[source]
    moved = there if count is None else max(0, min(count, there))
    s[source] -= moved
    s[goal] += moved


def pass_each(r: BlindRun, s: State, places: Sequence[int], step: int) -> None:
    """Everybody's place goes to a neighbour as a whole."""
    alive, spots, where = s[ALIVE], r.spots, s[WHERE] if type(s[WHERE]) is bytearray else r.heat(s, WHERE)
    before = []
    for seat in alive:
        slot, _, settled, *_ = spots[places[seat]]
        before.append((s[slot], settled and s[settled]))
    for index, (contents, order) in enumerate(before):
        ordinal = places[alive[(index + step) % len(alive)]]
        slot, _, settled, *_ = spots[ordinal]
        s[slot] = contents
        r.hot.append(slot)
        if settled:
            s[settled] = order
        for card in contents:
            where[card] = ordinal


def swap(r: BlindRun, s: State, first: int, second: int) -> None:
    """Two cards change places, each to the other's position where there is one."""
    if first == second:
        return
    places = r.layout.places
    where = s[WHERE] if type(s[WHERE]) is bytearray else r.heat(s, WHERE)
    one, other = places[where[first]], places[where[second]]
    for slot in (one.slot, other.slot):
        if type(s[slot]) is bytes:
            r.heat(s, slot)
    at, there = s[one.slot].index(first), s[other.slot].index(second)
    s[one.slot][at], s[other.slot][there] = second, first
    for place in (one, other):
        s[place.slot][:] = moving.as_kept(s, place, s[place.slot])
    if one is other:
        return
    where[first], where[second] = other.ordinal, one.ordinal
    if one.seen_by != other.seen_by:
        faces = s[FACES] if type(s[FACES]) is bytearray else r.heat(s, FACES)
        faces[first], faces[second] = other.arrives_up, one.arrives_up


def pick(r: Run, s: State, several: Iterable[Any], wanted: int, stream: int) -> tuple[Any, ...]:
    """So many of a list at random."""
    left = list(several)
    return tuple(some(r, s, stream, left, max(0, min(wanted, len(left)))))


def nth(picked: Sequence[Any], number: int) -> Any:
    """One of those that were picked, or nobody."""
    return picked[number] if number < len(picked) else ABSENT


def turn(r: BlindRun, s: State, cards: Any, face: int) -> None:
    """Cards lie face up, or face down."""
    faces = s[FACES] if type(s[FACES]) is bytearray else r.heat(s, FACES)
    for card in cards_of(cards):
        faces[card] = face


NAMES: dict[str, Any] = {
    "begun": begun,
    "insort": insort,
    "move": move,
    "move_all": move_all,
    "draw": draw,
    "draw_one": draw_one,
    "shuffle": shuffle,
    "pick": pick,
    "nth": nth,
    "turn": turn,
    "pour": pour,
    "pass_each": pass_each,
    "swap": swap,
}
"""What printed text may call."""
